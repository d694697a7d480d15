//! Where output goes, and what happens if it cannot go there.

use std::process::Stdio;

use crate::support::{Folder, HALL, Outcome};

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::with_scene(HALL);
    for arguments in [
        &["schema"][..],
        &["completions", "bash"],
        &["--help"],
        &["check", "hall.toml"],
        &["bench", "--list"],
        &["run", "hall.toml", "--no-record"],
        &["run", "hall.toml"],
        &["export", "hall.parquet", "--to", "csv", "-o", "hall.csv"],
        &["import", "hall.csv", "-o", "again.parquet"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(arguments);
        command.stdout(writer);
        let outcome = Outcome::of(&mut command);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_bad_scene_is_bad_even_if_nobody_reads_on() {
    let folder = Folder::with_scene(crate::support::BROKEN);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = folder.command(&["check", "hall.toml", "--json"]);
    assert_eq!(Outcome::of(command.stdout(writer)).code, Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_a_failure() {
    let folder = Folder::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = folder.command(&["schema"]);
    let outcome = Outcome::of(command.stdout(full));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.starts_with("error: cannot write to standard output"), "{}", outcome.err);
}

#[test]
#[cfg(unix)]
fn a_disk_that_is_full_keeps_the_frames_that_fit() {
    let folder = Folder::with_scene(&crate::support::endless_hall());
    // Without the trap, the signal of the limit would end the process like a crash.
    let limit = "trap '' XFSZ; ulimit -f 4000";
    let message = folder.throng_in_shell(limit, &["run", "hall.toml"]).fails(1);
    assert!(message.starts_with("error: recording to hall.parquet stopped"), "{message}");
    assert!(message.trim_end().ends_with("frames are safe"), "{message}");
    let facts = folder.throng(&["info", "hall.parquet", "--json"]).json();
    let safe = format!("first {} frames are safe", facts["frames"]);
    assert!(message.contains(&safe), "{message}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_is_no_place_for_a_recording() {
    let folder = Folder::with_scene(HALL);
    folder.refuses("run hall.toml --out /dev/full --force", "it is not a regular file");
}

#[test]
fn standard_error_may_be_closed_as_well() {
    let folder = Folder::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = folder.command(&["run", "no.toml"]);
    command.stderr(writer).stdout(Stdio::null());
    assert_eq!(Outcome::of(&mut command).code, Some(2));
}
