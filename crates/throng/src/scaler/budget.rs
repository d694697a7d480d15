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
    /// How many of those with bodies of their own look around at most; the others look ahead.
    pub lookers: usize,
    /// How long all bodies may take in a frame.
    pub animation: Option<Duration>,
    /// How long the simulation may take in a step.
    pub simulation: Option<Duration>,
    /// How long looking around may take in a frame.
    pub gaze: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            full: 300,
            posed: 2000,
            efforts: [usize::MAX; 2],
            lookers: usize::MAX,
            animation: None,
            simulation: None,
            gaze: None,
        }
    }
}

/// How many there can be for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    pub full: usize,
    pub posed: usize,
    pub efforts: [usize; 2],
    pub lookers: usize,
}

/// How much of what is new is believed.
const TRUST: f64 = 0.1;
/// Those who are simulated simply, and those who only follow their way, cost these parts of a person in full.
const EFFORT_COSTS: [f64; 2] = [0.6, 0.4];
/// What takes more than so many times as long as it usually does was interrupted: it is believed to have taken so long.
const INTERRUPTED: f64 = 1.25;
/// Of a budget, what is planned with: machines are not always equally fast.
const PLANNED: f64 = 0.8;
/// The same for looking around, where there are so many that one more or less makes little difference.
const PLANNED_GAZE: f64 = 0.95;

/// What things were found to cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// A body of its own in a frame, and all that are not, s.
    body: Option<f64>,
    others: Option<f64>,
    /// Somebody who is simulated in full in a step, s.
    person: Option<f64>,
    /// Somebody who looks around in a frame, with their part of what is done for all of them, s.
    looker: Option<f64>,
}

impl Costs {
    /// Learns how long it took so many to look around.
    pub(super) fn learn_gaze(&mut self, took: Duration, lookers: usize) {
        believe(&mut self.looker, took, lookers as f64);
    }

    /// Learns how long it took to move so many full bodies, and all others.
    pub(super) fn learn_bodies(&mut self, took: Duration, count: usize, others: Duration) {
        believe(&mut self.body, took, count as f64);
        believe(&mut self.others, others, 1.0);
    }

    /// Learns how long a step of the simulation took.
    pub(super) fn learn_simulation(&mut self, took: Duration, census: &Census) {
        let [path, simple, full] = census.efforts.map(|count| count as f64);
        believe(&mut self.person, took, full + EFFORT_COSTS[0] * simple + EFFORT_COSTS[1] * path);
    }

    /// How many there can be, of `people`.
    pub(super) fn allowance(&self, budget: &Budget, people: usize) -> Allowance {
        let mut allowance = Allowance {
            full: budget.full.min(people),
            posed: budget.posed.min(people),
            efforts: budget.efforts.map(|most| most.min(people)),
            lookers: budget.lookers.min(people),
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
        if let Some(limit) = budget.gaze {
            // Whoever looks bears a part of what is done for all: nobody at all would tell nothing of it.
            // Rounded up: where that part is large, one by one finds out how many there can be.
            let affordable =
                affordable(limit.mul_f64(PLANNED_GAZE), self.looker, 16.0).ceil() as usize;
            let least = usize::from(!limit.is_zero());
            allowance.lookers = allowance.lookers.min(affordable.max(least));
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
        *cost = Some(cost.map_or(seen, |known| {
            // Nothing that was seen to cost nothing could ever cost something otherwise.
            let seen = if known > 0.0 { seen.min(INTERRUPTED * known) } else { seen };
            known + TRUST * (seen - known)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_around_takes_as_long_as_it_may() {
        let limit = Duration::from_micros(500);
        let budget = Budget { gaze: Some(limit), ..Budget::default() };
        // 60 µs for all of them, and 2 to 4 µs for each.
        for each in [2.0, 3.0, 4.0] {
            let took =
                |lookers: usize| Duration::from_secs_f64(1e-6 * (60.0 + each * lookers as f64));
            let (mut costs, mut worst) = (Costs::default(), Duration::ZERO);
            for frame in 0..300 {
                let lookers = costs.allowance(&budget, 1000).lookers;
                costs.learn_gaze(took(lookers), lookers);
                worst = if frame >= 30 { worst.max(took(lookers)) } else { worst };
            }
            let last = took(costs.allowance(&budget, 1000).lookers);
            assert!(worst <= limit.mul_f64(1.1), "{worst:?}");
            assert!(last >= limit.mul_f64(0.85), "{last:?}");
        }
        let few = Budget { lookers: 7, ..budget };
        assert_eq!(Costs::default().allowance(&few, 1000).lookers, 7);
        let nobody = Budget { gaze: Some(Duration::ZERO), ..budget };
        assert_eq!(Costs::default().allowance(&nobody, 1000).lookers, 0);
    }

    #[test]
    fn what_all_share_and_interruptions_do_not_lead_astray() {
        let limit = Duration::from_micros(940);
        let budget = Budget { gaze: Some(limit), ..Budget::default() };
        // 650 µs for all of them and 1.2 µs for each, give or take a tenth, and one frame in thirty is interrupted for long.
        let (mut costs, mut frames) = (Costs::default(), Vec::new());
        for frame in 0..900_u32 {
            let lookers = costs.allowance(&budget, 1000).lookers;
            let noise = 0.9 + 0.2 * f64::from(frame * 7 % 11) / 10.0;
            let pause = if frame % 30 == 17 { 4000.0 } else { 0.0 };
            let took =
                Duration::from_secs_f64(1e-6 * (noise * (650.0 + 1.2 * lookers as f64) + pause));
            costs.learn_gaze(took, lookers);
            frames.push(took);
        }
        let mut late = frames.split_off(300);
        late.sort_unstable();
        let [half, most] = [late.len() / 2, late.len() * 19 / 20].map(|at| late[at]);
        assert!(half > limit.mul_f64(0.85) && half < limit.mul_f64(1.05), "{half:?}");
        assert!(most < limit.mul_f64(1.1), "{most:?}");
    }

    #[test]
    fn numbers_follow_from_what_things_cost() {
        let millis = Duration::from_millis;
        let budget =
            Budget { animation: Some(millis(4)), simulation: Some(millis(6)), ..Budget::default() };
        let census = Census { efforts: [0, 0, 10_000], ..Census::default() };
        let mut costs = Costs::default();
        assert_eq!(costs.allowance(&budget, 10_000).full, 16, "a few are tried");
        // 10 µs for a body, 1 ms for the others, 1 µs for a person.
        let learn = |costs: &mut Costs, factor: u64| {
            costs.learn_bodies(millis(factor), 100, millis(factor));
            costs.learn_simulation(millis(10 * factor), &census);
        };
        (0..100).for_each(|_| learn(&mut costs, 1));
        let allowed = costs.allowance(&budget, 10_000);
        assert_eq!(allowed.full, 220, "of four fifths, what the others leave");
        let [full, simple] = allowed.efforts;
        assert!((1330..1340).contains(&full) && simple == 0, "{allowed:?}");
        // Twice as slow: less than half as many.
        (0..100).for_each(|_| learn(&mut costs, 2));
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
