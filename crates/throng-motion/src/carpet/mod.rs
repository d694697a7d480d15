//! Carpet unrolling: one flat, straight cycle becomes a body that walks along any way over any ground.
//!
//! After M. Miller, D. Holden, R. Al-Ashqar, C. Dubach, K. Mitchell and T. Komura, "Carpet unrolling for character
//! control on uneven terrain" (2015). A carpet is a lattice of points under somebody. Over the flat carpet every joint of
//! the body is related to the points near it; then the carpet is bent along the way and laid on the ground, and takes the
//! joints along. Nobody says which foot is where: slopes, dunes and stairs go through the same few equations, and so
//! do bodies with two legs and with four.
//!
//! There are two ways to use it:
//!
//! - **On a line.** A [`Cycle`] and a path: [`Character::on_line`] bends the carpet along the path, and
//!   [`Character::advance`] moves the body along it. How joints relate to the carpet is tabled once per clip.
//! - **On the world.** Something else moves the body over a flat world: [`Character::on_world`] keeps the carpet where the
//!   world is, and [`Character::show`] takes finished poses. What stands still there stands still on the ground.
//!
//! [`step`] then brings any number of characters to where their carpets want them.
//!
//! ```
//! use std::sync::Arc;
//! use throng_base::ground::Relief;
//! use throng_motion::carpet::{self, CarpetOptions, Character, Rig};
//! use throng_motion::{Human, Pose, Proportions, RootMotion};
//!
//! let human = Human::new(Proportions::default())?;
//! let rig = Arc::new(Rig::human(human.skeleton(), None)?);
//! let mut characters = [Character::on_world(rig, CarpetOptions::default())?];
//! let hill = Relief(|place: glam::Vec2| 0.2 * place.y);
//! characters[0].show(&Pose::rest(human.skeleton()), RootMotion::default(), &[]);
//! carpet::step(&mut characters, &hill, 0.04);
//! assert!(characters[0].pose().root.is_finite());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What differs from the publication is said where it differs: [`Footprint`], [`Affinity`], [`Mode`], [`Advice`].

mod batch;
mod bones;
mod centre_line;
mod character;
mod descriptor;
mod dynamics;
mod feet;
mod frames;
mod line;
pub mod measure;
mod relation;
mod resized;
mod rig;
mod rotations;
mod sums;
mod target;
mod window;

pub use batch::{Stage, Timings, step, step_timed};
pub use bones::Residual;
pub use centre_line::{CentreLine, Nurbs};
pub use character::{Character, Report};
pub use descriptor::Frame;
pub use dynamics::{Mode, Spring};
pub use feet::{Analytic, FootGoal, LegSolver};
pub use line::Advice;
pub use relation::{
    Cycle, CycleParts, Extent, Footprint, Say, Weighting, nearest_distance, relate,
};
pub use resized::Resized;
pub use rig::{Foot, Rig, SolePoint};
pub use target::Affinity;
pub use window::{Condition, Window};

use thiserror::Error;

/// What a carpet is like. The defaults suit people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarpetOptions {
    /// Rows of cells (`n`) of a carpet on a line. Of these, those are laid that the cycle's joints relate to.
    pub rows: u16,
    /// Columns of cells (`m`); an even number.
    pub columns: u16,
    /// From row to row, m, before it is made to fit a cycle.
    pub spacing: f32,
    /// How much of the length is behind the body, m.
    pub back: f32,
    /// How far a carpet on the world reaches to all sides, m.
    pub reach: f32,
    /// How far descriptors have a say.
    pub footprint: Footprint,
    /// The least cosine between a descriptor's normal and the direction to a joint that counts.
    pub weight_floor: f32,
    /// How joints get to where the carpet wants them.
    pub spring: Spring,
    /// How much joints hold their places.
    pub affinity: Affinity,
    /// The least that a joint holds its place.
    pub affinity_floor: f32,
    /// Bones are as long as they should be to within this, m.
    pub tolerance: f32,
    /// How often they are put right at most.
    pub iterations: u32,
    /// How much faster than the body the outer side of a bend moves at most (`g_max`).
    pub gain: f32,
    /// How far aside that is, m (`v_max`). With `gain`, it sets the sharpest bend.
    pub half_width: f32,
    /// The steepest that a carpet gets, radians.
    pub steepest: f32,
}

