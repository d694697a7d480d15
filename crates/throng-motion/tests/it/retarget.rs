//! Motions carried over between bodies of different makes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use glam::{Quat, Vec3};
use proptest::prelude::*;
use throng_motion::{
    FootError, FootShape, Human, Landmark, Landmarks, ModelPose, Motion, Pose, Proportions,
    RetargetError, RetargetOptions, Side, Skeleton, retarget,
};

use crate::rigs::{Rig, apart, bend, differences, walk};

const AS_THEY_FALL: RetargetOptions = RetargetOptions { keep_feet: false };
const KEPT: RetargetOptions = RetargetOptions { keep_feet: true };

fn rigs() -> impl Strategy<Value = Rig> {
    let shape = (0.6f32..1.4, 0.42f32..0.58, 0.0f32..95.0, 0.0f32..25.0);
    let joints = (1usize..=5, 0usize..=2, any::<bool>(), 0u32..1000);
    (shape, joints).prop_map(|((size, thigh, arms, legs), (spine, necks, ground, twist))| Rig {
        size,
        thigh,
        arms,
        legs,
        feet_follow: twist % 2 == 0,
        foot: 0.09 + 0.001 * (twist % 70) as f32,
        toe_out: (twist % 15) as f32,
        spine,
        necks,
        ground,
        twist,
    })
}

/// The direction from one landmark to another.
fn direction(motion: &Motion, frame: usize, from: Landmark, to: Landmark) -> Vec3 {
    let skeleton = motion.skeleton();
    let model = ModelPose::of(skeleton, &motion.pose(frame));
    let at = |landmark| model.landmark(skeleton, landmark).unwrap();
    (at(to) - at(from)).normalize()
}

fn long_bones() -> impl Iterator<Item = (Landmark, Landmark)> {
    Side::BOTH.into_iter().flat_map(|side| {
        [
            (Landmark::upper_leg(side), Landmark::lower_leg(side)),
            (Landmark::lower_leg(side), Landmark::foot(side)),
            (Landmark::upper_arm(side), Landmark::forearm(side)),
            (Landmark::forearm(side), Landmark::hand(side)),
        ]
    })
}

/// How far a landmark has turned in body space since the body was at rest.
fn deviation(motion: &Motion, frame: usize, landmark: Landmark) -> Quat {
    let skeleton = motion.skeleton();
    let joint = skeleton.landmark(landmark).unwrap();
    let model = ModelPose::of(skeleton, &motion.pose(frame));
    model.rotation(joint) * skeleton.rest_rotation(joint).inverse()
}

