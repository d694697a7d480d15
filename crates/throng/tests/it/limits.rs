//! People of scenes that ship move as bodies can, so that bodies can follow what was recorded.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::Vec2;
use throng::crowd::PersonId;
use throng::film::{PlayOptions, Playback, Recorded, Skate};
use throng::recording::{Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};

/// Largest change of velocity by braking and swerving, m/s².
const MAX_ACCELERATION: f32 = 3.0;
/// People have walked back within this time, s, only if they turned at speed.
const TURN: f32 = 0.3;

fn scene(name: &str) -> Scene {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    Scene::load(folder.join(name)).unwrap()
}

#[test]
fn walkers_change_velocity_as_people_do() {
    // Goals at both ends of the street, where everybody turns round, and strollers among them.
    for (name, seconds) in [("street.toml", 90.0), ("plaza.toml", 60.0)] {
        let mut engine = Engine::new(scene(name)).unwrap();
        let step = engine.crowd().setting().step as f32;
        let mut tracks: BTreeMap<PersonId, Vec<Vec2>> = BTreeMap::new();
        while engine.crowd().time() < seconds {
            engine.step();
            for person in engine.crowd().people() {
                tracks.entry(person.id).or_default().push(person.velocity);
            }
        }
        let changes = tracks.values().flat_map(|track| track.windows(2));
        let mut accelerations: Vec<f32> =
            changes.map(|pair| pair[0].distance(pair[1]) / step).collect();
        accelerations.sort_by(f32::total_cmp);
        let most = accelerations[accelerations.len() * 999 / 1000];
        assert!(most < 1.01 * MAX_ACCELERATION, "{name}: {most} m/s² in 99.9 % of all steps");
        let apart = (TURN / step).round() as usize;
        let turned = tracks.iter().filter(|(_, track)| {
            let turns = |(from, to): (&Vec2, &Vec2)| {
                from.length().min(to.length()) > 0.7 && from.normalize().dot(to.normalize()) < -0.87
            };
            track.iter().zip(track.iter().skip(apart)).any(turns)
        });
        let turned: Vec<&PersonId> = turned.map(|(id, _)| id).collect();
        assert!(turned.is_empty(), "{name}: {turned:?} turn right round at speed");
    }
}

#[test]
fn feet_of_a_recorded_street_stay_where_they_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("street.parquet");
    let mut engine = Engine::new(scene("street.toml")).unwrap();
    let info = RecordingInfo::of_scene(engine.scene());
    let mut recorder = Recorder::create(path.clone(), info, Overwrite::No).unwrap();
    engine.run(Some(&mut recorder), |progress| progress.steps < 1200).unwrap();
    recorder.finish().unwrap();
    let mut recording = Recording::open(&path).unwrap();
    let mut motions = Recorded::new(&mut recording);
    let mut playback =
        Playback::new(&mut motions, Some(engine.scene()), &PlayOptions::default()).unwrap();
    let mut skate = Skate::of(playback.ensemble());
    while playback.advance().unwrap() {
        skate.watch(playback.members(), playback.time(), playback.interval() as f32);
    }
    let report = skate.finish();
    assert!(report.stance_mm.count > 5000, "{:?}", report.stance_mm);
    assert!(report.stance_mm.p999 < 1.0, "{:?}", report.stance_mm);
    assert!(report.dragged < 1e-4, "{} of standing feet are dragged", report.dragged);
    assert!(report.pulled < 2e-3, "{} of bodies are pulled", report.pulled);
}
