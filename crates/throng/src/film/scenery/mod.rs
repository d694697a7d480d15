//! Floors, walls and stairs of a scene as surfaces, so that a film shows what people walk on and around.
//!
//! Floors are cut where stairs and ramps begin, as people stand on these instead; what stands on hills reaches down to the
//! lowest ground around it.

mod stairs;
mod terrain;

use earcut::Earcut;
use glam::{DVec2, Vec2, Vec3};
use throng_base::Polygon;
use throng_base::frame::ground_to_world;
use throng_motion::files::gltf::Scenery;
use throng_world::scene::LayerId;
use throng_world::walkable::{Area, difference};
use throng_world::{Layer, Scene, Shape};

const FLOOR: [f32; 3] = [0.27, 0.27, 0.26];
const WALLS: [f32; 3] = [0.58, 0.55, 0.50];
const STAIRS: [f32; 3] = [0.36, 0.34, 0.31];

/// The surfaces of `scene`: the ground of each layer, obstacles that are always there as blocks of their
/// height, and stairs and ramps.
pub fn scenery(scene: &Scene) -> Vec<Scenery> {
    let mut pieces = Vec::new();
    for (index, layer) in scene.layers.iter().enumerate() {
        let id = LayerId(index as u8);
        let called = |what: &str| match scene.layers.len() {
            1 => what.to_owned(),
            _ => format!("{what} of {}", layer.name),
        };
        let mut floor = Surface::new(called("floor"), FLOOR);
        terrain::lay(&mut floor, layer, scene.bounds, &floor_areas(scene, id), &wells(scene, id));
        pieces.push(floor.0);

        let mut walls = Surface::new(called("walls"), WALLS);
        let on_layer = scene.obstacles.iter().filter(|obstacle| obstacle.layer == id);
        for obstacle in on_layer.filter(|obstacle| obstacle.is_permanent()) {
            // Long walls follow the ground; houses have level roofs.
            let follows = matches!(obstacle.shape, Shape::Polyline { .. });
            for solid in obstacle.shape.solids() {
                walls.stand(&solid, layer, obstacle.height.max(0.0), follows);
            }
        }
        pieces.push(walls.0);
    }
    let mut flights = Surface::new("stairs".into(), STAIRS);
    for connector in &scene.connectors {
        let climb = connector.climb(&scene.layers);
        let ground = &scene.layers[usize::from(connector.lower.0)];
        let outline = outline_on(&connector.polygon, ground);
        let lowest = lowest(&outline, ground).min(climb.ends[0]);
        stairs::build(&mut flights, connector, climb, lowest);
    }
    pieces.push(flights.0);
    pieces.retain(|piece| !piece.triangles.is_empty());
    pieces
}

/// Where there is a floor: where its plan says, and not where stairs are.
fn floor_areas(scene: &Scene, layer: LayerId) -> Vec<Area> {
    let on_layer = scene.obstacles.iter().filter(|obstacle| obstacle.layer == layer);
    let plans = on_layer.filter_map(|obstacle| match &obstacle.shape {
        Shape::Plan(plan) => Some(plan.areas()),
        _ => None,
    });
    let mut areas: Vec<Area> = plans.flatten().collect();
    if areas.is_empty() {
        areas.push(scene.bounds.into());
    }
    let wells = wells(scene, layer);
    if wells.is_empty() { areas } else { difference(&areas, &wells) }
}

/// What stairs and ramps take of a floor.
fn wells(scene: &Scene, layer: LayerId) -> Vec<Area> {
    let joined = scene.connectors.iter().filter(|way| way.lower == layer || way.upper == layer);
    joined.map(|connector| Area::from(&connector.polygon)).collect()
}

/// A surface that grows.
struct Surface(Scenery);

impl Surface {
    fn new(name: String, colour: [f32; 3]) -> Self {
        Self(Scenery { name, colour, ..Scenery::default() })
    }

    fn add_corner(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.0.positions.push(position);
        self.0.normals.push(normal);
        self.0.positions.len() as u32 - 1
    }

