//! How people are dealt out to parties.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use proptest::prelude::*;
use throng_base::random::Random;
use throng_world::{MAX_PARTY, PartySizes};

#[test]
fn parties_are_as_frequent_as_they_are_said_to_be() {
    let sizes = PartySizes::new(&[0.4, 0.4, 0.0, 0.2]).unwrap();
    let parties = sizes.deal(Random::new(3), 0, 20_000);
    let share = |size: u32| {
        let such = parties.iter().filter(|party| **party == size).count();
        such as f32 / parties.len() as f32
    };
    for (size, expected) in [(1, 0.4), (2, 0.4), (3, 0.0), (4, 0.2)] {
        assert!((share(size) - expected).abs() < 0.02, "{size}: {}", share(size));
    }
    assert_eq!(PartySizes::all_of(3).unwrap().deal(Random::new(1), 7, 8), [3, 3, 2]);
}

#[test]
fn what_is_no_distribution_is_refused() {
    let refused: [&[f32]; 5] = [&[], &[0.0, 0.0], &[1.0, -0.5], &[f32::NAN], &[1.0; MAX_PARTY + 1]];
    for shares in refused {
        assert_eq!(PartySizes::new(shares), None, "{shares:?}");
    }
    assert_eq!(PartySizes::all_of(0), None);
    assert_eq!(PartySizes::all_of(MAX_PARTY + 1), None);
}

proptest! {
    #[test]
    fn everybody_is_in_one_party_of_a_size_that_may_be(
        shares in prop::collection::vec(0f32..1.0, 1..=MAX_PARTY),
        seed in any::<u64>(),
        first in 0u32..1000,
        count in 0u32..200,
    ) {
        let Some(sizes) = PartySizes::new(&shares) else { return Ok(()) };
        let parties = sizes.deal(Random::new(seed), first, count);
        prop_assert_eq!(parties.iter().sum::<u32>(), count);
        for size in parties.iter().rev().skip(1) {
            prop_assert!(shares[*size as usize - 1] > 0.0);
        }
    }
}
