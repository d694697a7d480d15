//! A scene file as a value: one struct per table, one field per key.
//!
//! Code builds a [`SceneFile`] or reads one, changes its fields, writes it as TOML
//! ([`SceneFile::to_toml`]) and makes a [`Scene`](super::Scene) of it ([`SceneFile::to_scene`]). Keys that are left out have no
//! value here, so that what is written has the keys that were set and no others.
//!
//! ```
//! use throng_world::scene::file::{Goal, Group, Region, SceneFile, Then, given, list};
//!
//! let mut file = SceneFile::new([[-20.0, -5.0], [20.0, 5.0]]);
//! file.simulation.duration = given(30.0);
//! file.regions = list([
//!     Region::rectangle("west", [[-18.0, -4.0], [-10.0, 4.0]]),
//!     Region::rectangle("east", [[10.0, -4.0], [18.0, 4.0]]),
//! ]);
//! let walkers = Group::new("walkers").goals([Goal::seek("east")]).crowd(40, "west");
//! file.groups = list([Group { then: given(Then::Leave), ..walkers }]);
//! assert!(file.to_toml().contains("crowds = [{ count = 40, region = \"west\" }]"));
//!
//! file.simulation.seed = given(7);
//! let scene = file.to_scene("walkers", "".as_ref())?;
//! assert_eq!(scene.settings.seed, 7);
//! # Ok::<(), throng_world::SceneErrors>(())
//! ```
//!
//! These types are the single description of the format. Their doc comments and attributes make the
//! JSON Schema; the schema says which keys, types and ranges a file may
//! have; and serde reads a file of that form into them. What depends on more
//! than one value is checked when the file is resolved. Where several keys exclude each other, all
//! are optional here.

mod build;
mod evaluation;
mod field;
mod goal;
mod people;
mod traits;
mod write;

pub use super::{Arrangement, Species, Then, Ways};
pub use crate::ConnectorKind;

pub use super::value::{
    Area, At, FloorPoint, LinePoint, Point, Spread, Steering, Together, Towards, Varied, Whom, at,
    decimal, given, list,
};
pub use evaluation::{Camera, Evaluation};
pub use field::{Anchor, Edit, Field, Key, KeyMethod, Led};
pub use goal::Goal;
pub use people::{Arrivals, Climb, Crowd, Group, OwnClimb, Period, Person, Source};
pub use traits::{OwnTraits, Traits};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value;
use super::{
    DEFAULT_COST, DEFAULT_CUT_OFF, DEFAULT_DURATION, DEFAULT_HEIGHT, DEFAULT_INTEREST_FIELD,
    DEFAULT_INTEREST_HEIGHT, DEFAULT_INTEREST_LEVEL, DEFAULT_INTEREST_REACH, DEFAULT_INTERVAL,
    DEFAULT_STEP, FORMAT_VERSION, MAX_COORDINATE, MAX_COST, MAX_CUT_OFF, MAX_LAYERS, MAX_NAMED,
    MAX_POINTS, MAX_RISERS, MAX_SPEED_FACTOR,
};

/// A scene: the world, the people in it, and how to simulate them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Throng scene", deny_unknown_fields)]
pub struct SceneFile {
    /// Version of the scene format.
    #[schemars(extend("enum" = [FORMAT_VERSION], "examples" = [FORMAT_VERSION]))]
    pub format: At<i64>,
    /// A short title. By default the file's name without its ending.
    #[schemars(extend("examples" = ["Station hall"]))]
    pub name: Option<At<String>>,
    /// What the scene shows, in a sentence or two.
    pub description: Option<At<String>>,
    /// How the scene is simulated.
    #[serde(default, skip_serializing_if = "is_default")]
    pub simulation: Simulation,
    /// The ground.
    pub world: At<World>,
    /// Floors, from the one that everything is on by default. Without any, there is one floor
    /// "ground" at elevation 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_LAYERS))]
    pub layers: Vec<At<Layer>>,
    /// Stairs and ramps between floors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub connectors: Vec<At<Connector>>,
    /// What nobody can walk through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<At<Obstacle>>,
    /// Named places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub regions: Vec<At<Region>>,
    /// What people look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub interests: Vec<At<Interest>>,
    /// The people, in groups that have something in common.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub groups: Vec<At<Group>>,
    /// Arrows on the ground that lead groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub fields: Vec<At<Field>>,
    /// Where flow, density and speed are measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_NAMED))]
    pub measurements: Vec<At<Measurement>>,
    /// What the scene is to show, and by what it is told whether it does.
    pub evaluation: Option<At<Evaluation>>,
}

