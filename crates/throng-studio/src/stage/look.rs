//! A closer look at what goes on: people, streamlines, ways.

use std::sync::Arc;

use glam::DVec2;
use serde_json::{Value as Json, json};
use throng::Engine;
use throng_crowd::steering::{Cause, Constraints, Urge};
use throng_crowd::{Crowd, Inspection, LiveField, PersonId};
use throng_field::{CriticalKind, Field, StreamlineOptions};
use throng_nav::EdgeId;
use throng_world::Temperament;
use throng_world::scene::{FieldId, GroupId, LayerId};

use super::replay::Replay;
use crate::message::Refusal;

/// Streamlines that can be asked for.
const MOST_LINES: usize = 2000;
/// Places per side from which critical points are searched.
const CRITICAL_RESOLUTION: usize = 24;

/// Points of ways are no further apart, m.
const WAY_SPACING: f64 = 2.0;
/// How often arrows with keys are told anew, s.
const LOOK_AGAIN: f64 = 0.5;

/// What is known of a person; `null` if they are gone.
pub(crate) fn inspect(engine: &Engine, person: u32) -> Json {
    let crowd = engine.crowd();
    let Some(inspection) = crowd.inspect(PersonId(person)) else { return Json::Null };
    let groups: Vec<&str> = engine.scene().groups.iter().map(|group| &*group.name).collect();
    let names = crowd.names(&groups);
    let Inspection { state, decision, way, .. } = &inspection;
    json!({
        "id": person,
        "group": groups.get(state.group.0 as usize),
        "layer": state.layer.0,
        "position": state.position.to_array(),
        "velocity": state.velocity.to_array(),
        "preferred": decision.preferred_velocity.to_array(),
        "chosen": decision.velocity.to_array(),
        "speed": state.velocity.length(),
        "heading": state.heading.radians(),
        "radius": state.radius,
        "status": decision.status.as_str(),
        "words": inspection.status_in_words(&names),
        "model": inspection.model,
        "traits": traits(inspection.temperament),
        "goal": inspection.goal.as_ref().map(|goal| json!({
            "index": goal.index,
            "of": goal.count,
            "words": inspection.goal_in_words(&names),
            "target": goal.target.map(|(_, point)| point.to_array()),
            "seconds": goal.time_spent,
        })),
        "field": inspection.led.as_ref().map(|led| json!({
            "velocity": led.velocity.to_array(),
            "share": led.share,
        })),
        "path": way.points.iter().map(|p| p.position.to_array()).collect::<Vec<_>>(),
        "corridor": way.corridor.iter()
            .map(|disc| json!({ "at": disc.centre.to_array(), "radius": disc.radius }))
            .collect::<Vec<_>>(),
        "neighbours": inspection.neighbours.iter()
            .map(|other| json!({
                "id": other.id.0,
                "position": other.position.to_array(),
                "distance": other.distance,
            }))
            .collect::<Vec<_>>(),
        "companions": inspection.companions.iter()
            .filter_map(|&id| crowd.person(id))
            .map(|other| json!({ "id": other.id.0, "position": other.position.to_array() }))
            .collect::<Vec<_>>(),
        "waits_for": inspection.waits_for.map(|id| id.0),
        "constraints": constraints(&inspection.constraints),
    })
}

/// What a recording knows of a person; `null` if they are not there.
pub(crate) fn recorded(replay: &Replay, person: u32) -> Json {
    let people = replay.people();
    let Ok(row) = people.ids.binary_search(&person) else { return Json::Null };
    let velocity = people.velocities[row];
    json!({
        "id": person,
        "group": replay.scene().groups.get(people.groups[row].0 as usize).map(|group| &group.name),
        "layer": people.layers[row].0,
        "position": people.positions[row].to_array(),
        "velocity": velocity.to_array(),
        "speed": velocity.length(),
        "heading": people.headings[row],
        "radius": people.radii[row],
        "status": people.statuses[row].as_str(),
        "traits": traits(replay.temperament(person, people.groups[row])),
    })
}

/// What somebody is like, by name; `null` if they have no traits.
pub(super) fn traits(temperament: Option<Temperament>) -> Json {
    let hundredths = |value: f32| (f64::from(value) * 100.0).round() / 100.0;
    temperament.map_or(Json::Null, |traits| {
        traits.named().map(|(name, value)| (name, hundredths(value))).collect()
    })
}

