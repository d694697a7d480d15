//! Spatial resolution: who turns how far, and whether the eyes get there.

use glam::{Quat, Vec3};
use throng_base::random::{Purpose, Random};
use throng_motion::gaze::{Anatomy, AnatomyError, Gaze, GazeOptions, Phase, Recruited, Turn};
use throng_motion::{Landmark, ModelPose};

use super::stage::*;

#[test]
fn the_eyes_meet_every_target_that_they_can() {
    let mut draw = Random::new(27).stream(0, 0, Purpose::Goal);
    let (mut reached, mut worst) = (0, 0f32);
    while reached < 10_000 {
        let at =
            place(draw.between(-100.0, 100.0), draw.between(-60.0, 60.0), draw.between(0.5, 20.0));
        let (_, look, pose) = settled(&ANATOMY, &rest(), at);
        if look.reachable {
            reached += 1;
            let miss = misses(&pose, at).into_iter().fold(0.0, f32::max);
            worst = worst.max(miss);
            assert!(miss < 0.01, "{at}: {miss}");
            assert!(look.error.to_degrees() < 0.01);
        }
    }
    println!("eyes miss by {worst}° at most");
}

#[test]
fn everything_within_view_and_not_too_steep_is_reached() {
    for yaw in (-95..=95).step_by(5) {
        for pitch in (-50..=50).step_by(5) {
            let turn = Turn::degrees(yaw as f32, pitch as f32);
            if turn.direction().z < 95f32.to_radians().cos() {
                continue;
            }
            for distance in [1.0, 5.0, 50.0] {
                let at = place(yaw as f32, pitch as f32, distance);
                let (_, look, _) = settled(&ANATOMY, &rest(), at);
                assert!(look.reachable, "{yaw}° {pitch}° {distance} m");
            }
        }
    }
}

#[test]
fn joints_of_a_quarter_turn_take_two_degrees_more_each() {
    let (gaze, _, pose) = settled(&ANATOMY, &rest(), place(90.0, 0.0, 1000.0));
    for (index, landmark) in TURNING.into_iter().enumerate() {
        let angle = turned(&pose, &rest(), HUMAN.joint(landmark));
        let expected = 2.0 * (index + 1) as f32;
        assert!((angle - expected).abs() < 0.3, "{landmark:?}: {angle}");
    }
    for eye in gaze.eye_turns() {
        assert!((eye.yaw.to_degrees() - 18.0).abs() < 0.3, "{eye:?}");
    }
    // Near things are another angle away from each joint, and met all the same.
    let at = place(45.0, -35.0, 0.8);
    let (_, look, pose) = settled(&ANATOMY, &rest(), at);
    assert!(look.reachable && misses(&pose, at).into_iter().all(|miss| miss < 0.01));
}

#[test]
fn eyes_converge_on_what_is_near() {
    let (gaze, _, _) = settled(&ANATOMY, &rest(), place(0.0, 0.0, 0.4));
    let [left, right] = gaze.eye_turns();
    assert!(left.yaw < -0.05 && right.yaw > 0.05, "{left:?} {right:?}");
    let (gaze, _, _) = settled(&ANATOMY, &rest(), place(0.0, 0.0, 500.0));
    let [left, right] = gaze.eye_turns();
    assert!((left.yaw - right.yaw).abs() < 1e-3);
}

#[test]
fn light_movements_never_move_heavy_joints() {
    let base = rest();
    let moved = |yaw: f32| {
        let (gaze, _, pose) = settled(&ANATOMY, &base, place(yaw, 0.0, 10.0));
        let moved = TURNING.map(|landmark| {
            let joint = HUMAN.joint(landmark);
            pose.rotation(joint).to_array() != base.rotation(joint).to_array()
        });
        (gaze.recruited(), moved)
    };
    assert_eq!(moved(14.0), (Recruited::Eyes, [false; 8]));
    let upper = [false, false, false, false, false, true, true, true];
    assert_eq!(moved(16.0), (Recruited::Upper, upper));
    assert_eq!(moved(29.0), (Recruited::Upper, upper));
    assert_eq!(moved(31.0), (Recruited::All, [true; 8]));
}

#[test]
fn a_target_that_wavers_about_a_bound_changes_nobody() {
    let options = GazeOptions::default();
    let degrees = |angle: f32, now| options.recruited(angle.to_radians(), now);
    assert_eq!(degrees(18.0, Some(Recruited::Eyes)), Recruited::Eyes);
    assert_eq!(degrees(21.0, Some(Recruited::Eyes)), Recruited::Upper);
    assert_eq!(degrees(11.0, Some(Recruited::Upper)), Recruited::Upper);
    assert_eq!(degrees(9.0, Some(Recruited::Upper)), Recruited::Eyes);
    assert_eq!(degrees(34.0, Some(Recruited::Upper)), Recruited::Upper);
    assert_eq!(degrees(26.0, Some(Recruited::All)), Recruited::All);
    assert_eq!(degrees(5.0, Some(Recruited::All)), Recruited::Eyes);
}

#[test]
fn heads_are_not_tilted() {
    for yaw in (-100..=100).step_by(10) {
        for pitch in (-60..=60).step_by(10) {
            let (_, look, pose) = settled(&ANATOMY, &rest(), place(yaw as f32, pitch as f32, 4.0));
            let tilt = roll(head_turn(&pose)).abs();
            assert!(tilt < 0.1, "{yaw}° {pitch}°: {tilt}, {look:?}");
        }
    }
    // The shortest way would.
    for (yaw, pitch, expected) in [(60.0, -15.0, 8.7), (90.0, -30.0, 30.0), (150.0, -15.0, 52.0)] {
        let direction = Vec3::from(Turn::degrees(yaw, pitch).direction());
        let shortest = Quat::from_rotation_arc(Vec3::Z, direction);
        // Against the head that looks there upright.
        let upright = Quat::from_rotation_y(f32::to_radians(yaw))
            * Quat::from_rotation_x(-f32::to_radians(pitch));
        let tilt = angle(upright.inverse() * shortest);
        assert!((tilt - expected).abs() < 1.5, "{yaw}° {pitch}°: {tilt}");
    }
}

