//! Feet as anybody sees them: found from the poses that are shown.

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_motion::{FootShape, Landmark, ModelPose, Side};
use throng_world::frame::wrap_angle;

use super::cast::Cast;
use super::ensemble::Member;

/// Points of a sole that are no higher than this are on the ground, m.
const TOUCHING: f32 = 0.01;

/// Three points of a sole in the world: heel, ball and tip.
pub type Sole = [Vec3; 3];

/// Finds soles by forward kinematics.
#[derive(Clone, Debug)]
pub struct SoleTracker {
    cast: Arc<Cast>,
    model: ModelPose,
}

impl SoleTracker {
    /// For people of `cast`.
    pub fn new(cast: &Arc<Cast>) -> Self {
        Self { cast: cast.clone(), model: ModelPose::default() }
    }

    /// Heel, ball and tip of the left and the right sole of somebody, in the world.
    pub fn soles(&mut self, member: &Member) -> [Sole; 2] {
        let human = &self.cast.looks()[member.role.look].human;
        self.model.pose(human.skeleton(), &member.pose);
        let placement = member.placement();
        let turn = Quat::from_rotation_y(placement.yaw);
        let FootShape { ankle_height, ball_height, heel, toes, .. } = human.proportions().foot;
        Side::BOTH.map(|side| {
            let (foot, joint) =
                (human.joint(Landmark::foot(side)), human.joint(Landmark::toes(side)));
            let of = |joint, from: Vec3| {
                let at = self.model.position(joint) + self.model.rotation(joint) * from;
                placement.translation + turn * (member.role.scale * at)
            };
            // The ball is round: it touches the ground below its joint, however the foot is tilted.
            let ball = of(joint, Vec3::ZERO) - member.role.scale * ball_height * Vec3::Y;
            [
                of(foot, Vec3::new(0.0, -ankle_height, -heel)),
                ball,
                of(joint, Vec3::new(0.0, -ball_height, toes)),
            ]
        })
    }

    /// Whether a foot of somebody should stand: the mediator says so, or the clip where feet are not planted.
    pub fn stands(&self, member: &Member, side: Side) -> bool {
        let played = &member.played;
        if member.is_planted() {
            return played.feet[side as usize].contact.is_some();
        }
        let parts = self.cast.looks()[member.role.look].repertoire.parts();
        parts.get(played.part).is_some_and(|part| part.clip.contacts().touches(side, played.phase))
    }
}

/// How far a foot that stands in two frames has slid, m: as far as that one of its points moved that moved
/// least, of those that are on the ground in one of them. A foot that rolls from heel to toes stands on one point
/// when the frame begins and may stand on another when it ends, and slides only if both do; one that pivots on its
/// ball does not slide. If no point is on the ground, those count that are lowest.
pub fn slip(before: &Sole, after: &Sole, ground: f32) -> f32 {
    let height = |point: usize| before[point].y.min(after[point].y);
    let lowest = height(0).min(height(1)).min(height(2));
    (0..3)
        .filter(|&point| height(point) <= ground.max(lowest) + TOUCHING)
        .map(|point| (after[point] - before[point]).with_y(0.0).length())
        .fold(f32::INFINITY, f32::min)
}

/// By how much a foot has turned about the vertical between two frames, rad.
pub fn turn(before: &Sole, after: &Sole) -> f32 {
    let ahead = |sole: &Sole| {
        let ahead = sole[1] - sole[0];
        ahead.x.atan2(ahead.z)
    };
    wrap_angle(ahead(after) - ahead(before)).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Sole = [Vec3::ZERO, Vec3::new(0.0, 0.0, 0.17), Vec3::new(0.0, 0.0, 0.23)];

    fn moved(sole: Sole, by: Vec3) -> Sole {
        sole.map(|point| point + by)
    }

    #[test]
    fn sliding_is_measured_and_rolling_and_pivoting_are_not() {
        assert!(
            (slip(&FLAT, &moved(FLAT, Vec3::new(0.003, 0.0, 0.004)), 0.0) - 0.005).abs() < 1e-6
        );
        // The heel comes up about the ball.
        let rolled = [Vec3::new(0.0, 0.05, 0.01), FLAT[1], FLAT[2]];
        assert_eq!(slip(&FLAT, &rolled, 0.0), 0.0);
        let pivoted = FLAT.map(|p| FLAT[1] + Quat::from_rotation_y(0.3) * (p - FLAT[1]));
        assert!(slip(&FLAT, &pivoted, 0.0) < 1e-6);
        assert!((turn(&FLAT, &pivoted) - 0.3).abs() < 1e-5);
        // On a floor further up it is the same.
        let up = Vec3::new(0.0, 3.0, 0.0);
        assert!(slip(&moved(FLAT, up), &moved(pivoted, up), 3.0) < 1e-6);
    }
}
