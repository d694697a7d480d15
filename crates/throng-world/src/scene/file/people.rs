//! Who is there: groups, listed people, crowds and sources, as they are typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::value::{self, At, Point, Steering, Together, Varied};
use super::super::{DEFAULT_INTEREST, DEFAULT_RADIUS, MAX_PEOPLE, MAX_RADIUS, MAX_RATE, MAX_SPEED};
use super::{Arrangement, Goal, Led, OwnTraits, Species, Then, Traits};

/// People with something in common: those of `people`, `crowds` and `sources`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "group", deny_unknown_fields)]
pub struct Group {
    /// Unique name.
    #[schemars(extend("minLength" = 1, "examples" = ["visitors"]))]
    pub name: At<String>,
    /// Display colour. By default each group has another one.
    #[schemars(extend("pattern" = "^#[0-9a-fA-F]{6}$", "examples" = ["#4477aa"]))]
    pub color: Option<At<String>>,
    /// What they are. It decides what their bodies look like, how fast they prefer to be, and how much
    /// room they take, unless `speed` and `radius` say otherwise.
    #[schemars(extend("default" = "person"))]
    pub species: Option<At<Species>>,
    /// How interesting its people are for others to look at, from 0 to 1.
    #[schemars(extend("default" = DEFAULT_INTEREST, "minimum" = 0, "maximum" = 1))]
    pub interest: Option<At<f64>>,
    /// Preferred speed, m/s. By default a normal distribution as measured for pedestrians.
    #[serde(default)]
    #[schemars(schema_with = "value::speed")]
    #[schemars(extend("default" = { "mean": 1.34, "sd": 0.26, "min": 0.8, "max": 1.9 }))]
    #[schemars(extend("examples" = [1.3]))]
    pub speed: Option<At<Varied>>,
    /// Largest speed, m/s. By default 1.3 times the largest speed that `speed` and the group's
    /// goals ask for, at most 20.
    #[serde(default)]
    #[schemars(schema_with = "value::speed", extend("examples" = [2]))]
    pub max_speed: Option<At<Varied>>,
    /// Radius of the disc a person occupies, m.
    #[serde(default)]
    #[schemars(schema_with = "value::radius", extend("default" = DEFAULT_RADIUS))]
    pub radius: Option<At<Varied>>,
    /// Speeds up and down stairs, as seen from above. By default 0.455 and 0.515 of the speed on the level.
    pub stairs: Option<At<Climb>>,
    /// Speeds up and down ramps, as seen from above. By default what `slopes` leaves of the speed on the level.
    pub ramps: Option<At<Climb>>,
    /// What its people are like, which shifts how fast they walk, how much room they take and how they
    /// steer. By default they have no traits.
    pub traits: Option<At<Traits>>,
    /// How many of its crowds and sources walk together: so many each, or the shares of those who walk alone, of pairs, of
    /// threes and so on among all parties. By default everybody walks alone. Who is listed says so with `party`.
    #[serde(default)]
    #[schemars(schema_with = "value::together")]
    pub together: Option<At<Together>>,
    /// How its people steer.
    pub steering: Option<At<Steering>>,
    /// The fields that lead its people. By default none does.
    pub led: Option<At<Led>>,
    /// What its people want, in order. By default nothing: they stand, unless fields lead them.
    pub goals: Option<At<Vec<At<Goal>>>>,
    /// What its people do after the last goal.
    #[schemars(extend("default" = "stay"))]
    pub then: Option<At<Then>>,
    /// People listed one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<At<Person>>,
    /// People placed in a region at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowds: Vec<At<Crowd>>,
    /// Where further people appear while the simulation runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<At<Source>>,
}

/// Speeds on stairs or ramps. What is left out follows from the speed on the level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "climb", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "up": 0.5, "down": 0.65 }]))]
pub struct Climb {
    /// Upwards, m/s.
    #[serde(default)]
    #[schemars(schema_with = "value::speed", extend("examples" = [0.5]))]
    pub up: Option<At<Varied>>,
    /// Downwards, m/s.
    #[serde(default)]
    #[schemars(schema_with = "value::speed", extend("examples" = [0.65]))]
    pub down: Option<At<Varied>>,
}

/// Speeds of one person on stairs or ramps. What is left out is drawn from the group's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "own climb", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "up": 0.5, "down": 0.65 }]))]
pub struct OwnClimb {
    /// Upwards, m/s.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_SPEED, "x-unit" = "m/s"))]
    #[schemars(extend("examples" = [0.5]))]
    pub up: Option<At<f64>>,
    /// Downwards, m/s.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_SPEED, "x-unit" = "m/s"))]
    #[schemars(extend("examples" = [0.65]))]
    pub down: Option<At<f64>>,
}

