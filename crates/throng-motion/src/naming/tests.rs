//! Rigs as programs make them: names and parents only, since these decide.

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::skeleton::Joint;

/// A rig from lines `name < parent`; bones are as long as the number that may follow.
fn rig(lines: &[&str]) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    for line in lines {
        let (name, parent) = line.split_once(" < ").unwrap_or((line, ""));
        let (parent, length) = parent.split_once(" * ").unwrap_or((parent, "0.3"));
        let parent = joints.iter().position(|joint| joint.name == parent).map(JointId::new);
        let translation = Vec3::new(0.0, length.parse().unwrap(), 0.0);
        joints.push(Joint { name: name.into(), parent, translation, rotation: Quat::IDENTITY });
    }
    Skeleton::new(joints, Landmarks::default()).unwrap()
}

/// Joints of a side with `{}` for it, each below the one before.
fn both(lines: &mut Vec<String>, sides: [&str; 2], parent: &str, chain: &[&str]) {
    for side in sides {
        let mut above = parent.to_owned();
        for name in chain {
            let name = name.replace("{}", side);
            lines.push(format!("{name} < {above}"));
            above = name;
        }
    }
}

fn check(skeleton: &Skeleton, expected: &[(Landmark, &str)]) {
    let map = LandmarkMap::find(skeleton);
    for (landmark, name) in expected {
        let found = map.landmarks().get(*landmark);
        let found = found.map_or("", |joint| &skeleton.joints()[joint.index()].name);
        assert_eq!(found, *name, "{landmark:?} in\n{}", map.listing(skeleton));
    }
}

/// The whole of a rig: trunk and head as a chain, limbs on both sides.
struct Rig<'a> {
    above: &'a [&'a str],
    spine: &'a [&'a str],
    neck: &'a [&'a str],
    sides: [&'a str; 2],
    arm: &'a [&'a str],
    leg: &'a [&'a str],
}

impl Rig<'_> {
    /// Builds it and expects everything where it should be; limbs as many links as are landmarks.
    fn check(&self, arm: &[&str], leg: &[&str], spine: &[(Landmark, &str)]) {
        let mut lines: Vec<String> = Vec::new();
        let mut above = String::new();
        for name in self.above.iter().chain(self.spine) {
            lines.push(if above.is_empty() { (*name).into() } else { format!("{name} < {above}") });
            above = (*name).into();
        }
        let (hips, chest) = (*self.above.last().unwrap(), above.clone());
        for name in self.neck {
            lines.push(format!("{name} < {above}"));
            above = (*name).into();
        }
        both(&mut lines, self.sides, &chest, self.arm);
        both(&mut lines, self.sides, hips, self.leg);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let skeleton = rig(&lines);
        check(&skeleton, &[(Landmark::Hips, hips)]);
        check(&skeleton, spine);
        for side in Side::BOTH {
            let text = side.choose(self.sides[0], self.sides[1]);
            let arms = [
                Landmark::shoulder(side),
                Landmark::upper_arm(side),
                Landmark::forearm(side),
                Landmark::hand(side),
            ];
            let legs = [
                Landmark::upper_leg(side),
                Landmark::lower_leg(side),
                Landmark::foot(side),
                Landmark::toes(side),
            ];
            for (landmark, name) in arms.iter().zip(arm).chain(legs.iter().zip(leg)) {
                check(&skeleton, &[(*landmark, &name.replace("{}", text))]);
            }
        }
    }
}

use Landmark::{Head, Neck1, Neck2, Spine1, Spine2, Spine3, Spine4, Spine5};

#[test]
fn mixamo() {
    let arm =
        ["mixamorig:{}Shoulder", "mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand"];
    let leg = ["mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot", "mixamorig:{}ToeBase"];
    Rig {
        above: &["mixamorig:Hips"],
        spine: &["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"],
        neck: &["mixamorig:Neck", "mixamorig:Head", "mixamorig:HeadTop_End"],
        sides: ["Left", "Right"],
        arm: &[
            "mixamorig:{}Shoulder",
            "mixamorig:{}Arm",
            "mixamorig:{}ForeArm",
            "mixamorig:{}Hand",
            "mixamorig:{}HandIndex1",
        ],
        leg: &[
            "mixamorig:{}UpLeg",
            "mixamorig:{}Leg",
            "mixamorig:{}Foot",
            "mixamorig:{}ToeBase",
            "mixamorig:{}Toe_End",
        ],
    }
    .check(
        &arm,
        &leg,
        &[
            (Spine1, "mixamorig:Spine"),
            (Spine2, ""),
            (Spine3, "mixamorig:Spine1"),
            (Spine5, "mixamorig:Spine2"),
            (Neck1, "mixamorig:Neck"),
            (Neck2, ""),
            (Head, "mixamorig:Head"),
        ],
    );
}

