//! Where the carpet wants each joint: blended frames of the descriptors that it belongs to.

use glam::Vec3;

use super::descriptor::Carried;
use super::rig::Rig;
use super::sums::Sum;

impl Sum {
    /// Where what was at `rest` over the flat carpet is carried.
    pub fn carry(&self, rest: Vec3, upright: f32) -> Carried {
        if upright <= 0.0 {
            Carried::leaning(&self.maps.leaning(), rest)
        } else if upright >= 1.0 {
            Carried::upright(&self.maps.upright(), self.total, rest)
        } else {
            let leaning = Carried::leaning(&self.maps.leaning(), rest);
            leaning.towards(Carried::upright(&self.maps.upright(), self.total, rest), upright)
        }
    }
}

/// How strictly a joint keeps to where the carpet wants it: those near the ground the most.
///
/// The publication divides the sum of a joint's weights by the sum over all joints. Weights of a joint sum to
/// one, so that this is the same for all joints ([`Affinity::Uniform`]); what it is meant for, that joints near
/// the ground hold their places, follows from how near they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Affinity {
    /// By the distance to the nearest descriptor.
    #[default]
    Nearness,
    /// The same for all, as printed.
    Uniform,
}

impl Affinity {
    /// That of a joint whose nearest descriptor is `nearest` metres away, in a body with `joints` joints.
    pub fn of(self, nearest: f32, height: f32, floor: f32, joints: usize) -> f32 {
        match self {
            Self::Nearness => {
                let near = 1.0 - nearest / height;
                if near.is_finite() { near.max(floor).min(1.0) } else { floor }
            }
            Self::Uniform => 1.0 / joints.max(1) as f32,
        }
    }
}

/// Where a joint at `rest` is carried.
pub(super) fn carry(rig: &Rig, rest: Vec3, sum: &Sum) -> (Vec3, glam::Quat) {
    let upright = rig.upright_at(rest.y);
    let carried = sum.carry(rest, upright);
    (carried.at_height(rest.y), carried.rotation)
}
