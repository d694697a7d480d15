//! The centre of mass of a body.
//!
//! Segments have the masses that de Leva (1996) gives for men, as fractions of the whole body, and
//! their centres lie at fixed fractions of the way from the proximal joint to the distal one.

use glam::Vec3;

use crate::contact::Side;
use crate::landmark::Landmark;
use crate::pose::ModelPose;
use crate::skeleton::Skeleton;

/// Mass fraction, and where the centre is on the way from the first joint to the second.
struct Segment {
    mass: f32,
    along: f32,
    from: Landmark,
    to: Landmark,
}

/// The centre of mass of the body in `model`, in body space.
///
/// Segments whose joints the skeleton lacks count as if they were where the rest is; a skeleton
/// that has none of them has no centre of mass.
pub fn centre_of_mass(skeleton: &Skeleton, model: &ModelPose) -> Option<Vec3> {
    let mut sum = Vec3::ZERO;
    let mut mass = 0.0;
    for segment in segments() {
        let ends = model.landmark(skeleton, segment.from).zip(model.landmark(skeleton, segment.to));
        let Some((from, to)) = ends else { continue };
        sum += segment.mass * from.lerp(to, segment.along);
        mass += segment.mass;
    }
    (mass > 0.0).then(|| sum / mass)
}

fn segments() -> impl Iterator<Item = Segment> {
    let segment = |mass, along, from, to| Segment { mass, along, from, to };
    let middle = [
        // From the neck's upper joint the skull's centre lies a little beyond the head joint.
        segment(0.0694, 1.6, Landmark::Neck2, Landmark::Head),
        segment(0.4346, 0.45, Landmark::Neck1, Landmark::Hips),
    ];
    let limbs = Side::BOTH.into_iter().flat_map(move |side| {
        let arm = [Landmark::upper_arm(side), Landmark::forearm(side), Landmark::hand(side)];
        let leg = [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)];
        [
            segment(0.0271, 0.58, arm[0], arm[1]),
            segment(0.0162, 0.46, arm[1], arm[2]),
            // The hand's centre lies beyond the wrist, on the line of the forearm.
            segment(0.0061, 1.25, arm[1], arm[2]),
            segment(0.1416, 0.41, leg[0], leg[1]),
            segment(0.0433, 0.44, leg[1], leg[2]),
            segment(0.0137, 0.44, leg[2], Landmark::toes(side)),
        ]
    });
    middle.into_iter().chain(limbs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::{Human, Proportions};
    use crate::pose::Pose;

    #[test]
    fn the_masses_are_those_of_a_whole_body() {
        let mass: f32 = segments().map(|segment| segment.mass).sum();
        assert!((mass - 1.0).abs() < 1e-4, "{mass}");
    }

    #[test]
    fn it_lies_in_the_lower_belly_of_somebody_who_stands() {
        let human = Human::new(Proportions::of_height(1.75)).unwrap();
        let model = ModelPose::of(human.skeleton(), &Pose::rest(human.skeleton()));
        let centre = centre_of_mass(human.skeleton(), &model).unwrap();
        assert!((0.53..0.60).contains(&(centre.y / 1.75)), "{centre}");
        assert!(centre.x.abs() < 1e-4 && centre.z.abs() < 0.04, "{centre}");
    }
}
