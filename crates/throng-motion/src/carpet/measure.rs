//! What carpets cost, beside what they did when they were published.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;
use thiserror::Error;
use throng_base::ground::Ground;

use super::{
    Analytic, CarpetError, CarpetOptions, Character, Cycle, Rig, Stage, Timings, step_timed,
};
use crate::clip::Clip;
use crate::quadruped::{Gaits, GaitsError, Quadruped};
use crate::{Human, Proportions, gait, quadruped};

/// Numbers of characters that were published, with the milliseconds of a frame: all in all on one thread, on all
/// threads, on an integrated and on a dedicated graphics processor of 2015.
pub const PUBLISHED: [(usize, [f32; 4]); 8] = [
    (1, [7.84, 9.29, 10.17, 10.0]),
    (10, [14.33, 9.71, 10.28, 11.62]),
    (20, [18.36, 11.0, 10.24, 12.44]),
    (30, [24.04, 11.8, 10.8, 13.2]),
    (64, [42.1, 13.95, 13.97, 13.68]),
    (128, [83.12, 18.14, 20.51, 15.03]),
    (256, [166.95, 27.35, 29.31, 19.17]),
    (512, [279.17, 43.93, 42.18, 23.64]),
];

/// How bodies are led in a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Along lines that change four times a second.
    Line,
    /// Along lines that stay as they are, most of them straight.
    Steady,
    /// Over the world, with poses that are related anew in every frame.
    World,
}

impl Scenario {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Line, Self::Steady, Self::World];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Steady => "steady",
            Self::World => "world",
        }
    }

    /// What happens in it.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Line => "on lines that change four times a second",
            Self::Steady => "on lines that stay",
            Self::World => "on the world, related anew in every frame",
        }
    }
}

/// Who is measured: a body, a walk, and the carpet that suits them.
#[derive(Clone, Debug)]
pub struct Walker {
    /// The body.
    pub rig: Arc<Rig>,
    /// The walk.
    pub cycle: Arc<Cycle>,
    /// The carpet.
    pub options: CarpetOptions,
}

impl Walker {
    /// A person of average size at 1.3 m/s.
    ///
    /// # Errors
    ///
    /// If there is no such person, walk or carpet.
    pub fn person() -> Result<Self, MeasureError> {
        let human = Human::new(Proportions::default())?;
        let clip = gait::Steady::ahead(1.3).clip(&human)?;
        let rig = Arc::new(Rig::human(human.skeleton(), Some(&clip))?);
        Ok(Self::new(rig, &clip, CarpetOptions::default())?)
    }

    /// A dog at 1 m/s.
    ///
    /// # Errors
    ///
    /// If there is no such dog, walk or carpet.
    pub fn dog() -> Result<Self, MeasureError> {
        let gaits = Gaits::new(&Quadruped::dog())?;
        let clip = quadruped::Steady::ahead(1.0).clip(gaits.animal())?;
        Ok(Self::new(gaits.rig().clone(), &clip, *gaits.carpet())?)
    }

    fn new(rig: Arc<Rig>, clip: &Clip, options: CarpetOptions) -> Result<Self, CarpetError> {
        let weighting = options.weighting(rig.height());
        let cycle = Cycle::of_clip(&rig, clip, options.spacing, options.columns / 2, &weighting)?;
        Ok(Self { rig, cycle: Arc::new(cycle), options })
    }
}

