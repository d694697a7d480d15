//! Motions whose numbers are known, and what analysis makes of them.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod abstraction;
mod clips;
mod footfalls;
mod generated;
mod measures;
mod odd;
mod walker;
