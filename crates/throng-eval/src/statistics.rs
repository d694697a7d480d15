//! Means, spreads, and whether two samples differ.

use serde::Serialize;

/// What a sample of numbers has in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// Their mean; 0 if there are none.
    pub mean: f64,
    /// Their standard deviation (by `n - 1`); 0 if there are fewer than two.
    pub sd: f64,
    /// Their median; 0 if there are none.
    pub median: f64,
}

impl Spread {
    /// The spread of `values`.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len();
        if count == 0 {
            return Self::default();
        }
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let sd = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        Self { count, mean, sd, median: quantile(values, 0.5).unwrap_or(mean) }
    }
}

/// The mean of `values`; `None` if there are none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let add = |(sum, count), value| (sum + value, count + 1);
    let (sum, count) = values.into_iter().fold((0.0, 0u32), add);
    (count > 0).then(|| sum / f64::from(count))
}

/// The value that the `share` (0 to 1) smallest of `values` do not exceed, between two of them if need
/// be. `None` if there are none.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * position.fract())
}

/// The line of least squares through some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearFit {
    /// Its slope.
    pub slope: f64,
    /// The coefficient of determination (R²); 0 if all points are equally high.
    pub r_squared: f64,
}

impl LinearFit {
    /// The line through `points`. The slope is NaN if all have the same x.
    pub fn of(points: &[(f64, f64)]) -> Self {
        let count = points.len() as f64;
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
        let (x, y) = (sum(&|p| p.0) / count, sum(&|p| p.1) / count);
        let xy = sum(&|p| (p.0 - x) * (p.1 - y));
        let (xx, yy) = (sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.1 - y).powi(2)));
        Self { slope: xy / xx, r_squared: if yy > 0.0 { xy * xy / (xx * yy) } else { 0.0 } }
    }
}

/// The result of a t-test of Welch (1947), for two samples that may differ in spread and size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Welch {
    /// The difference of the means in units of its standard error.
    pub t: f64,
    /// Degrees of freedom, by Welch and Satterthwaite.
    pub degrees_of_freedom: f64,
    /// How probable a difference at least as large is, either way, if the means are equal.
    pub p: f64,
}

impl Welch {
    /// Compares two samples. `None` if one has fewer than two values, or neither varies.
    pub fn test(a: &[f64], b: &[f64]) -> Option<Self> {
        let (x, y) = (Spread::of(a), Spread::of(b));
        if x.count < 2 || y.count < 2 {
            return None;
        }
        let error = |s: Spread| s.sd * s.sd / s.count as f64;
        let (ex, ey) = (error(x), error(y));
        let variance = ex + ey;
        if !(variance > 0.0 && variance.is_finite()) {
            return None;
        }
        let t = (x.mean - y.mean) / variance.sqrt();
        let part = |e: f64, s: Spread| e * e / (s.count - 1) as f64;
        let degrees_of_freedom = variance * variance / (part(ex, x) + part(ey, y));
        Some(Self { t, degrees_of_freedom, p: student_tails(t, degrees_of_freedom) })
    }
}

/// The result of a t-test of pairs: what differs from one pair to the next, and is the same within
/// each, does not blur the difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// The mean of first minus second.
    pub difference: f64,
    /// The difference in units of its standard error.
    pub t: f64,
    /// How probable a difference at least as large is, either way, if there is none.
    pub p: f64,
}

impl Paired {
    /// Compares the firsts of all pairs with their seconds. `None` for fewer than two pairs, or if
    /// all differ by the same.
    pub fn test(pairs: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        let differences: Vec<f64> = pairs.into_iter().map(|(a, b)| a - b).collect();
        let Spread { count, mean, sd, .. } = Spread::of(&differences);
        if !(count >= 2 && sd > 0.0 && sd.is_finite()) {
            return None;
        }
        let t = mean / (sd / (count as f64).sqrt());
        Some(Self { difference: mean, t, p: student_tails(t, (count - 1) as f64) })
    }
}

