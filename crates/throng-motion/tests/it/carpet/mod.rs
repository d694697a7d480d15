//! Bodies on carpets.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod bad_input;
mod bones;
mod dynamics;
mod feet;
mod flat;
mod laying;
mod quadruped;
mod relations;
mod slopes;
mod stage;
mod turning;
