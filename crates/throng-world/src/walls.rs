//! The edges people keep away from, and an index that finds those near a point at once.
//!
//! Every obstacle becomes loops of directed edges with the solid on their left, so an edge is
//! *visible* only from its right. A cell of the index lists all edges within [`Walls::reach`] of
//! any of its points: the usual query, "what is within a few metres of this person", reads one cell
//! and, in the open, an empty list. The price is that an edge is listed in several cells, which
//! costs memory only. A cell also knows how far away all edges are at least, so that most of those
//! who ask need not look at any.

use std::collections::HashMap;

use glam::Vec2;
use throng_base::geometry::{det, nearest_on_segment};
use throng_base::{Bounds, Polygon};

use crate::openings::{far_edges, opened};
use crate::scene::LayerId;
use crate::strips::Strips;
use crate::wall_record::WallRecord;
use crate::{Connector, Obstacle, Shape};

/// Index of an edge in [`Walls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u32);

/// A directed edge of an obstacle, with the solid on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Where it begins.
    pub start: Vec2,
    /// Where it ends, which is where the next one begins.
    pub end: Vec2,
    /// Unit vector from start to end.
    pub direction: Vec2,
    /// Whether the solid has a convex corner at the start.
    pub convex: bool,
    /// The edge that ends where this one begins.
    pub previous: WallId,
    /// The edge that begins where this one ends.
    pub next: WallId,
}

impl Wall {
    /// Whether someone at `point` is on the free side of the edge's line.
    #[inline]
    pub fn faces(&self, point: Vec2) -> bool {
        det(self.direction, point - self.start) <= 0.0
    }

    /// Whether `point` is nearer to the edge than `range`.
    #[inline]
    pub fn is_within(&self, point: Vec2, range: f32) -> bool {
        // Whoever is too far from its line is not near the edge.
        det(self.direction, point - self.start).abs() <= range
            && self.nearest(point).distance_squared(point) < range * range
    }

    /// The point of the edge nearest to `point`.
    #[inline]
    pub fn nearest(&self, point: Vec2) -> Vec2 {
        nearest_on_segment(self.start, self.end, point)
    }
}

/// All walls of a scene.
#[derive(Clone, Debug)]
pub struct Walls {
    walls: Vec<Wall>,
    /// The same edges as steering reads them.
    records: Vec<WallRecord>,
    solids: Vec<Polygon>,
    floors: Vec<Floor>,
    reach: f32,
}

/// The index of one layer.
#[derive(Clone, Debug)]
struct Floor {
    bounds: Option<Bounds>,
    grid: Grid,
    /// What is known of each cell: the words of [`Cell`]s.
    cells: Vec<u32>,
    /// Lists of walls within reach, ascending. Cells beside each other share one, so that the few lists
    /// along a street stay in the cache.
    near: Csr,
    /// Solids that overlap each cell.
    solid: Csr,
    border: Option<Bounds>,
    /// Floor plans: what is outside of one is solid.
    plans: Vec<Strips>,
}

/// What is known of a cell, in one word, so that whoever asks waits for memory once: the list of walls
/// within its reach, and how far from all of its points they are at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell(u32);

impl Cell {
    /// m: so that most reaches fit into a byte, and what is lost is less than a body's width.
    const UNIT: f32 = 0.03125;
    /// The byte that stands for any distance larger than the reach.
    const FAR: u32 = 0xff;

    /// A cell that is `distance` metres from all walls at least, which is rounded down; infinite where none
    /// is in reach.
    fn new(list: u32, distance: f32) -> Self {
        let most = (Self::FAR - 1) as f32;
        let room = if distance.is_finite() {
            (distance / Self::UNIT).clamp(0.0, most) as u32
        } else {
            Self::FAR
        };
        Self(list << 8 | room)
    }

    /// Beyond all cells: no wall is in reach.
    pub const BEYOND: Self = Self(Self::FAR);

