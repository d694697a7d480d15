//! A crowd in a few lines, for tests through the public interface.
#![allow(clippy::unwrap_used, reason = "shared by several test files")]

use std::path::Path;

use glam::Vec2;
use throng_base::{Bounds, Heading, Polygon};
use throng_crowd::steering::{
    CommonParameters, MODELS, Orca, OrcaParameters, SteeringModel, SteeringProfile,
};
use throng_crowd::{
    CONTACT_TOLERANCE, Crowd, NewPerson, PersonId, PersonState, Plan, Setting, Status,
};
use throng_world::scene::{Aim, Goal, GroupId, LayerId, Region, RegionId, Then};
use throng_world::{Layer, Obstacle, Scene, Shape, Terrain};

pub const GROUND: LayerId = LayerId(0);

/// An empty plane with a step of 0.1 s.
pub fn plane() -> Setting {
    Setting {
        step: 0.1,
        seed: 1,
        layers: vec![Layer { name: "ground".into(), elevation: 0.0, terrain: Terrain::Flat }],
        connectors: Vec::new(),
        bounds: Bounds { min: Vec2::splat(-1000.0), max: Vec2::splat(1000.0) },
        obstacles: Vec::new(),
        wall_reach: 4.0,
        regions: Vec::new(),
        navigation: None,
        slopes: true,
        contacts: true,
    }
}

pub fn with_obstacles(shapes: impl IntoIterator<Item = Shape>) -> Setting {
    let obstacles = shapes.into_iter().map(|shape| Obstacle::new(shape, GROUND)).collect();
    Setting { obstacles, ..plane() }
}

pub fn rectangle(min: (f32, f32), max: (f32, f32)) -> Shape {
    let bounds = Bounds { min: min.into(), max: max.into() };
    Shape::Polygon(Polygon::new(bounds.corners()).unwrap())
}

pub fn region(bounds: Bounds) -> Region {
    Region {
        name: "region".into(),
        polygon: Polygon::new(bounds.corners()).unwrap(),
        layer: GROUND,
        tags: Vec::new(),
        cost: 1.0,
    }
}

pub fn goal(aim: Aim) -> Goal {
    Goal::new(aim)
}

pub fn seek(point: Vec2, within: f32) -> Goal {
    goal(Aim::Seek { point, layer: GROUND, within })
}

/// Someone of ordinary build who steers by ORCA.
pub fn person(position: Vec2, plan: u32) -> NewPerson {
    NewPerson {
        group: GroupId(0),
        position,
        layer: GROUND,
        velocity: Vec2::ZERO,
        heading: Heading::default(),
        radius: 0.3,
        preferred_speed: 1.3,
        max_speed: 1.6,
        climbing: Default::default(),
        plan,
        steering: orca(),
        temperament: None,
    }
}

/// ORCA without a limit of acceleration, as published.
pub fn orca() -> SteeringProfile {
    orca_with(CommonParameters::DEFAULT)
}

/// The same with other common parameters.
pub fn orca_with(common: CommonParameters) -> SteeringProfile {
    published(Orca.profile(OrcaParameters::DEFAULT).with_common(common))
}

/// A profile without limits of acceleration.
pub fn published(profile: SteeringProfile) -> SteeringProfile {
    profile.with_common(CommonParameters { acceleration_limit: 0.0, ..profile.common })
}

