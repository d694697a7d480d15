//! What people want: the goals of groups and of single people, as they are typed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::value::{self, At, LinePoint, Towards, Varied};
use super::super::{DEFAULT_WITHIN, MAX_COORDINATE, MAX_LINE_WIDTH, MAX_SPEED, Ways};

/// One thing a person wants. It has exactly one of `seek`, `follow`, `flee`, `flow` and `idle`, and
/// ends when it is achieved or its time is up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "goal", deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["seek"] },
    { "required": ["follow"] },
    { "required": ["flee"] },
    { "required": ["flow"] },
    { "required": ["idle"] },
]))]
#[schemars(extend("examples" = [{ "seek": "exit" }]))]
pub struct Goal {
    /// Go to a point `[x, y]`, into a region `"name"`, the nearest of several
    /// `{ nearest = ["name", "name"] }` or of those with a tag `{ tag = "shop" }`, to a random point of one `{ random = "region" }`, or catch up
    /// with `{ person = "name" }` or `{ group = "name" }`.
    #[serde(default)]
    #[schemars(schema_with = "value::seek")]
    pub seek: Option<At<Towards>>,
    /// Walk along a line `[[x, y], [x, y]]`, as near to it as walls permit, to its end. A point on
    /// another floor is `{ at = [x, y], layer = "name" }`.
    #[serde(default)]
    #[schemars(schema_with = "value::line")]
    pub follow: Option<At<Vec<At<LinePoint>>>>,
    /// Get away from a point `[x, y]`, `{ person = "name" }` or `{ group = "name" }`.
    #[serde(default)]
    #[schemars(schema_with = "value::flee")]
    pub flee: Option<At<Towards>>,
    /// Walk in a direction `[dx, dy]`, or the way the people around walk: `"crowd"`.
    #[serde(default)]
    #[schemars(schema_with = "value::flow")]
    pub flow: Option<At<Towards>>,
    /// Stay where one is, for this many seconds: a number, a distribution, or a file of times.
    #[serde(default)]
    #[schemars(schema_with = "value::wait", extend("examples" = [5]))]
    pub idle: Option<At<Varied>>,
    /// The floor of the point to seek or flee, or of the line to follow. By default the first.
    pub layer: Option<At<String>>,
    /// The width of the strip along a line to follow that people spread over, m.
    #[schemars(extend("default" = 0, "minimum" = 0, "maximum" = MAX_LINE_WIDTH, "x-unit" = "m"))]
    pub width: Option<At<f64>>,
    /// Distance at which a point or person that is sought, or the end of a line, is reached, m; of
    /// people, the gap between the bodies.
    #[schemars(extend("default" = DEFAULT_WITHIN, "exclusiveMinimum" = 0))]
    #[schemars(extend("maximum" = MAX_COORDINATE, "x-unit" = "m"))]
    pub within: Option<At<f64>>,
    /// Distance at which one has fled far enough, m. By default never.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_COORDINATE, "x-unit" = "m"))]
    #[schemars(extend("examples" = [20]))]
    pub beyond: Option<At<f64>>,
    /// Speed for this goal, m/s, instead of the person's preferred speed.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = MAX_SPEED, "x-unit" = "m/s"))]
    #[schemars(extend("examples" = [0.8]))]
    pub speed: Option<At<f64>>,
    /// Longest time on this goal, s. By default there is no limit.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "s", "examples" = [30]))]
    pub duration: Option<At<f64>>,
    /// How people choose among the ways to a place.
    #[schemars(extend("default" = "best"))]
    pub ways: Option<At<Ways>>,
}
