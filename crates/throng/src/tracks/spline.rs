//! Smoothing splines: the curve that is near the samples and bends least.
//!
//! Among all curves, a natural cubic spline makes `Σ |yᵢ - f(tᵢ)|² / looseᵢ + ∫ |f''|²` smallest. Its
//! second derivatives at the samples, the *bends*, solve one banded system (Reinsch 1967):
//!
//! ```text
//! (R + Qᵀ L Q) bends = Qᵀ y          f = y - L Q bends
//! ```
//!
//! `Qᵀ y` are the second differences of the samples, `R` is what a spline's bends make of them, and
//! `L` has the looseness of each sample on its diagonal: 0 is passed through exactly. Five diagonals are
//! filled, so a fit takes time and memory proportional to the number of samples.
//!
//! The same matrix gives the likelihood of samples: if acceleration is white noise and so are the
//! errors of the samples, then `Qᵀ y` is normal with the covariance `R + Qᵀ L Q`, up to a factor
//! (Wahba 1978). That is how the looseness is found.
//!
//! An end can be at rest: the curve then ends in its sample, with no velocity. That is one more row in
//! the system, like the others, with what would lie beyond the end left out.

use glam::DVec3;

/// What a curve does at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It goes on straight.
    Free,
    /// It comes to rest in the sample, whatever its looseness.
    AtRest,
}

/// A curve at its samples. Between two of them it is a cubic.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    pub places: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    /// Second derivatives.
    pub bends: Vec<DVec3>,
}

/// Fits `samples` at `times`, which ascend strictly. There is at least one.
pub(super) fn fit(times: &[f64], samples: &[DVec3], loose: &[f64], ends: [End; 2]) -> Curve {
    let count = times.len();
    let mut loose = loose.to_vec();
    let mut bends = vec![DVec3::ZERO; count];
    let (mut first, mut after) = (1, count.saturating_sub(1));
    if count > 1 && ends[0] == End::AtRest {
        (first, loose[0]) = (0, 0.0);
    }
    if count > 1 && ends[1] == End::AtRest {
        (after, loose[count - 1]) = (count, 0.0);
    }
    if first < after {
        let system = System { times, loose: &loose };
        system.solve(first..after, samples, &mut bends);
    }
    let places = (0..count).map(|i| {
        let inverse = |i: usize| inverse(times, i);
        let mut pull = -(inverse(i) + inverse(i + 1)) * bends[i];
        if i > 0 {
            pull += inverse(i) * bends[i - 1];
        }
        if i + 1 < count {
            pull += inverse(i + 1) * bends[i + 1];
        }
        samples[i] - loose[i] * pull
    });
    let places: Vec<_> = places.collect();
    let mut velocities: Vec<_> = (0..count).map(|i| velocity(times, &places, &bends, i)).collect();
    for (end, i) in [(ends[0], 0), (ends[1], count - 1)] {
        if end == End::AtRest {
            // The system says so, too, up to rounding.
            velocities[i] = DVec3::ZERO;
        }
    }
    Curve { places, velocities, bends }
}

/// What the likelihood of samples needs: the sum of squares `zᵀ B⁻¹ z` of their second differences on
/// the ground, and the logarithm of the determinant of `B = R + Qᵀ L Q`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evidence {
    pub squares: f64,
    pub log_determinant: f64,
}

/// The evidence of samples of which all are as loose.
pub(super) fn evidence(times: &[f64], samples: &[DVec3], loose: f64) -> Evidence {
    let mut evidence = Evidence::default();
    let mut window = Window::default();
    for i in 1..times.len().saturating_sub(1) {
        let row = row(times, [loose; 3], i);
        let (pivot, rest) = window.eliminate(row, second_difference(times, samples, i));
        evidence.squares += rest.truncate().length_squared() / pivot;
        evidence.log_determinant += pivot.ln();
    }
    evidence
}

/// The reciprocal of the time from sample `i - 1` to sample `i`; 0 beyond the ends.
fn inverse(times: &[f64], i: usize) -> f64 {
    if i == 0 || i >= times.len() { 0.0 } else { (times[i] - times[i - 1]).recip() }
}

fn second_difference(times: &[f64], samples: &[DVec3], i: usize) -> DVec3 {
    let mut difference = DVec3::ZERO;
    if i + 1 < samples.len() {
        difference += (samples[i + 1] - samples[i]) * inverse(times, i + 1);
    }
    if i > 0 {
        difference -= (samples[i] - samples[i - 1]) * inverse(times, i);
    }
    difference
}

