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
    send(child, "INT");
}

fn send(child: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn control_c_completes_the_recording_and_says_what_was_kept() {
    completes_the_recording("INT");
}

#[test]
fn sigterm_completes_the_recording_as_control_c_does() {
    completes_the_recording("TERM");
}

fn completes_the_recording(signal: &str) {
    let folder = Folder::with_scene(&endless_hall());
    let child = running(&folder, &["--json"]);
    send(&child, signal);
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
    // Nothing tells from outside when it has begun. A signal that comes before it listens ends the
    // process without a code; then it is given more time.
    let interrupted_after = |milliseconds| {
        let child = folder.command(&["experiment", "doors", "--seeds", "1000"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        press_control_c(&child);
        Some(Outcome::from(child.wait_with_output().unwrap())).filter(|it| it.code.is_some())
    };
    let outcome = [300, 1_000, 5_000, 20_000].into_iter().find_map(interrupted_after).unwrap();
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(130), ""), "{}", outcome.err);
    assert!(outcome.err.contains("interrupted; an experiment that is not"), "{}", outcome.err);
}

#[test]
fn control_c_ends_an_evaluation_that_goes_on_later() {
    let folder = Folder::new();
    let arguments =
        ["eval", "--scenarios", "oncoming-1,hallway-two-way", "--models", "orca", "--seeds", "40"];
    let runs = || std::fs::read_dir(folder.path("eval/runs")).map_or(0, Iterator::count);
    let child = folder.command(&arguments).spawn().unwrap();
    wait_until("some runs are done", || runs() > 2);
    press_control_c(&child);
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(130), ""), "{}", outcome.err);
    assert!(outcome.err.contains("of 80 runs are done and kept in eval"), "{}", outcome.err);
    assert!(outcome.err.contains("the same command goes on from there"), "{}", outcome.err);
    let kept = runs();
    let small = ["eval", "--scenarios", "oncoming-1", "--models", "orca", "--seeds", "2", "--json"];
    let document = folder.throng(&small).json();
    assert_eq!(document["missing"], 0);
    assert!(runs() <= kept + 2);
}

#[test]
fn a_killed_suite_loses_nothing_and_runs_nothing_twice() {
    let folder = Folder::new();
    let arguments =
        ["eval", "--suite", "rimea", "--tests", "6,10,13v3", "--models", "orca", "--seeds", "12"];
    let path = folder.path("verification/runs");
    let results = || -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let whole = entries.filter(|e| !e.file_name().to_string_lossy().starts_with('.'));
        let read = whole.map(|e| (e.file_name(), std::fs::read(e.path()).unwrap()));
        let mut all: Vec<_> = read.collect();
        all.sort();
        all
    };
    let mut child = folder.command(&arguments).spawn().unwrap();
    wait_until("some runs are done", || results().len() > 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = results();
    assert!(kept.len() < 36, "it was killed too late to tell");
    let outcome = folder.throng(&arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let expected = format!("{} runs were there already, {} made\n", kept.len(), 36 - kept.len());
    assert_eq!(outcome.err, expected);
    // Results say how long a run took: had one been made again, it would not be the same.
    let all = results();
    assert!(all.len() == 36 && kept.iter().all(|file| all.contains(file)));
    let whole = Folder::new();
    let never_killed = whole.throng(&arguments).ok();
    assert_eq!(outcome.out, never_killed);
    for name in ["rimea.csv", "rimea-numbers.csv", "rimea.json", "rimea.html"] {
        let name = format!("verification/{name}");
        assert_eq!(folder.read(&name), whole.read(&name), "{name}");
    }
}
