//! A pose that two bodies can both take.
//!
//! Rigs rest with arms stretched out, half lifted or hanging, with legs apart or together. Before
//! movements can be compared, one body is brought into the other's pose at rest: each limb is turned
//! by the shortest way until it points where the other's does. The trunk is left alone, since people
//! differ in shape there and not in pose, unless the bodies rest in altogether different directions.

use glam::{Mat3, Quat, Vec3};

use crate::contact::Side;
use crate::landmark::Landmark;
use crate::root::yaw_of;
use crate::skeleton::{JointId, Skeleton};

/// Differences below this are differences of bodies, not of poses.
const SAME: f32 = 15.0 * std::f32::consts::PI / 180.0;
/// Legs further apart than this have feet that were made for legs that are not.
const APART: f32 = 10.0 * std::f32::consts::PI / 180.0;
/// Feet that point up or down by this much more than others do so on purpose.
const POINTED: f32 = 30.0 * std::f32::consts::PI / 180.0;

/// How each joint of `body` is turned, in body space, from how it is at rest when the body takes the
/// pose that `other` has at rest.
pub(super) fn turns_to(body: &Skeleton, other: &Skeleton) -> Vec<Quat> {
    let whole = whole_turn(body, other);
    let mut known: Vec<Option<Quat>> = vec![None; body.len()];
    for side in Side::BOTH {
        let limb = Limb { body, other, whole };
        let arm = [Landmark::upper_arm(side), Landmark::forearm(side), Landmark::hand(side)];
        let leg = [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)];
        limb.turn(arm, &mut known);
        if let Some(turned) = limb.turn(leg, &mut known)
            && let Some(foot) = body.landmark(Landmark::foot(side))
        {
            known[foot.index()] = Some(limb.foot(side, turned));
        }
    }
    let mut turns: Vec<Quat> = Vec::with_capacity(body.len());
    for (index, joint) in body.joints().iter().enumerate() {
        let above = joint.parent.map_or(whole, |parent| turns[parent.index()]);
        turns.push(known[index].unwrap_or(above));
    }
    turns
}

/// Whether a body rests upright, as far as one can tell: heights at rest are heights then.
pub(super) fn is_upright(body: &Skeleton) -> bool {
    frame(body).is_none_or(|frame| frame.y_axis.y > 0.7)
}

/// The turn of a body that rests lying or facing elsewhere.
fn whole_turn(body: &Skeleton, other: &Skeleton) -> Quat {
    let (Some(from), Some(to)) = (frame(body), frame(other)) else { return Quat::IDENTITY };
    let turn = Quat::from_mat3(&(to * from.transpose())).normalize();
    if turn.angle_between(Quat::IDENTITY) < SAME { Quat::IDENTITY } else { turn }
}

/// Left, up and ahead of a body at rest.
fn frame(body: &Skeleton) -> Option<Mat3> {
    let at = |landmark| body.landmark(landmark).map(|joint| body.rest_position(joint));
    let left = [Landmark::LeftUpperLeg, Landmark::LeftUpperArm, Landmark::LeftShoulder]
        .into_iter()
        .find_map(|left| (at(left)? - at(left.mirrored())?).try_normalize())?;
    let top = [Landmark::Neck1, Landmark::Head, Landmark::Spine5].into_iter().find_map(at)?;
    let up = (top - at(Landmark::Hips)?).try_normalize()?;
    let ahead = left.cross(up).try_normalize()?;
    Some(Mat3::from_cols(left, ahead.cross(left), ahead))
}

struct Limb<'a> {
    body: &'a Skeleton,
    other: &'a Skeleton,
    whole: Quat,
}

impl Limb<'_> {
    /// Turns the two long bones of a limb; gives the turn of the lower one.
    fn turn(&self, joints: [Landmark; 3], known: &mut [Option<Quat>]) -> Option<Quat> {
        let mut turned = None;
        let mut above = self.whole;
        for pair in joints.windows(2) {
            let Some(bones) = self.bones(pair[0], pair[1]) else { continue };
            let (from, to) = bones;
            let turn = (arc(above * from, to) * above).normalize();
            if let Some(joint) = self.body.landmark(pair[0]) {
                known[joint.index()] = Some(turn);
            }
            above = turn;
            turned = Some(turn);
        }
        turned
    }

    /// The directions of a bone at rest in both bodies.
    fn bones(&self, from: Landmark, to: Landmark) -> Option<(Vec3, Vec3)> {
        let bone = |skeleton: &Skeleton| {
            let at = |joint: JointId| skeleton.rest_position(joint);
            (at(skeleton.landmark(to)?) - at(skeleton.landmark(from)?)).try_normalize()
        };
        Some((bone(self.body)?, bone(self.other)?))
    }

    /// The turn of a foot whose shank is turned by `leg`.
    ///
    /// At rest soles are flat on the ground, however the legs are; only if the legs are far apart
    /// they may be flat with legs together. How the foot points says which. Then it is turned about
    /// the vertical to where the other points; how steeply it falls from the ankle to the ball is a
    /// matter of its shape, within limits.
    fn foot(&self, side: Side, leg: Quat) -> Quat {
        let flat = self.whole;
        let apart = leg.angle_between(flat) > APART;
        let Some((from, to)) = self.bones(Landmark::foot(side), Landmark::toes(side)) else {
            return if apart { leg } else { flat };
        };
        let aside = |turn: Quat| yaw_of(turn * from) - yaw_of(to);
        let turn = if apart && aside(leg).abs() < aside(flat).abs() { leg } else { flat };
        let turn = Quat::from_rotation_y(-aside(turn)) * turn;
        let steeper = (turn * from).y.clamp(-1.0, 1.0).asin() - to.y.clamp(-1.0, 1.0).asin();
        if steeper.abs() < POINTED { turn } else { (arc(turn * from, to) * turn).normalize() }
    }
}

/// The shortest turn from one direction to another; none if they are the same but for rounding.
fn arc(from: Vec3, to: Vec3) -> Quat {
    if from.distance_squared(to) < 1e-10 {
        return Quat::IDENTITY;
    }
    Quat::from_rotation_arc(from.normalize_or(Vec3::Y), to.normalize_or(Vec3::Y))
}