fn constraints(constraints: &Constraints) -> Vec<Json> {
    match constraints {
        Constraints::None => Vec::new(),
        Constraints::HalfPlanes(demands) => demands
            .half_planes
            .iter()
            .map(|demand| {
                json!({
                    "kind": "half-plane",
                    "point": demand.point.to_array(),
                    "direction": demand.direction.to_array(),
                    "from": cause(&demand.cause),
                })
            })
            .collect(),
        Constraints::Forces(forces) => forces
            .forces
            .iter()
            .map(|force| {
                json!({
                    "kind": "force",
                    "vector": force.acceleration.to_array(),
                    "from": cause(&force.cause),
                })
            })
            .collect(),
        Constraints::Urges(urges) => {
            let told = |kind: &'static str| {
                move |urge: &Urge| {
                    json!({
                        "kind": kind,
                        "vector": urge.vector.to_array(),
                        "from": cause(&urge.cause),
                    })
                }
            };
            let pushes = urges.pushes.iter().map(told("push"));
            let fallen = urges.fallen.iter().map(told("urge"));
            urges.urges.iter().map(told("urge")).chain(fallen).chain(pushes).collect()
        }
        Constraints::Rules(rules) => rules
            .feelers
            .iter()
            .map(|feeler| {
                json!({
                    "kind": "feeler",
                    "line": [feeler.from.to_array(), feeler.to.to_array()],
                    "free": feeler.hit.map_or(1.0, |(free, _)| free),
                    "from": feeler.hit.map(|(_, hit)| cause(&hit)),
                })
            })
            .collect(),
    }
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Goal => "goal".into(),
        Cause::Person(id) => format!("person {}", id.0),
        Cause::Wall(_) => "wall".into(),
        Cause::Chance => "chance".into(),
        Cause::Habit => "habit".into(),
        Cause::Fallen(id) => format!("person {}, who has fallen", id.0),
    }
}

/// What changes in a scene by itself: obstacles that come and go, and fields that follow a script or
/// have keys. It is another when something of it is.
pub(crate) fn scenery(crowd: &Crowd) -> Vec<usize> {
    let obstacles = crowd.obstacles().filter(|(_, obstacle, _)| !obstacle.is_permanent());
    let obstacles = obstacles.map(|(.., is_there)| usize::from(is_there));
    let fields = crowd.fields().map(|(_, field)| match field.editor() {
        // A field is made anew when its anchors change.
        Some(editor) => Arc::as_ptr(editor.field()) as usize,
        // Anchors with keys change all the time, and are looked at now and then.
        None => (crowd.time() / LOOK_AGAIN) as usize,
    });
    obstacles.chain(fields).collect()
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
    let mut points: Vec<Json> = Vec::new();
    let share = count.min(MOST_LINES) / solved.len().max(1);
    for field in solved {
        lines.extend(lines_of(field, area, share));
        let found = field.critical_points(area, CRITICAL_RESOLUTION);
        let held = found.iter().filter(|point| holds_at(field, point.position));
        points.extend(held.map(|point| {
            let kind = match point.kind {
                CriticalKind::Sink => "sink",
                CriticalKind::Source => "source",
                CriticalKind::Saddle => "saddle",
                CriticalKind::Centre => "centre",
            };
            json!({ "at": point.position.to_array(), "kind": kind, "trap": point.is_trap() })
        }));
    }
    Ok(json!({ "lines": lines, "critical": points }))
}

/// Returns `false` beyond the reach of all anchors.
fn holds_at(field: &Field, place: DVec2) -> bool {
    field.coverage().weight(place.as_vec2()) > 0.0
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
    let limited = |place| {
        let mut line = field.streamline(place, &options);
        let held = line.iter().take_while(|&&place| holds_at(field, place)).count();
        line.truncate(held);
        line
    };
    let lines = places.map(limited);
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
    let ids =
        (0..map.edges().len() as u32).map(EdgeId).filter(|&id| map.layer(id) == LayerId(layer));
    let edges = ids.map(|id| {
        let (points, clearance): (Vec<_>, Vec<_>) = map
            .points_along(id, WAY_SPACING)
            .into_iter()
            .map(|(point, clearance)| (point.as_vec2().to_array(), clearance as f32))
            .unzip();
        json!({ "points": points, "clearance": clearance })
    });
    Ok(json!({ "edges": edges.collect::<Vec<_>>() }))
}
