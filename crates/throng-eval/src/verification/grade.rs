//! Grades: how values compare with what is expected of them, as an outcome and as a distance.
//!
//! A verdict is too coarse to be improved step by step, so each comparison also tells how far off a value is: 0 if it is as
//! expected, and else how far it lies outside of its range, in widths of the range. For a range with one end, the unit is twice the
//! limit, so that a warning becomes a failure at 0.25 in all ranges. A comparison without a measure, such as a count that has to be exact, has
//! 0 or 1. A test with several comparisons has the root mean square of their distances.

use super::report::Outcome;

/// A distance is this at most: what never happens is as far off as can be.
pub(super) const FARTHEST: f64 = 5.0;

/// Distance of values that have to differ and do not: hardly any, since the next ones do.
const EQUAL: f64 = 1e-6;

/// How far the values of a test are from what is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misfit {
    /// Root mean square over all comparisons of how far values lie outside of their ranges, in widths of the range; 0 if
    /// and only if all are as expected.
    pub distance: f64,
    /// Root mean square over all ranges with two ends of how far values are from the middle: 0 there, 1 at the ends
    /// and beyond.
    pub off_centre: f64,
}

/// How one or several values compare with what is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grade {
    pub outcome: Outcome,
    /// Sum of squared distances, and of how many comparisons.
    squares: f64,
    comparisons: u32,
    /// Sum of squared offsets from the middle, and of how many ranges.
    offsets: f64,
    ranges: u32,
}

impl Grade {
    /// One comparison with this outcome and distance.
    pub fn new(outcome: Outcome, distance: f64) -> Self {
        // NaN is no value at all.
        let distance = if distance < FARTHEST { distance } else { FARTHEST };
        Self { outcome, squares: distance * distance, comparisons: 1, offsets: 0.0, ranges: 0 }
    }

    /// Of what a guideline wants to be documented, and does not judge.
    pub const DOCUMENTED: Self = Self {
        outcome: Outcome::Documented,
        squares: 0.0,
        comparisons: 0,
        offsets: 0.0,
        ranges: 0,
    };

    /// Of what was to be measured and was not.
    pub fn worst_of(outcome: Outcome) -> Self {
        Self { offsets: 1.0, ranges: 1, ..Self::new(outcome, FARTHEST) }
    }

    /// Of a comparison that is missed by so much, if it is.
    pub fn missed_by(is_met: bool, distance: f64) -> Self {
        match is_met {
            true => Self::new(Outcome::Pass, 0.0),
            false if distance < EQUAL => Self::new(Outcome::Fail, EQUAL),
            false => Self::new(Outcome::Fail, distance),
        }
    }

    /// The worst of some.
    pub fn all_of(grades: impl IntoIterator<Item = Self>) -> Self {
        worst(grades)
    }

    pub fn is_pass(&self) -> bool {
        self.outcome == Outcome::Pass
    }

    /// The same where whatever does not pass fails, also what would be a warning.
    pub fn strict(self) -> Self {
        match self.outcome {
            Outcome::Warn => self.told(Outcome::Fail),
            _ => self,
        }
    }

    /// The same distance with another outcome.
    pub fn told(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }

    pub fn misfit(&self) -> Misfit {
        let root = |sum: f64, count: u32| (sum / f64::from(count.max(1))).sqrt();
        Misfit {
            distance: root(self.squares, self.comparisons),
            off_centre: root(self.offsets, self.ranges),
        }
    }
}

/// The worst outcome of some grades, with the distances of all.
pub(super) fn worst(grades: impl IntoIterator<Item = Grade>) -> Grade {
    let badness = |grade: &Grade| match grade.outcome {
        Outcome::Pass | Outcome::Documented => 0,
        Outcome::Warn => 1,
        Outcome::Fail | Outcome::Broken | Outcome::Missing => 2,
    };
    let join = |a: Grade, b: Grade| Grade {
        outcome: if badness(&b) >= badness(&a) { b.outcome } else { a.outcome },
        squares: a.squares + b.squares,
        comparisons: a.comparisons + b.comparisons,
        offsets: a.offsets + b.offsets,
        ranges: a.ranges + b.ranges,
    };
    grades.into_iter().reduce(join).unwrap_or(Grade::new(Outcome::Fail, FARTHEST))
}

/// Passes if so, else fails, at a distance of 1.
pub(super) fn pass_if(passed: bool) -> Grade {
    if passed { Grade::new(Outcome::Pass, 0.0) } else { Grade::new(Outcome::Fail, 1.0) }
}

