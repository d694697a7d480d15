//! Everything that an animal can do on its way, at any speed.
//!
//! A clip has one speed. An animal that follows somebody has another in every frame, so what is kept
//! here are not poses but how the legs step: how long strides are, how long feet stand, where they
//! are set down. It is found for a handful of speeds of each gait, which takes a while, and lies
//! between them at all others.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use thiserror::Error;

use super::body::Quadruped;
use super::law::{Gait, speed_number};
use super::legs::Folding;
use super::path::PawPath;
use super::steady::{GaitError, Plan, Steady};
use crate::carpet::{CarpetError, CarpetOptions, Foot, Footprint, Rig, SolePoint};
use crate::contact::Paw;
use crate::pose::Pose;

/// Speeds of each gait that are tried.
const SPEEDS: usize = 6;
/// How far an animal keeps to the vertical: legs stay below hips and shoulders, and the trunk is as steep
/// as the ground between them. Leaning with the ground would fold its back in every hollow.
const UPRIGHT: f32 = 1.0;
/// Rows of a carpet are this part of the hips' height apart, within these bounds in metres: finer ones
/// cost more and follow every pebble, coarser ones pass over steps.
const SPACING: f32 = 0.22;
const SPACINGS: [f32; 2] = [0.06, 0.18];
/// How many rows away the carpet has a say.
const FOOTPRINT: f32 = 3.5;
/// How much faster than the fastest trot an animal hurries.
const HURRY: f32 = 1.15;

/// Everything that an animal of one look can do on its way: made once, used by reference for all.
///
/// ```
/// use throng_motion::quadruped::{Gaits, Quadruped};
///
/// let dog = Gaits::new(&Quadruped::dog())?;
/// assert!((3.0..5.0).contains(&dog.fastest()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gaits {
    animal: Quadruped,
    rig: Arc<Rig>,
    carpet: CarpetOptions,
    rest: Pose,
    walks: Vec<Stepping>,
    trots: Vec<Stepping>,
}

/// Why an animal can do nothing.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GaitsError {
    #[error(transparent)]
    Gait(#[from] GaitError),
    #[error(transparent)]
    Carpet(#[from] CarpetError),
}

impl Gaits {
    /// What `animal` can do.
    ///
    /// # Errors
    ///
    /// If its legs are too short or too stiff for some speed, or no carpet carries it.
    pub fn new(animal: &Quadruped) -> Result<Self, GaitsError> {
        let table = |gait| -> Result<Vec<Stepping>, GaitError> {
            (0..SPEEDS).map(|index| Stepping::of(animal, gait, index)).collect()
        };
        Ok(Self {
            animal: animal.clone(),
            rig: Arc::new(rig(animal)?),
            carpet: carpet(animal),
            rest: Pose::rest(animal.skeleton()),
            walks: table(Gait::Walk)?,
            trots: table(Gait::Trot)?,
        })
    }

    /// Whose gaits they are.
    pub fn animal(&self) -> &Quadruped {
        &self.animal
    }

    /// What carpets carry.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// What carpets under it are like.
    pub fn carpet(&self) -> &CarpetOptions {
        &self.carpet
    }

    /// The fastest that it gets, in m/s. Whoever is told to be faster falls behind.
    pub fn fastest(&self) -> f32 {
        HURRY * self.trots.last().map_or(0.0, |last| last.speed)
    }

    pub(super) fn rest(&self) -> &Pose {
        &self.rest
    }

    /// How it steps in a gait at a speed, which may be beyond what is usual for the gait: who is slower
    /// takes shorter steps, who is faster more of them.
    pub(super) fn stepping(&self, gait: Gait, speed: f32) -> Stepping {
        let table = match gait {
            Gait::Walk => &self.walks,
            Gait::Trot => &self.trots,
        };
        let next = table.partition_point(|entry| entry.speed < speed).clamp(1, SPEEDS - 1);
        let (below, above) = (&table[next - 1], &table[next]);
        let part = ((speed - below.speed) / (above.speed - below.speed)).clamp(0.0, 1.0);
        let mut between = below.lerp(above, part);
        if speed < below.speed {
            between.stride = speed / between.frequency;
        } else {
            between.frequency = speed / between.stride;
        }
        Stepping { speed, ..between }
    }
}

/// How legs step at a speed. Pairs are of the hind and of the fore feet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepping {
    /// In m/s.
    pub speed: f32,
    /// Strides in a second.
    pub frequency: f32,
    /// In metres.
    pub stride: f32,
    /// When a fore foot strikes after the hind foot of its side.
    pub lag: f32,
    /// The part of a cycle that feet stand.
    pub duty: [f32; 2],
    /// Where the tips of the left feet are in the middle of stance, to the left and ahead of the root.
    pub middle: [Vec2; 2],
    clearance: f32,
    roll_off: f32,
    hang: f32,
    pub folding: Folding,
    /// How far the body comes down so that all legs reach.
    pub lowering: f32,
}

