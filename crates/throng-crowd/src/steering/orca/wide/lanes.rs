//! Lines of sixteen people at a time.

use glam::Vec2;
use throng_simd::{Floats, Simd};

use super::super::MAX_LINES;
use super::super::line::Line;
use crate::neighbours::LANES;
use crate::steering::lanes::Vec2s;

/// One line of each of sixteen people.
#[derive(Clone, Copy)]
pub(super) struct Row {
    point: [[f32; LANES]; 2],
    direction: [[f32; LANES]; 2],
}

impl Row {
    pub(super) const FREE: Self = Self {
        point: [[Line::FREE.point.x; LANES], [Line::FREE.point.y; LANES]],
        direction: [[Line::FREE.direction.x; LANES], [Line::FREE.direction.y; LANES]],
    };

    #[inline(always)]
    pub(super) fn set<S: Simd>(&mut self, point: Vec2s<S>, direction: Vec2s<S>) {
        point.x.store(&mut self.point[0]);
        point.y.store(&mut self.point[1]);
        direction.x.store(&mut self.direction[0]);
        direction.y.store(&mut self.direction[1]);
    }

    #[inline(always)]
    pub(super) fn point<S: Simd>(&self, simd: S) -> Vec2s<S> {
        Vec2s { x: simd.load(&self.point[0]), y: simd.load(&self.point[1]) }
    }

    #[inline(always)]
    pub(super) fn direction<S: Simd>(&self, simd: S) -> Vec2s<S> {
        Vec2s { x: simd.load(&self.direction[0]), y: simd.load(&self.direction[1]) }
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, line: Line) {
        self.point[0][lane] = line.point.x;
        self.point[1][lane] = line.point.y;
        self.direction[0][lane] = line.direction.x;
        self.direction[1][lane] = line.direction.y;
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Line {
        Line {
            point: Vec2::new(self.point[0][lane], self.point[1][lane]),
            direction: Vec2::new(self.direction[0][lane], self.direction[1][lane]),
        }
    }
}

/// The lines of sixteen people, walls' first. Lanes that have fewer are filled up with
/// [`Line::FREE`].
pub(super) struct Lines {
    pub(super) rows: [Row; MAX_LINES],
    pub(super) wall_count: usize,
    pub(super) count: usize,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self { rows: [Row::FREE; MAX_LINES], wall_count: 0, count: 0 }
    }

    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.wall_count = 0;
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn all(&self) -> &[Row] {
        &self.rows[..self.count]
    }
}
