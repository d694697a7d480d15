//! Motions become clips, or are refused with the reason.

use std::f32::consts::PI;

use glam::Vec3;
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
        motion.sample(made.start + time, source);
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
            pose.rotations[arm] *= glam::Quat::from_rotation_z(raised);
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
        let turned = glam::Quat::from_rotation_y(1.2 * frame as f32 / 120.0);
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
    assert!((made.start - runner.strikes(Side::Left)[0]).abs() < 0.02, "{}", made.start);
    assert_is(runner, &made);
}
