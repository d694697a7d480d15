//! What some steering models remember of a person from step to step.
//!
//! Most models choose a velocity by what they see. A model in which people pause, fall down, lose patience
//! and panic needs a memory as well. It is a column of the population that exists only once somebody is
//! steered by such a model. In a step everybody's temper is read as it was at the beginning, and the
//! new ones, written by each person for themselves, take their place at the end: no order matters.

use glam::Vec2;
use rayon::prelude::*;

use crate::PersonId;
use crate::check::CrowdError;
use crate::crowd::Crowd;
use crate::population::Population;
use crate::status::Status;
use crate::steering::Memory;

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
    const ALL: [Self; 6] =
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

/// The memory of one person. What others look at are the first 32 bytes, loaded as eight lanes like an entry of
/// the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Temper {
    lanes: [f32; 8],
    /// How fast they walk of their own accord, m/s.
    pub speed: f32,
}

/// Lanes of a [`Temper`] that others look at.
pub(crate) const DIRECTION: [usize; 2] = [0, 1];
pub(crate) const SPACE: usize = 2;
pub(crate) const STATE: usize = 3;
pub(crate) const DENSITY: usize = 5;
const PAUSE: usize = 4;
const PANIC: usize = 6;
const SINCE: usize = 7;

/// The state of somebody who panics is larger by this.
pub(crate) const PANICS: f32 = 8.0;

impl Temper {
    #[inline(always)]
    pub fn lanes(&self) -> &[f32; 8] {
        &self.lanes
    }

    /// Whether nothing has happened yet, or their model remembers nothing.
    pub fn is_new(&self) -> bool {
        self.lanes[STATE] == 0.0
    }

    /// The direction they want to walk in, a unit vector; zero if there is none. Of somebody who has
    /// fallen, how they lie.
    pub fn direction(&self) -> Vec2 {
        Vec2::new(self.lanes[0], self.lanes[1])
    }

    pub fn set_direction(&mut self, direction: Vec2) {
        [self.lanes[0], self.lanes[1]] = direction.to_array();
    }

    /// How near others may come to their body before they give way, m.
    pub fn set_space(&mut self, space: f32) {
        self.lanes[SPACE] = space;
    }

    pub fn panics(&self) -> bool {
        self.lanes[STATE] >= PANICS
    }

    pub fn condition(&self) -> Condition {
        let number = self.lanes[STATE] - if self.panics() { PANICS } else { 0.0 };
        let index = (number as usize).saturating_sub(1);
        Condition::ALL.get(index).copied().unwrap_or_default()
    }

    pub fn set_state(&mut self, condition: Condition, panics: bool) {
        let number = f32::from(condition as u8);
        self.lanes[STATE] = if panics { number + PANICS } else { number };
    }

    /// How much longer they pause, s; if negative, how long they will not begin to wait again.
    pub fn pause(&self) -> f32 {
        self.lanes[PAUSE]
    }

    pub fn set_pause(&mut self, pause: f32) {
        self.lanes[PAUSE] = pause;
    }

    /// People per m² ahead.
    pub fn density(&self) -> f32 {
        self.lanes[DENSITY]
    }

    pub fn set_density(&mut self, density: f32) {
        self.lanes[DENSITY] = density;
    }

    /// The level of their panic, from 0 to 1.
    pub fn panic(&self) -> f32 {
        self.lanes[PANIC]
    }

    pub fn set_panic(&mut self, level: f32) {
        self.lanes[PANIC] = level;
    }

    /// How long they have lain, or been held up, s.
    pub fn since(&self) -> f32 {
        self.lanes[SINCE]
    }

    pub fn set_since(&mut self, time: f32) {
        self.lanes[SINCE] = time;
    }

    /// What is to be seen of somebody whose status would otherwise be another.
    fn shown(&self, status: Status) -> Status {
        match (self.condition(), status) {
            (Condition::Fallen, _) => Status::Fallen,
            (_, Status::Arrived | Status::Waiting | Status::NoPath) => status,
            (condition, _) if condition.holds_back() => Status::Queueing,
            (_, Status::Blocked) => Status::Blocked,
            _ if self.panics() => Status::Panicking,
            _ => Status::Walking,
        }
    }
}

