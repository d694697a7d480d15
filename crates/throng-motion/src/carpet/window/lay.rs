//! How descriptors are laid: sampled, averaged and framed.
//!
//! From the middle outwards: rows from the middle up and then down, and so do columns in a row. The inner neighbour of
//! a descriptor is one nearer to the middle in both, so that it always comes before it. Only what has not been
//! laid is visited: a window that slides by a row lays that row.

use glam::{Vec2, Vec3};
use throng_base::ground::Ground;
use throng_simd::{LANES, Vectors};

use super::super::descriptor::Frame;
use super::super::frames::{Frames, Given};
use super::super::sums::Maps;
use super::{Condition, MARGIN, Plan, Stage, Window, sound};

/// What is laid in a pass. Kept so that no pass needs memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    cells: Vec<Cell>,
    places: Vec<Vec2>,
    hints: Vec<f32>,
    heights: Vec<f32>,
}

/// A descriptor that is to be laid.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Counted from the first.
    row: i16,
    column: i16,
    slot: u32,
    /// The slot of its inner neighbour; the middle is its own.
    inner: u32,
}

impl Cell {
    fn is_middle(&self) -> bool {
        self.inner == self.slot
    }
}

impl Window {
    /// Lays whatever has not been laid. `hint` is the height at which the ground is looked for where nothing
    /// is known.
    pub(in crate::carpet) fn lay(
        &mut self,
        plan: &impl Plan,
        ground: &(impl Ground + ?Sized),
        hint: f32,
        vectors: Option<Vectors>,
    ) {
        if self.open || !self.laid {
            // Handed out, so that passes can borrow both it and the window.
            let mut work = std::mem::take(&mut self.work);
            self.place_all(plan, &mut work);
            self.sample(ground, hint, &mut work);
            self.average(&mut work);
            self.frame(vectors, &mut work);
            self.work = work;
        }
        self.laid = true;
        self.open = false;
    }

    /// Finds what is at `stage`, at least `margin` from the edge, from the middle outwards.
    fn find(&self, stage: Stage, margin: i32, cells: &mut Vec<Cell>) {
        cells.clear();
        let [middle, centre] = self.middle;
        let end = self.size.map(|side| side - margin);
        for row in (middle..end[0]).chain((margin..middle).rev()) {
            let start = self.slots[0][row as usize] as usize;
            let stages = &self.stages[start..start + self.size[1] as usize];
            // All of them, which is sooner done than to stop at the first.
            if !stages.iter().fold(false, |any, at| any | (*at == stage)) {
                continue;
            }
            let inner_row = self.slots[0][(row + (middle - row).signum()) as usize];
            for column in (centre..end[1]).chain((margin..centre).rev()) {
                let at = self.slots[1][column as usize];
                if stages[at as usize] == stage {
                    let inner = self.slots[1][(column + (centre - column).signum()) as usize];
                    cells.push(Cell {
                        row: row as i16,
                        column: column as i16,
                        slot: start as u32 + at,
                        inner: inner_row + inner,
                    });
                }
            }
        }
    }

    /// Finds what is to be sampled, and the places of all that have none from the anchor.
    fn place_all(&mut self, plan: &impl Plan, work: &mut Work) {
        if self.anchored_anew {
            self.anchored_anew = false;
            for row in 0..self.size[0] {
                for column in 0..self.size[1] {
                    let slot = self.slot(row, column);
                    self.place_cell(plan, row, column, slot);
                }
            }
            self.find(Stage::Nothing, 0, &mut work.cells);
            return;
        }
        self.find(Stage::Nothing, 0, &mut work.cells);
        for cell in &work.cells {
            self.place_cell(plan, cell.row.into(), cell.column.into(), cell.slot as usize);
        }
    }

    fn place_cell(&mut self, plan: &impl Plan, row: i32, column: i32, slot: usize) {
        let (row, column) = (self.first[0] + row, self.first[1] + column);
        (self.plans[slot], self.half_headings[slot]) = plan.place(row, column, self.anchor);
    }

