//! Motions and bodies in files.
//!
//! Files of other programs are full of surprises. What would make the result wrong is an error with
//! its place; what can be put right is put right and told as a [`Warning`], so that nobody has to
//! guess why a body stands on its head.

pub mod bvh;
mod document;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
pub mod mapping;
mod rig;
mod warnings;

pub use document::{Body, Document, ReadError, ReadOptions};
pub use warnings::{Place, Warning, Warnings};

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Up {
    #[default]
    Y,
    Z,
}
