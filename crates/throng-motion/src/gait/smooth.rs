//! Small curves, and smoothing over a cycle.

use glam::FloatExt as _;

/// 0 below 0, 1 above 1, smooth in between.
pub(crate) fn smoothstep(at: f32) -> f32 {
    at.smoothstep(0.0, 1.0)
}

/// Falls smoothly from 1 at 0 to 0 at 1.
pub(crate) fn hermite(at: f32) -> f32 {
    1.0 - smoothstep(at)
}

/// `values` over a cycle, smoothed by a Gaussian whose deviation is `sigma` of the cycle.
pub(crate) fn blurred(values: &[f32], sigma: f32) -> Vec<f32> {
    let count = values.len();
    let deviation = (sigma * count as f32).max(1e-3);
    let reach = (3.0 * deviation).ceil() as isize;
    let weights: Vec<f32> =
        (-reach..=reach).map(|at| (-0.5 * (at as f32 / deviation).powi(2)).exp()).collect();
    let total: f32 = weights.iter().sum();
    (0..count as isize)
        .map(|index| {
            let around = (-reach..=reach).zip(&weights);
            let sum: f32 = around
                .map(|(at, weight)| {
                    weight * values[(index + at).rem_euclid(count as isize) as usize]
                })
                .sum();
            sum / total
        })
        .collect()
}

/// The largest of `values` within `reach` of the cycle to both sides of each.
pub(crate) fn dilated(values: &[f32], reach: f32) -> Vec<f32> {
    let count = values.len() as isize;
    let reach = (reach * count as f32).ceil() as isize;
    (0..count)
        .map(|index| {
            (-reach..=reach)
                .map(|at| values[(index + at).rem_euclid(count) as usize])
                .fold(f32::NEG_INFINITY, f32::max)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_dilated_and_blurred_is_nowhere_below_what_it_was() {
        let mut values = vec![0.0; 64];
        values[3] = 1.0;
        values[40] = 0.5;
        let smooth = blurred(&dilated(&values, 0.06), 0.015);
        for (smooth, value) in smooth.iter().zip(&values) {
            assert!(*smooth >= value - 0.01, "{smooth} {value}");
        }
    }
}
