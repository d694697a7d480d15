//! Variety: no two people who look and walk alike next to each other.
//!
//! A few looks are shared by many, so what sets people apart is chosen for each of them: a look, a tint for each region
//! of the surface, a size, a posture and where in their gait they begin. All of it is a [`Descriptor`]. A [`Wardrobe`]
//! gives people theirs when they appear: of [`CANDIDATES`] drawn from random numbers of (seed, person) it takes the one
//! that is least like those around, and of as many phases the one that is least in step with the nearest who walk the
//! same way. [`clones`] tells what twins are left.
//!
//! After O'Sullivan, *Variety Is the Spice of (Virtual) Life* (Motion in Games 2009), and the studies that it builds on:
//! McDonnell et al., *Clone Attack! Perception of Crowd Variety* (SIGGRAPH 2008: clones of appearance are found far more
//! easily than those of motion, and walking out of step hides them) and *Eye-catching Crowds: Saliency Based Selective
//! Variation* (SIGGRAPH 2009: viewers look at heads and upper torsos, and varied tops are as good as varied everything).
//! So most of the variety is in tops, hair and skin; trousers and shoes come from small palettes.
//!
//! | name | meaning | value |
//! |---|---|---|
//! | [`CANDIDATES`] | descriptors and phases that are drawn for each person | 8 |
//! | [`REACH`] | from how far others count | 15 m |
//! | [`sameness::SIMILAR`] | the OKLab distance at which colours are alike by 1/e | 0.12 |
//! | [`STEP_GAP`] | phases that are nearer to each other are in step | 0.08 |
//! | [`STEP_REACH`] | from how far people are seen to be in step | 3 m |
//! | [`NUDGE`] | by how much who is in step with a neighbour steps faster or slower until they are not | 3 % |
//! | [`dye::FROM_SKIN`] | least OKLab distance from cloth to skin | 0.08 |
//! | [`SPREAD`] | by how much people of one look differ in size, and so in how fast they step at a given speed | ±4 % |
//! | [`POSTURE`] | how far torsos lean by habit | ±2.5° |
//!
//! What the paper also has and this engine does not show yet is not stored either: layers of faces, hats, glasses and
//! bags, patterns of cloth, voices and footwear that sounds. A play rate of one's own follows from size: at one speed,
//! who is smaller by 4 % takes 4 % more steps, and their feet stay where they stand.

mod clones;
mod descriptor;
pub mod dye;
mod library;
mod neighbours;
mod pacing;
pub mod sameness;
mod wardrobe;

pub use clones::{CloneView, Pair, Sighting, Stride, clones};
pub use descriptor::{Descriptor, Tint};
pub use library::{Dyes, Library, LibraryError, Template};
pub use pacing::{NUDGE, STEP_REACH};
pub(super) use pacing::{Nudge, Pacing, Walker};
pub use wardrobe::{Present, Wardrobe};

/// How many descriptors, and how many phases, are drawn for each person.
pub const CANDIDATES: u64 = 8;
/// From how far others count, m.
pub const REACH: f32 = 15.0;
/// Phases that are nearer to each other are in step, in cycles.
pub const STEP_GAP: f32 = 0.08;
/// By how much people of one look differ in size.
pub const SPREAD: f32 = 0.04;
/// How far torsos lean ahead or back by habit, rad.
pub const POSTURE: f32 = 0.044;
