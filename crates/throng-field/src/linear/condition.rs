//! How far a system is from being singular: its condition number in the 2-norm.
//!
//! The matrix is symmetric, so its largest singular value is found by multiplying with it again and
//! again, and its smallest by solving again and again.

use throng_simd::Vectors;

use super::{Factorisation, Solution};
use crate::interpolant::Interpolant;
use crate::radial::Radial;

/// At which relative change an estimate is good enough.
const CONVERGED: f64 = 1e-4;
const MOST_ITERATIONS: usize = 200;

/// The condition number of the system that `factorisation` solves, to about a percent.
pub fn condition<R: Radial, const D: usize>(
    simd: Option<Vectors>,
    factorisation: &Factorisation,
    points: &[[f64; D]],
    directions: &[[f64; D]],
    smoothing: &[f64],
) -> f64 {
    let apply = |x: &Solution| {
        let field = Interpolant::<R, D, 1>::new(simd, points, directions, std::array::from_ref(x));
        let mut values = vec![[0.0]; points.len()];
        field.values(points, &mut values);
        let weights = values.iter().zip(smoothing).zip(&x.weights);
        let along = |direction: &[f64; D]| {
            let along = |p: &[f64; D]| p.iter().zip(direction).map(|(p, d)| p * d).sum::<f64>();
            points.iter().zip(&x.weights).map(|(p, w)| along(p) * w).sum()
        };
        Solution {
            polynomial: std::iter::once(x.weights.iter().sum())
                .chain(directions.iter().map(along))
                .collect(),
            weights: weights.map(|(([v], s), w)| v + s * w).collect(),
        }
    };
    let unit = points.len() + directions.len() + 1;
    let largest = growth(unit, points.len(), apply);
    let smallest = growth(unit, points.len(), |x| {
        let [solution] = factorisation.solve([&x.weights], [&x.polynomial]);
        solution
    });
    largest * smallest
}

/// The factor by which repeated application makes a vector longer in the end.
fn growth(unknowns: usize, weights: usize, apply: impl Fn(&Solution) -> Solution) -> f64 {
    // Any start will do that is at right angles to nothing in particular.
    let start = |i: usize| ((i as f64 + 1.0) * 0.754_877_666).fract() - 0.5;
    let mut x = Solution {
        weights: (0..weights).map(start).collect(),
        polynomial: (weights..unknowns).map(start).collect(),
    };
    normalise(&mut x);
    let mut growth: f64 = 0.0;
    for _ in 0..MOST_ITERATIONS {
        // Twice, since eigenvalues of both signs make a single step swing.
        x = apply(&apply(&x));
        let next = normalise(&mut x).sqrt();
        let converged = (next - growth).abs() <= CONVERGED * next;
        growth = next;
        if converged {
            break;
        }
    }
    growth
}

fn normalise(x: &mut Solution) -> f64 {
    let all = || x.weights.iter().chain(&x.polynomial);
    let length = all().map(|x| x * x).sum::<f64>().sqrt();
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    x.weights.iter_mut().chain(&mut x.polynomial).for_each(|x| *x *= scale);
    length
}
