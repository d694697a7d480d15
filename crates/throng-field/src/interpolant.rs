//! The sum that a field is: P(q) + Σ λᵢ φ(|q - qᵢ|), in double precision.
//!
//! Eight anchors are treated at once, so that a single point is found quickly, too. Coordinates are
//! normalised ones; see [`crate::frame`].

use std::array::from_fn;
use std::marker::PhantomData;

use throng_simd::{DOUBLES, Doubles, Kernel, Simd, Vectors, run_anywhere};

use crate::linear::Solution;
use crate::radial::Radial;

/// V functions of D coordinates that share their anchors.
#[derive(Clone, Debug)]
pub struct Interpolant<R, const D: usize, const V: usize> {
    simd: Option<Vectors>,
    radial: PhantomData<R>,
    octets: Vec<Octet<D, V>>,
    pub constant: [f64; V],
    pub linear: [[f64; D]; V],
}

/// Eight anchors: their coordinates and their weights. Those that fill up the last one weigh nothing.
#[derive(Clone, Debug)]
struct Octet<const D: usize, const V: usize> {
    centres: [[f64; DOUBLES]; D],
    weights: [[f64; DOUBLES]; V],
}

impl<R: Radial, const D: usize, const V: usize> Interpolant<R, D, V> {
    /// The functions that solutions describe, one each.
    pub fn new(
        simd: Option<Vectors>,
        points: &[[f64; D]],
        directions: &[[f64; D]],
        solutions: &[Solution; V],
    ) -> Self {
        let octet = |(at, points): (usize, &[[f64; D]])| Octet {
            centres: from_fn(|axis| from_fn(|i| points.get(i).map_or(0.0, |p| p[axis]))),
            weights: solutions.each_ref().map(|solution| {
                from_fn(|i| solution.weights.get(at * DOUBLES + i).copied().unwrap_or(0.0))
            }),
        };
        let slope = |solution: &Solution, axis: usize| {
            let slopes = solution.polynomial.iter().skip(1);
            slopes.zip(directions).map(|(slope, direction)| slope * direction[axis]).sum()
        };
        Self {
            simd,
            radial: PhantomData,
            octets: points.chunks(DOUBLES).enumerate().map(octet).collect(),
            constant: solutions
                .each_ref()
                .map(|solution| solution.polynomial.first().copied().unwrap_or(0.0)),
            linear: solutions.each_ref().map(|solution| from_fn(|axis| slope(solution, axis))),
        }
    }

    /// Anchors with their weights.
    pub fn terms(&self) -> impl Iterator<Item = ([f64; D], [f64; V])> {
        self.octets.iter().flat_map(|octet| {
            (0..DOUBLES).map(|i| (octet.centres.map(|c| c[i]), octet.weights.map(|w| w[i])))
        })
    }

    pub fn value(&self, at: [f64; D]) -> [f64; V] {
        let mut values = [[0.0; V]];
        self.values(&[at], &mut values);
        values[0]
    }

    /// The values at many points.
    pub fn values(&self, at: &[[f64; D]], values: &mut [[f64; V]]) {
        run_anywhere(self.simd, Values { of: self, at, values });
    }

    /// The gradient of each function.
    pub fn gradient(&self, at: [f64; D]) -> [[f64; D]; V] {
        let mut gradient = self.linear;
        run_anywhere(self.simd, Gradient { of: self, at, gradient: &mut gradient });
        gradient
    }

    /// The value at one point, from inside a kernel.
    #[inline(always)]
    pub fn value_in<S: Simd>(&self, simd: S, at: [f64; D]) -> [f64; V] {
        let mut sums = [simd.splat_double(0.0); V];
        for octet in &self.octets {
            let (_, squared) = octet.ways_from(simd, at);
            let influence = R::value(simd, squared);
            for (sum, weights) in sums.iter_mut().zip(&octet.weights) {
                *sum = *sum + simd.load_doubles(weights) * influence;
            }
        }
        from_fn(|v| {
            let affine = (0..D).fold(self.constant[v], |sum, i| sum + self.linear[v][i] * at[i]);
            affine + sums[v].sum()
        })
    }
}

impl<const D: usize, const V: usize> Octet<D, V> {
    /// The ways from the anchors to a point, and their squared lengths.
    #[inline(always)]
    fn ways_from<S: Simd>(&self, simd: S, at: [f64; D]) -> ([S::D; D], S::D) {
        let ways: [S::D; D] =
            from_fn(|axis| simd.splat_double(at[axis]) - simd.load_doubles(&self.centres[axis]));
        let mut squared = ways[0] * ways[0];
        for way in &ways[1..] {
            squared = squared + *way * *way;
        }
        (ways, squared)
    }
}

struct Values<'a, R, const D: usize, const V: usize> {
    of: &'a Interpolant<R, D, V>,
    at: &'a [[f64; D]],
    values: &'a mut [[f64; V]],
}

impl<R: Radial, const D: usize, const V: usize> Kernel for Values<'_, R, D, V> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (at, value) in self.at.iter().zip(self.values) {
            *value = self.of.value_in(simd, *at);
        }
    }
}

struct Gradient<'a, R, const D: usize, const V: usize> {
    of: &'a Interpolant<R, D, V>,
    at: [f64; D],
    gradient: &'a mut [[f64; D]; V],
}

impl<R: Radial, const D: usize, const V: usize> Kernel for Gradient<'_, R, D, V> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut sums = [[simd.splat_double(0.0); D]; V];
        for octet in &self.of.octets {
            let (ways, squared) = octet.ways_from(simd, self.at);
            let slope = R::slope(simd, squared);
            for (sums, weights) in sums.iter_mut().zip(&octet.weights) {
                let factor = simd.load_doubles(weights) * slope;
                for (sum, way) in sums.iter_mut().zip(ways) {
                    *sum = *sum + factor * way;
                }
            }
        }
        for (gradient, sums) in self.gradient.as_flattened_mut().iter_mut().zip(sums.as_flattened())
        {
            *gradient += sums.sum();
        }
    }
}