impl Crowd {
    /// How somebody behaves; `None` if they are not there, or if their steering model does not tell.
    pub fn conduct(&self, id: PersonId) -> Option<Conduct> {
        let temper = self.people.tempers.get(self.people.row(id)?)?;
        (!temper.is_new()).then(|| Conduct {
            condition: temper.condition(),
            panic: temper.panic(),
            panics: temper.panics(),
            density: temper.density(),
            held_up: temper.since(),
        })
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
        let temper = self.temper_of(id);
        Ok(temper.map(|temper| temper.set_panic(level)).is_some())
    }

    /// Makes somebody fall where they are, along the way they face. They lie until their steering model lets
    /// them get up. `false` if there is no such person, or if nobody falls in their steering model.
    pub fn trip(&mut self, id: PersonId) -> bool {
        let facing = self.people.row(id).map(|row| self.people.facings[row]);
        let (Some(temper), Some(facing)) = (self.temper_of(id), facing) else { return false };
        let panics = temper.panics();
        temper.set_state(Condition::Fallen, panics);
        temper.set_direction(facing);
        temper.set_since(0.0);
        if let Some(row) = self.people.row(id) {
            self.people.statuses[row] = Status::Fallen;
        }
        true
    }

    /// The memory of somebody whose model has one.
    fn temper_of(&mut self, id: PersonId) -> Option<&mut Temper> {
        let row = self.people.row(id)?;
        if self.models[self.people.manner(row).model as usize].remembers() != Memory::Temper {
            return None;
        }
        self.people.keep_tempers();
        self.people.tempers.get_mut(row)
    }

    /// Everybody's new temper takes the place of the old one, and shows.
    pub(crate) fn remember(&mut self, parallel: bool) {
        let (people, next, now) = (&mut self.people, &self.tempers, self.steps as u32);
        if people.tempers.is_empty() {
            return;
        }
        type Row<'a> = (((&'a mut Temper, &'a mut Status), &'a mut u32), &'a u32);
        let remember = |(((temper, status), blocked_since), &entry): Row| {
            *temper = next[entry as usize];
            let shown = temper.shown(*status);
            if shown.is_held_up() && !status.is_held_up() {
                *blocked_since = now;
            }
            *status = shown;
        };
        let Population { tempers, statuses, blocked_since, .. } = people;
        let bodies = &self.grid.entry_of_row;
        if parallel {
            let rows = tempers.par_iter_mut().zip(statuses).zip(blocked_since).zip(bodies);
            rows.with_min_len(1024).for_each(remember);
        } else {
            tempers.iter_mut().zip(statuses).zip(blocked_since).zip(bodies).for_each(remember);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_lead_back_to_conditions() {
        let mut temper = Temper::default();
        assert!(temper.is_new() && !temper.panics());
        for (number, condition) in (1..).zip(Condition::ALL) {
            assert_eq!(condition as usize, number);
            for panics in [false, true] {
                temper.set_state(condition, panics);
                assert_eq!((temper.condition(), temper.panics()), (condition, panics));
                assert!(!temper.is_new());
            }
        }
    }

    #[test]
    fn whoever_has_nothing_to_walk_to_does_not_queue() {
        let mut temper = Temper::default();
        temper.set_state(Condition::Waiting, false);
        assert_eq!(temper.shown(Status::Walking), Status::Queueing);
        assert_eq!(temper.shown(Status::Blocked), Status::Queueing);
        assert_eq!(temper.shown(Status::Arrived), Status::Arrived);
        temper.set_state(Condition::Walking, true);
        assert_eq!(temper.shown(Status::Queueing), Status::Panicking);
        temper.set_state(Condition::Fallen, false);
        assert_eq!(temper.shown(Status::Arrived), Status::Fallen);
    }
}
