//! Sixteen lanes in one register.

use glam::Vec2;
use std::arch::x86_64::*;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::doubles::{BIAS, SPLIT_OFFSET, WHOLE};
use super::log::SQRT_HALF;
use super::{
    Candidates, DOUBLES, Doubles, Floats, Kernel, LANES, Mask, OUT_OF_BOUNDS, Simd, SortedPairs,
    sum_of_ranks,
};

instruction_set! {
    /// Proof that the processor has the AVX-512 of every server since 2017: F, VL, DQ and BW.
    Avx512: "avx512f", "avx512vl", "avx512dq", "avx512bw", "bmi1", "bmi2", "lzcnt", "popcnt"
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct F32x16(__m512);

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Mask16(__mmask16);

/// Eight numbers of double precision.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct F64x8(__m512d);

impl Simd for Avx512 {
    type F = F32x16;
    type M = Mask16;
    type D = F64x8;

    #[inline(always)]
    fn splat(self, value: f32) -> F32x16 {
        unsafe { F32x16(_mm512_set1_ps(value)) }
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> F32x16 {
        unsafe { F32x16(_mm512_loadu_ps(values.as_ptr())) }
    }

    #[inline(always)]
    fn splat_double(self, value: f64) -> F64x8 {
        unsafe { F64x8(_mm512_set1_pd(value)) }
    }

    #[inline(always)]
    fn load_doubles(self, values: &[f64; DOUBLES]) -> F64x8 {
        unsafe { F64x8(_mm512_loadu_pd(values.as_ptr())) }
    }

    #[inline(always)]
    fn load_pairs(self, values: &[Vec2; LANES]) -> [F32x16; 2] {
        unsafe {
            let first = values.as_ptr().cast::<f32>();
            let (low, high) = (_mm512_loadu_ps(first), _mm512_loadu_ps(first.add(LANES)));
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            [
                F32x16(_mm512_permutex2var_ps(low, even, high)),
                F32x16(_mm512_permutex2var_ps(low, odd, high)),
            ]
        }
    }

    #[inline(always)]
    fn store_pairs(self, [x, y]: [F32x16; 2], to: &mut [Vec2; LANES]) {
        unsafe {
            let to = to.as_mut_ptr().cast::<f32>();
            let (low, high) = pair_up(x.0, y.0);
            _mm512_storeu_ps(to, low);
            _mm512_storeu_ps(to.add(LANES), high);
        }
    }

    #[inline(always)]
    fn mask(self, bits: u16) -> Mask16 {
        Mask16(bits)
    }

    #[inline(always)]
    fn transpose(self, records: [&[f32; 8]; LANES]) -> [F32x16; 8] {
        unsafe {
            // Records i and i + 8 side by side; then as for eight, in both halves at once.
            let r: [__m512; 8] = std::array::from_fn(|i| {
                let low = _mm512_castps256_ps512(_mm256_loadu_ps(records[i].as_ptr()));
                _mm512_insertf32x8::<1>(low, _mm256_loadu_ps(records[i + 8].as_ptr()))
            });
            let [four, next] =
                transpose_quarters!(r, _mm512_unpacklo_ps, _mm512_unpackhi_ps, _mm512_shuffle_ps);
            // Of each half, the lower or the upper 128 bits of both.
            let lower = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
            let upper =
                _mm512_setr_epi32(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
            [
                F32x16(_mm512_permutex2var_ps(four[0], lower, next[0])),
                F32x16(_mm512_permutex2var_ps(four[1], lower, next[1])),
                F32x16(_mm512_permutex2var_ps(four[2], lower, next[2])),
                F32x16(_mm512_permutex2var_ps(four[3], lower, next[3])),
                F32x16(_mm512_permutex2var_ps(four[0], upper, next[0])),
                F32x16(_mm512_permutex2var_ps(four[1], upper, next[1])),
                F32x16(_mm512_permutex2var_ps(four[2], upper, next[2])),
                F32x16(_mm512_permutex2var_ps(four[3], upper, next[3])),
            ]
        }
    }

    #[inline(always)]
    fn gather(self, list: &[u32], at: &[u32; LANES]) -> [u32; LANES] {
        // Offsets are signed.
        let length = list.len().min(i32::MAX as usize) as u32;
        assert_eq!(self.below(at, &[length; LANES]), u16::MAX, "{OUT_OF_BOUNDS}");
        let mut gathered = [0; LANES];
        unsafe {
            let at = _mm512_loadu_si512(at.as_ptr().cast());
            let numbers = _mm512_i32gather_epi32::<4>(at, list.as_ptr().cast());
            _mm512_storeu_si512(gathered.as_mut_ptr().cast(), numbers);
        }
        gathered
    }

    #[inline(always)]
    fn below(self, a: &[u32; LANES], b: &[u32; LANES]) -> u16 {
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            _mm512_cmplt_epu32_mask(a, _mm512_loadu_si512(b.as_ptr().cast()))
        }
    }

    #[inline(always)]
    fn compress(self, values: &[u32; LANES], bits: u16) -> [u32; LANES] {
        let mut compressed = [0; LANES];
        unsafe {
            let values = _mm512_loadu_si512(values.as_ptr().cast());
            let chosen = _mm512_maskz_compress_epi32(bits, values);
            _mm512_storeu_si512(compressed.as_mut_ptr().cast(), chosen);
        }
        compressed
    }

    #[inline(always)]
    fn append(self, list: &mut Candidates, keys: F32x16, bits: u16, first: u32) -> bool {
        let Some((to_keys, to_indices)) = list.room() else { return false };
        unsafe {
            // Compressed in a register and stored whole: compressing stores are slow on some
            // processors.
            _mm512_storeu_ps(to_keys.as_mut_ptr(), _mm512_maskz_compress_ps(bits, keys.0));
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            let indices = _mm512_add_epi32(_mm512_set1_epi32(first as i32), lanes);
            let indices = _mm512_maskz_compress_epi32(bits, indices);
            _mm512_storeu_si512(to_indices.as_mut_ptr().cast(), indices);
        }
        list.len += bits.count_ones() as usize;
        true
    }

    #[inline(always)]
    fn sort(self, list: &Candidates, sorted: &mut SortedPairs) -> bool {
        match list.len {
            1..=32 => sort_by_rank::<2>(list, sorted),
            33..=64 => sort_by_rank::<4>(list, sorted),
            _ => false,
        }
    }
}

/// The lanes of two vectors in turn.
#[inline(always)]
unsafe fn pair_up(a: __m512, b: __m512) -> (__m512, __m512) {
    unsafe {
        let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        (_mm512_permutex2var_ps(a, low, b), _mm512_permutex2var_ps(a, high, b))
    }
}

/// Sorts up to 16 `V` entries.
#[inline(always)]
fn sort_by_rank<const V: usize>(list: &Candidates, sorted: &mut SortedPairs) -> bool {
    let (list_keys, list_indices) =
        (list.keys.as_chunks::<LANES>().0, list.indices.as_chunks::<LANES>().0);
    let mut ranks = [[0u32; LANES]; V];
    let mut pairs = [[[0f32; 2]; LANES]; V];
    let mut sum = 0;
    unsafe {
        let live: [__mmask16; V] = std::array::from_fn(|v| {
            let left = list.len.saturating_sub(LANES * v).min(LANES);
            ((1u32 << left) - 1) as u16
        });
        let keys: [__m512; V] = std::array::from_fn(|v| {
            let infinity = _mm512_set1_ps(f32::INFINITY);
            _mm512_mask_loadu_ps(infinity, live[v], list_keys[v].as_ptr())
        });
        let mut counts = [_mm512_setzero_si512(); V];
        let one = _mm512_set1_epi32(1);
        for key in &list.keys[..list.len.min(LANES * V)] {
            let key = _mm512_set1_ps(*key);
            for v in 0..V {
                let smaller = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(key, keys[v]);
                counts[v] = _mm512_mask_add_epi32(counts[v], smaller, counts[v], one);
            }
        }
        for v in 0..V {
            _mm512_storeu_si512(ranks[v].as_mut_ptr().cast(), counts[v]);
            sum += _mm512_mask_reduce_add_epi32(live[v], counts[v]) as usize;
            let (low, high) = pair_up(keys[v], _mm512_loadu_ps(list_indices[v].as_ptr()));
            let to = pairs[v].as_mut_ptr().cast::<f32>();
            _mm512_storeu_ps(to, low);
            _mm512_storeu_ps(to.add(16), high);
        }
    }
    sorted.scatter(ranks.as_flattened(), pairs.as_flattened());
    sum == sum_of_ranks(list.len)
}

/// Applies an intrinsic to the registers of its operands.
macro_rules! each {
    ($intrinsic:expr; $($operand:expr),+) => {
        unsafe { Self($intrinsic($($operand.0),+)) }
    };
}

macro_rules! compare {
    ($predicate:expr; $a:expr, $b:expr) => {
        unsafe { Mask16(_mm512_cmp_ps_mask::<{ $predicate }>($a.0, $b.0)) }
    };
}

operators!(F32x16, each:
    Add::add = _mm512_add_ps, Sub::sub = _mm512_sub_ps, Mul::mul = _mm512_mul_ps,
    Div::div = _mm512_div_ps
);
operators!(F64x8, each:
    Add::add = _mm512_add_pd, Sub::sub = _mm512_sub_pd, Mul::mul = _mm512_mul_pd,
    Div::div = _mm512_div_pd
);
bit_operators!(Mask16);

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm512_xor_ps(self.0, _mm512_set1_ps(-0.0))) }
    }
}

