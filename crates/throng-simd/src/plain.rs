//! Sixteen lanes as an array, for processors without the vector instructions that we know.

use glam::Vec2;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::doubles::{BIAS, SPLIT_OFFSET};
use super::log::SQRT_HALF;
use super::{Candidates, DOUBLES, Doubles, Floats, LANES, Mask, Simd, SortedPairs};

/// No vector instructions at all: every processor has that.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Sixteen numbers.
#[derive(Clone, Copy, Debug)]
pub struct F32x16([f32; LANES]);

/// Sixteen truth values.
#[derive(Clone, Copy, Debug)]
pub struct Mask16(u16);

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
pub struct F64x8([f64; DOUBLES]);

impl Simd for Plain {
    type F = F32x16;
    type M = Mask16;
    type D = F64x8;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        F32x16([value; LANES])
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        F32x16(*values)
    }

    #[inline(always)]
    fn splat_double(self, value: f64) -> F64x8 {
        F64x8([value; DOUBLES])
    }

    #[inline(always)]
    fn load_doubles(self, values: &[f64; DOUBLES]) -> F64x8 {
        F64x8(*values)
    }

    #[inline(always)]
    fn load_pairs(self, values: &[Vec2; LANES]) -> [F32x16; 2] {
        [F32x16(values.map(|v| v.x)), F32x16(values.map(|v| v.y))]
    }

    #[inline(always)]
    fn store_pairs(self, [x, y]: [F32x16; 2], to: &mut [Vec2; LANES]) {
        *to = std::array::from_fn(|lane| Vec2::new(x.0[lane], y.0[lane]));
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> Mask16 {
        Mask16(bits)
    }

    #[inline(always)]
    fn transpose(self, records: [&[f32; 8]; LANES]) -> [F32x16; 8] {
        std::array::from_fn(|number| F32x16(records.map(|record| record[number])))
    }

    fn gather(self, list: &[u32], at: &[u32; LANES]) -> [u32; LANES] {
        at.map(|at| list[at as usize])
    }

    fn below(self, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        (0..LANES).fold(0, |bits, lane| bits | u16::from(a[lane] < b[lane]) << lane)
    }

    fn compress(self, values: &[u32; LANES], bits: u16) -> [u32; LANES] {
        let mut compressed = [0; LANES];
        let chosen = (0..LANES).filter(|lane| bits >> lane & 1 == 1);
        for (to, lane) in compressed.iter_mut().zip(chosen) {
            *to = values[lane];
        }
        compressed
    }

    fn append(self, list: &mut Candidates, keys: F32x16, bits: u16, first: u32) -> bool {
        let Some((to_keys, to_indices)) = list.room() else { return false };
        let hits = (0..LANES).filter(|lane| bits >> lane & 1 == 1);
        for ((lane, key), index) in hits.zip(to_keys).zip(to_indices) {
            (*key, *index) = (keys.0[lane], f32::from_bits(first + lane as u32));
        }
        list.len += bits.count_ones() as usize;
        true
    }

    fn sort(self, list: &Candidates, sorted: &mut SortedPairs) -> bool {
        if !(1..=64).contains(&list.len) {
            return false;
        }
        let pairs = &mut sorted.0[..list.len];
        for ((pair, key), index) in pairs.iter_mut().zip(&list.keys).zip(&list.indices) {
            *pair = [*key, *index];
        }
        pairs.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        pairs.windows(2).all(|two| two[0][0] < two[1][0])
    }
}

/// Applies a function to every lane of its operands.
macro_rules! each {
    ($f:expr; $($operand:expr),+) => {
        Self(std::array::from_fn(|lane| $f($($operand.0[lane]),+)))
    };
}

macro_rules! compare {
    ($f:expr; $a:expr, $b:expr) => {{
        let lanes = $a.0.iter().zip(&$b.0).enumerate();
        Mask16(lanes.fold(0, |bits, (lane, (a, b))| bits | u16::from($f(a, b)) << lane))
    }};
}

operators!(F32x16, each:
    Add::add = f32::add, Sub::sub = f32::sub, Mul::mul = f32::mul, Div::div = f32::div
);
operators!(F64x8, each:
    Add::add = f64::add, Sub::sub = f64::sub, Mul::mul = f64::mul, Div::div = f64::div
);
bit_operators!(Mask16);

/// The smaller and the larger as the vector instructions find them: the second operand if both are zero.
#[inline(always)]
fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(f32::neg))
    }
}

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(f64::neg))
    }
}

impl Floats for F32x16 {
    type Mask = Mask16;

    functions!(each:
        sqrt(self) = f32::sqrt, abs(self) = f32::abs, round(self) = f32::round_ties_even,
        min(self, other) = smaller, max(self, other) = larger
    );
    comparisons!(compare: lt = f32::lt, le = f32::le, gt = f32::gt, ge = f32::ge);

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(self.0.map(|n| f32::from_bits(((n as i32 + 127) as u32) << 23)))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let exponents = self.0.map(|x| (x.to_bits() as i32).wrapping_sub(SQRT_HALF) >> 23);
        let mantissa = |lane: usize| {
            let bits = self.0[lane].to_bits() as i32;
            f32::from_bits(bits.wrapping_sub(exponents[lane] << 23) as u32)
        };
        (Self(exponents.map(|n| n as f32)), Self(std::array::from_fn(mantissa)))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    fn store_bits(self, to: &mut [u32; LANES]) {
        *to = self.0.map(f32::to_bits);
    }

    #[inline(always)]
    fn to_whole(self) -> [u32; LANES] {
        self.0.map(|number| number as u32)
    }
}

impl Mask for Mask16 {
    type F = F32x16;

    #[inline(always)]
    fn select(self, yes: F32x16, no: F32x16) -> F32x16 {
        let choose = |lane: usize| if self.0 >> lane & 1 == 1 { yes.0[lane] } else { no.0[lane] };
        F32x16(std::array::from_fn(choose))
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        self.0
    }
}

impl Doubles for F64x8 {
    functions!(each: sqrt(self) = f64::sqrt, max(self, other) = larger);

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
