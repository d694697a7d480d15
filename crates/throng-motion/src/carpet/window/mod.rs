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

mod lay;

use glam::{DVec3, Vec2, Vec3};

use super::relation::{Extent, cell};
use super::sums::{Lattice, Maps};

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

/// Descriptors around a body.
#[derive(Clone, Debug)]
pub struct Window {
    spacing: f32,
    /// Rows and columns that are stored.
    size: [i32; 2],
    /// Where the body is in it.
    middle: [i32; 2],
    first: [i32; 2],
    /// Where rows and columns are stored, counted from the first: those that leave the window make room for those that
    /// enter it.
    slots: [Vec<u32>; 2],
    // Of each descriptor.
    stages: Vec<Stage>,
    /// Where it is in plan, from the anchor.
    plans: Vec<Vec2>,
    half_headings: Vec<Vec2>,
    /// In the world.
    sampled: Vec<f32>,
    averaged: Vec<f32>,
    normals: Vec<Vec3>,
    conditions: Vec<Condition>,
    maps: Vec<Maps>,
    /// What window coordinates are counted from, in the world and on the lattice.
    anchor: DVec3,
    origin: [i32; 2],
    /// The tangent of the steepest slope.
    steepest: f32,
    laid: bool,
    /// Whether anything is to be laid.
    open: bool,
    /// Whether places are counted from elsewhere than they were.
    anchored_anew: bool,
    work: lay::Work,
}

impl Window {
    /// A window of `before` + 1 + `after` rows and columns, around the one the body is on.
    pub(super) fn new(spacing: f32, before: [i32; 2], after: [i32; 2], steepest: f32) -> Self {
        let middle = before.map(|side| side + MARGIN);
        let size = [0, 1].map(|side| before[side] + 1 + after[side] + 2 * MARGIN);
        let count = (size[0] * size[1]) as usize;
        let mut window = Self {
            spacing,
            size,
            middle,
            first: [0, 0],
            slots: size.map(|side| vec![0; side as usize]),
            stages: vec![Stage::Nothing; count],
            plans: vec![Vec2::ZERO; count],
            half_headings: vec![Vec2::X; count],
            sampled: vec![0.0; count],
            averaged: vec![0.0; count],
            normals: vec![Vec3::Y; count],
            conditions: vec![Condition::default(); count],
            maps: vec![Maps::default(); count],
            anchor: DVec3::ZERO,
            origin: [0, 0],
            steepest,
            laid: false,
            open: true,
            anchored_anew: true,
            work: lay::Work::default(),
        };
        window.find_slots();
        window
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
    }

    /// Moves the window so that the body is on lattice point `at`. If that has got too far from the anchor,
    /// `anchor` says where it would be in the world (its height included).
    pub(super) fn slide(&mut self, at: [i32; 2], anchor: impl Fn() -> DVec3) {
        let first = [0, 1].map(|side| at[side].saturating_sub(self.middle[side]));
        let far = [0, 1].into_iter().any(|side| {
            f64::from(at[side].saturating_sub(self.origin[side])).abs() * f64::from(self.spacing)
                > FARTHEST
        });
        if far || !self.laid {
            self.anchor = anchor();
            self.origin = at;
            self.anchored_anew = true;
            self.open = true;
            for stage in &mut self.stages {
                *stage = (*stage).min(Stage::Averaged);
            }
        }
        if !self.laid {
            self.stages.fill(Stage::Nothing);
        }
        if first != self.first {
            let by = [0, 1].map(|side| first[side].saturating_sub(self.first[side]));
            self.first = first;
            self.find_slots();
            self.open = true;
            self.lift_new(by);
        }
    }

