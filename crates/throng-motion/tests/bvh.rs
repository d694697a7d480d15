//! BVH files: what is written comes back, and whatever a file may be is read or refused with reasons.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod rigs;

use glam::{Quat, Vec3, Vec3A};
use proptest::prelude::*;
use rigs::{Rig, apart, differences, walk};
use throng_motion::files::bvh::{
    self, FirstFrame, Import, ReadError, ReadOptions, RotationOrder, WriteError, WriteOptions,
};
use throng_motion::files::mapping::MappingFile;
use throng_motion::files::{Place, Up};
use throng_motion::{Human, JointId, Landmark, ModelPose, Motion, Pose, Proportions};

fn read(text: &str) -> Import {
    read_with(text, &ReadOptions { unit: Some(1.0), ..ReadOptions::default() })
}

fn read_with(text: &str, options: &ReadOptions) -> Import {
    bvh::read(text.as_bytes(), "test", options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str) -> String {
    match bvh::read(text.as_bytes(), "test", &ReadOptions::default()) {
        Ok(_) => panic!("it was read:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn exact() -> ReadOptions {
    ReadOptions { unit: Some(0.01), first_frame: FirstFrame::Keep, ..ReadOptions::default() }
}

/// A root with an arm of two joints; the numbers of a frame are six, three and three.
fn arm(frames: &str) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\n\tOFFSET 0 1 0\n\tCHANNELS 6 Xposition Yposition Zposition \
         Zrotation Xrotation Yrotation\n\tJOINT Arm\n\t{{\n\t\tOFFSET 1 0 0\n\t\tCHANNELS 3 \
         Zrotation Xrotation Yrotation\n\t\tJOINT Hand\n\t\t{{\n\t\t\tOFFSET 1 0 0\n\t\t\t\
         CHANNELS 3 Zrotation Xrotation Yrotation\n\t\t\tEnd Site\n\t\t\t{{\n\t\t\t\tOFFSET 0.5 0 \
         0\n\t\t\t}}\n\t\t}}\n\t}}\n}}\nMOTION\n{frames}"
    )
}

const ZEROS: &str = "0 1 0 0 0 0 0 0 0 0 0 0\n";

fn close(a: impl Into<Vec3>, b: impl Into<Vec3>) -> bool {
    a.into().distance(b.into()) < 1e-5
}

fn at(import: &Import, frame: usize, joint: &str) -> Vec3 {
    let skeleton = import.motion.skeleton();
    ModelPose::of(skeleton, &import.motion.pose(frame)).position(skeleton.find(joint).unwrap())
}

mod round_trips {
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
        let text =
            bvh::write(&import.motion, &WriteOptions { tips, ..Default::default() }).unwrap();
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
}

mod channels {
    use super::*;

    #[test]
    fn rotations_are_about_the_axes_in_the_order_of_the_channels() {
        let import = read(&arm("Frames: 1\nFrame Time: 0.1\n5 6 7 90 0 0 0 90 0 0 0 90\n"));
        assert!(close(at(&import, 0, "Hips"), [5.0, 6.0, 7.0]));
        // z turns the arm up; x of the turned arm leaves it; y of the hand turns what follows.
        assert!(close(at(&import, 0, "Arm"), [5.0, 7.0, 7.0]));
        assert!(close(at(&import, 0, "Hand"), [5.0, 8.0, 7.0]));
        let expected =
            Quat::from_rotation_z(0.3) * Quat::from_rotation_x(0.2) * Quat::from_rotation_y(0.1);
        let degrees = |radians: f32| radians.to_degrees();
        let row = format!("0 0 0 {} {} {} 0 0 0 0 0 0", degrees(0.3), degrees(0.2), degrees(0.1));
        let import = read(&arm(&format!("Frames: 1\nFrame Time: 0.1\n{row}")));
        assert!(apart(import.motion.rotations(0)[0], expected) < 1e-5);
    }

