//! What a body does at one moment, in the words of gait analysis, and the pose that it means.
//!
//! Feet are given by where they are, everything else by angles: a planted foot then stays where it
//! is whatever the rest of the body does, and the legs follow by inverse kinematics.

use glam::{Quat, Vec3};

use crate::contact::Side;
use crate::human::Human;
use crate::landmark::Landmark;
use crate::pose::Pose;
use crate::skeleton::JointId;
use crate::two_bone::{Limb, Reach};

/// Three angles of a segment of the trunk against the one below it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trunk {
    /// Forward.
    pub flexion: f32,
    /// Left side up.
    pub bend: f32,
    /// To the left.
    pub rotation: f32,
}

impl Trunk {
    pub(crate) fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            flexion: mix(self.flexion, other.flexion, part),
            bend: mix(self.bend, other.bend, part),
            rotation: mix(self.rotation, other.rotation, part),
        }
    }
}

/// An arm, from hanging.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Arm {
    /// Forward.
    pub flexion: f32,
    /// Outwards.
    pub abduction: f32,
    /// Inwards about its own axis.
    pub rotation: f32,
    /// Bend of the elbow.
    pub elbow: f32,
}

impl Arm {
    pub(crate) fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            flexion: mix(self.flexion, other.flexion, part),
            abduction: mix(self.abduction, other.abduction, part),
            rotation: mix(self.rotation, other.rotation, part),
            elbow: mix(self.elbow, other.elbow, part),
        }
    }
}

/// A foot in the world of the sketch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Foot {
    /// Where the ankle joint is.
    pub ankle: Vec3,
    /// Turn to the left.
    pub yaw: f32,
    /// Of the sole, toes up; 0 is flat.
    pub pitch: f32,
    /// How far the toes are bent up against the foot.
    pub toes: f32,
}

impl Foot {
    pub(crate) fn lerp(self, other: Self, part: f32) -> Self {
        Self {
            ankle: self.ankle.lerp(other.ankle, part),
            yaw: mix(self.yaw, other.yaw, part),
            pitch: mix(self.pitch, other.pitch, part),
            toes: mix(self.toes, other.toes, part),
        }
    }

    /// The foot as seen from a root at `position` that is turned by `yaw`.
    pub(crate) fn seen_from(&self, position: Vec3, yaw: f32) -> Self {
        let ankle = Quat::from_rotation_y(-yaw) * (self.ankle - position);
        Self { ankle, yaw: self.yaw - yaw, ..*self }
    }

    /// How the foot is turned.
    pub(crate) fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }
}

/// A body at one moment, seen from its abstract root.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sketch {
    /// The middle between the hip joints.
    pub root: Vec3,
    /// Against the world.
    pub pelvis: Trunk,
    pub lumbar: Trunk,
    pub thorax: Trunk,
    pub head: Trunk,
    /// Left, right.
    pub arms: [Arm; 2],
    /// Left, right.
    pub feet: [Foot; 2],
}

/// Legs are never stretched further than this part of their length.
pub(crate) const REACH: f32 = 0.999;

impl Sketch {
    /// A body a `part` of the way to `other`.
    pub(crate) fn lerp(&self, other: &Self, part: f32) -> Self {
        Self {
            root: self.root.lerp(other.root, part),
            pelvis: self.pelvis.lerp(other.pelvis, part),
            lumbar: self.lumbar.lerp(other.lumbar, part),
            thorax: self.thorax.lerp(other.thorax, part),
            head: self.head.lerp(other.head, part),
            arms: [0, 1].map(|side| self.arms[side].lerp(other.arms[side], part)),
            feet: [0, 1].map(|side| self.feet[side].lerp(other.feet[side], part)),
        }
    }

    /// How the pelvis is turned.
    pub(crate) fn pelvis_rotation(&self) -> Quat {
        let Trunk { flexion, bend, rotation } = self.pelvis;
        Quat::from_rotation_y(rotation)
            * Quat::from_rotation_z(bend)
            * Quat::from_rotation_x(flexion)
    }

    /// Where a hip joint is.
    pub(crate) fn hip(&self, human: &Human, side: Side) -> Vec3 {
        let aside = side.sign() * human.proportions().hip_half_width;
        self.root + self.pelvis_rotation() * Vec3::new(aside, 0.0, 0.0)
    }