#[test]
fn unreal() {
    let arm = ["clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}"];
    let leg = ["thigh_{}", "calf_{}", "foot_{}", "ball_{}"];
    Rig {
        above: &["root", "pelvis"],
        spine: &["spine_01", "spine_02", "spine_03", "spine_04", "spine_05"],
        neck: &["neck_01", "neck_02", "head"],
        sides: ["l", "r"],
        arm: &["clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}", "index_01_{}"],
        leg: &leg,
    }
    .check(
        &arm,
        &leg,
        &[
            (Spine1, "spine_01"),
            (Spine2, "spine_02"),
            (Spine4, "spine_04"),
            (Spine5, "spine_05"),
            (Neck1, "neck_01"),
            (Neck2, "neck_02"),
            (Head, "head"),
        ],
    );
}

#[test]
fn rigify_whose_head_is_the_end_of_the_spine() {
    let arm = ["shoulder.{}", "upper_arm.{}", "forearm.{}", "hand.{}"];
    let leg = ["thigh.{}", "shin.{}", "foot.{}", "toe.{}"];
    Rig {
        above: &["spine"],
        spine: &["spine.001", "spine.002", "spine.003"],
        neck: &["spine.004", "spine.005", "spine.006"],
        sides: ["L", "R"],
        arm: &arm,
        leg: &leg,
    }
    .check(
        &arm,
        &leg,
        &[
            (Spine1, "spine.001"),
            (Spine5, "spine.003"),
            (Neck1, "spine.004"),
            (Neck2, "spine.005"),
            (Head, "spine.006"),
        ],
    );
}

#[test]
fn biped_whose_thighs_hang_from_the_spine() {
    let skeleton = rig(&[
        "Bip01",
        "Bip01 Footsteps < Bip01",
        "Bip01 Pelvis < Bip01",
        "Bip01 Spine < Bip01 Pelvis",
        "Bip01 L Thigh < Bip01 Spine",
        "Bip01 L Calf < Bip01 L Thigh",
        "Bip01 L Foot < Bip01 L Calf",
        "Bip01 L Toe0 < Bip01 L Foot",
        "Bip01 L Toe0Nub < Bip01 L Toe0",
        "Bip01 R Thigh < Bip01 Spine",
        "Bip01 R Calf < Bip01 R Thigh",
        "Bip01 R Foot < Bip01 R Calf",
        "Bip01 R Toe0 < Bip01 R Foot",
        "Bip01 Spine1 < Bip01 Spine",
        "Bip01 Neck < Bip01 Spine1",
        "Bip01 Head < Bip01 Neck",
        "Bip01 L Clavicle < Bip01 Neck",
        "Bip01 L UpperArm < Bip01 L Clavicle",
        "Bip01 L Forearm < Bip01 L UpperArm",
        "Bip01 L Hand < Bip01 L Forearm",
        "Bip01 R Clavicle < Bip01 Neck",
        "Bip01 R UpperArm < Bip01 R Clavicle",
        "Bip01 R Forearm < Bip01 R UpperArm",
        "Bip01 R Hand < Bip01 R Forearm",
    ]);
    check(
        &skeleton,
        &[
            (Landmark::Hips, "Bip01 Pelvis"),
            (Spine1, "Bip01 Spine"),
            (Spine5, "Bip01 Spine1"),
            (Neck1, "Bip01 Neck"),
            (Head, "Bip01 Head"),
            (Landmark::LeftUpperLeg, "Bip01 L Thigh"),
            (Landmark::LeftToes, "Bip01 L Toe0"),
            (Landmark::RightShoulder, "Bip01 R Clavicle"),
            (Landmark::RightUpperArm, "Bip01 R UpperArm"),
        ],
    );
}

#[test]
fn smpl_whose_hips_knees_and_ankles_have_sides() {
    let arm = ["{}_Collar", "{}_Shoulder", "{}_Elbow", "{}_Wrist"];
    let leg = ["{}_Hip", "{}_Knee", "{}_Ankle", "{}_Foot"];
    Rig {
        above: &["Pelvis"],
        spine: &["Spine1", "Spine2", "Spine3"],
        neck: &["Neck", "Head"],
        sides: ["L", "R"],
        arm: &["{}_Collar", "{}_Shoulder", "{}_Elbow", "{}_Wrist", "{}_Hand"],
        leg: &leg,
    }
    .check(&arm, &leg, &[(Spine1, "Spine1"), (Spine3, "Spine2"), (Spine5, "Spine3")]);
    let leg = ["{}_hip", "{}_knee", "{}_ankle", "{}_foot"];
    let arm = ["{}_collar", "{}_shoulder", "{}_elbow", "{}_wrist"];
    let (above, spine): (&[&str], &[&str]) = (&["pelvis"], &["spine1", "spine2", "spine3"]);
    let sides = ["left", "right"];
    Rig { above, spine, neck: &["neck", "head"], sides, arm: &arm, leg: &leg }.check(
        &arm,
        &leg,
        &[(Neck1, "neck"), (Head, "head")],
    );
}

