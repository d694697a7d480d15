//! How long a height takes: `cargo bench -p throng-world --bench terrain`.
//!
//! Random points over the same rolling ground as a heightfield and as a mesh of about a million
//! triangles. Random is the worst order for caches; the engine asks in the order of its
//! neighbour grid.

use std::hint::black_box;
use std::time::Instant;

use glam::{Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_base::random::{Purpose, Random};
use throng_world::{GroundMesh, Heightfield, Terrain};

const POINTS: usize = 100_000;
const SIDE: usize = 708;
const REPEATS: usize = 15;

fn main() {
    let bounds = Bounds { min: Vec2::splat(-250.0), max: Vec2::splat(250.0) };
    let field = rolling_ground(bounds);
    let begin = Instant::now();
    let mesh = as_mesh(&field);
    let triangles = mesh.triangles().len();
    println!("mesh of {triangles} triangles indexed in {:.2} s", begin.elapsed().as_secs_f64());

    let inside = random_points(bounds);
    let outside: Vec<Vec2> = inside.iter().map(|p| *p + Vec2::X * 501.0).collect();
    let brute_force = scan_time(&mesh, &inside[..20]);
    report("heightfield", &Terrain::from(field), &inside);
    let mesh = Terrain::from(mesh);
    let batched = report("mesh", &mesh, &inside);
    report("mesh, points in the order of a grid", &mesh, &in_grid_order(&inside));
    report("mesh, points beyond it", &mesh, &outside);
    println!(
        "mesh, scan of all triangles: {brute_force:.0} ns/point, {:.0} times as long",
        brute_force / batched
    );
}

/// Prints the times of one kind of ground; returns that of batched heights in ns per point.
fn report(name: &str, terrain: &Terrain, points: &[Vec2]) -> f64 {
    let mut heights = vec![0.0; points.len()];
    let mut normals = vec![Vec3::ZERO; points.len()];
    let single = median_time(points.len(), || {
        for (point, height) in points.iter().zip(&mut heights) {
            *height = black_box(terrain).height(*point);
        }
    });
    let batched = median_time(points.len(), || terrain.sample(points, &mut heights, None));
    let both =
        median_time(points.len(), || terrain.sample(points, &mut heights, Some(&mut normals)));
    println!(
        "{name}: one by one {single:.1}, batched {batched:.1}, with normals {both:.1} ns/point"
    );
    batched
}

/// Nanoseconds per point.
fn median_time(points: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_secs_f64() * 1e9 / points as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEATS / 2]
}

fn rolling_ground(bounds: Bounds) -> Heightfield {
    let heights = (0..SIDE * SIDE).map(|i| {
        let (x, y) = ((i % SIDE) as f32, (i / SIDE) as f32);
        4.0 * (x * 0.031).sin() * (y * 0.023).cos() + 0.3 * (x * 0.31 + y * 0.17).sin()
    });
    Heightfield::new(bounds, SIDE, SIDE, heights.collect()).expect("heights are finite")
}

fn as_mesh(field: &Heightfield) -> GroundMesh {
    let (bounds, side) = (field.bounds(), field.columns());
    let place = |i: usize| Vec2::new((i % side) as f32, (i / side) as f32) / (side - 1) as f32;
    let vertices = field
        .heights()
        .iter()
        .enumerate()
        .map(|(i, height)| ground_to_world(bounds.min + bounds.size() * place(i), *height));
    let first = (0..side * (side - 1)).filter(|i| i % side + 1 < side).map(|i| i as u32);
    let side = side as u32;
    let triangles = first.flat_map(|i| [[i, i + 1, i + side + 1], [i, i + side + 1, i + side]]);
    GroundMesh::new(vertices.collect(), triangles.collect()).expect("it is ground")
}

fn random_points(bounds: Bounds) -> Vec<Vec2> {
    let mut stream = Random::new(1).stream(0, 0, Purpose::Placement);
    (0..POINTS).map(|_| stream.point_between(bounds.min, bounds.max)).collect()
}

/// Row by row of 4 m, as a neighbour grid would have them.
fn in_grid_order(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by_key(|p| ((p.y * 0.25).floor() as i32, (p.x * 0.25).floor() as i32));
    sorted
}

/// Nanoseconds per point of the plain way: every triangle is tried, with plain arithmetic.
fn scan_time(mesh: &GroundMesh, points: &[Vec2]) -> f64 {
    let triangles: Vec<[(Vec2, f32); 3]> =
        mesh.triangles().map(|corners| corners.map(world_to_ground)).collect();
    median_time(points.len(), || {
        for point in points {
            black_box(
                triangles.iter().filter_map(|t| height_on(t, *point)).fold(f32::MIN, f32::max),
            );
        }
    })
}

fn height_on(triangle: &[(Vec2, f32); 3], point: Vec2) -> Option<f32> {
    let [a, b, c] = *triangle;
    let area = |p: Vec2, q: Vec2| (p - point).perp_dot(q - point);
    let (wa, wb, wc) = (area(b.0, c.0), area(c.0, a.0), area(a.0, b.0));
    (wa >= 0.0 && wb >= 0.0 && wc >= 0.0).then(|| (a.1 * wa + b.1 * wb + c.1 * wc) / (wa + wb + wc))
}
