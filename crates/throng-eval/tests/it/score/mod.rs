//! Scoring through its public interface: closed forms, invariances, contacts, ideals and patterns.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod agreement;
mod closed_form;
mod contacts;
mod encounters;
mod faults;
mod ideals;
mod patterns;
mod symmetry;
mod techniques;
mod track;
mod watch;
