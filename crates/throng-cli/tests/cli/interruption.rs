//! Runs that are ended from outside.
#![cfg(unix)]

use std::process::{Child, Command};

use crate::support::{Folder, Outcome, endless_hall, parse, wait_until};

/// Starts to simulate a scene that does not end, and waits until some of it is in the file.
fn running(folder: &Folder, arguments: &[&str]) -> Child {
    let child = folder.command(&[&["run", "hall.toml"], arguments].concat()).spawn().unwrap();
    let recorded = || std::fs::metadata(folder.path("hall.parquet")).map_or(0, |file| file.len());
    // The first row group has 65,536 rows, in about a megabyte.
    wait_until("a row group is recorded", || recorded() > 1_500_000);
    child
}

fn press_control_c(child: &Child) {
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn control_c_completes_the_recording_and_says_what_was_kept() {
    let folder = Folder::with_scene(&endless_hall());
    let child = running(&folder, &["--json"]);
    press_control_c(&child);
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(130), ""));
    let facts = parse(&outcome.out);
    assert_eq!(facts["interrupted"], true);
    let steps = facts["steps"].as_u64().unwrap();
    assert_eq!(facts["recording"]["frames"], steps + 1);
    let info = folder.throng(&["info", "hall.parquet", "--json"]).json();
    assert_eq!((&info["frames"], &info["recovered"]), (&(steps + 1).into(), &false.into()));
}

#[test]
fn control_c_is_reported_to_people_too() {
    let folder = Folder::with_scene(&endless_hall());
    let child = running(&folder, &[]);
    press_control_c(&child);
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    assert_eq!(outcome.code, Some(130));
    assert!(outcome.out.contains("\n  interrupted at "), "{}", outcome.out);
    assert!(outcome.out.contains(" of 1000000 s\n  hall.parquet: "), "{}", outcome.out);
}

#[test]
fn a_killed_run_leaves_a_recording_that_can_be_read_and_repaired() {
    let folder = Folder::with_scene(&endless_hall());
    let mut child = running(&folder, &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    let info = folder.throng(&["info", "hall.parquet", "--json"]).json();
    let frames = info["frames"].as_u64().unwrap();
    assert!(frames > 100, "{info}");
    let repaired = folder.throng(&["info", "hall.parquet", "--repair", "--json"]).json();
    assert_eq!((&repaired["frames"], &repaired["recovered"]), (&frames.into(), &false.into()));
}

#[test]
fn control_c_ends_an_experiment_without_a_table() {
    let folder = Folder::new();
    let child = folder.command(&["experiment", "doors", "--seeds", "1000"]).spawn().unwrap();
    // Nothing tells from outside when it has begun: as long as the signal finds no handler yet, it
    // ends the process without a word.
    std::thread::sleep(std::time::Duration::from_millis(500));
    press_control_c(&child);
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(130), ""), "{}", outcome.err);
    assert!(outcome.err.contains("interrupted; an experiment that is not"), "{}", outcome.err);
}
