//! `throng survey`.

use std::fmt::Write;

use crate::support::{Folder, shipped_scenes};

/// A floor of 6 m by 4 m with y up, and a box of 1 m³ on it.
fn room(scale: f64) -> String {
    let mut text = String::new();
    let mut quad = |corners: [[f64; 3]; 4]| {
        for corner in corners {
            let [x, y, z] = corner.map(|c| c * scale);
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        text += "f -4 -3 -2 -1\n";
    };
    quad([[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 0.0, -4.0], [0.0, 0.0, -4.0]]);
    quad([[2.0, 1.0, -1.0], [3.0, 1.0, -1.0], [3.0, 1.0, -2.0], [2.0, 1.0, -2.0]]);
    text
}

#[test]
fn a_model_becomes_a_scene_that_can_be_checked_and_drawn() {
    let folder = Folder::new();
    std::fs::copy(shipped_scenes().join("station.obj"), folder.path("station.obj")).unwrap();
    let survey = ["survey", "station.obj", "-o", "made.toml", "--start", "-10,25,0"];
    let printed = folder.throng(&survey).ok();
    for expected in [
        "station.obj: 1,660 triangles\n",
        "floor 1: 467 m² at 5.00 m\n",
        "ramp from floor 0 to floor 1: 2.4 m wide",
        "1 piece of connected ground; the narrowest way that cannot be avoided is about 1.0 m wide\n",
        "made.toml and 4 files beside it\n",
    ] {
        assert!(printed.contains(expected), "no {expected:?} in {printed}");
    }
    let files = ["made.floor-0.png", "made.floor-0.wkt", "made.floor-1.png", "made.floor-1.wkt"];
    assert_eq!(folder.files()[..4], files);
    folder.throng(&["check", "made.toml"]).ok();
    folder.throng(&["plot", "made.toml", "-o", "upper.png", "--layer", "floor 1"]).ok();
    // What ships is what comes out.
    for (made, shipped) in files.map(|made| (made, made.replace("made", "station"))) {
        assert!(
            folder.read(made) == std::fs::read(shipped_scenes().join(shipped)).unwrap(),
            "{made}"
        );
    }
    let message = folder.throng(&survey).fails(2);
    assert!(message.contains("made.toml already exists"), "{message}");
    let again = [&survey[..], &["--force", "--json"]].concat();
    let summary = folder.throng(&again).json();
    assert_eq!((&summary["pieces"], &summary["floors"][1]["elevation"]), (&1.into(), &5.0.into()));
    assert_eq!(summary["joints"].as_array().unwrap().len(), 4);
}

#[test]
fn units_and_axes_are_what_was_said() {
    let folder = Folder::new();
    folder.write("room.obj", room(1.0));
    folder.write("millimetres.obj", room(1000.0));
    folder.throng(&["survey", "room.obj", "-o", "a.toml"]).ok();
    folder.throng(&["survey", "millimetres.obj", "-o", "b.toml", "--unit", "mm"]).ok();
    let plan = String::from_utf8(folder.read("a.floor-0.wkt")).unwrap();
    assert!(plan.starts_with("POLYGON ((") && plan.contains("2 1"), "{plan}");
    assert_eq!(folder.read("a.floor-0.wkt"), folder.read("b.floor-0.wkt"));
    // Lying on its side, the room has no ground, only its box has some.
    let message = folder.throng(&["survey", "room.obj", "-o", "c.toml", "--up", "z"]).fails(2);
    assert!(message.contains("nowhere to walk") && message.contains("axis"), "{message}");
    assert!(!folder.path("c.toml").exists());
}

#[test]
fn mistakes_are_refused_and_leave_nothing_behind() {
    let folder = Folder::new();
    folder.write("room.obj", room(1.0));
    folder.write("large.obj", room(1000.0));
    folder.write("small.obj", room(0.001));
    folder.write("broken.obj", "v 0 0 0\nf 1 2 x\n");
    for (rest, reason) in [
        ("none.obj", "none.obj: No such file"),
        ("broken.obj", "broken.obj:2: \"x\" is not the number of a vertex"),
        ("large.obj", "large.obj: 6000 m by 4000 m in cells of 0.2 m are more than"),
        ("small.obj", "its lengths are not in metres"),
        ("room.obj --cell 0", "cell is 0; it must be from 0.02 to 2 m"),
        ("room.obj --max-step -1", "the highest step is -1; it must be from 0 to 1 m"),
        ("room.obj --start 50,50,0", "nobody can stand at [50, 50]"),
        ("room.obj --start 1,2", "three numbers in metres"),
        ("room.obj --unit ft", "possible values: m, cm, mm"),
    ] {
        folder.refuses(&format!("survey -o a.toml {rest}"), reason);
    }
    folder.refuses(
        "survey room.obj -o room.obj --force",
        "room.obj is not the name of a scene; end it with .toml",
    );
    assert_eq!(folder.files(), ["broken.obj", "large.obj", "room.obj", "small.obj"]);
    // A file in the way of one of several.
    folder.write("a.floor-0.wkt", "mine");
    folder.refuses("survey room.obj -o a.toml", "a.floor-0.wkt already exists");
    assert_eq!((folder.files().len(), folder.read("a.floor-0.wkt")), (5, b"mine".to_vec()));
}
