//! Feet on the ground.
//!
//! The carpet is an average of the ground, and a foot stands on the ground itself. A foot is carried in one piece: turned
//! to the carpet's heading, tilted to the ground below its sole, and set down so that what touched the flat carpet
//! touches the ground. All of it is found from one point of the sole, the pivot, where it is or will be when the foot is
//! flat: as long as that stays where it is on the flat carpet, the foot stands still, whichever part of it bears the
//! weight. Where the ground is not level below a sole, what bears is kept where it is ([`footing`]).
//!
//! A foot in the air follows an envelope of the ground instead, which rises before an edge is reached and never
//! faster than a foot can.
//!
//! [`LegSolver`] is what bends the legs to get feet there; the analytic one of two bones is built in.

mod footing;
mod sole;

use glam::{Quat, Vec3, Vec3A};

pub(super) use self::footing::{FootState, Footing};
use super::rig::Rig;
use crate::pose::{ModelPose, Pose};
use crate::two_bone::Limb;

/// How much of a limb's length can be used.
const STRETCH: f32 = 0.9998;
/// How much of it is used without need.
const COMFORT: f32 = 0.985;
/// The share of a limb by which the body can be lowered for it.
const DEEPEST: f32 = 0.45;
/// A limb that is too short by no more than this reaches, m.
const UNSEEN: f32 = 5e-4;
/// The share of a foot's turn that the knee takes part in.
const KNEE_SHARE: f32 = 0.5;
/// How fast a body is lowered, and how fast it comes up again, m/s.
const SINK: f32 = 5.0;
const RISE: f32 = 0.5;

/// Where a foot should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootGoal {
    /// The joint that carries the foot, in window coordinates.
    pub joint: Vec3,
    /// How that joint should be turned.
    pub rotation: Quat,
    /// What carries the foot over the flat carpet to where it should be: first this turn, about `pivot`.
    pub turn: Quat,
    /// The pivot of the sole over the flat carpet.
    pub rest_pivot: Vec3,
    /// The pivot of the sole.
    pub pivot: Vec3,
    /// How far the foot is turned to the left of where the limb begins, beyond what it is over the flat carpet.
    pub twist: f32,
    /// How much it bears, from 0 in the air to 1.
    pub contact: f32,
    /// Which way the ground faces.
    pub normal: Vec3,
    /// Whether there is ground to stand on.
    pub supported: bool,
}

impl FootGoal {
    /// Where a point of the foot over the flat carpet should be.
    pub fn carry(&self, rest: Vec3) -> Vec3 {
        self.pivot + self.turn * (rest - self.rest_pivot)
    }

    /// To which side a limb bends that bent to the side of `pole`: knees go some of the way with their feet.
    fn pole(&self, pole: Vec3) -> Vec3 {
        Quat::from_rotation_y(KNEE_SHARE * self.twist) * pole
    }
}

/// Bends a limb so that its foot gets where it should.
pub trait LegSolver: Sync {
    /// Turns joints of `pose` so that the foot numbered `foot` is at its goal. `model` is the body in that pose, in the
    /// goal's coordinates. What cannot be reached is to be come near to.
    fn reach(&self, rig: &Rig, foot: usize, goal: &FootGoal, model: &ModelPose, pose: &mut Pose);
}

/// Two bones and a hinge, in closed form.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analytic;

impl LegSolver for Analytic {
    fn reach(&self, rig: &Rig, foot: usize, goal: &FootGoal, model: &ModelPose, pose: &mut Pose) {
        let limb = &rig.feet()[foot];
        let pole = model.rotation(limb.first) * rig.pole(foot);
        let bones = Limb {
            first: model.position(limb.first),
            middle: model.position(limb.middle),
            end: model.position(limb.end),
            pole,
        };
        let parents = rig.skeleton().parents();
        let above = |joint: crate::JointId| {
            let parent = usize::from(parents[joint.index()]);
            if joint.index() == 0 { Quat::IDENTITY } else { model.rotations[parent] }
        };
        let mut set = |joint: crate::JointId, parent: Quat, rotation: Quat| {
            pose.rotations[joint.index()] = (parent.inverse() * rotation).normalize();
        };
        // A foot that is there already must not lose anything by rounding.
        let mut lower = Quat::IDENTITY;
        if bones.end.distance_squared(goal.joint) > 1e-12 {
            let reach = bones.reach(goal.joint, goal.pole(pole));
            lower = reach.lower;
            set(limb.first, above(limb.first), reach.upper * model.rotation(limb.first));
            let middle = reach.lower * model.rotation(limb.middle);
            set(limb.middle, reach.upper * above(limb.middle), middle);
        }
        set(limb.end, lower * above(limb.end), goal.rotation);
    }
}

