//! The part of a carpet that is under somebody.
//!
//! A lattice of descriptors, rows by columns, that slides with the body. Descriptors keep their numbers, and
//! once laid they stay as they are until they leave the window, so that a foot that stands on them stands.
//! They are laid from the middle outwards, each with the height of its inner neighbour as a hint: that is
//! how a carpet keeps to its storey, goes on where there is no ground, and is kept from being steeper than
//! anyone could walk on.
//!
//! Three rings are kept about what is asked for: heights as sampled, averaged over the neighbours (stairs
//! would saw the carpet), and frames from differences of those.

use glam::{DVec3, Vec2, Vec3};

use super::descriptor::{Frame, Map};
use super::ground::Ground;
use super::relation::{Extent, cell};

/// Rows and columns around those that joints may relate to.
pub(super) const MARGIN: i32 = 2;

/// Farther than this (m) from where the numbers are counted from, they are counted from elsewhere.
const FARTHEST: f64 = 12.0;

/// What is odd about a descriptor, or about any of a carpet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// There is no ground there: the carpet goes on at the height it had.
    pub hole: bool,
    /// The ground is steeper than the carpet may be.
    pub steep: bool,
    /// The carpet is bent so sharply that it lies over itself.
    pub folded: bool,
}

impl Condition {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            hole: self.hole || other.hole,
            steep: self.steep || other.steep,
            folded: self.folded || other.folded,
        }
    }
}

/// How far a descriptor has been laid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Nothing,
    Sampled,
    Averaged,
    Framed,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    row: i32,
    column: i32,
    stage: Stage,
    condition: Condition,
    /// Where it is in plan, from the anchor.
    plan: Vec2,
    half_heading: Vec2,
    /// In the world.
    sampled: f32,
    averaged: f32,
    normal: Vec3,
}

/// Where lattice points are in plan: in the world, with the row's half heading.
pub(super) trait Plan {
    /// The place of a lattice point from `anchor`, and its half heading.
    fn place(&self, row: i32, column: i32, anchor: DVec3) -> (Vec2, Vec2);
}

/// Lattice points that stay where they are.
pub(super) struct Still {
    pub spacing: f32,
    /// The lattice point at the anchor.
    pub origin: [i32; 2],
}

impl Plan for Still {
    fn place(&self, row: i32, column: i32, _: DVec3) -> (Vec2, Vec2) {
        let [z, x] = [row - self.origin[0], column - self.origin[1]];
        (Vec2::new(x as f32, z as f32) * self.spacing, Vec2::X)
    }
}

/// Where the descriptors of a row are.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSlots {
    /// Its number, from the origin.
    pub row: i32,
    start: i32,
}

/// Descriptors around a body.
#[derive(Clone, Debug)]
pub struct Window {
    spacing: f32,
    /// Rows and columns that are stored.
    size: [i32; 2],
    /// Where the body is in it.
    middle: [i32; 2],
    first: [i32; 2],
    /// The slot of the first row and column.
    base: [i32; 2],
    cells: Vec<Cell>,
    leaning: Vec<Map>,
    upright: Vec<Map>,
    /// Row, column and the step to the inner neighbour, by ring.
    order: Vec<[i16; 4]>,
    rings: Vec<usize>,
    /// What window coordinates are counted from, in the world and on the lattice.
    anchor: DVec3,
    origin: [i32; 2],
    /// The tangent of the steepest slope.
    steepest: f32,
    laid: bool,
    /// Whether anything is to be laid.
    open: bool,
    places: Vec<Vec2>,
    hints: Vec<f32>,
    heights: Vec<f32>,
}

