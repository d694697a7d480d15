//! A clip in a few numbers.

use glam::Vec3;

use crate::clip::{Clip, ClipKind};
use crate::contact::{Side, Support};

use super::Refusal;
use super::frames::ClipFrames;

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
        let frames = ClipFrames::of(clip)?;
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

/// The part of a stance in which a foot stands: before it comes to rest, and after it rolls off over
/// its toes, which is no sliding.
const STANDS: [f32; 2] = [0.1, 0.8];

/// How far the point that a foot stands on slides per stance. A foot rolls from heel to ball to
/// toes, so at each moment it is the one that moves least, of those on the ground.
fn slip(clip: &Clip, frames: &ClipFrames) -> f32 {
    let count = frames.poses.len();
    let steps = if clip.is_looped() { count } else { count.saturating_sub(1) };
    let (mut way, mut stances) = (0.0, 0);
    for side in Side::BOTH {
        let points = |frame: usize| frames.feet[frame % count][side as usize].points();
        let lowest = (0..count).flat_map(points).map(|point| point.y).fold(f32::INFINITY, f32::min);
        let on_ground = lowest + 0.02 * frames.build.leg_length;
        for span in clip.contacts().of(side) {
            stances += 1;
            let stands = |frame: usize| {
                let phase = frame as f32 / steps as f32;
                span.progress(phase.rem_euclid(1.0))
                    .is_some_and(|part| (STANDS[0]..=STANDS[1]).contains(&part))
            };
            for frame in (0..steps).filter(|&frame| stands(frame) && stands(frame + 1)) {
                let pairs = points(frame).into_iter().zip(points(frame + 1));
                let slid = pairs.filter(|(here, there)| here.y.max(there.y) < on_ground).map(
                    |(here, there)| {
                        let moved = placed(clip, frame + 1, there) - placed(clip, frame, here);
                        Vec3::new(moved.x, 0.0, moved.z).length()
                    },
                );
                way += slid.min_by(f32::total_cmp).unwrap_or(0.0);
            }
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
