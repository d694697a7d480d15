//! Eight lanes of double precision in one register.

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Avx512;
use crate::doubles::{BIAS, DOUBLES, Doubles, SPLIT_OFFSET, WHOLE};

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct F64x8(__m512d);

impl F64x8 {
    #[inline(always)]
    pub(super) fn splat(_: Avx512, value: f64) -> Self {
        unsafe { Self(_mm512_set1_pd(value)) }
    }

    #[inline(always)]
    pub(super) fn load(_: Avx512, values: &[f64; DOUBLES]) -> Self {
        unsafe { Self(_mm512_loadu_pd(values.as_ptr())) }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for F64x8 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    };
}
operator!(Add, add, _mm512_add_pd);
operator!(Sub, sub, _mm512_sub_pd);
operator!(Mul, mul, _mm512_mul_pd);
operator!(Div, div, _mm512_div_pd);

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))) }
    }
}

impl Doubles for F64x8 {
    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm512_sqrt_pd(self.0)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { Self(_mm512_max_pd(self.0, other.0)) }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let bits = _mm512_castpd_si512(self.0);
            let biased =
                _mm512_srli_epi64::<52>(_mm512_sub_epi64(bits, _mm512_set1_epi64(SPLIT_OFFSET)));
            let whole = _mm512_or_si512(biased, _mm512_castpd_si512(_mm512_set1_pd(WHOLE)));
            let exponent =
                _mm512_sub_pd(_mm512_castsi512_pd(whole), _mm512_set1_pd(WHOLE + BIAS as f64));
            let shift = _mm512_slli_epi64::<52>(_mm512_sub_epi64(biased, _mm512_set1_epi64(BIAS)));
            (Self(exponent), Self(_mm512_castsi512_pd(_mm512_sub_epi64(bits, shift))))
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; DOUBLES]) {
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) }
    }
}
