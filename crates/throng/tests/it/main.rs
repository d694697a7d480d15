//! The engine as a whole, through the public interface.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod bodies;
mod common;
mod custom_model;
mod damaged_recordings;
mod engine;
mod exchange;
mod film;
mod gaze;
mod hidden;
mod limits;
mod recording;
mod scaler;
mod shipped_scenes;
mod steering_docs;
mod tracks;
mod variety;
