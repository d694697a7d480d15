//! Sixteen short lists sorted at once, one per lane.
//!
//! A sorting network compares the same pairs of slots whatever the numbers are, so that all lanes
//! can go through it together, without a branch: a fraction of what it costs to sort one list after
//! the other. This one is Green's, with 60 comparisons for sixteen slots the shortest known
//! (Knuth, *The Art of Computer Programming* 3, 5.3.4).

use throng_simd::{Floats, Mask, Simd};

use super::LANES;

/// Sixteen numbers and as many companions in each lane.
pub(super) struct Columns<S: Simd> {
    pub keys: [S::F; LANES],
    pub companions: [S::F; LANES],
}

impl<S: Simd> Columns<S> {
    /// Sorts every lane by its keys, ascending. Companions go with their keys; they may be any bits.
    #[inline(always)]
    pub fn sort(&mut self) {
        macro_rules! exchange {
            ($(($low:literal, $high:literal))*) => { $( self.exchange($low, $high); )* };
        }
        exchange!((0, 1)(2, 3)(4, 5)(6, 7)(8, 9)(10, 11)(12, 13)(14, 15));
        exchange!((0, 2)(1, 3)(4, 6)(5, 7)(8, 10)(9, 11)(12, 14)(13, 15));
        exchange!((0, 4)(1, 5)(2, 6)(3, 7)(8, 12)(9, 13)(10, 14)(11, 15));
        exchange!((0, 8)(1, 9)(2, 10)(3, 11)(4, 12)(5, 13)(6, 14)(7, 15));
        exchange!((5, 10)(6, 9)(3, 12)(13, 14)(4, 8)(7, 11)(1, 2));
        exchange!((1, 4)(7, 13)(2, 8)(11, 14));
        exchange!((2, 4)(5, 6)(9, 10)(11, 13)(3, 8)(7, 12));
        exchange!((6, 8)(10, 12)(3, 5)(7, 9));
        exchange!((3, 4)(5, 6)(7, 8)(9, 10)(11, 12));
        exchange!((6, 7)(8, 9));
    }

    /// The smaller of two slots comes first.
    #[inline(always)]
    fn exchange(&mut self, low: usize, high: usize) {
        let (keys, companions) = (&mut self.keys, &mut self.companions);
        let (a, b) = (keys[low], keys[high]);
        let (with_a, with_b) = (companions[low], companions[high]);
        let wrong = b.lt(a);
        (keys[low], keys[high]) = (b.min(a), b.max(a));
        companions[low] = wrong.select(with_b, with_a);
        companions[high] = wrong.select(with_a, with_b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_simd::{Kernel, Vectors, plain::Plain};

    /// Sorts all sequences of zeros and ones, which proves that it sorts everything.
    struct ZerosAndOnes;

    impl Kernel for ZerosAndOnes {
        fn run<S: Simd>(self, simd: S) {
            for first in (0..1 << LANES).step_by(LANES) {
                let key = |slot: usize, lane: usize| (((first + lane) >> slot) & 1) as f32;
                let keys = std::array::from_fn(|slot| {
                    simd.load(&std::array::from_fn(|lane| key(slot, lane)))
                });
                // Companions are ones with the key in the last bit: numbers that are very small.
                let companions = keys.map(|key: S::F| {
                    simd.load(&key.to_array().map(|key| f32::from_bits(2 + key as u32)))
                });
                let mut columns: Columns<S> = Columns { keys, companions };
                columns.sort();
                let keys = columns.keys.map(Floats::to_array);
                let companions = columns.companions.map(Floats::to_array);
                for lane in 0..LANES {
                    let ones = (first + lane).count_ones() as usize;
                    for slot in 0..LANES {
                        let expected = u32::from(slot >= LANES - ones);
                        assert_eq!(keys[slot][lane], expected as f32);
                        assert_eq!(companions[slot][lane].to_bits(), 2 + expected);
                    }
                }
            }
        }
    }

    #[test]
    fn every_sequence_is_sorted() {
        Vectors::all().into_iter().for_each(|vectors| vectors.run(ZerosAndOnes));
        ZerosAndOnes.run(Plain);
    }
}
