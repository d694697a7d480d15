//! Householder reflections that turn the polynomial part of a system away.
//!
//! Q holds what an affine field is at the anchors, a row per anchor. Reflections H bring it to a
//! triangle in the *last* rows; what is in the rows before them is blind to affine fields, and the
//! reflected kernel matrix H K Hᵀ has its positive definite part in the leading rows and columns.

use throng_simd::{DOUBLES, Doubles, Simd};

use super::panels::Panels;

/// The reflections and the triangle: H Q has `triangle[i]` in row n - 1 - i and zeros elsewhere.
#[derive(Clone, Debug)]
pub struct Reflections {
    /// Each is x ← x - v (v·x), with |v|² = 2 and room for whole panels.
    mirrors: Vec<Vec<f64>>,
    triangle: Vec<Vec<f64>>,
}

impl Reflections {
    /// The reflections of a matrix given by its columns, fewer than rows or as many.
    pub fn of(mut columns: Vec<Vec<f64>>) -> Self {
        let rows = columns.first().map_or(0, Vec::len);
        let mut mirrors = Vec::with_capacity(columns.len());
        for j in 0..columns.len() {
            let pivot = rows - 1 - j;
            let mut mirror = columns[j][..=pivot].to_vec();
            let length = mirror.iter().map(|x| x * x).sum::<f64>().sqrt();
            mirror[pivot] += length.copysign(mirror[pivot]);
            let squared: f64 = mirror.iter().map(|x| x * x).sum();
            let scale = if squared > 0.0 { (2.0 / squared).sqrt() } else { 0.0 };
            mirror.iter_mut().for_each(|x| *x *= scale);
            for column in &mut columns[j..] {
                reflect(&mirror, column);
            }
            mirror.resize(rows.next_multiple_of(DOUBLES), 0.0);
            mirrors.push(mirror);
        }
        let row = |i: usize| columns.iter().map(|column| column[rows - 1 - i]).collect();
        let triangle = (0..columns.len()).map(row).collect();
        Self { mirrors, triangle }
    }

    pub fn len(&self) -> usize {
        self.mirrors.len()
    }

    /// H x.
    pub fn apply(&self, x: &mut [f64]) {
        self.mirrors.iter().for_each(|mirror| reflect(mirror, x));
    }

    /// Hᵀ x.
    pub fn undo(&self, x: &mut [f64]) {
        self.mirrors.iter().rev().for_each(|mirror| reflect(mirror, x));
    }

    /// The x with R x = b, R being the triangle.
    pub fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        for i in (0..b.len()).rev() {
            let known: f64 = (i + 1..b.len()).map(|j| self.triangle[i][j] * b[j]).sum();
            b[i] = (b[i] - known) / self.triangle[i][i];
        }
        b
    }

    /// The x with Rᵀ x = b.
    pub fn solve_transposed(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..x.len() {
            let known: f64 = (0..i).map(|j| self.triangle[j][i] * x[j]).sum();
            x[i] = (x[i] - known) / self.triangle[i][i];
        }
        x
    }

    /// H K Hᵀ of a symmetric matrix.
    #[inline(always)]
    pub fn apply_to_both_sides<S: Simd>(&self, simd: S, matrix: &mut Panels) {
        let panels = matrix.size().div_ceil(DOUBLES);
        let mut other = vec![[0.0; DOUBLES]; panels];
        for mirror in &self.mirrors {
            matrix.times(simd, mirror, &mut other);
            let half = 0.5 * dot(mirror, other.as_flattened());
            for (other, mirror) in other.as_flattened_mut().iter_mut().zip(mirror) {
                *other -= half * mirror;
            }
            // K - v wᵀ - w vᵀ
            let (mirror, _) = mirror.as_chunks::<DOUBLES>();
            for panel in 0..panels {
                let v = simd.load_doubles(&mirror[panel]);
                let w = simd.load_doubles(&other[panel]);
                let factors = mirror.as_flattened().iter().zip(other.as_flattened());
                for (vector, (v_k, w_k)) in matrix.panel_mut(panel).iter_mut().zip(factors) {
                    let change = v * simd.splat_double(*w_k) + w * simd.splat_double(*v_k);
                    (simd.load_doubles(vector) - change).store(vector);
                }
            }
        }
    }
}

fn reflect(mirror: &[f64], x: &mut [f64]) {
    let along = dot(mirror, x);
    for (x, v) in x.iter_mut().zip(mirror) {
        *x -= along * v;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
