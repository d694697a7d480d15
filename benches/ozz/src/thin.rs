//! Leaves out keys that interpolation does without, as the offline optimiser of ozz does.
//!
//! Of each track the ends are kept, and of what is between two kept keys the one that deviates most
//! from their interpolation, until nothing deviates by more than the tolerance (Ramer, Douglas,
//! Peucker). A rotation counts by how far it moves what hangs from the joint.

use glam::{Quat, Vec3A};
use throng_motion::Skeleton;

/// How far a point of the body may be moved by what is left out on one track, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance(pub f32);

/// What hangs from a joint without joints below it has this size, as ozz has it by default.
const SKIN: f32 = 0.1;

/// How far the body goes on from each joint.
pub fn reach(skeleton: &Skeleton) -> Vec<f32> {
    let mut reach = vec![SKIN; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            let through = joint.translation.length() + reach[index];
            reach[parent.index()] = reach[parent.index()].max(through);
        }
    }
    reach
}

/// The frames of a track of rotations that have to be kept; neighbours are on one hemisphere.
pub fn rotations(values: &[Quat], reach: f32, tolerance: Tolerance) -> Vec<usize> {
    kept(values.len(), tolerance, |from, to, frame| {
        let part = (frame - from) as f32 / (to - from) as f32;
        let there = (values[from] * (1.0 - part) + values[to] * part).normalize();
        // Quaternions differ by half the angle, which the sine would lose in rounding.
        2.0 * (there - values[frame]).length() * reach
    })
}

/// The frames of a track of translations that have to be kept.
pub fn translations(values: &[Vec3A], tolerance: Tolerance) -> Vec<usize> {
    kept(values.len(), tolerance, |from, to, frame| {
        let part = (frame - from) as f32 / (to - from) as f32;
        values[from].lerp(values[to], part).distance(values[frame])
    })
}

fn kept(
    count: usize,
    tolerance: Tolerance,
    deviation: impl Fn(usize, usize, usize) -> f32,
) -> Vec<usize> {
    let mut keep = vec![false; count];
    (keep[0], keep[count - 1]) = (true, true);
    let mut open = vec![(0, count - 1)];
    while let Some((from, to)) = open.pop() {
        let worst = (from + 1..to)
            .map(|frame| (deviation(from, to, frame), frame))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((deviation, frame)) = worst
            && deviation > tolerance.0
        {
            keep[frame] = true;
            open.extend([(from, frame), (frame, to)]);
        }
    }
    (0..count).filter(|&frame| keep[frame]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_kept_and_straight_ways_are_not() {
        let values: Vec<Vec3A> =
            [0.0, 1.0, 2.0, 3.0, 2.0, 1.0].map(|x| Vec3A::new(x, 0.0, 0.0)).to_vec();
        assert_eq!(translations(&values, Tolerance(1e-3)), [0, 3, 5]);
        assert_eq!(translations(&values, Tolerance(10.0)), [0, 5]);
    }
}
