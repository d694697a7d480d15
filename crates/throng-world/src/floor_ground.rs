//! The floors of a scene as ground to stand on, with the stairs and ramps between them.
//!
//! A carpet asks for hundreds of heights per body and frame, nearly all of them where there is one floor and no stairs
//! in sight. So what stairs need is worked out once, and whole batches are tested against boxes around stairs before
//! single points are.

use crate::scene::LayerId;
use crate::{Climb, Connector, Layer};
use glam::{Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::plan_to_ground;
use throng_base::ground::{Ground, Surface};

/// The floors of a scene, with the treads of the stairs and the slopes of the ramps between them.
///
/// It owns what it needs and shares terrain, so one can be kept and handed out for as long as a scene lasts. Where
/// there are stairs, the floors they join are not; they begin where the stairs' polygon ends. Plans and obstacles
/// make no difference: a floor goes on below them.
#[derive(Clone, Debug)]
pub struct FloorGround {
    layers: Vec<Floor>,
    flights: Vec<Flight>,
}

/// Of several floors, those further above or below than this are other storeys, m.
const STOREY: f32 = 0.8;

/// Within this of a flight, its edge may be in sight, m; beyond the edge, what is not higher or lower than a step can be
/// stepped on, m.
const BESIDE: f32 = 1.5;
const STEP: f32 = 0.3;
/// The part of a flight that is its end.
const END: f32 = 1e-3;

/// A floor and all heights on it.
#[derive(Clone, Debug)]
struct Floor {
    layer: Layer,
    /// The lowest and the highest, m.
    range: [f32; 2],
}

/// A connector with what it takes to climb it.
#[derive(Clone, Debug)]
struct Flight {
    bounds: Bounds,
    climb: Climb,
    connector: Connector,
}

impl FloorGround {
    /// The ground of `layers`, and of those `connectors` that lead from one of them to another.
    pub fn new(layers: &[Layer], connectors: &[Connector]) -> Self {
        let joins = |connector: &&Connector| {
            [connector.lower, connector.upper].iter().all(|id| usize::from(id.0) < layers.len())
        };
        let floor = |layer: &Layer| Floor {
            layer: layer.clone(),
            range: layer.terrain.height_range().map(|height| height + layer.elevation),
        };
        let flight = |connector: &Connector| Flight {
            bounds: connector.polygon.bounds(),
            climb: connector.climb(layers),
            connector: connector.clone(),
        };
        Self {
            layers: layers.iter().map(floor).collect(),
            flights: connectors.iter().filter(joins).map(flight).collect(),
        }
    }

    /// The flights from the first to the last that may have to do with what is `near`.
    fn flights_near(&self, near: impl Fn(&Bounds) -> bool) -> &[Flight] {
        let is_near = |flight: &Flight| near(&flight.bounds);
        match self.flights.iter().position(is_near) {
            Some(first) => {
                let last = self.flights.iter().rposition(is_near).unwrap_or(first);
                &self.flights[first..=last]
            }
            None => &[],
        }
    }

    /// What is nearest to `hint` in height at `place`, of all floors and of `flights`, and its height.
    fn nearest<'a>(
        &'a self,
        flights: &'a [Flight],
        place: Vec2,
        hint: f32,
    ) -> Option<(f32, Part<'a>)> {
        let point = plan_to_ground(place);
        let mut best: Option<(f32, Part)> = None;
        let mut offer = |height: f32, part| {
            if best.is_none_or(|(best, _)| (height - hint).abs() < (best - hint).abs()) {
                best = Some((height, part));
            }
        };
        let mut joined = Joined::default();
        for flight in flights {
            if flight.connector.polygon.contains(point) {
                joined.add(&flight.connector);
                let height = flight.height(point);
                if !self.is_out_of_reach(flight, height, point, hint) {
                    offer(height, Part::Flight(flight));
                }
            }
        }
        for (index, floor) in self.layers.iter().enumerate() {
            // Where there are stairs, the floors they join are not.
            if !joined.has(index) {
                let mut height = [f32::NAN];
                floor.layer.sample(&[place], &[hint], &mut height);
                let is_beside = |flight: &Flight| flight.drops_to(index, height[0], point, hint);
                if (height[0] - hint).abs() <= STOREY && !flights.iter().any(is_beside) {
                    offer(height[0], Part::Layer(&floor.layer));
                }
            }
        }
        best
    }

    /// Whether a flight at `height` is more than a [`STOREY`] above or below the height `hint`, and one of the floors that
    /// it joins is much nearer: to a body on that floor the flight is a wall or an edge.
    fn is_out_of_reach(&self, flight: &Flight, height: f32, point: Vec2, hint: f32) -> bool {
        let apart = (height - hint).abs();
        let is_on = |floor: &LayerId| {
            let Floor { layer, .. } = &self.layers[usize::from(floor.0)];
            2.0 * (layer.height(point) - hint).abs() < apart
        };
        let joins = [flight.connector.lower, flight.connector.upper];
        apart > STOREY && joins.iter().any(is_on)
    }
}

