//! Motions become clips, or are refused with the reason.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use throng_motion::analysis::{
    Abstraction, ClipFacts, Options, Qualified, Refusal, check_alignment, qualify,
};
use throng_motion::{Clip, ClipKind, Landmark, ModelPose, Motion, Pose, RootTrack, Side, mirror};

use super::walker::{Walker, without};

fn qualified(walker: Walker) -> Qualified {
    qualify(&walker.motion(), &Options::default()).unwrap()
}

fn refused(motion: &Motion) -> Refusal {
    qualify(motion, &Options::default()).map(|_| ()).unwrap_err()
}

/// A clip of `walker` has the numbers of `walker`.
fn assert_is(walker: Walker, made: &Qualified) {
    let facts = ClipFacts::of(&made.clip).unwrap();
    let frame = 1.0 / walker.rate;
    assert!((facts.period - walker.period).abs() < 1.2 * frame, "{facts:?}");
    assert!((facts.speed / walker.speed - 1.0).abs() < 0.02, "{facts:?} {walker:?}");
    let off = (facts.angle - walker.angle + PI).rem_euclid(2.0 * PI) - PI;
    assert!(off.abs() < 0.03, "{facts:?} {walker:?}");
    assert!((facts.duty - walker.duty).abs() < 3.0 * frame / walker.period, "{facts:?}");
    assert!((facts.turn - walker.turn * walker.period).abs() < 0.02, "{facts:?}");
    // Between frames, rotations are interpolated: that bends the leg a little.
    assert!(facts.slip < 0.006, "{facts:?}");
    let left = made.clip.contacts().left[0];
    assert!(left.start < 1e-3 || left.start > 0.999, "begins at a left strike: {left:?}");
}

#[test]
fn a_walk_becomes_a_clip_with_its_numbers() {
    for walker in [
        Walker::default(),
        Walker { rate: 30.0, ..Walker::default() },
        Walker { speed: 0.5, period: 1.85, duty: 0.68, ..Walker::default() },
        Walker { height: 1.15, speed: 0.9, period: 0.9, ..Walker::default() },
        Walker { start: (Vec3::new(30.0, 0.4, -20.0), 2.2), ..Walker::default() },
        Walker { turn: 0.5, ..Walker::default() },
        Walker { turn: -1.0, speed: 0.8, start: (Vec3::ONE, -3.0), ..Walker::default() },
        Walker { angle: PI, speed: 0.7, duty: 0.64, ..Walker::default() },
        Walker { angle: 0.5 * PI, speed: 0.5, ..Walker::default() },
        Walker { angle: -0.5 * PI, speed: 0.5, ..Walker::default() },
        Walker { angle: 0.7, speed: 0.8, start: (Vec3::ZERO, 1.0), ..Walker::default() },
    ] {
        let made = qualified(walker);
        assert_is(walker, &made);
        assert_eq!(made.clip.kind(), ClipKind::Walk);
        assert_eq!(made.technique, Abstraction::StrideAverage);
        assert!(made.seam.angle < 0.03 && made.cycles >= 1 && !made.in_place, "{:?}", made.seam);
    }
}

#[test]
fn a_run_becomes_a_clip_with_flight() {
    let runner = Walker { speed: 3.0, period: 0.79, duty: 0.33, ..Walker::default() };
    let made = qualified(runner);
    assert_is(runner, &made);
    assert_eq!(made.clip.kind(), ClipKind::Run);
    let facts = ClipFacts::of(&made.clip).unwrap();
    assert!((facts.flight - 0.34).abs() < 0.05 && facts.double_support == 0.0, "{facts:?}");
}

#[test]
fn the_travel_of_a_walk_in_place_is_found_from_its_feet() {
    for (speed, angle) in [(1.3, 0.0), (0.7, PI), (0.5, 0.5 * PI)] {
        let walker = Walker { speed, angle, in_place: true, ..Walker::default() };
        let made = qualified(walker);
        assert!(made.in_place);
        assert_is(walker, &made);
        let on_ground = Walker { in_place: false, ..walker };
        assert!(!qualified(on_ground).in_place);
    }
}

