//! Throng: a real-time engine for crowds of people.
//!
//! This is the crate to depend on. It holds what ties the other crates together; so far that is
//! [`recording`], which keeps what happened in a simulation in a file that other tools read.

pub mod recording;
