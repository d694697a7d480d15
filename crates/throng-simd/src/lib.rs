//! Sixteen `f32` lanes, eight `f64` lanes, and the only `unsafe` code of Throng.
//!
//! Hot loops (a crowd's neighbour scan, half-planes and linear programs, sums over the anchors of a
//! field) treat sixteen candidates or sixteen people at once. Their speed rests on vector
//! instructions that a portable binary may not assume: each loop is a [`Kernel`] written once
//! against the [`Simd`] trait and compiled for AVX-512 (one register of sixteen lanes) and for AVX2
//! (two of eight); [`Vectors::detect`] picks what the processor has. On others the same kernels run
//! on [plain](plain::Plain) arrays ([`run_anywhere`]).
//! Lanes use the same IEEE operations in the same order as scalar code would (no fused
//! multiply-add, no approximate reciprocals), so all give the same bits.
//!
//! ```
//! use throng_simd::{Floats, Kernel, LANES, Simd, Vectors, run_anywhere};
//!
//! struct Lengths<'a> {
//!     x: &'a [f32; LANES],
//!     y: &'a [f32; LANES],
//!     lengths: &'a mut [f32; LANES],
//! }
//!
//! impl Kernel for Lengths<'_> {
//!     #[inline(always)]
//!     fn run<S: Simd>(self, simd: S) {
//!         let (x, y) = (simd.load(self.x), simd.load(self.y));
//!         (x * x + y * y).sqrt().store(self.lengths);
//!     }
//! }
//!
//! let mut lengths = [0.0; LANES];
//! let job = Lengths { x: &[3.0; LANES], y: &[4.0; LANES], lengths: &mut lengths };
//! run_anywhere(Vectors::detect(), job);
//! assert_eq!(lengths, [5.0; LANES]);
//! ```
//!
//! **Safety.** Every `unsafe` block in this crate calls intrinsics of an instruction set. That is
//! sound because a token of the set (`Avx2`, `Avx512`) is needed to make the first vector, and only
//! detection makes tokens; loads and stores go through references to arrays of the right length,
//! [`Candidates`] checks its capacity before it is written to, and gathers check all indices at
//! once. A [`Vec2`] is two numbers and nothing else (`repr(C)`), so sixteen of them are 32 numbers
//! in a row.

#![allow(unsafe_code, reason = "vector intrinsics; see the safety note above")]

#[macro_use]
mod macros;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod doubles;
mod log;
pub mod plain;
mod vec2s;

use glam::Vec2;

pub use doubles::{DOUBLES, Doubles};
pub use log::{ln, log2};
pub use vec2s::Vec2s;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

/// Lanes per vector, and people per batch.
pub const LANES: usize = 16;

/// A hot loop with all its inputs and outputs; see [`Vectors::run`].
pub trait Kernel {
    /// The loop. Implementations, and everything they call, are `#[inline(always)]`: only so they
    /// are compiled for the instruction set.
    fn run<S: Simd>(self, simd: S);
}

/// An instruction set; values are proofs that the processor has it.
pub trait Simd: Copy {
    /// Sixteen numbers.
    type F: Floats<Mask = Self::M>;
    /// Sixteen truth values.
    type M: Mask<F = Self::F>;
    /// Eight numbers of double precision.
    type D: Doubles;

