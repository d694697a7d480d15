//! Animals that follow somebody, through the public interface.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod ground;
mod level;
mod odd;
mod stage;
