//! What a file leaves unsaid.

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
            let text = bvh::write(&motion, &WriteOptions { unit, ..Default::default() }).unwrap();
            let import = read_with(&text, &ReadOptions::default());
            assert_eq!(import.unit, unit, "{height} m in {unit} m");
            let warnings = warned(&import);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            let told = format!("the format has no unit of length; {unit} m per unit are assumed");
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
    let import = read_with(&text, &ReadOptions { mapping: mapping.clone(), ..Default::default() });
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
    let skeleton = throng_motion::Skeleton::new(joints, *motion.skeleton().landmarks()).unwrap();
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
        assert!(warnings.starts_with(&format!("at rest the body faces {told}; ")), "{warnings}");
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
    assert!(import.warnings.to_string().starts_with("the feet point back"), "{}", import.warnings);
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
