//! Human locomotion for any body, with no captured data.
//!
//! [`Steady`] gaits (walks from slow to brisk, oblique, sideways and backward steps, runs) come
//! from curves that were measured on people, and are closed from the ground up so that feet stand
//! where they stand. See [`Style`] for what makes individuals differ.

mod cycle;
mod foot;
mod law;
mod sketch;
mod smooth;
mod steady;
mod style;
mod tables;

pub use law::{Gait, speed_number};
pub use steady::{GaitError, Steady};
pub use style::{Manner, Style};
