//! Enums of other crates as words: a [`Name`] is a string in messages and a union of strings in TypeScript.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};
use throng::PipelineStage;
use throng::scaler::{BodyLevel, Effort};
use throng_crowd::{Stage, Status};
use throng_eval::score::Pattern;
use throng_motion::Region;
use throng_world::scene::Species;
use throng_world::{Temperament, Trait};

/// An enum whose variants have names. The number of a variant in binary messages is its index in `ALL`.
pub(crate) trait Named: Copy + Sized + 'static {
    /// Name of the TypeScript union.
    const TYPE: &'static str;
    /// What a value of it is.
    const MEANING: &'static str;
    /// Every variant, in the order of their numbers.
    const ALL: &'static [Self];

    /// Name of a variant.
    fn name(self) -> &'static str;

    /// Names of all variants.
    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|variant| variant.name()).collect()
    }
}

macro_rules! named {
    ($($type:ident = $name:literal, $list:literal, $meaning:literal, $get:path;)*) => {
        $(impl Named for $type {
            const TYPE: &'static str = $name;
            const MEANING: &'static str = $meaning;
            const ALL: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                $get(self)
            }
        })*

        /// Every enum: the names of its TypeScript union and list, its meaning, and the names of its variants.
        #[cfg(test)]
        pub(super) fn all_names() -> Vec<([&'static str; 3], Vec<&'static str>)> {
            vec![$(([$name, $list, $meaning], $type::names())),*]
        }
    };
}

named! {
    Status = "Status", "STATUSES", "What a person does.", Status::as_str;
    BodyLevel = "BodyLevel", "BODY_LEVELS", "Level of detail of a body, from the lowest to the highest.", BodyLevel::as_str;
    Effort = "Effort", "EFFORTS", "Level of detail of the simulation of a person, from the lowest to the highest.", Effort::as_str;
    Species = "Species", "SPECIES", "What the members of a group are.", Species::name;
    Region = "BodyRegion", "BODY_REGIONS", "Part of the surface of a body that has one colour.", Region::name;
    Trait = "Trait", "TRAITS", "Trait of personality.", Trait::name;
    Pattern = "PatternName", "PATTERNS", "Pattern that the tracks of people should not have.", Pattern::name;
    PipelineStage = "PipelineStage", "PIPELINE_STAGES", "Stage of the engine's pipeline.", PipelineStage::as_str;
    Stage = "StepStage", "STEP_STAGES", "Stage of a step of the simulation.", Stage::as_str;
}

/// A variant of an enum as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<T>(pub T);

impl<T: Named> Serialize for Name<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<T: Named> JsonSchema for Name<T> {
    fn schema_name() -> Cow<'static, str> {
        T::TYPE.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": T::names(), "description": T::MEANING })
    }
}

/// A number for each variant of an enum, as an object with their names as keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PerName<T, N>(Vec<(T, N)>);

impl<T: Named, N> PerName<T, N> {
    pub fn new(number: impl Fn(T) -> N) -> Self {
        Self(T::ALL.iter().map(|&variant| (variant, number(variant))).collect())
    }
}

impl PerName<Trait, f64> {
    /// The traits of a person, to hundredths.
    pub fn of_temperament(temperament: Temperament) -> Self {
        Self::new(|which| (f64::from(temperament.get(which)) * 100.0).round() / 100.0)
    }
}

impl<T: Named, N: Serialize> Serialize for PerName<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (variant, number) in &self.0 {
            map.serialize_entry(variant.name(), number)?;
        }
        map.end()
    }
}

impl<T: Named, N: JsonSchema> JsonSchema for PerName<T, N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Per{}", T::TYPE).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (key, number) = (generator.subschema_for::<Name<T>>(), generator.subschema_for::<N>());
        json_schema!({ "type": "object", "propertyNames": key, "additionalProperties": number })
    }
}
