//! Bodies to be tested, and their triangles.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use throng_motion::{
    Bottom, Detail, HairStyle, Human, Mesh, ModelPose, Outfit, Physique, Pose, Sleeves,
};

/// Where the vertices are at rest.
pub fn at_rest(human: &Human, mesh: &Mesh) -> Vec<Vec3> {
    mesh.skinned(&ModelPose::of(human.skeleton(), &Pose::rest(human.skeleton()))).0
}

pub fn body(physique: &Physique, outfit: &Outfit, detail: Detail) -> (Human, Mesh) {
    let human = physique.human().expect("the physique is in range");
    let mesh = Mesh::body(&human, physique, outfit, detail).expect("the physique is in range");
    (human, mesh)
}

pub fn bald() -> Outfit {
    Outfit { hair: HairStyle::Bald, ..Outfit::default() }
}

pub fn outfits() -> Vec<Outfit> {
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
pub fn physiques() -> Vec<Physique> {
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

pub fn triangles(mesh: &Mesh) -> impl Iterator<Item = [u32; 3]> {
    mesh.parts.iter().flat_map(|part| part.triangles.iter().copied())
}

/// The triangles of every surface that hangs together.
pub fn shells(mesh: &Mesh) -> Vec<Vec<[u32; 3]>> {
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

pub fn distance(point: Vec3, [a, b, c]: &[Vec3; 3]) -> f32 {
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

fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    let at = |vertex: u32| positions[vertex as usize];
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f32>() / 6.0
}

/// Every edge belongs to two triangles that run along it in opposite directions, and there is space inside.
pub fn assert_closed(mesh: &Mesh, what: &str) {
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
    let used: HashSet<u32> = triangles(mesh).flatten().collect();
    assert_eq!(used.len(), mesh.positions.len(), "{what}: vertices that nothing uses");
    for shell in shells(mesh) {
        assert!(volume(&mesh.positions, &shell) > 0.0, "{what}: a surface is inside out");
    }
}
