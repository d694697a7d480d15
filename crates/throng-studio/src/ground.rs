//! The ground of a floor as pages are told it: exactly what feet stand on, and short to write.
//!
//! A heightfield is told as it is, sample for sample, unless it is very large. Of a mesh its triangles are told, and
//! heights on a lattice as well, which is what one lays other things on. Numbers are packed: a quarter of a million of them
//! are half a megabyte this way, and take no time to read.
//!
//! A scene is told whenever anything of it changes, and its ground hardly ever does: [`Grounds`] keeps what was packed.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::Vec2;
use throng_base::Bounds;
use throng_base::frame::world_to_ground;
use throng_world::{GroundMesh, Layer, Terrain};

use crate::protocol::{Ground, Triangles};

/// Samples of a lattice that are told, per side at most.
const MOST_SAMPLES: usize = 512;
/// Samples per side of the lattice that is told of a mesh.
const MESH_SAMPLES: usize = 256;
/// Triangles that are told; of a mesh with more, there is a lattice only.
const MOST_TRIANGLES: usize = 200_000;
/// The finest step between heights that are told, m.
const FINEST: f32 = 1e-4;

/// What was told of floors.
#[derive(Default)]
pub(crate) struct Grounds(Vec<Told>);

struct Told {
    layer: Layer,
    bounds: Bounds,
    ground: Option<Ground>,
}

impl Grounds {
    /// Returns the ground of each floor of a scene with these bounds: `None` where it is flat.
    pub fn of_layers(&mut self, layers: &[Layer], bounds: Bounds) -> Vec<Option<Ground>> {
        let mut before = std::mem::take(&mut self.0);
        for layer in layers {
            let known = |told: &Told| told.layer == *layer && told.bounds == bounds;
            let told = match before.iter().position(known) {
                Some(index) => before.swap_remove(index),
                None => Told { layer: layer.clone(), bounds, ground: ground(layer, bounds) },
            };
            self.0.push(told);
        }
        self.0.iter().map(|told| told.ground.clone()).collect()
    }
}

fn ground(layer: &Layer, bounds: Bounds) -> Option<Ground> {
    Some(match &layer.terrain {
        Terrain::Flat => return None,
        Terrain::Heightfield(field) if field.columns().max(field.rows()) <= MOST_SAMPLES => {
            let heights = field.heights().iter().map(|height| layer.elevation + height);
            let heights: Vec<f32> = heights.collect();
            lattice(field.bounds(), [field.columns(), field.rows()], &heights)
        }
        Terrain::Heightfield(field) => sampled(layer, field.bounds(), MOST_SAMPLES),
        Terrain::Mesh(mesh) => {
            let mut told = sampled(layer, bounds, MESH_SAMPLES);
            if mesh.triangles().len() <= MOST_TRIANGLES {
                told.mesh = Some(triangles(mesh, layer.elevation));
            }
            told
        }
    })
}

/// Heights at places that are evenly spread over a rectangle, so many along its longer side.
fn sampled(layer: &Layer, bounds: Bounds, most: usize) -> Ground {
    let size = bounds.size();
    let spacing = size.max_element() / (most - 1) as f32;
    let [columns, rows] = (size / spacing).to_array().map(|cells| {
        // A step too many of a side that is not a whole number of them is a cell that is less long.
        ((cells - 1e-3).ceil() as usize + 1).clamp(2, most)
    });
    let last = Vec2::new((columns - 1) as f32, (rows - 1) as f32);
    let place = |index: usize| {
        let at = Vec2::new((index % columns) as f32, (index / columns) as f32);
        bounds.min + size * at / last
    };
    let heights: Vec<f32> = (0..columns * rows).map(|index| layer.height(place(index))).collect();
    lattice(bounds, [columns, rows], &heights)
}

fn lattice(bounds: Bounds, [columns, rows]: [usize; 2], heights: &[f32]) -> Ground {
    let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let highest = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let quantum = ((highest - lowest) / f32::from(u16::MAX)).max(FINEST);
    let steps = heights.iter().map(|height| ((height - lowest) / quantum).round() as u16);
    Ground {
        bounds: [bounds.min.into(), bounds.max.into()],
        columns,
        rows,
        lowest,
        quantum,
        heights: packed(steps.map(u16::to_le_bytes)),
        mesh: None,
    }
}

/// Each vertex once, and the triangles between them.
fn triangles(mesh: &GroundMesh, elevation: f32) -> Triangles {
    let mut vertices = Vec::new();
    let mut numbers = HashMap::new();
    let corners = mesh.triangles().flatten().map(|corner| {
        let next = numbers.len() as u32;
        *numbers.entry(corner.to_array().map(f32::to_bits)).or_insert_with(|| {
            let (place, height) = world_to_ground(corner);
            vertices.extend([place.x, place.y, height + elevation]);
            next
        })
    });
    let corners: Vec<u32> = corners.collect();
    Triangles {
        vertices: packed(vertices.into_iter().map(f32::to_le_bytes)),
        triangles: packed(corners.into_iter().map(u32::to_le_bytes)),
    }
}

