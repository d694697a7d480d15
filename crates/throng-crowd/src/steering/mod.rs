//! Steering: from where people want to go to how they move next, past each other and past walls.
//!
//! A steering model is a type with its parameters and what it remembers of people ([`SteeringModel`]): one file in this
//! folder and one line in `built_in`, or a type of another program, registered with [`Models::with`]. It is given people in
//! batches of sixteen with their neighbours, and returns velocities. Neighbour search, walls, contacts,
//! goals and threads are common to all models and done elsewhere.

mod conduct;
mod explain;
mod forces;
mod foresight;
mod fuzzy;
pub mod gains;
mod headway;
mod hidac;
mod lanes;
pub(crate) mod limits;
mod model;
mod none;
mod opensteer;
mod orca;
mod parameters;
mod ppr;
mod predictive;
mod profile;
mod registry;
mod rules;
mod single;
mod social_force;
pub(crate) mod time_gap;

use std::sync::Arc;

pub use crate::grid::GridEntry;
pub use crate::neighbours::{LANES, Neighbourhood};
pub use crate::tie::{pair_side, tie_direction};
pub use conduct::{Condition, Conduct};
pub use explain::{
    Cause, Constraints, Explanation, Force, Forces, HalfPlane, HalfPlanes, Urge, Urges,
};
pub use fuzzy::{Fuzzy, FuzzyParameters};
pub use gains::COMMON_GAINS;
pub use headway::{Headway, HeadwayParameters};
pub use hidac::{Hidac, HidacParameters, HidacState};
pub use model::{
    ModelInfo, Personality, States, SteeringJob, SteeringModel, Surroundings, WallSight,
};
pub use none::NoSteering;
pub(crate) use none::unheeding_velocity;
pub use opensteer::{OpenSteer, OpenSteerParameters};
pub use orca::{Orca, OrcaParameters};
pub use parameters::{
    COMMON_PARAMETERS, CommonParameters, MODEL_PARAMETERS, ParameterInfo, ParameterValues,
    Parameters,
};
pub use ppr::{Ppr, PprParameters, PprState};
pub use predictive::{Predictive, PredictiveParameters};
pub(crate) use profile::quoted;
pub use profile::{ProfileError, SteeringProfile};
pub(crate) use registry::{AnyModel, ChunkJob, NextStates, StateRows};
pub use registry::{MODELS, ModelError, Models};
pub use rules::{Action, Encounter, Feeler, Mode, Rules, Threat};
pub use single::{SteeredPerson, VisibleWalls};
pub use social_force::{Pedestrian, SocialForce, SocialForceParameters};

/// The models that come with the engine, in the order of the documentation.
fn built_in() -> Vec<Arc<dyn AnyModel>> {
    vec![
        Arc::new(Orca),
        Arc::new(Headway),
        Arc::new(Predictive),
        Arc::new(SocialForce),
        Arc::new(Pedestrian),
        Arc::new(Hidac),
        Arc::new(OpenSteer),
        Arc::new(Ppr),
        Arc::new(Fuzzy),
        Arc::new(NoSteering),
    ]
}

/// Steers people for whom less effort is made, unless their own model is memoryless.
pub(crate) const SIMPLE: &dyn AnyModel = &Fuzzy;

/// Steers people who only follow their way.
pub(crate) const UNHEEDING: &dyn AnyModel = &NoSteering;
