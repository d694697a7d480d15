//! Carpets that are not deformed change nothing, and those that are moved move everything.

use glam::{Quat, Vec2, Vec3};
use throng_base::ground::{Level, Relief};
use throng_motion::carpet::{self, CarpetOptions, Character, Footprint, Mode};
use throng_motion::{ModelPose, Pose, RootMotion};

use super::stage::*;

fn largest_difference(character: &Character, expected: &ModelPose) -> f32 {
    let pairs = character.model().positions.iter().zip(&expected.positions);
    pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max)
}

/// The clip at a distance along a straight line from `place` towards `heading`.
fn clip_at(distance: f32, place: Vec3, heading: f32) -> ModelPose {
    let cycles = f64::from(distance) / f64::from(WALK.travel().translation.z);
    let phase = (cycles - cycles.floor()) as f32;
    let mut pose = Pose::default();
    WALK.sample(phase, &mut pose);
    let root = WALK.root_at(phase).translation;
    let whole = cycles.floor() as f32 * WALK.travel().translation.z;
    pose.place((Quat::IDENTITY, (root + Vec3::new(0.0, 0.0, whole)).into()));
    pose.place((Quat::from_rotation_y(heading), place.into()));
    ModelPose::of(HUMAN.skeleton(), &pose)
}

#[test]
fn on_flat_ground_a_straight_walk_is_the_clip_in_every_mode() {
    for mode in [Mode::Direct, Mode::Dynamic, Mode::Literal] {
        for footprint in [Footprint::Radius(0.35), Footprint::Published] {
            let mut options =
                CarpetOptions { footprint, rows: 48, back: 2.0, ..Default::default() };
            options.spring.mode = mode;
            let mut character = walker(options);
            let mut distance = 0.0f64;
            let (mut joints, mut targets): (f32, f32) = (0.0, 0.0);
            // Far enough for numbers to be counted from elsewhere once.
            walk(&mut character, &Level, 300, |_, character| {
                distance += f64::from(SPEED * STEP);
                let expected = clip_at(distance as f32, Vec3::ZERO, 0.0);
                joints = joints.max(largest_difference(character, &expected));
                let anchor = character.carpet().anchor().as_vec3();
                for (target, at) in character.targets().iter().zip(&expected.positions) {
                    targets =
                        targets.max((Vec3::from(*target) + anchor - Vec3::from(*at)).length());
                }
            });
            println!("{mode:?}, {footprint:?}: targets {targets}, joints {joints}");
            assert!(targets < 2e-5, "{mode:?}, {footprint:?}: targets {targets}");
            assert!(joints < 1e-4, "{mode:?}, {footprint:?}: joints {joints}");
        }
    }
}

#[test]
fn a_carpet_that_lies_elsewhere_takes_the_clip_along() {
    for (place, heading) in
        [(Vec3::new(3.0, 0.0, -7.0), 0.7), (Vec3::new(-400.0, 0.0, 250.0), 3.0), (Vec3::ZERO, -1.9)]
    {
        let options = CarpetOptions::default();
        let mut character =
            Character::on_line(RIG.clone(), CYCLE.clone(), place, heading, options).unwrap();
        let mut distance = 0.0f64;
        walk(&mut character, &Level, 80, |_, character| {
            distance += f64::from(SPEED * STEP);
            let expected = clip_at(distance as f32, place, heading);
            let away = largest_difference(character, &expected);
            // Hundreds of metres away, numbers are that coarse.
            assert!(away < 1e-4 + 3e-7 * place.length(), "{place}, {heading}: {away}");
        });
    }
}

#[test]
fn ground_that_is_higher_lifts_everybody_by_as_much() {
    let rough = |place: Vec2| 0.3 * place.x.sin() + 0.2 * (1.4 * place.y).cos();
    let (low, high) = (Relief(rough), Relief(move |place| rough(place) + 3.7));
    let mut below = walker(CarpetOptions::default());
    let mut above = Character::on_line(
        RIG.clone(),
        CYCLE.clone(),
        Vec3::new(0.0, 3.7, 0.0),
        0.0,
        CarpetOptions::default(),
    )
    .unwrap();
    for _ in 0..100 {
        for (character, ground) in
            [(&mut below, &low as &dyn throng_base::ground::Ground), (&mut above, &high)]
        {
            character.advance(SPEED * STEP);
            carpet::step(std::slice::from_mut(character), ground, STEP);
        }
        for (a, b) in below.model().positions.iter().zip(&above.model().positions) {
            let lift = *b - *a;
            assert!((Vec3::from(lift) - Vec3::new(0.0, 3.7, 0.0)).length() < 2e-4, "{lift}");
        }
    }
}

#[test]
fn poses_over_a_flat_world_stay_as_they_are_on_flat_ground() {
    let mut character = Character::on_world(RIG.clone(), CarpetOptions::default()).unwrap();
    let mut pose = Pose::default();
    for frame in 0..150 {
        let phase = 0.031 * frame as f32;
        WALK.sample(phase, &mut pose);
        // A circle, with a body that does not face where it goes.
        let yaw = 0.05 * frame as f32;
        let translation = Vec3::new(3.0 * yaw.cos(), 0.0, 30.0 + 3.0 * yaw.sin());
        let placement = RootMotion { translation, yaw };
        character.show(&pose, placement, &[]);
        carpet::step(std::slice::from_mut(&mut character), &Level, STEP);
        let mut expected = pose.clone();
        expected.place(placement.placement());
        let expected = ModelPose::of(HUMAN.skeleton(), &expected);
        let away = largest_difference(&character, &expected);
        assert!(away < 1e-4, "{frame}: {away}");
        // Turns as well as places.
        for (a, b) in character.model().rotations.iter().zip(&expected.rotations) {
            assert!(a.angle_between(*b) < 5e-3);
        }
    }
}

#[test]
fn threads_and_company_change_nothing() {
    let ground = Relief(|place: Vec2| 0.2 * (1.1 * place.x).sin() * (0.9 * place.y).cos());
    let crowd = |threads: usize, count: usize| -> Vec<Pose> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut characters: Vec<Character> = (0..count)
                .map(|index| {
                    let place = Vec3::new(index as f32, 0.0, 0.3 * index as f32);
                    let options = CarpetOptions::default();
                    Character::on_line(RIG.clone(), CYCLE.clone(), place, index as f32, options)
                        .unwrap()
                })
                .collect();
            for _ in 0..40 {
                for character in &mut characters {
                    character.advance(SPEED * STEP);
                }
                carpet::step(&mut characters, &ground, STEP);
            }
            characters.iter().map(|character| character.pose().clone()).collect()
        })
    };
    let alone = crowd(1, 20);
    assert_eq!(alone, crowd(3, 20));
    assert_eq!(alone[..5], crowd(1, 5));
}