/// Numbers as text.
fn packed<const SIZE: usize>(numbers: impl Iterator<Item = [u8; SIZE]>) -> String {
    STANDARD.encode(numbers.flatten().collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use throng_world::Heightfield;

    const BOUNDS: Bounds = Bounds { min: Vec2::new(-10.0, 0.0), max: Vec2::new(30.0, 20.0) };

    fn floor(terrain: impl Into<Terrain>) -> Layer {
        Layer { name: "ground".into(), elevation: 2.0, terrain: terrain.into() }
    }

    fn hills(columns: usize, rows: usize) -> Layer {
        let heights =
            (0..columns * rows).map(|i| ((i % 17) as f32 * 0.7).sin() * 8.0 + i as f32 * 1e-4);
        floor(Heightfield::new(BOUNDS, columns, rows, heights.collect()).unwrap())
    }

    /// Returns the heights that a page reads.
    fn read(told: &Ground) -> (usize, usize, Vec<f32>) {
        let bytes = STANDARD.decode(&told.heights).unwrap();
        let steps = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let heights = steps.map(|step| told.lowest + told.quantum * f32::from(step));
        (told.columns, told.rows, heights.collect())
    }

    #[test]
    fn a_heightfield_is_told_sample_for_sample() {
        let layer = hills(300, 200);
        let told = ground(&layer, BOUNDS).unwrap();
        let (columns, rows, heights) = read(&told);
        assert_eq!((columns, rows), (300, 200));
        let Terrain::Heightfield(field) = &layer.terrain else { panic!() };
        for (told, height) in heights.iter().zip(field.heights()) {
            assert!((told - height - 2.0).abs() < 0.001, "{told} {height}");
        }
        assert_eq!(told.bounds, [BOUNDS.min, BOUNDS.max].map(Into::into));
        assert!(told.heights.len() < 300 * 200 * 3);
    }

    #[test]
    fn a_huge_one_is_thinned() {
        let layer = hills(1200, 600);
        let (columns, rows, heights) = read(&ground(&layer, BOUNDS).unwrap());
        assert_eq!((columns, rows), (512, 257));
        let corner = layer.height(BOUNDS.max);
        assert!((heights.last().unwrap() - corner).abs() < 0.001);
        let middle = BOUNDS.min + BOUNDS.size() * Vec2::new(200.0 / 511.0, 0.5);
        assert!((heights[128 * 512 + 200] - layer.height(middle)).abs() < 0.001);
    }

    #[test]
    fn a_mesh_is_told_triangle_by_triangle_and_as_a_lattice() {
        let corners =
            [(-10.0, 0.0, 0.0), (30.0, 0.0, 4.0), (30.0, -20.0, 4.0), (-10.0, -20.0, 0.0)];
        let vertices = corners.map(|(x, z, height)| Vec3::new(x, height, z)).to_vec();
        let layer = floor(GroundMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).unwrap());
        let told = ground(&layer, BOUNDS).unwrap();
        let mesh = told.mesh.as_ref().unwrap();
        let numbers = STANDARD.decode(&mesh.vertices).unwrap();
        let numbers = numbers.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let numbers: Vec<f32> = numbers.collect();
        assert_eq!(numbers, [-10., 0., 2., 30., 0., 6., 30., 20., 6., -10., 20., 2.]);
        assert_eq!(
            STANDARD
                .decode(&mesh.triangles)
                .unwrap()
                .chunks_exact(4)
                .map(|b| b[0])
                .collect::<Vec<_>>(),
            [0, 1, 2, 0, 2, 3]
        );
        let (columns, rows, heights) = read(&told);
        assert_eq!((columns, rows), (256, 129));
        assert!((heights[10] - layer.height(Vec2::new(-10.0 + 400.0 / 255.0, 0.0))).abs() < 1e-3);
    }

    #[test]
    fn what_was_packed_is_kept_until_the_ground_changes() {
        let (plain, hill) = (floor(Terrain::Flat), hills(20, 20));
        let mut grounds = Grounds::default();
        let first = grounds.of_layers(&[plain.clone(), hill.clone()], BOUNDS);
        assert!(first[0].is_none() && first[1].is_some());
        assert_eq!(grounds.of_layers(&[plain, hill.clone()], BOUNDS), first);
        let raised = Layer { elevation: 3.0, ..hill };
        let second = grounds.of_layers(&[raised], BOUNDS);
        assert_eq!((second.len(), grounds.0.len()), (1, 1));
        assert_ne!(second[0], first[1]);
    }
}
