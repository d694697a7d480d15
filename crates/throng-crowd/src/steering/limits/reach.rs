//! The velocities that people can have after a step, from the one they have.
//!
//! Along the way they go (along their facing, if they hardly move) and across it, the change lies in an ellipse of two
//! halves:
//!
//! > (x / a_x Δt)² + (y / a_n Δt)² ≤ 1, with a_x = a₊ for x > 0, else a₋,
//! > a₊ = min(a₀, max(0.2 m/s², (v_c - |v|) / 0.55 s)).
//!
//! Since a_n hardly depends on speed, the path turns by a_n / |v| at most: the radius of a curve is v² / a_n or more.

use glam::Vec2;
use throng_simd::{Floats, LANES, Mask, Simd, Vec2s};

use super::super::Surroundings;

/// Time constant with which people near the speed they want, s.
const APPROACH: f32 = 0.55;

/// Acceleration that is left at that speed, m/s².
const LEAST_ACCELERATION: f32 = 0.2;

/// Below this speed, m/s, "along" is where people face.
const SLOW: f32 = 0.3;

/// From this speed on, m/s, people run, and their largest ellipse is that of runners.
const RUNNING: f32 = 2.2;

/// The largest accelerations in any direction of people who walk and of those who run, m/s².
const WALKERS: f32 = 3.0;
const RUNNERS: f32 = 4.5;

/// Lateral acceleration per speed, 1/s, and the least of these limits, m/s²: beyond comfort people turn by 132° per
/// second at most. With the whole of the larger ellipses slow people would turn right round in half a second.
const TURNING: [f32; 2] = [2.3, 1.2];

/// Largest acceleration of people who step back or move backwards, m/s²: 99 % of the captured ones.
const BACKWARDS: f32 = 1.5;

/// Deceleration with which the velocity of a push fades, m/s².
const FADING: f32 = 1.8;

/// Cosine between facing and velocity from which on people may have any speed.
const ALIGNED: f32 = 0.8;

/// Largest speed while turning, m/s, per cosine of the angle between facing and velocity.
const OBLIQUE_SPEED: f32 = 2.0;

/// Largest speed aside, m/s, of those who make room: 95 % of captured sideways steps are below 0.79.
const ASIDE_SPEED: f32 = 0.8;

/// By how much less people make room straight backwards, m/s: the median of captured steps back is 0.62.
const LESS_BACKWARDS: f32 = 0.25;

/// The same of people on their way, who turn before they walk: enough to shuffle meanwhile.
const TURNING_SPEED: f32 = 0.3;

/// One of the three ellipses.
#[derive(Clone, Copy)]
pub(super) struct Tier<S: Simd> {
    /// Largest acceleration ahead (a₀), m/s².
    ahead: S::F,
    /// Deceleration (a₋), m/s².
    braking: S::F,
    /// Lateral acceleration (a_n), m/s².
    lateral: S::F,
    /// The speed up to which people speed up (v_c): a multiple of the preferred one, and at least so many m/s.
    top: [S::F; 2],
}

impl<S: Simd> Tier<S> {
    #[inline(always)]
    fn new(simd: S, [ahead, braking, lateral]: [f32; 3], top: [f32; 2]) -> Self {
        let number = |value| simd.splat(value);
        Self {
            ahead: number(ahead),
            braking: number(braking),
            lateral: number(lateral),
            top: top.map(number),
        }
    }

    #[inline(always)]
    pub fn comfortable(simd: S) -> Self {
        Self::new(simd, [1.3, 1.2, 1.2], [1.02, 0.0])
    }

    #[inline(always)]
    pub fn hurried(simd: S) -> Self {
        Self::new(simd, [2.0, 1.8, 1.9], [1.4, 0.0])
    }

    /// That of people who walk, or of those who run.
    #[inline(always)]
    pub fn emergency(simd: S, walker: &Walker<S>) -> Self {
        let walking = Self::new(simd, [WALKERS; 3], [1.4, RUNNING]);
        let speed = walker.own.length();
        let runs = speed.gt(simd.splat(RUNNING));
        let ahead = simd.splat(6.6) - simd.splat(0.8) * speed;
        let ahead = ahead.min(simd.splat(RUNNERS)).max(simd.splat(LEAST_ACCELERATION));
        Self {
            ahead: runs.select(ahead, walking.ahead),
            braking: runs.select(simd.splat(RUNNERS), walking.braking),
            lateral: runs.select(simd.splat(RUNNERS), walking.lateral),
            top: walking.top,
        }
    }