/// How a scene is simulated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "simulation", deny_unknown_fields)]
pub struct Simulation {
    /// Time between two states of the simulation, s.
    #[schemars(extend("default" = DEFAULT_STEP, "exclusiveMinimum" = 0, "maximum" = 1))]
    #[schemars(extend("x-unit" = "s"))]
    pub step: Option<At<f64>>,
    /// Simulated time, s.
    #[schemars(extend("default" = DEFAULT_DURATION, "exclusiveMinimum" = 0, "x-unit" = "s"))]
    pub duration: Option<At<f64>>,
    /// What all randomness derives from: the same seed gives the same simulation.
    #[schemars(extend("default" = 0, "minimum" = 0))]
    pub seed: Option<At<i64>>,
    /// A recording keeps every n-th state.
    #[schemars(extend("default" = 1, "minimum" = 1, "maximum" = u32::MAX))]
    pub record_every: Option<At<i64>>,
    /// Whether people find ways to goals they do not see. If not, they walk straight at them, as
    /// experiments with way-points assume.
    #[schemars(extend("default" = true))]
    pub navigation: Option<At<bool>>,
    /// Whether people slow down on slopes and stairs.
    #[schemars(extend("default" = true))]
    pub slopes: Option<At<bool>>,
    /// Whether bodies that would overlap are pushed apart, or nothing but steering keeps people from
    /// walking into each other, as benchmarks of steering assume.
    #[schemars(extend("default" = true))]
    pub contacts: Option<At<bool>>,
}

/// The ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "world", deny_unknown_fields)]
pub struct World {
    /// The part of the ground the scene is about: its corners with the smallest and the largest
    /// coordinates, m. People and regions lie within; obstacles at least partly.
    #[schemars(extend("examples" = [[[-50, -50], [50, 50]]], "x-unit" = "m"))]
    pub bounds: At<[Point; 2]>,
    /// Whether the border of the world is a wall, on every floor.
    #[schemars(extend("default" = false))]
    pub closed: Option<At<bool>>,
    /// The ground of the first floor. By default it is flat.
    pub terrain: Option<At<Terrain>>,
    /// The plan of the first floor: a WKT or GeoJSON file with the polygons that one can walk on, m.
    /// What is outside of them and in their holes is solid. The path is relative to the scene file.
    #[schemars(extend("minLength" = 1, "examples" = ["floor.wkt"]))]
    pub plan: Option<At<String>>,
}

/// The ground of a floor: a heightmap or a mesh.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "terrain", deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["heightmap"] }, { "required": ["mesh"] }]))]
#[schemars(extend("examples" = [{ "heightmap": "hill.png", "low": 0, "high": 12 }]))]
pub struct Terrain {
    /// A greyscale PNG, stretched over the world's bounds with north up. The path is relative to
    /// the scene file.
    #[schemars(extend("minLength" = 1, "examples" = ["hill.png"]))]
    pub heightmap: Option<At<String>>,
    /// Height of black in the heightmap, m.
    #[schemars(extend("default" = 0, "minimum" = -10_000, "maximum" = 10_000, "x-unit" = "m"))]
    pub low: Option<At<f64>>,
    /// Height of white in the heightmap, m. Required with a heightmap.
    #[schemars(extend("minimum" = -10_000, "maximum" = 10_000, "x-unit" = "m", "examples" = [12]))]
    pub high: Option<At<f64>>,
    /// A triangle mesh as a Wavefront OBJ or glTF file, y up. The path is relative to the scene file.
    #[schemars(extend("minLength" = 1, "examples" = ["ground.obj"]))]
    pub mesh: Option<At<String>>,
}

