//! What is known of one person.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng::scaler::BodyLevel;
use throng_crowd::Status;
use throng_world::Trait;
use throng_world::scene::Species;

use super::{Name, PerName, Point};

/// All that is known of a person. Of people in recordings `words` is empty, and so are lists; what is not recorded is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Inspection {
    /// Id.
    pub id: u32,
    /// Name of the group.
    pub group: String,
    /// Index of the floor.
    pub layer: u8,
    /// Position, m.
    pub position: Point,
    /// Velocity, m/s.
    pub velocity: Point,
    /// Speed, m/s.
    pub speed: f32,
    /// Heading, counter-clockwise from +x, rad.
    pub heading: f32,
    /// Radius, m.
    pub radius: f32,
    pub status: Name<Status>,
    /// From -1 to 1 each; `null` without personality.
    pub traits: Option<PerName<Trait, f64>>,
    /// Level of detail of the body; `null` while no client draws bodies.
    pub level: Option<Name<BodyLevel>>,
    /// The body; `null` without a body of their own.
    pub body: Option<BodyState>,
    #[serde(flatten)]
    pub simulated: SimulatedState,
}

/// What only a simulation knows of a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SimulatedState {
    /// Preferred velocity, m/s.
    pub preferred: Option<Point>,
    /// Velocity chosen for the next step, m/s.
    pub chosen: Option<Point>,
    /// Description of what the person does and why.
    pub words: String,
    /// Name of the steering model.
    pub model: Option<String>,
    /// Current goal; `null` if there is none.
    pub goal: Option<GoalState>,
    /// Velocity of the fields that lead the person; `null` if none does.
    pub field: Option<FieldState>,
    /// Points of the path to the goal.
    pub path: Vec<Point>,
    /// Free discs along that path.
    pub corridor: Vec<Disc>,
    /// Neighbours that are steered clear of, nearest first.
    pub neighbours: Vec<Neighbour>,
    /// People of the same party.
    pub companions: Vec<Companion>,
    /// Id of the companion who is waited for.
    pub waits_for: Option<u32>,
    /// Constraints of the steering model, by model.
    pub constraints: Vec<Constraint>,
}

/// Current goal of a person.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct GoalState {
    /// Index in the list of goals.
    pub index: usize,
    /// Length of that list.
    pub of: usize,
    /// Description.
    pub words: String,
    /// Target, m.
    pub target: Option<Point>,
    /// Time spent on this goal, s.
    pub seconds: f32,
}

/// Velocity of the fields that lead a person.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FieldState {
    /// Velocity, m/s.
    pub velocity: Point,
    /// Share of it in the preferred velocity, 0 to 1: 0 beyond the reach of all anchors.
    pub share: f32,
}

/// Free disc of a corridor.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Disc {
    /// Centre, m.
    pub at: Point,
    /// Radius, m.
    pub radius: f32,
}

/// Neighbour that a person steers clear of.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Neighbour {
    /// Id.
    pub id: u32,
    /// Position, m.
    pub position: Point,
    /// Distance between centres, m.
    pub distance: f32,
}

/// Member of the same party.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Companion {
    /// Id.
    pub id: u32,
    /// Position, m.
    pub position: Point,
}

/// Constraint of a steering model. `from` is its cause: `"wall"`, `"goal"`, `"person 12"`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Constraint {
    /// Half-plane of allowed velocities: those to the left of the line through `point` along `direction`, m/s.
    #[serde(rename = "half-plane")]
    HalfPlane { point: Point, direction: Point, from: String },
    /// Acceleration, m/s².
    Force { vector: Point, from: String },
    /// Part of the sum that gives the direction (model `hidac`).
    Urge { vector: Point, from: String },
    /// Velocity by which the person is pushed, m/s (model `hidac`).
    Push { vector: Point, from: String },
    /// Feeler: `free` is the part of the line before what it meets; `from` is `null` if it meets nothing.
    Feeler { line: [Point; 2], free: f32, from: Option<String> },
}

/// Foot: left or right of people, one of four of animals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Foot {
    #[serde(rename = "left")]
    Left,
    #[serde(rename = "right")]
    Right,
    #[serde(rename = "left hind")]
    LeftHind,
    #[serde(rename = "left fore")]
    LeftFore,
    #[serde(rename = "right hind")]
    RightHind,
    #[serde(rename = "right fore")]
    RightFore,
}

impl Foot {
    /// Returns the foot with a name; `None` if no foot has it.
    pub fn named(name: &str) -> Option<Self> {
        let name = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
        Self::deserialize(name).ok()
    }
}

/// Body of a person.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BodyState {
    /// Name of the clip or gait that is played.
    pub clip: Option<String>,
    pub species: Name<Species>,
    /// Phase of its cycle, 0 to 1.
    pub phase: f32,
    /// Playback rate of the clip.
    pub pace: f32,
    /// Feet on the ground.
    pub stance: Vec<Foot>,
    /// Distance from the position in the simulation, m.
    pub deviation: f32,
    /// Slip of the foot that was lifted last.
    pub slip: Option<FootSlip>,
    /// Twist of the spine to the left, rad.
    pub twist: f32,
    /// Ground within a step; `null` for people on level ground.
    pub ground: Option<Underfoot>,
    /// Whether feet are planted.
    pub planted: bool,
    /// Position, m.
    pub position: Point,
    /// Height, m; of an animal, at its withers.
    pub height: f32,
    /// Target of the gaze; `null` for people who look ahead, and for animals.
    pub looks_at: Option<LooksAt>,
}

/// Slip of a foot.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FootSlip {
    pub foot: Foot,
    /// Distance slipped while it stood, m.
    pub slip: f32,
}

/// What is odd about the ground within a step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Underfoot {
    /// There is none.
    pub hole: bool,
    /// It is too steep to walk.
    pub steep: bool,
    /// A bearing foot has none below it.
    pub unsupported: bool,
    /// Distance of a bearing foot from its place, m.
    pub unreached: f32,
    /// How far the body is lowered so that its legs reach, m.
    pub lowered: f32,
}

/// Target of a gaze.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LooksAt {
    pub phase: GazePhase,
    #[serde(flatten)]
    pub target: GazeTarget,
}

/// Phase of a gaze that has a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GazePhase {
    /// Turns to the target.
    Shift,
    /// Follows the target.
    Hold,
}

/// Kind of target of a gaze.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum GazeTarget {
    /// A point of interest of the scene.
    Place {
        /// Its name.
        name: Option<String>,
    },
    /// Another person.
    Person {
        /// Id.
        id: u64,
    },
    /// A viewer who is noticed.
    Viewer,
    /// What a viewer looks at.
    ViewerGaze,
    /// What a script says.
    Scripted,
}
