//! One matrix of anchors, factorised once and solved for any vectors.

use std::array::from_fn;
use std::marker::PhantomData;

use throng_simd::{DOUBLES, Doubles, Kernel, Simd, Vectors, run_anywhere};

use super::cholesky;
use super::householder::Reflections;
use super::panels::Panels;
use crate::radial::Radial;

/// The system [K + Λ, Q; Qᵀ, 0] of some anchors, ready to be solved: K the radial function of their
/// distances, Λ their smoothing, Q the affine fields at the anchors.
#[derive(Clone, Debug)]
pub struct Factorisation {
    simd: Option<Vectors>,
    size: usize,
    reflections: Reflections,
    /// The last rows of H (K + Λ) Hᵀ, from the last one upwards.
    last_rows: Vec<Vec<f64>>,
    /// The Cholesky factor of its leading part.
    factor: Panels,
}

/// What the system is solved by, for one component.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// λ, one per anchor.
    pub weights: Vec<f64>,
    /// The constant, then one per direction.
    pub polynomial: Vec<f64>,
}

impl Factorisation {
    /// Factorises the system of anchors at `points` with affine fields that vary along `directions`
    /// only. `None` if it is singular, or nearly.
    pub fn new<R: Radial, const D: usize>(
        simd: Option<Vectors>,
        points: &[[f64; D]],
        directions: &[[f64; D]],
        smoothing: &[f64],
    ) -> Option<Self> {
        let size = points.len();
        let along = |direction: &[f64; D]| {
            let along = |p: &[f64; D]| p.iter().zip(direction).map(|(p, d)| p * d).sum();
            points.iter().map(along).collect()
        };
        let columns: Vec<Vec<f64>> =
            std::iter::once(vec![1.0; size]).chain(directions.iter().map(along)).collect();
        if size < columns.len() {
            return None;
        }
        let reflections = Reflections::of(columns);
        let mut factorisation =
            Self { simd, size, reflections, last_rows: Vec::new(), factor: Panels::zero(size) };
        let mut succeeded = false;
        let job = Factorise::<R, D> {
            points,
            smoothing,
            into: &mut factorisation,
            succeeded: &mut succeeded,
            radial: PhantomData,
        };
        run_anywhere(simd, job);
        succeeded.then_some(factorisation)
    }

    /// The solutions for these values at the anchors, with these moments Qᵀλ: zero for a field.
    pub fn solve<const V: usize>(
        &self,
        values: [&[f64]; V],
        moments: [&[f64]; V],
    ) -> [Solution; V] {
        let definite = self.definite();
        let reflected = values.map(|values| {
            let mut reflected = values.to_vec();
            self.reflections.apply(&mut reflected);
            reflected
        });
        // The moments fix what weights are not blind to: Rᵀ y = g.
        let fixed = moments.map(|moments| self.reflections.solve_transposed(moments));
        let mut free = vec![[[0.0; DOUBLES]; V]; definite.div_ceil(DOUBLES)];
        for k in 0..definite {
            for v in 0..V {
                let rows = self.last_rows.iter().zip(&fixed[v]);
                let known: f64 = rows.map(|(row, y)| row[k] * y).sum();
                free[k / DOUBLES][v][k % DOUBLES] = reflected[v][k] - known;
            }
        }
        run_anywhere(self.simd, Solve { factorisation: self, values: &mut free });
        from_fn(|v| {
            let mut weights: Vec<f64> =
                (0..definite).map(|k| free[k / DOUBLES][v][k % DOUBLES]).collect();
            weights.extend(fixed[v].iter().rev());
            // R c = what the kernel leaves of the values.
            let left = self.last_rows.iter().zip(reflected[v].iter().rev()).map(|(row, value)| {
                let explained: f64 = row.iter().zip(&weights).map(|(k, w)| k * w).sum();
                value - explained
            });
            let polynomial = self.reflections.solve(left.collect());
            self.reflections.undo(&mut weights);
            Solution { weights, polynomial }
        })
    }

    /// How many rows the positive definite part has.
    fn definite(&self) -> usize {
        self.size - self.reflections.len()
    }
}

struct Factorise<'a, R, const D: usize> {
    points: &'a [[f64; D]],
    smoothing: &'a [f64],
    into: &'a mut Factorisation,
    succeeded: &'a mut bool,
    radial: PhantomData<R>,
}

