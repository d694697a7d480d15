//! The `scene` event: all there is to draw but the people.

use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use throng_world::scene::Species;

use super::Name;

/// Point or vector on the ground, x and y.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Point(pub [f64; 2]);

impl From<DVec2> for Point {
    fn from(point: DVec2) -> Self {
        Self(point.to_array())
    }
}

impl From<Vec2> for Point {
    fn from(point: Vec2) -> Self {
        point.as_dvec2().into()
    }
}

/// Outline, without its first point again at the end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Polygon(pub Vec<Point>);

impl<P: Into<Point>> FromIterator<P> for Polygon {
    fn from_iter<I: IntoIterator<Item = P>>(points: I) -> Self {
        Self(points.into_iter().map(Into::into).collect())
    }
}

/// All there is to draw but the people. Sent first, and whenever it changes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SceneEvent {
    /// Number that grows with each change.
    pub revision: u32,
    pub kind: ShowKind,
    /// Name of its file; `null` for a scene that was never saved.
    pub file: Option<String>,
    /// Whether the document is what the file holds.
    pub saved: bool,
    /// Label of the edit that would be undone.
    pub undo: Option<String>,
    /// Label of the edit that would be repeated.
    pub redo: Option<String>,
    /// What the author should know.
    pub warnings: Vec<String>,
    /// The scene as its author wrote it, as JSON; empty for a recording.
    pub document: Map<String, Json>,
    #[serde(flatten)]
    pub contents: SceneContents,
}

/// What a scene is made of.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SceneContents {
    pub name: String,
    pub description: String,
    /// Duration of a step of the simulation, s.
    pub step: f64,
    /// Duration of the scene, s.
    pub duration: f64,
    /// Whether people find paths around obstacles.
    pub navigation: bool,
    /// Corners with the smallest and the largest coordinates, m.
    pub bounds: [Point; 2],
    /// Floors, at least one.
    pub layers: Vec<Layer>,
    pub connectors: Vec<Connector>,
    pub obstacles: Vec<Obstacle>,
    pub regions: Vec<Region>,
    /// [Points of interest](scene-format.md#interests).
    pub interests: Vec<Interest>,
    pub fields: Vec<Field>,
    pub groups: Vec<Group>,
    pub measurements: Vec<Measurement>,
    /// Views that the scene suggests, the best one first.
    pub cameras: Vec<SuggestedView>,
}

/// Whether a scene is simulated or a recording is played, which cannot be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShowKind {
    Live,
    Replay,
}

/// Floor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Layer {
    pub name: String,
    /// Height above zero, m.
    pub elevation: f32,
    /// Surface; `null` where it is flat.
    pub ground: Option<Ground>,
    /// Walkable areas of a floor plan.
    pub plan: Option<Vec<PlanArea>>,
}

/// Walkable area of a floor plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PlanArea {
    pub outline: Polygon,
    pub holes: Vec<Polygon>,
}

/// Surface that people stand on, to a few millimetres: heights on a lattice, bilinear in between, and beyond the bounds as at
/// the nearest point of the border.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Ground {
    /// Bounds of the lattice, m.
    pub bounds: [Point; 2],
    /// Points along x: at most 512, or 256 beside a mesh.
    pub columns: usize,
    /// Points along y, likewise.
    pub rows: usize,
    /// Smallest height, elevation included, m.
    pub lowest: f32,
    /// Step between heights, m.
    pub quantum: f32,
    /// Base64 of u16, little-endian, row by row from the smallest y: the height is `lowest` + `quantum` × value.
    pub heights: String,
    /// The mesh that the lattice was sampled from, if it has at most 200,000 triangles: people stand on the highest surface of it.
    pub mesh: Option<Triangles>,
}

/// Triangles of a ground mesh, without walls and ceilings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Triangles {
    /// Base64 of f32, little-endian: x, y and height of each vertex, m.
    pub vertices: String,
    /// Base64 of u32, little-endian: three vertices of each triangle, counter-clockwise seen from above.
    pub triangles: String,
}

