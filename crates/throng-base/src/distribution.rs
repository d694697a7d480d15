//! How a quantity varies from person to person.

use crate::random::Stream;

/// A constant, or a random quantity with known limits.
///
/// In a scene file: `1.3`, or `{ min = 1.0, max = 1.6 }`, or
/// `{ mean = 1.34, sd = 0.26, min = 0.8, max = 2.0 }`, or with `log_mean` and `log_sd`, or with `scale` and `shape`.
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
    /// Log-normal, redrawn until it lies within the limits.
    LogNormal {
        /// Mean of the natural logarithm before truncation (μ).
        log_mean: f32,
        /// Standard deviation of the natural logarithm before truncation (σ).
        log_sd: f32,
        /// Smallest value.
        min: f32,
        /// Largest value; may be infinite.
        max: f32,
    },
    /// Weibull, truncated to the limits.
    Weibull {
        /// Scale before truncation: 63.2 % of all values are smaller (λ).
        scale: f32,
        /// Shape (k): 1 is an exponential distribution.
        shape: f32,
        /// Smallest value.
        min: f32,
        /// Largest value; may be infinite.
        max: f32,
    },
}

/// How often a log-normal value is redrawn. With fewer, limits that hold 1 % of the distribution would still be
/// noticed: values would pile up at a limit.
const TRIES: usize = 4096;

impl Distribution {
    /// The smallest value it can give.
    pub fn min(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { min, .. }
            | Self::Normal { min, .. }
            | Self::LogNormal { min, .. }
            | Self::Weibull { min, .. } => min,
        }
    }

    /// The largest value it can give.
    pub fn max(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { max, .. }
            | Self::Normal { max, .. }
            | Self::LogNormal { max, .. }
            | Self::Weibull { max, .. } => max,
        }
    }

    /// The middle of what it gives.
    pub fn typical(self) -> f32 {
        match self {
            Self::Constant(value) => value,
            Self::Uniform { min, max } => 0.5 * (min + max),
            Self::Normal { mean, min, max, .. } => mean.clamp(min, max),
            Self::LogNormal { log_mean, min, max, .. } => log_mean.exp().clamp(min, max),
            Self::Weibull { scale, shape, min, max } => {
                weibull_quantile(0.5, scale, shape).clamp(min, max)
            }
        }
    }

    /// Whether the limits leave out nearly everything that the distribution would give without them: it would be
    /// hardly more than a constant at a limit.
    pub fn is_cut_to_nothing(self) -> bool {
        const FAR: f32 = 3.0;
        match self {
            Self::Constant(_) | Self::Uniform { .. } => false,
            Self::Normal { mean, sd, min, max } => max < mean - FAR * sd || min > mean + FAR * sd,
            Self::LogNormal { log_mean, log_sd, min, max } => {
                max <= (log_mean - FAR * log_sd).exp() || min >= (log_mean + FAR * log_sd).exp()
            }
            Self::Weibull { scale, shape, min, max } => {
                let below = |value: f32| weibull_share(value, scale, shape);
                below(max) - below(min) < 1e-3
            }
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
            Self::LogNormal { log_mean, log_sd, min, max } => {
                for _ in 0..TRIES {
                    let value = (log_mean + log_sd * standard_normal(stream)).exp();
                    if (min..=max).contains(&value) {
                        return value;
                    }
                }
                log_mean.exp().clamp(min, max)
            }
            Self::Weibull { scale, shape, min, max } => {
                // The inverse of the cumulative distribution, between those of the limits.
                let [low, high] = [min, max].map(|limit| weibull_share(limit, scale, shape));
                let share = low + (high - low) * f64::from(stream.unit());
                weibull_quantile(share, scale, shape).clamp(min, max)
            }
        }
    }
}

/// The share of a Weibull distribution below `value`.
fn weibull_share(value: f32, scale: f32, shape: f32) -> f64 {
    let ratio = f64::from(value.max(0.0)) / f64::from(scale);
    -(-ratio.powf(shape.into())).exp_m1()
}

