//! What HiDAC remembers of a person from step to step.

use glam::Vec2;

use crate::status::Status;
use crate::steering::Condition;

/// The state of one person. What others look at are the first 32 bytes, loaded as eight lanes like an entry of
/// the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct HidacState {
    lanes: [f32; 8],
    /// How fast they walk of their own accord, m/s.
    pub(super) speed: f32,
}

/// Lanes of a [`HidacState`] that others look at.
pub(super) const DIRECTION: [usize; 2] = [0, 1];
pub(super) const SPACE: usize = 2;
pub(super) const STATE: usize = 3;
pub(super) const DENSITY: usize = 5;
const PAUSE: usize = 4;
const PANIC: usize = 6;
const SINCE: usize = 7;

/// The state of somebody who panics is larger by this.
pub(super) const PANICS: f32 = 8.0;

impl HidacState {
    #[inline(always)]
    pub(super) fn lanes(&self) -> &[f32; 8] {
        &self.lanes
    }

    /// Whether nothing has happened yet, or their model remembers nothing.
    pub(super) fn is_new(&self) -> bool {
        self.lanes[STATE] == 0.0
    }

    /// The direction they want to walk in, a unit vector; zero if there is none. Of somebody who has
    /// fallen, how they lie.
    pub(super) fn direction(&self) -> Vec2 {
        Vec2::new(self.lanes[0], self.lanes[1])
    }

    pub(super) fn set_direction(&mut self, direction: Vec2) {
        [self.lanes[0], self.lanes[1]] = direction.to_array();
    }

    /// How near others may come to their body before they give way, m.
    pub(super) fn set_space(&mut self, space: f32) {
        self.lanes[SPACE] = space;
    }

    pub(super) fn panics(&self) -> bool {
        self.lanes[STATE] >= PANICS
    }

    pub(super) fn condition(&self) -> Condition {
        let number = self.lanes[STATE] - if self.panics() { PANICS } else { 0.0 };
        let index = (number as usize).saturating_sub(1);
        Condition::ALL.get(index).copied().unwrap_or_default()
    }

    pub(super) fn set_state(&mut self, condition: Condition, panics: bool) {
        let number = f32::from(condition as u8);
        self.lanes[STATE] = if panics { number + PANICS } else { number };
    }

    /// How much longer they pause, s; if negative, how long they will not begin to wait again.
    pub(super) fn pause(&self) -> f32 {
        self.lanes[PAUSE]
    }

    pub(super) fn set_pause(&mut self, pause: f32) {
        self.lanes[PAUSE] = pause;
    }

    /// People per m² ahead.
    pub(super) fn density(&self) -> f32 {
        self.lanes[DENSITY]
    }

    pub(super) fn set_density(&mut self, density: f32) {
        self.lanes[DENSITY] = density;
    }

    /// The level of their panic, from 0 to 1.
    pub(super) fn panic(&self) -> f32 {
        self.lanes[PANIC]
    }

    pub(super) fn set_panic(&mut self, level: f32) {
        self.lanes[PANIC] = level;
    }

    /// How long they have lain, or been held up, s.
    pub(super) fn since(&self) -> f32 {
        self.lanes[SINCE]
    }

    pub(super) fn set_since(&mut self, time: f32) {
        self.lanes[SINCE] = time;
    }

    /// What is to be seen of somebody whose status would otherwise be another.
    pub(super) fn shown(&self, status: Status) -> Status {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_lead_back_to_conditions() {
        let mut state = HidacState::default();
        assert!(state.is_new() && !state.panics());
        for (number, condition) in (1..).zip(Condition::ALL) {
            assert_eq!(condition as usize, number);
            for panics in [false, true] {
                state.set_state(condition, panics);
                assert_eq!((state.condition(), state.panics()), (condition, panics));
                assert!(!state.is_new());
            }
        }
    }

    #[test]
    fn whoever_has_nothing_to_walk_to_does_not_queue() {
        let mut state = HidacState::default();
        state.set_state(Condition::Waiting, false);
        assert_eq!(state.shown(Status::Walking), Status::Queueing);
        assert_eq!(state.shown(Status::Blocked), Status::Queueing);
        assert_eq!(state.shown(Status::Arrived), Status::Arrived);
        state.set_state(Condition::Walking, true);
        assert_eq!(state.shown(Status::Queueing), Status::Panicking);
        state.set_state(Condition::Fallen, false);
        assert_eq!(state.shown(Status::Arrived), Status::Fallen);
    }
}
