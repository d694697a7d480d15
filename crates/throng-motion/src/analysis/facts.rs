//! A clip in a few numbers.

use glam::Vec3;

use crate::clip::{Clip, ClipKind};
use crate::contact::{Side, Support};

use super::Refusal;
use super::angles::Frames;

/// What a list of clips says of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipFacts {
    /// What people do in it.
    pub kind: ClipKind,
    /// Mean speed, in metres per second.
    pub speed: f32,
    /// From where the body faces to where it goes, positive to the left, in radians.
    pub angle: f32,
    /// How far the body turns in one pass, in radians.
    pub turn: f32,
    /// How long one pass takes, in seconds.
    pub period: f32,
    /// How far one pass leads, in metres.
    pub stride: f32,
    /// The part of the cycle that a foot is on the ground, the mean of both.
    pub duty: f32,
    /// The part of the cycle that both feet are on the ground.
    pub double_support: f32,
    /// The part of the cycle that no foot is on the ground.
    pub flight: f32,
    /// How far a foot slides while it stands, in metres per stance.
    pub slip: f32,
    /// Speed as a fraction of `√(g L)`.
    pub speed_number: f32,
    /// Leg length `L`, in metres.
    pub leg: f32,
}

impl ClipFacts {
    /// The facts of a clip.
    ///
    /// # Errors
    ///
    /// If its skeleton lacks a landmark of the legs.
    pub fn of(clip: &Clip) -> Result<Self, Refusal> {
        let frames = Frames::of(clip)?;
        let contacts = clip.contacts();
        let (mut double_support, mut flight) = (0.0, 0.0);
        const SAMPLES: u16 = 1000;
        for sample in 0..SAMPLES {
            let part = 1.0 / f32::from(SAMPLES);
            match contacts.support((f32::from(sample) + 0.5) * part) {
                Support::Both => double_support += part,
                Support::Flight => flight += part,
                Support::Left | Support::Right => {}
            }
        }
        Ok(Self {
            kind: clip.kind(),
            speed: clip.speed(),
            angle: clip.travel_angle(),
            turn: clip.travel().yaw,
            period: clip.period(),
            stride: clip.speed() * clip.period(),
            duty: 0.5 * (contacts.duty(Side::Left) + contacts.duty(Side::Right)),
            double_support,
            flight,
            slip: slip(clip, &frames),
            speed_number: clip.speed() / frames.build.speed_unit(),
            leg: frames.build.leg_length,
        })
    }
}

/// How far the point that a foot stands on slides per stance. A foot rolls from heel to toes, so at
/// each moment it is the point of the sole that moves least, of those on the ground.
fn slip(clip: &Clip, frames: &Frames) -> f32 {
    let low = 0.05 * frames.build.leg_length;
    let count = frames.poses.len();
    let steps = if clip.is_looped() { count } else { count.saturating_sub(1) };
    let (mut way, mut stances) = (0.0, 0);
    for side in Side::BOTH {
        stances += clip.contacts().of(side).len();
        for frame in 0..steps {
            // Both frames must be within one contact.
            let phase = |part: f32| ((frame as f32 + part) / steps as f32).rem_euclid(1.0);
            let stands = |part: f32| clip.contacts().touches(side, phase(part));
            if !(stands(0.0) && stands(0.5) && stands(1.0)) {
                continue;
            }
            let next = (frame + 1) % count;
            let [here, there] = [frame, next].map(|at| frames.feet[at][side as usize].points());
            let slid = here.into_iter().zip(there).filter(|(here, _)| here.y < low).map(
                |(here, there)| {
                    let moved = placed(clip, frame + 1, there) - placed(clip, frame, here);
                    Vec3::new(moved.x, 0.0, moved.z).length()
                },
            );
            way += slid.min_by(f32::total_cmp).unwrap_or(0.0);
        }
    }
    way / stances.max(1) as f32
}

/// A point seen from the abstract root of a frame, where it is over the ground.
pub(crate) fn placed(clip: &Clip, frame: usize, point: Vec3) -> Vec3 {
    let samples = clip.root().samples();
    let root = samples[frame.min(samples.len() - 1)];
    let (rotation, translation) = root.placement();
    rotation * point + Vec3::from(translation)
}
