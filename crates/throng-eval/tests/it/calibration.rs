//! Calibrations: the same result however it came about, what is held out stays so, and what is to be found is found.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use throng::recording::{Overwrite, Recorder, RecordingInfo};
use throng::{Engine, Scene};
use throng_eval::batch::{BatchError, Done, Store};
use throng_eval::calibration::{
    Calibration, CalibrationReport, CalibrationWatch, PlanFile, Seeds, write_calibration,
};

/// Two people who walk side by side and are to be there at a certain time: the later, the longer they take to be at their speed.
const HURRY: &str = r#"
format = 1
name = "Hurry"
simulation = { step = 0.05, duration = 20, contacts = false }
world.bounds = [[-10, -5], [10, 5]]
[evaluation]
version = 1
category = "test"
criteria = ["time <= 1.15 * ideal_time", "time >= 1.13 * ideal_time", "collisions == 0"]
[[groups]]
name = "east"
speed = { min = 1.29, max = 1.31 }
goals = [{ seek = [9, 0] }]
then = "leave"
people = [{ position = [-7, 0.5] }, { position = [-7, -0.5] }]
"#;

/// A calibration of the scene in `folder`.
fn hurry(folder: &Path) -> PlanFile {
    fs::write(folder.join("hurry.toml"), HURRY).unwrap();
    let text = r#"
        format = 1
        model = "orca:time_gap=0.5"
        to = ["hurry.toml", "2"]
        [parameters]
        acceleration_limit = { min = 0.3, max = 3, start = 2.5 }
        time_horizon = {}
        [weights]
        "hurry.toml" = 3
        [seeds]
        training = [0, 1]
        held_out = [7, 8, 9]
        [search]
        generations = 4
        population = 5
        seed = 5
    "#;
    let mut plan = PlanFile::parse("plan.toml", text).unwrap();
    plan.folder = folder.into();
    plan
}

fn run(
    plan: &PlanFile,
    folder: &Path,
    threads: usize,
    watch: CalibrationWatch,
) -> Result<(Done, CalibrationReport), BatchError> {
    let plan = plan.resolve().unwrap();
    let calibration = Calibration { plan, threads: Some(threads), engine: "0.1.0+test".into() };
    calibration.run(&Store::create(folder).unwrap(), watch)
}

/// Everything that must not depend on how it came about.
fn written(folder: &Path, report: &CalibrationReport) -> BTreeMap<String, String> {
    let page = write_calibration(&Store::create(folder).unwrap(), report).unwrap();
    assert_eq!(page, folder.join("calibration.html"));
    let entries = fs::read_dir(folder).unwrap().flatten();
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let named = files.map(|file| {
        let name = file.file_name().into_string().unwrap();
        (name, fs::read_to_string(file.path()).unwrap())
    });
    named.filter(|(name, _)| !name.starts_with('.')).collect()
}

/// Models and seeds of the runs in a folder.
fn runs(folder: &Path) -> BTreeSet<(String, u64)> {
    let entries = fs::read_dir(folder.join("runs")).unwrap().flatten();
    let key = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        let run: serde_json::Value = serde_json::from_str(&text).unwrap();
        let key = &run["run"]["key"];
        (key["model"].as_str().unwrap().to_owned(), key["seed"].as_u64().unwrap())
    };
    entries.map(key).collect()
}

