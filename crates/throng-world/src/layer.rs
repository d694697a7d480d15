//! Floors, and the stairs and ramps between them.
//!
//! A person is on one layer at a time. A connector's polygon lies over both floors it joins, with a
//! lower edge on one and an upper edge on the other; its sides are walls on both, its upper edge a
//! wall to those who come at it along the lower floor, and its lower edge the rim of the stairwell
//! to those on the upper one. Someone on a connector changes floor half-way.

use glam::{Vec2, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_base::frame::ground_to_world;
use throng_base::{Polygon, geometry, named_enum};

use crate::Terrain;
use crate::scene::LayerId;

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

named_enum! {
    /// How a connector climbs.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum ConnectorKind {
        /// With steps.
        Stairs = "stairs",
        /// With an even slope.
        Ramp = "ramp",
    }
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
    /// How many steps stairs have; as many as it takes for usual ones without.
    pub steps: Option<u16>,
    /// Factors of the speeds that people have up and down stairs or ramps: less than 1 if it is steeper than others.
    pub speed_factor: [f32; 2],
}

/// How high a step usually is, m.
pub(crate) const USUAL_RISER: f32 = 0.17;

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
        let [(below, _), (above, _)] = self.distances(point);
        if below + above > 0.0 { below / (below + above) } else { 0.5 }
    }

    /// Where [`Self::progress`] grows fastest at `point`, and by how much per metre.
    pub fn gradient(&self, point: Vec2) -> Vec2 {
        let [(below, from_foot), (above, from_head)] = self.distances(point);
        let all = below + above;
        if all > 0.0 { (from_foot * above - from_head * below) / (all * all) } else { Vec2::ZERO }
    }

    /// The unit normal of the slope that `climb` describes at `point`.
    pub fn slope_normal(&self, climb: &Climb, point: Vec2) -> Vec3 {
        let [low, high] = climb.ends;
        let slope = self.gradient(point) * (high - low);
        ground_to_world(-slope, 1.0).normalize_or(Vec3::Y)
    }

    /// How far `point` is from the foot and from the head, m, and the unit vectors away from them.
    fn distances(&self, point: Vec2) -> [(f32, Vec2); 2] {
        [self.lower_edge, self.upper_edge].map(|edge| {
            let (a, b) = self.edge(edge);
            let (along, length) = (b - a, (b - a).length());
            ((geometry::det(along, point - a) / length).max(0.0), along.perp() / length)
        })
    }

    /// The floor someone at `point` on the connector counts to.
    pub fn layer_at(&self, point: Vec2) -> LayerId {
        if self.progress(point) < 0.5 { self.lower } else { self.upper }
    }

    /// Height of somebody at `point`, m, who rises evenly between the floors it joins. Feet stand on
    /// [treads](Self::surface).
    pub fn height(&self, layers: &[Layer], point: Vec2) -> f32 {
        let [low, high] = self.ends(layers);
        low + (high - low) * self.progress(point)
    }

    /// Height of its foot and of its head, m.
    pub fn ends(&self, layers: &[Layer]) -> [f32; 2] {
        [(self.lower, self.lower_edge), (self.upper, self.upper_edge)].map(|(layer, edge)| {
            let (a, b) = self.edge(edge);
            layers[layer.0 as usize].height((a + b) * 0.5)
        })
    }

    /// How many steps it has: none, if it is a ramp. The last of them leads onto the upper floor, so there is one tread
    /// less.
    pub fn risers(&self, layers: &[Layer]) -> u16 {
        self.climb(layers).risers
    }

    /// Height of the surface at `point`, m: of the tread there, if it has steps.
    pub fn surface(&self, layers: &[Layer], point: Vec2) -> f32 {
        self.climb(layers).surface(self.progress(point))
    }

    /// How it climbs between the floors it joins, for those who ask often.
    pub fn climb(&self, layers: &[Layer]) -> Climb {
        let ends = self.ends(layers);
        let usual = || {
            let steps = (ends[1] - ends[0]).abs() / USUAL_RISER;
            steps.round().clamp(1.0, 10_000.0) as u16
        };
        let risers = match self.kind {
            ConnectorKind::Ramp => 0,
            ConnectorKind::Stairs => self.steps.unwrap_or_else(usual).max(1),
        };
        Climb { ends, risers }
    }
}