    /// All lanes equal to `value`.
    fn splat(self, value: f32) -> Self::F;
    /// One lane each.
    fn load(self, values: &[f32; LANES]) -> Self::F;
    /// All lanes equal to `value`.
    fn splat_double(self, value: f64) -> Self::D;
    /// One lane each.
    fn load_doubles(self, values: &[f64; DOUBLES]) -> Self::D;
    /// The x of sixteen vectors, and their y.
    fn load_pairs(self, values: &[Vec2; LANES]) -> [Self::F; 2];
    /// The reverse of [`Self::load_pairs`].
    fn store_pairs(self, pairs: [Self::F; 2], to: &mut [Vec2; LANES]);
    /// The lanes whose bit is set.
    fn mask(self, bits: u16) -> Self::M;
    /// Sixteen records of eight numbers, turned so that lane `i` of result `j` is number `j` of
    /// record `i`.
    fn transpose(self, records: [&[f32; 8]; LANES]) -> [Self::F; 8];
    /// Numbers of a list, which has to be longer than every one of `at`.
    fn gather(self, list: &[u32], at: &[u32; LANES]) -> [u32; LANES];
    /// The lanes in which `a` is below `b`, as bits.
    fn below(self, a: &[u32; LANES], b: &[u32; LANES]) -> u16;
    /// The values whose bit is set, moved to the front; what follows them means nothing.
    fn compress(self, values: &[u32; LANES], bits: u16) -> [u32; LANES];
    /// Appends the lanes of `keys` that `bits` names, with index `first` + lane. `false`, and
    /// nothing is appended, when the list is full.
    fn append(self, list: &mut Candidates, keys: Self::F, bits: u16, first: u32) -> bool;
    /// Sorts 1 to 64 candidates by key, without a branch: the rank of each, the number of smaller
    /// keys, is its place. `false` if there are more, or two keys are equal.
    fn sort(self, list: &Candidates, sorted: &mut SortedPairs) -> bool;
}

/// Sixteen numbers.
pub trait Floats:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// What comparisons give.
    type Mask;

    /// The square root of each lane.
    fn sqrt(self) -> Self;
    /// Each lane without its sign.
    fn abs(self) -> Self;
    /// The nearest whole number, the even one of two.
    fn round(self) -> Self;
    /// 2 to the power of each lane: a whole number from -126 to 127.
    fn power_of_two(self) -> Self;
    /// Each lane, positive and not subnormal, as `(n, m)` with value m · 2ⁿ, n whole and m in
    /// [√½, √2).
    fn split(self) -> (Self, Self);
    /// The smaller of each lane; neither may be NaN.
    fn min(self, other: Self) -> Self;
    /// The larger of each lane; neither may be NaN.
    fn max(self, other: Self) -> Self;
    /// Where it is smaller than `other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where it is smaller or equal.
    fn le(self, other: Self) -> Self::Mask;
    /// Where it is larger.
    fn gt(self, other: Self) -> Self::Mask;
    /// Where it is larger or equal.
    fn ge(self, other: Self) -> Self::Mask;
    /// Writes the lanes.
    fn store(self, to: &mut [f32; LANES]);
    /// Writes the bits of the lanes.
    fn store_bits(self, to: &mut [u32; LANES]);
    /// The lanes without their fraction, for numbers from 0 to `i32::MAX`.
    fn to_whole(self) -> [u32; LANES];

    /// The lanes as an array.
    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut lanes = [0.0; LANES];
        self.store(&mut lanes);
        lanes
    }
}

/// Sixteen truth values.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// What is chosen from.
    type F;

    /// `yes` where true, `no` elsewhere.
    fn select(self, yes: Self::F, no: Self::F) -> Self::F;
    /// One bit per lane, lane 0 lowest.
    fn bits(self) -> u16;

    /// Whether any lane is true.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// The vector instructions of this processor.
#[derive(Clone, Copy, Debug)]
pub enum Vectors {
    /// Two registers of eight lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    /// One register of sixteen lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
}

impl Vectors {
    /// The best there are; `None` leaves the scalar code. The environment variable `THRONG_SIMD`
    /// can ask for less (`off`, `avx2`), to measure and to compare.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let wish = std::env::var("THRONG_SIMD").unwrap_or_default();
            let avx512 = || avx512::Avx512::detect().filter(|_| wish != "avx2").map(Self::Avx512);
            let avx2 = || avx2::Avx2::detect().map(Self::Avx2);
            if wish == "off" { None } else { avx512().or_else(avx2) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Everything this processor has, for tests that compare.
    pub fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = avx2::Avx2::detect().map(Self::Avx2);
            avx2.into_iter().chain(avx512::Avx512::detect().map(Self::Avx512)).collect()
        }
        #[cfg(not(target_arch = "x86_64"))]
        Vec::new()
    }

    /// Runs `kernel` compiled for the instruction set.
    pub fn run<K: Kernel>(self, kernel: K) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.run(kernel),
        }
    }
}

