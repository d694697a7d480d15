//! How much is done to simulate somebody.
//!
//! Who is far from every camera need not be steered with care. With less [`Effort`], people are steered by a cheaper
//! model and less often, after Paris, Gerdelan and O'Sullivan (2009); where they go, how fast they like to walk and
//! whom contacts keep them apart from stays the same. So nobody walks through anybody or through a wall at any level,
//! and nobody has to be pulled out of anybody when they are looked at again. Bodies, velocities and ways go on when
//! the effort changes, from one step to the next.

use throng_world::Temperament;

use crate::PersonId;
use crate::crowd::Crowd;
use crate::profiles::StoredProfile;
use crate::status::Status;
use crate::steering::{self, AnyModel, CommonParameters, Models, SteeringProfile};

/// How much is done to simulate somebody, from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Effort {
    /// They follow their way and heed nobody; bodies are kept apart all the same.
    Path,
    /// They decide ten times a second, and heed fewer others: four at most with a model that is memoryless, else
    /// whoever is nearest ahead.
    Simple,
    /// Their own model steers them in every step.
    #[default]
    Full,
}

impl Effort {
    /// Every effort, from the least to the most.
    pub const ALL: [Self; 3] = [Self::Path, Self::Simple, Self::Full];

    /// Its name, for display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Simple => "simple",
            Self::Full => "full",
        }
    }

    /// Returns the profile that a person with this profile of their own is steered by at this level of effort.
    fn profile(
        self,
        models: &Models,
        own: &StoredProfile,
        temperament: Option<Temperament>,
    ) -> StoredProfile {
        match self {
            Self::Full => *own,
            // Models of forces and models that remember need every step.
            Self::Simple if models.get(own.model).is_memoryless() => {
                let neighbours = own.common.neighbours.min(FEW);
                StoredProfile { common: CommonParameters { neighbours, ..own.common }, ..*own }
            }
            Self::Simple => understudy(models, steering::SIMPLE, own.common, temperament),
            // Who heeds nobody leaves it to the others to give way.
            Self::Path => understudy(
                models,
                steering::UNHEEDING,
                CommonParameters { responsibility: 0.0, ..own.common },
                temperament,
            ),
        }
    }
}

/// How many others are heeded by those who are steered simply.
const FEW: f32 = 4.0;

/// Seconds between two decisions of somebody who is steered simply.
pub(crate) const DECIDING: f32 = 0.1;

fn understudy(
    models: &Models,
    model: &dyn AnyModel,
    own: CommonParameters,
    temperament: Option<Temperament>,
) -> StoredProfile {
    let info = model.info();
    let SteeringProfile { common, mut values, .. } = SteeringProfile::of(info);
    for (value, parameter) in values.iter_mut().zip(info.parameters) {
        *value = info.gained(parameter, *value, temperament);
    }
    let CommonParameters { responsibility, acceleration_limit, .. } = own;
    let common = CommonParameters { responsibility, acceleration_limit, time_gap: 0.0, ..common };
    StoredProfile { model: models.find(info.name).unwrap_or_default(), common, values }
}

impl Crowd {
    /// Does this much to simulate somebody from now on; `false` if there is no such person. Who lies on the ground is
    /// simulated in full until they are up again.
    pub fn set_effort(&mut self, id: PersonId, effort: Effort) -> bool {
        let Some(row) = self.people.row(id) else { return false };
        let effort =
            if self.intents.statuses[row] == Status::Fallen { Effort::Full } else { effort };
        if self.people.effort(row) == effort {
            return true;
        }
        let people = &mut self.people;
        let profile =
            effort.profile(&self.models, people.own_profile(row), people.temperament(row));
        people.set_profile(row, &profile, effort);
        true
    }

    /// How much is done to simulate somebody; `None` if there is no such person.
    pub fn effort(&self, id: PersonId) -> Option<Effort> {
        self.people.row(id).map(|row| self.people.effort(row))
    }
}

/// Every how many steps of so many seconds somebody decides who is steered simply.
pub(crate) fn steps_per_decision(step: f64) -> u64 {
    ((f64::from(DECIDING) / step).round() as u64).max(1)
}
