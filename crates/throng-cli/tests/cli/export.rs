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
    for (arguments, expected) in [
        (&["hall.toml", "--to", "csv", "-o", "a"][..], "hall.toml is not a Parquet file"),
        (&["no.parquet", "--to", "csv", "-o", "a"], "cannot open no.parquet"),
        (&["hall.parquet", "--to", "xlsx", "-o", "a"], "possible values: csv, jupedsim-sqlite"),
        (&["hall.parquet", "--to", "csv"], "--out <OUT>"),
        (&["hall.parquet", "--to", "csv", "-o", "a", "--fps", "-3"], "-3 frames per second"),
        (
            &["hall.parquet", "--to", "csv", "-o", "hall.parquet", "--force"],
            "hall.parquet is the recording",
        ),
        (&["hall.parquet", "--to", "csv", "-o", "."], "cannot write to .: it is a folder"),
    ] {
        let message = folder.throng(&[&["export"], arguments].concat()).fails(2);
        assert!(message.contains(expected), "{message}");
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
