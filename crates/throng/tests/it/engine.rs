//! What an engine promises: the same bits on any number of threads, recordings of exactly what
//! happened, and runs that end when they are told to.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::Path;

use throng::recording::{Frame, Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};

/// People on two floors, more of them than one thread is used for: some walk between the floors,
/// some come while it runs, some leave, one is listed by name and chased.
const MIXED: &str = r##"
format = 1
[simulation]
step = 0.1
duration = 8
seed = 5
record_every = 2

[world]
bounds = [[-50, -50], [50, 50]]
closed = true

[[layers]]
name = "hall"
[[layers]]
name = "gallery"
elevation = 4

[[connectors]]
name = "stairs"
kind = "stairs"
polygon = [[-4, -46], [2, -46], [2, -40], [-4, -40]]
lower = { layer = "hall", edge = [[-4, -46], [-4, -40]] }
upper = { layer = "gallery", edge = [[2, -46], [2, -40]] }

[[obstacles]]
name = "pillar"
circle = { center = [10, 10], radius = 2 }
[[obstacles]]
name = "partition"
wall = { points = [[-30, 0], [-10, 4], [0, -8]], thickness = 0.4 }
[[obstacles]]
name = "showcase"
box = { center = [0, 20], size = [8, 2], angle = 30 }
layer = "gallery"

[[regions]]
name = "hall floor"
rectangle = [[-45, -35], [45, 45]]
[[regions]]
name = "gallery floor"
rectangle = [[-45, -35], [45, 45]]
layer = "gallery"
[[regions]]
name = "gate"
rectangle = [[-49, -49], [-40, -40]]
[[regions]]
name = "landing"
rectangle = [[-12, -47], [-6, -39]]

[[groups]]
name = "visitors"
radius = { min = 0.2, max = 0.3 }
speed = { mean = 1.3, sd = 0.2, min = 0.8, max = 2 }
goals = [{ seek = { random = "hall floor" } }, { idle = 1 }]
then = "repeat"
crowds = [{ count = 2600, region = "hall floor", arrangement = "grid" }]

[[groups]]
name = "audience"
radius = 0.22
goals = [{ seek = { random = "gallery floor" } }]
crowds = [{ count = 1500, region = "gallery floor" }]

[[groups]]
name = "climbers"
radius = 0.22
goals = [{ seek = [-6, -43], within = 1 }, { seek = [8, -43], layer = "gallery", within = 1 }]
then = "leave"
crowds = [{ count = 40, region = "landing" }]

[[groups]]
name = "latecomers"
goals = [{ flow = [1, 1], duration = 1.5 }, { seek = "gate" }]
then = "leave"
sources = [{ region = "gate", rate = 20, arrivals = "random" }]

[[groups]]
name = "tag"
people = [
  { name = "runner", position = [30, -38], goal = { flee = { person = "chaser" }, beyond = 30 } },
  { name = "chaser", position = [33, -38], goal = { seek = { person = "runner" } } },
]
"##;

fn engine(text: &str) -> Engine {
    let scene = Scene::parse("mixed.toml", text, Path::new("."));
    scene.and_then(Engine::new).unwrap_or_else(|errors| panic!("{errors}"))
}

fn recorder(path: &Path, engine: &Engine) -> Recorder {
    Recorder::create(path, RecordingInfo::of_scene(engine.scene()), Overwrite::No).unwrap()
}

/// Records the mixed scene on so many threads, and returns the engine at the end and the file.
fn recorded(threads: usize) -> (Engine, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mixed.parquet");
    let mut engine = engine(MIXED);
    engine.set_threads(threads).unwrap();
    let mut recorder = recorder(&path, &engine);
    engine.run(Some(&mut recorder), |_| true).unwrap();
    recorder.finish().unwrap();
    (engine, std::fs::read(&path).unwrap())
}

#[test]
fn recordings_are_the_same_bytes_on_any_number_of_threads() {
    let (engine, file) = recorded(1);
    let (initial, crowd) = (engine.scene().initial_people(), engine.crowd());
    assert!(crowd.len() > 4000, "too few for threads to matter");
    assert!(u64::from(crowd.ever()) > initial + 100, "the source emitted nobody");
    assert!(crowd.len() < crowd.ever() as usize - 50, "hardly anyone left");
    let upstairs = |group| crowd.people().any(|p| p.group.0 == group && p.layer.0 == 1);
    assert!(upstairs(2), "nobody climbed the stairs");
    for threads in [2, 7] {
        assert!(recorded(threads).1 == file, "{threads} threads make a difference");
    }
}

#[test]
fn another_seed_makes_another_recording() {
    let positions = |seed| {
        let scene = Scene::parse("mixed.toml", MIXED, Path::new("."));
        let mut scene = scene.unwrap_or_else(|errors| panic!("{errors}"));
        scene.settings.seed = seed;
        let engine = Engine::new(scene).unwrap_or_else(|errors| panic!("{errors}"));
        engine.crowd().people().map(|person| person.position).collect::<Vec<_>>()
    };
    assert_eq!(positions(5), positions(5));
    assert_ne!(positions(5), positions(6));
}

/// Five people who cross a square, with every third state recorded.
const FEW: &str = r#"
format = 1
[simulation]
step = 0.05
duration = 3
record_every = 3
[world]
bounds = [[0, 0], [20, 20]]
[[regions]]
name = "square"
rectangle = [[1, 1], [19, 19]]
[[groups]]
name = "walkers"
goals = [{ seek = { random = "square" } }]
then = "repeat"
crowds = [{ count = 5, region = "square" }]
"#;

#[test]
fn replay_by_time_gives_what_the_engine_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.parquet");
    let mut engine = engine(FEW);
    let mut had = vec![Frame::default()];
    engine.snapshot(&mut had[0]);
    let mut recorder = recorder(&path, &engine);
    engine.run(Some(&mut recorder), |_| true).unwrap();
    recorder.finish().unwrap();

    let mut again = self::engine(FEW);
    while !again.is_finished() {
        again.step();
        let mut frame = Frame::default();
        again.snapshot(&mut frame);
        had.push(frame);
    }
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!((recording.frame_count(), had.len()), (21, 61));
    for (step, had) in had.iter().enumerate().step_by(3) {
        // In the middle between two states, the earlier one still holds.
        for time in [had.time, had.time + 0.075] {
            let replayed = recording.at(time).unwrap().unwrap();
            assert_eq!(replayed.index as usize, step / 3);
            assert_eq!(replayed.people, had.people);
            assert!((replayed.time - had.time).abs() < 1e-9);
        }
    }
}

#[test]
fn a_run_ends_early_when_told_to_and_can_go_on() {
    let mut engine = engine(FEW);
    let mut seen = Vec::new();
    let until_7 = engine.run(None, |progress| {
        seen.push((progress.steps, progress.total, progress.people, progress.person_steps));
        progress.steps < 7
    });
    let until_7 = until_7.unwrap();
    assert_eq!((until_7.steps, until_7.person_steps, until_7.remaining), (7, 35, 5));
    assert!((until_7.simulated - 0.35).abs() < 1e-9 && !engine.is_finished());
    assert_eq!(seen, (1..=7).map(|step| (step, 60, 5, 5 * step)).collect::<Vec<_>>());
    let rest = engine.run(None, |_| true).unwrap();
    assert_eq!((rest.steps, engine.is_finished()), (53, true));
}
