//! Vectors of sixteen people at a time, one per lane.

use crate::{Floats, LANES, Mask, Simd};
use glam::Vec2;

/// A vector of each of sixteen people.
#[derive(Clone, Copy)]
pub struct Vec2s<S: Simd> {
    /// Their x.
    pub x: S::F,
    /// Their y.
    pub y: S::F,
}

impl<S: Simd> Vec2s<S> {
    /// Sixteen times nothing.
    #[inline(always)]
    pub fn zero(simd: S) -> Self {
        Self { x: simd.splat(0.0), y: simd.splat(0.0) }
    }

    /// One vector per lane.
    #[inline(always)]
    pub fn load(simd: S, lanes: &[Vec2; LANES]) -> Self {
        let [x, y] = simd.load_pairs(lanes);
        Self { x, y }
    }

    /// The reverse of [`Self::load`].
    #[inline(always)]
    pub fn to_lanes(self, simd: S) -> [Vec2; LANES] {
        let mut lanes = [Vec2::ZERO; LANES];
        simd.store_pairs([self.x, self.y], &mut lanes);
        lanes
    }

    /// The dot product of each pair.
    #[inline(always)]
    pub fn dot(self, other: Self) -> S::F {
        self.x * other.x + self.y * other.y
    }

    /// The determinant of each pair: positive if `other` is to the left.
    #[inline(always)]
    pub fn det(self, other: Self) -> S::F {
        self.x * other.y - self.y * other.x
    }

    /// The length of each.
    #[inline(always)]
    pub fn length(self) -> S::F {
        self.dot(self).sqrt()
    }

    /// The sum of each pair.
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    /// The difference of each pair.
    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    /// Each multiplied by its factor.
    #[inline(always)]
    pub fn times(self, factor: S::F) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    /// Shortened to `limit` where it is longer.
    #[inline(always)]
    pub fn at_most(self, simd: S, limit: S::F) -> Self {
        let squared = self.dot(self);
        let shorter = self.times(limit / squared.max(simd.splat(1e-12)).sqrt());
        Self::select(squared.gt(limit * limit), shorter, self)
    }

    /// `yes` where the mask is true, `no` elsewhere.
    #[inline(always)]
    pub fn select(mask: S::M, yes: Self, no: Self) -> Self {
        Self { x: mask.select(yes.x, no.x), y: mask.select(yes.y, no.y) }
    }
}
