//! Contacts are found where they are.

use glam::Vec3;
use throng_motion::Side;
use throng_motion::analysis::{Options, footfalls};

use super::walker::Walker;

fn assert_found(walker: Walker, frames: f32) {
    let found = footfalls(&walker.motion(), &Options::default()).unwrap();
    assert!(found.ground.abs() < 0.002, "{}", found.ground);
    for side in Side::BOTH {
        let (known, seen) = (walker.strikes(side), found.strikes(side).collect::<Vec<f32>>());
        assert_eq!(seen.len(), known.len(), "{walker:?}: {known:?} {seen:?}");
        for (known, seen) in known.iter().zip(&seen) {
            let off = (known - seen).abs() * walker.rate;
            assert!(off < frames, "{side:?} strikes at {known} s, not {seen}: {walker:?}");
        }
        for stance in found.of(side).iter().filter(|stance| stance.struck && stance.lifted) {
            let duty = (stance.end - stance.start) / walker.period;
            assert!((duty - walker.duty).abs() * walker.period * walker.rate < 2.0 * frames);
        }
    }
}

#[test]
fn strikes_and_lifts_are_found_to_a_frame_or_two() {
    assert_found(Walker::default(), 1.5);
    assert_found(Walker { rate: 60.0, ..Walker::default() }, 1.2);
    assert_found(Walker { rate: 30.0, ..Walker::default() }, 1.2);
    assert_found(Walker { speed: 0.5, period: 1.85, duty: 0.68, ..Walker::default() }, 2.5);
    assert_found(Walker { height: 1.15, speed: 0.9, period: 0.9, ..Walker::default() }, 1.5);
    assert_found(Walker { angle: 3.1, speed: 0.7, duty: 0.65, ..Walker::default() }, 2.0);
    assert_found(
        Walker { turn: 0.6, start: (Vec3::new(3.0, 0.0, 1.0), 2.0), ..Walker::default() },
        1.5,
    );
}

#[test]
fn runners_fly() {
    let runner = Walker { speed: 3.0, period: 0.79, duty: 0.33, ..Walker::default() };
    assert_found(runner, 1.5);
    let found = footfalls(&runner.motion(), &Options::default()).unwrap();
    let samples: Vec<bool> =
        (100..400).map(|sample| found.is_flight(sample as f32 * 0.01)).collect();
    let flight = samples.iter().filter(|flies| **flies).count() as f32 / samples.len() as f32;
    assert!((flight - 2.0 * (0.5 - 0.33)).abs() < 0.07, "{flight}");
    let walk = footfalls(&Walker::default().motion(), &Options::default()).unwrap();
    assert!((10..480).all(|sample| !walk.is_flight(sample as f32 * 0.01)));
}

#[test]
fn the_ground_is_found_wherever_it_is() {
    let walker = Walker { start: (Vec3::new(0.0, 0.7, 0.0), 0.0), ..Walker::default() };
    let found = footfalls(&walker.motion(), &Options::default()).unwrap();
    assert!((found.ground - 0.7).abs() < 0.002, "{}", found.ground);
    assert_eq!(found.strikes(Side::Left).count(), walker.strikes(Side::Left).len());
    let told = Options { ground: Some(0.0), ..Options::default() };
    assert!(footfalls(&walker.motion(), &told).unwrap().left.is_empty());
}

#[test]
fn the_belt_of_a_treadmill_is_found() {
    for (speed, angle) in [(1.3, 0.0), (0.5, 0.0), (0.6, std::f32::consts::PI), (0.6, 1.5)] {
        let walker = Walker { speed, angle, in_place: true, ..Walker::default() };
        let found = footfalls(&walker.motion(), &Options::default()).unwrap();
        let expected = -speed * Vec3::new(angle.sin(), 0.0, angle.cos());
        assert!((found.belt - expected).length() < 0.01, "{} {expected}", found.belt);
        assert_eq!(found.strikes(Side::Left).count(), walker.strikes(Side::Left).len());
    }
    let found = footfalls(&Walker::default().motion(), &Options::default()).unwrap();
    assert_eq!(found.belt, Vec3::ZERO);
}
