//! Mixing poses.

use glam::{Quat, Vec3};

use crate::landmark::Landmark;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// Blends `pose` towards `other` by `weight` in `[0, 1]`, each joint the short way round.
///
/// The rotations are interpolated linearly and normalised: within the differences that clips have
/// it deviates from the great circle by far less than a degree, and it costs no sines.
///
/// # Panics
///
/// If the poses are of different skeletons.
pub fn blend(pose: &mut Pose, other: &Pose, weight: f32) {
    assert_eq!(pose.rotations.len(), other.rotations.len(), "poses of different skeletons");
    pose.root = pose.root.lerp(other.root, weight);
    for (rotation, other) in pose.rotations.iter_mut().zip(&other.rotations) {
        *rotation = nlerp(*rotation, *other, weight);
    }
}

/// Linear interpolation the short way round, normalised.
#[inline(always)]
pub(crate) fn nlerp(from: Quat, to: Quat, weight: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from * (1.0 - weight) + to * weight).normalize()
}

/// Bends the spine ahead by `angle` (back if negative), in equal parts, and the neck and the head back by two thirds of
/// that: whoever leans still looks ahead.
///
/// A skeleton without a spine stays as it is.
pub fn lean_spine(pose: &mut Pose, skeleton: &Skeleton, angle: f32) {
    let landmarks = skeleton.landmarks();
    let mut bend = |joint: JointId, angle: f32| {
        let parent = skeleton.joints()[joint.index()].parent;
        let left =
            parent.map_or(Vec3::X, |parent| skeleton.rest_rotation(parent).inverse() * Vec3::X);
        let rotation = &mut pose.rotations[joint.index()];
        *rotation = Quat::from_axis_angle(left, angle) * *rotation;
    };
    let count = landmarks.spine().count();
    landmarks.spine().for_each(|joint| bend(joint, angle / count as f32));
    if count > 0 {
        let above = [Landmark::Neck1, Landmark::Neck2, Landmark::Head];
        let above = above.map(|landmark| skeleton.landmark(landmark));
        let parts = 1.5 * above.iter().flatten().count() as f32;
        above.into_iter().flatten().for_each(|joint| bend(joint, -angle / parts));
    }
}

/// Turns the chest by `angle` (to the left if positive) by twisting the spine, more in the upper
/// joints than in the lower: joint `i` of `n` takes the share `2 i / (n (n + 1))`.
///
/// A skeleton without a spine stays as it is.
pub fn twist_spine(pose: &mut Pose, skeleton: &Skeleton, angle: f32) {
    let count = skeleton.landmarks().spine().count();
    let whole = (count * (count + 1)) as f32 / 2.0;
    for (index, joint) in skeleton.landmarks().spine().enumerate() {
        let share = (index + 1) as f32 / whole;
        let parent = skeleton.joints()[joint.index()].parent;
        let up =
            parent.map_or(Vec3::Y, |parent| skeleton.rest_rotation(parent).inverse() * Vec3::Y);
        let rotation = &mut pose.rotations[joint.index()];
        *rotation = Quat::from_axis_angle(up, share * angle) * *rotation;
    }
}
