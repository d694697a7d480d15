//! Makes glTF documents of any shape, right or wrong.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::{Affine3A, Mat4, Quat, Vec3};
use serde_json::{Value, json};
use throng_motion::files::gltf::read_bytes;
use throng_motion::files::{Document, ReadError, ReadOptions};

#[derive(Clone)]
pub struct Builder {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl Builder {
    pub fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0" },
            "nodes": [], "skins": [], "meshes": [], "animations": [],
            "accessors": [], "bufferViews": [], "materials": [],
        });
        Self { json, bytes: Vec::new() }
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": length });
        self.push("bufferViews", view)
    }

    pub fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let each = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let accessor = json!({
            "bufferView": view, "componentType": 5126, "type": kind, "count": numbers.len() / each,
        });
        self.push("accessors", accessor)
    }

    pub fn node(&mut self, name: &str, parent: Option<usize>, rest: Value) -> usize {
        let mut node = rest;
        node["name"] = json!(name);
        let index = self.push("nodes", node);
        if let Some(parent) = parent {
            let children = &mut self.json["nodes"][parent]["children"];
            if children.is_null() {
                *children = json!([]);
            }
            children.as_array_mut().unwrap().push(json!(index));
        }
        index
    }

    pub fn at(&mut self, name: &str, parent: Option<usize>, [x, y, z]: [f32; 3]) -> usize {
        self.node(name, parent, json!({ "translation": [x, y, z] }))
    }

    pub fn skin(&mut self, joints: &[usize], inverse_bind: Option<&[Affine3A]>) -> usize {
        let mut skin = json!({ "joints": joints });
        if let Some(matrices) = inverse_bind {
            let numbers: Vec<f32> =
                matrices.iter().flat_map(|matrix| Mat4::from(*matrix).to_cols_array()).collect();
            skin["inverseBindMatrices"] = json!(self.floats("MAT4", &numbers));
        }
        self.push("skins", skin)
    }

    pub fn animation(&mut self, name: &str) -> usize {
        self.push("animations", json!({ "name": name, "channels": [], "samplers": [] }))
    }

    /// A channel with values of three numbers, or of four if it is a rotation.
    pub fn channel(
        &mut self,
        animation: usize,
        node: usize,
        path: &str,
        interpolation: &str,
        times: &[f32],
        values: &[f32],
    ) {
        let input = self.floats("SCALAR", times);
        let output = self.floats(if path == "rotation" { "VEC4" } else { "VEC3" }, values);
        self.sampled(animation, node, path, interpolation, input, output);
    }

    pub fn sampled(
        &mut self,
        animation: usize,
        node: usize,
        path: &str,
        interpolation: &str,
        input: usize,
        output: usize,
    ) {
        let animation = &mut self.json["animations"][animation];
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let channels = animation["channels"].as_array_mut().unwrap();
        channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    pub fn turns(&mut self, animation: usize, node: usize, keys: &[(f32, Quat)]) {
        let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = keys.iter().flat_map(|(_, turn)| turn.to_array()).collect();
        self.channel(animation, node, "rotation", "LINEAR", &times, &values);
    }

    pub fn moves(&mut self, animation: usize, node: usize, keys: &[(f32, Vec3)]) {
        let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = keys.iter().flat_map(|(_, at)| at.to_array()).collect();
        self.channel(animation, node, "translation", "LINEAR", &times, &values);
    }

    /// A triangle at `positions` whose corners are bound to one joint each.
    pub fn triangle(&mut self, positions: [Vec3; 3], joints: Option<[u8; 3]>) -> usize {
        let numbers: Vec<f32> = positions.iter().flat_map(Vec3::to_array).collect();
        let mut attributes = json!({ "POSITION": self.floats("VEC3", &numbers) });
        if let Some(joints) = joints {
            let bytes: Vec<u8> = joints.iter().flat_map(|joint| [*joint, 0, 0, 0]).collect();
            let view = self.view(&bytes);
            let accessor = json!({
                "bufferView": view, "componentType": 5121, "type": "VEC4", "count": 3,
            });
            attributes["JOINTS_0"] = json!(self.push("accessors", accessor));
            let weights: Vec<f32> = [[1.0, 0.0, 0.0, 0.0]; 3].concat();
            attributes["WEIGHTS_0"] = json!(self.floats("VEC4", &weights));
        }
        self.push("meshes", json!({ "primitives": [{ "attributes": attributes }] }))
    }

    /// The document as text with its buffer inside.
    pub fn text(&self) -> String {
        let mut json = self.json.clone();
        let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&self.bytes));
        json["buffers"] = json!([{ "byteLength": self.bytes.len(), "uri": uri }]);
        json.to_string()
    }

    pub fn read(&self) -> Result<Document, ReadError> {
        self.read_with(&ReadOptions::default())
    }

    pub fn read_with(&self, options: &ReadOptions) -> Result<Document, ReadError> {
        read_bytes(self.text().as_bytes(), None, options)
    }

    pub fn error(&self) -> String {
        self.read().map(|_| ()).unwrap_err().to_string()
    }
}

/// A rig of hips, a spine with a head, and two legs, below `parent`. Returns the nodes.
pub fn small_body(builder: &mut Builder, parent: Option<usize>) -> Vec<usize> {
    let hips = builder.at("Hips", parent, [0.0, 0.9, 0.0]);
    let spine = builder.at("Spine", Some(hips), [0.0, 0.3, 0.0]);
    let head = builder.at("Head", Some(spine), [0.0, 0.4, 0.0]);
    let mut joints = vec![hips, spine, head];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let upper = builder.at(&format!("{side}UpLeg"), Some(hips), [x, 0.0, 0.0]);
        let lower = builder.at(&format!("{side}Leg"), Some(upper), [0.0, -0.45, 0.0]);
        let foot = builder.at(&format!("{side}Foot"), Some(lower), [0.0, -0.4, 0.0]);
        joints.extend([upper, lower, foot]);
    }
    joints
}
