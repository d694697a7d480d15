//! What a carpet needs to know of a body: bones, feet, and whether it keeps upright.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::CarpetError;
use crate::analysis::Build;
use crate::clip::Clip;
use crate::contact::Side;
use crate::gait::smoothstep;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, Skeleton};

/// A point of a foot that can touch the ground: a ball about a point of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolePoint {
    /// The joint that carries it.
    pub joint: JointId,
    /// Its centre in the joint's space, m.
    pub offset: Vec3,
    /// Its radius, m: 0 for a corner, more for what rolls.
    pub radius: f32,
}

/// A foot, hoof or paw, and the limb it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// Where the limb begins: hip or shoulder.
    pub first: JointId,
    /// Where it bends: knee or elbow. Joints between these and the ends move along.
    pub middle: JointId,
    /// The joint that carries the foot.
    pub end: JointId,
    /// To which side the limb bends, in body space at rest.
    pub pole: Vec3,
    /// Where the foot points when it is flat, in the space of `end`.
    pub ahead: Vec3,
    /// What touches the ground, from behind to ahead.
    pub sole: Vec<SolePoint>,
    /// Which point of the sole the foot is tilted about.
    pub pivot: usize,
}

/// Where the points of a flat sole are, from the pivot: to the left and ahead.
#[derive(Clone, Debug)]
pub(super) struct FlatSole(pub Vec<Vec2>);

/// A body to be carried by carpets: a skeleton with feet. Two legs or more make no difference.
#[derive(Clone, Debug)]
pub struct Rig {
    skeleton: Arc<Skeleton>,
    feet: Vec<Foot>,
    flat: Vec<FlatSole>,
    poles: Vec<Vec3>,
    height: f32,
    upright: f32,
    lengths: Vec<f32>,
    guides: Vec<Vec<u16>>,
    /// By joint: the foot that it is part of.
    foot_of: Vec<Option<u8>>,
}

impl Rig {
    /// A rig of `skeleton` with these `feet`. `height` is the body's, in metres; `upright` says how far the
    /// body keeps to the vertical on slopes: 1 as people do, 0 as four-legged animals do.
    ///
    /// # Errors
    ///
    /// If a foot names joints that are not there, or that do not hang from one another.
    pub fn new(
        skeleton: Arc<Skeleton>,
        feet: Vec<Foot>,
        height: f32,
        upright: f32,
    ) -> Result<Self, CarpetError> {
        if !(height.is_finite() && height > 0.05) {
            return Err(CarpetError::Height { height });
        }
        let rest = ModelPose::of(&skeleton, &Pose::rest(&skeleton));
        for (index, foot) in feet.iter().enumerate() {
            check(&skeleton, foot).ok_or(CarpetError::Foot { foot: index })?;
        }
        let flat = feet.iter().map(|foot| flat_sole(&rest, foot)).collect();
        let poles = feet
            .iter()
            .map(|foot| skeleton.rest_rotation(foot.first).inverse() * foot.pole)
            .collect();
        let count = skeleton.len();
        let lengths: Vec<f32> =
            (0..count).map(|joint| skeleton.bone_length(JointId::new(joint))).collect();
        let foot_of = (0..count)
            .map(|joint| {
                let joint = JointId::new(joint);
                let foot = feet.iter().position(|foot| hangs_from(&skeleton, joint, foot.end));
                foot.map(|foot| foot as u8)
            })
            .collect();
        let guides = guides(&skeleton, &lengths, height);
        let upright = if upright.is_finite() { upright.clamp(0.0, 1.0) } else { 1.0 };
        Ok(Self { skeleton, feet, flat, poles, height, upright, lengths, guides, foot_of })
    }

    /// The rig of a person. `clip`, if there is one, tells how the feet of a rig lie flat whose rest pose
    /// does not.
    ///
    /// # Errors
    ///
    /// If the skeleton lacks landmarks of its legs.
    pub fn human(skeleton: &Arc<Skeleton>, clip: Option<&Clip>) -> Result<Self, CarpetError> {
        let build = match clip.filter(|clip| Arc::ptr_eq(clip.skeleton(), skeleton)) {
            Some(clip) => Build::seen_in(clip.motion()),
            None => Build::of(skeleton),
        };
        let build = build.map_err(|_| CarpetError::NoLegs)?;
        let rest = ModelPose::of(skeleton, &Pose::rest(skeleton));
        let foot = |side: Side| {
            let leg = &build.legs[side as usize];
            let sole = build.foot(side, &rest, skeleton);
            let into = |joint: JointId, point: Vec3| {
                rest.rotation(joint).inverse() * (point - rest.position(joint))
            };
            let toes = leg.toes.unwrap_or(leg.ankle);
            let ball = leg.toes.map_or(sole.ball, |toes| rest.position(toes));
            let corner =
                |joint, point| SolePoint { joint, offset: into(joint, point), radius: 0.0 };
            Foot {
                first: leg.hip,
                middle: leg.knee,
                end: leg.ankle,
                pole: Vec3::Z,
                ahead: rest.rotation(leg.ankle).inverse() * sole.sole,
                sole: vec![
                    corner(leg.ankle, sole.heel),
                    SolePoint {
                        joint: toes,
                        offset: into(toes, ball),
                        radius: (ball.y - sole.ball.y).max(0.0),
                    },
                    corner(toes, sole.tip),
                ],
                pivot: 1,
            }
        };
        let feet = Side::BOTH.map(foot).to_vec();
        // Legs are about 0.533 of a person.
        Self::new(skeleton.clone(), feet, build.leg_length / 0.533, 1.0)
    }

