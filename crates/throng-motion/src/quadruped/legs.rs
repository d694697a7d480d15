//! Legs of three bones that reach their paws.
//!
//! A hind leg folds like a pantograph: thigh and metatarsus stay at a fixed angle to each other, as
//! the tendons of horses make them and dogs have them nearly (Fischer and Blickhan 2006, "The
//! tri-segmented limbs of therian mammals"). What the two add up to is one rigid bone, and with the
//! shank as the other the leg is one of two bones, whose angles follow from the distance to be
//! reached. A fore leg swings its shoulder blade towards the paw; forearm and metacarpus, at the
//! angle that the carpus has at the moment, are one bone, and the upper arm is the other.

use glam::{Quat, Vec3};

use super::body::Quadruped;
use super::path::{PawAt, lifted};
use crate::contact::Paw;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::JointId;
use crate::two_bone::{Limb, Reach};

/// Legs that stand are never stretched further than this part of their length.
const STRETCH: f32 = 0.98;
/// Legs that swing are stretched at most to this part of it.
const LONGEST: f32 = 0.997;
/// How far a shoulder blade swings at most, in radians.
const BLADE: f32 = 0.30;
/// How far a loaded carpus gives way backwards, in radians.
const GIVE: f32 = 0.10;

/// How legs fold when they swing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Folding {
    /// Of the carpus, in radians.
    pub carpus: f32,
    /// Of the hock beyond the stifle, in radians.
    pub hock: f32,
}

/// A leg as one of two bones, at rest.
struct TwoBones {
    /// From where it hangs: the hip, or the shoulder.
    first: Vec3,
    upper: Vec3,
    lower: Vec3,
    /// What hangs from the trunk is turned like this: the pelvis, or the shoulder blade.
    carrier: Quat,
    /// How far the third bone is bent beyond its rest.
    bend: Quat,
    pole: Vec3,
}

impl TwoBones {
    /// How far down the body must come so that a standing leg reaches `paw`; nothing if it cannot.
    fn shortfall(&self, paw: Vec3) -> Option<f32> {
        let length = STRETCH * (self.upper.length() + self.lower.length());
        let span = self.first - paw;
        let across = length * length - span.x * span.x - span.z * span.z;
        (across > 0.0).then(|| (span.y - across.sqrt()).max(0.0))
    }

    /// Whether a leg that stands can be folded so much that the body comes down by `lowering`.
    fn folds(&self, paw: Vec3, lowering: f32) -> bool {
        let shortest = (self.upper.length() - self.lower.length()).abs();
        (self.first - lowering * Vec3::Y).distance(paw) > 1.01 * shortest
    }

    fn reach(&self, at: &PawAt) -> Reach {
        let paw = self.within_reach(at);
        let middle = self.first + self.upper;
        let limb = Limb { first: self.first, middle, end: middle + self.lower, pole: self.pole };
        limb.reach(paw, Quat::from_rotation_y(at.plane) * self.pole)
    }

    /// Where a paw gets that swings farther than its leg reaches. It nears the end of its reach
    /// without ever stretching the leg, which would make elbow and stifle snap.
    fn within_reach(&self, at: &PawAt) -> Vec3 {
        let span = at.joint - self.first;
        let length = self.upper.length() + self.lower.length();
        let part = span.length() / length;
        if at.progress < 1.0 || part <= STRETCH {
            return at.joint;
        }
        let room = LONGEST - STRETCH;
        let soft = STRETCH + room * (1.0 - ((STRETCH - part) / room).exp());
        self.first + soft / part * span
    }
}

/// How far down the body must come so that a standing leg reaches its paw; nothing if it cannot.
/// `model` is where the joints are with legs at rest.
pub(super) fn shortfall(
    animal: &Quadruped,
    model: &ModelPose,
    paw: Paw,
    at: &PawAt,
    folding: Folding,
) -> Option<f32> {
    two_bones(animal, model, paw, at, folding).shortfall(at.joint)
}

/// Whether a standing leg can be folded so much that the body comes down by `lowering`.
pub(super) fn folds(
    animal: &Quadruped,
    model: &ModelPose,
    paw: Paw,
    at: &PawAt,
    folding: Folding,
    lowering: f32,
) -> bool {
    two_bones(animal, model, paw, at, folding).folds(at.joint, lowering)
}

/// Turns the joints of a leg so that it reaches its paw.
pub(super) fn place(
    animal: &Quadruped,
    model: &ModelPose,
    paw: Paw,
    at: &PawAt,
    folding: Folding,
    pose: &mut Pose,
) {
    let leg = two_bones(animal, model, paw, at, folding);
    let Reach { upper, lower } = leg.reach(at);
    let toes = Quat::from_rotation_y(at.yaw) * Quat::from_rotation_x(at.pitch);
    let mut above = leg.carrier;
    // Each joint's rotation in body space gives that in its parent.
    let mut set = |joint: JointId, turned: Quat| {
        pose.rotations[joint.index()] = (above.inverse() * turned).normalize();
        above = turned;
    };
    if paw.is_fore() {
        let joints = animal.fore(paw.side());
        set(joints.shoulder, upper);
        set(joints.elbow, lower);
        set(joints.carpus, lower * leg.bend);
        set(joints.paw, toes);
        let [.., withers] = animal.spine();
        pose.rotations[joints.scapula.index()] =
            (model.rotation(withers).inverse() * leg.carrier).normalize();
    } else {
        let joints = animal.hind(paw.side());
        set(joints.hip, upper);
        set(joints.stifle, lower);
        set(joints.hock, upper * leg.bend);
        set(joints.paw, toes);
    }
}

fn two_bones(
    animal: &Quadruped,
    model: &ModelPose,
    paw: Paw,
    at: &PawAt,
    folding: Folding,
) -> TwoBones {
    let swung = if at.progress > 1.0 { lifted(at.progress - 1.0) } else { 0.0 };
    let rest = |joint: JointId| animal.at(joint);
    if !paw.is_fore() {
        let joints = animal.hind(paw.side());
        // The hock closes when the paw comes ahead.
        let bend = Quat::from_rotation_x(-folding.hock * swung);
        let thigh = rest(joints.stifle) - rest(joints.hip);
        let metatarsus = rest(joints.paw) - rest(joints.hock);
        return TwoBones {
            first: model.position(joints.hip),
            upper: thigh + bend * metatarsus,
            lower: rest(joints.hock) - rest(joints.stifle),
            carrier: model.rotation(animal.pelvis()),
            bend,
            pole: Vec3::Z,
        };
    }
    let joints = animal.fore(paw.side());
    let loaded = (std::f32::consts::PI * at.progress.min(1.0)).sin().powi(2);
    let bend = Quat::from_rotation_x(folding.carpus * swung - GIVE * loaded);
    let [.., withers] = animal.spine();
    let blade = model.position(joints.scapula);
    let away = Quat::from_rotation_y(-at.plane) * (at.joint - blade);
    let ahead = away.z / (0.5 * animal.proportions().hip_height);
    let swing = BLADE * ahead / (1.0 + ahead * ahead).sqrt();
    let carrier = model.rotation(withers) * Quat::from_rotation_x(-swing);
    TwoBones {
        first: blade + carrier * (rest(joints.shoulder) - rest(joints.scapula)),
        upper: rest(joints.elbow) - rest(joints.shoulder),
        lower: rest(joints.carpus) - rest(joints.elbow)
            + bend * (rest(joints.paw) - rest(joints.carpus)),
        carrier,
        bend,
        pole: Vec3::NEG_Z,
    }
}
