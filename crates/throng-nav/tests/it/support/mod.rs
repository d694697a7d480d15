//! Worlds to walk in.
#![allow(dead_code, clippy::unwrap_used, reason = "each test and benchmark uses some of it")]

pub mod mesh;
pub mod sight;

use glam::DVec2;
use proptest::prelude::*;
use throng_nav::{CorridorMap, Footprint, MapRules};
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, difference};

pub const GROUND: LayerId = LayerId(0);

pub fn point(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

pub fn rectangle(x: [f64; 2], y: [f64; 2]) -> Area {
    let ring = vec![point(x[0], y[0]), point(x[1], y[0]), point(x[1], y[1]), point(x[0], y[1])];
    Area::new(ring, Vec::new()).unwrap()
}

/// The map of a ground with solids on it.
pub fn map(ground: &[Area], solids: &[Area]) -> CorridorMap {
    let footprint = Footprint::without(ground, solids).unwrap();
    CorridorMap::new(&[footprint], &MapRules::default()).unwrap()
}

/// A square of `blocks` × `blocks` houses, 20 m wide, with streets of 6 m, and around them.
pub fn city(blocks: u32) -> (Vec<Area>, Vec<Area>) {
    let side = f64::from(blocks) * 26.0 + 6.0;
    let block = |i: u32| {
        let at = |i: u32| 6.0 + 26.0 * f64::from(i);
        let (x, y) = (at(i % blocks), at(i / blocks));
        rectangle([x, x + 20.0], [y, y + 20.0])
    };
    (vec![rectangle([0.0, side], [0.0, side])], (0..blocks * blocks).map(block).collect())
}

/// Distance from `at` to the nearest edge by brute force, negative outside of the free areas.
pub fn brute_clearance(areas: &[Area], at: DVec2) -> f64 {
    let free = areas.iter().any(|area| area.contains(at));
    let rings = areas.iter().flat_map(Area::rings);
    let edges =
        rings.flat_map(|ring| (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()])));
    let distance = edges
        .map(|(a, b)| {
            let along = b - a;
            let share = ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            (a + along * share).distance(at)
        })
        .fold(f64::INFINITY, f64::min);
    if free { distance } else { -distance }
}

/// A small random number generator: tests need points, not quality.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Convex obstacles apart from each other or not, in a square of 40 m.
pub fn scattered(count: u32, seed: u64) -> (Vec<Area>, Vec<Area>) {
    scattered_over(40.0, count, seed)
}

/// The same in a square of any size.
pub fn scattered_over(side: f64, count: u32, seed: u64) -> (Vec<Area>, Vec<Area>) {
    let mut dice = Dice::new(seed);
    let solids = (0..count).map(|_| {
        let (x, y) = (dice.between(0.0, side), dice.between(0.0, side));
        let (size, turn) = (dice.between(0.5, 4.0), dice.between(0.0, 6.0));
        let corners = 3 + (dice.unit() * 5.0) as u32;
        let corner = |i: u32| {
            let angle = turn + std::f64::consts::TAU * f64::from(i) / f64::from(corners);
            point(x, y) + DVec2::from_angle(angle) * size
        };
        Area::new((0..corners).map(corner).collect(), Vec::new()).unwrap()
    });
    (vec![rectangle([0.0, side], [0.0, side])], solids.collect())
}

/// Any polygons at all, on a coarse lattice so that they touch, overlap, cross themselves, repeat
/// points and lie on each other's edges.
pub fn soup() -> impl Strategy<Value = Vec<Area>> {
    let corner = (-2i32..14, -2i32..14).prop_map(|(x, y)| point(f64::from(x), f64::from(y)));
    let ring = prop::collection::vec(corner, 3..7);
    let rings = ring.prop_filter_map("a ring", |ring| Area::new(ring, Vec::new()).ok());
    prop::collection::vec(rings, 0..8)
}

/// The same, but with coordinates that fit no lattice. Needles are left out: what is thinner than a
/// millimetre is not on the map.
pub fn fine_soup() -> impl Strategy<Value = Vec<Area>> {
    let corner = (-2f64..14.0, -2f64..14.0).prop_map(|(x, y)| point(x, y));
    let ring = prop::collection::vec(corner, 3..7);
    let rings = ring.prop_filter_map("a ring without needles", |ring| {
        let count = ring.len();
        let blunt = (0..count).all(|i| {
            let (before, at, after) =
                (ring[(i + count - 1) % count], ring[i], ring[(i + 1) % count]);
            (before - at).angle_to(after - at).abs() > 0.1
        });
        Area::new(ring, Vec::new()).ok().filter(|_| blunt)
    });
    prop::collection::vec(rings, 0..8)
}

/// What is at least `clearance` away from all walls: obstacles grown by it, as many-cornered
/// polygons.
pub fn inflated(ground: &Area, solids: &[Area], clearance: f64) -> Vec<Area> {
    let grow = |area: &Area| {
        let ring = area.outline();
        let corner = |i: usize| {
            let (before, at) = (ring[(i + ring.len() - 1) % ring.len()], ring[i]);
            let after = ring[(i + 1) % ring.len()];
            let normal = |a: DVec2, b: DVec2| -(b - a).normalize().perp();
            let (first, last) = (normal(before, at), normal(at, after));
            let turn = first.angle_to(last);
            // Tangents of the circle: nothing nearer than the clearance is left.
            (0..8).map(move |i| {
                let way = DVec2::from_angle(turn * (f64::from(i) + 0.5) / 8.0).rotate(first);
                at + way * clearance / (turn / 16.0).cos()
            })
        };
        Area::new((0..ring.len()).flat_map(corner).collect(), Vec::new()).unwrap()
    };
    let (min, max) = ground.extent();
    let inner =
        rectangle([min.x + clearance, max.x - clearance], [min.y + clearance, max.y - clearance]);
    difference(&[inner], &solids.iter().map(grow).collect::<Vec<_>>())
}