    /// The hurried one instead for those who hurry.
    #[inline(always)]
    pub fn or_hurried(self, simd: S, hurried: S::M) -> Self {
        let other = Self::hurried(simd);
        Self {
            ahead: hurried.select(other.ahead, self.ahead),
            braking: hurried.select(other.braking, self.braking),
            lateral: hurried.select(other.lateral, self.lateral),
            top: [0, 1].map(|i| hurried.select(other.top[i], self.top[i])),
        }
    }
}

/// Sixteen people, or sixteen times the same.
pub(super) struct Walker<S: Simd> {
    /// Their own velocity, m/s.
    pub own: Vec2s<S>,
    /// What is left after the step of what pushes have added to it, m/s.
    push: Vec2s<S>,
    facing: Vec2s<S>,
    /// The speed that their goal asks for, or that they like to walk at, m/s.
    pub preferred_speed: S::F,
    /// How strong they are, in units of the standard, times the step, s.
    strength: S::F,
}

impl<S: Simd> Walker<S> {
    #[inline(always)]
    pub fn new(
        simd: S,
        around: &Surroundings,
        rows: &[usize; LANES],
        strength: S::F,
        [chosen, preferred]: [Vec2s<S>; 2],
    ) -> Self {
        let people = around.people;
        let velocity = Vec2s::load(simd, &rows.map(|row| people.velocities[row]));
        let push = Vec2s::load(simd, &rows.map(|row| people.pushes[row]));
        let speed = simd.load(&rows.map(|row| people.preferred_speeds[row]));
        // Of bodies it is by how much they fall short, which nobody waits for.
        let heeded = if around.embodied { Vec2s::zero(simd) } else { push };
        Self {
            own: velocity.minus(push),
            push: fade(simd, heeded, chosen.minus(velocity), around.step),
            facing: Vec2s::load(simd, &rows.map(|row| people.facings[row])),
            preferred_speed: preferred.length().max(speed),
            strength: strength * simd.splat(around.step),
        }
    }

    /// Sixteen times the person in a lane.
    #[inline(always)]
    pub fn only(&self, simd: S, lane: usize) -> Self {
        Self {
            own: only(simd, self.own, lane),
            push: only(simd, self.push, lane),
            facing: only(simd, self.facing, lane),
            preferred_speed: simd.splat(self.preferred_speed.to_array()[lane]),
            strength: simd.splat(self.strength.to_array()[lane]),
        }
    }

    /// Where people go who have chosen a velocity: not faster than they can along where they face, and without working
    /// against a push, which fades by itself.
    #[inline(always)]
    pub fn aim(&self, simd: S, chosen: Vec2s<S>, preferred: Vec2s<S>) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one) = (number(0.0), number(1.0));
        let speed = chosen.length();
        let ahead = self.facing.dot(chosen);
        let is_oblique = ahead.lt(speed * number(ALIGNED));
        let on_the_way = chosen.dot(preferred).gt(zero);
        let cosine = ahead / speed.max(number(1e-6));
        let aside = number(ASIDE_SPEED) + number(LESS_BACKWARDS) * cosine.min(zero);
        let least = on_the_way.select(number(TURNING_SPEED), aside);
        let most = (number(OBLIQUE_SPEED) * cosine).max(least);
        let aim = Vec2s::select(is_oblique, chosen.at_most(simd, most), chosen);
        let missing = aim.minus(self.own.plus(self.push));
        let squared = self.push.dot(self.push).max(number(1e-12));
        let against = (-missing.dot(self.push) / squared).max(zero).min(one);
        aim.plus(self.push.times(against))
    }

    /// The velocity in the middle of what the person in a lane can reach within the step, and how far from it that goes at
    /// most, whatever the ellipse, m/s.
    #[inline(always)]
    pub fn disc(&self, simd: S, lane: usize) -> (Vec2, f32) {
        let runs = self.own.length().gt(simd.splat(RUNNING));
        let most = runs.select(simd.splat(RUNNERS), simd.splat(WALKERS)) * self.strength;
        let center = self.own.plus(self.push);
        (center.to_lanes(simd)[lane], most.to_array()[lane])
    }

    /// What they can reach within the step.
    #[inline(always)]
    pub fn reach(&self, simd: S, tier: &Tier<S>) -> Reach<S> {
        let number = |value| simd.splat(value);
        let speed = self.own.length();
        let unit = self.own.times(number(1.0) / speed.max(number(1e-6)));
        let top = (tier.top[0] * self.preferred_speed).max(tier.top[1]);
        let left = ((top - speed) * number(1.0 / APPROACH)).max(number(LEAST_ACCELERATION));
        let moves = speed.gt(number(SLOW));
        let bend = tier.lateral.min((speed * number(TURNING[0])).max(number(TURNING[1])));
        let least = number(BACKWARDS);
        let backwards = self.own.dot(self.facing).lt(number(0.0));
        let ahead = (moves & backwards).select(tier.ahead.min(least), tier.ahead);
        let braking = moves.select(tier.braking, tier.braking.min(least));
        Reach {
            center: self.own.plus(self.push),
            along: Vec2s::select(moves, unit, self.facing),
            ahead: ahead.min(left) * self.strength,
            braking: braking * self.strength,
            lateral: moves.select(bend, tier.lateral) * self.strength,
        }
    }
}

