//! `throng export`.

use crate::support::{Folder, HALL, parse};

fn recorded(scene: &str) -> Folder {
    let folder = Folder::with_scene(scene);
    folder.throng(&["run", "hall.toml"]).ok();
    folder
}

#[test]
fn a_recording_is_written_in_every_format() {
    let folder = recorded(HALL);
    let facts = folder.throng(&["info", "hall.parquet", "--json"]).json();
    for (format, file) in
        [("csv", "a.csv"), ("jupedsim-sqlite", "a.sqlite"), ("jupedsim-txt", "a.txt")]
    {
        let export = ["export", "hall.parquet", "--to", format, "-o", file];
        let printed = folder.throng(&export).ok();
        assert!(printed.starts_with(&format!("{file}: {format}, 41 frames at 10 fps, ")));
        let message = folder.throng(&export).fails(2);
        assert!(message.contains(&format!("{file} already exists; choose")), "{message}");

        let summary = folder.throng(&[&export[..], &["--force", "--json"]].concat()).json();
        assert_eq!((&summary["format"], &summary["file"]), (&format.into(), &file.into()));
        assert_eq!((&summary["rows"], &summary["fps"]), (&facts["rows"], &10.0.into()));
        assert_eq!(summary["bytes"], folder.read(file).len());
    }
    assert_eq!(
        folder.files(),
        ["a.csv", "a.sqlite", "a.txt", "hall.parquet", "hall.toml"],
        "nothing is left over"
    );
}

