//! The one place where coordinate frames meet.
//!
//! * **Ground**: `Vec2 (x, y)` in metres, counter-clockwise seen from above, as in scene files and
//!   trajectory files.
//! * **World**: y-up and right-handed, as in glTF, three.js and Bevy. Ground `(x, y)` at height `h`
//!   is world `(x, h, -y)`.
//! * **Heading**: radians counter-clockwise from ground `+x`.
//! * **Body**: model space faces `+Z` with `+Y` up, so a body's yaw about world `+Y` is its heading
//!   plus a quarter turn.
//!
//! Nothing else in Throng writes one of these signs by hand.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Vec2, Vec3};

/// A direction on the ground, in radians counter-clockwise from `+x`, kept in `(-π, π]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Heading(f32);

impl Heading {
    /// The heading of `radians`, wrapped into `(-π, π]`.
    pub fn from_radians(radians: f32) -> Self {
        Self(wrap_angle(radians))
    }

    /// The heading that faces along `direction`, or `None` for a vector too short to have one.
    pub fn along(direction: Vec2) -> Option<Self> {
        (direction.length_squared() > 1e-12).then(|| Self(direction.y.atan2(direction.x)))
    }

    /// Radians in `(-π, π]`.
    pub fn radians(self) -> f32 {
        self.0
    }

    /// The unit vector this heading faces.
    pub fn direction(self) -> Vec2 {
        Vec2::from_angle(self.0)
    }

    /// The signed turn, in `(-π, π]`, that leads from `self` to `other`.
    pub fn turn_to(self, other: Self) -> f32 {
        wrap_angle(other.0 - self.0)
    }

    /// This heading turned counter-clockwise by `radians`.
    pub fn turned_by(self, radians: f32) -> Self {
        Self::from_radians(self.0 + radians)
    }

    /// Rotation about world `+Y` of a body (facing `+Z` in its own space) with this heading.
    pub fn body_yaw(self) -> f32 {
        wrap_angle(self.0 + FRAC_PI_2)
    }
}

/// The world position of a ground point at a height.
pub fn ground_to_world(ground: Vec2, height: f32) -> Vec3 {
    Vec3::new(ground.x, height, -ground.y)
}

/// The ground point and the height of a world position.
pub fn world_to_ground(world: Vec3) -> (Vec2, f32) {
    (Vec2::new(world.x, -world.z), world.y)
}

/// The ground point at the plan position `(x, z)` of the world.
pub fn plan_to_ground(plan: Vec2) -> Vec2 {
    world_to_ground(Vec3::new(plan.x, 0.0, plan.y)).0
}

/// The plan position `(x, z)` of a ground point in the world.
pub fn ground_to_plan(ground: Vec2) -> Vec2 {
    let world = ground_to_world(ground, 0.0);
    Vec2::new(world.x, world.z)
}

/// `angle` wrapped into `(-π, π]`.
pub fn wrap_angle(angle: f32) -> f32 {
    let wrapped = angle.rem_euclid(TAU);
    if wrapped > PI { wrapped - TAU } else { wrapped }
}

/// `angle` wrapped into `(-π, π]`, in double precision.
pub fn wrap_angle_f64(angle: f64) -> f64 {
    const TAU: f64 = std::f64::consts::TAU;
    let wrapped = angle.rem_euclid(TAU);
    if wrapped > 0.5 * TAU { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn ground_and_world_are_inverse_and_right_handed() {
        let (ground, height) = world_to_ground(ground_to_world(Vec2::new(3.0, -4.0), 1.5));
        assert_eq!((ground, height), (Vec2::new(3.0, -4.0), 1.5));
        let east = ground_to_world(Vec2::X, 0.0);
        let north = ground_to_world(Vec2::Y, 0.0);
        assert_eq!(east.cross(north), Vec3::Y, "counter-clockwise seen from above");
        let plan = ground_to_plan(Vec2::new(3.0, -4.0));
        assert_eq!((plan, plan_to_ground(plan)), (Vec2::new(3.0, 4.0), Vec2::new(3.0, -4.0)));
    }

    #[test]
    fn a_body_turned_by_its_yaw_faces_its_heading() {
        for degrees in (-180..180).step_by(15) {
            let heading = Heading::from_radians((degrees as f32).to_radians());
            let facing = Quat::from_rotation_y(heading.body_yaw()) * Vec3::Z;
            let expected = ground_to_world(heading.direction(), 0.0);
            assert!((facing - expected).length() < 1e-6, "{degrees}°: {facing} vs {expected}");
        }
    }

    #[test]
    fn turns_take_the_short_way() {
        let a = Heading::from_radians(170f32.to_radians());
        let b = Heading::from_radians(-170f32.to_radians());
        assert!((a.turn_to(b).to_degrees() - 20.0).abs() < 1e-3);
        assert_eq!(Heading::along(Vec2::ZERO), None);
        assert_eq!(Heading::from_radians(-PI).radians(), PI);
        let half = std::f64::consts::PI;
        assert_eq!([-half, half, 0.5].map(wrap_angle_f64), [half, half, 0.5]);
        assert!((wrap_angle_f64(7.0) - (7.0 - 2.0 * half)).abs() < 1e-15);
    }
}
