//! What came of a suite: a check per test and model, as a table and as data.

use std::fmt;

use serde::Serialize;
use throng_base::named_enum;

use super::grade::Misfit;
use super::record::Estimate;
use crate::experiments::Steering;

named_enum! {
    /// How a check came out.
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Outcome {
        /// As expected.
        Pass = "pass",
        /// The guideline asks for documentation only.
        Documented = "documented",
        /// Not as expected, but within one and a half times the range.
        Warn = "warn",
        /// Not as expected.
        Fail = "fail",
        /// It cannot be run with the model.
        Broken = "broken",
        /// Not run yet.
        Missing = "missing",
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(if *self == Self::Fail { "FAIL" } else { self.name() })
    }
}

/// One test of one model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Its number in its suite: `12a`, `V01`.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where test and expectation are from.
    pub source: &'static str,
    /// How it came out.
    pub outcome: Outcome,
    /// How far the values are from what is expected, for those who improve a model.
    #[serde(skip)]
    pub misfit: Misfit,
    /// What was measured: the mean over the seeds, with its standard deviation.
    pub value: String,
    /// What is expected.
    pub expected: &'static str,
    /// What else is worth knowing; empty if nothing is.
    pub detail: String,
    /// The same as a picture, where one says more.
    pub plot: Option<Plot>,
}

/// Numbers that depend on something, beside what is expected of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plot {
    /// What they depend on, with its unit.
    pub x: &'static str,
    /// What they are, with their unit.
    pub y: &'static str,
    /// What was measured.
    pub curves: Vec<Curve>,
    /// What is expected: from where, for each x, to where.
    pub band: Vec<[f64; 3]>,
    /// What the band is.
    pub expected: &'static str,
}

/// Some numbers of a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// What tells it from others; empty if there is one.
    pub name: &'static str,
    /// For each x, the mean over the seeds and its standard deviation.
    pub points: Vec<[f64; 3]>,
}

impl Plot {
    /// A plot without an expectation and without curves.
    pub(crate) fn new(x: &'static str, y: &'static str) -> Self {
        Self { x, y, curves: Vec::new(), band: Vec::new(), expected: "" }
    }

    /// With another curve. Numbers that are none or endless are left out.
    pub(super) fn curve<'e>(
        mut self,
        name: &'static str,
        points: impl IntoIterator<Item = (f64, &'e Estimate)>,
    ) -> Self {
        let known = |(x, y): &(f64, &Estimate)| x.is_finite() && y.is_finite();
        let points = points.into_iter().filter(known).map(|(x, y)| [x, y.mean(), y.sd()]).collect();
        self.curves.push(Curve { name, points });
        self
    }

    /// With what is expected.
    pub(crate) fn expecting(
        mut self,
        expected: &'static str,
        band: impl IntoIterator<Item = (f64, [f64; 2])>,
    ) -> Self {
        self.expected = expected;
        self.band = band.into_iter().map(|(x, [low, high])| [x, low, high]).collect();
        self
    }
}

/// A suite of tests of some models.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteReport {
    /// Which suite.
    pub suite: &'static str,
    /// Over how many seeds each number is the mean.
    pub seeds: u32,
    /// Time between two states of the simulations, s.
    pub step: f64,
    /// How many runs are not there yet.
    pub missing: usize,
    /// Each model and its checks.
    pub rows: Vec<(Steering, Vec<Check>)>,
}

impl SuiteReport {
    /// How many checks of a row came out so.
    pub fn count(checks: &[Check], outcome: Outcome) -> usize {
        checks.iter().filter(|check| check.outcome == outcome).count()
    }

    /// How many checks of a row have been judged.
    pub fn judged(checks: &[Check]) -> usize {
        checks.len()
            - Self::count(checks, Outcome::Documented)
            - Self::count(checks, Outcome::Missing)
    }
}

impl fmt::Display for SuiteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (model, checks)) in self.rows.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let count = |outcome| Self::count(checks, outcome);
            writeln!(
                f,
                "{} with {model}, {} seed{}, step {} s: {} of {} passed, {} warned, {} failed, {} documented",
                self.suite,
                self.seeds,
                if self.seeds == 1 { "" } else { "s" },
                self.step,
                count(Outcome::Pass),
                Self::judged(checks),
                count(Outcome::Warn),
                count(Outcome::Fail),
                count(Outcome::Documented),
            )?;
            let title = checks.iter().map(|check| check.title.chars().count()).max().unwrap_or(0);
            for check in checks {
                write!(
                    f,
                    "{:<4} {:<title$} {:<10} {}; expected {}",
                    check.id, check.title, check.outcome, check.value, check.expected
                )?;
                match check.detail.as_str() {
                    "" => writeln!(f)?,
                    detail => writeln!(f, "; {detail}")?,
                }
            }
        }
        match self.missing {
            0 => Ok(()),
            1 => writeln!(f, "1 run is missing"),
            missing => writeln!(f, "{missing} runs are missing"),
        }
    }
}
