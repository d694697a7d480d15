//! The suites: which tests they have, what these measure, and what comes of the numbers.

use std::collections::BTreeMap;
use std::fmt;

use throng_base::named_enum;

use super::bench::{AnyMeasure, Test, Verdict};
use super::grade::Grade;
use super::record::{Quantity, over_seeds};
use super::report::{Check, Outcome, SuiteReport};
use super::{realism_suite, rimea_suite};
use crate::experiments::{ExperimentError, Setup};

named_enum! {
    /// A suite of tests.
    pub enum Suite {
        /// The tests of the RiMEA guideline.
        Rimea = "rimea",
        /// The scorecard of realism.
        Realism = "realism",
    }
}

impl Suite {
    /// What it is called for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rimea => "RiMEA",
            Self::Realism => "realism",
        }
    }

    /// The numbers of its tests, in their order.
    pub fn ids(self) -> impl Iterator<Item = &'static str> {
        self.tests().iter().map(|test| test.id)
    }

    /// Everything that it measures, by the name of the measure, with the path and the quantity of each value.
    /// Values have the numbers of `NAME-numbers.csv`.
    pub fn quantities(self) -> BTreeMap<&'static str, Vec<(String, Quantity)>> {
        let measures = self.tests().iter().flat_map(|test| test.judge.measures());
        measures.map(|measure| (measure.name, (measure.quantities)())).collect()
    }

    pub(super) fn tests(self) -> &'static [Test] {
        match self {
            Self::Rimea => rimea_suite::TESTS,
            Self::Realism => realism_suite::CHECKS,
        }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

/// What came of a measure with one model and seed: its numbers, why there are none, or nothing yet.
pub(crate) type Numbers = Option<Result<Vec<f64>, String>>;

/// Some tests of a suite, and what has to be measured for them, each once.
pub(super) struct Plan {
    pub suite: Suite,
    pub tests: Vec<Test>,
    pub measures: Vec<AnyMeasure>,
}

impl Plan {
    /// Those tests whose names are in `ids`, or all if there are none.
    pub fn new(suite: Suite, ids: &[impl AsRef<str>]) -> Result<Self, ExperimentError> {
        let is = |id: &str, test: &Test| test.id.eq_ignore_ascii_case(id.trim());
        for id in ids.iter().map(AsRef::as_ref) {
            if !suite.tests().iter().any(|test| is(id, test)) {
                return Err(ExperimentError::OutOfRange {
                    what: "a test of the suite",
                    given: id.into(),
                    expected: match suite {
                        Suite::Rimea => "the number of one: 1 to 16, 12a to 12d or 13v3",
                        Suite::Realism => "the number of one: V01 to V12, L01 to L11 or R01 to R05",
                    },
                });
            }
        }
        let chosen = |test: &&Test| ids.is_empty() || ids.iter().any(|id| is(id.as_ref(), test));
        let tests: Vec<Test> = suite.tests().iter().filter(chosen).copied().collect();
        let mut measures: Vec<AnyMeasure> = Vec::new();
        for measure in tests.iter().flat_map(|test| test.judge.measures()) {
            if !measures.iter().any(|known| known.name == measure.name) {
                measures.push(measure);
            }
        }
        Ok(Self { suite, tests, measures })
    }

    /// What comes of the numbers of each model (by index), measure (by index) and seed.
    pub fn report(
        &self,
        setup: &Setup,
        numbers: impl Fn(usize, usize, u32) -> Numbers,
    ) -> SuiteReport {
        let runs = |model: usize| {
            let seeds = |measure: usize| -> Vec<Numbers> {
                (0..setup.seeds).map(|seed| numbers(model, measure, seed)).collect()
            };
            (0..self.measures.len()).map(seeds).collect::<Vec<_>>()
        };
        let (mut rows, mut missing) = (Vec::new(), 0);
        for (index, model) in setup.models.iter().enumerate() {
            let runs = runs(index);
            missing += runs.iter().flatten().filter(|run| run.is_none()).count();
            let check = |test: &Test| self.check(test, &runs);
            rows.push((model.clone(), self.tests.iter().map(check).collect()));
        }
        SuiteReport {
            suite: self.suite.title(),
            seeds: setup.seeds,
            step: setup.step,
            missing,
            rows,
        }
    }