/// The value below which a `share` of a Weibull distribution lies.
fn weibull_quantile(share: f64, scale: f32, shape: f32) -> f32 {
    (f64::from(scale) * (-(-share).ln_1p()).powf(1.0 / f64::from(shape))) as f32
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

    /// Largest distance between the distribution of 20,000 draws and `share`, the cumulative one.
    fn distance(distribution: Distribution, share: impl Fn(f64) -> f64) -> f64 {
        let draw = |who| distribution.sample(&mut Random::new(11).stream(who, 1, Purpose::Wait));
        let mut draws: Vec<f32> = (0..20_000).map(draw).collect();
        draws.sort_by(f32::total_cmp);
        let count = draws.len() as f64;
        let off = |(i, value): (usize, &f32)| {
            let share = share(f64::from(*value));
            (share - i as f64 / count).abs().max(((i + 1) as f64 / count - share).abs())
        };
        draws.iter().enumerate().map(off).fold(0.0, f64::max)
    }

    /// The cumulative standard normal distribution, by Simpson's rule.
    fn normal_share(z: f64) -> f64 {
        let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
        let (steps, low) = (2000, -9.0);
        let width = (z - low) / steps as f64;
        let weight = |i: usize| if i % 2 == 1 { 4.0 } else { 2.0 };
        let inner: f64 = (1..steps).map(|i| weight(i) * density(low + i as f64 * width)).sum();
        (inner + density(low) + density(z)) * width / 3.0
    }

    /// Of Kolmogorov and Smirnov: a true distribution exceeds it in one of a thousand samples of 20,000.
    const CRITICAL: f64 = 1.95 / 141.4;

    #[test]
    fn log_normal_draws_follow_their_closed_form_with_and_without_limits() {
        let (log_mean, log_sd) = (4.0, 0.8);
        let share = |t: f64| normal_share((t.ln() - f64::from(log_mean)) / f64::from(log_sd));
        let whole = Distribution::LogNormal { log_mean, log_sd, min: 0.0, max: f32::INFINITY };
        assert!(distance(whole, share) < CRITICAL);
        let cut = Distribution::LogNormal { log_mean, log_sd, min: 60.0, max: 90.0 };
        let within = |t: f64| (share(t) - share(60.0)) / (share(90.0) - share(60.0));
        assert!(distance(cut, within) < CRITICAL);
    }

    #[test]
    fn weibull_draws_follow_their_closed_form_with_and_without_limits() {
        let share = |t: f64| 1.0 - (-(t / 45.0).powf(1.7)).exp();
        let whole = Distribution::Weibull { scale: 45.0, shape: 1.7, min: 0.0, max: f32::INFINITY };
        assert!(distance(whole, share) < CRITICAL);
        let cut = Distribution::Weibull { scale: 45.0, shape: 1.7, min: 80.0, max: 140.0 };
        let within = |t: f64| (share(t) - share(80.0)) / (share(140.0) - share(80.0));
        assert!(distance(cut, within) < CRITICAL);
    }

    #[test]
    fn limits_that_leave_out_nearly_everything_are_noticed() {
        let infinity = f32::INFINITY;
        let log = |min, max| Distribution::LogNormal { log_mean: 4.0, log_sd: 0.5, min, max };
        assert!(!log(0.0, infinity).is_cut_to_nothing());
        assert!(log(0.0, 5.0).is_cut_to_nothing() && log(1000.0, infinity).is_cut_to_nothing());
        let weibull = |min, max| Distribution::Weibull { scale: 10.0, shape: 2.0, min, max };
        assert!(!weibull(5.0, 50.0).is_cut_to_nothing());
        assert!(weibull(50.0, infinity).is_cut_to_nothing());
    }

    #[test]
    fn limits_outside_the_bulk_end_at_the_nearest_limit() {
        let far = Distribution::Normal { mean: 0.0, sd: 0.1, min: 5.0, max: 6.0 };
        let value = far.sample(&mut Random::new(3).stream(0, 0, Purpose::Speed));
        assert_eq!(value, 5.0);
    }
}
