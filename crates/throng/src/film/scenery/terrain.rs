//! The ground of a floor as a surface.
//!
//! Heightfields become a lattice of triangles with the normals of a smooth surface. Cells that the border of the floor runs
//! through are cut along it; whether others are inside is asked once per stretch between them. Meshes stay as they are, cut
//! where stairs and the world's bounds are, with normals that are smooth except along creases.

use std::collections::HashMap;

use glam::{DVec2, Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::{ground_to_world, world_to_ground};
use throng_world::walkable::{Area, difference, intersection};
use throng_world::{GroundMesh, Heightfield, Layer, Terrain};

use super::Surface;

/// Heightfields become at most about this many cells of two triangles each.
const MOST_CELLS: f32 = 250_000.0;

/// Triangles that meet at a greater angle meet at a crease: its cosine, of 40°.
const CREASE: f32 = 0.766;

/// Adds the ground of `layer` to `surface`, where it is part of `areas`. A mesh tells itself where it is, but for
/// `bounds` and the `wells` of stairs.
pub fn lay(surface: &mut Surface, layer: &Layer, bounds: Bounds, areas: &[Area], wells: &[Area]) {
    match &layer.terrain {
        Terrain::Flat => {
            for area in areas {
                surface.cover(area, |_| layer.elevation, |_| Vec3::Y);
            }
        }
        Terrain::Heightfield(field) => {
            Lattice::new(field, layer.elevation, bounds).lay(surface, areas);
        }
        Terrain::Mesh(mesh) => lay_mesh(surface, mesh, layer.elevation, bounds, wells),
    }
}

/// A heightfield over the bounds of a scene, no finer than a film needs.
struct Lattice {
    bounds: Bounds,
    /// Along x and y.
    cells: [usize; 2],
    /// Heights and normals at the corners of cells, row by row.
    heights: Vec<f32>,
    normals: Vec<Vec3>,
}

impl Lattice {
    fn new(field: &Heightfield, elevation: f32, bounds: Bounds) -> Self {
        let field_cells = Vec2::new((field.columns() - 1) as f32, (field.rows() - 1) as f32);
        let cells = (field_cells * bounds.size() / field.bounds().size()).round().max(Vec2::ONE);
        let too_many = (cells.x * cells.y / MOST_CELLS).max(1.0).sqrt();
        let cells = (cells / too_many).ceil().min(Vec2::splat(MOST_CELLS));
        let cells = [cells.x as usize, cells.y as usize];
        let mut lattice = Self { bounds, cells, heights: Vec::new(), normals: Vec::new() };
        let corners = || (0..=cells[1]).flat_map(|row| (0..=cells[0]).map(move |c| [c, row]));
        lattice.heights =
            corners().map(|at| field.height(lattice.corner(at)) + elevation).collect();
        lattice.normals = corners().map(|at| lattice.smooth_normal(at)).collect();
        lattice
    }

    /// Where a corner of a cell is in plan.
    fn corner(&self, [column, row]: [usize; 2]) -> Vec2 {
        let part = |at: usize, all: usize| at as f32 / all as f32;
        let part = Vec2::new(part(column, self.cells[0]), part(row, self.cells[1]));
        self.bounds.min * (Vec2::ONE - part) + self.bounds.max * part
    }

    fn index(&self, [column, row]: [usize; 2]) -> usize {
        row * (self.cells[0] + 1) + column
    }

    /// The normal of the slopes between a corner's neighbours.
    fn smooth_normal(&self, at: [usize; 2]) -> Vec3 {
        let slope = |axis: usize| {
            let (mut before, mut after) = (at, at);
            before[axis] = at[axis].saturating_sub(1);
            after[axis] = (at[axis] + 1).min(self.cells[axis]);
            let rise = self.heights[self.index(after)] - self.heights[self.index(before)];
            rise / (self.corner(after) - self.corner(before))[axis]
        };
        ground_to_world(-Vec2::new(slope(0), slope(1)), 1.0).normalize_or(Vec3::Y)
    }

    /// What `of_corner` is between the corners around `point`.
    fn blend<T>(&self, point: Vec2, of_corner: impl Fn(usize) -> T) -> T
    where
        T: std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>,
    {
        let cells = Vec2::new(self.cells[0] as f32, self.cells[1] as f32);
        let at = ((point - self.bounds.min) / self.bounds.size() * cells).clamp(Vec2::ZERO, cells);
        let first = at.floor().min(cells - 1.0).max(Vec2::ZERO);
        let part = at - first;
        let [column, row] = [first.x as usize, first.y as usize];
        let corner = |right: usize, up: usize| of_corner(self.index([column + right, row + up]));
        let below = corner(0, 0) * (1.0 - part.x) + corner(1, 0) * part.x;
        let above = corner(0, 1) * (1.0 - part.x) + corner(1, 1) * part.x;
        below * (1.0 - part.y) + above * part.y
    }

    fn lay(&self, surface: &mut Surface, areas: &[Area]) {
        let crossed = self.crossed(areas);
        let mut corners = vec![u32::MAX; self.heights.len()];
        for row in 0..self.cells[1] {
            let crossed = &crossed[row * self.cells[0]..][..self.cells[0]];
            let here = self.areas_in_row(row, areas);
            let mut inside = None;
            for (column, is_crossed) in crossed.iter().enumerate() {
                if *is_crossed {
                    inside = None;
                    let cell = self.cell([column, row], [column + 1, row + 1]);
                    for piece in intersection(&[cell], &here) {
                        self.lay_piece(surface, &piece);
                    }
                    continue;
                }
                let [min, max] = [[column, row], [column + 1, row + 1]].map(|at| self.corner(at));
                let middle = ((min + max) * 0.5).as_dvec2();
                let holds = || here.iter().any(|area| area.contains(middle));
                if *inside.get_or_insert_with(holds) {
                    self.lay_cell(surface, [column, row], &mut corners);
                }
            }
        }
    }

    fn lay_cell(&self, surface: &mut Surface, [column, row]: [usize; 2], known: &mut [u32]) {
        let around = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
        let [a, b, c, d] = around.map(|at| {
            let index = self.index(at);
            if known[index] == u32::MAX {
                let place = ground_to_world(self.corner(at), self.heights[index]);
                known[index] = surface.add_corner(place, self.normals[index]);
            }
            known[index]
        });
        surface.add_triangle([a, b, c]);
        surface.add_triangle([a, c, d]);
    }

    fn lay_piece(&self, surface: &mut Surface, piece: &Area) {
        let height = |point| self.blend(point, |index| self.heights[index]);
        let normal = |point| self.blend(point, |index| self.normals[index]).normalize_or(Vec3::Y);
        surface.cover(piece, height, normal);
    }

    fn cell(&self, min: [usize; 2], max: [usize; 2]) -> Area {
        Bounds { min: self.corner(min), max: self.corner(max) }.into()
    }

    /// What there is of `areas` in a row of cells.
    fn areas_in_row(&self, row: usize, areas: &[Area]) -> Vec<Area> {
        intersection(&[self.cell([0, row], [self.cells[0], row + 1])], areas)
    }

    /// Which cells the borders of `areas` may run through, row by row.
    fn crossed(&self, areas: &[Area]) -> Vec<bool> {
        /// Borders this near to a cell count as crossing it, in cells.
        const SLACK: f64 = 1e-4;
        let mut crossed = vec![false; self.cells[0] * self.cells[1]];
        let size = self.bounds.size().as_dvec2();
        let cells = DVec2::new(self.cells[0] as f64, self.cells[1] as f64);
        let in_cells = |point: DVec2| (point - self.bounds.min.as_dvec2()) / size * cells;
        let range = |from: f64, to: f64, all: usize| {
            let [first, last] = [from.min(to) - SLACK, from.max(to) + SLACK];
            // Converting to an integer saturates.
            (first.floor() as usize)..((last.floor() as usize).saturating_add(1).min(all))
        };
        for ring in areas.iter().flat_map(Area::rings) {
            for (index, from) in ring.iter().enumerate() {
                let [from, to] = [*from, ring[(index + 1) % ring.len()]].map(in_cells);
                // The border of the world, along the border of the lattice, cuts nothing.
                if along_rim(from, to, cells) {
                    continue;
                }
                for row in range(from.y, to.y, self.cells[1]) {
                    // Where it is within the row.
                    let x_at = |y: f64| match to.y - from.y {
                        rise if rise.abs() > SLACK => {
                            from.x + (to.x - from.x) * ((y - from.y) / rise).clamp(0.0, 1.0)
                        }
                        _ => f64::NAN,
                    };
                    let [enters, leaves] = [row as f64 - SLACK, row as f64 + 1.0 + SLACK].map(x_at);
                    let [enters, leaves] =
                        if enters.is_nan() { [from.x, to.x] } else { [enters, leaves] };
                    for column in range(enters, leaves, self.cells[0]) {
                        crossed[row * self.cells[0] + column] = true;
                    }
                }
            }
        }
        crossed
    }
}

/// Whether an edge lies on the border of a lattice of so many cells.
fn along_rim(from: DVec2, to: DVec2, cells: DVec2) -> bool {
    (0..2).any(|axis| {
        let on = |rim: f64| [from, to].iter().all(|end| (end[axis] - rim).abs() < 1e-4);
        on(0.0) || on(cells[axis])
    })
}

fn lay_mesh(
    surface: &mut Surface,
    mesh: &GroundMesh,
    elevation: f32,
    bounds: Bounds,
    wells: &[Area],
) {
    let triangles: Vec<[Vec3; 3]> = mesh
        .triangles()
        .map(|corners| corners.map(|corner| corner + Vec3::Y * elevation))
        .collect();
    let normals = smooth_normals(&triangles);
    let extents: Vec<Bounds> = wells.iter().filter_map(extent).collect();
    let mut known: HashMap<[u32; 6], u32> = HashMap::new();
    for (corners, normals) in triangles.iter().zip(&normals) {
        let plan = corners.map(|corner| world_to_ground(corner).0);
        let near = |well: &Bounds| Bounds::around(plan).is_some_and(|own| overlap(own, *well));
        if plan.iter().all(|point| bounds.contains(*point)) && !extents.iter().any(near) {
            let indices = [0, 1, 2].map(|i| {
                let bits =
                    [corners[i].to_array(), normals[i].to_array()].map(|v| v.map(f32::to_bits));
                let [[a, b, c], [d, e, f]] = bits;
                *known
                    .entry([a, b, c, d, e, f])
                    .or_insert_with(|| surface.add_corner(corners[i], normals[i]))
            });
            surface.add_triangle(indices);
        } else if overlap_of(plan, bounds) {
            let Ok(area) = Area::new(plan.map(Vec2::as_dvec2).into(), Vec::new()) else { continue };
            let inside = intersection(&[area], &[bounds.into()]);
            for piece in difference(&inside, wells) {
                let height = |point| blend(plan, corners.map(|corner| corner.y), point);
                let normal = |point| blend(plan, *normals, point).normalize_or(Vec3::Y);
                surface.cover(&piece, height, normal);
            }
        }
    }
}

/// A normal for every corner: the mean of those of the triangles that meet there without a crease.
fn smooth_normals(triangles: &[[Vec3; 3]]) -> Vec<[Vec3; 3]> {
    /// Corners that more triangles share are smooth altogether; comparing all with all would take too long.
    const MANY: usize = 64;
    let across = |index: usize| {
        let [a, b, c] = triangles[index];
        (b - a).cross(c - a)
    };
    let bits = |corner: u32| {
        let position = triangles[corner as usize / 3][corner as usize % 3];
        // Zeros have two signs.
        (position + Vec3::ZERO).to_array().map(f32::to_bits)
    };
    let mut corners: Vec<u32> = (0..3 * triangles.len() as u32).collect();
    corners.sort_unstable_by_key(|corner| (bits(*corner), *corner));
    let mut normals = vec![[Vec3::Y; 3]; triangles.len()];
    for meeting in corners.chunk_by(|one, other| bits(*one) == bits(*other)) {
        let all: Vec3 = meeting.iter().map(|corner| across(*corner as usize / 3)).sum();
        for corner in meeting {
            let triangle = *corner as usize / 3;
            let own = across(triangle).normalize_or(Vec3::Y);
            let beside = |other: &Vec3| other.normalize_or_zero().dot(own) > CREASE;
            let sum = match meeting.len() {
                0..MANY => {
                    meeting.iter().map(|other| across(*other as usize / 3)).filter(beside).sum()
                }
                _ => all,
            };
            normals[triangle][*corner as usize % 3] = sum.normalize_or(own);
        }
    }
    normals
}

/// What lies between the values at the corners of a triangle.
fn blend<T>(corners: [Vec2; 3], values: [T; 3], point: Vec2) -> T
where
    T: std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>,
{
    let [a, b, c] = corners;
    let area = (b - a).perp_dot(c - a);
    let [of_b, of_c] = [(point - a).perp_dot(c - a) / area, (b - a).perp_dot(point - a) / area];
    let [va, vb, vc] = values;
    va * (1.0 - of_b - of_c) + vb * of_b + vc * of_c
}

fn extent(area: &Area) -> Option<Bounds> {
    Bounds::around(area.outline().iter().map(|point| point.as_vec2()))
}

fn overlap(one: Bounds, other: Bounds) -> bool {
    one.min.cmple(other.max).all() && one.max.cmpge(other.min).all()
}

fn overlap_of(plan: [Vec2; 3], bounds: Bounds) -> bool {
    Bounds::around(plan).is_some_and(|own| overlap(own, bounds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::scenery::{FLOOR, scenery};
    use throng_motion::files::gltf::Scenery;

    const BOUNDS: Bounds = Bounds { min: Vec2::ZERO, max: Vec2::new(8.0, 6.0) };

    /// x/4 + y/3 in the plan, on 5 × 4 samples.
    fn slope() -> Layer {
        let heights =
            (0..4).flat_map(|y| (0..5).map(move |x| 0.5 * x as f32 + 2.0 / 3.0 * y as f32));
        let field = Heightfield::new(BOUNDS, 5, 4, heights.collect()).unwrap();
        Layer { name: "slope".into(), elevation: 10.0, terrain: field.into() }
    }

    fn height(point: Vec2) -> f32 {
        10.0 + point.x / 4.0 + point.y / 3.0
    }

    fn laid(layer: &Layer, bounds: Bounds, areas: &[Area], wells: &[Area]) -> Scenery {
        let mut surface = Surface::new("ground".into(), FLOOR);
        lay(&mut surface, layer, bounds, areas, wells);
        surface.0
    }

    /// In plan, m²; and looks at all heights and normals.
    fn area(ground: &Scenery, height: impl Fn(Vec2) -> f32) -> f32 {
        assert_eq!(ground.positions.len(), ground.normals.len());
        let up = Vec3::new(-0.25, 1.0, 1.0 / 3.0).normalize();
        for (place, normal) in ground.positions.iter().zip(&ground.normals) {
            let (point, found) = world_to_ground(*place);
            assert!((found - height(point)).abs() < 1e-4, "{found} at {point}");
            assert!((*normal - up).length() < 1e-3, "{normal}");
        }
        let upward = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(c - a).y;
        let corners = ground.triangles.iter().map(|t| t.map(|i| ground.positions[i as usize]));
        corners.map(upward).inspect(|area| assert!(*area > 0.0)).sum()
    }

    fn polygon(points: &[(f64, f64)]) -> Area {
        Area::new(points.iter().map(|point| DVec2::from(*point)).collect(), Vec::new()).unwrap()
    }

    #[test]
    fn a_heightfield_is_laid_sample_by_sample() {
        let ground = laid(&slope(), BOUNDS, &[BOUNDS.into()], &[]);
        assert_eq!((ground.positions.len(), ground.triangles.len()), (20, 24));
        assert!((area(&ground, height) - 48.0).abs() < 1e-3);
        // Bounds that are other than the field's.
        let inner = Bounds { min: Vec2::new(1.0, 1.5), max: Vec2::new(7.5, 4.0) };
        let ground = laid(&slope(), inner, &[inner.into()], &[]);
        assert!((area(&ground, height) - 6.5 * 2.5).abs() < 1e-3);
    }

    #[test]
    fn a_heightfield_is_cut_where_the_floor_ends() {
        let plan =
            polygon(&[(0.0, 0.0), (8.0, 0.0), (8.0, 1.0), (3.3, 1.0), (1.1, 6.0), (0.0, 6.0)]);
        let well = polygon(&[(0.2, 0.2), (0.6, 0.2), (0.6, 3.0), (0.2, 3.0)]);
        let areas = difference(&[plan], &[well]);
        let expected: f64 = areas.iter().map(Area::size).sum();
        let ground = laid(&slope(), BOUNDS, &areas, &[]);
        let found = area(&ground, height);
        assert!((f64::from(found) - expected).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn large_heightfields_are_thinned() {
        let heights = vec![1.0; 2001 * 1001];
        let field = Heightfield::new(BOUNDS, 2001, 1001, heights).unwrap();
        let lattice = Lattice::new(&field, 0.0, BOUNDS);
        let cells = lattice.cells[0] * lattice.cells[1];
        assert!((240_000..260_000).contains(&cells), "{:?}", lattice.cells);
        assert!(lattice.normals.iter().all(|normal| *normal == Vec3::Y));
    }

    #[test]
    fn a_mesh_is_cut_by_bounds_and_stairs_and_smooth_but_for_creases() {
        let corners = [(0.0, 0.0), (8.0, 0.0), (8.0, 6.0), (0.0, 6.0)].map(Vec2::from);
        let vertices = corners.map(|point| ground_to_world(point, height(point) - 10.0));
        let mesh = GroundMesh::new(vertices.into(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let layer = Layer { name: "mesh".into(), elevation: 10.0, terrain: mesh.into() };
        let whole = laid(&layer, BOUNDS, &[], &[]);
        assert_eq!((whole.positions.len(), whole.triangles.len()), (4, 2));
        assert!((area(&whole, height) - 48.0).abs() < 1e-3);
        let inner = Bounds { min: Vec2::new(1.0, 1.5), max: Vec2::new(7.5, 4.0) };
        let well = polygon(&[(2.0, 2.0), (3.0, 2.0), (3.0, 3.5), (2.0, 3.5)]);
        let cut = laid(&layer, inner, &[], &[well]);
        assert!((area(&cut, height) - (6.5 * 2.5 - 1.5)).abs() < 1e-3);
        // A roof whose sides meet at 90°, and one of nearly level sides.
        for (rise, shared) in [(1.0, false), (0.1, true)] {
            let ridge = [Vec3::new(0.0, rise, 0.0), Vec3::new(0.0, rise, -4.0)];
            let [west, east] = [Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 0.0, -2.0)];
            let normals = smooth_normals(&[[ridge[0], ridge[1], west], [ridge[1], ridge[0], east]]);
            assert_eq!(normals[0][0] == normals[1][1], shared, "{normals:?}");
        }
    }

    #[test]
    fn obstacles_stand_on_the_lowest_ground_around_them() {
        let mut scene = throng_world::Scene::parse(
            "hill.toml",
            "format = 1\nworld = { bounds = [[0, 0], [8, 6]] }\nobstacles = [\
             { box = { center = [4, 3], size = [2, 2] }, height = 2 },\
             { wall = { points = [[1, 1], [7, 1]], thickness = 0.2 }, height = 1 }]",
            std::path::Path::new("."),
        )
        .unwrap();
        let range = |scene: &throng_world::Scene, near: f32| {
            let pieces = scenery(scene);
            let walls = pieces.iter().find(|piece| piece.name == "walls").unwrap();
            let near = |place: &&Vec3| (-place.z - near).abs() <= 1.01;
            let heights = || walls.positions.iter().filter(near).map(|place| place.y);
            [heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max)]
        };
        assert_eq!(range(&scene, 3.0), [0.0, 2.0]);
        scene.layers[0] = slope();
        let close = |found: [f32; 2], expected: [f32; 2]| {
            let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3);
            assert!(near, "{found:?}");
        };
        let ground = |x, y| height(Vec2::new(x, y));
        close(range(&scene, 3.5), [ground(3.0, 2.0), ground(5.0, 4.0) + 2.0]);
        // A wall rises with the ground.
        close(range(&scene, 0.9), [ground(1.0, 0.9), ground(7.0, 1.1) + 1.0]);
    }
}
