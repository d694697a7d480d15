//! Known experiments with people, repeated with steering models.
//!
//! Each experiment builds the scene of a laboratory, or of a paper, runs it for every model and seed,
//! measures it as was done there, and holds the results beside those of people:
//!
//! - [`Doors`]: how many people per second come through doors of several widths
//! - [`CounterFlow`]: whether people who want opposite ways through a corridor get through at all
//! - [`Fundamental`]: how fast people walk in a corridor at several densities
//! - [`Hallway`]: how smoothly two groups walk through each other
//!
//! A model is named by a [`Steering`], with other parameters than its defaults if need be. Results are
//! the same on any number of threads; `Display` prints them as a table and `Serialize` as data.

pub(crate) mod counter_flow;
pub(crate) mod doors;
pub(crate) mod fundamental;
mod hallway;
mod published;
pub(crate) mod runs;
pub(crate) mod scenery;
mod steering;

pub use counter_flow::{CounterFlow, CounterFlowRow, CounterFlows};
pub use doors::{DoorFlows, DoorRow, Doors};
pub use fundamental::{Fundamental, FundamentalRow, SpeedsByDensity};
pub use hallway::{Hallway, HallwayComparison, HallwayRow, HallwayWalks};
pub use published::{
    DOORS, DoorFlow, Mean, OPEN_CORRIDOR, PUBLISHED_WALKS, PublishedWalks, Range, SpeedRange,
};
pub use runs::{Progress, Watch};
pub(crate) use runs::{Runs, run_all_on};
pub use steering::{Steering, SteeringError};

use std::path::Path;

use throng::{Scene, SceneErrors};
use throng_world::scene::file::{SceneFile, given};

/// What all experiments have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The models to try.
    pub models: Vec<Steering>,
    /// How often each case is repeated, with seeds 0, 1, 2, …
    pub seeds: u32,
    /// Time between two states, s.
    pub step: f64,
}

/// Why an experiment gives no results.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// No model to try.
    #[error("there is no model to try; name at least one, e.g. pedestrian")]
    NoModel,
    /// A number of the experiment that makes no sense.
    #[error("{what} cannot be {given}; take {expected}")]
    OutOfRange {
        /// Which one.
        what: &'static str,
        /// Its value.
        given: String,
        /// What it may be.
        expected: &'static str,
    },
    /// The scene cannot be simulated, for instance because not everybody finds room.
    #[error("the experiment's scene cannot be simulated: {0}")]
    Scene(#[from] SceneErrors),
    /// A run has no result.
    #[error("{0}")]
    Failed(String),
    /// Whoever watched it wanted no more.
    #[error("interrupted; an experiment that is not complete has no results")]
    Interrupted,
    /// The system has no thread left.
    #[error("cannot start a thread: {0}")]
    Threads(String),
}

impl Setup {
    /// A few models by name, with their defaults.
    fn of(models: &[&str], seeds: u32) -> Self {
        let models = models.iter().filter_map(|name| name.parse().ok()).collect();
        Self { models, seeds, step: 0.05 }
    }

    pub(crate) fn check(&self) -> Result<(), ExperimentError> {
        if self.models.is_empty() {
            return Err(ExperimentError::NoModel);
        }
        in_range("the number of seeds", self.seeds.into(), [1.0, 1000.0], "1 to 1000")?;
        in_range("the step", self.step, [0.005, 0.5], "0.005 s to 0.5 s")
    }

    /// Every combination of a model, a condition and a seed, in this order.
    pub(crate) fn cases<'a, C: Copy>(&'a self, conditions: &[C]) -> Vec<Case<'a, C>> {
        let mut cases = Vec::new();
        for steering in &self.models {
            for &condition in conditions {
                let case = |seed| Case { steering, condition, seed, step: self.step };
                cases.extend((0..self.seeds).map(case));
            }
        }
        cases
    }
}

/// One run of an experiment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a, C> {
    pub steering: &'a Steering,
    /// What differs from case to case: the width of a door, a density.
    pub condition: C,
    pub seed: u32,
    pub step: f64,
}

impl<C> Case<'_, C> {
    /// The scene of `file` with the model, the seed and the step of this case. People are told way-points, and
    /// walk straight from one to the next.
    pub fn scene(&self, name: &str, mut file: SceneFile) -> Result<Scene, ExperimentError> {
        file.simulation.navigation = given(false);
        varied(name, file, self.steering, self.seed, self.step)
    }
}

/// The scene of `file` with another model in all groups, another seed and another step.
pub(crate) fn varied(
    name: &str,
    file: SceneFile,
    steering: &Steering,
    seed: u32,
    step: f64,
) -> Result<Scene, ExperimentError> {
    varied_in(name, file, Path::new(""), steering, seed, step)
}

/// The same of a file whose paths are relative to `folder`.
pub(crate) fn varied_in(
    name: &str,
    mut file: SceneFile,
    folder: &Path,
    steering: &Steering,
    seed: u32,
    step: f64,
) -> Result<Scene, ExperimentError> {
    file.simulation.seed = given(seed);
    file.simulation.step = given(step);
    steering.set(&mut file);
    Ok(file.to_scene(name, folder)?)
}

pub(crate) fn in_range(
    what: &'static str,
    given: f64,
    [least, most]: [f64; 2],
    expected: &'static str,
) -> Result<(), ExperimentError> {
    match given >= least && given <= most {
        true => Ok(()),
        false => Err(ExperimentError::OutOfRange { what, given: given.to_string(), expected }),
    }
}

/// How wide a column with these models is.
pub(crate) fn model_width<'a>(models: impl Iterator<Item = &'a Steering>) -> usize {
    models.map(|model| model.to_string().len()).max().unwrap_or_default().max("model".len())
}
