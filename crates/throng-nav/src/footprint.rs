//! The ground that a map is made of, cleaned up.
//!
//! Scenes have obstacles that overlap, touch, or stick out of the world, and plans drawn by hand.
//! A medial axis wants a plain answer to "where is the wall": rings of points on a lattice of a
//! millimetre, whose edges meet in end points only. The lattice makes what follows exact.

use glam::{DVec2, Vec2};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use throng_base::Polygon;
use throng_world::scene::LayerId;
use throng_world::walkable::{self, Area};
use throng_world::{Connector, Scene};

/// Millimetres in a metre: the lattice that walls lie on.
pub(crate) const LATTICE: f64 = 1000.0;

/// Coordinates further out than this, m, do not fit the lattice.
const FARTHEST: f64 = 1e6;

/// Free or solid slivers smaller than this, mm², come from rounding.
const SMALLEST_AREA: u64 = 25;

/// Half the thickness of the sides of stairs, m. They have none in a scene; on the lattice a wall
/// needs some.
const SIDE: f32 = 0.005;

/// A point of the lattice.
pub(crate) type Node = [i32; 2];

/// What is free, as rings with the free side on their left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    rings: Vec<Vec<Node>>,
    posts: Vec<Node>,
}

/// Why areas are not a [`Footprint`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FootprintError {
    /// A coordinate that is not a number, or too far out.
    #[error(
        "({x}, {y}) is no place on a map: coordinates are metres within a million of the origin"
    )]
    OutOfRange {
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
}

impl Footprint {
    /// What one can walk on: any of `areas`. They may overlap, touch, be nested or cross themselves.
    pub fn new(areas: &[Area]) -> Result<Self, FootprintError> {
        Self::without(areas, &[])
    }

    /// What belongs to any of `areas` and to none of `solids`.
    pub fn without(areas: &[Area], solids: &[Area]) -> Result<Self, FootprintError> {
        let options = IntOverlayOptions {
            // A corner of one ring on an edge of another must be a corner of both.
            preserve_output_collinear: true,
            min_output_area: SMALLEST_AREA,
            ..IntOverlayOptions::ogc()
        };
        let mut overlay = Overlay::from_subj_and_clip_custom(
            &rings(areas)?,
            &rings(solids)?,
            options,
            Default::default(),
        );
        let shapes = overlay.overlay(OverlayRule::Difference, FillRule::NonZero);
        let ring = |ring: Vec<IntPoint<i32>>| ring.into_iter().map(|p| [p.x, p.y]).collect();
        Ok(Self { rings: shapes.into_iter().flatten().map(ring).collect(), posts: Vec::new() })
    }

    /// The ground of a floor: what obstacles leave of it that are always there, cut by the sides of
    /// stairs and ramps.
    pub fn of_floor(scene: &Scene, layer: LayerId) -> Result<Self, FootprintError> {
        Self::with_connectors(&walkable::walkable(scene, layer), &scene.connectors, layer)
    }

    /// What belongs to any of `areas`, cut by the sides of stairs and ramps.
    ///
    /// Of a stair that begins here, one can walk up to its other end; there the map of the other
    /// floor goes on.
    pub fn with_connectors(
        areas: &[Area],
        connectors: &[Connector],
        layer: LayerId,
    ) -> Result<Self, FootprintError> {
        let sides: Vec<Area> =
            connectors.iter().flat_map(|connector| sides(connector, layer)).collect();
        Self::without(areas, &sides)
    }

    /// The same with posts too thin to have a width. Those on a wall or inside one do not matter.
    pub fn with_posts(mut self, posts: &[DVec2]) -> Result<Self, FootprintError> {
        for &post in posts {
            let post = snapped(post)?;
            if !self.posts.contains(&post) && self.is_inside(post) {
                self.posts.push(post);
            }
        }
        Ok(self)
    }

    /// Corners in order, with the free side on the left.
    pub(crate) fn rings(&self) -> &[Vec<Node>] {
        &self.rings
    }

    /// Walls as directed edges, ring by ring.
    fn walls(&self) -> impl Iterator<Item = [Node; 2]> + '_ {
        let edge = |ring: &Vec<Node>, i: usize| [ring[i], ring[(i + 1) % ring.len()]];
        self.rings.iter().flat_map(move |ring| (0..ring.len()).map(move |i| edge(ring, i)))
    }

    /// Points that are walls by themselves.
    pub(crate) fn posts(&self) -> &[Node] {
        &self.posts
    }

    /// How many corners and posts there are.
    pub fn corners(&self) -> usize {
        self.rings.iter().map(Vec::len).sum::<usize>() + self.posts.len()
    }

    /// Whether a point of the lattice is free and not on a wall.
    fn is_inside(&self, point: Node) -> bool {
        let [x, y] = point.map(i64::from);
        let mut inside = false;
        for [a, b] in self.walls().map(|edge| edge.map(|node| node.map(i64::from))) {
            let turn = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
            let between = |i: usize, v: i64| a[i].min(b[i]) <= v && v <= a[i].max(b[i]);
            if turn == 0 && between(0, x) && between(1, y) {
                return false;
            }
            if (a[1] > y) != (b[1] > y) && (turn > 0) == (b[1] > a[1]) {
                inside = !inside;
            }
        }
        inside
    }
}

