//! `throng eval`.

use crate::support::{Folder, HALL, parse};

const SMALL: [&str; 5] =
    ["eval", "--scenarios", "oncoming-1,crossing-1", "--models", "orca,predictive:conflicts=2"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SMALL.iter().copied().chain(more.iter().copied()).collect()
}

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn models_are_ranked_and_everything_is_in_a_folder() {
    let folder = Folder::new();
    let printed = folder.throng(&with(&["--out", "out"])).ok();
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("model ") && lines[0].contains("normalised"), "{printed}");
    assert!(printed.contains("\norca ") && printed.contains("\npredictive:conflicts=2 "));
    assert_eq!(lines.last(), Some(&"out/report.html"));
    let runs = text(&folder, "out/runs.csv");
    assert_eq!(runs.lines().count(), 5);
    assert!(
        runs.lines().nth(1).unwrap().starts_with("oncoming-1,one-on-one,orca,0,2,1,,"),
        "{runs}"
    );
    // Two people in each of four runs.
    assert_eq!(text(&folder, "out/agents.csv").lines().count(), 9);
    let page = text(&folder, "out/report.html");
    assert!(page.contains("2 scenarios × 2 models × 1 seed = 4 runs"), "{}", &page[..9000]);

    // The same again makes nothing anew; another technique needs no simulation.
    let again = folder.throng(&with(&["--out", "out"]));
    assert_eq!((again.code, again.out), (Some(0), printed));
    assert_eq!(again.err, "4 runs were there already, 0 made\n");
    let report = ["eval", "report", "out", "--technique", "composite01", "--weights", "0,1,0,0"];
    let by_time = folder.throng(&report).ok();
    assert!(by_time.lines().next().unwrap().contains("composite01"), "{by_time}");
    assert!(text(&folder, "out/report.html").contains("ranked by the composite01 score"));
}

#[test]
fn scripts_get_one_document_that_threads_do_not_change() {
    let folder = Folder::new();
    let mut one = folder.throng(&with(&["--out", "one", "--threads", "1", "--json"])).json();
    let mut two = folder.throng(&with(&["--out", "two", "--threads", "2", "--json"])).json();
    assert_eq!((&one["folder"], &two["folder"]), (&"one".into(), &"two".into()));
    for document in [&mut one, &mut two] {
        document["folder"].take();
    }
    assert_eq!(one, two);
    assert_eq!(folder.read("one/agents.parquet"), folder.read("two/agents.parquet"));
    assert_eq!(one["ranking"][0]["runs"], 2);
    assert_eq!(one["runs"][0]["quantities"]["completion"], 1.0);
    assert!(one["runs"][0]["scores"]["composite01"]["terms"]["time"].is_f64());
}

#[test]
fn a_damaged_result_is_told_and_made_again() {
    let folder = Folder::new();
    let whole = folder.throng(&with(&["--out", "out"])).ok();
    let name = std::fs::read_dir(folder.path("out/runs")).unwrap().flatten().next().unwrap();
    std::fs::write(name.path(), "{\"fnv1a\":").unwrap();
    let outcome = folder.throng(&with(&["--out", "out"]));
    assert_eq!((outcome.code, outcome.out), (Some(0), whole));
    assert!(outcome.err.contains("that run was made again"), "{}", outcome.err);
    assert!(outcome.err.contains("3 runs were there already, 1 made"), "{}", outcome.err);
}

#[test]
fn the_worst_runs_are_recorded_for_the_links_of_the_report() {
    let folder = Folder::new();
    let recordings = |out: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder.path(&format!("{out}/recordings"))).unwrap();
        let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
        entries.map(|entry| name(entry.unwrap())).collect()
    };
    folder.throng(&with(&["--out", "out"])).ok();
    let kept = recordings("out");
    assert!((1..=12).contains(&kept.len()), "{kept:?}");
    let report = folder.read("out/report.html");
    let report = String::from_utf8_lossy(report.as_ref()).into_owned();
    let link =
        |name: &String| format!("studio?recording={}", name.strip_suffix(".parquet").unwrap());
    assert!(kept.iter().any(|name| report.contains(&link(name))), "no link to {kept:?}");
    folder.throng(&with(&["--out", "bare", "--recordings", "none"])).ok();
    assert_eq!(recordings("bare"), [""; 0]);
    let bare = folder.read("bare/report.html");
    assert!(!String::from_utf8_lossy(bare.as_ref()).contains("studio?recording="));
}

