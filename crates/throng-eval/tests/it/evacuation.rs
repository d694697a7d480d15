//! Studies of an evacuation: one folder, many seeds, the same numbers however they were made.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use throng::{Engine, Scene};
use throng_eval::batch::{BatchError, Store};
use throng_eval::evacuation::{Convergence, Evacuation, Report, Study, StudyRun, write_report};

/// A room of 6 m by 4 m with a door of 1 m, and people who wait for some seconds before they leave by it.
fn room(count: u32, more: &str) -> Scene {
    let text = format!(
        r#"
        format = 1
        name = "Room & <door>"
        simulation = {{ step = 0.1, duration = 60 }}
        world.bounds = [[-1, -3], [10, 3]]
        obstacles = [
            {{ wall = {{ points = [[6, -2.2], [0, -2.2], [0, 2.2], [6, 2.2]], thickness = 0.2 }} }},
            {{ polygon = [[6, 0.5], [6.2, 0.5], [6.2, 3], [6, 3]] }},
            {{ polygon = [[6, -3], [6.2, -3], [6.2, -0.5], [6, -0.5]] }},
        ]
        regions = [
            {{ name = "room", rectangle = [[0.4, -1.8], [5, 1.8]] }},
            {{ name = "outside", rectangle = [[7, -2], [9, 2]] }},
            {{ name = "cupboard", rectangle = [[7, 2.2], [9, 2.8]] }},
        ]
        measurements = [{{ name = "door", line = [[6.1, -0.5], [6.1, 0.5]] }}]
        [[groups]]
        name = "people"
        radius = 0.2
        steering = {{ model = "pedestrian" }}
        goals = [{{ idle = {{ min = 1, max = 4 }} }}, {{ seek = "outside" }}]
        then = "leave"
        crowds = [{{ count = {count}, region = "room" }}]
        {more}
        "#
    );
    Scene::parse("room.toml", &text, Path::new("")).unwrap_or_else(|errors| panic!("{errors}"))
}

fn study(scene: Scene, seeds_max: u64) -> Study {
    let mut study = Study::new(scene, Path::new(""), "0.1.0+test".into());
    study.seeds_max = seeds_max;
    study
}

fn made(study: &Study) -> (tempfile::TempDir, Store, Report) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path()).unwrap();
    study.run(&store, &|_| true).unwrap();
    let report = study.report(&store);
    (folder, store, report)
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let entries = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().unwrap();
    let files = entries.map(|entry| (name(&entry), std::fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| name != "timings.csv" && name != ".lock").collect()
}

