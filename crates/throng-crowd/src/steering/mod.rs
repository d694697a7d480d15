//! Steering: from where people want to go to how they move next, past each other and past walls.
//!
//! A steering model is one file in this folder and one line in [`MODELS`]. It declares its
//! parameters in a [`ModelInfo`] and implements `SteeringModel::steer`, a plain job: people in
//! batches of sixteen with their neighbours in, velocities out. Neighbour search, walls, contacts,
//! goals and threads are common to all models and done elsewhere.

mod orca;

use glam::Vec2;
use throng_world::Walls;

use crate::grid::{Entry, Grid};
use crate::neighbours::{LANES, Neighbourhood};
use crate::population::{MODEL_PARAMETERS, Population};
use crate::simd::Vectors;
pub(crate) use crate::tie::tie_direction;

/// Every steering model there is; the first is the default.
pub const MODELS: &[ModelInfo] = &[orca::INFO];

/// What is known of a steering model before it runs.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// What it does, in a sentence, with its source.
    pub summary: &'static str,
    /// Its own parameters, at most [`MODEL_PARAMETERS`] of them.
    pub parameters: &'static [ParameterInfo],
    /// Index of the parameter that says for how long ahead walls are heeded, s; `None` for models
    /// that do not look for walls.
    pub wall_horizon: Option<usize>,
    pub(crate) build: fn() -> Box<dyn SteeringModel>,
}

/// A parameter of a steering model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// What it means, with the symbol of the paper.
    pub description: &'static str,
    /// Unit, or an empty text.
    pub unit: &'static str,
    /// Value where the scene gives none.
    pub default: f32,
    /// Smallest sensible value.
    pub min: f32,
    /// Largest sensible value.
    pub max: f32,
}

/// The parameters that every model has.
pub const COMMON_PARAMETERS: &[ParameterInfo] = &[
    ParameterInfo {
        name: "neighbours",
        description: "How many of the nearest people are heeded",
        unit: "",
        default: 10.0,
        min: 0.0,
        max: crate::neighbours::MAX_NEIGHBOURS as f32,
    },
    ParameterInfo {
        name: "neighbour_range",
        description: "How far away people are noticed",
        unit: "m",
        default: 10.0,
        min: 0.5,
        max: 50.0,
    },
    ParameterInfo {
        name: "responsibility",
        description: "How readily one gives way: of two people, each takes the share own / (own + \
                      other) of an avoidance (α); 0 never yields",
        unit: "",
        default: 0.5,
        min: 0.0,
        max: 1.0,
    },
];

/// The model with this name.
pub fn model(name: &str) -> Option<&'static ModelInfo> {
    MODELS.iter().find(|model| model.name == name)
}

/// Chooses velocities.
pub(crate) trait SteeringModel: Send + Sync {
    /// Chooses the next velocity of everyone in `job.batches`.
    fn steer(&self, job: SteeringJob);
}

/// What a model is given for a chunk of people.
pub(crate) struct SteeringJob<'a> {
    /// The crowd and the world.
    pub around: Surroundings<'a>,
    /// Whom to steer.
    pub batches: &'a [Neighbourhood],
    /// Out: their new velocities, m/s; one array per batch, lanes beyond a batch's length are
    /// ignored.
    pub velocities: &'a mut [[Vec2; LANES]],
}

/// The crowd and the world as they are at the beginning of a step.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// Everybody, by row.
    pub people: &'a Population,
    /// Everybody in the order of the grid, with positions and velocities.
    pub grid: &'a Grid,
    /// What stands around.
    pub walls: &'a Walls,
    /// The step, s.
    pub step: f32,
    /// The vector unit, if there is one.
    pub simd: Option<Vectors>,
}

impl<'a> Surroundings<'a> {
    /// The grid entry of a person or neighbour.
    #[inline(always)]
    pub fn entry(&self, index: u32) -> &'a Entry {
        &self.grid.entries[index as usize]
    }

    /// A model parameter of the person in population row `row`.
    #[inline(always)]
    pub fn parameter(&self, row: usize, index: usize) -> f32 {
        self.people.manner(row).parameters[index]
    }
}

const _: () = {
    let mut model = 0;
    while model < MODELS.len() {
        assert!(MODELS[model].parameters.len() <= MODEL_PARAMETERS);
        model += 1;
    }
};
