//! How a quantity varies from person to person.

use crate::random::Stream;

/// A constant, or a random quantity with known limits.
///
/// In a scene file: `1.3`, or `{ min = 1.0, max = 1.6 }`, or
/// `{ mean = 1.34, sd = 0.26, min = 0.8, max = 2.0 }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same for everyone.
    Constant(f32),
    /// Uniform between the limits.
    Uniform {
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
    /// Normal, redrawn until it lies within the limits.
    Normal {
        /// Mean before truncation.
        mean: f32,
        /// Standard deviation before truncation.
        sd: f32,
        /// Smallest value.
        min: f32,
        /// Largest value.
        max: f32,
    },
}

impl Distribution {
    /// The smallest value it can give.
    pub fn min(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { min, .. } | Self::Normal { min, .. } => min,
        }
    }

    /// The largest value it can give.
    pub fn max(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { max, .. } | Self::Normal { max, .. } => max,
        }
    }

    /// The middle of what it gives.
    pub fn typical(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { min, max } => 0.5 * (min + max),
            Self::Normal { mean, min, max, .. } => mean.clamp(min, max),
        }
    }

    /// One draw.
    pub fn sample(self, stream: &mut Stream) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { min, max } => stream.between(min, max),
            Self::Normal { mean, sd, min, max } => {
                // Limits far in a tail make rejection slow: after some tries the nearest limit to
                // the mean is what nearly every accepted draw would have been.
                for _ in 0..64 {
                    let value = mean + sd * standard_normal(stream);
                    if (min..=max).contains(&value) {
                        return value;
                    }
                }
                mean.clamp(min, max)
            }
        }
    }
}

/// Box-Muller, in `f64` so that the tails are right.
fn standard_normal(stream: &mut Stream) -> f32 {
    let radius = (-2.0 * (1.0 - stream.unit() as f64).ln()).sqrt();
    let angle = std::f64::consts::TAU * stream.unit() as f64;
    (radius * angle.cos()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};

    #[test]
    fn a_truncated_normal_keeps_its_limits_and_its_mean() {
        let normal = Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.8, max: 1.88 };
        let draws: Vec<f32> = (0..20_000)
            .map(|i| normal.sample(&mut Random::new(3).stream(i, 0, Purpose::Speed)))
            .collect();
        let mean = draws.iter().sum::<f32>() / draws.len() as f32;
        assert!(draws.iter().all(|v| (0.8..=1.88).contains(v)));
        assert!((mean - 1.34).abs() < 0.01, "{mean}");
    }

    #[test]
    fn limits_outside_the_bulk_end_at_the_nearest_limit() {
        let far = Distribution::Normal { mean: 0.0, sd: 0.1, min: 5.0, max: 6.0 };
        let value = far.sample(&mut Random::new(3).stream(0, 0, Purpose::Speed));
        assert_eq!(value, 5.0);
    }
}
