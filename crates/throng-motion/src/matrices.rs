//! A pose as matrices, which is what skinning takes.
//!
//! [`ModelPose`](crate::ModelPose) keeps rotations as quaternions, since feet, gaze and meshes ask
//! for those. Who only draws wants matrices, and then carrying matrices down the skeleton is
//! cheaper than carrying quaternions and converting each: a matrix turns a bone's offset in three
//! products. The rotations of the pose are converted four joints at a time, one joint per lane, in
//! operations that every processor has, so the bits are the same everywhere.

use glam::{Affine3A, Mat3A, Mat4, Quat, Vec3A, Vec4};

use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Joints converted at a time.
const LANES: usize = 4;

impl Pose {
    /// Where the joints of `skeleton` are in body space in this pose: a matrix for each.
    ///
    /// The matrices of many bodies can so be written into one buffer. They are those of
    /// [`ModelPose::transform`](crate::ModelPose::transform), up to rounding.
    ///
    /// ```
    /// use throng_motion::{Human, Pose, Proportions};
    ///
    /// let human = Human::new(Proportions::default())?;
    /// let pose = Pose::rest(human.skeleton());
    /// let mut matrices = vec![glam::Affine3A::IDENTITY; human.skeleton().len()];
    /// pose.matrices(human.skeleton(), &mut matrices);
    /// assert_eq!(matrices[0].translation, pose.root);
    /// # Ok::<(), throng_motion::ProportionsError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the pose is of another skeleton, or there are more or fewer matrices than joints.
    pub fn matrices(&self, skeleton: &Skeleton, matrices: &mut [Affine3A]) {
        let count = skeleton.len();
        assert_eq!(self.rotations.len(), count, "the pose is of another skeleton");
        assert_eq!(matrices.len(), count, "as many matrices as joints");
        let (parents, offsets) = (&skeleton.parents()[..count], &skeleton.translations()[..count]);
        for (block, rotations) in self.rotations.chunks(LANES).enumerate() {
            let local = Turns::of(rotations);
            for lane in 0..rotations.len() {
                let index = block * LANES + lane;
                if index == 0 {
                    matrices[0] = local.below(Mat3A::IDENTITY, lane, self.root);
                    continue;
                }
                let parent = matrices[usize::from(parents[index])];
                let at = parent.matrix3 * offsets[index] + parent.translation;
                matrices[index] = local.below(parent.matrix3, lane, at);
            }
        }
    }
}

/// The nine numbers of the rotation matrices of four joints, column by column.
struct Turns([[f32; LANES]; 9]);

impl Turns {
    /// The matrices of up to four rotations.
    #[inline(always)]
    fn of(rotations: &[Quat]) -> Self {
        let column =
            |lane: usize| rotations.get(lane).map_or(Vec4::W, |&rotation| Vec4::from(rotation));
        let turned = Mat4::from_cols(column(0), column(1), column(2), column(3)).transpose();
        let (x, y, z, w) = (turned.x_axis, turned.y_axis, turned.z_axis, turned.w_axis);
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let columns = [
            [Vec4::ONE - (yy + zz), xy + wz, xz - wy],
            [xy - wz, Vec4::ONE - (xx + zz), yz + wx],
            [xz + wy, yz - wx, Vec4::ONE - (xx + yy)],
        ];
        let [a, b, c] = columns.map(|column| column.map(|number| number.to_array()));
        Self([a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]])
    }

    /// The matrix of joint `lane` in the space of its `parent`, at a place in body space.
    #[inline(always)]
    fn below(&self, parent: Mat3A, lane: usize, at: Vec3A) -> Affine3A {
        let column = |first: usize| {
            parent.x_axis * self.0[first][lane]
                + parent.y_axis * self.0[first + 1][lane]
                + parent.z_axis * self.0[first + 2][lane]
        };
        Affine3A { matrix3: Mat3A::from_cols(column(0), column(3), column(6)), translation: at }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::landmark::Landmarks;
    use crate::pose::ModelPose;
    use crate::skeleton::{Joint, JointId};

    fn number() -> impl Strategy<Value = f32> {
        -1.0f32..1.0
    }

    prop_compose! {
        /// A joint's parent as a share of those before it, its offset, and how it is turned.
        fn joint()(
            parent in 0.0f32..1.0,
            offset in [number(), number(), number()],
            turned in [number(), number(), number(), number()],
        ) -> (f32, Vec3A, Quat) {
            let turned = Vec4::from(turned);
            let turned = turned.try_normalize().unwrap_or(Vec4::W);
            (parent, offset.into(), Quat::from_vec4(turned))
        }
    }

    proptest! {
        #[test]
        fn matrices_are_those_of_the_model_pose(
            joints in proptest::collection::vec(joint(), 1..24)
        ) {
            let parent = |index: usize| {
                let before = (joints[index].0 * index as f32) as usize;
                (index > 0).then(|| JointId::new(before.min(index - 1)))
            };
            let list = joints.iter().enumerate().map(|(index, joint)| Joint {
                name: index.to_string(),
                parent: parent(index),
                translation: joint.1.into(),
                rotation: Quat::IDENTITY,
            });
            let skeleton = Skeleton::new(list.collect(), Landmarks::default()).unwrap();
            let rotations = joints.iter().map(|joint| joint.2).collect();
            let pose = Pose { root: Vec3A::new(1.0, 2.0, 3.0), rotations };
            let model = ModelPose::of(&skeleton, &pose);
            let mut matrices = vec![Affine3A::IDENTITY; joints.len()];
            pose.matrices(&skeleton, &mut matrices);
            for (index, matrix) in matrices.iter().enumerate() {
                let plain = model.transform(JointId::new(index));
                prop_assert!(matrix.abs_diff_eq(plain, 1e-4), "{index}: {matrix} {plain}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "as many matrices as joints")]
    fn the_matrices_of_a_body_are_as_many_as_its_joints() {
        let human = crate::Human::new(crate::Proportions::default()).unwrap();
        let pose = Pose::rest(human.skeleton());
        pose.matrices(human.skeleton(), &mut [Affine3A::IDENTITY; 3]);
    }
}
