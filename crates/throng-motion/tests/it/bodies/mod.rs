//! The surfaces of bodies, through the public interface.

mod bending;
mod seen;
mod shape;
pub mod support;
mod surface;
