//! Walks whose metrics are known, at any frame rate.

use std::f64::consts::TAU;

use glam::Vec2;
use throng::crowd::Status;
use throng_eval::score::{Ideals, RunMetrics, Score, Technique, Weights, score};

use super::track::{Somebody, at, watch};

fn total(metrics: &RunMetrics, technique: Technique) -> Score {
    score(metrics, &Ideals::default(), technique, &Weights::default())
}

/// Twenty metres at 1.3 m/s, and gone.
fn straight(time: f64) -> Vec<Somebody> {
    let x = 1.3 * time;
    if x <= 20.0 { vec![at(7, x as f32, 1.0)] } else { Vec::new() }
}

#[test]
fn twenty_metres_alone_are_275_points() {
    let metrics = watch(20.0, 16.0, straight);
    let agent = &metrics.agents[0];
    assert!(agent.completed && (agent.time - 15.385).abs() < 0.05, "{agent:?}");
    assert_eq!((agent.id, agent.collisions, agent.collision_score), (7, 0, 0));
    assert!((agent.resampled_energy - 260.0).abs() < 0.9, "{agent:?}");
    let composite = total(&metrics, Technique::Composite01);
    assert!((composite.total - 275.4).abs() < 1.0, "{composite:?}");
    assert_eq!(composite.completion, 1.0);
    let with_acceleration = total(&metrics, Technique::Composite02);
    assert!((with_acceleration.total - composite.total).abs() < 0.1, "{with_acceleration:?}");
    assert!((agent.distance - 20.0).abs() < 0.07 && (agent.max_speed - 1.3).abs() < 1e-3);
    assert!((agent.energy_integral - 13.0).abs() < 0.05);
    let cost = agent.time * (2.23 + 1.26 * 1.69);
    assert!((agent.least_effort - cost).abs() < 1e-3, "{agent:?}");
    assert!(agent.turned == 0.0 && agent.flips == 0 && metrics.events.is_empty());
}

#[test]
fn composites_do_not_depend_on_the_frame_rate_and_plain_sums_do() {
    // Speeds up and slows down, and turns.
    let swinging = |time: f64| {
        let x = 1.2 * time + 0.3 * (0.8 * time).sin();
        let y = 2.0 * (0.3 * time).sin();
        if time <= 15.0 { vec![at(1, x as f32, y as f32)] } else { Vec::new() }
    };
    let runs = [20.0, 60.0, 120.0].map(|rate| watch(rate, 16.0, swinging));
    let composites = [Technique::Composite01, Technique::Composite02]
        .map(|technique| runs.each_ref().map(|run| total(run, technique).total));
    for [at_20, at_60, at_120] in composites {
        assert!((at_60 / at_20 - 1.0).abs() < 0.005, "{at_20} {at_60}");
        assert!((at_120 / at_20 - 1.0).abs() < 0.005, "{at_20} {at_120}");
    }
    let raw = runs.each_ref().map(|run| run.agents[0].energy_samples);
    assert!((raw[1] / raw[0] - 3.0).abs() < 0.01, "{raw:?}");
    assert!((raw[2] / raw[0] - 6.0).abs() < 0.02, "{raw:?}");
    let integrals = runs.each_ref().map(|run| run.agents[0].energy_integral);
    assert!((integrals[2] / integrals[0] - 1.0).abs() < 0.005, "{integrals:?}");
}

