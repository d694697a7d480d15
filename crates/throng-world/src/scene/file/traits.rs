//! What people are like, as it is typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::value::{self, At, Varied};

/// What the people of a group are like: traits of personality, each from -1 to 1, where 0 is neither
/// the one nor the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "traits", deny_unknown_fields)]
#[schemars(extend("examples" = [
    { "extraversion": 0.6, "neuroticism": { "mean": 0, "sd": 0.3, "min": -1, "max": 1 } },
]))]
pub struct Traits {
    /// Curious, or set in their ways: whether they take ways of their own, wander and look around.
    #[serde(default)]
    #[schemars(schema_with = "value::personality", extend("default" = 0))]
    pub openness: Option<At<Varied>>,
    /// Orderly, or careless: how far ahead they look, how patient they are, and whether they keep to the
    /// right.
    #[serde(default)]
    #[schemars(schema_with = "value::personality", extend("default" = 0))]
    pub conscientiousness: Option<At<Varied>>,
    /// Outgoing, or withdrawn: how fast they walk, how little room they take and whether they push.
    #[serde(default)]
    #[schemars(schema_with = "value::personality", extend("default" = 0))]
    pub extraversion: Option<At<Varied>>,
    /// Considerate, or selfish: whether they give way and wait.
    #[serde(default)]
    #[schemars(schema_with = "value::personality", extend("default" = 0))]
    pub agreeableness: Option<At<Varied>>,
    /// Anxious, or calm: how much room they take, how short-sighted they are, and how soon they panic.
    #[serde(default)]
    #[schemars(schema_with = "value::personality", extend("default" = 0))]
    pub neuroticism: Option<At<Varied>>,
}

impl Traits {
    /// In the order of their initials.
    pub fn all(&self) -> [Option<&At<Varied>>; 5] {
        let Self { openness, conscientiousness, extraversion, agreeableness, neuroticism } = self;
        [openness, conscientiousness, extraversion, agreeableness, neuroticism].map(Option::as_ref)
    }
}

/// What one person is like, as far as it is not drawn from the group's `traits`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "own traits", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "extraversion": 0.6 }]))]
pub struct OwnTraits {
    /// Curious, or set in their ways, from -1 to 1.
    #[schemars(extend("minimum" = -1, "maximum" = 1, "examples" = [0.6]))]
    pub openness: Option<At<f64>>,
    /// Orderly, or careless, from -1 to 1.
    #[schemars(extend("minimum" = -1, "maximum" = 1, "examples" = [0.6]))]
    pub conscientiousness: Option<At<f64>>,
    /// Outgoing, or withdrawn, from -1 to 1.
    #[schemars(extend("minimum" = -1, "maximum" = 1, "examples" = [0.6]))]
    pub extraversion: Option<At<f64>>,
    /// Considerate, or selfish, from -1 to 1.
    #[schemars(extend("minimum" = -1, "maximum" = 1, "examples" = [0.6]))]
    pub agreeableness: Option<At<f64>>,
    /// Anxious, or calm, from -1 to 1.
    #[schemars(extend("minimum" = -1, "maximum" = 1, "examples" = [0.6]))]
    pub neuroticism: Option<At<f64>>,
}

impl OwnTraits {
    /// In the order of their initials.
    pub fn all(&self) -> [Option<&At<f64>>; 5] {
        let Self { openness, conscientiousness, extraversion, agreeableness, neuroticism } = self;
        [openness, conscientiousness, extraversion, agreeableness, neuroticism].map(Option::as_ref)
    }
}
