//! What PPR remembers of a person from step to step: plain data of a fixed size.
//!
//! Nobody else's state is looked at.

use glam::Vec2;

use crate::PersonId;
use crate::steering::{Action, Encounter, Mode, Threat};

/// So many threats are listed at most. Of more, those that end first are.
pub(super) const THREATS: usize = 8;

/// How to turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Turn {
    /// Not at all.
    #[default]
    Keep,
    /// To the local target, at most so fast, rad/s.
    Target(f32),
    /// To the left so fast, or to the right if negative, rad/s.
    Aside(f32),
}

/// What was decided last, until it is decided anew.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Command {
    pub action: Action,
    pub turn: Turn,
    /// Speed to walk at, as a factor of the preferred one.
    pub pace: f32,
    /// How fast to step to the left, m/s; to the right if negative.
    pub scoot: f32,
}

/// The state of one person.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PprState {
    /// Where they face, a unit vector; zero as long as nothing has happened.
    pub(super) heading: Vec2,
    pub(super) mode: Mode,
    pub(super) command: Command,
    threats: [Threat; THREATS],
    count: u8,
}

impl PprState {
    /// Whether nothing has happened yet.
    pub(super) fn is_new(&self) -> bool {
        self.heading == Vec2::ZERO
    }

    /// Whom they avoid or have avoided.
    pub(super) fn threats(&self) -> &[Threat] {
        &self.threats[..usize::from(self.count)]
    }

    pub(super) fn forget_threats(&mut self) {
        self.count = 0;
    }

    /// Time passes, and threats with it: they are gone `linger` seconds after their end.
    pub(super) fn pass(&mut self, time: f32, linger: f32) {
        let mut kept = 0;
        for index in 0..usize::from(self.count) {
            let threat = &self.threats[index];
            let threat =
                Threat { begins: threat.begins - time, ends: threat.ends - time, ..*threat };
            if threat.ends + linger > 0.0 {
                self.threats[kept] = threat;
                kept += 1;
            }
        }
        self.count = kept as u8;
    }

    /// From here on threats count as avoided unless they are seen again.
    pub(super) fn look_again(&mut self) {
        let count = usize::from(self.count);
        self.threats[..count].iter_mut().for_each(|threat| threat.avoided = true);
    }

    /// Lists somebody who is a threat, in `[begins, ends]` seconds. Who is listed already is waited for until
    /// the end that was foreseen first, or longer.
    pub(super) fn list(
        &mut self,
        person: PersonId,
        encounter: Encounter,
        [begins, ends]: [f32; 2],
    ) {
        let count = usize::from(self.count);
        let found = Threat { person, encounter, begins, ends, avoided: false };
        if let Some(known) = self.threats[..count].iter_mut().find(|known| known.person == person) {
            *known = Threat { ends: ends.max(known.ends), ..found };
        } else if count < THREATS {
            self.threats[count] = found;
            self.count += 1;
        } else {
            let last = (0..count).max_by(|&a, &b| {
                let ends = |index: usize| self.threats[index].ends;
                ends(a).total_cmp(&ends(b))
            });
            if let Some(last) = last.filter(|&last| self.threats[last].ends > ends) {
                self.threats[last] = found;
            }
        }
    }

    /// The threat that is not avoided yet and would begin first.
    pub(super) fn imminent(&self) -> Option<Threat> {
        let open = self.threats().iter().filter(|threat| !threat.avoided);
        open.min_by(|a, b| a.begins.total_cmp(&b.begins).then(a.person.cmp(&b.person))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_stay_listed_as_avoided_until_their_time_has_passed() {
        let mut state = PprState::default();
        state.list(PersonId(7), Encounter::Oncoming, [1.0, 2.0]);
        assert_eq!(state.imminent().map(|threat| threat.person), Some(PersonId(7)));
        state.look_again();
        assert!(state.imminent().is_none() && state.threats()[0].avoided);
        state.pass(2.4, 0.5);
        assert_eq!(state.threats().len(), 1, "half a second longer");
        state.pass(0.2, 0.5);
        assert!(state.threats().is_empty());
    }

    #[test]
    fn who_is_seen_again_is_waited_for_until_the_end_that_was_foreseen_first() {
        let mut state = PprState::default();
        state.list(PersonId(7), Encounter::CrossingLate, [1.0, 3.0]);
        state.list(PersonId(7), Encounter::CrossingLate, [0.9, 2.0]);
        assert_eq!((state.threats().len(), state.threats()[0].ends), (1, 3.0));
    }

    #[test]
    fn of_more_threats_than_fit_those_are_listed_that_end_first() {
        let mut state = PprState::default();
        for i in 0..12u32 {
            let ends = 20.0 - i as f32;
            state.list(PersonId(i), Encounter::Oncoming, [1.0, ends]);
        }
        let ends: Vec<f32> = state.threats().iter().map(|threat| threat.ends).collect();
        assert_eq!(ends.len(), THREATS);
        assert!(ends.iter().all(|&end| end <= 16.0), "{ends:?}");
    }
}
