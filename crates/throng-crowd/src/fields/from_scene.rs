//! The fields of a scene, and who is led by them.

use glam::DVec2;
use throng_field::{FieldError, Key, Mask, Track};
use throng_world::Scene;
use throng_world::scene::{AnchorSpec, FieldId, FieldSpec, GroupId, KeyMethod, SceneError, Span};

use super::script::Script;
use super::{Arrows, FieldRefusal, LiveField, NewField};
use crate::crowd::Crowd;

/// Adds a scene's fields to a crowd in which there is nobody yet. What is wrong with them goes to
/// `errors`.
pub(crate) fn add_all(crowd: &mut Crowd, scene: &Scene, errors: &mut Vec<SceneError>) {
    let before = errors.len();
    for spec in &scene.fields {
        crowd.fields.all.push(reported(LiveField::at_first(scene, spec), scene, spec, errors));
    }
    if errors.len() > before {
        return;
    }
    for (group, led) in (0..).map(GroupId).zip(scene.groups.iter().map(|group| &group.led)) {
        if let Some(led) = led
            && let Err(error) = crowd.set_led(group, Some(led.clone()))
        {
            errors.push(SceneError::new(&scene.source, led.span.clone(), error.to_string()));
        }
    }
}

/// What is unwise about a scene's fields: arrows that are faster than those whom they lead, and reaches without effect.
pub(crate) fn advice(scene: &Scene) -> Vec<String> {
    let mut advice = Vec::new();
    for field in &scene.fields {
        let unlimited = field.anchors.iter().position(|anchor| anchor.reach.is_none());
        if let Some(anchor) = unlimited
            && field.anchors.iter().any(|anchor| anchor.reach.is_some())
        {
            advice.push(format!(
                "field {:?}: anchor {} has no reach, so the field holds everywhere; give each anchor a reach, or none",
                field.name,
                anchor + 1
            ));
        }
    }
    for group in &scene.groups {
        let led = group.led.iter().flat_map(|led| &led.by);
        for field in led.map(|id| &scene.fields[id.0 as usize]) {
            let (asked, able) = (field.top_speed(), group.top_speed());
            // The speed is a single-precision number.
            if asked > f64::from(able) * (1.0 + 1e-6) {
                advice.push(format!(
                    "field {:?}: an arrow asks for {asked:.1} m/s, but {able:.1} m/s is the most that group {:?} can do; \
                     make it slower, or raise the group's max_speed",
                    field.name, group.name
                ));
            }
        }
    }
    advice
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
        let mut field = Self::at_first(scene, spec)?;
        while let Some(edit) = field.script.next_until(time) {
            field.apply(&edit.change)?;
        }
        field.settle(time)?;
        Ok(field)
    }

    /// The same, for a scene that is taken up while it runs. What is wrong with the field goes to `errors`.
    pub(crate) fn begun(
        scene: &Scene,
        index: usize,
        time: f64,
        errors: &mut Vec<SceneError>,
    ) -> Option<Self> {
        let begun = Self::of_scene(scene, FieldId(index as u16), time);
        reported(begun, scene, &scene.fields[index], errors)
    }

    /// A field of a scene before its first edit.
    fn at_first(scene: &Scene, spec: &FieldSpec) -> Result<Self, FieldRefusal> {
        let mut field = Self::new(new_field(spec, mask(spec, scene)?), scene.bounds)?;
        field.follow(Script::new(spec));
        Ok(field)
    }
}

/// Tells what is wrong with a field, or will be when its script is carried out.
fn reported(
    field: Result<LiveField, FieldRefusal>,
    scene: &Scene,
    spec: &FieldSpec,
    errors: &mut Vec<SceneError>,
) -> Option<LiveField> {
    let mut report = |span: Span, error: &dyn std::fmt::Display| {
        let message = format!("field {:?}: {error}", spec.name);
        errors.push(SceneError::new(&scene.source, span, message));
    };
    match field {
        Ok(field) => {
            for (edit, error) in field.rehearse() {
                report(edit.span, &error);
            }
            Some(field)
        }
        Err(error) => {
            report(place_of(&error, spec), &error);
            None
        }
    }
}

fn mask(spec: &FieldSpec, scene: &Scene) -> Result<Option<Mask>, FieldError> {
    let Some(region) = spec.region else { return Ok(None) };
    let polygon = &scene.regions[region.0 as usize].polygon;
    let corners: Vec<DVec2> = polygon.points().iter().map(|point| point.as_dvec2()).collect();
    Mask::new(&corners, spec.border).map(Some)
}

fn new_field(spec: &FieldSpec, mask: Option<Mask>) -> NewField {
    let tracks: Vec<Track> = spec.anchors.iter().map(track).collect();
    let arrows = match spec.keys {
        _ if tracks.iter().all(|track| track.keys.len() == 1) => {
            Arrows::Still(tracks.iter().filter_map(|track| track.at(0.0)).collect())
        }
        KeyMethod::Tracks => Arrows::Tracks(tracks),
        KeyMethod::Joint { tau } => Arrows::Joint { anchors: tracks, tau },
    };
    let FieldSpec { name, layer, priority, fade, .. } = spec;
    NewField { name: name.clone(), layer: *layer, mask, priority: *priority, fade: *fade, arrows }
}

fn track(spec: &AnchorSpec) -> Track {
    let keys = spec.keys.iter().map(|key| Key {
        time: key.time,
        position: key.position,
        vector: key.velocity,
    });
    Track { keys: keys.collect(), smoothing: spec.smoothing, reach: spec.reach }
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
