//! Standing: a body that sways, breathes, and shifts its weight from one leg to the other.
//!
//! Nobody stands still. The sway is that of an inverted pendulum about the ankles, with a few
//! millimetres between 0.1 and 0.6 Hz; breathing moves the chest fourteen times a minute; and the
//! weight changes from leg to leg, with the free hip dropping and the free knee bending.

use std::f32::consts::TAU;

use glam::Vec3;
use throng_base::random::{Purpose, Random};

use super::sketch::{Arm, Foot, REACH, Sketch, Trunk};
use super::smooth::{blurred, smoothstep};
use super::steady::GaitError;
use super::style::Style;
use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Side, Span};
use crate::human::Human;
use crate::motion::Motion;
use crate::pose::Pose;
use crate::root::RootTrack;

/// How somebody stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// How the person deviates from the average.
    pub style: Style,
    /// Chooses among ways to stand.
    pub seed: u64,
}

/// Three breaths long, at a rate that is enough for slow movements.
const DURATION: f32 = 12.8;
const FRAMES: usize = 384;
/// Half of the way that the root moves when the weight is shifted, over leg length.
const SHIFT: f32 = 0.032;

impl Standing {
    /// A loop of standing with one change of weight to the other leg and back.
    ///
    /// # Errors
    ///
    /// If no body can have that style.
    pub fn clip(&self, human: &Human) -> Result<Clip, GaitError> {
        if let Some((name, value)) = self.style.fault() {
            return Err(GaitError::Style { name, value });
        }
        let mut draw = Random::new(self.seed).stream(0, 1, Purpose::Gait);
        // Whole numbers of waves fit into the loop; slow ones are larger.
        let mut waves = |counts: [f32; 4], rms: f32| {
            let phases = counts.map(|_| draw.unit());
            let power: f32 = counts.iter().map(|count| 0.5 / (count * count)).sum();
            let scale = rms / power.sqrt();
            move |at: f32| {
                let wave = |(count, phase): (f32, f32)| (TAU * (count * at + phase)).sin() / count;
                scale * counts.into_iter().zip(phases).map(wave).sum::<f32>()
            }
        };
        let leg = human.proportions().leg();
        let ahead = waves([2.0, 3.0, 5.0, 7.0], 0.0054 * leg);
        let aside = waves([2.0, 3.0, 4.0, 7.0], 0.0032 * leg);
        let look = waves([1.0, 2.0, 3.0, 5.0], 5f32.to_radians());
        let nod = waves([1.0, 2.0, 4.0, 5.0], 1.5f32.to_radians());
        let turn = waves([1.0, 2.0, 3.0, 4.0], 1.5f32.to_radians());
        let mut sketches: Vec<Sketch> = (0..FRAMES)
            .map(|frame| {
                let at = frame as f32 / FRAMES as f32;
                let mut sketch = standing(human, &self.style, weight(at));
                sketch.root += Vec3::new(aside(at), 0.0, ahead(at));
                // The ankles hold the body: it leans as a whole.
                sketch.pelvis.flexion += 0.5 * ahead(at) / leg;
                sketch.pelvis.rotation += turn(at);
                sketch.thorax.rotation -= 0.4 * turn(at);
                sketch.head.rotation += look(at);
                sketch.head.flexion += nod(at);
                let breath = (3.0 * TAU * at).sin();
                sketch.thorax.flexion -= 1f32.to_radians() * breath;
                sketch.head.flexion += 0.8f32.to_radians() * breath;
                for arm in &mut sketch.arms {
                    arm.abduction += 0.5f32.to_radians() * breath;
                }
                sketch
            })
            .collect();
        let heights: Vec<f32> = sketches.iter().map(|sketch| height(human, sketch)).collect();
        for (sketch, height) in sketches.iter_mut().zip(blurred(&heights, 0.01)) {
            sketch.root.y = height;
        }
        let poses: Vec<Pose> = sketches.iter().map(|sketch| sketch.pose(human)).collect();
        let rate = FRAMES as f32 / DURATION;
        let motion = Motion::from_poses(
            format!("stand {}", self.seed),
            human.skeleton().clone(),
            rate,
            &poses,
        )?;
        let always = vec![Span { start: 0.0, length: 1.0 }];
        Ok(Clip::new(ClipParts {
            kind: ClipKind::Stand,
            motion,
            root: RootTrack::still(FRAMES + 1),
            contacts: Contacts::two([always.clone(), always]),
            looped: true,
        })?)
    }
}

/// Which leg carries the weight over the loop: 1 is the left one, -1 the right one.
fn weight(at: f32) -> f32 {
    let shift = 1.3 / DURATION;
    let to_left = smoothstep((at - 0.10) / shift);
    let to_right = smoothstep((at - 0.58) / shift);
    let back = smoothstep((at - 0.90) / shift);
    // Evenly at first, then left, then right, then evenly again.
    to_left - 2.0 * to_right + back
}

/// A body that stands, with its weight on the left leg (1), on the right one (-1), or on both (0).
pub(crate) fn standing(human: &Human, style: &Style, weight: f32) -> Sketch {
    let body = human.proportions();
    let leg = body.leg();
    let half = 0.5 * (0.2 + 0.5 * style.step_width).max(0.1) * leg;
    let list = 4f32.to_radians() * weight;
    let feet = Side::BOTH.map(|side| Foot {
        // The hips are a little ahead of the ankles.
        ankle: Vec3::new(side.sign() * half, body.foot.ankle_height, -0.045 * leg),
        yaw: side.sign() * (9f32.to_radians() + style.toe_out[side as usize]),
        ..Foot::default()
    });
    let arm = Arm {
        flexion: -3f32.to_radians(),
        abduction: 5f32.to_radians() + style.arm_abduction,
        rotation: 2f32.to_radians(),
        elbow: (18f32.to_radians() + 0.6 * style.elbow).max(0.08),
    };
    let lean = 0.5 * style.trunk_lean;
    let mut sketch = Sketch {
        root: Vec3::new(SHIFT * leg * weight, leg, 0.0),
        pelvis: Trunk { flexion: 0.0, bend: list, rotation: -2f32.to_radians() * weight },
        lumbar: Trunk { flexion: lean, bend: -0.8 * list, rotation: 1f32.to_radians() * weight },
        thorax: Trunk { flexion: lean, bend: -0.5 * list, rotation: 0.0 },
        head: Trunk {
            flexion: style.head_pitch - style.trunk_lean,
            bend: 0.25 * list,
            rotation: 0.0,
        },
        arms: [arm; 2],
        feet,
    };
    sketch.root.y = height(human, &sketch);
    sketch
}

/// As high as the longer leg lets the root be, with a knee that is not locked.
fn height(human: &Human, sketch: &Sketch) -> f32 {
    let body = human.proportions();
    let leg = 0.998 * REACH * (body.thigh + body.shank);
    let reached = Side::BOTH.map(|side| {
        let aside = side.sign() * body.hip_half_width;
        let hip = sketch.pelvis_rotation() * Vec3::new(aside, 0.0, 0.0);
        let ankle = sketch.feet[side as usize].ankle;
        let across = sketch.root + hip - ankle;
        let span = (leg * leg - across.x * across.x - across.z * across.z).max(0.0).sqrt();
        ankle.y + span - hip.y
    });
    reached[0].min(reached[1])
}