/// Runs a kernel that has no scalar version: on vectors, or on plain arrays.
pub fn run_anywhere<K: Kernel>(vectors: Option<Vectors>, kernel: K) {
    match vectors {
        Some(vectors) => vectors.run(kernel),
        None => kernel.run(plain::Plain),
    }
}

/// e to the power of `x`, with a relative error below 3e-7; 0 or infinity are never reached. The
/// library's function would differ from platform to platform.
#[inline(always)]
pub fn exp<S: Simd>(simd: S, x: S::F) -> S::F {
    let number = |value| simd.splat(value);
    let x = x.max(number(-87.0)).min(number(88.0));
    let halvings = (x * number(std::f32::consts::LOG2_E)).round();
    // ln 2 in two parts, the first exact in few bits: what is left of x loses nothing.
    let rest = x - halvings * number(0.693_359_4) - halvings * number(-2.121_944_4e-4);
    let mut sum = number(1.0 / 720.0);
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * rest + number(coefficient);
    }
    sum * halvings.power_of_two()
}

/// The cosine of angles from 0 to π, with an error below 1e-6.
#[inline(always)]
pub fn cos<S: Simd>(simd: S, angle: S::F) -> S::F {
    let number = |value| simd.splat(value);
    // 1 - 2 sin² of half the angle, at most π/2, where a short series will do.
    let half = angle * number(0.5);
    let square = half * half;
    let mut sine = number(-1.0 / 39_916_800.0);
    for coefficient in [1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sine = sine * square + number(coefficient);
    }
    sine = sine * half;
    number(1.0) - number(2.0) * sine * sine
}

/// A growing list of (number, index) pairs of fixed capacity, filled sixteen lanes at a time.
#[derive(Clone, Debug)]
pub struct Candidates {
    len: usize,
    keys: [f32; Self::CAPACITY + LANES],
    /// The bits of numbers.
    indices: [f32; Self::CAPACITY + LANES],
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}

impl Candidates {
    const CAPACITY: usize = 64;

    /// An empty list.
    pub const fn new() -> Self {
        let (keys, indices) = ([0.0; Self::CAPACITY + LANES], [0.0; Self::CAPACITY + LANES]);
        Self { len: 0, keys, indices }
    }

    /// Forgets all entries.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// How many entries there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the next sixteen lanes may be written, unless the list is full.
    #[inline(always)]
    fn room(&mut self) -> Option<(&mut [f32; LANES], &mut [f32; LANES])> {
        if self.len > Self::CAPACITY {
            return None;
        }
        let keys = self.keys[self.len..].first_chunk_mut()?;
        Some((keys, self.indices[self.len..].first_chunk_mut()?))
    }

    /// Puts infinite keys behind the last entry: whoever sorts more than there are finds them last.
    #[inline(always)]
    pub fn terminate(&mut self) {
        if let Some((keys, _)) = self.room() {
            *keys = [f32::INFINITY; LANES];
        }
    }

    /// The first sixteen keys.
    #[inline(always)]
    pub fn keys(&self) -> &[f32; LANES] {
        &self.keys.as_chunks().0[0]
    }

    /// The first sixteen indices, as the bits of numbers.
    #[inline(always)]
    pub fn indices(&self) -> &[f32; LANES] {
        &self.indices.as_chunks().0[0]
    }
}

/// The first and the last eight of sixteen.
#[inline(always)]
pub fn halves(values: &[f32; LANES]) -> (&[f32; 8], &[f32; 8]) {
    let (halves, _) = values.as_chunks();
    (&halves[0], &halves[1])
}

/// (key, index) pairs in ascending order of keys, the index as the bits of a number.
#[derive(Clone, Copy, Debug)]
pub struct SortedPairs([[f32; 2]; 64]);

impl SortedPairs {
    /// What there is before anything is sorted.
    pub const EMPTY: Self = Self([[0.0; 2]; 64]);

