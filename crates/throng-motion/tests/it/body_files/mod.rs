//! glTF and FBX files: what is written is read back, and what comes from elsewhere is understood or
//! refused.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod builder;
mod damaged;
#[cfg(feature = "fbx")]
mod fbx;
mod people;
mod reading;
mod rigs;
mod writing;
