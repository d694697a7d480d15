//! Human locomotion for any body, with no captured data.
//!
//! [`Steady`] gaits (walks from slow to brisk, oblique, sideways and backward steps, runs) come
//! from curves that were measured on people, and are closed from the ground up so that feet stand
//! where they stand. [`Standing`], [`Turning`] on the spot, and starts and stops ([`Steady::start`],
//! [`Steady::stop`]) complete the [`Library`] of a body. See [`Style`] for what makes individuals differ.

mod angles;
mod cycle;
mod fall;
mod feet;
mod foot;
mod law;
mod library;
mod sketch;
mod smooth;
mod stand;
mod steady;
mod steps;
mod style;
mod tables;
mod transition;
mod turn;
mod upper;

pub use angles::JointAngle;
pub use fall::Falling;
pub(crate) use law::Timing;
pub use law::{Gait, speed_number};
pub use library::Library;
pub(crate) use smooth::smoothstep;
pub use stand::Standing;
pub use steady::{GaitError, Steady};
pub use style::{Manner, Style};
pub use turn::Turning;
