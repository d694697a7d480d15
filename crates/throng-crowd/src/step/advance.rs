//! The last stage: people take their new positions, and what follows from them.

use glam::Vec2;
use throng_simd::plain::Plain;
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, Vectors, run_anywhere};

use super::Outcome;
use super::sixteen::{put, sixteen};
use crate::grid::Grid;
use crate::intents::Intents;
use crate::population::Population;
use crate::status::Status;
use crate::steering::limits;
use crate::workers::Workers;
use crate::world::World;

/// Time over which progress is averaged, s.
const PACE_TIME: f32 = 1.0;

/// Below this share of the wanted progress somebody is blocked.
pub(crate) const BLOCKED_PACE: f32 = 0.1;

/// Time constant with which facing follows the velocity, s. Its inverse is the largest rate, 127°/s: people turn
/// by 120°/s on the spot and by 130°/s at most in half of all about-faces. Faster, bodies fall behind.
const TURN_TIME: f32 = 0.45;

/// Speed from which people face where they go, m/s; slower, they turn less.
const TURN_SPEED: f32 = 0.3;

/// Lateral acceleration of people who turn away from where they go, m/s²: at a speed v facing turns by this / v at most.
/// Much more, and they walk on fast sideways.
const LATERAL_ACCELERATION: f32 = 1.9;

/// People take their new positions: where `targets` say, in the order of the grid, as `outcomes` are.
pub(super) fn advance(
    world: &World,
    people: &mut Population,
    intents: &mut Intents,
    grid: &Grid,
    (outcomes, targets): (&[Outcome], &[Vec2]),
    workers: Workers,
    simd: Option<Vectors>,
) {
    let (count, step, now) = (people.len(), world.step(), world.steps as u32);
    let Population {
        positions,
        velocities,
        pushes,
        search_hints,
        facings,
        paces,
        blocked_since,
        max_speeds,
        ..
    } = people;
    let Intents { statuses, preferred_velocities, .. } = intents;
    let columns = (
        (&mut positions[..], &mut velocities[..], &mut pushes[..], &mut facings[..]),
        (&mut search_hints[..], &mut paces[..], &mut statuses[..], &mut blocked_since[..]),
        (&preferred_velocities[..], &max_speeds[..], &grid.entry_of_row[..]),
    );
    workers.for_each_chunk(count, columns, |_, rows| {
        run_anywhere(simd, Advance { rows, outcomes, targets, step, now });
    });
    if !world.setting.connectors.is_empty() {
        (0..count).for_each(|row| people.find_floor(row, world));
    }
}

/// Some rows of columns: positions, velocities and facings; search hints, paces, statuses, and the steps since which
/// people are blocked; and to read, preferred velocities, largest speeds, and places in the order of the grid.
type Rows<'a> = (
    (&'a mut [Vec2], &'a mut [Vec2], &'a mut [Vec2], &'a mut [Vec2]),
    (&'a mut [f32], &'a mut [f32], &'a mut [Status], &'a mut [u32]),
    (&'a [Vec2], &'a [f32], &'a [u32]),
);

/// Moves people on, sixteen at a time.
struct Advance<'a> {
    rows: Rows<'a>,
    /// In the order of the grid.
    outcomes: &'a [Outcome],
    /// Where bodies can go, in the same order.
    targets: &'a [Vec2],
    step: f32,
    /// The number of the step.
    now: u32,
}

impl Kernel for Advance<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { rows, outcomes, targets, step, now } = self;
        let ((positions, velocities, pushes, facings), written, read) = rows;
        let (search_hints, paces, statuses, blocked_since) = written;
        let (preferred_velocities, max_speeds, bodies) = read;
        for first in (0..positions.len()).step_by(LANES) {
            let bodies = sixteen(bodies, first).map(|body| body as usize);
            let outcomes = bodies.map(|body| &outcomes[body]);
            put(search_hints, first, outcomes.map(|outcome| outcome.search_hint));
            let chosen: Vec2s<S> = Vec2s::load(simd, &outcomes.map(|outcome| outcome.velocity));
            let to = Vec2s::load(simd, &bodies.map(|body| targets[body]));
            let from = Vec2s::load(simd, &sixteen(positions, first));
            let limit = simd.load(&sixteen(max_speeds, first));
            let velocity = what_happened(simd, from, to, chosen, limit, step);
            put(positions, first, to.to_lanes(simd));
            let turn = Vec2s::load(simd, &outcomes.map(|outcome| outcome.turn));
            let before = Vec2s::load(simd, &sixteen(velocities, first));
            let push = Vec2s::load(simd, &sixteen(pushes, first));
            let push = limits::fade(simd, push, chosen.plus(turn).minus(before), step);
            put(pushes, first, pushed(simd, push, chosen, velocity).to_lanes(simd));
            put(velocities, first, velocity.to_lanes(simd));
            let facing = Vec2s::load(simd, &sixteen(facings, first));
            put(facings, first, face(simd, facing, velocity, turn, step).to_lanes(simd));

            let preferred = Vec2s::load(simd, &sixteen(preferred_velocities, first));
            let pace = simd.load(&sixteen(paces, first));
            let (pace, wants) = update_pace(simd, pace, velocity, preferred, step);
            put(paces, first, pace.to_array());
            let blocked = pace.lt(simd.splat(BLOCKED_PACE)).bits();
            let mut judged = sixteen(statuses, first);
            for (lane, status) in judged.iter_mut().enumerate() {
                if wants.bits() >> lane & 1 == 1 {
                    let before =
                        std::mem::replace(status, judge(*status, blocked >> lane & 1 == 1));
                    if status.is_held_up()
                        && !before.is_held_up()
                        && let Some(since) = blocked_since.get_mut(first + lane)
                    {
                        *since = now;
                    }
                }
            }
            put(statuses, first, judged);
        }
    }
}

