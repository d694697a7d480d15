//! Turning on the spot: two steps for a quarter of a turn.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Quat, Vec3};

use super::foot::Sole;
use super::sketch::Sketch;
use super::smooth::smoothstep;
use super::stand::standing;
use super::steady::GaitError;
use super::steps::{FootTrack, Hold, Manner, settle};
use super::style::Style;
use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Side, Span};
use crate::human::Human;
use crate::motion::Motion;
use crate::pose::Pose;
use crate::root::{RootMotion, RootTrack};

/// A turn to the left on the spot, as a loop of a quarter of a turn; mirror the clip for turns to
/// the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// How the person deviates from the average.
    pub style: Style,
}

/// A quarter of a turn takes as long as people take at 65° per second.
const PERIOD: f32 = 1.4;
const FRAMES: usize = 84;
/// The part of the cycle that a foot stands.
const DUTY: f32 = 0.64;

/// Feet that are lifted and put down nearly flat.
struct Shuffle {
    lift: f32,
}

impl Manner for Shuffle {
    fn stance(&self, _since: f32, before: f32) -> (f32, f32) {
        (-14f32.to_radians() * (1.0 - smoothstep(before / 0.16)), 0.0)
    }

    fn swing(&self, swing: f32) -> (Vec3, f32, f32) {
        let up = self.lift * (PI * swing).sin().powi(2);
        let pitch = -14f32.to_radians() * (1.0 - smoothstep(swing / 0.6));
        (Vec3::Y * up, pitch, -pitch * (1.0 - smoothstep(swing / 0.3)))
    }
}

impl Turning {
    /// The clip, in which the inner foot opens and the outer one follows.
    ///
    /// # Errors
    ///
    /// If no body can have that style.
    pub fn clip(&self, human: &Human) -> Result<Clip, GaitError> {
        if let Some((name, value)) = self.style.fault() {
            return Err(GaitError::Style { name, value });
        }
        let leg = human.proportions().leg();
        let manner = Shuffle { lift: 0.055 * leg };
        let rate = FRAC_PI_2 / PERIOD;
        let feet = Side::BOTH.map(|side| FootTrack {
            holds: holds(human, side),
            sole: Sole::new(&human.proportions().foot),
            manner: &manner,
        });
        let rest = standing(human, &self.style, 0.0);
        let mut sketches: Vec<Sketch> = (0..FRAMES)
            .map(|frame| {
                let at = frame as f32 / FRAMES as f32;
                let time = PERIOD * at;
                let mut sketch = rest;
                // The weight is on whichever foot stands alone: left after the right one left.
                let weight = (TAU * (at - 0.07)).sin();
                sketch.root.x = 0.030 * leg * weight;
                sketch.pelvis.bend = 2f32.to_radians() * weight;
                sketch.lumbar.bend = -1.5f32.to_radians() * weight;
                sketch.pelvis.rotation = 3f32.to_radians() * (TAU * at).cos();
                // Head and chest lead.
                sketch.thorax.rotation = 4f32.to_radians();
                sketch.head.rotation = 12f32.to_radians();
                sketch.root.y -= 0.004 * leg;
                for (side, foot) in feet.iter().enumerate() {
                    sketch.feet[side] = foot.at(time).seen_from(Vec3::ZERO, rate * time);
                }
                sketch
            })
            .collect();
        settle(human, &mut sketches, true, |_, _| true);
        let poses: Vec<Pose> = sketches.iter().map(|sketch| sketch.pose(human)).collect();
        let fps = FRAMES as f32 / PERIOD;
        let motion = Motion::from_poses("turn left", human.skeleton().clone(), fps, &poses)?;
        let total = RootMotion { translation: Vec3::ZERO, yaw: FRAC_PI_2 };
        let stance = |start: f32| vec![Span::between(start, start + DUTY)];
        Ok(Clip::new(ClipParts {
            kind: ClipKind::Turn,
            motion,
            root: RootTrack::steady(total, FRAMES + 1),
            contacts: Contacts::two([stance(0.0), stance(0.5)]),
            looped: true,
        })?)
    }
}

/// Where a foot stands: in the middle of its stance it is beside the root as it then is turned.
fn holds(human: &Human, side: Side) -> Vec<Hold> {
    let body = human.proportions();
    let beside =
        Vec3::new(side.sign() * 0.095 * body.leg(), body.foot.ankle_height, -0.045 * body.leg());
    let strike = side.choose(0.0, 0.5);
    (-2..=2)
        .map(|cycle| {
            let land = strike + cycle as f32;
            let yaw = FRAC_PI_2 * (land + 0.5 * DUTY);
            // Feet point outwards, or the toes would meet when the outer foot closes up.
            let out = side.sign() * 17f32.to_radians();
            Hold {
                land: land * PERIOD,
                lift: (land + DUTY) * PERIOD,
                at: Quat::from_rotation_y(yaw) * beside,
                yaw: yaw + out,
            }
        })
        .collect()
}
