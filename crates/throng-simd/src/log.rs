//! Logarithms that are the same everywhere; the library's differ from platform to platform.

use crate::{Doubles, Floats, Simd};

/// The bits of √½: where a number's mantissa is halved instead of doubled.
pub(crate) const SQRT_HALF: i32 = 0x3F35_04F3;

/// The binary logarithm of positive numbers that are not subnormal, with a relative error below
/// 6e-7.
#[inline(always)]
pub fn log2<S: Simd>(simd: S, x: S::F) -> S::F {
    // The best polynomial of degree 7 for log2(1 + t) / t between √½ and √2, by relative error.
    const COEFFICIENTS: [f32; 7] = [
        0.234_042_38,
        -0.248_876_87,
        0.287_098_7,
        -0.360_239_62,
        0.480_923_24,
        -0.721_352_8,
        1.442_694_9,
    ];
    let (exponent, mantissa) = x.split();
    let t = mantissa - simd.splat(1.0);
    let mut sum = simd.splat(-0.145_811_69);
    for coefficient in COEFFICIENTS {
        sum = sum * t + simd.splat(coefficient);
    }
    exponent + t * sum
}

/// The natural logarithm of positive numbers that are not subnormal, to the last bit or two.
#[inline(always)]
pub fn ln<S: Simd>(simd: S, x: S::D) -> S::D {
    // With s = t / (2 + t), ln(1 + t) = 2 atanh s = 2s + s·R(s²); R is the polynomial of fdlibm
    // (`e_log.c`, Sun Microsystems, 1993), whose error is below 2⁻⁵⁸.
    const COEFFICIENTS: [f64; 6] = [
        1.531_383_769_920_937_3e-1,
        1.818_357_216_161_805e-1,
        2.222_219_843_214_978_4e-1,
        2.857_142_874_366_239e-1,
        3.999_999_999_940_942e-1,
        6.666_666_666_666_735e-1,
    ];
    let number = |value| simd.splat_double(value);
    let (exponent, mantissa) = x.split();
    let t = mantissa - number(1.0);
    let s = t / (number(2.0) + t);
    let square = s * s;
    let mut sum = number(1.479_819_860_511_658_6e-1);
    for coefficient in COEFFICIENTS {
        sum = sum * square + number(coefficient);
    }
    let half_square = number(0.5) * t * t;
    // ln 2 in two parts, the first exact in few bits: its multiples lose nothing.
    let rest = s * (half_square + square * sum) + exponent * number(1.908_214_929_270_587_7e-10);
    exponent * number(6.931_471_803_691_238e-1) - ((half_square - rest) - t)
}
