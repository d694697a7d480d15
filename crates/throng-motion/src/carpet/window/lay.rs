//! How descriptors are laid: sampled, averaged and framed.
//!
//! From the middle outwards: rows from the middle up and then down, and so do columns in a row. The inner neighbour of
//! a descriptor is one nearer to the middle in both, so that it always comes before it. Only what has not been
//! laid is visited: a window that slides by a row lays that row.

use glam::{Vec2, Vec3};

use super::super::descriptor::Frame;
use super::super::ground::Ground;
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
    row: i32,
    column: i32,
    slot: usize,
    /// The slot of its inner neighbour; the middle is its own.
    inner: usize,
}

impl Window {
    /// Lays whatever has not been laid. `hint` is the height at which the ground is looked for where nothing
    /// is known.
    pub(in crate::carpet) fn lay(
        &mut self,
        plan: &impl Plan,
        ground: &(impl Ground + ?Sized),
        hint: f32,
    ) {
        if self.open || !self.laid {
            // Handed out, so that passes can borrow both it and the window.
            let mut work = std::mem::take(&mut self.work);
            self.place_all(plan, &mut work);
            self.sample(ground, hint, &mut work);
            self.average(&mut work);
            self.frame(&mut work);
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
            if !stages.contains(&stage) {
                continue;
            }
            let inner_row = self.slots[0][(row + (middle - row).signum()) as usize];
            for column in (centre..end[1]).chain((margin..centre).rev()) {
                let at = self.slots[1][column as usize] as usize;
                if stages[at] == stage {
                    let inner = self.slots[1][(column + (centre - column).signum()) as usize];
                    let inner = (inner_row + inner) as usize;
                    cells.push(Cell { row, column, slot: start + at, inner });
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
            self.place_cell(plan, cell.row, cell.column, cell.slot);
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
                if storeys && self.stages[cell.inner] == Stage::Nothing && next > batch {
                    break;
                }
                places.push(self.in_world(self.plans[cell.slot]));
                hints.push(if cell.inner == cell.slot { hint } else { self.sampled[cell.inner] });
                next += 1;
            }
            heights.clear();
            heights.resize(places.len(), f32::NAN);
            ground.sample(places, hints, heights);
            for (cell, height) in cells[batch..next].iter().zip(heights.iter()) {
                let inner = if cell.inner == cell.slot { hint } else { self.sampled[cell.inner] };
                let hole = !sound(*height);
                self.conditions[cell.slot] = Condition { hole, ..Condition::default() };
                self.sampled[cell.slot] = if hole { inner } else { *height };
                self.stages[cell.slot] = Stage::Sampled;
            }
        }
    }

    fn average(&mut self, work: &mut Work) {
        self.find(Stage::Sampled, 1, &mut work.cells);
        for cell in &work.cells {
            let mut sum = 0.0;
            let [left, here, right] =
                [-1, 0, 1].map(|aside| self.slots[1][(cell.column + aside) as usize]);
            for down in -1..=1 {
                let row = self.slots[0][(cell.row + down) as usize];
                for column in [left, here, right] {
                    sum += self.sampled[(row + column) as usize];
                }
            }
            let mut height = sum / 9.0;
            if cell.inner != cell.slot {
                let away = (self.plans[cell.slot] - self.plans[cell.inner]).length();
                let most = self.steepest * away.max(0.25 * self.spacing);
                let inner = self.averaged[cell.inner];
                let rise = height - inner;
                if rise.abs() > most {
                    height = inner + rise.clamp(-most, most);
                    self.conditions[cell.slot].steep = true;
                }
            }
            self.averaged[cell.slot] = height;
            self.stages[cell.slot] = Stage::Averaged;
        }
    }

    fn frame(&mut self, work: &mut Work) {
        self.find(Stage::Averaged, MARGIN, &mut work.cells);
        for cell in &work.cells {
            let Cell { row, column, slot, inner } = *cell;
            let difference = |after: usize, before: usize| {
                let plan = self.plans[after] - self.plans[before];
                Vec3::new(plan.x, self.averaged[after] - self.averaged[before], plan.y)
            };
            let along = difference(self.slot(row + 1, column), self.slot(row - 1, column));
            let aside = difference(self.slot(row, column + 1), self.slot(row, column - 1));
            let facing = along.cross(aside);
            let upwards = if facing.y < 0.0 { -facing } else { facing };
            let normal = if facing.y.abs() > 1e-8 {
                upwards.normalize()
            } else if inner != slot {
                self.normals[inner]
            } else {
                Vec3::Y
            };
            self.conditions[slot].folded = facing.y <= 0.0;
            self.normals[slot] = normal;
            self.stages[slot] = Stage::Framed;
            let height = (f64::from(self.averaged[slot]) - self.anchor.y) as f32;
            let plan = self.plans[slot];
            let frame = Frame {
                position: Vec3::new(plan.x, height, plan.y),
                normal,
                half_heading: self.half_headings[slot],
            };
            let rest = Vec2::new(
                (self.first[1] + column - self.origin[1]) as f32 * self.spacing,
                (self.first[0] + row - self.origin[0]) as f32 * self.spacing,
            );
            self.maps[slot] = Maps::new(&frame.leaning(rest), &frame.upright(rest));
        }
    }
}
