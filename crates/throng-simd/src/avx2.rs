//! Sixteen lanes as two registers of eight.

use glam::Vec2;
use std::arch::x86_64::*;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::doubles::{BIAS, SPLIT_OFFSET, WHOLE};
use super::log::SQRT_HALF;
use super::{
    Candidates, DOUBLES, Doubles, Floats, Kernel, LANES, Mask, OUT_OF_BOUNDS, Simd, SortedPairs,
    halves, sum_of_ranks,
};

instruction_set! {
    /// Proof that the processor has AVX2, and the bit instructions that came with it.
    Avx2: "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
}

/// Sixteen numbers.
#[derive(Clone, Copy, Debug)]
pub struct F32x16(__m256, __m256);

/// Sixteen truth values.
#[derive(Clone, Copy, Debug)]
pub struct Mask16(__m256, __m256);

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
pub struct F64x8(__m256d, __m256d);

impl Simd for Avx2 {
    type F = F32x16;
    type M = Mask16;
    type D = F64x8;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        unsafe { F32x16(_mm256_set1_ps(value), _mm256_set1_ps(value)) }
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        let (low, high) = halves(values);
        unsafe { F32x16(_mm256_loadu_ps(low.as_ptr()), _mm256_loadu_ps(high.as_ptr())) }
    }

    #[inline(always)]
    fn splat_double(self, value: f64) -> F64x8 {
        unsafe { F64x8(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }

    #[inline(always)]
    fn load_doubles(self, values: &[f64; DOUBLES]) -> F64x8 {
        let (halves, _) = values.as_chunks::<4>();
        unsafe { F64x8(_mm256_loadu_pd(halves[0].as_ptr()), _mm256_loadu_pd(halves[1].as_ptr())) }
    }

    #[inline(always)]
    fn load_pairs(self, values: &[Vec2; LANES]) -> [F32x16; 2] {
        let from = values.as_ptr().cast::<f32>();
        unsafe {
            let [(x0, y0), (x1, y1)] = [split_pairs(from), split_pairs(from.add(LANES))];
            [F32x16(x0, x1), F32x16(y0, y1)]
        }
    }

    #[inline(always)]
    fn store_pairs(self, [x, y]: [F32x16; 2], to: &mut [Vec2; LANES]) {
        let to = to.as_mut_ptr().cast::<f32>();
        unsafe {
            pair_up(x.0, y.0, to);
            pair_up(x.1, y.1, to.add(LANES));
        }
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> Mask16 {
        unsafe {
            let select = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let spread = |bits: i32| {
                let spread = _mm256_and_si256(_mm256_set1_epi32(bits), select);
                _mm256_castsi256_ps(_mm256_cmpeq_epi32(spread, select))
            };
            Mask16(spread(i32::from(bits & 0xFF)), spread(i32::from(bits >> 8)))
        }
    }

    #[inline(always)]
    fn transpose(self, records: [&[f32; 8]; LANES]) -> [F32x16; 8] {
        let low = transpose_half(std::array::from_fn(|i| records[i]));
        let high = transpose_half(std::array::from_fn(|i| records[i + 8]));
        std::array::from_fn(|i| F32x16(low[i], high[i]))
    }

    #[inline(always)]
    fn gather(self, list: &[u32], at: &[u32; LANES]) -> [u32; LANES] {
        // Offsets are signed.
        let length = list.len().min(i32::MAX as usize) as u32;
        assert_eq!(self.below(at, &[length; LANES]), u16::MAX, "{OUT_OF_BOUNDS}");
        let mut gathered = [0; LANES];
        for first in [0, 8] {
            unsafe {
                let at = _mm256_loadu_si256(at.as_ptr().add(first).cast());
                let numbers = _mm256_i32gather_epi32::<4>(list.as_ptr().cast(), at);
                _mm256_storeu_si256(gathered.as_mut_ptr().add(first).cast(), numbers);
            }
        }
        gathered
    }

    #[inline(always)]
    fn below(self, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        let mut bits = 0;
        for first in [0, 8] {
            unsafe {
                let a = _mm256_loadu_si256(a.as_ptr().add(first).cast());
                let b = _mm256_loadu_si256(b.as_ptr().add(first).cast());
                // There is only a signed comparison.
                let shift = _mm256_set1_epi32(i32::MIN);
                let (a, b) = (_mm256_xor_si256(a, shift), _mm256_xor_si256(b, shift));
                let below = _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a));
                bits |= (_mm256_movemask_ps(below) as u16) << first;
            }
        }
        bits
    }

    #[inline(always)]
    fn compress(self, values: &[u32; LANES], bits: u16) -> [u32; LANES] {
        let mut compressed = [0; LANES];
        let (low, high) = (bits as u8, (bits >> 8) as u8);
        unsafe {
            for (bits, first, to) in [(low, 0, 0), (high, 8, low.count_ones() as usize)] {
                let packed = _mm_loadl_epi64((&raw const COMPRESS[bits as usize]).cast());
                let values = _mm256_loadu_si256(values.as_ptr().add(first).cast());
                let chosen = _mm256_permutevar8x32_epi32(values, _mm256_cvtepu8_epi32(packed));
                // At most eight are in front of it, so eight fit.
                _mm256_storeu_si256(compressed.as_mut_ptr().add(to).cast(), chosen);
            }
        }
        compressed
    }

    #[inline(always)]
    fn append(self, list: &mut Candidates, keys: F32x16, bits: u16, first: u32) -> bool {
        for (keys, bits, first) in
            [(keys.0, bits as u8, first), (keys.1, (bits >> 8) as u8, first + 8)]
        {
            let Some((to_keys, to_indices)) = list.room() else { return false };
            unsafe {
                let packed = _mm_loadl_epi64((&raw const COMPRESS[bits as usize]).cast());
                let lanes = _mm256_cvtepu8_epi32(packed);
                _mm256_storeu_ps(to_keys.as_mut_ptr(), _mm256_permutevar8x32_ps(keys, lanes));
                let indices = _mm256_add_epi32(_mm256_set1_epi32(first as i32), lanes);
                _mm256_storeu_si256(to_indices.as_mut_ptr().cast(), indices);
            }
            list.len += bits.count_ones() as usize;
        }
        true
    }

    #[inline(always)]
    fn sort(self, list: &Candidates, sorted: &mut SortedPairs) -> bool {
        match list.len {
            1..=32 => sort_by_rank::<4>(list, sorted),
            33..=64 => sort_by_rank::<8>(list, sorted),
            _ => false,
        }
    }
}

