//! The JSON Schema of the values that occur in scene files.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::super::{
    DEFAULT_MODEL, MAX_COORDINATE, MAX_LINE_POINTS, MAX_POINTS, MAX_RADIUS, MAX_SPEED,
};
use super::{At, Point, Steering, Varied};
use crate::MAX_PARTY;

/// Schema of a preferred or largest speed.
pub(in crate::scene) fn speed(_: &mut SchemaGenerator) -> Schema {
    varied("m/s", &json!({ "exclusiveMinimum": 0, "maximum": MAX_SPEED }))
}

/// Schema of a person's radius.
pub(in crate::scene) fn radius(_: &mut SchemaGenerator) -> Schema {
    varied("m", &json!({ "exclusiveMinimum": 0, "maximum": MAX_RADIUS }))
}

/// Schema of how many walk together.
pub(in crate::scene) fn together(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": MAX_PARTY, "description": "So many each." },
            {
                "type": "array",
                "description": "The shares of those who walk alone, of pairs, of threes and so on among all parties.",
                "items": { "type": "number", "minimum": 0, "maximum": 1e6 },
                "minItems": 1,
                "maxItems": MAX_PARTY,
            },
        ],
        "examples": [2, [0.4, 0.4, 0.15, 0.05]],
    })
}

/// Schema of a share.
pub(in crate::scene) fn share(_: &mut SchemaGenerator) -> Schema {
    varied("", &json!({ "minimum": 0, "maximum": 1 }))
}

/// Schema of a trait of personality.
pub(in crate::scene) fn personality(_: &mut SchemaGenerator) -> Schema {
    varied("", &json!({ "minimum": -1, "maximum": 1 }))
}

/// Schema of a parameter of a steering model. Any number that `f32` holds well, narrowed by
/// `limits`.
pub(in crate::scene) fn parameter(unit: &str, limits: &Value) -> Schema {
    let mut all = json!({ "minimum": -1e9, "maximum": 1e9 });
    merge(&mut all, limits);
    varied(unit, &all)
}

/// Schema of a [`Varied`] in `unit` whose every value keeps to `limits`.
fn varied(unit: &str, limits: &Value) -> Schema {
    let number = |description: &str, limits: &Value| {
        let mut number = json!({ "type": "number", "description": description });
        merge(&mut number, limits);
        if !unit.is_empty() {
            merge(&mut number, &json!({ "x-unit": unit }));
        }
        number
    };
    let pure = |description: &str, limits: &Value| {
        let mut number = json!({ "type": "number", "description": description });
        merge(&mut number, limits);
        number
    };
    json_schema!({
        "anyOf": [
            number("The same for everyone.", limits),
            {
                "type": "object",
                "description": "Drawn for each person between `min` and `max`: uniform, normal with `mean` and `sd`, log-normal with `log_mean` and `log_sd`, or Weibull with `scale` and `shape`.",
                "properties": {
                    "mean": number("Mean of the normal distribution.", limits),
                    "sd": number("Standard deviation of the normal distribution.", &json!({ "minimum": 0 })),
                    "log_mean": pure("Mean of the natural logarithm of a log-normal distribution.", &json!({ "minimum": -20, "maximum": 20 })),
                    "log_sd": pure("Standard deviation of the natural logarithm of a log-normal distribution.", &json!({ "exclusiveMinimum": 0, "maximum": 10 })),
                    "scale": number("Scale of a Weibull distribution: 63 % of all values are smaller.", &json!({ "exclusiveMinimum": 0, "maximum": 1e9 })),
                    "shape": pure("Shape of a Weibull distribution; 1 is an exponential one.", &json!({ "minimum": 0.1, "maximum": 100 })),
                    "min": number("Smallest value.", limits),
                    "max": number("Largest value.", limits),
                },
                "required": ["min", "max"],
                "dependentRequired": {
                    "mean": ["sd"],
                    "sd": ["mean"],
                    "log_mean": ["log_sd"],
                    "log_sd": ["log_mean"],
                    "scale": ["shape"],
                    "shape": ["scale"],
                },
                "additionalProperties": false,
            },
        ],
    })
}

/// Schema of how long people stay: any distribution of [`varied`], with or without limits, or a file.
pub(in crate::scene) fn wait(_: &mut SchemaGenerator) -> Schema {
    let mut schema = varied("s", &json!({ "minimum": 0, "maximum": 1e9 }));
    if let Some(table) = schema.get_mut("anyOf").and_then(|forms| forms.get_mut(1)) {
        table["required"] = json!([]);
        table["properties"]["file"] = json!({
            "type": "string",
            "minLength": 1,
            "description": "A CSV file with a column `time`, of times that were measured, or with the columns `time` and `cumulative`, of their distribution. The path is relative to the scene file.",
            "examples": ["delays.csv"],
        });
    }
    schema
}

