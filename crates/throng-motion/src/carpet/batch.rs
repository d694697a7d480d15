//! Many characters, stage by stage.
//!
//! Every stage is one pass over a batch of characters and reads only what the stages before it wrote about the same
//! character, so that batches can be of any size, divided among threads, or passes be kernels, as one likes; results do not
//! depend on it.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use throng_base::ground::Ground;
use throng_simd::Vectors;

use super::character::Character;
use super::feet::{Analytic, LegSolver};

/// A pass over a batch of characters.
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

/// How long each stage took, on all threads together.
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

/// Characters that go through all stages together: their carpets fit into the cache of a core, those of a crowd
/// do not.
const CHUNK: usize = 4;

/// Brings all characters to where their carpets want them, `dt` seconds after the last time.
pub fn step(characters: &mut [Character], ground: &(impl Ground + ?Sized), dt: f32) {
    step_timed(characters, ground, dt, &Analytic);
}

/// [`step`] with legs bent by `solver`; how long each stage took, on all threads together.
pub fn step_timed(
    characters: &mut [Character],
    ground: &(impl Ground + ?Sized),
    dt: f32,
    solver: &dyn LegSolver,
) -> Timings {
    let dt = if dt.is_finite() { dt.clamp(0.0, 1.0) } else { 0.0 };
    let vectors = Vectors::detect();
    if characters.len() <= CHUNK {
        return stages(characters, ground, dt, vectors, solver);
    }
    let chunks = characters.par_chunks_mut(CHUNK);
    let timings = chunks.map(|chunk| stages(chunk, ground, dt, vectors, solver));
    timings.reduce(Timings::default, |mut sum, next| {
        sum.add(&next);
        sum
    })
}

/// All stages of a batch, one after the other.
fn stages(
    batch: &mut [Character],
    ground: &(impl Ground + ?Sized),
    dt: f32,
    vectors: Option<Vectors>,
    solver: &dyn LegSolver,
) -> Timings {
    let mut timings = Timings::default();
    let mut run = |stage: Stage, work: &dyn Fn(&mut Character)| {
        let begin = Instant::now();
        batch.iter_mut().filter(|character| character.is_ready()).for_each(work);
        timings.stages[stage as usize] = begin.elapsed();
    };
    run(Stage::Reset, &Character::reset);
    run(Stage::Lay, &|character| character.lay(ground, vectors, dt));
    run(Stage::Target, &|character| character.target(vectors, dt));
    run(Stage::Feet, &|character| character.set_feet(ground, dt));
    run(Stage::Bones, &Character::constrain);
    run(Stage::Pose, &|character| character.finish(solver));
    timings
}
