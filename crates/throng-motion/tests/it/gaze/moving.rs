//! Targets that move, bodies that move, and targets that jump.

use glam::Vec3;
use throng_motion::gait::Steady;
use throng_motion::gaze::{Bearings, Gaze, GazeOptions, Look, Phase, Turn};
use throng_motion::{Clip, Pose, RootMotion};

use super::stage::*;

const STEP: f32 = 1.0 / 60.0;

/// Somebody who passes by at 1.5 m/s, 2 m away.
fn passer(frame: usize) -> Vec3 {
    Vec3::new(-4.0 + 1.5 * STEP * frame as f32, 1.6, 2.0)
}

/// The largest change of an angular velocity from frame to frame, degrees per second.
fn jump(before: &[Turn], now: &[Turn], velocities: &mut Vec<Turn>) -> f32 {
    let fresh: Vec<Turn> =
        now.iter().zip(before).map(|(now, before)| (*now - *before) * (1.0 / STEP)).collect();
    let jump = fresh
        .iter()
        .zip(velocities.iter())
        .map(|(fresh, old)| (*fresh - *old).size().to_degrees())
        .fold(0.0, f32::max);
    *velocities = fresh;
    jump
}

#[test]
fn who_passes_by_is_followed_smoothly() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    let mut joints = (*gaze.turns(), vec![Turn::NONE; 8]);
    let mut eyes = (gaze.eye_turns(), vec![Turn::NONE; 2]);
    let (mut began, mut worst, mut worst_of_eyes, mut held) = (0, 0f32, 0f32, 0);
    for frame_number in 0..320 {
        let at = passer(frame_number);
        gaze.look(Some(target(1, at)));
        let (look, pose) = frame(&mut gaze, &ANATOMY, &base, STEP, &options);
        began += usize::from(look.started);
        worst = worst.max(jump(&joints.0, gaze.turns(), &mut joints.1));
        joints.0 = *gaze.turns();
        let jumped = jump(&eyes.0, &gaze.eye_turns(), &mut eyes.1);
        eyes.0 = gaze.eye_turns();
        // Eyes leap to what is new; once they are there, they follow.
        if frame_number > 60 {
            worst_of_eyes = worst_of_eyes.max(jumped);
            assert!(misses(&pose, at).into_iter().all(|miss| miss < 0.1), "{frame_number}");
            held += usize::from(look.phase == Phase::Hold);
        }
    }
    assert_eq!(began, 1);
    assert!(held > 50, "{held}");
    assert!(worst < 20.0 && worst_of_eyes < 20.0, "{worst} and {worst_of_eyes}°/s");
    println!("joints {worst}°/s, eyes {worst_of_eyes}°/s");
}

#[test]
fn a_target_that_leaps_is_looked_at_anew_once() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    let mut began = Vec::new();
    for frame_number in 0..240 {
        let leap = if frame_number >= 120 { 3.0 } else { 0.0 };
        gaze.look(Some(target(1, passer(frame_number) + leap * Vec3::X)));
        let (look, _) = frame(&mut gaze, &ANATOMY, &base, STEP, &options);
        if look.started {
            began.push(frame_number);
        }
    }
    assert_eq!(began, [0, 120]);
}

#[test]
fn another_target_is_another_shift_and_slow_motion_is_none() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    let mut show = |number, yaw: f32| -> (Look, Pose) {
        gaze.look(Some(target(number, place(yaw, 0.0, 4.0))));
        frame(&mut gaze, &ANATOMY, &base, STEP, &options)
    };
    assert!(show(1, 40.0).0.started);
    for tenth in 0..100 {
        assert!(!show(1, 40.0 + 0.1 * tenth as f32).0.started);
    }
    let (_, before) = show(1, 50.0);
    let (look, after) = show(2, -50.0);
    assert!(look.started);
    for landmark in TURNING {
        let joint = HUMAN.joint(landmark);
        assert!(turned(&after, &before, joint) < 0.1, "{landmark:?}");
    }
}

#[test]
fn a_body_that_turns_is_no_reason_to_begin_anew() {
    // 60 m away, a turn by 90°/s moves everything by more than the bound.
    let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
    let mut began = 0;
    for frame_number in 0..60 {
        let yaw = 1.5 * STEP * frame_number as f32;
        let bearings = Bearings::of(RootMotion { translation: Vec3::ZERO, yaw });
        gaze.look(Some(target(1, Vec3::new(40.0, 1.6, 40.0))));
        let mut pose = rest();
        began += usize::from(gaze.step(&ANATOMY, &bearings, &mut pose, STEP, &options).started);
    }
    assert_eq!(began, 1);
}

#[test]
fn who_walks_keeps_their_eyes_on_it() {
    let walk: Clip = Steady::ahead(1.3).clip(&HUMAN).unwrap();
    let (mut gaze, options, mut pose) = (Gaze::default(), GazeOptions::default(), Pose::default());
    let at = Vec3::new(3.0, 1.4, 6.0);
    for frame_number in 0..150 {
        let time = STEP * frame_number as f32;
        walk.sample((time / walk.period()).fract(), &mut pose);
        let translation = Vec3::new(0.0, 0.0, 1.3 * time);
        let bearings = Bearings::of(RootMotion { translation, yaw: 0.0 });
        gaze.look(Some(target(1, at)));
        let look = gaze.step(&ANATOMY, &bearings, &mut pose, STEP, &options);
        assert!(look.reachable);
        if frame_number > 30 {
            let miss = misses(&pose, bearings.to_body(at));
            assert!(miss.into_iter().all(|miss| miss < 0.5), "{frame_number}: {miss:?}");
        }
    }
}