impl Ground for FloorGround {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        if let ([floor], []) = (&self.layers[..], &self.flights[..]) {
            return floor.layer.at(place, hint);
        }
        match self.nearest(&self.flights, place, hint)? {
            (_, Part::Layer(layer)) => layer.at(place, hint),
            (height, Part::Flight(flight)) => {
                Some(Surface { height, normal: flight.normal(plan_to_ground(place)) })
            }
        }
    }

    fn has_storeys(&self) -> bool {
        match (&self.layers[..], &self.flights[..]) {
            ([floor], []) => floor.layer.has_storeys(),
            _ => true,
        }
    }

    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        let Some(around) = Bounds::around(places.iter().map(|place| plan_to_ground(*place))) else {
            return;
        };
        let flights = self.flights_near(|bounds| {
            let near = |side: Vec2, other: Vec2| (side - BESIDE).cmple(other).all();
            near(bounds.min, around.max) && near(around.min, bounds.max)
        });
        if let ([floor], []) = (&self.layers[..], flights) {
            return floor.layer.sample(places, hints, heights);
        }
        for ((place, hint), height) in places.iter().zip(hints).zip(heights) {
            *height = self.nearest(flights, *place, *hint).map_or(f32::NAN, |(height, _)| height);
        }
    }

    fn level(&self, around: Vec2, radius: f32, hint: f32) -> Option<f32> {
        let point = plan_to_ground(around);
        let outside = |bounds: &Bounds| {
            let apart = (bounds.min - point).max(point - bounds.max).max(Vec2::ZERO);
            apart.length() > radius
        };
        if !self.flights.iter().all(|flight| outside(&flight.bounds)) {
            return None;
        }
        let away = |height: f32| (height - hint).abs();
        let flat = self.layers.iter().filter(|floor| floor.layer.terrain.is_flat());
        let level = flat.map(|floor| floor.layer.elevation);
        let level = level.reduce(|best, next| if away(next) < away(best) { next } else { best })?;
        // Hills may come nearer somewhere.
        let comes_nearer = |floor: &Floor| {
            let [low, high] = floor.range;
            !floor.layer.terrain.is_flat() && away(hint.max(low).min(high)) <= away(level)
        };
        (!self.layers.iter().any(comes_nearer)).then_some(level)
    }
}

impl Flight {
    /// Whether a floor at `height` is not what one gets to from beside the flight: who is up there, as `hint` tells,
    /// sees an edge and the floor far below it or above.
    fn drops_to(&self, floor: usize, height: f32, point: Vec2, hint: f32) -> bool {
        let apart = (self.bounds.min - point).max(point - self.bounds.max).max_element();
        let joins = [self.connector.lower, self.connector.upper];
        if apart > BESIDE || !joins.iter().any(|joined| usize::from(joined.0) == floor) {
            return false;
        }
        let edge = self.connector.polygon.nearest_point(point);
        // At its ends a flight leads to the floors.
        let is_side = (END..1.0 - END).contains(&self.connector.progress(edge));
        let side = self.height(edge);
        is_side
            && edge.distance(point) <= BESIDE
            && (height - side).abs() > STEP
            && (height - hint).abs() > (side - hint).abs()
    }

    fn height(&self, point: Vec2) -> f32 {
        self.climb.surface(self.connector.progress(point))
    }

    /// Treads are level.
    fn normal(&self, point: Vec2) -> Vec3 {
        if self.climb.risers > 0 {
            return Vec3::Y;
        }
        self.connector.slope_normal(&self.climb, point)
    }
}