/// The share of a standard normal distribution below `z`: half the error function's complement, by its continued fraction or,
/// near 0, its series.
pub fn normal_share(z: f64) -> f64 {
    let x = z.abs();
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let tail = if x < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        0.5 - density * sum
    } else {
        density / (1..100).rev().fold(x, |below, n| x + f64::from(n) / below)
    };
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// How probable a value at least as far from 0 as `t` is in Student's distribution.
fn student_tails(t: f64, degrees_of_freedom: f64) -> f64 {
    let x = degrees_of_freedom / (degrees_of_freedom + t * t);
    incomplete_beta(x, 0.5 * degrees_of_freedom, 0.5)
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast below the mean only; above it, the mirror image does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (mut c, mut d) = (1.0, 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for i in 1..500 {
        let m = f64::from(i);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    let ln_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    (ln_front.exp() * fraction / a).clamp(0.0, 1.0)
}

/// The logarithm of the gamma function of a positive number, by Lanczos.
fn ln_gamma(x: f64) -> f64 {
    const G: f64 = 7.0;
    const SERIES: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let terms = SERIES.iter().enumerate().map(|(i, c)| c / (x + i as f64 + 1.0));
    let sum: f64 = 0.999_999_999_999_809_9 + terms.sum::<f64>();
    let t = x + G + 0.5;
    0.5 * std::f64::consts::TAU.ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_and_quantiles_are_those_of_the_textbook() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((spread.count, spread.mean, spread.median), (8, 5.0, 4.5));
        assert!((spread.sd - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.25), Some(1.5));
        assert_eq!((quantile(&[], 0.5), Spread::of(&[]).count), (None, 0));
        assert_eq!(Spread::of(&[4.0]).sd, 0.0);
    }

    #[test]
    fn the_t_test_agrees_with_scipy() {
        // scipy.stats.ttest_ind(a, b, equal_var=False)
        let a = [
            27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7,
            21.4,
        ];
        let b = [
            27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.4,
            25.0,
        ];
        let welch = Welch::test(&a, &b).unwrap();
        assert!((welch.t + 2.887355590692406).abs() < 1e-9, "{welch:?}");
        assert!((welch.degrees_of_freedom - 27.8851163422742).abs() < 1e-8, "{welch:?}");
        assert!((welch.p - 0.007424792294822725).abs() < 1e-10, "{welch:?}");
        let far = Welch::test(&[1.0, 1.1, 0.9], &[9.0, 9.1, 8.9, 9.2]).unwrap();
        assert!((far.p / 3.1282310495841908e-09 - 1.0).abs() < 1e-6, "{far:?}");
        assert_eq!(Welch::test(&a, &a).unwrap().p, 1.0);
        assert_eq!(Welch::test(&[1.0], &b), None);
        assert_eq!(Welch::test(&[1.0, 1.0], &[2.0, 2.0]), None);
    }

    #[test]
    fn normal_shares_agree_with_scipy() {
        // scipy.stats.norm.cdf
        for (z, share) in [
            (0.0, 0.5),
            (1.0, 0.8413447460685429),
            (-1.959963984540054, 0.025),
            (-2.9999, 0.0013503412829549248),
            (-4.0, 3.167124183311986e-05),
            (6.0, 0.9999999990134123),
        ] {
            assert!((normal_share(z) - share).abs() < 1e-12, "{z}: {}", normal_share(z));
        }
    }

    #[test]
    fn pairs_are_compared_pair_by_pair() {
        // Sleep gained with two drugs by the same ten people (Student 1908): p = 0.00283.
        let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let paired = Paired::test(first.into_iter().zip(second)).unwrap();
        assert!((paired.difference + 1.58).abs() < 1e-12, "{paired:?}");
        assert!((paired.t + 4.062_127_683_382_037).abs() < 1e-9, "{paired:?}");
        assert!((paired.p - 0.002_832_890_197_384_25).abs() < 1e-9, "{paired:?}");
        assert!(Welch::test(&first, &second).unwrap().p > 0.05, "which people differ in hides it");
        assert_eq!(Paired::test([(1.0, 2.0)]), None);
        assert_eq!(Paired::test([(1.0, 2.0), (2.0, 3.0)]), None);
    }
}
