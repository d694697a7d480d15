//! Many characters, stage by stage.
//!
//! Every stage is one pass over all characters and reads only what the stages before it wrote about the same
//! character, so that passes can be divided among threads, or be kernels, as one likes; results do not depend on it.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::character::Character;
use super::feet::{Analytic, LegSolver};
use super::ground::Ground;

/// A pass over all characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Poses over the flat carpet (K0).
    Reset,
    /// Carpets are bent and laid (K1).
    Lay,
    /// Where carpets want joints, and pushes (K2, K3).
    Target,
    /// Where feet should be.
    Feet,
    /// Bones get their lengths (K4).
    Bones,
    /// Joints are turned and feet set down.
    Pose,
}

impl Stage {
    /// All stages in their order.
    pub const ALL: [Self; 6] =
        [Self::Reset, Self::Lay, Self::Target, Self::Feet, Self::Bones, Self::Pose];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Lay => "lay",
            Self::Target => "target",
            Self::Feet => "feet",
            Self::Bones => "bones",
            Self::Pose => "pose",
        }
    }
}

/// How long each stage took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    stages: [Duration; Stage::ALL.len()],
}

impl Timings {
    /// How long a stage took.
    pub fn of(&self, stage: Stage) -> Duration {
        self.stages[stage as usize]
    }

    /// How long all took.
    pub fn total(&self) -> Duration {
        self.stages.iter().sum()
    }

    /// Those of several frames together.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in self.stages.iter_mut().zip(other.stages) {
            *own += other;
        }
    }
}

/// Fewer characters than this are not worth waking other threads for.
const CHUNK: usize = 8;

/// Brings all characters to where their carpets want them, `dt` seconds after the last time.
pub fn step(characters: &mut [Character], ground: &(impl Ground + ?Sized), dt: f32) {
    step_timed(characters, ground, dt, &Analytic);
}

/// [`step`] with legs bent by `solver`; how long each stage took.
pub fn step_timed(
    characters: &mut [Character],
    ground: &(impl Ground + ?Sized),
    dt: f32,
    solver: &dyn LegSolver,
) -> Timings {
    let dt = if dt.is_finite() { dt.clamp(0.0, 1.0) } else { 0.0 };
    let mut timings = Timings::default();
    let mut run = |stage: Stage, work: &(dyn Fn(&mut Character) + Sync)| {
        let begin = Instant::now();
        if characters.len() <= CHUNK {
            characters.iter_mut().filter(|character| character.is_ready()).for_each(work);
        } else {
            characters.par_chunks_mut(CHUNK).for_each(|chunk| {
                chunk.iter_mut().filter(|character| character.is_ready()).for_each(work);
            });
        }
        timings.stages[stage as usize] = begin.elapsed();
    };
    run(Stage::Reset, &Character::reset);
    run(Stage::Lay, &|character| character.lay(ground, dt));
    run(Stage::Target, &|character| character.target(dt));
    run(Stage::Feet, &|character| character.set_feet(ground, dt));
    run(Stage::Bones, &Character::constrain);
    run(Stage::Pose, &|character| character.finish(solver));
    timings
}