/// A person listed one by one. What is left out comes from the group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "person", deny_unknown_fields)]
pub struct Person {
    /// A name that goals can refer to; unique in the scene.
    #[schemars(extend("minLength" = 1, "examples" = ["guide"]))]
    pub name: Option<At<String>>,
    /// Position at the start, m.
    #[schemars(extend("x-unit" = "m", "examples" = [[1, 2]]))]
    pub position: At<Point>,
    /// The floor. By default the first.
    pub layer: Option<At<String>>,
    /// Velocity at the start, m/s.
    #[schemars(extend("default" = [0, 0], "x-unit" = "m/s"))]
    pub velocity: Option<At<Point>>,
    /// Heading at the start, degrees counter-clockwise from +x. By default along the velocity, or
    /// towards the first goal.
    #[schemars(extend("minimum" = -360, "maximum" = 360, "x-unit" = "°", "examples" = [90]))]
    pub heading: Option<At<f64>>,
    /// Preferred speed, m/s. By default drawn from the group's.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_SPEED, "x-unit" = "m/s"))]
    #[schemars(extend("examples" = [1.3]))]
    pub speed: Option<At<f64>>,
    /// Largest speed, m/s. By default drawn from the group's; if neither gives one, 1.3 times the
    /// person's `speed`.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_SPEED, "x-unit" = "m/s"))]
    #[schemars(extend("examples" = [2]))]
    pub max_speed: Option<At<f64>>,
    /// Radius of the disc the person occupies, m. By default drawn from the group's.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_RADIUS, "x-unit" = "m"))]
    #[schemars(extend("examples" = [0.25]))]
    pub radius: Option<At<f64>>,
    /// Speeds up and down stairs. By default drawn from the group's.
    pub stairs: Option<At<OwnClimb>>,
    /// Speeds up and down ramps. By default drawn from the group's.
    pub ramps: Option<At<OwnClimb>>,
    /// What this person is like. By default drawn from the group's `traits`.
    pub traits: Option<At<OwnTraits>>,
    /// With whom this person walks: all who are listed with the same `party`, in whichever group. By default alone.
    #[schemars(extend("minLength" = 1, "examples" = ["family"]))]
    pub party: Option<At<String>>,
    /// Parameters of the group's steering model that differ for this person.
    pub steering: Option<At<Steering>>,
    /// The only goal, instead of the group's.
    pub goal: Option<At<Goal>>,
    /// Goals instead of the group's, in order.
    pub goals: Option<At<Vec<At<Goal>>>>,
    /// What to do after the last goal, instead of the group's choice.
    pub then: Option<At<Then>>,
}

/// A number of people placed in a region at the start, none overlapping.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "crowd", deny_unknown_fields)]
pub struct Crowd {
    /// How many.
    #[schemars(extend("minimum" = 1, "maximum" = MAX_PEOPLE, "examples" = [100]))]
    pub count: At<i64>,
    /// Where.
    #[schemars(extend("examples" = ["hall"]))]
    pub region: At<String>,
    /// How they are arranged.
    #[schemars(extend("default" = "random"))]
    pub arrangement: Option<At<Arrangement>>,
}

/// Where people appear while the simulation runs. It has exactly one of `rate` and `schedule`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "source", deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["rate"] }, { "required": ["schedule"] }]))]
pub struct Source {
    /// Where they appear, when there is room for them.
    #[schemars(extend("examples" = ["entrance"]))]
    pub region: At<String>,
    /// People per second, all the time.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_RATE, "x-unit" = "people/s"))]
    #[schemars(extend("examples" = [0.5]))]
    pub rate: Option<At<f64>>,
    /// Periods of constant rate, one after the other; between them nobody appears.
    #[schemars(extend("minItems" = 1, "examples" = [[{ "from": 0, "to": 60, "rate": 0.5 }]]))]
    pub schedule: Option<At<Vec<At<Period>>>>,
    /// Whether people appear evenly spaced in time, or at random (a Poisson process).
    #[schemars(extend("default" = "even"))]
    pub arrivals: Option<At<Arrivals>>,
    /// How many at most. By default there is no limit.
    #[schemars(extend("minimum" = 1, "maximum" = MAX_PEOPLE, "examples" = [200]))]
    pub limit: Option<At<i64>>,
}

/// A period of constant rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "period", deny_unknown_fields)]
#[schemars(extend("examples" = [{ "from": 0, "to": 60, "rate": 0.5 }]))]
pub struct Period {
    /// Begin, s.
    #[schemars(extend("minimum" = 0, "x-unit" = "s", "default" = 0))]
    pub from: Option<At<f64>>,
    /// End, s. By default the end of the simulation.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "s", "examples" = [60]))]
    pub to: Option<At<f64>>,
    /// People per second.
    #[schemars(extend("minimum" = 0, "maximum" = MAX_RATE, "x-unit" = "people/s"))]
    #[schemars(extend("examples" = [0.5]))]
    pub rate: At<f64>,
}

/// When people appear at a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// Evenly spaced in time.
    Even,
    /// At random: a Poisson process.
    Random,
}