/// A floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "layer", deny_unknown_fields)]
pub struct Layer {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["ground"]))]
    pub name: At<String>,
    /// Height added to its terrain, m.
    #[schemars(extend("default" = 0, "minimum" = -10_000, "maximum" = 10_000, "x-unit" = "m"))]
    pub elevation: Option<At<f64>>,
    /// Its ground. By default it is flat.
    pub terrain: Option<At<Terrain>>,
    /// Its plan: a WKT or GeoJSON file with the polygons that one can walk on, m. The path is
    /// relative to the scene file.
    #[schemars(extend("minLength" = 1, "examples" = ["floor.wkt"]))]
    pub plan: Option<At<String>>,
}

/// Stairs or a ramp from one floor to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "connector", deny_unknown_fields)]
pub struct Connector {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["main stairs"]))]
    pub name: At<String>,
    /// Whether it has steps or an even slope.
    #[schemars(extend("examples" = ["stairs"]))]
    pub kind: At<ConnectorKind>,
    /// Where one can stand on it, m.
    #[schemars(extend("minItems" = 3, "maxItems" = MAX_POINTS, "x-unit" = "m"))]
    #[schemars(extend("examples" = [[[0, 0], [2, 0], [2, 6], [0, 6]]]))]
    pub polygon: At<Vec<At<Point>>>,
    /// Its foot.
    pub lower: At<Landing>,
    /// Its head.
    pub upper: At<Landing>,
    /// How many steps stairs have: how often one rises from foot to head. By default as many as it takes
    /// for steps of about 17 cm.
    #[schemars(extend("minimum" = 1, "maximum" = MAX_RISERS, "examples" = [18]))]
    pub steps: Option<At<i64>>,
    /// By how much people are faster or slower on it than on other stairs or ramps.
    pub speed_factor: Option<At<SpeedFactor>>,
}

/// Factors of the speeds that people have on stairs or ramps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "speed factor", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "up": 0.8, "down": 0.9 }]))]
pub struct SpeedFactor {
    /// Upwards.
    #[schemars(extend("default" = 1, "exclusiveMinimum" = 0, "maximum" = MAX_SPEED_FACTOR))]
    pub up: Option<At<f64>>,
    /// Downwards.
    #[schemars(extend("default" = 1, "exclusiveMinimum" = 0, "maximum" = MAX_SPEED_FACTOR))]
    pub down: Option<At<f64>>,
}

/// Where a connector meets a floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "landing", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "layer": "ground", "edge": [[0, 0], [2, 0]] }]))]
pub struct Landing {
    /// The floor.
    #[schemars(extend("examples" = ["ground"]))]
    pub layer: At<String>,
    /// The edge of the connector's polygon where one gets on and off: its two corners, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[[0, 0], [2, 0]]]))]
    pub edge: At<[Point; 2]>,
}

