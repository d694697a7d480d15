//! Many scenarios, steering models and seeds in one go: which model gets people through, how well, and
//! where does it fail?
//!
//! A [`Batch`] is a matrix of scenarios, models and seeds. Each of its runs is simulated on one thread,
//! several at once, until everybody has come to the end of their goals or the scenario's time is up;
//! one collector measures all of them from positions alone (after SteerBench: Singh, Kapadia, Faloutsos,
//! Reinman 2009). Results are the same on any number of threads.
//!
//! Every run that is done is a file in a [`Store`], so that a batch that was ended, however that came,
//! goes on where it was. [`Results`] makes tables of what is there; scores are computed then, from the
//! metrics that were kept, so that another technique or other weights need no new simulation. A
//! [`Baseline`](baseline::Baseline) holds the numbers of today for those who will change the engine.

pub mod baseline;
mod key;
mod matrix;
mod rescore;
mod results;
mod run;
mod store;
mod subject;
mod summary;
mod tables;
mod tracks;
pub(crate) mod work;

pub use key::{RunKey, digest};
pub use matrix::{MATRIX, Matrix};
pub use rescore::rescore;
pub use results::{Cell, Results, Run, Standing};
pub(crate) use run::criteria_of;
pub use run::{Judgement, Measured, Outcome, RunRecord};
pub(crate) use store::write_whole;
pub use store::{Kept, RECORDINGS, Store};
pub use subject::{Ground, Model, ScenarioInfo, Subject};
pub(crate) use tables::{Columns, Table};
pub use tables::{document, write_tables};
use throng::SceneErrors;
use throng::place::FileError;
use throng::recording::RecordingError;
use throng_base::named_enum;
pub(crate) use tracks::centimetres;
pub use tracks::{PictureTracks, Series, Way};
use work::Work;

use crate::experiments::ExperimentError;
use crate::score::{ScoreOptions, Technique, Weights};

/// How many of the worst runs [`Recordings::Worst`] keeps.
pub const WORST: usize = 12;

/// Default of [`Batch::largest_recording`], bytes: about six million rows. The [`WORST`] runs take 1.2 GB at most.
pub const LARGEST_RECORDING: u64 = 100_000_000;

/// A matrix of scenarios, models and seeds to run.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The scenarios.
    pub subjects: Vec<Subject>,
    /// The steering models.
    pub models: Vec<Model>,
    /// How often each scenario is run with each model, with seeds 0, 1, 2, …
    pub seeds: u64,
    /// How runs are measured.
    pub options: ScoreOptions,
    /// Which runs are recorded.
    pub recordings: Recordings,
    /// Length of the recording of one of the worst runs at most, bytes; larger ones are left out. Does not apply to
    /// [`Recordings::All`].
    pub largest_recording: u64,
    /// How many runs at once; all that the machine can, if not given.
    pub threads: Option<usize>,
    /// What the engine is called in results: its version, and its build if that is known. Results of
    /// another one are not used.
    pub engine: String,
}

named_enum! {
    /// Which runs are recorded.
    #[derive(Default)]
    pub enum Recordings {
        /// All.
        All = "all",
        /// The [worst](WORST) ones, which are made again for it, so that reports have links to them.
        #[default]
        Worst = "worst",
        /// None.
        None = "none",
    }
}

/// How far a batch has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchProgress {
    /// Runs that are done, those that were done before included.
    pub done: usize,
    /// Runs in all.
    pub total: usize,
    /// The part of this call's work that is done, 0 to 1. Large runs count more than small ones.
    pub share: f64,
}

/// Is told how far a batch has come, often and from several threads, and says whether it goes on.
pub type BatchWatch<'a> = &'a (dyn Fn(BatchProgress) -> bool + Sync);

/// What a call of [`Batch::run`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Runs that were made.
    pub ran: usize,
    /// Runs whose results were there already.
    pub kept: usize,
    /// How many of the worst runs have no recording because it would be larger than [`Batch::largest_recording`].
    pub too_large: usize,
    /// Result files that were damaged, and why; these runs were made again.
    pub damaged: Vec<String>,
}

