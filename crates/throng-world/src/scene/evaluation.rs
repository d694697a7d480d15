//! What a scene is to show, and by what it is told whether it does.
//!
//! A scene that tries steering out says so in its `[evaluation]` table: what kind of situation it is,
//! which version of it, and criteria that a run of it either meets or does not. The criteria are read
//! with the scene ([`Criterion`]), so that a slip of the pen is found before anything is simulated; what
//! their quantities are in a run is for whoever measures runs to say.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use glam::Vec3;
use throng_base::named_enum;

use super::Span;
use super::criterion::{self, CriterionError, Formula};

/// How a scene is evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Counts up when the scene becomes another one, so that results of different ones are not compared.
    pub version: u32,
    /// What kind of situation it is, e.g. `"one-on-one"`; may be empty.
    pub category: String,
    /// Whether the situation is a guess from the name or the siblings of one that is known.
    pub inferred: bool,
    /// Where the situation comes from; may be empty.
    pub source: String,
    /// What a run must meet.
    pub criteria: Vec<Criterion>,
    /// Places that it is well seen from, the best one first.
    pub cameras: Vec<Camera>,
    /// Where this stands in the scene file.
    pub span: Span,
}

/// A place that a scene is well seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera is: x and y on the ground, and the height above it, m.
    pub position: Vec3,
    /// What it looks at, likewise.
    pub look_at: Vec3,
    /// Its vertical field of view, degrees.
    pub field_of_view: f32,
}

/// A condition on a run: two formulas over its quantities, and how they compare.
///
/// ```
/// use throng_world::scene::{Criterion, RunQuantity};
///
/// let soon: Criterion = "time <= 1.5 * ideal_time".parse()?;
/// let of_run = |quantity| match quantity {
///     RunQuantity::Time => Some(20.0),
///     RunQuantity::IdealTime => Some(16.0),
///     _ => None,
/// };
/// assert_eq!(soon.sides(of_run), [20.0, 24.0]);
/// assert!(soon.is_met(of_run));
/// // What cannot be told has not been met.
/// assert!(!soon.is_met(|_| None));
/// # Ok::<(), throng_world::scene::CriterionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    text: String,
    left: Formula,
    comparison: Comparison,
    right: Formula,
}

/// How the two sides of a [`Criterion`] are to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

named_enum! {
    /// A number about a run that criteria can be about.
    pub enum RunQuantity {
        /// Share of the people who reach all their goals, from 0 to 1.
        Completion = "completion",
        /// Contacts of everybody with people and with walls.
        Collisions = "collisions",
        /// Contacts of everybody with people; each counts for both.
        PersonCollisions = "person_collisions",
        /// Contacts of everybody with walls.
        WallCollisions = "wall_collisions",
        /// Contacts that last long.
        LongCollisions = "long_collisions",
        /// The deepest overlap, m.
        MaxPenetration = "max_penetration",
        /// When the last one gets there; infinite if somebody does not, s.
        Time = "time",
        /// Mean time of those who get there, s.
        MeanTime = "mean_time",
        /// The longest that anybody would take if they were alone, s.
        IdealTime = "ideal_time",
        /// Mean time that people would take if they were alone, s.
        MeanIdealTime = "mean_ideal_time",
        /// The most that anybody turns, in all, °.
        TotalTurn = "total_turn",
        /// The fastest that anybody turns, °/s.
        MaxTurnRate = "max_turn_rate",
        /// The farthest that anybody gets from their shortest way, m.
        Deviation = "deviation",
        /// The largest ratio of a way walked to the shortest one.
        LengthRatio = "length_ratio",
        /// The fastest that anybody is, m/s.
        MaxSpeed = "max_speed",
        /// How often people hesitate between two decisions.
        Oscillations = "oscillations",
        /// How often people do not get on.
        Deadlocks = "deadlocks",
        /// How often people turn faster than anybody can.
        Spins = "spins",
        /// How long the run takes, in simulated time, s.
        Duration = "duration",
    }
}

impl Criterion {
    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How the sides are to compare.
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// The quantities that it is about, in the order in which they occur.
    pub fn quantities(&self) -> impl Iterator<Item = RunQuantity> {
        self.left.quantities().chain(self.right.quantities())
    }

    /// The values of the left and the right side. Not a number where a quantity is not known.
    pub fn sides(&self, quantity: impl Fn(RunQuantity) -> Option<f64>) -> [f64; 2] {
        [self.left.value(&quantity), self.right.value(&quantity)]
    }

    /// Whether it is met. If a side is not a number, it is not.
    pub fn is_met(&self, quantity: impl Fn(RunQuantity) -> Option<f64>) -> bool {
        let [left, right] = self.sides(quantity);
        self.comparison.holds(left, right)
    }
}

impl FromStr for Criterion {
    type Err = CriterionError;

    fn from_str(text: &str) -> Result<Self, CriterionError> {
        let (left, comparison, right) = criterion::parse(text)?;
        Ok(Self { text: text.trim().to_owned(), left, comparison, right })
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Comparison {
    /// Whether two numbers compare so. If one of them is not a number, they do not.
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Below => left < right,
            Self::AtMost => left <= right,
            Self::Above => left > right,
            Self::AtLeast => left >= right,
            Self::Equal => left == right,
            Self::Unequal => left.partial_cmp(&right).is_some_and(Ordering::is_ne),
        }
    }
}
