//! What a carpet can be laid on.
//!
//! Places are plan positions `(x, z)` of the y-up world. A surface may have several storeys, so every question
//! carries the height at which an answer is expected, and the storey nearest to it answers.

use glam::{Vec2, Vec3};
use throng_world::frame::{ground_to_world, world_to_ground};
use throng_world::{Connector, GroundMesh, Heightfield, Layer, Terrain};

/// The ground at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Its height, m.
    pub height: f32,
    /// Which way it faces: a unit vector.
    pub normal: Vec3,
}

/// Ground that carpets are laid on.
///
/// Answers may be anything: numbers that are not finite, and walls, are as good as holes. A carpet goes on at
/// the height it had and says so ([`Condition`](super::Condition)).
pub trait Ground: Sync {
    /// The ground at the plan position `place` (`x`, `z`) that is nearest in height to `hint`; nothing where
    /// there is none.
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface>;

    /// Whether hints make a difference. Without storeys, all places of a carpet can be asked for at once.
    fn has_storeys(&self) -> bool {
        true
    }

    /// The heights at many places, each with its hint; NaN where there is no ground. All slices are of one
    /// length.
    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        for ((place, hint), height) in places.iter().zip(hints).zip(heights) {
            *height = self.at(*place, *hint).map_or(f32::NAN, |surface| surface.height);
        }
    }
}

/// Level ground at height 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level;

impl Ground for Level {
    fn at(&self, _: Vec2, _: f32) -> Option<Surface> {
        Some(Surface { height: 0.0, normal: Vec3::Y })
    }

    fn has_storeys(&self) -> bool {
        false
    }
}

/// Ground whose height is a function of the plan position (`x`, `z`). Where the function is not finite there
/// is a hole.
#[derive(Clone, Copy, Debug)]
pub struct Relief<F>(pub F);

impl<F: Fn(Vec2) -> f32 + Sync> Ground for Relief<F> {
    fn at(&self, place: Vec2, _: f32) -> Option<Surface> {
        /// Normals are of a patch this wide, m.
        const PATCH: f32 = 0.01;
        let height = (self.0)(place);
        let slope = |along: Vec2| {
            let (before, after) = ((self.0)(place - along), (self.0)(place + along));
            (after - before) / (2.0 * PATCH)
        };
        let (x, z) = (slope(Vec2::new(PATCH, 0.0)), slope(Vec2::new(0.0, PATCH)));
        let normal = Vec3::new(-x, 1.0, -z).try_normalize().unwrap_or(Vec3::Y);
        height.is_finite().then_some(Surface { height, normal })
    }

    fn has_storeys(&self) -> bool {
        false
    }

    fn sample(&self, places: &[Vec2], _: &[f32], heights: &mut [f32]) {
        for (place, height) in places.iter().zip(heights) {
            *height = (self.0)(*place);
        }
    }
}

/// Plan positions of the y-up world are mirrored in scenes' coordinates.
fn plan(place: Vec2) -> Vec2 {
    world_to_ground(Vec3::new(place.x, 0.0, place.y)).0
}

impl Ground for Heightfield {
    fn at(&self, place: Vec2, _: f32) -> Option<Surface> {
        let (height, normal) = self.height_and_normal(plan(place));
        Some(Surface { height, normal })
    }

    fn has_storeys(&self) -> bool {
        false
    }

    fn sample(&self, places: &[Vec2], _: &[f32], heights: &mut [f32]) {
        for (place, height) in places.iter().zip(heights) {
            *height = self.height(plan(*place));
        }
    }
}

impl Ground for GroundMesh {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let (height, normal) = self.surface_near(plan(place), hint)?;
        Some(Surface { height, normal })
    }
}

