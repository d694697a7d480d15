//! Where people appear while the simulation runs.

use throng_base::random::{Purpose, Random, Stream};
use throng_world::scene::{Period, RegionId, Schedule, Source};

use crate::recipe::Recipe;

/// A source at work.
#[derive(Clone, Debug)]
pub(crate) struct ActiveSource {
    pub recipe: Recipe,
    pub region: RegionId,
    /// People who are due but found no room yet.
    pub waiting: u32,
    arrivals: Arrivals,
    left: u32,
}

/// When the next person is due.
#[derive(Clone, Debug)]
struct Arrivals {
    schedule: Schedule,
    period: usize,
    /// Time of the next arrival, s; infinite when there are no more.
    next: f64,
    gaps: Stream,
}

/// How many people who find no room are remembered: beyond, they have gone elsewhere.
const LONGEST_QUEUE: u32 = 10_000;

impl ActiveSource {
    pub fn new(source: &Source, recipe: Recipe, number: u64, random: Random) -> Self {
        let gaps = random.stream(number, 0, Purpose::Arrival);
        let arrivals = Arrivals::new(source.schedule.clone(), gaps);
        Self { recipe, region: source.region, waiting: 0, arrivals, left: source.limit }
    }

    /// A source that is put up at `time`: who would have come before does not come.
    pub fn from(source: &Source, recipe: Recipe, number: u64, random: Random, time: f64) -> Self {
        let mut source = source.clone();
        let periods = &mut source.schedule.periods;
        periods.retain(|period| period.to > time);
        periods.iter_mut().for_each(|period| period.from = period.from.max(time));
        Self::new(&source, recipe, number, random)
    }

    /// Adds those who are due by `time` to the waiting.
    pub fn advance(&mut self, time: f64) {
        while self.left > 0 && self.arrivals.next <= time {
            self.arrivals.advance();
            self.left -= 1;
            self.waiting = (self.waiting + 1).min(LONGEST_QUEUE);
        }
    }

    /// How many come together with person number `id`, who is the next: no more than will ever come.
    pub fn party(&self, random: Random, id: u32) -> u32 {
        let size = self.recipe.together.as_ref().map_or(1, |sizes| sizes.draw(random, id));
        let expected = if self.arrivals.next.is_infinite() { 0 } else { self.left };
        size.min(self.waiting.saturating_add(expected)).max(1)
    }

    /// Whether nobody will come from here any more.
    pub fn is_exhausted(&self) -> bool {
        self.waiting == 0 && (self.left == 0 || self.arrivals.next.is_infinite())
    }
}

impl Arrivals {
    fn new(schedule: Schedule, gaps: Stream) -> Self {
        let mut arrivals = Self { schedule, period: 0, next: 0.0, gaps };
        arrivals.enter(0);
        arrivals
    }

    /// The first arrival of period `period` or of the first one after it that has any.
    fn enter(&mut self, period: usize) {
        self.period = period;
        self.next = match self.schedule.periods.get(period) {
            None => f64::INFINITY,
            Some(&Period { from, rate, .. }) => {
                // Evenly spaced arrivals start at once; random ones after a random gap.
                let gap = if self.schedule.random { self.gap(rate) } else { 0.0 };
                from + gap
            }
        };
        self.skip_to_valid();
    }

    fn advance(&mut self) {
        if let Some(&Period { rate, .. }) = self.schedule.periods.get(self.period) {
            self.next += self.gap(rate);
            self.skip_to_valid();
        }
    }

    fn skip_to_valid(&mut self) {
        if let Some(&Period { to, rate, .. }) = self.schedule.periods.get(self.period)
            && (self.next >= to || rate <= 0.0)
        {
            self.enter(self.period + 1);
        }
    }

    fn gap(&mut self, rate: f64) -> f64 {
        if self.schedule.random {
            -(1.0 - f64::from(self.gaps.unit())).ln() / rate
        } else {
            1.0 / rate
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(periods: Vec<Period>, random: bool, until: f64) -> u32 {
        let gaps = Random::new(4).stream(0, 0, Purpose::Arrival);
        let mut arrivals = Arrivals::new(Schedule { periods, random }, gaps);
        let mut count = 0;
        while arrivals.next <= until {
            arrivals.advance();
            count += 1;
        }
        count
    }

    #[test]
    fn even_arrivals_keep_the_rate_of_each_period() {
        let periods = vec![
            Period { from: 0.0, to: 10.0, rate: 2.0 },
            Period { from: 20.0, to: 30.0, rate: 0.5 },
        ];
        assert_eq!(count(periods.clone(), false, 15.0), 20);
        assert_eq!(count(periods, false, 100.0), 25);
    }

    #[test]
    fn random_arrivals_keep_the_mean_rate() {
        let periods = vec![Period { from: 5.0, to: f64::INFINITY, rate: 3.0 }];
        let arrived = count(periods, true, 1005.0);
        assert!((2830..3170).contains(&arrived), "three standard deviations: {arrived}");
    }

    #[test]
    fn a_period_without_people_is_passed_over() {
        let periods = vec![
            Period { from: 0.0, to: 10.0, rate: 0.0 },
            Period { from: 10.0, to: 12.0, rate: 1.0 },
        ];
        assert_eq!(count(periods, false, 100.0), 2);
    }
}
