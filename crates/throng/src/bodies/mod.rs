//! Bodies for crowds: who looks how, and who is in which pose.
//!
//! A [`Cast`] has looks: bodies with clothes and with everything they can do. Each person has a [role](variety::Descriptor),
//! one of the looks with a size and colours of their own, chosen with an eye to who is near ([`variety`]). An [`Ensemble`] has everybody's body in motion: it follows
//! [wishes](Wish), which come from a simulation, a recording or tracks, with feet that stay where they stand. [`Stances`] checks that,
//! looking at nothing but the poses. In a [`Company`] only those have bodies of their own who are seen well, and the others are
//! [extras](Extra).

mod cast;
mod company;
mod ensemble;
mod extras;
mod look;
mod looking;
mod member;
mod sights;
mod soles;
mod stances;
pub mod variety;

use thiserror::Error;

pub use cast::Cast;
pub use company::Company;
pub use ensemble::{Ensemble, SharedGround, Wish, ground_of};
pub use extras::{Extra, FRAMES, HeadTurn, Poses, Take, turning_joints};
pub use look::{AnimalLook, Look, PersonLook};
pub use looking::INDIFFERENCE;
pub use member::Member;
pub use sights::{Passer, Sights, Viewer};
pub use soles::{Sole, SoleTracker, slip, turn};
pub use stances::{Footing, Stance, Stances};
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