#[test]
fn a_calibration_that_is_interrupted_ends_like_one_that_was_not_on_any_number_of_threads() {
    let [place, whole, broken] = [(), (), ()].map(|()| tempfile::tempdir().unwrap());
    let plan = hurry(place.path());
    let (done, report) = run(&plan, whole.path(), 1, &|_| true).unwrap();
    // One of the targets has two seeds at most 22 times, and so has the other; three seeds of two models at the end.
    assert!(done.kept == 0 && done.ran > 60 && done.ran <= 2 * (2 * 22 + 3 * 2), "{done:?}");
    assert_eq!(report.generations.len(), 4);

    // An objective is the mean of the targets by their weights.
    let parts = report
        .targets
        .iter()
        .map(|row| row.weight * (row.default[0].distance + 0.01 * row.default[0].off_centre));
    let (sum, weights) =
        (parts.sum::<f64>(), report.targets.iter().map(|row| row.weight).sum::<f64>());
    assert!(
        (report.default_objective[0] - sum / weights).abs() < 1e-12 && weights == 4.0,
        "{report}"
    );

    // Once in the middle of a generation, and once more later.
    for most in [13, 41] {
        let stopped = run(&plan, broken.path(), 2, &|progress| progress.done < most).unwrap_err();
        let BatchError::Interrupted { done, total } = stopped else { panic!("{stopped}") };
        assert!(done >= most && done <= most + 1 && total == 100, "{done} of {total}");
        assert_eq!(fs::read_dir(broken.path().join("runs")).unwrap().count(), done);
    }
    // A power cut tears a file.
    let torn = fs::read_dir(broken.path().join("runs")).unwrap().flatten().next().unwrap().path();
    let bytes = fs::read(&torn).unwrap();
    fs::write(&torn, &bytes[..bytes.len() / 2]).unwrap();
    let (rest, resumed) = run(&plan, broken.path(), 3, &|_| true).unwrap();
    assert_eq!((rest.damaged.len(), rest.kept + rest.ran), (1, done.ran), "{rest:?}");
    assert!(rest.kept >= 40, "{rest:?}");
    assert_eq!(written(whole.path(), &report), written(broken.path(), &resumed));

    let (again, report) = run(&plan, whole.path(), 2, &|_| true).unwrap();
    assert_eq!((again.ran, again.kept, &report), (0, done.ran, &resumed));
}

#[test]
fn what_is_held_out_is_run_at_the_end_and_only_with_the_defaults_and_the_best() {
    let [place, folder] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let plan = hurry(place.path());
    let last = |progress: throng_eval::calibration::CalibrationProgress| {
        progress.generation < 4 || progress.done < 84
    };
    run(&plan, folder.path(), 1, &last).unwrap_err();
    let trained = runs(folder.path());
    assert!(trained.len() > 30 && trained.iter().all(|(_, seed)| [0, 1].contains(seed)));

    let (_, report) = run(&plan, folder.path(), 1, &|_| true).unwrap();
    let held_out: BTreeSet<(String, u64)> =
        runs(folder.path()).into_iter().filter(|(_, seed)| ![0, 1].contains(seed)).collect();
    let models = [report.default.to_string(), report.best.to_string()];
    assert_eq!(models[0], "orca:time_gap=0.5", "what is fixed stays as it is");
    let expected =
        models.iter().flat_map(|model| [7, 8, 9].map(|seed| (model.clone(), seed))).collect();
    assert_eq!(held_out, expected);
}

#[test]
fn parameters_that_meet_the_checks_are_found_and_the_report_tells_how_they_do_on_what_was_held_out()
{
    let [place, folder] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let mut plan = hurry(place.path());
    plan.to.truncate(1);
    plan.parameters.remove("time_horizon");
    plan.search.generations = Some(10);
    plan.search.centring = Some(0.0);
    let (_, report) = run(&plan, folder.path(), 2, &|_| true).unwrap();
    assert!(report.default_objective[0] > 0.0, "{report}");
    assert_eq!(report.best_objective[0], 0.0, "nothing is outside of what is expected: {report}");
    let [target] = &report.targets[..] else { panic!("{report}") };
    assert_eq!(target.best[0].value, "6 of 6 criteria in 2 runs");
    assert!(target.best[1].value.ends_with("of 9 criteria in 3 runs"), "{report}");
    let best: Vec<f64> = report.generations.iter().map(|of| of.best).collect();
    assert!(best.windows(2).all(|pair| pair[1] <= pair[0]), "{best:?}");

    let files = written(folder.path(), &report);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "calibration.html",
        "calibration.json",
        "calibration.md",
        "candidates.csv",
        "generations.csv",
        "targets.csv",
    ];
    assert_eq!(names, expected);
    let [parameter] = &report.parameters[..] else { panic!("{report}") };
    let candidate = format!(",{},", parameter.best);
    assert!(files["candidates.csv"].contains(&candidate), "{candidate}");
    assert!(files["calibration.md"].contains(&format!("steering = {}", report.scene)));
    // What is to be pasted can be read: as a model, and in a scene.
    assert_eq!(report.best.to_string().parse(), Ok(report.best.clone()));
    let scene = HURRY.replace("then =", &format!("steering = {}\nthen =", report.scene));
    Scene::parse("pasted.toml", &scene, Path::new("")).unwrap();
    for outside in ["http:", "https:", "src=", "url(", "@import", "<link", "<script"] {
        assert!(!files["calibration.html"].contains(outside), "{outside} in the page");
    }
    assert_eq!(files["targets.csv"].lines().count(), 1 + 4);
}

