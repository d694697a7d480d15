//! Eight `f32` lanes, and the only `unsafe` code of the crate.
//!
//! The hot loops (neighbour scan, half-planes, linear programs) treat eight candidates or eight
//! people at once. Their speed rests on AVX2, which a portable binary may not assume: each loop is
//! a [`Kernel`] that [`Avx2::run`] compiles for AVX2 where [`Avx2::detect`] finds it,
//! with the plain scalar version as fall-back and as oracle in tests. Lanes use the same IEEE
//! operations in the same order as the scalar code (no fused multiply-add, no approximate
//! reciprocals), so both give the same bits.
//!
//! **Safety.** Every `unsafe` block below calls AVX2 intrinsics. That is sound because an [`Avx2`]
//! token is needed to build the first [`F32x8`] and only detection makes one; loads and stores go
//! through references to arrays of the right length.

#![allow(unsafe_code, reason = "AVX2 intrinsics; see the safety note above")]

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::*;

/// On other processors there is no such proof.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Avx2 {}

#[cfg(not(target_arch = "x86_64"))]
impl Avx2 {
    /// Never.
    pub fn detect() -> Option<Self> {
        None
    }
}

/// `x` without its fraction, for numbers that fit: unlike `as`, one instruction.
#[inline(always)]
pub(crate) fn truncate(x: f32) -> i32 {
    #[cfg(target_arch = "x86_64")]
    // SSE is part of every x86-64.
    unsafe {
        std::arch::x86_64::_mm_cvttss_si32(std::arch::x86_64::_mm_set_ss(x))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        x as i32
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

    /// A hot loop with all its inputs and outputs; see [`Avx2::run`].
    pub(crate) trait Kernel {
        type Output;

        /// The loop. Implementations are `#[inline(always)]`.
        fn run(self, avx2: Avx2) -> Self::Output;
    }

    /// Proof that the processor has AVX2, and the bit instructions that came with it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        /// The proof, on processors that have it.
        pub fn detect() -> Option<Self> {
            // With `THRONG_SIMD=off` one can measure and compare the portable code.
            let wanted = std::env::var_os("THRONG_SIMD").is_none_or(|value| value != "off");
            let has_all = std::is_x86_feature_detected!("avx2")
                && std::is_x86_feature_detected!("bmi1")
                && std::is_x86_feature_detected!("bmi2")
                && std::is_x86_feature_detected!("lzcnt")
                && std::is_x86_feature_detected!("popcnt");
            (wanted && has_all).then_some(Self(()))
        }

        /// Runs `kernel` compiled for AVX2. Everything it calls must be `#[inline(always)]` to be
        /// compiled with it.
        pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn enter<K: Kernel>(avx2: Avx2, kernel: K) -> K::Output {
                kernel.run(avx2)
            }
            unsafe { enter(self, kernel) }
        }

        /// All lanes equal to `value`.
        #[inline(always)]
        pub fn splat(self, value: f32) -> F32x8 {
            unsafe { F32x8(_mm256_set1_ps(value)) }
        }

        /// One lane each.
        #[inline(always)]
        pub fn load(self, values: &[f32; 8]) -> F32x8 {
            unsafe { F32x8(_mm256_loadu_ps(values.as_ptr())) }
        }

        /// Eight records of eight numbers, turned so that lane `i` of result `j` is number `j` of
        /// record `i`.
        #[inline(always)]
        pub fn transpose(self, records: [&[f32; 8]; 8]) -> [F32x8; 8] {
            unsafe {
                let r = records.map(|record| _mm256_loadu_ps(record.as_ptr()));
                let lo01 = _mm256_unpacklo_ps(r[0], r[1]);
                let hi01 = _mm256_unpackhi_ps(r[0], r[1]);
                let lo23 = _mm256_unpacklo_ps(r[2], r[3]);
                let hi23 = _mm256_unpackhi_ps(r[2], r[3]);
                let lo45 = _mm256_unpacklo_ps(r[4], r[5]);
                let hi45 = _mm256_unpackhi_ps(r[4], r[5]);
                let lo67 = _mm256_unpacklo_ps(r[6], r[7]);
                let hi67 = _mm256_unpackhi_ps(r[6], r[7]);
                let a0 = _mm256_shuffle_ps::<0x44>(lo01, lo23);
                let a1 = _mm256_shuffle_ps::<0xEE>(lo01, lo23);
                let a2 = _mm256_shuffle_ps::<0x44>(hi01, hi23);
                let a3 = _mm256_shuffle_ps::<0xEE>(hi01, hi23);
                let b0 = _mm256_shuffle_ps::<0x44>(lo45, lo67);
                let b1 = _mm256_shuffle_ps::<0xEE>(lo45, lo67);
                let b2 = _mm256_shuffle_ps::<0x44>(hi45, hi67);
                let b3 = _mm256_shuffle_ps::<0xEE>(hi45, hi67);
                [
                    F32x8(_mm256_permute2f128_ps::<0x20>(a0, b0)),
                    F32x8(_mm256_permute2f128_ps::<0x20>(a1, b1)),
                    F32x8(_mm256_permute2f128_ps::<0x20>(a2, b2)),
                    F32x8(_mm256_permute2f128_ps::<0x20>(a3, b3)),
                    F32x8(_mm256_permute2f128_ps::<0x31>(a0, b0)),
                    F32x8(_mm256_permute2f128_ps::<0x31>(a1, b1)),
                    F32x8(_mm256_permute2f128_ps::<0x31>(a2, b2)),
                    F32x8(_mm256_permute2f128_ps::<0x31>(a3, b3)),
                ]
            }
        }

        /// The lanes whose bit is set in `bits`.
        #[inline(always)]
        pub fn mask(self, bits: u8) -> Mask {
            unsafe {
                let select = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let spread = _mm256_and_si256(_mm256_set1_epi32(bits as i32), select);
                Mask(_mm256_castsi256_ps(_mm256_cmpeq_epi32(spread, select)))
            }
        }
    }

    /// Eight `f32` lanes.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(crate) struct F32x8(__m256);

    /// A truth value per lane.
    #[derive(Clone, Copy, Debug)]
    #[repr(transparent)]
    pub(crate) struct Mask(__m256);

    macro_rules! operator {
        ($trait:ident, $method:ident, $type:ident, $intrinsic:ident) => {
            impl $trait for $type {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    unsafe { Self($intrinsic(self.0, other.0)) }
                }
            }
        };
    }
    operator!(Add, add, F32x8, _mm256_add_ps);
    operator!(Sub, sub, F32x8, _mm256_sub_ps);
    operator!(Mul, mul, F32x8, _mm256_mul_ps);
    operator!(Div, div, F32x8, _mm256_div_ps);
    operator!(BitAnd, bitand, Mask, _mm256_and_ps);
    operator!(BitOr, bitor, Mask, _mm256_or_ps);

    impl Neg for F32x8 {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            unsafe { Self(_mm256_xor_ps(self.0, _mm256_set1_ps(-0.0))) }
        }
    }

    impl Not for Mask {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            unsafe { Self(_mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1)))) }
        }
    }

    impl F32x8 {
        #[inline(always)]
        pub fn sqrt(self) -> Self {
            unsafe { Self(_mm256_sqrt_ps(self.0)) }
        }

        #[inline(always)]
        pub fn abs(self) -> Self {
            unsafe { Self(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)) }
        }

        /// The smaller of each lane; `self` must not be NaN.
        #[inline(always)]
        pub fn min(self, other: Self) -> Self {
            unsafe { Self(_mm256_min_ps(self.0, other.0)) }
        }

        /// The larger of each lane; `self` must not be NaN.
        #[inline(always)]
        pub fn max(self, other: Self) -> Self {
            unsafe { Self(_mm256_max_ps(self.0, other.0)) }
        }

        #[inline(always)]
        pub fn lt(self, other: Self) -> Mask {
            unsafe { Mask(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) }
        }

        #[inline(always)]
        pub fn le(self, other: Self) -> Mask {
            unsafe { Mask(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)) }
        }

        #[inline(always)]
        pub fn gt(self, other: Self) -> Mask {
            unsafe { Mask(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)) }
        }

        #[inline(always)]
        pub fn ge(self, other: Self) -> Mask {
            unsafe { Mask(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0)) }
        }

        /// The lanes as an array.
        #[inline(always)]
        pub fn to_array(self) -> [f32; 8] {
            let mut lanes = [0.0; 8];
            unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), self.0) };
            lanes
        }

        /// Writes the lanes.
        #[inline(always)]
        pub fn store(self, to: &mut [f32; 8]) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        /// Writes the bits of the lanes.
        #[inline(always)]
        pub fn store_bits(self, to: &mut [u32; 8]) {
            unsafe { _mm256_storeu_ps(to.as_mut_ptr().cast(), self.0) }
        }
    }

    impl Mask {
        /// `yes` where true, `no` elsewhere.
        #[inline(always)]
        pub fn select(self, yes: F32x8, no: F32x8) -> F32x8 {
            unsafe { F32x8(_mm256_blendv_ps(no.0, yes.0, self.0)) }
        }

        /// One bit per lane, lane 0 lowest.
        #[inline(always)]
        pub fn bits(self) -> u8 {
            unsafe { _mm256_movemask_ps(self.0) as u8 }
        }

        /// Whether any lane is true.
        #[inline(always)]
        pub fn any(self) -> bool {
            self.bits() != 0
        }
    }

    /// A growing list of (number, index) pairs of fixed capacity, filled eight lanes at a time.
    #[derive(Clone, Debug)]
    pub(crate) struct Candidates {
        len: usize,
        keys: [f32; Self::CAPACITY + 8],
        indices: [u32; Self::CAPACITY + 8],
    }

    impl Candidates {
        pub const CAPACITY: usize = 64;

        pub fn new(_: Avx2) -> Self {
            let (keys, indices) = ([0.0; Self::CAPACITY + 8], [0; Self::CAPACITY + 8]);
            Self { len: 0, keys, indices }
        }

        #[inline(always)]
        pub fn clear(&mut self) {
            self.len = 0;
        }

        #[inline(always)]
        pub fn len(&self) -> usize {
            self.len
        }

        /// Appends the lanes of `keys` that `bits` names, with index `first` + lane. Returns
        /// `false`, and appends nothing, when the list is full.
        #[inline(always)]
        pub fn push(&mut self, keys: F32x8, bits: u8, first: u32) -> bool {
            if self.len > Self::CAPACITY {
                return false;
            }
            // `len` ≤ CAPACITY, so the eight lanes written below stay inside the arrays.
            unsafe {
                let packed = _mm_loadl_epi64((&raw const COMPRESS[bits as usize]).cast());
                let lanes = _mm256_cvtepu8_epi32(packed);
                let kept = _mm256_permutevar8x32_ps(keys.0, lanes);
                _mm256_storeu_ps(self.keys.as_mut_ptr().add(self.len), kept);
                let indices = _mm256_add_epi32(_mm256_set1_epi32(first as i32), lanes);
                _mm256_storeu_si256(self.indices.as_mut_ptr().add(self.len).cast(), indices);
            }
            self.len += bits.count_ones() as usize;
            true
        }

        /// Sorts up to 32 entries by key. `false` if there are more, or two keys are equal.
        #[inline(always)]
        pub fn sort(&self, sorted: &mut SortedPairs) -> bool {
            match self.len {
                1..=16 => self.sort_by_rank::<2>(sorted),
                17..=32 => self.sort_by_rank::<4>(sorted),
                _ => false,
            }
        }

        /// Sorts up to `8 V` entries without a branch: the rank of each, the number of smaller keys,
        /// is its place.
        #[inline(always)]
        fn sort_by_rank<const V: usize>(&self, sorted: &mut SortedPairs) -> bool {
            let mut ranks = [[0u32; 8]; V];
            let mut pairs = [[[0f32; 2]; 8]; V];
            let sum = unsafe {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let live: [__m256i; V] = std::array::from_fn(|v| {
                    _mm256_cmpgt_epi32(_mm256_set1_epi32(self.len as i32 - 8 * v as i32), lanes)
                });
                let keys: [__m256; V] = std::array::from_fn(|v| {
                    let keys = _mm256_loadu_ps(self.keys.as_ptr().add(8 * v));
                    let infinity = _mm256_set1_ps(f32::INFINITY);
                    _mm256_blendv_ps(infinity, keys, _mm256_castsi256_ps(live[v]))
                });
                let mut counts = [_mm256_setzero_si256(); V];
                for key in &self.keys[..self.len.min(8 * V)] {
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
                    let indices = _mm256_loadu_ps(self.indices.as_ptr().add(8 * v).cast());
                    // In each 128-bit half, pairs 0 1 and 2 3; brought back into order by halves.
                    let first = _mm256_unpacklo_ps(keys[v], indices);
                    let second = _mm256_unpackhi_ps(keys[v], indices);
                    let to = pairs[v].as_mut_ptr().cast::<f32>();
                    _mm256_storeu_ps(to, _mm256_permute2f128_ps::<0x20>(first, second));
                    _mm256_storeu_ps(to.add(8), _mm256_permute2f128_ps::<0x31>(first, second));
                }
                let sum =
                    _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
                let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b01_00_11_10>(sum));
                let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b10_11_00_01>(sum));
                _mm_cvtsi128_si32(sum) as usize
            };
            // Padding has rank `len` and goes where nobody looks.
            for (rank, pair) in ranks.as_flattened().iter().zip(pairs.as_flattened()) {
                sorted.0[(*rank & 63) as usize] = *pair;
            }
            // Different keys have the ranks 0, 1, … len-1; a tie makes their sum smaller.
            sum == self.len * (self.len - 1) / 2
        }
    }

    /// (key, index) pairs in ascending order of keys, the index as the bits of a number.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct SortedPairs([[f32; 2]; 64]);

    impl SortedPairs {
        pub const EMPTY: Self = Self([[0.0; 2]; 64]);

        /// The four pairs from number `first` on, as one vector.
        #[inline(always)]
        pub fn four(&self, first: usize) -> &[f32; 8] {
            let four: &[[f32; 2]; 4] = self.0[first..].first_chunk().unwrap_or(&[[0.0; 2]; 4]);
            // Four pairs of numbers are eight numbers.
            unsafe { &*(&raw const *four).cast() }
        }
    }

    /// For each mask, its set lanes in order; what follows them does not matter.
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

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn candidates_keep_the_chosen_lanes_in_order() {
            let Some(avx2) = Avx2::detect() else { return };
            let mut list = Candidates::new(avx2);
            let keys = avx2.load(&[7.0, 1.0, 5.0, 2.0, 9.0, 0.5, 3.0, 8.0]);
            assert!(list.push(keys, 0b1010_0110, 100));
            assert!(list.push(keys, 0b0001_0001, 200));
            assert_eq!(list.keys[..list.len], [1.0, 5.0, 0.5, 8.0, 7.0, 9.0]);
            assert_eq!(list.indices[..list.len], [101, 102, 105, 107, 200, 204]);
            let mut sorted = SortedPairs::EMPTY;
            assert!(list.sort(&mut sorted));
            let keys_in_order: Vec<f32> = sorted.0[..6].iter().map(|pair| pair[0]).collect();
            let indices: Vec<u32> = sorted.0[..6].iter().map(|pair| pair[1].to_bits()).collect();
            assert_eq!(keys_in_order, [0.5, 1.0, 5.0, 7.0, 8.0, 9.0]);
            assert_eq!(indices, [105, 101, 102, 200, 107, 204]);
            list.push(keys, 0b0000_0001, 300);
            assert!(!list.sort(&mut sorted), "7.0 is there twice");
        }

        #[test]
        fn a_transposed_record_is_a_lane() {
            let Some(avx2) = Avx2::detect() else { return };
            let records: [[f32; 8]; 8] =
                std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f32));
            let columns = avx2.transpose(std::array::from_fn(|i| &records[i]));
            for (j, column) in columns.into_iter().enumerate() {
                let expected: [f32; 8] = std::array::from_fn(|i| (10 * i + j) as f32);
                assert_eq!(column.to_array(), expected);
            }
        }
    }
}
