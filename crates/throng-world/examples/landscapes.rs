//! Makes the ground of the scenes that are not flat: hills, a field of rocks and a town on a slope.
//!
//! ```sh
//! cargo run --package throng-world --example landscapes -- scenes
//! ```
//!
//! Heights are functions of the place, so that anybody can change them and see what becomes of the people.

use std::fmt::Write as _;
use std::path::Path;

use glam::{FloatExt as _, Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::ground_to_world;
use throng_base::random::{Purpose, Random, Stream};
use throng_world::Heightfield;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "scenes".into());
    let folder = Path::new(&folder);
    let hills = Bounds { min: Vec2::splat(-48.0), max: Vec2::splat(48.0) };
    heightmap(&folder.join("hills.png"), hills, 0.4, rolling_hills)?;
    let town = Bounds { min: Vec2::ZERO, max: Vec2::new(110.0, 84.0) };
    heightmap(&folder.join("hill-town.png"), town, 0.5, hillside)?;
    std::fs::write(folder.join("rocks.obj"), rocks())?;
    Ok(())
}

fn heightmap(
    path: &Path,
    bounds: Bounds,
    spacing: f32,
    height: fn(Vec2) -> f32,
) -> Result<(), Box<dyn std::error::Error>> {
    let size = bounds.max - bounds.min;
    let [columns, rows] = (size / spacing).to_array().map(|count| count.round() as usize + 1);
    let place = |index: usize| {
        bounds.min + spacing * Vec2::new((index % columns) as f32, (index / columns) as f32)
    };
    let heights = (0..columns * rows).map(|index| height(place(index))).collect();
    let (file, [low, high]) = Heightfield::new(bounds, columns, rows, heights)?.to_heightmap()?;
    println!("{}: low = {low}, high = {high}", path.display());
    Ok(std::fs::write(path, file)?)
}

/// Hills of some metres with dunes on their flanks, and a hollow in the middle.
fn rolling_hills(place: Vec2) -> f32 {
    let Vec2 { x, y } = place;
    let broad = 2.2 * (0.11 * x + 0.4).sin() * (0.09 * y - 0.3).cos();
    let across = 1.1 * (0.17 * y + 0.06 * x + 1.0).sin();
    let dunes = 0.16 * (0.9 * x + 0.35 * y + 0.8 * (0.2 * y).sin()).sin();
    let hollow = -1.2 * (-place.length_squared() / 160.0).exp();
    broad + across + dunes + hollow
}

/// A slope of about eight degrees with terraces where the cross streets are.
fn hillside(place: Vec2) -> f32 {
    /// From one cross street to the next, m, as in the scene.
    const APART: f32 = 26.0;
    let along = place.y - 3.0;
    let street = (along / APART).floor();
    let part = along / APART - street;
    // Level for a street's width, then steeper.
    let level = 6.0 / APART;
    let risen = ((part - 0.5 * level) / (1.0 - level)).clamp(0.0, 1.0);
    let risen = risen.smoothstep(0.0, 1.0) * 0.5 + 0.5 * risen;
    3.8 * (street + risen) + 0.9 * (0.045 * place.x + 0.6).sin()
}

/// A field of rocks over uneven earth, as triangles that stick in one another.
fn rocks() -> String {
    const HALF: Vec2 = Vec2::new(22.0, 14.0);
    let mut mesh = Mesh::default();
    let earth = |place: Vec2| {
        0.35 * (0.22 * place.x).sin() * (0.3 * place.y + 0.5).cos()
            + 0.05 * (1.3 * place.x + 0.9 * place.y).sin()
    };
    mesh.sheet(HALF, 1.0, earth);
    let mut draw = Random::new(9).stream(0, 0, Purpose::Body);
    for _ in 0..300 {
        let place = Vec2::new(draw.between(-HALF.x, HALF.x), draw.between(-HALF.y, HALF.y));
        let size = 0.12 + 0.5 * draw.unit().powi(2);
        // Flat enough to be stepped on.
        let flatness = draw.between(0.3, 0.5);
        mesh.rock(place, earth(place), size, flatness, &mut draw);
    }
    mesh.to_obj()
}

#[derive(Default)]
struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// A lattice of triangles over a rectangle about the origin.
    fn sheet(&mut self, half: Vec2, spacing: f32, height: impl Fn(Vec2) -> f32) {
        let [columns, rows] = (2.0 * half / spacing).to_array().map(|count| count.round() as usize);
        let first = self.vertices.len();
        for row in 0..=rows {
            for column in 0..=columns {
                let place = spacing * Vec2::new(column as f32, row as f32) - half;
                self.vertices.push(place.extend(height(place)));
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let corner = first + row * (columns + 1) + column;
                let above = corner + columns + 1;
                self.triangles.push([corner, corner + 1, above + 1]);
                self.triangles.push([corner, above + 1, above]);
            }
        }
    }

    /// The upper half of a rough stone.
    fn rock(&mut self, place: Vec2, base: f32, size: f32, flatness: f32, draw: &mut Stream) {
        const SIDES: usize = 7;
        let first = self.vertices.len();
        let turn = draw.between(0.0, 1.0);
        for (ring, (radius, up)) in
            [(1.0, -0.3), (0.86, 0.55), (0.45, 0.95)].into_iter().enumerate()
        {
            for side in 0..SIDES {
                let angle =
                    (side as f32 + 0.5 * ring as f32 + turn) * std::f32::consts::TAU / SIDES as f32;
                let rough = draw.between(0.86, 1.14);
                let at = place + rough * radius * size * Vec2::from_angle(angle);
                let height = base + size * flatness * up * draw.between(0.9, 1.1);
                self.vertices.push(at.extend(height));
            }
        }
        self.vertices.push(place.extend(base + size * flatness));
        let top = self.vertices.len() - 1;
        for side in 0..SIDES {
            let next = (side + 1) % SIDES;
            for ring in 0..2 {
                let (low, high) = (first + ring * SIDES, first + (ring + 1) * SIDES);
                self.triangles.push([low + side, low + next, high + side]);
                self.triangles.push([low + next, high + next, high + side]);
            }
            self.triangles.push([first + 2 * SIDES + side, first + 2 * SIDES + next, top]);
        }
    }

    /// As a file with y up.
    fn to_obj(&self) -> String {
        let mut text =
            String::from("# A field of rocks: see `crates/throng-world/examples/landscapes.rs`\n");
        for vertex in &self.vertices {
            let [x, y, z] = ground_to_world(vertex.truncate(), vertex.z).to_array();
            let _ = writeln!(text, "v {x:.2} {y:.3} {z:.2}");
        }
        for [a, b, c] in &self.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        text
    }
}
