//! Patterns alone are those that scoring finds, and a search for them can be followed and stopped.

use std::path::Path;

use glam::Vec2;
use throng::crowd::Status;
use throng::recording::{Frame, Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};
use throng_eval::score::{
    Ideals, Pattern, PatternWatch, ScoreOptions, WalkView, find_patterns, score_recording,
};
use throng_world::scene::{GroupId, LayerId};

use super::track::hall;

/// Two who are locked in, one of whom walks a little before that gets in the way, and one who is not.
fn stuck() -> Scene {
    let text = include_str!("../../../../../tests/scenes/stuck.toml");
    Scene::parse("stuck.toml", text, Path::new("")).unwrap()
}

fn recording(folder: &tempfile::TempDir) -> Recording {
    let path = folder.path().join("stuck.parquet");
    let mut engine = Engine::new(stuck()).unwrap();
    let info = RecordingInfo::of_scene(engine.scene());
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    engine.run_with(|frame: &Frame| recorder.push(frame), |_| true).unwrap();
    recorder.finish().unwrap();
    Recording::open(&path).unwrap()
}

#[test]
fn the_patterns_of_a_recording_are_those_of_its_score() {
    let folder = tempfile::tempdir().unwrap();
    let (mut recording, scene) = (recording(&folder), stuck());
    let options = ScoreOptions::default();
    let scored = score_recording(&mut recording, &scene, options).unwrap().events;
    let deadlocked: Vec<u32> = (scored.iter())
        .filter(|event| event.pattern == Pattern::Deadlock)
        .map(|event| event.person)
        .collect();
    assert!(deadlocked.contains(&0) && deadlocked.contains(&1), "{scored:?}");
    let (mut last, mut most) = (-1.0, 0);
    let found = find_patterns(&mut recording, &scene, options, |done, events| {
        assert!(done > last && (0.0..=1.0).contains(&done), "{last} and {done}");
        assert!(events.len() >= most, "nothing that was seen is taken back");
        (last, most) = (done, events.len());
        true
    });
    assert_eq!(found.unwrap(), Some(scored));
    assert_eq!(last, 1.0);
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let (mut recording, scene) = (recording(&folder), stuck());
    let mut calls = 0;
    let found = find_patterns(&mut recording, &scene, ScoreOptions::default(), |_, _| {
        calls += 1;
        calls < 4
    });
    assert_eq!((found.unwrap(), calls), (None, 4));
}

/// A moment at which everybody of a range of ids stands at the place of their number.
fn crowd(watch: &mut PatternWatch, time: f64, ids: std::ops::Range<u32>) {
    let ids: Vec<u32> = ids.collect();
    let count = ids.len();
    let positions: Vec<Vec2> = ids.iter().map(|&id| Vec2::new(id as f32, 0.0)).collect();
    let view = WalkView {
        time,
        ids: &ids,
        groups: &vec![GroupId(0); count],
        positions: &positions,
        layers: &vec![LayerId(0); count],
        headings: &vec![0.0; count],
        radii: &vec![0.2; count],
        statuses: &vec![Status::Walking; count],
    };
    watch.take(view).unwrap();
}

#[test]
fn who_has_left_is_forgotten_and_who_is_there_is_not() {
    let options = ScoreOptions::default();
    let watched = |forgets: bool| {
        let mut watch = PatternWatch::new(&hall(""), Ideals::default(), options).unwrap();
        for frame in 0..100 {
            // Two thousand leave when the others have stood for a second and a half.
            let first = if frame < 15 { 0 } else { 2000 };
            crowd(&mut watch, f64::from(frame) * 0.1, first..2010);
            if forgets {
                watch.forget_departed();
            }
        }
        watch.events().to_vec()
    };
    let events = watched(true);
    assert_eq!(events, watched(false));
    assert_eq!(events.len(), 10, "all who stay stand still for ten seconds: {events:?}");
    assert!(events.iter().all(|event| event.person >= 2000 && event.from < 0.1));
}