impl Stepping {
    fn of(animal: &Quadruped, gait: Gait, index: usize) -> Result<Self, GaitError> {
        let [least, most] = Steady::speeds(animal, gait);
        let speed = least + (most - least) * index as f32 / (SPEEDS - 1) as f32;
        let x = speed_number(speed, animal.proportions().hip_height);
        let plan =
            Plan::new(animal, gait, x).ok_or(GaitError::Reach { gait: gait.name(), speed })?;
        let [hind, fore] = [Paw::LeftHind, Paw::LeftFore].map(|paw| plan.paths[paw as usize]);
        let middle = |path: PawPath| Vec2::new(path.middle.x, path.middle.z);
        Ok(Self {
            speed,
            frequency: speed / plan.stride,
            stride: plan.stride,
            lag: fore.strike,
            duty: [hind.duty, fore.duty],
            middle: [middle(hind), middle(fore)],
            clearance: hind.clearance,
            roll_off: hind.roll_off,
            hang: hind.hang,
            folding: plan.folding,
            lowering: plan.lowering,
        })
    }

    /// A part of the way to `other`.
    pub fn lerp(&self, other: &Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + part * (b - a);
        let both = |a: [f32; 2], b: [f32; 2]| [mix(a[0], b[0]), mix(a[1], b[1])];
        Self {
            speed: mix(self.speed, other.speed),
            frequency: mix(self.frequency, other.frequency),
            stride: mix(self.stride, other.stride),
            lag: mix(self.lag, other.lag),
            duty: both(self.duty, other.duty),
            middle: [0, 1].map(|pair| self.middle[pair].lerp(other.middle[pair], part)),
            clearance: mix(self.clearance, other.clearance),
            roll_off: mix(self.roll_off, other.roll_off),
            hang: mix(self.hang, other.hang),
            folding: Folding {
                carpus: mix(self.folding.carpus, other.folding.carpus),
                hock: mix(self.folding.hock, other.folding.hock),
            },
            lowering: mix(self.lowering, other.lowering),
        }
    }

    /// When a foot strikes: the left hind foot begins.
    pub fn strike(&self, paw: Paw) -> f32 {
        paw.side().choose(0.0, 0.5) + if paw.is_fore() { self.lag } else { 0.0 }
    }

    /// The part of a cycle that a foot stands.
    pub fn duty(&self, paw: Paw) -> f32 {
        self.duty[usize::from(paw.is_fore())]
    }

    /// Where the tip of a foot is in the middle of stance, from the root.
    pub fn middle(&self, paw: Paw) -> Vec3 {
        let Vec2 { x, y } = self.middle[usize::from(paw.is_fore())];
        Vec3::new(paw.side().sign() * x, 0.0, y)
    }

    /// The way of a foot as it would be at this speed for ever.
    pub fn path(&self, animal: &Quadruped, paw: Paw) -> PawPath {
        PawPath {
            strike: self.strike(paw).rem_euclid(1.0),
            duty: self.duty(paw),
            stride: self.stride,
            middle: self.middle(paw),
            clearance: self.clearance,
            roll_off: self.roll_off,
            hang: self.hang,
            shape: animal.paw_shape(paw),
        }
    }
}

/// The feet of an animal: what is above a hock or a carpus bends, what is below moves along.
fn rig(animal: &Quadruped) -> Result<Rig, CarpetError> {
    let foot = |paw: Paw| {
        let end = animal.paw(paw);
        let (first, middle, pole) = if paw.is_fore() {
            let joints = animal.fore(paw.side());
            (joints.shoulder, joints.elbow, Vec3::NEG_Z)
        } else {
            let joints = animal.hind(paw.side());
            (joints.hip, joints.stifle, Vec3::Z)
        };
        let tip = animal.tip(paw);
        let corner = |offset| SolePoint { joint: end, offset, radius: 0.0 };
        // What lies below the joint is no heel, but it must not sink in either.
        let sole = vec![corner(tip.with_z(0.0)), corner(tip)];
        Foot { first, middle, end, pole, ahead: Vec3::Z, sole, pivot: 1 }
    };
    let height = animal.proportions().shoulder_height;
    Rig::new(animal.skeleton().clone(), Paw::ALL.map(foot).to_vec(), height, UPRIGHT)
}

/// A carpet that reaches as far as the animal does.
fn carpet(animal: &Quadruped) -> CarpetOptions {
    let h = animal.proportions().hip_height;
    let [least, most] = SPACINGS;
    let spacing = (SPACING * h).clamp(least, most);
    let away = |at: &Vec3| Vec2::new(at.x, at.z).length();
    let joints = (0..animal.skeleton().len()).map(crate::JointId::new);
    let farthest = joints.map(|joint| away(&animal.at(joint))).fold(0.0, f32::max);
    let footprint = FOOTPRINT * spacing;
    CarpetOptions {
        spacing,
        footprint: Footprint::Radius(footprint),
        reach: (farthest + 0.2 * h + footprint).min(5.0),
        ..CarpetOptions::default()
    }
}
