//! A single test of any suite with any seeds, for those who look for better parameters.

use super::batch::{options_of, scenes_digest, timed};
use super::bench::{AnyMeasure, Bench};
use super::report::Check;
use super::suite::{Plan, Suite};
use super::{Numbers, SuiteRun};
use crate::batch::{BatchError, RunKey};
use crate::experiments::{Runs, Steering};

/// A test, by its number in any of the suites.
pub(crate) struct SingleTest {
    plan: Plan,
}

impl SingleTest {
    /// The test with this number, in whichever case it is written.
    pub fn find(id: &str) -> Option<Self> {
        Suite::ALL.into_iter().find_map(|suite| Some(Self { plan: Plan::new(suite, &[id]).ok()? }))
    }

    /// The numbers of all tests.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        Suite::ALL.into_iter().flat_map(Suite::ids)
    }

    /// Its number.
    pub fn id(&self) -> &'static str {
        self.plan.tests.first().map_or("", |test| test.id)
    }

    /// What it is about.
    pub fn title(&self) -> &'static str {
        self.plan.tests.first().map_or("", |test| test.title)
    }

    /// What is expected.
    pub fn expected(&self) -> &'static str {
        self.plan.tests.first().map_or("", |test| test.expected)
    }

    /// Names of what is measured for it.
    pub fn measures(&self) -> impl Iterator<Item = &'static str> {
        self.plan.measures.iter().map(|measure| measure.name)
    }

    /// About how much work a measure is, in the units of all measures.
    pub fn effort(&self, name: &str) -> u64 {
        self.measure(name).map_or(1, |measure| measure.effort)
    }

    /// The key of a run: the same as in the suite.
    pub fn key(name: &str, steering: &Steering, seed: u64, step: f64, engine: &str) -> RunKey {
        RunKey {
            scenario: name.into(),
            hash: scenes_digest(),
            model: steering.to_string(),
            seed,
            engine: engine.into(),
            options: options_of(step),
        }
    }

    /// Makes a run.
    pub fn run(
        &self,
        key: &RunKey,
        steering: &Steering,
        step: f64,
        runs: &Runs,
    ) -> Result<SuiteRun, BatchError> {
        let Some(measure) = self.measure(&key.scenario) else {
            let none = Err("the test has no such measure".into());
            return Ok(SuiteRun::new(key.clone(), none, 0.0));
        };
        timed(key, || (measure.of)(&Bench { steering, seed: key.seed as u32, step, runs }))
    }

    /// What comes of the numbers of each of its measures with each seed; nothing without a test.
    pub fn check(&self, runs: &[Vec<Numbers>]) -> Option<Check> {
        self.plan.tests.first().map(|test| self.plan.check(test, runs))
    }

    fn measure(&self, name: &str) -> Option<&AnyMeasure> {
        self.plan.measures.iter().find(|measure| measure.name == name)
    }
}
