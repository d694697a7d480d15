//! Sixteen lanes as an array, for processors without the vector instructions that we know.

use glam::Vec2;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

mod doubles;

use doubles::F64x8;

use super::log::SQRT_HALF;
use super::{Candidates, DOUBLES, Floats, LANES, Mask, Simd, SortedPairs};

/// No vector instructions at all: every processor has that.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// Sixteen numbers.
#[derive(Clone, Copy, Debug)]
pub struct F32x16([f32; LANES]);

/// Sixteen truth values.
#[derive(Clone, Copy, Debug)]
pub struct Mask16(u16);

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
        F64x8::splat(self, value)
    }

    #[inline(always)]
    fn load_doubles(self, values: &[f64; DOUBLES]) -> F64x8 {
        F64x8::load(self, values)
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

impl F32x16 {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(&f32, &f32) -> bool) -> Mask16 {
        let lanes = self.0.iter().zip(&other.0).enumerate();
        Mask16(lanes.fold(0, |bits, (lane, (a, b))| bits | u16::from(f(a, b)) << lane))
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl $trait for F32x16 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, f32::$method)
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(f32::neg))
    }
}

bit_operators!(Mask16);

impl Floats for F32x16 {
    type Mask = Mask16;

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn round(self) -> Self {
        Self(self.0.map(f32::round_ties_even))
    }

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

    // As the vector instructions do it: the second operand if both are zero.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Mask16 {
        self.compare(other, f32::lt)
    }

    #[inline(always)]
    fn le(self, other: Self) -> Mask16 {
        self.compare(other, f32::le)
    }

    #[inline(always)]
    fn gt(self, other: Self) -> Mask16 {
        self.compare(other, f32::gt)
    }

    #[inline(always)]
    fn ge(self, other: Self) -> Mask16 {
        self.compare(other, f32::ge)
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
