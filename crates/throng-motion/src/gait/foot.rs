//! How a foot stands: which point of it is on the ground, and where that puts the ankle.

use glam::{Quat, Vec3};

use super::sketch::Foot;
use crate::human::FootShape;

/// The points of a foot that may touch the ground, from the ankle of a flat foot that points to
/// `+Z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sole {
    pub heel: Vec3,
    /// The joint of the toes: with the toes flat on the ground it stays where it is.
    pub ball: Vec3,
    /// From there to the tip of the toes.
    tip: Vec3,
    ball_height: f32,
}

impl Sole {
    pub(crate) fn new(shape: &FootShape) -> Self {
        Self {
            heel: Vec3::new(0.0, -shape.ankle_height, -shape.heel),
            ball: Vec3::new(0.0, shape.ball_height - shape.ankle_height, shape.ball),
            tip: Vec3::new(0.0, -shape.ball_height, shape.toes),
            ball_height: shape.ball_height,
        }
    }

    /// The point about which a foot with this pitch rolls: heel if the toes are up, else ball.
    pub(crate) fn pivot(&self, pitch: f32) -> Vec3 {
        if pitch > 0.0 { self.heel } else { self.ball }
    }

    /// Where the ankle is if a foot that stood flat with its ankle at `flat` rolls to `pitch`.
    pub(crate) fn rolled(&self, flat: Vec3, yaw: f32, pitch: f32) -> Vec3 {
        let pivot = self.pivot(pitch);
        let turn = Quat::from_rotation_y(yaw);
        flat + turn * (pivot - Quat::from_rotation_x(-pitch) * pivot)
    }

    /// A foot that stood flat with its ankle at `flat` and has rolled on to the tip of its toes:
    /// the sole has `pitch`, the toes have `toes`, both negative.
    pub(crate) fn on_tiptoe(&self, flat: Vec3, yaw: f32, pitch: f32, toes: f32) -> Foot {
        let turned = |pitch: f32, point: Vec3| Quat::from_rotation_x(-pitch) * point;
        let tip = self.ball + self.tip;
        let ankle = tip - turned(toes, self.tip) - turned(pitch, self.ball);
        let ankle = flat + Quat::from_rotation_y(yaw) * ankle;
        Foot { ankle, yaw, pitch, toes: toes - pitch }
    }

    /// Where the ankle would be if the foot with its ankle at `ankle` rolled flat.
    pub(crate) fn flattened(&self, ankle: Vec3, yaw: f32, pitch: f32) -> Vec3 {
        ankle - self.rolled(Vec3::ZERO, yaw, pitch)
    }

    /// How far the toes of a foot have to be bent so that their tip is not in the ground.
    pub(crate) fn toes_above_ground(&self, foot: &Foot) -> f32 {
        let (mut low, mut high) = (foot.toes, foot.toes.max(-foot.pitch));
        if self.tip_height(foot) >= 0.0 || high <= low {
            return foot.toes;
        }
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            let in_ground = self.tip_height(&Foot { toes: middle, ..*foot }) < 0.0;
            *(if in_ground { &mut low } else { &mut high }) = middle;
        }
        high
    }

    /// The height of the tip of the toes.
    fn tip_height(&self, foot: &Foot) -> f32 {
        let ball = Quat::from_rotation_x(-foot.pitch) * self.ball;
        foot.ankle.y + ball.y + (Quat::from_rotation_x(-foot.pitch - foot.toes) * self.tip).y
    }

    /// The height of the lowest point of a foot.
    pub(crate) fn lowest(&self, foot: &Foot) -> f32 {
        let height = |pitch: f32, point: Vec3| (Quat::from_rotation_x(-pitch) * point).y;
        let heel = height(foot.pitch, self.heel);
        let ball = height(foot.pitch, self.ball);
        // The sole of the toes lies below their joint.
        let under = Vec3::new(0.0, -self.ball_height, 0.0);
        let toes = foot.pitch + foot.toes;
        let ball_sole = ball + height(toes, under).min(height(foot.pitch, under));
        (foot.ankle.y + heel.min(ball_sole)).min(self.tip_height(foot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_foot_rolls_about_stays_on_the_ground() {
        let shape = FootShape::of_height(1.75);
        let sole = Sole::new(&shape);
        let flat = Vec3::new(0.1, shape.ankle_height, 0.4);
        for degrees in [-70f32, -40.0, -10.0, 0.0, 5.0, 25.0] {
            let pitch = degrees.to_radians();
            let ankle = sole.rolled(flat, 0.1, pitch);
            // The toes stay flat while the heel is up.
            let foot = Foot { ankle, yaw: 0.1, pitch, toes: (-pitch).max(0.0) };
            let pivot = ankle + foot.rotation() * sole.pivot(pitch);
            let before = flat + Quat::from_rotation_y(0.1) * sole.pivot(pitch);
            assert!((pivot - before).length() < 1e-6, "{degrees}");
            assert!(sole.lowest(&foot).abs() < 1e-5, "{degrees}: {}", sole.lowest(&foot));
            assert!((sole.flattened(ankle, 0.1, pitch) - flat).length() < 1e-6);
        }
    }

    #[test]
    fn on_tiptoe_the_tip_stays_and_nothing_sinks_in() {
        let shape = FootShape::of_height(1.75);
        let sole = Sole::new(&shape);
        let flat = Vec3::new(0.1, shape.ankle_height, 0.4);
        for (pitch, toes) in [(-0.7f32, 0.0f32), (-0.9, -0.2), (-1.1, -0.6)] {
            let foot = sole.on_tiptoe(flat, 0.1, pitch, toes);
            let toe = foot.rotation() * Quat::from_rotation_x(-foot.toes);
            let tip = foot.ankle + foot.rotation() * sole.ball + toe * sole.tip;
            let before = flat + Quat::from_rotation_y(0.1) * (sole.ball + sole.tip);
            assert!((tip - before).length() < 1e-6);
            assert!(sole.lowest(&foot).abs() < 1e-5, "{}", sole.lowest(&foot));
            if toes == 0.0 {
                assert!((foot.ankle - sole.rolled(flat, 0.1, pitch)).length() < 1e-6);
            }
        }
    }
}
