//! Where feet are in a pose, and legs that are bent until feet are where they should be.

use glam::{Quat, Vec3};

use crate::analysis::{Build, Leg};
use crate::clip::Clip;
use crate::contact::Side;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, Skeleton};
use crate::two_bone::Limb;

/// The share of a foot's turn that the hip takes over; the ankle has the rest.
const HIP_SHARE: f32 = 0.7;
/// How much of a leg's length can be used: a knee is never quite straight.
const STRETCH: f32 = 0.9995;

/// A point of the sole that a foot can stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolePoint {
    /// Where the heel touches down.
    #[default]
    Heel,
    /// Below the joint of the toes.
    Ball,
    /// The tip of the toes.
    Tip,
}

/// A foot in body space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootPlace {
    pub ankle: Vec3,
    /// Heel, ball and tip, from the ankle.
    pub points: [Vec3; 3],
    /// Where it points, as a turn about `+Y` from `+Z`.
    pub heading: f32,
}

impl FootPlace {
    /// Where a point of the sole is.
    pub fn point(&self, point: SolePoint) -> Vec3 {
        self.ankle + self.points[point as usize]
    }

    /// The lowest of its points; of two that are as low, the one nearer to the heel.
    pub fn lowest(&self) -> SolePoint {
        let heights = self.points.map(|point| point.y);
        let mut lowest = SolePoint::Heel;
        for point in [SolePoint::Ball, SolePoint::Tip] {
            if heights[point as usize] < heights[lowest as usize] {
                lowest = point;
            }
        }
        lowest
    }

    /// The foot turned about its ankle.
    pub fn turned(&self, angle: f32) -> Self {
        let turn = Quat::from_rotation_y(angle);
        Self { points: self.points.map(|point| turn * point), ..*self }
    }
}

/// A sole in the space of the joints that carry it.
#[derive(Clone, Copy, Debug)]
struct SoleShape {
    /// In the space of the foot.
    heel: Vec3,
    /// In the space of the foot: the joint of the toes.
    ball: Vec3,
    /// In the space of the toes, or of the foot if it has none.
    tip: Vec3,
    /// From the joint of the toes down to the sole.
    ball_height: f32,
    /// In the space of the foot: to its left, along a flat sole.
    left: Vec3,
}

/// The legs of a skeleton.
#[derive(Clone, Debug)]
pub(super) struct Legs {
    legs: [Leg; 2],
    soles: [SoleShape; 2],
    /// All joints that a foot's place depends on, parents first.
    chain: Vec<u16>,
    /// From hip to ankle at most.
    pub reach: [f32; 2],
    /// From the hip to the floor.
    pub length: f32,
}

impl Legs {
    /// The legs of the skeleton that `clips` are for; nothing if it lacks some part of them.
    pub fn of(skeleton: &Skeleton, clips: &[&Clip]) -> Option<Self> {
        let build = match clips.first() {
            Some(clip) => Build::seen_in(clip.motion()).ok()?,
            None => Build::of(skeleton).ok()?,
        };
        let rest = ModelPose::of(skeleton, &Pose::rest(skeleton));
        let soles = Side::BOTH.map(|side| SoleShape::of(&build, side, skeleton, &rest));
        let bones = build.legs.map(|leg| {
            let at = |joint: JointId| rest.position(joint);
            at(leg.hip).distance(at(leg.knee)) + at(leg.knee).distance(at(leg.ankle))
        });
        let mut chain: Vec<u16> = build
            .legs
            .iter()
            .flat_map(|leg| skeleton.lineage(leg.toes.unwrap_or(leg.ankle)))
            .map(|joint| joint.index() as u16)
            .collect();
        chain.sort_unstable();
        chain.dedup();
        Some(Self {
            legs: build.legs,
            soles,
            chain,
            reach: bones.map(|bones| STRETCH * bones),
            length: build.leg_length,
        })
    }

