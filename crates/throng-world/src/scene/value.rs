//! The values that occur in scene files, as typed: each remembers where it stands.
//!
//! Where a key takes a value of one of several types, the type is told apart by a hand-written
//! visitor, because serde's untagged enums buffer the value and lose its place in the file.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use glam::{DVec2, Vec2};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::{
    DEFAULT_MODEL, MAX_COORDINATE, MAX_LINE_POINTS, MAX_POINTS, MAX_RADIUS, MAX_SPEED, Span,
};
use crate::MAX_PARTY;

/// A value and its place in the file.
#[derive(Clone, Debug)]
pub(super) struct At<T>(toml::Spanned<T>);

impl<T> At<T> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.0.span()
    }

    /// Another value at the same place.
    pub fn with<U>(&self, value: U) -> At<U> {
        At(toml::Spanned::new(self.span(), value))
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get_ref()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        toml::Spanned::deserialize(deserializer).map(Self)
    }
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

/// `[x, y]` on the ground, m, or a velocity or direction.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Point([f64; 2]);

impl From<Point> for Vec2 {
    fn from(Point([x, y]): Point) -> Self {
        // Cannot overflow: the schema keeps coordinates small.
        DVec2::new(x, y).as_vec2()
    }
}

impl From<Point> for DVec2 {
    fn from(Point(point): Point) -> Self {
        point.into()
    }
}

/// A number, or how it varies from person to person.
#[derive(Clone, Debug)]
pub(super) enum Varied {
    /// The same for everyone.
    Constant(f64),
    /// Drawn for each person.
    Spread(Spread),
}

/// `{ min, max }`, or `{ mean, sd, min, max }`.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Spread {
    pub mean: Option<At<f64>>,
    pub sd: Option<At<f64>>,
    pub min: At<f64>,
    pub max: At<f64>,
}

/// How many walk together.
#[derive(Clone, Debug)]
pub(super) enum Together {
    /// So many.
    All(f64),
    /// As many parties of one, two, three …
    Shares(Vec<f64>),
}

/// Towards or away from what a goal leads. What the forms mean depends on the goal.
#[derive(Clone, Debug)]
pub(super) enum Towards {
    /// `[x, y]`: a point or a direction.
    Point(Point),
    /// `"name"`: a region, or the crowd.
    Name(String),
    /// `{ random = … }`, `{ nearest = … }`, `{ tag = … }`, `{ person = … }` or `{ group = … }`.
    Whom(Whom),
}

/// The table form of [`Towards`]. Exactly one key is allowed.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Whom {
    pub random: Option<At<String>>,
    pub nearest: Option<At<Vec<At<String>>>>,
    pub tag: Option<At<String>>,
    pub person: Option<At<String>>,
    pub group: Option<At<String>>,
}

/// A point of a line.
#[derive(Clone, Debug)]
pub(super) enum LinePoint {
    /// `[x, y]`, on the floor of the line.
    Here(Point),
    /// `{ at = [x, y], layer = "name" }`.
    Elsewhere(FloorPoint),
}

/// The table form of [`LinePoint`].
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct FloorPoint {
    pub at: At<Point>,
    pub layer: At<String>,
}

/// `"name"` of a region, or the corners of a polygon.
#[derive(Clone, Debug)]
pub(super) enum Area {
    /// A region.
    Region(String),
    /// Corners, in either direction.
    Polygon(Vec<At<Point>>),
}

/// A steering model and those of its parameters that differ from its defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Steering {
    pub model: Option<At<String>>,
    pub personality: Option<At<String>>,
    /// In the order of the file.
    pub parameters: Vec<(At<String>, At<Varied>)>,
}

impl<'de> Deserialize<'de> for Varied {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Union::new("a number or { min, max }"))
    }
}

impl<'de> Deserialize<'de> for Together {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Union::new("a number or a list of shares"))
    }
}

impl<'de> Deserialize<'de> for Towards {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Union::new("[x, y], a name or a table"))
    }
}

impl<'de> Deserialize<'de> for LinePoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Union::new("[x, y] or { at, layer }"))
    }
}

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Union::new("a name or a list of points"))
    }
}

impl<'de> Deserialize<'de> for Steering {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Union::new("a table"))
    }
}

/// A type that is told apart by the type of the TOML value. What is not overridden is refused.
trait FromAny<'de>: Sized {
    fn from_number(_: f64) -> Option<Self> {
        None
    }

    fn from_text(_: &str) -> Option<Self> {
        None
    }

    fn from_list<A: SeqAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(A::Error::custom("unexpected list"))
    }

    fn from_table<A: MapAccess<'de>>(_: A) -> Result<Self, A::Error> {
        Err(A::Error::custom("unexpected table"))
    }
}

impl<'de> FromAny<'de> for Varied {
    fn from_number(number: f64) -> Option<Self> {
        Some(Self::Constant(number))
    }

    fn from_table<A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Spread::deserialize(MapAccessDeserializer::new(table)).map(Self::Spread)
    }
}