#[test]
fn a_single_stride_that_loops_is_enough() {
    for rate in [120.0, 30.0] {
        for in_place in [false, true] {
            // One frame repeats the first, or none does.
            for extra in [0, 1] {
                let frames = 1.1 * rate;
                let seconds = (frames + extra as f32) / rate;
                let base = Walker { rate, in_place, period: 1.1, seconds, ..Walker::default() };
                for (phase, turn) in [(0.3, 0.0), (0.0, 0.0), (0.77, 0.4)] {
                    if in_place && turn != 0.0 {
                        continue;
                    }
                    let walker = Walker { phase, turn, ..base };
                    let made = qualified(walker);
                    assert_is(walker, &made);
                    assert_eq!(made.in_place, in_place);
                }
            }
        }
    }
}

#[test]
fn the_pelvis_sways_about_a_root_that_does_not() {
    let walker = Walker { sway: 0.04, ..Walker::default() };
    let clip = qualified(walker).clip;
    let root = clip.root();
    let steps = root.samples().windows(2).map(|pair| {
        let way = pair[1].translation - pair[0].translation;
        way.length() * clip.motion().rate()
    });
    let (slowest, fastest) = steps
        .fold((f32::INFINITY, 0.0f32), |(least, most), speed| (least.min(speed), most.max(speed)));
    assert!(fastest - slowest < 0.02, "{slowest} {fastest}");
    let steady = RootTrack::steady(root.total(), root.samples().len());
    for (found, known) in root.samples().iter().zip(steady.samples()) {
        assert!((found.translation - known.translation).length() < 0.002);
    }
    let xs: Vec<f32> = clip.motion().roots().iter().map(|root| root.x).collect();
    let (least, most) = xs.iter().fold((0.0f32, 0.0f32), |(a, b), x| (a.min(*x), b.max(*x)));
    assert!((most - 0.04).abs() < 0.003 && (least + 0.04).abs() < 0.003, "{least} {most}");
}

#[test]
fn root_and_sway_together_are_the_motion_again() {
    let walker = Walker { turn: 0.4, start: (Vec3::new(5.0, 0.0, 5.0), 1.0), ..Walker::default() };
    let motion = walker.motion();
    let made = qualified(walker);
    let clip = &made.clip;
    let (mut pose, mut source) = (Pose::default(), Pose::default());
    // Seen from the first frame, joints are where they were, but for what closing the seam moved.
    let place = |pose: &Pose| ModelPose::of(clip.skeleton(), pose);
    let hips = |time: f32, source: &mut Pose| {
        motion.sample(made.left_strike + time, source);
        place(source).landmark(clip.skeleton(), Landmark::Head).unwrap()
    };
    let moved = |phase: f32, pose: &mut Pose| {
        clip.sample(phase, pose);
        pose.place(clip.root_at(phase).placement());
        place(pose).landmark(clip.skeleton(), Landmark::Head).unwrap()
    };
    let (known0, found0) = (hips(0.0, &mut source), moved(0.0, &mut pose));
    for step in 1..10 {
        let phase = step as f32 / 10.0;
        let known = hips(phase * clip.period(), &mut source);
        let found = moved(phase, &mut pose);
        let (known, found) = ((known - known0).length(), (found - found0).length());
        assert!((known - found).abs() < 0.003, "{phase}: {known} {found}");
    }
}

#[test]
fn mirrored_motions_make_mirrored_clips() {
    let walker = Walker { turn: 0.3, angle: 0.4, speed: 0.9, ..Walker::default() };
    let motion = walker.motion();
    let poses: Vec<Pose> =
        (0..motion.frames()).map(|frame| mirror(motion.skeleton(), &motion.pose(frame))).collect();
    let skeleton = motion.skeleton().clone();
    let mirrored = Motion::from_poses("mirrored", skeleton, motion.rate(), &poses).unwrap();
    let [one, other] = [&motion, &mirrored]
        .map(|motion| ClipFacts::of(&qualify(motion, &Options::default()).unwrap().clip).unwrap());
    assert!((one.speed - other.speed).abs() < 0.01 && (one.angle + other.angle).abs() < 0.01);
    assert!((one.turn + other.turn).abs() < 0.01 && (one.duty - other.duty).abs() < 0.01);
}

