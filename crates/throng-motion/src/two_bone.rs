//! Bending a limb of two bones so that its end gets where it should: hip, knee and ankle, or
//! shoulder, elbow and wrist.
//!
//! The two lengths and the distance to the target make a triangle, which fixes the angle at the
//! middle joint; the pole says to which side of the line from the first joint to the target the
//! middle joint goes. Each bone is turned together with the axis of the hinge, so that a knee bends
//! about the axis it is made for and the limb is not twisted.

use glam::{Mat3, Quat, Vec3};

/// Where a limb is, and where its middle joint points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limb {
    /// The hip or shoulder.
    pub first: Vec3,
    /// The knee or elbow.
    pub middle: Vec3,
    /// The ankle or wrist.
    pub end: Vec3,
    /// To which side the middle joint bends the limb: ahead for a knee, back for an elbow. It need
    /// not be of unit length, nor at right angles to the limb.
    pub pole: Vec3,
}

/// How to get there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// How the upper bone turns, in the space of the limb's positions: the new rotation of the first
    /// joint in that space is `upper * old`.
    pub upper: Quat,
    /// How the lower bone turns in all, in the same space: the new rotation of the middle joint is
    /// `lower * old`.
    pub lower: Quat,
}

impl Limb {
    /// Turns the bones so that the end is at `target` and the middle joint on the side of `pole`.
    ///
    /// What is too far away is reached for with a straight limb.
    pub fn reach(&self, target: Vec3, pole: Vec3) -> Reach {
        let (upper, lower) = (self.middle - self.first, self.end - self.middle);
        let (a, b) = (upper.length(), lower.length());
        let straight = (self.end - self.first).try_normalize();
        let before = straight.or_else(|| upper.try_normalize()).unwrap_or(Vec3::NEG_Y);
        let line = (target - self.first).try_normalize().unwrap_or(before);
        let distance = (target - self.first).length().clamp((a - b).abs(), a + b);
        let hinge_before = hinge(before, self.pole, None);
        let hinge_after =
            hinge(line, pole, Some(Quat::from_rotation_arc(before, line) * self.pole));

        let along = if distance > 1e-6 * (a + b) {
            (0.5 * (a * a - b * b) / distance + 0.5 * distance).clamp(-a, a)
        } else {
            0.0
        };
        let aside = (a * a - along * along).max(0.0).sqrt();
        let middle = self.first + along * line + aside * hinge_after.cross(line);
        let end = self.first + distance * line;
        Reach {
            upper: turn((upper, hinge_before), (middle - self.first, hinge_after)),
            lower: turn((lower, hinge_before), (end - middle, hinge_after)),
        }
    }
}

/// The axis about which a limb along `line` bends towards `pole`: `axis × line` is that side.
fn hinge(line: Vec3, pole: Vec3, otherwise: Option<Vec3>) -> Vec3 {
    let axis = |pole: Vec3| {
        let axis = line.cross(pole);
        (axis.length_squared() > 1e-8 * pole.length_squared()).then(|| axis.normalize())
    };
    axis(pole).or_else(|| otherwise.and_then(axis)).unwrap_or_else(|| line.any_orthonormal_vector())
}

/// The rotation that takes a bone and its hinge from how they were to how they should be.
fn turn(before: (Vec3, Vec3), after: (Vec3, Vec3)) -> Quat {
    match (frame(before), frame(after)) {
        (Some(before), Some(after)) => Quat::from_mat3(&(after * before.transpose())).normalize(),
        _ => Quat::IDENTITY,
    }
}

/// Axes along a bone and, as nearly as possible, along its hinge.
fn frame((bone, hinge): (Vec3, Vec3)) -> Option<Mat3> {
    let x = bone.try_normalize()?;
    let z = x.cross(hinge).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    Some(Mat3::from_cols(x, z.cross(x), z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where the middle joint and the end are after turning.
    fn places(limb: &Limb, reach: &Reach) -> (Vec3, Vec3) {
        let middle = limb.first + reach.upper * (limb.middle - limb.first);
        (middle, middle + reach.lower * (limb.end - limb.middle))
    }

    fn leg() -> Limb {
        Limb {
            first: Vec3::new(0.1, 0.9, 0.0),
            middle: Vec3::new(0.1, 0.48, 0.02),
            end: Vec3::new(0.1, 0.08, 0.0),
            pole: Vec3::Z,
        }
    }

    #[test]
    fn a_straight_leg_bends_at_the_knee_about_its_hinge() {
        let leg = Limb { middle: Vec3::new(0.1, 0.48, 0.0), ..leg() };
        let reach = leg.reach(Vec3::new(0.1, 0.3, 0.0), Vec3::Z);
        let (middle, end) = places(&leg, &reach);
        assert!((end - Vec3::new(0.1, 0.3, 0.0)).length() < 1e-5);
        assert!(middle.z > 0.1 && (middle.x - 0.1).abs() < 1e-5);
        // A flexed hip turns about -x, and the shank comes back behind the thigh.
        let (axis, angle) = reach.upper.to_axis_angle();
        assert!((axis - Vec3::NEG_X).length() < 1e-4 && angle > 0.3, "{axis} {angle}");
        let (axis, angle) = reach.lower.to_axis_angle();
        assert!((axis - Vec3::X).length() < 1e-4 && angle > 0.3, "{axis} {angle}");
    }

    #[test]
    fn what_is_out_of_reach_is_pointed_at() {
        let target = Vec3::new(0.1, 0.5, 3.0);
        let reach = leg().reach(target, Vec3::Y);
        let line = (target - leg().first).normalize();
        let (_, end) = places(&leg(), &reach);
        assert!((end - leg().first).normalize().dot(line) > 0.999_99);
        let whole = (leg().middle - leg().first).length() + (leg().end - leg().middle).length();
        assert!(((end - leg().first).length() - whole).abs() < 1e-5);
    }

    #[test]
    fn a_leg_that_is_where_it_should_be_does_not_turn() {
        let reach = leg().reach(leg().end, Vec3::Z);
        assert!(reach.upper.angle_between(Quat::IDENTITY) < 1e-3);
        assert!(reach.lower.angle_between(Quat::IDENTITY) < 1e-3);
    }

    proptest! {
        #[test]
        fn the_end_gets_where_it_should(
            target in prop::array::uniform3(-1.5f32..1.5),
            pole in prop::array::uniform3(-1.0f32..1.0),
        ) {
            let (leg, target) = (leg(), Vec3::from(target));
            let reach = leg.reach(target, pole.into());
            let (_, end) = places(&leg, &reach);
            let whole = (leg.middle - leg.first).length() + (leg.end - leg.middle).length();
            let distance = (target - leg.first).length();
            if distance < whole - 1e-3 && distance > 0.1 {
                prop_assert!((end - target).length() < 1e-4, "{end} {target}");
            }
        }

        #[test]
        fn nonsense_gives_no_nan(
            places in prop::array::uniform12(prop::sample::select(vec![0.0f32, 1.0, -1.0, 1e-20])),
        ) {
            let [a, b, c, d, e, f, g, h, i, j, k, l] = places;
            let limb = Limb {
                first: Vec3::new(a, b, c),
                middle: Vec3::new(d, e, f),
                end: Vec3::new(g, h, i),
                pole: Vec3::new(j, k, l),
            };
            for target in [limb.first, limb.middle, limb.end, Vec3::ONE] {
                let reach = limb.reach(target, limb.pole);
                prop_assert!(reach.upper.is_finite() && reach.lower.is_finite());
            }
        }
    }
}
