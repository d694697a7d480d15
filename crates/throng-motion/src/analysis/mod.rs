//! What a motion is: where its feet are, how fast it goes, and whether it can drive people.
//!
//! [`qualify`] makes a [`Clip`](crate::Clip) of any motion in which somebody walks, runs, turns or
//! stands, captured or made by hand, or says why that cannot be. [`GaitMeasures`] compares a clip
//! with people, and [`JointAngles`] are its angles over a cycle.
//!
//! ```
//! use throng_motion::analysis::{Options, Refusal, qualify};
//! use throng_motion::{Human, Motion, Pose, Proportions};
//!
//! let human = Human::new(Proportions::of_height(1.7))?;
//! let statue = vec![Pose::rest(human.skeleton()); 60];
//! let motion = Motion::from_poses("statue", human.skeleton().clone(), 30.0, &statue)?;
//! let clip = qualify(&motion, &Options::default())?.clip;
//! assert_eq!(clip.kind().name(), "stand");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abstraction;
mod angles;
mod body;
mod cycle;
mod facts;
mod floor;
mod footfalls;
mod frames;
mod looping;
mod measures;
mod options;
mod qualify;
mod ranges;
mod spectrum;
mod track;

use crate::motion::Motion;

pub use abstraction::{AbstractPath, Abstraction, AbstractionError, abstract_path};
pub use angles::{JointAngles, Lean};
pub use body::Foot;
pub(crate) use body::{Build, Leg};
pub use cycle::Seam;
pub use facts::ClipFacts;
pub use footfalls::{Footfalls, Stance};
pub use frames::ClipFrames;
pub use measures::{BodyNumbers, GaitMeasures};
pub use options::{Options, Refusal};
pub use qualify::{Qualified, check_alignment, qualify};
pub use ranges::{HumanRange, Judgement, Row, Standard};

/// When which foot is on the ground in a motion.
///
/// # Errors
///
/// If the skeleton lacks a landmark of the legs.
pub fn footfalls(motion: &Motion, options: &Options) -> Result<Footfalls, Refusal> {
    Ok(body::Body::of(motion)?.footfalls(options))
}

/// The examples of the page on clips compile.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/clips.md")]
struct ClipsPage;
