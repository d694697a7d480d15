//! The quantities of a run that criteria can name.

use super::ideal::Ideals;
use super::metrics::{AgentMetrics, RunMetrics};
use super::patterns::Pattern;
use crate::statistics::mean;

/// The names of all quantities.
pub const QUANTITIES: &[&str] = &[
    "completion",
    "collisions",
    "person_collisions",
    "wall_collisions",
    "long_collisions",
    "max_penetration",
    "time",
    "mean_time",
    "ideal_time",
    "mean_ideal_time",
    "total_turn",
    "max_turn_rate",
    "deviation",
    "length_ratio",
    "max_speed",
    "oscillations",
    "deadlocks",
    "spins",
    "duration",
];

/// A quantity of a run by its name; `None` if there is no such quantity, or nobody has it: who
/// has no [ideal](super::Ideal) has no ideal time, deviation or ratio of lengths.
///
/// Counts of contacts are sums over people. `time` is when the last person was done, and infinite if
/// somebody was not; `mean_time` is the mean of the times people took, and infinite likewise.
/// `total_turn`, `max_turn_rate`, `max_penetration`, `deviation`, `length_ratio` and `max_speed` are the
/// largest of anybody, and so is `ideal_time`.
pub fn quantity(metrics: &RunMetrics, ideals: &Ideals, name: &str) -> Option<f64> {
    let agents = &metrics.agents;
    let sum = |count: fn(&AgentMetrics) -> u32| agents.iter().map(|a| f64::from(count(a))).sum();
    let most = |value: fn(&AgentMetrics) -> f64| agents.iter().map(value).fold(0.0, f64::max);
    let events = |pattern: Pattern| {
        metrics.events.iter().filter(|event| event.pattern == pattern).count() as f64
    };
    let all_done = agents.iter().all(|agent| agent.completed);
    let ideal_times = || ideals.iter().map(|(_, ideal)| ideal.time);
    Some(match name {
        "completion" => metrics.completion(),
        "collisions" => sum(|agent| agent.collisions),
        "person_collisions" => sum(|agent| agent.person_collisions),
        "wall_collisions" => sum(|agent| agent.wall_collisions),
        "long_collisions" => sum(|agent| agent.long_collisions),
        "max_penetration" => most(|agent| agent.max_penetration),
        "time" if !all_done => f64::INFINITY,
        "time" => most(|agent| agent.finished.unwrap_or(f64::INFINITY)),
        "mean_time" if !all_done => f64::INFINITY,
        "mean_time" => mean(agents.iter().map(|agent| agent.time))?,
        "ideal_time" => ideal_times().max_by(f64::total_cmp)?,
        "mean_ideal_time" => mean(ideal_times())?,
        "total_turn" => most(|agent| agent.turned),
        "max_turn_rate" => most(|agent| agent.max_angular_speed),
        "deviation" => agents.iter().filter_map(|a| a.deviation).max_by(f64::total_cmp)?,
        "length_ratio" => agents.iter().filter_map(|a| a.length_ratio).max_by(f64::total_cmp)?,
        "max_speed" => most(|agent| agent.max_speed),
        "oscillations" => events(Pattern::Oscillation),
        "deadlocks" => events(Pattern::Deadlock),
        "spins" => events(Pattern::Spin),
        "duration" => metrics.duration,
        _ => return None,
    })
}