#[test]
fn on_a_circle_everything_is_known() {
    let (radius, speed) = (5.0, 1.25);
    let circle = |time: f64| {
        let angle = speed / radius * time;
        let place = Vec2::from_angle(angle as f32) * radius as f32;
        let heading = (angle as f32 + std::f32::consts::FRAC_PI_2) % std::f32::consts::TAU;
        vec![Somebody { heading, ..at(1, place.x, place.y) }]
    };
    let metrics = watch(20.0, 12.0, circle);
    let agent = &metrics.agents[0];
    let rate = (speed / radius).to_degrees();
    assert!((agent.turned - 12.0 * rate).abs() < 0.01, "{agent:?}");
    assert!((agent.angular_velocity - rate).abs() < 0.01 && agent.angular_sign_changes == 0);
    assert!((agent.turned_window.total - 3.0 * rate).abs() < 0.01);
    assert!((agent.turned_window.mean - rate).abs() < 0.01);
    assert!((agent.distance_window.total - 3.0 * speed).abs() < 0.01);
    let chord = 2.0 * radius * (0.5 * 3.0 * speed / radius).sin();
    assert!((agent.displacement_window - chord).abs() < 0.01, "{agent:?}");
    let centripetal = speed * speed / radius;
    assert!((agent.max_acceleration - centripetal).abs() < 0.05, "{agent:?}");
    assert!((agent.acceleration_window.mean - centripetal).abs() < 0.01);
    assert!((agent.acceleration_integral - centripetal * 11.95).abs() < 0.02);
    assert!((agent.acceleration_samples - 20.0 * agent.acceleration_integral).abs() < 1e-6);
    assert_eq!((agent.flips, agent.max_flips_window), (0, 0));
    assert!(agent.speed_change < 0.1 && !agent.completed);
    assert!((speed * 12.0 / radius) < TAU);
}

#[test]
fn whoever_has_arrived_or_waits_is_not_on_the_way() {
    // Walks for five seconds, and stands from then on.
    let arriving = |time: f64| {
        let status = if time < 5.0 { Status::Walking } else { Status::Arrived };
        vec![Somebody { status, ..at(1, time.min(5.0) as f32, 0.0) }]
    };
    let metrics = watch(20.0, 20.0, arriving);
    let agent = &metrics.agents[0];
    assert!(agent.completed && (agent.time - 5.0).abs() < 1e-9, "{agent:?}");
    assert_eq!(agent.finished, Some(5.0));
    assert!((agent.distance - 5.0).abs() < 1e-4 && metrics.events.is_empty());
    assert!((metrics.duration - 20.0).abs() < 1e-9);
    // Pushed away from the goal, they set out again, and have not completed anything.
    let pushed = |time: f64| {
        let status = if (5.0..8.0).contains(&time) { Status::Arrived } else { Status::Walking };
        vec![Somebody { status, ..at(1, time.min(5.0) as f32, 0.0) }]
    };
    let agent = watch(20.0, 10.0, pushed).agents.remove(0);
    assert!(!agent.completed && agent.finished.is_none());
    assert!((agent.time - 7.0).abs() < 1e-9, "{agent:?}");
}

#[test]
fn people_may_appear_later_leave_and_come_back() {
    let coming = |time: f64| match time {
        t if t < 2.0 => Vec::new(),
        t if t < 5.0 => vec![at(3, t as f32, 0.0)],
        t if t < 7.0 => Vec::new(),
        t if t < 9.0 => vec![at(3, 40.0 + t as f32, 0.0)],
        _ => Vec::new(),
    };
    let metrics = watch(20.0, 10.0, coming);
    assert_eq!(metrics.agents.len(), 1);
    let agent = &metrics.agents[0];
    assert!(agent.completed && agent.appeared == 2.0);
    assert!((agent.finished.unwrap() - 8.95).abs() < 1e-9, "{agent:?}");
    // Two stretches of a metre a second, without the leap between them.
    assert!((agent.distance - (2.95 + 1.95)).abs() < 1e-3, "{agent:?}");
    assert!(agent.max_speed < 1.01 && agent.resampled_energy < 50.0);
}

#[test]
fn the_crowd_as_a_whole_has_density_speed_and_flow() {
    let two = |time: f64| {
        let mut people = vec![at(1, time as f32, 0.0)];
        people.extend((time < 5.0).then(|| at(2, 2.0 * time as f32, 5.0)));
        people
    };
    let metrics = watch(20.0, 10.0, two);
    let environment = metrics.environment;
    assert!((environment.area - 10_000.0).abs() < 1.0, "{environment:?}");
    assert!((environment.density - 1.5 / 10_000.0).abs() < 1e-6, "{environment:?}");
    assert!((environment.max_density - 2e-4).abs() < 1e-8);
    assert!((environment.mean_speed - 20.0 / 15.0).abs() < 0.01, "{environment:?}");
    assert!((environment.flow - environment.density * environment.mean_speed).abs() < 1e-12);
    assert!((environment.throughput - 0.1).abs() < 1e-9);
}
