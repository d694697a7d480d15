//! A study of an evacuation: the same scene with one seed after the other, until more runs change nothing.
//!
//! A [`Study`] runs a scene with seeds 0, 1, 2, … Each run is a file of a [`Store`], so that a study that was ended goes on
//! where it was. [`convergence`](Convergence) says after how many seeds the distribution of evacuation times stays as it is; runs beyond
//! that, which were made because several are made at once, are not used, so that results do not depend on the number of threads.
//! [`Report`] is what came of it, and [`write_report`] writes it: a page that needs nothing else, tables and data.

mod convergence;
mod files;
mod maps;
mod report;
mod run;
mod widths;

pub use convergence::{Change, Convergence, averaged};
pub use files::{REPORT_PAGE, write_report};
pub use maps::{Bottleneck, LEVELS, MapCell, level_of_service};
pub use report::{ExitUse, GroupTimes, LastPerson, LineFlow, Report, RunTimes};
pub use run::{Evacuation, Evacuee, exits};

use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use throng::Scene;

use crate::batch::work::{self, Work};
use crate::batch::{
    BatchError, BatchProgress, BatchWatch, Done, Kept, Model, RunKey, Store, Subject,
};
use crate::experiments::{ExperimentError, Runs};
use run::Observer;

/// A scene that is run with many seeds.
pub struct Study {
    /// The scene. Its seed is not used.
    pub scene: Scene,
    /// A digest of its files.
    pub hash: String,
    /// When there are enough runs.
    pub convergence: Convergence,
    /// How many runs at most.
    pub seeds_max: u64,
    /// How many runs at once; all that the machine can, if not given.
    pub threads: Option<usize>,
    /// What the engine is called in results: results of another one are not used.
    pub engine: String,
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyRun {
    /// Which run it is.
    pub key: RunKey,
    /// What came of it, or why nothing did.
    pub result: Result<Evacuation, String>,
    /// How long it took, s. Unlike all other numbers, it differs from machine to machine.
    pub elapsed: f64,
}

/// How many runs there are at most, if nothing is said.
pub const SEEDS_MAX: u64 = 100;

impl Study {
    /// The study of the scene in a file.
    pub fn new(scene: Scene, folder: &Path, engine: String) -> Self {
        let subject = Subject::of_scene(&scene.name, scene.clone(), folder);
        Self {
            hash: subject.hash().into(),
            scene,
            convergence: Convergence::default(),
            seeds_max: SEEDS_MAX,
            threads: None,
            engine,
        }
    }

    /// Makes runs whose results are not in `store` yet, until there are enough.
    ///
    /// # Errors
    ///
    /// If the scene cannot be run at all, results cannot be kept, or `watch` says that it is enough. What was done
    /// until then is kept.
    pub fn run(&self, store: &Store, watch: BatchWatch) -> Result<Done, BatchError> {
        let at_once =
            self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        let mut all = Done::default();
        let mut runs: Vec<StudyRun> = Vec::new();
        loop {
            // What is there is looked at run by run, so that no more is made than is needed.
            while let Some(run) = self.load(store, runs.len() as u64) {
                runs.push(run);
                if self.is_enough(&runs) {
                    all.kept = runs.len().saturating_sub(all.ran);
                    return Ok(all);
                }
            }
            let first = runs.len() as u64;
            let block = first..self.seeds_max.min(first + at_once.max(1) as u64);
            let keys = block.map(|seed| self.key(seed));
            let (jobs, done) = work::missing::<StudyRun>(store, keys, |key, run| run.key == *key);
            all.damaged.extend(done.damaged);
            all.ran += jobs.len();
            let total = self.seeds_max as usize;
            let told = |progress: BatchProgress| {
                let done = progress.done;
                watch(BatchProgress { done, total, share: done as f64 / total.max(1) as f64 })
            };
            let done_before = runs.len();
            let work = Work { store, threads: self.threads, done_before, watch: &told };
            let jobs = jobs.into_iter().map(|key| (key, 1)).collect();
            match work.make(jobs, |key, runs| self.make(key, runs)) {
                Err(BatchError::Interrupted { .. }) => {
                    let done = (0..).take_while(|seed| self.load(store, *seed).is_some()).count();
                    return Err(BatchError::Interrupted { done, total });
                }
                made => made?,
            }
        }
    }

    /// The runs that are there and count: no more than were needed.
    pub fn runs(&self, store: &Store) -> Vec<StudyRun> {
        let mut runs = Vec::new();
        while let Some(run) = self.load(store, runs.len() as u64) {
            runs.push(run);
            if self.is_enough(&runs) {
                break;
            }
        }
        runs
    }

    /// What came of the runs that are there.
    pub fn report(&self, store: &Store) -> Report {
        Report::of(self, &self.runs(store))
    }

    /// Whether no more runs are needed: nothing changes any more, there are as many as wanted, or none of the first ten
    /// has an end.
    fn is_enough(&self, runs: &[StudyRun]) -> bool {
        const HOPELESS: usize = 10;
        let curves: Vec<Vec<f64>> = complete(runs).map(Evacuation::curve).collect();
        runs.len() as u64 >= self.seeds_max
            || (runs.len() >= HOPELESS && curves.is_empty())
            || self.convergence.reached(&Convergence::changes(&curves)).is_some()
    }

    fn key(&self, seed: u64) -> RunKey {
        let settings = &self.scene.settings;
        RunKey {
            scenario: self.scene.name.replace(['\n', '\r'], " "),
            hash: self.hash.clone(),
            model: Model::OfScene.to_string(),
            seed,
            engine: self.engine.clone(),
            options: format!("evacuation 1, step {} s, {} s", settings.step, settings.duration),
        }
    }

    fn load(&self, store: &Store, seed: u64) -> Option<StudyRun> {
        let key = self.key(seed);
        match store.load::<StudyRun>(&key) {
            Kept::Done(run) if run.key == key && seed < self.seeds_max => Some(run),
            Kept::Done(_) | Kept::Missing | Kept::Damaged(_) => None,
        }
    }

    fn make(&self, key: &RunKey, runs: &Runs) -> Result<StudyRun, BatchError> {
        let begun = Instant::now();
        let mut scene = self.scene.clone();
        scene.settings.seed = key.seed;
        let mut observer = Observer::new(&self.scene);
        let result = match runs.simulate(scene, |frame| observer.note(frame)) {
            Ok(()) => Ok(observer.finish()),
            Err(ExperimentError::Interrupted) => {
                return Err(BatchError::Interrupted { done: 0, total: 0 });
            }
            Err(ExperimentError::Threads(why)) => return Err(BatchError::Threads(why)),
            // With one seed people may find no room where with another they do.
            Err(error) => Err(error.to_string()),
        };
        Ok(StudyRun { key: key.clone(), result, elapsed: begun.elapsed().as_secs_f64() })
    }
}

/// The runs in which everybody was out in the end.
fn complete(runs: &[StudyRun]) -> impl Iterator<Item = &Evacuation> {
    let of_run = |run: &'_ StudyRun| -> Option<()> { run.result.as_ref().ok()?.total().map(drop) };
    runs.iter().filter(move |run| of_run(run).is_some()).filter_map(|run| run.result.as_ref().ok())
}
