//! Where nobody can stand: a lookup of the obstacles at a point.
//!
//! The edges of all obstacles on a floor are sorted into horizontal strips. Whether a point is
//! inside an obstacle (even-odd rule) or close to one is then decided by the edges of its strip
//! alone, which keeps a hundred thousand people among thousands of obstacles, or along one
//! coastline of as many points, a matter of milliseconds.

use glam::Vec2;

use super::super::LayerId;
use crate::geometry::nearest_on_segment;
use crate::random::{Purpose, Random};
use crate::{Bounds, Obstacle, Polygon};

/// The obstacles of all floors.
pub struct Solids {
    floors: Vec<Strips>,
}

/// How a disc meets an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Conflict {
    /// The centre is inside this obstacle.
    Inside(usize),
    /// The disc overlaps this obstacle.
    Near(usize),
}

impl Solids {
    /// Sorts the `obstacles` of `floors` floors.
    pub fn new(floors: usize, obstacles: &[Obstacle], bounds: Bounds) -> Self {
        let on_floor = |floor: usize| {
            let mut edges = Vec::new();
            let mut solid = 0;
            for (obstacle, shape) in obstacles.iter().enumerate() {
                if shape.layer.0 as usize != floor {
                    continue;
                }
                for polygon in shape.shape.solids() {
                    edges.extend(polygon.edges().map(|(a, b)| Edge { a, b, solid, obstacle }));
                    solid += 1;
                }
            }
            Strips::new(&edges, bounds)
        };
        Self { floors: (0..floors).map(on_floor).collect() }
    }

    /// The obstacle that `point` is inside of, by index.
    pub fn at(&self, layer: LayerId, point: Vec2) -> Option<usize> {
        self.floors[layer.0 as usize].enclosing(point)
    }

    /// What a disc at `point` overlaps, if anything.
    pub fn conflict(&self, layer: LayerId, point: Vec2, radius: f32) -> Option<Conflict> {
        let strips = &self.floors[layer.0 as usize];
        let inside = strips.enclosing(point).map(Conflict::Inside);
        inside.or_else(|| strips.near(point, radius).map(Conflict::Near))
    }

    /// Whether nothing of `area` is free. Judged by samples: where hundreds of random points are
    /// all blocked, people would find no place either.
    pub fn cover(&self, layer: LayerId, area: &Polygon) -> bool {
        const SAMPLES: usize = 256;
        let mut stream = Random::new(0).stream(0, 0, Purpose::Placement);
        (0..SAMPLES).all(|_| self.at(layer, area.random_point(&mut stream)).is_some())
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    a: Vec2,
    b: Vec2,
    /// Number of the polygon; an obstacle may have several.
    solid: usize,
    obstacle: usize,
}

struct Strips {
    bottom: f32,
    height: f32,
    /// In each strip the edges of one polygon follow one another.
    strips: Vec<Vec<Edge>>,
}

impl Strips {
    fn new(edges: &[Edge], bounds: Bounds) -> Self {
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

    /// The strips between two heights. What lies beyond the bounds counts to the outermost ones.
    fn touched(&self, y: f32, other_y: f32) -> std::ops::Range<usize> {
        let strip = |y: f32| {
            (((y - self.bottom) / self.height).max(0.0) as usize).min(self.strips.len() - 1)
        };
        strip(y.min(other_y))..strip(y.max(other_y)) + 1
    }

    fn enclosing(&self, p: Vec2) -> Option<usize> {
        let strip = &self.strips[self.touched(p.y, p.y).start];
        strip.chunk_by(|e, f| e.solid == f.solid).find_map(|polygon| {
            let crossings = polygon.iter().filter(|edge| edge.crosses_ray_from(p)).count();
            (crossings % 2 == 1).then(|| polygon[0].obstacle)
        })
    }

    fn near(&self, p: Vec2, radius: f32) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;
    use proptest::prelude::*;

    fn solids(shapes: &[Shape]) -> Solids {
        let obstacle = |shape: &Shape| Obstacle {
            name: String::new(),
            shape: shape.clone(),
            layer: LayerId(0),
            height: 1.0,
            span: 0..0,
        };
        let obstacles: Vec<Obstacle> = shapes.iter().map(obstacle).collect();
        let bounds = Bounds { min: Vec2::splat(-10.0), max: Vec2::splat(10.0) };
        Solids::new(1, &obstacles, bounds)
    }

    #[test]
    fn a_region_is_covered_by_the_union_of_obstacles() {
        let square =
            |x: f32| Shape::Box { center: Vec2::new(x, 0.0), size: Vec2::splat(2.0), angle: 0.0 };
        let between = Polygon::regular(Vec2::ZERO, 0.9, 8).unwrap();
        assert!(solids(&[square(-1.0), square(1.0)]).cover(LayerId(0), &between));
        assert!(!solids(&[square(-1.0)]).cover(LayerId(0), &between));
    }

    proptest! {
        #[test]
        fn strips_agree_with_looking_at_every_polygon(
            circles in prop::collection::vec((-12f32..12.0, -12f32..12.0, 0.1f32..4.0), 0..8),
            x in -10f32..10.0,
            y in -10f32..10.0,
            radius in 0.1f32..3.0,
        ) {
            let point = Vec2::new(x, y);
            let shapes: Vec<Shape> = circles
                .iter()
                .map(|&(x, y, radius)| Shape::Circle { center: Vec2::new(x, y), radius })
                .collect();
            let plain = |test: &dyn Fn(&Polygon) -> bool| {
                shapes.iter().any(|shape| shape.solids().iter().any(test))
            };
            let solids = solids(&shapes);
            let inside = plain(&|polygon| polygon.contains(point));
            let near = plain(&|p| p.nearest_point(point).distance_squared(point) < radius * radius);
            prop_assert_eq!(solids.at(LayerId(0), point).is_some(), inside);
            prop_assert_eq!(solids.conflict(LayerId(0), point, radius).is_some(), inside || near);
        }
    }
}