/// Records people who cross each other's ways with a long time horizon. The recording says that there are these obstacles.
fn record(path: &Path, obstacles: &str) {
    let mut text = String::from(
        r#"
        format = 1
        simulation = { step = 0.05, duration = 20 }
        world.bounds = [[-20, -20], [20, 20]]
        [[groups]]
        name = "people"
        radius = 0.18
        speed = { min = 1.1, max = 1.5 }
        steering = { model = "orca", time_horizon = 8 }
        then = "leave"
        "#,
    );
    for nth in 0..24 {
        let (row, way) = (f64::from(nth / 4) - 2.5, nth % 4);
        let start = 7.0 + f64::from(nth % 3);
        let [[x, y], [to_x, to_y]] = match way {
            0 => [[-start, row], [start, row]],
            1 => [[start, row + 0.2], [-start, row + 0.2]],
            2 => [[row, -start], [row, start]],
            _ => [[row + 0.2, start], [row + 0.2, -start]],
        };
        text += &format!(
            "[[groups.people]]\nposition = [{x}, {y}]\ngoal = {{ seek = [{to_x}, {to_y}] }}\n"
        );
    }
    let scene = Scene::parse("crossing.toml", &text, Path::new("")).unwrap();
    let said = Scene::parse("crossing.toml", &(text + obstacles), Path::new("")).unwrap();
    let info = RecordingInfo::of_scene(&said);
    let mut recorder = Recorder::create(path, info, Overwrite::No).unwrap();
    let mut engine = Engine::new(scene).unwrap();
    engine.run_with(|frame| recorder.push(frame), |_| true).unwrap();
    recorder.finish().unwrap();
}

#[test]
fn what_tracks_were_made_with_predicts_people_who_were_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracks.parquet");
    record(&path, "");
    let mut plan = PlanFile { model: "orca".into(), ..PlanFile::default() };
    plan.folder = folder.path().into();
    plan.to = vec!["tracks.parquet".into()];
    let range = throng_eval::calibration::ParameterRange {
        min: Some(0.5),
        max: Some(12.0),
        start: Some(2.0),
    };
    plan.parameters.insert("time_horizon".into(), range);
    plan.seeds.training = Some(Seeds::Count(1));
    plan.seeds.held_out = Some(Seeds::Count(1));
    plan.search.generations = Some(5);
    let out = folder.path().join("out");
    let (_, report) = run(&plan, &out, 2, &|_| true).unwrap();
    let [default, best] = [report.default_objective, report.best_objective];
    assert!(best[0] < default[0] && best[1] < default[1], "{report}");
    let horizon = report.best.parameter("time_horizon").unwrap();
    assert!((5.0..12.0).contains(&horizon), "{report}");
    // People are divided: another share is another calibration.
    let models: BTreeSet<u64> = runs(&out).into_iter().map(|(_, seed)| seed).collect();
    assert_eq!(models, [0, 1000].into());
    plan.tracks.held_out_people = Some(0.01);
    let message = plan.resolve().err().unwrap().to_string();
    assert!(message.contains("no person to hold out"), "{message}");
}

#[test]
fn windows_in_which_somebody_is_in_a_wall_are_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    // A wall that nobody saw, where those from the east pass after a while.
    let wall = "[[obstacles]]\nbox = { center = [3.5, -0.3], size = [4, 0.6] }\n";
    record(&folder.path().join("clear.parquet"), "");
    record(&folder.path().join("walled.parquet"), wall);
    let plan = PlanFile {
        model: "orca".into(),
        to: vec!["clear.parquet".into(), "walled.parquet".into()],
        folder: folder.path().into(),
        ..PlanFile::default()
    };
    let [clear, walled] = &plan.resolve().unwrap().targets[..] else { panic!() };
    assert_eq!(clear.title(), "tracks");
    assert!(walled.title().contains("that cannot be simulated"), "{}", walled.title());
}

#[test]
fn a_target_that_cannot_be_run_with_the_defaults_ends_a_calibration_before_it_begins() {
    let [place, folder] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let plan = hurry(place.path());
    // Eleven people have room in order, but not at random, which is known when a run begins.
    let crowded = HURRY
        .replace("people = [", "crowds = [{ count = 11, region = \"nook\" }]\npeople = [")
        + "[[regions]]\nname = \"nook\"\nrectangle = [[0, 3], [1, 4]]\n";
    fs::write(place.path().join("hurry.toml"), &crowded).unwrap();
    let error = run(&plan, folder.path(), 1, &|_| true).unwrap_err().to_string();
    assert!(error.starts_with("hurry.toml cannot be run with orca:time_gap=0.5: "), "{error}");
    assert!(error.contains("nook"), "{error}");
    assert!(runs(folder.path()).iter().all(|(model, _)| model == "orca:time_gap=0.5"));
}