/// Whether a value lies within a range, or, for a warning, within one and a half times the range
/// around its middle. A limit that is infinite has no other half.
pub(super) fn within(value: f64, [low, high]: [f64; 2]) -> Grade {
    let more = match (low.is_finite(), high.is_finite()) {
        (true, true) => 0.25 * (high - low),
        (true, false) => 0.5 * low.abs(),
        (false, true) => 0.5 * high.abs(),
        (false, false) => 0.0,
    };
    let inside = |more: f64| value >= low - more && value <= high + more;
    let outcome = match value.is_nan() {
        true => Outcome::Fail,
        false if inside(0.0) => Outcome::Pass,
        false if inside(more) => Outcome::Warn,
        false => Outcome::Fail,
    };
    let unit = if more > 0.0 { 4.0 * more } else { 1.0 };
    let outside = match outcome {
        Outcome::Pass => 0.0,
        // Not a number if the value is none.
        _ => {
            if value < low {
                low - value
            } else {
                value - high
            }
        }
    };
    let mut grade = Grade::new(outcome, outside / unit);
    if low.is_finite() && high.is_finite() && high > low {
        let offset = (2.0 * value - low - high).abs() / (high - low);
        grade.offsets = if offset < 1.0 { offset * offset } else { 1.0 };
        grade.ranges = 1;
    }
    grade
}

/// Whether the first of two values is not larger than the second. The unit is the larger one.
pub(super) fn at_most(small: f64, large: f64) -> Grade {
    match small <= large {
        true => pass_if(true),
        false => Grade::new(Outcome::Fail, (small - large) / small.abs().max(large.abs())),
    }
}

/// Whether the first of two values is smaller than the second. The unit is the larger one.
pub(super) fn below(small: f64, large: f64) -> Grade {
    let unit = small.abs().max(large.abs()).max(f64::MIN_POSITIVE);
    Grade::missed_by(small < large, (small - large) / unit)
}

/// Whether each of some values is smaller than the next.
pub(super) fn rising(values: impl IntoIterator<Item = f64>) -> Grade {
    let values: Vec<f64> = values.into_iter().collect();
    worst(values.windows(2).map(|pair| below(pair[0], pair[1])))
}

/// Whether a share of some grades pass. The distance is that of those with the smallest distances, as many as have to pass: it is 0 if and only
/// if enough pass.
pub(super) fn share_of(grades: impl IntoIterator<Item = Grade>, share: f64) -> Grade {
    let mut grades: Vec<Grade> = grades.into_iter().collect();
    grades.sort_by(|a, b| a.squares.total_cmp(&b.squares));
    grades.truncate((share * grades.len() as f64).ceil() as usize);
    worst(grades)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(grade: Grade) -> f64 {
        grade.misfit().distance
    }

    #[test]
    fn a_distance_is_nothing_inside_and_grows_outside_in_widths_of_the_range() {
        let range = [1.0, 3.0];
        for (value, expected) in [(1.0, 0.0), (2.7, 0.0), (3.0, 0.0), (3.5, 0.25), (0.0, 0.5)] {
            assert_eq!(distance(within(value, range)), expected, "{value}");
        }
        assert_eq!(distance(within(1e9, range)), FARTHEST);
        assert_eq!(distance(within(f64::INFINITY, range)), FARTHEST);
        assert_eq!(distance(within(f64::NAN, range)), FARTHEST);
        let at = |value| within(value, range).misfit().off_centre;
        assert_eq!([2.0, 2.5, 3.0, 7.0, f64::NAN].map(at), [0.0, 0.5, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_warning_ends_at_a_quarter_in_all_ranges() {
        for range in [[1.0, 3.0], [2.0, f64::INFINITY], [f64::NEG_INFINITY, -0.4]] {
            for nth in 0..400 {
                let grade = within(-2.0 + 0.0173 * f64::from(nth), range);
                let expected = match distance(grade) {
                    0.0 => Outcome::Pass,
                    near if near <= 0.25 => Outcome::Warn,
                    _ => Outcome::Fail,
                };
                assert_eq!(grade.outcome, expected, "{grade:?}");
            }
        }
    }

    #[test]
    fn several_comparisons_have_the_worst_outcome_and_the_mean_square_of_all() {
        let both = worst([within(3.5, [1.0, 3.0]), pass_if(true)]);
        assert_eq!((both.outcome, distance(both)), (Outcome::Warn, f64::sqrt(0.0625 / 2.0)));
        let nested = worst([both, pass_if(false), pass_if(true)]);
        assert_eq!(nested.outcome, Outcome::Fail);
        assert_eq!(distance(nested), ((0.0625 + 1.0) / 4.0f64).sqrt());
        assert_eq!(distance(Grade::DOCUMENTED), 0.0);
        assert_eq!(worst([]).outcome, Outcome::Fail);
    }

    #[test]
    fn orders_and_shares_have_distances_too() {
        assert_eq!(distance(at_most(2.0, 2.0)), 0.0);
        assert_eq!(distance(at_most(4.0, 3.0)), 0.25);
        assert_eq!(distance(below(2.0, 2.0)), EQUAL);
        assert_eq!(distance(below(f64::INFINITY, 2.0)), FARTHEST);
        assert_eq!(distance(rising([1.0, 2.0, 3.0])), 0.0);
        assert_eq!(rising([1.0, 2.0, f64::NAN]).outcome, Outcome::Fail);
        let classes = [0.0, 0.0, 0.0, 0.3].map(|off| within(1.0 + off, [0.0, 1.0]));
        assert!(share_of(classes, 0.75).is_pass());
        assert!(distance(share_of(classes, 0.9)) > 0.0);
        assert_eq!(share_of([], 0.75).outcome, Outcome::Fail);
    }
}
