//! Throng: a real-time engine for crowds of people.
//!
//! An [`Engine`] loads a scene, steps it, and records it; a [`recording::Recording`] plays it back.
//! The crates underneath can be used on their own: `throng_base` for frames of
//! reference, random numbers and plane geometry, `throng_world` for scenes, terrain and walls,
//! `throng_crowd` for people who move, `throng_field` for the fields that lead them.

pub mod animation;
pub mod benchmark;
pub mod bodies;
mod engine;
pub mod exchange;
pub mod film;
pub mod recording;
pub mod scaler;
pub mod survey;
pub mod tracks;

pub use animation::{PipelineStage, PipelineTimes};
pub use engine::{Adoption, Engine, Progress, RunSummary, scene_schema, scene_schema_with};
pub use throng_base as base;
pub use throng_base::place;
pub use throng_crowd as crowd;
pub use throng_field as field;
pub use throng_motion as motion;
pub use throng_world as world;
pub use throng_world::{Scene, SceneError, SceneErrors};

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Those of the page on directing crowds do, too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/directing.md")]
struct Directing;
