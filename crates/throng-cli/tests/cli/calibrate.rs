//! `throng calibrate`.

use std::process::Command;

use crate::support::{Folder, Outcome, wait_until};

/// Two people who set out side by side, and are to be there at a certain time.
const HURRY: &str = r#"
format = 1
simulation = { step = 0.05, duration = 20 }
world.bounds = [[-10, -5], [10, 5]]
[evaluation]
version = 1
category = "test"
criteria = ["time <= 1.15 * ideal_time", "time >= 1.13 * ideal_time"]
[[groups]]
name = "east"
speed = 1.3
goals = [{ seek = [9, 0] }]
then = "leave"
people = [{ position = [-7, 0.5] }, { position = [-7, -0.5] }]
"#;

const PLAN: &str = r#"
format = 1
model = "orca"
to = ["hall.toml", "2"]
[parameters]
acceleration_limit = { min = 0.3 }
[weights]
"hall.toml" = 2
2 = 1
[seeds]
training = [0, 1]
held_out = [5]
[search]
generations = 2
population = 4
"#;

fn folder() -> Folder {
    let folder = Folder::with_scene(HURRY);
    folder.write("plan.toml", PLAN);
    folder
}

#[test]
fn a_calibration_writes_a_folder_and_prints_both_sides() {
    let folder = folder();
    let outcome = folder.throng(&["calibrate", "plan.toml"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let out = &outcome.out;
    assert!(out.starts_with("orca with 2 generations of 4\n"), "{out}");
    for told in [
        "seeds 0-1",
        "held out 5",
        "acceleration_limit",
        "hall.toml situation; expected time <= 1.15 * ideal_time",
        "2 up stairs; expected 16 s",
        "steering = { model = \"orca\"",
    ] {
        assert!(out.contains(told), "{told:?} is not in {out}");
    }
    assert!(out.ends_with("plan-calibration/calibration.html\n"), "{out}");
    let page = String::from_utf8(folder.read("plan-calibration/calibration.html")).unwrap();
    assert!(page.contains("<h1>Calibration of orca</h1>"));

    let again = folder.throng(&["calibrate", "plan.toml", "--threads", "2"]);
    assert_eq!((again.code, &again.out), (Some(0), out));
    assert!(again.err.contains("were there already, 0 made"), "{}", again.err);
    // What is typed takes the place of what the plan says.
    let longer =
        folder.throng(&["calibrate", "plan.toml", "--generations", "3", "--to", "hall.toml"]);
    assert!(longer.out.starts_with("orca with 3 generations of 4\n"), "{}", longer.out);
    assert!(!longer.out.contains("up stairs"), "{}", longer.out);
}

#[test]
fn a_plan_that_says_what_it_has_found_is_held_to_it() {
    let folder = folder();
    let made = folder.throng(&["calibrate", "plan.toml", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&made.out).unwrap();
    let best = document["best"].as_str().unwrap();
    let with = |found: &str| PLAN.replace("to =", &format!("found = \"{found}\"\nto ="));
    folder.write("plan.toml", with(best));
    let same = folder.throng(&["calibrate", "plan.toml"]);
    assert_eq!(same.code, Some(0), "{}", same.err);
    folder.write("plan.toml", with("orca:acceleration_limit=2"));
    let differs = folder.throng(&["calibrate", "plan.toml"]);
    assert_eq!(differs.code, Some(1), "{}", differs.err);
    assert!(differs.err.contains("has found orca:acceleration_limit=2 before"), "{}", differs.err);
    // Another search may find something else.
    let other = folder.throng(&["calibrate", "plan.toml", "--generations", "1"]);
    assert_eq!(other.code, Some(0), "{}", other.err);
    folder.write("plan.toml", with("ppr"));
    folder.refuses("calibrate plan.toml", "let both be of one model");
}

#[test]
fn scripts_get_the_report_as_one_document_without_a_plan() {
    let folder = folder();
    let arguments = "calibrate orca:time_gap=0.5 --to hall.toml --parameters acceleration_limit=0.3..3,time_horizon \
         --seeds 1 --held-out 2 --generations 1 --population 4 --seed 9 --out study --json";
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let outcome = folder.throng(&words);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let document: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(document["folder"], "study");
    assert_eq!(document["held_out_seeds"], serde_json::json!([1000, 1001]));
    let parameters = document["parameters"].as_array().unwrap();
    let names: Vec<&str> = parameters.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["acceleration_limit", "time_horizon"]);
    assert!(document["best"].as_str().unwrap().starts_with("orca:time_gap=0.5"));
}

#[test]
fn a_calibration_that_is_interrupted_says_how_to_go_on_and_does() {
    let folder = folder();
    let arguments =
        ["calibrate", "plan.toml", "--generations", "400", "--population", "20", "--threads", "1"];
    let child = folder.command(&arguments).spawn().unwrap();
    let runs = folder.path("plan-calibration/runs");
    let done = || std::fs::read_dir(&runs).map_or(0, |entries| entries.flatten().count());
    wait_until("a few runs are done", || done() >= 5);
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    let outcome: Outcome = child.wait_with_output().unwrap().into();
    assert_eq!(outcome.code, Some(130), "{}", outcome.err);
    assert!(outcome.err.contains("the same command goes on from there"), "{}", outcome.err);
    // Fewer generations ask for the same candidates first.
    let shorter = [&arguments[..2], &["--generations", "1", "--population", "20"]].concat();
    let resumed = folder.throng(&shorter);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(resumed.err.contains("there already"), "{}", resumed.err);
}

#[test]
fn wrong_arguments_and_plans_end_with_2() {
    let folder = folder();
    folder.refuses("calibrate orka --to 2", "do you mean orca?");
    folder.refuses("calibrate orca", "nothing to calibrate to");
    folder.refuses("calibrate orca --to L1", "do you mean");
    folder.refuses("calibrate orca --to missing.toml", "missing.toml");
    folder.refuses("calibrate orca --to missing.parquet", "missing.parquet");
    folder.refuses("calibrate orca --to 2 --parameters time_horison", "do you mean time_horizon?");
    folder.refuses("calibrate orca --to 2 --parameters time_horizon=3", "time_gap=0.3..1.5");
    folder.refuses("calibrate orca --to 2 --parameters time_horizon=3..1", "is empty");
    folder.refuses("calibrate orca --to 2 --parameters time_gap,time_gap=0..1", "given twice");
    folder.refuses("calibrate orca --to 2 --held-out 0", "1..=1000");
    folder
        .refuses("calibrate orca --to 2 --seeds 1000 --held-out 1 --sigma 2", "sigma cannot be 2");
    folder.refuses("calibrate missing-plan.toml", "cannot read missing-plan.toml");
    folder.write("plan.toml", PLAN.replace("held_out = [5]", "held_out = [1]"));
    folder.refuses("calibrate plan.toml", "seed 1 is for training and held out");
    folder.write("plan.toml", PLAN.replace("population", "populaton"));
    folder.refuses("calibrate plan.toml", "plan.toml:15:1: unknown field `populaton`");
    // Nothing was made for any of them.
    assert_eq!(folder.files(), ["hall.toml", "plan.toml"]);
}

/// Plans that ship make sense, and so does the one in the documentation.
#[test]
fn shipped_plans_and_the_one_of_the_page_can_be_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let plans = std::fs::read_dir(root.join("calibration")).unwrap().flatten();
    let mut texts: Vec<String> =
        plans.map(|plan| std::fs::read_to_string(plan.path()).unwrap()).collect();
    let page = std::fs::read_to_string(root.join("docs/calibration.md")).unwrap();
    texts.extend(
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().into()),
    );
    assert!(texts.len() >= 2);
    for text in texts {
        let plan = throng_eval::calibration::PlanFile::parse("plan.toml", &text);
        let resolved = plan.and_then(|plan| plan.resolve());
        assert!(resolved.is_ok(), "{}\n{text}", resolved.err().unwrap());
    }
}
