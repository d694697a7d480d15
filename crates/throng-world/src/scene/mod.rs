//! A scene: everything an author says about a simulation, checked and ready to run.
//!
//! Settings pass through three forms. What the author typed is the TOML of the scene file; what it means
//! is the [`Scene`] here, with names resolved to ids, defaults filled in and every value checked;
//! what the engine runs with (people, grids, sampled parameters) lives in the crates below. A
//! loaded [`Scene`] can be simulated: only what depends on the random
//! placement of people can still fail, and such errors point into the same file.

mod climbing;
mod criterion;
mod disposition;
mod error;
mod evaluation;
mod extent;
mod field;
pub mod file;
mod files;
mod form;
mod goal;
mod load;
mod names;
mod report;
mod resolve;
mod schema;
mod text;
mod value;
mod wait;

pub use climbing::Climbing;
pub use criterion::CriterionError;
pub use disposition::Dispositions;
pub use error::{SceneError, SceneErrors, SceneSource, Span};
pub use evaluation::{Camera, Comparison, Criterion, Evaluation, RunQuantity};
pub use extent::{DurationError, MAX_STEPS};
pub use field::{
    AnchorKey, AnchorSpec, DEFAULT_BORDER, DEFAULT_FADE, DEFAULT_GOALS, DEFAULT_SHARE,
    DEFAULT_WANDER, FieldChange, FieldEdit, FieldId, FieldSpec, KeyMethod, Led, MAX_ANCHORS,
    MAX_REACH, MIN_REACH,
};
pub use files::{PlanFiles, PlanTexts, TerrainFiles};
pub use goal::{Aim, Goal, Target, Then, Ways};
pub use resolve::default_color;
pub use schema::{ModelSchema, ParameterSchema, schema};
pub use text::{Address, Draft, SceneText, Step, TextError};
pub use wait::{MeasuredTimes, Wait};

use std::sync::Arc;

use glam::Vec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throng_base::{Bounds, Distribution, Heading, Polygon, named_enum};

use crate::{Connector, Layer, Obstacle, OwnTraits, PartySizes, Temperaments};

/// The version of the scene format this library reads; the `format` key of a scene file.
pub const FORMAT_VERSION: i64 = 1;

/// The steering model of groups that do not name one.
pub const DEFAULT_MODEL: &str = "orca";

/// Default of [`Settings::step`], s.
pub const DEFAULT_STEP: f64 = 0.1;
/// Default of [`Settings::duration`], s.
pub const DEFAULT_DURATION: f64 = 60.0;
/// Default height of obstacles, m.
pub const DEFAULT_HEIGHT: f64 = 2.5;
/// Default radius of people, m.
pub const DEFAULT_RADIUS: f64 = 0.25;
/// Default distance at which a goal is reached, m.
pub const DEFAULT_WITHIN: f64 = 0.5;
/// Default of [`Region::cost`].
pub const DEFAULT_COST: f64 = 1.0;
/// Default of [`Interest::height`], m.
pub const DEFAULT_INTEREST_HEIGHT: f64 = 1.5;
/// Default of [`Interest::level`].
pub const DEFAULT_INTEREST_LEVEL: f64 = 0.7;
/// Default of [`Interest::reach`], m.
pub const DEFAULT_INTEREST_REACH: f64 = 10.0;
/// Default of the angle from which an [`Interest`] that faces somewhere can be seen, degrees.
pub const DEFAULT_INTEREST_FIELD: f64 = 160.0;
/// Default of [`Group::interest`].
pub const DEFAULT_INTEREST: f64 = 0.3;
/// Default of [`Measurement::interval`], s.
pub const DEFAULT_INTERVAL: f64 = 1.0;
/// Default of the radius that Voronoi cells are cut off at, m.
pub const DEFAULT_CUT_OFF: f64 = 1.0;

/// Default of [`Camera::field_of_view`], degrees.
pub const DEFAULT_FIELD_OF_VIEW: f64 = 45.0;

