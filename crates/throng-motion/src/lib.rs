//! How bodies move: skeletons, poses, clips, human gait, meshes and motion files.
//!
//! A [`Skeleton`] is a tree of joints with named [`Landmark`]s, a [`Pose`] turns them, and
//! [`ModelPose`] says where they are. A [`Motion`] is any sampled movement of a skeleton; a
//! [`Clip`] is a motion that may drive people: it has been checked to be cyclic, begins at a left
//! strike, knows its contacts, and moves about the *abstract root*, the point on the ground that
//! the simulator moves, while the pelvis sways about it.
//!
//! Throng needs no captured data: a [`Human`] of any proportions is given every clip that a crowd
//! needs by the gait generator.
//!
//! Body space faces `+Z` with `+Y` up, so that `+X` is the body's left (see
//! [`throng_base::frame`]). Lengths are metres, times seconds, angles radians.

pub mod analysis;
mod blend;
pub mod carpet;
pub mod catalogue;
mod clip;
mod contact;
pub mod files;
pub mod gait;
pub mod gaze;
mod human;
mod landmark;
mod matrices;
pub mod mediator;
mod mesh;
mod mirror;
mod motion;
mod naming;
mod pose;
pub mod quadruped;
mod retarget;
mod root;
mod skeleton;
mod two_bone;

pub use blend::{blend, lean_spine, twist_spine};
pub use clip::{Clip, ClipError, ClipKind, ClipParts};
pub use contact::{Contacts, Paw, Side, Span, Support};
pub use human::{FootShape, Human, Proportions, ProportionsError};
pub use landmark::{Landmark, Landmarks};
pub use mesh::{
    Binding, Bottom, Detail, HairStyle, Mesh, MeshError, Outfit, Part, Physique, PhysiqueError,
    Region, Sleeves,
};
pub use mirror::mirror;
pub use motion::{Motion, MotionError};
pub use naming::{FoundBy, LandmarkMap};
pub use pose::{ModelPose, Pose};
pub use retarget::{
    FootError, RetargetError, RetargetOptions, RetargetReport, Retargeted, retarget,
};
pub use root::{RootMotion, RootTrack};
pub use skeleton::{Joint, JointId, MAX_JOINTS, Skeleton, SkeletonError};
