//! How a scene is evaluated, as the author typed it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::value::At;
use super::super::{DEFAULT_FIELD_OF_VIEW, MAX_CAMERAS, MAX_COORDINATE, MAX_CRITERIA};

/// What the scene is to show, and by what it is told whether it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "evaluation", deny_unknown_fields)]
pub struct Evaluation {
    /// Counts up when the scene becomes another one, so that results of different ones are not
    /// compared.
    #[schemars(extend("default" = 1, "minimum" = 1, "maximum" = u32::MAX))]
    pub version: Option<At<i64>>,
    /// What kind of situation it is.
    #[schemars(extend("minLength" = 1, "examples" = ["one-on-one"]))]
    pub category: Option<At<String>>,
    /// Whether the situation is a guess from the name or the siblings of one that is known.
    #[schemars(extend("default" = false))]
    pub inferred: Option<At<bool>>,
    /// Where the situation comes from.
    pub source: Option<At<String>>,
    /// What a run must meet: comparisons of formulas over quantities of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "criteria")]
    pub criteria: Vec<At<String>>,
    /// Places that the scene is well seen from, the best one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("maxItems" = MAX_CAMERAS))]
    pub cameras: Vec<At<Camera>>,
}

/// A place that the scene is well seen from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "camera", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "position": [0, -20, 15], "look_at": [0, 0, 0] }]))]
pub struct Camera {
    /// Where it is: x and y on the ground, and the height above it, m.
    #[schemars(schema_with = "place", extend("examples" = [[0, -20, 15]]))]
    pub position: At<[f64; 3]>,
    /// What it looks at, likewise, m.
    #[schemars(schema_with = "place", extend("examples" = [[0, 0, 0]]))]
    pub look_at: At<[f64; 3]>,
    /// Its vertical field of view, degrees.
    #[schemars(extend("default" = DEFAULT_FIELD_OF_VIEW, "minimum" = 1, "maximum" = 170))]
    #[schemars(extend("x-unit" = "°"))]
    pub field_of_view: Option<At<f64>>,
}

fn criteria(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": { "type": "string", "minLength": 1 },
        "maxItems": MAX_CRITERIA,
        "examples": [["completion == 1", "time <= 1.5 * ideal_time"]],
    })
}

fn place(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": { "type": "number", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE, "x-unit": "m" },
        "minItems": 3,
        "maxItems": 3,
    })
}
