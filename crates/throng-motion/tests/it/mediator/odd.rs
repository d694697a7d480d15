//! Orders that nobody can follow, and clips with which nobody can.

use glam::Vec3;
use proptest::prelude::*;
use throng_motion::gait::{Standing, Steady, Style};
use throng_motion::mediator::{
    Command, Performer, PerformerOptions, Repertoire, RepertoireError, Scratch, SectorError,
};
use throng_motion::{Human, Pose, Proportions};

use super::stage::{HUMAN, REPERTOIRE, Stage};

fn is_sound(stage: &Stage) -> bool {
    let played = stage.seen.played.last().unwrap();
    stage.pose.root.is_finite()
        && stage.pose.rotations.iter().all(|turn| turn.is_finite() && turn.is_normalized())
        && played.placement.is_finite()
        && played.velocity.is_finite()
}

#[test]
fn speeds_that_nobody_has_get_an_answer() {
    for speed in [0.0, 0.01, 30.0, 1e9] {
        let mut stage = Stage::new(PerformerOptions::default());
        stage.feedback = false;
        for _ in 0..200 {
            stage.step(speed * Vec3::Z, None);
            assert!(is_sound(&stage), "{speed} m/s");
        }
        let off = stage.seen.deviations.last().unwrap();
        assert!(*off <= 1.3, "{speed} m/s: {off} m behind");
    }
}

#[test]
fn whoever_is_put_elsewhere_appears_there() {
    let mut stage = Stage::new(PerformerOptions::default());
    for _ in 0..50 {
        stage.step(1.3 * Vec3::Z, None);
    }
    stage.place += Vec3::new(20.0, 0.0, 3.0);
    let played = stage.step(1.3 * Vec3::Z, None);
    assert!(played.deviation < 0.1 && is_sound(&stage));
    assert!(played.feet.iter().all(|foot| foot.slip < 0.01), "nobody slid there");
}

proptest! {
    #[test]
    fn nonsense_does_no_harm(
        orders in proptest::collection::vec(
            (any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>(), any::<f32>()), 1..40),
    ) {
        let mut performer = Performer::new(Vec3::ZERO, 0.0);
        let (mut pose, mut scratch) = (Pose::rest(HUMAN.skeleton()), Scratch::default());
        let options = PerformerOptions::default();
        for (x, z, at, facing, seconds) in orders {
            let command = Command {
                velocity: Vec3::new(x, 0.0, z),
                place: Vec3::new(at, 0.0, -at),
                facing: Some(facing),
                lying: x < 0.0,
            };
            performer.step(&REPERTOIRE, &command, seconds, &options, &mut pose, &mut scratch);
        }
        // After invalid commands the body can still walk, once it has got up.
        let at = performer.place();
        prop_assert!(at.is_finite());
        let frames = 150;
        for frame in 0..frames {
            let velocity = 1.2 * Vec3::X;
            let place = velocity * (0.04 * frame as f32);
            let command = Command { velocity, place, ..Command::default() };
            let played =
                performer.step(&REPERTOIRE, &command, 0.04, &options, &mut pose, &mut scratch);
            prop_assert!(played.placement.is_finite());
        }
        prop_assert!((performer.place().x - 1.2 * 0.04 * (frames - 1) as f32).abs() < options.tolerance + 0.05);
        prop_assert!(pose.rotations.iter().all(|turn| turn.is_normalized()));
    }
}

#[test]
fn repertoires_say_what_they_lack() {
    let empty = Repertoire::new(&[], Default::default()).unwrap_err();
    assert_eq!(empty, RepertoireError::Sectors(SectorError::Empty));
    let stand = Standing { style: Style::default(), seed: 1 }.clip(&HUMAN).unwrap();
    assert!(Repertoire::new(&[stand], Default::default()).is_err(), "nobody walks by standing");

    let walk = Steady::ahead(1.2).clip(&HUMAN).unwrap();
    let child = Human::new(Proportions::of_height(1.2)).unwrap();
    let other = Steady::ahead(0.9).clip(&child).unwrap();
    let error = Repertoire::new(&[walk.clone(), other], Default::default()).unwrap_err();
    assert!(error.to_string().contains("another skeleton"), "{error}");

    // One walk is a repertoire, though a poor one: people still get everywhere without sliding.
    let poor = Repertoire::new(&[walk], Default::default()).unwrap();
    assert!(poor.warnings().len() >= 3, "{:?}", poor.warnings());
    let mut performer = Performer::new(Vec3::ZERO, 0.0);
    let (mut pose, mut scratch) = (Pose::rest(HUMAN.skeleton()), Scratch::default());
    let options = PerformerOptions::default();
    for frame in 0..300 {
        let velocity = match frame / 75 {
            0 => Vec3::Z,
            1 => Vec3::X,
            2 => Vec3::ZERO,
            _ => -0.8 * Vec3::Z,
        };
        let place = performer.place() + 0.04 * velocity;
        let command = Command { velocity, place, ..Command::default() };
        let played = performer.step(&poor, &command, 0.04, &options, &mut pose, &mut scratch);
        assert!(played.feet.iter().all(|foot| foot.slip < 0.001), "frame {frame}: {played:?}");
    }
    assert!(performer.place().x > 2.0, "{}", performer.place());
}
