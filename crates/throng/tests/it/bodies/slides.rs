//! How far feet slide in all scenes that ship: in films of plain recordings, in runs in which bodies take part, and in films
//! of those.
//!
//! `THRONG_LONG=1` measures all of them for a minute and a half, the largest for a few seconds and on a sample of their
//! people, and prints a table. Without, nothing is measured: `scenes.rs` has the small form.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::path::Path;
use std::sync::Arc;

use throng::bodies::Cast;
use throng::film::{PlayOptions, Playback, Recorded, Selection, Skate, SkateReport, dressed};
use throng::recording::{Frame, Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};

/// Large scenes: one person of how many is filmed, and for how long, s. Runs with bodies are left out, as all people have
/// bodies there.
const LARGE: &[(&str, u32, f64)] = &[
    ("city", 20, 10.0),
    ("square-20k", 40, 10.0),
    ("square-100k", 400, 4.0),
    ("stream-500k", 2000, 4.0),
];
const SECONDS: f64 = 90.0;

fn print(scene: &str, seed: u64, how: &str, report: &SkateReport) {
    let SkateReport { stance_mm, dragged, pulled, .. } = report;
    println!(
        "| {scene} | {seed} | {how} | {} | {:.2} | {:.1} | {:.4} % | {:.2} % |",
        stance_mm.count,
        stance_mm.p999,
        stance_mm.max,
        100.0 * dragged,
        100.0 * pulled,
    );
}

fn film(path: &Path, scene: &Scene, people: Selection) -> SkateReport {
    let mut recording = Recording::open(path).unwrap();
    let mut options =
        PlayOptions { fps: 25.0, seed: recording.info().seed, people, ..PlayOptions::default() };
    options.wardrobe = Some(dressed(&mut recording, Some(scene), &options).unwrap());
    let mut motions = Recorded::new(&mut recording);
    let mut playback = Playback::new(&mut motions, Some(scene), &options).unwrap();
    let mut skate = Skate::of(playback.ensemble());
    while playback.advance().unwrap() {
        skate.watch(playback.members(), playback.time(), playback.interval() as f32);
    }
    skate.finish()
}

/// Runs a scene and films it; the first report is of bodies that take part in the run.
fn run(
    scene: &Scene,
    seconds: f64,
    with_bodies: bool,
    people: Selection,
) -> (Option<SkateReport>, SkateReport) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.parquet");
    let mut engine = Engine::new(scene.clone()).unwrap();
    if with_bodies {
        let cast = Cast::for_scene(Cast::USUAL, Some(scene)).unwrap();
        engine.set_bodies(Some(Arc::new(cast)));
    }
    let step = scene.settings.step;
    let info = RecordingInfo::of_scene(engine.scene());
    let mut recorder = Recorder::create(path.clone(), info, Overwrite::No).unwrap();
    let (mut frame, mut live) = (Frame::default(), None::<Skate>);
    let every = u64::from(scene.settings.record_every);
    for done in 0..=(seconds / step).round() as u64 {
        if done % every == 0 {
            engine.snapshot(&mut frame);
            recorder.push(&frame).unwrap();
            frame.index += 1;
        }
        if engine.is_finished() {
            break;
        }
        engine.step();
        if let Some(bodies) = engine.bodies() {
            let skate = live.get_or_insert_with(|| Skate::of(bodies));
            skate.watch(bodies.members(), engine.time(), step as f32);
        }
    }
    recorder.finish().unwrap();
    (live.map(Skate::finish), film(&path, scene, people))
}

#[test]
fn feet_stand_in_all_scenes() {
    let is_long = std::env::var_os("THRONG_LONG").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| is_long || name == "station")
        .collect();
    names.sort();
    let seeds: &[u64] = if is_long { &[301, 302] } else { &[301] };
    let mut missed = Vec::new();
    for (name, seed) in names.iter().flat_map(|name| seeds.iter().map(move |seed| (name, *seed))) {
        let mut scene = Scene::load(folder.join(format!("{name}.toml"))).unwrap();
        scene.settings.seed = seed;
        let large = LARGE.iter().find(|(large, ..)| large == name);
        let (every, seconds) = large.map_or((1, SECONDS), |(_, every, seconds)| (*every, *seconds));
        let seconds = if is_long { seconds.min(scene.settings.duration) } else { 20.0 };
        let people = match every {
            1 => Selection::Everyone,
            _ => Selection::These((0..1_000_000).step_by(every as usize).collect()),
        };
        let ways: &[bool] = if is_long && large.is_none() { &[false, true] } else { &[false] };
        for &with_bodies in ways {
            let (live, film) = run(&scene, seconds, with_bodies, people.clone());
            if let Some(live) = live {
                print(name, seed, "in the run", &live);
            }
            let how = if with_bodies { "film of --bodies" } else { "film" };
            print(name, seed, how, &film);
            if film.stance_mm.p999 > 1.0 || film.dragged >= 1e-4 {
                missed.push((name, seed, how, film));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
