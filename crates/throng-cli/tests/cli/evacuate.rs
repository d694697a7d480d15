//! `throng evacuate`.

use std::process::Command;

use crate::support::{Folder, Outcome, wait_until};

/// Four people in the open who wait and then walk out.
const YARD: &str = r#"
format = 1
name = "Yard"
[simulation]
duration = 30
[world]
bounds = [[-10, -10], [10, 10]]
[[regions]]
name = "yard"
rectangle = [[-8, -8], [2, 8]]
[[regions]]
name = "gate"
rectangle = [[8, -8], [9.5, 8]]
[[measurements]]
name = "before the gate"
line = [[7, -9], [7, 9]]
[[groups]]
name = "people"
steering = { model = "pedestrian" }
goals = [{ idle = { min = 0.5, max = 2 } }, { seek = "gate" }]
then = "leave"
crowds = [{ count = 4, region = "yard" }]
"#;

fn study<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ["evacuate", "hall.toml", "--seeds-max", "3"].iter().chain(more).copied().collect()
}

#[test]
fn a_study_writes_a_folder_and_prints_what_is_in_it() {
    let folder = Folder::with_scene(YARD);
    let outcome = folder.throng(&study(&[]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(
        outcome.out.starts_with("Yard: 3 runs\n  not converged\n  total time "),
        "{}",
        outcome.out
    );
    assert!(outcome.out.contains("exit \"gate\": 4.0 people (100 %)"), "{}", outcome.out);
    assert!(outcome.out.ends_with("hall-evacuation/evacuation.html\n"), "{}", outcome.out);
    assert!(outcome.err.contains("has not converged after 3 runs"), "{}", outcome.err);
    let read =
        |name: &str| String::from_utf8(folder.read(&format!("hall-evacuation/{name}"))).unwrap();
    assert_eq!(read("runs.csv").lines().count(), 4);
    assert_eq!(read("people.csv").lines().count(), 13);
    assert!(read("evacuation.html").contains("<h1>Evacuation: Yard</h1>"));

    let again = folder.throng(&study(&[]));
    assert_eq!((again.code, &again.out), (Some(0), &outcome.out));
    assert!(again.err.contains("3 runs were there already, 0 made"), "{}", again.err);
}

#[test]
fn scripts_get_the_report_as_one_document_with_the_numbers_of_a_recording() {
    let folder = Folder::with_scene(YARD);
    // That three runs do not converge is told beside the document.
    let outcome = folder.throng(&study(&["--json", "--out", "study", "--threads", "2"]));
    let document: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!((&document["folder"], &document["seeds"]), (&"study".into(), &3.into()));
    assert_eq!(document["lines"][0]["passages"][1][0], 4);
    let written: serde_json::Value =
        serde_json::from_slice(&folder.read("study/evacuation.json")).unwrap();
    assert_eq!(written["runs"], document["runs"]);
    // The last frame of the last person in a recording of the same seed.
    folder.throng(&["run", "hall.toml", "--seed", "1"]).ok();
    folder.throng(&["export", "hall.parquet", "--to", "csv", "-o", "tracks.csv"]).ok();
    let tracks = String::from_utf8(folder.read("tracks.csv")).unwrap();
    let time = |line: &str| line.split(',').nth(1).unwrap().parse::<f64>().unwrap();
    let last = tracks.lines().skip(1).map(time).fold(0.0, f64::max);
    let total = document["runs"][1]["total"].as_f64().unwrap();
    assert!((total - last).abs() < 1e-6, "{total} s and {last} s");
}

#[test]
fn a_study_that_is_interrupted_says_how_to_go_on_and_does() {
    let slow = YARD.replace("count = 4", "count = 100").replace("duration = 30", "duration = 300");
    let slow = slow.replace("min = 0.5, max = 2", "min = 100, max = 200");
    let folder = Folder::with_scene(&slow);
    let arguments = study(&["--threads", "1"]);
    let child = folder.command(&arguments).spawn().unwrap();
    let runs = folder.path("hall-evacuation/runs");
    let done = || std::fs::read_dir(&runs).map_or(0, |entries| entries.flatten().count());
    wait_until("a run is done", || done() >= 1);
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    if outcome.code == Some(0) {
        return; // All runs were done before the signal came.
    }
    assert_eq!(outcome.code, Some(130), "{}", outcome.err);
    assert!(outcome.err.contains("the same command goes on from there"), "{}", outcome.err);
    let resumed = folder.throng(&arguments);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(resumed.err.contains("there already"), "{}", resumed.err);
}

#[test]
fn wrong_arguments_and_scenes_end_with_2() {
    let folder = Folder::with_scene(YARD);
    folder.throng(&["evacuate", "missing.toml"]).fails(2);
    folder.throng(&["evacuate", "hall.toml", "--seeds-max", "0"]).fails(2);
    folder.throng(&["evacuate", "hall.toml", "--duration", "-3"]).fails(2);
}
