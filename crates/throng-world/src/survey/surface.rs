//! The surface one can walk on: cells to stand in, and which of them one can step between.
//!
//! A step leads to one of the eight cells around if it is not too high; diagonally only if one could
//! also take two steps round either corner, so that nobody slips between two corners that touch.
//! On a slope, what counts is how much the next cell is off the slope.

use std::collections::VecDeque;

use glam::{DVec2, DVec3, Vec2};

use super::clearance::clearances;
use super::columns::{Stand, stands};
use super::solid::shells;
use super::{Lattice, MOST_COLUMNS, NARROWEST, Rules, SurveyError, Triangles};
use crate::terrain::TriangleSoup;

/// No neighbour.
pub(super) const NONE: u32 = u32::MAX;

/// The eight ways to step, counter-clockwise from +x, in cells.
pub(super) const WAYS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// A place to stand: a cell of the ground, at one of its heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The number of its column in the [`Lattice`].
    pub column: u32,
    /// Height in its middle, m.
    pub height: f32,
    /// How much the surface rises per metre along x and y.
    pub gradient: Vec2,
    neighbours: [u32; 8],
}

impl Cell {
    /// The cells one can step to, by number, with the number of the way there: counter-clockwise
    /// from 0 for +x.
    pub fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        let ways = self.neighbours.iter().enumerate();
        ways.filter(|(_, cell)| **cell != NONE).map(|(way, cell)| (way, *cell as usize))
    }

    /// The cell one step away, by number.
    pub fn neighbour(&self, way: usize) -> Option<usize> {
        let cell = self.neighbours[way];
        (cell != NONE).then_some(cell as usize)
    }

    /// Whether there is a way that one cannot step.
    pub fn is_border(&self) -> bool {
        self.neighbours.contains(&NONE)
    }
}

/// Everything one can walk on in some geometry.
#[derive(Clone, Debug)]
pub struct Surface {
    lattice: Lattice,
    rules: Rules,
    cells: Vec<Cell>,
    /// Where the cells of each column begin; one more than there are columns.
    begins: Vec<u32>,
    clearances: Vec<f32>,
    components: Vec<u32>,
    skipped: usize,
    dropped: Vec<f64>,
}

impl Surface {
    /// The surface of `soup`, whose vertices are in metres in the world frame (y up).
    ///
    /// # Errors
    ///
    /// If nothing can be walked on, or the geometry or the rules are out of all proportion.
    pub fn new(soup: &TriangleSoup, rules: &Rules) -> Result<Self, SurveyError> {
        rules.check()?;
        let triangles = Triangles::new(soup);
        let (min, max) = triangles.extent()?;
        let lattice = Lattice::around(min, max, rules.cell)?;
        let shells = shells(&triangles.corners);
        let mut cells: Vec<Cell> = Vec::new();
        stands(&triangles.corners, &shells, &lattice, rules, |column, stands| {
            let cell = |stand: &Stand| Cell {
                column: column as u32,
                height: stand.height as f32,
                gradient: stand.gradient.as_vec2(),
                neighbours: [NONE; 8],
            };
            cells.extend(stands.iter().map(cell));
        })?;
        if cells.len() as u64 > MOST_COLUMNS {
            let (size, cell) = (max - min, rules.cell);
            return Err(SurveyError::TooManyCells { size, cell, suggested: cell * 2.0 });
        }
        let mut surface = Self {
            lattice,
            rules: *rules,
            cells,
            begins: Vec::new(),
            clearances: Vec::new(),
            components: Vec::new(),
            skipped: triangles.skipped,
            dropped: Vec::new(),
        };
        surface.connect();
        surface.clearances = clearances(&surface);
        surface.drop_islands()?;
        match surface.cells.is_empty() {
            true => Err(SurveyError::NoGround { dropped: surface.dropped.len() }),
            false => Ok(surface),
        }
    }

    /// The cells that its columns stand on.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The rules it was made by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All places to stand, by the numbers of their columns and upwards in each.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The numbers of the cells of a column, upwards.
    pub fn in_column(&self, column: usize) -> std::ops::Range<usize> {
        self.begins[column] as usize..self.begins[column + 1] as usize
    }

    /// The middle of a cell in plan.
    pub fn center(&self, cell: usize) -> DVec2 {
        self.lattice.center_of(self.cells[cell].column as usize)
    }

