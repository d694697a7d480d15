//! Eight lanes of double precision, for sums whose terms cancel.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Lanes of a vector of `f64`: as many bits as [`LANES`](crate::LANES) of `f32`.
pub const DOUBLES: usize = 8;

/// Eight numbers of double precision.
pub trait Doubles:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The square root of each lane.
    fn sqrt(self) -> Self;
    /// The larger of each lane; neither may be NaN.
    fn max(self, other: Self) -> Self;
    /// Each lane, positive and not subnormal, as `(n, m)` with value m · 2ⁿ, n whole and m in
    /// [√½, √2).
    fn split(self) -> (Self, Self);
    /// Writes the lanes.
    fn store(self, to: &mut [f64; DOUBLES]);

    /// The sum of all lanes, always added in the same order: halves, quarters, eighths.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut l = [0.0; DOUBLES];
        self.store(&mut l);
        ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
    }
}

/// The bits of √½ less those of the exponent's zero: numbers from there on have the exponent 0
/// when this is taken away and the mantissa shifted out, with a bias that keeps them positive.
pub(crate) const SPLIT_OFFSET: i64 = 0x3FE6_A09E_667F_3BCD - (BIAS << 52);

/// What is added to exponents, so that they need no sign.
pub(crate) const BIAS: i64 = 1023;

/// 2⁵²: a whole number below it, written into its mantissa, is added to it.
pub(crate) const WHOLE: f64 = 4_503_599_627_370_496.0;

#[cfg(test)]
mod tests {
    use crate::{Doubles, Floats, Kernel, LANES, Simd, Vectors, ln, log2, plain::Plain};

    struct Logarithms<'a> {
        bits: &'a mut Vec<u64>,
    }

    impl Kernel for Logarithms<'_> {
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            for i in 0..4000 {
                let x: [f64; 8] = std::array::from_fn(|lane| {
                    let power = f64::from(i * 8 + lane as i32) * (1.0 / 16_000.0) - 1.0;
                    // Half of them near 1, where the logarithm is small.
                    if i % 2 == 0 { 1.0 + power } else { 10f64.powf(30.0 * power) }
                });
                let mut logarithms = [0.0; 8];
                ln(simd, simd.load_doubles(&x)).store(&mut logarithms);
                for (x, y) in x.into_iter().zip(logarithms).filter(|(x, _)| *x > 0.0) {
                    let error = (y - x.ln()).abs();
                    assert!(
                        error <= 2.0 * f64::EPSILON * x.ln().abs(),
                        "ln({x}) is off by {error}"
                    );
                    self.bits.push(y.to_bits());
                }
                let x: [f32; LANES] = std::array::from_fn(|lane| (x[lane % 8] as f32) + 1e-30);
                let logarithms = log2(simd, simd.load(&x)).to_array();
                for (x, y) in x.into_iter().zip(logarithms) {
                    let exact = f64::from(x).log2();
                    let error = (f64::from(y) - exact).abs();
                    assert!(error <= 6e-7 * exact.abs(), "log2({x}) is off by {error}");
                    self.bits.push(u64::from(y.to_bits()));
                }
            }
        }
    }

    #[test]
    fn logarithms_are_exact_enough_and_everywhere_the_same() {
        let mut plain = Vec::new();
        Logarithms { bits: &mut plain }.run(Plain);
        for vectors in Vectors::all() {
            let mut bits = Vec::new();
            vectors.run(Logarithms { bits: &mut bits });
            assert!(bits == plain, "{vectors:?} differs");
        }
    }

    struct Arithmetic;

    impl Kernel for Arithmetic {
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let x: [f64; 8] = std::array::from_fn(|lane| lane as f64 - 3.0);
            let lanes = |v: S::D| {
                let mut lanes = [0.0; 8];
                v.store(&mut lanes);
                lanes
            };
            let (a, two) = (simd.load_doubles(&x), simd.splat_double(2.0));
            assert_eq!(lanes(-(a * a - two) / two), x.map(|x| -(x * x - 2.0) / 2.0));
            assert_eq!(lanes((a + two).max(two).sqrt()), x.map(|x| (x + 2.0).max(2.0).sqrt()));
            assert_eq!(a.sum(), 4.0);
        }
    }

    #[test]
    fn lanes_of_doubles_do_what_they_say() {
        Vectors::all().into_iter().for_each(|vectors| vectors.run(Arithmetic));
        Arithmetic.run(Plain);
    }
}
