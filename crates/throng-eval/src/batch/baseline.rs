//! Numbers that were agreed on, and whether those of today are still the same.
//!
//! Runs are reproducible: the same engine gives the same numbers. A change of the engine that is not
//! meant to change how people walk therefore changes none of them, and one that is meant to should show
//! what it does to them. Whether people arrive, collide and meet the criteria must stay exactly as
//! agreed. Scores may differ by half a percent, which leaves room for other processors and compilers
//! rounding in another way over hundreds of steps, and for nothing that anybody would see.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throng::place::FileError;

use super::store::write_whole;
use super::{BatchError, Results, Run};
use crate::score::Technique;

/// Scores may differ by this part of them.
pub const TOLERANCE: f64 = 0.005;
const FORMAT: u32 = 1;
/// The most differences that are told one by one.
const MOST_TOLD: usize = 40;

/// Agreed numbers of the runs of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    format: u32,
    /// By scenario, model and seed, as `"squeeze orca 0"`.
    runs: BTreeMap<String, Agreed>,
}

/// What was agreed on for a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreed {
    /// A digest of the scenario.
    pub scenario: String,
    /// Why there is no score, if the run failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The share of people who came to the end.
    pub completion: f64,
    /// Collisions of all people.
    pub collisions: u64,
    /// Criteria that do not hold.
    pub failed_criteria: Vec<String>,
    /// Scores by technique.
    pub scores: BTreeMap<String, f64>,
}

/// Something that is not as agreed.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The run.
    pub run: String,
    /// What about it, as it was agreed and as it is.
    pub what: String,
}

/// How results compare with what was agreed on.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How many runs were compared.
    pub runs: usize,
    /// What differs, by run.
    pub differences: Vec<Difference>,
}

impl Baseline {
    /// The numbers of these results.
    pub fn of(results: &Results) -> Self {
        let runs = results.runs.iter().map(|run| (name(results, run), agreed(results, run)));
        Self { format: FORMAT, runs: runs.collect() }
    }

    /// Reads agreed numbers.
    ///
    /// # Errors
    ///
    /// If there are none, or they were written by another version.
    pub fn read(path: &Path) -> Result<Self, BatchError> {
        let text = std::fs::read_to_string(path).map_err(FileError::io("read", path))?;
        let refused =
            |reason: String| BatchError::NoBaseline { path: path.display().to_string(), reason };
        let baseline: Self =
            serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        match baseline.format {
            FORMAT => Ok(baseline),
            other => Err(refused(format!("it has format {other}, not {FORMAT}"))),
        }
    }

    /// Writes them, in place of those that may be there.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BatchError> {
        let text = serde_json::to_string_pretty(self).map_err(FileError::write(path))?;
        Ok(write_whole(path, &(text + "\n"))?)
    }

    /// Compares results with them.
    pub fn compare(&self, results: &Results) -> Comparison {
        let now = Self::of(results);
        let mut differences = Vec::new();
        let mut differs =
            |run: &str, what: String| differences.push(Difference { run: run.into(), what });
        for (name, agreed) in &self.runs {
            match now.runs.get(name) {
                Some(run) => {
                    run.differences(agreed).into_iter().for_each(|what| differs(name, what));
                }
                None => differs(name, "was not run".into()),
            }
        }
        for name in now.runs.keys().filter(|name| !self.runs.contains_key(*name)) {
            differs(name, "has no agreed numbers yet".into());
        }
        Comparison { runs: now.runs.len(), differences }
    }
}

impl Agreed {
    /// What is not as it was `agreed`.
    fn differences(&self, agreed: &Self) -> Vec<String> {
        if self.scenario != agreed.scenario {
            return vec!["the scenario is another one than that of the agreed numbers".into()];
        }
        let mut told = Vec::new();
        let mut exact = |what: &str, was: String, is: String| {
            if was != is {
                told.push(format!("{what} was {was}, is {is}"));
            }
        };
        let or_none = |text: String| if text.is_empty() { "none".into() } else { text };
        exact(
            "failure",
            or_none(agreed.failure.clone().unwrap_or_default()),
            or_none(self.failure.clone().unwrap_or_default()),
        );
        exact("completion", agreed.completion.to_string(), self.completion.to_string());
        exact("collisions", agreed.collisions.to_string(), self.collisions.to_string());
        exact(
            "failed criteria",
            or_none(agreed.failed_criteria.join("; ")),
            or_none(self.failed_criteria.join("; ")),
        );
        for (technique, &was) in &agreed.scores {
            match self.scores.get(technique) {
                Some(&is) if (is - was).abs() <= TOLERANCE * was.abs() => {}
                Some(&is) if was == 0.0 => told.push(format!("{technique} was 0, is {is:.4}")),
                Some(&is) => {
                    let percent = (is - was) / was * 100.0;
                    told.push(format!("{technique} was {was:.4}, is {is:.4} ({percent:+.2} %)"));
                }
                None => told.push(format!("there is no score by {technique}")),
            }
        }
        told
    }
}

fn name(results: &Results, run: &Run) -> String {
    let key = &run.record.key;
    format!("{} {} {}", results.scenario(run).name, key.model, key.seed)
}

fn agreed(results: &Results, run: &Run) -> Agreed {
    let failed = run.verdicts().iter().filter(|verdict| !verdict.passed);
    let score = |technique: Technique| {
        // Six digits are enough to compare by, and pleasant to read in a change.
        let total = run.total(technique).filter(|total| total.is_finite())?;
        Some((technique.to_string(), format!("{total:.6}").parse().unwrap_or(total)))
    };
    Agreed {
        scenario: results.scenario(run).hash.clone(),
        failure: run.failure().map(Into::into),
        completion: format!("{:.6}", run.completion()).parse().unwrap_or(run.completion()),
        collisions: run.collisions(),
        failed_criteria: failed.map(|verdict| verdict.criterion.clone()).collect(),
        scores: Technique::ALL.into_iter().filter_map(score).collect(),
    }
}

impl fmt::Display for Comparison {
    /// A line for each run that differs, each after a line break but the first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.differences.is_empty() {
            return write!(f, "{} runs are as agreed", self.runs);
        }
        for (index, Difference { run, what }) in self.differences.iter().enumerate() {
            match index {
                0 => write!(f, "{run}: {what}")?,
                MOST_TOLD => return write!(f, "\nand {} more", self.differences.len() - MOST_TOLD),
                _ => write!(f, "\n{run}: {what}")?,
            }
        }
        Ok(())
    }
}
