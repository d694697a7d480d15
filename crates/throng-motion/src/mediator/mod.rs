//! Between the simulator and the bodies: which clip somebody plays, and how fast.
//!
//! The simulator says how fast a person moves and in which direction, seen from where the torso
//! faces. [`Sectors`] answers with the clip that fits best, after N. Pelechano, B. Spanlang and A.
//! Beacco ("Avatar locomotion in crowd simulation", 2011): speeds are divided into *tracks*, each
//! track into *sectors* of directions, and each sector has one clip. A [`Selector`] keeps to a clip until
//! another is clearly better, and a [`Torso`] follows the way somebody goes with inertia.

mod sectors;
mod selector;
mod torso;

pub use sectors::{Choice, Sector, SectorError, SectorOptions, Sectors, Selected, Steps, Track};
pub use selector::{Reluctance, Selector};
pub use torso::Torso;
