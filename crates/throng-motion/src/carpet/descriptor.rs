//! Relationship descriptors: points of the carpet with frames, and how a body over the flat carpet is carried
//! to where they are.
//!
//! A descriptor is a lattice point of the carpet. Flat, it has axes along the lattice; laid on the ground it
//! has moved, turned to the row's heading and leant to the ground's normal. The rigid map from the one to the
//! other is what is blended, as a dual quaternion (Kavan et al. 2007), and not the points that it gives:
//! averages of turned offsets shrink, averages of frames do not. Where all descriptors agree both are the same.
//!
//! Bodies that stay upright take part in the heading only. Their map turns about the vertical, and the height
//! comes from the plane of each descriptor, so that planes are reproduced exactly however uneven the weights.

use glam::{Quat, Vec2, Vec3, Vec4};

/// A descriptor that has been laid, in the coordinates of its window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Where it is.
    pub position: Vec3,
    /// Which way the carpet faces there.
    pub normal: Vec3,
    /// Cosine and sine of half the row's heading. Neighbours have them on the same side.
    pub half_heading: Vec2,
}

impl Frame {
    /// How the frame is turned: first to its heading, then by the shortest way to its normal.
    pub fn rotation(&self) -> Quat {
        lean(self.normal) * heading(self.half_heading)
    }

    /// The tangent, the normal and the binormal: where the flat carpet's `z`, `y` and `x` point.
    pub fn axes(&self) -> [Vec3; 3] {
        let turned = self.rotation();
        [turned * Vec3::Z, turned * Vec3::Y, turned * Vec3::X]
    }

    /// The map of everything over the flat carpet about the lattice point `rest`.
    pub(super) fn leaning(&self, rest: Vec2) -> Map {
        let turned = self.rotation();
        let shift = self.position - turned * Vec3::new(rest.x, 0.0, rest.y);
        let dual = Quat::from_xyzw(shift.x, shift.y, shift.z, 0.0) * turned * 0.5;
        Map([Vec4::from(turned), Vec4::from(dual)])
    }

    /// The same for what stays upright: a turn about the vertical, and the plane of the ground.
    pub(super) fn upright(&self, rest: Vec2) -> Map {
        let Vec2 { x: c, y: s } = self.half_heading;
        let (cos, sin) = (c * c - s * s, 2.0 * c * s);
        let turned = Vec2::new(cos * rest.x + sin * rest.y, cos * rest.y - sin * rest.x);
        let shift = Vec2::new(self.position.x, self.position.z) - turned;
        let dual = 0.5 * Vec2::new(shift.x * c - shift.y * s, shift.x * s + shift.y * c);
        // The slope in the world, seen along the axes of the flat carpet.
        let slope = Vec2::new(-self.normal.x, -self.normal.z) / self.normal.y.max(1e-3);
        let slope = Vec2::new(cos * slope.x - sin * slope.y, sin * slope.x + cos * slope.y);
        Map([
            Vec4::new(c, s, dual.x, dual.y),
            Vec4::new(self.position.y - slope.dot(rest), slope.x, slope.y, 0.0),
        ])
    }
}

/// The shortest turn from up to `normal`, which must not point down.
pub(super) fn lean(normal: Vec3) -> Quat {
    let w = (0.5 * (1.0 + normal.y)).max(1e-6).sqrt();
    Quat::from_xyzw(normal.z / (2.0 * w), 0.0, -normal.x / (2.0 * w), w)
}

/// The turn about the vertical with this half heading.
pub(super) fn heading(half: Vec2) -> Quat {
    Quat::from_xyzw(0.0, half.y, 0.0, half.x)
}

/// Eight numbers of which weighted sums make sense.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Map(pub [Vec4; 2]);

/// Where something is carried, and how it is turned there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Carried {
    /// Where the point of the flat carpet below it is.
    pub base: Vec3,
    pub rotation: Quat,
}

impl Carried {
    /// By a weighted sum of leaning maps.
    pub fn leaning(sum: &Map, rest: Vec3) -> Self {
        let real = Quat::from_vec4(sum.0[0]);
        let length = real.length();
        if !(length.is_finite() && length > 1e-6) {
            return Self { base: Vec3::new(rest.x, 0.0, rest.z), rotation: Quat::IDENTITY };
        }
        let turned = real / length;
        let shift = Quat::from_vec4(sum.0[1] / length) * turned.conjugate() * 2.0;
        let shift = Vec3::new(shift.x, shift.y, shift.z);
        Self { base: turned * Vec3::new(rest.x, 0.0, rest.z) + shift, rotation: turned }
    }

