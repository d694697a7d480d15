//! Who does how much of a turn.
//!
//! The publication's equation 1, as printed, makes the joints turn away from what they look at; with one sign put right
//! the lowest joint of the back does most, and a third of the turn is left undone. What its text asks for is shares that
//! grow linearly up the spine, each taken of what *remains*. The shares `a_i = 2 i / (n (n + 1))` of the whole do that:
//! they add up to 1, and as a part of what remains, joint `i` takes `g_i = 2 i / (n (n + 1) - i (i - 1))`. The last takes
//! all that is left, so nothing is.

/// The share `a_i` of the whole turn that each of `count` joints takes, from the lowest to the eyes.
///
/// ```
/// use throng_motion::gaze::linear_shares;
///
/// let shares: Vec<f64> = linear_shares(4).collect();
/// assert_eq!(shares, [0.1, 0.2, 0.3, 0.4]);
/// ```
pub fn linear_shares(count: usize) -> impl Iterator<Item = f64> {
    let whole = (count * (count + 1)) as f64;
    (1..=count).map(move |joint| (2 * joint) as f64 / whole)
}

/// The part `g_i` of what remains that joint `index` takes so that it has its share of the whole: its share over what it
/// and all joints above it have. Shares need not add up to 1.
pub fn part_of_remaining(shares: &[f64], index: usize) -> f64 {
    let left: f64 = shares.iter().skip(index).sum();
    match shares.get(index) {
        Some(share) if left > 0.0 => share / left,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a turn if every joint takes its part of what remains.
    fn left_over(parts: impl Iterator<Item = f64>) -> f64 {
        parts.map(|part| 1.0 - part).product()
    }

    #[test]
    fn shares_add_up_to_the_whole_and_leave_nothing() {
        for count in 1..=12 {
            let shares: Vec<f64> = linear_shares(count).collect();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{count}");
            let parts = (0..count).map(|index| part_of_remaining(&shares, index));
            assert_eq!(left_over(parts), 0.0, "{count}");
            for index in 0..count {
                let (i, n) = ((index + 1) as f64, count as f64);
                let closed = 2.0 * i / (n * (n + 1.0) - i * (i - 1.0));
                assert!((part_of_remaining(&shares, index) - closed).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_printed_equation_and_the_one_with_its_sign_put_right_leave_much_undone() {
        let n = 9.0;
        let joints = || (1..=9).map(f64::from);
        let printed = || joints().map(|i| (-i - n) * 2.0 / (n * (n - 1.0)));
        assert!((printed().sum::<f64>() + 3.5).abs() < 1e-12);
        assert!(left_over(printed()) > 10.0);
        let put_right = || joints().map(|i| (n - i) * 2.0 / (n * (n - 1.0)));
        assert!((put_right().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((left_over(put_right()) - 0.336).abs() < 1e-3);
        assert!(put_right().next() > put_right().next_back(), "most of it at the bottom");
        // The shares of the whole, taken of what remains, do not do it either.
        assert!((left_over(linear_shares(9)) - 0.340).abs() < 1e-3);
    }

    #[test]
    fn odd_shares_have_defined_parts() {
        assert_eq!(part_of_remaining(&[], 0), 0.0);
        assert_eq!(part_of_remaining(&[0.0, 0.0], 1), 0.0);
        assert_eq!(part_of_remaining(&[1.0, 0.0], 0), 1.0);
    }
}
