//! Everybody's pose at one or several moments, as bytes: the bodies of `docs/protocol.md`.

use axum::body::Bytes;
use glam::Quat;
use throng::bodies::Member;
use throng_base::frame::world_to_ground;
use throng_motion::Pose;

use super::roles::push_role;
use crate::frame::{Moment, push_varint};

const BODIES: u8 = 3;

/// Places in body space are told in these steps, m.
pub(super) const FINEST: f32 = 0.0001;

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

    /// Adds everybody's pose at a time.
    pub fn push(&mut self, time: f64, members: &[Member]) {
        let mut bytes = Vec::with_capacity(240 * members.len());
        let mut ends = Vec::with_capacity(members.len());
        for member in members {
            let placement = member.placement();
            let (at, height) = world_to_ground(placement.translation);
            for number in [at.x, at.y, height] {
                bytes.extend(number.to_le_bytes());
            }
            let turns = placement.yaw / std::f32::consts::TAU;
            // A turn is 65,536, which is 0 again.
            bytes.extend(((turns * 65_536.0).round() as i64 as u16).to_le_bytes());
            push_pose(&mut bytes, &member.pose);
            ends.push((member.id, bytes.len()));
        }
        self.moments.push(Told { time, bytes, ends });
    }

    /// The message. `members` are those of the last moment: who has lost their body on the way is told about no more.
    pub fn finish(self, members: &[Member]) -> Bytes {
        let is_there = |member: &&Member| {
            let knows =
                |told: &Told| told.ends.binary_search_by_key(&member.id, |end| end.0).is_ok();
            self.moments.iter().all(knows)
        };
        let members: Vec<&Member> = members.iter().filter(is_there).collect();
        let mut bytes = Vec::with_capacity(16 + 256 * members.len() * self.moments.len());
        bytes.extend([BODIES, 0]);
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend((members.len() as u32).to_le_bytes());
        bytes.extend((self.moments.len() as u16).to_le_bytes());
        let mut previous = 0;
        for member in &members {
            push_varint(&mut bytes, member.id.wrapping_sub(previous));
            previous = member.id;
        }
        members.iter().for_each(|member| push_role(&mut bytes, &member.role));
        for told in &self.moments {
            bytes.extend(told.time.to_le_bytes());
            let mut others = members.iter().peekable();
            let mut start = 0;
            for &(id, end) in &told.ends {
                if others.next_if(|member| member.id == id).is_some() {
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
    for length in pose.root.to_array() {
        bytes.extend(fixed(length).to_le_bytes());
    }
    for rotation in &pose.rotations {
        bytes.extend(packed(*rotation));
    }
}

/// The message that nobody has a body.
pub(super) fn nobody(moment: &Moment) -> Bytes {
    let mut poses = Poses::new(moment.epoch);
    poses.push(moment.time, &[]);
    poses.finish(&[])
}

/// A length in the finest steps; who is out of range is at its border, since `as` saturates.
pub(super) fn fixed(length: f32) -> i16 {
    (length / FINEST).round() as i16
}

/// The steps that a component of a rotation has, from -1/√2 to 1/√2. An even number, so that 0 is one of them.
const ROTATION_STEPS: f32 = 32_766.0;

/// A rotation in 6 bytes. Its largest component follows from the other three, which are at most 1/√2, and
/// which it is takes two bits: the highest of the first two numbers.
fn packed(rotation: Quat) -> [u8; 6] {
    let parts = rotation.normalize().to_array();
    let largest = (1..4).fold(0, |a, b| if parts[b].abs() > parts[a].abs() { b } else { a });
    let sign = parts[largest].signum();
    let mut numbers = [0_u16; 3];
    for (number, i) in numbers.iter_mut().zip((0..4).filter(|&i| i != largest)) {
        let share = parts[i] * sign * std::f32::consts::FRAC_1_SQRT_2 + 0.5;
        *number = (share.clamp(0.0, 1.0) * ROTATION_STEPS).round() as u16;
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
            let share = f32::from(number(i) & 0x7fff) / ROTATION_STEPS;
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