/// Stores the lanes of two vectors in turn: sixteen numbers.
#[inline(always)]
unsafe fn pair_up(a: __m256, b: __m256, to: *mut f32) {
    unsafe {
        // In each 128-bit half, pairs 0 1 and 2 3; brought back into order by halves.
        let (first, second) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        _mm256_storeu_ps(to, _mm256_permute2f128_ps::<0x20>(first, second));
        _mm256_storeu_ps(to.add(8), _mm256_permute2f128_ps::<0x31>(first, second));
    }
}

/// Loads sixteen numbers: the even ones and the odd ones.
#[inline(always)]
unsafe fn split_pairs(from: *const f32) -> (__m256, __m256) {
    unsafe {
        let (low, high) = (_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8)));
        let first = _mm256_permute2f128_ps::<0x20>(low, high);
        let second = _mm256_permute2f128_ps::<0x31>(low, high);
        // 0 2 | 8 10 of the first with 4 6 | 12 14 of the second, and so on.
        (_mm256_shuffle_ps::<0x88>(first, second), _mm256_shuffle_ps::<0xDD>(first, second))
    }
}

/// Sorts up to 8 `V` entries.
#[inline(always)]
fn sort_by_rank<const V: usize>(list: &Candidates, sorted: &mut SortedPairs) -> bool {
    let mut ranks = [[0u32; 8]; V];
    let mut pairs = [[[0f32; 2]; 8]; V];
    let (list_keys, list_indices) = (list.keys.as_chunks::<8>().0, list.indices.as_chunks::<8>().0);
    let sum = unsafe {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let live: [__m256i; V] = std::array::from_fn(|v| {
            _mm256_cmpgt_epi32(_mm256_set1_epi32(list.len as i32 - 8 * v as i32), lanes)
        });
        let keys: [__m256; V] = std::array::from_fn(|v| {
            let keys = _mm256_loadu_ps(list_keys[v].as_ptr());
            _mm256_blendv_ps(_mm256_set1_ps(f32::INFINITY), keys, _mm256_castsi256_ps(live[v]))
        });
        let mut counts = [_mm256_setzero_si256(); V];
        for key in &list.keys[..list.len.min(8 * V)] {
            let key = _mm256_broadcast_ss(key);
            for v in 0..V {
                let smaller = _mm256_cmp_ps::<_CMP_LT_OQ>(key, keys[v]);
                counts[v] = _mm256_sub_epi32(counts[v], _mm256_castps_si256(smaller));
            }
        }
        let mut sum = _mm256_setzero_si256();
        for v in 0..V {
            _mm256_storeu_si256(ranks[v].as_mut_ptr().cast(), counts[v]);
            sum = _mm256_add_epi32(sum, _mm256_and_si256(counts[v], live[v]));
            let indices = _mm256_loadu_ps(list_indices[v].as_ptr());
            pair_up(keys[v], indices, pairs[v].as_mut_ptr().cast());
        }
        let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
        _mm_cvtsi128_si32(sum) as usize
    };
    sorted.scatter(ranks.as_flattened(), pairs.as_flattened());
    sum == sum_of_ranks(list.len)
}

