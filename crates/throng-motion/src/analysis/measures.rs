//! A gait in numbers that can be held against people's.

use glam::Vec3;

use crate::clip::{Clip, ClipKind};
use crate::contact::Side;
use crate::gait::JointAngle;
use crate::landmark::Landmark;

use super::Refusal;
use super::angles::{JointAngles, Lean};
use super::body::{Foot, quantile};
use super::facts::placed;
use super::frames::ClipFrames;
use super::spectrum::abruptness;

/// A number for each of the points whose smoothness is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyNumbers {
    /// Midway between the hip joints.
    pub root: f32,
    /// The head, if the skeleton has one.
    pub head: Option<f32>,
    /// The wrists, if the skeleton has them.
    pub hand: Option<f32>,
    /// The ankles.
    pub ankle: f32,
}

/// What can be measured of a clip of walking or running; [`Self::rows`] holds it against people.
///
/// Angles are in degrees and small lengths in millimetres, as tables of gait have them; where there
/// are two sides, it is the mean of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitMeasures {
    /// Walking or running.
    pub kind: ClipKind,
    /// Speed as a fraction of `√(g L)`.
    pub speed_number: f32,
    /// Whether the body goes where it faces, so that people's ranges apply.
    pub is_forwards: bool,
    /// How far the ball of the foot slides in 1/120 s of mid-stance: the median, mm.
    pub ball_skate: f32,
    /// The same: the 95th percentile, mm.
    pub ball_skate_worst: f32,
    /// Range of the knee's flexion, °.
    pub knee_range: f32,
    /// Largest flexion of the knee, °.
    pub knee_most: f32,
    /// Smallest flexion of either knee, °; it should not be negative.
    pub knee_least: f32,
    /// Range of the hip's flexion, °.
    pub hip_range: f32,
    /// Range of the ankle, °.
    pub ankle_range: f32,
    /// How far the toes point up at most, °.
    pub sole_most: f32,
    /// How far the toes point down at most, a negative angle, °.
    pub sole_least: f32,
    /// Range of the pelvis's tilt forwards, °.
    pub pelvis_tilt: f32,
    /// Range of the pelvis's rotation, °.
    pub pelvis_rotation: f32,
    /// Range of the thorax's rotation, °.
    pub thorax_rotation: Option<f32>,
    /// Range of the thorax's list to the sides, °.
    pub thorax_lateral: Option<f32>,
    /// Range of the shoulder's flexion, °.
    pub shoulder_range: Option<f32>,
    /// Range of the elbow's flexion, °.
    pub elbow_range: Option<f32>,
    /// How far the middle of the hips goes up and down, thousandths of leg length.
    pub root_vertical: f32,
    /// How far it goes to the sides.
    pub root_lateral: f32,
    /// How far it goes ahead of a steady walk, and back.
    pub root_fore_aft: f32,
    /// Root mean square of acceleration, times `T² / L`.
    pub acceleration: BodyNumbers,
    /// Root mean square of jerk, times `T³ / L`.
    pub jerk: BodyNumbers,
    /// Root mean square of the head's vertical acceleration, m/s².
    pub head_vertical: Option<f32>,
    /// How far the right strike is from half a cycle after the left one, as a part of the cycle.
    pub strike_asymmetry: Option<f32>,
    /// Root mean square difference of the knees, each in its own phase, °.
    pub knee_difference: f32,
    /// The part of the cycle that a foot is on the ground.
    pub duty: f32,
    /// The lowest point of the soles over the ground, mm.
    pub lowest_point: f32,
}

/// Bodies that go further off where they face do not walk forwards, in radians.
const FORWARDS: f32 = 0.5;
/// Mid-stance, as parts of a stance: the ball is down, and the foot does not push off yet.
const MID_STANCE: [f32; 2] = [0.3, 0.6];

