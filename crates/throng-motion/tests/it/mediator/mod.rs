//! Bodies that are led by a simulator.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod clips;
mod falling;
mod feet;
mod odd;
mod running;
mod stage;
mod turning;
