//! A suite in a folder: many runs, several at once, none of them lost or made twice.
//!
//! A run is one measure with one model and seed, and its result is a file of a [`Store`], as with batches of
//! scenarios. Tests are judged from these files when all is done, or before. Both suites can share a
//! folder: what both measure is measured once.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use throng::place::FileError;

use super::bench::Bench;
use super::report::SuiteReport;
use super::scenes::RIMEA_SCENES;
use super::suite::{Plan, Suite};
use crate::batch::work::{self, Work};
use crate::batch::{BatchError, BatchWatch, Done, Kept, RunKey, Store, digest, write_whole};
use crate::experiments::{ExperimentError, Runs, Setup, Steering};

/// The version of what a folder says about its suites.
const FORMAT: u32 = 1;

/// A suite to run with some models and seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteBatch {
    /// Which suite.
    pub suite: Suite,
    /// Numbers of the tests to run; none for all.
    pub tests: Vec<String>,
    /// The models, seeds and step.
    pub setup: Setup,
    /// How many runs at once; all that the machine can, if not given.
    pub threads: Option<usize>,
    /// What the engine is called in results, as for [`Batch`](crate::batch::Batch): results of another one
    /// are not used.
    pub engine: String,
    /// Which scenes the tests have: those of this build, [`scenes_digest`], unless results of another one are
    /// read. Results of other scenes are not used.
    pub scenes: String,
}

/// A digest of the scenes that tests of this build have.
pub fn scenes_digest() -> String {
    let texts: Vec<&[u8]> = RIMEA_SCENES.iter().map(|(_, text)| text.as_bytes()).collect();
    digest(&texts)
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteRun {
    /// Which run it is.
    pub key: RunKey,
    /// What was measured, or why nothing was.
    numbers: Result<Vec<Number>, String>,
    /// How long it took, s. Unlike all other numbers, it differs from machine to machine.
    pub elapsed: f64,
}

impl SuiteRun {
    /// What came of a run that took so long, s.
    pub(crate) fn new(key: RunKey, numbers: Result<Vec<f64>, String>, elapsed: f64) -> Self {
        let numbers = numbers.map(|numbers| numbers.into_iter().map(Number::of).collect());
        Self { key, numbers, elapsed }
    }

    /// What was measured, or why nothing was.
    pub fn numbers(&self) -> Result<Vec<f64>, String> {
        let numbers = self.numbers.as_ref().map_err(Clone::clone)?;
        Ok(numbers.iter().map(Number::value).collect())
    }
}

/// A number that may be none or endless, which JSON has no numbers for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Other(String),
}

impl Number {
    fn of(value: f64) -> Self {
        if value.is_finite() { Self::Finite(value) } else { Self::Other(value.to_string()) }
    }

    fn value(&self) -> f64 {
        match self {
            Self::Finite(value) => *value,
            Self::Other(text) => text.parse().unwrap_or(f64::NAN),
        }
    }
}

/// What a folder says about a suite in it.
#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    engine: String,
    scenes: String,
    tests: Vec<String>,
    models: Vec<String>,
    seeds: u32,
    step: f64,
}

