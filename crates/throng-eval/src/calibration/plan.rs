//! Plans: what is calibrated to what, as written in a file, and when it has been found to make sense.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use throng::crowd::steering::{MODELS, ModelInfo, ParameterInfo};
use throng_base::words::nearest;

use super::cma::Search;
use super::target::Target;
use crate::experiments::{Steering, SteeringError};

/// The version of plan files.
const FORMAT: u32 = 1;
/// Held-out seeds begin here if only their number is given.
const FIRST_HELD_OUT: u64 = 1000;
/// Seeds are numbers up to here.
const LARGEST_SEED: u64 = u32::MAX as u64;

/// A plan as it is written in a TOML file. What it leaves out has a default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// The version of the format, 1.
    #[serde(default)]
    pub format: Option<u32>,
    /// The model, with values of parameters that stay as they are: `orca` or `orca:time_horizon=3`.
    pub model: String,
    /// The targets by name: numbers of tests, situations, scene files, recordings. Paths are relative to the plan.
    #[serde(default)]
    pub to: Vec<String>,
    /// The parameters that may change, and between which values; none for all of the model's own.
    #[serde(default)]
    pub parameters: BTreeMap<String, ParameterRange>,
    /// Weights of targets by name; 1 if not given.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// Which seeds.
    #[serde(default)]
    pub seeds: SeedsFile,
    /// How long and how far to look.
    #[serde(default)]
    pub search: SearchFile,
    /// How recorded people are divided.
    #[serde(default)]
    pub tracks: TracksFile,
    /// The expected result, as the model with its parameters. A run that finds another one reports it as a failure.
    #[serde(default)]
    pub found: Option<String>,
    /// The folder that paths of targets are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Between which values a parameter may change, and where the search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterRange {
    /// The smallest value; that of the model if not given.
    pub min: Option<f32>,
    /// The largest value, likewise.
    pub max: Option<f32>,
    /// Where to begin; at the default, if not given.
    pub start: Option<f32>,
}

/// Which seeds are trained with and held out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedsFile {
    /// Three, from 0 on, if not given.
    pub training: Option<Seeds>,
    /// Five, from 1000 on, if not given.
    pub held_out: Option<Seeds>,
}

/// Some seeds: how many, or which.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number of seeds, e.g. 3, or a list of them, e.g. [0, 1, 2]"
)]
pub enum Seeds {
    /// So many, one after the other.
    Count(u64),
    /// These.
    List(Vec<u64>),
}

/// How long and how far to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchFile {
    /// How many generations; 20 if not given.
    pub generations: Option<u32>,
    /// How many candidates each has; 4 and three times the logarithm of the number of parameters if not given.
    pub population: Option<u32>,
    /// Standard deviation of the first generation, as a share of each range; 0.25 if not given.
    pub sigma: Option<f64>,
    /// What the candidates derive from; 1 if not given.
    pub seed: Option<u64>,
    /// Weight of how far values are from the middle of their ranges, beside how far they are outside; 0.01 if not given.
    pub centring: Option<f64>,
}

/// How recorded people are divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TracksFile {
    /// The share of them that is held out; half if not given.
    pub held_out_people: Option<f64>,
}

/// Why a plan makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The file is no plan.
    #[error("{path}:{line}:{column}: {reason}")]
    Syntax {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        reason: String,
    },
    /// The model or a fixed value.
    #[error(transparent)]
    Steering(#[from] SteeringError),
    /// Anything else, with the way out.
    #[error("{0}")]
    Wrong(String),
}

/// What is calibrated to what.
pub struct Plan {
    /// The model with the values that stay as they are.
    pub base: Steering,
    /// The parameters that may change, in the order of the model.
    pub parameters: Vec<FreeParameter>,
    /// What they are calibrated to.
    pub targets: Vec<Target>,
    /// Seeds to train with.
    pub training: Vec<u64>,
    /// Seeds that nothing is run with until the search is over.
    pub held_out: Vec<u64>,
    /// How many generations.
    pub generations: u32,
    /// How many candidates each has.
    pub population: usize,
    /// Standard deviation of the first generation, as a share of each range.
    pub sigma: f64,
    /// What the candidates derive from.
    pub seed: u64,
    /// Weight of how far values are from the middle of their ranges.
    pub centring: f64,
    /// What it has found before.
    pub found: Option<Steering>,
}

/// A parameter that may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeParameter {
    /// What it is.
    pub info: ParameterInfo,
    /// Its smallest value.
    pub low: f32,
    /// Its largest value.
    pub high: f32,
    /// Where the search begins.
    pub start: f32,
}

impl FreeParameter {
    /// The value at a share of the range, with as many decimals as make 2,000 to 20,000 steps of the range: a number that can be written.
    pub fn value(&self, share: f64) -> f32 {
        let [low, high] = [self.low, self.high].map(f64::from);
        let decimals = (-((high - low) / 2000.0).log10().floor()).max(0.0) as usize;
        let text = format!("{:.decimals$}", low + share * (high - low));
        let value: f32 = text.parse().unwrap_or(self.start);
        value.clamp(self.low, self.high)
    }

