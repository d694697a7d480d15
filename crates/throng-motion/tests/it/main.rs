//! What bodies do, through the public interface.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod ambling;
mod analysis;
mod bodies;
mod body_files;
mod bvh;
mod carpet;
mod gait;
mod gaze;
mod mediator;
mod poses;
mod quadruped;
mod retarget;
mod rigs;
mod sectors;