/// Sixteen times the vector in a lane.
#[inline(always)]
fn only<S: Simd>(simd: S, vectors: Vec2s<S>, lane: usize) -> Vec2s<S> {
    Vec2s { x: simd.splat(vectors.x.to_array()[lane]), y: simd.splat(vectors.y.to_array()[lane]) }
}

/// What is left after a step of the velocities that pushes have given. They fade as far as people want to change
/// their velocity against them.
#[inline(always)]
pub(crate) fn fade<S: Simd>(
    simd: S,
    push: Vec2s<S>,
    wanted_change: Vec2s<S>,
    step: f32,
) -> Vec2s<S> {
    let number = |value| simd.splat(value);
    let speed = push.length();
    let inverse = number(1.0) / speed.max(number(1e-6));
    let against = -(wanted_change.dot(push) * inverse);
    let faded = against.max(number(0.0)).min(number(FADING * step)).min(speed);
    push.times((speed - faded) * inverse)
}

/// An ellipse of velocities, made of two halves.
pub(super) struct Reach<S: Simd> {
    center: Vec2s<S>,
    along: Vec2s<S>,
    /// Half axes, m/s.
    ahead: S::F,
    braking: S::F,
    lateral: S::F,
}

impl<S: Simd> Reach<S> {
    /// Sixteen times the ellipse about a velocity with half axes ahead, backwards and aside, m/s.
    #[cfg(test)]
    pub fn about(simd: S, center: Vec2, along: Vec2, axes: [f32; 3]) -> Self {
        let vector = |v: Vec2| Vec2s { x: simd.splat(v.x), y: simd.splat(v.y) };
        let [ahead, braking, lateral] = axes.map(|axis| simd.splat(axis));
        Self { center: vector(center), along: vector(along), ahead, braking, lateral }
    }

    /// The aims where they are within reach; elsewhere, about the nearest points that are.
    #[inline(always)]
    pub fn towards(&self, simd: S, aims: Vec2s<S>) -> Vec2s<S> {
        let one = simd.splat(1.0);
        let change = aims.minus(self.center);
        let x = self.along.dot(change);
        let x = x / x.gt(simd.splat(0.0)).select(self.ahead, self.braking);
        let y = self.along.det(change) / self.lateral;
        let inside = (x * x + y * y).le(one);
        // Clipped to the box first: who cannot speed up as they want swerves as they want all the same.
        let [x, y] = [x, y].map(|value| value.max(-one).min(one));
        let inverse = one / (x * x + y * y).sqrt().max(one);
        Vec2s::select(inside, aims, self.point(simd, [x * inverse, y * inverse]))
    }

    /// The point with coordinates along and across, in units of the half axes.
    #[inline(always)]
    pub fn point(&self, simd: S, [x, y]: [S::F; 2]) -> Vec2s<S> {
        let x = x * x.gt(simd.splat(0.0)).select(self.ahead, self.braking);
        let y = y * self.lateral;
        let across = Vec2s { x: -self.along.y, y: self.along.x };
        self.center.plus(self.along.times(x)).plus(across.times(y))
    }
}