#[test]
fn the_steadiest_cycle_is_taken_and_its_seam_closed() {
    let walker = Walker { seconds: 8.0, ..Walker::default() };
    let motion = walker.motion();
    let arm = motion.skeleton().landmark(Landmark::LeftUpperArm).unwrap().index();
    // The arm drifts upwards for four seconds, and slowly after that.
    let poses: Vec<Pose> = (0..motion.frames())
        .map(|frame| {
            let time = frame as f32 / motion.rate();
            let raised = 0.12 * time.min(4.0) + 0.02 * (time - 4.0).max(0.0);
            let mut pose = motion.pose(frame);
            pose.rotations[arm] *= Quat::from_rotation_z(raised);
            pose
        })
        .collect();
    let skeleton = motion.skeleton().clone();
    let drifting = Motion::from_poses("drift", skeleton, motion.rate(), &poses).unwrap();
    let made = qualify(&drifting, &Options::default()).unwrap();
    assert!(made.start > 3.9, "{}", made.start);
    assert!((made.seam.angle - 0.02 * 1.12).abs() < 0.005, "{:?}", made.seam);
    let clip = &made.clip;
    let last = clip.motion().frames() - 1;
    let [first, last] = [0, last].map(|frame| clip.motion().rotations(frame)[arm]);
    let [one, two] = [1, 2].map(|frame| clip.motion().rotations(frame)[arm]);
    let seam = last.angle_between(first);
    assert!(seam < 2.0 * one.angle_between(two) + 0.002, "{seam}");
}

#[test]
fn what_is_no_clip_is_refused_with_the_reason() {
    let motion = Walker { seconds: 0.2, ..Walker::default() }.motion();
    assert!(matches!(refused(&motion), Refusal::TooShort { .. }));
    let motion = Walker { seconds: 1.0, ..Walker::default() }.motion();
    assert!(matches!(refused(&motion), Refusal::NoCycle { .. }), "{}", refused(&motion));

    let walker = Walker { right_strike: 0.38, duty: 0.66, ..Walker::default() };
    let reason = refused(&walker.motion());
    assert!(matches!(reason, Refusal::Misaligned { side: Side::Right, .. }), "{reason}");
    let message = reason.to_string();
    assert!(
        message.contains("right foot strikes at 0.38 of the cycle instead of 0.5"),
        "{message}"
    );

    for landmark in [Landmark::Hips, Landmark::LeftLowerLeg, Landmark::RightFoot] {
        let motion = Walker::default().motion();
        let poses: Vec<Pose> = (0..motion.frames()).map(|frame| motion.pose(frame)).collect();
        let motion = Motion::from_poses("lame", without(landmark), 120.0, &poses).unwrap();
        assert_eq!(refused(&motion), Refusal::MissingLandmark { landmark: landmark.name() });
    }
}

#[test]
fn feet_without_toes_are_enough() {
    let motion = Walker::default().motion();
    let poses: Vec<Pose> = (0..motion.frames()).map(|frame| motion.pose(frame)).collect();
    let motion = Motion::from_poses("m", without(Landmark::LeftToes), 120.0, &poses).unwrap();
    assert_is(Walker::default(), &qualify(&motion, &Options::default()).unwrap());
}

#[test]
fn unsteady_walks_are_refused() {
    // Somebody who slows down from 1.6 m/s to 0.8 m/s over five seconds: time runs ever slower.
    let walker = Walker { seconds: 9.0, ..Walker::default() };
    let motion = walker.motion();
    let slowing = |frame: usize| {
        let time = frame as f32 / 120.0;
        let mut pose = Pose::default();
        motion.sample(time * 1.3 - 0.07 * time * time, &mut pose);
        pose
    };
    let poses: Vec<Pose> = (0..960).map(slowing).collect();
    let skeleton = motion.skeleton().clone();
    let motion = Motion::from_poses("slowing", skeleton, 120.0, &poses).unwrap();
    let strict = Options { speed_variation: 0.02, ..Options::default() };
    let reason = qualify(&motion, &strict).map(|_| ()).unwrap_err();
    assert!(matches!(reason, Refusal::UnsteadySpeed { .. }), "{reason}");
    let lenient = Options { speed_variation: 0.5, ..Options::default() };
    qualify(&motion, &lenient).unwrap();

    // Somebody who turns their body without turning their way.
    let walker = Walker { seconds: 6.0, ..Walker::default() };
    let motion = walker.motion();
    let turning = |frame: usize| {
        let mut pose = motion.pose(frame);
        let turned = Quat::from_rotation_y(1.2 * frame as f32 / 120.0);
        pose.rotations[0] = turned * pose.rotations[0];
        pose
    };
    let poses: Vec<Pose> = (0..motion.frames()).map(turning).collect();
    let motion = Motion::from_poses("turning", motion.skeleton().clone(), 120.0, &poses).unwrap();
    assert!(qualify(&motion, &Options::default()).is_err());
}

