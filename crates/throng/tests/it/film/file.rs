//! A reader of binary glTF files that shares no code with the writer: what a viewer shows at a moment.

use std::collections::HashMap;

use glam::{Mat4, Quat, Vec3};
use serde_json::Value;

pub struct File {
    pub json: Value,
    numbers: Vec<u8>,
    parents: HashMap<usize, usize>,
    /// By node and property.
    channels: HashMap<(usize, String), Channel>,
}

/// Times, values, and whether steps are taken.
type Channel = (Vec<f32>, Vec<Vec<f32>>, bool);

impl File {
    pub fn parse(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let text = word(12);
        let json: Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
        let numbers = bytes[28 + text..].to_vec();
        assert_eq!(word(20 + text), numbers.len());
        let mut file = Self { json, numbers, parents: HashMap::new(), channels: HashMap::new() };
        for (index, node) in file.json["nodes"].as_array().unwrap().iter().enumerate() {
            for child in node["children"].as_array().into_iter().flatten() {
                file.parents.insert(child.as_u64().unwrap() as usize, index);
            }
        }
        if let Some(animation) = file.json["animations"].get(0).cloned() {
            for channel in animation["channels"].as_array().unwrap() {
                let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
                let get = |key: &str| file.accessor(sampler[key].as_u64().unwrap() as usize);
                let times: Vec<f32> = get("input").into_iter().map(|time| time[0]).collect();
                let values = get("output");
                assert_eq!(times.len(), values.len());
                let node = channel["target"]["node"].as_u64().unwrap() as usize;
                let path = channel["target"]["path"].as_str().unwrap().to_owned();
                let steps = sampler["interpolation"] == "STEP";
                assert!(file.channels.insert((node, path), (times, values, steps)).is_none());
            }
        }
        file
    }

    fn accessor(&self, index: usize) -> Vec<Vec<f32>> {
        let accessor = &self.json["accessors"][index];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let begin = offset(view) + offset(accessor);
        let size = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let small = accessor["componentType"] == 5122;
        let width = if small { 2 } else { 4 };
        (0..accessor["count"].as_u64().unwrap() as usize)
            .map(|element| {
                let number = |component: usize| {
                    let at = begin + (element * size + component) * width;
                    let bytes = &self.numbers[at..at + width];
                    match bytes.try_into() {
                        Ok(bytes) => f32::from_le_bytes(bytes),
                        Err(_) => {
                            let number = i16::from_le_bytes(bytes.try_into().unwrap());
                            (f32::from(number) / 32767.0).max(-1.0)
                        }
                    }
                };
                (0..size).map(number).collect()
            })
            .collect()
    }

    /// The node that is called `name`.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name)
    }

    /// The node called `name` below another one.
    pub fn below(&self, ancestor: usize, name: &str) -> Option<usize> {
        let named = |index: &usize| self.json["nodes"][index]["name"] == name;
        let is_below = |index: &usize| {
            std::iter::successors(Some(*index), |at| self.parents.get(at).copied())
                .any(|at| at == ancestor)
        };
        (0..self.json["nodes"].as_array().unwrap().len()).filter(named).find(is_below)
    }

    fn property(&self, node: usize, path: &str, time: f32, otherwise: &[f32]) -> Vec<f32> {
        let Some((times, values, steps)) = self.channels.get(&(node, path.to_owned())) else {
            let own = self.json["nodes"][node][path].as_array();
            return own.map_or(otherwise.to_vec(), |own| {
                own.iter().map(|number| number.as_f64().unwrap() as f32).collect()
            });
        };
        let after = times.partition_point(|key| *key <= time);
        if after == 0 || after == times.len() || *steps {
            return values[after.saturating_sub(1)].clone();
        }
        let part = (time - times[after - 1]) / (times[after] - times[after - 1]);
        let (a, b) = (&values[after - 1], &values[after]);
        if path == "rotation" {
            let quat = |v: &[f32]| Quat::from_array(v.try_into().unwrap()).normalize();
            return quat(a).slerp(quat(b), part).to_array().to_vec();
        }
        a.iter().zip(b).map(|(a, b)| a + part * (b - a)).collect()
    }

    /// How large somebody is.
    pub fn scale(&self, node: usize, time: f32) -> f32 {
        self.property(node, "scale", time, &[1.0; 3])[0]
    }

    /// Where a node is in the world.
    pub fn transform(&self, node: usize, time: f32) -> Mat4 {
        let place = self.property(node, "translation", time, &[0.0; 3]);
        let turn = self.property(node, "rotation", time, &[0.0, 0.0, 0.0, 1.0]);
        let scale = self.property(node, "scale", time, &[1.0; 3]);
        let vector = |v: &[f32]| Vec3::from_array(v.try_into().unwrap());
        let turn = Quat::from_array(turn.try_into().unwrap()).normalize();
        let local = Mat4::from_scale_rotation_translation(vector(&scale), turn, vector(&place));
        match self.parents.get(&node) {
            Some(parent) => self.transform(*parent, time) * local,
            None => local,
        }
    }

    pub fn keys(&self) -> usize {
        self.channels.values().map(|(times, ..)| times.len()).sum()
    }
}