    #[test]
    fn any_subset_in_any_order_and_any_letters_will_do() {
        let text = "hierarchy\r\nroot Body\r\n{\r\n channels 4 yrotation ZPOSITION xROTATION \
                    Xposition\r\n OFFSET 0 2 0\r\n joint A { OFFSET 0 1 0 channels 1 Zrotation\r\n\
                    \tjoint B\r\n{\r\noffset 0 1 0\r\nend site { offset 0 1 0 } } } }\r\nmotion\r\n\
                    frames : 2\r\nframe time:0.5\r\n\r\n90 3 0 4 90\r\n\t0 0 0   0\r\n 0\r\n";
        let import = read(text);
        let motion = &import.motion;
        assert_eq!((motion.frames(), motion.rate(), motion.skeleton().len()), (2, 2.0, 3));
        assert!(close(at(&import, 0, "Body"), [4.0, 2.0, 3.0]), "y stays as the offset says");
        assert!(close(at(&import, 0, "B"), [4.0, 3.0, 4.0]), "{}", at(&import, 0, "B"));
        assert!(close(at(&import, 1, "B"), [0.0, 4.0, 0.0]));
        assert!(import.warnings.is_empty(), "{}", import.warnings);
    }

    /// All joints with places, as some programs write them.
    fn all_six(rows: &[&str]) -> Import {
        let six = "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
        let text = format!(
            "HIERARCHY\nROOT A {{ OFFSET 0 0 0\n{six}\nJOINT B {{ OFFSET 0 2 0\n{six}\nJOINT C {{ \
             OFFSET 0 3 0\n{six}\nEnd Site {{ OFFSET 0 1 0 }} }} JOINT D {{ OFFSET 1 0 0\n{six}\nEnd \
             Site {{ OFFSET 0 1 0 }} }} }} }}\nMOTION\nFrames: {}\nFrame Time: 0.1\n{}\n",
            rows.len(),
            rows.join("\n")
        );
        read(&text)
    }

    #[test]
    fn repeated_offsets_are_nothing_to_speak_of() {
        let row = "1 2 3 0 0 0 0 2 0 0 0 0 0 3 0 0 0 0 1 0 0 0 0 90";
        let import = all_six(&[row, row]);
        assert!(import.warnings.is_empty(), "{}", import.warnings);
        assert!(close(at(&import, 1, "C"), [1.0, 7.0, 3.0]));
        // Zeros can only mean that nothing is added to the offsets.
        let row = "1 2 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 90";
        let import = all_six(&[row, row]);
        assert!(import.warnings.is_empty(), "{}", import.warnings);
        assert!(close(at(&import, 1, "C"), [1.0, 7.0, 3.0]));
    }

    #[test]
    fn stretching_bones_are_kept_rigid_and_other_offsets_believed() {
        let import = all_six(&[
            "0 0 0 0 0 0 0 2 0 0 0 0 0 3.5 0 0 0 0 1.5 0 0 0 0 0",
            "0 0 0 0 0 0 0 2 0 0 0 0 0 2.9 0 0 0 0 1.5 0 0 0 0 0",
        ]);
        let warnings = import.warnings.to_string();
        assert!(warnings.contains("joint \"C\" stretches by up to 30.0 cm"), "{warnings}");
        assert!(warnings.contains("joint \"D\" is elsewhere in the frames"), "{warnings}");
        assert_eq!(import.warnings.len(), 2);
        assert!(close(at(&import, 0, "C"), [0.0, 5.2, 0.0]));
        assert!(close(at(&import, 0, "D"), [1.5, 2.0, 0.0]));
    }

