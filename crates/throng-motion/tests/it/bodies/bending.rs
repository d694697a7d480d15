//! Skins that are bent neither collapse nor show what is under them.

use glam::{Quat, Vec3};
use throng_motion::{Bottom, Detail, Landmark, ModelPose, Outfit, Physique, Pose};

use super::support::*;

/// Poses that are hard on a skin.
fn bends() -> Vec<(&'static str, Vec<(Landmark, Quat)>)> {
    let x = |degrees: f32| Quat::from_rotation_x(degrees.to_radians());
    let z = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let twist = Quat::from_rotation_y(9_f32.to_radians());
    vec![
        ("knee", vec![(Landmark::LeftLowerLeg, x(110.0))]),
        ("elbow", vec![(Landmark::LeftForearm, x(-120.0))]),
        ("hip", vec![(Landmark::LeftUpperLeg, x(-60.0))]),
        ("raised arm", vec![(Landmark::LeftUpperArm, z(150.0))]),
        ("twist", Landmark::SPINE.map(|joint| (joint, twist)).to_vec()),
    ]
}

#[test]
fn bent_limbs_keep_their_volume() {
    for physique in [Physique::default(), Physique { build: 0.9, ..Physique::typical(40.0, 1.0) }] {
        for detail in Detail::ALL {
            let (human, mesh) = body(&physique, &bald(), detail);
            let rest = mesh.volume(&at_rest(&human, &mesh));
            for (what, turns) in bends() {
                let mut pose = Pose::rest(human.skeleton());
                for (landmark, turn) in turns {
                    pose.rotations[human.joint(landmark).index()] = turn;
                }
                let (positions, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &pose));
                let share = mesh.volume(&positions) / rest;
                assert!((0.94..1.06).contains(&share), "{what} {detail:?}: volume {share}");
            }
        }
    }
}

#[test]
fn a_bent_limb_is_nowhere_pinched() {
    // The ring at a joint is what collapses first: its girth is kept within half.
    let (human, mesh) = body(&Physique::default(), &bald(), Detail::Full);
    for (landmark, turn) in [
        (Landmark::LeftLowerLeg, Quat::from_rotation_x(1.92)),
        (Landmark::LeftForearm, Quat::from_rotation_x(-2.09)),
    ] {
        let joint = human.joint(landmark).index() as u16;
        let ring: Vec<usize> = (0..mesh.positions.len())
            .filter(|&vertex| {
                let binding = mesh.bindings[vertex];
                binding.joints[..2].contains(&joint) && (binding.weights[0] - 0.5).abs() < 1e-3
            })
            .collect();
        assert!(ring.len() >= 8);
        let breadth = |positions: &[Vec3]| {
            let farthest = |from: usize| {
                ring.iter().map(|&to| positions[from].distance(positions[to])).fold(0.0, f32::max)
            };
            ring.iter().map(|&from| farthest(from)).fold(f32::MAX, f32::min)
        };
        let mut pose = Pose::rest(human.skeleton());
        pose.rotations[joint as usize] = turn;
        let (bent, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &pose));
        let share = breadth(&bent) / breadth(&at_rest(&human, &mesh));
        assert!((0.5..1.5).contains(&share), "{landmark:?}: {share}");
    }
}

#[test]
fn legs_do_not_step_through_skirts_and_coats() {
    let flexed = |degrees: f32| Quat::from_rotation_x(-degrees.to_radians());
    for outfit in
        [Outfit { bottom: Bottom::Skirt, ..bald() }, Outfit { coat: true, ..Outfit::default() }]
    {
        for detail in [Detail::Full, Detail::Medium] {
            let (human, mesh) = body(&Physique::default(), &outfit, detail);
            let rest = at_rest(&human, &mesh);
            let mut shells = shells(&mesh);
            shells.sort_by_key(Vec::len);
            let cloth = shells.pop().expect("there are surfaces");
            let thigh = human.joint(Landmark::LeftUpperLeg).index() as u16;
            let mut hidden: Vec<usize> = shells
                .iter()
                .flatten()
                .flatten()
                .map(|&vertex| vertex as usize)
                .filter(|&vertex| mesh.bindings[vertex].joints[0] == thigh)
                .filter(|&vertex| inside(rest[vertex], &rest, &cloth))
                .collect();
            hidden.sort_unstable();
            hidden.dedup();
            // The cloth is closed from below by triangles around one vertex under the body.
            let hem = cloth.iter().flatten().copied().find(|&vertex| {
                let at = rest[vertex as usize];
                at.x == 0.0 && at.z == 0.0 && at.y < 0.5 * human.proportions().height
            });
            let nearest = |point: Vec3, positions: &[Vec3]| {
                let to = |triangle: &[u32; 3]| {
                    distance(point, &triangle.map(|vertex| positions[vertex as usize]))
                };
                let triangle = cloth.iter().min_by(|a, b| to(a).total_cmp(&to(b)));
                hem.filter(|hem| triangle.is_some_and(|triangle| triangle.contains(hem)))
            };
            assert!(hem.is_some());
            assert!(hidden.len() > 6, "{outfit:?} {detail:?}: {} vertices", hidden.len());
            // Those who are far away need not climb stairs.
            let steps = [(30.0, -20.0), (-20.0, 30.0), (55.0, 0.0)];
            for &(left, right) in &steps[..if detail == Detail::Full { 3 } else { 2 }] {
                let mut pose = Pose::rest(human.skeleton());
                pose.rotations[human.joint(Landmark::LeftUpperLeg).index()] = flexed(left);
                pose.rotations[human.joint(Landmark::RightUpperLeg).index()] = flexed(right);
                let (positions, _) = mesh.skinned(&ModelPose::of(human.skeleton(), &pose));
                for &vertex in &hidden {
                    let at = positions[vertex];
                    assert!(
                        inside(at, &positions, &cloth) || nearest(at, &positions) == hem,
                        "{outfit:?} {detail:?} at {left}°: {at} shows, which is at {} at rest",
                        rest[vertex]
                    );
                }
            }
        }
    }
}

/// Whether a closed surface is around a point: the solid angle that it fills seen from there.
fn inside(point: Vec3, positions: &[Vec3], triangles: &[[u32; 3]]) -> bool {
    let angle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize] - point);
        let (p, q, r) = (a.length(), b.length(), c.length());
        let below = p * q * r + a.dot(b) * r + b.dot(c) * p + c.dot(a) * q;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    triangles.iter().map(angle).sum::<f32>() > std::f32::consts::TAU
}