/// The diagonal of the matrix at `i` and the two entries beside it, given the looseness of the
/// samples before, at and after `i`.
fn row(times: &[f64], [before, here, after]: [f64; 3], i: usize) -> [f64; 3] {
    let gap = |i: usize| if i == 0 || i >= times.len() { 0.0 } else { times[i] - times[i - 1] };
    let (last, next) = (inverse(times, i), inverse(times, i + 1));
    let second = inverse(times, i + 2);
    let diagonal = (gap(i) + gap(i + 1)) / 3.0
        + before * last * last
        + here * (last + next) * (last + next)
        + after * next * next;
    let beside = gap(i + 1) / 6.0 - here * (last + next) * next - after * next * (next + second);
    [diagonal, beside, after * next * second]
}

/// Gaussian elimination without pivots, which a positive definite matrix does not need: what the two
/// rows before do to the next one.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    /// Pivot, factors for the next two rows, and right-hand side, the nearer row first.
    rows: [(f64, [f64; 2], DVec3); 2],
    /// Entries beside the diagonal, before they are divided by the pivot.
    entries: [[f64; 2]; 2],
}

impl Window {
    /// The pivot and the right-hand side of `row`.
    fn eliminate(&mut self, [diagonal, beside, second]: [f64; 3], right: DVec3) -> (f64, DVec3) {
        let [(_, near, near_right), (_, far, far_right)] = self.rows;
        let [near_entries, far_entries] = self.entries;
        let pivot = diagonal - near[0] * near_entries[0] - far[1] * far_entries[1];
        // Rounding can take away all of a pivot only where times are absurdly close.
        let pivot = pivot.max(f64::MIN_POSITIVE);
        let beside = beside - near[0] * near_entries[1];
        let rest = right - near[0] * near_right - far[1] * far_right;
        self.rows = [(pivot, [beside / pivot, second / pivot], rest), self.rows[0]];
        self.entries = [[beside, second], near_entries];
        (pivot, rest)
    }
}

struct System<'a> {
    times: &'a [f64],
    loose: &'a [f64],
}

impl System<'_> {
    /// Writes the bends at `unknown` samples; all others are straight.
    fn solve(&self, unknown: std::ops::Range<usize>, samples: &[DVec3], bends: &mut [DVec3]) {
        let mut window = Window::default();
        let mut factors = Vec::with_capacity(unknown.len());
        let loose = |i: Option<usize>| i.and_then(|i| self.loose.get(i)).copied().unwrap_or(0.0);
        for i in unknown.clone() {
            let around = [loose(i.checked_sub(1)), loose(Some(i)), loose(Some(i + 1))];
            let right = second_difference(self.times, samples, i);
            let (pivot, rest) = window.eliminate(row(self.times, around, i), right);
            bends[i] = rest / pivot;
            factors.push(window.rows[0].1);
        }
        for i in unknown.clone().rev() {
            let [near, far] = factors[i - unknown.start];
            if i + 1 < unknown.end {
                bends[i] -= near * bends[i + 1];
            }
            if i + 2 < unknown.end {
                bends[i] -= far * bends[i + 2];
            }
        }
    }
}