/// In metres.
pub(crate) fn metres(node: Node) -> DVec2 {
    DVec2::new(f64::from(node[0]), f64::from(node[1])) / LATTICE
}

/// The point of the lattice that a corner in metres came from.
pub(crate) fn node(corner: DVec2) -> Node {
    (corner * LATTICE).round().to_array().map(|value| value as i32)
}

fn snapped(point: DVec2) -> Result<Node, FootprintError> {
    // Written so that what is not a number is out of range.
    if point.abs().max_element() <= FARTHEST {
        Ok(node(point))
    } else {
        Err(FootprintError::OutOfRange { x: point.x, y: point.y })
    }
}

fn rings(areas: &[Area]) -> Result<Vec<Vec<IntPoint<i32>>>, FootprintError> {
    let node = |&point: &DVec2| snapped(point).map(|[x, y]| IntPoint { x, y });
    areas.iter().flat_map(Area::rings).map(|ring| ring.iter().map(node).collect()).collect()
}

/// What keeps people on `layer` from entering or leaving a connector other than by its open end.
fn sides(connector: &Connector, layer: LayerId) -> Vec<Area> {
    let open = match layer {
        layer if layer == connector.lower => connector.lower_edge,
        layer if layer == connector.upper => connector.upper_edge,
        _ => return Vec::new(),
    };
    let edges = (0..connector.polygon.points().len()).filter(|&edge| edge != open);
    edges.filter_map(|edge| thickened(connector.edge(edge))).collect()
}

fn thickened((a, b): (Vec2, Vec2)) -> Option<Area> {
    let across = (b - a).try_normalize()?.perp() * SIDE;
    let along = across.perp();
    let corners = [a + along - across, b - along - across, b - along + across, a + along + across];
    Polygon::new(corners).ok().map(|polygon| Area::from(&polygon))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Area {
        let corner = |dx: f64, dy: f64| DVec2::new(x + dx * side, y + dy * side);
        let ring = vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        Area::new(ring, Vec::new()).unwrap()
    }

    fn area(footprint: &Footprint) -> f64 {
        let cross = |[a, b]: [Node; 2]| metres(a).perp_dot(metres(b));
        footprint.walls().map(cross).sum::<f64>() * 0.5
    }

    #[test]
    fn overlapping_solids_leave_one_hole() {
        let solids = [square(2.0, 2.0, 2.0), square(3.0, 3.0, 2.0)];
        let footprint = Footprint::without(&[square(0.0, 0.0, 10.0)], &solids).unwrap();
        assert_eq!(footprint.rings.len(), 2);
        assert!((area(&footprint) - 93.0).abs() < 1e-6, "{}", area(&footprint));
    }

    #[test]
    fn rings_that_touch_share_a_corner() {
        // The corner of the diamond lies on the border's edge.
        let diamond = [(0.0, 5.0), (2.0, 3.0), (4.0, 5.0), (2.0, 7.0)].map(DVec2::from);
        let solid = Area::new(diamond.into(), Vec::new()).unwrap();
        let footprint = Footprint::without(&[square(0.0, 0.0, 10.0)], &[solid]).unwrap();
        let at = |node: &Node| *node == [0, 5000];
        let corners = footprint.rings.iter().flatten().filter(|node| at(node)).count();
        let begins = footprint.walls().filter(|[a, _]| at(a)).count();
        assert_eq!((corners, begins), (2, 2), "{footprint:?}");
    }

    #[test]
    fn posts_inside_walls_do_not_count() {
        let solids = [square(2.0, 2.0, 2.0)];
        let footprint = Footprint::without(&[square(0.0, 0.0, 10.0)], &solids).unwrap();
        let posts = [(1.0, 1.0), (3.0, 3.0), (2.0, 3.0), (11.0, 1.0), (1.0, 1.0)].map(DVec2::from);
        assert_eq!(footprint.with_posts(&posts).unwrap().posts, [[1000, 1000]]);
    }

    #[test]
    fn places_off_the_map_are_named() {
        let error = Footprint::new(&[square(0.0, 0.0, 1e7)]).unwrap_err();
        assert!(error.to_string().contains("(10000000, 0)"), "{error}");
    }
}
