//! A closer look at what goes on: people, streamlines, ways.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use glam::{DVec2, Vec2};
use serde_json::{Value as Json, json};
use throng::Engine;
use throng_crowd::{Crowd, LiveField, PersonId};
use throng_field::{CriticalKind, Field, StreamlineOptions};
use throng_world::scene::{FieldId, GroupId, LayerId};

use crate::message::Refusal;

/// Streamlines that can be asked for.
const MOST_LINES: usize = 2000;
/// Places per side from which traps are searched.
const TRAP_RESOLUTION: usize = 24;

/// What is known of a person; `null` if they are gone.
pub(crate) fn inspect(engine: &Engine, person: u32) -> Json {
    let Some(state) = engine.crowd().person(PersonId(person)) else { return Json::Null };
    json!({
        "id": person,
        "group": engine.scene().groups.get(state.group.0 as usize).map(|group| &group.name),
        "layer": state.layer.0,
        "position": state.position.to_array(),
        "velocity": state.velocity.to_array(),
        "preferred": state.preferred_velocity.to_array(),
        "speed": state.velocity.length(),
        "heading": state.heading.radians(),
        "radius": state.radius,
        "status": state.status.as_str(),
    })
}

/// A digest of what changes in a scene by itself: obstacles that come and go, and fields that follow
/// a script.
pub(crate) fn scenery(crowd: &Crowd) -> Vec<u64> {
    let obstacles = crowd.obstacles().filter(|(_, obstacle, _)| !obstacle.is_permanent());
    let mut digests: Vec<u64> = obstacles.map(|(.., is_there)| u64::from(is_there)).collect();
    digests.extend(crowd.fields().map(|(id, field)| {
        let mut digest = DefaultHasher::new();
        id.0.hash(&mut digest);
        // A field is made anew when its anchors change.
        field.editor().map(|editor| Arc::as_ptr(editor.field()) as usize).hash(&mut digest);
        digest.finish()
    }));
    digests
}

/// Lines along which a group's fields, or one field, lead.
pub(crate) fn streamlines(
    engine: &Engine,
    group: Option<&str>,
    field: Option<&str>,
    layer: u8,
    count: usize,
) -> Result<Json, Refusal> {
    let (scene, crowd) = (engine.scene(), engine.crowd());
    let fields: Vec<&LiveField> = match (group, field) {
        (Some(name), None) => {
            let index = scene.groups.iter().position(|group| group.name == name);
            let index = index.ok_or_else(|| Refusal::new(format!("there is no group {name:?}")))?;
            let led = crowd.led(GroupId(index as u16));
            led.into_iter().flat_map(|led| &led.by).filter_map(|id| crowd.field(*id)).collect()
        }
        (None, Some(name)) => {
            let index = scene.fields.iter().position(|field| field.name == name);
            let index = index.ok_or_else(|| Refusal::new(format!("there is no field {name:?}")))?;
            crowd.field(FieldId(index as u16)).into_iter().collect()
        }
        _ => return Err(Refusal::new("name either a `group` or a `field`")),
    };
    let area = [scene.bounds.min.as_dvec2(), scene.bounds.max.as_dvec2()];
    let solved: Vec<&Arc<Field>> = fields
        .iter()
        .filter(|field| field.layer() == LayerId(layer))
        .filter_map(|field| field.field())
        .collect();
    let mut lines: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut traps: Vec<Json> = Vec::new();
    let share = count.min(MOST_LINES) / solved.len().max(1);
    for field in solved {
        lines.extend(lines_of(field, area, share));
        traps.extend(field.critical_points(area, TRAP_RESOLUTION).iter().map(|point| {
            let kind = match point.kind {
                CriticalKind::Sink => "sink",
                CriticalKind::Source => "source",
                CriticalKind::Saddle => "saddle",
                CriticalKind::Centre => "centre",
            };
            json!({ "at": point.position.to_array(), "kind": kind, "trap": point.is_trap() })
        }));
    }
    Ok(json!({ "lines": lines, "traps": traps }))
}

/// Evenly spread lines: one through the middle of each square of a lattice.
fn lines_of(field: &Field, area: [DVec2; 2], count: usize) -> Vec<Vec<[f64; 2]>> {
    let size = area[1] - area[0];
    let spacing = (size.x * size.y / count.max(1) as f64).sqrt();
    let [columns, rows] = (size / spacing).to_array().map(|n| (n.round() as usize).max(1));
    let options = StreamlineOptions {
        step: spacing / 6.0,
        length: spacing * 1.5,
        ..StreamlineOptions::default()
    };
    let places = (0..columns * rows).map(|i| {
        let at = DVec2::new((i % columns) as f64 + 0.5, (i / columns) as f64 + 0.5);
        area[0] + size * at / DVec2::new(columns as f64, rows as f64)
    });
    let centimetres = |point: DVec2| point.to_array().map(|x| (x * 100.0).round() / 100.0);
    let lines = places.map(|place| field.streamline(place, &options));
    lines
        .filter(|line| line.len() > 1)
        .map(|line| line.into_iter().map(centimetres).collect())
        .collect()
}

/// The corridor map of a floor.
pub(crate) fn ways(engine: &Engine, layer: u8) -> Result<Json, Refusal> {
    if layer as usize >= engine.scene().layers.len() {
        return Err(Refusal::new(format!("there is no layer {layer}")));
    }
    let Some(map) = engine.crowd().map() else { return Ok(json!({ "edges": [] })) };
    let edges = map.edges().iter().enumerate().filter_map(|(index, _)| {
        let id = throng_nav::EdgeId(index as u32);
        (map.layer(id) == LayerId(layer)).then(|| {
            let (mut points, mut clearance): (Vec<Vec2>, Vec<f32>) = Default::default();
            for piece in map.pieces(id) {
                // A parabola is drawn by a few chords.
                let shares: &[f64] =
                    if piece.is_straight() { &[0.0] } else { &[0.0, 0.25, 0.5, 0.75] };
                for place in shares.iter().map(|&share| piece.at(share)) {
                    points.push(place.as_vec2());
                    clearance.push(piece.clearance(place) as f32);
                }
            }
            if let Some(last) = map.pieces(id).next_back() {
                let place = last.at(1.0);
                points.push(place.as_vec2());
                clearance.push(last.clearance(place) as f32);
            }
            let points: Vec<[f32; 2]> = points.iter().map(Vec2::to_array).collect();
            json!({ "points": points, "clearance": clearance })
        })
    });
    Ok(json!({ "edges": edges.collect::<Vec<_>>() }))
}
