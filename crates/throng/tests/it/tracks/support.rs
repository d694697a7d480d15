//! Walks whose truth is known, and how they are seen.

use glam::{DVec2, Vec2};
use throng::tracks::{Sample, TrackOptions, TrackReport, Tracks};
use throng_base::random::{Purpose, Random};

/// A walk: where somebody really is.
pub type Walk = fn(f64) -> DVec2;

/// How long walks take, s.
pub const DURATION: f64 = 24.0;

/// How a walk is seen.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    pub rate: f64,
    /// Standard deviation in each coordinate, m.
    pub noise: f64,
    /// Amplitude of a head's swing to the side, once in two steps, m.
    pub sway: f64,
}

pub fn straight(time: f64) -> DVec2 {
    DVec2::new(1.3 * time, 0.2 * time)
}

/// Radius 4 m, 1.2 m/s.
pub fn circle(time: f64) -> DVec2 {
    4.0 * DVec2::from_angle(0.3 * time)
}

/// A right angle half-way, at 1.3 m/s, as people turn: within 0.8 s.
pub fn corner(time: f64) -> DVec2 {
    let turned = |time: f64| {
        let part = ((time - 11.6) / 0.8).clamp(0.0, 1.0);
        // The integral of a linear ramp from 0 to 1.
        0.8 * 0.5 * part * part + (time - 12.4).max(0.0)
    };
    1.3 * DVec2::new(time - turned(time), turned(time))
}

/// Walks 6 s, stands 9 s, and walks on, with 0.8 s to stop and to set out.
pub fn stop_and_go(time: f64) -> DVec2 {
    // Decelerating from 6 to 6.8 and accelerating from 15.8 to 16.6.
    let brake = (time - 6.0).clamp(0.0, 0.8);
    let start = (time - 15.8).clamp(0.0, 0.8);
    let way =
        time.min(6.0) + brake - brake * brake / 1.6 + start * start / 1.6 + (time - 16.6).max(0.0);
    DVec2::new(0.0, 1.3 * way)
}

/// `people` who do the same at different moments, each seen with errors of their own.
pub fn seen(walk: Walk, camera: Camera, people: u32) -> Vec<Sample> {
    let random = Random::new(17);
    let count = (DURATION * camera.rate).floor() as u32;
    let mut samples = Vec::new();
    for person in 0..people {
        for i in 0..=count {
            let time = f64::from(i) / camera.rate;
            let truth = walk(shifted(person, time));
            let gauss = gauss(random, person, i);
            let place = truth + camera.noise * gauss + camera.sway * swing(walk, person, time);
            samples.push(Sample { person, time, position: place.as_vec2(), ..Sample::default() });
        }
    }
    samples
}

/// The time on a walk of person `person`, who is a bit later than the one before.
pub fn shifted(person: u32, time: f64) -> f64 {
    time - 0.137 * f64::from(person % 8)
}

/// To the side of the movement, once in 1.1 s, while there is any.
fn swing(walk: Walk, person: u32, time: f64) -> DVec2 {
    let time_there = shifted(person, time);
    let along = walk(time_there + 0.01) - walk(time_there - 0.01);
    let phase = std::f64::consts::TAU * (time / 1.1) + f64::from(person);
    along.try_normalize().map_or(DVec2::ZERO, |along| along.perp() * phase.sin())
}

fn gauss(random: Random, person: u32, i: u32) -> DVec2 {
    let mut stream = random.stream(person.into(), i.into(), Purpose::SteeringNoise);
    let (a, b) = (f64::from(stream.unit()).max(1e-9), f64::from(stream.unit()));
    (-2.0 * a.ln()).sqrt() * DVec2::from_angle(std::f64::consts::TAU * b)
}

pub fn smooth(samples: &[Sample]) -> (Tracks, TrackReport) {
    Tracks::from_samples(samples.iter().copied(), &TrackOptions::default()).unwrap()
}

/// How far tracks are from the truth, all roots of mean squares, in m and m/s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    pub samples: f64,
    pub positions: f64,
    pub velocities: f64,
    /// The largest of all.
    pub worst: f64,
    pub acceleration: f64,
}

pub fn errors(walk: Walk, samples: &[Sample], tracks: &Tracks) -> Errors {
    let mut errors = Errors::default();
    let square = |a: Vec2, b: DVec2| a.as_dvec2().distance_squared(b);
    let seen: f64 =
        samples.iter().map(|s| square(s.position, walk(shifted(s.person, s.time)))).sum();
    errors.samples = (seen / samples.len() as f64).sqrt();
    let mut count = 0.0;
    for track in tracks {
        for i in 0..(DURATION * 30.0) as u32 {
            let time = f64::from(i) / 30.0;
            let Some(point) = track.at(time) else { continue };
            let there = shifted(track.person(), time);
            let velocity = (walk(there + 1e-4) - walk(there - 1e-4)) / 2e-4;
            let off = square(point.position, walk(there));
            errors.positions += off;
            errors.velocities += square(point.velocity, velocity);
            errors.worst = errors.worst.max(off.sqrt());
            errors.acceleration = errors.acceleration.max(point.acceleration.length().into());
            count += 1.0;
        }
    }
    errors.positions = (errors.positions / count).sqrt();
    errors.velocities = (errors.velocities / count).sqrt();
    errors
}
