//! Everybody's pose at one or several moments, as bytes: the bodies of `docs/protocol.md`.

use axum::body::Bytes;
use glam::Quat;
use throng::bodies::Member;
use throng::bodies::variety::Descriptor;
use throng_base::frame::world_to_ground;
use throng_motion::{Pose, RootMotion};

use super::roles::role_record;
use crate::frame::{Moment, push_ids};
use crate::protocol::{
    BODY_QUANTUM, BinaryKind, PlacementRecord, PosesHeader, ROTATION_STEPS, Wire,
};

/// Poses at moments that follow one another, of those who have bodies at all of them.
pub(super) struct Poses {
    epoch: u16,
    moments: Vec<Told>,
}

/// One moment.
struct Told {
    time: f64,
    bytes: Vec<u8>,
    /// Who is told about, in ascending order, and where that ends.
    ends: Vec<(u32, usize)>,
}

impl Poses {
    pub fn new(epoch: u16) -> Self {
        Self { epoch, moments: Vec::new() }
    }

    /// Adds the poses of all members at a time.
    pub fn push(&mut self, time: f64, members: &[Member]) {
        let poses = members.iter().map(|member| (member.id, member.placement(), &member.pose));
        self.push_poses(time, poses);
    }

    /// Adds poses at a time. Ids ascend.
    pub fn push_poses<'p>(
        &mut self,
        time: f64,
        poses: impl ExactSizeIterator<Item = (u32, RootMotion, &'p Pose)>,
    ) {
        let mut bytes = Vec::with_capacity(240 * poses.len());
        let mut ends = Vec::with_capacity(poses.len());
        for (id, placement, pose) in poses {
            let (at, height) = world_to_ground(placement.translation);
            let turns = placement.yaw / std::f32::consts::TAU;
            // A turn is 65,536, which is 0 again.
            let yaw = (turns * 65_536.0).round() as i64 as u16;
            PlacementRecord { position: [at.x, at.y, height], yaw }.push(&mut bytes);
            push_pose(&mut bytes, pose);
            ends.push((id, bytes.len()));
        }
        self.moments.push(Told { time, bytes, ends });
    }

    /// Returns the message. People without a pose at some moment are left out.
    pub fn finish<'r>(self, roles: impl Iterator<Item = (u32, &'r Descriptor)>) -> Bytes {
        let is_there = |(id, _): &(u32, &Descriptor)| {
            let knows = |told: &Told| told.ends.binary_search_by_key(id, |end| end.0).is_ok();
            self.moments.iter().all(knows)
        };
        let members: Vec<(u32, &Descriptor)> = roles.filter(is_there).collect();
        let mut bytes = Vec::with_capacity(16 + 256 * members.len() * self.moments.len());
        let header = PosesHeader {
            kind: BinaryKind::Poses as u8,
            flags: 0,
            epoch: self.epoch,
            count: members.len() as u32,
            moments: self.moments.len() as u16,
        };
        header.push(&mut bytes);
        push_ids(&mut bytes, members.iter().map(|(id, _)| *id));
        members.iter().for_each(|(_, role)| role_record(role).push(&mut bytes));
        for told in &self.moments {
            told.time.push(&mut bytes);
            let mut others = members.iter().peekable();
            let mut start = 0;
            for &(id, end) in &told.ends {
                if others.next_if(|(other, _)| *other == id).is_some() {
                    bytes.extend(&told.bytes[start..end]);
                }
                start = end;
            }
        }
        bytes.into()
    }
}

/// Where the root is, and how all joints are turned.
pub(super) fn push_pose(bytes: &mut Vec<u8>, pose: &Pose) {
    pose.root.to_array().map(fixed).push(bytes);
    for rotation in &pose.rotations {
        bytes.extend(packed(*rotation));
    }
}

/// The message that nobody has a body.
pub(super) fn nobody(moment: &Moment) -> Bytes {
    let mut poses = Poses::new(moment.epoch);
    poses.push(moment.time, &[]);
    poses.finish(std::iter::empty())
}

