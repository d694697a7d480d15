//! Bodies for crowds: who looks how, and who is in which pose.
//!
//! A [`Cast`] has looks: bodies with clothes and with everything they can do. Each person has a [role](variety::Descriptor),
//! one of the looks with a size and colours of their own, chosen with an eye to who is near ([`variety`]). An [`Ensemble`] moves full bodies: they follow
//! [targets](MotionTarget), which come from a simulation, a recording or tracks, with feet that stay where they stand. [`Stances`] checks that,
//! looking at nothing but the poses. [`LodBodies`] has the bodies of all levels of detail: an ensemble for those that are seen well, and a
//! [`PosedBody`] for everybody. Levels, bodies and gaze come together in [`crate::animation`], and nowhere else.

mod cast;
mod ensemble;
mod lod;
mod look;
mod looking;
mod member;
mod posed;
mod sights;
mod soles;
mod stances;
mod target;
pub mod variety;

use thiserror::Error;

pub use cast::Cast;
pub use ensemble::{Ensemble, SharedGround, ground_of};
pub use lod::LodBodies;
pub use look::{AnimalLook, Look, PersonLook};
pub use looking::INDIFFERENCE;
pub use member::Member;
pub use posed::{FRAMES, HeadTurn, PosedBody, Poses, Take, turning_joints};
pub(crate) use sights::Sights;
pub use sights::Viewer;
pub use soles::{Sole, SoleTracker, slip, turn};
pub use stances::{Footing, Stance, Stances};
pub use target::MotionTarget;
pub use throng_motion::mediator::PerformerOptions;

/// Why there is no body.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum BodyError {
    #[error(transparent)]
    Library(#[from] variety::LibraryError),
    #[error(transparent)]
    Physique(#[from] throng_motion::PhysiqueError),
    #[error(transparent)]
    Gait(#[from] throng_motion::gait::GaitError),
    #[error(transparent)]
    Repertoire(#[from] throng_motion::mediator::RepertoireError),
    #[error(transparent)]
    Breed(#[from] throng_motion::quadruped::BreedError),
    #[error(transparent)]
    Gaits(#[from] throng_motion::quadruped::GaitsError),
    #[error(transparent)]
    Carpet(#[from] throng_motion::carpet::CarpetError),
}