    /// Nothing has been laid yet of the rows and columns that are new after the window has moved `by` so many.
    fn lift_new(&mut self, by: [i32; 2]) {
        let new = |side: usize| match by[side] {
            by if by >= 0 => (self.size[side] - by).max(0)..self.size[side],
            by => 0..by.saturating_neg().min(self.size[side]),
        };
        let (rows, columns) = (new(0), new(1));
        for row in 0..self.size[0] {
            if rows.contains(&row) {
                let start = self.slots[0][row as usize] as usize;
                self.stages[start..start + self.size[1] as usize].fill(Stage::Nothing);
            } else {
                for column in columns.clone() {
                    let slot = self.slot(row, column);
                    self.stages[slot] = Stage::Nothing;
                }
            }
        }
    }

    fn find_slots(&mut self) {
        for side in 0..2 {
            let (size, first) = (self.size[side], self.first[side]);
            let across = if side == 0 { self.size[1] } else { 1 };
            let mut at = first.rem_euclid(size);
            for slot in &mut self.slots[side] {
                *slot = (at * across) as u32;
                at = if at + 1 == size { 0 } else { at + 1 };
            }
        }
    }

    /// Lays `row` again the next time.
    pub(super) fn lift(&mut self, row: i32) {
        let index = usize::try_from(i64::from(row) - i64::from(self.first[0]));
        if let Some(start) = index.ok().and_then(|index| self.slots[0].get(index)) {
            self.open = true;
            let start = *start as usize;
            self.stages[start..start + self.size[1] as usize].fill(Stage::Nothing);
        }
    }

    /// The slot of a row and column, counted from the first that are stored.
    #[inline(always)]
    fn slot(&self, row: i32, column: i32) -> usize {
        (self.slots[0][row as usize] + self.slots[1][column as usize]) as usize
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

    /// The maps of all descriptors, by row and column.
    pub(super) fn lattice(&self) -> Lattice<'_> {
        Lattice {
            maps: &self.maps,
            slots: [&self.slots[0], &self.slots[1]],
            first: [0, 1].map(|side| self.first[side] - self.origin[side]),
        }
    }

    /// Where a place on the flat carpet is in plan, its half heading, and the carpet's height there in the
    /// world: between the four descriptors around it.
    pub(super) fn place(&self, rest: Vec2) -> (Vec2, Vec2, f32) {
        let rest = if rest.is_finite() { rest } else { Vec2::ZERO };
        let ([row, column], part) = cell(rest, self.spacing);
        let at = |down: i32, right: i32| self.slot_from_origin(row + down, column + right);
        let corners = [at(0, 0), at(0, 1), at(1, 0), at(1, 1)];
        let mix = |[a, b, c, d]: [f32; 4]| {
            let (low, high) = (a + (b - a) * part.x, c + (d - c) * part.x);
            low + (high - low) * part.y
        };
        let plans = corners.map(|slot| self.plans[slot]);
        let plan = Vec2::new(mix(plans.map(|plan| plan.x)), mix(plans.map(|plan| plan.y)));
        let half = self.half_headings[corners[0]].lerp(self.half_headings[corners[2]], part.y);
        let half = half.try_normalize().unwrap_or(Vec2::X);
        (plan, half, mix(corners.map(|slot| self.averaged[slot])))
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
                let height = self.sampled[self.slot_from_origin(row, column)];
                highest = highest.max(height - slope * beyond);
            }
        }
        highest
    }

    /// Every descriptor that has been laid, in the world: where it is, which way it faces, and what is odd.
    pub fn descriptors(&self) -> impl Iterator<Item = (Vec3, Vec3, Condition)> + '_ {
        let framed = (0..self.stages.len()).filter(|slot| self.stages[*slot] == Stage::Framed);
        framed.map(|slot| {
            let place = self.in_world(self.plans[slot]);
            let position = Vec3::new(place.x, self.averaged[slot], place.y);
            (position, self.normals[slot], self.conditions[slot])
        })
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
                condition = condition.and(self.conditions[slot]);
            }
        }
        condition
    }

    /// How high it is below the body, in the world, m.
    pub fn height(&self) -> f32 {
        self.averaged[self.slot(self.middle[0], self.middle[1])]
    }
}

/// Whether a height can be believed.
pub(super) fn sound(height: f32) -> bool {
    height.abs() <= 1e7
}