impl<'de> FromAny<'de> for Together {
    fn from_number(number: f64) -> Option<Self> {
        Some(Self::All(number))
    }

    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(Self::Shares)
    }
}

impl<'de> FromAny<'de> for Towards {
    fn from_text(text: &str) -> Option<Self> {
        Some(Self::Name(text.to_owned()))
    }

    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        Point::deserialize(SeqAccessDeserializer::new(list)).map(Self::Point)
    }

    fn from_table<A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        Whom::deserialize(MapAccessDeserializer::new(table)).map(Self::Whom)
    }
}

impl<'de> FromAny<'de> for LinePoint {
    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        Point::deserialize(SeqAccessDeserializer::new(list)).map(Self::Here)
    }

    fn from_table<A: MapAccess<'de>>(table: A) -> Result<Self, A::Error> {
        FloorPoint::deserialize(MapAccessDeserializer::new(table)).map(Self::Elsewhere)
    }
}

impl<'de> FromAny<'de> for Area {
    fn from_text(text: &str) -> Option<Self> {
        Some(Self::Region(text.to_owned()))
    }

    fn from_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(Self::Polygon)
    }
}

impl<'de> FromAny<'de> for Steering {
    fn from_table<A: MapAccess<'de>>(mut table: A) -> Result<Self, A::Error> {
        let mut steering = Self::default();
        while let Some(key) = table.next_key::<At<String>>()? {
            if *key == "model" {
                steering.model = Some(table.next_value()?);
            } else if *key == "personality" {
                steering.personality = Some(table.next_value()?);
            } else {
                steering.parameters.push((key, table.next_value()?));
            }
        }
        steering.parameters.sort_by_key(|(name, _)| name.span().start);
        Ok(steering)
    }
}

struct Union<T> {
    expected: &'static str,
    made: PhantomData<T>,
}

impl<T> Union<T> {
    fn new(expected: &'static str) -> Self {
        Self { expected, made: PhantomData }
    }

    fn made<E: Error>(&self, value: Option<T>) -> Result<T, E> {
        value.ok_or_else(|| E::custom(format!("expected {}", self.expected)))
    }
}

impl<'de, T: FromAny<'de>> Visitor<'de> for Union<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.made(T::from_number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        self.made(T::from_number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.made(T::from_text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<T, A::Error> {
        T::from_table(table)
    }
}

/// Schema of a preferred or largest speed.
pub(super) fn speed(_: &mut SchemaGenerator) -> Schema {
    varied("m/s", &json!({ "exclusiveMinimum": 0, "maximum": MAX_SPEED }))
}

/// Schema of a person's radius.
pub(super) fn radius(_: &mut SchemaGenerator) -> Schema {
    varied("m", &json!({ "exclusiveMinimum": 0, "maximum": MAX_RADIUS }))
}

/// Schema of how many walk together.
pub(super) fn together(_: &mut SchemaGenerator) -> Schema {
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
pub(super) fn share(_: &mut SchemaGenerator) -> Schema {
    varied("", &json!({ "minimum": 0, "maximum": 1 }))
}

/// Schema of a trait of personality.
pub(super) fn personality(_: &mut SchemaGenerator) -> Schema {
    varied("", &json!({ "minimum": -1, "maximum": 1 }))
}

/// Schema of a parameter of a steering model. Any number that `f32` holds well, narrowed by
/// `limits`.
pub(super) fn parameter(unit: &str, limits: &Value) -> Schema {
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
    json_schema!({
        "anyOf": [
            number("The same for everyone.", limits),
            {
                "type": "object",
                "description": "Drawn for each person: uniform between `min` and `max`, or normal with `mean` and `sd`, redrawn until it lies within them.",
                "properties": {
                    "mean": number("Mean of the normal distribution.", limits),
                    "sd": number("Standard deviation of the normal distribution.", &json!({ "minimum": 0 })),
                    "min": number("Smallest value.", limits),
                    "max": number("Largest value.", limits),
                },
                "required": ["min", "max"],
                "dependentRequired": { "mean": ["sd"], "sd": ["mean"] },
                "additionalProperties": false,
            },
        ],
    })
}

/// Schema of what a goal can seek.
pub(super) fn seek(_: &mut SchemaGenerator) -> Schema {
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
pub(super) fn line(_: &mut SchemaGenerator) -> Schema {
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
pub(super) fn flee(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [point("A point, m."), whom(&["person", "group"])],
        "examples": [[0, 0], { "group": "police" }],
    })
}

/// Schema of where a goal can flow.
pub(super) fn flow(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            point("A direction; its length does not matter."),
            { "type": "string", "enum": ["crowd"], "description": "The way the people around walk." },
        ],
        "examples": [[1, 0], "crowd"],
    })
}

/// Schema of where a measurement can be.
pub(super) fn area(_: &mut SchemaGenerator) -> Schema {
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
pub(super) fn merge(schema: &mut Value, extra: &Value) {
    if let (Some(schema), Some(extra)) = (schema.as_object_mut(), extra.as_object()) {
        schema.extend(extra.clone());
    }
}