#[inline(always)]
fn transpose_half(records: [&[f32; 8]; 8]) -> [__m256; 8] {
    unsafe {
        let r = records.map(|record| _mm256_loadu_ps(record.as_ptr()));
        let [four, next] =
            transpose_quarters!(r, _mm256_unpacklo_ps, _mm256_unpackhi_ps, _mm256_shuffle_ps);
        [
            _mm256_permute2f128_ps::<0x20>(four[0], next[0]),
            _mm256_permute2f128_ps::<0x20>(four[1], next[1]),
            _mm256_permute2f128_ps::<0x20>(four[2], next[2]),
            _mm256_permute2f128_ps::<0x20>(four[3], next[3]),
            _mm256_permute2f128_ps::<0x31>(four[0], next[0]),
            _mm256_permute2f128_ps::<0x31>(four[1], next[1]),
            _mm256_permute2f128_ps::<0x31>(four[2], next[2]),
            _mm256_permute2f128_ps::<0x31>(four[3], next[3]),
        ]
    }
}

/// Applies an intrinsic to both registers of its operands.
macro_rules! each {
    ($intrinsic:expr; $($operand:expr),+) => {
        unsafe { Self($intrinsic($($operand.0),+), $intrinsic($($operand.1),+)) }
    };
}

macro_rules! compare {
    ($predicate:expr; $a:expr, $b:expr) => {
        unsafe {
            Mask16(
                _mm256_cmp_ps::<{ $predicate }>($a.0, $b.0),
                _mm256_cmp_ps::<{ $predicate }>($a.1, $b.1),
            )
        }
    };
}

operators!(F32x16, each:
    Add::add = _mm256_add_ps, Sub::sub = _mm256_sub_ps, Mul::mul = _mm256_mul_ps,
    Div::div = _mm256_div_ps
);
operators!(Mask16, each: BitAnd::bitand = _mm256_and_ps, BitOr::bitor = _mm256_or_ps);
operators!(F64x8, each:
    Add::add = _mm256_add_pd, Sub::sub = _mm256_sub_pd, Mul::mul = _mm256_mul_pd,
    Div::div = _mm256_div_pd
);

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            Self(_mm256_xor_ps(self.0, sign), _mm256_xor_ps(self.1, sign))
        }
    }
}