#[test]
fn vroid_poser_and_plain_bvh() {
    let arm = ["J_Bip_{}_Shoulder", "J_Bip_{}_UpperArm", "J_Bip_{}_LowerArm", "J_Bip_{}_Hand"];
    let leg = ["J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg", "J_Bip_{}_Foot", "J_Bip_{}_ToeBase"];
    Rig {
        above: &["Root", "J_Bip_C_Hips"],
        spine: &["J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest"],
        neck: &["J_Bip_C_Neck", "J_Bip_C_Head"],
        sides: ["L", "R"],
        arm: &arm,
        leg: &leg,
    }
    .check(&arm, &leg, &[(Spine5, "J_Bip_C_UpperChest"), (Neck1, "J_Bip_C_Neck")]);
    let arm = ["{}Collar", "{}Shldr", "{}ForeArm", "{}Hand"];
    let leg = ["{}Thigh", "{}Shin", "{}Foot", "{}Toe"];
    Rig {
        above: &["hip"],
        spine: &["abdomen", "chest"],
        neck: &["neck", "head"],
        sides: ["l", "r"],
        arm: &arm,
        leg: &leg,
    }
    .check(&arm, &leg, &[(Spine1, "abdomen"), (Spine5, "chest"), (Head, "head")]);
    let arm = ["{}Collar", "{}Shoulder", "{}Elbow", "{}Wrist"];
    let leg = ["{}Hip", "{}Knee", "{}Ankle", "{}Toe"];
    let (above, spine): (&[&str], &[&str]) = (&["Hips"], &["Chest"]);
    let sides = ["Left", "Right"];
    Rig { above, spine, neck: &["Neck", "Head"], sides, arm: &arm, leg: &leg }.check(
        &arm,
        &leg,
        &[(Spine1, "Chest"), (Spine5, "")],
    );
}

#[test]
fn numbered_limbs_are_told_by_their_order() {
    let arm = ["", "arm_joint_{}__4_", "arm_joint_{}__3_", "arm_joint_{}__2_"];
    let leg = ["leg_joint_{}_1", "leg_joint_{}_2", "leg_joint_{}_3", "leg_joint_{}_5"];
    Rig {
        above: &["torso_joint_1"],
        spine: &["torso_joint_2", "torso_joint_3"],
        neck: &["neck_joint_1", "neck_joint_2"],
        sides: ["L", "R"],
        arm: &arm[1..],
        leg: &leg,
    }
    .check(&arm, &leg, &[(Neck1, "neck_joint_1"), (Neck2, "neck_joint_2"), (Head, "")]);
}

#[test]
fn zero_bones_between_do_not_count_and_long_spines_are_thinned_out() {
    let skeleton = rig(&[
        "Hips",
        "LHipJoint < Hips",
        "LeftUpLeg < LHipJoint",
        "LeftLeg < LeftUpLeg",
        "LeftFoot < LeftLeg",
        "LeftToeBase < LeftFoot",
        "RHipJoint < Hips",
        "RightUpLeg < RHipJoint",
        "RightLeg < RightUpLeg",
        "RightFoot < RightLeg",
        "LowerBack < Hips * 0",
        "Spine < LowerBack",
        "Spine1 < Spine",
        "Spine2 < Spine1",
        "Spine3 < Spine2",
        "Spine4 < Spine3",
        "Spine5 < Spine4",
        "Spine6 < Spine5",
        "Spine7 < Spine6",
        "LeftShoulder < Spine7 * 0",
        "LeftArm < LeftShoulder",
        "RightShoulder < Spine7 * 0",
        "RightArm < RightShoulder",
        "Neck < Spine7",
    ]);
    check(
        &skeleton,
        &[
            (Landmark::LeftUpperLeg, "LeftUpLeg"),
            (Landmark::RightToes, ""),
            (Landmark::LeftForearm, ""),
            (Landmark::LeftUpperArm, "LeftArm"),
            (Spine1, "LowerBack"),
            (Spine2, "Spine1"),
            (Spine3, "Spine3"),
            (Spine4, "Spine5"),
            (Spine5, "Spine7"),
            (Neck1, "Neck"),
            (Head, ""),
        ],
    );
}