    /// Where the search begins, as a share of the range.
    pub(super) fn start_share(&self) -> f64 {
        f64::from(self.start - self.low) / f64::from(self.high - self.low)
    }
}

impl PlanFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no plan. Whether it makes sense is seen when it is [resolved](Self::resolve).
    pub fn load(path: &Path) -> Result<Self, PlanError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| PlanError::File { path: name.clone(), reason: error.to_string() })?;
        let mut plan = Self::parse(&name, &text)?;
        plan.folder = path.parent().unwrap_or(Path::new("")).into();
        Ok(plan)
    }

    /// The same of a text, which is called `name` in messages.
    ///
    /// # Errors
    ///
    /// If it is no plan.
    pub fn parse(name: &str, text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| {
            let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
            let reason = error.message().replace('\n', " ");
            PlanError::Syntax { path: name.into(), line, column, reason }
        })
    }

    /// The plan, if all of it makes sense.
    ///
    /// # Errors
    ///
    /// If not; the message says what to do.
    pub fn resolve(&self) -> Result<Plan, PlanError> {
        if let Some(other) = self.format.filter(|format| *format != FORMAT) {
            return wrong(format!("plans have format {FORMAT}, and not {other}"));
        }
        let base = self.base()?;
        let Some(info) = MODELS.info(base.model()) else {
            return wrong(format!("there is no steering model \"{}\"", base.model()));
        };
        let parameters = free_parameters(info, &base, &self.parameters)?;
        let people = self.tracks.held_out_people.unwrap_or(0.5);
        if !(people > 0.0 && people < 1.0) {
            return wrong(format!(
                "the share of people held out cannot be {people}; take more than 0 and less than 1"
            ));
        }
        let targets = self.targets(people)?;
        let training = seeds("training", self.seeds.training.as_ref(), 3, 0)?;
        let held_out = seeds("held-out", self.seeds.held_out.as_ref(), 5, FIRST_HELD_OUT)?;
        if let Some(both) = training.iter().find(|seed| held_out.contains(seed)) {
            return wrong(format!(
                "seed {both} is for training and held out; what is held out must not be trained with, so take it from one of them"
            ));
        }
        let found = self.found.as_deref().map(str::parse::<Steering>).transpose()?;
        if let Some(other) = found.as_ref().filter(|found| found.model() != base.model()) {
            return wrong(format!(
                "the plan is of {} and has found {other}; let both be of one model",
                base.model()
            ));
        }
        let SearchFile { generations, population, sigma, seed, centring } = self.search;
        let plan = Plan {
            generations: generations.unwrap_or(20),
            population: population
                .map_or_else(|| Search::usual_population(parameters.len()), |count| count as usize),
            sigma: sigma.unwrap_or(0.25),
            seed: seed.unwrap_or(1),
            centring: centring.unwrap_or(0.01),
            found,
            base,
            parameters,
            targets,
            training,
            held_out,
        };
        let in_range = |what: &str, value: f64, [least, most]: [f64; 2]| match value {
            value if value >= least && value <= most => Ok(()),
            value => wrong(format!("{what} cannot be {value}; take {least} to {most}")),
        };
        in_range("the number of generations", plan.generations.into(), [1.0, 10_000.0])?;
        in_range("the population", plan.population as f64, [4.0, 1000.0])?;
        in_range("sigma", plan.sigma, [0.001, 0.5])?;
        in_range("centring", plan.centring, [0.0, 1.0])?;
        Ok(plan)
    }

    /// The model, and what is fixed of it.
    fn base(&self) -> Result<Steering, PlanError> {
        self.model.parse().map_err(|error| match &error {
            SteeringError::UnknownModel { name } => {
                match nearest(name, MODELS.iter().map(|model| model.name)) {
                    Some(similar) => PlanError::Wrong(format!(
                        "there is no steering model \"{name}\"; do you mean {similar}?"
                    )),
                    None => error.into(),
                }
            }
            _ => error.into(),
        })
    }

    fn targets(&self, held_out_people: f64) -> Result<Vec<Target>, PlanError> {
        let mut targets: Vec<Target> = Vec::new();
        for name in &self.to {
            let target = Target::find(name.trim(), &self.folder, held_out_people)
                .map_err(PlanError::Wrong)?;
            if targets.iter().any(|known| known.name() == target.name()) {
                return wrong(format!(
                    "target {} is given twice; give it once, with a weight if it counts more",
                    target.name()
                ));
            }
            targets.push(target);
        }
        if targets.is_empty() {
            return wrong(
                "there is nothing to calibrate to; name targets, e.g. L01,L04,squeeze".into(),
            );
        }
        for (name, weight) in &self.weights {
            let found = targets.iter_mut().find(|target| target.name().eq_ignore_ascii_case(name));
            let Some(target) = found else {
                let names: Vec<&str> = targets.iter().map(Target::name).collect();
                return wrong(format!(
                    "there is a weight of \"{name}\", which is no target; targets are {}",
                    names.join(", ")
                ));
            };
            if !(weight.is_finite() && *weight > 0.0) {
                return wrong(format!(
                    "the weight of {name} cannot be {weight}; take a number above 0"
                ));
            }
            target.weight = *weight;
        }
        Ok(targets)
    }
}