/// A length in the finest steps; who is out of range is at its border, since `as` saturates.
pub(super) fn fixed(length: f32) -> i16 {
    (length / BODY_QUANTUM).round() as i16
}

/// A rotation in 6 bytes. Its largest component follows from the other three, which are at most 1/√2, and
/// which it is takes two bits: the highest of the first two numbers.
fn packed(rotation: Quat) -> [u8; 6] {
    let parts = rotation.normalize().to_array();
    let largest = (1..4).fold(0, |a, b| if parts[b].abs() > parts[a].abs() { b } else { a });
    let sign = parts[largest].signum();
    let mut numbers = [0_u16; 3];
    for (number, i) in numbers.iter_mut().zip((0..4).filter(|&i| i != largest)) {
        let share = parts[i] * sign * std::f32::consts::FRAC_1_SQRT_2 + 0.5;
        *number = (share.clamp(0.0, 1.0) * f32::from(ROTATION_STEPS)).round() as u16;
    }
    numbers[0] |= (largest as u16 & 1) << 15;
    numbers[1] |= (largest as u16 >> 1) << 15;
    let [[a, b], [c, d], [e, f]] = numbers.map(u16::to_le_bytes);
    [a, b, c, d, e, f]
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use throng_base::random::{Purpose, Random};
    use throng_motion::ModelPose;

    use super::*;

    /// By the book: what a page does.
    fn unpacked(bytes: [u8; 6]) -> Quat {
        let number = |i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let largest = usize::from(number(0) >> 15 | number(1) >> 15 << 1);
        let mut parts = [0.0; 4];
        let mut sum = 0.0;
        for (i, at) in (0..4).filter(|&i| i != largest).enumerate() {
            let share = f32::from(number(i) & 0x7fff) / f32::from(ROTATION_STEPS);
            parts[at] = (share - 0.5) * std::f32::consts::SQRT_2;
            sum += parts[at] * parts[at];
        }
        parts[largest] = (1.0_f32 - sum).max(0.0).sqrt();
        Quat::from_array(parts)
    }

    #[test]
    fn rotations_survive_to_a_hundredth_of_a_degree() {
        let mut draw = Random::new(5).stream(0, 0, Purpose::Body);
        let mut worst: f32 = 0.0;
        for _ in 0..20_000 {
            let parts: [f32; 4] = std::array::from_fn(|_| draw.between(-1.0, 1.0));
            let rotation = Quat::from_array(parts).normalize();
            let error = unpacked(packed(rotation)).inverse() * rotation;
            worst = worst.max(2.0 * error.xyz().length());
        }
        assert!(worst < 0.01_f32.to_radians(), "{worst}");
        for exact in [Quat::IDENTITY, -Quat::IDENTITY, Quat::from_rotation_z(std::f32::consts::PI)]
        {
            assert!(unpacked(packed(exact)).dot(exact).abs() > 1.0 - 1e-6, "{exact}");
        }
    }

    #[test]
    fn fingertips_and_toes_are_off_by_less_than_half_a_millimetre() {
        let human = throng_motion::Human::new(throng_motion::Proportions::default()).unwrap();
        let skeleton = human.skeleton();
        let mut draw = Random::new(7).stream(0, 0, Purpose::Body);
        let mut worst: f32 = 0.0;
        for _ in 0..300 {
            let mut pose = Pose::rest(skeleton);
            for rotation in &mut pose.rotations {
                let axis: Vec3 = std::array::from_fn(|_| draw.between(-1.0, 1.0)).into();
                let turn =
                    Quat::from_axis_angle(axis.normalize_or(Vec3::X), draw.between(-1.0, 1.0));
                *rotation = turn * *rotation;
            }
            let told = Pose {
                root: pose.root,
                rotations: pose.rotations.iter().map(|r| unpacked(packed(*r))).collect(),
            };
            let [a, b] = [&pose, &told].map(|pose| ModelPose::of(skeleton, pose));
            for (a, b) in a.positions.iter().zip(&b.positions) {
                worst = worst.max(a.distance(*b));
            }
        }
        assert!(worst < 0.0005, "{worst}");
        assert!(worst > 0.0, "nothing was rounded");
    }
}
