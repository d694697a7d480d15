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
use crate::manner::{Manner, SteeringTraits};
use crate::status::Status;
use crate::steering::{self, ModelInfo};

/// How much is done to simulate somebody, from the least to the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Effort {
    /// They follow their way and heed nobody; bodies are kept apart all the same.
    Path,
    /// They decide ten times a second, and heed fewer others: four at most with ORCA, else whoever is nearest ahead (model
    /// `fuzzy`).
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

    /// How somebody with this manner of their own steers.
    fn manner(self, own: &Manner, temperament: Option<Temperament>) -> Manner {
        match self {
            Self::Full => *own,
            // ORCA chooses a velocity whatever somebody did before, and its kernels are faster than any rules. Models of forces
            // and models that remember need every step.
            Self::Simple if steering::MODELS[usize::from(own.model)].name == "orca" => {
                let max_neighbours = own.traits.max_neighbours.min(FEW);
                Manner { traits: SteeringTraits { max_neighbours, ..own.traits }, ..*own }
            }
            Self::Simple => understudy("fuzzy", own.traits.responsibility, temperament),
            // Who heeds nobody leaves it to the others to give way.
            Self::Path => understudy("none", 0.0, temperament),
        }
    }
}

/// How many others are heeded by those who are steered simply.
const FEW: u8 = 4;

/// Seconds between two decisions of somebody who is steered simply.
pub(crate) const DECIDING: f32 = 0.1;

fn understudy(model: &str, responsibility: f32, temperament: Option<Temperament>) -> Manner {
    let is_it = |info: &ModelInfo| info.name == model;
    let index = steering::MODELS.iter().position(is_it).unwrap_or_default();
    let info = &steering::MODELS[index];
    let mut parameters = [0.0; crate::MODEL_PARAMETERS];
    for (value, parameter) in parameters.iter_mut().zip(info.parameters) {
        *value = info.swayed(parameter, parameter.default, temperament);
    }
    let common = |name: &str| {
        let parameter = info.all_parameters().find(|parameter| parameter.name == name);
        parameter.map_or(0.0, |parameter| parameter.default)
    };
    let traits = SteeringTraits {
        neighbour_range: common("neighbour_range"),
        max_neighbours: common("neighbours") as u8,
        responsibility,
        time_gap: 0.0,
        standing_distance: common("standing_distance"),
        stagger: common("stagger"),
    };
    Manner { model: index as u8, traits, parameters }
}

impl Crowd {
    /// Does this much to simulate somebody from now on; `false` if there is no such person. Who lies on the ground is
    /// simulated in full until they are up again.
    pub fn set_effort(&mut self, id: PersonId, effort: Effort) -> bool {
        let Some(row) = self.people.row(id) else { return false };
        let effort =
            if self.people.statuses[row] == Status::Fallen { Effort::Full } else { effort };
        if self.people.efforts[row] == effort {
            return true;
        }
        let people = &mut self.people;
        let own = people.manners.get(people.own_manners[row]);
        let manner = effort.manner(own, people.temperaments[row]);
        let now = people.manners.acquire(&manner);
        people.manners.release(std::mem::replace(&mut people.manner_ids[row], now));
        people.efforts[row] = effort;
        true
    }

    /// How much is done to simulate somebody; `None` if there is no such person.
    pub fn effort(&self, id: PersonId) -> Option<Effort> {
        self.people.row(id).map(|row| self.people.efforts[row])
    }

    /// Every how many steps somebody decides who is steered simply.
    pub(crate) fn steps_per_decision(&self) -> u64 {
        ((f64::from(DECIDING) / self.setting.step).round() as u64).max(1)
    }
}
