//! What a file does not say: how long its unit is, and where the body faces.

use glam::{DQuat, DVec3, Vec3};

use super::hierarchy::Node;
use crate::contact::Side;
use crate::landmark::{Landmark, Landmarks};
use crate::motion::Motion;
use crate::pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

/// Units that files are in, and the heights of bodies in them. The ranges do not overlap: every
/// number in them belongs to one unit that makes it the height of a person.
const UNITS: [(f64, &str, f64, f64); 7] = [
    (1.0, "metres", 0.8, 2.4),
    (0.3048, "feet", 3.5, 7.5),
    (0.1, "decimetres", 10.0, 20.0),
    // 1 / 0.45 inches: the scale of all subjects in the CMU database.
    (0.056_444, "as in the CMU database", 21.0, 39.0),
    (0.0254, "inches", 45.0, 79.0),
    (0.01, "centimetres", 80.0, 240.0),
    (0.001, "millimetres", 800.0, 2400.0),
];

/// The share of a body's height that thigh and shank have together.
const LEGS: f64 = 0.491;

/// A guessed unit, in metres, with words about it.
pub(super) fn guess_unit(skeleton: &Skeleton, nodes: &[Node], basis: DQuat) -> (f64, String) {
    let height = height(skeleton, nodes, basis);
    let known = UNITS.iter().find(|(_, _, least, most)| (*least..=*most).contains(&height));
    match known {
        Some((unit, name, ..)) => {
            let metres = unit * height;
            (
                *unit,
                format!(
                    "{unit} m per unit are assumed ({name}), by which it is {metres:.2} m tall"
                ),
            )
        }
        None if height > 1e-6 && height < 1e6 => {
            let unit = 1.7 / height;
            (unit, format!("{unit} m per unit are assumed, by which it is 1.70 m tall"))
        }
        None => (1.0, "1 m per unit is assumed, as its size tells nothing".into()),
    }
}

/// How tall a body is in units of the file: told by its legs, which are as long in every pose, or by
/// how far it reaches. `basis` turns the axes of `nodes` to those of the skeleton.
fn height(skeleton: &Skeleton, nodes: &[Node], basis: DQuat) -> f64 {
    let at = |landmark| skeleton.landmark(landmark).map(|joint| skeleton.rest_position(joint));
    let legs = Side::BOTH.into_iter().filter_map(|side| {
        let [hip, knee, ankle] =
            [Landmark::upper_leg(side), Landmark::lower_leg(side), Landmark::foot(side)].map(at);
        Some(f64::from(hip?.distance(knee?) + knee?.distance(ankle?)))
    });
    let leg = legs.fold(0.0, f64::max);
    if leg > 0.0 {
        return leg / LEGS;
    }
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for index in 0..skeleton.len() {
        let joint = skeleton.rest_position(JointId::new(index)).as_dvec3();
        let tip = nodes.get(index).and_then(|node| node.tip).map(|tip| joint + basis * tip);
        for point in [Some(joint), tip].into_iter().flatten() {
            low = low.min(point);
            high = high.max(point);
        }
    }
    (high - low).max_element()
}

/// How high above the ground the root is when the body stands at rest, in metres.
///
/// The lowest joint is not the sole. In the frames feet mostly get down to where they stand flat, and
/// then ankles are as high as they should be at rest; if that is no height of an ankle (the ground
/// may be elsewhere), the lowest joint is taken to be as high as the joint of the toes is.
pub(super) fn standing_height(motion: &Motion, tips: &[(JointId, Vec3)]) -> f32 {
    let skeleton = motion.skeleton();
    let at = |joint: usize| skeleton.rest_position(JointId::new(joint)).y;
    let lowest = (0..skeleton.len())
        .map(at)
        .chain(tips.iter().map(|(joint, tip)| at(joint.index()) + tip.y))
        .fold(f32::INFINITY, f32::min);
    let root = at(0) - lowest;
    let size = height(skeleton, &[], DQuat::IDENTITY) as f32;
    let ankles = Side::BOTH.map(|side| skeleton.landmark(Landmark::foot(side)));
    let [Some(left), Some(right)] = ankles else { return root };
    let known = ankle_heights(motion, [left, right]);
    let plausible = 0.02 * size..0.08 * size;
    if plausible.contains(&known) {
        known + at(0) - 0.5 * (at(left.index()) + at(right.index()))
    } else {
        root + 0.011 * size
    }
}

/// The height to which both ankles get down, apart from a few frames.
fn ankle_heights(motion: &Motion, ankles: [JointId; 2]) -> f32 {
    const LOOKED_AT: usize = 1000;
    let step = motion.frames().div_ceil(LOOKED_AT);
    let mut heights = [Vec::new(), Vec::new()];
    let mut model = ModelPose::default();
    for frame in (0..motion.frames()).step_by(step) {
        model.pose(motion.skeleton(), &motion.pose(frame));
        for (heights, ankle) in heights.iter_mut().zip(ankles) {
            heights.push(model.position(ankle).y);
        }
    }
    let low = |mut heights: Vec<f32>| {
        heights.sort_by(f32::total_cmp);
        heights[heights.len() / 20]
    };
    let [left, right] = heights;
    0.5 * (low(left) + low(right))
}

/// The way a body faces at rest, level and of unit length: at right angles to the line from its
/// right to its left.
pub(super) fn facing(skeleton: &Skeleton, landmarks: &Landmarks) -> Option<Vec3> {
    let at = |landmark| landmarks.get(landmark).map(|joint| skeleton.rest_position(joint));
    let left = [Landmark::LeftUpperLeg, Landmark::LeftUpperArm, Landmark::LeftShoulder]
        .into_iter()
        .find_map(|left| {
            let across = at(left)? - at(left.mirrored())?;
            Vec3::new(across.x, 0.0, across.z).try_normalize()
        })?;
    Some(left.cross(Vec3::Y))
}

/// The way the feet point at rest, level: for a check of which side is left.
pub(super) fn feet(skeleton: &Skeleton, landmarks: &Landmarks) -> Option<Vec3> {
    let at = |landmark| landmarks.get(landmark).map(|joint| skeleton.rest_position(joint));
    let sum: Vec3 = Side::BOTH
        .into_iter()
        .filter_map(|side| Some(at(Landmark::toes(side))? - at(Landmark::foot(side))?))
        .sum();
    Vec3::new(sum.x, 0.0, sum.z).try_normalize()
}

/// By how much to turn a body that faces `facing` to the left so that it faces `+Z`.
///
/// Few bodies are quite symmetric, so that a few degrees are no turn, and near a quarter of a turn a
/// quarter is meant.
pub(super) fn turn_ahead(facing: Vec3) -> f32 {
    use std::f32::consts::FRAC_PI_2;
    let turn = -crate::root::yaw_of(facing);
    let quarters = (turn / FRAC_PI_2).round() * FRAC_PI_2;
    if (turn - quarters).abs() < 10f32.to_radians() { quarters } else { turn }
}
