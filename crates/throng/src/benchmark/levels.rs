//! A crowd of twenty thousand with bodies, seen by a camera that flies: with levels of detail and without.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use glam::{Quat, Vec3};
use throng_world::scene::file::{Goal, Group, Region, SceneFile, Then, Whom, given, list};

use super::BenchmarkError;
use crate::bodies::{Cast, LodBodies};
use crate::scaler::{BodyLevel, Budget, ScalerOptions, View};
use crate::{Engine, PipelineStage};

/// How many people there are.
pub const PEOPLE: usize = 20_000;
/// Frames per second.
pub const RATE: u32 = 30;
/// Half the side of the square, m: two square metres for everybody.
const HALF: f32 = 100.0;
/// Frames before the first that is timed.
const WARM_UP: u32 = 20;
/// How many bodies of their own there are at most where it is looking around that is limited.
const LOOKERS: usize = 1000;

/// How bodies are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// At most 300 bodies of their own, the usual numbers.
    Numbers,
    /// As many as there can be within this time for all bodies.
    Time(Duration),
    /// Up to a thousand bodies of their own, all of which look around, or as many of them as can within this time.
    Looking(Option<Duration>),
    /// Everybody has a body of their own.
    Everybody,
}

/// What a flight gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Flight {
    /// How bodies were made.
    pub mode: Mode,
    /// Threads used.
    pub threads: usize,
    /// Time of each frame, in all, in ascending order.
    pub frames: Vec<Duration>,
    /// Mean time of each stage in a frame.
    pub stages: Vec<(PipelineStage, Duration)>,
    /// Mean number of bodies of each level.
    pub bodies: [f64; BodyLevel::ALL.len()],
    /// Time for bodies in each frame, in ascending order.
    pub animation: Vec<Duration>,
    /// Time for looking around in each frame, in ascending order.
    pub gaze: Vec<Duration>,
    /// The mean number of those who looked around.
    pub lookers: f64,
    /// How many levels changed in a second, for somebody.
    pub changes: f64,
}

impl Flight {
    /// The time that so large a part of the frames do not exceed.
    pub fn quantile(times: &[Duration], part: f64) -> Duration {
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * part) as usize).copied().unwrap_or_default()
    }

    /// The median time of a frame.
    pub fn median(&self) -> Duration {
        Self::quantile(&self.frames, 0.5)
    }
}

/// Where the camera is after so many seconds: it flies over the square at 8 m/s, sinks among the people, and looks round.
pub fn camera(time: f32) -> View {
    let turn = Quat::from_rotation_y(0.12 * time);
    let height = 5.0 + 3.3 * (0.4 * time).cos();
    let eye = turn * Vec3::new(0.0, height, 65.0);
    let look =
        Quat::from_rotation_y(0.6 * (0.3 * time).sin()) * turn * Vec3::new(-1.0, -0.12, -0.35);
    View::new(eye, look)
}

/// Flies over the crowd for so many frames.
pub fn fly(mode: Mode, frames: u32, threads: usize) -> Result<Flight, BenchmarkError> {
    let mut engine = engine(mode, threads)?;
    let mut times = Vec::new();
    let mut animation = Vec::new();
    let mut gaze = Vec::new();
    let mut lookers = 0;
    let mut sums = [Duration::ZERO; PipelineStage::ALL.len()];
    let mut bodies = [0.0; BodyLevel::ALL.len()];
    let mut changes = 0;
    for frame in 0..WARM_UP + frames {
        engine.set_views(&[camera(frame as f32 / RATE as f32)]);
        engine.step();
        if frame < WARM_UP {
            continue;
        }
        let spent = engine.times();
        times.push(spent.total());
        animation.push(spent.of(PipelineStage::Animator));
        gaze.push(spent.of(PipelineStage::Gaze));
        lookers += engine.lod_bodies().map_or(0, LodBodies::looking);
        spent.iter().zip(&mut sums).for_each(|((_, time), sum)| *sum += time);
        match engine.scaler().map(|scaler| *scaler.census()) {
            Some(census) => {
                bodies.iter_mut().zip(census.bodies).for_each(|(sum, count)| *sum += count as f64);
                changes += census.changes;
            }
            None => bodies[BodyLevel::Full as usize] += engine.crowd().len() as f64,
        }
    }
    times.sort_unstable();
    animation.sort_unstable();
    gaze.sort_unstable();
    let seconds = f64::from(frames) / f64::from(RATE);
    Ok(Flight {
        mode,
        threads,
        stages: PipelineStage::ALL.into_iter().zip(sums.map(|sum| sum / frames.max(1))).collect(),
        bodies: bodies.map(|sum| sum / f64::from(frames.max(1))),
        changes: changes as f64 / seconds.max(1e-9) / PEOPLE as f64,
        frames: times,
        animation,
        gaze,
        lookers: lookers as f64 / f64::from(frames.max(1)),
    })
}

fn engine(mode: Mode, threads: usize) -> Result<Engine, BenchmarkError> {
    let ground = [[-HALF, -HALF], [HALF, HALF]].map(|corner| corner.map(f64::from));
    let anywhere = Whom { random: given("square"), ..Whom::default() };
    let goals = [Goal { duration: given(60.0), ..Goal::seek(anywhere) }, Goal::idle(3.0)];
    let people = Group::new("people").goals(goals).crowd(PEOPLE as u32, "square");
    let mut file = SceneFile::new(ground);
    file.name = given(format!("A square of {PEOPLE}"));
    file.simulation.step = given(f64::from(RATE).recip());
    file.regions = list([Region::rectangle("square", ground)]);
    file.groups = list([Group { then: given(Then::Repeat), ..people }]);
    let mut engine = Engine::new(file.to_scene("square.toml", Path::new(""))?)?;
    engine.set_threads(threads)?;
    match mode {
        Mode::Everybody => {}
        Mode::Numbers => engine.set_scaling(Some(ScalerOptions::default())),
        Mode::Looking(limit) => {
            let budget = Budget { full: LOOKERS, gaze: limit, ..Budget::default() };
            let options = ScalerOptions { full_pixels: 10.0, budget, ..ScalerOptions::default() };
            engine.set_scaling(Some(options));
        }
        Mode::Time(limit) => {
            let budget = Budget { full: PEOPLE, animation: Some(limit), ..Budget::default() };
            // Everybody who is seen is large enough: only time decides.
            let options = ScalerOptions { full_pixels: 10.0, budget, ..ScalerOptions::default() };
            engine.set_scaling(Some(options));
        }
    }
    engine.set_bodies(Some(Arc::new(Cast::new(Cast::USUAL)?)));
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camera_sees_people_and_a_flight_tells_of_them() {
        for time in 0..60 {
            let view = camera(time as f32);
            assert!(view.eye.y > 1.5 && view.eye.x.hypot(view.eye.z) < HALF);
        }
        let flight = fly(Mode::Numbers, 2, 2).expect("a flight");
        assert_eq!(flight.frames.len(), 2);
        let [unseen, impostors, posed, full] = flight.bodies;
        assert!(full > 10.0 && full <= 300.0 && posed <= 2000.0, "{:?}", flight.bodies);
        assert_eq!(unseen + impostors + posed + full, PEOPLE as f64);
        // With no time to look around nobody does, and with all of it everybody can.
        let lookers = |limit| fly(Mode::Looking(limit), 2, 2).expect("a flight").lookers;
        assert_eq!(lookers(Some(Duration::ZERO)), 0.0);
        assert!(lookers(None) > 300.0);
    }
}