impl Plan {
    /// The model that a candidate stands for, by its shares of the ranges; nothing if two parameters are not in the order in which
    /// they have to be.
    pub(super) fn steering(&self, shares: &[f64]) -> Option<Steering> {
        let mut text = self.base.to_string();
        for (parameter, share) in self.parameters.iter().zip(shares) {
            text += &format!(":{}={}", parameter.info.name, parameter.value(*share));
        }
        let steering: Steering = text.parse().ok()?;
        let value = |name: &str| steering.parameter(name).unwrap_or(f32::NAN);
        let ascending = MODELS.info(self.base.model()).map_or(&[][..], |info| info.ascending);
        ascending.iter().all(|[small, large]| value(small) < value(large)).then_some(steering)
    }
}

fn wrong<T>(message: String) -> Result<T, PlanError> {
    Err(PlanError::Wrong(message))
}

fn free_parameters(
    info: &ModelInfo,
    base: &Steering,
    ranges: &BTreeMap<String, ParameterRange>,
) -> Result<Vec<FreeParameter>, PlanError> {
    let mut chosen: Vec<(ParameterInfo, ParameterRange)> = Vec::new();
    for (name, range) in ranges {
        let current = info.current_name(name);
        let Some(known) = info.all_parameters().find(|known| known.name == current) else {
            let names: Vec<&str> = info.all_parameters().map(|known| known.name).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(similar) => format!("do you mean {similar}?"),
                None => format!("it has {}", names.join(", ")),
            };
            return wrong(format!("{} has no parameter \"{name}\"; {help}", info.name));
        };
        if base.given().any(|given| given == known.name) {
            return wrong(format!(
                "{name} has a value in {base} and is to be calibrated; leave it out of one of them"
            ));
        }
        if chosen.iter().any(|(other, _)| other.name == known.name) {
            return wrong(format!("{} is given twice; give it once", known.name));
        }
        chosen.push((known, *range));
    }
    if ranges.is_empty() {
        let is_free = |known: &&ParameterInfo| base.given().all(|given| given != known.name);
        let own = info.parameters.iter().filter(is_free);
        chosen = own.map(|known| (*known, ParameterRange::default())).collect();
    }
    if chosen.is_empty() {
        return wrong(format!(
            "{base} has no parameters of its own to calibrate; name some that all models have, e.g. time_gap"
        ));
    }
    let place = |of: &ParameterInfo| info.all_parameters().position(|known| known.name == of.name);
    chosen.sort_by_key(|(known, _)| place(known));
    chosen.into_iter().map(|(known, range)| free(info, known, range)).collect()
}

fn free(
    model: &ModelInfo,
    info: ParameterInfo,
    range: ParameterRange,
) -> Result<FreeParameter, PlanError> {
    let ParameterInfo { name, min, max, default, .. } = info;
    let [low, high] = [range.min.unwrap_or(min), range.max.unwrap_or(max)];
    for end in [low, high] {
        if !(min..=max).contains(&end) {
            return wrong(format!("{name} of {} cannot be {end}; take {min} to {max}", model.name));
        }
    }
    if low >= high {
        return wrong(format!(
            "the range of {name}, {low} to {high}, is empty; let min be less than max"
        ));
    }
    let start = range.start.unwrap_or(default.clamp(low, high));
    if !(low..=high).contains(&start) {
        return wrong(format!("{name} cannot begin at {start}; take {low} to {high}"));
    }
    Ok(FreeParameter { info, low, high, start })
}

fn seeds(what: &str, given: Option<&Seeds>, usual: u64, first: u64) -> Result<Vec<u64>, PlanError> {
    let list: Vec<u64> = match given {
        None => (first..first + usual).collect(),
        Some(Seeds::Count(count)) if *count <= 1000 => (first..first + count).collect(),
        Some(Seeds::Count(count)) => {
            return wrong(format!("the number of {what} seeds cannot be {count}; take 1 to 1000"));
        }
        Some(Seeds::List(list)) => list.clone(),
    };
    if list.is_empty() {
        return wrong(format!("there are no {what} seeds; take one at least"));
    }
    for (nth, seed) in list.iter().enumerate() {
        if *seed > LARGEST_SEED {
            return wrong(format!("{what} seed {seed} is too large; take 0 to {LARGEST_SEED}"));
        }
        if list[..nth].contains(seed) {
            return wrong(format!("{what} seed {seed} is given twice; give it once"));
        }
    }
    Ok(list)
}
