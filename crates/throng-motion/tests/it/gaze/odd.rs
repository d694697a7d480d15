//! Targets that are nowhere, at the eyes or too fast, and times that are none: defined answers, never a NaN.

use glam::{Quat, Vec3, Vec3A};
use proptest::prelude::*;
use throng_base::random::Random;
use throng_motion::gaze::{
    Attention, Bearings, Ease, Gaze, GazeOptions, Interest, Kind, Limits, Look, Onlooker, Phase,
    Subject, Traits, Turn,
};
use throng_motion::{Pose, RootMotion};

use super::stage::*;

fn is_whole(pose: &Pose) -> bool {
    let unit = |length: f32| (length - 1.0).abs() < 1e-3;
    pose.root.is_finite() && pose.rotations.iter().all(|turn| unit(turn.length()))
}

/// Whether joints are within their limits, by what the gaze says and by what the pose shows.
fn is_within(gaze: &Gaze, pose: &Pose) -> bool {
    let (limits, base) = (Limits::default(), rest());
    let within = |turn: Turn, limit: Turn| turn.is_within(limit * (1.0 + 1e-4));
    let mut joints = gaze.turns().iter().zip(ANATOMY.turning());
    let joints_are = joints.all(|(turn, (joint, segment))| {
        let limit = limits.of(segment);
        let most = (limit.yaw + limit.pitch).to_degrees();
        within(*turn, limit) && turned(pose, &base, joint) < most + 0.1
    });
    let mut eyes = gaze.eye_turns().into_iter().zip(ANATOMY.eyes());
    let eyes_are = eyes.all(|(turn, joint)| {
        let shown = Turn::towards(pose.rotation(joint) * Vec3A::Z).unwrap();
        within(turn, limits.eye) && within(shown, limits.eye)
    });
    joints_are && eyes_are
}

#[test]
fn targets_that_are_nowhere_are_not_looked_at() {
    for at in [
        Vec3::NAN,
        Vec3::new(f32::INFINITY, 0.0, 1.0),
        Vec3::splat(f32::MAX),
        Vec3::splat(-1e30),
        eyes(),
        eyes() + Vec3::new(0.0, 0.0, 0.01),
    ] {
        let (gaze, look, pose) = settled(&ANATOMY, &rest(), at);
        assert!(!look.reachable && look.error == 0.0, "{at}");
        assert_eq!((gaze.phase(), pose), (Phase::Idle, rest()), "{at}");
    }
}

#[test]
fn a_target_that_becomes_nowhere_is_let_go() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, place(60.0, 0.0, 3.0))));
    frame(&mut gaze, &ANATOMY, &base, 1.0, &options);
    gaze.look(Some(target(1, Vec3::NAN)));
    let (look, pose) = frame(&mut gaze, &ANATOMY, &base, 0.01, &options);
    assert!(!look.reachable && look.phase == Phase::Return && is_whole(&pose));
    let (look, pose) = frame(&mut gaze, &ANATOMY, &base, 5.0, &options);
    assert_eq!((look.phase, pose), (Phase::Idle, base));
}

#[test]
fn times_that_are_none_pass_no_time() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    gaze.look(Some(target(1, place(60.0, 0.0, 3.0))));
    for seconds in [0.0, f32::NAN, -3.0, f32::INFINITY, f32::NEG_INFINITY] {
        let (look, pose) = frame(&mut gaze, &ANATOMY, &base, seconds, &options);
        assert_eq!((look.phase, pose), (Phase::Shift, base.clone()), "{seconds}");
    }
    let (look, pose) = frame(&mut gaze, &ANATOMY, &base, f32::MAX, &options);
    assert!(look.phase == Phase::Hold && is_whole(&pose));
}

#[test]
fn whatever_moves_at_a_hundred_metres_a_second_tears_nobody_apart() {
    let (mut gaze, options, base) = (Gaze::default(), GazeOptions::default(), rest());
    for frame_number in 0..120 {
        let x = -100.0 + 100.0 * frame_number as f32 / 60.0;
        gaze.look(Some(target(1, Vec3::new(x, 1.6, 2.0))));
        let (_, pose) = frame(&mut gaze, &ANATOMY, &base, 1.0 / 60.0, &options);
        assert!(is_whole(&pose) && is_within(&gaze, &pose), "{frame_number}");
    }
}

#[test]
fn bodies_that_are_nowhere_look_at_nothing() {
    let options = GazeOptions::default();
    let nowhere = RootMotion { translation: Vec3::NAN, yaw: 0.0 };
    let spinning = RootMotion { translation: Vec3::ZERO, yaw: f32::INFINITY };
    for bearings in [
        Bearings::of(nowhere),
        Bearings::of(spinning),
        Bearings { scale: 0.0, ..Bearings::default() },
        Bearings { scale: f32::NAN, ..Bearings::default() },
    ] {
        let (mut gaze, mut pose) = (Gaze::default(), rest());
        gaze.look(Some(target(1, place(40.0, 0.0, 3.0))));
        let look = gaze.step(&ANATOMY, &bearings, &mut pose, 0.1, &options);
        assert!(!look.reachable && pose == rest(), "{bearings:?}");
    }
    // A pose that is none stays as it is.
    let (mut gaze, mut pose) = (Gaze::default(), rest());
    pose.root.y = f32::NAN;
    gaze.look(Some(target(1, place(40.0, 0.0, 3.0))));
    let look = gaze.step(&ANATOMY, &Bearings::default(), &mut pose, 0.1, &options);
    assert_eq!(look, Look::default());
    assert_eq!(pose.rotations, rest().rotations);
}

