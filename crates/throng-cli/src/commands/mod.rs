//! One module for each command, with a function `run` that does it.

pub mod bench;
pub mod check;
pub mod completions;
pub mod info;
pub mod plot;
pub mod run;
pub mod schema;
