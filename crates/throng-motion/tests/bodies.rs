//! The surfaces of bodies, through the public interface.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use proptest::prelude::*;
use throng_motion::{
    Bottom, Detail, HairStyle, Human, Landmark, Mesh, ModelPose, Outfit, Physique, Pose,
    Proportions, Region, Side, Sleeves,
};

/// Where the vertices are at rest.
fn at_rest(human: &Human, mesh: &Mesh) -> Vec<Vec3> {
    mesh.skinned(&ModelPose::of(human.skeleton(), &Pose::rest(human.skeleton()))).0
}

fn body(physique: &Physique, outfit: &Outfit, detail: Detail) -> (Human, Mesh) {
    let human = physique.human().expect("the physique is in range");
    let mesh = Mesh::body(&human, physique, outfit, detail).expect("the physique is in range");
    (human, mesh)
}

fn bald() -> Outfit {
    Outfit { hair: HairStyle::Bald, ..Outfit::default() }
}

fn outfits() -> Vec<Outfit> {
    let mut outfits = Vec::new();
    for hair in HairStyle::ALL {
        for sleeves in Sleeves::ALL {
            for bottom in Bottom::ALL {
                for coat in [false, true] {
                    outfits.push(Outfit { hair, sleeves, bottom, coat });
                }
            }
        }
    }
    outfits
}

