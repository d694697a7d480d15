//! Steering: from where people want to go to how they move next, past each other and past walls.
//!
//! A steering model is one file in this folder and one line in [`MODELS`]. It declares its
//! parameters in a [`ModelInfo`] and implements `SteeringModel::steer`, a plain job: people in
//! batches of sixteen with their neighbours in, velocities out. Neighbour search, walls, contacts,
//! goals and threads are common to all models and done elsewhere.

mod agility;
mod explain;
mod forces;
mod foresight;
mod fuzzy;
mod hidac;
mod lanes;
mod none;
mod opensteer;
mod orca;
mod ppr;
mod predictive;
mod rules;
mod single;
mod social_force;
pub(crate) mod time_gap;

use glam::Vec2;
use throng_base::random::Random;
use throng_simd::Vectors;
use throng_world::Temperament;
use throng_world::Walls;
use throng_world::temperament::{Sway, sways};

use crate::grid::{Entry, Grid};
use crate::neighbours::{LANES, Neighbourhood};
use crate::population::{MODEL_PARAMETERS, Population};
use crate::temper::Temper;
pub(crate) use crate::tie::{pair_side, tie_direction};
pub use agility::Agility;
pub(crate) use explain::Explanation;
pub use explain::{Cause, Constraints, Force, Forces, HalfPlane, HalfPlanes, Urge, Urges};
pub(crate) use hidac::{is_impatient, patience_of};
pub(crate) use none::unheeding_velocity;
pub(crate) use ppr::Mind;
pub use rules::{Action, Encounter, Feeler, Mode, Rules, Threat};

/// Every steering model there is; the first is the default.
pub const MODELS: &[ModelInfo] = &[
    orca::INFO,
    predictive::INFO,
    social_force::INFO,
    social_force::PEDESTRIAN,
    hidac::INFO,
    opensteer::INFO,
    ppr::INFO,
    fuzzy::INFO,
    none::INFO,
];

/// What is known of a steering model before it runs.
#[derive(Clone, Copy, Debug)]
pub struct ModelInfo {
    /// The name in scene files.
    pub name: &'static str,
    /// What it does, in a sentence, with its source.
    pub summary: &'static str,
    /// Its own parameters, at most [`MODEL_PARAMETERS`] of them.
    pub parameters: &'static [ParameterInfo],
    /// Defaults of common parameters, by name, where they differ from [`COMMON_PARAMETERS`].
    pub common_defaults: &'static [(&'static str, f32)],
    /// How far away walls are heeded.
    pub walls: WallSight,
    /// Names for sets of values that make somebody of a kind.
    pub personalities: &'static [Personality],
    /// What people's traits do to parameters, by name: each is multiplied by what the sway says of them, within its
    /// limits. What traits do in every model is not here: see [`COMMON_SWAYS`].
    pub sways: &'static [(&'static str, Sway)],
    /// Pairs of parameters, by index, of which the first has to be the smaller.
    pub ascending: &'static [[usize; 2]],
    /// What there is to say about unwise parameters.
    pub advice: Option<Advice>,
    pub(crate) build: fn() -> Box<dyn SteeringModel>,
}

/// A kind of person: values of a model's parameters under one name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Personality {
    /// The name in scene files.
    pub name: &'static str,
    /// What such people are like.
    pub summary: &'static str,
    /// Values by the names of parameters. All others have their defaults.
    pub values: &'static [(&'static str, f32)],
}

/// Says what is unwise about the parameters of someone with a preferred speed, if anything.
pub type Advice = fn(&[f32; MODEL_PARAMETERS], f32) -> Option<String>;