    pub fn check(&self, test: &Test, runs: &[Vec<Numbers>]) -> Check {
        let (mut spreads, mut fewest) = (Vec::new(), usize::MAX);
        for measure in test.judge.measures() {
            let index = self.measures.iter().position(|known| known.name == measure.name);
            let runs = index.map_or(&[][..], |index| &runs[index]);
            let mut seeds = Vec::new();
            for (seed, run) in runs.iter().enumerate() {
                match run {
                    Some(Ok(numbers)) if numbers.len() == measure.count => {
                        seeds.push(numbers.clone());
                    }
                    Some(Ok(_)) | None => {}
                    Some(Err(why)) => {
                        let broken = Grade::worst_of(Outcome::Broken);
                        let verdict = Verdict::new(broken, "cannot be run".into());
                        return test.check(verdict.with(format!("seed {seed}: {why}")));
                    }
                }
            }
            fewest = fewest.min(seeds.len());
            spreads.extend(over_seeds(&seeds));
        }
        let all = runs.iter().map(Vec::len).max().unwrap_or_default();
        match fewest {
            0 | usize::MAX => {
                let missing = Grade::worst_of(Outcome::Missing);
                test.check(Verdict::new(missing, "not run yet".into()))
            }
            _ if fewest == all => test.judged(spreads),
            _ => {
                let mut check = test.judged(spreads);
                let so_far = format!("{fewest} of {all} seeds so far");
                check.detail = match check.detail.as_str() {
                    "" => so_far,
                    detail => format!("{so_far}; {detail}"),
                };
                check
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_one_name_each_and_tests_one_number() {
        let mut known: Vec<AnyMeasure> = Vec::new();
        for suite in Suite::ALL {
            let mut ids: Vec<&str> = suite.ids().collect();
            ids.sort_unstable();
            assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
            for measure in suite.tests().iter().flat_map(|test| test.judge.measures()) {
                match known.iter().find(|other| other.name == measure.name) {
                    Some(other) => assert_eq!((other.quantities)(), (measure.quantities)()),
                    None => known.push(measure),
                }
            }
        }
        for measure in known {
            assert_eq!((measure.quantities)().len(), measure.count, "{}", measure.name);
        }
        assert_eq!((Suite::Rimea.tests().len(), Suite::Realism.tests().len()), (21, 28));
    }

    #[test]
    fn what_is_not_there_and_what_cannot_be_run_is_told() {
        let plan = Plan::new(Suite::Rimea, &["1", "2", "3"]).unwrap();
        let setup = Setup { models: vec!["orca".parse().unwrap()], seeds: 2, step: 0.05 };
        let report = plan.report(&setup, |_, measure, seed| match (measure, seed) {
            (0, 0) => Some(Ok(vec![30.0, 30.0])),
            (1, _) => None,
            (2, 1) => Some(Err("no room".into())),
            _ => Some(Ok(vec![30.0; plan.measures[measure].count])).filter(|_| measure == 2),
        });
        let checks = &report.rows[0].1;
        let outcomes: Vec<Outcome> = checks.iter().map(|check| check.outcome).collect();
        assert_eq!(outcomes, [Outcome::Pass, Outcome::Missing, Outcome::Broken]);
        assert!(checks[0].detail.starts_with("1 of 2 seeds so far"), "{checks:?}");
        assert_eq!(checks[2].detail, "seed 1: no room");
        assert_eq!(report.missing, 3);
        assert!(report.to_string().ends_with("3 runs are missing\n"), "{report}");
    }
}
