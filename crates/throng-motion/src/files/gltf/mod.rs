//! Bodies and motions as glTF, the format that every engine, viewer and modelling program reads.
//!
//! [`read()`] takes skins as skeletons, animations as motions and skinned meshes as meshes, from rigs of
//! any program: armatures that are scaled or turned, helper nodes, joints in any order, keys at any
//! times. Joints above the hips are folded into the hips' movement, so that nothing of it is lost;
//! what a body cannot do here, such as stretch its bones, is told as a [warning](crate::files::Warning).
//!
//! [`library`] writes a body with an animation for each of its motions; a [`CrowdWriter`] writes many people who
//! move in one animation, person by person.
//!
//! ```
//! use throng_motion::files::gltf::{self, WriteOptions};
//! use throng_motion::files::{Body, ReadOptions};
//! use throng_motion::{Human, Motion, Pose};
//!
//! let human = Human::new(Default::default())?;
//! let poses = vec![Pose::rest(human.skeleton()); 30];
//! let stand = Motion::from_poses("stand", human.skeleton().clone(), 30.0, &poses)?;
//! let body = Body::bones("adult", human.skeleton().clone());
//! let file = gltf::library(&body, &[&stand], &WriteOptions::default())?;
//!
//! let document = gltf::read_bytes(&file, None, &ReadOptions::default())?;
//! assert_eq!(document.bodies.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod export;
mod read;
mod write;

pub use export::{Palette, Person, WriteError, WriteOptions};
pub use read::{read, read_bytes};
pub(super) use write::rest_matrices;
pub use write::{CrowdWriter, Keyed, Keys, Scenery, library};
