//! Recordings in the formats of other programs, and other programs' tracks as recordings.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod damage;
mod export;
mod headerless;
mod import;
mod round_trip;
mod steersuite;
mod support;
