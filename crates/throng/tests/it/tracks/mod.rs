//! Tracks from elsewhere, made smooth.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod cleaning;
mod garbage;
mod support;
mod truth;
