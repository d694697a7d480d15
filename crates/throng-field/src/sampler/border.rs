//! The hull of anchors for sixteen places at a time; see [`crate::hull`].

use glam::{DVec2, Vec2};
use throng_simd::{Floats, Mask, Simd, Vec2s};

use crate::hull::Hull;

/// Edges of a hull, relative to the middle of its field.
#[derive(Clone, Debug)]
pub(crate) struct Border {
    edges: Vec<Edge>,
    /// 1 / diameter.
    per_diameter: f32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Vec2,
    along: Vec2,
    /// 1 / length².
    per_squared: f32,
}

impl Border {
    /// `None` for a hull without extent, which has no outside.
    pub fn of(hull: &Hull, middle: DVec2) -> Option<Self> {
        if hull.corners().len() < 2 {
            return None;
        }
        let edges = hull.edges().map(|(from, along)| Edge {
            from: (from - middle).as_vec2(),
            along: along.as_vec2(),
            per_squared: (1.0 / along.length_squared()) as f32,
        });
        Some(Self { edges: edges.collect(), per_diameter: (1.0 / hull.diameter()) as f32 })
    }

    /// The places that are outside.
    #[inline(always)]
    pub fn outside<S: Simd>(&self, simd: S, places: Vec2s<S>) -> S::M {
        let zero = simd.splat(0.0);
        let mut outside = simd.mask(0);
        for edge in &self.edges {
            let [from, along] = edge.lanes(simd);
            outside = outside | along.det(places.minus(from)).lt(zero);
        }
        outside
    }

    /// The nearest points of the hull, and how much the field of these counts, for places outside.
    #[inline(always)]
    pub fn nearest<S: Simd>(&self, simd: S, places: Vec2s<S>) -> (Vec2s<S>, S::F) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let mut nearest = Vec2s::zero(simd);
        let mut least = simd.splat(f32::INFINITY);
        for edge in &self.edges {
            let [from, along] = edge.lanes(simd);
            let share = places.minus(from).dot(along) * simd.splat(edge.per_squared);
            let point = from.plus(along.times(share.max(zero).min(one)));
            let way = places.minus(point);
            let squared = way.dot(way);
            let is_nearer = squared.lt(least);
            nearest = Vec2s::select(is_nearer, point, nearest);
            least = is_nearer.select(squared, least);
        }
        let t = (least.sqrt() * simd.splat(self.per_diameter)).min(one);
        (nearest, t * t * (simd.splat(3.0) - simd.splat(2.0) * t))
    }
}

impl Edge {
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S) -> [Vec2s<S>; 2] {
        [self.from, self.along].map(|v| Vec2s { x: simd.splat(v.x), y: simd.splat(v.y) })
    }
}
