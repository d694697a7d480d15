//! Floors, walls and stairs of a scene as surfaces, so that a film shows what people walk on and around.
//!
//! Ground is flat, since a recorded scene has no terrain.

use earcut::Earcut;
use glam::{DVec2, Vec2, Vec3};
use throng_motion::files::gltf::Scenery;
use throng_world::frame::ground_to_world;
use throng_world::scene::LayerId;
use throng_world::walkable::Area;
use throng_world::{Polygon, Scene, Shape};

const FLOOR: [f32; 3] = [0.27, 0.27, 0.26];
const WALLS: [f32; 3] = [0.58, 0.55, 0.50];
const STAIRS: [f32; 3] = [0.36, 0.34, 0.31];

/// The surfaces of `scene`: a floor for each layer, obstacles that are always there as blocks of their
/// height, and stairs and ramps.
pub fn scenery(scene: &Scene) -> Vec<Scenery> {
    let mut pieces = Vec::new();
    for (index, layer) in scene.layers.iter().enumerate() {
        let id = LayerId(index as u8);
        let called = |what: &str| match scene.layers.len() {
            1 => what.to_owned(),
            _ => format!("{what} of {}", layer.name),
        };
        let on_layer = || scene.obstacles.iter().filter(|obstacle| obstacle.layer == id);
        let plans = on_layer().filter_map(|obstacle| match &obstacle.shape {
            Shape::Plan(plan) => Some(plan.areas()),
            _ => None,
        });
        let mut areas: Vec<Area> = plans.flatten().collect();
        if areas.is_empty() {
            areas.push(scene.bounds.into());
        }
        let mut floor = Surface::new(called("floor"), FLOOR);
        areas.iter().for_each(|area| floor.cover(area, |_| layer.elevation));
        pieces.push(floor.0);

        let mut walls = Surface::new(called("walls"), WALLS);
        for obstacle in on_layer().filter(|obstacle| obstacle.is_permanent()) {
            for solid in obstacle.shape.solids() {
                walls.extrude(&solid, layer.elevation, layer.elevation + obstacle.height.max(0.0));
            }
        }
        pieces.push(walls.0);
    }
    let mut stairs = Surface::new("stairs".into(), STAIRS);
    for connector in &scene.connectors {
        // They overlap floors, over which they must be seen.
        let height = |point: Vec2| connector.height(&scene.layers, point) + 0.01;
        stairs.cover(&Area::from(&connector.polygon), height);
    }
    pieces.push(stairs.0);
    pieces.retain(|piece| !piece.triangles.is_empty());
    pieces
}

/// A surface that grows.
struct Surface(Scenery);

impl Surface {
    fn new(name: String, colour: [f32; 3]) -> Self {
        Self(Scenery { name, colour, ..Scenery::default() })
    }

    /// Adds triangles with corners of their own.
    fn add(&mut self, corners: &[Vec3], triangles: &[u32]) {
        let first = self.0.positions.len() as u32;
        for triangle in triangles.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| corners[triangle[corner] as usize]);
            // Whatever the direction of its outline was, ground is seen from above.
            let upside_down = (b - a).cross(c - a).y < 0.0;
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(|corner| first + corner);
            self.0.triangles.push(if upside_down { [a, c, b] } else { [a, b, c] });
        }
        self.0.positions.extend_from_slice(corners);
    }

    fn cover(&mut self, area: &Area, height: impl Fn(Vec2) -> f32) {
        let mut points: Vec<[f64; 2]> = Vec::new();
        let mut holes: Vec<u32> = Vec::new();
        for (index, ring) in area.rings().enumerate() {
            if index > 0 {
                holes.push(points.len() as u32);
            }
            points.extend(ring.iter().map(DVec2::to_array));
        }
        let mut triangles: Vec<u32> = Vec::new();
        Earcut::new().earcut(points.iter().copied(), &holes, &mut triangles);
        let corners: Vec<Vec3> = points
            .iter()
            .map(|point| {
                let point = DVec2::from_array(*point).as_vec2();
                ground_to_world(point, height(point))
            })
            .collect();
        self.add(&corners, &triangles);
        self.0.normals.resize(self.0.positions.len(), Vec3::Y);
    }

    fn extrude(&mut self, polygon: &Polygon, bottom: f32, top: f32) {
        self.cover(&Area::from(polygon), |_| top);
        let points = polygon.points();
        for (index, from) in points.iter().enumerate() {
            let to = points[(index + 1) % points.len()];
            let outwards = ground_to_world((*from - to).perp(), 0.0).normalize_or_zero();
            let first = self.0.positions.len() as u32;
            let corner = |point: Vec2, height: f32| ground_to_world(point, height);
            self.0.positions.extend([
                corner(*from, bottom),
                corner(to, bottom),
                corner(to, top),
                corner(*from, top),
            ]);
            self.0.normals.resize(self.0.positions.len(), outwards);
            self.0.triangles.push([first, first + 1, first + 2]);
            self.0.triangles.push([first, first + 2, first + 3]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const ROOM: &str = "format = 1
[world]
bounds = [[0, 0], [10, 6]]
[[obstacles]]
polygon = [[2, 2], [5, 2], [5, 4], [3, 3], [2, 4]]
height = 2.5
";

    #[test]
    fn floors_and_blocks_are_whole_and_face_outwards() {
        let scene = Scene::parse("room.toml", ROOM, Path::new(".")).unwrap();
        let pieces = scenery(&scene);
        let names: Vec<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["floor", "walls"]);
        let volume = |piece: &Scenery| -> f32 {
            let corner = |index: u32| piece.positions[index as usize];
            let tetrahedron =
                |t: &[u32; 3]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
            piece.triangles.iter().map(tetrahedron).sum()
        };
        // The block stands on height 0, so a missing underside adds nothing.
        assert!((volume(&pieces[1]) - 2.5 * 4.5).abs() < 1e-3, "{}", volume(&pieces[1]));
        for piece in &pieces {
            assert_eq!(piece.positions.len(), piece.normals.len());
            for [a, b, c] in piece.triangles.iter().map(|t| t.map(|i| piece.positions[i as usize]))
            {
                let across = (b - a).cross(c - a);
                let index = piece.positions.iter().position(|p| *p == a).unwrap();
                assert!(across.length() > 0.0 && piece.normals[index].is_normalized());
            }
        }
        let area: f32 = pieces[0]
            .triangles
            .iter()
            .map(|t| t.map(|i| pieces[0].positions[i as usize]))
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).y)
            .sum();
        assert!((area - 60.0).abs() < 1e-3, "{area}");
    }
}
