//! People who fall, lie and get up.

use glam::Vec3;
use throng_motion::mediator::PerformerOptions;
use throng_motion::{Landmark, ModelPose};

use super::stage::{HUMAN, STEP, Stage};

/// How high the head is, m.
fn head(stage: &Stage) -> f32 {
    let model = ModelPose::of(HUMAN.skeleton(), &stage.pose);
    model.position(HUMAN.joint(Landmark::Head)).y
}

#[test]
fn whoever_falls_lies_and_gets_up_where_they_were() {
    let mut stage = Stage::new(PerformerOptions::default());
    for _ in 0..50 {
        stage.step(1.3 * Vec3::Z, None);
    }
    let (upright, place) = (head(&stage), stage.place);
    stage.lying = true;
    let (mut before, mut fastest) = (upright, 0f32);
    for _ in 0..50 {
        let played = stage.step(Vec3::ZERO, None);
        assert_eq!(played.velocity, Vec3::ZERO);
        fastest = fastest.max((head(&stage) - before).abs() / STEP);
        before = head(&stage);
    }
    assert!(head(&stage) < 0.25, "the head is {} m up", head(&stage));
    assert!(stage.place.distance(place) < 0.02);
    assert!(fastest < 6.0, "{fastest} m/s");
    // The simulator walks on, and nobody does before they are up.
    stage.lying = false;
    let mut moved = None;
    for frame in 0..100 {
        stage.step(1.3 * Vec3::Z, None);
        if stage.place.distance(place) > 0.05 && moved.is_none() {
            moved = Some((frame, head(&stage)));
        }
        assert!(stage.pose.rotations.iter().all(|rotation| rotation.is_finite()));
    }
    let (frame, height) = moved.expect("they walk on");
    assert!(frame > 25 && height > 0.9 * upright, "frame {frame}, {height} m");
    assert!(stage.place.z > place.z + 1.0);
}

#[test]
fn nothing_of_a_body_that_falls_is_below_the_ground() {
    let mut stage = Stage::new(PerformerOptions::default());
    stage.step(Vec3::ZERO, None);
    stage.lying = true;
    for frame in 0..40 {
        stage.step(Vec3::ZERO, None);
        let model = ModelPose::of(HUMAN.skeleton(), &stage.pose);
        for (joint, at) in HUMAN.skeleton().joints().iter().zip(&model.positions) {
            assert!(at.y > -0.01, "frame {frame}: {} is at {}", joint.name, at.y);
        }
    }
}
