//! Whoever will be in the way is given way to in time.
//!
//! Forces that depend on where others *are* make people react late: two who walk towards each other at 1.3 m/s have
//! half a second left when they begin to feel each other, and opposed streams never part into lanes. People look a few
//! seconds ahead. Of two on a collision course both begin to drift aside early and gently, and the sooner it would
//! happen the more they do: how rare a collision course is among people depends on the time that is left, not on the
//! distance (Karamouzas, Skinner, Guy, *Universal power law governing pedestrian interactions*, 2014).
//!
//! Here somebody who would pass another nearer than R, at time t from now and with the miss m, changes their velocity
//! by their share of what is missing,
//!
//! > k · (R - m) / t · exp(-t / τ0),
//!
//! in the time in which they take up any other velocity. The direction is that from where the other will be to where
//! they will be themselves: who is about to clip another's back slips behind, and two who meet step aside rather than
//! back. The published force is the slope of an energy and mostly brakes; its falling off with time is kept.
//!
//! R is the sum of both radii, and more towards those who come the other way: in streams that pass each other at arm's
//! length people find lanes, at a hair's breadth they do not.
//!
//! **Those ahead who go one's own way are followed, not foreseen.** The gap that people keep is there for them.

use throng_simd::{Floats, Mask, Simd, exp};

use super::lanes::{Other, Own, Vec2s};
use super::pair_side;
use crate::neighbours::LANES;

/// What people foresee.
pub(super) struct Foresight<S: Simd> {
    /// How much of what is missing they do (k).
    pub strength: S::F,
    /// Time after which a conflict counts 1/e (τ0), s.
    pub time: S::F,
    /// How far from body to body those are passed who come straight towards one, m.
    pub oncoming_distance: S::F,
    /// Time in which a velocity is taken up, s.
    pub relaxation: S::F,
}

/// Conflicts count as at least this far ahead, s.
const SOONEST: f32 = 0.4;

/// Those are followed whose way is so much (cosine) one's own; who crosses is foreseen in full.
const ALONG: f32 = 0.7;

/// Of those who would miss each other by less than this, m, neither has a side: they agree on one.
const HEAD_ON: f32 = 1e-3;

impl<S: Simd> Foresight<S> {
    /// How people give way to whom they will meet. `along` is the cosine between both ways.
    #[inline(always)]
    pub fn force(&self, simd: S, own: &Own<S>, other: &Other<S>, along: S::F) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one, tiny) = (number(0.0), number(1.0), number(1e-6));
        let apart = other.position.minus(own.position);
        let approach = own.velocity.minus(other.velocity);
        let time = apart.dot(approach) / approach.dot(approach).max(tiny);
        // From where one will be to where the other will be.
        let miss = apart.minus(approach.times(time));
        let distance = miss.length();
        let room = own.radius + other.radius + self.oncoming_distance * (-along).max(zero);
        let missing = room - distance;
        let meets = other.exists & time.gt(zero) & missing.gt(zero);
        if !meets.any() {
            return Vec2s::zero(simd);
        }
        let across = ((number(ALONG) - along) / number(ALONG)).max(zero).min(one);
        let imminence = exp(simd, -(time / self.time)) / time.max(number(SOONEST));
        let share = own.share(simd, other);
        let size = self.strength / self.relaxation * across * imminence * missing * share;
        let mut direction = miss.times(-one / distance.max(tiny));
        let head_on = meets & distance.lt(number(HEAD_ON));
        if head_on.any() {
            direction = Vec2s::select(head_on, aside(simd, approach, own, other), direction);
        }
        Vec2s::select(meets, direction.times(size), Vec2s::zero(simd))
    }
}

/// The side that each gives way to, of two who meet exactly head-on.
#[inline(always)]
fn aside<S: Simd>(simd: S, approach: Vec2s<S>, own: &Own<S>, other: &Other<S>) -> Vec2s<S> {
    let ids = other.ids();
    let sides: [f32; LANES] = std::array::from_fn(|lane| pair_side(own.ids[lane], ids[lane]));
    let sides = simd.load(&sides) / approach.length().max(simd.splat(1e-6));
    Vec2s { x: -(approach.y * sides), y: approach.x * sides }
}
