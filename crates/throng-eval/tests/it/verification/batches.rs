//! Suites in folders: that nothing is lost or run twice, and what is written of them.

use std::fs;
use std::path::Path;

use throng_eval::batch::{BatchError, BatchWatch, Done, Store};
use throng_eval::experiments::Setup;
use throng_eval::verification::{
    Outcome, Suite, SuiteBatch, SuiteReport, scenes_digest, some_of, write_suite,
};

/// Tests that take next to no time.
const SMALL: [&str; 5] = ["1", "2", "3", "6", "10"];

fn batch(suite: Suite, tests: &[&str]) -> SuiteBatch {
    let models = ["pedestrian", "orca:time_horizon=3"].map(|name| name.parse().unwrap()).into();
    SuiteBatch {
        suite,
        tests: tests.iter().map(ToString::to_string).collect(),
        setup: Setup { models, seeds: 2, step: 0.05 },
        threads: Some(1),
        engine: "test".into(),
        scenes: scenes_digest(),
    }
}

fn run(batch: &SuiteBatch, folder: &Path, watch: BatchWatch) -> Result<Done, BatchError> {
    batch.run(&Store::create(folder).unwrap(), watch)
}

/// Everything that must not depend on how it came about.
fn written(batch: &SuiteBatch, folder: &Path) -> Vec<String> {
    let store = Store::open(folder).unwrap();
    let page = write_suite(batch, &store, &batch.report(&store).unwrap()).unwrap();
    assert_eq!(page, folder.join("rimea.html"));
    let files = ["rimea.csv", "rimea-numbers.csv", "rimea.json", "rimea.md", "rimea.html"];
    files.map(|name| fs::read_to_string(folder.join(name)).unwrap()).into()
}

/// Takes the distances of all checks out of a report.
fn distances(report: &mut SuiteReport) -> Vec<f64> {
    let checks = report.rows.iter_mut().flat_map(|(_, checks)| checks);
    checks.map(|check| std::mem::take(&mut check.misfit).distance).collect()
}

#[test]
fn an_interrupted_suite_goes_on_and_ends_like_one_that_was_not() {
    let small = batch(Suite::Rimea, &SMALL);
    let [whole, broken] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let all = run(&small, whole.path(), &|_| true).unwrap();
    assert_eq!(all, Done { ran: 20, ..Done::default() });

    let stopped = run(&small, broken.path(), &|progress| progress.done < 7).unwrap_err();
    let BatchError::Interrupted { done, total } = stopped else { panic!("{stopped}") };
    assert_eq!((done, total), (7, 20));
    // What is there is told, and what is not.
    let store = Store::open(broken.path()).unwrap();
    let half = small.report(&store).unwrap();
    assert_eq!(half.missing, 13);
    assert!(half.rows.iter().flat_map(|row| &row.1).any(|c| c.outcome == Outcome::Missing));
    drop(store);
    // A power cut tears a file.
    let mut kept: Vec<_> = fs::read_dir(broken.path().join("runs")).unwrap().flatten().collect();
    kept.sort_by_key(fs::DirEntry::file_name);
    assert_eq!(kept.len(), 7);
    let bytes = fs::read(kept[0].path()).unwrap();
    fs::write(kept[0].path(), &bytes[..bytes.len() / 2]).unwrap();
    let before: Vec<_> = kept[1..].iter().map(|file| fs::read(file.path()).unwrap()).collect();

    let threaded = SuiteBatch { threads: Some(3), ..small.clone() };
    let rest = run(&threaded, broken.path(), &|_| true).unwrap();
    assert_eq!((rest.ran, rest.kept, rest.damaged.len()), (14, 6, 1));
    // Files have how long a run took, so that one that was made again would differ.
    let after: Vec<_> = kept[1..].iter().map(|file| fs::read(file.path()).unwrap()).collect();
    assert_eq!(before, after);
    let files = written(&small, whole.path());
    assert_eq!(files, written(&small, broken.path()));
    let table = "| test | `pedestrian` | `orca:time_horizon=3` |\n|---|---|---|\n| 1 speed in a corridor | pass | pass |\n";
    assert!(
        files[3].starts_with(table) && files[3].contains("\n| passed | 5 of 5 |"),
        "{}",
        files[3]
    );
    let again = run(&small, broken.path(), &|_| true).unwrap();
    assert_eq!(again, Done { kept: 20, ..Done::default() });
}

#[test]
fn progress_is_told_by_work_and_ends_at_all_of_it() {
    let small = batch(Suite::Rimea, &SMALL[..2]);
    let folder = tempfile::tempdir().unwrap();
    let told = std::sync::Mutex::new(Vec::new());
    let watch = |progress| {
        told.lock().unwrap().push(progress);
        true
    };
    run(&small, folder.path(), &watch).unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|two| two[0].share <= two[1].share && two[0].done <= two[1].done));
    let last = told.last().unwrap();
    assert_eq!((last.done, last.total, last.share), (8, 8, 1.0));
}

#[test]
fn what_both_suites_measure_is_measured_once() {
    let folder = tempfile::tempdir().unwrap();
    run(&batch(Suite::Rimea, &["1", "2", "3"]), folder.path(), &|_| true).unwrap();
    let realism = batch(Suite::Realism, &["V01", "V02"]);
    let done = run(&realism, folder.path(), &|_| true).unwrap();
    assert_eq!(done, Done { kept: 12, ..Done::default() });
    // Each is found again by what the folder says.
    let store = Store::open(folder.path()).unwrap();
    for suite in Suite::ALL {
        let read = SuiteBatch::read(&store, suite).unwrap().unwrap();
        assert_eq!((read.suite, read.setup.seeds, read.engine.as_str()), (suite, 2, "test"));
        assert_eq!(read.report(&store).unwrap().missing, 0);
    }
    let read = SuiteBatch::read(&store, Suite::Realism).unwrap();
    assert_eq!(read, Some(SuiteBatch { threads: None, ..realism }));
}

