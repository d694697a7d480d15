//! What is evaluated: a scenario that ships, or anybody's scene file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use glam::Vec2;
use serde::{Deserialize, Serialize};
use throng_base::{Bounds, Polygon};
use throng_world::scene::{LayerId, SceneText, TextError};
use throng_world::walkable::solids_around;
use throng_world::{Scene, SceneError, SceneErrors, Shape};

use super::key::digest;
use crate::experiments::{Steering, SteeringError};
use crate::scenarios::Scenario;

/// A scenario of a batch.
#[derive(Clone, Debug)]
pub struct Subject {
    name: String,
    hash: String,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Shipped(&'static Scenario),
    /// A scene, and the folder that paths in it are relative to.
    File(Box<Scene>, PathBuf),
}

/// How people of a scenario steer: all by one model, or each as the scene says.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// All by this one.
    Steering(Steering),
    /// As the scene says; `scene` by name.
    OfScene,
}

/// What a report tells about a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioInfo {
    /// Its name on the command line.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub description: String,
    /// What kind of scenario it is.
    pub category: String,
    /// The version of its set-up; scores of different versions do not compare.
    pub version: u32,
    /// Whether its set-up was inferred, and not published.
    pub inferred: bool,
    /// What has to hold for a run to pass.
    pub criteria: Vec<String>,
    /// A digest of its file, and of the files that it names.
    pub hash: String,
    /// How many people take part.
    pub people: u64,
    /// How long a run lasts at most, s.
    pub duration: f64,
    /// The ground, for pictures.
    pub ground: Ground,
}

/// The ground of a scene, for pictures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// Two corners, m.
    pub bounds: [[f32; 2]; 2],
    /// Whether the border is a wall.
    pub closed: bool,
    /// What nobody can walk through, and the floor it is on.
    pub solids: Vec<(u8, Vec<[f32; 2]>)>,
}

impl Subject {
    /// A scenario that ships.
    pub fn shipped(scenario: &'static Scenario) -> Self {
        Self {
            name: scenario.name.into(),
            hash: format!("{:016x}", scenario.hash()),
            source: Source::Shipped(scenario),
        }
    }

    /// A scene file, called as it is without folder and ending.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or something is wrong with it.
    pub fn load(path: &Path) -> Result<Self, SceneErrors> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self::of_scene(&stem, Scene::load(path)?, folder))
    }

    /// A scene that was read already. Paths in it are relative to `folder`.
    pub fn of_scene(name: &str, scene: Scene, folder: &Path) -> Self {
        let mut pieces = vec![scene.source.text.as_bytes()];
        for (name, text) in &*scene.files {
            pieces.extend([name.as_bytes(), text.as_bytes()]);
        }
        for (name, bytes) in scene.terrain_files.iter() {
            pieces.extend([name.as_bytes(), bytes]);
        }
        let name = name.replace(['\n', '\r'], " ");
        Self { name, hash: digest(&pieces), source: Source::File(Box::new(scene), folder.into()) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A digest of its file, and of the files that it names.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The scene as it is run.
    ///
    /// # Errors
    ///
    /// If the model cannot steer the people of this scene.
    pub fn scene(&self, model: &Model, seed: u64) -> Result<Scene, SceneErrors> {
        let steering = match model {
            Model::Steering(steering) => Some(steering),
            Model::OfScene => None,
        };
        match &self.source {
            Source::Shipped(scenario) => scenario.scene(steering, seed),
            Source::File(scene, folder) => {
                let mut scene = match steering {
                    Some(steering) => steered(scene, folder, steering)?,
                    None => (**scene).clone(),
                };
                scene.settings.seed = seed;
                Ok(scene)
            }
        }
    }

    /// What a report tells about it.
    ///
    /// # Errors
    ///
    /// If its scene cannot be read.
    pub fn info(&self) -> Result<ScenarioInfo, SceneErrors> {
        let scene = self.scene(&Model::OfScene, 0)?;
        let evaluation = scene.evaluation.as_ref();
        Ok(ScenarioInfo {
            name: self.name.clone(),
            title: scene.name.clone(),
            description: scene.description.clone(),
            category: evaluation.map(|of| of.category.clone()).unwrap_or_default(),
            version: evaluation.map_or(0, |of| of.version),
            inferred: evaluation.is_some_and(|of| of.inferred),
            criteria: evaluation
                .map(|of| of.criteria.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            hash: self.hash.clone(),
            people: scene.initial_people() + scene.expected_arrivals(scene.settings.duration),
            duration: scene.settings.duration,
            ground: Ground::of_scene(&scene),
        })
    }
}

/// A scene in which everybody steers by `steering`, also in its text, which recordings carry.
fn steered(scene: &Scene, folder: &Path, steering: &Steering) -> Result<Scene, SceneErrors> {
    let written =
        SceneText::parse(&scene.source.name, &scene.source.text, folder).and_then(|mut text| {
            steering.write(&mut text)?;
            Ok(text)
        });
    match written {
        Ok(text) => Ok(text.scene().clone()),
        Err(TextError::Scene(errors)) => Err(errors),
        Err(error) => Err(SceneError::new(&scene.source, 0..0, error.to_string()).into()),
    }
}

impl Ground {
    /// That of a scene.
    pub(crate) fn of_scene(scene: &Scene) -> Self {
        let mut solids = Vec::new();
        let mut closed = false;
        for obstacle in &scene.obstacles {
            closed |= matches!(obstacle.shape, Shape::Border(_)) && obstacle.layer == LayerId(0);
            let polygons = match &obstacle.shape {
                Shape::Plan(plan) => solids_around(&plan.areas(), scene.bounds),
                shape => shape.solids(),
            };
            let outline = |polygon: &Polygon| polygon.points().iter().map(Vec2::to_array).collect();
            solids.extend(polygons.iter().map(|polygon| (obstacle.layer.0, outline(polygon))));
        }
        let Bounds { min, max } = scene.bounds;
        Self { bounds: [min.to_array(), max.to_array()], closed, solids }
    }
}

impl FromStr for Model {
    type Err = SteeringError;

    fn from_str(text: &str) -> Result<Self, SteeringError> {
        match text.trim() {
            "scene" => Ok(Self::OfScene),
            text => text.parse().map(Self::Steering),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steering(steering) => steering.fmt(f),
            Self::OfScene => f.pad("scene"),
        }
    }
}
