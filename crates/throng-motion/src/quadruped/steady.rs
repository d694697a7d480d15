//! Clips of steady gaits.
//!
//! The law of strides says how far a step goes and the paws' paths where feet stand; whether legs
//! reach that far is found out here. Feet are set ahead or back so that the legs reach best; the
//! body comes down a little if they do not reach even so, and strides are shortened (and hastened)
//! if it would come down too far. Feet stand still in any case.

use glam::Vec3;
use thiserror::Error;

use super::body::Quadruped;
use super::carriage::Carriage;
use super::law::{Gait, Timing, speed_number};
use super::legs::{self, Folding};
use super::path::PawPath;
use crate::clip::{Clip, ClipError, ClipKind, ClipParts};
use crate::contact::{Contacts, Paw, Side, Span};
use crate::motion::{Motion, MotionError};
use crate::pose::{ModelPose, Pose};
use crate::root::{RootMotion, RootTrack};

/// A gait straight ahead at a constant speed.
///
/// ```
/// use throng_motion::quadruped::{Gait, Quadruped, Steady};
///
/// let horse = Quadruped::horse();
/// let trot = Steady { gait: Some(Gait::Trot), ..Steady::ahead(3.5) }.clip(&horse)?;
/// assert!((trot.speed() - 3.5).abs() < 1e-3);
/// assert!((0.65..0.9).contains(&trot.period()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// In metres per second.
    pub speed: f32,
    /// Walking or trotting; by default what animals do at this speed.
    pub gait: Option<Gait>,
}