impl Ground for Terrain {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        match self {
            Self::Flat => Level.at(place, hint),
            Self::Heightfield(field) => field.at(place, hint),
            Self::Mesh(mesh) => mesh.at(place, hint),
        }
    }

    fn has_storeys(&self) -> bool {
        matches!(self, Self::Mesh(_))
    }

    fn sample(&self, places: &[Vec2], hints: &[f32], heights: &mut [f32]) {
        match self {
            Self::Flat => Level.sample(places, hints, heights),
            Self::Heightfield(field) => Ground::sample(&**field, places, hints, heights),
            Self::Mesh(mesh) => Ground::sample(&**mesh, places, hints, heights),
        }
    }
}

impl Ground for Layer {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let surface = self.terrain.at(place, hint - self.elevation)?;
        Some(Surface { height: surface.height + self.elevation, ..surface })
    }

    fn has_storeys(&self) -> bool {
        self.terrain.has_storeys()
    }
}

/// The floors of a scene, with the stairs and ramps between them, which are even slopes.
#[derive(Clone, Copy, Debug)]
pub struct Floors<'a> {
    /// The floors.
    pub layers: &'a [Layer],
    /// What leads from one to another.
    pub connectors: &'a [Connector],
}

impl Ground for Floors<'_> {
    fn at(&self, place: Vec2, hint: f32) -> Option<Surface> {
        let point = plan(place);
        let mut best: Option<Surface> = None;
        let mut offer = |surface: Surface| {
            let away = |surface: &Surface| (surface.height - hint).abs();
            if best.as_ref().is_none_or(|best| away(&surface) < away(best)) {
                best = Some(surface);
            }
        };
        let holding = |connector: &&Connector| connector.polygon.contains(point);
        for connector in self.connectors.iter().filter(holding) {
            offer(self.on_connector(connector, point));
        }
        for (index, layer) in self.layers.iter().enumerate() {
            // Where there are stairs, the floors they join are not.
            let joined = |connector: &Connector| {
                [connector.lower, connector.upper].iter().any(|floor| floor.0 as usize == index)
            };
            if !self.connectors.iter().filter(holding).any(joined)
                && let Some(surface) = layer.at(place, hint)
            {
                offer(surface);
            }
        }
        best
    }
}

impl Floors<'_> {
    fn on_connector(&self, connector: &Connector, point: Vec2) -> Surface {
        /// Slopes are those over this distance, m.
        const APART: f32 = 0.05;
        let height = |point: Vec2| connector.height(self.layers, point);
        let slope = |along: Vec2| (height(point + along) - height(point - along)) / (2.0 * APART);
        let (x, y) = (slope(Vec2::new(APART, 0.0)), slope(Vec2::new(0.0, APART)));
        let normal = ground_to_world(Vec2::new(-x, -y), 1.0).try_normalize().unwrap_or(Vec3::Y);
        Surface { height: height(point), normal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_world::scene::LayerId;
    use throng_world::{ConnectorKind, Polygon};

    #[test]
    fn stairs_take_the_place_of_the_floors_they_join() {
        let layer =
            |name: &str, elevation| Layer { name: name.into(), elevation, terrain: Terrain::Flat };
        let layers = [layer("ground", 0.0), layer("first", 3.0), layer("cellar", -3.0)];
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 6.0), (0.0, 6.0)];
        let connectors = [Connector {
            name: "stairs".into(),
            kind: ConnectorKind::Stairs,
            polygon: Polygon::new(corners.map(Vec2::from)).unwrap(),
            lower: LayerId(0),
            upper: LayerId(1),
            lower_edge: 0,
            upper_edge: 2,
            steps: None,
        }];
        let floors = Floors { layers: &layers, connectors: &connectors };
        // Plan positions have z the other way round.
        let on_stairs = |hint: f32| floors.at(Vec2::new(1.0, -2.0), hint).unwrap();
        assert!((on_stairs(0.0).height - 1.0).abs() < 1e-5);
        assert!((on_stairs(0.0).normal - Vec3::new(0.0, 2.0, 1.0).normalize()).length() < 1e-3);
        assert_eq!(on_stairs(-2.5).height, -3.0);
        let beside = |hint: f32| floors.at(Vec2::new(5.0, -2.0), hint).unwrap().height;
        assert_eq!([beside(0.4), beside(2.0)], [0.0, 3.0]);
    }
}