proptest! {
    #[test]
    fn on_its_own_body_a_motion_stays_what_it_is(rig in rigs()) {
        let motion = walk(&rig.skeleton(), 12);
        for options in [AS_THEY_FALL, KEPT] {
            let same = retarget(&motion, &rig.skeleton(), options).unwrap();
            let (angle, place) = differences(&motion, &same.motion);
            prop_assert!(angle < 1e-4 && place < 1e-4, "{angle} rad, {place} m");
            prop_assert_eq!(same.report.scale, 1.0);
            prop_assert!(same.report.at_rest.is_empty());
        }
    }

    #[test]
    fn limbs_point_where_they_did_whatever_the_pose_at_rest(from in rigs(), to in rigs()) {
        let motion = walk(&from.skeleton(), 8);
        let carried = retarget(&motion, &to.skeleton(), AS_THEY_FALL).unwrap().motion;
        for frame in 0..8 {
            for (upper, lower) in long_bones() {
                let was = direction(&motion, frame, upper, lower);
                let is = direction(&carried, frame, upper, lower);
                prop_assert!(was.distance(is) < 2e-3, "{upper:?} {was} {is}");
            }
            for landmark in [Landmark::Hips, Landmark::Head] {
                let was = deviation(&motion, frame, landmark);
                let is = deviation(&carried, frame, landmark);
                prop_assert!(apart(was, is) < 1e-3, "{landmark:?}");
            }
        }
    }

    #[test]
    fn feet_are_where_they_should_be_and_knees_bend_forwards(from in rigs(), to in rigs()) {
        let motion = walk(&from.skeleton(), 12);
        let target = to.skeleton();
        let carried = retarget(&motion, &target, KEPT).unwrap();
        let fallen = retarget(&motion, &target, AS_THEY_FALL).unwrap();
        for (kept, fell) in [
            (carried.report.left, fallen.report.left),
            (carried.report.right, fallen.report.right),
        ] {
            let (kept, fell) = (kept.unwrap(), fell.unwrap());
            prop_assert!(kept.max < 1e-4, "{kept:?}");
            prop_assert!(kept.max <= fell.max && kept.rms <= fell.rms);
            prop_assert!(kept.height_max <= kept.max && kept.height_rms <= kept.rms);
        }
        for frame in 0..12 {
            let model = ModelPose::of(&target, &carried.motion.pose(frame));
            let at = |landmark| model.landmark(&target, landmark).unwrap();
            for side in Side::BOTH {
                let (hip, ankle) = (at(Landmark::upper_leg(side)), at(Landmark::foot(side)));
                let knee = at(Landmark::lower_leg(side)) - hip.midpoint(ankle);
                prop_assert!(knee.z > 0.0, "{knee}");
                // Feet keep their directions.
                let was = deviation(&fallen.motion, frame, Landmark::foot(side));
                let is = deviation(&carried.motion, frame, Landmark::foot(side));
                prop_assert!(apart(was, is) < 1e-3);
            }
        }
    }

    #[test]
    fn there_and_back_is_where_one_began(twist in 0u32..1000, arms in 0.0f32..95.0) {
        let human = Human::new(Proportions::of_height(1.75)).unwrap();
        let rig = Rig { arms, twist, legs: 8.0, spine: 5, necks: 2, size: 0.8, ..Rig::default() };
        let motion = walk(human.skeleton(), 6);
        let there = retarget(&motion, &rig.skeleton(), AS_THEY_FALL).unwrap().motion;
        let back = retarget(&there, human.skeleton(), AS_THEY_FALL).unwrap().motion;
        let (angle, place) = differences(&motion, &back);
        prop_assert!(angle < 2e-3 && place < 5e-3, "{angle} rad, {place} m");
    }
}

#[test]
fn a_rig_at_rest_becomes_a_human_at_rest() {
    let human = Human::new(Proportions::of_height(1.7)).unwrap();
    for (arms, legs, feet_follow) in
        [(0.0, 0.0, false), (45.0, 5.0, false), (90.0, 21.0, true), (90.0, 21.0, false)]
    {
        let rig = Rig { arms, legs, feet_follow, twist: 5, ..Rig::default() }.skeleton();
        let mut pose = Pose::rest(&rig);
        // Taken to how a human rests: arms hanging, legs together.
        for side in Side::BOTH {
            let down = |degrees: f32| Quat::from_rotation_z(-side.sign() * degrees.to_radians());
            bend(&rig, &mut pose, Landmark::upper_arm(side), down(arms));
            bend(&rig, &mut pose, Landmark::upper_leg(side), down(legs));
            if !feet_follow {
                bend(&rig, &mut pose, Landmark::foot(side), down(-legs));
            }
        }
        let motion = Motion::from_poses("rest", rig, 30.0, &[pose]).unwrap();
        let carried = retarget(&motion, human.skeleton(), AS_THEY_FALL).unwrap().motion;
        for (index, joint) in human.skeleton().joints().iter().enumerate() {
            let turned = apart(carried.rotations(0)[index], Quat::IDENTITY);
            assert!(turned < 1e-3, "{} {turned} {arms} {legs}", joint.name);
        }
    }
}