/// What walls and contacts made of a velocity is what happened, and what others see.
#[inline(always)]
fn what_happened<S: Simd>(
    simd: S,
    from: Vec2s<S>,
    to: Vec2s<S>,
    chosen: Vec2s<S>,
    limit: S::F,
    step: f32,
) -> Vec2s<S> {
    let wanted = from.plus(chosen.times(simd.splat(step)));
    let off = to.minus(wanted);
    let undisturbed = off.x.abs().le(simd.splat(0.0)) & off.y.abs().le(simd.splat(0.0));
    if undisturbed.bits() == u16::MAX {
        return chosen;
    }
    let moved = to.minus(from).times(simd.splat(1.0 / step)).at_most(simd, limit);
    Vec2s::select(undisturbed, chosen, moved)
}

/// The same for one person who wanted to go on with velocity `chosen` and came from one place to
/// another.
pub(crate) fn what_happened_to(from: Vec2, to: Vec2, chosen: Vec2, limit: f32, step: f32) -> Vec2 {
    let all = |vector: Vec2| Vec2s::load(Plain, &[vector; LANES]);
    let limit = Plain.splat(limit);
    what_happened(Plain, all(from), all(to), all(chosen), limit, step).to_lanes(Plain)[0]
}

/// What of a velocity is not a person's own: the rest of an earlier `push`, and what has made of the velocity they chose
/// the one they have. If that only takes away of what they do themselves, it is no push: they have been stopped.
#[inline(always)]
fn pushed<S: Simd>(simd: S, push: Vec2s<S>, chosen: Vec2s<S>, velocity: Vec2s<S>) -> Vec2s<S> {
    let (zero, change) = (simd.splat(0.0), velocity.minus(chosen));
    let size = change.length();
    if !size.gt(zero).any() {
        return push;
    }
    let direction = change.times(simd.splat(1.0) / size.max(simd.splat(1e-6)));
    let against = (-chosen.minus(push).dot(direction)).max(zero).min(size);
    push.plus(direction.times(size - against))
}

/// Turns unit vectors towards velocities, the faster these are the more; of those who get less than they have chosen,
/// towards what they have chosen: `turn` is what is missing.
#[inline(always)]
fn face<S: Simd>(
    simd: S,
    facing: Vec2s<S>,
    velocity: Vec2s<S>,
    turn: Vec2s<S>,
    step: f32,
) -> Vec2s<S> {
    let number = |value| simd.splat(value);
    let moving = velocity.length();
    let velocity = velocity.plus(turn);
    let speed_squared = velocity.dot(velocity);
    let moves = speed_squared.ge(number(1e-4));
    let speed = speed_squared.sqrt();
    let gain = number(step / TURN_TIME) * (speed * number(1.0 / TURN_SPEED)).min(number(1.0));
    // Who is to turn away from where they still go turns no faster than they could on a curve.
    let turns = turn.dot(turn).gt(number(0.0));
    let most = number(step * LATERAL_ACCELERATION) / moving.max(number(1e-3));
    let gain = turns.select(gain.min(most), gain);
    // All times the speed. Beyond a right angle facing turns as fast as at one: straight back, the velocity
    // would not turn it at all.
    let backwards = facing.dot(velocity).lt(number(0.0));
    let left = Vec2s { x: -facing.y, y: facing.x };
    let aside = left.dot(velocity).lt(number(0.0)).select(-speed, speed);
    let towards = Vec2s::select(backwards, left.times(aside), velocity);
    let turned = facing.times(speed).plus(towards.times(gain));
    Vec2s::select(moves, turned.times(number(1.0) / turned.length()), facing)
}

/// Averages progress towards the goal; also tells who wants to get anywhere.
#[inline(always)]
fn update_pace<S: Simd>(
    simd: S,
    pace: S::F,
    velocity: Vec2s<S>,
    preferred: Vec2s<S>,
    step: f32,
) -> (S::F, S::M) {
    let wanted_squared = preferred.dot(preferred);
    let wants = wanted_squared.ge(simd.splat(1e-6));
    // Bounded: a push on somebody who wants to go at 1 cm/s is a hundred times what they want, and would be remembered for seconds.
    let one = simd.splat(1.0);
    let progress = (velocity.dot(preferred) / wanted_squared).max(simd.splat(-1.0)).min(one);
    let averaged = pace + (progress - pace) * simd.splat((step / PACE_TIME).min(1.0));
    (wants.select(averaged, one), wants)
}

/// The status of somebody who wants to get on.
#[inline(always)]
fn judge(status: Status, is_blocked: bool) -> Status {
    match status {
        Status::Walking | Status::Panicking if is_blocked => Status::Blocked,
        Status::Blocked if !is_blocked => Status::Walking,
        other => other,
    }
}
