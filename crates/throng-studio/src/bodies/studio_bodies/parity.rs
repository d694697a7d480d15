//! The same motion gives the same poses, bit by bit, whoever shows it: the engine, a film, or the studio.

use std::collections::BTreeMap;
use std::path::Path;

use throng::Engine;
use throng::film::{PlayOptions, Playback, Recorded, dress};
use throng::recording::{Overwrite, Recorder, Recording, RecordingInfo};
use throng_motion::Pose;

use super::tests::{ABOVE, wardrobe};
use super::*;

/// Time between two steps, s. Multiples of it are exact, so that all have the same times.
const STEP: f64 = 1.0 / 32.0;
const STEPS: u32 = 96;

/// Everybody's role and pose in the world, by time in steps and by id.
type Shown = BTreeMap<u32, Vec<(u32, Descriptor, Pose)>>;

fn show(bodies: &Ensemble) -> Vec<(u32, Descriptor, Pose)> {
    let one = |member: &Member| (member.id, member.role, member.world_pose());
    bodies.members().iter().map(one).collect()
}

/// A scene that ships, recorded every so many steps to `path`, as the engine shows it one-way.
fn engine(scene: &Scene, wardrobe: &Wardrobe, path: &Path) -> Shown {
    let mut engine = Engine::new(scene.clone()).unwrap();
    engine.set_bodies(Some(wardrobe.cast.clone()));
    engine.set_feedback(false);
    let info = RecordingInfo::of_scene(scene);
    let mut recorder = Recorder::create(path, info, Overwrite::No).unwrap();
    let mut frame = throng::recording::Frame::default();
    let mut shown = Shown::new();
    for step in 0..=STEPS {
        if step > 0 {
            engine.step();
            shown.insert(step, show(engine.bodies().unwrap()));
        }
        if step.is_multiple_of(scene.settings.record_every) {
            engine.snapshot(&mut frame);
            recorder.push(&frame).unwrap();
            frame.index += 1;
        }
    }
    recorder.finish().unwrap();
    shown
}

/// A film of the recording from its second frame on, with a frame at every step.
fn film(scene: &Scene, wardrobe: &Wardrobe, dressed: &Dressed, path: &Path) -> Shown {
    let mut recording = Recording::open(path).unwrap();
    let from = recording.time_of(1);
    let options = PlayOptions {
        fps: STEP.recip(),
        from: Some(from),
        seed: scene.settings.seed,
        wardrobe: Some(dressed.clone()),
        ..PlayOptions::default()
    };
    let mut motions = Recorded::new(&mut recording);
    let cast = wardrobe.cast.clone();
    let mut playback = Playback::with_cast(&mut motions, Some(scene), &options, cast).unwrap();
    let mut shown = Shown::new();
    while playback.advance().unwrap() {
        shown.insert((playback.time() / STEP).round() as u32, show(playback.ensemble()));
    }
    shown
}

/// The recording from its second frame on, as the studio shows it to pages that see everybody well.
fn studio(scene: &Scene, wardrobe: &Wardrobe, dressed: &Dressed, path: &Path) -> Shown {
    let mut recording = Recording::open(path).unwrap();
    let mut bodies = StudioBodies::new(wardrobe, scene);
    let everybody = Budget { full: usize::MAX, ..Budget::default() };
    let options = ScalerOptions { sight_lines: 0, ..*bodies.scaler().options() };
    bodies.pipeline.set_scaling(Some(options));
    bodies.set_views(&[ABOVE], everybody);
    let interval = recording.info().interval();
    let mut shown = Shown::new();
    for index in 1..recording.frame_count() {
        let frame = recording.frame(index).unwrap();
        let targets: Vec<_> = MotionTarget::of_recorded(&frame.people).collect();
        let moment = Moment { time: frame.time, ..Moment::default() };
        bodies.dress(&targets, dressed);
        bodies.follow(&moment, targets, interval, 1.0);
        bodies.news();
        shown.insert((frame.time / STEP).round() as u32, show(bodies.bodies().ensemble()));
    }
    shown
}

/// The engine's, the film's and the studio's poses of a scene that is recorded every so many steps.
fn shown(name: &str, record_every: u32) -> [Shown; 3] {
    let file = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut scene = Scene::load(file).unwrap();
    (scene.settings.step, scene.settings.record_every) = (STEP, record_every);
    let wardrobe = wardrobe();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parity.parquet");
    let engine = engine(&scene, &wardrobe, &path);
    let library = wardrobe.cast.library().clone();
    let mut dressed = Dressed::new(library, scene.settings.seed).remembering_all();
    let mut recording = Recording::open(&path).unwrap();
    dress(&mut recording, Some(&scene), f64::INFINITY, &mut dressed).unwrap();
    let film = film(&scene, &wardrobe, &dressed, &path);
    let studio = studio(&scene, &wardrobe, &dressed, &path);
    [engine, film, studio]
}

/// How many poses were compared, all of which are the same.
fn compare(name: &str, one: &Shown, other: &Shown) -> usize {
    let mut compared = 0;
    for (step, people) in one {
        let others = &other[step];
        let ids = |people: &[(u32, Descriptor, Pose)]| -> Vec<u32> {
            people.iter().map(|person| person.0).collect()
        };
        assert_eq!(ids(people), ids(others), "{name}, step {step}");
        for (person, other) in people.iter().zip(others) {
            assert_eq!(person.1, other.1, "{name}, step {step}: the role of {}", person.0);
            assert!(person == other, "{name}, step {step}: the pose of {}", person.0);
        }
        compared += people.len();
    }
    compared
}

#[test]
fn engine_film_and_studio_show_the_same_poses() {
    for name in ["plaza", "terrace"] {
        let [engine, film, studio] = shown(name, 1);
        assert!(compare(name, &engine, &film) > 1000);
        assert!(compare(name, &studio, &film) > 1000);
        assert_eq!(
            (engine.len(), film.len(), studio.len()),
            (STEPS as usize, STEPS as usize, STEPS as usize)
        );
    }
}

#[test]
fn film_and_studio_fill_the_time_between_frames_with_the_same_poses() {
    for name in ["plaza", "terrace"] {
        let [_, film, studio] = shown(name, 4);
        assert!(compare(name, &studio, &film) > 500);
    }
}