    /// A cell from its word; see [`WallIndex::cells`].
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// No wall is nearer to any point of it, m.
    #[inline(always)]
    pub fn room(self) -> f32 {
        let room = self.0 & Self::FAR;
        if room == Self::FAR { f32::INFINITY } else { room as f32 * Self::UNIT }
    }

    #[inline(always)]
    fn list(self) -> usize {
        (self.0 >> 8) as usize
    }
}

/// The index of one floor laid open, for code that looks up many points at once.
#[derive(Clone, Copy, Debug)]
pub struct WallIndex<'a> {
    /// Beyond these no wall is in reach.
    pub bounds: Bounds,
    /// Where the first cell begins.
    pub origin: Vec2,
    /// Cells per metre.
    pub density: f32,
    /// Cells per row.
    pub columns: u32,
    /// Rows of cells.
    pub rows: u32,
    /// The words of all [`Cell`]s, row by row.
    pub cells: &'a [u32],
    near: &'a Csr,
}

impl<'a> WallIndex<'a> {
    /// Ids of the edges within reach of a cell, and some further away, ascending.
    #[inline(always)]
    pub fn near(&self, cell: Cell) -> &'a [u32] {
        self.near.row(cell.list())
    }
}

/// Rows of different lengths in one array.
#[derive(Clone, Debug, Default)]
struct Csr {
    begins: Vec<u32>,
    items: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Grid {
    origin: Vec2,
    cell: f32,
    /// Cells per metre.
    density: f32,
    columns: usize,
    rows: usize,
}

/// Small enough that in a street most cells list the walls of one side only, m.
const SMALLEST_CELL: f32 = 1.0;
/// Numbers of lists have to fit beside the byte of a [`Cell`].
const MOST_CELLS: f32 = 1_000_000.0;

impl Walls {
    /// Collects and indexes the walls of `layer_count` floors. Queries within `reach` metres read a
    /// single cell.
    pub fn new<'a>(
        obstacles: impl IntoIterator<Item = &'a Obstacle, IntoIter: Clone>,
        connectors: &[Connector],
        layer_count: usize,
        reach: f32,
    ) -> Self {
        let obstacles = obstacles.into_iter();
        let mut builder = Builder::default();
        let mut floors = Vec::with_capacity(layer_count);
        for layer in (0..layer_count).map(|i| LayerId(i as u8)) {
            let (first_wall, first_solid) = (builder.walls.len(), builder.solids.len());
            let mut border = None;
            let mut plans = Vec::new();
            let openings = far_edges(connectors, layer);
            for obstacle in obstacles.clone().filter(|o| o.layer == layer) {
                match &obstacle.shape {
                    Shape::Border(bounds) => border = Some(*bounds),
                    Shape::Plan(plan) => {
                        let bounds = plan.bounds();
                        plans.extend(bounds.map(|bounds| Strips::of_plan(plan, 0, bounds)));
                    }
                    _ => {}
                }
                builder.obstacle(obstacle, &openings);
            }
            for connector in connectors {
                builder.connector(connector, layer);
            }
            let mut floor = builder.floor(first_wall, first_solid, border, reach);
            floor.plans = plans;
            floors.push(floor);
        }
        let records = WallRecord::of_all(&builder.walls);
        Self { walls: builder.walls, records, solids: builder.solids, floors, reach }
    }

    /// No walls at all, on one floor.
    pub fn none() -> Self {
        Self::new(&[], &[], 1, 0.0)
    }

    /// The edge with this id.
    #[inline]
    pub fn get(&self, id: WallId) -> &Wall {
        &self.walls[id.0 as usize]
    }

    /// The same as numbers for lanes.
    #[inline(always)]
    pub fn record(&self, id: WallId) -> &WallRecord {
        &self.records[id.0 as usize]
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.walls.len()
    }

    /// Whether there are no walls.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// The distance up to which [`Walls::near`] is complete, m.
    pub fn reach(&self) -> f32 {
        self.reach
    }

