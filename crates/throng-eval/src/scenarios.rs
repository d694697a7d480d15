//! Known situations that steering is tried on, each with criteria that a run meets or does not.
//!
//! They are those of SteerBench (Singh, Kapadia, Faloutsos and Reinman, *An open framework for
//! developing, evaluating, and sharing steering algorithms*, MIG 2009), written afresh as scene files
//! in `scenes/steering/`, and a few for the kinds of goals that those have none for. Where only the
//! name of a situation is known, or what its siblings are like, the file says that it is inferred.
//!
//! The files are frozen: a change of what is in them, beyond comments and descriptions, goes with a new
//! `version` in their `[evaluation]` table, so that scores of different situations are never compared.

use std::path::Path;

use serde::Serialize;
use throng::{Scene, SceneError, SceneErrors};
use throng_base::hash::fnv1a;
use throng_world::scene::{Evaluation, RunQuantity, SceneText, TextError};

use crate::experiments::Steering;

/// A situation that steering is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// The scene file.
    pub text: &'static str,
}

/// Whether a criterion is met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The criterion as it is written.
    pub criterion: String,
    /// Whether it is met.
    pub passed: bool,
    /// The value of its left side.
    pub left: f64,
    /// The value of its right side.
    pub right: f64,
}

/// The scene files of these names.
macro_rules! scenarios {
    ($($name:literal)*) => {
        &[$(Scenario {
            name: $name,
            text: include_str!(concat!("../../../scenes/steering/", $name, ".toml")),
        }),*]
    };
}

/// All situations, from simple to large, and those about kinds of goals at the end.
pub const SCENARIOS: &[Scenario] = scenarios! {
    "simple-1" "simple-2" "simple-3" "simple-obstacle-1" "simple-obstacle-2" "simple-wall"
    "curves" "oncoming-1" "oncoming-2" "oncoming-3" "oncoming-4" "oncoming-trick" "crossing-1"
    "crossing-2" "crossing-3" "crossing-4" "crossing-5" "crossing-6" "crossing-trick"
    "similar-direction" "oncoming-obstacle" "crossing-obstacle" "surprise-1" "surprise-2"
    "squeeze" "doorway-one-way" "doorway-two-way" "overtake" "overtake-obstacle" "3-squeeze"
    "double-squeeze" "wall-squeeze" "3-way-confusion-1" "3-way-confusion-2" "4-way-confusion"
    "4-way-confusion-obstacle" "frogger" "oncoming-groups" "oncoming-groups-reference" "fan-in"
    "fan-out" "cut-across-1" "cut-across-2" "concentric-circles" "circle-10" "circle-15"
    "circle-20" "circle-250" "circle-500" "hallway-one-way" "hallway-two-way"
    "hallway-four-way" "bottleneck-squeeze" "bottleneck-evacuation" "free-tickets" "random"
    "forest" "urban" "office" "pursuit" "meeting" "flee" "flow" "follow-line" "follow-field"
    "follow-crowd" "idle"
};

/// A few situations of every category, for a first look: small ones, and two of some size.
pub const QUICK: &[&str] = &[
    "simple-obstacle-2",
    "curves",
    "oncoming-1",
    "oncoming-trick",
    "crossing-1",
    "crossing-3",
    "crossing-trick",
    "surprise-2",
    "squeeze",
    "doorway-two-way",
    "overtake",
    "4-way-confusion",
    "oncoming-groups",
    "circle-20",
    "hallway-two-way",
    "pursuit",
];

/// The situation with this name.
pub fn scenario(name: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

impl Scenario {
    /// The scene, in which everybody steers by `steering` if it is given, and in which chance has the
    /// given seed. Its text, which recordings carry, says so as well; the seed is beside it there.
    ///
    /// # Errors
    ///
    /// Those of [`Scene::parse`]. The files that ship have none.
    pub fn scene(&self, steering: Option<&Steering>, seed: u64) -> Result<Scene, SceneErrors> {
        let name = format!("{}.toml", self.name);
        let mut scene = Scene::parse(&name, self.text, Path::new(""))?;
        if let Some(steering) = steering {
            let text = SceneText::parse(&name, self.text, Path::new(""));
            let written = text.and_then(|mut text| {
                steering.write(&mut text)?;
                Ok(text)
            });
            scene = match written {
                Ok(text) => text.scene().clone(),
                Err(TextError::Scene(errors)) => return Err(errors),
                Err(error) => {
                    return Err(SceneError::new(&scene.source, 0..0, error.to_string()).into());
                }
            };
        }
        scene.settings.seed = seed;
        Ok(scene)
    }

    /// A number for the text: the same as long as not a character changes (FNV-1a).
    pub fn hash(&self) -> u64 {
        fnv1a(self.text.bytes())
    }
}

/// Whether a run meets the criteria of a scene, with these quantities. What is not known is not met.
pub fn judge(
    evaluation: &Evaluation,
    quantity: impl Fn(RunQuantity) -> Option<f64>,
) -> Vec<Verdict> {
    let verdict = |criterion: &throng_world::scene::Criterion| {
        let [left, right] = criterion.sides(&quantity);
        let passed = criterion.comparison().holds(left, right);
        Verdict { criterion: criterion.text().to_owned(), passed, left, right }
    };
    evaluation.criteria.iter().map(verdict).collect()
}