#[test]
fn plans_that_make_no_sense_are_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let message = |change: &dyn Fn(&mut PlanFile)| {
        let mut plan = hurry(folder.path());
        change(&mut plan);
        plan.resolve().err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(message(&|_| {}), "");
    let list = |seeds: &[u64]| Some(Seeds::List(seeds.into()));
    for (said, why) in [
        (message(&|plan| plan.model = "orka".into()), "do you mean orca?"),
        (message(&|plan| plan.model = "orca:time_gap=9".into()), "take 0 to 5"),
        (message(&|plan| plan.format = Some(2)), "format 1, and not 2"),
        (message(&|plan| plan.to.clear()), "nothing to calibrate to"),
        (message(&|plan| plan.to.push("squeze".into())), "do you mean squeeze?"),
        (message(&|plan| plan.to.push("2".into())), "2 is given twice"),
        (message(&|plan| plan.seeds.held_out = list(&[1])), "seed 1 is for training and held out"),
        (message(&|plan| plan.seeds.training = list(&[3, 3])), "seed 3 is given twice"),
        (message(&|plan| plan.seeds.training = list(&[])), "there are no training seeds"),
        (message(&|plan| plan.seeds.held_out = list(&[1 << 40])), "is too large"),
        (message(&|plan| plan.seeds.training = Some(Seeds::Count(1001))), "take 1 to 1000"),
        (message(&|plan| plan.search.generations = Some(0)), "number of generations cannot be 0"),
        (message(&|plan| plan.search.population = Some(3)), "take 4 to 1000"),
        (message(&|plan| plan.search.sigma = Some(f64::NAN)), "sigma cannot be NaN"),
        (message(&|plan| plan.search.centring = Some(-1.0)), "centring cannot be -1"),
        (message(&|plan| plan.tracks.held_out_people = Some(1.0)), "people held out cannot be 1"),
        (message(&|plan| _ = plan.weights.insert("L01".into(), 1.0)), "targets are hurry.toml, 2"),
        (message(&|plan| _ = plan.weights.insert("2".into(), 0.0)), "a number above 0"),
        (
            message(&|plan| _ = plan.parameters.insert("time_gap".into(), Default::default())),
            "leave it out of one of them",
        ),
        (
            message(&|plan| _ = plan.parameters.insert("time_horizont".into(), Default::default())),
            "do you mean time_horizon?",
        ),
        (
            message(&|plan| plan.parameters.get_mut("time_horizon").unwrap().min = Some(-3.0)),
            "cannot be -3",
        ),
        (
            message(&|plan| plan.parameters.get_mut("acceleration_limit").unwrap().max = Some(0.1)),
            "is empty",
        ),
        (
            message(&|plan| {
                plan.parameters.get_mut("acceleration_limit").unwrap().start = Some(9.0);
            }),
            "cannot begin at 9",
        ),
    ] {
        assert!(said.contains(why), "{why:?} is not in {said:?}");
    }
    // A scene without criteria cannot be met.
    fs::write(folder.path().join("idle.toml"), "format = 1\nworld.bounds = [[0, 0], [1, 1]]")
        .unwrap();
    assert!(message(&|plan| plan.to.push("idle.toml".into())).contains("has no criteria"));
}

#[test]
fn files_that_are_no_plans_are_told_with_the_place() {
    let message = |text: &str| PlanFile::parse("plan.toml", text).unwrap_err().to_string();
    assert!(
        message("model = \"orca\"\ntoo = []").starts_with("plan.toml:2:1: unknown field `too`")
    );
    assert!(message("model = \"orca\"\n[seeds]\ntraining = \"0\"").contains("e.g. [0, 1, 2]"));
    assert!(message("to = []").contains("missing field `model`"));
    assert!(message("model = \"orca").starts_with("plan.toml:1:"));
    let missing = PlanFile::load(Path::new("no-such-plan.toml")).unwrap_err().to_string();
    assert!(missing.contains("cannot read no-such-plan.toml"), "{missing}");
}
