//! Round numbers: where an axis has its ticks, how long a scale bar is, and how numbers are written.

use crate::draw::measure;
use crate::style::TICK_SIZE;

/// The smallest of 1, 2 and 5 times a power of ten that is not below `value`; 1 for nonsense.
pub(crate) fn round_up(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    // A value that is round but for the last bits is round.
    let times = value / power * (1.0 - 1e-9);
    power
        * if times <= 1.0 {
            1.0
        } else if times <= 2.0 {
            2.0
        } else if times <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// The largest of 1, 2 and 5 times a power of ten that is not above `value`; 1 for nonsense.
pub(crate) fn round_down(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    let times = value / power * (1.0 + 1e-9);
    power
        * if times >= 5.0 {
            5.0
        } else if times >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// Marks along an axis, a round number apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// Where they are, ascending.
    pub values: Vec<f64>,
    step: f64,
}

impl Ticks {
    /// Ticks within `[min, max]`, at most `most + 1` of them; of 3 or more, at least a third.
    pub(crate) fn new(min: f64, max: f64, most: usize) -> Self {
        let step = round_up((max - min) / most.max(1) as f64);
        // Rounding must not lose a tick at the very end.
        let slack = step * 1e-6;
        let first = ((min - slack) / step).ceil();
        let last = ((max + slack) / step).floor();
        let count = (last - first + 1.0).clamp(0.0, 1000.0) as usize;
        Self { values: (0..count).map(|i| (first + i as f64) * step).collect(), step }
    }

    /// Ticks along a level axis of this length on the page: at most `most + 1`, and as many as have
    /// room for their labels beside each other.
    pub(crate) fn along(min: f64, max: f64, most: usize, length: f32) -> Self {
        const GAP: f32 = 12.0;
        let mut most = most.max(1);
        loop {
            let ticks = Self::new(min, max, most);
            let width = |(_, label): (f64, String)| measure(&label, TICK_SIZE, false);
            let widest = ticks.labels().map(width).fold(0.0, f32::max);
            let spacing = f64::from(length) * ticks.step / (max - min);
            if most == 1 || spacing >= f64::from(widest + GAP) {
                return ticks;
            }
            most -= 1;
        }
    }

    /// What is written at `value`: all ticks have the same number of decimals.
    pub(crate) fn label(&self, value: f64) -> String {
        decimal(value, decimals_of(self.step))
    }

    /// The labels of all ticks.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        self.values.iter().map(|&value| (value, self.label(value)))
    }
}

/// How many ticks an upright axis of this height on the page has room for.
pub(crate) fn most_y_ticks(height: f32) -> usize {
    // A low axis has them closer together: one or two ticks would say little.
    (height / 34.0).max((height / 22.0).min(5.0)) as usize
}

/// How many decimals it takes to write a round number.
pub(crate) fn decimals_of(round: f64) -> usize {
    (-round.log10().floor()).clamp(0.0, 9.0) as usize
}

/// A number with so many decimals, a proper minus sign, and commas in large numbers.
pub(crate) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut shown = String::new();
    if value < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        shown.push('−');
    }
    shown += &if whole.len() > 4 { with_commas(whole) } else { whole.to_owned() };
    if !fraction.is_empty() {
        shown.push('.');
        shown.push_str(fraction);
    }
    shown
}

/// A number in as few decimals as it needs, at most `most`.
pub(crate) fn compact(value: f64, most: usize) -> String {
    let text = decimal(value, most);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// How many of something there are: "1 person", "1,201 people".
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    let number = with_commas(&count.to_string());
    format!("{number} {}", if count == 1 { one } else { many })
}

fn with_commas(digits: &str) -> String {
    let mut number = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            number.push(',');
        }
        number.push(digit);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn round_numbers_are_one_two_or_five() {
        let up: Vec<f64> = [0.07, 0.1, 1.01, 3.0, 5.0, 7.0, 1000.0].map(round_up).into();
        assert_eq!(up, [0.1, 0.1, 2.0, 5.0, 5.0, 10.0, 1000.0]);
        let down: Vec<f64> = [0.07, 0.1, 1.99, 3.0, 5.0, 7.0, 999.0].map(round_down).into();
        assert_eq!(down, [0.05, 0.1, 1.0, 2.0, 5.0, 5.0, 500.0]);
        assert_eq!([f64::NAN, 0.0, -1.0, f64::INFINITY].map(round_up), [1.0; 4]);
    }

    #[test]
    fn numbers_are_written_as_in_print() {
        assert_eq!(decimal(-12.5, 1), "−12.5");
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(5000.0, 0), "5000");
        assert_eq!(decimal(-50_000.0, 0), "−50,000");
        assert_eq!(compact(2.50, 3), "2.5");
        assert_eq!(compact(120.0, 1), "120");
        assert_eq!(counted(1, "person", "people"), "1 person");
        assert_eq!(counted(1201, "frame", "frames"), "1,201 frames");
    }

    #[test]
    fn a_tick_at_the_very_end_is_not_lost() {
        assert_eq!(Ticks::new(0.0, 0.3, 3).values.len(), 4);
        assert_eq!(
            Ticks::new(-0.3, 0.0, 3).labels().map(|t| t.1).collect::<Vec<_>>(),
            ["−0.3", "−0.2", "−0.1", "0.0"]
        );
    }

    proptest! {
        #[test]
        fn ticks_are_few_and_within_the_axis(
            min in -1e5f64..1e5, size in 1e-3f64..2e5, most in 3usize..12
        ) {
            let max = min + size;
            let ticks = Ticks::new(min, max, most);
            prop_assert!(ticks.values.len() <= most + 1, "{:?}", ticks);
            prop_assert!(ticks.values.len() >= most / 3, "{:?}", ticks);
            for &value in &ticks.values {
                prop_assert!(value >= min - size * 1e-6 && value <= max + size * 1e-6);
            }
            let mut labels: Vec<String> = ticks.labels().map(|(_, label)| label).collect();
            let count = labels.len();
            labels.dedup();
            prop_assert_eq!(labels.len(), count, "two ticks read the same");
        }
    }
}