#[test]
fn a_rate_and_a_floor_can_be_chosen() {
    let two = HALL.replace(
        "[[obstacles]]",
        "[[layers]]\nname = \"hall\"\n[[layers]]\nname = \"gallery\"\n[[obstacles]]",
    );
    let folder = recorded(&two);
    let export = ["export", "hall.parquet", "--to", "jupedsim-txt", "-o", "a.txt"];
    let message = folder.throng(&export).fails(2);
    assert!(message.contains("choose a floor with --layer"), "{message}");
    let message = folder.throng(&[&export[..], &["--layer", "attic"]].concat()).fails(2);
    assert!(message.contains("its floors are \"hall\", \"gallery\""), "{message}");
    let summary =
        folder.throng(&[&export[..], &["--layer", "hall", "--fps", "5", "--json"]].concat()).json();
    assert_eq!((&summary["layer"], &summary["frames"]), (&"hall".into(), &21.into()));
    folder.throng(&[&export[..], &["--all-layers", "--force"]].concat()).ok();
    folder.throng(&[&export[..], &["--all-layers", "--layer", "hall"]].concat()).fails(2);
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let folder = recorded(HALL);
    for (rest, reason) in [
        ("hall.toml --to csv -o a", "hall.toml is not a Parquet file"),
        ("no.parquet --to csv -o a", "cannot open no.parquet"),
        ("hall.parquet --to xlsx -o a", "possible values: csv, jupedsim-sqlite"),
        ("hall.parquet --to csv -o a --bare", "--bare is for glb and bvh"),
        ("hall.parquet --to glb -o a --layer x", "--layer is for tables"),
        ("hall.parquet --to glb -o a --fps 0", "0 frames per second"),
        ("hall.parquet --to glb -o a --from 99", "from 0 s until 4 s"),
        ("hall.parquet --to bvh -o a --person 9999", "nobody with that id"),
        ("hall.parquet --to glb -o a --people x", "e.g. 3,7-12"),
        ("hall.parquet --to csv", "--out <OUT>"),
        ("hall.parquet --to csv -o a --fps -3", "-3 frames per second"),
        ("hall.parquet --to csv -o hall.parquet --force", "hall.parquet is the recording"),
        ("hall.parquet --to csv -o .", "cannot write to .: it is a folder"),
    ] {
        folder.refuses(&format!("export {rest}"), reason);
    }
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml"]);
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_half_of_a_file() {
    let folder = recorded(HALL);
    for format in ["csv", "jupedsim-sqlite", "jupedsim-txt"] {
        let export = ["export", "hall.parquet", "--to", format, "-o", "a"];
        let outcome = folder.throng_in_shell("trap '' XFSZ; ulimit -f 20", &export);
        let message = outcome.fails(1);
        assert!(message.contains("cannot write a"), "{message}");
    }
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml"]);
}

#[test]
fn warnings_go_to_standard_error_and_into_the_document() {
    let open = HALL.replace(
        "goals = [{ flow = [-1, 0], duration = 0.5 }, { seek = \"door\" }]",
        "goals = [{ flow = [1, 0] }]",
    );
    let folder = recorded(&open);
    let export = ["export", "hall.parquet", "--to", "jupedsim-sqlite", "-o", "a", "--json"];
    let outcome = folder.throng(&export);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let warning = parse(&outcome.out)["warnings"][0].as_str().unwrap().to_owned();
    assert!(warning.contains("positions lie outside of the world's bounds"), "{warning}");
    assert_eq!(outcome.err, format!("warning: {warning}\n"));
}

#[test]
fn a_crowd_with_bodies_is_written() {
    let folder = recorded(HALL);
    let part = ["--until", "1", "--looks", "2", "--people", "5", "--fps", "25"];
    let export = [&["export", "hall.parquet", "--to", "glb", "-o", "a.glb"], &part[..]].concat();
    let printed = folder.throng(&export).ok();
    assert!(printed.starts_with("a.glb: glb, 5 people, 1 s at 25 fps, "), "{printed}");
    assert!(printed.contains("feet slide median"), "{printed}");
    let bytes = folder.read("a.glb");
    assert_eq!(&bytes[..4], b"glTF");
    let message = folder.throng(&export).fails(2);
    assert!(message.contains("a.glb already exists"), "{message}");
    let bare = folder.throng(&[&export[..], &["--bare", "--force", "--json"]].concat()).json();
    assert!(bare["bytes"].as_u64().unwrap() < bytes.len() as u64, "without floor and walls");
    assert_eq!((&bare["people"], &bare["frames"]), (&5.into(), &26.into()));
    assert!(bare["slip"]["frame_mm"]["p99"].is_number(), "{bare}");

    let export = [&["export", "hall.parquet", "--to", "bvh", "-o", "people"], &part[..]].concat();
    let summary = folder.throng(&[&export[..], &["--json"]].concat()).json();
    assert_eq!(summary["files"].as_array().unwrap().len(), 5);
    let one = summary["files"][0]["file"].as_str().unwrap();
    assert!(folder.read(one).starts_with(b"HIERARCHY\nROOT Hips"));
}

#[test]
fn sliding_feet_are_told_beside_those_of_plain_motion() {
    let folder = recorded(HALL);
    let skate = folder.throng(&["info", "hall.parquet", "--skate", "--json"]).json();
    let at = |which: &str, what: &str| skate[which]["frame_mm"][what].as_f64().unwrap();
    assert!(at("planted", "p50") < at("plain", "p50"), "{skate}");
    assert!(skate["planted"]["worst"][0]["person"].is_number(), "{skate}");
    let printed = folder.throng(&["info", "hall.parquet", "--skate"]).ok();
    for expected in ["in 1/25 s", "not planted", "in a stance", "dragged", "person "] {
        assert!(printed.contains(expected), "no {expected:?} in {printed}");
    }
    folder.throng(&["info", "hall.parquet", "--skate", "--repair"]).fails(2);
}

#[test]
fn clones_are_looked_for() {
    let folder = recorded(HALL);
    let clones = folder.throng(&["info", "hall.parquet", "--clones", "--json"]).json();
    assert!(clones["pairs"].as_u64().is_some_and(|pairs| pairs > 0), "{clones}");
    assert!(clones["clones"].as_f64().is_some_and(|share| share < 0.01), "{clones}");
    let printed = folder.throng(&["info", "hall.parquet", "--clones"]).ok();
    assert!(printed.contains("pairs"), "{printed}");
    folder.throng(&["info", "hall.parquet", "--clones", "--repair"]).fails(2);
}