    /// The cell at `point` whose height is nearest to `height`.
    pub fn cell_at(&self, point: DVec2, height: f32) -> Option<usize> {
        let off = |cell: &usize| (self.cells[*cell].height - height).abs();
        let column = self.lattice.index_of(point)?;
        self.in_column(column).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// How much is free around the middle of a cell, m: the distance to the middle of the nearest
    /// border cell along the surface, less half a diagonal of a cell. Never more than there is.
    pub fn clearance(&self, cell: usize) -> f32 {
        self.clearances[cell]
    }

    /// The connected piece of ground that a cell belongs to, from 0.
    pub fn component(&self, cell: usize) -> usize {
        self.components[cell] as usize
    }

    /// How many pieces of ground there are that one cannot walk between.
    pub fn component_count(&self) -> usize {
        self.components.iter().max().map_or(0, |last| *last as usize + 1)
    }

    /// How many triangles were left out since they had no area, or no place.
    pub fn skipped_triangles(&self) -> usize {
        self.skipped
    }

    /// The sizes of pieces of ground, m², that were left out since they are too small, too narrow or
    /// cannot be reached.
    pub fn dropped(&self) -> &[f64] {
        &self.dropped
    }

    /// The size of a cell, m².
    pub(super) fn cell_area(&self) -> f64 {
        self.lattice.cell * self.lattice.cell
    }

    /// Finds out which cells lie next to each other. The margin of the lattice has no cells, so all
    /// of them have columns around them.
    fn connect(&mut self) {
        self.index_columns();
        for cell in 0..self.cells.len() {
            for way in [0, 2] {
                // With very large cells on very steep ground, one might step to two others.
                if let Some(next) = self.step(cell, way)
                    && self.step(next, way + 4) == Some(cell)
                {
                    self.cells[cell].neighbours[way] = next as u32;
                    self.cells[next].neighbours[way + 4] = cell as u32;
                }
            }
        }
        for cell in 0..self.cells.len() {
            for way in [1, 3, 5, 7] {
                let round = |first: usize, then: usize| {
                    self.cells[self.cells[cell].neighbour(first)?].neighbour(then)
                };
                let (before, after) = (way - 1, (way + 1) % 8);
                let (one, other) = (round(before, after), round(after, before));
                if let (Some(corner), true) = (one, one == other) {
                    self.cells[cell].neighbours[way] = corner as u32;
                }
            }
        }
    }

    fn index_columns(&mut self) {
        self.begins.clear();
        self.begins.resize(self.lattice.len() + 1, 0);
        for cell in &self.cells {
            self.begins[cell.column as usize + 1] += 1;
        }
        for column in 0..self.lattice.len() {
            self.begins[column + 1] += self.begins[column];
        }
    }

    /// The cell that a step from `cell` leads to.
    fn step(&self, cell: usize, way: usize) -> Option<usize> {
        let (x, y) = WAYS[way];
        let from = &self.cells[cell];
        let column = from.column as i64 + i64::from(x) + i64::from(y) * self.lattice.columns as i64;
        let along = Vec2::new(x as f32, y as f32) * self.lattice.cell as f32;
        // How far the other cell is off the slope that the two of them have.
        let off = |to: &usize| {
            let to = &self.cells[*to];
            let slope = (from.gradient + to.gradient) * 0.5;
            (to.height - from.height - slope.dot(along)).abs()
        };
        let highest = self.rules.max_step as f32 + 1e-4;
        self.in_column(column as usize)
            .filter(|to| off(to) <= highest)
            .min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// Leaves out pieces of ground that are too small, or nowhere wide enough for anybody.
    fn drop_islands(&mut self) -> Result<(), SurveyError> {
        let islands = self.islands();
        let start = self.rules.start.map(|at| self.start(at)).transpose()?;
        let is_reached = |island: &[u32]| start.is_none_or(|at| island.binary_search(&at).is_ok());
        let keep: Vec<bool> =
            islands.iter().map(|island| self.is_worthwhile(island) && is_reached(island)).collect();
        let mut new_number = vec![NONE; self.cells.len()];
        for (island, _) in islands.iter().zip(&keep).filter(|(_, keep)| **keep) {
            island.iter().for_each(|cell| new_number[*cell as usize] = 0);
        }
        let kept = new_number.iter_mut().filter(|number| **number != NONE);
        kept.zip(0..).for_each(|(number, next)| *number = next);
        for (island, keep) in islands.iter().zip(&keep) {
            if !keep {
                self.dropped.push(island.len() as f64 * self.cell_area());
            }
        }
        let is_kept = |cell: &usize| new_number[*cell] != NONE;
        let renumbered = |cell: usize| {
            let mut moved = self.cells[cell];
            // Neighbours belong to the same piece, so they are kept as well.
            let known = moved.neighbours.iter_mut().filter(|neighbour| **neighbour != NONE);
            known.for_each(|neighbour| *neighbour = new_number[*neighbour as usize]);
            moved
        };
        let all = 0..self.cells.len();
        let clearances = all.clone().filter(is_kept).map(|cell| self.clearances[cell]).collect();
        let cells: Vec<Cell> = all.filter(is_kept).map(renumbered).collect();
        self.components = vec![0; cells.len()];
        let kept_islands = islands.iter().zip(&keep).filter(|(_, keep)| **keep);
        for (number, (island, _)) in kept_islands.enumerate() {
            for cell in island {
                self.components[new_number[*cell as usize] as usize] = number as u32;
            }
        }
        (self.clearances, self.cells) = (clearances, cells);
        self.index_columns();
        Ok(())
    }

    /// The cell to start from.
    fn start(&self, at: DVec3) -> Result<u32, SurveyError> {
        let cell = self.cell_at(at.truncate(), at.z as f32);
        let near = |cell: &usize| {
            f64::from(self.cells[*cell].height - at.z as f32).abs() < self.rules.headroom
        };
        cell.filter(near).map(|cell| cell as u32).ok_or(SurveyError::NoStart { at })
    }

    fn is_worthwhile(&self, island: &[u32]) -> bool {
        let area = island.len() as f64 * self.cell_area();
        let widest = island.iter().map(|cell| self.clearances[*cell as usize]).fold(0.0, f32::max);
        // Cells in the middle of a strip, those on its borders, and what clearance leaves out.
        let inner = f64::from(widest) + self.lattice.cell * std::f64::consts::FRAC_1_SQRT_2;
        let width = if widest > 0.0 { 2.0 * inner + self.lattice.cell } else { 0.0 };
        let is_wide = width >= NARROWEST;
        area >= self.rules.min_area && is_wide
    }

    /// Connected pieces of ground, each in order, and in the order of their first cells.
    fn islands(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.cells.len()];
        let mut islands = Vec::new();
        for first in 0..self.cells.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let mut island = Vec::new();
            let mut open = VecDeque::from([first]);
            while let Some(cell) = open.pop_front() {
                island.push(cell as u32);
                for (_, next) in self.cells[cell].neighbours() {
                    if !std::mem::replace(&mut seen[next], true) {
                        open.push_back(next);
                    }
                }
            }
            island.sort_unstable();
            islands.push(island);
        }
        islands
    }
}
