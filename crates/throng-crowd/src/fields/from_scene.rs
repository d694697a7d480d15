//! The fields of a scene, and who is led by them.

use std::collections::HashMap;

use glam::DVec2;
use throng_field::{Anchor, AnchorId, FieldError, Key, Mask, Track};
use throng_world::Scene;
use throng_world::scene::{AnchorSpec, FieldId, FieldSpec, GroupId, KeyMethod, SceneError, Span};

use super::{Arrows, FieldRefusal, LiveField, NewField};
use crate::crowd::Crowd;

/// Adds a scene's fields to a crowd in which there is nobody yet. What is wrong with them goes to
/// `errors`.
pub(crate) fn add_all(crowd: &mut Crowd, scene: &Scene, errors: &mut Vec<SceneError>) {
    let before = errors.len();
    for spec in &scene.fields {
        add(crowd, spec, scene, errors);
    }
    if errors.len() > before {
        return;
    }
    for (index, group) in scene.groups.iter().enumerate().filter(|(_, group)| group.led.is_some()) {
        if let Err(error) = crowd.set_led(GroupId(index as u16), group.led.clone()) {
            let span =
                group.led.as_ref().map_or_else(|| group.span.clone(), |led| led.span.clone());
            errors.push(SceneError::new(&scene.source, span, error.to_string()));
        }
    }
}

impl LiveField {
    /// A field of a scene as it is at a moment, with all edits up to then in full effect: for who
    /// looks at a scene without running it.
    ///
    /// # Errors
    ///
    /// If there is no such field, or none for its anchors.
    pub fn of_scene(scene: &Scene, id: FieldId, time: f64) -> Result<Self, FieldRefusal> {
        let spec = scene.fields.get(id.0 as usize).ok_or(FieldRefusal::Unknown(id))?;
        let area = [scene.bounds.min.as_dvec2(), scene.bounds.max.as_dvec2()];
        let mut field = Self::new(new_field(spec, mask(spec, scene)?), area)?;
        field.follow_script([], names(spec));
        for edit in spec.edits.iter().take_while(|edit| edit.time <= time) {
            field.apply(&edit.change)?;
        }
        field.settle(time)?;
        Ok(field)
    }
}

fn add(crowd: &mut Crowd, spec: &FieldSpec, scene: &Scene, errors: &mut Vec<SceneError>) {
    let mut report = |span: Span, error: &dyn std::fmt::Display| {
        let message = format!("field {:?}: {error}", spec.name);
        errors.push(SceneError::new(&scene.source, span, message));
    };
    let id = match mask(spec, scene)
        .map_err(FieldRefusal::from)
        .and_then(|mask| crowd.add_field(new_field(spec, mask)))
    {
        Ok(id) => id,
        Err(error) => return report(place_of(&error, spec), &error),
    };
    let Some(field) = crowd.fields.get_mut(id.0 as usize).and_then(Option::as_mut) else { return };
    field.follow_script(spec.edits.iter().cloned(), names(spec));
    for (edit, error) in field.rehearse() {
        report(edit.span.clone(), &error);
    }
}

/// What edits call the anchors that are there from the beginning.
fn names(spec: &FieldSpec) -> HashMap<String, AnchorId> {
    let names = (spec.anchors.iter().zip(0..))
        .filter_map(|(anchor, index)| Some((anchor.name.clone()?, AnchorId(index))));
    names.collect()
}

fn mask(spec: &FieldSpec, scene: &Scene) -> Result<Option<Mask>, FieldError> {
    let Some(region) = spec.region else { return Ok(None) };
    let polygon = &scene.regions[region.0 as usize].polygon;
    let corners: Vec<DVec2> = polygon.points().iter().map(|point| point.as_dvec2()).collect();
    Mask::new(&corners, spec.border).map(Some)
}

fn new_field(spec: &FieldSpec, mask: Option<Mask>) -> NewField {
    let is_still = spec.anchors.iter().all(|anchor| anchor.keys.len() == 1);
    let tracks = || spec.anchors.iter().map(track).collect();
    let arrows = match spec.keys {
        _ if is_still => Arrows::Still(spec.anchors.iter().filter_map(anchor).collect()),
        KeyMethod::Tracks => Arrows::Tracks(tracks()),
        KeyMethod::Joint { tau } => Arrows::Joint { anchors: tracks(), tau },
    };
    let FieldSpec { name, layer, priority, fade, .. } = spec;
    NewField { name: name.clone(), layer: *layer, mask, priority: *priority, fade: *fade, arrows }
}

fn anchor(spec: &AnchorSpec) -> Option<Anchor> {
    track(spec).at(0.0)
}

fn track(spec: &AnchorSpec) -> Track {
    let keys = spec.keys.iter().map(|key| Key {
        time: key.time,
        position: key.position,
        vector: key.velocity,
    });
    Track { keys: keys.collect(), smoothing: spec.smoothing }
}

/// The anchor that an error is about, or the whole field.
fn place_of(error: &FieldRefusal, spec: &FieldSpec) -> Span {
    let anchor = match error {
        FieldRefusal::Anchors(FieldError::Coincident { second, .. }) => Some(*second),
        FieldRefusal::Anchors(FieldError::OutOfRange { anchor, .. }) => Some(*anchor),
        _ => None,
    };
    anchor
        .and_then(|index| spec.anchors.get(index))
        .map_or(&spec.span, |anchor| &anchor.span)
        .clone()
}
