//! Heights and normals of the ground, through the public API.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use throng_base::Bounds;
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_world::{GroundMesh, Heightfield, Terrain};

const BOUNDS: Bounds = Bounds { min: Vec2::new(-3.0, 5.0), max: Vec2::new(7.5, 14.0) };

/// Random lattices of 2 to 9 samples along a side over [`BOUNDS`].
fn heightfields() -> impl Strategy<Value = Heightfield> {
    (2..10usize, 2..10usize).prop_flat_map(|(columns, rows)| {
        prop::collection::vec(-3.0..3.0f32, columns * rows)
            .prop_map(move |heights| Heightfield::new(BOUNDS, columns, rows, heights).unwrap())
    })
}

/// Points over [`BOUNDS`] and well beyond.
fn points() -> impl Strategy<Value = Vec<Vec2>> {
    prop::collection::vec((-20.0..25.0f32, -10.0..30.0f32).prop_map(Vec2::from), 1..50)
}

/// The samples of a heightfield as vertices, each of its cells as two triangles.
fn lattice(field: &Heightfield) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (columns, rows) = (field.columns(), field.rows());
    let spacing = field.bounds().size() / Vec2::new((columns - 1) as f32, (rows - 1) as f32);
    let vertices = field.heights().iter().enumerate().map(|(i, height)| {
        let place = Vec2::new((i % columns) as f32, (i / columns) as f32);
        ground_to_world(field.bounds().min + place * spacing, *height)
    });
    let first = (0..columns * (rows - 1)).filter(|i| i % columns + 1 < columns);
    let triangles = first.flat_map(|i| {
        let [a, b, c, d] = [i, i + 1, i + columns, i + columns + 1].map(|i| i as u32);
        [[a, b, d], [a, d, c]]
    });
    (vertices.collect(), triangles.collect())
}

/// Distance in plan and height at the nearest point of the mesh, by trying every triangle.
fn scan(triangles: &[[Vec3; 3]], point: Vec2) -> (f64, f64) {
    let mut best = (f64::INFINITY, f64::NEG_INFINITY);
    for corners in triangles {
        let (distance, height) = nearest_on_triangle(corners, point);
        if distance < best.0 - 1e-9 || (distance < best.0 + 1e-9 && height > best.1) {
            best = (distance.min(best.0), height);
        }
    }
    best
}

/// Whether a mesh of these triangles may have `height` at `point`. On it there is one answer; off it,
/// two places of the border may be as good as equally near.
fn agrees(triangles: &[[Vec3; 3]], point: Vec2, height: f64) -> bool {
    let (distance, expected) = scan(triangles, point);
    let near = |triangle: &[Vec3; 3]| {
        let (d, h) = nearest_on_triangle(triangle, point);
        (d - distance).abs() < 1e-5 && (h - height).abs() < 1e-4
    };
    (height - expected).abs() < 1e-4 || (distance > 0.0 && triangles.iter().any(near))
}