impl SuiteBatch {
    /// Whether it can be run: there are models, numbers make sense, and tests are of the suite.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn check(&self) -> Result<(), BatchError> {
        self.plan().map(drop)
    }

    /// Makes all runs whose results are not in `store` yet.
    ///
    /// A run that fails, for instance because a model cannot steer somebody, is a result like others.
    ///
    /// # Errors
    ///
    /// If there is nothing to run, results cannot be kept, or `watch` says that it is enough. What was done
    /// until then is kept.
    pub fn run(&self, store: &Store, watch: BatchWatch) -> Result<Done, BatchError> {
        let plan = self.plan()?;
        self.save(store)?;
        let keys: Vec<RunKey> = self.keys(&plan).collect();
        let is_enough = |_: &RunKey, run: &SuiteRun| run.key.options == self.options();
        let (jobs, mut done) = work::missing(store, keys.iter().cloned(), is_enough);
        done.ran = jobs.len();
        let effort = |key: &RunKey| {
            let measure = plan.measures.iter().find(|measure| measure.name == key.scenario);
            measure.map_or(1, |measure| measure.effort)
        };
        let jobs = jobs.into_iter().map(|key| (effort(&key), key)).map(|(e, key)| (key, e));
        let work = Work { store, threads: self.threads, done_before: done.kept, watch };
        match work.make(jobs.collect(), |key, runs| self.measure(&plan, key, runs)) {
            Err(BatchError::Interrupted { .. }) => {
                Err(work::interrupted::<SuiteRun>(store, keys.into_iter()))
            }
            made => made.map(|()| done),
        }
    }

    /// What comes of the runs that are there.
    ///
    /// # Errors
    ///
    /// If there is no such test, or nothing to run.
    pub fn report(&self, store: &Store) -> Result<SuiteReport, BatchError> {
        let plan = self.plan()?;
        let numbers = |model: usize, measure: usize, seed: u32| {
            let key = self.key(&self.setup.models[model], plan.measures[measure].name, seed);
            match store.load::<SuiteRun>(&key) {
                Kept::Done(run) => Some(run.numbers()),
                Kept::Missing | Kept::Damaged(_) => None,
            }
        };
        Ok(plan.report(&self.setup, numbers))
    }

    /// The runs that are there: by model, then by measure, then by seed.
    ///
    /// # Errors
    ///
    /// As for [`SuiteBatch::report`].
    pub fn runs(&self, store: &Store) -> Result<Vec<SuiteRun>, BatchError> {
        let plan = self.plan()?;
        let kept = |key| match store.load(&key) {
            Kept::Done(run) => Some(run),
            Kept::Missing | Kept::Damaged(_) => None,
        };
        Ok(self.keys(&plan).filter_map(kept).collect())
    }

    /// The suite that a folder was last used for; `None` if it was used for none of this name.
    ///
    /// # Errors
    ///
    /// If what the folder says about it cannot be read.
    pub fn read(store: &Store, suite: Suite) -> Result<Option<Self>, BatchError> {
        let path = store.folder().join(manifest_name(suite));
        let refused =
            |reason: String| BatchError::NoMatrix { path: path.display().to_string(), reason };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(error.to_string())),
        };
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(refused(format!("it has format {}, not {FORMAT}", manifest.format)));
        }
        let model = |name: &String| name.parse().map_err(|error| refused(format!("{error}")));
        let models: Result<Vec<Steering>, BatchError> = manifest.models.iter().map(model).collect();
        let setup = Setup { models: models?, seeds: manifest.seeds, step: manifest.step };
        setup.check().map_err(|error| refused(error.to_string()))?;
        let Manifest { tests, engine, scenes, .. } = manifest;
        let batch = Self { suite, tests, setup, threads: None, engine, scenes };
        batch.plan().map_err(|error| refused(error.to_string()))?;
        Ok(Some(batch))
    }

    fn save(&self, store: &Store) -> Result<(), BatchError> {
        let path = store.folder().join(manifest_name(self.suite));
        let manifest = Manifest {
            format: FORMAT,
            engine: self.engine.clone(),
            scenes: self.scenes.clone(),
            tests: self.tests.clone(),
            models: self.setup.models.iter().map(ToString::to_string).collect(),
            seeds: self.setup.seeds,
            step: self.setup.step,
        };
        let text = serde_json::to_string_pretty(&manifest).map_err(FileError::write(&path))?;
        Ok(write_whole(&path, &(text + "\n"))?)
    }

    fn plan(&self) -> Result<Plan, BatchError> {
        self.setup.check().map_err(BatchError::Suite)?;
        Plan::new(self.suite, &self.tests).map_err(BatchError::Suite)
    }

    fn keys<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = RunKey> + 'a {
        let mut known: Vec<&Steering> = Vec::new();
        for model in &self.setup.models {
            if !known.contains(&model) {
                known.push(model);
            }
        }
        let measures = move |model| plan.measures.iter().map(move |measure| (model, measure));
        known.into_iter().flat_map(measures).flat_map(move |(model, measure)| {
            (0..self.setup.seeds).map(move |seed| self.key(model, measure.name, seed))
        })
    }

    fn key(&self, model: &Steering, measure: &str, seed: u32) -> RunKey {
        RunKey {
            scenario: measure.into(),
            hash: self.scenes.clone(),
            model: model.to_string(),
            seed: seed.into(),
            engine: self.engine.clone(),
            options: self.options(),
        }
    }

    fn options(&self) -> String {
        options_of(self.setup.step)
    }

    fn measure(&self, plan: &Plan, key: &RunKey, runs: &Runs) -> Result<SuiteRun, BatchError> {
        let measure = plan.measures.iter().find(|measure| measure.name == key.scenario);
        let steering = self.setup.models.iter().find(|model| model.to_string() == key.model);
        let (Some(measure), Some(steering)) = (measure, steering) else {
            let none = Err("the suite has no such measure or model".into());
            return Ok(SuiteRun::new(key.clone(), none, 0.0));
        };
        let bench = Bench { steering, seed: key.seed as u32, step: self.setup.step, runs };
        timed(key, || (measure.of)(&bench))
    }
}

/// The run of a measure, with how long it took. What ends the whole batch is an error, what is wrong with this run a result.
pub(crate) fn timed(
    key: &RunKey,
    measure: impl FnOnce() -> Result<Vec<f64>, ExperimentError>,
) -> Result<SuiteRun, BatchError> {
    let begun = Instant::now();
    let numbers = match measure() {
        Ok(numbers) => Ok(numbers),
        Err(ExperimentError::Interrupted) => {
            return Err(BatchError::Interrupted { done: 0, total: 0 });
        }
        Err(ExperimentError::Threads(why)) => return Err(BatchError::Threads(why)),
        Err(error) => Err(error.to_string()),
    };
    Ok(SuiteRun::new(key.clone(), numbers, begun.elapsed().as_secs_f64()))
}

/// How tests are measured, as part of the keys of their runs.
pub(super) fn options_of(step: f64) -> String {
    format!("step {step} s")
}

fn manifest_name(suite: Suite) -> String {
    format!("{}-runs.json", suite.name())
}