/// Why a batch is not complete.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// There is nothing to run.
    #[error("there is no {what} to evaluate; name at least one")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// Two scenarios of the same name.
    #[error("there are two scenarios called {name:?}; give one of the files another name")]
    SameName {
        /// The name.
        name: String,
    },
    /// A scenario cannot be read.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// A result cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
    /// A recording cannot be written or read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The folder has results, but nothing says of what.
    #[error("{path} is not a list of runs as this version writes it: {reason}; evaluate again")]
    NoMatrix {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that has no agreed numbers.
    #[error("{path} has no agreed numbers as this version writes them: {reason}; accept new ones")]
    NoBaseline {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A suite of tests cannot be run like this.
    #[error(transparent)]
    Suite(ExperimentError),
    /// The system has no thread left.
    #[error("cannot start a thread: {0}")]
    Threads(String),
    /// Whoever watched it wanted no more.
    #[error("interrupted: {done} of {total} runs are done and kept")]
    Interrupted {
        /// Runs that are done.
        done: usize,
        /// Runs in all.
        total: usize,
    },
}

impl Batch {
    /// Makes all runs whose results are not in `store` yet.
    ///
    /// A run that fails, for instance because a model cannot steer somebody, is a result like others.
    ///
    /// # Errors
    ///
    /// If a scenario cannot be read, results cannot be kept, or `watch` says that it is enough. What was
    /// done until then is kept.
    pub fn run(&self, store: &Store, watch: BatchWatch) -> Result<Done, BatchError> {
        let matrix = self.matrix()?;
        matrix.save(store)?;
        let is_enough = |key: &RunKey, record: &RunRecord| {
            let wants_recording = self.recordings == Recordings::All && !store.has_recording(key);
            !wants_recording || !record.is_measured()
        };
        let (jobs, mut done) = work::missing(store, matrix.keys(), is_enough);
        let unbounded = (self.recordings == Recordings::All).then_some(u64::MAX);
        self.make(store, &matrix, &jobs, unbounded, done.kept, watch)?;
        done.ran = jobs.len();
        if self.recordings == Recordings::Worst {
            let results = Results::read(store, Technique::Normalised, &Weights::default())?;
            let worst: Vec<RunKey> =
                results.worst(WORST).into_iter().map(|run| run.record.key.clone()).collect();
            let is_due = |key: &&RunKey| !store.has_recording(key) && !store.is_too_large(key);
            let jobs: Vec<RunKey> = worst.iter().filter(is_due).cloned().collect();
            let bound = Some(self.largest_recording);
            self.make(store, &matrix, &jobs, bound, done.kept + done.ran, watch)?;
            let is_left_out = |key: &&RunKey| !store.has_recording(key) && store.is_too_large(key);
            done.too_large = worst.iter().filter(is_left_out).count();
        }
        Ok(done)
    }

    /// The runs it consists of.
    fn matrix(&self) -> Result<Matrix, BatchError> {
        for (what, is_empty) in [
            ("scenario", self.subjects.is_empty()),
            ("model", self.models.is_empty()),
            ("seed", self.seeds == 0),
        ] {
            if is_empty {
                return Err(BatchError::Nothing { what });
            }
        }
        let mut names: Vec<&str> = self.subjects.iter().map(Subject::name).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(BatchError::SameName { name: twice[0].into() });
        }
        let infos: Result<Vec<ScenarioInfo>, SceneErrors> =
            self.subjects.iter().map(Subject::info).collect();
        let mut models: Vec<String> = Vec::new();
        for model in self.models.iter().map(ToString::to_string) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        Ok(Matrix {
            format: matrix::FORMAT,
            engine: self.engine.clone(),
            options: run::options_text(&self.options),
            seeds: self.seeds,
            models,
            scenarios: infos?,
        })
    }

    /// Makes runs and keeps their results.
    fn make(
        &self,
        store: &Store,
        matrix: &Matrix,
        jobs: &[RunKey],
        largest_recording: Option<u64>,
        done_before: usize,
        watch: BatchWatch,
    ) -> Result<(), BatchError> {
        let jobs = jobs.iter().map(|key| (key.clone(), matrix.effort(key))).collect();
        let work = Work { store, threads: self.threads, done_before, watch };
        match work.make(jobs, |key, runs| run::run(self, key, store, largest_recording, runs)) {
            Err(BatchError::Interrupted { .. }) => {
                Err(work::interrupted::<RunRecord>(store, matrix.keys()))
            }
            made => made,
        }
    }
}