/// Stairs or ramp between two floors. The position of a person along it, 0 to 1, is the distance from the line of the lower edge
/// over the sum of the distances from both lines; the surface rises with it, evenly or in `risers` equal steps, the first one
/// at the foot and the last one at the head.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Connector {
    pub name: String,
    pub kind: ConnectorKind,
    pub polygon: Polygon,
    /// Indices of the edges at foot and head: edge i is from point i to point i + 1.
    pub edges: [usize; 2],
    /// Heights of foot and head, m.
    pub ends: [f32; 2],
    /// Number of steps; 0 for a ramp.
    pub risers: u16,
    /// Index of the lower floor.
    pub lower: u8,
    /// Index of the upper floor.
    pub upper: u8,
}

/// Kind of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConnectorKind {
    Stairs,
    Ramp,
}

/// Obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Obstacle {
    /// Index in the document's list.
    pub index: usize,
    pub name: String,
    /// Index of the floor.
    pub layer: u8,
    /// Height, m.
    pub height: f32,
    /// Outlines, counter-clockwise.
    pub solids: Vec<Polygon>,
    /// Whether it is there at present: obstacles can come and go.
    pub here: bool,
}

/// Region.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Region {
    pub name: String,
    /// Index of the floor.
    pub layer: u8,
    pub polygon: Polygon,
    pub tags: Vec<String>,
}

/// Point of interest that people look at.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Interest {
    pub name: String,
    /// Index of the floor.
    pub layer: u8,
    /// Position, m.
    pub position: Point,
    /// Height above the ground, m.
    pub height: f64,
    /// Level of interest, 0 to 1.
    pub level: f64,
    /// Distance from which it is looked at, m.
    pub reach: f64,
    /// Direction it faces, degrees; `null` if it looks the same from everywhere.
    pub facing: Option<f64>,
    /// Angle from which it is seen, degrees; `null` likewise.
    pub field: Option<f64>,
}

/// Vector field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Field {
    pub name: String,
    /// Index of the floor.
    pub layer: u8,
    /// Name of the region that limits it.
    pub region: Option<String>,
    /// Whether it can be edited: not if its anchors have keys.
    pub editable: bool,
    pub anchors: Vec<Anchor>,
    /// What the author should know.
    pub remarks: Vec<String>,
}

/// Anchor of a field: an arrow.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Anchor {
    /// Index in the document's list; `null` if a scripted edit has added it.
    pub index: Option<usize>,
    pub name: Option<String>,
    /// Position, m.
    pub at: Point,
    /// Velocity, m/s.
    pub velocity: Point,
    /// Velocity of the field there, m/s.
    pub met: Point,
    /// Distance between the two, m/s: more than a few cm/s if anchors contradict each other.
    pub residual: f64,
    /// Distance at which its influence ends, m; `null` if it has no end.
    pub reach: Option<f64>,
}

/// Group of people or animals.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Group {
    pub name: String,
    /// Colour, `#rrggbb`.
    pub color: String,
    pub species: Name<Species>,
    /// Name of the steering model.
    pub model: String,
    /// Largest speed of any member, m/s.
    pub max_speed: f64,
    /// Names of the fields that lead it.
    pub led: Vec<String>,
    /// Typical share of the fields in the preferred velocity, 0 to 1; `null` if no field leads it.
    pub share: Option<f32>,
}

/// Line or area in which people are measured.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Measurement {
    pub name: String,
    /// Index of the floor.
    pub layer: u8,
    /// Ends of a line; `null` for an area.
    pub line: Option<[Point; 2]>,
    /// Outline of an area; `null` for a line.
    pub area: Option<Polygon>,
}

/// View that a scene suggests.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SuggestedView {
    /// Position of the camera: x, y and height above zero, m.
    pub position: [f64; 3],
    /// Point at the centre of the picture: x, y and height above zero, m.
    pub look_at: [f64; 3],
    /// Vertical field of view, degrees.
    pub field: f32,
}
