//! What came of a calibration, in numbers.

use std::fmt;

use serde::Serialize;

use super::run::{Calibration, Candidate};
use super::target::TargetResult;
use crate::experiments::Steering;
use crate::statistics::quantile;
use crate::verification::Outcome;

/// What came of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationReport {
    /// The model with the parameters that were found.
    pub best: Steering,
    /// The same as a scene has it.
    pub scene: String,
    /// The model that it is compared with: its defaults, but for values that stay as they are.
    pub default: Steering,
    /// What the plan says that it has found before.
    pub found: Option<Steering>,
    /// Version and build of the engine.
    pub engine: String,
    /// Whether the search had converged, and did not only run out of generations.
    pub converged: bool,
    /// What the candidates derive from.
    pub seed: u64,
    /// How many candidates each generation has.
    pub population: usize,
    /// Seeds to train with.
    pub training_seeds: Vec<u64>,
    /// Seeds that were held out.
    pub held_out_seeds: Vec<u64>,
    /// Objectives of the defaults: in training, and held out.
    pub default_objective: [f64; 2],
    /// Objectives of the best parameters, likewise.
    pub best_objective: [f64; 2],
    /// The parameters.
    pub parameters: Vec<CalibratedParameter>,
    /// The targets.
    pub targets: Vec<TargetRow>,
    /// How the search went.
    pub generations: Vec<Generation>,
    /// Every candidate and its generation.
    #[serde(skip)]
    pub candidates: Vec<(u32, Candidate)>,
}

/// A parameter that was calibrated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibratedParameter {
    /// Its name.
    pub name: &'static str,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// What it means.
    pub description: &'static str,
    /// The smallest value that it may have.
    pub low: f32,
    /// The largest one.
    pub high: f32,
    /// The value that the model has without.
    pub default: f32,
    /// The value that was found.
    pub best: f32,
}

impl CalibratedParameter {
    /// Whether the value that was found is at an end of the range, so that a better one may lie beyond it.
    pub fn is_at_an_end(&self) -> bool {
        let margin = 0.01 * (self.high - self.low);
        self.best < self.low + margin || self.best > self.high - margin
    }
}

/// What came of a target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TargetRow {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// What is expected.
    pub expected: String,
    /// How much it counts.
    pub weight: f64,
    /// With the defaults: in training, and held out.
    pub default: [TargetResult; 2],
    /// With the best parameters, likewise.
    pub best: [TargetResult; 2],
}

/// A generation of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generation {
    /// Which one, from 1.
    pub generation: u32,
    /// The least objective of its candidates.
    pub least: f64,
    /// The median of their objectives.
    pub median: f64,
    /// The least of all until now, the defaults included.
    pub best: f64,
    /// The model that has it.
    pub best_model: Steering,
    /// Standard deviation of the distribution that it was drawn from along its longest axis, as a share of the ranges.
    pub spread: f64,
}

impl Generation {
    pub(super) fn of(generation: u32, values: &[f64], best: &Candidate, spread: f64) -> Self {
        Self {
            generation,
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            median: quantile(values, 0.5).unwrap_or(f64::NAN),
            best: best.objective,
            best_model: best.steering.clone(),
            spread,
        }
    }
}

impl CalibrationReport {
    pub(super) fn of(
        calibration: &Calibration,
        default: [&Candidate; 2],
        best: [&Candidate; 2],
        generations: Vec<Generation>,
        candidates: Vec<(u32, Candidate)>,
    ) -> Self {
        let plan = &calibration.plan;
        let value = |of: &Candidate, name: &str| of.steering.parameter(name).unwrap_or(f32::NAN);
        let parameters = plan.parameters.iter().map(|parameter| CalibratedParameter {
            name: parameter.info.name,
            unit: parameter.info.unit,
            description: parameter.info.description,
            low: parameter.low,
            high: parameter.high,
            default: value(default[0], parameter.info.name),
            best: value(best[0], parameter.info.name),
        });
        let result = |of: [&Candidate; 2], nth: usize| of.map(|of| of.results[nth].clone());
        let targets = plan.targets.iter().enumerate().map(|(nth, target)| TargetRow {
            name: target.name().into(),
            title: target.title(),
            expected: target.expected(),
            weight: target.weight,
            default: result(default, nth),
            best: result(best, nth),
        });
        Self {
            best: best[0].steering.clone(),
            scene: best[0].steering.toml(),
            default: default[0].steering.clone(),
            found: plan.found.clone(),
            engine: calibration.engine.clone(),
            converged: generations.len() < plan.generations as usize,
            seed: plan.seed,
            population: plan.population,
            training_seeds: plan.training.clone(),
            held_out_seeds: plan.held_out.clone(),
            default_objective: default.map(|of| of.objective),
            best_objective: best.map(|of| of.objective),
            parameters: parameters.collect(),
            targets: targets.collect(),
            generations,
            candidates,
        }
    }

