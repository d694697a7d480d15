//! An animal that stands about.

use std::f32::consts::TAU;

use glam::{Quat, Vec3A};

use super::body::Quadruped;
use super::legs::{self, Folding};
use super::path::PawPath;
use super::steady::GaitError;
use crate::clip::{Clip, ClipKind, ClipParts};
use crate::contact::{Contacts, Paw, Side, Span};
use crate::motion::Motion;
use crate::pose::{ModelPose, Pose};
use crate::root::RootTrack;

/// Standing still on all four feet, breathing, looking about, with a tail that is never quite
/// still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// How far it looks to each side, in radians.
    pub look: f32,
    /// How much it moves its tail, as a multiple of what its breed does on the way.
    pub tail: f32,
}

impl Default for Stand {
    fn default() -> Self {
        Self { look: 0.35, tail: 1.5 }
    }
}

/// Seconds until it begins anew: two looks, some breaths.
pub(super) const PERIOD: f32 = 8.0;
const RATE: f32 = 30.0;
const BREATHS: f32 = 3.0;
const TAIL_BEATS: f32 = 5.0;

impl Stand {
    /// A cycle of it.
    ///
    /// # Errors
    ///
    /// Never for animals that exist; clips are checked.
    pub fn clip(&self, animal: &Quadruped) -> Result<Clip, GaitError> {
        let count = (PERIOD * RATE) as usize;
        let poses: Vec<Pose> =
            (0..count).map(|frame| self.pose(animal, frame as f32 / count as f32)).collect();
        let motion = Motion::from_poses("stand", animal.skeleton().clone(), RATE, &poses)?;
        let always = vec![Span { start: 0.0, length: 1.0 }];
        Ok(Clip::new(ClipParts {
            kind: ClipKind::Stand,
            motion,
            root: RootTrack::still(count + 1),
            contacts: Contacts {
                left: always.clone(),
                right: always.clone(),
                fore: [always.clone(), always],
            },
            looped: true,
        })?)
    }

    fn pose(&self, animal: &Quadruped, phase: f32) -> Pose {
        let mut pose = Pose::rest(animal.skeleton());
        self.carry(animal, phase, &mut pose);
        let model = ModelPose::of(animal.skeleton(), &pose);
        for paw in Paw::ALL {
            let tip = animal.at(animal.paw(paw)) + animal.tip(paw);
            let at = PawPath::standing(tip, animal.paw_shape(paw));
            let folding = Folding { carpus: 0.0, hock: 0.0 };
            legs::place(animal, &model, paw, &at, folding, &mut pose);
        }
        pose
    }

    /// Moves all but the legs of a `pose` at rest to where they are at `phase`.
    pub(super) fn carry(&self, animal: &Quadruped, phase: f32, pose: &mut Pose) {
        let (bones, manner) = (animal.proportions(), &animal.breed().manner);
        let h = bones.hip_height;
        let breath = (BREATHS * TAU * phase).sin();
        let shift = (TAU * phase).sin();
        // Knees that are bent a little can give way to either side.
        pose.root += Vec3A::new(0.012 * h * shift, -0.012 * h + 0.002 * h * breath, 0.0);
        let mut turn = |joint: crate::JointId, rotation: Quat| {
            pose.rotations[joint.index()] = rotation;
        };
        turn(animal.pelvis(), Quat::from_rotation_z(0.012 * shift));
        for joint in animal.spine() {
            turn(joint, Quat::from_rotation_x(-0.0015 * breath));
        }
        let look = if self.look.is_finite() { self.look.clamp(0.0, 1.2) } else { 0.0 };
        // To one side, back, and to the other, with rests between.
        let aside = look * (TAU * phase).sin().powi(3);
        let up = 0.06 * (2.0 * TAU * phase).cos();
        for joint in animal.neck() {
            turn(joint, Quat::from_rotation_y(0.25 * aside) * Quat::from_rotation_x(-0.4 * up));
        }
        turn(animal.head(), Quat::from_rotation_y(0.5 * aside));
        for (side, lag) in Side::BOTH.into_iter().zip([0.0, 0.31]) {
            let flick = (2.0 * TAU * (phase - lag)).sin().max(0.0).powi(8);
            turn(animal.ear(side), Quat::from_rotation_y(0.35 * side.sign() * flick));
        }
        let wag = if self.tail.is_finite() { self.tail.clamp(0.0, 5.0) } else { 0.0 };
        for (index, joint) in animal.tail().into_iter().enumerate() {
            let late = TAIL_BEATS * phase - 0.1 * index as f32;
            let aside = 0.4 * wag * manner.tail_sway * (TAU * late).sin();
            let curl = if index == 0 { 0.0 } else { manner.tail_curl / 3.0 };
            turn(joint, Quat::from_rotation_y(aside) * Quat::from_rotation_x(curl));
        }
    }
}
