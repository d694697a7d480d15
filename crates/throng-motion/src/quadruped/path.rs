//! The way of a paw over a cycle, seen from the abstract root.
//!
//! From strike to lift the tip of the toes stays where it is in the world. The paw stands flat first
//! and then rolls over its tip; in the air it hangs, is led ahead in a curve that begins and ends at
//! rest against the ground, and is flat again when it strikes.

use glam::{Quat, Vec3};

use super::breed::PawShape;

/// A paw that steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawPath {
    /// The phase of the cycle at which it strikes.
    pub strike: f32,
    /// The part of a cycle that it stands.
    pub duty: f32,
    /// How far the body moves in a cycle, in metres.
    pub stride: f32,
    /// Where the tip is, from the root, in the middle of stance; at the height of the ground.
    pub middle: Vec3,
    /// How high the tip is lifted.
    pub clearance: f32,
    /// How far it has rolled over its tip at the end of stance, in radians.
    pub roll_off: f32,
    /// How much further it hangs in the air.
    pub hang: f32,
    pub shape: PawShape,
}

/// A paw at a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawAt {
    /// Where the joint of the toes is, from the abstract root.
    pub joint: Vec3,
    /// How far the toes point below the horizontal, in radians.
    pub pitch: f32,
    /// How far they are turned to the left of where the body faces.
    pub yaw: f32,
    /// How far the plane in which the leg folds is turned to the left.
    pub plane: f32,
    /// Which part of stance is over; after 1 the paw swings until 2.
    pub progress: f32,
}

/// The part of stance after which a paw begins to roll off.
const ROLL: f32 = 0.6;

impl PawPath {
    pub fn at(&self, phase: f32) -> PawAt {
        let since = (phase - self.strike).rem_euclid(1.0);
        let front = 0.5 * self.stride * self.duty;
        // The ground passes below the root.
        let mut tip = self.middle + Vec3::Z * (front - self.stride * since);
        let (pitch, progress);
        if since < self.duty {
            let part = since / self.duty;
            pitch = self.stance_pitch(part);
            progress = part;
        } else {
            let part = ((since - self.duty) / (1.0 - self.duty)).clamp(0.0, 1.0);
            tip.z += self.stride * part * part * (3.0 - 2.0 * part);
            tip.y += self.clearance * lifted(part);
            pitch = self.swing_pitch(part);
            progress = 1.0 + part;
        }
        let joint = tip + Quat::from_rotation_x(pitch) * -self.tip();
        PawAt { joint, pitch, yaw: 0.0, plane: 0.0, progress }
    }

    /// A paw that stays where it is.
    pub fn standing(tip: Vec3, shape: PawShape) -> PawAt {
        let joint = tip + Vec3::new(0.0, shape.height, -shape.length);
        PawAt { joint, pitch: 0.0, yaw: 0.0, plane: 0.0, progress: 0.5 }
    }

    fn tip(&self) -> Vec3 {
        Vec3::new(0.0, -self.shape.height, self.shape.length)
    }

    /// Flat first, then rolled over the tip.
    pub fn stance_pitch(&self, part: f32) -> f32 {
        let rolled = ((part - ROLL) / (1.0 - ROLL)).max(0.0);
        self.roll_off * rolled * rolled
    }

    /// Goes on rolling as at the end of stance, hangs, and is a little raised before it lands.
    pub fn swing_pitch(&self, part: f32) -> f32 {
        const HIGHEST: f32 = 0.28;
        const RAISED: (f32, f32) = (0.86, -0.10);
        let top = self.roll_off + self.hang;
        let leaving = 2.0 * self.roll_off / (1.0 - ROLL) * (1.0 - self.duty) / self.duty;
        if part < HIGHEST {
            // No faster than a curve without a hump can take up.
            let slope = leaving.min(3.0 * self.hang / HIGHEST);
            hermite(self.roll_off, top, slope * HIGHEST, part / HIGHEST)
        } else if part < RAISED.0 {
            hermite(top, RAISED.1, 0.0, (part - HIGHEST) / (RAISED.0 - HIGHEST))
        } else {
            hermite(RAISED.1, 0.0, 0.0, (part - RAISED.0) / (1.0 - RAISED.0))
        }
    }
}

/// How high a swinging foot is, from 0 at both ends to 1: early in swing, when it leaves ground
/// that it knows.
pub(super) fn lifted(part: f32) -> f32 {
    (std::f32::consts::PI * part.powf(0.8)).sin().powi(2)
}

/// From `from` with a slope to `to`, where it comes to rest.
fn hermite(from: f32, to: f32, slope: f32, part: f32) -> f32 {
    let (square, cube) = (part * part, part * part * part);
    from + (to - from) * (3.0 * square - 2.0 * cube) + slope * (cube - 2.0 * square + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paw_goes_on_smoothly_from_stance_to_swing_and_back() {
        let shape = PawShape { height: 0.03, length: 0.05 };
        let path = PawPath {
            strike: 0.3,
            duty: 0.6,
            stride: 0.8,
            middle: Vec3::new(0.1, 0.0, 0.4),
            clearance: 0.05,
            roll_off: 0.9,
            hang: 0.4,
            shape,
        };
        let mut last = path.at(0.0);
        for step in 1..=2000 {
            let next = path.at(step as f32 / 2000.0);
            assert!(next.joint.distance(last.joint) < 2e-3, "{step}");
            assert!((next.pitch - last.pitch).abs() < 5e-3, "{step}");
            assert!(next.joint.y >= 0.9 * shape.height, "{step}");
            last = next;
        }
    }
}
