//! Where nobody can stand: a lookup of the obstacles at a point.

use glam::Vec2;
use throng_base::random::{Purpose, Random};
use throng_base::{Bounds, Polygon};

use super::super::LayerId;
use crate::strips::{Edge, Strips};
use crate::{Obstacle, Shape};

/// The obstacles of all floors.
pub struct Solids {
    floors: Vec<Floor>,
}

struct Floor {
    obstacles: Strips,
    /// Plans, outside of which all is solid, and which obstacles they are.
    plans: Vec<(usize, Strips)>,
}

/// How a disc meets an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Conflict {
    /// The centre is inside this obstacle, or outside this plan.
    Inside(usize),
    /// The disc overlaps this obstacle.
    Near(usize),
}

impl Solids {
    /// Sorts the `obstacles` of `floors` floors that are there at first.
    pub fn new(floors: usize, obstacles: &[Obstacle], bounds: Bounds) -> Self {
        let on_floor = |floor: usize| {
            let mut edges = Vec::new();
            let mut plans = Vec::new();
            let mut solid = 0;
            for (obstacle, shape) in obstacles.iter().enumerate() {
                if shape.layer.0 as usize != floor || !shape.is_there(0.0) {
                    continue;
                }
                if let Shape::Plan(plan) = &shape.shape {
                    plans.push((obstacle, Strips::of_plan(plan, obstacle, bounds)));
                }
                for polygon in shape.shape.solids() {
                    edges.extend(polygon.edges().map(|(a, b)| Edge { a, b, solid, obstacle }));
                    solid += 1;
                }
            }
            Floor { obstacles: Strips::new(&edges, bounds), plans }
        };
        Self { floors: (0..floors).map(on_floor).collect() }
    }

    /// The obstacle that `point` is inside of, or the plan that it is outside of, by index.
    pub fn at(&self, layer: LayerId, point: Vec2) -> Option<usize> {
        let floor = &self.floors[layer.0 as usize];
        let outside = floor.plans.iter().find(|(_, plan)| plan.enclosing(point).is_none());
        outside.map(|(index, _)| *index).or_else(|| floor.obstacles.enclosing(point))
    }

    /// What a disc at `point` overlaps, if anything.
    pub fn conflict(&self, layer: LayerId, point: Vec2, radius: f32) -> Option<Conflict> {
        let floor = &self.floors[layer.0 as usize];
        let strips = || floor.plans.iter().map(|(_, plan)| plan).chain([&floor.obstacles]);
        let inside = self.at(layer, point).map(Conflict::Inside);
        inside.or_else(|| strips().find_map(|s| s.near(point, radius)).map(Conflict::Near))
    }

    /// Whether a floor has a plan.
    pub fn has_plan(&self, layer: LayerId) -> bool {
        !self.floors[layer.0 as usize].plans.is_empty()
    }

    /// Whether nothing of `area` is free. Judged by samples: where hundreds of random points are
    /// all blocked, people would find no place either.
    pub fn cover(&self, layer: LayerId, area: &Polygon) -> bool {
        const SAMPLES: usize = 256;
        let mut stream = Random::new(0).stream(0, 0, Purpose::Placement);
        (0..SAMPLES).all(|_| self.at(layer, area.random_point(&mut stream)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn solids(shapes: &[Shape]) -> Solids {
        let obstacle = |shape: &Shape| Obstacle::new(shape.clone(), LayerId(0));
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