/// What nobody can walk through. It has exactly one of `polygon`, `circle`, `box`, `wall` and `file`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "obstacle", deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["polygon"] },
    { "required": ["circle"] },
    { "required": ["box"] },
    { "required": ["wall"] },
    { "required": ["file"] },
]))]
pub struct Obstacle {
    /// A name for messages. By default empty.
    pub name: Option<At<String>>,
    /// Any simple polygon, in either direction, m.
    #[schemars(extend("minItems" = 3, "maxItems" = MAX_POINTS, "x-unit" = "m"))]
    #[schemars(extend("examples" = [[[0, 0], [4, 0], [4, 3]]]))]
    pub polygon: Option<At<Vec<At<Point>>>>,
    /// A pillar.
    pub circle: Option<At<Circle>>,
    /// A rectangle at an angle.
    pub r#box: Option<At<Rectangle>>,
    /// A wall along a line.
    pub wall: Option<At<Wall>>,
    /// A WKT or GeoJSON file with polygons, m. The path is relative to the scene file.
    #[schemars(extend("minLength" = 1, "examples" = ["furniture.geojson"]))]
    pub file: Option<At<String>>,
    /// The floor it stands on. By default the first.
    pub layer: Option<At<String>>,
    /// Height for display, m.
    #[schemars(extend("default" = DEFAULT_HEIGHT, "exclusiveMinimum" = 0, "maximum" = 1000))]
    #[schemars(extend("x-unit" = "m"))]
    pub height: Option<At<f64>>,
    /// When it is there, one after the other: a door that closes. It does not appear where
    /// somebody stands, but as soon as there is room. By default it is always there.
    #[schemars(extend("minItems" = 1, "examples" = [[{ "from": 20, "to": 60 }]]))]
    pub during: Option<At<Vec<At<Interval>>>>,
}

/// From one time to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "interval", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "from": 20, "to": 60 }]))]
pub struct Interval {
    /// Begin, s.
    #[schemars(extend("minimum" = 0, "x-unit" = "s", "default" = 0))]
    pub from: Option<At<f64>>,
    /// End, s. By default the end of the simulation.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "s", "examples" = [60]))]
    pub to: Option<At<f64>>,
}

/// A circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "circle", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "center": [0, 0], "radius": 0.4 }]))]
pub struct Circle {
    /// Centre, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[0, 0]]))]
    pub center: At<Point>,
    /// Radius, m.
    #[schemars(extend("minimum" = 0.001, "maximum" = MAX_COORDINATE, "x-unit" = "m"))]
    #[schemars(extend("examples" = [0.4]))]
    pub radius: At<f64>,
}

/// A rectangle at an angle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "box", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "center": [0, 0], "size": [2, 1], "angle": 30 }]))]
pub struct Rectangle {
    /// Centre, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[0, 0]]))]
    pub center: At<Point>,
    /// Length along `angle` and width across it, m.
    #[schemars(schema_with = "size", extend("examples" = [[2, 1]]))]
    pub size: At<Point>,
    /// Counter-clockwise rotation, degrees.
    #[schemars(extend("default" = 0, "minimum" = -360, "maximum" = 360, "x-unit" = "°"))]
    pub angle: Option<At<f64>>,
}

/// A wall along a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "wall", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "points": [[0, 0], [8, 0]], "thickness": 0.2 }]))]
pub struct Wall {
    /// The line along its middle, m.
    #[schemars(extend("minItems" = 2, "maxItems" = MAX_POINTS, "x-unit" = "m"))]
    #[schemars(extend("examples" = [[[0, 0], [8, 0]]]))]
    pub points: At<Vec<At<Point>>>,
    /// Full thickness, m.
    #[schemars(extend("minimum" = 0.001, "maximum" = 100, "x-unit" = "m", "examples" = [0.2]))]
    pub thickness: At<f64>,
}

/// A named place. It has exactly one of `polygon`, `rectangle` and `circle`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "region", deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["polygon"] },
    { "required": ["rectangle"] },
    { "required": ["circle"] },
]))]
pub struct Region {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["exit"]))]
    pub name: At<String>,
    /// Any simple polygon, in either direction, m.
    #[schemars(extend("minItems" = 3, "maxItems" = MAX_POINTS, "x-unit" = "m"))]
    #[schemars(extend("examples" = [[[0, 0], [4, 0], [4, 3]]]))]
    pub polygon: Option<At<Vec<At<Point>>>>,
    /// Two opposite corners, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[[0, 0], [4, 3]]]))]
    pub rectangle: Option<At<[At<Point>; 2]>>,
    /// A circle.
    pub circle: Option<At<Circle>>,
    /// The floor it is on. By default the first.
    pub layer: Option<At<String>>,
    /// Free words for behaviours to read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("examples" = [["exit"]]))]
    pub tags: Vec<String>,
    /// How many metres elsewhere a metre in it is worth to those who choose a route.
    #[schemars(extend("default" = DEFAULT_COST, "minimum" = 1, "maximum" = MAX_COST, "examples" = [3]))]
    pub cost: Option<At<f64>>,
}