impl Window {
    /// A window of `before` + 1 + `after` rows and columns, around the one the body is on.
    pub(super) fn new(spacing: f32, before: [i32; 2], after: [i32; 2], steepest: f32) -> Self {
        let middle = before.map(|side| side + MARGIN);
        let size = [0, 1].map(|side| before[side] + 1 + after[side] + 2 * MARGIN);
        let count = (size[0] * size[1]) as usize;
        let mut order: Vec<[i16; 4]> = (0..size[0])
            .flat_map(|row| (0..size[1]).map(move |column| [row, column]))
            .map(|at| {
                let away = [at[0] - middle[0], at[1] - middle[1]];
                let inwards = away.map(|side| -side.signum());
                [at[0], at[1], inwards[0], inwards[1]].map(|number| number as i16)
            })
            .collect();
        let ring = |entry: &[i16; 4]| {
            let [row, column] = [i32::from(entry[0]) - middle[0], i32::from(entry[1]) - middle[1]];
            row.abs().max(column.abs())
        };
        order.sort_by_key(ring);
        let mut rings = vec![0];
        for index in 1..count {
            if ring(&order[index]) != ring(&order[index - 1]) {
                rings.push(index);
            }
        }
        rings.push(count);
        Self {
            spacing,
            size,
            middle,
            first: [0, 0],
            base: [0, 0],
            cells: vec![Cell::default(); count],
            leaning: vec![Map::default(); count],
            upright: vec![Map::default(); count],
            order,
            rings,
            anchor: DVec3::ZERO,
            origin: [0, 0],
            steepest,
            laid: false,
            open: true,
            places: Vec::with_capacity(count),
            hints: Vec::with_capacity(count),
            heights: Vec::with_capacity(count),
        }
    }

    /// From row to row and column to column, m.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// What positions in the window are counted from.
    pub fn anchor(&self) -> DVec3 {
        self.anchor
    }

    /// The lattice point that rest positions are counted from.
    pub(super) fn origin(&self) -> [i32; 2] {
        self.origin
    }

    /// The descriptors that joints may relate to, counted from the origin.
    pub(super) fn extent(&self) -> Extent {
        let first = [0, 1].map(|side| self.first[side] + MARGIN - self.origin[side]);
        let last =
            [0, 1].map(|side| self.first[side] + self.size[side] - 1 - MARGIN - self.origin[side]);
        Extent { first, last }
    }

    /// Forgets all that was laid.
    pub(super) fn clear(&mut self) {
        self.laid = false;
        self.open = true;
        for cell in &mut self.cells {
            cell.stage = Stage::Nothing;
        }
    }

    /// Moves the window so that the body is on lattice point `at`. If that has got too far from the anchor,
    /// `anchor` says where it would be in the world (its height included).
    pub(super) fn slide(&mut self, at: [i32; 2], anchor: impl Fn() -> DVec3) {
        let first = [0, 1].map(|side| at[side].saturating_sub(self.middle[side]));
        let far = [0, 1].into_iter().any(|side| {
            f64::from(at[side].saturating_sub(self.origin[side])).abs() * f64::from(self.spacing)
                > FARTHEST
        });
        self.open |= far || first != self.first;
        if far || !self.laid {
            self.anchor = anchor();
            self.origin = at;
            for cell in &mut self.cells {
                cell.stage = cell.stage.min(Stage::Averaged);
            }
            // Places are counted from the anchor, so all are to be found anew.
            for cell in &mut self.cells {
                cell.plan.x = f32::NAN;
            }
        }
        self.first = first;
        self.base = [0, 1].map(|side| first[side].rem_euclid(self.size[side]));
    }

    /// Lays again what is beyond `row` the next time.
    pub(super) fn lift_beyond(&mut self, row: i32) {
        self.open = true;
        for cell in &mut self.cells {
            if cell.row > row {
                cell.stage = Stage::Nothing;
            }
        }
    }

    /// Lays whatever has not been laid. `hint` is the height at which the ground is looked for where nothing
    /// is known.
    pub(super) fn lay(&mut self, plan: &impl Plan, ground: &(impl Ground + ?Sized), hint: f32) {
        if self.open || !self.laid {
            self.sample(plan, ground, hint);
            self.average();
            self.frame();
        }
        self.laid = true;
        self.open = false;
    }

