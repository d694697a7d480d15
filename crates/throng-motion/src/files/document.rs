//! What a file holds once it has been read: bodies and what they do.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::files::Warnings;
use crate::files::mapping::MappingErrors;
use crate::files::mapping::MappingFile;
use crate::mesh::{Mesh, MeshError};
use crate::motion::{Motion, MotionError};
use crate::skeleton::{MAX_JOINTS, Skeleton, SkeletonError};

/// A skeleton with the surfaces that follow it. Cloning shares all of it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its joints.
    pub skeleton: Arc<Skeleton>,
    /// Its surfaces, bound to the joints; none for a body that is all bones.
    pub meshes: Vec<Arc<Mesh>>,
}

impl Body {
    /// A body that is all bones.
    pub fn bones(name: impl Into<String>, skeleton: Arc<Skeleton>) -> Self {
        Self { name: name.into(), skeleton, meshes: Vec::new() }
    }

    /// A body with one surface.
    pub fn new(name: impl Into<String>, skeleton: Arc<Skeleton>, mesh: Arc<Mesh>) -> Self {
        Self { name: name.into(), skeleton, meshes: vec![mesh] }
    }
}

/// The bodies and motions of a file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The bodies, in the order in which the file has them.
    pub bodies: Vec<Body>,
    /// What they do. A motion's skeleton is that of one of the bodies, and shared with it.
    pub motions: Vec<Motion>,
    /// What was odd in the file, and what was done about it.
    pub warnings: Warnings,
}

/// How bodies and motions are read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Motions are sampled this many times a second, from their first key on. Samples that fall on
    /// a key are exactly that key.
    pub rate: f32,
    /// The joint that is to be the root; whatever is above it is folded into its movement. Without
    /// it the hips are, or else the first joint from which several others hang.
    pub root: Option<String>,
    /// What is said about units, the axis that points up, and landmarks.
    pub mapping: MappingFile,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { rate: 60.0, root: None, mapping: MappingFile::default() }
    }
}

/// Why a file has no bodies for us.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ReadError {
    #[error("{}: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: io::Error },
    #[error("{}: {reason}", file.display())]
    InFile { file: PathBuf, reason: Box<Self> },
    #[error("not readable {format}: {reason}")]
    Format { format: &'static str, reason: String },
    #[error("{part}: {reason}")]
    Part { part: String, reason: String },
    #[error(
        "nothing in it moves: it has no skin and no animation of nodes; export it with a skeleton"
    )]
    NoBodies,
    #[error("no joint is called \"{name}\", so it cannot be the root")]
    NoRoot { name: String },
    #[error("{rate} samples a second are not possible; write a number from 0.1 to 10000, e.g. 60")]
    Rate { rate: f32 },
    #[error("body \"{body}\" has {count} joints, more than the {MAX_JOINTS} that one may have")]
    TooManyJoints { body: String, count: usize },
    #[error(
        "the motions are too long: at {rate} samples a second there are more than {most} rotations; \
         write a lower rate"
    )]
    TooLong { rate: f32, most: usize },
    #[error("the mapping does not fit: {0}")]
    Mapping(MappingErrors),
    #[error("body \"{body}\": {reason}")]
    Skeleton { body: String, reason: SkeletonError },
    #[error(transparent)]
    Motion(#[from] MotionError),
    #[error("body \"{body}\": {reason}")]
    Mesh { body: String, reason: MeshError },
}

impl ReadError {
    pub(super) fn part(part: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Part { part: part.into(), reason: reason.into() }
    }

    pub(super) fn in_file(self, file: impl Into<PathBuf>) -> Self {
        Self::InFile { file: file.into(), reason: Box::new(self) }
    }
}
