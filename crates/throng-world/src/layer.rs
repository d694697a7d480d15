//! Floors, and the stairs and ramps between them.
//!
//! A person is on one layer at a time. A connector's polygon lies over both floors it joins, with a
//! lower edge on one and an upper edge on the other; its sides are walls on both, its upper edge a
//! wall to those who come at it along the lower floor, and its lower edge the rim of the stairwell
//! to those on the upper one. Someone on a connector changes floor half-way.

use glam::Vec2;

use crate::scene::LayerId;
use crate::{Polygon, Terrain, geometry};

/// A floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Unique name.
    pub name: String,
    /// Height added to its terrain, m.
    pub elevation: f32,
    /// Its ground.
    pub terrain: Terrain,
}

impl Layer {
    /// Height of the ground at `point`, m.
    pub fn height(&self, point: Vec2) -> f32 {
        self.elevation + self.terrain.height(point)
    }
}

/// How a connector climbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectorKind {
    /// With steps.
    Stairs,
    /// With an even slope.
    Ramp,
}

/// Stairs or a ramp from one floor to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Connector {
    /// Unique name.
    pub name: String,
    /// Stairs or ramp.
    pub kind: ConnectorKind,
    /// Where one can stand on it. The entry edges are edges of this outline.
    pub polygon: Polygon,
    /// The floor at its foot.
    pub lower: LayerId,
    /// The floor at its head.
    pub upper: LayerId,
    /// Index of the outline's edge at the foot: from point `i` to point `i + 1`.
    pub lower_edge: usize,
    /// Index of the outline's edge at the head.
    pub upper_edge: usize,
}

impl Connector {
    /// The outline's edge `index`.
    pub fn edge(&self, index: usize) -> (Vec2, Vec2) {
        let points = self.polygon.points();
        (points[index], points[(index + 1) % points.len()])
    }

    /// The edge at which it leaves `layer`, with its index: of the lower floor, that at its head. `None`
    /// for floors it does not join.
    pub fn far_edge(&self, layer: LayerId) -> Option<(usize, (Vec2, Vec2))> {
        let index = match layer {
            layer if layer == self.lower => self.upper_edge,
            layer if layer == self.upper => self.lower_edge,
            _ => return None,
        };
        Some((index, self.edge(index)))
    }

    /// How far up `point` is: 0 at the foot, 1 at the head.
    pub fn progress(&self, point: Vec2) -> f32 {
        let distance = |edge: usize| {
            let (a, b) = self.edge(edge);
            (geometry::det(b - a, point - a) / (b - a).length()).max(0.0)
        };
        let (below, above) = (distance(self.lower_edge), distance(self.upper_edge));
        if below + above > 0.0 { below / (below + above) } else { 0.5 }
    }

    /// The floor someone at `point` on the connector counts to.
    pub fn layer_at(&self, point: Vec2) -> LayerId {
        if self.progress(point) < 0.5 { self.lower } else { self.upper }
    }

    /// Height of the surface at `point`, m, between the floors it joins.
    pub fn height(&self, layers: &[Layer], point: Vec2) -> f32 {
        let middle = |edge: usize| {
            let (a, b) = self.edge(edge);
            (a + b) * 0.5
        };
        let low = layers[self.lower.0 as usize].height(middle(self.lower_edge));
        let high = layers[self.upper.0 as usize].height(middle(self.upper_edge));
        low + (high - low) * self.progress(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Connector {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 6.0), (0.0, 6.0)];
        Connector {
            name: "ramp".into(),
            kind: ConnectorKind::Ramp,
            polygon: Polygon::new(corners.map(Vec2::from)).unwrap(),
            lower: LayerId(0),
            upper: LayerId(1),
            lower_edge: 0,
            upper_edge: 2,
        }
    }

    #[test]
    fn a_ramp_rises_evenly_from_foot_to_head() {
        let layer =
            |name: &str, elevation| Layer { name: name.into(), elevation, terrain: Terrain::Flat };
        let layers = [layer("ground", 1.0), layer("first", 4.0)];
        let at = |y| ramp().height(&layers, Vec2::new(1.3, y));
        assert_eq!([at(0.0), at(2.0), at(6.0)], [1.0, 2.0, 4.0]);
        assert_eq!(ramp().layer_at(Vec2::new(1.0, 2.9)), LayerId(0));
        assert_eq!(ramp().layer_at(Vec2::new(1.0, 3.1)), LayerId(1));
    }
}