    fn sample(&mut self, plan: &impl Plan, ground: &(impl Ground + ?Sized), hint: f32) {
        for ring in 0..self.rings.len() - 1 {
            let (from, to) = (self.rings[ring], self.rings[ring + 1]);
            self.places.clear();
            self.hints.clear();
            for entry in from..to {
                let [row, column, down, right] = self.order[entry].map(i32::from);
                let slot = self.slot(row, column);
                let (row, column) = (self.first[0] + row, self.first[1] + column);
                let cell = &mut self.cells[slot];
                if cell.row != row || cell.column != column || !self.laid {
                    *cell = Cell { row, column, ..Cell::default() };
                    cell.plan.x = f32::NAN;
                }
                if cell.plan.x.is_nan() || cell.stage == Stage::Nothing {
                    (cell.plan, cell.half_heading) = plan.place(row, column, self.anchor);
                }
                if cell.stage == Stage::Nothing {
                    let plan = cell.plan;
                    let (row, column) =
                        (row - self.first[0] + down, column - self.first[1] + right);
                    let inner =
                        if ring == 0 { hint } else { self.cells[self.slot(row, column)].sampled };
                    self.places.push(self.in_world(plan));
                    self.hints.push(inner);
                }
            }
            if self.places.is_empty() {
                continue;
            }
            self.heights.clear();
            self.heights.resize(self.places.len(), f32::NAN);
            ground.sample(&self.places, &self.hints, &mut self.heights);
            let mut next = 0;
            for entry in from..to {
                let [row, column, ..] = self.order[entry].map(i32::from);
                let slot = self.slot(row, column);
                let cell = &mut self.cells[slot];
                if cell.stage == Stage::Nothing {
                    let height = self.heights[next];
                    cell.condition = Condition { hole: !sound(height), ..Condition::default() };
                    cell.sampled = if sound(height) { height } else { self.hints[next] };
                    cell.stage = Stage::Sampled;
                    next += 1;
                }
            }
        }
    }

    fn average(&mut self) {
        for entry in 0..self.order.len() {
            let [row, column, down, right] = self.order[entry].map(i32::from);
            if self.is_beyond(row, column, 1) {
                continue;
            }
            let slot = self.slot(row, column);
            if self.cells[slot].stage != Stage::Sampled {
                continue;
            }
            let mut sum = 0.0;
            for down in -1..=1 {
                for right in -1..=1 {
                    sum += self.cells[self.slot(row + down, column + right)].sampled;
                }
            }
            let mut height = sum / 9.0;
            if down != 0 || right != 0 {
                let inner = self.cells[self.slot(row + down, column + right)];
                let away = (self.cells[slot].plan - inner.plan).length().max(0.25 * self.spacing);
                let most = self.steepest * away;
                let rise = height - inner.averaged;
                if rise.abs() > most {
                    height = inner.averaged + rise.clamp(-most, most);
                    self.cells[slot].condition.steep = true;
                }
            }
            let cell = &mut self.cells[slot];
            cell.averaged = height;
            cell.stage = Stage::Averaged;
        }
    }

