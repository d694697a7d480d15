//! Dense crowds: bodies keep apart, nobody enters a wall, everyone gets on, rest is rest.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use glam::Vec2;
use throng_crowd::steering::CommonParameters;
use throng_crowd::{CONTACT_TOLERANCE, Crowd, NewPerson, Plan, Setting, Status};
use throng_world::scene::Then;

use crate::support::{
    self, crowd, orca_with, overlaps, person, plane, rectangle, run, seek, walker, with_obstacles,
};

/// Where 1000 people stand in a disc, evenly (a sunflower) with `spacing` metres between them.
fn disc(count: usize, spacing: f32) -> impl Iterator<Item = Vec2> {
    (0..count).map(move |i| {
        let radius = spacing * 0.6 * (i as f32 + 0.5).sqrt();
        Vec2::from_angle(i as f32 * 2.399_963) * radius
    })
}

#[test]
fn a_filled_disc_changes_sides() {
    let mut crowd = Crowd::new(plane());
    for position in disc(1000, 0.78) {
        walker(&mut crowd, position, -position);
    }
    let (mut steps, mut most_pairs, mut least_distance) = (0, 0, f32::INFINITY);
    while crowd.people().any(|p| p.status != Status::Arrived) {
        crowd.step();
        let (pairs, closest) = overlaps(&crowd);
        assert!(pairs < 50, "step {steps}: {pairs} pairs overlap");
        assert!(closest >= 1.0 - CONTACT_TOLERANCE - 1e-5, "step {steps}: {closest}");
        steps += 1;
        (most_pairs, least_distance) = (pairs.max(most_pairs), closest.min(least_distance));
        assert!(steps < 3000, "someone never arrives");
    }
    println!("all there after {steps} steps; {most_pairs} pairs, {least_distance:.4} at worst");
}

/// Eighty people of radius 0.25 m who all want to the middle, and how near two of them come, as a part of their distance at rest.
fn nearest_in_a_scramble(contacts: bool) -> f32 {
    let mut crowd = Crowd::new(Setting { contacts, ..plane() });
    for position in disc(80, 1.2) {
        walker(&mut crowd, position, Vec2::ZERO);
    }
    let closest = (0..120).map(|_| {
        crowd.step();
        overlaps(&crowd).1
    });
    closest.fold(f32::INFINITY, f32::min)
}

#[test]
fn without_contacts_only_steering_keeps_people_apart() {
    assert!(nearest_in_a_scramble(true) >= 1.0 - CONTACT_TOLERANCE - 1e-5);
    assert!(nearest_in_a_scramble(false) < 0.9);
}

/// A closed room of the given density, everyone pressing to one corner.
fn room(count: usize, density: f32, radius: f32) -> Crowd {
    let side = (count as f32 / density).sqrt();
    let border = throng_base::Bounds { min: Vec2::ZERO, max: Vec2::splat(side) };
    let mut crowd = Crowd::new(with_obstacles([throng_world::Shape::Border(border)]));
    let corner = Plan { goals: vec![seek(Vec2::splat(0.5), 0.1)], then: Then::Stay };
    let plan = crowd.add_plan(corner).unwrap();
    // A hexagonal lattice fits the densities that a square one does not.
    let columns = (count as f32 * 0.866).sqrt().ceil() as usize;
    let pitch = (side - 2.0 * radius - 1e-3) / (columns as f32 - 0.5);
    for i in 0..count {
        let (column, row) = (i % columns, i / columns);
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        let position = Vec2::new(column as f32 + shift, row as f32 * 0.866) * pitch;
        let start = position + radius + 5e-4;
        crowd.add(&NewPerson { radius, ..person(start, plan) }).unwrap();
    }
    crowd
}

/// How fast the middle of a long press of people goes where it wants to, m/s: 5.5 per m² in a corridor 2 m wide, with free
/// ground before and behind them.
fn pace_of_a_press(step_back: f32, acceleration_limit: f32) -> f32 {
    let (columns, pitch) = (140, 0.42);
    let places = (0..columns * 5).map(|i| {
        let (x, y) = ((i / 5) as f32 * pitch + 10.0, (i % 5) as f32 * 0.4 + 0.2);
        format!("{{ position = [{x:.3}, {y:.3}] }}")
    });
    let people = places.collect::<Vec<_>>().join(", ");
    let mut crowd = crowd(&format!(
        "[world]\nbounds = [[0, 0], [100, 2]]\nclosed = true\n\
         [[groups]]\nname = \"east\"\nradius = 0.19\nspeed = 1.3\ngoals = [{{ flow = [1, 0], duration = 60 }}]\n\
         steering = {{ model = \"pedestrian\", step_back = {step_back}, \
         acceleration_limit = {acceleration_limit} }}\npeople = [{people}]\n"
    ));
    let middle = |crowd: &Crowd| {
        let people = crowd.people().skip(columns * 2).take(columns);
        people.map(|person| person.position.x).sum::<f32>() / columns as f32
    };
    run(&mut crowd, 1.0);
    let before = middle(&crowd);
    run(&mut crowd, 4.0);
    (middle(&crowd) - before) / 4.0
}

#[test]
fn a_press_does_not_walk_back() {
    let (held, published) = (pace_of_a_press(0.0, 3.0), pace_of_a_press(1.0, 0.0));
    assert!(held > -0.02, "{held} m/s");
    assert!(published < -0.05, "{published} m/s: otherwise there is nothing to hold");
}

