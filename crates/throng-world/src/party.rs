//! How many walk together.
//!
//! People who come in parties are dealt out in the order of their ids: the first one draws how many they are, and the next
//! ids are their companions. So a party is a function of the seed and of the id it begins with, and nothing else
//! has to be remembered.

use throng_base::random::{Purpose, Random};

/// The largest number of people who walk together.
pub const MAX_PARTY: usize = 12;

/// How large parties are.
#[derive(Clone, Debug, PartialEq)]
pub struct PartySizes {
    /// How many parties of one, two, three … there are for each other.
    shares: Vec<f32>,
}

impl PartySizes {
    /// Parties of one, two, three … people with these shares of all parties; `None` if there are more than [`MAX_PARTY`],
    /// if one is negative or not a number, or if all are 0.
    pub fn new(shares: &[f32]) -> Option<Self> {
        let is_share = |share: &f32| share.is_finite() && *share >= 0.0;
        let is_valid = shares.len() <= MAX_PARTY
            && shares.iter().all(is_share)
            && shares.iter().sum::<f32>() > 0.0
            && shares.iter().sum::<f32>().is_finite();
        is_valid.then(|| Self { shares: shares.to_vec() })
    }

    /// Parties of `count` people each; `None` unless there are from 1 to [`MAX_PARTY`].
    pub fn all_of(count: usize) -> Option<Self> {
        let mut shares = vec![0.0; count];
        *shares.last_mut()? = 1.0;
        Self::new(&shares)
    }

    /// How many parties of one, two, three … there are for each other.
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    /// How many belong together if the first of them is person number `first`: at least one.
    pub fn draw(&self, random: Random, first: u32) -> u32 {
        let sum: f32 = self.shares.iter().sum();
        let mut left = random.stream(first.into(), 0, Purpose::Party).unit() * sum;
        let mut last = 1;
        for (size, &share) in (1..).zip(&self.shares) {
            if share > 0.0 {
                last = size;
                if left < share {
                    break;
                }
            }
            left -= share;
        }
        last
    }

    /// The parties of `count` people with ids from `first` on, in their order; the last may be smaller than it was drawn.
    pub fn deal(&self, random: Random, first: u32, count: u32) -> Vec<u32> {
        let mut parties = Vec::new();
        let mut dealt = 0;
        while dealt < count {
            let size = self.draw(random, first + dealt).min(count - dealt);
            parties.push(size);
            dealt += size;
        }
        parties
    }
}
