//! Which polygon a point is in, and which are close, without looking at all of them.
//!
//! Edges are sorted into horizontal strips. Whether a point is inside a polygon (even-odd rule) or
//! close to one is then decided by the edges of its strip alone, which keeps a hundred thousand
//! people among thousands of obstacles, or along one coastline of as many points, a matter of
//! milliseconds.

use glam::Vec2;
use throng_base::geometry::nearest_on_segment;
use throng_base::{Bounds, Polygon};

use crate::Plan;

/// An edge of a polygon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub a: Vec2,
    pub b: Vec2,
    /// Number of the polygon; rings of the same number are one polygon with holes.
    pub solid: usize,
    /// What the polygon belongs to.
    pub obstacle: usize,
}

/// Edges by the strips they are in.
#[derive(Clone, Debug)]
pub(crate) struct Strips {
    bottom: f32,
    height: f32,
    /// In each strip the edges of one polygon follow one another.
    strips: Vec<Vec<Edge>>,
}

impl Strips {
    /// Sorts `edges`; those of one polygon must follow one another.
    pub fn new(edges: &[Edge], bounds: Bounds) -> Self {
        // Long edges occur in many strips: fewer strips keep the memory in proportion.
        const MOST_STRIPS: usize = 512;
        const MOST_ENTRIES: usize = 4_000_000;
        let empty = |count: usize| Self {
            bottom: bounds.min.y,
            height: bounds.size().y / count as f32,
            strips: vec![Vec::new(); count],
        };
        let mut sorted = empty(MOST_STRIPS);
        let entries = |strips: &Self| -> usize {
            edges.iter().map(|edge| strips.touched(edge.a.y, edge.b.y).len()).sum()
        };
        while sorted.strips.len() > 1 && entries(&sorted) > MOST_ENTRIES.max(edges.len()) {
            sorted = empty(sorted.strips.len() / 2);
        }
        for edge in edges {
            for strip in sorted.touched(edge.a.y, edge.b.y) {
                sorted.strips[strip].push(*edge);
            }
        }
        sorted
    }

    /// The rings of a plan, as one polygon.
    pub fn of_plan(plan: &Plan, obstacle: usize, bounds: Bounds) -> Self {
        let edge = |(a, b)| Edge { a, b, solid: 0, obstacle };
        let edges: Vec<Edge> = plan.rings().flat_map(Polygon::edges).map(edge).collect();
        Self::new(&edges, bounds)
    }

    /// The strips between two heights. What lies beyond the bounds counts to the outermost ones.
    fn touched(&self, y: f32, other_y: f32) -> std::ops::Range<usize> {
        let strip = |y: f32| {
            (((y - self.bottom) / self.height).max(0.0) as usize).min(self.strips.len() - 1)
        };
        strip(y.min(other_y))..strip(y.max(other_y)) + 1
    }

    /// What `p` is inside of.
    pub fn enclosing(&self, p: Vec2) -> Option<usize> {
        let strip = &self.strips[self.touched(p.y, p.y).start];
        strip.chunk_by(|e, f| e.solid == f.solid).find_map(|polygon| {
            let crossings = polygon.iter().filter(|edge| edge.crosses_ray_from(p)).count();
            (crossings % 2 == 1).then(|| polygon[0].obstacle)
        })
    }

    /// What has an edge within `radius` of `p`.
    pub fn near(&self, p: Vec2, radius: f32) -> Option<usize> {
        self.strips[self.touched(p.y - radius, p.y + radius)]
            .iter()
            .flatten()
            .find(|edge| edge.is_near(p, radius))
            .map(|edge| edge.obstacle)
    }
}

impl Edge {
    /// Whether a ray from `p` along +x crosses the edge.
    fn crosses_ray_from(&self, p: Vec2) -> bool {
        let (a, b) = (self.a, self.b);
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y))
    }

    fn is_near(&self, p: Vec2, radius: f32) -> bool {
        let (low, high) = (self.a.min(self.b) - radius, self.a.max(self.b) + radius);
        p.cmpge(low).all()
            && p.cmple(high).all()
            && nearest_on_segment(self.a, self.b, p).distance_squared(p) < radius * radius
    }
}