#[test]
fn at_any_density_bodies_neither_overlap_nor_enter_walls() {
    for (density, radius) in [(0.1, 0.3), (1.0, 0.3), (3.0, 0.25), (5.0, 0.2), (6.0, 0.19)] {
        let mut crowd = room(400, density, radius);
        let side = (400.0 / density).sqrt();
        assert_eq!(overlaps(&crowd).0, 0, "{density}/m²: the start must be sound");
        for step in 0..150 {
            crowd.step();
            let (_, closest) = overlaps(&crowd);
            assert!(
                closest >= 1.0 - CONTACT_TOLERANCE - 1e-5,
                "{density}/m², step {step}: {closest}"
            );
            for p in crowd.people() {
                let inside = p.position.min_element() >= radius - 1e-3
                    && p.position.max_element() <= side - radius + 1e-3;
                assert!(inside, "{density}/m², step {step}: {} in {side} m", p.position);
            }
        }
    }
}

#[test]
fn a_packed_crowd_without_goals_stands_still() {
    for (density, radius) in [(3.0, 0.25), (6.0, 0.19)] {
        let mut crowd = room(400, density, radius);
        let idle = crowd.add_plan(Plan::default()).unwrap();
        let mut still = Crowd::new(Setting { seed: 2, ..crowd.setting().clone() });
        assert_eq!(still.add_plan(Plan::default()).unwrap(), 0);
        assert_eq!(idle, 1);
        for p in crowd.people() {
            still.add(&NewPerson { radius, ..person(p.position, 0) }).unwrap();
        }
        let before: Vec<Vec2> = still.people().map(|p| p.position).collect();
        (0..50).for_each(|_| still.step());
        let after: Vec<Vec2> = still.people().map(|p| p.position).collect();
        assert_eq!(before, after, "{density}/m²");
    }
}

#[test]
fn a_crowd_that_has_arrived_comes_to_rest() {
    let mut crowd = Crowd::new(plane());
    for position in disc(150, 0.9) {
        // Everyone wants to the same metre: most can only stand around it.
        let target = position * 0.3;
        let plan =
            crowd.add_plan(Plan { goals: vec![seek(target, 3.0)], then: Then::Stay }).unwrap();
        crowd.add(&person(position, plan)).unwrap();
    }
    (0..600).for_each(|_| crowd.step());
    let speeds: Vec<f32> = crowd.people().map(|p| p.velocity.length()).collect();
    let mean = speeds.iter().sum::<f32>() / speeds.len() as f32;
    assert!(mean < 0.05, "mean speed {mean} m/s");
}

#[test]
fn those_who_do_not_see_each_other_bump_into_each_other() {
    let seeing = CommonParameters::default();
    let short_sighted = CommonParameters { neighbour_range: 0.5, ..seeing };
    let heedless = CommonParameters { neighbours: 0.0, ..seeing };
    for common in [
        [short_sighted, short_sighted],
        [heedless, heedless],
        [short_sighted, CommonParameters { responsibility: 0.0, ..seeing }],
        [CommonParameters { responsibility: 0.0, ..seeing }, heedless],
    ] {
        let mut crowd = Crowd::new(plane());
        for (common, side) in common.into_iter().zip([-1.0, 1.0]) {
            let goals = vec![seek(Vec2::new(-5.0 * side, 0.0), 0.5)];
            let plan = crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap();
            let start = Vec2::new(5.0 * side, 0.02 * side);
            crowd.add(&NewPerson { steering: orca_with(common), ..person(start, plan) }).unwrap();
        }
        let mut closest = f32::INFINITY;
        for _ in 0..100 {
            crowd.step();
            closest = closest.min(overlaps(&crowd).1);
        }
        assert!(closest >= 1.0 - CONTACT_TOLERANCE - 1e-5, "{closest}: {common:?}");
        assert!(closest < 1.5, "they never met: {common:?}");
    }
}

#[test]
fn people_pass_a_door_and_not_its_jambs() {
    let walls = [rectangle((0.0, 0.6), (0.3, 12.0)), rectangle((0.0, -12.0), (0.3, -0.6))];
    let mut crowd = Crowd::new(with_obstacles(walls));
    let through = [seek(Vec2::new(0.15, 0.0), 0.4), seek(Vec2::new(8.0, 0.0), 2.0)];
    let plan = crowd.add_plan(Plan { goals: through.to_vec(), then: Then::Leave }).unwrap();
    for i in 0..80 {
        let place = Vec2::new((i % 8) as f32 * 0.7 - 7.0, (i / 8) as f32 * 0.7 - 3.5);
        crowd.add(&NewPerson { radius: 0.2, ..person(place, plan) }).unwrap();
    }
    let mut steps = 0;
    while !crowd.is_empty() {
        crowd.step();
        for p in crowd.people() {
            let free = crowd.walls().is_free(support::GROUND, p.position, p.radius - 2e-3);
            assert!(free, "step {steps}: {} is in a wall", p.position);
        }
        assert!(overlaps(&crowd).1 >= 1.0 - CONTACT_TOLERANCE - 1e-5);
        steps += 1;
        assert!(steps < 3000, "{} are stuck", crowd.len());
    }
}
