//! How fast people change velocity and turn: limits of what they do of their own accord, in every model.
#![allow(clippy::unwrap_used, reason = "tests")]

mod measure;
mod one_by_one;
mod shipped;