    /// The same rig with another share of the vertical.
    pub fn leaning(self, upright: f32) -> Self {
        Self { upright: upright.clamp(0.0, 1.0), ..self }
    }

    /// Its skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Its feet.
    pub fn feet(&self) -> &[Foot] {
        &self.feet
    }

    /// Its height, m.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// How far it keeps to the vertical.
    pub fn upright(&self) -> f32 {
        self.upright
    }

    /// How far a joint at `height` above the ground keeps to the vertical: feet follow the ground, and what
    /// is above the middle of the body does not.
    pub fn upright_at(&self, height: f32) -> f32 {
        self.upright * smoothstep((height / self.height - 0.05) / 0.45)
    }

    /// The length of the bone from the parent to each joint.
    pub(super) fn lengths(&self) -> &[f32] {
        &self.lengths
    }

    /// The children that say how each joint is turned.
    pub(super) fn guides(&self, joint: usize) -> &[u16] {
        &self.guides[joint]
    }

    pub(super) fn flat_sole(&self, foot: usize) -> &[Vec2] {
        &self.flat[foot].0
    }

    /// To which side a limb bends, in the space of its first joint.
    pub(super) fn pole(&self, foot: usize) -> Vec3 {
        self.poles[foot]
    }

    pub(super) fn foot_of(&self, joint: usize) -> Option<usize> {
        self.foot_of[joint].map(usize::from)
    }
}

/// Whether `joint` is `above` or hangs from it.
fn hangs_from(skeleton: &Skeleton, joint: JointId, above: JointId) -> bool {
    skeleton.lineage(joint).any(|joint| joint == above)
}

fn check(skeleton: &Skeleton, foot: &Foot) -> Option<()> {
    let count = skeleton.len();
    let there = |joint: JointId| joint.index() < count;
    let all = there(foot.first) && there(foot.middle) && there(foot.end);
    let points = foot.sole.iter().all(|point| {
        there(point.joint)
            && hangs_from(skeleton, point.joint, foot.end)
            && point.offset.is_finite()
            && point.radius.is_finite()
    });
    (all && foot.first != foot.middle
        && foot.middle != foot.end
        && points
        && foot.pivot < foot.sole.len()
        && foot.ahead.is_finite()
        && foot.pole.is_finite()
        && hangs_from(skeleton, foot.middle, foot.first)
        && hangs_from(skeleton, foot.end, foot.middle))
    .then_some(())
}

fn flat_sole(rest: &ModelPose, foot: &Foot) -> FlatSole {
    let end = foot.end;
    // Up when the foot is flat is not known from `ahead` alone; at rest it is nearly so.
    let ahead = foot.ahead.try_normalize().unwrap_or(Vec3::Z);
    let up = rest.rotation(end).inverse() * Vec3::Y;
    let left = up.cross(ahead).try_normalize().unwrap_or(Vec3::X);
    let point = |sole: &SolePoint| {
        let at = rest.position(sole.joint) + rest.rotation(sole.joint) * sole.offset;
        let at = rest.rotation(end).inverse() * (at - rest.position(end));
        Vec2::new(at.dot(left), at.dot(ahead))
    };
    let pivot = foot.sole.get(foot.pivot).map_or(Vec2::ZERO, point);
    FlatSole(foot.sole.iter().map(|sole| point(sole) - pivot).collect())
}

/// Children that are too short, and twigs that nothing hangs from, do not turn their parents.
fn guides(skeleton: &Skeleton, lengths: &[f32], height: f32) -> Vec<Vec<u16>> {
    let count = skeleton.len();
    let parents = skeleton.parents();
    let mut leaf = vec![true; count];
    for joint in 1..count {
        leaf[usize::from(parents[joint])] = false;
    }
    let mut guides = vec![Vec::new(); count];
    for joint in 1..count {
        let least = if leaf[joint] { 0.06 } else { 0.01 };
        if lengths[joint] > least * height {
            guides[usize::from(parents[joint])].push(joint as u16);
        }
    }
    for list in &mut guides {
        // The longest three.
        list.sort_by(|a, b| lengths[usize::from(*b)].total_cmp(&lengths[usize::from(*a)]));
        list.truncate(3);
    }
    guides
}
