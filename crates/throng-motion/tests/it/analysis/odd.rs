//! Whatever the motion, analysis answers.

use glam::{Quat, Vec3A};
use proptest::prelude::*;
use throng_motion::analysis::{
    ClipFacts, GaitMeasures, JointAngles, Options, Refusal, footfalls, qualify,
};
use throng_motion::{ClipKind, Human, Landmarks, Motion, Pose, Proportions, Skeleton};

use super::walker::Walker;

/// Everything that can be asked of a motion.
fn ask(motion: &Motion) -> Result<ClipKind, Refusal> {
    let options = Options::default();
    let _ = footfalls(motion, &options);
    let made = qualify(motion, &options)?;
    let facts = ClipFacts::of(&made.clip)?;
    assert!(facts.speed.is_finite() && facts.slip.is_finite() && facts.angle.is_finite());
    assert!(JointAngles::of(&made.clip)?.pelvis.iter().all(|lean| lean.tilt.is_finite()));
    if let Some(measures) = GaitMeasures::of(&made.clip)? {
        let rows = measures.rows();
        assert!(rows.iter().all(|row| row.value.is_none_or(f32::is_finite)), "{rows:?}");
    }
    Ok(facts.kind)
}

#[test]
fn a_statue_stands() {
    let human = Human::new(Proportions::default()).unwrap();
    let skeleton = human.skeleton().clone();
    let still = |frames: usize| {
        let poses = vec![Pose::rest(&skeleton); frames];
        Motion::from_poses("statue", skeleton.clone(), 30.0, &poses).unwrap()
    };
    assert_eq!(ask(&still(100)), Ok(ClipKind::Stand));
    assert!(matches!(ask(&still(1)), Err(Refusal::TooShort { .. })));
    assert!(matches!(ask(&still(3)), Err(Refusal::TooShort { .. })));
}

#[test]
fn who_is_lifted_or_carried_is_refused() {
    let human = Human::new(Proportions::default()).unwrap();
    let carried = |way: Vec3A, lift: f32| {
        let pose = |frame: usize| {
            let mut pose = Pose::rest(human.skeleton());
            pose.root += way * frame as f32 / 60.0;
            pose.root.y += lift * (frame as f32 / 20.0).sin();
            pose
        };
        let poses: Vec<Pose> = (0..240).map(pose).collect();
        Motion::from_poses("carried", human.skeleton().clone(), 60.0, &poses).unwrap()
    };
    assert!(ask(&carried(Vec3A::Z * 1.2, 0.0)).is_err(), "slid along");
    assert!(ask(&carried(Vec3A::Z * 1.2, 0.3)).is_err(), "hopping stiffly");
    assert!(ask(&carried(Vec3A::Y * 3.0, 0.0)).is_err(), "rising to heaven");
}

#[test]
fn a_stick_is_no_body() {
    let joint = throng_motion::Joint {
        name: "stick".into(),
        parent: None,
        translation: glam::Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };
    let stick = Skeleton::new(vec![joint], Landmarks::default()).unwrap();
    let poses = vec![Pose::rest(&stick); 60];
    let motion = Motion::from_poses("stick", stick.into(), 30.0, &poses).unwrap();
    assert_eq!(ask(&motion), Err(Refusal::MissingLandmark { landmark: "hips" }));
}

#[test]
fn a_very_slow_walk_is_a_walk_or_too_slow_to_be_one() {
    let slow = Walker { speed: 0.25, period: 2.6, duty: 0.72, seconds: 9.0, ..Walker::default() };
    assert_eq!(ask(&slow.motion()), Ok(ClipKind::Walk));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_makes_analysis_panic(
        angles in prop::collection::vec(-4.0f32..4.0, 3 * 31),
        (frames, rate) in (1usize..50, 1.0f32..200.0),
        speed in -30.0f32..30.0, jitter in 0.0f32..2.0, size in 0.5f32..2.5,
    ) {
        let human = Human::new(Proportions::of_height(size)).unwrap();
        let pose = |frame: usize| {
            let mut pose = Pose::rest(human.skeleton());
            pose.root.z += speed * frame as f32 / rate;
            for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
                let wave = |axis: usize| jitter * (angles[3 * joint + axis] * (1.0 + frame as f32)).sin();
                *rotation = Quat::from_scaled_axis(glam::Vec3::new(wave(0), wave(1), wave(2)));
            }
            pose
        };
        let poses: Vec<Pose> = (0..frames).map(pose).collect();
        let motion = Motion::from_poses("odd", human.skeleton().clone(), rate, &poses).unwrap();
        let _ = ask(&motion);
    }

    #[test]
    fn any_walk_is_recognised(
        speed in 0.6f32..1.7, height in 1.2f32..2.0, phase in 0.0f32..1.0, angle in -3.1f32..3.1,
        facing in -3.0f32..3.0, rate in prop_oneof![Just(30.0f32), Just(60.0), Just(120.0)],
        in_place in any::<bool>(),
    ) {
        let leg = 0.533 * height;
        let number = speed / (9.81 * leg).sqrt();
        let stride = 2.351 * leg * number.powf(0.48);
        // Sideways and backwards people are slower.
        let speed = speed * (1.0 - 0.55 * (0.5 * angle).sin().abs());
        let walker = Walker {
            speed, height, phase, angle, rate, in_place,
            start: (glam::Vec3::new(2.0, 0.1, -3.0), facing),
            period: stride / speed * if angle.abs() > 1.0 { 0.7 } else { 1.0 },
            duty: 0.722 - 0.272 * number,
            seconds: 6.0,
            ..Walker::default()
        };
        let made = qualify(&walker.motion(), &Options::default());
        let made = made.map_err(|refusal| TestCaseError::fail(format!("{refusal} {walker:?}")))?;
        let facts = ClipFacts::of(&made.clip).unwrap();
        prop_assert!((facts.speed / speed - 1.0).abs() < 0.03, "{:?}", facts);
        prop_assert!((facts.period / walker.period - 1.0).abs() < 0.03, "{:?}", facts);
        prop_assert!((facts.duty - walker.duty).abs() < 0.05, "{:?} {:?}", facts, walker);
    }
}
