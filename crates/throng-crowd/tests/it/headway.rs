//! The model `headway`: encounters are anticipated, time gaps are kept, collisions are ruled out.
#![allow(clippy::unwrap_used, reason = "tests")]

use glam::Vec2;
use throng_base::Heading;
use throng_crowd::steering::HeadwayParameters;
use throng_crowd::{Crowd, NewPerson, Plan, Setting};
use throng_world::scene::Then;

use crate::support::{overlaps, person, plane, profile, rectangle, seek, state, with_obstacles};

/// Adds a person with a preferred speed, m/s, and changed parameters. The person stays at the goal.
fn add(crowd: &mut Crowd, way: [Vec2; 2], speed: f32, changes: &[(&str, f32)]) {
    let [from, to] = way;
    let plan = crowd.add_plan(Plan { goals: vec![seek(to, 0.3)], then: Then::Stay }).unwrap();
    let walker = NewPerson {
        radius: 0.25,
        preferred_speed: speed,
        max_speed: speed.max(1.7),
        heading: Heading::along(to - from).unwrap(),
        steering: profile("headway", changes),
        ..person(from, plan)
    };
    crowd.add(&walker).unwrap();
}

fn fine() -> Setting {
    Setting { step: 0.05, contacts: false, ..plane() }
}

/// People on a circle with a radius of 10 m, each with a goal on the opposite side.
fn circle(count: usize, changes: &[(&str, f32)]) -> Crowd {
    let mut crowd = Crowd::new(fine());
    for i in 0..count {
        let from = Vec2::from_angle(i as f32 / count as f32 * std::f32::consts::TAU) * 10.0;
        add(&mut crowd, [from, -from], 1.3, changes);
    }
    crowd
}

#[test]
fn circles_of_any_symmetry_are_crossed_without_a_touch() {
    for count in [2, 3, 10, 15, 20] {
        let mut crowd = circle(count, &[]);
        let mut nearest = f32::INFINITY;
        let arrived = |crowd: &Crowd| crowd.people().filter(|p| p.velocity == Vec2::ZERO).count();
        while crowd.time() < 1.0 || arrived(&crowd) < count {
            crowd.step();
            nearest = nearest.min(overlaps(&crowd).1);
            assert!(crowd.time() < 40.0, "{} of {count} are there", arrived(&crowd));
        }
        assert!(nearest > 0.98, "of {count}, two are at {nearest} of their distance at contact");
    }
}

/// Where the first of two who walk at each other for 4 s is.
fn where_they_pass(from: f32, aside: f32, side: f32) -> Vec2 {
    let mut crowd = Crowd::new(fine());
    let there = Vec2::new(8.0, 0.0);
    add(&mut crowd, [Vec2::new(-from, 0.0), there], 1.3, &[("side", side)]);
    add(&mut crowd, [Vec2::new(from, aside), Vec2::new(-8.0, aside)], 1.3, &[("side", side)]);
    crowd.straighten();
    while crowd.time() < 4.0 {
        crowd.step();
    }
    state(&crowd, 0).position
}

#[test]
fn two_who_meet_exactly_head_on_pass_on_the_right_or_as_the_side_says() {
    let (right, left) = (where_they_pass(5.0, 0.0, 0.48), where_they_pass(5.0, 0.0, -0.48));
    assert!(right.y < -0.2, "{right}");
    let mirrored = Vec2::new(left.x, -left.y);
    assert!(right.distance(mirrored) < 0.02, "{right} beside {mirrored}");
}

/// A way 0.6 m wide along the x axis.
fn file_of_walls() -> Setting {
    let walls = [rectangle((-20.0, 0.3), (100.0, 1.0)), rectangle((-20.0, -1.0), (100.0, -0.3))];
    Setting { step: 0.05, ..with_obstacles(walls) }
}

#[test]
fn the_time_gap_is_kept_in_file_and_nobody_ahead_is_pushed() {
    let changes = [
        ("time_gap", 0.8),
        ("standing_distance", 0.2),
        ("nominal_diameter", 0.5),
        ("overtaking", 0.0),
    ];
    let mut crowd = Crowd::new(file_of_walls());
    for i in 0..11 {
        let from = Vec2::new(-1.5 * i as f32, 0.0);
        let speed = if i == 0 { 0.6 } else { 1.4 };
        add(&mut crowd, [from, Vec2::new(200.0, 0.0)], speed, &changes);
    }
    while crowd.time() < 60.0 {
        crowd.step();
        if crowd.time() > 5.0 {
            let first = state(&crowd, 0).velocity.x;
            assert!((first - 0.6).abs() < 0.01, "the first walks at {first} m/s");
        }
    }
    let mut places: Vec<f32> = crowd.people().map(|p| p.position.x).collect();
    places.sort_by(|a, b| b.total_cmp(a));
    for two in places.windows(2) {
        let gap = two[0] - two[1] - 0.5;
        assert!((gap - (0.2 + 0.8 * 0.6)).abs() < 0.08, "a gap of {gap} m");
    }
}