#[test]
fn other_engines_steps_and_models_are_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let one = batch(Suite::Rimea, &["2"]);
    let ran = |batch: &SuiteBatch| run(batch, folder.path(), &|_| true).unwrap().ran;
    assert_eq!(ran(&one), 4);
    assert_eq!(ran(&SuiteBatch { engine: "newer".into(), ..one.clone() }), 4);
    assert_eq!(
        ran(&SuiteBatch { setup: Setup { step: 0.1, ..one.setup.clone() }, ..one.clone() }),
        4
    );
    assert_eq!(
        ran(&SuiteBatch { setup: Setup { seeds: 3, ..one.setup.clone() }, ..one.clone() }),
        2
    );
    let models = vec!["orca".parse().unwrap()];
    assert_eq!(ran(&SuiteBatch { setup: Setup { models, ..one.setup.clone() }, ..one.clone() }), 2);
    assert_eq!(ran(&SuiteBatch { scenes: "others".into(), ..one.clone() }), 4);
    // What was run last is found again, also by a build that has other scenes.
    let store = Store::open(folder.path()).unwrap();
    let read = SuiteBatch::read(&store, Suite::Rimea).unwrap().unwrap();
    assert_eq!((read.scenes.as_str(), read.report(&store).unwrap().missing), ("others", 0));
    drop(store);
    assert_eq!(ran(&one), 0);
}

#[test]
fn a_folder_gives_what_a_call_without_one_gives() {
    let small = batch(Suite::Rimea, &SMALL);
    let folder = tempfile::tempdir().unwrap();
    run(&small, folder.path(), &|_| true).unwrap();
    let mut kept = small.report(&Store::open(folder.path()).unwrap()).unwrap();
    let mut called = some_of(Suite::Rimea, &SMALL, &small.setup, &|_| true).unwrap();
    // Numbers that are read from JSON may differ in their last bit.
    let [there, here] = [&mut kept, &mut called].map(distances);
    assert!(there.iter().zip(&here).all(|(there, here)| (there - here).abs() < 1e-9), "{here:?}");
    assert_eq!((there.len(), kept), (2 * SMALL.len(), called));
}

#[test]
fn the_page_needs_nothing_else_and_has_a_table_for_each_test_and_model() {
    let small = batch(Suite::Rimea, &["1", "10", "12d"]);
    let folder = tempfile::tempdir().unwrap();
    run(
        &SuiteBatch { setup: Setup { seeds: 1, ..small.setup.clone() }, ..small.clone() },
        folder.path(),
        &|_| true,
    )
    .unwrap();
    let [table, numbers, json, _, page] = &written(&small, folder.path())[..] else { panic!() };
    assert_eq!(table.lines().count(), 1 + 2 * 3);
    assert!(table.starts_with("suite,model,test,title,outcome,value,expected,detail,source\n"));
    assert!(
        table.contains("\nRiMEA,orca:time_horizon=3,10,assigned exits,pass,23 of 23,"),
        "{table}"
    );
    // Seeds that are not there are told: 2 of the corridor, 3 of the cabins, 3 of openings.
    assert_eq!(numbers.lines().count(), 1 + 2 * (2 + 3 + 3));
    assert!(page.contains("6 runs missing") && table.contains("1 of 2 seeds so far"));
    let data: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(data["rows"][0][1][2]["plot"]["curves"][0]["points"].as_array().unwrap().len(), 3);
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(outside), "{outside} in the page");
    }
    assert_eq!(page.matches("<section id=\"t-").count(), 3);
    assert_eq!(page.matches("<section id=\"m-").count(), 2);
    assert_eq!(
        page.matches("<svg class=\"chart\"").count(),
        1,
        "where numbers depend on something"
    );
    assert_eq!(page.matches("<polyline").count(), 2, "a line for each model");
    let ids: Vec<&str> =
        page.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(&target), "#{target} leads nowhere");
    }
}

#[test]
fn what_a_folder_says_must_make_sense() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    assert_eq!(SuiteBatch::read(&store, Suite::Rimea).unwrap(), None);
    let well = r#"{"format":1,"engine":"e","scenes":"s","tests":["1"],"models":["orca"],"seeds":1,"step":0.05}"#;
    let read = |text: &str| {
        fs::write(folder.path().join("rimea-runs.json"), text).unwrap();
        SuiteBatch::read(&store, Suite::Rimea).map_err(|error| error.to_string())
    };
    assert!(read(well).unwrap().is_some());
    for (old, new, why) in [
        ("\"format\":1", "\"format\":2", "format 2"),
        ("\"orca\"", "\"orka\"", "orka"),
        ("\"seeds\":1", "\"seeds\":0", "seeds"),
        ("\"step\":0.05", "\"step\":-1", "step"),
        ("\"1\"", "\"99\"", "99"),
        ("}", "", "EOF"),
    ] {
        let message = read(&well.replace(old, new)).unwrap_err();
        assert!(message.contains("rimea-runs.json") && message.contains(why), "{message}");
    }
    let none = SuiteBatch {
        setup: Setup { models: Vec::new(), seeds: 1, step: 0.05 },
        ..batch(Suite::Rimea, &[])
    };
    assert!(none.run(&store, &|_| true).unwrap_err().to_string().contains("no model"));
    let unknown = batch(Suite::Realism, &["V99"]).check().unwrap_err().to_string();
    assert!(unknown.contains("V99") && unknown.contains("V01 to V12"), "{unknown}");
}
