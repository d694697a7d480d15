//! How far a scale of colours reaches.

use crate::ticks::round_up;

/// The upper end of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Top {
    pub value: f64,
    /// Whether some values are larger.
    pub is_exceeded: bool,
}

/// A round number that is not below 99.5 % of `values`, which are sorted. A few outliers would
/// otherwise take most of the colours. Without values it is 1.
pub(crate) fn top(values: &mut [f32]) -> Top {
    values.sort_unstable_by(f32::total_cmp);
    let index = (values.len() as f64 * 0.995) as usize;
    let high = values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0);
    let value = round_top(high.into());
    let largest = values.last().copied().unwrap_or(0.0);
    Top { value, is_exceeded: f64::from(largest) > value * (1.0 + 1e-6) }
}

/// The smallest number of at most five round steps that is not below `value`.
pub(crate) fn round_top(value: f64) -> f64 {
    if !(value.is_finite() && value > 1e-9) {
        return 1.0;
    }
    let step = round_up(value / 5.0);
    (value / step * (1.0 - 1e-6)).ceil() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        let round: Vec<f64> = [1.9, 2.1, 0.87, 1.3, 0.3, 7.0].map(round_top).into();
        let expected = [2.0, 2.5, 1.0, 1.5, 0.3, 8.0];
        assert!(round.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{round:?}");
        assert_eq!([0.0, -1.0, f64::NAN].map(round_top), [1.0; 3]);
    }

    #[test]
    fn outliers_do_not_stretch_the_scale() {
        let mut values: Vec<f32> = (0..1000).map(|i| i as f32 / 1000.0).collect();
        values[0] = 50.0;
        assert_eq!(top(&mut values), Top { value: 1.0, is_exceeded: true });
        assert_eq!(top(&mut [0.5, 2.0]), Top { value: 2.0, is_exceeded: false });
        assert_eq!(top(&mut []), Top { value: 1.0, is_exceeded: false });
    }
}