    /// Ids of all edges within [`Walls::reach`] of `point`, and some further away, ascending.
    #[inline]
    pub fn near(&self, layer: LayerId, point: Vec2) -> &[u32] {
        self.cell_at(layer, point)
            .map_or(&[], |(floor, cell)| floor.near.row(floor.cell(cell).list()))
    }

    /// A distance, m, that no edge is nearer to `point` than: quickly found, and often less than it
    /// could be. Infinite where no edge is within [`Walls::reach`].
    #[inline]
    pub fn room(&self, layer: LayerId, point: Vec2) -> f32 {
        self.cell_at(layer, point).map_or(f32::INFINITY, |(floor, cell)| floor.cell(cell).room())
    }

    /// How many floors there are.
    #[inline(always)]
    pub fn floors(&self) -> usize {
        self.floors.len()
    }

    /// The index of a floor, if there are walls on it.
    #[inline]
    pub fn index(&self, layer: LayerId) -> Option<WallIndex<'_>> {
        let floor = self.floors.get(layer.0 as usize)?;
        let Grid { origin, density, columns, rows, .. } = floor.grid;
        Some(WallIndex {
            bounds: floor.bounds?,
            origin,
            density,
            columns: columns as u32,
            rows: rows as u32,
            cells: &floor.cells,
            near: &floor.near,
        })
    }

    /// The cell that holds `point`, if any edge can be near there.
    #[inline]
    fn cell_at(&self, layer: LayerId, point: Vec2) -> Option<(&Floor, usize)> {
        let floor = self.floors.get(layer.0 as usize)?;
        let is_near = floor.bounds.is_some_and(|bounds| bounds.contains(point));
        is_near.then(|| (floor, floor.grid.cell_of(point)))
    }

    /// The edges that face `point` within `range`, nearest first, ties by id. `range` is limited to
    /// [`Walls::reach`].
    pub fn visible(&self, layer: LayerId, point: Vec2, range: f32, found: &mut Vec<(f32, WallId)>) {
        found.clear();
        for &id in self.near(layer, point) {
            let wall = &self.walls[id as usize];
            // Whoever is behind its line or too far from it does not see the edge: that spares most
            // a division.
            let behind = det(wall.direction, point - wall.start);
            if !(-range..=0.0).contains(&behind) {
                continue;
            }
            let distance_squared = wall.nearest(point).distance_squared(point);
            if distance_squared < range * range {
                found.push((distance_squared, WallId(id)));
            }
        }
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Whether a disc around `point` touches nothing solid.
    pub fn is_free(&self, layer: LayerId, point: Vec2, radius: f32) -> bool {
        let Some(floor) = self.floors.get(layer.0 as usize) else { return true };
        if floor.border.is_some_and(|border| !border.contains(point))
            || floor.plans.iter().any(|plan| plan.enclosing(point).is_none())
        {
            return false;
        }
        if !floor.bounds.is_some_and(|bounds| bounds.contains(point)) {
            return true;
        }
        let inside = || {
            let solids = floor.solid.row(floor.grid.cell_of(point));
            solids.iter().any(|&s| self.solids[s as usize].contains(point))
        };
        let touches = |id: &u32| {
            self.walls[*id as usize].nearest(point).distance_squared(point) < radius * radius
        };
        !self.near(layer, point).iter().any(touches) && !inside()
    }

    /// The first wall that a point on its way `from`–`to` would pass through from the free side,
    /// with the fraction of the way that is free.
    pub fn crossing(&self, layer: LayerId, from: Vec2, to: Vec2) -> Option<(f32, WallId)> {
        let way = to - from;
        let hits = self.near(layer, from).iter().filter_map(|&id| {
            let wall = &self.walls[id as usize];
            let edge = wall.end - wall.start;
            let approach = det(edge, way);
            if approach <= 0.0 {
                return None; // parallel, or leaving the solid
            }
            let along_way = det(edge, wall.start - from) / approach;
            let along_edge = det(way, wall.start - from) / approach;
            let hit = (0.0..=1.0).contains(&along_way) && (0.0..=1.0).contains(&along_edge);
            hit.then_some((along_way, WallId(id)))
        });
        hits.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    }
}

