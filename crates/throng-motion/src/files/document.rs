//! What a file holds once it has been read: bodies and what they do.

use std::sync::Arc;

use crate::files::Warnings;
use crate::mesh::Mesh;
use crate::motion::Motion;
use crate::skeleton::Skeleton;

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

impl Document {
    /// The motions of a body of this document.
    pub fn motions_of<'a>(&'a self, body: &'a Body) -> impl Iterator<Item = &'a Motion> {
        self.motions.iter().filter(|motion| Arc::ptr_eq(motion.skeleton(), &body.skeleton))
    }
}

/// How bodies and motions are read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Motions are sampled this many times a second, from their first key on. Samples that fall on
    /// a key are exactly that key.
    pub rate: f32,
    /// All lengths are multiplied by this: 0.01 for a file that pretends centimetres are metres.
    pub scale: f32,
    /// The joint that is to be the root; whatever is above it is folded into its movement. Without
    /// it the hips are, or else the first joint from which several others hang.
    pub root: Option<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { rate: 60.0, scale: 1.0, root: None }
    }
}