#[test]
fn nobody_looks_around_who_lies_or_falls() {
    use std::f32::consts::FRAC_PI_2;
    let lying = [Quat::from_rotation_x(-FRAC_PI_2), Quat::from_rotation_z(FRAC_PI_2)];
    let (mut gaze, options) = (Gaze::default(), GazeOptions::default());
    for turn in lying {
        let mut base = rest();
        base.rotations[0] = turn;
        let (eyes, looks) = ANATOMY.sight(&base);
        gaze.look(Some(target(1, eyes + 3.0 * looks + 0.5 * Vec3::Z)));
        let (look, pose) = frame(&mut gaze, &ANATOMY, &base, 0.1, &options);
        assert!(!look.reachable && pose == base);
    }
    // Who falls while looking at something gives it up.
    let mut gaze = Gaze::default();
    gaze.look(Some(target(1, place(50.0, 0.0, 4.0))));
    let mut phases = Vec::new();
    for step in 0..60 {
        let mut base = rest();
        let fallen = (0.05 * step as f32).min(1.0);
        base.rotations[0] = Quat::from_rotation_x(FRAC_PI_2 * fallen);
        let (look, pose) = frame(&mut gaze, &ANATOMY, &base, 0.05, &options);
        assert!(is_whole(&pose) && is_within(&gaze, &pose), "{step}");
        phases.push(look.phase);
    }
    assert_eq!((phases[5], phases[59]), (Phase::Shift, Phase::Idle), "{phases:?}");
}

fn onlooker() -> Onlooker {
    Onlooker { subject: None, eyes: eyes(), forward: Vec3::Z, velocity: Vec3::ZERO }
}

#[test]
fn thousands_of_interests_and_nonsense_among_them_leave_a_choice() {
    let mut attention = Attention::new(Traits::default(), Random::new(1), 0);
    let nonsense = |index: usize| {
        let mut interest =
            Interest::new(Subject::person(index as u64), Vec3::new(1.0, 1.6, 1.0 + index as f32));
        match index % 6 {
            0 => interest.position.x = f32::NAN,
            1 => interest.level = f32::NAN,
            2 => interest.velocity = Vec3::splat(f32::INFINITY),
            3 => interest.position = eyes(),
            4 => interest.reach = f32::NAN,
            _ => (interest.view, interest.facing) = (f32::NAN, Vec3::X),
        }
        interest
    };
    let nothing = attention.choose(&onlooker(), (0..5000).map(nonsense), |_| true, 0.1);
    assert_eq!(nothing, None);
    let good =
        Interest { facing: -Vec3::Z, ..Interest::new(Subject::place(9), place(5.0, 0.0, 2.0)) };
    let all = (0..5000).map(nonsense).chain([good]);
    let chosen = attention.choose(&onlooker(), all, |_| true, f32::NAN).unwrap();
    assert_eq!(chosen.subject, Subject::place(9));
    for odd in [Vec3::NAN, Vec3::ZERO, Vec3::INFINITY] {
        let mut fresh = Attention::new(Traits::default(), Random::new(1), 0);
        let me = Onlooker { forward: odd, ..onlooker() };
        assert_eq!(fresh.choose(&me, [good], |_| true, 0.1), None, "{odd}");
    }
}

/// Numbers as they come, and as they should not.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -5f32..5.0,
        1 => -1e4f32..1e4,
        1 => any::<f32>(),
    ]
}

fn point() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn no_sequence_of_targets_breaks_a_body_or_its_limits(
        steps in prop::collection::vec((0u64..3, point(), number(), number(), 0..12u8), 1..40),
        linear in any::<bool>(),
    ) {
        let ease = if linear { Ease::Linear } else { Ease::MinimumJerk };
        let options = GazeOptions { ease, ..GazeOptions::default() };
        let mut gaze = Gaze::default();
        for (number, at, seconds, yaw, what) in steps {
            match what {
                0 => gaze.look(None),
                1 => gaze.fade(&options),
                _ => gaze.look(Some(target(number, at))),
            }
            let bearings = Bearings::of(RootMotion { translation: Vec3::ZERO, yaw });
            let mut pose = rest();
            let look = gaze.step(&ANATOMY, &bearings, &mut pose, 0.05 * seconds, &options);
            prop_assert!(is_whole(&pose));
            prop_assert!(is_within(&gaze, &pose), "{gaze:?}");
            prop_assert!(look.error.is_finite());
            prop_assert!(roll(head_turn(&pose)).abs() < 0.1);
        }
    }

    #[test]
    fn no_interests_break_a_choice(
        all in prop::collection::vec((point(), point(), point(), number(), number(), 0..5u8), 0..12),
        seconds in prop::collection::vec(number(), 1..20),
        me in (point(), point(), point()),
    ) {
        const KINDS: [Kind; 5] =
            [Kind::Place, Kind::Person, Kind::Viewer, Kind::ViewerGaze, Kind::Scripted];
        let mut attention = Attention::of(Random::new(3), 4);
        let me = Onlooker { subject: None, eyes: me.0, forward: me.1, velocity: me.2 };
        let interests = || all.iter().enumerate().map(|(index, interest)| Interest {
            subject: Subject { kind: KINDS[usize::from(interest.5)], number: index as u64 },
            position: interest.0,
            velocity: interest.1,
            facing: interest.2,
            level: interest.3,
            reach: interest.4,
            view: interest.3,
        });
        for seconds in seconds {
            if let Some(target) = attention.choose(&me, interests(), |_| true, seconds) {
                prop_assert!(target.position.is_finite());
                prop_assert_eq!(attention.held(), Some(target.subject));
            }
        }
    }
}
