//! What nobody can walk through.

use std::f32::consts::PI;

use glam::Vec2;
use throng_base::{Bounds, Polygon};

use crate::Plan;
use crate::scene::{DEFAULT_HEIGHT, LayerId, Span};

/// An obstacle on a floor.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// A name for messages; may be empty.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// The floor it stands on.
    pub layer: LayerId,
    /// Height for display, m.
    pub height: f32,
    /// When it is there, in order; always, if there are none.
    pub during: Vec<Interval>,
    /// Where it stands in the scene file.
    pub span: Span,
}

/// From a time up to, but not including, another one, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The beginning.
    pub from: f64,
    /// The end.
    pub to: f64,
}

impl Obstacle {
    /// A nameless one that is always there.
    pub fn new(shape: Shape, layer: LayerId) -> Self {
        let height = DEFAULT_HEIGHT as f32;
        Self { name: String::new(), shape, layer, height, during: Vec::new(), span: 0..0 }
    }

    /// Whether it is there at some time, s.
    pub fn is_there(&self, time: f64) -> bool {
        self.is_permanent()
            || self.during.iter().any(|interval| (interval.from..interval.to).contains(&time))
    }

    /// Whether it never comes or goes.
    pub fn is_permanent(&self) -> bool {
        self.during.is_empty()
    }
}

/// The shape of an [`Obstacle`].
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Any simple polygon.
    Polygon(Polygon),
    /// A pillar.
    Circle {
        /// Centre.
        center: Vec2,
        /// Radius, m.
        radius: f32,
    },
    /// A rectangle at an angle.
    Box {
        /// Centre.
        center: Vec2,
        /// Length and width, m.
        size: Vec2,
        /// Counter-clockwise rotation, radians.
        angle: f32,
    },
    /// A wall along a line.
    Polyline {
        /// At least two points.
        points: Vec<Vec2>,
        /// Full thickness, m.
        thickness: f32,
    },
    /// The rim of the world, seen from inside.
    Border(Bounds),
    /// Everything that is outside of a floor plan.
    Plan(Plan),
}

impl Shape {
    /// The shape as solid polygons (their union is the shape). [`Shape::Border`] and
    /// [`Shape::Plan`], which have no end, have none.
    ///
    /// A circle becomes a regular polygon around it, never within it, and no more than 1 cm
    /// outside; a thick polyline one rectangle per stretch and a round joint at each bend.
    pub fn solids(&self) -> Vec<Polygon> {
        match self {
            Self::Polygon(polygon) => vec![polygon.clone()],
            Self::Circle { center, radius } => {
                circumscribed(*center, *radius).into_iter().collect()
            }
            Self::Box { center, size, angle } => {
                let (along, across) = (Vec2::from_angle(*angle), Vec2::from_angle(*angle).perp());
                oriented_box(*center, along * size.x * 0.5, across * size.y * 0.5)
                    .into_iter()
                    .collect()
            }
            Self::Polyline { points, thickness } => thick_line(points, *thickness * 0.5),
            Self::Border(_) | Self::Plan(_) => Vec::new(),
        }
    }

    /// The rectangle around the shape; of a border or plan, around what is free.
    pub fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Border(bounds) => Some(*bounds),
            Self::Plan(plan) => plan.bounds(),
            _ => Bounds::around(self.solids().iter().flat_map(|p| p.points().to_vec())),
        }
    }
}

fn circumscribed(center: Vec2, radius: f32) -> Option<Polygon> {
    // A corner of the n-gon lies radius/cos(π/n) from the centre.
    let deviation = 0.01 / radius.max(1e-3);
    let sides = (PI / (1.0 / (1.0 + deviation)).acos()).ceil().clamp(8.0, 128.0);
    Polygon::regular(center, radius / (PI / sides).cos(), sides as usize).ok()
}

fn oriented_box(center: Vec2, along: Vec2, across: Vec2) -> Option<Polygon> {
    Polygon::new([
        center - along - across,
        center + along - across,
        center + along + across,
        center - along + across,
    ])
    .ok()
}

fn thick_line(points: &[Vec2], half: f32) -> Vec<Polygon> {
    let stretches = points.windows(2).filter_map(|ends| {
        let (a, b) = (ends[0], ends[1]);
        let across = (b - a).normalize_or_zero().perp() * half;
        oriented_box((a + b) * 0.5, (b - a) * 0.5, across)
    });
    let joints = points.windows(3).filter_map(|corner| {
        let (before, after) = (corner[1] - corner[0], corner[2] - corner[1]);
        let straight = before.normalize_or_zero().dot(after.normalize_or_zero()) > 0.9999;
        if straight { None } else { circumscribed(corner[1], half) }
    });
    stretches.chain(joints).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_never_cut_and_hardly_exceeded() {
        for radius in [0.05, 0.3, 2.0, 20.0] {
            let circle = Shape::Circle { center: Vec2::new(1.0, 2.0), radius };
            let polygon = &circle.solids()[0];
            for i in 0..360 {
                let direction = Vec2::from_angle((i as f32).to_radians());
                let rim = Vec2::new(1.0, 2.0) + direction * (radius * 0.999);
                assert!(polygon.contains(rim), "radius {radius} at {i}°");
                let outside = Vec2::new(1.0, 2.0) + direction * (radius + 0.0125);
                assert!(!polygon.contains(outside), "radius {radius} at {i}°");
            }
        }
    }

    #[test]
    fn a_bent_wall_has_no_gap_at_the_bend() {
        let points = vec![Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 4.0)];
        let solids = Shape::Polyline { points, thickness: 0.4 }.solids();
        let outer_corner = Vec2::new(4.13, -0.13);
        assert!(solids.iter().any(|p| p.contains(outer_corner)));
        assert!(!solids.iter().any(|p| p.contains(Vec2::new(3.7, 0.3))));
    }
}
