//! What is written is read back.

use std::sync::Arc;

use glam::{Quat, Vec3};
use throng_motion::files::gltf::{
    Export, Person, PlaceKey, Play, WriteOptions, read, read_bytes, to_glb, to_gltf, write,
};
use throng_motion::files::{Body, Document, ReadOptions};
use throng_motion::{JointId, Landmark, ModelPose, Motion, Region};

use super::people::{boxy, dance};

/// The largest differences between rotations (rad) and between places of joints (m).
pub fn differences(a: &Motion, b: &Motion) -> (f32, f32) {
    assert_eq!(a.frames(), b.frames());
    assert_eq!(a.rate(), b.rate());
    let (mut turn, mut way) = (0.0_f32, 0.0_f32);
    for frame in 0..a.frames() {
        let (x, y) = (a.pose(frame), b.pose(frame));
        for (x, y) in x.rotations.iter().zip(&y.rotations) {
            turn = turn.max(x.angle_between(*y).min(angle(*x, *y)));
        }
        let (x, y) = (ModelPose::of(a.skeleton(), &x), ModelPose::of(b.skeleton(), &y));
        for (x, y) in x.positions.iter().zip(&y.positions) {
            way = way.max((*x - *y).length());
        }
    }
    (turn, way)
}

/// The angle between rotations, also when it is tiny, where the arc cosine is coarse.
fn angle(a: Quat, b: Quat) -> f32 {
    2.0 * (a.inverse() * b).xyz().length()
}

fn library() -> (Body, Vec<Arc<Motion>>) {
    let body = boxy("boxy");
    let motions = ["walk", "turn"].map(|name| Arc::new(dance(&body.skeleton, name, 60.0, 91, 1.3)));
    (body, motions.to_vec())
}

fn round_trip(options: &WriteOptions) -> (Document, Body, Vec<Arc<Motion>>) {
    let (body, motions) = library();
    let glb = to_glb(&Export::library(body.clone(), motions.clone()), options).unwrap();
    let document = read_bytes(&glb, None, &ReadOptions::default()).unwrap();
    (document, body, motions)
}

#[test]
fn bodies_and_motions_come_back() {
    for (compact, tolerance) in [(false, 1e-5), (true, 1e-4)] {
        let options = WriteOptions { compact, ..WriteOptions::default() };
        let (document, body, motions) = round_trip(&options);
        assert!(document.warnings.is_empty(), "{}", document.warnings);
        assert_eq!(document.bodies.len(), 1);
        let back = &document.bodies[0];
        assert_eq!(back.name, body.name);
        let names = |body: &Body| -> Vec<(String, Option<JointId>)> {
            body.skeleton.joints().iter().map(|j| (j.name.clone(), j.parent)).collect()
        };
        assert_eq!(names(back), names(&body), "in the same order");
        assert_eq!(document.motions_of(back).count(), 2);
        for (motion, read) in motions.iter().zip(&document.motions) {
            assert_eq!(motion.name(), read.name());
            let (turn, way) = differences(motion, read);
            assert!(turn < tolerance && way < 1e-4, "{turn} rad, {way} m");
        }
        for landmark in Landmark::ALL {
            let name = |body: &Body| {
                let joint = body.skeleton.landmark(landmark).unwrap();
                body.skeleton.joints()[joint.index()].name.clone()
            };
            assert_eq!(name(back), name(&body));
        }
    }
}

#[test]
fn surfaces_come_back_where_they_were() {
    let (document, body, _) = round_trip(&WriteOptions::default());
    let (a, b) = (&body.meshes[0], &document.bodies[0].meshes[0]);
    assert_eq!(document.bodies[0].meshes.len(), 1);
    assert_eq!(a.positions.len(), b.positions.len());
    assert_eq!(a.triangle_count(), b.triangle_count());
    for region in Region::ALL {
        let count = |mesh: &throng_motion::Mesh| {
            let parts = mesh.parts.iter().filter(|part| part.region == region);
            parts.map(|part| part.triangles.len()).sum::<usize>()
        };
        assert_eq!(count(a), count(b), "{region:?}");
    }
    // Bent by a pose, both are the same surface.
    let model = |body: &Body| {
        let motion = dance(&body.skeleton, "bend", 30.0, 9, 0.0);
        ModelPose::of(&body.skeleton, &motion.pose(5))
    };
    let (p, n) = a.skinned(&model(&body));
    let (q, m) = b.skinned(&model(&document.bodies[0]));
    for ((p, n), (q, m)) in p.iter().zip(&n).zip(q.iter().zip(&m)) {
        assert!((*p - *q).length() < 1e-4 && (*n - *m).length() < 1e-3, "{p} and {q}");
    }
}