/// How far the body has to come down for limbs that begin at `first` to reach their goals, m.
pub(super) fn lowering(
    rig: &Rig,
    rest: &ModelPose,
    goals: &[FootGoal],
    first: impl Fn(usize) -> Vec3,
) -> f32 {
    let mut lowering: f32 = 0.0;
    for (foot, goal) in goals.iter().enumerate() {
        let length = limb_length(rig, rest, foot);
        let away = first(foot) - goal.joint;
        let aside = away.x * away.x + away.z * away.z;
        // A knee that gets nearly straight snaps; over the flat carpet it may be as straight as it is there.
        let limb = &rig.feet()[foot];
        let flat = rest.position(limb.first).distance(rest.position(limb.end));
        let reach = (COMFORT * length).max(flat.min(STRETCH * length));
        if away.length_squared() > reach * reach {
            let most = (reach * reach - aside).max(0.0).sqrt();
            let needed = (away.y - most).clamp(0.0, DEEPEST * length);
            lowering = lowering.max(goal.contact * needed);
        }
    }
    lowering
}

/// Whether a limb that begins at `first` is too short for its goal by more than can be seen.
pub(super) fn is_out_of_reach(
    rig: &Rig,
    rest: &ModelPose,
    foot: usize,
    goal: &FootGoal,
    first: Vec3,
) -> bool {
    first.distance(goal.joint) > STRETCH * limb_length(rig, rest, foot) + UNSEEN
}

/// From the first joint of a limb to its foot with the limb straight. Hocks and what else lies between its middle
/// and its end stay bent as they are over the flat carpet.
fn limb_length(rig: &Rig, rest: &ModelPose, foot: usize) -> f32 {
    let limb = &rig.feet()[foot];
    let at = |joint| rest.position(joint);
    at(limb.first).distance(at(limb.middle)) + at(limb.middle).distance(at(limb.end))
}

/// How far a body is lowered that was lowered by `before` and needs `needed`, after `dt` seconds.
pub(super) fn lowered(before: f32, needed: f32, dt: f32) -> f32 {
    needed.clamp(before - RISE * dt.max(0.0), before + SINK * dt.max(0.0))
}

/// Bends a limb over the carpet to its goal before bones are put right, so that it does not drag the body along.
/// `carried` is how the carpet turns where the limb begins, and `solved` are the joints that are moved.
pub(super) fn bend(
    rig: &Rig,
    foot: usize,
    goal: &FootGoal,
    rest: &ModelPose,
    carried: Quat,
    solved: &mut [Vec3A],
) {
    let limb = &rig.feet()[foot];
    let (top, knee) = (limb.first.index(), limb.middle.index());
    let offset = |joint: usize, from: usize| {
        Vec3::from(carried * (rest.positions[joint] - rest.positions[from]))
    };
    let first = Vec3::from(solved[top]);
    let middle = first + offset(knee, top);
    let end = middle + offset(limb.end.index(), knee);
    let pole = carried * rest.rotations[top] * rig.pole(foot);
    let (mut upper, mut lower) = (Quat::IDENTITY, Quat::IDENTITY);
    if end.distance_squared(goal.joint) > 1e-12 {
        let reach = Limb { first, middle, end, pole }.reach(goal.joint, goal.pole(pole));
        (upper, lower) = (reach.upper, reach.lower);
    }
    let middle = first + upper * (middle - first);
    let reached = middle + lower * offset(limb.end.index(), knee);
    let parents = rig.skeleton().parents();
    let mut joint = usize::from(parents[limb.end.index()]);
    while joint != knee {
        solved[joint] = (middle + lower * offset(joint, knee)).into();
        joint = usize::from(parents[joint]);
    }
    while joint != top {
        solved[joint] = (first + upper * offset(joint, top)).into();
        joint = usize::from(parents[joint]);
    }
    // What is out of reach is not held on to.
    let short = Vec3A::from(reached - goal.joint);
    for (joint, place) in solved.iter_mut().enumerate() {
        if rig.foot_of(joint) == Some(foot) {
            *place = Vec3A::from(goal.carry(rest.positions[joint].into())) + short;
        }
    }
}
