//! What the other crates share: frames of reference and angles, random numbers, plane geometry,
//! ground to stand on, files that are read and written, and words for messages.
//!
//! It knows neither scenes nor people.

pub mod asset_file;
mod distribution;
pub mod frame;
pub mod geometry;
pub mod ground;
pub mod hash;
mod named;
mod outline;
pub mod place;
pub mod random;
pub mod words;

pub use distribution::Distribution;
pub use frame::Heading;
pub use geometry::{Bounds, Polygon};
