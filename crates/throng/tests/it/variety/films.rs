//! That people look the same whoever shows them.

use std::sync::Arc;

use glam::Vec2;
use throng::bodies::variety::Wardrobe;
use throng::bodies::{Cast, Ensemble, MotionTarget};
use throng::film::{PlayOptions, Playback, Recorded, Selection, dress, dressed};
use throng::recording::{
    Frame, GroupInfo, LayerInfo, Overwrite, Person, Recorder, Recording, RecordingInfo,
};

/// People who come one after the other and walk east, half a metre apart.
fn recording(path: &std::path::Path) -> Recording {
    let info = RecordingInfo {
        seed: 5,
        step: 0.1,
        record_every: 1,
        groups: vec![GroupInfo { name: "walkers".into(), color: [0; 3] }],
        layers: vec![LayerInfo { name: "ground".into(), elevation: 0.0 }],
        ..RecordingInfo::default()
    };
    let mut recorder = Recorder::create(path, info, Overwrite::No).expect("a recording");
    let mut frame = Frame::default();
    for index in 0..40 {
        (frame.index, frame.time) = (index, 0.1 * f64::from(index));
        frame.people.clear();
        for id in (index.saturating_sub(30))..=(index / 2 + 3) {
            let velocity = Vec2::new(1.2, 0.0);
            let position = Vec2::new(0.12 * index as f32 - 0.5 * id as f32, (id % 4) as f32);
            frame.people.push(Person { id, position, velocity, ..Person::default() });
        }
        recorder.push(&frame).expect("a recording");
    }
    recorder.finish().expect("a recording");
    Recording::open(path).expect("a recording")
}

#[test]
fn people_look_the_same_in_every_film_of_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = recording(&folder.path().join("walkers.parquet"));
    let usual = PlayOptions { looks: 4, seed: 5, ..PlayOptions::default() };
    let cast = Arc::new(Cast::new(4).unwrap());
    let mut everybody = Wardrobe::new(cast.library().clone(), 5).remembering_all();
    dress(&mut recording, None, f64::INFINITY, &mut everybody).unwrap();
    for options in [
        usual.clone(),
        PlayOptions { fps: 7.0, from: Some(1.55), until: Some(2.4), ..usual.clone() },
        PlayOptions { from: Some(2.0), people: Selection::These([7, 11].into()), ..usual.clone() },
        PlayOptions { people: Selection::First(3), ..usual.clone() },
    ] {
        let wardrobe = Some(dressed(&mut recording, None, &options).unwrap());
        let options = PlayOptions { wardrobe, ..options };
        let mut motions = Recorded::new(&mut recording);
        let mut film = Playback::with_cast(&mut motions, None, &options, cast.clone()).unwrap();
        let mut seen = 0;
        while film.advance().unwrap() {
            for member in film.members() {
                assert_eq!(Some(&member.role), everybody.descriptor(member.id), "{}", member.id);
                seen += 1;
            }
        }
        assert!(seen > 10);
    }
}

#[test]
fn who_is_not_shown_is_there_all_the_same() {
    let cast = Arc::new(Cast::new(2).unwrap());
    let targets: Vec<MotionTarget> = (0..30)
        .map(|id| MotionTarget {
            id,
            position: Vec2::new(0.3 * id as f32, 0.0),
            ..MotionTarget::default()
        })
        .collect();
    let mut all = Ensemble::new(cast.clone(), 1);
    all.follow(&targets, 0.1);
    let mut few = Ensemble::new(cast.clone(), 1);
    few.dress(&targets);
    few.follow(&targets[20..], 0.1);
    for member in few.members() {
        assert_eq!(Some(&member.role), all.wardrobe().descriptor(member.id));
    }
    // A wardrobe of another cast says nothing, and breaks nothing.
    let other = Wardrobe::new(Arc::new(Cast::usual_library(9, &[]).unwrap()), 1);
    let mut unmoved = Ensemble::new(cast, 1).dressed_by(other);
    unmoved.follow(&targets, 0.1);
    let roles = |bodies: &Ensemble| bodies.members().iter().map(|m| m.role).collect::<Vec<_>>();
    assert_eq!(roles(&unmoved), roles(&all));
}