#[test]
fn a_clip_that_does_not_begin_at_a_left_strike_is_misaligned() {
    let clip = qualified(Walker::default()).clip;
    let options = Options::default();
    assert_eq!(check_alignment(&clip, &options), Ok(()));
    let contacts = clip.contacts();
    let late = throng_motion::Contacts {
        left: contacts
            .left
            .iter()
            .map(|span| throng_motion::Span { start: 0.1, ..*span })
            .collect(),
        ..contacts.clone()
    };
    let parts = throng_motion::ClipParts {
        kind: clip.kind(),
        motion: clip.motion().clone(),
        root: clip.root().clone(),
        contacts: late,
        looped: true,
    };
    let reason = check_alignment(&Clip::new(parts).unwrap(), &options).unwrap_err();
    assert!(matches!(reason, Refusal::Misaligned { side: Side::Left, .. }), "{reason}");
}

#[test]
fn clips_have_the_rate_that_is_asked_for() {
    let options = Options { rate: Some(30.0), ..Options::default() };
    let clip = qualify(&Walker::default().motion(), &options).unwrap().clip;
    assert!((clip.motion().rate() - 30.0).abs() < 0.5);
    assert!((clip.period() - 1.12).abs() < 0.01);
}

#[test]
fn a_stride_from_right_to_right_is_enough() {
    // Left strikes once, right twice; the clip begins at the left strike all the same.
    let runner = Walker {
        speed: 3.0,
        period: 0.79,
        duty: 0.33,
        phase: 0.32,
        seconds: 1.2,
        ..Walker::default()
    };
    assert_eq!(runner.strikes(Side::Left).len(), 1);
    assert_eq!(runner.strikes(Side::Right).len(), 2);
    let made = qualified(runner);
    let strike = runner.strikes(Side::Left)[0];
    assert!((made.left_strike - strike).abs() < 0.02, "{}", made.left_strike);
    assert_is(runner, &made);
}

/// The motion as a capture volume sees it whose floor rises by `slope` towards `bearing`.
fn tilted(motion: &Motion, slope: f32, bearing: f32) -> Motion {
    let axis = Vec3::new(bearing.cos(), 0.0, -bearing.sin());
    let tilt = Quat::from_axis_angle(axis, -slope.atan());
    let frames = (0..motion.frames()).map(|frame| {
        let mut pose = motion.pose(frame);
        pose.root = (tilt * Vec3::from(pose.root)).into();
        pose.rotations[0] = tilt * pose.rotations[0];
        pose
    });
    let poses: Vec<Pose> = frames.collect();
    Motion::from_poses("tilted", motion.skeleton().clone(), motion.rate(), &poses).unwrap()
}

#[test]
fn walks_on_a_floor_that_was_captured_with_a_tilt_are_levelled() {
    for walker in [
        Walker::default(),
        Walker { speed: 3.0, period: 0.79, duty: 0.33, ..Walker::default() },
        Walker { turn: 0.5, start: (Vec3::new(3.0, 0.0, -2.0), 1.0), ..Walker::default() },
    ] {
        for eighth in 0..8 {
            let bearing = eighth as f32 * PI / 4.0;
            let motion = tilted(&walker.motion(), 0.02, bearing);
            let made = qualify(&motion, &Options::default()).unwrap();
            assert_is(walker, &made);
            // Along the way it is found; across a straight one it takes little.
            let along = walker.turn != 0.0 || eighth % 4 == 0;
            let range = if along { 0.017..0.023 } else { 0.0..0.023 };
            assert!(range.contains(&made.floor_tilt), "{eighth}: {}", made.floor_tilt);
        }
        assert_eq!(qualified(walker).floor_tilt, 0.0);
    }
    // Somebody who walks uphill does not walk on a level floor.
    let hill = tilted(&Walker::default().motion(), 0.1, 0.0);
    assert!(qualify(&hill, &Options::default()).is_err());
}