#[test]
fn spines_of_any_number_of_joints_lead_to_the_same_chest() {
    for from in 1..=5 {
        for to in 1..=5 {
            let source = Rig { spine: from, necks: 2, twist: 3, ..Rig::default() }.skeleton();
            let target = Rig { spine: to, necks: 0, twist: 4, ..Rig::default() }.skeleton();
            let motion = walk(&source, 10);
            let carried = retarget(&motion, &target, AS_THEY_FALL).unwrap().motion;
            let chest = |skeleton: &Skeleton| {
                let joint = skeleton.landmarks().spine().last().unwrap();
                skeleton.landmarks().of(joint).unwrap()
            };
            for frame in 0..10 {
                let was = deviation(&motion, frame, chest(&source));
                let is = deviation(&carried, frame, chest(&target));
                assert!(apart(was, is) < 1e-3, "{from} {to}");
            }
        }
    }
    // A spine with one joint bends at once, one with five a fifth at each.
    let source = Rig { spine: 1, ..Rig::default() }.skeleton();
    let target = Rig { spine: 5, ..Rig::default() }.skeleton();
    let mut pose = Pose::rest(&source);
    bend(&source, &mut pose, Landmark::Spine1, Quat::from_rotation_x(1.0));
    let motion = Motion::from_poses("bow", source, 30.0, &[pose]).unwrap();
    let carried = retarget(&motion, &target, AS_THEY_FALL).unwrap().motion;
    for landmark in Landmark::SPINE {
        let joint = target.landmark(landmark).unwrap();
        let turned = apart(carried.rotations(0)[joint.index()], Quat::IDENTITY);
        assert!((turned - 0.2).abs() < 1e-4, "{landmark:?} {turned}");
    }
}

#[test]
fn feet_point_and_stand_as_they_should_on_other_ankles() {
    let plain = Proportions::of_height(1.75);
    let foot = FootShape { ankle_height: 0.12, ..plain.foot };
    let human = Human::new(Proportions { foot, ..plain }).unwrap();
    let rig = Rig { toe_out: 20.0, twist: 3, size: 1.1, ..Rig::default() }.skeleton();
    let motion = Motion::from_poses("rest", rig.clone(), 30.0, &[Pose::rest(&rig)]).unwrap();
    for options in [AS_THEY_FALL, KEPT] {
        let carried = retarget(&motion, human.skeleton(), options).unwrap();
        let model = ModelPose::of(human.skeleton(), &carried.motion.pose(0));
        for side in Side::BOTH {
            let ankle = model.position(human.joint(Landmark::foot(side)));
            assert!((ankle.y - 0.12).abs() < 1e-3, "{ankle}");
            let foot = direction(&carried.motion, 0, Landmark::foot(side), Landmark::toes(side));
            let out = side.sign() * foot.x.atan2(foot.z).to_degrees();
            assert!((out - 20.0).abs() < 0.1, "{out}°");
        }
    }
}

/// A source that stands on its left foot, flat or on its ball, while the body moves over it.
fn standing_on(landmark: Landmark, pitch: impl Fn(usize) -> f32) -> Motion {
    let source = Rig { thigh: 0.46, twist: 9, ..Rig::default() }.skeleton();
    let walking = walk(&source, 20);
    let foot = source.landmark(Landmark::LeftFoot).unwrap();
    let planted = source.landmark(landmark).unwrap();
    let poses: Vec<Pose> = (0..20)
        .map(|frame| {
            let mut pose = walking.pose(frame);
            let above = source.joints()[foot.index()].parent.unwrap();
            let turned = Quat::from_rotation_y(0.2) * Quat::from_rotation_x(pitch(frame));
            let shank = ModelPose::of(&source, &pose).rotation(above);
            pose.rotations[foot.index()] = shank.inverse() * turned * source.rest_rotation(foot);
            pose.root -= ModelPose::of(&source, &pose).positions[planted.index()];
            pose.root.y += source.rest_position(planted).y;
            pose
        })
        .collect();
    Motion::from_poses("stand", source, 30.0, &poses).unwrap()
}

