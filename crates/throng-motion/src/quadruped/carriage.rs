//! What trunk, neck, head and tail do while the legs step.
//!
//! Hind quarters and fore quarters each ride on their own pair of legs: in a walk they rise over
//! every leg in the middle of its stance, one while the other sinks; in a trot they go up and down
//! together and are lowest when the legs are loaded. They turn towards the leg that reaches ahead,
//! and the back bends between them. Neck and head undo what the withers do, but for the nodding of a
//! walk, and the tail follows the hips late.

use std::f32::consts::TAU;

use glam::{Quat, Vec3A};

use super::body::Quadruped;
use super::law::{Gait, Timing};
use crate::contact::Paw;
use crate::pose::Pose;

/// The movements of a trunk over a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carriage<'q> {
    animal: &'q Quadruped,
    gait: Gait,
    timing: Timing,
    /// How far hips and withers go up and down from their middle, in metres.
    bounce: f32,
    /// How far they move to the side of the leg that carries.
    sway: f32,
    /// How far they turn.
    yaw: f32,
    roll: f32,
    /// How far the neck nods, in radians.
    nod: f32,
    /// By how much the neck sinks when the withers rise, in radians per metre.
    steady: f32,
}

impl<'q> Carriage<'q> {
    pub fn new(animal: &'q Quadruped, gait: Gait, timing: Timing, x: f32) -> Self {
        let (bones, manner) = (animal.proportions(), &animal.breed().manner);
        let h = bones.hip_height;
        // How far a turn of the neck moves the head up and down; upright necks move it little.
        // A fifth of a turn is made half way up the neck.
        let ahead = 0.9 * bones.neck * bones.neck_rise.cos();
        let ahead = ahead.max(0.3 * bones.neck);
        let nod = (0.5 * manner.nod * h / ahead).min(0.3);
        // Short strides move the body less.
        let lively = (x / 0.45).clamp(0.3, 1.0);
        match gait {
            Gait::Walk => Self {
                animal,
                gait,
                timing,
                bounce: 0.018 * h * lively,
                sway: 0.012 * h,
                yaw: manner.bend * lively,
                roll: 0.055 * lively,
                nod: nod * lively,
                steady: 1.0 / ahead,
            },
            Gait::Trot => Self {
                animal,
                gait,
                timing,
                bounce: 0.5 * h * (0.045 + 0.03 * (x - 0.6).clamp(0.0, 1.0)),
                sway: 0.005 * h,
                yaw: 0.4 * manner.bend,
                roll: 0.025,
                nod: 0.1 * nod,
                steady: 0.85 / ahead,
            },
        }
    }

    /// The animal at `phase` with legs at rest.
    pub fn pose(&self, phase: f32) -> Pose {
        let mut pose = Pose::rest(self.animal.skeleton());
        self.carry(phase, &mut pose);
        pose
    }

    /// Moves all but the legs of a `pose` at rest to where they are at `phase`.
    pub fn carry(&self, phase: f32, pose: &mut Pose) {
        let (animal, manner) = (self.animal, &self.animal.breed().manner);
        let bones = animal.proportions();
        let [hind, fore] = [Paw::LeftHind, Paw::LeftFore].map(|paw| {
            let strike = self.timing.strike(paw);
            let middle = strike + 0.5 * self.timing.duty(paw);
            let wave = (2.0 * TAU * (phase - middle)).cos();
            let rise = match self.gait {
                Gait::Walk => self.bounce * wave,
                Gait::Trot => -self.bounce * wave,
            };
            let reach = (TAU * (phase - strike)).cos();
            Quarter {
                rise,
                middle,
                yaw: -self.yaw * reach,
                roll: self.roll * (TAU * (phase - middle)).cos(),
                aside: self.sway * (TAU * (phase - middle)).cos(),
            }
        });
        let pitch = (fore.rise - hind.rise) / bones.trunk;
        let rest = pose.root;
        pose.root = rest + Vec3A::new(hind.aside, hind.rise, 0.0);
        let mut turn = |joint: crate::JointId, rotation: Quat| {
            pose.rotations[joint.index()] = rotation;
        };
        let pelvis = Quat::from_rotation_y(hind.yaw)
            * Quat::from_rotation_z(hind.roll)
            * Quat::from_rotation_x(-pitch);
        turn(animal.pelvis(), pelvis);
        // The withers are to be over their own legs, too.
        let drift = (fore.aside - hind.aside) / bones.trunk;
        let back = Quat::from_rotation_y(0.25 * (fore.yaw - hind.yaw + drift))
            * Quat::from_rotation_z(0.25 * (fore.roll - hind.roll));
        for joint in animal.spine() {
            turn(joint, back);
        }
        // Lowest when a fore leg pushes off; what the withers do is undone.
        let nodding = (2.0 * TAU * (phase - fore.middle - 0.11)).cos();
        let nod = self.nod * nodding + self.steady * fore.rise;
        for (joint, share) in animal.neck().into_iter().zip([0.8, 0.2]) {
            let steady = Quat::from_rotation_x(share * (pitch + nod))
                * Quat::from_rotation_y(-0.4 * (fore.yaw + drift))
                * Quat::from_rotation_z(-0.4 * fore.roll);
            turn(joint, steady);
        }
        turn(animal.head(), Quat::from_rotation_x(-0.7 * nod));
        for (index, joint) in animal.tail().into_iter().enumerate() {
            let late = phase - 0.12 * index as f32;
            let sway = manner.tail_sway * if index == 0 { 0.6 } else { 0.4 };
            let aside = -0.5 * hind.yaw + sway * (TAU * late).sin();
            let lift = match self.gait {
                Gait::Walk => 0.02,
                Gait::Trot => 0.06,
            } * (2.0 * TAU * late).sin();
            let curl = if index == 0 { 0.0 } else { manner.tail_curl / 3.0 };
            turn(joint, Quat::from_rotation_y(aside) * Quat::from_rotation_x(curl + lift));
        }
    }
}

/// What the hind quarters or the fore quarters do.
#[derive(Clone, Copy)]
struct Quarter {
    rise: f32,
    /// The phase of the middle of stance of the left leg.
    middle: f32,
    yaw: f32,
    roll: f32,
    aside: f32,
}
