//! How many people there can be of each level.

use std::time::Duration;

use super::Census;

/// How much may be spent on a crowd.
///
/// Numbers alone are reproducible. With times, numbers follow from what a body or a step was found to cost on this
/// machine, and never exceed those that are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// How many bodies of their own there are at most (`N_def`).
    pub full: usize,
    /// How many posed ones (`N_static`).
    pub posed: usize,
    /// How many are simulated in full, and how many simply.
    pub efforts: [usize; 2],
    /// How long all bodies may take in a frame.
    pub animation: Option<Duration>,
    /// How long the simulation may take in a step.
    pub simulation: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { full: 300, posed: 2000, efforts: [usize::MAX; 2], animation: None, simulation: None }
    }
}

/// How many there can be for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    pub full: usize,
    pub posed: usize,
    pub efforts: [usize; 2],
}

/// How much of what is new is believed.
const TRUST: f64 = 0.1;
/// Those who are simulated simply, and those who only follow their way, cost these parts of a person in full.
const EFFORT_COSTS: [f64; 2] = [0.6, 0.4];
/// Of a budget, what is planned with: machines are not always equally fast.
const PLANNED: f64 = 0.8;

/// How long a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// For so many bodies of their own.
    pub bodies: Duration,
    /// How many these were.
    pub count: usize,
    /// For everybody else's bodies.
    pub others: Duration,
    /// For the simulation.
    pub simulation: Duration,
}

/// What things were found to cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// A body of its own in a frame, and all that are not, s.
    body: Option<f64>,
    others: Option<f64>,
    /// Somebody who is simulated in full in a step, s.
    person: Option<f64>,
}

impl Costs {
    /// What a body of its own costs in a frame, as far as is known, s.
    pub fn body(&self) -> Option<f64> {
        self.body
    }

    /// What somebody who is simulated in full costs in a step, as far as is known, s.
    pub fn person(&self) -> Option<f64> {
        self.person
    }

    /// Learns from a frame.
    pub(super) fn learn(&mut self, census: &Census, spent: &Spent) {
        believe(&mut self.body, spent.bodies, spent.count as f64);
        believe(&mut self.others, spent.others, 1.0);
        let [path, simple, full] = census.efforts.map(|count| count as f64);
        let people = full + EFFORT_COSTS[0] * simple + EFFORT_COSTS[1] * path;
        believe(&mut self.person, spent.simulation, people);
    }

    /// How many there can be, of `people`.
    pub(super) fn allowance(&self, budget: &Budget, people: usize) -> Allowance {
        let mut allowance = Allowance {
            full: budget.full.min(people),
            posed: budget.posed.min(people),
            efforts: budget.efforts.map(|most| most.min(people)),
        };
        if let Some(limit) = budget.animation {
            // Unless it is known what bodies cost, a few are tried.
            let others = Duration::from_secs_f64(self.others.unwrap_or_default().max(0.0));
            let left = limit.mul_f64(PLANNED).saturating_sub(others);
            let affordable = affordable(left, self.body, 16.0);
            allowance.full = allowance.full.min(affordable.max(0.0) as usize);
        }
        if let Some(limit) = budget.simulation {
            let total = affordable(limit.mul_f64(PLANNED), self.person, people as f64);
            let [simple, path] = EFFORT_COSTS;
            let spare = (total - path * people as f64).max(0.0);
            let full = (spare / (1.0 - path)).min(allowance.efforts[0] as f64);
            let rest = (spare - full * (1.0 - path)).max(0.0);
            allowance.efforts[0] = full as usize;
            allowance.efforts[1] = allowance.efforts[1].min((rest / (simple - path)) as usize);
        }
        allowance
    }
}

/// How many things of this cost there can be within a limit.
fn affordable(limit: Duration, cost: Option<f64>, unknown: f64) -> f64 {
    match cost {
        Some(cost) if cost > 0.0 => limit.as_secs_f64() / cost,
        _ if limit.is_zero() => 0.0,
        _ => unknown,
    }
}

/// Takes up that so many things took so long.
fn believe(cost: &mut Option<f64>, took: Duration, things: f64) {
    if things >= 1.0 {
        let seen = took.as_secs_f64() / things;
        *cost = Some(cost.map_or(seen, |known| known + TRUST * (seen - known)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_what_things_cost() {
        let millis = Duration::from_millis;
        let budget =
            Budget { animation: Some(millis(4)), simulation: Some(millis(6)), ..Budget::default() };
        let census = Census { efforts: [0, 0, 10_000], ..Census::default() };
        let mut costs = Costs::default();
        assert_eq!(costs.allowance(&budget, 10_000).full, 16, "a few are tried");
        // 10 µs for a body, 1 ms for the others, 1 µs for a person.
        let spent =
            Spent { bodies: millis(1), count: 100, others: millis(1), simulation: millis(10) };
        (0..100).for_each(|_| costs.learn(&census, &spent));
        let allowed = costs.allowance(&budget, 10_000);
        assert_eq!(allowed.full, 220, "of four fifths, what the others leave");
        let [full, simple] = allowed.efforts;
        assert!((1330..1340).contains(&full) && simple == 0, "{allowed:?}");
        // Twice as slow: less than half as many.
        let slow = Spent { bodies: millis(2), others: millis(2), simulation: millis(20), ..spent };
        (0..100).for_each(|_| costs.learn(&census, &slow));
        assert_eq!(costs.allowance(&budget, 10_000).full, 60);
        let nothing = Budget {
            animation: Some(Duration::ZERO),
            simulation: Some(Duration::ZERO),
            ..Budget::default()
        };
        let allowed = costs.allowance(&nothing, 10_000);
        assert_eq!((allowed.full, allowed.efforts), (0, [0, 0]));
        assert_eq!(Costs::default().allowance(&nothing, 50).full, 0);
    }
}
