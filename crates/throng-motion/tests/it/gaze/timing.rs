//! Temporal resolution: eyes first, then the head, then the spine, and back again.

use throng_motion::gaze::{Anatomy, Ease, Gaze, GazeOptions, Limits, Phase, Turn};
use throng_motion::{Landmark, Pose};

use super::stage::*;

/// Fine steps, so that times are exact.
const STEP: f32 = 0.001;

/// When what happened, in seconds after a target appeared.
#[derive(Debug, Default)]
struct Times {
    /// Both eyes are on the target, within a degree.
    locked: f32,
    /// An eye is at its limit.
    saturated: Option<f32>,
    head_arrived: f32,
    spine_arrived: f32,
    /// How far the eyes are in the head at the end, degrees.
    eye: f32,
}

fn watch(anatomy: &Anatomy, yaw: f32, ease: Ease) -> Times {
    let options = GazeOptions { ease, ..GazeOptions::default() };
    let (mut gaze, base, at) = (Gaze::default(), rest(), place(yaw, 0.0, 1000.0));
    gaze.look(Some(target(1, at)));
    let mut frames: Vec<(f32, Pose, [Turn; 2])> = Vec::new();
    for frame_number in 1..=2500 {
        let (_, pose) = frame(&mut gaze, anatomy, &base, STEP, &options);
        frames.push((frame_number as f32 * STEP, pose, gaze.eye_turns()));
    }
    let (_, last, eyes) = frames.last().unwrap();
    // The first frame from which on something holds.
    let since = |holds: &dyn Fn(&Pose) -> bool| {
        let before = frames.iter().rposition(|(_, pose, _)| !holds(pose));
        before.map_or(0.0, |index| frames[index].0 + STEP)
    };
    let arrived = |landmark| {
        let joint = HUMAN.joint(landmark);
        since(&move |pose: &Pose| turned(pose, last, joint) < 0.02)
    };
    let limit = anatomy.limits.eye.yaw - 1e-4;
    Times {
        locked: since(&|pose| misses(pose, at).into_iter().all(|miss| miss < 1.0)),
        saturated: frames
            .iter()
            .find(|(_, _, eyes)| eyes.iter().any(|eye| eye.yaw >= limit))
            .map(|(time, ..)| *time),
        head_arrived: arrived(Landmark::Head),
        spine_arrived: arrived(Landmark::Spine5),
        eye: eyes[0].yaw.to_degrees(),
    }
}

#[test]
fn without_limits_the_eyes_are_there_ten_times_as_fast_as_the_spine() {
    let free = ANATOMY.clone().with_limits(unlimited());
    let times = watch(&free, 90.0, Ease::MinimumJerk);
    assert!((0.085..=0.1).contains(&times.locked), "{times:?}");
    assert!((times.spine_arrived - 1.0).abs() < 0.06, "{times:?}");
}

#[test]
fn with_limits_they_wait_for_the_head() {
    let times = watch(&ANATOMY, 90.0, Ease::MinimumJerk);
    println!("90°: {times:?}");
    assert!((times.saturated.unwrap() - 0.047).abs() < 0.01, "{times:?}");
    assert!((times.locked - 0.45).abs() < 0.017, "{times:?}");
    assert!((times.head_arrived - 0.5).abs() < 0.03, "{times:?}");
    assert!((times.spine_arrived - 1.0).abs() < 0.06, "{times:?}");
    assert!((times.eye - 18.0).abs() < 0.5, "{times:?}");
    let linear = watch(&ANATOMY, 90.0, Ease::Linear);
    assert!((linear.locked - 0.475).abs() < 0.017, "{linear:?}");
    let half = watch(&ANATOMY, 45.0, Ease::MinimumJerk);
    println!("45°: {half:?}");
    assert!((half.locked - 0.11).abs() < 0.017, "{half:?}");
    assert!((half.eye - 9.0).abs() < 0.5, "{half:?}");
    let sixty = watch(&ANATOMY, 60.0, Ease::MinimumJerk);
    assert!((sixty.locked - 0.21).abs() < 0.017, "{sixty:?}");
}

#[test]
fn the_eyes_are_never_later_than_the_head() {
    // Until 35° in the head and what head and half of the spine's way have done do not suffice, beyond 96°.
    for yaw in [10.0, 20.0, 35.0, 50.0, 70.0, 85.0, 95.0] {
        for ease in [Ease::MinimumJerk, Ease::Linear] {
            let times = watch(&ANATOMY, yaw, ease);
            let head = 0.5 * 2.0 * yaw / 180.0;
            assert!(times.locked <= head + STEP, "{yaw}° {ease:?}: {times:?}");
        }
    }
}

