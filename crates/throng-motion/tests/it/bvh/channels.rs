//! Channels in any order and number.

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
    assert!(warnings.contains("joint \"B\" moves, and its root does not carry it"), "{warnings}");
    assert_eq!(import.warnings.len(), 1, "{warnings}");
    // The root is turned by a quarter about y, so that its z is the world's x.
    assert!(close(at(&import, 0, "B"), [0.0, 2.0, 0.0]));
    assert!(close(at(&import, 1, "B"), [1.0, 2.0, 0.0]), "{}", at(&import, 1, "B"));
    assert!(close(at(&import, 1, "C"), [1.0, 5.0, 0.0]));
}
