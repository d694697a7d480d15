//! BVH: skeletons and motions as text, which nearly every program reads and writes.
//!
//! A file has joints with fixed offsets, and for each frame angles about axes in an order that each
//! joint chooses. What it does not have is a unit of length, an axis that is up, a direction that is
//! ahead, and a notion of what its joints are; [`read()`] finds these out and says in warnings what it
//! assumed. All of it can be said in [`ReadOptions`] instead.
//!
//! What is read is a [`Motion`] as all others: metres, `y` up, a body at rest faces `+Z`, and bones
//! do not stretch. End sites become no joints, since nothing turns there; they are kept as
//! [`Import::tips`], and [`write()`] takes them again.
//!
//! ```
//! use throng_motion::files::bvh::{self, ReadOptions, WriteOptions};
//! # use throng_motion::{Human, Motion, Pose};
//! # let human = Human::new(Default::default())?;
//! # let poses = [Pose::rest(human.skeleton())];
//! # let motion = Motion::from_poses("stand", human.skeleton().clone(), 30.0, &poses)?;
//!
//! let text = bvh::write(&motion, &WriteOptions::default())?;
//! let import = bvh::read(text.as_bytes(), "stand", &ReadOptions::default())?;
//! assert_eq!(import.motion.skeleton().len(), motion.skeleton().len());
//! println!("{}", import.warnings); // … 0.01 m per unit are assumed …
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
mod euler;
mod frames;
mod hierarchy;
mod read;
mod stretch;
mod text;
mod write;

use glam::Vec3;
use thiserror::Error;

use super::mapping::{MappingErrors, MappingFile};
use super::{Up, Warnings};
use crate::motion::{Motion, MotionError};
use crate::naming::LandmarkMap;
use crate::skeleton::{JointId, SkeletonError};

pub use euler::RotationOrder;
pub use read::read;
pub use write::{WriteError, WriteOptions, write};

/// Whether the first frame is a pose that was added for reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstFrame {
    /// It is left out if the body jumps from something like its pose at rest into the motion, as it
    /// does in the files of the CMU database; a warning says so.
    #[default]
    Detect,
    /// It is part of the motion.
    Keep,
    /// It is left out, if there is another.
    Drop,
}

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Metres per unit of length. Otherwise the mapping's counts, or it is guessed from the size of
    /// the body.
    pub unit: Option<f32>,
    /// The axis that points up. Otherwise the mapping's counts, or it is `y`, unless the body is
    /// upright along `z` both at rest and in the frames, as in files written by Blender.
    pub up: Option<Up>,
    /// What to do with the first frame.
    pub first_frame: FirstFrame,
    /// Leaves the body facing wherever it faces at rest. Otherwise everything is turned about the
    /// vertical so that it faces `+Z`.
    pub keep_facing: bool,
    /// What is known about the landmarks.
    pub mapping: MappingFile,
}

/// What a file contains.
#[derive(Clone, Debug)]
pub struct Import {
    /// The motion, with a skeleton whose landmarks are those of [`Self::landmarks`].
    pub motion: Motion,
    /// The landmarks, and how they were found.
    pub landmarks: LandmarkMap,
    /// The metres per unit of the file that were used.
    pub unit: f32,
    /// Where bones without a joint at their end do end, in the space of the joint: the tips of toes
    /// and fingers, the crown.
    pub tips: Vec<(JointId, Vec3)>,
    /// What was odd, and what was assumed.
    pub warnings: Warnings,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// Something in the text, printed as `line:column: message`.
    #[error("{line}:{column}: {message}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// The character in it, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The unit given is no length.
    #[error("the unit is {0} m; write a positive number, e.g. 0.01 for centimetres")]
    Unit(f32),
    /// The mapping does not fit the file; lines and columns are those of the mapping.
    #[error("the mapping does not fit the file:\n{0}")]
    Mapping(MappingErrors),
    /// The joints make no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// The frames make no motion.
    #[error(transparent)]
    Motion(#[from] MotionError),
}
