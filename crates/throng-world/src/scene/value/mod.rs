//! The values that occur in scene files, as typed: each remembers where it stands.
//!
//! Where a key takes a value of one of several types, the type is told apart by a hand-written
//! visitor, because serde's untagged enums buffer the value and lose its place in the file.

mod build;
mod schema;

pub use build::{at, decimal, given, list};
pub(super) use schema::*;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use glam::{DVec2, Vec2};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Span;

/// A value and its place in the file it was read from. Two are equal if their values are; that of a scene
/// which is built by code has no place.
#[derive(Clone, Debug)]
pub struct At<T>(toml::Spanned<T>);

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

impl<T> DerefMut for At<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut()
    }
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Serialize> Serialize for At<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        toml::Spanned::deserialize(deserializer).map(Self)
    }
}

/// `[x, y]` on the ground, m, or a velocity or direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Point(pub [f64; 2]);

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
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
#[allow(
    clippy::large_enum_variant,
    reason = "a scene has few of them, and they are written as literals"
)]
pub enum Varied {
    /// The same for everyone.
    Constant(f64),
    /// Drawn for each person.
    Spread(Spread),
}

/// `{ min, max }`, or the same with `mean` and `sd`, `log_mean` and `log_sd`, or `scale` and `shape`; or `{ file }`.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Spread {
    /// Mean of a normal distribution. Without the keys of any, the distribution is uniform.
    pub mean: Option<At<f64>>,
    /// Standard deviation of a normal distribution.
    pub sd: Option<At<f64>>,
    /// Mean of the natural logarithm of a log-normal distribution.
    pub log_mean: Option<At<f64>>,
    /// Standard deviation of the natural logarithm of a log-normal distribution.
    pub log_sd: Option<At<f64>>,
    /// Scale of a Weibull distribution.
    pub scale: Option<At<f64>>,
    /// Shape of a Weibull distribution.
    pub shape: Option<At<f64>>,
    /// Path of a CSV file of times, of waiting times only.
    pub file: Option<At<String>>,
    /// Smallest value. Waiting times may do without.
    pub min: Option<At<f64>>,
    /// Largest value. Waiting times may do without.
    pub max: Option<At<f64>>,
}

/// How many walk together.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Together {
    /// So many.
    All(f64),
    /// As many parties of one, two, three …
    Shares(Vec<f64>),
}

/// Towards or away from what a goal leads. What the forms mean depends on the goal.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Towards {
    /// `[x, y]`: a point or a direction.
    Point(Point),
    /// `"name"`: a region, or the crowd.
    Name(String),
    /// `{ random = … }`, `{ nearest = … }`, `{ tag = … }`, `{ person = … }` or `{ group = … }`.
    Whom(Whom),
}

/// The table form of [`Towards`]. Exactly one key is allowed.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Whom {
    /// A random point of this region.
    pub random: Option<At<String>>,
    /// The nearest of these regions.
    pub nearest: Option<At<Vec<At<String>>>>,
    /// The nearest region with this tag.
    pub tag: Option<At<String>>,
    /// The person of this name.
    pub person: Option<At<String>>,
    /// The nearest person of this group.
    pub group: Option<At<String>>,
}

impl Whom {
    pub(super) fn has_one_key(&self) -> bool {
        let Self { random, nearest, tag, person, group } = self;
        let names = [random, tag, person, group].map(|name| usize::from(name.is_some()));
        names.into_iter().sum::<usize>() + usize::from(nearest.is_some()) == 1
    }
}

/// A point of a line.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum LinePoint {
    /// `[x, y]`, on the floor of the line.
    Here(Point),
    /// `{ at = [x, y], layer = "name" }`.
    Elsewhere(FloorPoint),
}

/// The table form of [`LinePoint`].
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FloorPoint {
    /// The point, m.
    pub at: At<Point>,
    /// Its floor.
    pub layer: At<String>,
}

/// `"name"` of a region, or the corners of a polygon.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Area {
    /// A region.
    Region(String),
    /// Corners, in either direction.
    Polygon(Vec<At<Point>>),
}

/// A steering model and those of its parameters that differ from its defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steering {
    /// Name of the model.
    pub model: Option<At<String>>,
    /// A kind of person that the model knows.
    pub personality: Option<At<String>>,
    /// Parameters and their values, in the order of the file.
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

impl Serialize for Steering {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_map(None)?;
        if let Some(model) = &self.model {
            table.serialize_entry("model", model)?;
        }
        if let Some(personality) = &self.personality {
            table.serialize_entry("personality", personality)?;
        }
        for (name, value) in &self.parameters {
            table.serialize_entry(&**name, value)?;
        }
        table.end()
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
