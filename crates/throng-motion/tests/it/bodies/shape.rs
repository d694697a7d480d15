//! Bodies have the size and shape that is asked for, at every level of detail.

use std::collections::BTreeSet;

use glam::{Quat, Vec3};
use throng_motion::gait::Steady;
use throng_motion::{
    Bottom, Detail, HairStyle, Landmark, Mesh, ModelPose, Outfit, Physique, Pose, Region, Side,
};

use super::support::*;

#[test]
fn bodies_are_as_tall_as_they_say_and_stand_on_the_ground() {
    for physique in physiques() {
        for detail in Detail::ALL {
            let (human, mesh) = body(&physique, &bald(), detail);
            let positions = at_rest(&human, &mesh);
            let top = positions.iter().map(|at| at.y).fold(f32::MIN, f32::max);
            let low = positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
            assert!((top - physique.height).abs() < 0.005, "{physique:?} {detail:?}: {top}");
            assert!(low.abs() < 0.001, "{physique:?} {detail:?}: {low}");
        }
    }
}

#[test]
fn soles_touch_the_ground_where_the_foot_has_its_heel_ball_and_tip() {
    for height in [0.9, 1.75] {
        let physique = Physique { height, ..Physique::default() };
        let (human, mesh) = body(&physique, &bald(), Detail::Full);
        let foot = human.proportions().foot;
        let positions = at_rest(&human, &mesh);
        let shoes = mesh.parts.iter().find(|part| part.region == Region::Shoes).unwrap();
        let sole: Vec<u32> = shoes
            .triangles
            .iter()
            .flatten()
            .copied()
            .filter(|&v| positions[v as usize].y < 1e-4 && positions[v as usize].x > 0.0)
            .collect();
        let toes = human.joint(Landmark::LeftToes).index() as u16;
        for (z, toes_share) in [(-foot.heel, 0.0), (foot.ball, 0.5), (foot.ball + foot.toes, 1.0)] {
            let here: Vec<u32> = sole
                .iter()
                .copied()
                .filter(|&v| (positions[v as usize].z - z).abs() < 0.001)
                .collect();
            assert!(!here.is_empty(), "nothing of the sole is at {z}");
            for vertex in here {
                let binding = mesh.bindings[vertex as usize];
                let share: f32 = (0..4)
                    .filter(|&slot| binding.joints[slot] == toes)
                    .map(|slot| binding.weights[slot])
                    .sum();
                assert!((share - toes_share).abs() < 0.01, "{share} of the toes at {z}");
            }
        }
        let reach = |of: fn(f32, f32) -> f32, from: f32| {
            sole.iter().map(|&v| positions[v as usize].z).fold(from, of)
        };
        assert!((reach(f32::min, 0.0) + foot.heel).abs() < 0.001);
        assert!((reach(f32::max, 0.0) - foot.ball - foot.toes).abs() < 0.001);
    }
}

#[test]
fn irises_are_carried_by_the_joints_of_the_eyes_and_in_front_of_the_face() {
    for physique in [Physique::default(), Physique::typical(5.0, 0.0), Physique::typical(30.0, 1.0)]
    {
        for detail in Detail::ALL {
            let (human, mesh) = body(&physique, &bald(), detail);
            let positions = at_rest(&human, &mesh);
            let joint = human.joint(Landmark::LeftEye);
            let at = human.skeleton().rest_position(joint);
            let mut most = f32::MIN;
            for vertex in left_iris(&mesh, &positions) {
                assert!(positions[vertex].distance(at) < 0.03 * physique.height);
                assert_eq!(mesh.bindings[vertex].joints[0] as usize, joint.index());
                assert_eq!(mesh.bindings[vertex].weights[0], 1.0);
                most = most.max(positions[vertex].z);
            }
            // A ray from the front meets the eye before the skin.
            let face = depth_at(&positions, of(&mesh, Region::Skin), at).expect("there is a face");
            assert!(most > face + 0.001, "{physique:?} {detail:?}: eye {most}, face {face}");
        }
    }
}

#[test]
fn irises_point_where_the_joints_of_the_eyes_do() {
    for physique in [Physique::default(), Physique::typical(5.0, 0.0), Physique::typical(70.0, 1.0)]
    {
        for detail in Detail::ALL {
            let (human, mesh) = body(&physique, &bald(), detail);
            let rest = at_rest(&human, &mesh);
            let iris = left_iris(&mesh, &rest);
            for (yaw, pitch) in [(0.0, 0.0), (30.0, 0.0), (-35.0, 10.0), (12.0, -30.0), (0.0, 25.0)]
            {
                let turn = Quat::from_rotation_y(f32::to_radians(yaw))
                    * Quat::from_rotation_x(f32::to_radians(pitch));
                let mut pose = Pose::rest(human.skeleton());
                let joint = human.joint(Landmark::LeftEye);
                pose.rotations[joint.index()] = turn;
                let model = ModelPose::of(human.skeleton(), &pose);
                let (positions, _) = mesh.skinned(&model);
                let sum: Vec3 = iris.iter().map(|&vertex| positions[vertex]).sum();
                let centre = sum / iris.len() as f32 - model.position(joint);
                let off = centre.angle_between(turn * Vec3::Z).to_degrees();
                assert!(off < 1.0, "{physique:?} {detail:?} {yaw}° {pitch}°: {off}° off");
            }
        }
    }
}

