//! Writes skeletons and clips as archives of ozz, since that is all its runtime reads.
//!
//! An animation (version 7) has three lists of keys, for translations, rotations and scales. Each
//! list is sorted by when the sampler needs a key, which is when the key before it on the same
//! track is reached, and then by track; a key knows how far back that previous key is. Times are
//! numbers of a list of time points. Rotations are quantised to 48 bits: the three smaller
//! components to 15 bits each, the index and the sign of the largest. The rest are half floats.

use glam::{Quat, Vec3A};
use throng_motion::{Clip, Skeleton};

use crate::body::local_translation;
use crate::thin::{self, Tolerance};

/// The archive of a skeleton (version 2), with its pose at rest.
pub fn skeleton(skeleton: &Skeleton) -> Vec<u8> {
    let mut archive = Archive::new("ozz-skeleton", 2);
    let joints = skeleton.joints();
    archive.u32(joints.len());
    archive.u32(joints.iter().map(|joint| joint.name.len() + 1).sum());
    for joint in joints {
        archive.text(&joint.name);
    }
    for joint in joints {
        let parent = joint.parent.map_or(-1, |parent| parent.index() as i16);
        archive.bytes.extend(parent.to_le_bytes());
    }
    for four in joints.chunks(4) {
        // Lanes beyond the last joint are those of a joint that does nothing.
        let lanes = |value: &dyn Fn(&throng_motion::Joint) -> f32, other: f32| {
            std::array::from_fn::<f32, 4, _>(|lane| four.get(lane).map_or(other, value))
        };
        let values = [
            lanes(&|joint| joint.translation.x, 0.0),
            lanes(&|joint| joint.translation.y, 0.0),
            lanes(&|joint| joint.translation.z, 0.0),
            lanes(&|joint| joint.rotation.x, 0.0),
            lanes(&|joint| joint.rotation.y, 0.0),
            lanes(&|joint| joint.rotation.z, 0.0),
            lanes(&|joint| joint.rotation.w, 1.0),
            [1.0; 4],
            [1.0; 4],
            [1.0; 4],
        ];
        for value in values.into_iter().flatten() {
            archive.f32(value);
        }
    }
    archive.bytes
}

/// An animation as an archive, with the number of its keys of rotations.
pub struct Animation {
    /// The archive.
    pub bytes: Vec<u8>,
    /// How many rotations are stored.
    pub rotations: usize,
}

/// The archive of a looped clip. Without a tolerance there is a rotation for every frame; with one,
/// only those that are needed to stay within it.
pub fn animation(clip: &Clip, tolerance: Option<Tolerance>) -> Animation {
    assert!(clip.is_looped() && clip.skeleton().len().is_multiple_of(4));
    // The first frame once more at the end: ozz knows no loops.
    let frames = clip.motion().frames();
    let points: Vec<f32> = (0..=frames).map(|frame| frame as f32 / frames as f32).collect();
    let tracks = clip.skeleton().len();
    let reach = thin::reach(clip.skeleton());

    let translations: Vec<Track<[u16; 3]>> = (0..tracks)
        .map(|joint| {
            let values: Vec<Vec3A> =
                (0..=frames).map(|frame| local_translation(clip, frame % frames, joint)).collect();
            let kept = match tolerance {
                _ if joint > 0 => vec![0, frames],
                None => (0..=frames).collect(),
                Some(tolerance) => thin::translations(&values, tolerance),
            };
            kept.into_iter().map(|frame| (frame, halves(values[frame]))).collect()
        })
        .collect();
    let rotations: Vec<Track<[u16; 3]>> = (0..tracks)
        .map(|joint| {
            let values = track_of_rotations(clip, joint);
            let kept = match tolerance {
                None => (0..=frames).collect(),
                Some(tolerance) => thin::rotations(&values, reach[joint], tolerance),
            };
            kept.into_iter().map(|frame| (frame, quantised(values[frame]))).collect()
        })
        .collect();
    let one = halves(Vec3A::ONE);
    let scales: Vec<Track<[u16; 3]>> = vec![vec![(0, one), (frames, one)]; tracks];

    let lists = [sorted(&translations), sorted(&rotations), sorted(&scales)];
    let mut archive = Archive::new("ozz-animation", 7);
    archive.f32(clip.period());
    archive.u32(tracks);
    archive.u32(clip.name().len());
    archive.u32(points.len());
    for list in &lists {
        archive.u32(list.len());
    }
    // No frames to jump to: they serve seeking in animations of many seconds.
    for _ in 0..6 {
        archive.u32(0);
    }
    archive.bytes.extend(clip.name().bytes());
    for &point in &points {
        archive.f32(point);
    }
    for list in &lists {
        for key in list {
            if points.len() <= usize::from(u8::MAX) {
                archive.bytes.push(key.frame as u8);
            } else {
                archive.u16(key.frame as u16);
            }
        }
        for key in list {
            archive.u16(key.back);
        }
        archive.f32(0.0);
        for key in list {
            for value in key.value {
                archive.u16(value);
            }
        }
    }
    Animation { bytes: archive.bytes, rotations: lists[1].len() }
}