impl Neg for F64x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))) }
    }
}

impl Floats for F32x16 {
    type Mask = Mask16;

    functions!(each:
        sqrt(self) = _mm512_sqrt_ps, abs(self) = _mm512_abs_ps, min(self, other) = _mm512_min_ps,
        max(self, other) = _mm512_max_ps
    );
    comparisons!(compare: lt = _CMP_LT_OQ, le = _CMP_LE_OQ, gt = _CMP_GT_OQ, ge = _CMP_GE_OQ);

    #[inline(always)]
    fn round(self) -> Self {
        each!(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>; self)
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        unsafe {
            let exponent = _mm512_add_epi32(_mm512_cvtps_epi32(self.0), _mm512_set1_epi32(127));
            Self(_mm512_castsi512_ps(_mm512_slli_epi32::<23>(exponent)))
        }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let bits = _mm512_castps_si512(self.0);
            let above = _mm512_sub_epi32(bits, _mm512_set1_epi32(SQRT_HALF));
            let exponent = _mm512_srai_epi32::<23>(above);
            let mantissa = _mm512_sub_epi32(bits, _mm512_slli_epi32::<23>(exponent));
            (Self(_mm512_cvtepi32_ps(exponent)), Self(_mm512_castsi512_ps(mantissa)))
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn store_bits(self, to: &mut [u32; LANES]) {
        unsafe { _mm512_storeu_ps(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn to_whole(self) -> [u32; LANES] {
        let mut whole = [0; LANES];
        unsafe { _mm512_storeu_si512(whole.as_mut_ptr().cast(), _mm512_cvttps_epi32(self.0)) }
        whole
    }
}

impl Mask for Mask16 {
    type F = F32x16;

    #[inline(always)]
    fn select(self, yes: F32x16, no: F32x16) -> F32x16 {
        unsafe { F32x16(_mm512_mask_blend_ps(self.0, no.0, yes.0)) }
    }

    #[inline(always)]
    fn bits(self) -> u16 {
        self.0
    }
}

impl Doubles for F64x8 {
    functions!(each: sqrt(self) = _mm512_sqrt_pd, max(self, other) = _mm512_max_pd);

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