#[test]
fn a_study_has_the_times_and_flows_of_the_runs_it_is_made_of() {
    let study = study(room(20, ""), 2);
    let (_folder, store, report) = made(&study);
    let runs: Vec<StudyRun> = study.runs(&store);
    assert_eq!((runs.len(), report.seeds, report.converged_after), (2, 2, None));
    for run in &runs {
        let mut scene = study.scene.clone();
        scene.settings.seed = run.key.seed;
        let mut engine = Engine::new(scene).unwrap();
        let mut last_seen: BTreeMap<u32, f64> = BTreeMap::new();
        for _ in 0..600 {
            let time = engine.crowd().time();
            engine.crowd().people().for_each(|person| _ = last_seen.insert(person.id.0, time));
            engine.step();
        }
        let result: &Evacuation = run.result.as_ref().unwrap();
        assert_eq!(result.people.len(), 20);
        for person in &result.people {
            let out = person.out.unwrap();
            assert!((out - last_seen[&person.id]).abs() < 1e-6, "person {}: {out}", person.id);
            assert!((1.0..=4.1).contains(&person.set_out), "{person:?}");
            assert!(person.walked > 1.5 && person.exit == Some(0), "{person:?}");
        }
        let total = last_seen.values().copied().fold(0.0, f64::max);
        assert!((result.total().unwrap() - total).abs() < 1e-6, "{total}");
        assert_eq!(report.runs[run.key.seed as usize].total, Some(total));
    }
    let exit = &report.exits[0];
    assert_eq!((exit.name.as_deref(), exit.people, exit.share), (Some("outside"), 20.0, 1.0));
    // The door is 1 m wide.
    assert!(exit.width.is_some_and(|width| (width - 1.0).abs() < 0.01), "{:?}", exit.width);
    assert!(exit.capacity.is_some_and(|capacity| (capacity - 1.3).abs() < 0.02));
    let flowed: f64 = exit.flows.iter().sum::<f64>() * report.flow_interval;
    assert!((flowed - 20.0).abs() < 1e-9, "{flowed}");
    assert_eq!(report.lines[0].passages, [[20, 0], [20, 0]]);
    assert!(report.lines[0].flow.is_some_and(|flow| (0.5..3.0).contains(&flow)));
    assert!((report.levels_of_service.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let last = &report.last[0];
    let parts = last.delay + last.walking + last.waited;
    assert!((parts - last.out.unwrap()).abs() < 1e-9, "{last:?}");
    assert!(last.history.iter().any(|(_, status)| status == "waiting"), "{last:?}");
}

#[test]
fn a_study_ends_when_nothing_changes_any_more_on_any_number_of_threads() {
    let mut one = study(room(4, ""), 60);
    one.convergence = Convergence { mean: 0.1, sd: 0.5, runs: 3, ..Convergence::default() };
    one.convergence.difference = 0.1;
    one.convergence.projection = 0.1;
    one.convergence.cosine = 0.1;
    one.threads = Some(1);
    let (folder, store, report) = made(&one);
    let after = report.converged_after.expect("it converges");
    assert!((5..60).contains(&after) && report.seeds == after, "{after}");
    assert!(
        !report.warnings.iter().any(|warning| warning.contains("converged")),
        "{:?}",
        report.warnings
    );
    write_report(&one, &store, &report).unwrap();

    let mut many = study(room(4, ""), 60);
    (many.convergence, many.threads) = (one.convergence, Some(4));
    let (other_folder, store, other) = made(&many);
    assert_eq!(report, other);
    write_report(&many, &store, &other).unwrap();
    assert_eq!(files(folder.path()), files(other_folder.path()));
}

#[test]
fn a_study_that_is_interrupted_anywhere_goes_on_where_it_was() {
    let mut study = study(room(4, ""), 4);
    study.threads = Some(1);
    let (_folder, _, whole) = made(&study);
    for allowed in [0, 1, 40, 120, 250] {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path()).unwrap();
        let asked = AtomicUsize::new(0);
        let ended = study.run(&store, &|_| asked.fetch_add(1, Ordering::Relaxed) < allowed);
        let kept = match ended {
            Err(BatchError::Interrupted { done, total: 4 }) => done,
            other => panic!("{other:?}"),
        };
        // What was damaged in the meantime is made again.
        let damaged = std::fs::read_dir(folder.path().join("runs")).unwrap().flatten().next();
        if let Some(file) = &damaged {
            std::fs::write(file.path(), "{\"fnv1a\":").unwrap();
        }
        let done = study.run(&store, &|_| true).unwrap();
        let lost = usize::from(damaged.is_some());
        assert_eq!((done.kept, done.ran, done.damaged.len()), (kept - lost, 4 - kept + lost, lost));
        assert_eq!(study.report(&store), whole, "interrupted after {allowed}");
        assert_eq!(study.run(&store, &|_| true).unwrap().ran, 0, "nothing is left to do");
    }
}

#[test]
fn results_of_other_scenes_and_builds_are_not_used() {
    let first = study(room(3, ""), 1);
    let (_folder, store, _) = made(&first);
    assert_eq!(first.runs(&store).len(), 1);
    assert!(study(room(4, ""), 1).runs(&store).is_empty(), "another scene");
    let mut other = study(room(3, ""), 1);
    other.engine = "0.1.0+other".into();
    assert!(other.runs(&store).is_empty(), "another build");
    let mut longer = room(3, "");
    longer.set_duration(70.0).unwrap();
    assert!(study(longer, 1).runs(&store).is_empty(), "another duration");
}

#[test]
fn what_is_wrong_with_an_evacuation_is_said_by_name() {
    let locked = r#"
        [[groups]]
        name = "caretakers"
        radius = 0.2
        steering = { model = "orca" }
        goals = [{ seek = { nearest = ["outside", "cupboard"] } }]
        then = "leave"
        people = [{ position = [6.6, 0] }]
        [[groups]]
        name = "locked up"
        radius = 0.2
        goals = [{ seek = "outside" }]
        then = "leave"
        people = [{ position = [-0.6, 0] }]
    "#;
    let mut scene = room(3, locked);
    // A wall on all sides of those who stand west of the room.
    let text = scene.source.text.replace(
        "obstacles = [",
        "obstacles = [{ wall = { points = [[-0.95, -0.6], [-0.2, -0.6], [-0.2, 0.6], [-0.95, 0.6], [-0.95, -0.6]], thickness = 0.05 } },",
    );
    scene = Scene::parse("room.toml", &text, Path::new("")).unwrap();
    scene.set_duration(30.0).unwrap();
    let study = study(scene, 2);
    let (folder, store, report) = made(&study);
    let told = |words: &str| report.warnings.iter().any(|warning| warning.contains(words));
    assert!(told("\"caretakers\" (orca)") && told("is not calibrated"), "{:?}", report.warnings);
    assert!(told("In 2 of 2 runs somebody was not out after 30 s"), "{:?}", report.warnings);
    assert!(told("Up to 1 people of group \"locked up\" find no way"), "{:?}", report.warnings);
    assert!(told("Nobody left by exit \"cupboard\""), "{:?}", report.warnings);
    assert!(told("has not converged after 2 runs"), "{:?}", report.warnings);
    assert_eq!(report.last[0].reason, "found no way");
    assert_eq!((report.total.count, report.runs[0].total), (0, None));

    let page = write_report(&study, &store, &report).unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("Room &amp; &lt;door&gt;") && !html.contains("<door>"));
    assert!(html.contains("default-src 'none'"), "it asks nobody for anything");
    assert!(!html.contains("http://") && !html.contains("https://"));
    for part in
        ["Total evacuation time", "Exits", "Levels of service", "Bottlenecks", "Assumptions"]
    {
        assert!(html.contains(&format!("<h2>{part}")), "{part}");
    }
    let people = std::fs::read_to_string(folder.path().join("people.csv")).unwrap();
    assert_eq!(people.lines().count(), 1 + 2 * 5, "{people}");
    assert!(people.contains("locked up") && people.contains("no_path"), "{people}");
}