    /// By how much the root has to come down so that `side`'s leg reaches its ankle.
    pub(crate) fn excess(&self, human: &Human, side: Side, reach: f32) -> f32 {
        let body = human.proportions();
        let leg = reach * (body.thigh + body.shank);
        let span = self.hip(human, side) - self.feet[side as usize].ankle;
        let across = (span.x * span.x + span.z * span.z).min(leg * leg);
        (span.y - (leg * leg - across).sqrt()).max(0.0)
    }

    /// The pose that it means.
    pub(crate) fn pose(&self, human: &Human) -> Pose {
        let mut pose = Pose::rest(human.skeleton());
        let mut set = |joint: JointId, rotation: Quat| pose.rotations[joint.index()] = rotation;
        let pelvis = self.pelvis_rotation();
        set(human.joint(Landmark::Hips), pelvis);
        let [spine1, spine2, spine3, spine4, spine5] = Landmark::SPINE;
        for (segment, landmark, share) in [
            (self.lumbar, spine1, 0.5),
            (self.lumbar, spine2, 0.5),
            (self.thorax, spine3, 0.45),
            (self.thorax, spine4, 0.3),
            (self.thorax, spine5, 0.25),
            (self.head, Landmark::Neck1, 0.25),
            (self.head, Landmark::Neck2, 0.25),
            (self.head, Landmark::Head, 0.5),
        ] {
            set(human.joint(landmark), trunk_rotation(segment, share));
        }
        for side in Side::BOTH {
            self.pose_arm(human, side, &mut set);
            self.pose_leg(human, side, pelvis, &mut set);
        }
        pose.root = self.root.into();
        pose
    }

    fn pose_arm(&self, human: &Human, side: Side, set: &mut impl FnMut(JointId, Quat)) {
        let arm = &self.arms[side as usize];
        let sign = side.sign();
        let upper = Quat::from_rotation_x(-arm.flexion)
            * Quat::from_rotation_z(sign * arm.abduction)
            * Quat::from_rotation_y(-sign * arm.rotation);
        set(human.joint(Landmark::upper_arm(side)), upper);
        set(human.joint(Landmark::forearm(side)), Quat::from_rotation_x(-arm.elbow));
        // A relaxed hand: the palm turned a little backwards, wrist and fingers slightly curled.
        let hand = Quat::from_rotation_y(-sign * 0.45) * Quat::from_rotation_z(-sign * 0.12);
        set(human.joint(Landmark::hand(side)), hand);
        set(human.fingers(side), Quat::from_rotation_z(-sign * 0.45));
        set(human.thumb(side), Quat::from_rotation_x(0.15) * Quat::from_rotation_z(sign * 0.1));
    }

    fn pose_leg(
        &self,
        human: &Human,
        side: Side,
        pelvis: Quat,
        set: &mut impl FnMut(JointId, Quat),
    ) {
        let body = human.proportions();
        let foot = &self.feet[side as usize];
        let hip = self.hip(human, side);
        let (thigh, shank) = (body.thigh, body.shank);
        let span = foot.ankle - hip;
        let longest = 0.9999 * (thigh + shank);
        let shortest = (thigh - shank).abs() + 0.15 * (thigh + shank);
        let distance = span.length().clamp(shortest, longest);
        let down = span.normalize_or(Vec3::NEG_Y);
        // The knee points where the foot does, though not quite as far outwards.
        let yaw = self.pelvis.rotation + 0.7 * (foot.yaw - self.pelvis.rotation);
        // Of a body that lies it points down.
        let tilt = (self.pelvis.flexion - 0.5).max(0.0);
        let ahead = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(tilt) * Vec3::Z;
        let hanging = Limb {
            first: hip,
            middle: hip - thigh * Vec3::Y,
            end: hip - (thigh + shank) * Vec3::Y,
            pole: Vec3::Z,
        };
        // At rest no joint is turned, so how bones turn is how they are turned.
        let Reach { upper, lower } = hanging.reach(hip + distance * down, ahead);
        set(human.joint(Landmark::upper_leg(side)), pelvis.inverse() * upper);
        set(human.joint(Landmark::lower_leg(side)), upper.inverse() * lower);
        set(human.joint(Landmark::foot(side)), lower.inverse() * foot.rotation());
        set(human.joint(Landmark::toes(side)), Quat::from_rotation_x(-foot.toes));
    }
}

fn mix(from: f32, to: f32, part: f32) -> f32 {
    from + part * (to - from)
}

/// A joint's part of what a segment of the trunk does.
fn trunk_rotation(segment: Trunk, share: f32) -> Quat {
    Quat::from_rotation_x(share * segment.flexion)
        * Quat::from_rotation_z(share * segment.bend)
        * Quat::from_rotation_y(share * segment.rotation)
}
