//! A crowd in a few lines, for tests through the public interface.
#![allow(dead_code, clippy::unwrap_used, reason = "shared by several test files")]

use glam::Vec2;
use throng_crowd::{Crowd, NewPerson, PersonId, Plan, Setting, SteeringTraits};
use throng_world::scene::{Aim, Goal, GroupId, LayerId, Region, Then};
use throng_world::{Bounds, Heading, Layer, Obstacle, Polygon, Shape, Terrain, Walls};

pub const GROUND: LayerId = LayerId(0);

/// An empty plane with a step of 0.1 s.
pub fn plane() -> Setting {
    Setting {
        step: 0.1,
        seed: 1,
        layers: vec![Layer { name: "ground".into(), elevation: 0.0, terrain: Terrain::Flat }],
        connectors: Vec::new(),
        walls: Walls::none(),
        regions: Vec::new(),
    }
}

pub fn with_obstacles(shapes: impl IntoIterator<Item = Shape>) -> Setting {
    let obstacles: Vec<Obstacle> = shapes
        .into_iter()
        .map(|shape| Obstacle {
            name: String::new(),
            shape,
            layer: GROUND,
            height: 2.5,
            span: 0..0,
        })
        .collect();
    Setting { walls: Walls::new(&obstacles, &[], 1, 4.0), ..plane() }
}

pub fn rectangle(min: (f32, f32), max: (f32, f32)) -> Shape {
    let bounds = Bounds { min: min.into(), max: max.into() };
    Shape::Polygon(Polygon::new(bounds.corners()).unwrap())
}

pub fn region(bounds: Bounds) -> Region {
    Region {
        name: "region".into(),
        polygon: Polygon::new(bounds.corners()).unwrap(),
        layer: GROUND,
        tags: Vec::new(),
    }
}

pub fn goal(aim: Aim) -> Goal {
    Goal { aim, speed: None, duration: f32::INFINITY, span: 0..0 }
}

pub fn seek(point: Vec2, within: f32) -> Goal {
    goal(Aim::Seek { point, layer: GROUND, within })
}

/// Someone of ordinary build who steers by ORCA.
pub fn person(position: Vec2, plan: u32) -> NewPerson {
    NewPerson {
        group: GroupId(0),
        model: 0,
        position,
        layer: GROUND,
        velocity: Vec2::ZERO,
        heading: Heading::default(),
        radius: 0.3,
        preferred_speed: 1.3,
        max_speed: 1.6,
        plan,
        traits: SteeringTraits { neighbour_range: 10.0, max_neighbours: 10, responsibility: 0.5 },
        parameters: [3.0, 1.0, 1.0, 0.0],
    }
}

/// Adds someone who walks to `target` and stays there.
pub fn walker(crowd: &mut Crowd, from: Vec2, target: Vec2) -> PersonId {
    let plan = crowd.add_plan(Plan { goals: vec![seek(target, 0.5)], then: Then::Stay });
    crowd.add(&person(from, plan))
}

/// Pairs closer than contact, and the least distance as a share of contact distance.
pub fn overlaps(crowd: &Crowd) -> (usize, f32) {
    let mut people: Vec<_> = crowd.people().map(|p| (p.position, p.radius, p.layer)).collect();
    people.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let (mut pairs, mut least) = (0, f32::INFINITY);
    for (i, &(p, r, layer)) in people.iter().enumerate() {
        for &(q, s, other_layer) in &people[i + 1..] {
            if q.x - p.x > 2.0 {
                break;
            }
            if layer == other_layer {
                let ratio = p.distance(q) / (r + s);
                pairs += usize::from(ratio < 1.0);
                least = least.min(ratio);
            }
        }
    }
    (pairs, least)
}