/// Nobody is asked to walk faster, m/s.
pub const MAX_SPEED: f64 = 20.0;
/// Nobody is larger, m.
pub const MAX_RADIUS: f64 = 5.0;
/// No coordinate is farther from the origin, m: beyond, `f32` no longer resolves centimetres.
pub const MAX_COORDINATE: f64 = 100_000.0;
/// A scene has at most this many people.
pub const MAX_PEOPLE: u64 = 10_000_000;
/// A source emits at most this many people per second.
pub const MAX_RATE: f64 = 1000.0;
/// A scene has at most this many floors.
pub const MAX_LAYERS: usize = 64;
/// Stairs have at most this many steps.
pub const MAX_RISERS: u16 = 1000;
/// Nobody is so many times faster on some stairs or ramp than on others.
pub const MAX_SPEED_FACTOR: f64 = 3.0;
/// No region is costlier to walk in than this.
pub const MAX_COST: f64 = 1000.0;
/// Voronoi cells are cut off at this radius or nearer, m: a larger cell is no one's room.
pub const MAX_CUT_OFF: f64 = 100.0;
/// A scene has at most this many groups, and as many regions, connectors and measurements.
pub const MAX_NAMED: usize = 65_535;
/// A line to follow has at most this many points: everybody on it looks for the nearest of them.
pub const MAX_LINE_POINTS: usize = 1000;
/// People on a line are spread over a strip of at most this width, m.
pub const MAX_LINE_WIDTH: f64 = 100.0;
/// A scene is evaluated by at most this many criteria.
pub const MAX_CRITERIA: usize = 100;
/// A scene says at most this many places that it is well seen from.
pub const MAX_CAMERAS: usize = 100;
/// A polygon or wall has at most this many points.
pub const MAX_POINTS: usize = 100_000;

/// Index of a floor in [`Scene::layers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerId(pub u8);

/// Index of a region in [`Scene::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u16);

/// Index of a group in [`Scene::groups`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u16);

/// A checked scene.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A short title.
    pub name: String,
    /// What the scene shows, in a sentence or two.
    pub description: String,
    /// Step, duration and seed.
    pub settings: Settings,
    /// The part of the ground the scene is about. Everything placed lies within.
    pub bounds: Bounds,
    /// Floors, from the one everything is on by default; at least one.
    pub layers: Vec<Layer>,
    /// Stairs and ramps between floors.
    pub connectors: Vec<Connector>,
    /// What nobody can walk through. If the world is closed, its border is among them.
    pub obstacles: Vec<Obstacle>,
    /// Named places.
    pub regions: Vec<Region>,
    /// What people look at.
    pub interests: Vec<Interest>,
    /// The people.
    pub groups: Vec<Group>,
    /// Arrows on the ground that lead groups.
    pub fields: Vec<FieldSpec>,
    /// Where flow, density and speed are measured.
    pub measurements: Vec<Measurement>,
    /// What it is to show, and by what it is told whether it does.
    pub evaluation: Option<Evaluation>,
    /// The text the scene was read from, for messages and for the recording's metadata.
    pub source: Arc<SceneSource>,
    /// The plan and obstacle files it was read with, for the recording's metadata.
    pub files: Arc<PlanTexts>,
    /// The terrain files it was read with, as far as they are not too large, for the recording.
    pub terrain_files: Arc<TerrainFiles>,
}

/// How a scene is simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time between two states of the simulation, s.
    pub step: f64,
    /// Simulated time, s.
    pub duration: f64,
    /// What all randomness derives from.
    pub seed: u64,
    /// A recording keeps every n-th state.
    pub record_every: u32,
    /// Whether people find ways to goals they do not see, or walk straight at them.
    pub navigation: bool,
    /// Whether people slow down on slopes and stairs.
    pub slopes: bool,
    /// Whether bodies that would overlap are pushed apart, or only steering keeps people apart.
    pub contacts: bool,
}