#[test]
fn slower_people_are_overtaken_where_there_is_room() {
    let mut crowd = Crowd::new(fine());
    let far = |y: f32| Vec2::new(60.0, y);
    add(&mut crowd, [Vec2::new(3.0, 0.0), far(0.0)], 0.7, &[]);
    add(&mut crowd, [Vec2::ZERO, far(0.0)], 1.4, &[]);
    let mut slowest = f32::INFINITY;
    while crowd.time() < 12.0 {
        crowd.step();
        if crowd.time() > 2.0 {
            slowest = slowest.min(state(&crowd, 1).velocity.length());
        }
    }
    let [slow, fast] = [0, 1].map(|id| state(&crowd, id).position.x);
    assert!(fast > slow + 2.0, "{fast} m, {slow} m");
    assert!(slowest > 0.72, "the one behind slows down to {slowest} m/s");
}

/// Where ten people on a circle are after 8 s.
fn places_on_circle(changes: &[(&str, f32)]) -> Vec<Vec2> {
    let mut crowd = circle(10, changes);
    while crowd.time() < 8.0 {
        crowd.step();
    }
    crowd.people().map(|p| p.position).collect()
}

#[test]
fn each_term_can_be_switched_off() {
    let usual = places_on_circle(&[]);
    for off in ["anticipation", "side", "oncoming_distance"] {
        let without = places_on_circle(&[(off, 0.0)]);
        let moved = usual.iter().zip(&without).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(moved > 0.01, "{off}: {moved} m");
    }
}

#[test]
fn a_mirrored_circle_with_the_other_side_is_crossed_in_mirror_image() {
    // The circle is its own mirror image, its people in reverse order.
    let usual = places_on_circle(&[]);
    let mirrored = places_on_circle(&[("side", -HeadwayParameters::DEFAULT.side)]);
    for (i, place) in usual.iter().enumerate() {
        let twin = mirrored[(10 - i) % 10];
        let distance = place.distance(Vec2::new(twin.x, -twin.y));
        assert!(distance < 0.1, "{i}: {place} and {twin} are {distance} m apart");
    }
}

#[test]
fn encounters_beyond_the_goal_do_not_count() {
    // The other comes to where the first stops, 3 m before they would meet.
    let mut crowd = Crowd::new(fine());
    add(&mut crowd, [Vec2::new(-6.0, 0.0), Vec2::new(-1.5, 0.0)], 1.3, &[]);
    add(&mut crowd, [Vec2::new(6.0, 0.0), Vec2::new(1.5, 0.0)], 1.3, &[]);
    while crowd.time() < 2.5 {
        crowd.step();
        let aside = state(&crowd, 0).position.y;
        assert!(aside.abs() < 0.01, "{aside} m aside at {} s", crowd.time());
    }
}

#[test]
fn a_held_up_crowd_spreads_sideways() {
    // Eleven behind one who hardly walks, in a column; without elbow room they stay in file.
    let width = |changes: &[(&str, f32)]| {
        let mut crowd = Crowd::new(fine());
        for i in 0..12 {
            let from = Vec2::new(-0.8 * i as f32, 0.02 * (i % 3) as f32);
            let speed = if i == 0 { 0.1 } else { 1.3 };
            add(&mut crowd, [from, from + Vec2::new(60.0, 0.0)], speed, changes);
        }
        while crowd.time() < 3.0 {
            crowd.step();
        }
        let aside: Vec<f32> = crowd.people().map(|p| p.position.y).collect();
        aside.iter().fold(f32::MIN, |a, b| a.max(*b))
            - aside.iter().fold(f32::MAX, |a, b| a.min(*b))
    };
    let overtaking_off = [("overtaking", 0.0), ("elbow_room", 0.0)];
    let (usual, file) = (width(&overtaking_off[..1]), width(&overtaking_off));
    assert!(usual > file + 0.3, "{usual} m wide, {file} m without elbow room");
}