    /// Adds a triangle, unless it has no area.
    fn add_triangle(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|corner| self.0.positions[corner as usize]);
        if (b - a).cross(c - a).length_squared() > 0.0 {
            self.0.triangles.push(corners);
        }
    }

    /// Adds ground over `area`, to be seen from above.
    fn cover(&mut self, area: &Area, height: impl Fn(Vec2) -> f32, normal: impl Fn(Vec2) -> Vec3) {
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
        let first = self.0.positions.len() as u32;
        for point in &points {
            let point = DVec2::from_array(*point).as_vec2();
            self.add_corner(ground_to_world(point, height(point)), normal(point));
        }
        for &[a, b, c] in triangles.as_chunks().0 {
            let corner = |index: u32| self.0.positions[(first + index) as usize];
            // Whatever the direction of its outline was, ground is seen from above.
            let upside_down = (corner(b) - corner(a)).cross(corner(c) - corner(a)).y < 0.0;
            let corners = if upside_down { [a, c, b] } else { [a, b, c] };
            self.add_triangle(corners.map(|corner| first + corner));
        }
    }

    /// Adds an upright face from `from` to `to` with these heights at its ends, to be seen from the right of
    /// the way there; from the left, if its top is below its bottom.
    fn face(&mut self, [from, to]: [Vec2; 2], bottom: [f32; 2], top: [f32; 2]) {
        let upright = top[0] + top[1] >= bottom[0] + bottom[1];
        let outwards = if upright { (from - to).perp() } else { (to - from).perp() };
        let outwards = ground_to_world(outwards, 0.0).normalize_or_zero();
        let corners = [(from, bottom[0]), (to, bottom[1]), (to, top[1]), (from, top[0])];
        let [a, b, c, d] = corners
            .map(|(point, height)| self.add_corner(ground_to_world(point, height), outwards));
        self.add_triangle([a, b, c]);
        self.add_triangle([a, c, d]);
    }

    /// Adds a block of this height that stands on `layer`. Its top follows the ground, or is level.
    fn stand(&mut self, polygon: &Polygon, layer: &Layer, height: f32, follows_ground: bool) {
        let outline = outline_on(polygon, layer);
        let lowest = lowest(&outline, layer);
        let grounds = outline.iter().map(|point| layer.height(*point));
        let highest = grounds.fold(f32::NEG_INFINITY, f32::max);
        let top = |point: Vec2| match follows_ground {
            true => layer.height(point) + height,
            false => highest + height,
        };
        let corners = outline.iter().map(|point| point.as_dvec2()).collect();
        let Ok(area) = Area::new(corners, Vec::new()) else { return };
        self.cover(&area, top, |_| Vec3::Y);
        for (index, from) in outline.iter().enumerate() {
            let to = outline[(index + 1) % outline.len()];
            self.face([*from, to], [lowest; 2], [top(*from), top(to)]);
        }
    }
}

/// The lowest ground of `layer` at `points`, m.
fn lowest(points: &[Vec2], layer: &Layer) -> f32 {
    points.iter().map(|point| layer.height(*point)).fold(f32::INFINITY, f32::min)
}

