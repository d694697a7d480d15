//! What people do, through the public interface.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod adopt;
mod companions;
mod dense;
mod effort;
mod errors;
mod fields;
mod floors;
mod foresight;
mod goals;
mod headway;
mod hidac;
mod independence;
mod inspect;
mod limits;
mod lines;
mod mazes;
mod memory;
mod models;
mod obstacles;
mod orca;
mod plugs;
mod ppr;
mod premovement;
mod reach;
mod scenes;
mod slopes;
mod sources;
mod stairs;
mod status;
mod support;
mod timings;
mod traits;
mod ways;
