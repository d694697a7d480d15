//! Which joints take part: light movements never move heavy joints.
//!
//! What is nearly ahead is left to the eyes; further aside, neck and head help, and beyond that the spine. Who takes part
//! is settled when a shift begins. If the target then moves well across a bound, joints join in or drop out gradually,
//! as their shares of the turn change from those of one set of joints to those of another.

use super::anatomy::{Anatomy, MAX_TURNING};

/// Which joints take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recruited {
    /// The eyes alone (`n = 1`).
    #[default]
    Eyes,
    /// Neck, head and eyes (`n = 4`).
    Upper,
    /// Everything from the lowest joint of the spine (`n = 9`).
    All,
}

/// How much of the shares are those of neck and head, and those of all joints; the rest is the eyes'.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Recruitment {
    upper: Weight,
    all: Weight,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Weight {
    value: f32,
    /// Per second.
    speed: f32,
}

impl Recruitment {
    /// These joints and no others.
    pub fn of(recruited: Recruited) -> Self {
        let weight = |part| Weight { value: if recruited == part { 1.0 } else { 0.0 }, speed: 0.0 };
        Self { upper: weight(Recruited::Upper), all: weight(Recruited::All) }
    }

    /// Goes on towards these joints and no others, and is as good as there in `duration` seconds.
    pub fn approach(&mut self, recruited: Recruited, seconds: f32, duration: f32) {
        let goal = Self::of(recruited);
        if *self == goal {
            return;
        }
        self.upper.approach(goal.upper.value, seconds, duration);
        self.all.approach(goal.all.value, seconds, duration);
    }

    /// What each joint takes of what remains.
    pub fn parts(&self, anatomy: &Anatomy) -> [f32; MAX_TURNING] {
        let (upper, all) = (self.upper.value, self.all.value);
        let eyes = 1.0 - upper - all;
        // Without eyes, neck and head are the lightest that there is.
        let upper = if anatomy.has_eyes() { upper } else { upper + eyes };
        let mut parts = [0.0; MAX_TURNING];
        // From the top down: what is left for a joint and all above it.
        let mut left = if anatomy.has_eyes() {
            eyes + upper * anatomy.eyes_share.upper + all * anatomy.eyes_share.all
        } else {
            0.0
        };
        let slots = &anatomy.slots[..anatomy.count];
        for (slot, part) in slots.iter().zip(&mut parts).rev() {
            let share = upper * slot.share.upper + all * slot.share.all;
            left += share;
            *part = if share == 0.0 { 0.0 } else { share / left };
        }
        parts
    }
}

impl Weight {
    /// As a critically damped spring would: smoothly, also if it was on its way elsewhere.
    fn approach(&mut self, goal: f32, seconds: f32, duration: f32) {
        /// What is this near is there.
        const THERE: f32 = 1e-3;
        let stiffness = 6.0 / duration;
        let off = self.value - goal;
        let pull = self.speed + stiffness * off;
        let decay = (-stiffness * seconds).exp();
        let (off, speed) =
            ((off + pull * seconds) * decay, (self.speed - stiffness * pull * seconds) * decay);
        let moves = off.abs() > THERE || speed.abs() > 10.0 * THERE;
        *self = if moves {
            Self { value: goal + off, speed }
        } else {
            Self { value: goal, speed: 0.0 }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_join_in_smoothly_and_are_there_in_the_end() {
        let mut weight = Weight::default();
        let (mut before, mut speed) = (0.0, 0.0);
        for step in 1..=100 {
            weight.approach(if step < 30 { 1.0 } else { 0.0 }, 0.01, 1.0);
            let now = (weight.value - before) / 0.01;
            assert!((now - speed).abs() < 0.5, "{step}");
            (before, speed) = (weight.value, now);
        }
        for _ in 0..100 {
            weight.approach(0.0, 0.01, 1.0);
        }
        assert_eq!(weight, Weight::default());
    }

    #[test]
    fn times_that_are_none_lead_there_at_once() {
        for duration in [0.0, f32::NAN, 1e-30] {
            let mut weight = Weight::default();
            weight.approach(1.0, 0.01, duration);
            assert_eq!(weight, Weight { value: 1.0, speed: 0.0 }, "{duration}");
        }
        let mut weight = Weight::default();
        weight.approach(1.0, f32::MAX, 1.0);
        assert_eq!(weight.value, 1.0);
    }
}
