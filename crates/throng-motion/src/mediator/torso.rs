//! Where the torso faces: after the velocity, with inertia.

use glam::Vec3;

use crate::root::yaw_of;

/// The direction of a torso, which follows the way somebody goes, slow people more slowly.
///
/// Each frame it becomes `ω_o w + v`, normalised: the faster somebody is, the more the velocity
/// counts against what was. The frames of the model are those of 25 Hz; at other rates the velocity
/// is weighted by the time that passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torso {
    /// Of unit length, level.
    direction: Vec3,
}

/// The rate at which the inertia is meant, in frames per second.
const RATE: f32 = 25.0;

impl Torso {
    /// What the model's authors leave to the user; it turns by a right angle in about 0.8 s at a walk.
    pub const INERTIA: f32 = 10.0;

    /// A torso that faces along `direction`; ahead (`+Z`) if that is no direction.
    pub fn facing(direction: Vec3) -> Self {
        Self { direction: direction.with_y(0.0).try_normalize().unwrap_or(Vec3::Z) }
    }

    /// Where it faces.
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The same as a turn about `+Y` from `+Z`.
    pub fn yaw(&self) -> f32 {
        yaw_of(self.direction)
    }

    /// Follows `velocity` (m/s) for `seconds`, with an `inertia` (`ω_o`) of 0 to about 40. Who stands
    /// still keeps facing where they did, and so does who is told nonsense.
    pub fn follow(&mut self, velocity: Vec3, seconds: f32, inertia: f32) {
        let mut level = velocity.with_y(0.0) * (seconds * RATE).max(0.0);
        // Straight back the sum would not turn at all: beyond a right angle it turns as fast as at one.
        if level.dot(self.direction) < 0.0 {
            let left = Vec3::new(self.direction.z, 0.0, -self.direction.x);
            let side = if level.dot(left) < 0.0 { -left } else { left };
            level = level.length() * side;
        }
        let turned = self.direction * inertia.max(0.0) + level;
        if let Some(direction) = turned.try_normalize().filter(|direction| direction.is_finite()) {
            self.direction = direction;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many frames nine tenths of a right angle are turned.
    fn frames(speed: f32, inertia: f32) -> usize {
        let mut torso = Torso::facing(Vec3::Z);
        let wanted = 0.9 * std::f32::consts::FRAC_PI_2;
        let turns = (1..1000).find(|_| {
            torso.follow(Vec3::X * speed, 1.0 / RATE, inertia);
            torso.yaw() >= wanted
        });
        turns.unwrap_or(1000)
    }

    #[test]
    fn heavier_and_slower_torsos_turn_later() {
        for (inertia, expected) in [(1.0, 3), (5.0, 11), (10.0, 21), (20.0, 41)] {
            let frames = frames(1.3, inertia);
            assert!(frames.abs_diff(expected) <= 1, "inertia {inertia}: {frames}");
        }
        assert!(frames(0.3, 10.0).abs_diff(86) <= 2, "{}", frames(0.3, 10.0));
    }

    #[test]
    fn other_rates_turn_as_fast() {
        let turned = |steps: u32, seconds: f32| {
            let mut torso = Torso::facing(Vec3::Z);
            for _ in 0..steps {
                torso.follow(Vec3::X * 1.3, seconds, Torso::INERTIA);
            }
            torso.yaw()
        };
        let (slow, fast) = (turned(10, 0.04), turned(40, 0.01));
        assert!((slow - fast).abs() < 0.06, "{slow} {fast}");
    }

    #[test]
    fn who_stands_or_is_told_nonsense_keeps_facing() {
        let mut torso = Torso::facing(Vec3::new(1.0, 5.0, 1.0));
        let before = torso;
        torso.follow(Vec3::ZERO, 0.04, 10.0);
        torso.follow(Vec3::NAN, 0.04, 10.0);
        torso.follow(Vec3::X, f32::NAN, 10.0);
        assert!((torso.yaw() - before.yaw()).abs() < 1e-6);
        // Straight back there is no shorter side, and no NaN either.
        let mut torso = Torso::facing(Vec3::Z);
        for _ in 0..100 {
            torso.follow(Vec3::NEG_Z * 1.3, 0.04, 1.3);
        }
        assert!(torso.direction().is_finite());
    }
}
