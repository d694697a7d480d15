//! Angles about three axes, one after the other.
//!
//! Every rotation has two sets of such angles, and near the two places where the middle angle is a
//! quarter of a turn there are infinitely many. Angles are found in double precision from the parts
//! of the matrix that stay exact there, and those nearest to the frame before are chosen, so that
//! curves in other programs do not jump.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat};

/// About which axes a joint turns one after the other, the outermost first: `Zxy` is `Rz · Rx · Ry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum RotationOrder {
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

impl RotationOrder {
    /// All orders.
    pub const ALL: [Self; 6] = [Self::Xyz, Self::Xzy, Self::Yxz, Self::Yzx, Self::Zxy, Self::Zyx];

    /// The axes, the outermost first.
    pub(super) fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// The angles of `rotation` in radians that are nearest to `before`.
    pub(super) fn angles(self, rotation: DQuat, before: [f64; 3]) -> [f64; 3] {
        let [i, j, k] = self.axes();
        // Orders that run against x, y, z, x are those that run along with it seen in a mirror.
        let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let matrix = DMat3::from_quat(rotation.normalize());
        let m = |row: usize, column: usize| matrix.col(column)[row];
        let level = m(i, i).hypot(m(i, j));
        let middle = (sign * m(i, k)).atan2(level);
        if level < 1e-9 {
            // Only the sum or difference of the outer angles counts: the inner one stays.
            let inner = before[2];
            let turned = m(k, j).atan2(m(j, j));
            let outer = sign * turned - middle.signum() * sign * inner;
            return [near(outer, before[0]), middle, inner];
        }
        let outer = (-sign * m(j, k)).atan2(m(k, k));
        let inner = (-sign * m(i, j)).atan2(m(i, i));
        let unwrapped = |angles: [f64; 3]| [0, 1, 2].map(|axis| near(angles[axis], before[axis]));
        let distance = |angles: [f64; 3]| -> f64 {
            angles.iter().zip(before).map(|(angle, before)| (angle - before).abs()).sum()
        };
        let one = unwrapped([outer, middle, inner]);
        let other = unwrapped([outer + PI, PI - middle, inner + PI]);
        if distance(other) < distance(one) - 1e-9 { other } else { one }
    }
}

/// The angle with whole turns added that is nearest to `before`.
fn near(angle: f64, before: f64) -> f64 {
    angle + ((before - angle) / TAU).round() * TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn composed(order: RotationOrder, angles: [f64; 3]) -> DQuat {
        let axes = order.axes().map(|axis| [DVec3::X, DVec3::Y, DVec3::Z][axis]);
        let turn = |index: usize| DQuat::from_axis_angle(axes[index], angles[index]);
        turn(0) * turn(1) * turn(2)
    }

    /// The angle between two rotations, exact for small ones as well.
    fn apart(a: DQuat, b: DQuat) -> f64 {
        let d = a.inverse() * b;
        2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs())
    }

    proptest! {
        #[test]
        fn angles_are_those_of_the_rotation(
            angles in prop::array::uniform3(-7.0f64..7.0),
            before in prop::array::uniform3(-7.0f64..7.0),
            nearly in prop::sample::select(vec![1.0, 0.1, 1e-4, 1e-8, 1e-10, 1e-14, 0.0]),
            side in prop::sample::select(vec![-1.0, 1.0]),
        ) {
            for order in RotationOrder::ALL {
                let locked = [angles[0], side * (PI / 2.0 - nearly), angles[2]];
                for angles in [angles, locked] {
                    let rotation = composed(order, angles);
                    let found = composed(order, order.angles(rotation, before));
                    prop_assert!(apart(rotation, found) < 1e-7, "{order:?} {angles:?}");
                }
            }
        }
    }

    #[test]
    fn curves_go_on_smoothly_beyond_half_a_turn() {
        for order in RotationOrder::ALL {
            for axis in 0..3 {
                let mut before = [0.0; 3];
                for step in 0..500 {
                    let mut angles = [0.0; 3];
                    angles[axis] = 0.02 * f64::from(step);
                    before = order.angles(composed(order, angles), before);
                    let error = before.iter().zip(angles).map(|(a, b)| (a - b).abs()).sum::<f64>();
                    assert!(error < 1e-6, "{order:?} {before:?} {angles:?}");
                }
            }
        }
    }
}