    fn sample(&mut self, ground: &(impl Ground + ?Sized), hint: f32, work: &mut Work) {
        let storeys = ground.has_storeys();
        let Work { cells, places, hints, heights } = work;
        let mut next = 0;
        while next < cells.len() {
            places.clear();
            hints.clear();
            let batch = next;
            while let Some(cell) = cells.get(next) {
                // Its hint is yet to be found.
                let inner = cell.inner as usize;
                if storeys && self.stages[inner] == Stage::Nothing && next > batch {
                    break;
                }
                places.push(self.in_world(self.plans[cell.slot as usize]));
                hints.push(if cell.is_middle() { hint } else { self.sampled[inner] });
                next += 1;
            }
            heights.clear();
            heights.resize(places.len(), f32::NAN);
            ground.sample(places, hints, heights);
            for (cell, height) in cells[batch..next].iter().zip(heights.iter()) {
                let slot = cell.slot as usize;
                let hole = !sound(*height);
                let inner = if cell.is_middle() { hint } else { self.sampled[cell.inner as usize] };
                self.conditions[slot] = Condition { hole, ..Condition::default() };
                self.sampled[slot] = if hole { inner } else { *height };
                self.stages[slot] = Stage::Sampled;
            }
        }
    }

    fn average(&mut self, work: &mut Work) {
        self.find(Stage::Sampled, 1, &mut work.cells);
        for cell in &work.cells {
            let (slot, inner) = (cell.slot as usize, cell.inner as usize);
            let (row, column) = (cell.row as usize, cell.column as usize);
            let mut sum = 0.0;
            for row in &self.slots[0][row - 1..=row + 1] {
                for column in &self.slots[1][column - 1..=column + 1] {
                    sum += self.sampled[(row + column) as usize];
                }
            }
            let mut height = sum / 9.0;
            if !cell.is_middle() {
                let away = (self.plans[slot] - self.plans[inner]).length();
                let most = self.steepest * away.max(0.25 * self.spacing);
                let inner = self.averaged[inner];
                let rise = height - inner;
                if rise.abs() > most {
                    height = inner + rise.clamp(-most, most);
                    self.conditions[slot].steep = true;
                }
            }
            self.averaged[slot] = height;
            self.stages[slot] = Stage::Averaged;
        }
    }

    fn frame(&mut self, vectors: Option<Vectors>, work: &mut Work) {
        self.find(Stage::Averaged, MARGIN, &mut work.cells);
        let mut frames = Frames::default();
        for cells in work.cells.chunks(LANES) {
            for (lane, cell) in cells.iter().enumerate() {
                frames.set(lane, &self.given(cell));
            }
            frames.find(vectors);
            for (lane, cell) in cells.iter().enumerate() {
                let slot = cell.slot as usize;
                let facing = frames.facing(lane).y;
                self.conditions[slot].folded = facing <= 0.0;
                self.stages[slot] = Stage::Framed;
                if facing.abs() > 1e-8 {
                    self.normals[slot] = frames.normal(lane);
                    self.maps[slot] = frames.maps(lane);
                } else {
                    self.frame_edge_on(cell);
                }
            }
        }
    }

    fn given(&self, cell: &Cell) -> Given {
        let (row, column, slot) = (cell.row as usize, cell.column as usize, cell.slot as usize);
        let difference = |after: u32, before: u32| {
            let (after, before) = (after as usize, before as usize);
            let plan = self.plans[after] - self.plans[before];
            Vec3::new(plan.x, self.averaged[after] - self.averaged[before], plan.y)
        };
        let [rows, columns] = &self.slots;
        let (in_row, in_column) = (rows[row], columns[column]);
        let height = (f64::from(self.averaged[slot]) - self.anchor.y) as f32;
        let plan = self.plans[slot];
        Given {
            along: difference(rows[row + 1] + in_column, rows[row - 1] + in_column),
            aside: difference(in_row + columns[column + 1], in_row + columns[column - 1]),
            position: Vec3::new(plan.x, height, plan.y),
            half_heading: self.half_headings[slot],
            rest: Vec2::new(
                (self.first[1] + i32::from(cell.column) - self.origin[1]) as f32 * self.spacing,
                (self.first[0] + i32::from(cell.row) - self.origin[0]) as f32 * self.spacing,
            ),
        }
    }

    /// A descriptor whose neighbours do not say which way it faces, faces as its inner neighbour does.
    fn frame_edge_on(&mut self, cell: &Cell) {
        let slot = cell.slot as usize;
        let normal = if cell.is_middle() { Vec3::Y } else { self.normals[cell.inner as usize] };
        let Given { position, half_heading, rest, .. } = self.given(cell);
        let frame = Frame { position, normal, half_heading };
        self.normals[slot] = normal;
        self.maps[slot] = Maps::new(&frame.leaning(rest), &frame.upright(rest));
    }
}
