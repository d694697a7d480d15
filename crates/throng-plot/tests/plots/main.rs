//! Figures as those who ask for them get them.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod clips;
mod colours;
mod errors;
mod field;
mod files;
mod layout;
mod measured;
mod nav;
mod support;
