//! Slopes: who leans, who does not, and how far bodies get.

use glam::{Quat, Vec2, Vec3};
use throng_base::ground::Relief;
use throng_motion::Landmark;
use throng_motion::carpet::{self, CarpetOptions, Character};

use super::stage::*;

fn plane(degrees: f32) -> Relief<impl Fn(Vec2) -> f32> {
    let slope = degrees.to_radians().tan();
    Relief(move |place: Vec2| slope * place.y)
}

#[test]
fn a_body_that_leans_is_the_clip_turned_with_the_slope() {
    let rig = std::sync::Arc::new((**RIG).clone().leaning(0.0));
    let cycle = cycle_of(&rig, &WALK);
    for degrees in [-25.0f32, -10.0, 5.0, 20.0] {
        let options = CarpetOptions::default();
        let mut character =
            Character::on_line(rig.clone(), cycle.clone(), Vec3::ZERO, 0.0, options).unwrap();
        let turn = Quat::from_rotation_x(-degrees.to_radians());
        let mut worst: f32 = 0.0;
        for _ in 0..60 {
            character.advance(SPEED * STEP);
            carpet::step(std::slice::from_mut(&mut character), &plane(degrees), STEP);
            // From the carpet's origin along the carpet, turned about row 0.
            let anchor = character.carpet().anchor().as_vec3();
            let pelvis = HUMAN.joint(Landmark::Hips).index();
            for (joint, target) in character.targets().iter().enumerate() {
                let rest = character.flat().positions[joint] - character.flat().positions[pelvis];
                let moved = *target - character.targets()[pelvis];
                worst = worst.max((Vec3::from(moved) - turn * Vec3::from(rest)).length());
            }
            // The surface itself.
            let above = character.targets()[pelvis] + glam::Vec3A::from(anchor);
            let normal = turn * Vec3::Y;
            let height = Vec3::from(above).dot(normal);
            worst = worst.max((height - character.flat().positions[pelvis].y).abs());
        }
        assert!(worst < 2e-4, "{degrees}°: {worst}");
    }
}

#[test]
fn people_stay_above_their_feet_on_slopes() {
    for degrees in [-20.0f32, 20.0] {
        let mut character = walker(CarpetOptions::default());
        walk(&mut character, &plane(degrees), 60, |_, character| {
            let at = |landmark| character.model().position(HUMAN.joint(landmark));
            let flat = |landmark| character.flat().position(HUMAN.joint(landmark));
            let anchor = character.carpet().anchor().as_vec3();
            let mean = |of: &dyn Fn(usize) -> Vec3| 0.5 * (of(0) + of(1));
            let feet = mean(&|foot| character.feet()[foot].pivot) + anchor;
            let flat_feet = mean(&|foot| character.feet()[foot].rest_pivot);
            let here = at(Landmark::Hips).z - feet.z;
            let there = flat(Landmark::Hips).z - flat_feet.z;
            // On the map, steps are shorter by as much as the slope is steep.
            let away = here - there * degrees.to_radians().cos();
            assert!(away.abs() < 0.02, "{degrees}°: {here} {there}");
            // Not leaning down the slope, as the ground's normal would have it.
            let trunk = at(Landmark::Neck1) - at(Landmark::Hips);
            let straight = flat(Landmark::Neck1) - flat(Landmark::Hips);
            let lean = (trunk.z / trunk.y).atan() - (straight.z / straight.y).atan();
            assert!(lean.abs() < 6f32.to_radians(), "{degrees}°: {}", lean.to_degrees());
        });
    }
}

#[test]
fn upright_targets_are_vertically_above_the_ground_below_them() {
    let mut character = walker(CarpetOptions::default());
    let slope = 20f32.to_radians().tan();
    for _ in 0..50 {
        character.advance(SPEED * STEP);
        carpet::step(std::slice::from_mut(&mut character), &plane(20.0), STEP);
        let anchor = character.carpet().anchor().as_vec3();
        let pelvis = HUMAN.joint(Landmark::Hips).index();
        let at = Vec3::from(character.targets()[pelvis]) + anchor;
        let flat = character.flat().positions[pelvis];
        assert!((at.y - slope * at.z - flat.y).abs() < 1e-4, "{at} {flat}");
    }
}

#[test]
fn a_metre_of_carpet_is_a_metre_of_slope() {
    let mut character = walker(CarpetOptions::default());
    let feet = walk(&mut character, &plane(25.0), 100, |_, _| {});
    let (root, _) = character.root();
    let expected = f64::from(100.0 * SPEED * STEP) * 25f64.to_radians().cos();
    assert!((root.y - expected).abs() < 0.01 * expected, "{} {expected}", root.y);
    println!("{feet:?}");
}