fn velocity(times: &[f64], places: &[DVec3], bends: &[DVec3], i: usize) -> DVec3 {
    if i + 1 < times.len() {
        let gap = times[i + 1] - times[i];
        (places[i + 1] - places[i]) / gap - gap / 6.0 * (2.0 * bends[i] + bends[i + 1])
    } else if i > 0 {
        let gap = times[i] - times[i - 1];
        (places[i] - places[i - 1]) / gap + gap / 6.0 * (bends[i - 1] + 2.0 * bends[i])
    } else {
        DVec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNEVEN: [f64; 9] = [0.0, 0.3, 0.4, 0.9, 1.0, 1.6, 2.1, 2.2, 3.0];

    fn wavy(times: &[f64]) -> Vec<DVec3> {
        times.iter().map(|t| DVec3::new(t * 1.3, (2.0 * t).sin(), 0.1 * t * t)).collect()
    }

    /// `Σ |y - f|² / loose + ∫ |f''|²` of a curve.
    fn cost(times: &[f64], samples: &[DVec3], loose: f64, curve: &Curve) -> f64 {
        let far: f64 = samples.iter().zip(&curve.places).map(|(a, b)| a.distance_squared(*b)).sum();
        let bent = times.windows(2).zip(curve.bends.windows(2)).map(|(t, b)| {
            (t[1] - t[0]) / 3.0 * (b[0].length_squared() + b[0].dot(b[1]) + b[1].length_squared())
        });
        far / loose + bent.sum::<f64>()
    }

    #[test]
    fn straight_lines_stay_what_they_are() {
        let line: Vec<_> = UNEVEN.iter().map(|t| DVec3::new(1.0 - t, 2.0 * t, 3.0)).collect();
        let curve = fit(&UNEVEN, &line, &[0.5; 9], [End::Free; 2]);
        for (i, place) in curve.places.iter().enumerate() {
            assert!(place.distance(line[i]) < 1e-12);
            assert!(curve.velocities[i].distance(DVec3::new(-1.0, 2.0, 0.0)) < 1e-12);
        }
    }

    #[test]
    fn bends_satisfy_the_system_and_velocities_are_continuous() {
        let samples = wavy(&UNEVEN);
        for ends in [[End::Free; 2], [End::AtRest, End::Free], [End::AtRest; 2]] {
            let curve = fit(&UNEVEN, &samples, &[0.01; 9], ends);
            for i in 1..8 {
                // The velocity at the end of the piece before, from its own cubic.
                let gap = UNEVEN[i] - UNEVEN[i - 1];
                let left = (curve.places[i] - curve.places[i - 1]) / gap
                    + gap / 6.0 * (curve.bends[i - 1] + 2.0 * curve.bends[i]);
                assert!(left.distance(curve.velocities[i]) < 1e-10, "{ends:?} at {i}");
            }
            if ends[0] == End::AtRest {
                assert_eq!(curve.places[0], samples[0]);
                let free = velocity(&UNEVEN, &curve.places, &curve.bends, 0);
                assert!(free.length() < 1e-10, "{free}");
            }
            if ends[1] == End::AtRest {
                assert_eq!(curve.places[8], samples[8]);
                assert!(velocity(&UNEVEN, &curve.places, &curve.bends, 8).length() < 1e-10);
            }
        }
    }

    #[test]
    fn no_other_curve_costs_less() {
        let samples = wavy(&UNEVEN);
        let best = fit(&UNEVEN, &samples, &[0.02; 9], [End::Free; 2]);
        let least = cost(&UNEVEN, &samples, 0.02, &best);
        for i in 0..9 {
            for change in [-0.01, 0.01] {
                // A spline through slightly different places is a candidate like any other.
                let mut places = best.places.clone();
                places[i].y += change;
                let other = fit(&UNEVEN, &places, &[0.0; 9], [End::Free; 2]);
                assert!(cost(&UNEVEN, &samples, 0.02, &other) > least, "{i} {change}");
            }
        }
    }

    #[test]
    fn evidence_is_that_of_the_dense_matrix() {
        let (samples, loose) = (wavy(&UNEVEN), 0.03);
        let size = UNEVEN.len() - 2;
        // B = R + L Qᵀ Q, element by element from its definition.
        let column = |i: usize| {
            let (p, q) = (inverse(&UNEVEN, i), inverse(&UNEVEN, i + 1));
            let mut column = [0.0; 9];
            (column[i - 1], column[i], column[i + 1]) = (p, -p - q, q);
            column
        };
        let entry = |i: usize, j: usize| {
            let (a, b) = (column(i + 1), column(j + 1));
            let errors = loose * a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let lower = i.min(j) + 1;
            match i.abs_diff(j) {
                0 => errors + (UNEVEN[i + 2] - UNEVEN[i]) / 3.0,
                1 => errors + (UNEVEN[lower + 1] - UNEVEN[lower]) / 6.0,
                _ => errors,
            }
        };
        let row = |i: usize| (0..size).map(|j| entry(i, j)).collect();
        let mut dense: Vec<Vec<f64>> = (0..size).map(row).collect();
        let mut right: Vec<_> =
            (1..=size).map(|i| second_difference(&UNEVEN, &samples, i)).collect();
        let (mut squares, mut log_determinant) = (0.0, 0.0);
        for k in 0..size {
            let (above, above_right) = (dense[k].clone(), right[k]);
            let pivot = above[k];
            log_determinant += pivot.ln();
            squares += above_right.truncate().length_squared() / pivot;
            for i in k + 1..size {
                let factor = dense[i][k] / pivot;
                dense[i].iter_mut().zip(&above).for_each(|(entry, above)| *entry -= factor * above);
                right[i] -= factor * above_right;
            }
        }
        let found = evidence(&UNEVEN, &samples, loose);
        assert!((found.squares - squares).abs() < 1e-9 * squares);
        assert!((found.log_determinant - log_determinant).abs() < 1e-9);
    }

    #[test]
    fn one_and_two_samples_are_curves() {
        let alone = fit(&[7.0], &[DVec3::ONE], &[1.0], [End::AtRest; 2]);
        assert_eq!((alone.places[0], alone.velocities[0]), (DVec3::ONE, DVec3::ZERO));
        let ease = fit(&[0.0, 2.0], &[DVec3::ZERO, DVec3::X], &[1.0; 2], [End::AtRest; 2]);
        assert_eq!(ease.velocities, [DVec3::ZERO; 2]);
        assert!((ease.bends[0].x - 1.5).abs() < 1e-12, "6 d / T²: {}", ease.bends[0]);
    }
}