#[test]
fn a_planted_foot_stays_planted() {
    let target =
        Rig { thigh: 0.55, size: 1.2, foot: 0.17, arms: 20.0, ..Rig::default() }.skeleton();
    let slides = |motion: &Motion, landmark, options| {
        let carried = retarget(motion, &target, options).unwrap().motion;
        let at = |frame: usize| {
            let model = ModelPose::of(&target, &carried.pose(frame));
            model.landmark(&target, landmark).unwrap()
        };
        (0..20).map(|frame| at(frame).distance(at(0))).fold(0.0, f32::max)
    };
    let flat = standing_on(Landmark::LeftFoot, |_| 0.0);
    for landmark in [Landmark::LeftFoot, Landmark::LeftToes] {
        let fallen = slides(&flat, landmark, AS_THEY_FALL);
        assert!(fallen > 5e-3, "other thighs: without help it slides, {fallen}");
        let kept = slides(&flat, landmark, KEPT);
        assert!(kept < 1e-4, "{kept}");
    }
    // Heels rise by up to 40° over a foot that is longer than the source's.
    let rising = standing_on(Landmark::LeftToes, |frame| 0.035 * frame as f32);
    let kept = slides(&rising, Landmark::LeftToes, KEPT);
    assert!(kept < 3e-3, "{kept}");
}

#[test]
fn small_people_take_small_steps_at_their_own_height() {
    let [tall, small] =
        [1.9, 1.52].map(|height| Human::new(Proportions::of_height(height)).unwrap());
    let motion = walk(tall.skeleton(), 30);
    let carried = retarget(&motion, small.skeleton(), KEPT).unwrap();
    assert!((carried.report.scale - 0.8).abs() < 1e-5);
    for (was, is) in motion.roots().iter().zip(carried.motion.roots()) {
        assert!(is.distance(0.8 * *was) < 1e-4, "{was} {is}");
    }
    assert_eq!(carried.motion.name(), "walk");
}

#[test]
fn what_has_no_counterpart_rests_and_fingers_follow_fingers() {
    let human = Human::new(Proportions::default()).unwrap();
    let rig = Rig { necks: 1, spine: 2, ..Rig::default() }.skeleton();
    let fingers = rig.find("LeftFingers").unwrap();
    let mut pose = Pose::rest(&rig);
    pose.rotations[fingers.index()] = Quat::from_rotation_z(-0.7);
    let motion = Motion::from_poses("point", rig, 30.0, &[pose]).unwrap();
    let carried = retarget(&motion, human.skeleton(), KEPT).unwrap();
    assert_eq!(carried.report.at_rest, [Landmark::LeftEye, Landmark::RightEye]);
    let rotations = carried.motion.rotations(0);
    assert!(apart(rotations[human.fingers(Side::Left).index()], Quat::IDENTITY) > 0.6);
    assert!(apart(rotations[human.fingers(Side::Right).index()], Quat::IDENTITY) < 1e-3);
    assert!(apart(rotations[human.thumb(Side::Left).index()], Quat::IDENTITY) < 1e-3);
}

#[test]
fn a_body_that_lies_or_faces_back_at_rest_is_understood() {
    let human = Human::new(Proportions::default()).unwrap();
    let plain = walk(human.skeleton(), 5);
    for turn in
        [Quat::from_rotation_y(3.0), Quat::from_rotation_x(1.57), Quat::from_rotation_z(2.0)]
    {
        let mut joints = human.skeleton().joints().to_vec();
        joints[0].rotation = turn;
        let lying = Skeleton::new(joints, *human.skeleton().landmarks()).unwrap();
        let carried = retarget(&plain, &lying.into(), AS_THEY_FALL).unwrap().motion;
        let (angle, place) = differences(&plain, &carried);
        assert!(angle < 1e-3 && place < 1e-3, "{angle} {place}");
    }
}

#[test]
fn bodies_without_hips_are_refused_and_those_without_legs_are_not() {
    let human = Human::new(Proportions::default()).unwrap();
    let motion = walk(human.skeleton(), 3);
    let joints = human.skeleton().joints().to_vec();
    let bare = Skeleton::new(joints.clone(), Landmarks::default()).unwrap();
    let refused = retarget(&motion, &bare.into(), KEPT).unwrap_err();
    assert_eq!(refused, RetargetError::NoHips { body: "target's" });
    let mut landmarks = Landmarks::default();
    landmarks.set(Landmark::Hips, Some(throng_motion::JointId::ROOT));
    let hips_only = Skeleton::new(joints, landmarks).unwrap();
    let carried = retarget(&motion, &hips_only.into(), KEPT).unwrap();
    assert_eq!((carried.report.left, carried.report.scale), (None::<FootError>, 1.0));
}