impl<R: Radial, const D: usize> Kernel for Factorise<'_, R, D> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { points, smoothing, into, succeeded, radial: _ } = self;
        assemble::<S, R, D>(simd, points, &mut into.factor);
        into.factor.add_to_diagonal(smoothing);
        into.reflections.apply_to_both_sides(simd, &mut into.factor);
        let (size, definite) = (into.size, into.definite());
        let row = |row: usize| (0..size).map(|k| into.factor.get(row, k)).collect();
        into.last_rows = (definite..size).rev().map(row).collect();
        *succeeded = cholesky::factorise(simd, &mut into.factor, definite);
    }
}

/// The radial function of all distances.
#[inline(always)]
fn assemble<S: Simd, R: Radial, const D: usize>(simd: S, points: &[[f64; D]], matrix: &mut Panels) {
    for (panel, rows) in points.chunks(DOUBLES).enumerate() {
        let rows: [S::D; D] =
            from_fn(|axis| simd.load_doubles(&from_fn(|i| rows[i.min(rows.len() - 1)][axis])));
        for (vector, point) in matrix.panel_mut(panel).iter_mut().zip(points) {
            let mut s = simd.splat_double(0.0);
            for (row, x) in rows.iter().zip(point) {
                let way = *row - simd.splat_double(*x);
                s = s + way * way;
            }
            R::value(simd, s).store(vector);
        }
        // Rows that only fill up the last panel.
        let inside = (points.len() - panel * DOUBLES).min(DOUBLES);
        for vector in matrix.panel_mut(panel) {
            vector[inside..].fill(0.0);
        }
    }
}

struct Solve<'a, const V: usize> {
    factorisation: &'a Factorisation,
    values: &'a mut [[[f64; DOUBLES]; V]],
}

impl<const V: usize> Kernel for Solve<'_, V> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { factorisation, values } = self;
        cholesky::solve(simd, &factorisation.factor, factorisation.definite(), values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::radial::{ThinPlate, Triharmonic};

    /// r, with the sign that makes the matrix negative.
    #[derive(Clone, Copy)]
    struct WrongSign;

    impl Radial for WrongSign {
        fn value<S: Simd>(_: S, s: S::D) -> S::D {
            s.sqrt()
        }

        fn slope<S: Simd>(simd: S, _: S::D) -> S::D {
            simd.splat_double(0.0)
        }
    }

    fn points() -> Vec<[f64; 3]> {
        let point = |i: usize| [0.755, 0.570, 0.430].map(|step| (i as f64 * step).fract() - 0.5);
        (1..30).map(point).collect()
    }

    fn factorise<R: Radial>() -> Option<Factorisation> {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Factorisation::new::<R, 3>(Vectors::detect(), &points(), &axes, &[0.0; 29])
    }

    #[test]
    fn a_wrong_sign_is_found_out() {
        assert!(factorise::<Triharmonic>().is_some());
        assert!(factorise::<WrongSign>().is_none());
    }

    #[test]
    fn solutions_fulfil_the_whole_system() {
        let points: Vec<[f64; 2]> = points().iter().map(|p| [p[0], p[1]]).collect();
        let axes = [[1.0, 0.0], [0.0, 1.0]];
        let smoothing = vec![1e-3; points.len()];
        let factorisation =
            Factorisation::new::<ThinPlate, 2>(None, &points, &axes, &smoothing).unwrap();
        let values: Vec<f64> = (0..points.len()).map(|i| (i as f64).sin()).collect();
        let moments = [0.3, -0.2, 0.1];
        let [Solution { weights, polynomial }] = factorisation.solve([&values], [&moments]);
        for (i, p) in points.iter().enumerate() {
            let mut sum = smoothing[i] * weights[i] + polynomial[0];
            sum += polynomial[1] * p[0] + polynomial[2] * p[1];
            for (q, weight) in points.iter().zip(&weights).filter(|(q, _)| *q != p) {
                let r = (p[0] - q[0]).hypot(p[1] - q[1]);
                sum += weight * r * r * r.ln();
            }
            assert!((sum - values[i]).abs() < 1e-11, "row {i}");
        }
        let moment = |of: fn(&[f64; 2]) -> f64| -> f64 {
            points.iter().zip(&weights).map(|(p, w)| of(p) * w).sum()
        };
        let found = [moment(|_| 1.0), moment(|p| p[0]), moment(|p| p[1])];
        assert!(found.iter().zip(moments).all(|(a, b)| (a - b).abs() < 1e-11));
    }
}