    fn frame(&mut self) {
        // In the order in which they are stored: there are more of them than a cache likes to jump about in.
        let size = self.size;
        let inside = |side: usize| MARGIN..size[side] - MARGIN;
        for (row, column) in inside(0).flat_map(|row| inside(1).map(move |column| (row, column))) {
            let [down, right] =
                [(self.middle[0] - row).signum(), (self.middle[1] - column).signum()];
            let slot = self.slot(row, column);
            if self.cells[slot].stage != Stage::Averaged {
                continue;
            }
            let difference = |after: usize, before: usize| {
                let (after, before) = (&self.cells[after], &self.cells[before]);
                let plan = after.plan - before.plan;
                Vec3::new(plan.x, after.averaged - before.averaged, plan.y)
            };
            let along = difference(self.slot(row + 1, column), self.slot(row - 1, column));
            let aside = difference(self.slot(row, column + 1), self.slot(row, column - 1));
            let facing = along.cross(aside);
            let inner = self.cells[self.slot(row + down, column + right)].normal;
            let upwards = if facing.y < 0.0 { -facing } else { facing };
            let normal = if facing.y.abs() > 1e-8 {
                upwards.normalize()
            } else if inner.y > 0.0 {
                inner
            } else {
                Vec3::Y
            };
            let anchor = self.anchor;
            let origin = self.origin;
            let spacing = self.spacing;
            let cell = &mut self.cells[slot];
            cell.condition.folded = facing.y <= 0.0;
            cell.normal = normal;
            cell.stage = Stage::Framed;
            let height = (f64::from(cell.averaged) - anchor.y) as f32;
            let frame = Frame {
                position: Vec3::new(cell.plan.x, height, cell.plan.y),
                normal,
                half_heading: cell.half_heading,
            };
            let rest = Vec2::new(
                (cell.column - origin[1]) as f32 * spacing,
                (cell.row - origin[0]) as f32 * spacing,
            );
            self.leaning[slot] = frame.leaning(rest);
            self.upright[slot] = frame.upright(rest);
        }
    }

    /// The slot of a row and column, counted from the first that are stored.
    #[inline(always)]
    fn slot(&self, row: i32, column: i32) -> usize {
        let wrap = |index: i32, side: usize| {
            let at = index + self.base[side];
            if at >= self.size[side] { at - self.size[side] } else { at }
        };
        (wrap(row, 0) * self.size[1] + wrap(column, 1)) as usize
    }

    /// The slot of a descriptor counted from the origin; of the nearest, if it is not there.
    #[inline(always)]
    fn slot_from_origin(&self, row: i32, column: i32) -> usize {
        let inside = |index: i32, side: usize| {
            (index + self.origin[side] - self.first[side])
                .clamp(MARGIN, self.size[side] - 1 - MARGIN)
        };
        self.slot(inside(row, 0), inside(column, 1))
    }

    fn is_beyond(&self, row: i32, column: i32, margin: i32) -> bool {
        row < margin
            || column < margin
            || row >= self.size[0] - margin
            || column >= self.size[1] - margin
    }

    fn in_world(&self, plan: Vec2) -> Vec2 {
        Vec2::new(
            (self.anchor.x + f64::from(plan.x)) as f32,
            (self.anchor.z + f64::from(plan.y)) as f32,
        )
    }

    /// Where a plan position of the window is in the world.
    pub(super) fn world_place(&self, plan: Vec2) -> Vec2 {
        self.in_world(plan)
    }

    /// The slots of a row counted from the origin, or of the nearest that is there.
    #[inline(always)]
    pub(super) fn row(&self, row: i32) -> RowSlots {
        let inside =
            (row + self.origin[0] - self.first[0]).clamp(MARGIN, self.size[0] - 1 - MARGIN);
        let at = inside + self.base[0];
        let at = if at >= self.size[0] { at - self.size[0] } else { at };
        RowSlots { row, start: at * self.size[1] }
    }

    #[inline(always)]
    fn slot_in(&self, row: RowSlots, column: i32) -> usize {
        let inside =
            (column + self.origin[1] - self.first[1]).clamp(MARGIN, self.size[1] - 1 - MARGIN);
        let at = inside + self.base[1];
        (row.start + if at >= self.size[1] { at - self.size[1] } else { at }) as usize
    }

    #[inline(always)]
    pub(super) fn leaning(&self, row: RowSlots, column: i32) -> &Map {
        &self.leaning[self.slot_in(row, column)]
    }

    #[inline(always)]
    pub(super) fn upright(&self, row: RowSlots, column: i32) -> &Map {
        &self.upright[self.slot_in(row, column)]
    }

