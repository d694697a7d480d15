//! Radial functions: what an anchor's influence is at a distance.
//!
//! All are conditionally positive definite of order 2 or less *with the sign they have here*: on
//! weights that are blind to affine fields (Σλ = 0, Σλq = 0) their matrix is positive definite, so
//! a Cholesky factorisation exists. It fails with the other sign, which is how a mistake would show.
//! They are functions of s = r², which spares the thin plate a root.

use throng_simd::{Doubles, Simd, ln};

/// Smallest s a logarithm or a quotient is taken of; at the anchor itself the limit is 0.
const TINY: f64 = 1e-280;

/// A function of the squared distance.
pub trait Radial: Copy + Send + Sync + 'static {
    /// φ at the squared distance `s`.
    fn value<S: Simd>(simd: S, s: S::D) -> S::D;
    /// φ'(r) / r: times the way from the anchor it is the gradient.
    fn slope<S: Simd>(simd: S, s: S::D) -> S::D;
}

/// r² ln r: in the plane, the surface of a thin plate that bends least.
#[derive(Clone, Copy, Debug)]
pub struct ThinPlate;

impl Radial for ThinPlate {
    #[inline(always)]
    fn value<S: Simd>(simd: S, s: S::D) -> S::D {
        simd.splat_double(0.5) * s * ln(simd, s.max(simd.splat_double(TINY)))
    }

    #[inline(always)]
    fn slope<S: Simd>(simd: S, s: S::D) -> S::D {
        ln(simd, s.max(simd.splat_double(TINY))) + simd.splat_double(1.0)
    }
}

/// r³: in three coordinates, what the thin plate is in the plane.
#[derive(Clone, Copy, Debug)]
pub struct Triharmonic;

impl Radial for Triharmonic {
    #[inline(always)]
    fn value<S: Simd>(_: S, s: S::D) -> S::D {
        s * s.sqrt()
    }

    #[inline(always)]
    fn slope<S: Simd>(simd: S, s: S::D) -> S::D {
        simd.splat_double(3.0) * s.sqrt()
    }
}
