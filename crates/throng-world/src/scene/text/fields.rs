//! Edits of fields and of who is led by them, from what a running simulation has of them.

use glam::DVec2;
use serde_json::{Map, Value as Json, json};
use throng_base::Distribution;

use super::json::readable;
use super::{Address, Draft, TextError};
use crate::scene::{
    AnchorKey, AnchorSpec, DEFAULT_BORDER, DEFAULT_FADE, DEFAULT_GOALS, DEFAULT_WANDER,
    FieldChange, FieldSpec, KeyMethod, LayerId, Led,
};

impl Draft<'_> {
    /// Gives a field other anchors. Those that are as they were, or have moved or turned a little,
    /// keep their places and comments.
    ///
    /// # Errors
    ///
    /// If there is no such field.
    pub fn set_anchors(&mut self, field: &str, anchors: &[AnchorSpec]) -> Result<(), TextError> {
        let at = Address::list("fields").named(field).key("anchors");
        let typed = self.get(&at).ok_or_else(|| TextError::Missing(at.clone()))?;
        let typed = typed.as_array().map_or(&[][..], Vec::as_slice);
        let before = self.scene.fields.iter().find(|of| of.name == field);
        let before = before.map_or(&[][..], |of| &of.anchors);
        let new = anchors.iter().map(|anchor| {
            // One that has not changed stays as it was typed, whichever way that was.
            let known = before.iter().zip(typed).find(|(old, _)| is_same(old, anchor));
            known.map_or_else(|| of_anchor(anchor), |(_, typed)| typed.clone())
        });
        self.set(&at, &Json::Array(new.collect()))
    }

    /// Adds a field. Its region and its floor are those of the scene before the edit.
    ///
    /// # Errors
    ///
    /// If the scene's `fields` are no list.
    pub fn add_field(&mut self, field: &FieldSpec) -> Result<(), TextError> {
        let mut entries = Map::new();
        entries.insert("name".into(), json!(field.name));
        if let Some(region) = field.region.and_then(|id| self.scene.regions.get(id.0 as usize)) {
            entries.insert("region".into(), json!(region.name));
            if field.border != DEFAULT_BORDER {
                entries.insert("border".into(), json!(field.border));
            }
        } else if field.layer != LayerId(0)
            && let Some(layer) = self.scene.layers.get(field.layer.0 as usize)
        {
            entries.insert("layer".into(), json!(layer.name));
        }
        if field.priority != 1.0 {
            entries.insert("priority".into(), readable(field.priority));
        }
        if field.fade != DEFAULT_FADE {
            entries.insert("fade".into(), json!(field.fade));
        }
        if let KeyMethod::Joint { tau } = field.keys {
            entries.insert("keys".into(), json!("joint"));
            entries.extend(tau.map(|tau| ("tau".into(), json!(tau))));
        }
        entries.insert("anchors".into(), field.anchors.iter().map(of_anchor).collect());
        if !field.edits.is_empty() {
            let edits = field.edits.iter().map(|edit| of_edit(edit.time, &edit.change));
            entries.insert("edits".into(), edits.collect());
        }
        self.add(&Address::list("fields"), &Json::Object(entries))
    }

    /// Takes a field away. Groups that were led by it are led by the others they name, if any.
    ///
    /// # Errors
    ///
    /// If there is no such field.
    pub fn remove_field(&mut self, name: &str) -> Result<(), TextError> {
        self.remove(&Address::list("fields").named(name))?;
        let groups = self.get(&Address::list("groups"));
        for index in 0..groups.and_then(|groups| Some(groups.as_array()?.len())).unwrap_or(0) {
            let led = Address::list("groups").index(index).key("led");
            let Some(Json::Array(by)) = self.get(&led.key("by")) else { continue };
            let others: Vec<Json> = by.iter().filter(|of| **of != name).cloned().collect();
            if others.is_empty() {
                self.remove(&led)?;
            } else {
                self.set(&led.key("by"), &Json::Array(others))?;
            }
        }
        Ok(())
    }

    /// Says how a group is led. Fields are those of the scene before the edit.
    ///
    /// # Errors
    ///
    /// If there is no such group or field.
    pub fn set_led(&mut self, group: &str, led: Option<&Led>) -> Result<(), TextError> {
        let at = Address::list("groups").named(group).key("led");
        let typed = self.get(&at);
        let Some(led) = led else {
            return if typed.is_some() { self.remove(&at) } else { Ok(()) };
        };
        let mut by = Vec::with_capacity(led.by.len());
        for id in &led.by {
            let index = id.0 as usize;
            let missing = || TextError::Missing(Address::list("fields").index(index));
            by.push(json!(self.scene.fields.get(index).ok_or_else(missing)?.name));
        }
        let mut entries = Map::new();
        entries.insert("by".into(), Json::Array(by));
        entries.insert("share".into(), of_distribution(led.share));
        let has_goals = self.get(&Address::list("groups").named(group).key("goals"));
        let has_goals = has_goals.is_some_and(|goals| goals != json!([]));
        for (key, value, default) in [
            ("wander", led.wander, DEFAULT_WANDER as f32),
            ("goals", led.goals, if has_goals { DEFAULT_GOALS as f32 } else { 0.0 }),
        ] {
            let is_typed = typed.as_ref().is_some_and(|typed| typed.get(key).is_some());
            if is_typed || value != default {
                entries.insert(key.into(), readable(value));
            }
        }
        self.set(&at, &Json::Object(entries))
    }
}

