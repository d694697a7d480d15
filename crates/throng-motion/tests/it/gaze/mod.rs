//! Where people look, and how they get there.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod attending;
mod bodies;
mod moving;
mod odd;
mod reaching;
mod stage;
mod timing;
mod viewers;