/// Something that people look at as they pass: a shop window, a picture, a clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "interest", deny_unknown_fields)]
pub struct Interest {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["window"]))]
    pub name: At<String>,
    /// Where it is, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[4, 2]]))]
    pub position: At<Point>,
    /// How high above the floor, m.
    #[schemars(extend("default" = DEFAULT_INTEREST_HEIGHT, "minimum" = -100, "maximum" = 1000))]
    #[schemars(extend("x-unit" = "m"))]
    pub height: Option<At<f64>>,
    /// The floor it is on. By default the first.
    pub layer: Option<At<String>>,
    /// How interesting it is, from 0 to 1.
    #[schemars(extend("default" = DEFAULT_INTEREST_LEVEL, "minimum" = 0, "maximum" = 1))]
    pub level: Option<At<f64>>,
    /// From how far away it is looked at, m.
    #[schemars(extend("default" = DEFAULT_INTEREST_REACH, "exclusiveMinimum" = 0))]
    #[schemars(extend("maximum" = 1000, "x-unit" = "m"))]
    pub reach: Option<At<f64>>,
    /// Where it faces, degrees counter-clockwise from the x axis. By default it is the same from everywhere.
    #[schemars(extend("minimum" = -360, "maximum" = 360, "x-unit" = "°", "examples" = [90]))]
    pub facing: Option<At<f64>>,
    /// How wide the angle is from which it can be seen, degrees, with `facing` only.
    #[schemars(extend("default" = DEFAULT_INTEREST_FIELD, "exclusiveMinimum" = 0))]
    #[schemars(extend("maximum" = 360, "x-unit" = "°"))]
    pub field: Option<At<f64>>,
}

/// A place to measure at. It has exactly one of `line` and `area`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "measurement", deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["line"] }, { "required": ["area"] }]))]
pub struct Measurement {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["door"]))]
    pub name: At<String>,
    /// A line that people cross: its two ends, m. Forwards is to its right, seen from its first end
    /// to its second.
    #[schemars(extend("x-unit" = "m", "examples" = [[[0, -1], [0, 1]]]))]
    pub line: Option<At<[At<Point>; 2]>>,
    /// An area that people are in: the name of a region, or a polygon, m.
    #[serde(default)]
    #[schemars(schema_with = "value::area")]
    pub area: Option<At<Area>>,
    /// The floor of a line or a polygon. By default the first.
    pub layer: Option<At<String>>,
    /// Time between two measurements, s.
    #[schemars(extend("default" = DEFAULT_INTERVAL, "exclusiveMinimum" = 0))]
    #[schemars(extend("maximum" = 86_400, "x-unit" = "s"))]
    pub interval: Option<At<f64>>,
    /// How the density of an area is measured.
    #[schemars(extend("default" = "voronoi"))]
    pub density: Option<At<Density>>,
    /// Radius of the circle that Voronoi cells are cut off at, m.
    #[schemars(extend("default" = DEFAULT_CUT_OFF, "minimum" = 0.1, "maximum" = MAX_CUT_OFF))]
    #[schemars(extend("x-unit" = "m"))]
    pub cut_off: Option<At<f64>>,
}

/// How density is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Density {
    /// People in the area by its size.
    Classic,
    /// By the room each person has: everything that is nearer to them than to others.
    Voronoi,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn size(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": { "type": "number", "minimum": 0.001, "maximum": MAX_COORDINATE, "x-unit": "m" },
        "minItems": 2,
        "maxItems": 2,
    })
}