fn is_same(a: &AnchorSpec, b: &AnchorSpec) -> bool {
    let bare = |anchor: &AnchorSpec| AnchorSpec { span: 0..0, ..anchor.clone() };
    bare(a) == bare(b)
}

fn of_anchor(anchor: &AnchorSpec) -> Json {
    let mut entries = Map::new();
    entries.extend(anchor.name.iter().map(|name| ("name".to_owned(), json!(name))));
    if let [AnchorKey { position, velocity, .. }] = anchor.keys[..] {
        entries.insert("at".into(), of_vector(position));
        entries.insert("velocity".into(), of_vector(velocity));
    } else {
        let keys = anchor.keys.iter().map(|key| {
            let (at, velocity) = (of_vector(key.position), of_vector(key.velocity));
            json!({ "time": key.time, "at": at, "velocity": velocity })
        });
        entries.insert("keys".into(), keys.collect());
    }
    entries.extend(anchor.smoothing.map(|smoothing| ("smoothing".to_owned(), json!(smoothing))));
    entries.extend(anchor.reach.map(|reach| ("reach".to_owned(), json!(reach))));
    Json::Object(entries)
}

fn of_edit(time: f64, change: &FieldChange) -> Json {
    match change {
        FieldChange::Add(anchor) => json!({ "time": time, "add": of_anchor(anchor) }),
        FieldChange::Remove(name) => json!({ "time": time, "remove": name }),
        FieldChange::Change { name, position, velocity, reach } => {
            let mut edit = json!({ "time": time, "change": name });
            for (key, value) in [("at", position), ("velocity", velocity)] {
                if let Some(value) = value {
                    edit[key] = of_vector(*value);
                }
            }
            if let Some(reach) = reach {
                edit["reach"] = json!(reach);
            }
            edit
        }
    }
}

fn of_vector(vector: DVec2) -> Json {
    json!([vector.x, vector.y])
}

fn of_distribution(distribution: Distribution) -> Json {
    let mut table = match distribution {
        Distribution::Constant(value) => return readable(value),
        Distribution::Uniform { .. } => json!({}),
        Distribution::Normal { mean, sd, .. } => {
            json!({ "mean": readable(mean), "sd": readable(sd) })
        }
        Distribution::LogNormal { log_mean, log_sd, .. } => {
            json!({ "log_mean": readable(log_mean), "log_sd": readable(log_sd) })
        }
        Distribution::Weibull { scale, shape, .. } => {
            json!({ "scale": readable(scale), "shape": readable(shape) })
        }
    };
    table["min"] = readable(distribution.min());
    table["max"] = readable(distribution.max());
    table
}
