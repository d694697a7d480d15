//! Poses: mirrored, blended, twisted, and where they put joints.

use glam::{Quat, Vec3, Vec3A};
use proptest::prelude::*;
use throng_motion::{
    Human, Joint, Landmark, ModelPose, Pose, Proportions, Skeleton, blend, lean_spine, mirror,
    twist_spine,
};

fn adult() -> Human {
    Human::new(Proportions::of_height(1.75)).expect("adults are people")
}

/// The same body with joints that are turned at rest, symmetrically, as in other rigs.
fn turned_at_rest(human: &Human) -> Skeleton {
    let source = human.skeleton();
    let turn = |index: usize| {
        let twin = source.mirrored(throng_motion::JointId::new(index)).index();
        let angle = 0.3 + 0.1 * index.min(twin) as f32;
        if index == twin {
            // In the middle, only turns about x are symmetric.
            Quat::from_rotation_x(angle)
        } else {
            let sign = if index < twin { 1.0 } else { -1.0 };
            Quat::from_rotation_x(angle) * Quat::from_rotation_z(sign * angle)
        }
    };
    let mut turned: Vec<Quat> = Vec::new();
    let joints = (0..source.len())
        .map(|index| {
            let joint = &source.joints()[index];
            let parent = joint.parent.map_or(Quat::IDENTITY, |parent| turned[parent.index()]);
            turned.push(turn(index));
            Joint {
                translation: parent.inverse() * joint.translation,
                rotation: parent.inverse() * turned[index],
                ..joint.clone()
            }
        })
        .collect();
    Skeleton::new(joints, *source.landmarks()).expect("it is still a tree")
}

fn posed(skeleton: &Skeleton, turns: &[f32]) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (index, rotation) in pose.rotations.iter_mut().enumerate() {
        let axis = |offset: usize| turns[(3 * index + offset) % turns.len()];
        *rotation = Quat::from_scaled_axis(Vec3::new(axis(0), axis(1), axis(2))) * *rotation;
    }
    pose.root += Vec3A::new(turns[0], turns[1], turns[2]);
    pose
}

proptest! {
    #[test]
    fn a_mirrored_pose_is_the_pose_in_a_mirror(
        turns in prop::collection::vec(-1.2f32..1.2, 93), turned in any::<bool>(),
    ) {
        let human = adult();
        let skeleton =
            if turned { turned_at_rest(&human) } else { (**human.skeleton()).clone() };
        let pose = posed(&skeleton, &turns);
        let mirrored = mirror(&skeleton, &pose);
        let (here, there) =
            (ModelPose::of(&skeleton, &pose), ModelPose::of(&skeleton, &mirrored));
        for landmark in Landmark::ALL {
            let at = here.landmark(&skeleton, landmark).unwrap();
            let twin = there.landmark(&skeleton, landmark.mirrored()).unwrap();
            prop_assert!((at * Vec3::new(-1.0, 1.0, 1.0)).distance(twin) < 1e-4, "{landmark:?}");
        }
        let back = mirror(&skeleton, &mirrored);
        for (rotation, before) in back.rotations.iter().zip(&pose.rotations) {
            prop_assert!(rotation.angle_between(*before) < 2e-3);
        }
    }

    #[test]
    fn blending_leads_from_one_pose_to_the_other(
        a in prop::collection::vec(-1.0f32..1.0, 93), b in prop::collection::vec(-1.0f32..1.0, 93),
        weight in 0.0f32..1.0,
    ) {
        let human = adult();
        let (from, to) = (posed(human.skeleton(), &a), posed(human.skeleton(), &b));
        let at = |weight: f32| {
            let mut pose = from.clone();
            blend(&mut pose, &to, weight);
            pose
        };
        let apart = |a: &Pose, b: &Pose, joint: usize| {
            a.rotations[joint].angle_between(b.rotations[joint])
        };
        let between = at(weight);
        for joint in 0..from.rotations.len() {
            prop_assert!(apart(&at(0.0), &from, joint) < 2e-3);
            prop_assert!(apart(&at(1.0), &to, joint) < 2e-3);
            let whole = apart(&from, &to, joint);
            let parts = apart(&from, &between, joint) + apart(&between, &to, joint);
            prop_assert!((parts - whole).abs() < 5e-3, "the short way: {parts} {whole}");
            prop_assert!((between.rotations[joint].length() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn a_twist_of_the_spine_turns_the_chest_and_leaves_the_hips(angle in -0.8f32..0.8) {
        let human = adult();
        for skeleton in [(**human.skeleton()).clone(), turned_at_rest(&human)] {
            let mut pose = Pose::rest(&skeleton);
            let before = ModelPose::of(&skeleton, &pose);
            twist_spine(&mut pose, &skeleton, angle);
            let after = ModelPose::of(&skeleton, &pose);
            let turned = |landmark: Landmark| {
                let joint = skeleton.landmark(landmark).unwrap();
                after.rotation(joint) * before.rotation(joint).inverse()
            };
            let chest = turned(Landmark::Spine5);
            prop_assert!(chest.angle_between(Quat::from_rotation_y(angle)) < 2e-3, "{chest}");
            prop_assert!(turned(Landmark::Hips).angle_between(Quat::IDENTITY) < 1e-4);
            // More above than below.
            let share = turned(Landmark::Spine1).angle_between(Quat::IDENTITY);
            prop_assert!((share - angle.abs() / 15.0).abs() < 2e-3, "{share}");
        }
    }

    #[test]
    fn whoever_leans_looks_ahead(angle in -0.3f32..0.3) {
        let human = adult();
        for skeleton in [(**human.skeleton()).clone(), turned_at_rest(&human)] {
            let mut pose = Pose::rest(&skeleton);
            let before = ModelPose::of(&skeleton, &pose);
            lean_spine(&mut pose, &skeleton, angle);
            let after = ModelPose::of(&skeleton, &pose);
            let turned = |landmark: Landmark| {
                let joint = skeleton.landmark(landmark).unwrap();
                after.rotation(joint) * before.rotation(joint).inverse()
            };
            let chest = turned(Landmark::Spine5);
            prop_assert!(chest.angle_between(Quat::from_rotation_x(angle)) < 2e-3, "{chest}");
            let head = turned(Landmark::Head);
            prop_assert!(head.angle_between(Quat::from_rotation_x(angle / 3.0)) < 2e-3, "{head}");
            prop_assert!(turned(Landmark::Hips).angle_between(Quat::IDENTITY) < 1e-4);
        }
    }
}