impl Default for CarpetOptions {
    fn default() -> Self {
        Self {
            rows: 24,
            columns: 8,
            spacing: 0.1,
            back: 0.9,
            reach: 0.9,
            footprint: Footprint::Radius(0.35),
            weight_floor: 0.05,
            spring: Spring::default(),
            affinity: Affinity::default(),
            affinity_floor: 0.05,
            tolerance: 1e-3,
            iterations: 24,
            gain: 1.5,
            half_width: 0.35,
            steepest: 50f32.to_radians(),
        }
    }
}

impl CarpetOptions {
    /// How weights follow from distances in a body of this height.
    pub fn weighting(&self, height: f32) -> Weighting {
        Weighting { footprint: self.footprint, floor: self.weight_floor, height }
    }

    /// The sharpest bend, 1/m.
    pub fn sharpest(&self) -> f32 {
        ((self.gain - 1.0) / self.half_width).clamp(0.01, 100.0)
    }

    fn check(&self) -> Result<(), CarpetError> {
        let inside = |what, value: f32, least: f32, most: f32| {
            let fits = value.is_finite() && (least..=most).contains(&value);
            if fits { Ok(()) } else { Err(CarpetError::Option { what, value, least, most }) }
        };
        inside("rows", f32::from(self.rows), 4.0, 256.0)?;
        inside("columns", f32::from(self.columns), 2.0, 64.0)?;
        inside("spacing", self.spacing, 0.02, 1.0)?;
        inside("back", self.back, 0.0, f32::from(self.rows) * self.spacing)?;
        inside("reach", self.reach, 2.0 * self.spacing, 5.0)?;
        if let Footprint::Radius(radius) = self.footprint {
            inside("footprint", radius, self.spacing, 5.0)?;
        }
        inside("weight_floor", self.weight_floor, 1e-4, 1.0)?;
        inside("affinity_floor", self.affinity_floor, 0.0, 1.0)?;
        inside("tolerance", self.tolerance, 1e-6, 1.0)?;
        inside("gain", self.gain, 1.01, 20.0)?;
        inside("half_width", self.half_width, 0.01, 5.0)?;
        inside("steepest", self.steepest, 0.05, 1.4)?;
        inside("elasticity", self.spring.elasticity, 0.0, 1000.0)
    }
}

/// Why there is no such carpet.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CarpetError {
    #[error("the skeleton has no legs that could be found; name its landmarks in a mapping")]
    NoLegs,
    #[error("foot {foot} names joints that do not hang from one another, or has no sole")]
    Foot { foot: usize },
    #[error("the body is {height} m tall; write a positive number")]
    Height { height: f32 },
    #[error("a cycle needs frames of the rig's skeleton, all of them finite")]
    Frames,
    #[error("a cycle that leads {travel} m ahead fits no carpet; give between 0 and 100")]
    Travel { travel: f32 },
    #[error("a cycle that takes {period} s is none; write a positive number")]
    Period { period: f32 },
    #[error("rows cannot be {spacing} m apart; give between 0.02 and 1")]
    Spacing { spacing: f32 },
    #[error(
        "clip \"{clip}\" is not looped or turns, so no straight carpet fits it; hand its poses to a \
         carpet on the world"
    )]
    NotStraight { clip: String },
    #[error(
        "a carpet from {back:.2} m behind to {ahead:.2} m ahead is too short for a stride that needs \
         {needed_back:.2} and {needed_ahead:.2} m; give it more rows"
    )]
    TooShort { back: f32, ahead: f32, needed_back: f32, needed_ahead: f32 },
    #[error("the cycle is of another rig, or was made for a carpet with other columns")]
    OtherRig,
    #[error("{what} is {value}; carpets have between {least} and {most}")]
    Option { what: &'static str, value: f32, least: f32, most: f32 },
    #[error("the place or the heading to begin at is not finite")]
    Begin,
}