/// All corners of the ranges, and people in between.
fn physiques() -> Vec<Physique> {
    let mut physiques = vec![Physique::default(), Physique::typical(8.0, 0.5)];
    for height in [0.8, 1.2, 2.1] {
        for age in [2.0, 11.0, 17.0, 100.0] {
            for build in [-1.0, 0.0, 1.0] {
                for femininity in [0.0, 1.0] {
                    physiques.push(Physique { height, age, build, femininity });
                }
            }
        }
    }
    physiques
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [u32; 3]> {
    mesh.parts.iter().flat_map(|part| part.triangles.iter().copied())
}

/// The triangles of every surface that hangs together.
fn shells(mesh: &Mesh) -> Vec<Vec<[u32; 3]>> {
    let mut group: Vec<usize> = (0..mesh.positions.len()).collect();
    fn find(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for [a, b, c] in triangles(mesh) {
        let first = find(&mut group, a as usize);
        for other in [b, c] {
            let root = find(&mut group, other as usize);
            group[root] = first;
        }
    }
    let mut shells: HashMap<usize, Vec<[u32; 3]>> = HashMap::new();
    for triangle in triangles(mesh) {
        shells.entry(find(&mut group, triangle[0] as usize)).or_default().push(triangle);
    }
    shells.into_values().collect()
}

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    let at = |vertex: u32| positions[vertex as usize];
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f32>() / 6.0
}

/// Every edge belongs to two triangles that run along it in opposite directions.
fn assert_closed(mesh: &Mesh, what: &str) {
    let mut edges: HashMap<(u32, u32), usize> = HashMap::new();
    for [a, b, c] in triangles(mesh) {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    for (&(from, to), &count) in &edges {
        assert_eq!(count, 1, "{what}: edge {from}-{to} is run along {count} times");
        assert!(edges.contains_key(&(to, from)), "{what}: edge {from}-{to} is a hole's");
    }
    let used: std::collections::HashSet<u32> = triangles(mesh).flatten().collect();
    assert_eq!(used.len(), mesh.positions.len(), "{what}: vertices that nothing uses");
    for shell in shells(mesh) {
        assert!(volume(&mesh.positions, &shell) > 0.0, "{what}: a surface is inside out");
    }
}

fn assert_no_slivers(mesh: &Mesh, what: &str) {
    for [a, b, c] in triangles(mesh) {
        let [p, q, r] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
        let area = 0.5 * (q - p).cross(r - p).length();
        assert!(area > 1e-7, "{what}: triangle {a} {b} {c} at {p} has an area of {area} m²");
    }
}

#[test]
fn every_outfit_at_every_detail_is_closed_and_within_budget() {
    let physique = Physique::default();
    for outfit in outfits() {
        for (detail, most) in [(Detail::Full, 1_500), (Detail::Medium, 600), (Detail::Low, 200)] {
            let (human, mesh) = body(&physique, &outfit, detail);
            let what = format!("{outfit:?} {detail:?}");
            mesh.check(human.skeleton()).unwrap();
            assert!(mesh.triangle_count() <= most, "{what}: {} triangles", mesh.triangle_count());
            assert_closed(&mesh, &what);
            assert_no_slivers(&mesh, &what);
            for normal in &mesh.normals {
                assert!((normal.length() - 1.0).abs() < 1e-4, "{what}");
            }
        }
    }
}

#[test]
fn bodies_have_the_regions_of_their_outfit_at_every_detail() {
    for outfit in outfits() {
        let regions = Detail::ALL.map(|detail| {
            let (_, mesh) = body(&Physique::default(), &outfit, detail);
            mesh.parts.iter().map(|part| part.region).collect::<Vec<_>>()
        });
        let expected: Vec<_> = Region::ALL
            .into_iter()
            .filter(|region| outfit.hair != HairStyle::Bald || *region != Region::Hair)
            .collect();
        for (detail, regions) in Detail::ALL.into_iter().zip(regions) {
            assert_eq!(regions, expected, "{outfit:?} {detail:?}");
        }
    }
}

#[test]
fn extreme_bodies_are_closed_and_nowhere_inside_out() {
    let outfits = [
        Outfit::default(),
        Outfit {
            hair: HairStyle::Long,
            sleeves: Sleeves::Short,
            bottom: Bottom::Skirt,
            coat: false,
        },
        Outfit {
            hair: HairStyle::Bun,
            sleeves: Sleeves::None,
            bottom: Bottom::Shorts,
            coat: false,
        },
        Outfit { hair: HairStyle::Bob, coat: true, ..Outfit::default() },
    ];
    for physique in physiques() {
        for outfit in &outfits {
            for detail in Detail::ALL {
                let (human, mesh) = body(&physique, outfit, detail);
                let what = format!("{physique:?} {outfit:?} {detail:?}");
                mesh.check(human.skeleton()).unwrap();
                assert_closed(&mesh, &what);
                assert_no_flipped_triangles(&mesh, &what);
            }
        }
    }
}

/// A triangle that is turned over points away from the smooth normals of its own corners.
fn assert_no_flipped_triangles(mesh: &Mesh, what: &str) {
    for [a, b, c] in triangles(mesh) {
        let [p, q, r] = [a, b, c].map(|vertex| mesh.positions[vertex as usize]);
        let normal = (q - p).cross(r - p).normalize_or_zero();
        let smooth: Vec3 = [a, b, c].map(|vertex| mesh.normals[vertex as usize]).into_iter().sum();
        assert!(
            normal.dot(smooth) > -0.2,
            "{what}: triangle {a} {b} {c} at {p} is turned over: {normal} against {smooth}"
        );
    }
}

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
fn eyes_are_at_the_joints_of_the_eyes_and_in_front_of_the_face() {
    for physique in [Physique::default(), Physique::typical(5.0, 0.0), Physique::typical(30.0, 1.0)]
    {
        for detail in Detail::ALL {
            let (human, mesh) = body(&physique, &bald(), detail);
            let positions = at_rest(&human, &mesh);
            let eyes = mesh.parts.iter().find(|part| part.region == Region::Eyes).unwrap();
            let joint = human.joint(Landmark::LeftEye);
            let at = human.skeleton().rest_position(joint);
            let mut most = f32::MIN;
            for &vertex in eyes.triangles.iter().flatten() {
                let vertex = vertex as usize;
                if positions[vertex].x > 0.0 {
                    assert!(positions[vertex].distance(at) < 0.03 * physique.height);
                    assert_eq!(mesh.bindings[vertex].joints[0] as usize, joint.index());
                    most = most.max(positions[vertex].z);
                }
            }
            // A ray from the front meets the eye before the skin.
            let skin = mesh.parts.iter().find(|part| part.region == Region::Skin).unwrap();
            let face = depth_at(&positions, &skin.triangles, at).expect("there is a face");
            assert!(most > face + 0.001, "{physique:?} {detail:?}: eye {most}, face {face}");
        }
    }
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
fn bodies_are_symmetric() {
    for outfit in outfits().into_iter().step_by(5) {
        for detail in Detail::ALL {
            let (human, mesh) = body(&Physique::default(), &outfit, detail);
            let key =
                |at: Vec3| [at.x, at.y, at.z].map(|value| (f64::from(value) * 1e5).round() as i64);
            let mut there: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
            for (vertex, at) in mesh.positions.iter().enumerate() {
                there.entry(key(*at)).or_default().push(vertex);
            }
            for (vertex, at) in mesh.positions.iter().enumerate() {
                let twins = there.get(&key(*at * Vec3::new(-1.0, 1.0, 1.0))).expect("a twin");
                let mirrored = mesh.bindings[vertex].joints.map(|joint| {
                    let joint = throng_motion::JointId::new(joint.into());
                    human.skeleton().mirrored(joint).index() as u16
                });
                let shares = |joints: [u16; 4], weights: [f32; 4]| {
                    let mut shares: Vec<(u16, f32)> =
                        joints.into_iter().zip(weights).filter(|(_, w)| *w > 0.0).collect();
                    shares.sort_by_key(|share| share.0);
                    shares
                };
                let own = shares(mirrored, mesh.bindings[vertex].weights);
                assert!(twins.iter().any(|&twin| {
                    let binding = mesh.bindings[twin];
                    let other = shares(binding.joints, binding.weights);
                    own.len() == other.len()
                        && own
                            .iter()
                            .zip(&other)
                            .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-5)
                        && (mesh.normals[twin] * Vec3::new(-1.0, 1.0, 1.0) - mesh.normals[vertex])
                            .length()
                            < 1e-3
                }));
            }
        }
    }
}

#[test]
fn bodies_are_the_same_again_and_share_their_triangles() {
    let outfit = Outfit { hair: HairStyle::Long, ..Outfit::default() };
    let heavy = Physique { build: 0.8, ..Physique::typical(60.0, 1.0) };
    for detail in Detail::ALL {
        let (_, first) = body(&Physique::default(), &outfit, detail);
        let (_, again) = body(&Physique::default(), &outfit, detail);
        let (_, other) = body(&heavy, &outfit, detail);
        assert_eq!(first, again);
        assert_ne!(first.positions, other.positions);
        assert_eq!(first.parts, other.parts);
    }
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
fn nobody_is_made_of_nonsense() {
    let human = Human::new(Proportions::default()).unwrap();
    let default = Physique::default();
    for (bad, what) in [
        (Physique { height: f32::NAN, ..default }, "height"),
        (Physique { height: 0.3, ..default }, "height"),
        (Physique { age: -1.0, ..default }, "age"),
        (Physique { age: f32::INFINITY, ..default }, "age"),
        (Physique { build: 1.5, ..default }, "build"),
        (Physique { femininity: -0.1, ..default }, "femininity"),
    ] {
        assert_eq!(bad.proportions().unwrap_err().what, what);
        assert_eq!(bad.human().unwrap_err().what, what);
        let mesh = Mesh::body(&human, &bad, &Outfit::default(), Detail::Low);
        assert_eq!(mesh.unwrap_err().what, what);
    }
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
                assert!((0.85..1.15).contains(&share), "{physique:?} {detail:?}: volume {share}");
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

fn distance(point: Vec3, [a, b, c]: &[Vec3; 3]) -> f32 {
    let normal = (*b - *a).cross(*c - *a);
    let inside = [(*a, *b), (*b, *c), (*c, *a)]
        .into_iter()
        .all(|(from, to)| (to - from).cross(point - from).dot(normal) >= 0.0);
    if inside && normal.length_squared() > 0.0 {
        return (point - *a).dot(normal.normalize()).abs();
    }
    let to_edge = |from: Vec3, to: Vec3| {
        let along = to - from;
        let share = ((point - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        point.distance(from + share * along)
    };
    to_edge(*a, *b).min(to_edge(*b, *c)).min(to_edge(*c, *a))
}

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
fn other_bodies_than_a_physique_gives_can_be_dressed() {
    let mut long_legs = Proportions::of_height(1.8);
    long_legs.thigh *= 1.3;
    long_legs.trunk *= 0.85;
    for proportions in [Proportions::of_height(0.6), Proportions::of_height(2.4), long_legs] {
        let human = Human::new(proportions).unwrap();
        let mesh =
            Mesh::body(&human, &Physique::default(), &Outfit::default(), Detail::Full).unwrap();
        mesh.check(human.skeleton()).unwrap();
        assert_closed(&mesh, "other proportions");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whoever_it_is_the_surface_is_sound(
        height in 0.8f32..=2.1,
        age in 2.0f32..=100.0,
        build in -1.0f32..=1.0,
        femininity in 0.0f32..=1.0,
        outfit in 0usize..108,
        level in 0usize..3,
    ) {
        let physique = Physique { height, age, build, femininity };
        let outfit = outfits()[outfit];
        let (human, mesh) = body(&physique, &outfit, Detail::ALL[level]);
        let what = format!("{physique:?} {outfit:?}");
        prop_assert!(mesh.check(human.skeleton()).is_ok());
        assert_closed(&mesh, &what);
        assert_no_flipped_triangles(&mesh, &what);
    }
}