#[test]
fn lids_cover_the_top_of_the_iris_and_leave_the_pupil_free() {
    for physique in [Physique::default(), Physique::typical(5.0, 1.0), Physique::typical(80.0, 0.0)]
    {
        let (human, mesh) = body(&physique, &bald(), Detail::Full);
        let positions = at_rest(&human, &mesh);
        let at = human.skeleton().rest_position(human.joint(Landmark::LeftEye));
        let iris = left_iris(&mesh, &positions);
        let top = iris.iter().map(|&vertex| positions[vertex].y).fold(f32::MIN, f32::max);
        let depth = |y: f32, region: Region| {
            depth_at(&positions, of(&mesh, region), Vec3 { y, ..at }).unwrap_or(f32::MIN)
        };
        let covered = top - 0.0004 * physique.height;
        let lid = depth(covered, Region::Skin).max(depth(covered, Region::Brows));
        assert!(lid > depth(covered, Region::Iris), "{physique:?}: the iris shows up to its top");
        assert!(depth(at.y, Region::Pupil) > depth(at.y, Region::Skin), "{physique:?}");
        let below = at.y - 0.8 * (top - at.y);
        assert!(depth(below, Region::Iris) > depth(below, Region::Skin), "{physique:?}");
    }
}

/// The triangles of a region.
fn of(mesh: &Mesh, region: Region) -> &[[u32; 3]] {
    mesh.parts.iter().find(|part| part.region == region).map_or(&[], |part| &part.triangles)
}

/// The vertices of the left iris.
fn left_iris(mesh: &Mesh, positions: &[Vec3]) -> Vec<usize> {
    let vertices = of(mesh, Region::Iris).iter().flatten().map(|&vertex| vertex as usize);
    let left: BTreeSet<usize> = vertices.filter(|&vertex| positions[vertex].x > 0.0).collect();
    left.into_iter().collect()
}

/// How far forward triangles reach at the place of `at` seen from the front.
fn depth_at(positions: &[Vec3], triangles: &[[u32; 3]], at: Vec3) -> Option<f32> {
    let mut depth: Option<f32> = None;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        let weights = [
            (c - b).truncate().perp_dot((at - b).truncate()) / area,
            (a - c).truncate().perp_dot((at - c).truncate()) / area,
            (b - a).truncate().perp_dot((at - a).truncate()) / area,
        ];
        if weights.iter().all(|weight| *weight >= 0.0) {
            let z = weights[0] * a.z + weights[1] * b.z + weights[2] * c.z;
            depth = Some(depth.map_or(z, |depth| depth.max(z)));
        }
    }
    depth
}

#[test]
fn parameters_do_what_they_say() {
    let measure = |physique: Physique| {
        let (human, mesh) = body(&physique, &bald(), Detail::Full);
        let positions = at_rest(&human, &mesh);
        (human, mesh.volume(&positions))
    };
    let default = Physique::default();
    let mut last = 0.0;
    for build in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let (_, volume) = measure(Physique { build, ..default });
        assert!(volume > 1.04 * last, "build {build}: {volume} after {last} m³");
        last = volume;
    }
    // A man of 1.75 m and 75 kg fills some 75 litres, clothes more.
    let (_, volume) = measure(default);
    assert!((0.065..0.095).contains(&volume), "{volume} m³");
    let breadth = |physique: Physique, least: f32, most: f32| {
        let (human, mesh) = body(&physique, &bald(), Detail::Full);
        let arms: Vec<usize> =
            Side::BOTH.iter().map(|&side| human.joint(Landmark::upper_arm(side)).index()).collect();
        let positions = at_rest(&human, &mesh);
        positions
            .iter()
            .zip(&mesh.bindings)
            .filter(|(_, binding)| !arms.contains(&(binding.joints[0] as usize)))
            .map(|(at, _)| at / physique.height)
            .filter(|at| (least..most).contains(&at.y) && at.x < 0.11)
            .map(|at| at.x)
            .fold(0.0, f32::max)
    };
    let woman = Physique { femininity: 1.0, ..default };
    let belt = |physique| breadth(physique, 0.5, 0.56) / breadth(physique, 0.64, 0.67);
    assert!(belt(woman) > 1.1 * belt(default), "{} and {}", belt(woman), belt(default));
    let legs = |age: f32| {
        let human = Physique { age, ..default }.human().unwrap();
        human.proportions().leg() / human.proportions().height
    };
    assert!(legs(4.0) < legs(10.0) && legs(10.0) < legs(17.0) && legs(17.0) == legs(60.0));
    let head = |age: f32| {
        let human = Physique { age, ..default }.human().unwrap();
        1.75 - human.skeleton().rest_position(human.joint(Landmark::Head)).y
    };
    assert!(head(4.0) > head(10.0) && head(10.0) > head(17.0));
    assert!(Physique::typical(6.0, 0.0).height < Physique::typical(12.0, 0.0).height);
    assert!(Physique::typical(30.0, 0.0).height > Physique::typical(30.0, 1.0).height);
}

