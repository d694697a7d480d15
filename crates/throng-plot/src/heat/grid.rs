//! Spreading counts over the ground with a Gaussian kernel that walls hold back.
//!
//! A Gaussian kernel is what diffusion makes of a point after some time. So the counts in the cells of
//! a grid are let diffuse, σ²/2 units of time, with nothing flowing into or through walls and over
//! the border (compare Botev, Grotowski and Kroese 2010, on density estimation by diffusion). In
//! the open that is a Gaussian kernel; beside a wall nobody is lost, as they would be with a
//! kernel that reaches into it; and behind a thin wall nobody appears.

use glam::{UVec2, Vec2};
use throng::base::Bounds;
use throng::base::geometry::segments_meet;
use tiny_skia::{FillRule, Mask, PathBuilder, Transform};

use crate::ground::Ground;
use crate::ticks::round_up;

/// The grid has about this many cells along its longer side.
const CELLS: f64 = 400.0;
/// No cell is smaller, m: nobody cares where within it a person is.
const SMALLEST_CELL: f64 = 0.05;
/// Smallest standard deviation of the kernel, m: narrow enough to tell lanes from each other.
const BANDWIDTH: f64 = 0.3;
/// The longer side of the world is at most this many times the standard deviation: in a large
/// world, a narrow kernel would show every single path.
const KERNELS: f64 = 160.0;
/// Part of a cell's content that flows to each neighbour in a step, at equal areas. Beyond 1/4,
/// diffusion is unstable; at 1/6 its error in the fourth moment is smallest.
const FLOW: f64 = 1.0 / 6.0;
/// A cell with less of its area free is a wall.
const LEAST_FREE: f32 = 0.05;

/// A grid over the ground.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    bounds: Bounds,
    size: UVec2,
    cell_size: f64,
    /// Part of each cell that is not within a wall.
    free: Vec<f32>,
    /// Whether anything flows to the next cell in x.
    open_x: Vec<bool>,
    /// Whether anything flows to the next cell in y.
    open_y: Vec<bool>,
}

/// A quantity in each cell.
#[derive(Clone, Debug)]
pub(super) struct Field {
    content: Vec<f64>,
}

impl Grid {
    pub(super) fn new(ground: &Ground) -> Self {
        let extent = ground.bounds.size().as_dvec2();
        let cell_size = round_up((extent.max_element() / CELLS).max(SMALLEST_CELL));
        let size = (extent / cell_size).ceil().max(glam::DVec2::ONE).as_uvec2();
        let mut grid = Self {
            bounds: ground.bounds,
            size,
            cell_size,
            free: vec![1.0; (size.x * size.y) as usize],
            open_x: Vec::new(),
            open_y: Vec::new(),
        };
        grid.take_away(ground);
        grid.open_x = grid.neighbours_both_free(1);
        grid.open_y = grid.neighbours_both_free(size.x as usize);
        for solid in &ground.solids {
            solid.edges().for_each(|(a, b)| grid.close_across(a, b));
        }
        grid
    }

    pub(super) fn len(&self) -> usize {
        self.free.len()
    }

    /// Length of a cell's sides, m.
    pub(super) fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Standard deviation of the kernel, m.
    pub(super) fn bandwidth(&self) -> f64 {
        let longest = f64::from(self.bounds.size().max_element());
        // A number that reads well, in tenths of a metre.
        BANDWIDTH.max((longest / KERNELS * 10.0).round() / 10.0)
    }

    /// Whether most of the cell is within a wall.
    pub(super) fn is_hidden(&self, cell: usize) -> bool {
        self.free[cell] < 0.5
    }

    /// An empty field.
    pub(super) fn field(&self) -> Field {
        Field { content: vec![0.0; self.len()] }
    }

    /// The cell that a point of the ground lies in, if that is within the bounds.
    pub(super) fn cell_at(&self, point: Vec2) -> Option<usize> {
        let place = (point - self.bounds.min) / self.cell_size as f32;
        let inside = self.bounds.contains(point);
        // On the far border, a point belongs to the last cell.
        inside.then(|| self.index(place.as_uvec2().min(self.size - 1)))
    }

    /// The cells around a place, given from (0, 0) to (1, 1), and their weights, which add up to 1.
    pub(super) fn around(&self, at: Vec2) -> [(usize, f32); 4] {
        let place = at * self.bounds.size() / self.cell_size as f32 - 0.5;
        let corner = place.floor();
        let t = place - corner;
        let cell = |offset: Vec2| {
            let last = (self.size - 1).as_vec2();
            self.index((corner + offset).clamp(Vec2::ZERO, last).as_uvec2())
        };
        [
            (cell(Vec2::ZERO), (1.0 - t.x) * (1.0 - t.y)),
            (cell(Vec2::X), t.x * (1.0 - t.y)),
            (cell(Vec2::Y), (1.0 - t.x) * t.y),
            (cell(Vec2::ONE), t.x * t.y),
        ]
    }

