//! People for whom nothing is permitted.
//!
//! They are few in an open crowd and many in a dense one, and each needs several linear programs:
//! they are gathered from all batches until sixteen have come together.

use glam::Vec2;
use throng_simd::{Floats, Mask, Simd};

use super::super::line::Line;
use super::super::linear_program::PARALLEL;
use super::lanes::{Lines, Row};
use super::{Goal, best_in_plane};
use crate::neighbours::LANES;
use crate::steering::lanes::Vec2s;

/// Where a postponed result belongs.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    pub(super) batch: usize,
    pub(super) lane: usize,
}

/// Someone for whom nothing is permitted.
#[derive(Clone, Copy)]
pub(super) struct Hopeless<'a> {
    pub(super) slot: Slot,
    /// The first line that left nothing.
    pub(super) failed: f32,
    /// The best velocity before it.
    pub(super) velocity: Vec2,
    pub(super) preferred: Vec2,
    pub(super) max_speed: f32,
    /// The lines of the batch.
    pub(super) lines: &'a Lines,
}

/// People for whom nothing is permitted, gathered for [`Postponed::solve`].
pub(super) struct Postponed {
    pub(super) len: usize,
    slots: [Slot; LANES],
    lines: Lines,
    /// Lines with equal violation.
    projected: Lines,
    own_count: [usize; LANES],
    own_walls: [usize; LANES],
    failed: [f32; LANES],
    velocity: [Vec2; LANES],
    preferred: [Vec2; LANES],
    max_speed: [f32; LANES],
}

impl Postponed {
    pub(super) fn new() -> Self {
        Self {
            len: 0,
            slots: [Slot::default(); LANES],
            lines: Lines::new(),
            projected: Lines::new(),
            own_count: [0; LANES],
            own_walls: [0; LANES],
            failed: [f32::INFINITY; LANES],
            velocity: [Vec2::ZERO; LANES],
            preferred: [Vec2::ZERO; LANES],
            max_speed: [0.0; LANES],
        }
    }

    /// Puts somebody aside. Where the lines of people begin may differ from lane to lane until
    /// [`Self::align`].
    #[inline(always)]
    pub(super) fn push(&mut self, person: Hopeless) {
        let at = self.len;
        self.len += 1;
        self.slots[at] = person.slot;
        self.own_count[at] = person.lines.count;
        self.own_walls[at] = person.lines.wall_count;
        self.failed[at] = person.failed;
        self.velocity[at] = person.velocity;
        self.preferred[at] = person.preferred;
        self.max_speed[at] = person.max_speed;
        for (to, from) in self.lines.rows.iter_mut().zip(person.lines.all()) {
            to.set_lane(at, from.lane(person.slot.lane));
        }
    }

    /// Brings the lines of all lanes to the same lay-out: walls', filled up, then people's.
    fn align(&mut self) {
        let walls = self.own_walls[..self.len].iter().copied().max().unwrap_or(0);
        let mut count = 0;
        for lane in 0..self.len {
            let (own, own_walls) = (self.own_count[lane], self.own_walls[lane]);
            let shift = walls - own_walls;
            if shift > 0 {
                for i in (own_walls..own).rev() {
                    let line = self.lines.rows[i].lane(lane);
                    self.lines.rows[i + shift].set_lane(lane, line);
                }
                for row in &mut self.lines.rows[own_walls..walls] {
                    row.set_lane(lane, Line::FREE);
                }
                if self.failed[lane] >= own_walls as f32 {
                    self.failed[lane] += shift as f32;
                }
                self.own_count[lane] += shift;
            }
            count = count.max(self.own_count[lane]);
        }
        for lane in 0..self.len {
            for row in &mut self.lines.rows[self.own_count[lane]..count] {
                row.set_lane(lane, Line::FREE);
            }
        }
        self.lines.wall_count = walls;
        self.lines.count = count;
    }

    /// The least violation for everyone put aside; see
    /// [`super::linear_program::least_violation`].
    #[inline(always)]
    pub(super) fn solve<S: Simd>(&mut self, simd: S, velocities: &mut [[Vec2; LANES]]) {
        self.align();
        let active = simd.mask(((1u32 << self.len) - 1) as u16);
        let failed = simd.load(&self.failed);
        let max_speed = simd.load(&self.max_speed);
        let preferred = Vec2s::load(simd, &self.preferred);
        let mut best = Vec2s::load(simd, &self.velocity);
        let mut violation = simd.splat(0.0);
        let first = self.failed[..self.len].iter().copied().fold(f32::INFINITY, f32::min);
        for i in first as usize..self.lines.count {
            let row = &self.lines.rows[i];
            let (point, direction) = (row.point(simd), row.direction(simd));
            let worse = direction.det(point.minus(best)).gt(violation)
                & failed.le(simd.splat(i as f32))
                & active;
            if !worse.any() {
                continue;
            }
            self.project(simd, i);
            let goal = Goal::furthest(Vec2s { x: -direction.y, y: direction.x }, preferred);
            let (better, failure) =
                best_in_plane(simd, &self.projected.rows[..i], max_speed, &goal, worse);
            best = Vec2s::select(worse & !failure.mask, better, best);
            violation = worse.select(direction.det(point.minus(best)), violation);
        }
        let lanes = best.to_lanes(simd);
        for (slot, velocity) in self.slots.iter().zip(lanes).take(self.len) {
            velocities[slot.batch][slot.lane] = velocity;
        }
        self.len = 0;
    }

    /// Fills `projected` with the lines of equal violation between line `i` and those before it.
    #[inline(always)]
    fn project<S: Simd>(&mut self, simd: S, i: usize) {
        let (before, row) = (&self.lines.rows[..i], &self.lines.rows[i]);
        let (point, direction) = (row.point(simd), row.direction(simd));
        let walls = self.lines.wall_count.min(i);
        self.projected.rows[..walls].copy_from_slice(&before[..walls]);
        let free_point = Row::FREE.point(simd);
        let free_direction = Row::FREE.direction(simd);
        for (to, other) in self.projected.rows[walls..].iter_mut().zip(&before[walls..]) {
            let (other_point, other_direction) = (other.point(simd), other.direction(simd));
            let difference = other_direction.minus(direction);
            let length = difference.dot(difference).sqrt();
            let unit = difference.times(simd.splat(1.0) / length);
            let offset = other_direction.det(other_point) - direction.det(point);
            let inwards = Vec2s { x: -unit.y, y: unit.x };
            let together = length.le(simd.splat(PARALLEL));
            to.set(
                Vec2s::select(together, free_point, inwards.times(offset / length)),
                Vec2s::select(together, free_direction, unit),
            );
        }
    }
}