#[test]
fn all_containers_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (body, motions) = library();
    let (export, options) = (Export::library(body, motions), WriteOptions::default());
    let text = to_gltf(&export, &options).unwrap();
    let inside = read_bytes(text.as_bytes(), None, &ReadOptions::default()).unwrap();
    for name in ["a.glb", "a b.gltf"] {
        let path = folder.path().join(name);
        write(&export, &options, &path).unwrap();
        let document = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(differences(&document.motions[0], &inside.motions[0]), (0.0, 0.0));
    }
    let missing = read(&folder.path().join("b.glb"), &ReadOptions::default()).unwrap_err();
    assert!(missing.to_string().contains("b.glb"), "{missing}");
}

#[test]
fn places_are_part_of_the_movement_of_everybody() {
    let body = boxy("boxy");
    let motion = Arc::new(dance(&body.skeleton, "dance", 60.0, 60, 0.0));
    let place = |person: usize, time: f32| PlaceKey {
        time,
        translation: Vec3::new(2.0 * person as f32, 0.5, 1.4 * time),
        rotation: Quat::from_rotation_y(0.5 * time + person as f32),
    };
    // At frames of the motion, the last also beyond its end.
    let from = |person: usize| 0.7 * person as f32;
    let people = (0..3).map(|person| {
        let places = (0..=20).map(|key| place(person, 0.1 * key as f32)).collect();
        let name = format!("walker {person}");
        let play = Play::looped(0, from(person), 2.0);
        (Person::new(name, 0), Some(play), places)
    });
    let export = Export::crowd(vec![body.clone()], vec![motion.clone()], people);
    let glb = to_glb(&export, &WriteOptions::default()).unwrap();
    let document = read_bytes(&glb, None, &ReadOptions::default()).unwrap();
    assert_eq!(document.bodies.len(), 3);
    assert_eq!(document.motions.len(), 3);
    for (person, motion_read) in document.motions.iter().enumerate() {
        assert_eq!(document.bodies[person].name, format!("walker {person}"));
        assert_eq!(motion_read.frames(), 121);
        for frame in (0..120).step_by(6) {
            let mut pose = motion.pose((frame + 42 * person) % 60);
            let key = place(person, frame as f32 / 60.0);
            pose.place((key.rotation, key.translation.into()));
            let expected = ModelPose::of(&body.skeleton, &pose);
            let found = ModelPose::of(motion_read.skeleton(), &motion_read.pose(frame));
            for landmark in Landmark::ALL {
                let at = expected.landmark(&body.skeleton, landmark).unwrap();
                let other = found.landmark(motion_read.skeleton(), landmark).unwrap();
                assert!((at - other).length() < 2e-4, "frame {frame}: {at} and {other}");
            }
        }
    }
}

#[test]
fn whoever_begins_between_two_frames_is_in_step_from_the_next_on() {
    let body = boxy("boxy");
    let motion = Arc::new(dance(&body.skeleton, "dance", 30.0, 30, 0.0));
    let person = Person::new("late", 0);
    // A third of a frame after the fourth, at one and a half times the speed.
    let from = (4.0 + 1.0 / 3.0) / 30.0;
    let play = Play { motion: 0, from, speed: 1.5, looped: Some(2.0) };
    let export =
        Export::crowd(vec![body.clone()], vec![motion.clone()], [(person, Some(play), vec![])]);
    let glb = to_glb(&export, &WriteOptions::default()).unwrap();
    // Frames of the motion are 1/45 s apart; two thirds of one pass before the first.
    let options = ReadOptions { rate: 135.0, ..ReadOptions::default() };
    let document = read_bytes(&glb, None, &options).unwrap();
    let read = &document.motions[0];
    for step in 0..80 {
        let expected = ModelPose::of(&body.skeleton, &motion.pose((5 + step) % 30));
        let found = ModelPose::of(read.skeleton(), &read.pose(2 + 3 * step));
        for (a, b) in expected.positions.iter().zip(&found.positions) {
            assert!((*a - *b).length() < 1e-4, "step {step}");
        }
    }
}