#[derive(Default)]
struct Builder {
    walls: Vec<Wall>,
    solids: Vec<Polygon>,
    /// Walls that exist for their neighbours' sake and are visible to nobody.
    hidden: Vec<u32>,
}

impl Builder {
    fn obstacle(&mut self, obstacle: &Obstacle, openings: &[(Vec2, Vec2)]) {
        match &obstacle.shape {
            Shape::Border(bounds) => self.outline_from_inside(&bounds.corners()),
            Shape::Plan(plan) => {
                for ring in plan.outlines() {
                    let reversed: Vec<Vec2> = ring.points().iter().rev().copied().collect();
                    self.outline_with_openings(&reversed, openings);
                }
                for hole in plan.holes() {
                    self.outline_with_openings(hole.points(), openings);
                }
            }
            _ => {}
        }
        for solid in obstacle.shape.solids() {
            self.outline(solid.points());
            self.solids.push(solid);
        }
    }

    fn connector(&mut self, connector: &Connector, layer: LayerId) {
        let Some((far_edge, _)) = connector.far_edge(layer) else { return };
        for index in 0..connector.polygon.points().len() {
            let (a, b) = connector.edge(index);
            if index == far_edge {
                // Solid to those outside, open to those who come up or down the connector.
                let first = self.walls.len() as u32;
                self.outline(&[a, b]);
                self.hidden.push(first + 1);
            } else if index != connector.lower_edge && index != connector.upper_edge {
                self.outline(&[a, b]);
            }
        }
    }

    /// Adds a closed loop that nobody can see where it lies on an opening.
    fn outline_with_openings(&mut self, points: &[Vec2], openings: &[(Vec2, Vec2)]) {
        let first = self.walls.len() as u32;
        let (points, open) = opened(points, openings);
        self.outline(&points);
        self.hidden.extend((first..).zip(open).filter(|(_, open)| *open).map(|(wall, _)| wall));
    }

    /// Adds a closed loop around free ground, given counter-clockwise.
    fn outline_from_inside(&mut self, corners: &[Vec2]) {
        let reversed: Vec<Vec2> = corners.iter().rev().copied().collect();
        self.outline(&reversed);
    }

    /// Adds a closed loop; two points make a thin wall with two sides.
    fn outline(&mut self, points: &[Vec2]) {
        let (first, n) = (self.walls.len(), points.len());
        for i in 0..n {
            let (before, start, end) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
            self.walls.push(Wall {
                start,
                end,
                direction: (end - start).normalize_or_zero(),
                convex: n == 2 || det(start - before, end - start) >= 0.0,
                previous: WallId((first + (i + n - 1) % n) as u32),
                next: WallId((first + (i + 1) % n) as u32),
            });
        }
    }

