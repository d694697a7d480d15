//! Where a body is, for whoever knows where things are in the world.

use glam::{Quat, Vec3};

use crate::root::RootMotion;

/// Where body space is in the world, and how much larger the body is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearings {
    /// Where body space is.
    pub placement: RootMotion,
    /// How many metres of the world a metre of body space is.
    pub scale: f32,
}

impl Default for Bearings {
    fn default() -> Self {
        Self { placement: RootMotion::default(), scale: 1.0 }
    }
}

impl Bearings {
    /// A body of its own size, placed there.
    pub fn of(placement: RootMotion) -> Self {
        Self { placement, scale: 1.0 }
    }

    /// A place of the world in body space.
    pub fn to_body(&self, place: Vec3) -> Vec3 {
        Quat::from_rotation_y(-self.placement.yaw) * (place - self.placement.translation)
            / self.scale
    }

    /// A place of body space in the world.
    pub fn to_world(&self, place: Vec3) -> Vec3 {
        self.placement.translation
            + Quat::from_rotation_y(self.placement.yaw) * (place * self.scale)
    }

    /// A direction of body space in the world.
    pub fn direction_to_world(&self, direction: Vec3) -> Vec3 {
        Quat::from_rotation_y(self.placement.yaw) * direction
    }
}
