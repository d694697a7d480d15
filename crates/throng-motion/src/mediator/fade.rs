//! From one clip to the next without a jump.

use glam::{Quat, Vec3A};

use crate::blend::nlerp;
use crate::gait::smoothstep;
use crate::pose::Pose;

/// What is left of the pose in which a clip was left for another.
///
/// Fading from one clip to another means to remember both, and a third if the second is left too soon. What is
/// remembered instead is by how much the body deviates from the new clip, whatever it did before: that
/// deviation dies away. With clips at equal phases it is the same as mixing them, a fade can be interrupted by
/// another at any time, and only one clip is ever sampled.
#[derive(Clone, Debug, Default)]
pub(super) struct Fade {
    /// From the new clip's pose to what was shown.
    root: Vec3A,
    rotations: Vec<Quat>,
    elapsed: f32,
    duration: f32,
}

impl Fade {
    /// Begins to fade from what is `shown` to a `pose` of another clip.
    pub fn begin(&mut self, shown: &Pose, pose: &Pose, duration: f32) {
        self.root = shown.root - pose.root;
        self.rotations.clear();
        let deviations = shown.rotations.iter().zip(&pose.rotations);
        self.rotations.extend(deviations.map(|(shown, pose)| *shown * pose.inverse()));
        (self.elapsed, self.duration) = (0.0, duration);
    }

    /// Ends it at once.
    pub fn end(&mut self) {
        self.elapsed = self.duration;
    }

    /// Time passes.
    pub fn pass(&mut self, seconds: f32) {
        self.elapsed += seconds;
    }

    /// How much of what was before is left, from 1 to 0.
    pub fn left(&self) -> f32 {
        if self.elapsed >= self.duration {
            return 0.0;
        }
        1.0 - smoothstep(self.elapsed / self.duration)
    }

    /// Adds what is left of it to a pose of the new clip.
    pub fn apply(&self, pose: &mut Pose) {
        let left = self.left();
        if left == 0.0 {
            return;
        }
        pose.root += left * self.root;
        for (rotation, deviation) in pose.rotations.iter_mut().zip(&self.rotations) {
            *rotation = nlerp(Quat::IDENTITY, *deviation, left) * *rotation;
        }
    }
}