#[test]
fn a_recording_is_scored_as_its_run_was() {
    let folder = Folder::new();
    let results = folder.throng(&with(&["--out", "out", "--recordings", "all", "--json"])).json();
    let run = &results["runs"][0];
    let recording = format!("out/{}", run["recording"].as_str().unwrap());
    let score = |more: &[&str]| {
        let arguments = [&["eval", "score", recording.as_str()], more].concat();
        folder.throng(&arguments)
    };
    let document = score(&["--json"]).json();
    for technique in ["composite01", "composite02", "normalised", "least-effort"] {
        let [now, then] =
            [&document, run].map(|of| of["scores"][technique]["total"].as_f64().unwrap());
        assert!((now / then - 1.0).abs() < 1e-12, "{technique}: {now} instead of {then}");
    }
    assert_eq!(document["criteria"][0]["passed"], true);
    let only = score(&["--technique", "composite01", "--score-only"]).ok();
    let total = document["scores"]["composite01"]["total"].as_f64().unwrap();
    assert_eq!(only.trim().parse::<f64>().unwrap(), total);

    let shown = score(&["--details"]).ok();
    assert!(shown.contains("* normalised") && shown.contains("meets completion == 1"), "{shown}");
    let person = score(&["--agent", "1"]).ok();
    assert!(person.contains("  resampled_energy: "), "{person}");
    let frames = score(&["--every-frame", "--technique", "composite01"]).ok();
    assert_eq!(frames.lines().next(), Some("time,composite01,completion,collisions"));
    let last = frames.lines().last().unwrap();
    assert!(last.contains(&format!(",{total:.6},1.000000,")), "{last} has not {total}");
    let at = |time: &str| {
        let printed = score(&["--at", time, "--technique", "energy", "--score-only"]).ok();
        printed.trim().parse::<f64>().unwrap()
    };
    // Halfway there, the energy of the rest is not known, but charged.
    assert!(at("5") > 0.0);
    assert!(score(&["--at", "500"]).fails(2).contains("ends before 500 s"));
    assert!(score(&["--agent", "77"]).fails(2).contains("there is no person 77"));
    assert!(score(&["--at", "soon"]).fails(2).contains("12.5"));
}

#[test]
fn agreed_numbers_are_kept_or_the_difference_is_told() {
    let folder = Folder::new();
    folder.throng(&with(&["--out", "out"])).ok();
    let accepted = folder.throng(&["eval", "compare", "out", "agreed.json", "--accept"]).ok();
    assert_eq!(accepted, "agreed.json has the numbers of 4 runs now\n");
    let same = folder.throng(&["eval", "compare", "out", "agreed.json"]).ok();
    assert_eq!(same, "4 runs are as agreed\n");
    let changed =
        text(&folder, "agreed.json").replacen("\"completion\": 1.0", "\"completion\": 0.5", 1);
    folder.write("agreed.json", changed);
    let message = folder.throng(&["eval", "compare", "out", "agreed.json"]).fails(1);
    assert!(message.contains("crossing-1 orca 0: completion was 0.5, is 1"), "{message}");
    assert!(message.contains("throng eval compare out agreed.json --accept"), "{message}");
    assert!(folder.throng(&["eval", "compare", "out", "none.json"]).fails(2).contains("none.json"));
}

#[test]
fn scenes_of_ones_own_are_scenarios() {
    let folder = Folder::with_scene(HALL);
    let arguments = ["eval", "--scenarios", "hall.toml", "--models", "scene,orca", "--json"];
    let document = folder.throng(&arguments).json();
    assert_eq!(document["scenarios"][0]["name"], "hall");
    assert_eq!(document["runs"][1]["model"], "orca");
    // The scene's own model is orca as well.
    assert_eq!(document["runs"][0]["scores"], document["runs"][1]["scores"]);
    assert!(folder.path("eval/report.html").exists());
}