#[test]
fn a_constant_target_gives_a_constant_pose() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, place(70.0, 10.0, 3.0))));
    frame(&mut gaze, &ANATOMY, &base, 2.0, &options);
    let (_, first) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
    for _ in 0..10_000 {
        let (_, pose) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
        assert_eq!(pose, first);
    }
}

#[test]
fn looking_away_leads_back_to_exactly_the_pose_without_gaze() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, place(-90.0, 10.0, 30.0))));
    frame(&mut gaze, &ANATOMY, &base, 2.0, &options);
    let (_, held) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
    assert!(turned(&held, &base, HUMAN.joint(Landmark::Head)) > 10.0);
    gaze.look(None);
    let (look, begun) = frame(&mut gaze, &ANATOMY, &base, 0.001, &options);
    assert_eq!(look.phase, Phase::Return);
    let head = HUMAN.joint(Landmark::Head);
    assert!(turned(&begun, &held, head) < 0.1, "no jump");
    // Eyes lead on the way back, too.
    let (_, early) = frame(&mut gaze, &ANATOMY, &base, 0.1, &options);
    assert!(gaze.eye_turns()[0].yaw > 0.3, "{:?}", gaze.eye_turns());
    assert!(turned(&early, &held, head) < 2.0);
    let mut seconds = 0.101;
    while gaze.phase() != Phase::Idle {
        let (_, pose) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
        seconds += 0.01;
        assert!(seconds < 1.1, "{:?}", gaze.durations());
        if gaze.phase() == Phase::Idle {
            assert_eq!(pose, base);
        }
    }
    assert!(seconds > 0.98, "{seconds}");
    assert_eq!(frame(&mut gaze, &ANATOMY, &base, 0.01, &options).1, base);
}

#[test]
fn a_body_that_is_no_longer_seen_well_is_ahead_in_a_moment() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, place(90.0, 0.0, 30.0))));
    frame(&mut gaze, &ANATOMY, &base, 2.0, &options);
    gaze.fade(&options);
    let (look, halfway) = frame(&mut gaze, &ANATOMY, &base, 0.15, &options);
    assert_eq!(look.phase, Phase::Fade);
    let head = turned(&halfway, &base, HUMAN.joint(Landmark::Head));
    assert!((head - 8.0).abs() < 0.5, "{head}");
    let (look, pose) = frame(&mut gaze, &ANATOMY, &base, 0.151, &options);
    assert_eq!((look.phase, pose), (Phase::Idle, base.clone()));
    gaze.fade(&options);
    assert_eq!(gaze.phase(), Phase::Idle);
    // Taken up again in the middle of it.
    gaze.look(Some(target(1, place(90.0, 0.0, 30.0))));
    frame(&mut gaze, &ANATOMY, &base, 2.0, &options);
    gaze.fade(&options);
    frame(&mut gaze, &ANATOMY, &base, 0.1, &options);
    gaze.look(Some(target(1, place(90.0, 0.0, 30.0))));
    let (look, _) = frame(&mut gaze, &ANATOMY, &base, 0.1, &options);
    assert!(look.started && look.phase == Phase::Shift);
}

#[test]
fn eyes_that_are_there_before_the_head_do_not_make_the_head_jump() {
    // Caught halfway, with something else at the same place.
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    let at = place(50.0, 0.0, 30.0);
    gaze.look(Some(target(1, at)));
    for _ in 0..8 {
        frame(&mut gaze, &ANATOMY, &base, 0.02, &options);
    }
    let (_, before) = frame(&mut gaze, &ANATOMY, &base, 0.0, &options);
    assert!(misses(&before, at)[0] < 1.0);
    gaze.look(Some(target(2, at)));
    let (look, after) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
    assert!(look.started);
    let head = HUMAN.joint(Landmark::Head);
    assert!(turned(&after, &before, head) < 1.0, "{:?}", gaze.durations());
}

#[test]
fn eyes_with_other_limits_stay_within_them() {
    let limits = Limits { eye: Turn::degrees(20.0, 15.0), ..Limits::default() };
    let anatomy = ANATOMY.clone().with_limits(limits);
    let times = watch(&anatomy, 60.0, Ease::MinimumJerk);
    assert!(times.saturated.is_some() && times.locked > 0.21, "{times:?}");
}