/// Why nothing was measured.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MeasureError {
    #[error(transparent)]
    Person(#[from] crate::ProportionsError),
    #[error(transparent)]
    Gait(#[from] gait::GaitError),
    #[error(transparent)]
    Animal(#[from] GaitsError),
    #[error(transparent)]
    AnimalGait(#[from] quadruped::GaitError),
    #[error(transparent)]
    Carpet(#[from] CarpetError),
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// How many characters there were.
    pub characters: usize,
    /// Median time of a frame.
    pub median: Duration,
    /// That of the fastest: other work on the machine only ever makes it longer.
    pub best: Duration,
    /// Times of the stages, on all threads together.
    pub stages: Timings,
    /// Over how many frames the stages are summed.
    pub frames: u32,
}

/// Measures `count` characters over `frames` frames of 25 a second on `ground`.
///
/// # Errors
///
/// If there is no such carpet.
pub fn measure(
    Walker { rig, cycle, options }: &Walker,
    ground: &dyn Ground,
    scenario: Scenario,
    (count, frames): (usize, u32),
) -> Result<Measurement, CarpetError> {
    const DT: f32 = 0.04;
    let options = *options;
    let place = |index: usize| Vec3::new(2.0 * (index % 23) as f32, 0.0, 2.0 * (index / 23) as f32);
    let mut characters = (0..count)
        .map(|index| match scenario {
            Scenario::Line | Scenario::Steady => {
                let heading = index as f32;
                Character::on_line(rig.clone(), cycle.clone(), place(index), heading, options)
            }
            Scenario::World => Character::on_world(rig.clone(), options),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let speed = cycle.travel() / cycle.period();
    let mut times = Vec::with_capacity(frames as usize);
    let mut stages = Timings::default();
    let mut pose = crate::Pose::default();
    const WARM_UP: u32 = 20;
    for frame in 0..frames + WARM_UP {
        let time = DT * frame as f32;
        for (index, character) in characters.iter_mut().enumerate() {
            let seed = index as f32;
            match scenario {
                Scenario::Line | Scenario::Steady => {
                    // Not all in the same frame.
                    let often = if scenario == Scenario::Line { 6 } else { usize::MAX };
                    if (frame as usize + index % 6).is_multiple_of(often) {
                        let (root, heading) = character.root();
                        let wave =
                            |ahead: f32| heading as f32 + 0.6 * (1.3 * time + seed).sin() * ahead;
                        let path = (0..16).map(|point| {
                            let ahead = 0.25 * point as f32;
                            let (sin, cos) = wave(0.3 * ahead).sin_cos();
                            Vec3::new(root.x as f32 + ahead * sin, 0.0, root.y as f32 + ahead * cos)
                        });
                        character.follow(path);
                    }
                    character.advance(speed * DT);
                }
                Scenario::World => {
                    let phase = (time / cycle.period() + 0.618 * seed).rem_euclid(1.0);
                    let (at, part) = cycle.frame(phase);
                    cycle.sample(at, part, &mut pose);
                    pose.root.z -= phase * cycle.travel();
                    let ahead = speed * time;
                    let placement = crate::RootMotion {
                        translation: place(index)
                            + glam::Quat::from_rotation_y(seed) * Vec3::new(0.0, 0.0, ahead),
                        yaw: seed,
                    };
                    character.show(&pose, placement, &[]);
                }
            }
        }
        let begin = Instant::now();
        let timings = step_timed(&mut characters, ground, DT, &Analytic);
        if frame >= WARM_UP {
            times.push(begin.elapsed());
            stages.add(&timings);
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let best = times.first().copied().unwrap_or_default();
    Ok(Measurement { characters: count, median, best, stages, frames: frames.max(1) })
}

/// How many times as long as 64 characters 512 take, if both were measured.
pub fn scaling(measurements: &[Measurement]) -> Option<f64> {
    let median = |count: usize| {
        let measured = measurements.iter().find(|measured| measured.characters == count)?;
        Some(measured.median.as_secs_f64())
    };
    Some(median(512)? / median(64)?.max(1e-9))
}

/// Measurements as a table in the layout of the publication: the median frame, the fastest, and the mean time that all threads
/// together spent in each stage, all in milliseconds.
pub fn table(measurements: &[Measurement]) -> String {
    let mut text = String::from("characters      frame    best");
    for stage in Stage::ALL {
        let _ = write!(text, " {:>7}", stage.name());
    }
    text.push_str("   published: 1 thread    all   integrated  dedicated\n");
    for measured in measurements {
        let milliseconds = |duration: Duration| 1e3 * duration.as_secs_f64();
        let (median, best) = (milliseconds(measured.median), milliseconds(measured.best));
        let _ = write!(text, "{:>10} {median:>7.3} ms {best:>7.3}", measured.characters);
        for stage in Stage::ALL {
            let mean = milliseconds(measured.stages.of(stage)) / f64::from(measured.frames);
            let _ = write!(text, " {mean:>7.3}");
        }
        if let Some((_, [one, all, integrated, dedicated])) =
            PUBLISHED.iter().find(|(count, _)| *count == measured.characters)
        {
            let _ = write!(text, "   {one:>19.2} {all:>6.2} {integrated:>12.2} {dedicated:>10.2}");
        }
        text.push('\n');
    }
    text
}
