//! Eight lanes of double precision as an array.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Plain;
use crate::doubles::{BIAS, DOUBLES, Doubles, SPLIT_OFFSET};

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
pub struct F64x8([f64; DOUBLES]);

impl F64x8 {
    #[inline(always)]
    pub(super) fn splat(_: Plain, value: f64) -> Self {
        Self([value; DOUBLES])
    }

    #[inline(always)]
    pub(super) fn load(_: Plain, values: &[f64; DOUBLES]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, f64::$method)
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(f64::neg))
    }
}

impl Doubles for F64x8 {
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    // As the vector instructions do it: the second operand if both are zero.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let exponents = self
            .0
            .map(|x| ((x.to_bits() as i64).wrapping_sub(SPLIT_OFFSET) as u64 >> 52) as i64 - BIAS);
        let mantissa = |lane: usize| {
            let bits = self.0[lane].to_bits() as i64;
            f64::from_bits(bits.wrapping_sub(exponents[lane] << 52) as u64)
        };
        (Self(exponents.map(|n| n as f64)), Self(std::array::from_fn(mantissa)))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; DOUBLES]) {
        *to = self.0;
    }
}
