//! `throng animate`.

use std::fmt::Write as _;

use crate::support::{Folder, HALL};

/// Two people who walk, seen five times a second, and one who is seen once.
fn tracks() -> String {
    let mut text = String::from("id,time,x,y\n");
    for sample in 0..30 {
        let time = 0.2 * f64::from(sample);
        writeln!(text, "1,{time:.1},{:.3},0", 1.3 * time).unwrap();
        writeln!(text, "2,{time:.1},{:.3},2", 8.0 - 1.1 * time).unwrap();
    }
    text + "3,1.0,4,4\n"
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tracks.csv", tracks());
    folder
}

#[test]
fn tracks_become_a_film_with_a_report() {
    let folder = folder();
    let printed = folder.throng(&["animate", "tracks.csv", "-o", "a.glb", "--looks", "2"]).ok();
    for expected in [
        "tracks.csv: 3 people",
        "3 people in 3 stretches",
        "within 10 cm",
        "times real time",
        "a.glb: 175 frames",
    ] {
        assert!(printed.contains(expected), "no {expected:?} in {printed}");
    }
    assert_eq!(&folder.read("a.glb")[..4], b"glTF");
    assert_eq!(folder.files(), ["a.glb", "tracks.csv"], "nothing is left over");
    folder.refuses("animate tracks.csv -o a.glb", "a.glb already exists");
}

#[test]
fn tracks_become_a_recording_of_bodies_near_them() {
    let folder = folder();
    let animate =
        ["animate", "tracks.csv", "-o", "a.parquet", "--looks", "2", "--rate", "5", "--json"];
    let summary = folder.throng(&animate).json();
    assert_eq!((&summary["people"], &summary["fps"]), (&3.into(), &5.0.into()));
    assert!(summary["within_10_cm"].as_f64().unwrap() > 0.9, "{summary}");
    assert!(summary["slip"]["frame_mm"]["p95"].as_f64().unwrap() < 1.0, "{summary}");
    let facts = folder.throng(&["info", "a.parquet", "--json"]).json();
    assert_eq!((&facts["people"], &facts["frames"]), (&3.into(), &30.into()));
    assert_eq!(facts["imported_from"], "tracks.csv (csv)");
    // It can be animated again, and drawn.
    folder.throng(&["animate", "a.parquet", "-o", "b.glb", "--looks", "1", "--until", "1"]).ok();
    folder.throng(&["plot", "a.parquet", "-o", "a.png"]).ok();
}

#[test]
fn recordings_of_simulations_can_be_animated() {
    let folder = Folder::with_scene(HALL);
    folder.throng(&["run", "hall.toml"]).ok();
    let animate = ["animate", "hall.parquet", "-o", "a.glb", "--people", "3", "--until", "1"];
    let summary = folder.throng(&[&animate[..], &["--json"]].concat()).json();
    assert_eq!(summary["people"], 3);
}

#[test]
fn tracks_that_make_no_sense_are_told() {
    let folder = folder();
    let bad = |name: &str, row: &str| folder.write(name, tracks() + row);
    bad("nan.csv", "1,6.0,NaN,0\n");
    bad("twice.csv", "1,1.0,9,9\n");
    folder.write("none.csv", "id,time,x,y\n");
    folder.write("cm.csv", tracks().replace("id,time,x,y", "id,time,x,y,vx,vy"));
    let mut cm = String::from("id,time,x,y\n");
    (0..30).for_each(|i| writeln!(cm, "1,{:.1},{},0", 0.2 * f64::from(i), 26 * i).unwrap());
    folder.write("cm.csv", cm);
    for (rest, reason) in [
        ("nan.csv -o a.glb", "nan.csv:63"),
        ("twice.csv -o a.glb", "is in frame"),
        ("none.csv -o a.glb", "no rows"),
        ("cm.csv -o a.glb", "--unit cm"),
        ("no.csv -o a.glb", "no.csv"),
        ("tracks.csv -o a.fbx", "neither a film (.glb) nor a recording"),
        ("tracks.csv -o tracks.csv --force", "tracks.csv is the file with the tracks"),
        ("tracks.csv -o a.glb --tolerance -1", "--tolerance is -1 m"),
        ("tracks.csv -o a.glb --noise 0", "noise"),
        ("tracks.csv -o a.glb --fps -5", "-5 frames per second"),
        ("tracks.csv -o a.parquet --rate 0", "0 frames per second"),
    ] {
        folder.refuses(&format!("animate {rest}"), reason);
    }
    assert!(!folder.files().iter().any(|name| name.starts_with("a.")), "{:?}", folder.files());
}

#[test]
fn odd_speeds_jumps_and_disorder_are_reported_and_survived() {
    let folder = Folder::new();
    let mut rows: Vec<String> = Vec::new();
    for sample in 0..40 {
        let time = 0.2 * f64::from(sample);
        let jumps = if sample < 20 { 0.0 } else { 60.0 };
        // Standing, creeping, racing, and somebody who is put elsewhere.
        for (id, x) in [(1, 0.0), (2, 0.01 * time), (3, 30.0 * time), (4, 1.2 * time + jumps)] {
            rows.push(format!("{id},{time:.1},{x:.3},{}", 3 * id));
        }
    }
    rows.reverse();
    folder.write("odd.csv", format!("id,time,x,y\n{}\n", rows.join("\n")));
    let outcome =
        folder.throng(&["animate", "odd.csv", "-o", "a.parquet", "--looks", "1", "--json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let summary = crate::support::parse(&outcome.out);
    assert!(summary["found"]["jumps"]["count"].as_u64().unwrap() >= 1, "{summary}");
    assert_eq!(summary["people"], 4);
}