    /// Spreads a field with the kernel. What is in it stays the same altogether.
    pub(super) fn spread(&self, field: &mut Field) {
        let cells = self.bandwidth() / self.cell_size;
        // In each step, the variance in each direction grows by twice the flow.
        let steps = (cells * cells / (2.0 * FLOW)).round().max(1.0) as usize;
        let flow = cells * cells / (2.0 * steps as f64);
        let mut after = field.content.clone();
        for _ in 0..steps {
            self.flow_one_step(&field.content, &mut after, flow);
            field.content.copy_from_slice(&after);
        }
    }

    fn flow_one_step(&self, before: &[f64], after: &mut [f64], flow: f64) {
        let mut exchange = |a: usize, b: usize| {
            let (of_a, of_b) = (self.capacity(a), self.capacity(b));
            let moved = flow * of_a.min(of_b) * (before[a] / of_a - before[b] / of_b);
            after[a] -= moved;
            after[b] += moved;
        };
        let columns = self.size.x as usize;
        for cell in 0..self.len() {
            if self.open_x[cell] {
                exchange(cell, cell + 1);
            }
            if self.open_y[cell] {
                exchange(cell, cell + columns);
            }
        }
    }

    /// The free part of a cell. Some is always left for people who stand where a wall should be.
    fn capacity(&self, cell: usize) -> f64 {
        self.free[cell].max(0.1).into()
    }

    fn index(&self, cell: UVec2) -> usize {
        (cell.y * self.size.x + cell.x) as usize
    }

    fn center(&self, cell: UVec2) -> Vec2 {
        self.bounds.min + (cell.as_vec2() + 0.5) * self.cell_size as f32
    }

    /// Takes what is solid, and what lies beyond the bounds, off the cells' free parts.
    fn take_away(&mut self, ground: &Ground) {
        let mut path = PathBuilder::new();
        for solid in &ground.solids {
            let [first, rest @ ..] = solid.points() else { continue };
            path.move_to(first.x, first.y);
            rest.iter().for_each(|p| path.line_to(p.x, p.y));
            path.close();
        }
        let scale = (1.0 / self.cell_size) as f32;
        let Vec2 { x, y } = self.bounds.min;
        let to_cells = Transform::from_scale(scale, scale).pre_translate(-x, -y);
        if let (Some(path), Some(mut mask)) = (path.finish(), Mask::new(self.size.x, self.size.y)) {
            mask.fill_path(&path, FillRule::Winding, true, to_cells);
            for (free, covered) in self.free.iter_mut().zip(mask.data()) {
                *free = 1.0 - f32::from(*covered) / 255.0;
            }
        }
        let extent = self.bounds.size() / self.cell_size as f32;
        for row in 0..self.size.y {
            for column in 0..self.size.x {
                let inside = (extent - Vec2::new(column as f32, row as f32)).min(Vec2::ONE);
                let cell = self.index(UVec2::new(column, row));
                self.free[cell] *= inside.x * inside.y;
            }
        }
    }

    fn neighbours_both_free(&self, offset: usize) -> Vec<bool> {
        let columns = self.size.x as usize;
        let is_free = |cell: usize| self.free.get(cell).is_some_and(|free| *free > LEAST_FREE);
        let same_row = |cell: usize| offset != 1 || !(cell + 1).is_multiple_of(columns);
        (0..self.len())
            .map(|cell| same_row(cell) && is_free(cell) && is_free(cell + offset))
            .collect()
    }

    /// Lets nothing flow between cells whose centres lie on different sides of a wall's edge.
    fn close_across(&mut self, a: Vec2, b: Vec2) {
        let half_cells = (a.distance(b) / self.cell_size as f32 * 2.0).ceil().max(1.0);
        for i in 0..=half_cells as usize {
            let at = (a.lerp(b, i as f32 / half_cells) - self.bounds.min) / self.cell_size as f32;
            for nearby in 0..9 {
                let offset = Vec2::new((nearby % 3) as f32 - 1.0, (nearby / 3) as f32 - 1.0);
                let cell = at.floor() + offset;
                if cell.min_element() >= 0.0 && cell.cmplt(self.size.as_vec2()).all() {
                    self.close_behind(cell.as_uvec2(), a, b);
                }
            }
        }
    }