/// Schema of what a goal can seek.
pub(in crate::scene) fn seek(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            point("A point, m."),
            { "type": "string", "minLength": 1, "description": "A region: go into it by the nearest way." },
            whom(&["random", "nearest", "tag", "person", "group"]),
        ],
        "examples": [[10, 0], "exit", { "random": "hall" }, { "person": "guide" }],
    })
}

/// Schema of a line that a goal can follow.
pub(in crate::scene) fn line(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "description": "The points of a line, in the order in which they are walked, m.",
        "items": {
            "anyOf": [
                point("A point [x, y] on the floor of the line."),
                {
                    "type": "object",
                    "description": "A point on another floor.",
                    "properties": {
                        "at": point("The point [x, y]."),
                        "layer": { "type": "string", "minLength": 1, "description": "Its floor." },
                    },
                    "required": ["at", "layer"],
                    "additionalProperties": false,
                },
            ],
        },
        "minItems": 2,
        "maxItems": MAX_LINE_POINTS,
        "examples": [[[0, 0], [20, 0], [20, 15]]],
    })
}

/// Schema of what a goal can flee.
pub(in crate::scene) fn flee(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [point("A point, m."), whom(&["person", "group"])],
        "examples": [[0, 0], { "group": "police" }],
    })
}

/// Schema of where a goal can flow.
pub(in crate::scene) fn flow(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            point("A direction; its length does not matter."),
            { "type": "string", "enum": ["crowd"], "description": "The way the people around walk." },
        ],
        "examples": [[1, 0], "crowd"],
    })
}

/// Schema of where a measurement can be.
pub(in crate::scene) fn area(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "string", "minLength": 1, "description": "A region." },
            {
                "type": "array",
                "description": "The corners of a simple polygon, in either direction, m.",
                "items": point("A corner [x, y]."),
                "minItems": 3,
                "maxItems": MAX_POINTS,
            },
        ],
        "examples": ["hall", [[0, 0], [4, 0], [4, 3]]],
    })
}

fn point(description: &str) -> Value {
    json!({
        "type": "array",
        "description": description,
        "items": { "type": "number", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE },
        "minItems": 2,
        "maxItems": 2,
    })
}

fn whom(keys: &[&str]) -> Value {
    let meaning = |key: &str| match key {
        "random" => "A point drawn at random from this region each time the goal begins.",
        "nearest" => "Whichever of these regions is nearest by the ways there are.",
        "tag" => "Whichever region with this tag is nearest by the ways there are.",
        "person" => "The person of this name.",
        _ => "Whoever of this group is nearest.",
    };
    let property = |key: &&str| {
        let name = json!({ "type": "string", "minLength": 1, "description": meaning(key) });
        let schema = match *key {
            "nearest" => json!({
                "type": "array",
                "description": meaning(key),
                "items": { "type": "string", "minLength": 1, "description": "A region." },
                "minItems": 1,
                "uniqueItems": true,
                "examples": [["west exit", "east exit"]],
            }),
            _ => name,
        };
        ((*key).to_owned(), schema)
    };
    json!({
        "type": "object",
        "properties": keys.iter().map(property).collect::<Map<_, _>>(),
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
    })
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl JsonSchema for Point {
    fn schema_name() -> Cow<'static, str> {
        "Point".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = Schema::default();
        if let Value::Object(point) = point("A point [x, y] on the ground.") {
            schema.ensure_object().extend(point);
        }
        schema
    }
}

impl JsonSchema for Varied {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Varied".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        parameter("", &json!({}))
    }
}

impl JsonSchema for Steering {
    fn schema_name() -> Cow<'static, str> {
        "Steering".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A steering model and those of its parameters that differ from its defaults.",
            "properties": {
                "model": {
                    "type": "string",
                    "description": "Name of the model.",
                    "default": DEFAULT_MODEL,
                },
                "personality": {
                    "type": "string",
                    "description": "A kind of person that the model knows: values of some of its parameters.",
                },
            },
            "additionalProperties": parameter("", &json!({})),
            "examples": [{ "model": DEFAULT_MODEL }],
        })
    }
}

/// Adds the entries of the object `extra` to the object `schema`.
pub(in crate::scene) fn merge(schema: &mut Value, extra: &Value) {
    if let (Some(schema), Some(extra)) = (schema.as_object_mut(), extra.as_object()) {
        schema.extend(extra.clone());
    }
}
