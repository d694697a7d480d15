//! How abruptly a point moves that repeats its path.
//!
//! Derivatives of sampled positions drown in noise unless they are smoothed. A cycle repeats, so
//! that smoothing and differentiation are exact in its Fourier series: each harmonic is weakened as
//! a low-pass filter would, and multiplied with its frequency.

use std::f64::consts::TAU;

use glam::Vec3;

/// Where the filter cuts off, in hertz: a Butterworth filter of fourth order that runs forwards and
/// back leaves half of the amplitude there, and next to nothing of twice the frequency.
const CUT_OFF: f64 = 10.0;

/// The root mean squares of acceleration and jerk.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Abruptness {
    /// Metres per second squared.
    pub acceleration: f32,
    /// Metres per second cubed.
    pub jerk: f32,
}

/// How abruptly a point moves that passes `points` evenly in `period` seconds, over and over.
pub(crate) fn abruptness(points: &[Vec3], period: f32) -> Abruptness {
    let count = points.len();
    let mut sums = [0.0; 2];
    for harmonic in 1..count.div_ceil(2) {
        let (mut cos, mut sin) = ([0.0; 3], [0.0; 3]);
        for (index, point) in points.iter().enumerate() {
            // Modulo keeps the argument small, and so exact.
            let angle = TAU * ((harmonic * index) % count) as f64 / count as f64;
            for (axis, value) in point.to_array().into_iter().enumerate() {
                cos[axis] += f64::from(value) * angle.cos();
                sin[axis] += f64::from(value) * angle.sin();
            }
        }
        let squares = cos.iter().chain(&sin).map(|sum| sum * sum).sum::<f64>();
        let amplitude_squared = squares * (2.0 / count as f64).powi(2);
        let frequency = harmonic as f64 / f64::from(period);
        let power = 0.5 * amplitude_squared * gain(frequency).powi(2);
        for (sum, order) in sums.iter_mut().zip([2, 3]) {
            *sum += power * (TAU * frequency).powi(2 * order);
        }
    }
    Abruptness { acceleration: sums[0].sqrt() as f32, jerk: sums[1].sqrt() as f32 }
}

/// What the filter leaves of a frequency.
fn gain(frequency: f64) -> f64 {
    1.0 / (1.0 + (frequency / CUT_OFF).powi(8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swing_has_the_derivatives_of_its_sine() {
        let (period, amplitude) = (1.1_f32, 0.03_f32);
        let point = |index: usize| {
            let angle = std::f32::consts::TAU * index as f32 / 99.0;
            Vec3::new(5.0, 1.0 + amplitude * (2.0 * angle).cos(), 0.0)
        };
        let points: Vec<Vec3> = (0..99).map(point).collect();
        let found = abruptness(&points, period);
        let rate = 2.0 * TAU / f64::from(period);
        let rms = f64::from(amplitude) / 2f64.sqrt() * gain(2.0 / f64::from(period));
        let expected = [rms * rate.powi(2), rms * rate.powi(3)];
        assert!((f64::from(found.acceleration) / expected[0] - 1.0).abs() < 1e-4, "{found:?}");
        assert!((f64::from(found.jerk) / expected[1] - 1.0).abs() < 1e-4);
        assert!(gain(10.0) == 0.5 && gain(5.0) > 0.99 && gain(20.0) < 0.01);
        assert_eq!(abruptness(&[Vec3::ONE; 7], 1.0).jerk.round(), 0.0);
        assert_eq!(abruptness(&[], 1.0), Abruptness::default());
    }
}
