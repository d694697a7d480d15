//! A clip's body in every frame.

use crate::clip::Clip;
use crate::contact::Side;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::Skeleton;

use super::Refusal;
use super::body::{Build, Foot};

/// Where the joints and soles of a clip are in each of its frames, seen from the abstract root.
pub struct ClipFrames<'c> {
    pub(crate) skeleton: &'c Skeleton,
    pub(crate) build: Build,
    pub(crate) poses: Vec<ModelPose>,
    pub(crate) feet: Vec<[Foot; 2]>,
}

impl<'c> ClipFrames<'c> {
    /// The frames of a clip.
    ///
    /// # Errors
    ///
    /// If its skeleton lacks a landmark of the legs.
    pub fn of(clip: &'c Clip) -> Result<Self, Refusal> {
        let (motion, skeleton) = (clip.motion(), clip.skeleton().as_ref());
        let mut build = Build::of(skeleton)?;
        let mut pose = Pose::default();
        let poses: Vec<ModelPose> = (0..motion.frames())
            .map(|frame| {
                pose.root = motion.roots()[frame];
                pose.rotations.clear();
                pose.rotations.extend_from_slice(motion.rotations(frame));
                ModelPose::of(skeleton, &pose)
            })
            .collect();
        build.calibrate(&poses, skeleton, motion.rate());
        let foot = |pose: &ModelPose| Side::BOTH.map(|side| build.foot(side, pose, skeleton));
        let feet = poses.iter().map(foot).collect();
        Ok(Self { skeleton, build, poses, feet })
    }

    /// Where all joints are, frame by frame.
    pub fn poses(&self) -> &[ModelPose] {
        &self.poses
    }

    /// The foot of a side.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn foot(&self, frame: usize, side: Side) -> Foot {
        self.feet[frame][side as usize]
    }

    /// From the hip to the floor with a straight knee (`L`), in metres.
    pub fn leg_length(&self) -> f32 {
        self.build.leg_length
    }
}