#[test]
fn hands_that_are_held_off_clear_the_hips() {
    let mut widest = 0.0_f32;
    for physique in physiques() {
        let (human, mesh) = body(&physique, &bald(), Detail::Full);
        let mut pose = Pose::rest(human.skeleton());
        let arm = human.joint(Landmark::LeftUpperArm).index();
        let clearance = physique.arm_clearance().unwrap();
        widest = widest.max(clearance);
        pose.rotations[arm] = Quat::from_rotation_z(clearance);
        let (positions, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &pose));
        let carriers: Vec<u16> =
            [human.joint(Landmark::LeftHand), human.fingers(Side::Left), human.thumb(Side::Left)]
                .map(|joint| joint.index() as u16)
                .to_vec();
        let (mut hand, mut hips) = (f32::MAX, f32::MIN);
        for (at, binding) in positions.iter().zip(&mesh.bindings) {
            if carriers.contains(&binding.joints[0]) {
                hand = hand.min(at.x);
            }
        }
        let legs = [Landmark::Hips, Landmark::LeftUpperLeg].map(|l| human.joint(l).index() as u16);
        for (at, binding) in positions.iter().zip(&mesh.bindings) {
            if legs.contains(&binding.joints[0]) {
                hips = hips.max(at.x);
            }
        }
        assert!(hand > hips - 0.003 * physique.height, "{physique:?}: {hand} {hips}");
    }
    assert!((0.1..0.3).contains(&widest), "{widest}");
}

#[test]
fn lower_levels_have_the_same_silhouette() {
    let people = [
        (Physique::default(), 0.03, 0.05),
        (Physique::typical(28.0, 1.0), 0.03, 0.05),
        (Physique::typical(6.0, 0.0), 0.03, 0.05),
        (Physique { build: 1.0, ..Physique::default() }, 0.03, 0.055),
    ];
    for (physique, medium, low) in people {
        for outfit in [
            bald(),
            Outfit { hair: HairStyle::Short, bottom: Bottom::Shorts, ..Outfit::default() },
            Outfit { bottom: Bottom::Skirt, ..bald() },
        ] {
            let (human, full) = body(&physique, &outfit, Detail::Full);
            let fine = samples(&full, &at_rest(&human, &full));
            // A skirt hides how the legs end, and coarse ones end differently.
            let hidden = if outfit.bottom == Bottom::Skirt { 0.02 } else { 0.0 };
            for (detail, most) in [(Detail::Medium, medium), (Detail::Low, low + hidden)] {
                let (_, mesh) = body(&physique, &outfit, detail);
                let positions = at_rest(&human, &mesh);
                let coarse = samples(&mesh, &positions);
                let there = farthest(&fine, &mesh, &positions);
                let back = farthest(&coarse, &full, &at_rest(&human, &full));
                let distance = there.max(back);
                assert!(distance < most, "{physique:?} {outfit:?} {detail:?}: {distance} m");
                let share = mesh.volume(&positions) / full.volume(&at_rest(&human, &full));
                assert!((0.82..1.18).contains(&share), "{physique:?} {detail:?}: volume {share}");
            }
        }
    }
}

/// Points on the surface.
fn samples(mesh: &Mesh, positions: &[Vec3]) -> Vec<Vec3> {
    triangles(mesh)
        .flat_map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| positions[vertex as usize]);
            [a, (a + b) / 2.0, (b + c) / 2.0, (a + b + c) / 3.0]
        })
        .collect()
}

/// The largest distance of points from a surface, as its triangles are.
fn farthest(points: &[Vec3], mesh: &Mesh, positions: &[Vec3]) -> f32 {
    let corners: Vec<[Vec3; 3]> =
        triangles(mesh).map(|t| t.map(|vertex| positions[vertex as usize])).collect();
    let nearest = |point: Vec3| {
        corners.iter().map(|corners| distance(point, corners)).fold(f32::MAX, f32::min)
    };
    points.iter().map(|&point| nearest(point)).fold(0.0, f32::max)
}

#[test]
fn every_physique_has_a_way_to_walk() {
    for age in [4.0, 9.0, 30.0, 75.0] {
        for build in [-1.0, 0.0, 1.0] {
            for femininity in [0.0, 1.0] {
                let physique = Physique { build, ..Physique::typical(age, femininity) };
                let human = physique.human().unwrap();
                let style = physique.style().unwrap();
                let leg = human.proportions().leg();
                let walk = Steady::ahead(0.4 * (9.81 * leg).sqrt()).styled(style);
                walk.clip(&human).unwrap();
                let slim = Physique { build: -1.0, ..physique }.style().unwrap();
                assert!(style.arm_abduction >= slim.arm_abduction);
            }
        }
    }
    assert!(Physique { age: f32::NAN, ..Physique::typical(30.0, 0.5) }.style().is_err());
}
