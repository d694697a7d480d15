//! Bodies and motions as glTF, the format that every engine, viewer and modelling program reads.
//!
//! [`read()`] takes skins as skeletons, animations as motions and skinned meshes as meshes, from rigs of
//! any program: armatures that are scaled or turned, helper nodes, joints in any order, keys at any
//! times. Joints above the hips are folded into the hips' movement, so that nothing of it is lost;
//! what a body cannot do here, such as stretch its bones, is told as a [warning](crate::files::Warning).
//!
//! [`write()`] takes an [`Export`]: bodies, people who have them, and what they do. A library of clips is
//! one person with an animation for each clip, and a crowd is one animation of everybody:
//!
//! ```
//! use std::sync::Arc;
//! use glam::{Quat, Vec3};
//! use throng_motion::files::gltf::{self, Export, Person, PlaceKey, Play, WriteOptions};
//! use throng_motion::files::{Body, ReadOptions};
//! use throng_motion::{Human, Motion, Pose};
//!
//! let human = Human::new(Default::default())?;
//! let poses = vec![Pose::rest(human.skeleton()); 30];
//! let stand = Motion::from_poses("stand", human.skeleton().clone(), 30.0, &poses)?;
//!
//! let body = Body::bones("adult", human.skeleton().clone());
//! let place = |time: f32, x: f32| {
//!     PlaceKey { time, translation: Vec3::new(x, 0.0, time), rotation: Quat::IDENTITY }
//! };
//! let people = (0..3).map(|index| {
//!     let person = Person::new(format!("person {index}"), 0);
//!     let places = vec![place(0.0, index as f32), place(2.0, index as f32)];
//!     (person, Some(Play::looped(0, 0.0, 2.0)), places)
//! });
//! let crowd = Export::crowd(vec![body], vec![Arc::new(stand)], people);
//! let file = gltf::to_glb(&crowd, &WriteOptions::default())?;
//!
//! let document = gltf::read_bytes(&file, None, &ReadOptions::default())?;
//! assert_eq!(document.bodies.len(), 3);
//! assert_eq!(document.motions[0].duration(), 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod export;
mod read;
mod write;

pub use export::{Act, Export, Palette, Person, PlaceKey, Play, Take, WriteError, WriteOptions};
pub use read::{read, read_bytes};
pub(super) use write::rest_matrices;
pub use write::{CrowdWriter, Keyed, Keys, Scenery, to_glb, to_gltf, write};