#[test]
fn what_a_joint_at_its_limit_cannot_do_is_done_above_it() {
    let mut anatomy = ANATOMY.clone();
    anatomy.limits.spine = Turn::degrees(3.0, 3.0);
    let at = place(90.0, 0.0, 5.0);
    let (gaze, look, pose) = settled(&anatomy, &rest(), at);
    assert!(look.reachable && misses(&pose, at).into_iter().all(|miss| miss < 0.01));
    let yaws = gaze.turns().map(|turn| turn.yaw.to_degrees());
    assert!((yaws[4] - 3.0).abs() < 1e-3, "{yaws:?}");
    assert!(yaws[7] > 17.0, "{yaws:?}");
}

#[test]
fn what_is_behind_or_beyond_the_limits_is_refused() {
    for yaw in [180.0, 150.0, -120.0, 101.0] {
        let (gaze, look, pose) = settled(&ANATOMY, &rest(), place(yaw, 0.0, 5.0));
        assert!(!look.reachable, "{yaw}");
        assert_eq!(pose, rest());
        assert_eq!(gaze.phase(), Phase::Idle);
    }
    let mut stiff = ANATOMY.clone();
    stiff.limits.neck = Turn::NONE;
    stiff.limits.head = Turn::NONE;
    let (_, look, pose) = settled(&stiff, &rest(), place(80.0, 0.0, 5.0));
    assert!(!look.reachable);
    assert_eq!(pose, rest(), "nobody turns halfway to what they cannot see");
}

#[test]
fn what_leaves_the_view_is_let_go_and_not_taken_up_at_once() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    let mut phases = Vec::new();
    for yaw in [60.0, 95.0, 102.0, 106.0, 102.0, 97.0, 94.0] {
        gaze.look(Some(target(1, place(yaw, 0.0, 2.0))));
        let (look, _) = frame(&mut gaze, &ANATOMY, &base, 0.04, &options);
        phases.push(look.phase);
    }
    use Phase::{Return, Shift};
    assert_eq!(phases[..5], [Shift, Shift, Shift, Return, Return], "{phases:?}");
    assert_eq!(phases[5..], [Return, Shift], "{phases:?}");
}

#[test]
fn other_shares_are_kept_and_bad_ones_refused() {
    let equal = ANATOMY.clone().with_shares(&[1.0; 9], &[1.0; 4]).unwrap();
    let (gaze, _, pose) = settled(&equal, &rest(), place(72.0, 0.0, 1000.0));
    for turn in gaze.turns() {
        assert!((turn.yaw.to_degrees() - 8.0).abs() < 0.2, "{turn:?}");
    }
    assert!(misses(&pose, place(72.0, 0.0, 1000.0))[0] < 0.01);
    let bad = |all: &[f64], upper: &[f64]| ANATOMY.clone().with_shares(all, upper).unwrap_err();
    assert_eq!(bad(&[1.0; 8], &[1.0; 4]), AnatomyError::ShareCount { given: 8, expected: 9 });
    let mut negative = [1.0; 9];
    negative[2] = -1.0;
    assert_eq!(bad(&negative, &[1.0; 4]), AnatomyError::Share { index: 2, share: -1.0 });
    assert!(matches!(bad(&[1.0; 9], &[f64::NAN; 4]), AnatomyError::Share { index: 0, .. }));
    assert!(matches!(bad(&[1.0; 9], &[1.0, 1.0, 1.0, 0.0]), AnatomyError::Share { index: 3, .. }));
}

#[test]
fn bodies_that_are_placed_and_larger_look_at_places_of_the_world() {
    use throng_motion::RootMotion;
    use throng_motion::gaze::Bearings;
    let placement = RootMotion { translation: Vec3::new(40.0, 3.0, -20.0), yaw: 2.2 };
    let bearings = Bearings { placement, scale: 1.1 };
    let at = Vec3::new(41.0, 4.2, -23.0);
    assert!(bearings.to_world(bearings.to_body(at)).distance(at) < 1e-4);
    let (mut gaze, options, mut pose) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, at)));
    gaze.step(&ANATOMY, &bearings, &mut pose, 0.0, &options);
    let mut pose = rest();
    let look = gaze.step(&ANATOMY, &bearings, &mut pose, 5.0, &options);
    assert!(look.reachable, "{look:?}");
    pose.root *= bearings.scale;
    let model = ModelPose::of(HUMAN.skeleton(), &pose);
    let eye = HUMAN.joint(Landmark::LeftEye);
    // Bones are as long as the skeleton says: only the head's way to the eye is scaled by hand here.
    let looks = Quat::from_rotation_y(placement.yaw) * model.rotation(eye) * Vec3::Z;
    let mut unscaled = pose.clone();
    unscaled.root /= bearings.scale;
    let from = ModelPose::of(HUMAN.skeleton(), &unscaled).position(eye);
    assert!(degrees_between(looks, at - bearings.to_world(from)) < 0.01);
}

#[test]
fn a_skeleton_without_a_head_is_told_so() {
    let mut landmarks = *HUMAN.skeleton().landmarks();
    landmarks.set(Landmark::Head, None);
    let joints = HUMAN.skeleton().joints().to_vec();
    let headless = throng_motion::Skeleton::new(joints, landmarks).unwrap();
    assert_eq!(Anatomy::of(&headless).unwrap_err(), AnatomyError::NoHead);
}
