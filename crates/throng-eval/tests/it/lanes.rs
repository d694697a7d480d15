//! Opposed streams sort themselves into lanes, if they are given time: a periodic corridor.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::thread;

use glam::Vec2;
use throng::crowd::steering::MODELS;
use throng::crowd::{Crowd, NewPerson, PersonState, Plan, Setting};
use throng_base::random::{Purpose, Random};
use throng_base::{Bounds, Heading, Polygon};
use throng_eval::lanes::lane_order;
use throng_world::scene::{Aim, Goal, GroupId, LayerId, Then};
use throng_world::{Layer, Obstacle, Shape, Terrain};

const LENGTH: f32 = 40.0;
const WIDTH: f32 = 10.0;
const STEP: f32 = 0.1;

/// An endless corridor along x, without its people.
fn corridor(seed: u64) -> Setting {
    let wall = |y: f32| {
        let (min, max) = (Vec2::new(-LENGTH, y - 0.2), Vec2::new(LENGTH, y + 0.2));
        let shape = Shape::Polygon(Polygon::new(Bounds { min, max }.corners()).unwrap());
        Obstacle::new(shape, LayerId(0))
    };
    Setting {
        step: STEP.into(),
        seed,
        layers: vec![Layer { name: "ground".into(), elevation: 0.0, terrain: Terrain::Flat }],
        connectors: Vec::new(),
        bounds: Bounds { min: Vec2::splat(-LENGTH), max: Vec2::splat(LENGTH) },
        obstacles: vec![wall(WIDTH / 2.0 + 0.2), wall(-WIDTH / 2.0 - 0.2)],
        wall_reach: 4.0,
        regions: Vec::new(),
        navigation: None,
        slopes: true,
        contacts: true,
    }
}

/// Somebody with the defaults of a model, save for some parameters.
fn walker(model: &str, changes: &[(&str, f32)]) -> NewPerson {
    let defaults = MODELS.profile(model).unwrap();
    let steering =
        changes.iter().fold(defaults, |profile, (name, value)| profile.with(name, *value).unwrap());
    NewPerson {
        group: GroupId(0),
        position: Vec2::ZERO,
        layer: LayerId(0),
        velocity: Vec2::ZERO,
        heading: Heading::default(),
        radius: 0.25,
        preferred_speed: 1.4,
        max_speed: 2.0,
        climbing: Default::default(),
        plan: 0,
        steering,
        temperament: None,
    }
}

/// Somebody as they are `now`, one period on.
fn moved(person: &NewPerson, now: PersonState) -> NewPerson {
    let position = now.position - Vec2::X * LENGTH * now.position.x.signum();
    NewPerson { position, velocity: now.velocity, heading: now.heading, ..person.clone() }
}

/// The order of lanes at the start, and its mean from 60 s to 120 s, of `count` walkers, half of them
/// each way.
fn lanes(walker: &NewPerson, count: usize, seed: u64) -> [f64; 2] {
    let mut crowd = Crowd::new(corridor(seed));
    let plans = [Vec2::X, -Vec2::X].map(|direction| {
        let aim = Aim::Flow { direction };
        let goal = Goal::new(aim);
        crowd.add_plan(Plan { goals: vec![goal], then: Then::Stay }).unwrap()
    });
    let mut draws = Random::new(seed).stream(0, 0, Purpose::Placement);
    let mut people = Vec::new();
    while people.len() < count {
        let half = Vec2::new(LENGTH / 2.0, WIDTH / 2.0 - 0.4);
        let mut draw = |half: f32| draws.between(-half, half);
        let position = Vec2::new(draw(half.x), draw(half.y));
        let way = people.len() % 2;
        let is_free = |(_, person): &(_, NewPerson)| person.position.distance(position) > 0.6;
        if people.iter().all(is_free) {
            let preferred_speed = 1.4 + draw(0.26);
            let group = GroupId(way as u16);
            let plan = plans[way];
            let person = NewPerson { position, preferred_speed, group, plan, ..walker.clone() };
            people.push((crowd.add(&person).unwrap(), person));
        }
    }
    let order = |crowd: &Crowd| {
        let side = |p: PersonState| (f64::from(p.position.y), p.group == GroupId(0));
        lane_order(&crowd.people().map(side).collect::<Vec<_>>(), 0.75).unwrap()
    };
    let at_start = order(&crowd);
    let mut sum = 0.0;
    for step in 0..1200 {
        // Everyone is seen over the seam as well: 40 m are twice as far as anybody looks.
        let images: Vec<_> = people
            .iter()
            .map(|(id, person)| crowd.add(&moved(person, crowd.person(*id).unwrap())).unwrap())
            .collect();
        crowd.step();
        for image in images {
            crowd.remove(image);
        }
        for (id, person) in &mut people {
            let now = crowd.person(*id).unwrap();
            if now.position.x.abs() > LENGTH / 2.0 {
                crowd.remove(*id);
                *id = crowd.add(&moved(person, now)).unwrap();
            }
        }
        if step >= 600 {
            sum += order(&crowd);
        }
    }
    [at_start, sum / 600.0]
}

/// The mean over six seeds.
fn mean_order(model: &str, count: usize, changes: &[(&str, f32)]) -> [f64; 2] {
    const SEEDS: u64 = 6;
    let walker = walker(model, changes);
    let orders: Vec<[f64; 2]> = thread::scope(|scope| {
        let walker = &walker;
        let runs: Vec<_> =
            (0..SEEDS).map(|seed| scope.spawn(move || lanes(walker, count, seed))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    [0, 1].map(|when| orders.iter().map(|order| order[when]).sum::<f64>() / SEEDS as f64)
}

#[test]
fn who_looks_ahead_walks_in_lanes_after_a_minute() {
    let [at_start, later] = mean_order("predictive", 100, &[]);
    assert!(at_start < 0.1, "at random: {at_start}");
    assert!(later > 0.6, "lanes: {later}");
    let [_, thin] = mean_order("predictive", 100, &[("oncoming_distance", 0.0)]);
    assert!(thin < 0.5, "no wider than bodies: {thin}");
    let [_, forces] = mean_order("social_force", 100, &[]);
    assert!(forces < 0.3 * later, "who looks no further than a stride: {forces}");
}

#[test]
fn lanes_form_in_sparse_and_in_busy_corridors() {
    for count in [50, 200] {
        let [_, later] = mean_order("predictive", count, &[]);
        assert!(later > 0.6, "{count} people: {later}");
    }
}

#[test]
fn with_foresight_social_forces_make_lanes() {
    let [_, foreseen] = mean_order("pedestrian", 100, &[]);
    let [_, blind] = mean_order("pedestrian", 100, &[("foresight", 0.0)]);
    assert!(foreseen > 0.5 && blind < 0.5 * foreseen, "{foreseen}, without foresight {blind}");
}
