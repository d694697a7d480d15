//! Eight lanes of double precision as two registers of four.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Avx2;
use crate::doubles::{BIAS, DOUBLES, Doubles, SPLIT_OFFSET, WHOLE};

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
pub struct F64x8(__m256d, __m256d);

impl F64x8 {
    #[inline(always)]
    pub(super) fn splat(_: Avx2, value: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }

    #[inline(always)]
    pub(super) fn load(_: Avx2, values: &[f64; DOUBLES]) -> Self {
        let (halves, _) = values.as_chunks::<4>();
        unsafe { Self(_mm256_loadu_pd(halves[0].as_ptr()), _mm256_loadu_pd(halves[1].as_ptr())) }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                unsafe { Self($intrinsic(self.0, other.0), $intrinsic(self.1, other.1)) }
            }
        }
    };
}
operator!(Add, add, _mm256_add_pd);
operator!(Sub, sub, _mm256_sub_pd);
operator!(Mul, mul, _mm256_mul_pd);
operator!(Div, div, _mm256_div_pd);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            Self(_mm256_xor_pd(self.0, sign), _mm256_xor_pd(self.1, sign))
        }
    }
}

impl Doubles for F64x8 {
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm256_sqrt_pd(self.0), _mm256_sqrt_pd(self.1)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { Self(_mm256_max_pd(self.0, other.0), _mm256_max_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (low, high) = unsafe { (split(self.0), split(self.1)) };
        (Self(low.0, high.0), Self(low.1, high.1))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; DOUBLES]) {
        let (halves, _) = to.as_chunks_mut::<4>();
        unsafe {
            _mm256_storeu_pd(halves[0].as_mut_ptr(), self.0);
            _mm256_storeu_pd(halves[1].as_mut_ptr(), self.1);
        }
    }
}

#[inline(always)]
unsafe fn split(x: __m256d) -> (__m256d, __m256d) {
    unsafe {
        let bits = _mm256_castpd_si256(x);
        let biased =
            _mm256_srli_epi64::<52>(_mm256_sub_epi64(bits, _mm256_set1_epi64x(SPLIT_OFFSET)));
        // There is no conversion from 64-bit integers.
        let whole = _mm256_or_si256(biased, _mm256_castpd_si256(_mm256_set1_pd(WHOLE)));
        let exponent =
            _mm256_sub_pd(_mm256_castsi256_pd(whole), _mm256_set1_pd(WHOLE + BIAS as f64));
        let shift = _mm256_slli_epi64::<52>(_mm256_sub_epi64(biased, _mm256_set1_epi64x(BIAS)));
        (exponent, _mm256_castsi256_pd(_mm256_sub_epi64(bits, shift)))
    }
}
