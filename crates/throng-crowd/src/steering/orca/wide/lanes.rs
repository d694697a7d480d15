//! Vectors and lines of sixteen people at a time.

use glam::Vec2;

use super::super::MAX_LINES;
use super::super::line::Line;
use crate::neighbours::LANES;
use crate::simd::{Floats, Mask, Simd};

/// A vector of each of sixteen people.
#[derive(Clone, Copy)]
pub(super) struct Vec2s<S: Simd> {
    pub(super) x: S::F,
    pub(super) y: S::F,
}

impl<S: Simd> Vec2s<S> {
    #[inline(always)]
    pub(super) fn load(simd: S, lanes: &[Vec2; LANES]) -> Self {
        let x = simd.load(&lanes.map(|v| v.x));
        Self { x, y: simd.load(&lanes.map(|v| v.y)) }
    }

    #[inline(always)]
    pub(super) fn to_lanes(self) -> [Vec2; LANES] {
        let (x, y) = (self.x.to_array(), self.y.to_array());
        std::array::from_fn(|lane| Vec2::new(x[lane], y[lane]))
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> S::F {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    pub(super) fn det(self, other: Self) -> S::F {
        self.x * other.y - self.y * other.x
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    #[inline(always)]
    pub(super) fn times(self, factor: S::F) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    #[inline(always)]
    pub(super) fn select(mask: S::M, yes: Self, no: Self) -> Self {
        Self { x: mask.select(yes.x, no.x), y: mask.select(yes.y, no.y) }
    }
}

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