/// The outline of `polygon` with so many points that the ground between them is as good as straight.
fn outline_on(polygon: &Polygon, layer: &Layer) -> Vec<Vec2> {
    const APART: f32 = 1.0;
    const MOST: f32 = 1000.0;
    if layer.terrain.is_flat() {
        return polygon.points().to_vec();
    }
    let mut points = Vec::new();
    for (from, to) in polygon.edges() {
        let parts = (from.distance(to) / APART).ceil().clamp(1.0, MOST);
        points.extend((0..parts as u32).map(|part| from.lerp(to, part as f32 / parts)));
    }
    points
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

    fn parse(text: &str) -> Scene {
        Scene::parse("room.toml", text, Path::new(".")).unwrap_or_else(|errors| panic!("{errors}"))
    }

    fn triangles(piece: &Scenery) -> impl Iterator<Item = [Vec3; 3]> {
        piece.triangles.iter().map(|t| t.map(|i| piece.positions[i as usize]))
    }

    /// Of a closed surface, or of one without an underside that stands on height 0.
    fn volume(piece: &Scenery) -> f32 {
        triangles(piece).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Seen from above, m².
    fn area(piece: &Scenery) -> f32 {
        triangles(piece).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).y).sum()
    }

    fn check(piece: &Scenery) {
        assert_eq!(piece.positions.len(), piece.normals.len());
        for corners in &piece.triangles {
            let [a, b, c] = corners.map(|i| piece.positions[i as usize]);
            let across = (b - a).cross(c - a);
            assert!(across.length() > 0.0);
            for normal in corners.map(|i| piece.normals[i as usize]) {
                assert!(normal.is_normalized() && normal.dot(across) > 0.0, "{normal} {across}");
            }
        }
    }

    #[test]
    fn floors_and_blocks_are_whole_and_face_outwards() {
        let pieces = scenery(&parse(ROOM));
        let names: Vec<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["floor", "walls"]);
        assert!((volume(&pieces[1]) - 2.5 * 4.5).abs() < 1e-3, "{}", volume(&pieces[1]));
        pieces.iter().for_each(check);
        assert!((area(&pieces[0]) - 60.0).abs() < 1e-3, "{}", area(&pieces[0]));
    }

    /// Two floors, and a way up of 2 m by 6 m.
    fn house(kind: &str, upper: &str) -> Scene {
        parse(&format!(
            r#"format = 1
            world = {{ bounds = [[-2, -2], [10, 10]] }}
            layers = [{{ name = "ground" }}, {{ name = "first", elevation = 3 }}]
            [[connectors]]
            name = "way up"
            {kind}
            polygon = [[0, 0], [2, 0], {upper}]
            lower = {{ layer = "ground", edge = [[0, 0], [2, 0]] }}
            upper = {{ layer = "first", edge = [{upper}] }}
            "#
        ))
    }

    #[test]
    fn stairs_have_treads_and_risers_and_floors_have_room_for_them() {
        let pieces = scenery(&house("kind = \"stairs\"\nsteps = 4", "[2, 6], [0, 6]"));
        pieces.iter().for_each(check);
        let [ground, first, stairs] = &pieces[..] else { panic!("{}", pieces.len()) };
        for floor in [ground, first] {
            assert!((area(floor) - (144.0 - 12.0)).abs() < 1e-2, "{}", area(floor));
        }
        assert!((area(stairs) - 12.0).abs() < 1e-3, "{}", area(stairs));
        // Three treads of 2 m by 2 m.
        assert!((volume(stairs) - 4.0 * (0.75 + 1.5 + 2.25)).abs() < 1e-2, "{}", volume(stairs));
        let mut treads: Vec<f32> = triangles(stairs)
            .filter(|[a, b, c]| a.y == b.y && b.y == c.y)
            .map(|[a, ..]| a.y)
            .collect();
        treads.dedup();
        assert_eq!(treads, [0.75, 1.5, 2.25]);
        // Towards the foot, +z, there is a riser for every step.
        let rise: f32 = triangles(stairs)
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).z)
            .filter(|facing| *facing > 0.0)
            .sum();
        assert!((rise - 2.0 * 3.0).abs() < 1e-3, "{rise}");
        let one = scenery(&house("kind = \"stairs\"\nsteps = 1", "[2, 6], [0, 6]"));
        one.iter().for_each(check);
        assert!((volume(&one[2]) - 2.0 * 3.0 * 3.0).abs() < 1e-3, "{}", volume(&one[2]));
    }

    #[test]
    fn ramps_are_slopes_even_twisted_ones() {
        let pieces = scenery(&house("kind = \"ramp\"", "[2, 6], [0, 6]"));
        pieces.iter().for_each(check);
        assert!((volume(&pieces[2]) - 0.5 * 12.0 * 3.0).abs() < 1e-2, "{}", volume(&pieces[2]));
        let twisted = scenery(&house("kind = \"ramp\"", "[2, 5], [0, 7]"));
        twisted.iter().for_each(check);
        assert!((area(&twisted[2]) - 12.0).abs() < 1e-2, "{}", area(&twisted[2]));
        let highest = twisted[2].positions.iter().map(|place| place.y).fold(0.0, f32::max);
        assert_eq!(highest, 3.0);
    }

    #[test]
    fn stairs_reach_down_to_the_lowest_ground_around_them() {
        let mut scene = house("kind = \"stairs\"", "[2, 6], [0, 6]");
        // It falls by half a metre per metre to the east.
        let heights = vec![6.0, 0.0, 6.0, 0.0];
        let field = throng_world::Heightfield::new(scene.bounds, 2, 2, heights).unwrap();
        scene.layers[0].terrain = field.into();
        scene.layers[1].elevation = 9.0;
        let pieces = scenery(&scene);
        let stairs = pieces.iter().find(|piece| piece.name == "stairs").unwrap();
        let bottom = stairs.positions.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
        assert!((bottom - 4.0).abs() < 1e-4, "{bottom}");
    }
}
