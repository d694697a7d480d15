//! From metrics to a number, by one of several techniques.
//!
//! With C the contacts, T the time, E the sum of half the squared speeds and A that of the absolute
//! accelerations at 20 Hz (Singh et al. 2009): composite01 is the mean of αC + βT + γE, composite02
//! adds δA. Lower is better, and the terms are always told. These compare within a scenario only; the
//! normalised score compares everybody with their [ideal](super::Ideals), and is 1 for whoever walks
//! like that and touches nothing.
//!
//! Who has not arrived by the end is charged with at least the time and the effort their way takes at best,
//! gets nothing in the normalised score, and [`rank`] never puts a run with such people before one
//! in which all have arrived.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use throng_base::named_enum;

use crate::statistics::quantile;

use super::ideal::{Ideal, Ideals};
use super::metrics::{AgentMetrics, RunMetrics};
use super::resample::{STANDING_COST, USUAL_RATE, WALKING_COST};

named_enum! {
    /// How metrics become a number.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Technique {
        /// Contacts, time and energy: the original of SteerBench.
        Composite01 = "composite01",
        /// The same, and acceleration.
        Composite02 = "composite02",
        /// Energy alone.
        Energy = "energy",
        /// Acceleration alone.
        Acceleration = "acceleration",
        /// Contacts, and what the walk costs.
        LeastEffort = "least-effort",
        /// How near everybody comes to their ideal; 1 is as good as alone.
        Normalised = "normalised",
    }
}

impl Technique {
    /// Whether more is better.
    pub fn higher_is_better(self) -> bool {
        self == Self::Normalised
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What terms count for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Of each contact (α).
    pub alpha: f64,
    /// Of each second (β).
    pub beta: f64,
    /// Of the energy (γ).
    pub gamma: f64,
    /// Of the acceleration (δ).
    pub delta: f64,
    /// Of the time in the normalised score (w_t).
    pub time: f64,
    /// Of the energy in the normalised score (w_e).
    pub energy: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { alpha: 50.0, beta: 1.0, gamma: 1.0, delta: 1.0, time: 0.5, energy: 0.5 }
    }
}

/// The score of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// How it was made.
    pub technique: Technique,
    /// The mean over everybody who has a score; not a number if nobody has.
    pub total: f64,
    /// What it is made of. Terms of composites add up to the total; those of the normalised score say
    /// more about it: the mean, the value that nine in ten are above (`percentile10`), and how many have no
    /// ideal to be compared with (`unjudged`).
    pub terms: Vec<(&'static str, f64)>,
    /// Everybody's own, by id.
    pub agents: Vec<AgentScore>,
    /// The share of people who completed their ways, 0 to 1.
    pub completion: f64,
}

/// The score of one person.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentScore {
    /// Who.
    pub id: u32,
    /// Whether they completed their way.
    pub completed: bool,
    /// Their score.
    pub total: f64,
    /// What it is made of.
    pub terms: Vec<(&'static str, f64)>,
}

