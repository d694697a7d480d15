//! What is written comes back.

use super::*;

fn rotations() -> impl Strategy<Value = Quat> {
    let any = (prop::array::uniform3(-1.0f32..1.0), -3.2f32..3.2).prop_map(|(axis, angle)| {
        Quat::from_axis_angle(Vec3::from(axis).normalize_or(Vec3::X), angle)
    });
    // At and near the places where angles about axes are not unique.
    let quarter = (-4i32..4, -4i32..4, -4i32..4, -1e-4f32..1e-4).prop_map(|(x, y, z, off)| {
        let quarters = |n: i32| n as f32 * std::f32::consts::FRAC_PI_2;
        Quat::from_rotation_x(quarters(x) + off)
            * Quat::from_rotation_y(quarters(y) + off)
            * Quat::from_rotation_z(quarters(z))
    });
    prop_oneof![any, quarter]
}

proptest! {
    #[test]
    fn any_pose_of_a_human_comes_back(
        turns in prop::collection::vec(rotations(), 31 * 3),
        roots in prop::collection::vec(prop::array::uniform3(-20.0f32..20.0), 3),
        order in prop::sample::select(RotationOrder::ALL.to_vec()),
        unit in prop::sample::select(vec![0.01f32, 1.0, 0.0254, 0.001, 0.056444]),
        rate in prop::sample::select(vec![30.0f32, 120.0, 29.97, 60.0, 23.976]),
    ) {
        let human = Human::new(Proportions::of_height(1.8)).unwrap();
        let roots = roots.into_iter().map(Vec3A::from).collect();
        let motion = Motion::new("any", human.skeleton().clone(), rate, roots, turns).unwrap();
        let write = WriteOptions { unit, root_order: order, joint_order: order, tips: vec![] };
        let text = bvh::write(&motion, &write).unwrap();
        let import = read_with(&text, &ReadOptions { unit: Some(unit), ..exact() });
        let (angle, place) = differences(&motion, &import.motion);
        prop_assert!(angle < 1e-4 && place < 1e-4, "{angle} rad, {place} m");
        prop_assert!((import.motion.rate() - rate).abs() < 1e-4 * rate);
        prop_assert!(import.warnings.is_empty(), "{}", import.warnings);
        for landmark in Landmark::ALL {
            let name = |motion: &Motion| {
                let joint = motion.skeleton().landmark(landmark).unwrap();
                motion.skeleton().joints()[joint.index()].name.clone()
            };
            prop_assert_eq!(name(&motion), name(&import.motion));
        }
    }

    #[test]
    fn rigs_with_turned_joints_keep_their_places(
        twist in 0u32..1000, arms in 0.0f32..90.0, ground in any::<bool>(),
    ) {
        let rig = Rig { twist, arms, ground, ..Rig::default() };
        let motion = walk(&rig.skeleton(), 4);
        let text = bvh::write(&motion, &WriteOptions::default()).unwrap();
        let import = read_with(&text, &exact());
        let (_, place) = differences(&motion, &import.motion);
        prop_assert!(place < 1e-4, "{place} m");
        // Joints turn as much as they did from how they were at rest.
        for joint in ["rig_head", "LeftFingers", "rig_right_foot"] {
            let turned = |motion: &Motion| {
                let skeleton = motion.skeleton();
                let joint = skeleton.find(joint).unwrap();
                ModelPose::of(skeleton, &motion.pose(3)).rotation(joint)
                    * skeleton.rest_rotation(joint).inverse()
            };
            prop_assert!(apart(turned(&motion), turned(&import.motion)) < 1e-4);
        }
    }
}

#[test]
fn tips_are_kept_and_written_again() {
    let import = read(&arm("Frames: 1\nFrame Time: 0.1\n0 1 0 0 0 0 0 0 0 0 0 0"));
    assert_eq!(import.tips, [(JointId::new(2), Vec3::new(0.5, 0.0, 0.0))]);
    let tips = import.tips.clone();
    let text = bvh::write(&import.motion, &WriteOptions { tips, ..Default::default() }).unwrap();
    assert_eq!(read_with(&text, &exact()).tips, import.tips);
    let text = bvh::write(&import.motion, &WriteOptions::default()).unwrap();
    assert!(text.contains("End Site\n\t\t\t{\n\t\t\t\tOFFSET 50 0 0\n"), "{text}");
}

#[test]
fn odd_names_are_written_so_that_others_can_read_them() {
    let joint = |name: &str, parent: Option<usize>| throng_motion::Joint {
        name: name.into(),
        parent: parent.map(JointId::new),
        translation: Vec3::Y,
        rotation: Quat::IDENTITY,
    };
    let joints = vec![
        joint("a b", None),
        joint("a_b", Some(0)),
        joint("a\nb", Some(1)),
        joint("", Some(0)),
        joint("{", Some(0)),
    ];
    let skeleton = throng_motion::Skeleton::new(joints, Default::default()).unwrap();
    let pose = Pose::rest(&skeleton);
    let motion = Motion::from_poses("odd", skeleton.into(), 30.0, &[pose]).unwrap();
    let text = bvh::write(&motion, &WriteOptions::default()).unwrap();
    let import = read_with(&text, &exact());
    let names: Vec<&str> =
        import.motion.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["a_b", "a_b_2", "a_b_3", "Joint", "_"]);
    assert!(import.warnings.is_empty(), "{}", import.warnings);
}

#[test]
fn what_is_written_is_plain() {
    let human = Human::new(Proportions::of_height(1.7)).unwrap();
    let mut pose = Pose::rest(human.skeleton());
    pose.root.z = 0.25;
    pose.rotations[0] = Quat::from_rotation_y(0.5);
    let motion = Motion::from_poses("turn", human.skeleton().clone(), 25.0, &[pose]).unwrap();
    let text = bvh::write(&motion, &WriteOptions::default()).unwrap();
    assert!(text.starts_with(
        "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 90.61 0\n\tCHANNELS 6 Xposition Yposition \
         Zposition Yrotation Xrotation Zrotation\n\tJOINT Spine1\n\t{\n"
    ));
    let frames = "MOTION\nFrames: 1\nFrame Time: 0.040000000\n0 90.61 25 28.64789 0 0 0 0 ";
    assert!(text.contains(frames), "{}", &text[text.len() - 400..]);
    for unit in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let refused = bvh::write(&motion, &WriteOptions { unit, ..WriteOptions::default() });
        assert!(matches!(refused, Err(WriteError::Unit(_))));
    }
}
