//! Bones that keep their lengths.
//!
//! Each joint is carried on its own, so that on uneven ground bones are a little too long or too short. They are put
//! right one by one, from the feet up and down again, until all are: of the two joints of a bone, the one that holds
//! its place less moves more.

use glam::Vec3A;

/// What the pass came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// The largest error of a bone's length, m.
    pub error: f32,
    /// How many times all bones were put right.
    pub iterations: u32,
}

/// Moves joints until every bone is as long as it should be to within `tolerance`, at most `most` times.
///
/// `lengths` are those of the bones from `parents` to each joint (the first joint has none), `affinity` says how much
/// each joint holds its place, and `rest` where the bones pointed to begin with.
pub(super) fn constrain(
    parents: &[u16],
    lengths: &[f32],
    affinity: &[f32],
    rest: &[Vec3A],
    (tolerance, most): (f32, u32),
    positions: &mut [Vec3A],
) -> Residual {
    let count = parents.len().min(positions.len());
    let mut residual = Residual::default();
    if count < 2 {
        return residual;
    }
    loop {
        let error = largest_error(parents, lengths, positions);
        residual.error = error;
        if error <= tolerance || error.is_nan() {
            return residual;
        }
        if residual.iterations >= most {
            // What is left is carried out to the ends.
            for joint in 1..count {
                put_right(joint, parents, lengths, &[], rest, positions);
            }
            residual.error = largest_error(parents, lengths, positions);
            return residual;
        }
        for joint in (1..count).rev() {
            put_right(joint, parents, lengths, affinity, rest, positions);
        }
        for joint in 1..count {
            put_right(joint, parents, lengths, affinity, rest, positions);
        }
        residual.iterations += 1;
    }
}

/// Without affinities the parent stays where it is.
#[inline(always)]
fn put_right(
    joint: usize,
    parents: &[u16],
    lengths: &[f32],
    affinity: &[f32],
    rest: &[Vec3A],
    positions: &mut [Vec3A],
) {
    let parent = usize::from(parents[joint]);
    let bone = positions[joint] - positions[parent];
    let length = bone.length();
    let direction = if length > 1e-6 {
        bone / length
    } else {
        (rest[joint] - rest[parent]).normalize_or(Vec3A::Y)
    };
    let of = |joint: usize| affinity.get(joint).copied();
    let (own, other) = (of(joint).unwrap_or(0.0), of(parent).unwrap_or(1.0));
    let both = own + other;
    let share = if both > 0.0 { other / both } else { 0.5 };
    let missing = (lengths[joint] - length) * direction;
    positions[joint] += share * missing;
    positions[parent] -= (1.0 - share) * missing;
}

fn largest_error(parents: &[u16], lengths: &[f32], positions: &[Vec3A]) -> f32 {
    let mut largest: f32 = 0.0;
    for joint in 1..parents.len() {
        let bone = positions[joint] - positions[usize::from(parents[joint])];
        largest = largest.max((bone.length() - lengths[joint]).abs());
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_joint_that_holds_its_place_moves_least() {
        let parents = [0, 0];
        let rest = [Vec3A::ZERO, Vec3A::Y];
        let mut positions = [Vec3A::ZERO, Vec3A::Y * 1.5];
        let pass =
            constrain(&parents, &[0.0, 1.0], &[0.25, 0.75], &rest, (1e-3, 24), &mut positions);
        assert_eq!(pass.iterations, 1);
        assert!((positions[0].y - 0.375).abs() < 1e-6, "{}", positions[0]);
        assert!((positions[1].y - 1.375).abs() < 1e-6, "{}", positions[1]);
    }

    #[test]
    fn joints_at_one_place_are_pushed_apart_as_they_were_at_rest() {
        let rest = [Vec3A::ZERO, Vec3A::X];
        let mut positions = [Vec3A::ONE; 2];
        let pass = constrain(&[0, 0], &[0.0, 0.4], &[0.0, 0.0], &rest, (1e-4, 24), &mut positions);
        assert!(pass.error < 1e-4);
        assert!((positions[1] - positions[0] - 0.4 * Vec3A::X).length() < 1e-5);
    }
}