/// How a connector climbs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climb {
    /// Height of its foot and of its head, m.
    pub ends: [f32; 2],
    /// How many steps it has; a ramp has none.
    pub risers: u16,
}

impl Climb {
    /// Height of the surface this far up, from 0 to 1, m: of the tread there, if there are steps.
    pub fn surface(&self, progress: f32) -> f32 {
        let [low, high] = self.ends;
        let climbed = match self.risers {
            0 => progress,
            1 => progress.round(),
            // The first riser is at the foot, the last one at the head.
            risers => {
                let treads = f32::from(risers - 1);
                ((progress * treads).floor().min(treads - 1.0) + 1.0) / f32::from(risers)
            }
        };
        low + (high - low) * climbed
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
            steps: None,
            speed_factor: [1.0; 2],
        }
    }

    #[test]
    fn a_ramp_rises_evenly_from_foot_to_head() {
        let layer =
            |name: &str, elevation| Layer { name: name.into(), elevation, terrain: Terrain::Flat };
        let layers = [layer("ground", 1.0), layer("first", 4.0)];
        let at = |y| ramp().height(&layers, Vec2::new(1.3, y));
        assert_eq!([at(0.0), at(2.0), at(6.0)], [1.0, 2.0, 4.0]);
        assert_eq!(ramp().gradient(Vec2::new(1.3, 0.0)), Vec2::new(0.0, 1.0 / 6.0));
        assert_eq!(ramp().layer_at(Vec2::new(1.0, 2.9)), LayerId(0));
        assert_eq!(ramp().layer_at(Vec2::new(1.0, 3.1)), LayerId(1));
    }

    #[test]
    fn the_gradient_is_that_of_the_progress() {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.5, 5.0), (0.2, 6.0)].map(Vec2::from);
        let winding = Connector { polygon: Polygon::new(corners).unwrap(), ..ramp() };
        for connector in [ramp(), winding] {
            for point in [(0.5, 1.0), (1.5, 4.0), (1.0, 2.5)].map(Vec2::from) {
                let change = |way: Vec2| {
                    let [before, after] =
                        [-0.01, 0.01].map(|by| connector.progress(point + way * by));
                    (after - before) / 0.02
                };
                let expected = Vec2::new(change(Vec2::X), change(Vec2::Y));
                let gradient = connector.gradient(point);
                assert!(gradient.distance(expected) < 1e-4, "{gradient} {expected}");
            }
        }
        assert!((ramp().gradient(Vec2::new(1.0, 2.0)) - Vec2::new(0.0, 1.0 / 6.0)).length() < 1e-6);
    }

    #[test]
    fn stairs_have_a_tread_less_than_steps() {
        let layer =
            |name: &str, elevation| Layer { name: name.into(), elevation, terrain: Terrain::Flat };
        let layers = [layer("ground", 0.0), layer("first", 3.0)];
        let stairs = |steps| Connector { kind: ConnectorKind::Stairs, steps, ..ramp() };
        let four = stairs(Some(4));
        let at = |y| four.surface(&layers, Vec2::new(1.3, y));
        assert_eq!([0.0, 1.9, 2.1, 3.9, 4.1, 6.0].map(at), [0.75, 0.75, 1.5, 1.5, 2.25, 2.25]);
        assert_eq!(stairs(None).risers(&layers), 18);
        assert_eq!(ramp().risers(&layers), 0);
        assert_eq!(ramp().surface(&layers, Vec2::new(1.0, 2.0)), 1.0);
        let one = stairs(Some(1));
        assert_eq!([1.0, 5.0].map(|y| one.surface(&layers, Vec2::new(1.0, y))), [0.0, 3.0]);
    }
}