    fn close_behind(&mut self, cell: UVec2, a: Vec2, b: Vec2) {
        let (index, center) = (self.index(cell), self.center(cell));
        if segments_meet(a, b, center, self.center(cell + UVec2::X)) {
            self.open_x[index] = false;
        }
        if segments_meet(a, b, center, self.center(cell + UVec2::Y)) {
            self.open_y[index] = false;
        }
    }
}

impl Field {
    /// Adds something at a cell.
    pub(super) fn add(&mut self, cell: usize, amount: f64) {
        self.content[cell] += amount;
    }

    /// How much there is per square metre of free ground.
    pub(super) fn density(&self, grid: &Grid, cell: usize) -> f64 {
        self.content[cell] / (grid.capacity(cell) * grid.cell_size * grid.cell_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng::base::Polygon;

    fn ground(size: [f32; 2], solids: &[[f32; 4]]) -> Ground {
        let solid = |[x1, y1, x2, y2]: &[f32; 4]| {
            Polygon::new([(*x1, *y1), (*x2, *y1), (*x2, *y2), (*x1, *y2)].map(Vec2::from)).unwrap()
        };
        let bounds = Bounds { min: Vec2::ZERO, max: size.into() };
        let mut ground = Ground::unknown(bounds);
        ground.solids = solids.iter().map(solid).collect();
        ground
    }

    fn total(field: &Field) -> f64 {
        field.content.iter().sum()
    }

    #[test]
    fn in_the_open_it_is_a_gaussian_kernel() {
        let grid = Grid::new(&ground([10.0, 8.0], &[]));
        let mut field = grid.field();
        let middle = grid.cell_at(Vec2::new(5.0, 4.0)).unwrap();
        field.add(middle, 1.0);
        grid.spread(&mut field);
        assert!((total(&field) - 1.0).abs() < 1e-9);
        let center =
            grid.center(UVec2::new(middle as u32 % grid.size.x, middle as u32 / grid.size.x));
        for offset in [[0.0, 0.0], [0.3, 0.0], [0.0, -0.45], [0.6, 0.6]] {
            let at = center + Vec2::from(offset);
            let squared = f64::from(at.distance_squared(center));
            let variance = BANDWIDTH * BANDWIDTH;
            let expected = (-squared / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance);
            let found = field.density(&grid, grid.cell_at(at).unwrap());
            assert!((found - expected).abs() < 0.03, "{offset:?}: {found}, not {expected}");
        }
    }

    #[test]
    fn an_even_crowd_is_even_beside_walls_and_borders() {
        // A wall whose faces do not lie on borders of cells.
        let grid = Grid::new(&ground([10.03, 8.01], &[[3.037, 2.01, 4.512, 6.043]]));
        let mut field = grid.field();
        for cell in 0..grid.len() {
            if grid.free[cell] > LEAST_FREE {
                field.add(cell, 2.0 * grid.capacity(cell) * grid.cell_size.powi(2));
            }
        }
        grid.spread(&mut field);
        for cell in (0..grid.len()).filter(|&cell| grid.free[cell] > 0.1) {
            assert!((field.density(&grid, cell) - 2.0).abs() < 1e-6);
        }
    }

    #[test]
    fn nobody_appears_behind_a_wall_thinner_than_a_cell() {
        let grid = Grid::new(&ground([10.0, 4.0], &[[5.01, -1.0, 5.03, 5.0]]));
        let mut field = grid.field();
        field.add(grid.cell_at(Vec2::new(4.9, 2.0)).unwrap(), 1.0);
        grid.spread(&mut field);
        let density = |x| field.density(&grid, grid.cell_at(Vec2::new(x, 2.0)).unwrap());
        assert!(density(4.8) > 0.5);
        assert_eq!(density(5.2), 0.0);
        assert!((total(&field) - 1.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn any_world_has_a_small_grid_that_loses_nobody(
            width in 1e-3f32..1e5, depth in 1e-3f32..1e5,
            places in prop::collection::vec((0f32..1.0, 0f32..1.0), 1..20),
        ) {
            let grid = Grid::new(&ground([width, depth], &[]));
            prop_assert!(grid.len() <= 401 * 401);
            let mut field = grid.field();
            for &(x, y) in &places {
                let cell = grid.cell_at(Vec2::new(x * width, y * depth));
                field.add(cell.unwrap(), 1.0);
            }
            grid.spread(&mut field);
            prop_assert!((total(&field) - places.len() as f64).abs() < 1e-6);
            prop_assert!(field.content.iter().all(|content| *content >= 0.0));
            let weights: f32 = grid.around(Vec2::new(0.3, 0.99)).iter().map(|w| w.1).sum();
            prop_assert!((weights - 1.0).abs() < 1e-4);
        }
    }
}
