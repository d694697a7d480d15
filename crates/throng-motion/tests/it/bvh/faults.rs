//! Files that are wrong.

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
        ("OFFSET 0 1 0", "OFFSET 0 1 0\n\tOFFSET 0 1 0", "5:2: joint \"Hips\" has a second OFFSET"),
        ("CHANNELS 6", "CHANNELS 7", "5:11: expected a number of channels up to 6, found \"7\""),
        ("CHANNELS 6", "CHANNELS -1", "5:11: expected a number of channels"),
        ("CHANNELS 6", "CHANNELS 99999999999999999999", "5:11: expected a number of channels"),
        ("CHANNELS 6", "CHANNELS 5", "5:63: CHANNELS says 5, but goes on with \"Yrotation\""),
        ("Xposition", "Xpositon", "5:13: \"Xpositon\" is not a channel; did you mean Xposition?"),
        ("Xposition", "W", "5:13: \"W\" is not a channel; there are Xposition, "),
        ("Yposition", "Xposition", "5:23: \"Xposition\" comes twice"),
        ("\t{\n\t\tOFFSET", "\tOFFSET", "7:2: expected { after the name of joint \"Arm\", found"),
        ("End Site", "Bend Site", "14:4: expected OFFSET, CHANNELS, JOINT, End Site or } of joint"),
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
        ("0 1 0 0", "0 1 0", "25:3: frame 1 has 12 numbers, but this line and those before have"),
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
    assert_eq!(twice, "10:3: another joint is called \"Arm\", too; this one is called \"Arm_2\"");
    let nameless = warned(&good.replace("JOINT Arm", "JOINT"));
    assert_eq!(nameless, "6:2: a joint has no name; it is called \"Joint2\"");
    let unplaced = warned(&good.replace("OFFSET 0 1 0\n", ""));
    assert!(unplaced.starts_with("2:1: joint \"Hips\" has no OFFSET; "), "{unplaced}");
    for (declared, count) in [(1, 2), (3, 2), (u64::MAX, 2)] {
        let told = warned(&good.replace("Frames: 2", &format!("Frames: {declared}")));
        let expected = format!("the file says that it has {declared} frames, but has {count}; ");
        assert!(told.contains(&expected), "{told}");
    }
    let none = read(&arm("Frames: 0\nFrame Time: 0.1\n"));
    assert_eq!(none.motion.frames(), 1);
    assert!(none.warnings.to_string().contains("there are no frames; the body is read as it is"));
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
    let second = "ROOT Other\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION";
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
        let mut text = String::from("HIERARCHY\nROOT j\n{\nOFFSET 0 1 0\nCHANNELS 1 Xposition\n");
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
            changes.into_iter().map(|(at, cut, piece)| (at.index(1 << 20), cut, piece)).collect()
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
