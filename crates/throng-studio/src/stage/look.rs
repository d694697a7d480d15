//! A closer look at what goes on: people, streamlines, ways.

use std::sync::Arc;

use glam::DVec2;
use throng::Engine;
use throng_crowd::steering::{
    COMMON_PARAMETERS, Cause, Constraints, MODELS, ModelInfo, ParameterInfo, SteeringProfile, Urge,
};
use throng_crowd::{Crowd, LiveField, PersonId};
use throng_field::{Field, StreamlineOptions};
use throng_nav::EdgeId;
use throng_world::scene::{FieldId, GroupId, LayerId};

use super::replay::Replay;
use crate::protocol::{
    Companion, Constraint, CriticalPoint, Disc, FieldState, GoalState, Inspection, Name, Neighbour,
    PerName, Point, Refusal, SimulatedState, SteeringModel, SteeringParameter, Streamlines,
    WayEdge, Ways,
};

/// Streamlines that can be asked for.
const MOST_LINES: usize = 2000;
/// Places per side from which critical points are searched.
const CRITICAL_RESOLUTION: usize = 24;

/// Points of ways are no further apart, m.
const WAY_SPACING: f64 = 2.0;
/// How often arrows with keys are told anew, s.
const LOOK_AGAIN: f64 = 0.5;

/// Returns what is known of a person in a simulation; `None` if there is no such person.
pub(crate) fn inspect(engine: &Engine, person: u32) -> Option<Inspection> {
    let crowd = engine.crowd();
    let inspection = crowd.inspect(PersonId(person))?;
    let groups: Vec<&str> = engine.scene().groups.iter().map(|group| &*group.name).collect();
    let names = crowd.names(&groups);
    let throng_crowd::Inspection { state, decision, way, .. } = &inspection;
    let simulated = SimulatedState {
        preferred: Some(decision.preferred_velocity.into()),
        chosen: Some(decision.velocity.into()),
        words: inspection.status_in_words(&names),
        model: Some(inspection.model.into()),
        goal: inspection.goal.as_ref().map(|goal| GoalState {
            index: goal.index,
            of: goal.count,
            words: inspection.goal_in_words(&names),
            target: goal.target.map(|(_, point)| point.into()),
            seconds: goal.time_spent,
        }),
        field: inspection
            .led
            .as_ref()
            .map(|led| FieldState { velocity: led.velocity.into(), share: led.share }),
        path: way.points.iter().map(|point| point.position.into()).collect(),
        corridor: way
            .corridor
            .iter()
            .map(|disc| Disc { at: disc.centre.into(), radius: disc.radius })
            .collect(),
        neighbours: inspection
            .neighbours
            .iter()
            .map(|other| Neighbour {
                id: other.id.0,
                position: other.position.into(),
                distance: other.distance,
            })
            .collect(),
        companions: inspection
            .companions
            .iter()
            .filter_map(|&id| crowd.person(id))
            .map(|other| Companion { id: other.id.0, position: other.position.into() })
            .collect(),
        waits_for: inspection.waits_for.map(|id| id.0),
        constraints: constraints(&inspection.constraints),
    };
    Some(Inspection {
        id: person,
        group: groups.get(usize::from(state.group.0)).copied().unwrap_or_default().into(),
        layer: state.layer.0,
        position: state.position.into(),
        velocity: state.velocity.into(),
        speed: state.velocity.length(),
        heading: state.heading.radians(),
        radius: state.radius,
        status: Name(decision.status),
        traits: inspection.temperament.map(PerName::of_temperament),
        level: None,
        body: None,
        simulated,
    })
}

/// Returns the steering models that come with the engine.
pub(crate) fn models() -> Vec<SteeringModel> {
    let model = |model: &'static ModelInfo| {
        let profile = SteeringProfile::of(model);
        let parameter = |info: &ParameterInfo| {
            let &ParameterInfo { name, description, unit, min, max, .. } = info;
            let default = profile.get(name).unwrap_or(info.default);
            SteeringParameter { name, description, unit, default, min, max }
        };
        let parameters = COMMON_PARAMETERS.iter().chain(model.parameters).map(parameter).collect();
        SteeringModel { name: model.name, summary: model.summary, parameters }
    };
    MODELS.iter().map(model).collect()
}

