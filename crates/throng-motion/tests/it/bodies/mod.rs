//! The surfaces of bodies, through the public interface.

mod bending;
mod seen;
mod shape;
mod support;
mod surface;
