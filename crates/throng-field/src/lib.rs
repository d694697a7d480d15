//! Which way do arrows on the ground lead?
//!
//! A handful of anchors, each a place and a velocity, become a smooth vector field that passes
//! through all of them: the [`Field`] of thin plates that Jin, Xu, Wang, Huang and Zhang direct
//! crowds with ("Interactive Control of Large Crowd Navigation in Virtual Environments Using Vector
//! Fields", IEEE Computer Graphics and Applications, 2008). This crate is the mathematics of it, and
//! knows neither crowds nor scenes.
//!
//! ```
//! use std::sync::Arc;
//! use glam::{DVec2, Vec2};
//! use throng_field::{Anchor, Field, Sampler, SamplerOptions};
//!
//! // Along a street, around a corner, and on.
//! let field = Field::new(&[
//!     Anchor::new((0.0, 0.0), (1.3, 0.0)),
//!     Anchor::new((20.0, 0.0), (0.9, 0.9)),
//!     Anchor::new((22.0, 15.0), (0.0, 1.3)),
//! ])?;
//! assert!(field.velocity(DVec2::new(20.0, 0.0)).distance(DVec2::new(0.9, 0.9)) < 1e-9);
//!
//! // Many people at once: single precision if it is exact enough, and sixteen at a time.
//! let sampler = Sampler::new(Arc::new(field), &SamplerOptions::default())?;
//! let places = [Vec2::new(5.0, 0.5), Vec2::new(21.0, 4.0), Vec2::new(22.0, 30.0)];
//! let mut velocities = [Vec2::ZERO; 3];
//! sampler.sample(&places, &mut velocities);
//! assert!(velocities[0].x > 1.0 && velocities[2].y > 1.0);
//! # Ok::<(), throng_field::FieldError>(())
//! ```
//!
//! - [`FieldEditor`] is for changing anchors by hand, [`FieldSlot`] for replacing a field while people
//!   follow it, without a jerk. [`govern`] is for several fields, each within its [`Mask`];
//!   [`Attraction`] for people who heed anchors by distance alone; [`Coverage`] says where anchors with a reach
//!   hold.
//! - [`Tracks`] are anchors with key frames; [`TimedField`] solves for all times at once.
//! - [`Field::critical_points`] finds where crowds would pile up or circle, [`Field::streamline`]
//!   where people would go.
//!
//! The same anchors give the same bits on any processor: all sums and the factorisation of the
//! matrix are kernels of `throng-simd`, with a fixed order of operations.

mod anchor;
mod attraction;
mod axes;
mod coverage;
mod critical;
mod editor;
mod error;
mod field;
mod frame;
mod hull;
mod interpolant;
mod ladder;
mod linear;
mod metric;
mod options;
mod patches;
mod radial;
mod sampler;
mod shape;
mod slot;
mod streamline;
mod timed;
mod tracks;

pub use anchor::{Anchor, COINCIDENT, MAX_ANCHORS, MAX_REACH, MIN_REACH};
pub use attraction::Attraction;
pub use coverage::Coverage;
pub use critical::{CriticalKind, CriticalPoint};
pub use editor::{AnchorId, FieldEditor};
pub use error::FieldError;
pub use field::Field;
pub use ladder::Statistics;
pub use metric::Metric;
pub use options::{FieldOptions, Regularisation};
pub use patches::{Flow, Mask, Patch, govern};
pub use sampler::{Method, Sampler, SamplerOptions};
pub use slot::FieldSlot;
pub use streamline::StreamlineOptions;
pub use timed::{TimedAnchor, TimedField};
pub use tracks::{Key, Track, Tracks};
