//! Swaying, standing still on the way and spinning round are noticed, and only they.

use throng::crowd::Status;
use throng_eval::score::{Collector, Event, Pattern, RunMetrics, ScoreOptions};

use super::track::{Somebody, at, hall, take, watch};

fn events(metrics: &RunMetrics, pattern: Pattern) -> Vec<Event> {
    metrics.events.iter().filter(|event| event.pattern == pattern).copied().collect()
}

#[test]
fn somebody_who_steps_left_and_right_oscillates() {
    let swaying = |time: f64| {
        let frame = (time * 20.0).round() as i32;
        vec![at(5, 0.0, if frame % 2 == 0 { 0.04 } else { -0.04 })]
    };
    let metrics = watch(20.0, 6.0, swaying);
    let agent = &metrics.agents[0];
    assert!(agent.flips_window >= 50 && agent.max_flips_window >= 50, "{agent:?}");
    let seen = events(&metrics, Pattern::Oscillation);
    assert_eq!(seen.len(), 1, "one that goes on is one: {seen:?}");
    assert!(seen[0].person == 5 && seen[0].from < 0.3 && (seen[0].to - 6.0).abs() < 1e-9);
}

#[test]
fn who_walks_in_a_circle_does_not_oscillate() {
    let circle = |time: f64| {
        let place = glam::Vec2::from_angle(0.8 * time as f32) * 2.0;
        vec![Somebody { heading: (0.8 * time) as f32, ..at(5, place.x, place.y) }]
    };
    let metrics = watch(20.0, 10.0, circle);
    assert_eq!((metrics.agents[0].flips, metrics.events.len()), (0, 0), "{:?}", metrics.events);
}

#[test]
fn two_spells_of_swaying_are_two_events() {
    let swaying = |time: f64| {
        let frame = (time * 20.0).round() as i32;
        let sways = !(2.0..9.0).contains(&time);
        let x = if time < 2.0 { 0.0 } else { (time.min(9.0) - 2.0) as f32 };
        vec![at(5, x, if sways && frame % 2 == 0 { 0.1 } else { 0.0 })]
    };
    let seen = events(&watch(20.0, 11.0, swaying), Pattern::Oscillation);
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert!(seen[0].to < 5.1 && seen[1].from > 5.9, "{seen:?}");
}

/// Walks two metres towards a goal that is 10 m away, stands there with a status, and walks on.
fn held_up(status: Status, goal: f32) -> RunMetrics {
    let scene = hall(&format!(
        "[[groups]]\nname = \"walkers\"\nspeed = 1\nthen = \"leave\"\n[[groups.people]]\n\
         position = [0, 0]\ngoals = [{{ seek = [{goal}, 0], within = 0.2 }}]\n"
    ));
    let mut collector = Collector::new(&scene, ScoreOptions::default()).unwrap();
    for frame in 0..=160 {
        let time = f64::from(frame) * 0.1;
        let (x, status) = match time {
            t if t < 2.0 => (t, Status::Walking),
            t if t < 10.0 => (2.0, status),
            t => (t - 8.0, Status::Walking),
        };
        take(&mut collector, time, &[Somebody { status, ..at(0, x as f32, 0.0) }]).unwrap();
    }
    collector.finish()
}

#[test]
fn who_stands_on_the_way_is_deadlocked() {
    for status in [Status::Walking, Status::Blocked, Status::NoPath] {
        let seen = events(&held_up(status, 10.0), Pattern::Deadlock);
        assert_eq!(seen.len(), 1, "{seen:?}");
        let Event { from, to, place, .. } = seen[0];
        assert!((1.9..2.2).contains(&from) && (10.0..10.2).contains(&to), "{seen:?}");
        assert!((place.x - 2.0).abs() < 0.1 && place.y == 0.0);
    }
}

#[test]
fn who_waits_has_arrived_or_is_nearly_there_is_not() {
    for status in [Status::Waiting, Status::Arrived] {
        let seen = events(&held_up(status, 10.0), Pattern::Deadlock);
        assert!(seen.is_empty(), "{status}: {seen:?}");
    }
    let near = events(&held_up(Status::Walking, 2.5), Pattern::Deadlock);
    assert!(near.is_empty(), "{near:?}");
}

#[test]
fn who_turns_round_at_once_spins() {
    let turning = |degrees: f32| {
        let metrics = watch(20.0, 2.0, |time| {
            let heading = if time < 1.0 { 0.0 } else { degrees.to_radians() };
            vec![Somebody { heading, ..at(5, time as f32, 0.0) }]
        });
        (events(&metrics, Pattern::Spin), metrics.agents[0].turned)
    };
    let (seen, turned) = turning(179.0);
    assert!(seen.len() == 1 && (seen[0].to - 1.0).abs() < 1e-9, "{seen:?}");
    assert!((turned - 179.0).abs() < 1e-3);
    // 30 degrees in a frame are 600 per second.
    assert!(turning(30.0).0.is_empty());
    // Through half a turn one turns by little.
    let (seen, turned) = turning(359.0);
    assert!(seen.is_empty() && (turned - 1.0).abs() < 1e-3, "{turned}");
}

#[test]
fn turning_to_and_fro_changes_the_sign() {
    let metrics = watch(20.0, 4.0, |time| {
        vec![Somebody { heading: (time * 5.0).sin() as f32, ..at(5, time as f32, 0.0) }]
    });
    // Extremes of sin(5 t) up to t = 4: at t = (k + 1/2) pi / 5, six of them.
    assert_eq!(metrics.agents[0].angular_sign_changes, 6);
}
