//! Effort at a rate of its own, whatever rate a trajectory was recorded at.
//!
//! SteerBench adds up samples, so twice the frame rate would be twice the effort. Here positions are
//! sampled at whole multiples of the interval (1/20 s) of simulated time, straight between the frames
//! around them; sums are over these samples. Who stands between two frames far apart is walked
//! through in one go: in between nothing changes.

use glam::DVec2;

/// What standing costs per second, J/(kg s), as PLEdestrians has it (Guy et al. 2010).
pub(super) const STANDING_COST: f64 = 2.23;
/// What walking costs on top, by the squared speed, J s/(kg m²).
pub(super) const WALKING_COST: f64 = 1.26;

/// The rate at which scores are comparable, Hz.
pub(super) const USUAL_RATE: f64 = 20.0;

/// A sample that is due at the time of a frame may be a rounding error late, s.
const SLACK: f64 = 1e-9;

/// Samples one trajectory.
#[derive(Clone, Debug, Default)]
pub(super) struct Resampler {
    /// The number of the next sample: it is at this time by the rate.
    next: i64,
    last: Option<DVec2>,
    velocity: Option<DVec2>,
    pub sums: Sums,
}

/// What samples add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub count: u32,
    pub energy: f64,
    pub acceleration: f64,
    pub least_effort: f64,
}

impl Resampler {
    /// Begins a stretch, at a time. What was walked before stays counted.
    pub fn begin(&mut self, time: f64, rate: f64) {
        self.next = (time * rate - SLACK * rate).ceil() as i64;
        (self.last, self.velocity) = (None, None);
    }

    /// Walks straight from where the stretch has come to.
    pub fn walk(&mut self, from: (f64, DVec2), to: (f64, DVec2), rate: f64) {
        let end = ((to.0 + SLACK) * rate).floor() as i64;
        let at = |number: i64| {
            let share = (number as f64 / rate - from.0) / (to.0 - from.0);
            from.1.lerp(to.1, share.clamp(0.0, 1.0))
        };
        let mut steady = 0;
        while self.next <= end {
            // Both ends of the last two velocities are on this line: the rest is the same.
            if steady > 2 && end - self.next > 2 {
                let rest = end - self.next - 1;
                self.repeat(rest, rate);
                self.next += rest;
                self.last = Some(at(self.next - 1));
            }
            self.sample(at(self.next), rate);
            self.next += 1;
            steady += 1;
        }
    }

    fn sample(&mut self, point: DVec2, rate: f64) {
        if let Some(last) = self.last.replace(point) {
            let velocity = (point - last) * rate;
            if let Some(before) = self.velocity.replace(velocity) {
                self.sums.acceleration += velocity.distance(before) * rate;
            }
            self.sums.add(velocity.length_squared(), 1, rate);
        }
    }

    /// So many more samples at the last velocity.
    fn repeat(&mut self, count: i64, rate: f64) {
        if let Some(velocity) = self.velocity {
            self.sums.add(velocity.length_squared(), count, rate);
        }
    }
}

impl Sums {
    fn add(&mut self, speed_squared: f64, count: i64, rate: f64) {
        self.count = self.count.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        self.energy += 0.5 * speed_squared * count as f64;
        self.least_effort += (STANDING_COST + WALKING_COST * speed_squared) * count as f64 / rate;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_far_apart_have_the_samples_between_them() {
        let rate = 20.0;
        let walk = |times: &[f64]| {
            let mut resampler = Resampler::default();
            resampler.begin(times[0], rate);
            for pair in times.windows(2) {
                let at = |time: f64| (time, DVec2::new(1.3 * time, (0.1 * time).floor()));
                resampler.walk(at(pair[0]), at(pair[1]), rate);
            }
            resampler.sums
        };
        let fine: Vec<f64> = (0..=1800).map(|k| f64::from(k) * 0.005).collect();
        let (coarse, fine) = (walk(&[0.0, 9.0]), walk(&fine));
        assert_eq!((coarse.count, fine.count), (180, 180));
        assert!((coarse.energy - fine.energy).abs() < 1e-9, "{coarse:?} {fine:?}");
        assert!((coarse.energy - 180.0 * 0.845).abs() < 1e-9);
        assert!(coarse.acceleration < 1e-9 && fine.acceleration < 1e-6);
        assert!((coarse.least_effort - 9.0 * (2.23 + 1.26 * 1.69)).abs() < 1e-9);
    }

    #[test]
    fn a_stretch_does_not_reach_across_a_gap() {
        let mut resampler = Resampler::default();
        resampler.begin(0.0, 20.0);
        resampler.walk((0.0, DVec2::ZERO), (1.0, DVec2::X), 20.0);
        resampler.begin(5.0, 20.0);
        resampler.walk((5.0, DVec2::new(90.0, 0.0)), (6.0, DVec2::new(91.0, 0.0)), 20.0);
        assert_eq!(resampler.sums.count, 40);
        assert!((resampler.sums.energy - 20.0).abs() < 1e-9);
    }
}