    /// By a weighted sum of upright maps, whose weights sum to `total`.
    pub fn upright(sum: &Map, total: f32, rest: Vec3) -> Self {
        let [turn, plane] = sum.0;
        let length = (turn.x * turn.x + turn.y * turn.y).sqrt();
        if !(length.is_finite() && length > 1e-6 && total > 1e-6) {
            return Self { base: Vec3::new(rest.x, 0.0, rest.z), rotation: Quat::IDENTITY };
        }
        let turn = turn / length;
        let (c, s) = (turn.x, turn.y);
        let shift = 2.0 * Vec2::new(turn.z * c + turn.w * s, turn.w * c - turn.z * s);
        let (cos, sin) = (c * c - s * s, 2.0 * c * s);
        let at = Vec2::new(cos * rest.x + sin * rest.z, cos * rest.z - sin * rest.x) + shift;
        let height = (plane.x + plane.y * rest.x + plane.z * rest.z) / total;
        Self { base: Vec3::new(at.x, height, at.y), rotation: heading(Vec2::new(c, s)) }
    }

    /// A part of the way from here to `other`, both of the same thing.
    pub fn towards(self, other: Self, part: f32) -> Self {
        let sign = if self.rotation.dot(other.rotation) < 0.0 { -1.0 } else { 1.0 };
        let mixed = self.rotation * (1.0 - part) + other.rotation * (sign * part);
        Self { base: self.base.lerp(other.base, part), rotation: mixed.normalize() }
    }

    /// Where what was `height` above the flat carpet is.
    pub fn at_height(&self, height: f32) -> Vec3 {
        self.base + self.rotation * Vec3::new(0.0, height, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Map {
        fn add(&mut self, weight: f32, other: &Self) {
            self.0[0] += weight * other.0[0];
            self.0[1] += weight * other.0[1];
        }
    }

    fn frame() -> Frame {
        Frame {
            position: Vec3::new(1.0, 2.0, -0.5),
            normal: Vec3::new(0.3, 1.0, -0.2).normalize(),
            half_heading: Vec2::new(0.4f32.cos(), 0.4f32.sin()),
        }
    }

    #[test]
    fn a_map_carries_its_own_point_to_the_descriptor_and_offsets_along_the_axes() {
        let (frame, rest) = (frame(), Vec2::new(0.7, -1.2));
        let mut sum = Map::default();
        sum.add(0.25, &frame.leaning(rest));
        sum.add(0.75, &frame.leaning(rest));
        let [tangent, normal, binormal] = frame.axes();
        let carried = Carried::leaning(&sum, Vec3::new(0.7 + 0.2, 0.0, -1.2 + 0.1));
        let expected = frame.position + 0.2 * binormal + 0.1 * tangent + 0.9 * normal;
        assert!((carried.at_height(0.9) - expected).length() < 1e-5);
    }

    #[test]
    fn the_axes_are_right_handed_and_the_flat_ones_are_those_of_the_world() {
        let flat = Frame { position: Vec3::ZERO, normal: Vec3::Y, half_heading: Vec2::X };
        assert_eq!(flat.axes(), [Vec3::Z, Vec3::Y, Vec3::X]);
        let [tangent, normal, binormal] = frame().axes();
        assert!((normal.cross(tangent) - binormal).length() < 1e-5);
        assert!((normal - frame().normal).length() < 1e-5);
    }

    #[test]
    fn upright_maps_turn_about_the_vertical_and_keep_to_the_plane() {
        let (frame, rest) = (frame(), Vec2::new(0.7, -1.2));
        let mut sum = Map::default();
        sum.add(0.5, &frame.upright(rest));
        let offset = Vec3::new(0.2, 0.0, 0.1);
        let carried = Carried::upright(&sum, 0.5, Vec3::new(0.7, 0.0, -1.2) + offset);
        let turned = Quat::from_rotation_y(0.8) * offset;
        let height = -(frame.normal.x * turned.x + frame.normal.z * turned.z) / frame.normal.y;
        let expected = frame.position + turned + height * Vec3::Y;
        assert!((carried.base - expected).length() < 1e-5, "{} {expected}", carried.base);
        assert!(
            (carried.rotation * Vec3::Z - Quat::from_rotation_y(0.8) * Vec3::Z).length() < 1e-5
        );
    }
}
