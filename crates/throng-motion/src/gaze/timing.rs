//! Temporal resolution: how long each part of the body takes.
//!
//! The spine needs 2 s for half a turn and in proportion for less, the head and the neck half of that, and the eyes a
//! fifth of theirs. So eyes arrive first, wait at their limit if they must, and go back to the middle as the head and the
//! spine arrive.

use std::f32::consts::PI;

use super::anatomy::Segment;

/// How parts of the body get from where they are to where they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ease {
    /// Along a curve of minimum jerk, as limbs move.
    #[default]
    MinimumJerk,
    /// At one speed, as published.
    Linear,
}

impl Ease {
    /// What part of the way is done after this part of the time.
    pub fn at(self, time: f32) -> f32 {
        let time = time.clamp(0.0, 1.0);
        match self {
            Self::Linear => time,
            Self::MinimumJerk => time * time * time * (10.0 + time * (6.0 * time - 15.0)),
        }
    }
}

/// How long a shift takes, seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Durations {
    /// The joints of the spine (`T_sp`).
    pub spine: f32,
    /// Neck and head (`T_hd`).
    pub head: f32,
    /// The eyes (`T_ey`).
    pub eyes: f32,
}

impl Durations {
    /// For a shift by an angle (`θ₀`, radians), if the spine takes `half_turn` seconds for half a turn, the head this
    /// `head_part` of that, and the eyes this `eyes_part` of the head's.
    pub fn for_shift(angle: f32, half_turn: f32, head_part: f32, eyes_part: f32) -> Self {
        let spine = (half_turn * angle / PI).max(0.0);
        let head = spine * head_part;
        Self { spine, head, eyes: head * eyes_part }
    }

    /// All of the body in one time.
    pub(super) fn alike(seconds: f32) -> Self {
        Self { spine: seconds, head: seconds, eyes: seconds }
    }

    /// Of the joints of a segment.
    pub fn of(&self, segment: Segment) -> f32 {
        match segment {
            Segment::Spine => self.spine,
            Segment::Neck | Segment::Head => self.head,
        }
    }

    /// When everything has arrived.
    pub fn longest(&self) -> f32 {
        self.spine.max(self.head).max(self.eyes)
    }
}

/// What part of the way is done `elapsed` seconds into `duration`; all of it if that is no time at all.
pub(super) fn progress(ease: Ease, elapsed: f32, duration: f32) -> f32 {
    if duration > 0.0 && elapsed < duration { ease.at(elapsed / duration) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_takes_the_published_times() {
        let durations = Durations::for_shift(0.5 * PI, 2.0, 0.5, 0.2);
        assert!((durations.spine - 1.0).abs() < 1e-6);
        assert!((durations.head - 0.5).abs() < 1e-6);
        assert!((durations.eyes - 0.1).abs() < 1e-6);
        let none = Durations::for_shift(0.0, 2.0, 0.5, 0.2);
        assert_eq!(none, Durations::default());
        assert_eq!(progress(Ease::Linear, 0.0, none.eyes), 1.0);
        assert_eq!(progress(Ease::Linear, 0.0, f32::NAN), 1.0);
    }

    #[test]
    fn easing_begins_and_ends_where_it_should() {
        for ease in [Ease::MinimumJerk, Ease::Linear] {
            assert_eq!(ease.at(0.0), 0.0);
            assert_eq!(ease.at(1.0), 1.0);
            assert!((ease.at(0.5) - 0.5).abs() < 1e-6);
            assert_eq!(ease.at(7.0), 1.0);
        }
    }
}
