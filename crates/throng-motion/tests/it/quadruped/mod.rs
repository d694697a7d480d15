//! Animals on four legs, through the public interface.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod animals;
mod files;
mod footfalls;
mod motion;
mod odd;
mod surface;