impl Not for Mask16 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        unsafe {
            let ones = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
            Self(_mm256_xor_ps(self.0, ones), _mm256_xor_ps(self.1, ones))
        }
    }
}

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

impl Floats for F32x16 {
    type Mask = Mask16;

    functions!(each:
        sqrt(self) = _mm256_sqrt_ps, min(self, other) = _mm256_min_ps,
        max(self, other) = _mm256_max_ps
    );
    comparisons!(compare: lt = _CMP_LT_OQ, le = _CMP_LE_OQ, gt = _CMP_GT_OQ, ge = _CMP_GE_OQ);

    #[inline(always)]
    fn abs(self) -> Self {
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            Self(_mm256_andnot_ps(sign, self.0), _mm256_andnot_ps(sign, self.1))
        }
    }

    #[inline(always)]
    fn round(self) -> Self {
        each!(_mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>; self)
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        unsafe {
            let power = |n: __m256| {
                let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
                _mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent))
            };
            Self(power(self.0), power(self.1))
        }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let exponent = |x: __m256| {
                let above = _mm256_sub_epi32(_mm256_castps_si256(x), _mm256_set1_epi32(SQRT_HALF));
                _mm256_srai_epi32::<23>(above)
            };
            let mantissa = |x: __m256, exponent: __m256i| {
                let shift = _mm256_slli_epi32::<23>(exponent);
                _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_castps_si256(x), shift))
            };
            let (low, high) = (exponent(self.0), exponent(self.1));
            (
                Self(_mm256_cvtepi32_ps(low), _mm256_cvtepi32_ps(high)),
                Self(mantissa(self.0, low), mantissa(self.1, high)),
            )
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        let (halves, _) = to.as_chunks_mut::<8>();
        unsafe {
            _mm256_storeu_ps(halves[0].as_mut_ptr(), self.0);
            _mm256_storeu_ps(halves[1].as_mut_ptr(), self.1);
        }
    }

    #[inline(always)]
    fn store_bits(self, to: &mut [u32; LANES]) {
        let (halves, _) = to.as_chunks_mut::<8>();
        unsafe {
            _mm256_storeu_ps(halves[0].as_mut_ptr().cast(), self.0);
            _mm256_storeu_ps(halves[1].as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn to_whole(self) -> [u32; LANES] {
        let mut whole = [0u32; LANES];
        let (halves, _) = whole.as_chunks_mut::<8>();
        unsafe {
            _mm256_storeu_si256(halves[0].as_mut_ptr().cast(), _mm256_cvttps_epi32(self.0));
            _mm256_storeu_si256(halves[1].as_mut_ptr().cast(), _mm256_cvttps_epi32(self.1));
        }
        whole
    }
}

impl Mask for Mask16 {
    type F = F32x16;

    #[inline(always)]
    fn select(self, yes: F32x16, no: F32x16) -> F32x16 {
        unsafe {
            F32x16(_mm256_blendv_ps(no.0, yes.0, self.0), _mm256_blendv_ps(no.1, yes.1, self.1))
        }
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        unsafe { (_mm256_movemask_ps(self.0) | _mm256_movemask_ps(self.1) << 8) as u16 }
    }
}

impl Doubles for F64x8 {
    functions!(each: sqrt(self) = _mm256_sqrt_pd, max(self, other) = _mm256_max_pd);

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (low, high) = unsafe { (split_doubles(self.0), split_doubles(self.1)) };
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
unsafe fn split_doubles(x: __m256d) -> (__m256d, __m256d) {
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

/// For each mask of eight, its set lanes in order; what follows them does not matter.
static COMPRESS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                table[bits][at] = lane as u8;
                at += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};
