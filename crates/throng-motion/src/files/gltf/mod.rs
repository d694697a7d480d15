//! Bodies and motions as glTF.

mod export;
mod write;

pub use export::{Act, Export, Palette, Person, PlaceKey, Play, Take, WriteError, WriteOptions};
pub use write::{to_glb, to_gltf, write};
