//! Skeletons of other rigs: axes of their own, joints in between, and joints that are not there.

use glam::{Quat, Vec3};
use throng_motion::gaze::{Anatomy, Bearings, Gaze, GazeOptions, Look};
use throng_motion::{Joint, JointId, Landmark, Landmarks, ModelPose, Pose, Skeleton};

use super::stage::{HUMAN, degrees_between, target};

/// The usual body without these landmarks; their joints stay where they are.
fn without(missing: &[Landmark]) -> Skeleton {
    let mut landmarks = *HUMAN.skeleton().landmarks();
    for landmark in missing {
        landmarks.set(*landmark, None);
    }
    Skeleton::new(HUMAN.skeleton().joints().to_vec(), landmarks).unwrap()
}

/// The usual body with joints turned at rest, each in its own way, and one more between any two.
fn twisted() -> Skeleton {
    let usual = HUMAN.skeleton();
    let turn = |index: usize| {
        let index = index as f32;
        Quat::from_euler(glam::EulerRot::XYZ, 0.7 * index, 1.3 * index, 0.4 * index)
    };
    let (mut joints, mut landmarks) = (Vec::<Joint>::new(), Landmarks::default());
    for (index, joint) in usual.joints().iter().enumerate() {
        let parent = joint.parent.map(|parent| JointId::new(2 * parent.index() + 1));
        let back = joint.parent.map_or(Quat::IDENTITY, |parent| turn(parent.index()).inverse());
        joints.push(Joint {
            name: format!("{}-before", joint.name),
            parent,
            translation: back * (0.5 * joint.translation),
            rotation: back,
        });
        joints.push(Joint {
            name: joint.name.clone(),
            parent: Some(JointId::new(2 * index)),
            translation: 0.5 * joint.translation,
            rotation: turn(index),
        });
        if let Some(landmark) = usual.landmarks().of(JointId::new(index)) {
            landmarks.set(landmark, Some(JointId::new(2 * index + 1)));
        }
    }
    Skeleton::new(joints, landmarks).unwrap()
}

fn look_at(skeleton: &Skeleton, at: Vec3) -> (Gaze, Look, Pose) {
    let anatomy = Anatomy::of(skeleton).unwrap();
    let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
    gaze.look(Some(target(1, at)));
    gaze.step(&anatomy, &Bearings::default(), &mut Pose::rest(skeleton), 0.0, &options);
    let mut pose = Pose::rest(skeleton);
    let look = gaze.step(&anatomy, &Bearings::default(), &mut pose, 3.0, &options);
    (gaze, look, pose)
}

/// By how many degrees a joint that faces ahead at rest misses a place.
fn miss(skeleton: &Skeleton, pose: &Pose, landmark: Landmark, at: Vec3) -> f32 {
    let joint = skeleton.landmark(landmark).unwrap();
    let model = ModelPose::of(skeleton, pose);
    let looks = model.rotation(joint) * skeleton.rest_rotation(joint).inverse() * Vec3::Z;
    degrees_between(looks, at - model.position(joint))
}

const AT: Vec3 = Vec3::new(3.0, 1.0, 1.0);

#[test]
fn rigs_with_axes_and_joints_of_their_own_look_the_same() {
    let (twisted, at) = (twisted(), AT);
    let (gaze, look, pose) = look_at(&twisted, at);
    assert!(look.reachable);
    for eye in [Landmark::LeftEye, Landmark::RightEye] {
        assert!(miss(&twisted, &pose, eye, at) < 0.02);
    }
    let (usual, ..) = look_at(HUMAN.skeleton(), at);
    for (twisted, usual) in gaze.turns().iter().zip(usual.turns()) {
        assert!((*twisted - *usual).size() < 1e-4);
    }
}

#[test]
fn fewer_joints_share_what_more_would() {
    let three = without(&[Landmark::Spine1, Landmark::Spine3]);
    let anatomy = Anatomy::of(&three).unwrap();
    assert_eq!(anatomy.turning().count(), 6);
    let (gaze, look, pose) = look_at(&three, AT);
    assert!(look.reachable && miss(&three, &pose, Landmark::LeftEye, AT) < 0.01);
    // n = 7: the lowest takes 2 / (7 · 8) of the whole.
    let angle = degrees_between(Vec3::Z, AT - anatomy.sight(&Pose::rest(&three)).0);
    let lowest = gaze.turns()[0].size().to_degrees();
    assert!((lowest - angle / 28.0).abs() < 0.5, "{lowest} of {angle}");
}

#[test]
fn without_eyes_the_head_does_it() {
    let blind = without(&[Landmark::LeftEye, Landmark::RightEye]);
    let (_, look, pose) = look_at(&blind, AT);
    assert!(look.reachable && look.error < 0.01, "{look:?}");
    assert!(miss(&blind, &pose, Landmark::Head, AT) < 0.6);
    let (gaze, look, _) = look_at(&blind, Vec3::new(0.3, 1.6, 3.0));
    assert!(look.reachable && gaze.turns()[7].yaw > 0.0, "also for little");
    let one_eyed = without(&[Landmark::RightEye]);
    let (_, look, pose) = look_at(&one_eyed, AT);
    assert!(look.reachable && miss(&one_eyed, &pose, Landmark::LeftEye, AT) < 0.01);
}

#[test]
fn a_head_and_nothing_else_turns_as_far_as_it_can() {
    use Landmark::*;
    let stiff = without(&[Spine1, Spine2, Spine3, Spine4, Spine5, Neck1, Neck2]);
    let near = Vec3::new(1.5, 1.6, 2.5);
    let (_, look, pose) = look_at(&stiff, near);
    assert!(look.reachable && miss(&stiff, &pose, LeftEye, near) < 0.01);
    let (_, look, _) = look_at(&stiff, Vec3::new(3.0, 1.6, 0.2));
    assert!(!look.reachable);
}
