//! How people steer: their model and its parameters.
//!
//! Most people of a scene share theirs with thousands of others, and a parameter is read in every
//! step: each different *profile* is kept once, where it stays in the cache, and a person has the
//! number of theirs.

use std::collections::HashMap;

use crate::steering::{COMMON_PARAMETERS, CommonParameters, MODEL_PARAMETERS, ParameterValues};

/// How somebody steers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StoredProfile {
    /// Number of the model in the crowd's [`crate::steering::Models`].
    pub model: u8,
    pub common: CommonParameters,
    /// Values of the model's own parameters.
    pub values: ParameterValues,
}

/// The number of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProfileId(u32);

/// Every profile that somebody has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profiles {
    profiles: Vec<StoredProfile>,
    /// How many people have each.
    users: Vec<u32>,
    unused: Vec<ProfileId>,
    /// How many profiles of each model there are.
    per_model: Vec<u32>,
    /// Only ever looked up in, so its order does not matter.
    numbers: HashMap<Bits, ProfileId>,
}

type Bits = [u32; MODEL_PARAMETERS + COMMON_PARAMETERS.len() + 1];

impl Profiles {
    #[inline(always)]
    pub fn get(&self, id: ProfileId) -> &StoredProfile {
        &self.profiles[id.0 as usize]
    }

    /// The number of `profile`, for one more person.
    pub fn acquire(&mut self, profile: &StoredProfile) -> ProfileId {
        if let Some(&id) = self.numbers.get(&profile.bits()) {
            self.users[id.0 as usize] += 1;
            return id;
        }
        let id = self.unused.pop().unwrap_or_else(|| {
            self.profiles.push(*profile);
            self.users.push(0);
            ProfileId(self.users.len() as u32 - 1)
        });
        self.profiles[id.0 as usize] = *profile;
        self.users[id.0 as usize] = 1;
        self.numbers.insert(profile.bits(), id);
        let model = profile.model as usize;
        self.per_model.resize(self.per_model.len().max(model + 1), 0);
        self.per_model[model] += 1;
        id
    }

    /// One person less has this profile.
    pub fn release(&mut self, id: ProfileId) {
        let users = &mut self.users[id.0 as usize];
        *users -= 1;
        if *users == 0 {
            let profile = &self.profiles[id.0 as usize];
            self.per_model[profile.model as usize] -= 1;
            self.numbers.remove(&profile.bits());
            self.unused.push(id);
        }
    }

    /// The model of all profiles, if it is one.
    pub fn only_model(&self) -> Option<u8> {
        let mut models = (0..).zip(&self.per_model).filter(|(_, count)| **count > 0);
        models.next().filter(|_| models.next().is_none()).map(|(model, _)| model)
    }

    /// Whether anybody is steered by a model.
    pub fn has_model(&self, model: u8) -> bool {
        self.per_model.get(usize::from(model)).is_some_and(|&count| count > 0)
    }

    /// Whether anybody keeps a gap to whom they follow.
    pub fn keep_gaps(&self) -> bool {
        let mut in_use = self.profiles.iter().zip(&self.users).filter(|(_, users)| **users > 0);
        in_use.any(|(profile, _)| profile.common.time_gap > 0.0)
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let entry = size_of::<Bits>() + size_of::<ProfileId>() + 1;
        self.profiles.capacity() * (size_of::<StoredProfile>() + 4)
            + self.unused.capacity() * 4
            + self.numbers.capacity() * entry
    }
}

impl StoredProfile {
    /// All there is to it, to look it up by.
    fn bits(&self) -> Bits {
        let mut bits = [self.model.into(); MODEL_PARAMETERS + COMMON_PARAMETERS.len() + 1];
        let values = self.values.into_iter().chain(self.common.to_array());
        bits.iter_mut().zip(values).for_each(|(bits, value)| *bits = value.to_bits());
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(value: f32) -> StoredProfile {
        StoredProfile {
            model: 0,
            common: CommonParameters::default(),
            values: [value; MODEL_PARAMETERS],
        }
    }

    #[test]
    fn equal_manners_are_kept_once_and_as_long_as_somebody_has_them() {
        let mut profiles = Profiles::default();
        let (a, b) = (profiles.acquire(&profile(1.0)), profiles.acquire(&profile(2.0)));
        assert_eq!(profiles.acquire(&profile(1.0)), a);
        assert_ne!(a, b);
        profiles.release(a);
        assert_eq!(*profiles.get(a), profile(1.0));
        assert_eq!(profiles.only_model(), Some(0));
        profiles.release(a);
        let c = profiles.acquire(&profile(3.0));
        assert_eq!(c, a, "the place of one that nobody has is used again");
        assert_eq!((*profiles.get(b), *profiles.get(c)), (profile(2.0), profile(3.0)));
        let other_model = StoredProfile { model: 1, ..profile(1.0) };
        let d = profiles.acquire(&other_model);
        assert!(d != b && d != c && profiles.only_model().is_none());
        profiles.release(b);
        profiles.release(c);
        assert_eq!(profiles.only_model(), Some(1));
    }
}