#[test]
fn what_is_said_counts_and_the_rest_follows_from_it() {
    let skeleton = rig(&[
        "base",
        "a < base",
        "b < a",
        "c < b",
        "d < base",
        "e < d",
        "f < e",
        "x < base",
        "y < x",
        "left_arm < y",
        "right_arm < y",
        "left_eye < y",
    ]);
    let find = |name| skeleton.find(name);
    let said = [
        (Landmark::LeftUpperLeg, find("a")),
        (Landmark::RightUpperLeg, find("d")),
        (Landmark::RightFoot, find("f")),
        (Landmark::LeftUpperArm, None),
    ];
    let map = LandmarkMap::find_with(&skeleton, &said);
    let landmarks = map.landmarks();
    assert_eq!(landmarks.get(Landmark::Hips), find("base"));
    assert_eq!(landmarks.get(Landmark::RightFoot), find("f"));
    assert_eq!(landmarks.get(Landmark::LeftUpperArm), None);
    assert_eq!(landmarks.get(Spine1), find("x"));
    assert_eq!(map.found_by(Landmark::Hips), Some(FoundBy::Place));
    assert_eq!(map.found_by(Landmark::LeftUpperLeg), Some(FoundBy::Said));
    assert_eq!(map.found_by(Landmark::LeftUpperArm), None);
    let missing: Vec<Landmark> = map.missing_for_walking().collect();
    assert_eq!(
        missing,
        [Landmark::LeftLowerLeg, Landmark::LeftFoot, Landmark::RightLowerLeg],
        "{}",
        map.listing(&skeleton)
    );
}

#[test]
fn the_listing_tells_what_was_found_and_what_was_not() {
    let skeleton = rig(&["pelvis", "thigh_l < pelvis", "calf_l < thigh_l", "foot_l < calf_l"]);
    let listing = LandmarkMap::find(&skeleton).listing(&skeleton);
    let expected = "hips             pelvis   by its name\n\
                    left_upper_leg   thigh_l  by its name\n\
                    left_lower_leg   calf_l   by its name\n\
                    left_foot        foot_l   by its name\n\
                    missing          spine1, ";
    assert!(listing.starts_with(expected), "{listing}");
    let nothing = rig(&["Bone", "Bone.001 < Bone"]);
    assert_eq!(LandmarkMap::find(&nothing).missing().count(), Landmark::ALL.len());
}

#[test]
fn thousands_of_joints_with_one_name_take_no_time_to_speak_of() {
    let mut lines = vec!["Hips".to_owned()];
    for index in 0..4000 {
        let parent = if index == 0 { "Hips".into() } else { format!("left_leg_{}", index - 1) };
        lines.push(format!("left_leg_{index} < {parent}"));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let skeleton = rig(&lines);
    let map = LandmarkMap::find(&skeleton);
    assert!(map.landmarks().get(Landmark::LeftUpperLeg).is_some());
}

proptest! {
    #[test]
    fn any_names_in_any_tree_give_each_joint_one_landmark_at_most(
        joints in prop::collection::vec(
            (
                prop_oneof![
                    prop::sample::select(vec![
                        "hip", "l_hip", "LeftLeg", "leftFoot", "ankle_l", "r_arm", "Shoulder.R",
                        "right_shoulder", "spine", "neck", "head", "l", "left", "toe.L", "eye_r",
                        "pelvis", "l_knee", "r_elbow", "hand_r", "LHipJoint",
                    ]).prop_map(str::to_owned),
                    ".{0,12}",
                ],
                any::<prop::sample::Index>(),
            ),
            1..40,
        ),
    ) {
        let joint = |(index, (name, parent)): (usize, &(String, prop::sample::Index))| Joint {
            name: format!("{name}{}", "_".repeat(index)),
            parent: (index > 0).then(|| JointId::new(parent.index(index))),
            translation: Vec3::Y,
            rotation: Quat::IDENTITY,
        };
        let joints = joints.iter().enumerate().map(joint).collect();
        let skeleton = Skeleton::new(joints, Landmarks::default()).unwrap();
        let map = LandmarkMap::find(&skeleton);
        let found: Vec<JointId> = map.landmarks().iter().map(|(_, joint)| joint).collect();
        let different: std::collections::BTreeSet<&JointId> = found.iter().collect();
        prop_assert_eq!(different.len(), found.len());
        // Limbs hang together.
        for side in Side::BOTH {
            for chain in [
                [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)],
                [Landmark::upper_arm(side), Landmark::forearm(side), Landmark::hand(side)],
            ] {
                for pair in chain.windows(2) {
                    let joints = (map.landmarks().get(pair[0]), map.landmarks().get(pair[1]));
                    if let (Some(above), Some(below)) = joints {
                        prop_assert!(Tree::of(&skeleton).is_above(above, below));
                    }
                }
            }
        }
    }
}