    /// Finds the joints of the legs in `pose`, and no others.
    pub fn find(&self, skeleton: &Skeleton, pose: &Pose, model: &mut ModelPose) {
        let count = skeleton.len();
        model.positions.resize(count, glam::Vec3A::ZERO);
        model.rotations.resize(count, Quat::IDENTITY);
        let (parents, offsets) = (skeleton.parents(), skeleton.translations());
        model.positions[0] = pose.root;
        model.rotations[0] = pose.rotations[0];
        for &joint in &self.chain[1..] {
            let joint = usize::from(joint);
            let parent = usize::from(parents[joint]);
            let turned = model.rotations[parent];
            model.positions[joint] = model.positions[parent] + turned * offsets[joint];
            model.rotations[joint] = turned * pose.rotations[joint];
        }
    }

    /// A foot of a body whose legs were found.
    pub fn foot(&self, side: Side, model: &ModelPose) -> FootPlace {
        let (leg, sole) = (&self.legs[side as usize], &self.soles[side as usize]);
        let turned = model.rotation(leg.ankle);
        let ankle = model.position(leg.ankle);
        let ball = turned * sole.ball;
        let toes = leg.toes.map_or(turned, |toes| model.rotation(toes));
        let from = if leg.toes.is_some() { ball } else { Vec3::ZERO };
        // What is to the left of a foot stays level while the foot rolls up to its tip; ahead does not.
        let left = turned * sole.left;
        FootPlace {
            ankle,
            points: [turned * sole.heel, ball - sole.ball_height * Vec3::Y, from + toes * sole.tip],
            heading: (-left.z).atan2(left.x),
        }
    }

    /// Where a hip is.
    pub fn hip(&self, side: Side, model: &ModelPose) -> Vec3 {
        model.position(self.legs[side as usize].hip)
    }

    /// Bends a leg so that its ankle is at `ankle`, and turns its foot by `twist` to the left; where the
    /// ankle really is then.
    pub fn place(
        &self,
        side: Side,
        skeleton: &Skeleton,
        model: &ModelPose,
        (ankle, twist): (Vec3, f32),
        pose: &mut Pose,
    ) -> Vec3 {
        let leg = &self.legs[side as usize];
        let turned = |joint: JointId| model.rotation(joint);
        let knee_ahead = turned(leg.hip) * (skeleton.rest_rotation(leg.hip).inverse() * Vec3::Z);
        let limb = Limb {
            first: model.position(leg.hip),
            middle: model.position(leg.knee),
            end: model.position(leg.ankle),
            pole: knee_ahead,
        };
        let pole = Quat::from_rotation_y(HIP_SHARE * twist) * knee_ahead;
        let reach = limb.reach(ankle, pole);
        let hip = reach.upper * turned(leg.hip);
        let knee = reach.lower * turned(leg.knee);
        let foot = Quat::from_rotation_y(twist) * turned(leg.ankle);
        let parents = skeleton.parents();
        // Joints between those of the leg turn along with it.
        let above = |joint: JointId| JointId::new(usize::from(parents[joint.index()]));
        let set = |pose: &mut Pose, joint: JointId, parent: Quat, rotation: Quat| {
            pose.rotations[joint.index()] = (parent.inverse() * rotation).normalize();
        };
        set(pose, leg.hip, turned(above(leg.hip)), hip);
        set(pose, leg.knee, reach.upper * turned(above(leg.knee)), knee);
        set(pose, leg.ankle, reach.lower * turned(above(leg.ankle)), foot);
        let middle = limb.first + reach.upper * (limb.middle - limb.first);
        middle + reach.lower * (limb.end - limb.middle)
    }
}

impl SoleShape {
    fn of(build: &Build, side: Side, skeleton: &Skeleton, rest: &ModelPose) -> Self {
        let leg = &build.legs[side as usize];
        let foot = build.foot(side, rest, skeleton);
        let ankle = rest.position(leg.ankle);
        let into_foot = rest.rotation(leg.ankle).inverse();
        let into_toes = leg.toes.map_or(into_foot, |toes| rest.rotation(toes).inverse());
        let joint = leg.toes.map_or(foot.ball, |toes| rest.position(toes));
        let from = leg.toes.map_or(ankle, |toes| rest.position(toes));
        Self {
            heel: into_foot * (foot.heel - ankle),
            ball: into_foot * (joint - ankle),
            tip: into_toes * (foot.tip - from),
            ball_height: joint.y - foot.ball.y,
            left: into_foot * Vec3::Y.cross(foot.sole),
        }
    }
}
