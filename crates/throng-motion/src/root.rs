//! The abstract root: the point on the ground that a person *is* for planning and steering.
//!
//! It moves smoothly along the path, without the sway of the pelvis (van Basten and Egges 2009).
//! Clips are stored relative to it, so that the simulator can move it exactly where it wants while
//! the pelvis goes on swaying about it.

use glam::{Quat, Vec3, Vec3A};
use throng_base::frame::wrap_angle;

/// A movement over the ground in body space: first `translation`, then a turn by `yaw`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootMotion {
    /// How far to the body's left (`x`) and ahead (`z`), in metres; `y` is 0.
    pub translation: Vec3,
    /// How far the body turns to its left, in radians; not wrapped.
    pub yaw: f32,
}

impl RootMotion {
    /// This movement, and then `next` as seen from where it ends.
    pub fn then(self, next: Self) -> Self {
        Self {
            translation: self.translation + Quat::from_rotation_y(self.yaw) * next.translation,
            yaw: self.yaw + next.yaw,
        }
    }

    /// This movement `count` times, each from where the one before ended.
    pub fn times(self, count: u32) -> Self {
        // By doubling, so that a great many take no time.
        let (mut motion, mut power, mut left) = (Self::default(), self, count);
        while left > 0 {
            if left & 1 == 1 {
                motion = motion.then(power);
            }
            power = power.then(power);
            left >>= 1;
        }
        motion
    }

    /// The movement back.
    pub fn inverse(self) -> Self {
        Self { translation: -(Quat::from_rotation_y(-self.yaw) * self.translation), yaw: -self.yaw }
    }

    /// A part of the way from here to `other`, both seen from the same place.
    pub fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            translation: self.translation.lerp(other.translation, part),
            yaw: self.yaw + part * (other.yaw - self.yaw),
        }
    }

    /// It seen in the mirror.
    pub fn mirrored(self) -> Self {
        Self { translation: self.translation * Vec3::new(-1.0, 1.0, 1.0), yaw: -self.yaw }
    }

    /// As a rotation and a translation, to [`place`](crate::Pose::place) a pose.
    pub fn placement(self) -> (Quat, Vec3A) {
        (Quat::from_rotation_y(self.yaw), self.translation.into())
    }

    /// Whether it contains no infinity and no NaN.
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.yaw.is_finite()
    }
}

/// Where the abstract root is at every frame of a clip, seen from where it was at the first.
///
/// The track of a looped clip has one sample more than the clip has frames: where the next cycle
/// begins.
#[derive(Clone, Debug, PartialEq)]
pub struct RootTrack {
    samples: Vec<RootMotion>,
}

impl RootTrack {
    /// A track through `samples`; it is moved so that the first is the origin.
    pub fn new(samples: Vec<RootMotion>) -> Self {
        let Some(first) = samples.first() else { return Self { samples } };
        let origin = first.inverse();
        Self { samples: samples.iter().map(|sample| origin.then(*sample)).collect() }
    }

    /// The track of a body that stays where it is.
    pub fn still(samples: usize) -> Self {
        Self { samples: vec![RootMotion::default(); samples] }
    }

    /// The track of a body that moves steadily by `total` in a straight line or on a circle, in
    /// `samples` samples from the beginning to the end.
    pub fn steady(total: RootMotion, samples: usize) -> Self {
        let last = samples.saturating_sub(1).max(1) as f32;
        let samples = (0..samples).map(|index| steady_part(total, index as f32 / last)).collect();
        Self { samples }
    }

    /// The samples.
    pub fn samples(&self) -> &[RootMotion] {
        &self.samples
    }

    /// Where the root is at the end.
    pub fn total(&self) -> RootMotion {
        self.samples.last().copied().unwrap_or_default()
    }

    /// Where the root is at sample `at`, between samples too; the ends are kept to.
    pub fn at(&self, at: f32) -> RootMotion {
        let Some(last) = self.samples.len().checked_sub(1) else { return RootMotion::default() };
        let at = at.clamp(0.0, last as f32);
        let index = (at as usize).min(last.saturating_sub(1));
        self.samples[index].lerp(self.samples[(index + 1).min(last)], at - index as f32)
    }
}

/// A part of a movement along a circle (a line if it does not turn).
fn steady_part(total: RootMotion, part: f32) -> RootMotion {
    let (half, turned) = (0.5 * total.yaw, 0.5 * part * total.yaw);
    // The chord to a point on a circle: its length goes with the sine of half the angle, and it
    // points half the angle to the side.
    let length = if half.abs() < 1e-4 { part } else { turned.sin() / half.sin() };
    let chord = Quat::from_rotation_y(turned - half) * total.translation * length;
    RootMotion { translation: chord, yaw: part * total.yaw }
}

/// The yaw of a direction in body space: 0 ahead, positive to the left, in `(-π, π]`.
pub(crate) fn yaw_of(direction: Vec3) -> f32 {
    wrap_angle(direction.x.atan2(direction.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;

    #[test]
    fn there_and_back_is_nowhere() {
        let motion = RootMotion { translation: Vec3::new(0.3, 0.0, 1.2), yaw: 0.7 };
        let back = motion.then(motion.inverse());
        assert!(back.translation.length() < 1e-6 && back.yaw.abs() < 1e-6);
    }

    #[test]
    fn many_times_is_one_after_the_other() {
        let motion = RootMotion { translation: Vec3::new(0.3, 0.0, 1.2), yaw: 0.7 };
        let one_by_one = (0..13).fold(RootMotion::default(), |so_far, _| so_far.then(motion));
        let at_once = motion.times(13);
        assert!(at_once.translation.distance(one_by_one.translation) < 1e-4);
        assert!((at_once.yaw - one_by_one.yaw).abs() < 1e-4);
        assert_eq!(motion.times(0), RootMotion::default());
    }

    #[test]
    fn a_steady_turn_runs_along_a_circle() {
        // A quarter of a circle of radius 1 to the left, from the origin ahead.
        let total = RootMotion { translation: Vec3::new(1.0, 0.0, 1.0), yaw: FRAC_PI_2 };
        let track = RootTrack::steady(total, 33);
        for sample in track.samples() {
            let centre = Vec3::new(1.0, 0.0, 0.0);
            assert!(((sample.translation - centre).length() - 1.0).abs() < 1e-5);
        }
        let end = track.total().translation;
        assert!((end - total.translation).length() < 1e-5, "{end}");
        let ahead = track.at(0.01).translation.normalize();
        assert!((ahead - Vec3::Z).length() < 0.05, "it sets out ahead: {ahead}");
    }
}