/// A named place.
#[derive(Clone, Debug)]
pub struct Region {
    /// Unique name.
    pub name: String,
    /// Its outline, counter-clockwise.
    pub polygon: Polygon,
    /// The floor it is on.
    pub layer: LayerId,
    /// Free words for behaviours to read, e.g. `["exit"]`.
    pub tags: Vec<String>,
    /// How many metres elsewhere a metre in it is worth to those who choose a route; at least 1.
    pub cost: f32,
}

/// Something that people look at as they pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Interest {
    /// Unique name.
    pub name: String,
    /// Where it is, m.
    pub position: Vec2,
    /// How high above the floor, m.
    pub height: f32,
    /// The floor it is on.
    pub layer: LayerId,
    /// How interesting it is, from 0 to 1.
    pub level: f32,
    /// From how far away it is looked at, m.
    pub reach: f32,
    /// Where it faces, and the cosine of half the angle from which it can be seen; nothing if it is the same from everywhere.
    pub facing: Option<(Heading, f32)>,
}

/// A place to measure at.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Unique name.
    pub name: String,
    /// A line or an area.
    pub place: MeasuredPlace,
    /// The floor it is on.
    pub layer: LayerId,
    /// Time between two measurements, s; at least the time between two recorded states.
    pub interval: f64,
}

/// Where a [`Measurement`] is made.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasuredPlace {
    /// A line that people cross. Forwards is to its right, seen from the first end to the second.
    Line([Vec2; 2]),
    /// An area that people are in.
    Area {
        /// Its outline.
        polygon: Polygon,
        /// How density is measured.
        density: DensityMethod,
    },
}

/// How the density of an area is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DensityMethod {
    /// People in the area by its size.
    Classic,
    /// By the room each person has: their Voronoi cell.
    Voronoi {
        /// Radius of the circle that cells are cut off at, m.
        cut_off: f32,
    },
}

/// People with something in common.
#[derive(Clone, Debug)]
pub struct Group {
    /// Unique name.
    pub name: String,
    /// Display colour, sRGB.
    pub color: [u8; 3],
    /// What its people are.
    pub species: Species,
    /// How interesting they are for others to look at, from 0 to 1.
    pub interest: f32,
    /// How its people steer.
    pub steering: Steering,
    /// How its people are built.
    pub body: Body,
    /// How fast its people are on stairs and ramps.
    pub climbing: Climbing<Distribution>,
    /// What its people are like, if they have traits.
    pub traits: Option<Temperaments>,
    /// How many of its crowds and sources walk together; `None` if all walk alone.
    pub together: Option<PartySizes>,
    /// What its people want, in order.
    pub goals: Vec<Goal>,
    /// What its people do after the last goal.
    pub then: Then,
    /// How fields lead its people.
    pub led: Option<Led>,
    /// People listed one by one.
    pub people: Vec<Person>,
    /// People placed at random at the start.
    pub crowds: Vec<Cohort>,
    /// Where further people appear while it runs.
    pub sources: Vec<Source>,
    /// Where the group stands in the scene file.
    pub span: Span,
}

impl Group {
    /// The largest speed that anybody of it can have, m/s.
    pub fn top_speed(&self) -> f32 {
        let listed = self.people.iter().filter_map(|person| person.max_speed);
        listed.fold(self.body.max_speed.max(), f32::max)
    }
}

named_enum! {
    /// What the members of a group are.
    #[derive(Default, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Species {
        /// People.
        #[default]
        Person = "person",
        /// Dogs.
        Dog = "dog",
        /// Horses.
        Horse = "horse",
    }
}

impl Species {
    /// Preferred speeds, m/s: of pedestrians after Weidmann (1993), of dogs from a walk to a slow trot, of horses in
    /// a walk.
    pub fn speed(self) -> Distribution {
        match self {
            Self::Person => Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.8, max: 1.9 },
            Self::Dog => Distribution::Normal { mean: 1.3, sd: 0.4, min: 0.7, max: 2.2 },
            Self::Horse => Distribution::Normal { mean: 1.6, sd: 0.2, min: 1.2, max: 2.0 },
        }
    }

    /// Radius of the disc that one of them takes, m: half as wide as they are long would be too little, and half
    /// their length too much.
    pub fn radius(self) -> f32 {
        match self {
            Self::Person => DEFAULT_RADIUS as f32,
            Self::Dog => 0.35,
            Self::Horse => 0.8,
        }
    }
}

