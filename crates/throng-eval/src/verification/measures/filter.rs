//! A low-pass filter without delay: Butterworth's of second order, forwards and then backwards.

use std::f64::consts::{PI, SQRT_2};

use glam::DVec2;

/// `points` without what is faster than `cutoff`, a share of half the sampling rate below 1.
///
/// The ends are continued by their reflections at the end points, so that they stay where they are.
pub fn smoothed(points: &[DVec2], cutoff: f64) -> Vec<DVec2> {
    let count = points.len();
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let pad = 9.min(count - 1);
    let before = (1..=pad).rev().map(|i| 2.0 * first - points[i]);
    let after = (1..=pad).map(|i| 2.0 * last - points[count - 1 - i]);
    let mut signal: Vec<DVec2> = before.chain(points.iter().copied()).chain(after).collect();
    for _ in 0..2 {
        pass(&mut signal, cutoff);
        signal.reverse();
    }
    signal[pad..pad + count].to_vec()
}

/// Once over the signal, as if it had always been what it begins with.
fn pass(signal: &mut [DVec2], cutoff: f64) {
    let k = (0.5 * PI * cutoff).tan();
    let scale = 1.0 / (1.0 + SQRT_2 * k + k * k);
    let b = [k * k * scale, 2.0 * k * k * scale, k * k * scale];
    let a = [2.0 * (k * k - 1.0) * scale, (1.0 - SQRT_2 * k + k * k) * scale];
    let Some(&start) = signal.first() else { return };
    let (mut x, mut y) = ([start; 2], [start; 2]);
    for value in signal {
        let now = b[0] * *value + b[1] * x[0] + b[2] * x[1] - a[0] * y[0] - a[1] * y[1];
        (x, y) = ([*value, x[0]], [now, y[0]]);
        *value = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_walks_stay_and_tremors_go() {
        let walk: Vec<DVec2> = (0..30).map(|i| DVec2::new(0.5 * f64::from(i), 1.0)).collect();
        for (point, smooth) in walk.iter().zip(smoothed(&walk, 0.8)) {
            assert!(point.distance(smooth) < 0.02, "{point} {smooth}");
        }
        let tremor: Vec<DVec2> =
            (0..30).map(|i| DVec2::new(if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0)).collect();
        let left = smoothed(&tremor, 0.8)[10..20].iter().map(|p| p.x.abs()).fold(0.0, f64::max);
        assert!(left < 0.2, "the fastest there is, is gone: {left}");
        assert!(smoothed(&[], 0.8).is_empty());
        assert_eq!(smoothed(&[DVec2::X], 0.8).len(), 1);
    }
}