impl GaitMeasures {
    /// The measures of a looped clip in which somebody walks or runs; nothing of others.
    ///
    /// # Errors
    ///
    /// If its skeleton lacks a landmark of the legs.
    pub fn of(clip: &Clip) -> Result<Option<Self>, Refusal> {
        if !clip.is_looped() || !matches!(clip.kind(), ClipKind::Walk | ClipKind::Run) {
            return Ok(None);
        }
        let frames = ClipFrames::of(clip)?;
        let angles = JointAngles::of_frames(&frames);
        let both = |kind: JointAngle, measure: fn(&[f32]) -> f32| {
            let of = |side| measure(&angles.curve(kind, side));
            0.5 * (of(Side::Left) + of(Side::Right)).to_degrees()
        };
        let known = |kind: JointAngle, measure: fn(&[f32]) -> f32| {
            (!angles.curve(kind, Side::Left).is_empty()
                && !angles.curve(kind, Side::Right).is_empty())
            .then(|| both(kind, measure))
        };
        let lean = |leans: &[Lean], part: fn(&Lean) -> f32| {
            range(&leans.iter().map(part).collect::<Vec<f32>>()).to_degrees()
        };
        let thorax = |part: fn(&Lean) -> f32| {
            (!angles.thorax.is_empty()).then(|| lean(&angles.thorax, part))
        };
        let sway = sway(&frames);
        let mut skate = ball_skate(clip, &frames);
        let knees = Side::BOTH.map(|side| angles.curve(JointAngle::Knee, side));
        let (acceleration, jerk, head_vertical) = smoothness(clip, &frames);
        Ok(Some(Self {
            kind: clip.kind(),
            speed_number: clip.speed() / frames.build.speed_unit(),
            is_forwards: clip.travel_angle().abs() < FORWARDS,
            ball_skate: quantile(&mut skate, 0.5).unwrap_or(0.0),
            ball_skate_worst: quantile(&mut skate, 0.95).unwrap_or(0.0),
            knee_range: both(JointAngle::Knee, range),
            knee_most: both(JointAngle::Knee, most),
            knee_least: least(&knees[0]).min(least(&knees[1])).to_degrees(),
            hip_range: both(JointAngle::Hip, range),
            ankle_range: both(JointAngle::Ankle, range),
            sole_most: both(JointAngle::Sole, most),
            sole_least: both(JointAngle::Sole, least),
            pelvis_tilt: lean(&angles.pelvis, |lean| lean.tilt),
            pelvis_rotation: lean(&angles.pelvis, |lean| lean.rotation),
            thorax_rotation: thorax(|lean| lean.rotation),
            thorax_lateral: thorax(|lean| lean.list),
            shoulder_range: known(JointAngle::Shoulder, range),
            elbow_range: known(JointAngle::Elbow, range),
            root_vertical: sway.y,
            root_lateral: sway.x,
            root_fore_aft: sway.z,
            acceleration,
            jerk,
            head_vertical,
            strike_asymmetry: strike_asymmetry(clip),
            knee_difference: knee_difference(&knees[0], &knees[1]).to_degrees(),
            duty: 0.5 * (clip.contacts().duty(Side::Left) + clip.contacts().duty(Side::Right)),
            lowest_point: 1000.0 * lowest(&frames.feet),
        }))
    }
}

fn most(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

fn least(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::INFINITY, f32::min)
}

fn range(values: &[f32]) -> f32 {
    (most(values) - least(values)).max(0.0)
}

fn middle(frames: &ClipFrames, frame: usize) -> Vec3 {
    let [left, right] = frames.build.legs.map(|leg| frames.poses[frame].position(leg.hip));
    0.5 * (left + right)
}

/// How far the middle of the hips goes each way about the abstract root, in thousandths of `L`.
fn sway(frames: &ClipFrames) -> Vec3 {
    let places: Vec<Vec3> = (0..frames.poses.len()).map(|frame| middle(frames, frame)).collect();
    let highest = places.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let lowest = places.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    1000.0 * (highest - lowest) / frames.build.leg_length
}