/// What one stands on.
#[derive(Clone, Copy)]
enum Part<'a> {
    Layer(&'a Layer),
    Flight(&'a Flight),
}

/// FloorGround that stairs take the place of: a bit for each.
#[derive(Clone, Copy, Default)]
struct Joined([u64; 4]);

impl Joined {
    fn add(&mut self, connector: &Connector) {
        for floor in [connector.lower, connector.upper] {
            self.0[usize::from(floor.0) / 64] |= 1 << (floor.0 % 64);
        }
    }

    fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::LayerId;
    use crate::{ConnectorKind, Heightfield, Terrain};
    use throng_base::Polygon;
    use throng_base::frame::ground_to_plan;

    fn layer(name: &str, elevation: f32) -> Layer {
        Layer { name: name.into(), elevation, terrain: Terrain::Flat }
    }

    /// From y = 0 to 6 m, up 3 m.
    fn connector(kind: ConnectorKind, steps: Option<u16>) -> Connector {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 6.0), (0.0, 6.0)];
        Connector {
            name: "way up".into(),
            kind,
            polygon: Polygon::new(corners.map(Vec2::from)).unwrap(),
            lower: LayerId(0),
            upper: LayerId(1),
            lower_edge: 0,
            upper_edge: 2,
            steps,
            speed_factor: [1.0; 2],
        }
    }

    fn house(kind: ConnectorKind) -> FloorGround {
        let layers = [layer("ground", 0.0), layer("first", 3.0), layer("cellar", -3.0)];
        FloorGround::new(&layers, &[connector(kind, Some(4))])
    }

    fn place(x: f32, y: f32) -> Vec2 {
        ground_to_plan(Vec2::new(x, y))
    }

    #[test]
    fn stairs_and_ramps_take_the_place_of_the_floors_they_join() {
        for kind in [ConnectorKind::Stairs, ConnectorKind::Ramp] {
            let floors = house(kind);
            assert_eq!(floors.at(place(1.0, 2.0), -2.5).unwrap().height, -3.0);
            let beside = |hint: f32| floors.at(place(5.0, 2.0), hint).unwrap().height;
            assert_eq!([beside(0.4), beside(2.3)], [0.0, 3.0]);
            assert_eq!(floors.at(place(5.0, 2.0), 1.5), None);
            let on_it = |hint: f32| floors.at(place(1.0, 3.1), hint).map(|found| found.height);
            assert!(
                [0.9, 2.1]
                    .iter()
                    .all(|hint| on_it(*hint).is_some_and(|at| (1.4..1.6).contains(&at)))
            );
            // From either floor it is a wall or an edge.
            assert_eq!([on_it(0.0), on_it(3.0)], [None, None]);
        }
    }

    #[test]
    fn beside_a_ramp_there_is_an_edge_and_no_floor_within_a_step() {
        let floors = house(ConnectorKind::Ramp);
        let beside = |y: f32, hint: f32| floors.at(place(2.4, y), hint).map(|found| found.height);
        // Who is on the ramp at 2.3 m sees neither floor; who is on the floor sees it.
        assert_eq!(beside(4.6, 2.3), None);
        assert_eq!([beside(4.6, 0.0), beside(4.6, 3.0)], [Some(0.0), Some(3.0)]);
        // At its foot and at its head one can step off it.
        assert_eq!([beside(0.4, 0.2), beside(5.6, 2.8)], [Some(0.0), Some(3.0)]);
        // Ahead of its ends the floors go on.
        let ahead = |y: f32, hint: f32| floors.at(place(1.0, y), hint).map(|found| found.height);
        assert_eq!([ahead(-0.5, 0.4), ahead(6.5, 2.6)], [Some(0.0), Some(3.0)]);
    }

    #[test]
    fn a_ramp_slopes_from_edge_to_edge() {
        let ramp = house(ConnectorKind::Ramp);
        let slope = Vec3::new(0.0, 2.0, 1.0).normalize();
        for (y, height) in [(0.001, 0.0), (2.0, 1.0), (5.999, 3.0)] {
            let surface = ramp.at(place(1.0, y), height).unwrap();
            assert!((surface.height - height).abs() < 1e-2, "{surface:?}");
            assert!((surface.normal - slope).length() < 1e-5, "{surface:?}");
        }
    }

    #[test]
    fn stairs_are_climbed_tread_by_tread_onto_the_floor_at_their_head() {
        let stairs = house(ConnectorKind::Stairs);
        // As somebody goes up, who expects the ground where it was a moment ago.
        let mut height = 0.0;
        let mut rises = Vec::new();
        for step in 0..800 {
            let y = -1.0 + 0.01 * step as f32 + 0.005;
            let surface = stairs.at(place(1.0, y), height).unwrap();
            assert_eq!(surface.normal, Vec3::Y);
            if surface.height != height {
                rises.push((y.round(), surface.height));
            }
            height = surface.height;
        }
        assert_eq!(rises, [(0.0, 0.75), (2.0, 1.5), (4.0, 2.25), (6.0, 3.0)]);
    }

    #[test]
    fn many_places_are_told_as_single_ones_are() {
        let hill = Heightfield::new(
            Bounds { min: Vec2::splat(-20.0), max: Vec2::splat(20.0) },
            3,
            2,
            vec![0.0, 1.0, 2.0, -1.0, 0.5, 3.0],
        );
        let hill = Layer { terrain: hill.unwrap().into(), ..layer("hill", 0.5) };
        let stairs = connector(ConnectorKind::Stairs, None);
        let several = [hill.clone(), layer("first", 3.0), layer("cellar", -3.0)];
        let beyond = |ground: &FloorGround, away: f32| {
            let places: Vec<Vec2> = (0..200)
                .map(|i| place(away + 0.1 * (i % 20) as f32, 0.5 * (i / 20) as f32))
                .collect();
            let hints: Vec<f32> = (0..200).map(|i| -3.0 + 0.04 * i as f32).collect();
            let mut heights = vec![0.0; 200];
            ground.sample(&places, &hints, &mut heights);
            for ((place, hint), height) in places.iter().zip(&hints).zip(&heights) {
                let single = ground.at(*place, *hint).map_or(f32::NAN, |surface| surface.height);
                assert_eq!(single.to_bits(), height.to_bits(), "{place}");
            }
            heights
        };
        let (near, far) = (0.3, 9.0);
        let with_stairs = FloorGround::new(&several, std::slice::from_ref(&stairs));
        let hill_alone = FloorGround::new(std::slice::from_ref(&hill), &[]);
        assert_ne!(beyond(&with_stairs, near), beyond(&hill_alone, near));
        beyond(&with_stairs, far);
        let heights = beyond(&hill_alone, far);
        assert!(heights.iter().all(|height| *height > 0.5));
        // Stairs to floors that are not there lead nowhere.
        let lost = FloorGround::new(std::slice::from_ref(&hill), &[stairs]);
        assert_eq!(beyond(&lost, near), beyond(&hill_alone, near));
    }

    #[test]
    fn ground_is_level_away_from_stairs_and_hills() {
        let floors = house(ConnectorKind::Stairs);
        let level = |x, y, radius, hint| floors.level(place(x, y), radius, hint);
        assert_eq!(level(4.0, 3.0, 1.9, 0.2), Some(0.0));
        assert_eq!(level(4.0, 3.0, 1.9, 2.0), Some(3.0));
        assert_eq!(level(4.0, 3.0, 2.1, 0.2), None);
        assert_eq!(level(1.0, 3.0, 0.0, 1.5), None);
        // Beyond the corner of the box, not of the larger box around it.
        assert_eq!(level(3.0, 7.0, 1.3, 3.0), Some(3.0));
        assert_eq!(level(3.0, 7.0, f32::NAN, 3.0), None);
        let bounds = Bounds { min: Vec2::ZERO, max: Vec2::splat(10.0) };
        let hill = Heightfield::new(bounds, 2, 2, vec![0.0, 0.0, 0.0, 2.0]).unwrap();
        let hilly = [Layer { terrain: hill.into(), ..layer("hill", 0.0) }, layer("roof", 4.0)];
        let hilly = FloorGround::new(&hilly, &[]);
        let level = |hint| hilly.level(place(5.0, 5.0), 1.0, hint);
        assert_eq!([level(0.5), level(2.9), level(3.1)], [None, None, Some(4.0)]);
    }
}