/// A model with its defaults, save for some parameters.
pub fn profile(model: &str, changes: &[(&str, f32)]) -> SteeringProfile {
    changes.iter().fold(MODELS.profile(model).unwrap(), |profile, (name, value)| {
        profile.with(name, *value).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// A crowd, and a plan of it in which people walk to one random place of a square after the other. From the middle of
/// the square to its corners it is `half`.
pub fn wandering(setting: Setting, half: Vec2) -> (Crowd, u32) {
    let regions = vec![region(Bounds { min: -half, max: half })];
    let mut crowd = Crowd::new(Setting { regions, ..setting });
    let goals = vec![goal(Aim::SeekRandom { region: RegionId(0), within: 0.5 })];
    let plan = crowd.add_plan(Plan { goals, then: Then::Repeat }).unwrap();
    (crowd, plan)
}

/// Adds someone who walks to `target` and stays there.
pub fn walker(crowd: &mut Crowd, from: Vec2, target: Vec2) -> PersonId {
    let plan = crowd.add_plan(Plan { goals: vec![seek(target, 0.5)], then: Then::Stay }).unwrap();
    crowd.add(&person(from, plan)).unwrap()
}

/// Pairs closer than contact, and the least distance as a share of contact distance. People who lie on the ground have no
/// contacts.
pub fn overlaps(crowd: &Crowd) -> (usize, f32) {
    let up = crowd.people().filter(|p| p.status != Status::Fallen);
    let mut people: Vec<_> = up.map(|p| (p.position, p.radius, p.layer)).collect();
    people.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let (mut pairs, mut least) = (0, f32::INFINITY);
    for (i, &(p, r, layer)) in people.iter().enumerate() {
        for &(q, s, other_layer) in &people[i + 1..] {
            if q.x - p.x > 2.0 {
                break;
            }
            if layer == other_layer {
                let ratio = p.distance(q) / (r + s);
                pairs += usize::from(ratio < 1.0);
                least = least.min(ratio);
            }
        }
    }
    (pairs, least)
}

/// The scene in `text`, which leaves out the line about the format.
pub fn scene(text: &str) -> Scene {
    scene_in(Path::new(""), text)
}

/// The scene in `text`, with files in `folder`.
pub fn scene_in(folder: &Path, text: &str) -> Scene {
    let text = format!("format = 1\n{text}");
    Scene::parse("scene.toml", &text, folder).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The crowd of the scene in `text`.
pub fn crowd(text: &str) -> Crowd {
    Crowd::from_scene(&scene(text)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Two floors 3 m apart and stairs from x = 0, at the foot, to x = 6, with sides at y = ±1.
pub const STAIRS: &str = r#"
[[layers]]
name = "lower"

[[layers]]
name = "upper"
elevation = 3

[[connectors]]
name = "stairs"
kind = "stairs"
polygon = [[0, -1], [6, -1], [6, 1], [0, 1]]
lower = { layer = "lower", edge = [[0, -1], [0, 1]] }
upper = { layer = "upper", edge = [[6, -1], [6, 1]] }
"#;

/// The crowd of a scene that is nothing but its groups in an open world of 100 m by 100 m. Listed
/// people are numbered from 0 in the order of the text.
pub fn people_in_the_open(groups: &str) -> Crowd {
    crowd(&format!("[world]\nbounds = [[-50, -50], [50, 50]]\n{groups}"))
}

/// Steps until `seconds` more have passed.
pub fn run(crowd: &mut Crowd, seconds: f64) {
    let until = crowd.time() + seconds - 1e-6;
    while crowd.time() < until {
        crowd.step();
    }
}

/// Steps until `is_done`, and tells how many seconds that took; panics after `limit` of them.
pub fn run_until(crowd: &mut Crowd, limit: f64, is_done: impl Fn(&Crowd) -> bool) -> f64 {
    let begin = crowd.time();
    while !is_done(crowd) {
        assert!(crowd.time() < begin + limit, "not done after {limit} s");
        crowd.step();
    }
    crowd.time() - begin
}

/// The person with this number.
pub fn state(crowd: &Crowd, id: u32) -> PersonState {
    crowd.person(PersonId(id)).unwrap_or_else(|| panic!("person {id} is gone"))
}

/// Makes so many steps.
pub fn steps(crowd: &mut Crowd, count: usize) {
    (0..count).for_each(|_| crowd.step());
}

/// Everyone's position and velocity to the last bit, in the order of ids.
pub fn bits(crowd: &Crowd) -> Vec<[u32; 4]> {
    crowd
        .people()
        .map(|p| [p.position.x, p.position.y, p.velocity.x, p.velocity.y].map(f32::to_bits))
        .collect()
}

/// Runs crowds that are made alike on one thread and on several, and asserts that what is read of them is the same to the
/// bit. There must be so many people that threads share the work. Returns what was read.
#[track_caller]
pub fn same_on_any_threads<T: PartialEq>(
    threads: &[usize],
    make: impl Fn() -> Crowd,
    run: impl Fn(&mut Crowd) -> T,
) -> T {
    let run_on = |threads: usize| {
        let mut crowd = make();
        crowd.set_threads(threads).unwrap();
        let read = run(&mut crowd);
        assert_eq!(crowd.workers(), threads, "{} people are too few", crowd.len());
        read
    };
    let one = run_on(1);
    for &threads in threads {
        assert!(run_on(threads) == one, "{threads} threads differ from one");
    }
    one
}

/// What must hold at any time: finite numbers, speeds within limits, nobody in another body.
#[track_caller]
pub fn assert_sound(crowd: &Crowd) {
    for p in crowd.people() {
        let finite = p.position.is_finite() && p.velocity.is_finite() && p.height.is_finite();
        assert!(finite, "at {:.1} s: {p:?}", crowd.time());
    }
    let (_, closest) = overlaps(crowd);
    assert!(closest >= 1.0 - CONTACT_TOLERANCE - 1e-5, "at {:.1} s: {closest}", crowd.time());
}

/// Nobody's body is in a wall by more than rounding.
#[track_caller]
pub fn assert_out_of_walls(crowd: &Crowd) {
    for p in crowd.people() {
        let free = crowd.walls().is_free(p.layer, p.position, p.radius - 2e-3);
        assert!(free, "at {:.1} s: {p:?} is in a wall", crowd.time());
    }
}

/// One step, in which nobody crosses a wall.
#[track_caller]
pub fn step_within_walls(crowd: &mut Crowd) {
    let before: Vec<PersonState> = crowd.people().collect();
    crowd.step();
    for was in &before {
        // Who changes floor on stairs has other walls before and after.
        let now = crowd.person(was.id).filter(|now| now.layer == was.layer);
        let Some(now) = now else { continue };
        let crossing = crowd.walls().crossing(was.layer, was.position, now.position);
        assert_eq!(crossing, None, "{:?} from {} to {}", was.id, was.position, now.position);
    }
}
