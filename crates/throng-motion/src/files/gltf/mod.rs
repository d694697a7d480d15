//! Bodies and motions as glTF.

mod accessor;
mod export;
mod read;
mod write;

pub use export::{Act, Export, Palette, Person, PlaceKey, Play, Take, WriteError, WriteOptions};
pub use read::{read, read_bytes};
pub(super) use write::rest_matrices;
pub use write::{to_glb, to_gltf, write};