#[test]
fn whoever_hops_does_not_stand() {
    let human = Walker::default().human();
    // Flights of `height` metres with a rest of 0.2 s between them, on both feet or on one.
    let hop = |height: f32, one_foot: bool, seconds: f32| {
        let flight = 2.0 * (2.0 * height / 9.81).sqrt();
        let poses: Vec<Pose> = (0..(seconds * 120.0) as usize)
            .map(|frame| {
                let time = (frame as f32 / 120.0).rem_euclid(flight + 0.2) - 0.2;
                let up = (0.5 * 9.81 * time * (flight - time)).max(0.0);
                let mut pose = Pose::rest(human.skeleton());
                pose.root.y += up;
                if one_foot {
                    let knee = human.joint(Landmark::LeftLowerLeg).index();
                    pose.rotations[knee] = Quat::from_rotation_x(1.2);
                }
                // Loops are known by what moves in them.
                let arm = human.joint(Landmark::LeftUpperArm).index();
                pose.rotations[arm] = Quat::from_rotation_x(2.0 * up);
                pose
            })
            .collect();
        Motion::from_poses("hop", human.skeleton().clone(), 120.0, &poses).unwrap()
    };
    for height in [0.025, 0.05, 0.2] {
        for one_foot in [false, true] {
            for seconds in [0.2 + 2.0 * (2.0 * height / 9.81f32).sqrt(), 4.0] {
                let refusal = refused(&hop(height, one_foot, seconds));
                assert!(matches!(refusal, Refusal::Hops { .. }), "{height} m: {refusal}");
            }
        }
    }
    let still = qualify(&hop(0.0, false, 3.0), &Options::default()).unwrap();
    assert_eq!(still.clip.kind(), ClipKind::Stand);
    let on_one_leg = qualify(&hop(0.0, true, 3.0), &Options::default()).unwrap();
    assert_eq!(on_one_leg.clip.kind(), ClipKind::Stand);
}

#[test]
fn a_cycle_begins_where_the_report_says() {
    // Of a motion with one whole stride, which is the right foot's.
    let walker = Walker { phase: 0.3, seconds: 1.55, ..Walker::default() };
    let (left, right) = (walker.strikes(Side::Left), walker.strikes(Side::Right));
    assert_eq!((left.len(), right.len()), (1, 2));
    let made = qualified(walker);
    assert!((made.start - right[0]).abs() < 0.02, "{} instead of {}", made.start, right[0]);
    assert!((made.left_strike - left[0]).abs() < 0.02, "{}", made.left_strike);
}

#[test]
fn loops_whose_arms_do_not_close_are_loops() {
    for in_place in [false, true] {
        let runner =
            Walker { speed: 3.0, period: 0.7, duty: 0.33, rate: 60.0, ..Walker::default() };
        let runner = Walker { seconds: 43.0 / 60.0, in_place, ..runner };
        let motion = runner.motion();
        let arm = runner.human().joint(Landmark::RightForearm).index();
        let bent = |part: f32| {
            let poses: Vec<Pose> = (0..motion.frames())
                .map(|frame| {
                    let mut pose = motion.pose(frame);
                    let drift = part * frame as f32 / (motion.frames() - 1) as f32;
                    pose.rotations[arm] *= Quat::from_rotation_x(-0.5 - drift);
                    pose
                })
                .collect();
            Motion::from_poses("run", motion.skeleton().clone(), motion.rate(), &poses).unwrap()
        };
        let made = qualify(&bent(0.09), &Options::default()).unwrap();
        assert_is(runner, &made);
        assert!((made.seam.angle - 0.09).abs() < 0.01, "{:?}", made.seam);
        // What is spread over the cycle leaves no jump.
        let rotations = |frame: usize| made.clip.motion().rotations(frame)[arm];
        let last = made.clip.motion().frames() - 1;
        assert!(rotations(last).angle_between(rotations(0)) < 0.02);
        let refusal = refused(&bent(0.5));
        assert!(matches!(refusal, Refusal::NoCycle { .. }), "{refusal}");
    }
}
