//! Gaze: people look at shop windows, at each other, at whoever watches them, and at what the watcher looks at.
//!
//! After H. Grillon, B. Yersin, J. Maïm and D. Thalmann, "Gaze behaviors for virtual crowd characters" (Motion in Games,
//! 2009), with the choice of what to look at after H. Grillon and D. Thalmann, "Simulating gaze attention behaviors for
//! crowds" (2009). A body looks with ten joints: five of the spine, two of the neck, the head and both eyes. The eyes
//! arrive first, then the head, then the spine; then they all look away again. There is nothing to iterate: every joint
//! takes its part of what remains to be turned, from the lowest up.
//!
//! - **What to look at** is [`Attention`]'s choice among [`Interest`]s: of what is near and in view, what moves
//!   differently, comes towards one or enters at the side. It is held for a while, becomes boring, and is ignored for a while.
//! - **How to look** is [`Gaze`]: a [`Target`] turns the joints of a finished pose, over any number of frames. What a
//!   skeleton looks with is its [`Anatomy`], found once.
//! - **Who watches** is a [`TrackedViewer`]: a camera, or somebody whose head is tracked, from samples that come late or
//!   not at all.
//!
//! Gaze comes after everything else that moves a body, and before its skin. Nothing here knows of crowds or scenes; whether
//! a wall is in the way is asked of whoever does. A step allocates nothing.
//!
//! What differs from the publication: the shares ([`linear_shares`]: the printed equation turns away from the target),
//! the turns (yaw and pitch instead of the shortest way, which tilts heads: [`Turn`]), and that eyes wait at their limits until head and
//! spine have brought the target within reach, where the published ones would turn 79° in the head.

mod anatomy;
mod attention;
mod bearings;
mod chain;
mod interest;
mod looker;
mod recruit;
mod shares;
mod timing;
mod trace;
mod turn;
mod viewer;

pub use anatomy::{Anatomy, AnatomyError, Limits, MAX_TURNING, Segment};
pub use attention::{Attention, Onlooker, Traits};
pub use bearings::Bearings;
pub use interest::{Interest, Kind, Subject, Target};
pub use looker::{Gaze, Look, Phase};
pub use recruit::Recruited;
pub use shares::{linear_shares, part_of_remaining};
pub use timing::{Durations, Ease};
pub use trace::{Trace, TraceError};
pub use turn::Turn;
pub use viewer::{Calibration, Camera, Sighting, TrackedViewer, ViewerSource, Viewpoint};

/// How gazes shift. Angles are radians, times seconds, lengths metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeOptions {
    /// Targets no further than this from where the pose looks are left to the eyes alone.
    pub foveal: f32,
    /// Up to here neck and head help, beyond it the spine, too.
    pub central: f32,
    /// How far a target may leave these bounds and those below before anything changes.
    pub slack: f32,
    /// How long the spine takes for half a turn (`T` at 180°).
    pub half_turn: f32,
    /// How long the head takes, as a part of that.
    pub head_part: f32,
    /// How long the eyes take, as a part of what the head takes.
    pub eyes_part: f32,
    /// How joints move in between.
    pub ease: Ease,
    /// The whole field of view: what is out of it is not looked at.
    pub view: f32,
    /// What is further up or down than this is not looked at: straight overhead, left and right change places at once.
    /// Nor does anybody look around whose head is tilted further, because they bow, fall or lie.
    pub steepest: f32,
    /// A target that moves by more than this from one step to the next (`d_jump`), and by `jump_speed` over the step's
    /// time, is looked at anew.
    pub jump: f32,
    /// See `jump`, m/s.
    pub jump_speed: f32,
    /// How long joints take to join in or drop out while the eyes stay on the same target.
    pub join: f32,
    /// How long it takes to give up a gaze ([`Gaze::fade`]).
    pub fade: f32,
}

impl Default for GazeOptions {
    fn default() -> Self {
        Self {
            foveal: 15f32.to_radians(),
            central: 30f32.to_radians(),
            slack: 5f32.to_radians(),
            half_turn: 2.0,
            head_part: 0.5,
            eyes_part: 0.2,
            ease: Ease::MinimumJerk,
            view: 200f32.to_radians(),
            steepest: 75f32.to_radians(),
            jump: 0.5,
            jump_speed: 4.0,
            join: 1.0,
            fade: 0.3,
        }
    }
}

impl GazeOptions {
    /// How long a shift by `angle` takes.
    pub fn durations(&self, angle: f32) -> Durations {
        Durations::for_shift(angle, self.half_turn, self.head_part, self.eyes_part)
    }

    /// Who takes part if the target is `angle` from where the pose looks; who does already goes on until the target is
    /// well beyond the bounds.
    pub fn recruited(&self, angle: f32, now: Option<Recruited>) -> Recruited {
        let (low, high) = match now {
            None => (angle, angle),
            Some(_) => (angle - self.slack, angle + self.slack),
        };
        let at = |angle: f32| match angle {
            angle if angle <= self.foveal => Recruited::Eyes,
            angle if angle <= self.central => Recruited::Upper,
            _ => Recruited::All,
        };
        match now {
            Some(now) if at(low) == now || at(angle) == now || at(high) == now => now,
            _ => at(angle),
        }
    }
}
