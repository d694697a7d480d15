//! Fields and who is led by them, as the author typed it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::value::{self, At, Point, Varied};
use super::super::{
    DEFAULT_BORDER, DEFAULT_FADE, DEFAULT_GOALS, DEFAULT_SHARE, DEFAULT_WANDER, MAX_ANCHORS,
    MAX_NAMED, MAX_REACH, MIN_REACH,
};

/// A vector field: arrows on the ground that lead people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "field", deny_unknown_fields)]
pub struct Field {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["stream"]))]
    pub name: At<String>,
    /// The arrows. The field passes through all of them.
    #[schemars(extend("minItems" = 1, "maxItems" = MAX_ANCHORS))]
    #[schemars(extend("examples" = [[{ "at": [0, 0], "velocity": [1.3, 0] }]]))]
    pub anchors: At<Vec<At<Anchor>>>,
    /// How the arrows change while the simulation runs, in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<At<Edit>>,
    /// How the field is made of arrows with keys: each changes at a steady rate, or one field is
    /// solved for all places and times.
    #[schemars(extend("default" = "tracks"))]
    pub keys: Option<At<KeyMethod>>,
    /// With `keys = "joint"`, how many metres count as much as a second. By default as many as
    /// make the distances of arrows those of keys.
    #[schemars(extend("minimum" = 1e-3, "maximum" = 1e3, "x-unit" = "m/s", "examples" = [1]))]
    pub tau: Option<At<f64>>,
    /// The floor. By default that of the region, or the first.
    pub layer: Option<At<String>>,
    /// The region in which it holds. By default it holds everywhere on its floor.
    #[schemars(extend("examples" = ["square"]))]
    pub region: Option<At<String>>,
    /// From the border of its region inwards, it takes effect over this width, m.
    #[schemars(extend("default" = DEFAULT_BORDER, "minimum" = 0, "maximum" = 1000, "x-unit" = "m"))]
    pub border: Option<At<f64>>,
    /// How much it counts where other fields of the same people hold as well.
    #[schemars(extend("default" = 1, "exclusiveMinimum" = 0, "maximum" = 1e6))]
    pub priority: Option<At<f64>>,
    /// How long it takes a changed field to replace what it was, s.
    #[schemars(extend("default" = DEFAULT_FADE, "minimum" = 0, "maximum" = 10, "x-unit" = "s"))]
    pub fade: Option<At<f64>>,
}

/// An arrow on the ground. It has either `at` and `velocity`, or `keys`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "anchor", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "at": [0, 0], "velocity": [1.3, 0] }]))]
pub struct Anchor {
    /// A name that edits can refer to; unique in its field.
    #[schemars(extend("minLength" = 1, "examples" = ["gate"]))]
    pub name: Option<At<String>>,
    /// Where it is, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[0, 0]]))]
    pub at: Option<At<Point>>,
    /// Where it leads, and how fast, m/s.
    #[schemars(extend("x-unit" = "m/s", "examples" = [[1.3, 0]]))]
    pub velocity: Option<At<Point>>,
    /// What it is like at some moments, in the order of time.
    #[schemars(extend("minItems" = 1))]
    #[schemars(extend("examples" = [[{ "time": 0, "velocity": [1.3, 0] }, { "time": 20, "velocity": [0, 1.3] }]]))]
    pub keys: Option<At<Vec<At<Key>>>>,
    /// How much the field may miss it, in normalised units: 0 not at all, 0.001 where neighbours
    /// contradict each other. By default not at all, unless they do.
    #[schemars(extend("minimum" = 0, "maximum" = 1, "examples" = [0.001]))]
    pub smoothing: Option<At<f64>>,
    /// Distance beyond which it does not lead, m. Within half of it, it leads in full. By default it leads
    /// everywhere.
    #[schemars(extend("minimum" = MIN_REACH, "maximum" = MAX_REACH, "x-unit" = "m", "examples" = [10]))]
    pub reach: Option<At<f64>>,
}

/// What an arrow is like at a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "key", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "time": 20, "velocity": [0, 1.3] }]))]
pub struct Key {
    /// The moment, s.
    #[schemars(extend("minimum" = 0, "maximum" = 1e9, "x-unit" = "s", "examples" = [20]))]
    pub time: At<f64>,
    /// Where it is then, m. By default `at` of the anchor.
    #[schemars(extend("x-unit" = "m", "examples" = [[0, 0]]))]
    pub at: Option<At<Point>>,
    /// Where it leads then, and how fast, m/s. By default `velocity` of the anchor.
    #[schemars(extend("x-unit" = "m/s", "examples" = [[1.3, 0]]))]
    pub velocity: Option<At<Point>>,
}

/// How a field is made of arrows with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeyMethod {
    /// Each arrow changes at a steady rate from key to key.
    Tracks,
    /// One field is solved for all places and times.
    Joint,
}

/// A change of a field while the simulation runs. It has exactly one of `add`, `change` and `remove`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "edit", deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["add"] },
    { "required": ["change"] },
    { "required": ["remove"] },
]))]
#[schemars(extend("examples" = [{ "time": 10, "change": "gate", "velocity": [0, 1] }]))]
pub struct Edit {
    /// When, s.
    #[schemars(extend("minimum" = 0, "maximum" = 1e9, "x-unit" = "s", "examples" = [10]))]
    pub time: At<f64>,
    /// A new arrow.
    pub add: Option<At<Anchor>>,
    /// The name of an arrow that is moved to `at`, or given another `velocity` or `reach`.
    #[schemars(extend("minLength" = 1, "examples" = ["gate"]))]
    pub change: Option<At<String>>,
    /// The name of an arrow that is taken away.
    #[schemars(extend("minLength" = 1, "examples" = ["gate"]))]
    pub remove: Option<At<String>>,
    /// With `change`, where the arrow is from now on, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[0, 0]]))]
    pub at: Option<At<Point>>,
    /// With `change`, where it leads from now on, and how fast, m/s.
    #[schemars(extend("x-unit" = "m/s", "examples" = [[1.3, 0]]))]
    pub velocity: Option<At<Point>>,
    /// With `change`, the distance beyond which it does not lead from now on, m.
    #[schemars(extend("minimum" = MIN_REACH, "maximum" = MAX_REACH, "x-unit" = "m", "examples" = [10]))]
    pub reach: Option<At<f64>>,
}

/// By which fields people are led, and how far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "led", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "by": ["stream"], "share": 0.7 }]))]
pub struct Led {
    /// The fields. Where several hold, their mean leads, weighted by their priorities.
    #[schemars(extend("minItems" = 1, "maxItems" = MAX_NAMED, "examples" = [["stream"]]))]
    pub by: At<Vec<At<String>>>,
    /// The share of the fields in people's velocity (ρ): 1 is blind obedience, 0 a will of one's own.
    #[serde(default)]
    #[schemars(schema_with = "value::share", extend("default" = DEFAULT_SHARE))]
    pub share: Option<At<Varied>>,
    /// How much people wander, as a share of their speed (ξ).
    #[schemars(extend("default" = DEFAULT_WANDER, "minimum" = 0, "maximum" = 1))]
    pub wander: Option<At<f64>>,
    /// The share of people's goals in what the fields leave (κ); the rest is attraction by the
    /// arrows around and wandering. Without goals it is 0.
    #[schemars(extend("default" = DEFAULT_GOALS, "minimum" = 0, "maximum" = 1))]
    pub goals: Option<At<f64>>,
}
