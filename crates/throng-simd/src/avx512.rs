//! Sixteen lanes in one register.

use glam::Vec2;
use std::arch::x86_64::*;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

mod doubles;

use doubles::F64x8;

use super::log::SQRT_HALF;
use super::{
    Candidates, DOUBLES, Floats, Kernel, LANES, Mask, OUT_OF_BOUNDS, Simd, SortedPairs,
    sum_of_ranks,
};

/// Proof that the processor has the AVX-512 of every server since 2017: F, VL, DQ and BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct F32x16(__m512);

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Mask16(__mmask16);

impl Avx512 {
    /// The proof, on processors that have it.
    pub fn detect() -> Option<Self> {
        let has_all = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    pub fn run<K: Kernel>(self, kernel: K) {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
        fn enter<K: Kernel>(avx512: Avx512, kernel: K) {
            kernel.run(avx512);
        }
        unsafe { enter(self, kernel) }
    }
}

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
        F64x8::splat(self, value)
    }

    #[inline(always)]
    fn load_doubles(self, values: &[f64; DOUBLES]) -> F64x8 {
        F64x8::load(self, values)
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
            let lo01 = _mm512_unpacklo_ps(r[0], r[1]);
            let hi01 = _mm512_unpackhi_ps(r[0], r[1]);
            let lo23 = _mm512_unpacklo_ps(r[2], r[3]);
            let hi23 = _mm512_unpackhi_ps(r[2], r[3]);
            let lo45 = _mm512_unpacklo_ps(r[4], r[5]);
            let hi45 = _mm512_unpackhi_ps(r[4], r[5]);
            let lo67 = _mm512_unpacklo_ps(r[6], r[7]);
            let hi67 = _mm512_unpackhi_ps(r[6], r[7]);
            let a0 = _mm512_shuffle_ps::<0x44>(lo01, lo23);
            let a1 = _mm512_shuffle_ps::<0xEE>(lo01, lo23);
            let a2 = _mm512_shuffle_ps::<0x44>(hi01, hi23);
            let a3 = _mm512_shuffle_ps::<0xEE>(hi01, hi23);
            let b0 = _mm512_shuffle_ps::<0x44>(lo45, lo67);
            let b1 = _mm512_shuffle_ps::<0xEE>(lo45, lo67);
            let b2 = _mm512_shuffle_ps::<0x44>(hi45, hi67);
            let b3 = _mm512_shuffle_ps::<0xEE>(hi45, hi67);
            // Of each half, the lower or the upper 128 bits of both.
            let lower = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
            let upper =
                _mm512_setr_epi32(4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
            [
                F32x16(_mm512_permutex2var_ps(a0, lower, b0)),
                F32x16(_mm512_permutex2var_ps(a1, lower, b1)),
                F32x16(_mm512_permutex2var_ps(a2, lower, b2)),
                F32x16(_mm512_permutex2var_ps(a3, lower, b3)),
                F32x16(_mm512_permutex2var_ps(a0, upper, b0)),
                F32x16(_mm512_permutex2var_ps(a1, upper, b1)),
                F32x16(_mm512_permutex2var_ps(a2, upper, b2)),
                F32x16(_mm512_permutex2var_ps(a3, upper, b3)),
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

macro_rules! operator {
    ($trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for F32x16 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                unsafe { Self($intrinsic(self.0, other.0)) }
            }
        }
    };
}
operator!(Add, add, _mm512_add_ps);
operator!(Sub, sub, _mm512_sub_ps);
operator!(Mul, mul, _mm512_mul_ps);
operator!(Div, div, _mm512_div_ps);

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm512_xor_ps(self.0, _mm512_set1_ps(-0.0))) }
    }
}

bit_operators!(Mask16);

macro_rules! comparison {
    ($method:ident, $predicate:ident) => {
        #[inline(always)]
        fn $method(self, other: Self) -> Mask16 {
            unsafe { Mask16(_mm512_cmp_ps_mask::<$predicate>(self.0, other.0)) }
        }
    };
}

impl Floats for F32x16 {
    type Mask = Mask16;

    #[inline(always)]
    fn sqrt(self) -> Self {
        unsafe { Self(_mm512_sqrt_ps(self.0)) }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { Self(_mm512_abs_ps(self.0)) }
    }

    #[inline(always)]
    fn round(self) -> Self {
        unsafe {
            Self(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0))
        }
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
    fn min(self, other: Self) -> Self {
        unsafe { Self(_mm512_min_ps(self.0, other.0)) }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        unsafe { Self(_mm512_max_ps(self.0, other.0)) }
    }

    comparison!(lt, _CMP_LT_OQ);
    comparison!(le, _CMP_LE_OQ);
    comparison!(gt, _CMP_GT_OQ);
    comparison!(ge, _CMP_GE_OQ);

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
