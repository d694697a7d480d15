//! A sampled movement of a skeleton, of whatever kind.

use std::sync::Arc;

use glam::{Quat, Vec3A};
use thiserror::Error;

use crate::blend::nlerp;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// What is wrong with a motion.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MotionError {
    #[error("motion \"{name}\" has no frames")]
    Empty { name: String },
    #[error("motion \"{name}\" has {rate} frames per second; write a positive number")]
    Rate { name: String, rate: f32 },
    #[error("motion \"{name}\" has {rotations} rotations for {frames} frames of {joints} joints")]
    Size { name: String, frames: usize, joints: usize, rotations: usize },
    #[error("motion \"{name}\" is not finite at joint \"{joint}\" in frame {frame}")]
    NotFinite { name: String, joint: String, frame: usize },
}

/// Frames of a skeleton at a fixed rate: what files contain and clips are made of.
#[derive(Clone, Debug)]
pub struct Motion {
    name: String,
    skeleton: Arc<Skeleton>,
    rate: f32,
    roots: Vec<Vec3A>,
    /// One frame after the other.
    rotations: Vec<Quat>,
}

impl Motion {
    /// A motion of `skeleton` with `rate` frames per second: per frame the place of the root joint
    /// and the rotation of every joint, all joints of the first frame first.
    ///
    /// # Errors
    ///
    /// If there are no frames, the numbers do not fit the skeleton, or one is not finite.
    pub fn new(
        name: impl Into<String>,
        skeleton: Arc<Skeleton>,
        rate: f32,
        roots: Vec<Vec3A>,
        mut rotations: Vec<Quat>,
    ) -> Result<Self, MotionError> {
        let name = name.into();
        let (frames, joints) = (roots.len(), skeleton.len());
        if frames == 0 {
            return Err(MotionError::Empty { name });
        }
        if !(rate.is_finite() && rate > 0.0) {
            return Err(MotionError::Rate { name, rate });
        }
        if rotations.len() != frames * joints {
            let rotations = rotations.len();
            return Err(MotionError::Size { name, frames, joints, rotations });
        }
        let fault = |name: &str, index: usize| {
            let (frame, joint) = (index / joints, &skeleton.joints()[index % joints].name);
            MotionError::NotFinite { name: name.into(), joint: joint.clone(), frame }
        };
        if let Some(frame) = roots.iter().position(|root| !root.is_finite()) {
            return Err(fault(&name, frame * joints));
        }
        for (index, rotation) in rotations.iter_mut().enumerate() {
            let length = rotation.length();
            if !(length.is_finite() && length > 1e-6) {
                return Err(fault(&name, index));
            }
            *rotation /= length;
        }
        let mut motion = Self { name, skeleton, rate, roots, rotations };
        motion.take_short_ways();
        Ok(motion)
    }

    /// A motion through `poses`.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn from_poses(
        name: impl Into<String>,
        skeleton: Arc<Skeleton>,
        rate: f32,
        poses: &[Pose],
    ) -> Result<Self, MotionError> {
        let roots = poses.iter().map(|pose| pose.root).collect();
        let rotations = poses.iter().flat_map(|pose| pose.rotations.iter().copied()).collect();
        Self::new(name, skeleton, rate, roots, rotations)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same motion under another name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The skeleton that moves.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// Frames per second.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// How many frames there are; at least one.
    pub fn frames(&self) -> usize {
        self.roots.len()
    }

    /// From the first frame to the last, in seconds.
    pub fn duration(&self) -> f32 {
        (self.frames() - 1) as f32 / self.rate
    }

    /// Where the root joint is in each frame.
    pub fn roots(&self) -> &[Vec3A] {
        &self.roots
    }

    /// The rotations of all joints in a frame.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn rotations(&self, frame: usize) -> &[Quat] {
        let joints = self.skeleton.len();
        &self.rotations[frame * joints..][..joints]
    }

    /// A frame as a pose of its own.
    ///
    /// # Panics
    ///
    /// If there is no such frame.
    pub fn pose(&self, frame: usize) -> Pose {
        Pose { root: self.roots[frame], rotations: self.rotations(frame).to_vec() }
    }

    /// The pose at `time` seconds after the first frame; the ends are kept to.
    pub fn sample(&self, time: f32, pose: &mut Pose) {
        let last = self.frames() - 1;
        let time = if time.is_nan() { 0.0 } else { time };
        let at = (time * self.rate).clamp(0.0, last as f32);
        let frame = (at as usize).min(last);
        self.sample_between(frame, (frame + 1).min(last), at - frame as f32, pose);
    }

    /// The pose a `part` of the way from one frame to another.
    pub(crate) fn sample_between(&self, from: usize, to: usize, part: f32, pose: &mut Pose) {
        let (a, b) = (self.rotations(from), self.rotations(to));
        pose.root = self.roots[from].lerp(self.roots[to], part);
        pose.rotations.resize(a.len(), Quat::IDENTITY);
        for ((rotation, a), b) in pose.rotations.iter_mut().zip(a).zip(b) {
            *rotation = nlerp(*a, *b, part);
        }
    }

    /// Chooses of both quaternions that mean a rotation the one nearer to the frame before.
    fn take_short_ways(&mut self) {
        let joints = self.skeleton.len();
        for index in joints..self.rotations.len() {
            if self.rotations[index].dot(self.rotations[index - joints]) < 0.0 {
                self.rotations[index] = -self.rotations[index];
            }
        }
    }
}