/// How far the balls of the feet slide in 1/120 s, in mm, frame by frame of mid-stance.
fn ball_skate(clip: &Clip, frames: &ClipFrames) -> Vec<f32> {
    let count = frames.poses.len();
    let mut slid = Vec::new();
    for side in Side::BOTH {
        for frame in 0..count {
            let phase = (frame as f32 + 0.5) / count as f32;
            let mut spans = clip.contacts().of(side).iter();
            let progress = spans.find_map(|span| span.progress(phase));
            let is_mid = |progress: f32| (MID_STANCE[0]..=MID_STANCE[1]).contains(&progress);
            if !progress.is_some_and(is_mid) {
                continue;
            }
            let ball = |frame: usize| frames.feet[frame % count][side as usize].ball;
            let moved = placed(clip, frame + 1, ball(frame + 1)) - placed(clip, frame, ball(frame));
            let seconds = clip.period() / count as f32;
            slid.push(1000.0 * Vec3::new(moved.x, 0.0, moved.z).length() / (120.0 * seconds));
        }
    }
    slid
}

/// Accelerations, jerks, and the head's vertical acceleration.
fn smoothness(clip: &Clip, frames: &ClipFrames) -> (BodyNumbers, BodyNumbers, Option<f32>) {
    let period = clip.period();
    let path = |place: &dyn Fn(usize) -> Vec3| -> Vec<Vec3> {
        (0..frames.poses.len()).map(place).collect()
    };
    let landmark = |landmark: Landmark| {
        let joint = frames.skeleton.landmark(landmark)?;
        Some(abruptness(&path(&|frame| frames.poses[frame].position(joint)), period))
    };
    let root = abruptness(&path(&|frame| middle(frames, frame)), period);
    let [left, right] = frames
        .build
        .legs
        .map(|leg| abruptness(&path(&|frame| frames.poses[frame].position(leg.ankle)), period));
    let head = landmark(Landmark::Head);
    let hands = landmark(Landmark::LeftHand).zip(landmark(Landmark::RightHand));
    let scale = period * period / frames.build.leg_length;
    let acceleration = BodyNumbers {
        root: scale * root.acceleration,
        head: head.map(|head| scale * head.acceleration),
        hand: hands.map(|(a, b)| 0.5 * scale * (a.acceleration + b.acceleration)),
        ankle: 0.5 * scale * (left.acceleration + right.acceleration),
    };
    let scale = scale * period;
    let jerk = BodyNumbers {
        root: scale * root.jerk,
        head: head.map(|head| scale * head.jerk),
        hand: hands.map(|(a, b)| 0.5 * scale * (a.jerk + b.jerk)),
        ankle: 0.5 * scale * (left.jerk + right.jerk),
    };
    let head_vertical = frames.skeleton.landmark(Landmark::Head).map(|head| {
        let height = |frame: usize| frames.poses[frame].position(head) * Vec3::Y;
        abruptness(&path(&height), period).acceleration
    });
    (acceleration, jerk, head_vertical)
}

/// Nothing if a foot does not strike exactly once.
fn strike_asymmetry(clip: &Clip) -> Option<f32> {
    let ([left], [right]) = (&clip.contacts().left[..], &clip.contacts().right[..]) else {
        return None;
    };
    Some(((right.start - left.start).rem_euclid(1.0) - 0.5).abs())
}

fn knee_difference(left: &[f32], right: &[f32]) -> f32 {
    let count = left.len();
    // Half a cycle may lie between two frames.
    let later = |frame: usize| {
        let at = frame as f32 + 0.5 * count as f32;
        let (before, part) = (at as usize, at.fract());
        right[before % count] * (1.0 - part) + right[(before + 1) % count] * part
    };
    let squares: f32 = (0..count).map(|frame| (left[frame] - later(frame)).powi(2)).sum();
    (squares / count.max(1) as f32).sqrt()
}

fn lowest(feet: &[[Foot; 2]]) -> f32 {
    let points = feet.iter().flatten().flat_map(Foot::points);
    points.map(|point| point.y).fold(f32::INFINITY, f32::min)
}