    /// `count` pairs after the first.
    #[inline(always)]
    pub fn others(&self, count: usize) -> &[[f32; 2]] {
        &self.0[1..][..count.min(63)]
    }

    /// Puts pairs where their ranks say. Padding has the rank of the length, where nobody looks.
    #[inline(always)]
    fn scatter(&mut self, ranks: &[u32], pairs: &[[f32; 2]]) {
        for (rank, pair) in ranks.iter().zip(pairs) {
            self.0[(*rank & 63) as usize] = *pair;
        }
    }
}

/// The message about an index that is too large.
const OUT_OF_BOUNDS: &str = "an index is beyond the list";

/// The sum of the ranks of `len` different keys; ties make it smaller.
#[inline(always)]
fn sum_of_ranks(len: usize) -> usize {
    len * len.saturating_sub(1) / 2
}

/// The numbers of the bits that are set, lowest first.
#[inline(always)]
pub fn set_bits(bits: u16) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let lowest = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(lowest)
    })
}

/// `x` without its fraction, for numbers that fit: unlike `as`, one instruction.
#[inline(always)]
pub fn truncate(x: f32) -> i32 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of every x86-64.
    unsafe {
        std::arch::x86_64::_mm_cvttss_si32(std::arch::x86_64::_mm_set_ss(x))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        x as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Appending;

    impl Kernel for Appending {
        fn run<S: Simd>(self, simd: S) {
            let lanes: [f32; LANES] = std::array::from_fn(|i| ((i * 7) % 16) as f32);
            let keys = simd.load(&lanes);
            let mut list = Candidates::new();
            assert!(simd.append(&mut list, keys, 0b1000_0000_1010_0110, 100));
            assert_eq!(list.keys[..list.len], [7.0, 14.0, 3.0, 1.0, 9.0]);
            assert_eq!(
                list.indices[..5].iter().map(|i| i.to_bits()).collect::<Vec<_>>(),
                [101, 102, 105, 107, 115]
            );
            let mut sorted = SortedPairs::EMPTY;
            assert!(simd.sort(&list, &mut sorted));
            assert_eq!(
                sorted.0[..5].iter().map(|p| p[0]).collect::<Vec<_>>(),
                [1.0, 3.0, 7.0, 9.0, 14.0]
            );
            assert_eq!(
                sorted.0[..5].iter().map(|p| p[1].to_bits()).collect::<Vec<_>>(),
                [107, 105, 101, 115, 102]
            );
            let others = simd.load(&lanes.map(|x| x + 100.0));
            assert!(simd.append(&mut list, others, 0xFFFF, 200));
            assert!(simd.sort(&list, &mut sorted), "21 entries");
            assert_eq!(sorted.0[20], [115.0, f32::from_bits(200 + 9)]);
            assert!(simd.append(&mut list, keys, 0b10, 300));
            assert!(!simd.sort(&list, &mut sorted), "7.0 is there twice");
            while simd.append(&mut list, others, 0xFFFF, 0) {}
            assert!(list.len() > 64 && !simd.sort(&list, &mut sorted));
            list.clear();
            for i in 0..4 {
                let keys = simd.load(&lanes.map(|x| x + (16 * (3 - i)) as f32));
                assert!(simd.append(&mut list, keys, 0xFFFF, 16 * i));
            }
            assert!(simd.sort(&list, &mut sorted), "64 entries");
            let keys: Vec<f32> = sorted.0.iter().map(|pair| pair[0]).collect();
            assert_eq!(keys, (0..64).map(|i| i as f32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn candidates_keep_the_chosen_lanes_and_sort_them() {
        Vectors::all().into_iter().for_each(|vectors| vectors.run(Appending));
        Appending.run(plain::Plain);
    }

    struct Lanes;

    impl Kernel for Lanes {
        fn run<S: Simd>(self, simd: S) {
            let records: [[f32; 8]; LANES] =
                std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f32));
            let columns = simd.transpose(std::array::from_fn(|i| &records[i]));
            for (j, column) in columns.into_iter().enumerate() {
                let expected: [f32; LANES] = std::array::from_fn(|i| (10 * i + j) as f32);
                assert_eq!(column.to_array(), expected);
            }
            let points = std::array::from_fn(|i| Vec2::new(i as f32, 0.5 - i as f32));
            let [x, y] = simd.load_pairs(&points);
            assert_eq!((x.to_array(), y.to_array()), (points.map(|p| p.x), points.map(|p| p.y)));
            let mut swapped = [Vec2::ZERO; LANES];
            simd.store_pairs([y, x], &mut swapped);
            assert_eq!(swapped, points.map(|p| Vec2::new(p.y, p.x)));
            let (below, chosen) = ([5; LANES], std::array::from_fn(|i| i as u32));
            assert_eq!(simd.below(&below, &chosen), 0b1111_1111_1100_0000);
            let squares: Vec<u32> = (0..100).map(|i| i * i).collect();
            let at = chosen.map(|i| 99 - 2 * i);
            assert_eq!(simd.gather(&squares, &at), at.map(|i| i * i));
            assert_eq!(simd.below(&[u32::MAX; LANES], &chosen), 0);
            assert_eq!((x + simd.splat(0.75)).to_whole(), chosen);
            assert_eq!(simd.compress(&chosen, 0b1010_0001_0000_0011)[..5], [0, 1, 8, 13, 15]);
            assert!(set_bits(0b1010_0001_0000_0011).eq([0, 1, 8, 13, 15]));
            let (a, zero) = (columns[3], simd.splat(0.0));
            let mask = a.gt(simd.splat(75.0)) & simd.mask(0xFF00);
            assert_eq!(mask.bits(), 0xFF00);
            assert_eq!((!mask).select(-a, zero).to_array()[2], -23.0);
            assert_eq!(
                (mask | simd.mask(1)).select(a, zero).abs().sqrt().to_array()[0],
                3f32.sqrt()
            );
        }
    }

    struct OutOfBounds;

    impl Kernel for OutOfBounds {
        fn run<S: Simd>(self, simd: S) {
            for wrong in [15, u32::MAX] {
                let mut at = [0; LANES];
                at[11] = wrong;
                let gather = std::panic::AssertUnwindSafe(|| simd.gather(&[0; 15], &at));
                assert!(std::panic::catch_unwind(gather).is_err());
            }
        }
    }

    #[test]
    fn nothing_is_gathered_from_beyond_a_list() {
        Vectors::all().into_iter().for_each(|vectors| vectors.run(OutOfBounds));
        OutOfBounds.run(plain::Plain);
    }

    #[test]
    fn lanes_do_what_they_say() {
        Vectors::all().into_iter().for_each(|vectors| vectors.run(Lanes));
        Lanes.run(plain::Plain);
    }

    #[test]
    fn the_cosine_is_exact_enough() {
        for i in 0..=1000 {
            let angle = i as f32 * (std::f32::consts::PI / 1000.0);
            let plain = plain::Plain;
            let error = cos(plain, plain.splat(angle)).to_array()[0] - angle.cos();
            assert!(error.abs() < 1e-6, "cos({angle}) is off by {error}");
        }
    }

    struct Exponential<'a> {
        results: &'a mut Vec<u32>,
    }

    impl Kernel for Exponential<'_> {
        fn run<S: Simd>(self, simd: S) {
            for i in 0..2000 {
                let x: [f32; LANES] =
                    std::array::from_fn(|lane| (i * 16 + lane) as f32 * (170.0 / 32000.0) - 85.0);
                let result = exp(simd, simd.load(&x)).to_array();
                for (x, result) in x.into_iter().zip(result) {
                    let exact = f64::from(x).exp();
                    assert!((f64::from(result) / exact - 1.0).abs() < 3e-7, "exp({x})");
                    self.results.push(result.to_bits());
                }
            }
        }
    }

    #[test]
    fn the_exponential_is_exact_and_everywhere_the_same() {
        let mut plain = Vec::new();
        Exponential { results: &mut plain }.run(plain::Plain);
        for vectors in Vectors::all() {
            let mut results = Vec::new();
            vectors.run(Exponential { results: &mut results });
            assert_eq!(results, plain);
        }
    }
}
