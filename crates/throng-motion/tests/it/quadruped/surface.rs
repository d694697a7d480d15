//! The surface of an animal: closed, right side out, symmetric, and on the ground.

use std::collections::HashSet;

use glam::Vec3;
use throng_motion::quadruped::{Gait, Quadruped};
use throng_motion::{Detail, JointId, Mesh, ModelPose, Pose, Region};

use super::animals::{animals, at, phases};
use crate::bodies::support::{assert_closed, triangles};

#[test]
fn animals_are_closed_right_side_out_and_within_budget() {
    for (name, animal) in animals() {
        for (detail, range) in
            [(Detail::Full, 1000..1500), (Detail::Medium, 350..610), (Detail::Low, 120..310)]
        {
            let mesh = Mesh::animal(&animal, detail);
            let what = format!("{name} {detail:?}");
            mesh.check(animal.skeleton()).unwrap();
            assert!(range.contains(&mesh.triangle_count()), "{what}: {}", mesh.triangle_count());
            assert_closed(&mesh, &what);
            for binding in &mesh.bindings {
                let sum: f32 = binding.weights.iter().sum();
                assert!((sum - 1.0).abs() < 1e-5, "{what}: weights sum to {sum}");
            }
            for [a, b, c] in triangles(&mesh) {
                let [p, q, r] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
                let normal = (q - p).cross(r - p).normalize_or_zero();
                let smooth: Vec3 =
                    [a, b, c].map(|vertex| mesh.normals[vertex as usize]).into_iter().sum();
                assert!(normal.dot(smooth) > -0.4, "{what}: a triangle at {p} is turned over");
            }
        }
    }
}

#[test]
fn animals_are_symmetric_and_stand_on_the_ground() {
    for (name, animal) in animals() {
        for detail in Detail::ALL {
            let mesh = Mesh::animal(&animal, detail);
            let w = animal.proportions().shoulder_height;
            let key = |at: Vec3| [at.x, at.y, at.z].map(|value| (1e4 * value).round() as i64);
            let places: HashSet<[i64; 3]> = mesh.positions.iter().map(|at| key(*at)).collect();
            for at in &mesh.positions {
                assert!(places.contains(&key(*at * Vec3::new(-1.0, 1.0, 1.0))), "{name}: {at}");
            }
            let low = mesh.positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
            assert!(low.abs() < 1e-4, "{name}: {low}");
            // The withers are as high as they should be.
            let back = mesh.positions.iter().filter(|at| at.z < 0.4 * animal.proportions().trunk);
            let top = back.map(|at| at.y).fold(0.0, f32::max);
            assert!((top / w - 1.0).abs() < 0.06, "{name} {detail:?}: {}", top / w);
        }
    }
}

#[test]
fn an_animal_weighs_what_its_kind_does() {
    for (animal, expected) in [(Quadruped::dog(), 15.0..45.0), (Quadruped::horse(), 350.0..800.0)] {
        let mesh = Mesh::animal(&animal, Detail::Full);
        // A litre weighs a kilogram; what lies inside of the trunk counts twice.
        let litres = 1000.0 * mesh.volume(&mesh.positions);
        assert!(expected.contains(&litres), "{litres} l");
    }
}

#[test]
fn every_region_is_there_to_be_coloured() {
    let regions = |animal: &Quadruped| {
        let mesh = Mesh::animal(animal, Detail::Full);
        mesh.parts.iter().map(|part| part.region).collect::<Vec<_>>()
    };
    assert_eq!(regions(&Quadruped::dog()), Region::ALL[..6]);
    assert_eq!(regions(&Quadruped::horse()), Region::ALL[..6]);
}

#[test]
fn moving_animals_neither_sink_in_nor_burst() {
    for (name, animal) in animals() {
        let mesh = Mesh::animal(&animal, Detail::Full);
        let w = animal.proportions().shoulder_height;
        let still = mesh.volume(&mesh.positions);
        for gait in [Gait::Walk, Gait::Trot] {
            let clip = at(&animal, gait, 0.6);
            let mut pose = Pose::default();
            for phase in phases(&clip).step_by(5) {
                clip.sample(phase, &mut pose);
                let (positions, _) = mesh.skinned(&ModelPose::of(animal.skeleton(), &pose));
                let low = positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
                assert!(low > -0.035 * w, "{name} {gait:?} at {phase}: {low}");
                let volume = mesh.volume(&positions);
                assert!((volume / still - 1.0).abs() < 0.06, "{name}: {}", volume / still);
                for [a, b, _] in triangles(&mesh) {
                    let length = |at: &[Vec3]| at[a as usize].distance(at[b as usize]);
                    let stretched = length(&positions) - length(&mesh.positions);
                    assert!(stretched < 0.09 * w, "{name} {gait:?}: {stretched} at {phase}");
                }
            }
        }
    }
}

#[test]
fn bind_matrices_are_those_of_the_standing_animal() {
    let dog = Quadruped::dog();
    let mesh = Mesh::animal(&dog, Detail::Medium);
    let rest = ModelPose::of(dog.skeleton(), &Pose::rest(dog.skeleton()));
    for (index, inverse) in mesh.inverse_bind.iter().enumerate() {
        let at = inverse.transform_point3(rest.position(JointId::new(index)));
        assert!(at.length() < 1e-6);
    }
    let (positions, _) = mesh.skinned(&rest);
    for (moved, at) in positions.iter().zip(&mesh.positions) {
        assert!(moved.distance(*at) < 1e-5);
    }
}
