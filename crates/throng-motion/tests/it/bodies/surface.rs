//! Whoever it is and whatever they wear: the surface is closed, right side out and symmetric.

use std::collections::HashMap;

use glam::Vec3;
use proptest::prelude::*;
use throng_motion::{
    Bottom, Detail, HairStyle, Human, Mesh, Outfit, Physique, Proportions, Region, Sleeves,
};

use super::support::*;

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
        for (detail, most) in [(Detail::Full, 1_710), (Detail::Medium, 590), (Detail::Low, 206)] {
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
        for (detail, missing) in [
            (Detail::Full, &[][..]),
            (Detail::Medium, &[Region::Pupil, Region::Brows]),
            // Eyes that are seen from afar are dark spots.
            (Detail::Low, &[Region::Eyes, Region::Pupil, Region::Brows]),
        ] {
            let (_, mesh) = body(&Physique::default(), &outfit, detail);
            let regions: Vec<_> = mesh.parts.iter().map(|part| part.region).collect();
            let expected: Vec<_> = Region::ALL
                .into_iter()
                .filter(|region| outfit.hair != HairStyle::Bald || *region != Region::Hair)
                .filter(|region| !missing.contains(region))
                .collect();
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