/// Why there is no such gait.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GaitError {
    #[error("no {gait} has {speed} m/s; this animal can do {least:.2} to {most:.2} m/s")]
    Speed { gait: &'static str, speed: f32, least: f32, most: f32 },
    #[error("the legs of this animal are too short or too stiff for a {gait} of {speed} m/s")]
    Reach { gait: &'static str, speed: f32 },
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl From<MotionError> for GaitError {
    fn from(error: MotionError) -> Self {
        Self::Clip(error.into())
    }
}

/// The body comes down at most by this part of the hips' height before strides are shortened.
const LOWEST: f32 = 0.06;
/// Strides are shortened at most to this part of what the law says.
const SHORTEST: f32 = 0.3;
/// The body moves at most this far from one frame to the next, in metres: at twice as much, the feet
/// of a trotting horse slide by more than half a millimetre between frames.
const FRAME: f32 = 0.018;
/// Samples of a stance that are tried for reach.
const TRIED: usize = 24;

impl Steady {
    /// The gait that animals have at `speed` metres per second.
    pub fn ahead(speed: f32) -> Self {
        Self { speed, gait: None }
    }

    /// The speeds at which `animal` has a gait, from the slowest to the fastest, in metres per
    /// second.
    pub fn speeds(animal: &Quadruped, gait: Gait) -> [f32; 2] {
        let scale = speed_number(1.0, animal.proportions().hip_height).recip();
        gait.speed_numbers().map(|x| x * scale)
    }

    /// A cycle of it, beginning at the strike of the left hind foot.
    ///
    /// # Errors
    ///
    /// If no animal of this size moves like that.
    pub fn clip(&self, animal: &Quadruped) -> Result<Clip, GaitError> {
        let x = speed_number(self.speed, animal.proportions().hip_height);
        let gait = self.gait.unwrap_or_else(|| Gait::at(x));
        let [least, most] = Self::speeds(animal, gait);
        // NaN is in no range.
        if !(least..=most).contains(&self.speed) {
            return Err(GaitError::Speed { gait: gait.name(), speed: self.speed, least, most });
        }
        let plan = Plan::new(animal, gait, x)
            .ok_or(GaitError::Reach { gait: gait.name(), speed: self.speed })?;
        let period = plan.stride / self.speed;
        // Between frames joints turn evenly, which lets a standing foot slide by more the farther the
        // body gets from one to the next; an even number, so that both halves have the same frames.
        let frames = (60.0 * period).max(plan.stride / FRAME);
        let count = ((0.5 * frames).round() as usize * 2).clamp(48, 240);
        let poses: Vec<Pose> =
            (0..count).map(|index| plan.pose(index as f32 / count as f32)).collect();
        let name = format!("{} {:.2}", gait.name(), self.speed);
        let rate = count as f32 / period;
        let motion = Motion::from_poses(name, animal.skeleton().clone(), rate, &poses)?;
        let total = RootMotion { translation: plan.stride * Vec3::Z, yaw: 0.0 };
        Ok(Clip::new(ClipParts {
            kind: match gait {
                Gait::Walk => ClipKind::Walk,
                Gait::Trot => ClipKind::Run,
            },
            motion,
            root: RootTrack::steady(total, count + 1),
            contacts: plan.contacts(),
            looped: true,
        })?)
    }
}

/// A gait that an animal's legs can do.
pub(super) struct Plan<'q> {
    animal: &'q Quadruped,
    timing: Timing,
    carriage: Carriage<'q>,
    pub folding: Folding,
    pub paths: [PawPath; 4],
    /// In metres.
    pub stride: f32,
    /// How far the body comes down so that all legs reach.
    pub lowering: f32,
}

impl<'q> Plan<'q> {
    /// The longest strides that the law allows and the legs reach.
    pub fn new(animal: &'q Quadruped, gait: Gait, x: f32) -> Option<Self> {
        let manner = &animal.breed().manner;
        let h = animal.proportions().hip_height;
        let timing = Timing::of(gait, x, manner.hind_lead);
        let carriage = Carriage::new(animal, gait, timing, x);
        let pace = match gait {
            Gait::Walk => 0,
            Gait::Trot => 1,
        };
        let folding = Folding { carpus: manner.carpus[pace], hock: manner.hock[pace] };
        let attempt = |share: f32| {
            let stride = share * timing.stride * h;
            // Short steps hardly lift the feet.
            let short = (stride / (1.2 * h)).clamp(0.35, 1.0);
            let paths = Paw::ALL.map(|paw| path(animal, gait, &timing, paw, stride, short));
            let folding = Folding { carpus: short * folding.carpus, hock: short * folding.hock };
            let mut plan = Self { animal, timing, carriage, folding, paths, stride, lowering: 0.0 };
            plan.lowering = plan.settle()?;
            (plan.lowering <= LOWEST * h && plan.folds()).then_some(plan)
        };
        if let Some(plan) = attempt(1.0) {
            return Some(plan);
        }
        let (mut shorter, mut longer) = (SHORTEST, 1.0);
        let mut best = attempt(shorter)?;
        for _ in 0..10 {
            let middle = 0.5 * (shorter + longer);
            match attempt(middle) {
                Some(plan) => (shorter, best) = (middle, plan),
                None => longer = middle,
            }
        }
        Some(best)
    }

    /// Sets the feet where legs reach best, and says how far the body must come down; nothing if a
    /// leg cannot reach.
    fn settle(&mut self) -> Option<f32> {
        let h = self.animal.proportions().hip_height;
        let mut lowering = 0f32;
        for paw in [Paw::LeftHind, Paw::LeftFore] {
            let path = self.paths[paw as usize];
            let models: Vec<(f32, ModelPose)> = (0..TRIED)
                .map(|sample| {
                    let phase = tried(&path, sample);
                    let pose = self.carriage.pose(phase);
                    (phase, ModelPose::of(self.animal.skeleton(), &pose))
                })
                .collect();
            let needed = |shift: f32| {
                let moved = PawPath { middle: path.middle + shift * Vec3::Z, ..path };
                models.iter().try_fold(0f32, |most, (phase, model)| {
                    let at = moved.at(*phase);
                    let more = legs::shortfall(self.animal, model, paw, &at, self.folding)?;
                    Some(most.max(more))
                })
            };
            let best = (-12..=12)
                .filter_map(|step: i32| {
                    let shift = 0.02 * step as f32 * h;
                    // No farther from where the animal stands than is of use.
                    needed(shift).map(|needed| (shift, needed, needed + 0.06 * shift.abs()))
                })
                .min_by(|a, b| a.2.total_cmp(&b.2))?;
            lowering = lowering.max(best.1);
            for side in Side::BOTH {
                let paw = if paw.is_fore() { Paw::fore(side) } else { Paw::hind(side) };
                self.paths[paw as usize].middle.z += best.0;
            }
        }
        // A little more than what was found between samples.
        Some(if lowering > 0.0 { lowering + 0.003 * h } else { 0.0 })
    }

    /// Whether the legs that stand can be folded as far as the body comes down.
    fn folds(&self) -> bool {
        [Paw::LeftHind, Paw::LeftFore].into_iter().all(|paw| {
            let path = &self.paths[paw as usize];
            (0..TRIED).all(|sample| {
                let phase = tried(path, sample);
                let model = ModelPose::of(self.animal.skeleton(), &self.carriage.pose(phase));
                let at = path.at(phase);
                legs::folds(self.animal, &model, paw, &at, self.folding, self.lowering)
            })
        })
    }

    fn pose(&self, phase: f32) -> Pose {
        let mut pose = self.carriage.pose(phase);
        pose.root.y -= self.lowering;
        let model = ModelPose::of(self.animal.skeleton(), &pose);
        for paw in Paw::ALL {
            let at = self.paths[paw as usize].at(phase);
            legs::place(self.animal, &model, paw, &at, self.folding, &mut pose);
        }
        pose
    }

    fn contacts(&self) -> Contacts {
        let of = |paw: Paw| {
            let strike = self.timing.strike(paw);
            vec![Span::between(strike, strike + self.timing.duty(paw))]
        };
        Contacts {
            left: of(Paw::LeftHind),
            right: of(Paw::RightHind),
            fore: [of(Paw::LeftFore), of(Paw::RightFore)],
        }
    }
}

/// The phase of a sample of stance: all of it but its very ends.
fn tried(path: &PawPath, sample: usize) -> f32 {
    path.strike + path.duty * (sample as f32 + 0.02) / (TRIED as f32 - 0.96)
}

/// The way of a paw, from where the animal stands.
fn path(
    animal: &Quadruped,
    gait: Gait,
    timing: &Timing,
    paw: Paw,
    stride: f32,
    short: f32,
) -> PawPath {
    let h = animal.proportions().hip_height;
    let manner = &animal.breed().manner;
    let stands = animal.at(animal.paw(paw)) + animal.tip(paw);
    let (track, clearance, hang) = match gait {
        Gait::Walk => (0.075, 0.065, 0.40),
        Gait::Trot => (0.045, 0.085, 0.55),
    };
    let aside = (track * h).min(stands.x.abs());
    PawPath {
        strike: timing.strike(paw),
        duty: timing.duty(paw),
        stride,
        middle: Vec3::new(paw.side().sign() * aside, 0.0, stands.z),
        clearance: clearance * h * short,
        roll_off: manner.roll_off * short,
        hang: hang * short,
        shape: animal.paw_shape(paw),
    }
}
