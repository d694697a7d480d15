//! What a performer is told, and what it answers.

use glam::Vec3;

use super::legs::SolePoint;
use super::selector::Reluctance;
use super::torso::Torso;
use crate::root::RootMotion;

/// How a performer plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerformerOptions {
    /// How reluctantly the torso follows the way (`ω_o`); see [`Torso`].
    pub inertia: f32,
    /// How reluctantly clips are changed.
    pub reluctance: Reluctance,
    /// How long it takes to get from one clip to the next, in seconds (`T_b`).
    pub fade: f32,
    /// Who is slower stands, in m/s (`v_idle`).
    pub idle: f32,
    /// How fast a body turns at most, in radians per second.
    pub turn_rate: f32,
    /// How far the root may be from where the standing foot alone would put it, in metres; the legs make up
    /// for it. With 0 the foot alone decides, as published.
    pub lean: f32,
    /// How fast a deviation from the simulator's place is made good, per second. With 0 the body does not
    /// mind where it should be.
    pub pursuit: f32,
    /// How soon a change of velocity is taken up, in seconds.
    pub response: f32,
    /// The deviation that is tolerated, in metres (`e_max`). Beyond it the root is pulled after the simulator, as far as
    /// the legs reach.
    pub tolerance: f32,
    /// Who is further away than this was put there, and appears there, in metres.
    pub jump: f32,
}

impl Default for PerformerOptions {
    fn default() -> Self {
        Self {
            inertia: Torso::INERTIA,
            reluctance: Reluctance::default(),
            fade: 0.25,
            idle: 0.05,
            turn_rate: 240f32.to_radians(),
            lean: 0.06,
            pursuit: 2.5,
            response: 0.08,
            tolerance: 0.6,
            jump: 1.0,
        }
    }
}

/// What a simulator wants of somebody.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// How they should move, in the world, in m/s; what is not level is ignored.
    pub velocity: Vec3,
    /// Where their root should be, in the world. Its height is that of the ground.
    pub place: Vec3,
    /// Where they should face when they stand, as a yaw; they keep facing where they do without.
    pub facing: Option<f32>,
    /// Whether they lie on the ground, or fall down now.
    pub lying: bool,
}

impl Command {
    /// What can be done of it: who is told to be nowhere stays at `place`.
    pub(crate) fn sensible(&self, place: Vec3) -> Self {
        /// Whoever is told to be faster is told nonsense, in m/s.
        const FASTEST: f32 = 1000.0;
        let velocity = self.velocity.with_y(0.0);
        Self {
            velocity: if velocity.is_finite() {
                velocity.clamp_length_max(FASTEST)
            } else {
                Vec3::ZERO
            },
            place: somewhere(self.place).unwrap_or(place),
            facing: self.facing.filter(|facing| facing.is_finite()),
            lying: self.lying,
        }
    }
}

/// A place, if it is one: not infinitely far away, nor nearly so.
pub(crate) fn somewhere(place: Vec3) -> Option<Vec3> {
    /// Whoever is told to be further away is told nonsense, in metres.
    const FURTHEST: f32 = 1e7;
    (place.abs().max_element() < FURTHEST).then_some(place)
}

/// What somebody plays, for lists and inspectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Performance {
    /// Where body space is: what a simulator should take over (`p'`), and the body's yaw.
    pub placement: RootMotion,
    /// The mean velocity of what is played, in the world (`v'`): without the sway of a gait.
    pub velocity: Vec3,
    /// Where the torso faces, as a yaw (`θ'`): what the spine can do of what was wanted.
    pub facing: f32,
    /// How far the spine is twisted to the left (`ψ`).
    pub twist: f32,
    /// Which of the [parts](super::Repertoire::parts) is played.
    pub part: usize,
    /// Where in its cycle.
    pub phase: f32,
    /// How fast, compared with the clip.
    pub pace: f32,
    /// From where the root is to where the simulator wants it, in metres (`e`).
    pub deviation: f32,
    /// How far the root was pulled towards the simulator's position because the deviation exceeded the tolerance, in
    /// metres. Planted feet stay in place; a leg that cannot reach its foot any more steps.
    pub pulled: f32,
    /// The feet, left and right.
    pub feet: [FootReport; 2],
}

/// A foot in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootReport {
    /// The point that stands and where in the world, if the foot is on the ground.
    pub contact: Option<(SolePoint, Vec3)>,
    /// How far it is through its way over the ground, from 0 where it left to 1 where it lands; 0 while it stands.
    pub swing: f32,
    /// How far that point has moved since the frame before, in metres.
    pub slip: f32,
    /// How far the foot has turned where it stands, in radians.
    pub pivot: f32,
}