    /// Whether it has found what the plan says, or the plan says nothing.
    pub fn is_as_found(&self) -> bool {
        self.found.as_ref().is_none_or(|found| *found == self.best)
    }

    /// What is to be known before the parameters are used.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.best == self.default {
            warnings.push("nothing better than the defaults was found; give it more generations, or wider ranges".into());
        } else if self.best_objective[1] >= self.default_objective[1] {
            warnings.push("on what was held out the parameters are no better than the defaults; train with more seeds".into());
        }
        for parameter in self.parameters.iter().filter(|_| self.best != self.default) {
            if parameter.is_at_an_end() {
                let CalibratedParameter { name, best, low, high, .. } = parameter;
                warnings.push(format!(
                    "{name} is {best}, at an end of its range of {low} to {high}; a better value may lie beyond"
                ));
            }
        }
        warnings
    }
}

/// Counts of passed targets in training and held out, as "3 of 4".
pub(crate) fn passed(
    report: &CalibrationReport,
    of: fn(&TargetRow) -> &[TargetResult; 2],
) -> [String; 2] {
    [0, 1].map(|side| {
        let is_met =
            |row: &&TargetRow| matches!(of(row)[side].outcome, Outcome::Pass | Outcome::Documented);
        let met = report.targets.iter().filter(is_met).count();
        format!("{met} of {}", report.targets.len())
    })
}

/// Numbers of seeds, with ranges where they follow one another: `0-2, 7`.
pub(crate) fn listed(seeds: &[u64]) -> String {
    let mut runs: Vec<[u64; 2]> = Vec::new();
    for &seed in seeds {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == seed => *last = seed,
            _ => runs.push([seed, seed]),
        }
    }
    let shown = |[first, last]: &[u64; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(shown).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for CalibrationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [default, best] = [self.default_objective, self.best_objective];
        writeln!(
            f,
            "{} with {} generations of {}{}",
            self.default,
            self.generations.len(),
            self.population,
            if self.converged { ", converged" } else { "" },
        )?;
        let sides = [listed(&self.training_seeds), listed(&self.held_out_seeds)];
        let heads = [format!("seeds {}", sides[0]), format!("held out {}", sides[1])];
        let width = heads.iter().map(String::len).max().unwrap_or_default().max(12);
        writeln!(f, "\n{:<20} {:<width$} {:<width$}", "objective", heads[0], heads[1])?;
        for (name, of) in [("default", default), ("calibrated", best)] {
            writeln!(f, "  {name:<18} {:<width$.4} {:<width$.4}", of[0], of[1])?;
        }
        writeln!(f, "\n{:<20} {:>9} {:>10}  range", "parameter", "default", "calibrated")?;
        for CalibratedParameter { name, unit, low, high, default, best, .. } in &self.parameters {
            let space = if unit.is_empty() { "" } else { " " };
            writeln!(f, "  {name:<18} {default:>9} {best:>10}  {low} to {high}{space}{unit}")?;
        }
        for row in &self.targets {
            writeln!(f, "\n{} {}; expected {}", row.name, row.title, row.expected)?;
            for (name, of) in [("default", &row.default), ("calibrated", &row.best)] {
                for (side, result) in ["training", "held out"].into_iter().zip(of) {
                    writeln!(
                        f,
                        "  {name:<10} {side:<8} {:<10} {:.3} off: {}",
                        result.outcome, result.distance, result.value
                    )?;
                }
            }
        }
        writeln!(f, "\n{}\nsteering = {}", self.best, self.scene)
    }
}
