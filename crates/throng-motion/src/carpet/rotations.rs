//! From where joints are to how they are turned.
//!
//! A joint is turned as its piece of carpet is and then, by the shortest way, until its bone points where it should:
//! twists stay those of the clip. Joints that carry several bones (hips, chest) are turned by the triangle that the
//! bones' ends make.

use glam::{Mat3A, Quat, Vec3A};

use super::rig::Rig;
use crate::pose::{ModelPose, Pose};

/// Turns the joints of `pose` so that they are as nearly as possible at `positions`. `rest` is the body over the flat
/// carpet, and `carried` how each joint's piece of carpet is turned. `turned` is for the rotations in the world.
pub(super) fn turn(
    rig: &Rig,
    rest: &ModelPose,
    carried: &[Quat],
    positions: &[Vec3A],
    turned: &mut Vec<Quat>,
    pose: &mut Pose,
) {
    let count = positions.len();
    let parents = rig.skeleton().parents();
    turned.clear();
    pose.rotations.resize(count, Quat::IDENTITY);
    pose.root = positions.first().copied().unwrap_or(Vec3A::ZERO);
    for joint in 0..count {
        let correction = correction(rig.guides(joint), joint, rest, carried[joint], positions);
        let rotation = correction * carried[joint] * rest.rotations[joint];
        let rotation = if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY };
        turned.push(rotation);
        pose.rotations[joint] = if joint == 0 {
            rotation
        } else {
            (turned[usize::from(parents[joint])].inverse() * rotation).normalize()
        };
    }
}

/// What is left to turn after the carpet has turned a joint.
fn correction(
    guides: &[u16],
    joint: usize,
    rest: &ModelPose,
    carried: Quat,
    positions: &[Vec3A],
) -> Quat {
    let before =
        |guide: u16| carried * (rest.positions[usize::from(guide)] - rest.positions[joint]);
    let after = |guide: u16| positions[usize::from(guide)] - positions[joint];
    match *guides {
        [] => Quat::IDENTITY,
        [only] => arc(before(only), after(only)),
        [a, b, ..] => {
            let third = guides.get(2).copied();
            let triangle = |of: &dyn Fn(u16) -> Vec3A| {
                let (a, b) = (of(a), of(b));
                let middle = 0.5 * (a + b);
                frame(a - b, third.map_or(middle, |third| of(third) - middle))
            };
            match (triangle(&before), triangle(&after)) {
                (Some(before), Some(after)) => {
                    Quat::from_mat3a(&(after * before.transpose())).normalize()
                }
                _ => arc(before(a), after(a)),
            }
        }
    }
}

/// The shortest turn from one direction to another.
fn arc(from: Vec3A, to: Vec3A) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => {
            let cross = from.cross(to);
            let cos = 1.0 + from.dot(to);
            if cos < 1e-6 {
                Quat::from_rotation_arc(from.into(), to.into())
            } else {
                Quat::from_xyzw(cross.x, cross.y, cross.z, cos).normalize()
            }
        }
        _ => Quat::IDENTITY,
    }
}

/// Axes along `first` and, as nearly as possible, along `second`.
fn frame(first: Vec3A, second: Vec3A) -> Option<Mat3A> {
    let x = first.try_normalize()?;
    let z = x.cross(second);
    // A flat triangle says nothing.
    if z.length_squared() < 1e-6 * second.length_squared() {
        return None;
    }
    let z = z.try_normalize()?;
    Some(Mat3A::from_cols(x, z.cross(x), z))
}
