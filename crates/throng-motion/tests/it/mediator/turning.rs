//! Where bodies and torsos face.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};
use throng_base::frame::wrap_angle;
use throng_motion::mediator::{Performer, PerformerOptions};
use throng_motion::{ModelPose, mirror};

use super::stage::{HUMAN, REPERTOIRE, STEP, Stage};

/// A walk that turns right round as the crowd has it: braking by 3 m/s², 0.3 m/s until the person faces back, with a
/// facing that turns by 127° per second at most, and speeding up by 1.5 m/s².
fn about_face(speed: f32, turns_at: f32, options: PerformerOptions) -> Stage {
    let mut stage = Stage::new(options);
    let (mut velocity, mut facing) = (speed, 0.0f32);
    for frame in 0..150 {
        let turns = frame as f32 * STEP > turns_at;
        let wanted = if turns { -speed } else { speed };
        let ahead = facing.cos() * velocity.signum();
        let limit = if ahead >= 0.8 { f32::INFINITY } else { (2.0 * ahead).max(0.3) };
        let most = velocity.abs() + 1.5 * STEP;
        let next = velocity + (wanted - velocity).clamp(-3.0 * STEP, 3.0 * STEP);
        let next = next.clamp(-most, most);
        velocity = if turns { next.max(-limit) } else { next };
        let off = if velocity < 0.0 { PI - facing } else { -facing };
        facing += STEP / 0.45 * if off > FRAC_PI_2 { 1.0 } else { off.sin() };
        stage.step(velocity * Vec3::Z, Some(facing));
    }
    stage
}

#[test]
fn an_about_face_drags_no_foot() {
    for speed in [0.7, 0.9, 1.1, 1.3, 1.5, 1.7] {
        for phase in 0..12 {
            let turns_at = 2.0 + 0.09 * phase as f32;
            let stage = about_face(speed, turns_at, PerformerOptions::default());
            let pulled: f32 = stage.seen.played.iter().map(|played| played.pulled).sum();
            let context = format!("{speed} m/s, at {turns_at} s");
            assert_eq!(pulled, 0.0, "{context}");
            assert!(stage.seen.largest_slip() < 1e-3, "{context}: {}", stage.seen.largest_slip());
            let last = stage.seen.played.last().unwrap();
            assert!(wrap_angle(last.facing - PI).abs() < 0.2, "{context}: {}", last.facing);
        }
    }
}

/// Somebody who faces 30° to a side of where they are told to go, after a moment; the torso is so inert
/// that it stays.
fn sidling(side: f32) -> Stage {
    let options = PerformerOptions { inertia: 1e6, ..PerformerOptions::default() };
    let mut stage = Stage::new(options);
    stage.performer = Performer::new(Vec3::ZERO, side * 30f32.to_radians());
    // A first frame in which nobody moves: whoever appears moving faces their way.
    stage.step(Vec3::ZERO, None);
    for _ in 0..74 {
        stage.step(0.9 * Vec3::Z, None);
    }
    stage
}

#[test]
fn the_torso_faces_where_it_should_while_the_legs_go_elsewhere() {
    for side in [1.0, -1.0] {
        let stage = sidling(side);
        let played = stage.seen.played.last().unwrap();
        let wanted = side * 30f32.to_radians();
        assert!(
            wrap_angle(played.facing - wanted).abs() < 0.1f32.to_radians(),
            "{}",
            played.facing
        );
        // The body goes along +z: its yaw and the clip's angle cancel.
        let part = &REPERTOIRE.parts()[played.part];
        assert!(wrap_angle(played.placement.yaw + part.angle).abs() < 0.03, "{played:?}");
        let twist = wrap_angle(wanted - played.placement.yaw);
        assert!((played.twist - twist).abs() < 2e-3, "{} {twist}", played.twist);
    }
}

#[test]
fn the_other_side_is_the_mirror_image() {
    let (left, mut right) = (sidling(1.0), sidling(-1.0));
    let a = *left.seen.played.last().unwrap();
    // Half a cycle apart, one does with the left what the other does with the right.
    let apart = |phase: f32| ((phase - a.phase - 0.5).rem_euclid(1.0) - 1.0).abs();
    let b = (0..500)
        .map(|_| right.step(0.9 * Vec3::Z, None))
        .find(|played| apart(played.phase).min(1.0 - apart(played.phase)) < 0.004)
        .expect("phases are not in step for ever");
    assert!(wrap_angle(a.facing + b.facing).abs() < 2e-3);
    assert!((a.twist + b.twist).abs() < 2e-3, "{} {}", a.twist, b.twist);
    assert!(wrap_angle(a.placement.yaw + b.placement.yaw).abs() < 2e-3);
    let skeleton = HUMAN.skeleton();
    let twin = ModelPose::of(skeleton, &mirror(skeleton, &left.pose));
    let pose = ModelPose::of(skeleton, &right.pose);
    for (joint, (twin, pose)) in twin.positions.iter().zip(&pose.positions).enumerate() {
        let apart = twin.distance(*pose);
        let name = &skeleton.joints()[joint].name;
        assert!(apart < 0.015, "{name} is {:.1} mm from its twin", 1e3 * apart);
    }
}

#[test]
fn a_spine_is_not_twisted_further_than_spines_are() {
    let mut stage = Stage::new(PerformerOptions { inertia: 1e6, ..PerformerOptions::default() });
    stage.step(Vec3::ZERO, None);
    for frame in 0..200 {
        let yaw = 0.05 * frame as f32;
        let played = stage.step(Quat::from_rotation_y(yaw) * Vec3::Z * 1.7, None);
        assert!(played.twist.abs() <= 45.001f32.to_radians());
    }
}

#[test]
fn who_stands_turns_on_the_spot() {
    for goal in [2.5f32, -1.2, 0.2] {
        let mut stage = Stage::new(PerformerOptions::default());
        let mut rates = Vec::new();
        let mut before = 0.0;
        for frame in 0..200 {
            let played = stage.step(Vec3::ZERO, Some(if frame < 25 { 0.0 } else { goal }));
            rates.push(wrap_angle(played.placement.yaw - before).abs() / STEP);
            before = played.placement.yaw;
        }
        let played = stage.seen.played.last().unwrap();
        let off = wrap_angle(played.facing - goal).abs();
        assert!(off < 0.12, "{goal}: off by {off}");
        assert!(rates.into_iter().fold(0.0, f32::max) < 150f32.to_radians());
        assert!(stage.seen.largest_slip() < 0.001);
        let moved = stage.seen.places.iter().map(|place| place.length()).fold(0.0, f32::max);
        assert!(moved < 0.1, "{goal}: moved by {moved} m");
    }
}

#[test]
fn a_body_turns_no_faster_than_it_may() {
    let options = PerformerOptions::default();
    let mut stage = Stage::new(options);
    let mut before = 0.0;
    for frame in 0..200 {
        let direction = if (frame / 40) % 2 == 0 { Vec3::Z } else { Vec3::NEG_Z };
        let played = stage.step(1.3 * direction, None);
        let rate = wrap_angle(played.placement.yaw - before).abs() / STEP;
        assert!(rate <= options.turn_rate * 1.001, "frame {frame}: {}°/s", rate.to_degrees());
        before = played.placement.yaw;
    }
}
