//! Directions as angles, and turns that do not roll.
//!
//! The shortest turn from one direction to another tilts the head: by 30° for something a quarter turn to the side and
//! 30° down. Turns are therefore a yaw about the body's up axis and a pitch, and are shared, limited and blended as these
//! two angles.

use std::f32::consts::{PI, TAU};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use glam::{Quat, Vec3A};

/// A turn, or a direction seen from straight ahead (`+Z`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    /// To the left, radians.
    pub yaw: f32,
    /// Up, radians.
    pub pitch: f32,
}

impl Turn {
    /// None at all.
    pub const NONE: Self = Self { yaw: 0.0, pitch: 0.0 };

    /// To the left and up, in radians.
    pub const fn new(yaw: f32, pitch: f32) -> Self {
        Self { yaw, pitch }
    }

    /// The same in degrees.
    pub fn degrees(yaw: f32, pitch: f32) -> Self {
        Self::new(yaw.to_radians(), pitch.to_radians())
    }

    /// Where `direction` is, seen from straight ahead; it need not be of unit length. A vector too short to have a
    /// direction has none.
    pub fn towards(direction: Vec3A) -> Option<Self> {
        let level = direction.x * direction.x + direction.z * direction.z;
        (level + direction.y * direction.y > 1e-10)
            .then(|| Self::new(direction.x.atan2(direction.z), direction.y.atan2(level.sqrt())))
    }

    /// The unit vector in this direction.
    pub fn direction(self) -> Vec3A {
        let ((yaw_sin, yaw_cos), (pitch_sin, pitch_cos)) =
            (self.yaw.sin_cos(), self.pitch.sin_cos());
        Vec3A::new(pitch_cos * yaw_sin, pitch_sin, pitch_cos * yaw_cos)
    }

    /// What leads from here to `other`, the short way round.
    pub fn to(self, other: Self) -> Self {
        Self::new(short_way(other.yaw - self.yaw), other.pitch - self.pitch)
    }

    /// How far it turns, radians: yaw and pitch as if they were the sides of a right angle.
    pub fn size(self) -> f32 {
        (self.yaw * self.yaw + self.pitch * self.pitch).sqrt()
    }

    /// This turn, no further than `limit` to either side.
    pub fn within(self, limit: Self) -> Self {
        let bound = |value: f32, limit: f32| {
            let limit = limit.max(0.0);
            value.max(-limit).min(limit)
        };
        Self::new(bound(self.yaw, limit.yaw), bound(self.pitch, limit.pitch))
    }

    /// Whether it turns no further than `limit` to either side.
    pub fn is_within(self, limit: Self) -> bool {
        self.yaw.abs() <= limit.yaw && self.pitch.abs() <= limit.pitch
    }

    /// A `part` of the way to `other`; exactly there at 1.
    pub(super) fn lerp(self, other: Self, part: f32) -> Self {
        self * (1.0 - part) + other * part
    }

    /// The rotation that carries whoever looks into direction `from`, upright, to one who looks into direction `to` and
    /// is as upright.
    pub(super) fn carry(from: Self, to: Self) -> Quat {
        let (pitch_sin, pitch_cos) = (0.5 * (from.pitch - to.pitch)).sin_cos();
        let (sum_sin, sum_cos) = (0.5 * (to.yaw + from.yaw)).sin_cos();
        let (turn_sin, turn_cos) = (0.5 * (to.yaw - from.yaw)).sin_cos();
        // The product of a yaw to `to`, a pitch, and the yaw back from `from`.
        Quat::from_xyzw(
            pitch_sin * sum_cos,
            pitch_cos * turn_sin,
            -pitch_sin * sum_sin,
            pitch_cos * turn_cos,
        )
    }
}

impl Add for Turn {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.yaw + other.yaw, self.pitch + other.pitch)
    }
}

impl AddAssign for Turn {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Turn {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.yaw - other.yaw, self.pitch - other.pitch)
    }
}

impl Neg for Turn {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.yaw, -self.pitch)
    }
}

impl Mul<f32> for Turn {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self::new(self.yaw * factor, self.pitch * factor)
    }
}

/// An angle of at most a turn and a half, brought into `[-π, π]`.
fn short_way(angle: f32) -> f32 {
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}

/// The angle between two vectors of any length, radians; exact for small ones, too.
pub(super) fn angle_between(a: Vec3A, b: Vec3A) -> f32 {
    a.cross(b).length().atan2(a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_is_a_yaw_back_a_pitch_and_a_yaw() {
        for (from, to) in [
            (Turn::NONE, Turn::degrees(90.0, -30.0)),
            (Turn::degrees(20.0, 10.0), Turn::degrees(-70.0, 40.0)),
            (Turn::degrees(-120.0, -5.0), Turn::degrees(30.0, 0.0)),
        ] {
            let expected = Quat::from_rotation_y(to.yaw)
                * Quat::from_rotation_x(from.pitch - to.pitch)
                * Quat::from_rotation_y(-from.yaw);
            let carried = Turn::carry(from, to);
            assert!(carried.angle_between(expected) < 1e-3, "{from:?} {to:?}");
            assert!((carried * from.direction()).distance(to.direction()) < 1e-6);
        }
    }

    #[test]
    fn directions_lead_back_to_their_angles() {
        let turn = Turn::degrees(100.0, -40.0);
        let back = Turn::towards(3.0 * turn.direction()).unwrap();
        assert!((back - turn).size() < 1e-6);
        assert_eq!(Turn::towards(Vec3A::ZERO), None);
        assert_eq!(Turn::towards(Vec3A::NAN), None);
        let around = Turn::degrees(170.0, 0.0).to(Turn::degrees(-170.0, 0.0));
        assert!((around.yaw - 20f32.to_radians()).abs() < 1e-5);
    }
}