/// The score of a run by some technique.
pub fn score(
    metrics: &RunMetrics,
    ideals: &Ideals,
    technique: Technique,
    weights: &Weights,
) -> Score {
    let judged = metrics.agents.iter().filter_map(|agent| {
        let ideal = ideals.get(agent.id);
        let (total, terms) = match technique {
            Technique::Normalised => ratio(agent, ideal, weights)?,
            _ => charge(agent, ideal, technique, weights),
        };
        Some(AgentScore { id: agent.id, completed: agent.completed, total, terms })
    });
    let agents: Vec<AgentScore> = judged.collect();
    let count = agents.len() as f64;
    let mean = |value: &dyn Fn(&AgentScore) -> f64| agents.iter().map(value).sum::<f64>() / count;
    let (total, terms) = match technique {
        Technique::Normalised => {
            let totals: Vec<f64> = agents.iter().map(|agent| agent.total).collect();
            let total = mean(&|agent| agent.total);
            let tenth = quantile(&totals, 0.1).unwrap_or(f64::NAN);
            let unjudged = (metrics.agents.len() - agents.len()) as f64;
            (total, vec![("mean", total), ("percentile10", tenth), ("unjudged", unjudged)])
        }
        _ => {
            let names = agents.first().map_or(&[][..], |agent| agent.terms.as_slice());
            let term = |(number, (name, _)): (usize, &(&'static str, f64))| {
                (*name, mean(&|agent| agent.terms[number].1))
            };
            let terms: Vec<_> = names.iter().enumerate().map(term).collect();
            let total = if agents.is_empty() { f64::NAN } else { terms.iter().map(|t| t.1).sum() };
            (total, terms)
        }
    };
    Score { technique, total, terms, agents, completion: metrics.completion() }
}

type Judgement = (f64, Vec<(&'static str, f64)>);

/// What somebody's walk costs.
fn charge(
    agent: &AgentMetrics,
    ideal: Option<&Ideal>,
    technique: Technique,
    weights: &Weights,
) -> Judgement {
    let contacts = ("collisions", weights.alpha * f64::from(agent.collisions));
    let effort = Effort::of(agent, ideal);
    let time = ("time", weights.beta * effort.time);
    let energy = ("energy", weights.gamma * effort.energy);
    let acceleration = ("acceleration", weights.delta * agent.resampled_acceleration);
    let terms = match technique {
        Technique::Composite01 => vec![contacts, time, energy],
        Technique::Composite02 => vec![contacts, time, energy, acceleration],
        Technique::Energy => vec![energy],
        Technique::Acceleration => vec![acceleration],
        Technique::LeastEffort => vec![contacts, ("least-effort", effort.least_effort)],
        Technique::Normalised => Vec::new(),
    };
    (terms.iter().map(|term| term.1).sum(), terms)
}

/// How near somebody comes to their ideal; `None` if they have none. Who has not arrived has 0.
fn ratio(agent: &AgentMetrics, ideal: Option<&Ideal>, weights: &Weights) -> Option<Judgement> {
    if !agent.completed {
        return Some((0.0, vec![("time", 0.0), ("energy", 0.0), ("contacts", 0.0)]));
    }
    let ideal = ideal?;
    // Who is where they want to be from the beginning takes no time.
    let share = |best: f64, own: f64| if own > 0.0 { best / own } else { 1.0 };
    let time = weights.time * share(ideal.time, agent.time);
    let energy = weights.energy * share(ideal.energy, agent.energy_integral).min(1.0);
    let contacts = 1.0 / (1.0 + f64::from(agent.collisions));
    let terms = vec![("time", time), ("energy", energy), ("contacts", contacts)];
    Some(((time + energy) * contacts, terms))
}

/// What is charged to somebody, at least.
struct Effort {
    time: f64,
    energy: f64,
    least_effort: f64,
}

impl Effort {
    fn of(agent: &AgentMetrics, ideal: Option<&Ideal>) -> Self {
        let own = Self {
            time: agent.time,
            energy: agent.resampled_energy,
            least_effort: agent.resampled_least_effort,
        };
        let Some(ideal) = ideal.filter(|_| !agent.completed) else { return own };
        let walking = WALKING_COST * 2.0 * ideal.energy;
        let least_effort = STANDING_COST * ideal.time + walking;
        Self {
            time: own.time.max(ideal.time),
            energy: own.energy.max(USUAL_RATE * ideal.energy),
            least_effort: own.least_effort.max(least_effort),
        }
    }
}

/// The numbers of scores from best to worst. Runs in which all have arrived come first; of those in which
/// some have not, the ones with fewer such people. Scores that are no numbers come last, and equals
/// stay in their order.
pub fn rank(scores: &[Score]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| compare(&scores[a], &scores[b]));
    order
}

fn compare(a: &Score, b: &Score) -> Ordering {
    let totals = match a.technique.higher_is_better() {
        true => b.total.total_cmp(&a.total),
        false => a.total.total_cmp(&b.total),
    };
    (a.total.is_nan().cmp(&b.total.is_nan()))
        .then(b.completion.total_cmp(&a.completion))
        .then(totals)
}
