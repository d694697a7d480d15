//! People of `pedestrian` who see a collision coming, and what they do not mind.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::support::{bits, people_in_the_open, state};
use glam::Vec2;
use throng_crowd::Crowd;

/// Two people with `pedestrian`, changed as `keys` says, from one place to another each.
fn two(keys: &str, people: [([f32; 2], [f32; 2], f32); 2]) -> Crowd {
    let group = |(from, to, speed): ([f32; 2], [f32; 2], f32)| {
        format!(
            "[[groups]]\nname = \"to {to:?}\"\nspeed = {speed}\nradius = 0.2\nsteering = {{ model = \"pedestrian\"{keys} }}\n\
             goals = [{{ seek = {to:?}, within = 0.5 }}]\n\
             [[groups.people]]\nposition = {from:?}\n"
        )
    };
    people_in_the_open(&people.map(group).concat())
}

/// Two at 1.3 m/s who walk straight towards each other from 20 m, one `aside` of the other's line.
fn head_on(keys: &str, aside: f32) -> Crowd {
    let people = [([-10.0, aside], [20.0, aside], 1.3), ([10.0, 0.0], [-20.0, 0.0], 1.3)];
    two(keys, people)
}

/// How two pass each other.
#[derive(Debug)]
struct Passing {
    /// How far apart they were, m, when their ways had parted by a decimetre.
    began: f32,
    /// How near they came, m.
    nearest: f32,
    /// The lowest speed of either after the first two seconds, m/s.
    slowest: f32,
}

fn pass(mut crowd: Crowd) -> Passing {
    let mut passing = Passing { began: 0.0, nearest: f32::INFINITY, slowest: f32::INFINITY };
    let apart = |crowd: &Crowd| state(crowd, 0).position - state(crowd, 1).position;
    let beginning = apart(&crowd).y.abs();
    while crowd.time() < 14.0 {
        crowd.step();
        let apart = apart(&crowd);
        passing.nearest = passing.nearest.min(apart.length());
        if passing.began == 0.0 && apart.y.abs() > beginning + 0.1 {
            passing.began = apart.length();
        }
        if crowd.time() > 2.0 {
            let speeds = [0, 1].map(|id| state(&crowd, id).velocity.length());
            passing.slowest = speeds.into_iter().fold(passing.slowest, f32::min);
        }
    }
    passing
}

#[test]
fn two_who_meet_step_aside_seconds_before_and_hardly_slow_down() {
    for aside in [0.0, 0.1, 0.3] {
        let (foreseen, blind) = (pass(head_on("", aside)), pass(head_on(", foresight = 0", aside)));
        // They close in on each other at 2.6 m/s.
        assert!(foreseen.began > 4.0, "{aside} m: {foreseen:?}");
        assert!(blind.began < 0.6 * foreseen.began, "{aside} m: {blind:?} against {foreseen:?}");
        assert!(foreseen.nearest > 0.5, "{aside} m: {foreseen:?}");
        assert!(foreseen.slowest > 1.15, "{aside} m: {foreseen:?}");
    }
}

#[test]
fn who_would_clip_anothers_back_slips_behind() {
    // The second is at the crossing a third of a second before the first.
    let people = [([-8.0, 0.0], [20.0, 0.0], 1.3), ([0.0, -7.6], [0.0, 20.0], 1.3)];
    let nearest = |keys: &str| {
        let mut crowd = two(keys, people);
        let mut nearest = Vec2::INFINITY;
        while crowd.time() < 12.0 {
            crowd.step();
            let apart = state(&crowd, 1).position - state(&crowd, 0).position;
            if apart.length() < nearest.length() {
                nearest = apart;
            }
        }
        nearest
    };
    let (foreseen, blind) = (nearest(""), nearest(", foresight = 0"));
    assert!(foreseen.x > 0.2, "the other is past, ahead: {foreseen}");
    assert!(foreseen.length() > 0.45 && foreseen.length() > blind.length(), "{foreseen}, {blind}");
}

#[test]
fn whoever_is_followed_is_not_foreseen() {
    let people = [([-3.0, 0.0], [30.0, 0.0], 1.4), ([0.0, 0.1], [30.0, 0.1], 1.0)];
    let [mut foreseen, mut blind] = ["", ", foresight = 0"].map(|keys| two(keys, people));
    for _ in 0..200 {
        foreseen.step();
        blind.step();
    }
    assert_eq!(bits(&foreseen), bits(&blind), "the gap is for those");
}

#[test]
fn whoever_passes_with_room_is_not_minded() {
    // Wide enough apart that nothing is felt of where they are, either.
    let [mut foreseen, mut blind] = ["", ", foresight = 0"].map(|keys| head_on(keys, 3.0));
    for _ in 0..200 {
        foreseen.step();
        blind.step();
    }
    assert_eq!(bits(&foreseen), bits(&blind));
}
