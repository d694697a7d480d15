//! How a skeleton is bent, and where its joints are then.
//!
//! Poses are structures of arrays. Everything that runs for thousands of bodies writes into poses
//! that the caller owns, so that a frame allocates nothing.

use glam::{Affine3A, Quat, Vec3, Vec3A};

use crate::landmark::Landmark;
use crate::skeleton::{JointId, Skeleton};

/// The rotation of every joint in its parent, and the place of the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Where the root joint is, in body space.
    pub root: Vec3A,
    /// How each joint is turned in its parent's space.
    pub rotations: Vec<Quat>,
}

impl Pose {
    /// The pose of `skeleton` at rest.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            root: skeleton.translations()[0],
            rotations: skeleton.joints().iter().map(|joint| joint.rotation).collect(),
        }
    }

    /// The rotation of a joint in its parent's space.
    pub fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// Moves and turns the whole body: `placement` is where body space is to be.
    pub fn place(&mut self, placement: (Quat, Vec3A)) {
        let (rotation, translation) = placement;
        self.root = rotation * self.root + translation;
        if let Some(root) = self.rotations.first_mut() {
            *root = rotation * *root;
        }
    }
}

/// Where every joint is in body space, and how it is turned there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    /// Where each joint is.
    pub positions: Vec<Vec3A>,
    /// How each joint is turned.
    pub rotations: Vec<Quat>,
}

impl ModelPose {
    /// Where the joints of `skeleton` are in `pose`.
    pub fn of(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut model = Self::default();
        model.pose(skeleton, pose);
        model
    }

    /// Forward kinematics: carries the rotations of `pose` from the root down.
    ///
    /// # Panics
    ///
    /// If the pose is of another skeleton.
    pub fn pose(&mut self, skeleton: &Skeleton, pose: &Pose) {
        let count = skeleton.len();
        assert_eq!(pose.rotations.len(), count, "the pose is of another skeleton");
        self.positions.resize(count, Vec3A::ZERO);
        self.rotations.resize(count, Quat::IDENTITY);
        carry_down(
            skeleton.parents(),
            skeleton.translations(),
            pose,
            &mut self.positions,
            &mut self.rotations,
        );
    }

    /// Where a joint is.
    pub fn position(&self, joint: JointId) -> Vec3 {
        self.positions[joint.index()].into()
    }

    /// How a joint is turned.
    pub fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// Where a landmark is, if the skeleton has it.
    pub fn landmark(&self, skeleton: &Skeleton, landmark: Landmark) -> Option<Vec3> {
        Some(self.position(skeleton.landmark(landmark)?))
    }

    /// A joint's transform as a matrix.
    pub fn transform(&self, joint: JointId) -> Affine3A {
        let index = joint.index();
        Affine3A::from_rotation_translation(self.rotations[index], self.positions[index].into())
    }
}

/// The inner loop of forward kinematics; all slices have one length.
fn carry_down(
    parents: &[u16],
    offsets: &[Vec3A],
    pose: &Pose,
    positions: &mut [Vec3A],
    rotations: &mut [Quat],
) {
    let count = parents.len();
    let (offsets, locals) = (&offsets[..count], &pose.rotations[..count]);
    let (positions, rotations) = (&mut positions[..count], &mut rotations[..count]);
    if count == 0 {
        return;
    }
    positions[0] = pose.root;
    rotations[0] = locals[0];
    for index in 1..count {
        let parent = usize::from(parents[index]);
        let turned = rotations[parent];
        positions[index] = positions[parent] + turned * offsets[index];
        rotations[index] = turned * locals[index];
    }
}