    #[test]
    fn hips_that_move_below_a_still_root_move_the_body() {
        let import = all_six(&[
            "0 0 0 0 90 0 0 2 0 0 0 0 0 3 0 0 0 0 1 0 0 0 0 0",
            "0 0 0 0 90 0 0 2 1 0 0 0 0 3 0 0 0 0 1 0 0 0 0 0",
        ]);
        let warnings = import.warnings.to_string();
        assert!(
            warnings.contains("joint \"B\" moves, and its root does not carry it"),
            "{warnings}"
        );
        assert_eq!(import.warnings.len(), 1, "{warnings}");
        // The root is turned by a quarter about y, so that its z is the world's x.
        assert!(close(at(&import, 0, "B"), [0.0, 2.0, 0.0]));
        assert!(close(at(&import, 1, "B"), [1.0, 2.0, 0.0]), "{}", at(&import, 1, "B"));
        assert!(close(at(&import, 1, "C"), [1.0, 5.0, 0.0]));
    }
}

mod assumptions {
    use super::*;

    fn human_walk(height: f32) -> Motion {
        let human = Human::new(Proportions::of_height(height)).unwrap();
        walk(human.skeleton(), 12)
    }

    /// What was assumed of a file, without what follows from the motion.
    fn warned(import: &Import) -> Vec<String> {
        import.warnings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_unit_is_guessed_from_the_size_of_the_body_and_told() {
        for unit in [1.0, 0.01, 0.001, 0.0254, 0.056_444, 0.3048, 0.1] {
            for height in [1.5, 1.75, 1.95] {
                let motion = human_walk(height);
                let text =
                    bvh::write(&motion, &WriteOptions { unit, ..Default::default() }).unwrap();
                let import = read_with(&text, &ReadOptions::default());
                assert_eq!(import.unit, unit, "{height} m in {unit} m");
                let warnings = warned(&import);
                assert_eq!(warnings.len(), 1, "{warnings:?}");
                let told =
                    format!("the format has no unit of length; {unit} m per unit are assumed");
                assert!(warnings[0].starts_with(&told), "{warnings:?}");
                assert!(warnings[0].ends_with(&format!("{height:.2} m tall")), "{warnings:?}");
                let (_, place) = differences(&motion, &import.motion);
                assert!(place < 1e-4);
            }
        }
    }

    #[test]
    fn bodies_of_no_known_unit_are_made_as_tall_as_people() {
        let text = bvh::write(&human_walk(1.7), &WriteOptions { unit: 20.0, ..Default::default() });
        let import = read_with(&text.unwrap(), &ReadOptions::default());
        assert!((import.unit - 20.0).abs() < 0.01, "{}", import.unit);
        // Without legs the extent counts; without any extent nothing does.
        let text = arm(&format!("Frames: 1\nFrame Time: 0.1\n{ZEROS}"));
        let import = read_with(&text, &ReadOptions::default());
        assert!((2.5 * import.unit - 1.7).abs() < 1e-5, "{}", import.unit);
        let text =
            text.replace("OFFSET 1 0 0", "OFFSET 0 0 0").replace("OFFSET 0.5 0 0", "OFFSET 0 0 0");
        assert_eq!(read_with(&text, &ReadOptions::default()).unit, 1.0);
    }

    #[test]
    fn options_and_mappings_say_the_unit_instead() {
        let text = bvh::write(&human_walk(1.7), &WriteOptions::default()).unwrap();
        let mapping = MappingFile::parse("unit = 0.02\n[landmarks]\nhead = \"\"").unwrap();
        let import =
            read_with(&text, &ReadOptions { mapping: mapping.clone(), ..Default::default() });
        assert_eq!(import.unit, 0.02);
        assert!(import.warnings.is_empty());
        assert_eq!(import.motion.skeleton().landmark(Landmark::Head), None);
        let options = ReadOptions { unit: Some(0.03), mapping, ..Default::default() };
        assert_eq!(read_with(&text, &options).unit, 0.03);
        for unit in [0.0, -0.01, f32::NAN, f32::INFINITY, 1e30] {
            let options = ReadOptions { unit: Some(unit), ..Default::default() };
            let refused = bvh::read(text.as_bytes(), "", &options);
            assert!(matches!(refused, Err(ReadError::Unit(_))), "{unit}");
        }
        let mapping = MappingFile::parse("[landmarks]\nhips = \"Hipps\"").unwrap();
        let options = ReadOptions { mapping, ..Default::default() };
        let refused = bvh::read(text.as_bytes(), "", &options).unwrap_err().to_string();
        assert_eq!(
            refused,
            "the mapping does not fit the file:\n2:8: no joint is called \"Hipps\"; did you mean \
             \"Hips\"?"
        );
    }

    /// A walk with everything turned: the body at rest and the way it goes.
    fn turned(motion: &Motion, turn: Quat) -> Motion {
        let mut joints = motion.skeleton().joints().to_vec();
        for joint in &mut joints {
            joint.translation = turn * joint.translation;
        }
        let skeleton =
            throng_motion::Skeleton::new(joints, *motion.skeleton().landmarks()).unwrap();
        let roots = motion.roots().iter().map(|root| turn * *root).collect();
        let rotations = (0..motion.frames())
            .flat_map(|frame| motion.rotations(frame).to_vec())
            .map(|rotation| turn * rotation * turn.inverse())
            .collect();
        Motion::new("turned", skeleton.into(), motion.rate(), roots, rotations).unwrap()
    }

    #[test]
    fn bodies_that_face_elsewhere_are_turned_ahead_with_all_they_do() {
        let motion = human_walk(1.7);
        for (degrees, told) in [(180.0f32, "-z"), (90.0, "+x"), (-90.0, "-x"), (37.0, "+z")] {
            let elsewhere = turned(&motion, Quat::from_rotation_y(degrees.to_radians()));
            let text = bvh::write(&elsewhere, &WriteOptions::default()).unwrap();
            let import = read_with(&text, &exact());
            let (angle, place) = differences(&motion, &import.motion);
            assert!(angle < 1e-3 && place < 1e-3, "{degrees}: {angle} {place}");
            let warnings = import.warnings.to_string();
            assert!(
                warnings.starts_with(&format!("at rest the body faces {told}; ")),
                "{warnings}"
            );
            let kept = read_with(&text, &ReadOptions { keep_facing: true, ..exact() });
            assert!(differences(&elsewhere, &kept.motion).1 < 1e-4);
            assert!(kept.warnings.is_empty());
        }
        let hardly = turned(&motion, Quat::from_rotation_y(0.1));
        let import = read_with(&bvh::write(&hardly, &WriteOptions::default()).unwrap(), &exact());
        assert!(import.warnings.is_empty() && differences(&hardly, &import.motion).1 < 1e-4);
    }

    #[test]
    fn z_can_be_up() {
        let motion = human_walk(1.7);
        let z_up = turned(&motion, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
        let text = bvh::write(&z_up, &WriteOptions::default()).unwrap();
        let mapping = MappingFile::parse("up = \"z\"").unwrap();
        for options in [
            ReadOptions { up: Some(Up::Z), ..exact() },
            ReadOptions { mapping: mapping.clone(), ..exact() },
        ] {
            let import = read_with(&text, &options);
            let (angle, place) = differences(&motion, &import.motion);
            assert!(angle < 1e-3 && place < 1e-4, "{angle} {place}");
            assert!(import.warnings.is_empty(), "{}", import.warnings);
        }
        // If nobody says so it is seen, unless somebody says otherwise.
        let import = read_with(&text, &exact());
        assert!(differences(&motion, &import.motion).1 < 1e-4);
        let warnings = import.warnings.to_string();
        assert!(warnings.starts_with("the body is upright along z, at rest and in"), "{warnings}");
        let options = ReadOptions { up: Some(Up::Y), keep_facing: true, ..exact() };
        let import = read_with(&text, &options);
        assert!(differences(&z_up, &import.motion).1 < 1e-4);
        let warnings = import.warnings.to_string();
        assert!(warnings.contains("upright along +z, not y"), "{warnings}");
        // A body that lies at rest and stands in the frames is no reason to think so.
        let lying = turned(&motion, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
        let poses: Vec<Pose> = (0..lying.frames())
            .map(|frame| {
                let mut pose = lying.pose(frame);
                pose.place((Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2), Vec3A::ZERO));
                pose
            })
            .collect();
        let stands = Motion::from_poses("up", lying.skeleton().clone(), 30.0, &poses).unwrap();
        let text = bvh::write(&stands, &WriteOptions::default()).unwrap();
        let import = read_with(&text, &ReadOptions { keep_facing: true, ..exact() });
        assert!(differences(&stands, &import.motion).1 < 1e-4);
    }

    #[test]
    fn exchanged_sides_are_noticed() {
        let text = bvh::write(&human_walk(1.7), &WriteOptions::default()).unwrap();
        let text = text.replace("Left", "#").replace("Right", "Left").replace('#', "Right");
        let import = read_with(&text, &ReadOptions { keep_facing: true, ..exact() });
        assert!(
            import.warnings.to_string().starts_with("the feet point back"),
            "{}",
            import.warnings
        );
    }

    #[test]
    fn a_pose_for_reference_before_the_motion_is_left_out() {
        let motion = human_walk(1.7);
        let skeleton = motion.skeleton().clone();
        let mut poses = vec![Pose::rest(&skeleton)];
        poses.extend((0..motion.frames()).map(|frame| motion.pose(frame)));
        let with = Motion::from_poses("with", skeleton, 30.0, &poses).unwrap();
        let text = bvh::write(&with, &WriteOptions::default()).unwrap();
        let read = |first_frame| read_with(&text, &ReadOptions { first_frame, ..exact() });
        let import = read(FirstFrame::Detect);
        assert_eq!(import.motion.frames(), motion.frames());
        assert!(import.warnings.to_string().contains("pose for reference"), "{}", import.warnings);
        assert_eq!(read(FirstFrame::Keep).motion.frames(), with.frames());
        assert_eq!(read(FirstFrame::Drop).motion.frames(), motion.frames());
        // Nothing is left out of a motion that goes on steadily, or out of too little to tell.
        let text = bvh::write(&motion, &WriteOptions::default()).unwrap();
        let import = read_with(&text, &ReadOptions { unit: Some(0.01), ..Default::default() });
        assert_eq!(import.motion.frames(), motion.frames());
        let text = arm(&format!("Frames: 1\nFrame Time: 0.1\n{ZEROS}"));
        let options = ReadOptions { first_frame: FirstFrame::Drop, ..Default::default() };
        assert_eq!(read_with(&text, &options).motion.frames(), 1);
    }

    #[test]
    fn a_body_without_a_place_at_rest_stands_on_the_ground() {
        let motion = human_walk(1.7);
        let text = bvh::write(&motion, &WriteOptions::default()).unwrap();
        let text = text.replacen("OFFSET 0 90.61 0", "OFFSET 0 0 0", 1);
        let import = read_with(&text, &exact());
        let skeleton = import.motion.skeleton();
        let ankle = skeleton.rest_position(skeleton.landmark(Landmark::LeftFoot).unwrap());
        assert!((0.02..0.14).contains(&ankle.y), "{ankle}");
        assert!(differences(&motion, &import.motion).1 < 1e-4, "the frames are as they were");
    }
}

mod faults {
    use super::*;

    fn frames() -> String {
        format!("Frames: 2\nFrame Time: 0.1\n{ZEROS}{ZEROS}")
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let good = arm(&frames());
        assert!(read(&good).warnings.is_empty());
        for (from, to, told) in [
            ("HIERARCHY", "HIERARCHI", "1:1: a BVH file begins with HIERARCHY"),
            ("ROOT Hips", "JOINT Hips", "2:1: expected ROOT or MOTION, found \"JOINT\""),
            ("OFFSET 0 1 0", "OFFSET 0 x 0", "4:11: \"x\" is not a number"),
            ("OFFSET 0 1 0", "OFFSET 0 1", "5:2: \"CHANNELS\" is not a number"),
            ("OFFSET 0 1 0", "OFFSET 0 inf 0", "4:11: \"inf\" is not a finite number"),
            (
                "OFFSET 0 1 0",
                "OFFSET 0 1 0\n\tOFFSET 0 1 0",
                "5:2: joint \"Hips\" has a second OFFSET",
            ),
            (
                "CHANNELS 6",
                "CHANNELS 7",
                "5:11: expected a number of channels up to 6, found \"7\"",
            ),
            ("CHANNELS 6", "CHANNELS -1", "5:11: expected a number of channels"),
            ("CHANNELS 6", "CHANNELS 99999999999999999999", "5:11: expected a number of channels"),
            ("CHANNELS 6", "CHANNELS 5", "5:63: CHANNELS says 5, but goes on with \"Yrotation\""),
            (
                "Xposition",
                "Xpositon",
                "5:13: \"Xpositon\" is not a channel; did you mean Xposition?",
            ),
            ("Xposition", "W", "5:13: \"W\" is not a channel; there are Xposition, "),
            ("Yposition", "Xposition", "5:23: \"Xposition\" comes twice"),
            (
                "\t{\n\t\tOFFSET",
                "\tOFFSET",
                "7:2: expected { after the name of joint \"Arm\", found",
            ),
            (
                "End Site",
                "Bend Site",
                "14:4: expected OFFSET, CHANNELS, JOINT, End Site or } of joint",
            ),
            ("OFFSET 0.5 0 0", "OFFSET 0.5 0 }", "16:18: \"}\" is not a number"),
            (
                "}\n\t}\n}\nMOTION",
                "}\n\t}\nMOTION",
                "20:1: MOTION begins inside joint \"Hips\"; a } is",
            ),
            ("Frames: 2", "Frames: two", "22:9: expected a number of frames, found \"two\""),
            ("Frames: 2", "Frames: -2", "22:9: expected a number of frames, found \"-2\""),
            ("Frames: 2\n", "", "22:1: expected \"Frames:\" and a number, found \"Frame\""),
            ("Frame Time: 0.1\n", "", "23:1: expected \"Frame Time:\" and a number, found \"0\""),
            ("Frame Time: 0.1", "Frame Time: 0", "23:13: a frame cannot take 0 s"),
            ("Frame Time: 0.1", "Frame Time: -1", "23:13: a frame cannot take -1 s"),
            ("Frame Time: 0.1", "Frame Time: nan", "23:13: \"nan\" is not a finite number"),
            ("0 1 0 0", "0 1 0 zero", "24:7: \"zero\" is not a number"),
            ("0 1 0 0", "0 NaN 0 0", "24:3: \"NaN\" is not a finite number"),
            ("0 1 0 0", "0 1,5 0 0", "24:3: \"1,5\" is not a number; write 1.5, with a point"),
            ("0 1 0 0", "0 1e39 0 0", "24:3: \"1e39\" is too large"),
            ("0 1 0 0", "0 1 0 0 0", "24:25: frame 1 has 12 numbers, but this line has more; is"),
            (
                "0 1 0 0",
                "0 1 0",
                "25:3: frame 1 has 12 numbers, but this line and those before have",
            ),
        ] {
            assert!(good.contains(from), "{from}");
            let told_here = error(&good.replacen(from, to, 1));
            assert!(told_here.starts_with(told), "{told_here}\nexpected {told}");
        }
        assert!(
            error("").starts_with("1:1: a BVH file begins with HIERARCHY; here it begins with the")
        );
        assert_eq!(error("HIERARCHY MOTION Frames: 1"), "1:17: there is no ROOT before MOTION");
    }

    #[test]
    fn what_can_be_put_right_is_and_told() {
        let warned = |text: &str| read(text).warnings.to_string();
        let good = arm(&frames());
        let twice = warned(&good.replace("JOINT Hand", "JOINT Arm"));
        assert_eq!(
            twice,
            "10:3: another joint is called \"Arm\", too; this one is called \"Arm_2\""
        );
        let nameless = warned(&good.replace("JOINT Arm", "JOINT"));
        assert_eq!(nameless, "6:2: a joint has no name; it is called \"Joint2\"");
        let unplaced = warned(&good.replace("OFFSET 0 1 0\n", ""));
        assert!(unplaced.starts_with("2:1: joint \"Hips\" has no OFFSET; "), "{unplaced}");
        for (declared, count) in [(1, 2), (3, 2), (u64::MAX, 2)] {
            let told = warned(&good.replace("Frames: 2", &format!("Frames: {declared}")));
            let expected =
                format!("the file says that it has {declared} frames, but has {count}; ");
            assert!(told.contains(&expected), "{told}");
        }
        let none = read(&arm("Frames: 0\nFrame Time: 0.1\n"));
        assert_eq!(none.motion.frames(), 1);
        assert!(
            none.warnings.to_string().contains("there are no frames; the body is read as it is")
        );
        let still = read(&arm(&format!("Frames: 1\nFrame Time: 0\n{ZEROS}")));
        assert_eq!(still.motion.rate(), 30.0);
        assert!(still.warnings.to_string().contains("23:13: a frame cannot take 0 s; 1/30 s is"));
        let stiff = "HIERARCHY ROOT A\n{ OFFSET 0 1 0 }\nMOTION\nFrames: 9\nFrame Time: 0.1\n";
        assert!(warned(stiff).contains("no joint has channels"));
        let bytes = good.replace("JOINT Arm", "JOINT \u{1}Ã").into_bytes();
        let latin: Vec<u8> = bytes.into_iter().filter(|byte| *byte != 0x83).collect();
        let import = bvh::read(&latin, "", &ReadOptions::default()).unwrap();
        assert!(import.warnings.to_string().starts_with("the text is not UTF-8; "));
    }

    #[test]
    fn of_several_bodies_the_first_is_read_with_its_own_numbers() {
        let second =
            "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION";
        let text = arm("Frames: 1\nFrame Time: 0.1\n1 2 3 0 0 0 0 0 0 90 0 0 7 8 9\n");
        let import = read(&text.replace("MOTION", second));
        assert_eq!(import.motion.skeleton().len(), 3);
        assert!(close(at(&import, 0, "Hips"), [1.0, 2.0, 3.0]));
        let told = import.warnings.iter().next().unwrap();
        assert_eq!(told.place, Place::Line { line: 21, column: 1 });
        assert_eq!(
            told.to_string(),
            "21:1: the file has 2 roots; only the body of the first, \"Hips\", is read"
        );
    }

    #[test]
    fn a_file_cut_off_anywhere_is_read_as_far_as_it_goes_or_refused() {
        let rows: String = (0..4).map(|row| format!("{row} 1 2 10 20 30 1 2 3 4 5 6\n")).collect();
        let text = arm(&format!("Frames: 4\nFrame Time: 0.1\n{rows}"));
        let whole = read(&text).motion;
        let options = ReadOptions { unit: Some(1.0), ..ReadOptions::default() };
        let mut read_in_part = 0;
        for end in 0..text.len() {
            let Ok(import) = bvh::read(&text.as_bytes()[..end], "cut", &options) else { continue };
            read_in_part += 1;
            let frames = import.motion.frames();
            assert!(frames <= 4);
            assert!(frames == 4 || !import.warnings.is_empty(), "{end}");
            for frame in 0..frames - 1 {
                assert_eq!(import.motion.pose(frame), whole.pose(frame));
            }
        }
        assert!(read_in_part > 60, "{read_in_part}");
    }

    #[test]
    fn depth_and_numbers_have_limits_but_the_stack_has_not() {
        let nested = |depth: usize, width: usize| {
            let mut text =
                String::from("HIERARCHY\nROOT j\n{\nOFFSET 0 1 0\nCHANNELS 1 Xposition\n");
            for index in 1..depth {
                text += &format!("JOINT j{index}\n{{\nOFFSET 0 0 1\n");
            }
            text += &"}\n".repeat(depth);
            text += &format!("MOTION\nFrames: {width}\nFrame Time: 0.1\n");
            text + &"0\n".repeat(width)
        };
        assert_eq!(read(&nested(4096, 2)).motion.skeleton().len(), 4096);
        assert!(error(&nested(4097, 2)).ends_with("there are more than 4096 joints"));
        // A few bytes a frame must not become 64 KiB each for as long as the file goes on.
        let told = error(&nested(4096, 1 << 15));
        assert!(told.ends_with("there are more than the 16384 frames that can be read"), "{told}");
        let unclosed = "HIERARCHY\n".to_owned() + &"ROOT a {".repeat(100_000);
        assert!(error(&unclosed).starts_with("2:9: expected OFFSET"));
        let same = nested(4000, 1);
        let same =
            (1..4000).rev().fold(same, |text, index| text.replace(&format!("j{index}\n"), "j\n"));
        let import = read(&same);
        assert_eq!((import.motion.skeleton().len(), import.warnings.len()), (4000, 3999));
    }

    /// A file with everything in it.
    fn valid() -> Vec<u8> {
        let human = Human::new(Proportions::of_height(1.7)).unwrap();
        let motion = walk(human.skeleton(), 3);
        bvh::write(&motion, &WriteOptions::default()).unwrap().into_bytes()
    }

    fn mutations() -> impl Strategy<Value = Vec<(usize, usize, Vec<u8>)>> {
        let words = prop::sample::select(vec![
            "{",
            "}",
            "\n",
            "ROOT ",
            "JOINT",
            "End Site",
            "CHANNELS 6",
            "OFFSET",
            "MOTION",
            "nan",
            "1e400",
            "-",
            "Frames: 99999999999999999999",
            "\0",
            "\u{feff}",
            "é",
            "1e9",
            ":",
            "\r",
        ]);
        let piece = prop_oneof![
            words.prop_map(|word: &str| word.as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ];
        prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, piece), 1..6).prop_map(
            |changes| {
                changes
                    .into_iter()
                    .map(|(at, cut, piece)| (at.index(1 << 20), cut, piece))
                    .collect()
            },
        )
    }

    proptest! {
        #[test]
        fn damaged_files_never_panic(changes in mutations(), z_up in any::<bool>()) {
            let mut bytes = valid();
            for (at, cut, piece) in changes {
                let at = at % (bytes.len() + 1);
                let end = (at + cut).min(bytes.len());
                bytes.splice(at..end, piece);
            }
            let up = z_up.then_some(Up::Z);
            let options = ReadOptions { up, ..ReadOptions::default() };
            if let Ok(import) = bvh::read(&bytes, "damaged", &options) {
                // What is read is sound: it can be posed, listed and written again.
                let skeleton = import.motion.skeleton();
                let model = ModelPose::of(skeleton, &import.motion.pose(0));
                prop_assert!(model.positions.iter().all(|at| at.is_finite()));
                prop_assert!(!import.landmarks.listing(skeleton).is_empty());
                let text = bvh::write(&import.motion, &WriteOptions::default()).unwrap();
                let options = ReadOptions { keep_facing: true, ..exact() };
                let again = bvh::read(text.as_bytes(), "again", &options);
                prop_assert!(again.is_ok(), "{:?}", again.err());
            }
        }

        #[test]
        fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = bvh::read(&bytes, "random", &ReadOptions::default());
            let mut begun = b"HIERARCHY ROOT a { OFFSET 0 0 0 ".to_vec();
            begun.extend(bytes);
            let _ = bvh::read(&begun, "random", &ReadOptions::default());
        }
    }
}
