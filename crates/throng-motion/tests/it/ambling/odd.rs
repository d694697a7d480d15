//! Nonsense, jumps, long steps, and the same again.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use throng_base::ground::{Level, Relief};
use throng_motion::mediator::Command;
use throng_motion::quadruped::{Ambler, Breed, Gaits, Quadruped};
use throng_motion::{ModelPose, Pose};

use super::stage::*;

#[test]
fn the_same_is_the_same_to_the_bit() {
    let ground = Relief(|place: Vec2| 0.1 * (1.3 * place.x + 0.7 * place.y).sin());
    let run = || {
        let mut stage = Stage::new(&DOG, &ground);
        let mut random = random(5);
        for _ in 0..10 {
            let velocity = 3.0 * Vec3::new(random() - 0.5, 0.0, random() - 0.5);
            stage.lead(0.8, |_| velocity);
        }
        (stage.pose, stage.seen.places)
    };
    assert_eq!(run(), run());
}

#[test]
fn nonsense_is_ignored() {
    let mut dog = Ambler::new(Vec3::NAN, f32::NAN).at_phase(f32::INFINITY);
    let mut pose = Pose::default();
    let odd = [f32::NAN, f32::INFINITY, -f32::INFINITY, 1e30, -5.0, 0.0, 3.0];
    for (index, number) in odd.into_iter().cycle().take(100).enumerate() {
        let other = odd[(index * 5 + 2) % odd.len()];
        let command = Command {
            velocity: Vec3::new(number, other, 0.5),
            place: Vec3::new(0.1, number, other),
            facing: Some(number),
            lying: index % 3 == 0,
        };
        let holes = Relief(|place: Vec2| if place.x > 0.0 { f32::NAN } else { place.y });
        let progress = dog.step(&DOG, &command, other, &holes, &mut pose);
        assert!(progress.placement.is_finite() && progress.deviation.is_finite());
        assert!(progress.velocity.is_finite() && progress.velocity.length() < 10.0);
        assert!(pose.root.is_finite() && pose.rotations.iter().all(|turn| turn.is_finite()));
        assert!((0.0..1.0).contains(&progress.phase));
    }
}

#[test]
fn who_is_put_elsewhere_is_there_and_who_has_no_time_stays() {
    let mut stage = Stage::new(&DOG, &Level);
    stage.lead(1.0, |_| Vec3::Z);
    let command = Command { velocity: Vec3::Z, place: stage.place, ..Command::default() };
    let before = stage.pose.clone();
    let still = stage.ambler.step(&DOG, &command, 0.0, &Level, &mut stage.pose);
    assert!((still.placement.translation - *stage.seen.places.last().unwrap()).length() < 1e-5);
    let moved = before.rotations.iter().zip(&stage.pose.rotations);
    assert!(moved.map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max) < 0.05);
    let place = Vec3::new(50.0, 3.0, 20.0);
    let ground = Relief(|_: Vec2| 3.0);
    let far = Command { place, ..command };
    let there = stage.ambler.step(&DOG, &far, STEP, &ground, &mut stage.pose);
    assert!(there.deviation < 0.05 && (there.placement.translation.y - 3.0).abs() < 1e-4);
}

#[test]
fn steps_of_any_length_get_as_far() {
    let mut ends = Vec::new();
    for frames in [100u32, 50, 25, 8, 4] {
        let seconds = 4.0 / frames as f32;
        let mut dog = Ambler::new(Vec3::ZERO, 0.0);
        let mut pose = Pose::default();
        for frame in 1..=frames {
            let place = 1.5 * seconds * frame as f32 * Vec3::Z;
            let command = Command { velocity: 1.5 * Vec3::Z, place, ..Command::default() };
            dog.step(&DOG, &command, seconds, &Level, &mut pose);
        }
        ends.push(dog.place());
    }
    assert!(ends.iter().all(|end| (*end - 6.0 * Vec3::Z).length() < 0.15), "{ends:?}");
}

#[test]
fn animals_of_all_shapes_have_gaits() {
    let mut dachshund = Breed::dog(0.24);
    dachshund.proportions.trunk *= 1.9;
    let mut foal = Breed::horse(1.0);
    foal.proportions.trunk *= 0.8;
    for (name, breed) in [("dachshund", dachshund), ("foal", foal), ("cat", Breed::dog(0.25))] {
        let gaits = Gaits::new(&Quadruped::new(breed).unwrap()).unwrap();
        let speed = 0.3 * gaits.fastest();
        let mut stage = Stage::new(&gaits, &Level);
        stage.lead(2.0, |_| Vec3::ZERO);
        stage.lead(4.0, |time| speed * Vec3::new((0.5 * time).sin(), 0.0, (0.5 * time).cos()));
        stage.lead(3.0, |_| Vec3::ZERO);
        stage.check_level(name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_wanted_feet_stay_and_joints_do_not_jump(
        seed in 0u32..10_000, horse in any::<bool>(), hilly in any::<bool>(),
    ) {
        let gaits = if horse { &*HORSE } else { &*DOG };
        let height = if hilly { 0.15 } else { 0.0 };
        let ground = Relief(move |place: Vec2| height * (1.1 * place.x).sin() * place.y.cos());
        let mut random = random(seed);
        let mut stage = Stage::new(gaits, &ground);
        for _ in 0..12 {
            let angle = 6.3 * random();
            let speed = (1.4 * random() - 0.4).max(0.0) * gaits.fastest();
            let velocity = speed * Vec3::new(angle.sin(), 0.0, angle.cos());
            let facing = (random() < 0.4).then(|| 6.3 * random() - 3.1);
            for _ in 0..(30.0 * random()) as usize {
                // Whoever leads waits for who is left behind.
                let far = stage.ambler.place().distance(stage.place) > 3.0;
                stage.step(if far { Vec3::ZERO } else { velocity }, facing);
            }
        }
        let seen = &stage.seen;
        prop_assert!(seen.slid < if hilly { 0.012 } else { 0.002 }, "slid {}", seen.slid);
        prop_assert!(seen.skating() < 0.04, "skating {}", seen.skating());
        prop_assert!(seen.sunk < 0.01 && seen.floated < 0.02, "{} {}", seen.sunk, seen.floated);
        stage.check_joints("anything", 1.2);
        let skeleton = gaits.animal().skeleton();
        let model = ModelPose::of(skeleton, &stage.pose);
        prop_assert!(model.positions.iter().all(|at| at.is_finite()));
    }
}