/// Returns what a recording knows of a person; `None` if there is no such person.
pub(crate) fn recorded(replay: &Replay, person: u32) -> Option<Inspection> {
    let people = replay.people();
    let row = people.ids.binary_search(&person).ok()?;
    let (group, velocity) = (people.groups[row], people.velocities[row]);
    let groups = &replay.scene().groups;
    Some(Inspection {
        id: person,
        group: groups.get(usize::from(group.0)).map_or_else(String::new, |g| g.name.clone()),
        layer: people.layers[row].0,
        position: people.positions[row].into(),
        velocity: velocity.into(),
        speed: velocity.length(),
        heading: people.headings[row],
        radius: people.radii[row],
        status: Name(people.statuses[row]),
        traits: replay.temperament(person, group).map(PerName::of_temperament),
        level: None,
        body: None,
        simulated: SimulatedState::default(),
    })
}

fn constraints(constraints: &Constraints) -> Vec<Constraint> {
    match constraints {
        Constraints::None => Vec::new(),
        Constraints::HalfPlanes(demands) => demands
            .half_planes
            .iter()
            .map(|demand| Constraint::HalfPlane {
                point: demand.point.into(),
                direction: demand.direction.into(),
                from: cause(&demand.cause),
            })
            .collect(),
        Constraints::Forces(forces) => forces
            .forces
            .iter()
            .map(|force| Constraint::Force {
                vector: force.acceleration.into(),
                from: cause(&force.cause),
            })
            .collect(),
        Constraints::Urges(urges) => {
            let parts = |urge: &Urge| (urge.vector.into(), cause(&urge.cause));
            let sum = urges.urges.iter().chain(&urges.fallen).map(parts);
            let sum = sum.map(|(vector, from)| Constraint::Urge { vector, from });
            let pushes = urges.pushes.iter().map(parts);
            sum.chain(pushes.map(|(vector, from)| Constraint::Push { vector, from })).collect()
        }
        Constraints::Rules(rules) => rules
            .feelers
            .iter()
            .map(|feeler| Constraint::Feeler {
                line: [feeler.from.into(), feeler.to.into()],
                free: feeler.hit.map_or(1.0, |(free, _)| free),
                from: feeler.hit.map(|(_, hit)| cause(&hit)),
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
) -> Result<Streamlines, Refusal> {
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
    let mut found = Streamlines { lines: Vec::new(), critical: Vec::new() };
    let share = count.min(MOST_LINES) / solved.len().max(1);
    for field in solved {
        found.lines.extend(lines_of(field, area, share));
        let points = field.critical_points(area, CRITICAL_RESOLUTION);
        let held = points.iter().filter(|point| holds_at(field, point.position));
        found.critical.extend(held.map(|point| CriticalPoint {
            at: point.position.into(),
            kind: point.kind.into(),
            trap: point.is_trap(),
        }));
    }
    Ok(found)
}

/// Returns `false` beyond the reach of all anchors.
fn holds_at(field: &Field, place: DVec2) -> bool {
    field.coverage().weight(place.as_vec2()) > 0.0
}

/// Evenly spread lines: one through the middle of each square of a lattice.
fn lines_of(field: &Field, area: [DVec2; 2], count: usize) -> Vec<Vec<Point>> {
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
    let centimetres = |point: DVec2| Point(point.to_array().map(|x| (x * 100.0).round() / 100.0));
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
pub(crate) fn ways(engine: &Engine, layer: u8) -> Result<Ways, Refusal> {
    if layer as usize >= engine.scene().layers.len() {
        return Err(Refusal::new(format!("there is no layer {layer}")));
    }
    let Some(map) = engine.crowd().map() else { return Ok(Ways::default()) };
    let ids =
        (0..map.edges().len() as u32).map(EdgeId).filter(|&id| map.layer(id) == LayerId(layer));
    let edges = ids.map(|id| {
        let (points, clearance) = map
            .points_along(id, WAY_SPACING)
            .into_iter()
            .map(|(point, clearance)| (Point::from(point.as_vec2()), clearance as f32))
            .unzip();
        WayEdge { points, clearance }
    });
    Ok(Ways { edges: edges.collect() })
}
