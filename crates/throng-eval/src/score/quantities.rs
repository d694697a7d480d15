//! The quantities of a run that criteria can name.

use throng_world::scene::RunQuantity;

use super::ideal::Ideals;
use super::metrics::{AgentMetrics, RunMetrics};
use super::patterns::Pattern;
use crate::statistics::mean;

/// A quantity of a run; `None` if nobody has it: who has no [ideal](super::Ideal) has no ideal time,
/// deviation or ratio of lengths.
///
/// Counts of contacts are sums over people. `time` is when the last person was done, and infinite if
/// somebody was not; `mean_time` is the mean of the times people took, and infinite likewise.
/// `total_turn`, `max_turn_rate`, `max_penetration`, `deviation`, `length_ratio` and `max_speed` are the
/// largest of anybody, and so is `ideal_time`.
pub fn quantity(metrics: &RunMetrics, ideals: &Ideals, quantity: RunQuantity) -> Option<f64> {
    let agents = &metrics.agents;
    let sum = |count: fn(&AgentMetrics) -> u32| agents.iter().map(|a| f64::from(count(a))).sum();
    let most = |value: fn(&AgentMetrics) -> f64| agents.iter().map(value).fold(0.0, f64::max);
    let events = |pattern: Pattern| {
        metrics.events.iter().filter(|event| event.pattern == pattern).count() as f64
    };
    let all_done = agents.iter().all(|agent| agent.completed);
    let ideal_times = || ideals.iter().map(|(_, ideal)| ideal.time);
    Some(match quantity {
        RunQuantity::Completion => metrics.completion(),
        RunQuantity::Collisions => sum(|agent| agent.collisions),
        RunQuantity::PersonCollisions => sum(|agent| agent.person_collisions),
        RunQuantity::WallCollisions => sum(|agent| agent.wall_collisions),
        RunQuantity::LongCollisions => sum(|agent| agent.long_collisions),
        RunQuantity::MaxPenetration => most(|agent| agent.max_penetration),
        RunQuantity::Time if !all_done => f64::INFINITY,
        RunQuantity::Time => most(|agent| agent.finished.unwrap_or(f64::INFINITY)),
        RunQuantity::MeanTime if !all_done => f64::INFINITY,
        RunQuantity::MeanTime => mean(agents.iter().map(|agent| agent.time))?,
        RunQuantity::IdealTime => ideal_times().max_by(f64::total_cmp)?,
        RunQuantity::MeanIdealTime => mean(ideal_times())?,
        RunQuantity::TotalTurn => most(|agent| agent.turned),
        RunQuantity::MaxTurnRate => most(|agent| agent.max_angular_speed),
        RunQuantity::Deviation => {
            agents.iter().filter_map(|a| a.deviation).max_by(f64::total_cmp)?
        }
        RunQuantity::LengthRatio => {
            agents.iter().filter_map(|a| a.length_ratio).max_by(f64::total_cmp)?
        }
        RunQuantity::MaxSpeed => most(|agent| agent.max_speed),
        RunQuantity::Oscillations => events(Pattern::Oscillation),
        RunQuantity::Deadlocks => events(Pattern::Deadlock),
        RunQuantity::Spins => events(Pattern::Spin),
        RunQuantity::Duration => metrics.duration,
    })
}
