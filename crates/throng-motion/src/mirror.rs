//! The other half of the body does what this one did.

use glam::{Quat, Vec3A};

use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Mirrors `pose` left to right, across the plane `x = 0` of body space.
///
/// It works for any rig whose rest pose is symmetric, however its joints are turned at rest: what
/// is mirrored is by how much each joint deviates from rest in body space.
///
/// # Panics
///
/// If the pose is of another skeleton.
pub fn mirror(skeleton: &Skeleton, pose: &Pose) -> Pose {
    let count = skeleton.len();
    assert_eq!(pose.rotations.len(), count, "the pose is of another skeleton");
    let rest = skeleton.rest_rotations();
    let mut turned: Vec<Quat> = Vec::with_capacity(count);
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let parent = joint.parent.map_or(Quat::IDENTITY, |parent| turned[parent.index()]);
        turned.push(parent * pose.rotations[index]);
    }
    let mirrored: Vec<Quat> = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(index, _)| {
            let twin = skeleton.mirrored(crate::JointId::new(index)).index();
            reflected(turned[twin] * rest[twin].inverse()) * rest[index]
        })
        .collect();
    let rotations = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(index, joint)| {
            let parent = joint.parent.map_or(Quat::IDENTITY, |parent| mirrored[parent.index()]);
            (parent.inverse() * mirrored[index]).normalize()
        })
        .collect();
    Pose { root: pose.root * Vec3A::new(-1.0, 1.0, 1.0), rotations }
}

/// A rotation seen in the mirror `x = 0`.
fn reflected(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}