/// The rotations of a joint from frame to frame and to the first one again, the short way round.
fn track_of_rotations(clip: &Clip, joint: usize) -> Vec<Quat> {
    let frames = clip.motion().frames();
    let mut values: Vec<Quat> =
        (0..frames).map(|frame| clip.motion().rotations(frame)[joint]).collect();
    let (first, last) = (values[0], values[frames - 1]);
    values.push(if last.dot(first) < 0.0 { -first } else { first });
    values
}

/// The keys of one joint: frames and values.
type Track<T> = Vec<(usize, T)>;

struct Key<T> {
    frame: usize,
    /// How many keys before it the last one of the same track is.
    back: u16,
    value: T,
}

fn sorted<T: Copy>(tracks: &[Track<T>]) -> Vec<Key<T>> {
    let mut order: Vec<(Option<usize>, usize, usize)> = Vec::new();
    for (track, keys) in tracks.iter().enumerate() {
        for number in 0..keys.len() {
            order.push((number.checked_sub(1).map(|before| keys[before].0), track, number));
        }
    }
    order.sort_unstable();
    let mut last = vec![0; tracks.len()];
    let key = |(index, &(before, track, number)): (usize, &(Option<usize>, usize, usize))| {
        let (frame, value) = tracks[track][number];
        let back = before.map_or(0, |_| index - last[track]);
        last[track] = index;
        Key { frame, back: u16::try_from(back).expect("a short animation"), value }
    };
    order.iter().enumerate().map(key).collect()
}

fn quantised(rotation: Quat) -> [u16; 3] {
    let values = rotation.normalize().to_array();
    let largest = (0..4)
        .fold(0, |most, index| if values[index].abs() > values[most].abs() { index } else { most });
    let mut packed = largest as u64 | u64::from(values[largest] < 0.0) << 2;
    let others = (0..4).filter(|&index| index != largest);
    for (number, index) in others.enumerate() {
        let unit = values[index] * std::f32::consts::FRAC_1_SQRT_2 + 0.5;
        let step = (unit * 32767.0).round().clamp(0.0, 32767.0) as u64;
        packed |= step << (3 + 15 * number);
    }
    [packed as u16, (packed >> 16) as u16, (packed >> 32) as u16]
}

fn halves(value: Vec3A) -> [u16; 3] {
    value.to_array().map(half)
}

/// The nearest half float; what is too small for a normal one becomes zero.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    if exponent <= 0 {
        return sign;
    }
    assert!(exponent < 31, "{value} is too large for a half float");
    // A carry from rounding goes on into the exponent, as it should.
    let magnitude = (exponent as u32) << 10 | (bits >> 13 & 0x3ff);
    let rest = bits & 0x1fff;
    let up = rest > 0x1000 || rest == 0x1000 && magnitude & 1 == 1;
    sign | (magnitude + u32::from(up)) as u16
}

struct Archive {
    bytes: Vec<u8>,
}

impl Archive {
    /// Little-endian, of something.
    fn new(tag: &str, version: usize) -> Self {
        let mut archive = Self { bytes: vec![1] };
        archive.text(tag);
        archive.u32(version);
        archive
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.bytes());
        self.bytes.push(0);
    }

    fn u32(&mut self, value: usize) {
        self.bytes.extend((value as u32).to_le_bytes());
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_survive_quantisation() {
        use ozz_animation_rs::animation::QuaternionKey;
        for number in 0..1000 {
            let at = number as f32;
            let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.7 * at, 1.3 * at, 2.1 * at);
            let read = QuaternionKey::new(quantised(rotation)).decompress().to_array();
            assert!((Quat::from_array(read) - rotation).length() < 1e-4, "{rotation}");
        }
    }

    #[test]
    fn halves_are_the_nearest() {
        use ozz_animation_rs::animation::Float3Key;
        for value in [0.0, 1.0, -1.0, 0.925_3, -0.013_37, 65_000.0, 0.999_99] {
            let read = Float3Key::new([half(value); 3]).decompress().x;
            assert!((read - value).abs() <= value.abs() / 2048.0, "{value} became {read}");
        }
    }
}