/// What walks: size and speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Preferred speed, m/s.
    pub speed: Distribution,
    /// Largest speed, m/s. A person's preferred speed is lowered to it where the draws cross.
    pub max_speed: Distribution,
    /// Radius of the disc a person occupies, m.
    pub radius: Distribution,
}

/// A choice of steering model and its parameters.
///
/// The names are checked against the models that exist when the engine is built, since the models
/// live in a crate below this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Steering {
    /// Name of the model.
    pub model: String,
    /// A kind of person that the model knows, if one is named.
    pub personality: Option<PersonalityName>,
    /// Parameters that differ from the model's defaults, by name, in the order written.
    pub parameters: Vec<Parameter>,
    /// Where the model is named in the scene file.
    pub span: Span,
}

/// The name of a kind of person that a steering model knows.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonalityName {
    /// The model's name for it.
    pub name: String,
    /// Where it stands in the scene file.
    pub span: Span,
}

/// One named parameter of a steering model.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The model's name for it.
    pub name: String,
    /// Its value, or how it varies.
    pub value: Distribution,
    /// Where it stands in the scene file.
    pub span: Span,
}

/// A person listed one by one. What is `None` comes from the group.
#[derive(Clone, Debug)]
pub struct Person {
    /// A name that goals can refer to; unique in the scene.
    pub name: Option<String>,
    /// Abstract root position on the ground, m.
    pub position: Vec2,
    /// The floor.
    pub layer: LayerId,
    /// Initial velocity, m/s.
    pub velocity: Vec2,
    /// Initial heading; without one, along the velocity or towards the first goal.
    pub heading: Option<Heading>,
    /// Preferred speed, m/s.
    pub speed: Option<f32>,
    /// Largest speed, m/s.
    pub max_speed: Option<f32>,
    /// Radius, m.
    pub radius: Option<f32>,
    /// Speeds on stairs and ramps that are not drawn from the group's.
    pub climbing: Climbing<f32>,
    /// Traits that are not drawn from the group's.
    pub traits: Option<OwnTraits>,
    /// The name of the party they walk with; those of the same name walk together.
    pub party: Option<String>,
    /// A kind of person other than the group's.
    pub personality: Option<PersonalityName>,
    /// Model parameters that differ from the group's.
    pub parameters: Vec<Parameter>,
    /// Goals instead of the group's.
    pub goals: Option<Vec<Goal>>,
    /// What to do after the last goal, instead of the group's choice.
    pub then: Option<Then>,
    /// Where the person stands in the scene file.
    pub span: Span,
}

/// A number of people placed in a region at the start, none overlapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Cohort {
    /// How many.
    pub count: u32,
    /// Where.
    pub region: RegionId,
    /// How they are arranged.
    pub arrangement: Arrangement,
    /// Where this stands in the scene file.
    pub span: Span,
}

/// How a crowd is spread over its region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrangement {
    /// Uniformly at random.
    #[default]
    Random,
    /// On a square lattice with some random offset. Reaches higher densities.
    Grid,
}

/// A place where people appear while the simulation runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Where they appear, when there is room for them.
    pub region: RegionId,
    /// When they appear.
    pub schedule: Schedule,
    /// How many at most; `u32::MAX` for no limit.
    pub limit: u32,
    /// Where this stands in the scene file.
    pub span: Span,
}

/// When people appear at a [`Source`].
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Periods in ascending order that do not overlap; between them nobody appears.
    pub periods: Vec<Period>,
    /// Whether arrivals are random (a Poisson process) instead of evenly spaced.
    pub random: bool,
}

/// A period of constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    /// Begin, s.
    pub from: f64,
    /// End, s; may be infinite.
    pub to: f64,
    /// People per second.
    pub rate: f64,
}
