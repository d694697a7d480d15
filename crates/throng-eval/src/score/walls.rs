//! Walls as scoring sees them: whole obstacles, and how deep a body is in them.
//!
//! The index of the scene's walls knows edges. Somebody who slides along a pillar touches one
//! obstacle and not sixteen edges, so every edge is told whose it is. Obstacles that come and go are
//! there when the scene says so.

use glam::Vec2;
use throng_world::scene::LayerId;
use throng_world::{Connector, Obstacle, Scene, Shape, WallId, Walls};

use super::contacts::Object;

/// Walls farther from bodies than this are not measured, m.
pub(super) const REACH: f32 = 2.0;

/// The obstacles of a scene.
#[derive(Clone, Debug)]
pub(super) struct Obstacles {
    obstacles: Vec<Obstacle>,
    connectors: Vec<Connector>,
    floors: usize,
    /// The largest radius so far, m.
    radius: f32,
    /// Which of them are there.
    there: Vec<bool>,
    comes_and_goes: bool,
    walls: Walls,
    /// Whose each edge is.
    owners: Vec<u32>,
}

/// A body among walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub layer: LayerId,
    pub position: Vec2,
    pub radius: f32,
}

impl Obstacles {
    /// Those of a scene at time 0.
    pub fn of(scene: &Scene) -> Self {
        let radii = scene.groups.iter().map(|group| group.radii()[1]);
        let mut obstacles = Self {
            obstacles: scene.obstacles.clone(),
            connectors: scene.connectors.clone(),
            floors: scene.layers.len(),
            radius: radii.fold(0.5, f32::max),
            there: Vec::new(),
            comes_and_goes: scene.obstacles.iter().any(|obstacle| !obstacle.is_permanent()),
            walls: Walls::none(),
            owners: Vec::new(),
        };
        obstacles.rebuild(0.0);
        obstacles
    }

    /// Brings them up to a moment at which bodies have radii up to `largest`.
    pub fn bring_to(&mut self, time: f64, largest: f32) {
        let pairs = || self.obstacles.iter().zip(&self.there);
        let changed = self.comes_and_goes && pairs().any(|(o, &there)| o.is_there(time) != there);
        if changed || largest > self.radius {
            self.radius = self.radius.max(largest);
            self.rebuild(time);
        }
    }

    /// Gives every obstacle that a body is in deeper than `threshold` to `touch`, and returns the gap
    /// to the nearest one, if one is within [`REACH`].
    pub fn touching(
        &self,
        body: Body,
        threshold: f32,
        mut touch: impl FnMut(Object, f32),
    ) -> Option<f32> {
        let Body { layer, position, radius } = body;
        if self.walls.room(layer, position) > radius + REACH
            && self.walls.is_free(layer, position, 0.0)
        {
            return None;
        }
        let mut nearest = (f32::INFINITY, u32::MAX);
        let mut behind = true;
        self.near(layer, position, |owner, distance, faces| {
            nearest = if distance < nearest.0 { (distance, owner) } else { nearest };
            behind &= faces;
        });
        let inside =
            (!behind || nearest.1 == u32::MAX) && !self.walls.is_free(layer, position, 0.0);
        let mut current = (u32::MAX, f32::INFINITY);
        let mut close = |(owner, distance): (u32, f32)| {
            let depth = match inside && owner == nearest.1 {
                true => radius + if distance.is_finite() { distance } else { 0.0 },
                false => radius - distance,
            };
            if depth > threshold {
                touch(Object::Wall(owner), depth);
            }
        };
        self.near(layer, position, |owner, distance, _| {
            if owner == current.0 {
                current.1 = current.1.min(distance);
            } else {
                if current.0 != u32::MAX {
                    close(current);
                }
                current = (owner, distance);
            }
        });
        if current.0 != u32::MAX || inside {
            close(current);
        }
        let depth = if inside { -nearest.0 } else { nearest.0 };
        let gap = if depth.is_finite() { depth - radius } else { -radius };
        (inside || nearest.0 - radius <= REACH).then_some(gap)
    }

    /// Gives all edges near a point to `look`: whose they are, how far away, and whether the point is on
    /// their free side.
    fn near(&self, layer: LayerId, point: Vec2, mut look: impl FnMut(u32, f32, bool)) {
        for &id in self.walls.near(layer, point) {
            let wall = self.walls.get(WallId(id));
            let distance = wall.nearest(point).distance(point);
            look(self.owners[id as usize], distance, wall.faces(point));
        }
    }

    fn rebuild(&mut self, time: f64) {
        self.there.clear();
        self.there.extend(self.obstacles.iter().map(|obstacle| obstacle.is_there(time)));
        let standing = || {
            let numbered = (0..).zip(&self.obstacles).zip(&self.there);
            numbered.filter(|(_, there)| **there).map(|(obstacle, _)| obstacle)
        };
        let obstacles: Vec<&Obstacle> = standing().map(|(_, obstacle)| obstacle).collect();
        let reach = self.radius + REACH;
        let walls = Walls::new(obstacles.iter().copied(), &self.connectors, self.floors, reach);
        // Walls come floor by floor: first those of obstacles in their order, then those of stairs.
        let mut owners: Vec<u32> = Vec::with_capacity(walls.len());
        for layer in (0..self.floors).map(|layer| LayerId(layer as u8)) {
            for (number, obstacle) in standing().filter(|(_, obstacle)| obstacle.layer == layer) {
                let count = self.edges(obstacle);
                owners.extend(std::iter::repeat_n(number, count));
            }
            let sides = self.sides(layer);
            let first = self.obstacles.len() as u32;
            owners.extend((0..sides).map(|side| first + owners_base(layer) + side as u32 / 2));
        }
        owners.resize(walls.len(), u32::MAX - 1);
        (self.walls, self.owners) = (walls, owners);
    }

    /// How many edges an obstacle has.
    fn edges(&self, obstacle: &Obstacle) -> usize {
        let count = |obstacles: &[Obstacle]| {
            Walls::new(obstacles, &self.connectors, self.floors, 0.0).len()
        };
        match &obstacle.shape {
            Shape::Plan(_) | Shape::Border(_) => count(std::slice::from_ref(obstacle)) - count(&[]),
            shape => shape.solids().iter().map(|solid| solid.points().len()).sum(),
        }
    }

    /// How many edges stairs and ramps have on a floor.
    fn sides(&self, layer: LayerId) -> usize {
        let up_to = |floors: usize| Walls::new(&[], &self.connectors, floors, 0.0).len();
        up_to(usize::from(layer.0) + 1) - up_to(usize::from(layer.0))
    }
}

/// Sides of stairs are obstacles of their own, numbered behind those of the scene, floor by floor; both faces of
/// a side are one.
fn owners_base(layer: LayerId) -> u32 {
    u32::from(layer.0) << 20
}