fn nearest_on_triangle(corners: &[Vec3; 3], point: Vec2) -> (f64, f64) {
    let plan = corners.map(|corner| world_to_ground(corner).0.as_dvec2() - point.as_dvec2());
    let heights = corners.map(|corner| f64::from(world_to_ground(corner).1));
    let weights = [1, 2, 0].map(|i: usize| plan[i].perp_dot(plan[(i + 1) % 3]));
    if weights.iter().all(|weight| *weight >= 0.0) {
        let sum: f64 = weights.iter().sum();
        return (0.0, (0..3).map(|i| heights[i] * weights[i] / sum).sum());
    }
    let edge = |i: usize| {
        let (from, to) = (plan[i], plan[(i + 1) % 3]);
        let t = (-from.dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        (from.lerp(to, t).length(), heights[i] + (heights[(i + 1) % 3] - heights[i]) * t)
    };
    [0, 1, 2].map(edge).into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

proptest! {
    #[test]
    fn batched_and_single_queries_agree_bit_for_bit(field in heightfields(), points in points()) {
        let (vertices, triangles) = lattice(&field);
        let mesh = GroundMesh::new(vertices, triangles).unwrap();
        for terrain in [Terrain::Flat, field.into(), mesh.into()] {
            let mut heights = vec![f32::NAN; points.len()];
            terrain.sample(&points, &mut heights, None);
            let alone = heights.clone();
            let mut normals = vec![Vec3::NAN; points.len()];
            terrain.sample(&points, &mut heights, Some(&mut normals));
            for (i, point) in points.iter().enumerate() {
                prop_assert_eq!(terrain.height(*point).to_bits(), heights[i].to_bits());
                prop_assert_eq!(alone[i].to_bits(), heights[i].to_bits());
                let bits = |normal: Vec3| normal.to_array().map(f32::to_bits);
                prop_assert_eq!(bits(terrain.normal(*point)), bits(normals[i]));
            }
        }
    }

    #[test]
    fn a_mesh_agrees_with_a_scan_of_its_triangles(field in heightfields(), points in points()) {
        let (vertices, triangles) = lattice(&field);
        let mesh = GroundMesh::new(vertices, triangles).unwrap();
        let kept: Vec<[Vec3; 3]> = mesh.triangles().collect();
        for point in points {
            let height = f64::from(mesh.height(point));
            prop_assert!(agrees(&kept, point, height), "{} at {point}: {height}", kept.len());
        }
    }

    #[test]
    fn overlapping_surfaces_agree_with_a_scan(
        corners in prop::collection::vec(prop::array::uniform3((-9.0..9.0f32, 0.0..4.0f32, -9.0..9.0f32)), 1..60),
        points in points(),
    ) {
        let vertices: Vec<Vec3> = corners.iter().flatten().map(|v| Vec3::from(*v)).collect();
        let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let Ok(mesh) = GroundMesh::new(vertices, triangles) else { return Ok(()) };
        let kept: Vec<[Vec3; 3]> = mesh.triangles().collect();
        for point in points {
            let height = f64::from(mesh.height(point));
            prop_assert!(agrees(&kept, point, height), "{} at {point}: {height}", kept.len());
            let hinted = f64::from(mesh.height_near(point, 2.0));
            let holding = kept.iter().map(|t| nearest_on_triangle(t, point)).filter(|n| n.0 == 0.0);
            let best = holding.map(|n| (n.1 - 2.0).abs()).fold(f64::INFINITY, f64::min);
            prop_assert!(best.is_infinite() || ((hinted - 2.0).abs() - best).abs() < 1e-4);
        }
    }

    #[test]
    fn samples_and_vertices_are_hit_exactly(field in heightfields()) {
        let (vertices, triangles) = lattice(&field);
        let mesh = GroundMesh::new(vertices.clone(), triangles.clone()).unwrap();
        // A sample may stand alone on its rock, all triangles around it walls.
        prop_assume!(mesh.triangles().len() == triangles.len());
        for vertex in vertices {
            let (point, height) = world_to_ground(vertex);
            prop_assert_eq!(mesh.height(point), height);
            prop_assert!((field.height(point) - height).abs() < 1e-4);
        }
    }

    #[test]
    fn normals_are_unit_and_match_finite_differences(field in heightfields(), points in points()) {
        let (vertices, triangles) = lattice(&field);
        let mesh = GroundMesh::new(vertices, triangles).unwrap();
        for terrain in [Terrain::from(field), Terrain::from(mesh)] {
            for point in &points {
                let normal = terrain.normal(*point);
                prop_assert!(normal.is_normalized() && normal.y > 0.0, "{normal}");
                if let Some(slope) = slope_within_a_facet(&terrain, *point) {
                    let expected = ground_to_world(-slope, 1.0).normalize();
                    prop_assert!((normal - expected).length() < 2e-2, "{normal} vs {expected}");
                }
            }
        }
    }
}

/// Central differences, unless the heights around say that a crease or the border is near.
fn slope_within_a_facet(terrain: &Terrain, point: Vec2) -> Option<Vec2> {
    const STEP: f32 = 0.01;
    let offsets = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|o| point + o * STEP);
    let inside = offsets.iter().all(|near| BOUNDS.contains(*near));
    let [east, west, north, south] = offsets.map(|near| terrain.height(near));
    let twice = 2.0 * terrain.height(point);
    let bend = (east + west - twice).abs().max((north + south - twice).abs());
    let straight = bend < 5e-3 * STEP;
    (straight && inside).then(|| Vec2::new(east - west, north - south) / (2.0 * STEP))
}

#[test]
fn flat_ground_is_flat() {
    let terrain = Terrain::default();
    assert!(terrain.is_flat() && !sloping().is_flat());
    assert_eq!(terrain.height(Vec2::splat(7.0)), 0.0);
    assert_eq!(terrain.normal(Vec2::splat(7.0)), Vec3::Y);
}

#[test]
fn ground_that_rises_to_the_north_faces_south() {
    let normal = sloping().normal(Vec2::new(0.5, 0.5));
    let (south, up) = world_to_ground(normal);
    assert!(south.y < -0.7 && south.x == 0.0 && up > 0.7, "{normal}");
}

#[test]
#[should_panic(expected = "one height per point")]
fn a_batch_needs_room_for_its_results() {
    sloping().sample(&[Vec2::ZERO; 3], &mut [0.0; 2], None);
}

/// One in one towards +y.
fn sloping() -> Terrain {
    let unit = Bounds { min: Vec2::ZERO, max: Vec2::ONE };
    Heightfield::new(unit, 2, 2, vec![0.0, 0.0, 1.0, 1.0]).unwrap().into()
}