/// How far away a model heeds walls.
#[derive(Clone, Copy, Debug)]
pub enum WallSight {
    /// As far as one comes in a time: the parameter with this index, s.
    Time(usize),
    /// A multiple of the parameter with this index, m, from one's body.
    Distance {
        /// Index of the parameter.
        parameter: usize,
        /// How many times its value.
        factor: f32,
    },
    /// Only when they are touched.
    Touch,
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
    ParameterInfo {
        name: "time_gap",
        description: "Following others, the gap to them grows by this much per speed (T); 0 lets \
                      people follow each other as closely as they fit",
        unit: "s",
        default: 0.0,
        min: 0.0,
        max: 5.0,
    },
    ParameterInfo {
        name: "standing_distance",
        description: "The gap to whom one follows when standing, with a `time_gap` only",
        unit: "m",
        default: 0.1,
        min: 0.0,
        max: 2.0,
    },
    ParameterInfo {
        name: "stagger",
        description: "How much shorter the time gap is to those who are half aside: by this share \
                      times the square of how far aside they are, 1 where bodies just touch; 0 keeps \
                      the whole gap to all in one's way",
        unit: "",
        default: 0.0,
        min: 0.0,
        max: 4.0,
    },
];

/// What people's traits do to parameters that every model has.
pub const COMMON_SWAYS: &[(&str, Sway)] =
    &[("responsibility", sways::PATIENCE), ("time_gap", sways::WAITING)];

impl ModelInfo {
    /// All its parameters, those that every model has first, with their defaults for this one.
    pub fn all_parameters(&self) -> impl Iterator<Item = ParameterInfo> + '_ {
        let common = COMMON_PARAMETERS.iter().map(|common| {
            let own = self.common_defaults.iter().find(|(name, _)| *name == common.name);
            ParameterInfo { default: own.map_or(common.default, |own| own.1), ..*common }
        });
        common.chain(self.parameters.iter().copied())
    }

    /// What people's traits do to one of its parameters, be it its own or one that every model has.
    pub fn sway(&self, parameter: &str) -> Option<&'static Sway> {
        let all = self.sways.iter().chain(COMMON_SWAYS);
        all.filter(|(name, _)| *name == parameter).map(|(_, sway)| sway).next()
    }

    /// A value of one of its parameters as somebody's traits make it; as it was for who has none.
    pub(crate) fn swayed(
        &self,
        parameter: &ParameterInfo,
        value: f32,
        temperament: Option<Temperament>,
    ) -> f32 {
        match (self.sway(parameter.name), temperament) {
            (Some(sway), Some(_)) => {
                (value * sway.of(temperament)).clamp(parameter.min, parameter.max)
            }
            _ => value,
        }
    }
}

/// The model with this name.
pub fn model(name: &str) -> Option<&'static ModelInfo> {
    MODELS.iter().find(|model| model.name == name)
}

/// Chooses velocities.
pub(crate) trait SteeringModel: Send + Sync {
    /// Chooses the next velocity of everyone in `job.batches`.
    fn steer(&self, job: SteeringJob);

    /// Why the one person in `batch` is steered as they are, by the numbers that [`Self::steer`] works
    /// with. A model that says nothing works as well: what neighbours do to it is found by leaving them
    /// out.
    fn explain(&self, _around: &Surroundings, _batch: &Neighbourhood) -> Explanation {
        Explanation::default()
    }

    /// What it remembers of people from step to step.
    fn remembers(&self) -> Memory {
        Memory::Nothing
    }

    /// Whether all that it does is to take the [`unheeding_velocity`].
    fn heeds_nobody(&self) -> bool {
        false
    }
}

/// What a model remembers of people from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Nothing,
    /// A [`Temper`], in [`SteeringJob::tempers`].
    Temper,
    /// A [`Mind`], in [`SteeringJob::minds`].
    Mind,
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
    /// Out: distances that no wall they face is nearer than, m, for all that the model has found out.
    pub rooms: &'a mut [[f32; LANES]],
    /// Out: what a model that remembers is to remember of them, which it writes for everybody; empty for
    /// others, and whichever of the two the model does not keep.
    pub tempers: &'a mut [[Temper; LANES]],
    pub minds: &'a mut [[Mind; LANES]],
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
    /// How many steps there were.
    pub steps: u64,
    /// Where chance comes from.
    pub random: Random,
    /// The vector unit, if there is one.
    pub simd: Option<Vectors>,
    /// Whether bodies decide how far people get in the step. What they do not manage they do not do, and a velocity
    /// that is approached from that of a body at rest would never set it in motion.
    pub embodied: bool,
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