#[test]
fn scenarios_are_listed_with_what_they_are_about() {
    let folder = Folder::new();
    let list = folder.throng(&["eval", "list"]).ok();
    assert!(list.contains("\none-on-one\n  oncoming-1 "), "{list}");
    assert!(list.contains("completion == 1, collisions == 0"), "{list}");
    let document = folder.throng(&["eval", "list", "--json"]).json();
    let trick = document.as_array().unwrap().iter().find(|of| of["name"] == "crossing-trick");
    assert_eq!(trick.unwrap()["criteria"][2], "deviation < 0.3");
    assert!(document.as_array().unwrap().len() >= 45);
}

#[test]
fn a_run_without_a_score_is_a_failure_after_all_is_written() {
    let full = HALL.replace("count = 30", "count = 1380");
    let folder = Folder::with_scene(&full);
    let arguments = ["eval", "--scenarios", "hall.toml,oncoming-1", "--models", "orca", "--json"];
    let outcome = folder.throng(&arguments);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("hall with orca and seed 0 has no score"), "{}", outcome.err);
    assert_eq!(parse(&outcome.out)["runs"][1]["completion"], 1.0);
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let folder = Folder::with_scene("format = 1\n[wrld]\n");
    for (rest, reason) in [
        ("--scenarios oncomin", "do you mean oncoming-1"),
        ("--scenarios hall.toml", "hall.toml:2"),
        ("--scenarios none.toml", "none.toml"),
        ("--models pedestrain", "there are orca, headway, predictive"),
        ("--technique best", "composite01"),
        ("--weights 1,2", "four numbers of 0 or more"),
        ("--weights 1,2,3,-1", "four numbers of 0 or more"),
        ("--seeds 0", "1..=1000"),
        ("--suite all", "steering"),
        ("--suite quick --scenarios squeeze", "cannot be used with"),
        ("--suite rimea --recordings all", "--recordings is for scenarios"),
        ("--suite realism --models scene", "name a steering model"),
        ("--suite rimea --tests 17", "1 to 16"),
        ("--suite quick --tests 1", "--tests is for --suite rimea"),
        ("report nothing", "nothing has no results of an evaluation"),
        ("compare nothing agreed.json", "nothing has no results of an evaluation"),
        ("score none.parquet", "none.parquet"),
    ] {
        folder.refuses(&format!("eval {rest}"), reason);
    }
}

#[test]
fn a_suite_is_run_in_a_folder_and_written_again() {
    let folder = Folder::new();
    let small = ["eval", "--suite", "rimea", "--tests", "1,10", "--models", "orca,orca"];
    let first = folder.throng(&small).ok();
    assert!(first.contains("RiMEA with orca, 5 seeds, step 0.05 s: 2 of 2 passed"), "{first}");
    assert!(first.ends_with("verification/rimea.html\n"), "{first}");
    assert_eq!(std::fs::read_dir(folder.path("verification/runs")).unwrap().count(), 10);
    let page = folder.read("verification/rimea.html");
    let again = folder.throng(&[&small[..], &["--threads", "1"]].concat());
    assert_eq!((again.code, again.out), (Some(0), first.clone()));
    assert_eq!(again.err, "10 runs were there already, 0 made\n");
    std::fs::remove_file(folder.path("verification/rimea.html")).unwrap();
    assert_eq!(folder.throng(&["eval", "report", "verification"]).ok(), first);
    assert_eq!(folder.read("verification/rimea.html"), page);
    let other =
        ["eval", "--suite", "realism", "--tests", "V01", "--models", "orca", "--seeds", "1"];
    folder.throng(&other);
    let both = folder.throng(&["eval", "report", "verification", "--json"]).json();
    let suites: Vec<_> = both.as_array().unwrap().iter().map(|one| &one["suite"]).collect();
    assert_eq!(suites, ["RiMEA", "realism"]);
}
