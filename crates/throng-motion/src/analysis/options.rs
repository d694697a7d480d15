//! What analysis is told, and why it refuses.

use thiserror::Error;

use crate::clip::ClipError;
use crate::contact::Side;
use crate::motion::MotionError;

use super::abstraction::{Abstraction, AbstractionError};

/// How a motion is analysed, and what a clip may be like.
///
/// Lengths are fractions of leg length `L`, speeds of `√(g L)` and times of `√(L / g)`, so that they
/// hold for children and giants; for an adult these are 0.93 m, 3 m/s and 0.31 s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How the sway is taken out of the path. Without strides it is done by Gaussian smoothing.
    pub technique: Abstraction,
    /// Height of the ground, in metres; found from the feet if it is not given.
    pub ground: Option<f32>,
    /// A point of the sole that touches the ground is not higher.
    pub contact_height: f32,
    /// A point of the sole that touches the ground is not faster.
    pub contact_speed: f32,
    /// Feet of whoever is fast come down fast: a point that touches the ground may always have this
    /// part of the body's own speed.
    pub contact_speed_share: f32,
    /// A contact ends when height or speed exceed their limits by this factor.
    pub contact_hysteresis: f32,
    /// Shorter contacts are noise.
    pub shortest_stance: f32,
    /// Shorter gaps between contacts are noise.
    pub shortest_swing: f32,
    /// Feet that go back faster than this under somebody who does not get on walk in place.
    pub in_place_speed: f32,
    /// The shortest cycle.
    pub shortest_cycle: f32,
    /// The longest cycle.
    pub longest_cycle: f32,
    /// Slower than this is standing, or turning on the spot.
    pub still_speed: f32,
    /// A joint may end a cycle so much off where it began, in radians; the rest is spread over it.
    pub largest_seam: f32,
    /// Speed within a clip may differ from its mean by this part.
    pub speed_variation: f32,
    /// The direction of travel within a clip may differ from its mean by this angle, in radians.
    pub angle_variation: f32,
    /// Strikes may be so much of a cycle off phases 0 and ½; twice as much where people go sideways.
    pub misalignment: f32,
    /// Frames per second of the clip; those of the motion if it is not given.
    pub rate: Option<f32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            technique: Abstraction::StrideAverage,
            ground: None,
            contact_height: 0.03,
            contact_speed: 0.16,
            contact_speed_share: 0.25,
            contact_hysteresis: 1.4,
            shortest_stance: 0.25,
            shortest_swing: 0.3,
            in_place_speed: 0.05,
            shortest_cycle: 1.0,
            longest_cycle: 16.0,
            still_speed: 0.03,
            largest_seam: 0.35,
            speed_variation: 0.15,
            angle_variation: 0.26,
            misalignment: 0.05,
            rate: None,
        }
    }
}

/// Why a motion cannot be a clip.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Refusal {
    #[error("its skeleton has no {landmark}; say in a mapping which joint it is")]
    MissingLandmark { landmark: &'static str },
    #[error(
        "it takes {seconds:.2} s, and a body with legs of {leg:.2} m takes at least {least:.2} s for \
         a cycle; is that its size?"
    )]
    TooShort { seconds: f32, least: f32, leg: f32 },
    #[error("no foot ever stays on the ground; is the ground at height {ground:.2} m?")]
    NoContacts { ground: f32 },
    #[error(
        "it has no whole cycle: {left} left and {right} right strikes, and it takes two of one \
         foot with one of the other between them"
    )]
    NoCycle { left: usize, right: usize },
    #[error(
        "it is not cyclic: a cycle after its beginning, joint \"{joint}\" is off by {degrees:.0}°, \
         and at most {limit:.0}° can be made good"
    )]
    NotCyclic { joint: String, degrees: f32, limit: f32 },
    #[error("its speed differs by {percent:.0} % from its mean; at most {limit:.0} % are allowed")]
    UnsteadySpeed { percent: f32, limit: f32 },
    #[error(
        "its direction of travel differs by {degrees:.0}° from its mean; at most {limit:.0}° are \
         allowed"
    )]
    UnsteadyDirection { degrees: f32, limit: f32 },
    #[error(
        "its {} foot strikes at {phase:.2} of the cycle instead of {expected:.1}, and at most \
         {limit:.2} off is allowed", side_name(*.side)
    )]
    Misaligned { side: Side, phase: f32, expected: f32, limit: f32 },
    #[error("somebody stands there who gets {metres:.2} m away without a step")]
    SlidesStanding { metres: f32 },
    #[error(
        "it leaves the ground with both feet {} and gets nowhere: whoever hops or jumps does not stand",
        times(*.flights)
    )]
    Hops { flights: usize },
    #[error("its path has no abstract root: {0}")]
    Path(#[from] AbstractionError),
    #[error(transparent)]
    Motion(#[from] MotionError),
    #[error(transparent)]
    Clip(#[from] ClipError),
}

fn times(count: usize) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

fn side_name(side: Side) -> &'static str {
    side.choose("left", "right")
}