    /// Where a place on the flat carpet is in plan, its half heading, and the carpet's height there in the
    /// world: between the four descriptors around it.
    pub(super) fn place(&self, rest: Vec2) -> (Vec2, Vec2, f32) {
        let rest = if rest.is_finite() { rest } else { Vec2::ZERO };
        let ([row, column], part) = cell(rest, self.spacing);
        let at =
            |down: i32, right: i32| &self.cells[self.slot_from_origin(row + down, column + right)];
        let [a, b, c, d] = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)];
        let mix = |a: f32, b: f32, c: f32, d: f32| {
            let (low, high) = (a + (b - a) * part.x, c + (d - c) * part.x);
            low + (high - low) * part.y
        };
        let plan = Vec2::new(
            mix(a.plan.x, b.plan.x, c.plan.x, d.plan.x),
            mix(a.plan.y, b.plan.y, c.plan.y, d.plan.y),
        );
        let half = a.half_heading.lerp(c.half_heading, part.y);
        let half = half.try_normalize().unwrap_or(Vec2::X);
        (plan, half, mix(a.averaged, b.averaged, c.averaged, d.averaged))
    }

    /// The least height, in the world, of a surface that is nowhere below the ground and nowhere steeper than
    /// `slope`, at a place on the flat carpet. What moves over the ground can follow it without a jolt.
    pub(super) fn envelope(&self, rest: Vec2, slope: f32, farthest: f32) -> f32 {
        let rest = if rest.is_finite() { rest } else { Vec2::ZERO };
        let at = rest / self.spacing;
        let reach = farthest / self.spacing;
        let extent = self.extent();
        let range = |along: f32, side: usize| {
            let first = (along - reach).ceil() as i32;
            let last = (along + reach).floor() as i32;
            (first.max(extent.first[side]), last.min(extent.last[side]))
        };
        let ((top, bottom), (left, right)) = (range(at.y, 0), range(at.x, 1));
        let mut highest = f32::NEG_INFINITY;
        for row in top..=bottom {
            for column in left..=right {
                let away = Vec2::new(column as f32, row as f32) - at;
                // An edge may be anywhere between two descriptors.
                let beyond = (away.length() - 1.0).max(0.0) * self.spacing;
                let height = self.cells[self.slot_from_origin(row, column)].sampled;
                highest = highest.max(height - slope * beyond);
            }
        }
        highest
    }

    /// Every descriptor that has been laid, in the world: where it is, which way it faces, and what is odd.
    pub fn descriptors(&self) -> impl Iterator<Item = (Vec3, Vec3, Condition)> + '_ {
        self.cells.iter().filter(|cell| cell.stage == Stage::Framed && self.holds(cell)).map(
            |cell| {
                let place = self.in_world(cell.plan);
                (Vec3::new(place.x, cell.averaged, place.y), cell.normal, cell.condition)
            },
        )
    }

    /// What is odd about any descriptor within `reach` of a place on the flat carpet.
    pub(super) fn condition_near(&self, rest: Vec2, reach: f32) -> Condition {
        let middle = rest / self.spacing;
        let reach = (reach / self.spacing).ceil() as i32;
        let (row, column) = (middle.y.round() as i32, middle.x.round() as i32);
        let mut condition = Condition::default();
        for down in -reach..=reach {
            for right in -reach..=reach {
                let slot = self.slot_from_origin(row + down, column + right);
                condition = condition.and(self.cells[slot].condition);
            }
        }
        condition
    }

    /// The sampled height in the middle.
    pub(super) fn height(&self) -> f32 {
        self.cells[self.slot(self.middle[0], self.middle[1])].averaged
    }

    fn holds(&self, cell: &Cell) -> bool {
        let inside =
            |index: i32, side: usize| (0..self.size[side]).contains(&(index - self.first[side]));
        inside(cell.row, 0) && inside(cell.column, 1)
    }
}

/// Whether a height can be believed.
pub(super) fn sound(height: f32) -> bool {
    height.abs() <= 1e7
}
