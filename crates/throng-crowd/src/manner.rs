//! How people steer: their model and its parameters.
//!
//! Most people of a scene share theirs with thousands of others, and a parameter is read in every
//! step: each different *manner* is kept once, where it stays in the cache, and a person has the
//! number of theirs.

use std::collections::HashMap;

/// How many parameters of its own a steering model can have.
pub const MODEL_PARAMETERS: usize = 24;

/// The steering parameters that exist in every model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteeringTraits {
    /// How far others are noticed, m.
    pub neighbour_range: f32,
    /// How many of the nearest others are heeded.
    pub max_neighbours: u8,
    /// How readily this person gives way. Of two, each takes the share `own / (own + other)` of an
    /// avoidance; someone at 0 never yields.
    pub responsibility: f32,
    /// Following others, the gap to them grows by this much per speed, s; 0 for no gap at all.
    pub time_gap: f32,
    /// The gap when standing, m.
    pub standing_distance: f32,
    /// How much of the time gap is given up to somebody so far aside that bodies hardly overlap, as a share.
    pub stagger: f32,
}

impl Default for SteeringTraits {
    fn default() -> Self {
        Self {
            neighbour_range: 10.0,
            max_neighbours: 10,
            responsibility: 0.5,
            time_gap: 0.0,
            standing_distance: 0.1,
            stagger: 0.0,
        }
    }
}

/// How somebody steers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Manner {
    /// Index of the model in [`crate::steering::MODELS`].
    pub model: u8,
    pub traits: SteeringTraits,
    /// Values of the model's own parameters.
    pub parameters: [f32; MODEL_PARAMETERS],
}

/// The number of a manner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MannerId(u32);

/// Every manner that somebody has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manners {
    manners: Vec<Manner>,
    /// How many people have each.
    users: Vec<u32>,
    unused: Vec<MannerId>,
    /// How many manners of each model there are.
    per_model: Vec<u32>,
    /// Only ever looked up in, so its order does not matter.
    numbers: HashMap<Bits, MannerId>,
}

type Bits = [u32; MODEL_PARAMETERS + 7];

impl Manners {
    #[inline(always)]
    pub fn get(&self, id: MannerId) -> &Manner {
        &self.manners[id.0 as usize]
    }

    /// The number of `manner`, for one more person.
    pub fn acquire(&mut self, manner: &Manner) -> MannerId {
        if let Some(&id) = self.numbers.get(&manner.bits()) {
            self.users[id.0 as usize] += 1;
            return id;
        }
        let id = self.unused.pop().unwrap_or_else(|| {
            self.manners.push(*manner);
            self.users.push(0);
            MannerId(self.users.len() as u32 - 1)
        });
        self.manners[id.0 as usize] = *manner;
        self.users[id.0 as usize] = 1;
        self.numbers.insert(manner.bits(), id);
        let model = manner.model as usize;
        self.per_model.resize(self.per_model.len().max(model + 1), 0);
        self.per_model[model] += 1;
        id
    }

    /// One person less has this manner.
    pub fn release(&mut self, id: MannerId) {
        let users = &mut self.users[id.0 as usize];
        *users -= 1;
        if *users == 0 {
            let manner = &self.manners[id.0 as usize];
            self.per_model[manner.model as usize] -= 1;
            self.numbers.remove(&manner.bits());
            self.unused.push(id);
        }
    }

    /// The model of all manners, if it is one.
    pub fn only_model(&self) -> Option<u8> {
        let mut models = (0..).zip(&self.per_model).filter(|(_, count)| **count > 0);
        models.next().filter(|_| models.next().is_none()).map(|(model, _)| model)
    }

    /// Whether a model that somebody has is one that `is_so`.
    pub fn some_model(&self, is_so: impl Fn(u8) -> bool) -> bool {
        (0..).zip(&self.per_model).any(|(model, &count)| count > 0 && is_so(model))
    }

    /// Whether anybody keeps a gap to whom they follow.
    pub fn keep_gaps(&self) -> bool {
        let mut in_use = self.manners.iter().zip(&self.users).filter(|(_, users)| **users > 0);
        in_use.any(|(manner, _)| manner.traits.time_gap > 0.0)
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let entry = size_of::<Bits>() + size_of::<MannerId>() + 1;
        self.manners.capacity() * (size_of::<Manner>() + 4)
            + self.unused.capacity() * 4
            + self.numbers.capacity() * entry
    }
}

impl Manner {
    /// All there is to it, to look it up by.
    fn bits(&self) -> Bits {
        let SteeringTraits {
            neighbour_range,
            max_neighbours,
            responsibility,
            time_gap,
            standing_distance,
            stagger,
        } = self.traits;
        let mut bits = [0; MODEL_PARAMETERS + 7];
        let (own, common) = bits.split_at_mut(MODEL_PARAMETERS);
        own.copy_from_slice(&self.parameters.map(f32::to_bits));
        common.copy_from_slice(&[
            self.model.into(),
            neighbour_range.to_bits(),
            max_neighbours.into(),
            responsibility.to_bits(),
            time_gap.to_bits(),
            standing_distance.to_bits(),
            stagger.to_bits(),
        ]);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manner(value: f32) -> Manner {
        Manner {
            model: 0,
            traits: SteeringTraits::default(),
            parameters: [value; MODEL_PARAMETERS],
        }
    }

    #[test]
    fn equal_manners_are_kept_once_and_as_long_as_somebody_has_them() {
        let mut manners = Manners::default();
        let (a, b) = (manners.acquire(&manner(1.0)), manners.acquire(&manner(2.0)));
        assert_eq!(manners.acquire(&manner(1.0)), a);
        assert_ne!(a, b);
        manners.release(a);
        assert_eq!(*manners.get(a), manner(1.0));
        assert_eq!(manners.only_model(), Some(0));
        manners.release(a);
        let c = manners.acquire(&manner(3.0));
        assert_eq!(c, a, "the place of one that nobody has is used again");
        assert_eq!((*manners.get(b), *manners.get(c)), (manner(2.0), manner(3.0)));
        let other_model = Manner { model: 1, ..manner(1.0) };
        let d = manners.acquire(&other_model);
        assert!(d != b && d != c && manners.only_model().is_none());
        manners.release(b);
        manners.release(c);
        assert_eq!(manners.only_model(), Some(1));
    }
}