    fn floor(
        &self,
        first_wall: usize,
        first_solid: usize,
        border: Option<Bounds>,
        reach: f32,
    ) -> Floor {
        let walls = &self.walls[first_wall..];
        let bounds = Bounds::around(walls.iter().map(|w| w.start)).map(|b| b.grown(reach + 0.01));
        let Some(indexed) = bounds else {
            let grid = Grid { origin: Vec2::ZERO, cell: 1.0, density: 1.0, columns: 0, rows: 0 };
            return Floor {
                bounds,
                grid,
                cells: Vec::new(),
                near: Csr::default(),
                solid: Csr::default(),
                border,
                plans: Vec::new(),
            };
        };
        let grid = Grid::over(indexed);
        let cells = grid.columns * grid.rows;
        let (mut near, mut rooms) = (Vec::new(), vec![f32::INFINITY; cells]);
        // By how much a distance may be off, and a point be beyond its cell.
        let farthest = indexed.min.abs().max(indexed.max.abs()).max_element();
        let rounding = 1e-4 + 4.0 * f32::EPSILON * farthest;
        for (id, wall) in (first_wall as u32..).zip(walls) {
            if self.hidden.contains(&id) {
                continue;
            }
            let around = Bounds { min: wall.start.min(wall.end), max: wall.start.max(wall.end) };
            // A cell is within reach of the edge if its centre is within reach and half a diagonal.
            let half = grid.cell * std::f32::consts::FRAC_1_SQRT_2;
            for (cell, center) in grid.cells_over(around.grown(reach)) {
                let distance = wall.nearest(center).distance(center);
                if distance <= reach + half {
                    near.push((cell as u32, id));
                    rooms[cell] = rooms[cell].min((distance - half - rounding).max(0.0));
                }
            }
        }
        let (near, lists) = Csr::new(cells, near).without_repetitions();
        let words = lists.into_iter().zip(rooms).map(|(list, room)| Cell::new(list, room).0);
        let mut solid = Vec::new();
        for (id, polygon) in (first_solid as u32..).zip(&self.solids[first_solid..]) {
            solid.extend(grid.cells_over(polygon.bounds()).map(|(cell, _)| (cell as u32, id)));
        }
        Floor {
            bounds,
            grid,
            cells: words.collect(),
            near,
            solid: Csr::new(cells, solid),
            border,
            plans: Vec::new(),
        }
    }
}

impl Floor {
    #[inline]
    fn cell(&self, index: usize) -> Cell {
        Cell(self.cells[index])
    }
}

impl Grid {
    fn over(bounds: Bounds) -> Self {
        let size = bounds.size();
        let cell = SMALLEST_CELL.max((size.x * size.y / MOST_CELLS).sqrt());
        let columns = (size.x / cell) as usize + 1;
        let rows = (size.y / cell) as usize + 1;
        Self { origin: bounds.min, cell, density: cell.recip(), columns, rows }
    }

    #[inline]
    fn coordinates(&self, point: Vec2) -> (usize, usize) {
        let p = ((point - self.origin) * self.density).max(Vec2::ZERO);
        ((p.x as usize).min(self.columns - 1), (p.y as usize).min(self.rows - 1))
    }

    #[inline]
    fn cell_of(&self, point: Vec2) -> usize {
        let (column, row) = self.coordinates(point);
        row * self.columns + column
    }

    /// Index and centre of every cell that meets `bounds`.
    fn cells_over(&self, bounds: Bounds) -> impl Iterator<Item = (usize, Vec2)> + '_ {
        let (low, high) = (self.coordinates(bounds.min), self.coordinates(bounds.max));
        (low.1..=high.1).flat_map(move |row| {
            (low.0..=high.0).map(move |column| {
                let center = Vec2::new(column as f32 + 0.5, row as f32 + 0.5) * self.cell;
                (row * self.columns + column, self.origin + center)
            })
        })
    }
}

impl Csr {
    fn new(rows: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut begins = vec![0; rows + 1];
        for &(row, _) in &pairs {
            begins[row as usize + 1] += 1;
        }
        for row in 0..rows {
            begins[row + 1] += begins[row];
        }
        Self { begins, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    /// The different rows among these, and which of them each row is.
    fn without_repetitions(&self) -> (Self, Vec<u32>) {
        let mut numbers: HashMap<&[u32], u32> = HashMap::new();
        let mut different = Self { begins: vec![0], items: Vec::new() };
        let mut number_of = |row: &'_ [u32]| {
            different.items.extend(row);
            different.begins.push(different.items.len() as u32);
            different.begins.len() as u32 - 2
        };
        let rows = (1..self.begins.len()).map(|end| self.row(end - 1));
        let which = rows.map(|row| *numbers.entry(row).or_insert_with(|| number_of(row))).collect();
        (different, which)
    }

    #[inline]
    fn row(&self, row: usize) -> &[u32] {
        &self.items[self.begins[row] as usize..self.begins[row + 1] as usize]
    }
}

#[cfg(test)]
mod tests;
