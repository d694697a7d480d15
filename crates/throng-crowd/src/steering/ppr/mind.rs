//! What PPR remembers of a person from step to step: plain data of a fixed size.
//!
//! It is a column of the population that exists only once somebody is steered by this model. As with tempers,
//! everybody's mind is read as it was at the beginning of a step and nobody else's is looked at, and the new
//! ones take their place at the end.

use glam::Vec2;
use rayon::prelude::*;

use crate::PersonId;
use crate::crowd::Crowd;
use crate::steering::{Action, Encounter, Mode, Threat};

/// So many threats are listed at most. Of more, those that end first are.
pub(crate) const THREATS: usize = 8;

/// How to turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Turn {
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
pub(crate) struct Command {
    pub action: Action,
    pub turn: Turn,
    /// Speed to walk at, as a factor of the preferred one.
    pub pace: f32,
    /// How fast to step to the left, m/s; to the right if negative.
    pub scoot: f32,
}

/// The memory of one person.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mind {
    /// Where they face, a unit vector; zero as long as nothing has happened.
    pub heading: Vec2,
    pub mode: Mode,
    pub command: Command,
    threats: [Threat; THREATS],
    count: u8,
}

impl Mind {
    /// Whether nothing has happened yet.
    pub fn is_new(&self) -> bool {
        self.heading == Vec2::ZERO
    }

    /// Whom they avoid or have avoided.
    pub fn threats(&self) -> &[Threat] {
        &self.threats[..usize::from(self.count)]
    }

    pub fn forget_threats(&mut self) {
        self.count = 0;
    }

    /// Time passes, and threats with it: they are gone `linger` seconds after their end.
    pub fn pass(&mut self, time: f32, linger: f32) {
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
    pub fn look_again(&mut self) {
        let count = usize::from(self.count);
        self.threats[..count].iter_mut().for_each(|threat| threat.avoided = true);
    }

    /// Lists somebody who is a threat, in `[begins, ends]` seconds. Who is listed already is waited for until
    /// the end that was foreseen first, or longer.
    pub fn list(&mut self, person: PersonId, encounter: Encounter, [begins, ends]: [f32; 2]) {
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
    pub fn imminent(&self) -> Option<Threat> {
        let open = self.threats().iter().filter(|threat| !threat.avoided);
        open.min_by(|a, b| a.begins.total_cmp(&b.begins).then(a.person.cmp(&b.person))).copied()
    }
}

impl Crowd {
    /// Everybody's new mind takes the place of the old one.
    pub(crate) fn keep_in_mind(&mut self, parallel: bool) {
        let (minds, next, bodies) = (&mut self.people.minds, &self.minds, &self.grid.entry_of_row);
        let keep = |(mind, &entry): (&mut Mind, &u32)| *mind = next[entry as usize];
        if parallel {
            minds.par_iter_mut().zip(bodies).with_min_len(1024).for_each(keep);
        } else {
            minds.iter_mut().zip(bodies).for_each(keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_stay_listed_as_avoided_until_their_time_has_passed() {
        let mut mind = Mind::default();
        mind.list(PersonId(7), Encounter::Oncoming, [1.0, 2.0]);
        assert_eq!(mind.imminent().map(|threat| threat.person), Some(PersonId(7)));
        mind.look_again();
        assert!(mind.imminent().is_none() && mind.threats()[0].avoided);
        mind.pass(2.4, 0.5);
        assert_eq!(mind.threats().len(), 1, "half a second longer");
        mind.pass(0.2, 0.5);
        assert!(mind.threats().is_empty());
    }

    #[test]
    fn who_is_seen_again_is_waited_for_until_the_end_that_was_foreseen_first() {
        let mut mind = Mind::default();
        mind.list(PersonId(7), Encounter::CrossingLate, [1.0, 3.0]);
        mind.list(PersonId(7), Encounter::CrossingLate, [0.9, 2.0]);
        assert_eq!((mind.threats().len(), mind.threats()[0].ends), (1, 3.0));
    }

    #[test]
    fn of_more_threats_than_fit_those_are_listed_that_end_first() {
        let mut mind = Mind::default();
        for i in 0..12u32 {
            let ends = 20.0 - i as f32;
            mind.list(PersonId(i), Encounter::Oncoming, [1.0, ends]);
        }
        let ends: Vec<f32> = mind.threats().iter().map(|threat| threat.ends).collect();
        assert_eq!(ends.len(), THREATS);
        assert!(ends.iter().all(|&end| end <= 16.0), "{ends:?}");
    }
}
