//! Animals on four legs: dogs, horses and what lies between, with gaits of their own.
//!
//! A [`Breed`] says how long the bones are and how they are used; a [`Quadruped`] is the skeleton
//! that follows. [`Steady`] makes it walk or trot, [`Stand`] lets it stand about, both as ordinary
//! [`Clip`](crate::Clip)s, and [`Mesh::animal`](crate::Mesh::animal) is its surface. An [`Ambler`]
//! follows somebody at any speed over any ground, with what [`Gaits`] know.
//!
//! Landmarks mean what they mean in comparative anatomy: the hind legs are the legs, the fore legs
//! the arms. An animal's hock is its heel and its carpus the wrist, so
//! [`Landmark::LeftFoot`](crate::Landmark::LeftFoot) is the left hock and
//! [`Landmark::LeftHand`](crate::Landmark::LeftHand) the left carpus. What has no counterpart, toes
//! of the fore legs, ears and tail, is known to the [`Quadruped`].
//!
//! ```
//! use throng_motion::quadruped::{Breed, Quadruped, Steady};
//! use throng_motion::{Detail, Mesh, Paw};
//!
//! let dog = Quadruped::new(Breed::dog(0.55))?;
//! let walk = Steady::ahead(1.0).clip(&dog)?;
//! assert!(walk.contacts().paw_touches(Paw::LeftHind, 0.1));
//! let mesh = Mesh::animal(&dog, Detail::Full);
//! assert!(mesh.triangle_count() < 1_500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amble;
mod body;
mod breed;
mod carriage;
mod colours;
mod gaits;
mod law;
mod legs;
mod library;
mod path;
mod stand;
mod steady;
mod surface;

pub use amble::{Ambler, Progress};
pub use body::{ForeJoints, HindJoints, Quadruped};
pub use breed::{Breed, BreedError, Figure, ForeLeg, HindLeg, Manner, PawShape, Proportions};
pub use colours::Coat;
pub use gaits::{Gaits, GaitsError};
pub use law::Gait;
pub use library::library;
pub use stand::Stand;
pub use steady::{GaitError, Steady};
