//! How people behave, in models that tell: whether they queue, push, fall or panic.

use crate::PersonId;
use crate::check::CrowdError;
use crate::crowd::Crowd;
use crate::status::Status;

/// What somebody's body is doing, in models that tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Condition {
    /// Walks, or stands because there is nowhere to go.
    #[default]
    Walking = 1,
    /// Walks on although somebody ahead has to give way.
    Pushing = 2,
    /// Is pushed about.
    Pushed = 3,
    /// Was pushed back, and has stopped for a moment.
    Stopped = 4,
    /// Waits for those ahead.
    Waiting = 5,
    /// Has fallen, and lies on the ground.
    Fallen = 6,
}

impl Condition {
    /// Every condition, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::Walking, Self::Pushing, Self::Pushed, Self::Stopped, Self::Waiting, Self::Fallen];

    /// Whether somebody holds back for others.
    pub fn holds_back(self) -> bool {
        matches!(self, Self::Stopped | Self::Waiting)
    }

    /// Whether somebody is on their own feet and gets on.
    pub fn walks(self) -> bool {
        matches!(self, Self::Walking | Self::Pushing)
    }
}

/// How somebody behaves, in models that tell; see [`Crowd::conduct`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conduct {
    /// What their body is doing.
    pub condition: Condition,
    /// How much fear they feel, from 0 to 1.
    pub panic: f32,
    /// Whether they panic.
    pub panics: bool,
    /// People per m² that they see ahead.
    pub density: f32,
    /// For how long they have lain, if they have fallen, or else how much of the last time they were held
    /// up, s.
    pub held_up: f32,
}

impl Crowd {
    /// How somebody behaves; `None` if they are not there, or if their steering model does not tell.
    pub fn conduct(&self, id: PersonId) -> Option<Conduct> {
        let row = self.people.row(id)?;
        let model = self.people.model(row);
        self.models.get(model).conduct(self.people.states.get(model)?, row)
    }

    /// Frightens somebody, or calms them down: from the next step on their panic has this level, from 0 to 1,
    /// and spreads or fades as it may. `false` if there is no such person, or if their steering model
    /// knows no panic.
    ///
    /// # Errors
    ///
    /// If the level is out of range.
    pub fn set_panic(&mut self, id: PersonId, level: f32) -> Result<bool, CrowdError> {
        if !(0.0..=1.0).contains(&level) {
            return Err(CrowdError::OutOfRange {
                what: "the level of panic",
                value: level,
                min: 0.0,
                max: 1.0,
            });
        }
        let Some(row) = self.people.row(id) else { return Ok(false) };
        let model = self.people.model(row);
        let states = self.people.keep_states(&self.models, model);
        Ok(states.is_some_and(|states| self.models.get(model).set_panic(states, row, level)))
    }

    /// Makes somebody fall where they are, along the way they face. They lie until their steering model lets
    /// them get up. `false` if there is no such person, or if nobody falls in their steering model.
    pub fn trip(&mut self, id: PersonId) -> bool {
        let Some(row) = self.people.row(id) else { return false };
        let (model, facing) = (self.people.model(row), self.people.facings[row]);
        let states = self.people.keep_states(&self.models, model);
        let falls = states.is_some_and(|states| self.models.get(model).trip(states, row, facing));
        if falls {
            self.intents.statuses[row] = Status::Fallen;
        }
        falls
    }
}
