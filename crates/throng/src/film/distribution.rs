//! How often which size occurs, of numbers too many to keep.

use serde::Serialize;

/// Counts of non-negative numbers, in steps of less than one per cent, with sum and maximum.
///
/// A step is all numbers whose first 16 bits as floating-point numbers are the same: 128 of them to each
/// doubling, from the smallest number to the largest, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    counts: Vec<u64>,
    count: u64,
    sum: f64,
    max: f32,
}

/// A few numbers that describe a [`Distribution`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Spread {
    pub count: u64,
    pub mean: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    /// What 99.9 % do not exceed.
    pub p999: f64,
    pub max: f64,
}

impl Distribution {
    /// Adds a number; what is negative or none counts as zero.
    pub fn add(&mut self, value: f32) {
        let value = if value.is_finite() { value.max(0.0) } else { 0.0 };
        let step = (value.to_bits() >> 16) as usize;
        if self.counts.len() <= step {
            self.counts.resize(step + 1, 0);
        }
        self.counts[step] += 1;
        self.count += 1;
        self.sum += f64::from(value);
        self.max = self.max.max(value);
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The largest.
    pub fn max(&self) -> f32 {
        self.max
    }

    /// What a `share` of all numbers does not exceed, to within a step.
    pub fn quantile(&self, share: f64) -> f32 {
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (step, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                let next = f32::from_bits((step as u32 + 1) << 16);
                return if step == 0 { 0.0 } else { next.min(self.max) };
            }
        }
        self.max
    }

    /// The share of numbers up to `limit`, to within a step; 1 of none.
    pub fn share_up_to(&self, limit: f32) -> f64 {
        let steps = (limit.max(0.0).to_bits() >> 16) as usize;
        let within: u64 = self.counts.iter().take(steps + 1).sum();
        if self.count == 0 { 1.0 } else { within as f64 / self.count as f64 }
    }

    /// The numbers that describe it, each times `unit`.
    pub fn spread(&self, unit: f64) -> Spread {
        let at = |share: f64| f64::from(self.quantile(share)) * unit;
        Spread {
            count: self.count,
            mean: self.mean() * unit,
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            p999: at(0.999),
            max: f64::from(self.max) * unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_numbers_to_within_a_step() {
        let mut distribution = Distribution::default();
        let mut values: Vec<f32> = (0..5000_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 1e7 + 1e-3)
            .collect();
        values.iter().for_each(|value| distribution.add(*value));
        values.sort_by(f32::total_cmp);
        for share in [0.1, 0.5, 0.9, 0.99] {
            let exact = values[(share * 5000.0) as usize - 1];
            let found = distribution.quantile(share);
            assert!((found / exact - 1.0).abs() < 0.01, "{share}: {found} for {exact}");
            assert!((distribution.share_up_to(exact) - share).abs() < 0.01);
        }
        assert_eq!(distribution.max(), values[4999]);
    }

    #[test]
    fn nothing_and_nonsense_are_harmless() {
        let mut distribution = Distribution::default();
        assert_eq!((distribution.quantile(0.5), distribution.mean()), (0.0, 0.0));
        assert_eq!(distribution.share_up_to(1.0), 1.0);
        for value in [f32::NAN, -3.0, f32::INFINITY, 0.0] {
            distribution.add(value);
        }
        assert_eq!((distribution.quantile(0.99), distribution.max()), (0.0, 0.0));
    }
}
