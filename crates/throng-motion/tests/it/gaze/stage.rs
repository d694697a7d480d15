//! A body that looks, and what is measured of it from outside.

use std::sync::LazyLock;

use glam::{Quat, Vec3};
use throng_motion::gaze::{
    Anatomy, Bearings, Gaze, GazeOptions, Limits, Look, Phase, Subject, Target, Turn,
};
use throng_motion::{Human, JointId, Landmark, ModelPose, Pose, Proportions};

pub static HUMAN: LazyLock<Human> =
    LazyLock::new(|| Human::new(Proportions::default()).expect("an average body"));
pub static ANATOMY: LazyLock<Anatomy> =
    LazyLock::new(|| Anatomy::of(HUMAN.skeleton()).expect("a head"));

/// Joints that turn, from the lowest up.
pub const TURNING: [Landmark; 8] = [
    Landmark::Spine1,
    Landmark::Spine2,
    Landmark::Spine3,
    Landmark::Spine4,
    Landmark::Spine5,
    Landmark::Neck1,
    Landmark::Neck2,
    Landmark::Head,
];

pub fn rest() -> Pose {
    Pose::rest(HUMAN.skeleton())
}

pub fn target(number: u64, position: Vec3) -> Target {
    Target { subject: Subject::place(number), position }
}

/// The middle of the eyes at rest.
pub fn eyes() -> Vec3 {
    ANATOMY.sight(&rest()).0
}

/// A place so many degrees to the left and up from the eyes at rest, so far away.
pub fn place(yaw: f32, pitch: f32, distance: f32) -> Vec3 {
    eyes() + distance * Vec3::from(Turn::degrees(yaw, pitch).direction())
}

/// Limits that nobody meets.
pub fn unlimited() -> Limits {
    let all = Turn::degrees(180.0, 90.0);
    Limits { spine: all, neck: all, head: all, eye: all }
}

/// One frame of a body at the origin whose pose without gaze is `base`.
pub fn frame(
    gaze: &mut Gaze,
    anatomy: &Anatomy,
    base: &Pose,
    seconds: f32,
    options: &GazeOptions,
) -> (Look, Pose) {
    let mut pose = base.clone();
    let look = gaze.step(anatomy, &Bearings::default(), &mut pose, seconds, options);
    (look, pose)
}

/// Looks at a place until the gaze is there.
pub fn settled(anatomy: &Anatomy, base: &Pose, at: Vec3) -> (Gaze, Look, Pose) {
    let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
    gaze.look(Some(target(1, at)));
    frame(&mut gaze, anatomy, base, 0.0, &options);
    let (look, pose) = frame(&mut gaze, anatomy, base, 3.0, &options);
    assert!(!look.reachable || look.phase == Phase::Hold, "{look:?}");
    (gaze, look, pose)
}

/// By how many degrees each eye misses a place, by forward kinematics of the whole skeleton.
pub fn misses(pose: &Pose, at: Vec3) -> [f32; 2] {
    let model = ModelPose::of(HUMAN.skeleton(), pose);
    [Landmark::LeftEye, Landmark::RightEye].map(|eye| {
        let joint = HUMAN.joint(eye);
        let looks = model.rotation(joint) * Vec3::Z;
        degrees_between(looks, at - model.position(joint))
    })
}

pub fn degrees_between(a: Vec3, b: Vec3) -> f32 {
    let (a, b) = (a.as_dvec3(), b.as_dvec3());
    a.cross(b).length().atan2(a.dot(b)).to_degrees() as f32
}

/// By how many degrees a joint is turned from what it is in another pose.
pub fn turned(pose: &Pose, base: &Pose, joint: JointId) -> f32 {
    angle(base.rotation(joint).inverse() * pose.rotation(joint))
}

pub fn angle(turn: Quat) -> f32 {
    let turn = turn.as_dquat();
    let sine = turn.x.hypot(turn.y).hypot(turn.z);
    (2.0 * sine.atan2(turn.w.abs())).to_degrees() as f32
}

/// By how many degrees a head turned like this is tilted sideways: how far its left is from the horizon.
pub fn roll(turn: Quat) -> f32 {
    (turn * Vec3::X).y.clamp(-1.0, 1.0).asin().to_degrees()
}

pub fn head_turn(pose: &Pose) -> Quat {
    ModelPose::of(HUMAN.skeleton(), pose).rotation(HUMAN.joint(Landmark::Head))
}
