//! Between the simulator and the bodies: which clip somebody plays, how fast, and where that leaves their
//! feet.
//!
//! The simulator says how fast a person moves and in which direction. [`Sectors`] answers with the clip that
//! fits best, after N. Pelechano, B. Spanlang and A. Beacco ("Avatar locomotion in crowd simulation", 2011):
//! speeds are divided into *tracks*, each track into *sectors* of directions, and each sector has one clip. A
//! [`Selector`] keeps to a clip until another is clearly better, and a [`Torso`] follows the way somebody goes
//! with inertia.
//!
//! A [`Performer`] is somebody's body over time. It plays the chosen clip of its [`Repertoire`] at the pace that
//! is wanted, turns the body so that the clip leads where the simulator does, twists the spine so that the torso
//! faces where it should, and moves the root with the feet: a foot that stands stays where it is until it leaves
//! the ground. Runs fly as long as gravity says ([`Flight`]).

mod fade;
mod feet;
mod flight;
mod legs;
mod performance;
mod performer;
mod planting;
mod repertoire;
mod sectors;
mod selector;
mod torso;

pub use feet::{Stance, anchored_root};
pub use flight::{Advance, Flight};
pub use legs::SolePoint;
pub(crate) use performance::somewhere;
pub use performance::{Command, FootReport, Performance, PerformerOptions};
pub use performer::{Performer, Scratch};
pub use repertoire::{Part, Repertoire, RepertoireError};
pub use sectors::{Choice, Sector, SectorError, SectorOptions, Sectors, Selected, Steps, Track};
pub use selector::{Reluctance, Selector};
pub use torso::Torso;
