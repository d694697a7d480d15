//! The last stage: people take their new positions, and what follows from them.

use glam::Vec2;
use rayon::prelude::*;
use throng_simd::plain::Plain;
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, run_anywhere};

use super::sixteen::{put, sixteen};
use super::{CHUNK, Outcome};
use crate::crowd::Crowd;
use crate::status::Status;
use crate::steering::limits;

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

/// Some rows of the columns that this stage writes, and of those it reads.
struct Rows<'a> {
    positions: &'a mut [Vec2],
    velocities: &'a mut [Vec2],
    pushes: &'a mut [Vec2],
    search_hints: &'a mut [f32],
    facings: &'a mut [Vec2],
    paces: &'a mut [f32],
    statuses: &'a mut [Status],
    blocked_since: &'a mut [u32],
    preferred_velocities: &'a [Vec2],
    max_speeds: &'a [f32],
    /// Where they are in the order of the grid.
    bodies: &'a [u32],
}

impl Crowd {
    pub(super) fn advance(&mut self, parallel: bool) {
        let Self { people, grid, contacts, outcomes, setting, simd, steps, .. } = self;
        let (outcomes, targets, step) = (&outcomes[..], &contacts.targets[..], setting.step as f32);
        let (simd, now) = (*simd, *steps as u32);
        let advance =
            |rows: Rows| run_anywhere(simd, Advance { rows, outcomes, targets, step, now });
        if parallel {
            let written = (
                people.positions.par_chunks_mut(CHUNK),
                people.velocities.par_chunks_mut(CHUNK),
                people.pushes.par_chunks_mut(CHUNK),
                people.search_hints.par_chunks_mut(CHUNK),
                people.facings.par_chunks_mut(CHUNK),
                people.paces.par_chunks_mut(CHUNK),
                people.statuses.par_chunks_mut(CHUNK),
                people.blocked_since.par_chunks_mut(CHUNK),
            );
            let read = (
                people.preferred_velocities.par_chunks(CHUNK),
                people.max_speeds.par_chunks(CHUNK),
                grid.entry_of_row.par_chunks(CHUNK),
            );
            written.into_par_iter().zip(read.into_par_iter()).for_each(|(written, read)| {
                let (
                    positions,
                    velocities,
                    pushes,
                    search_hints,
                    facings,
                    paces,
                    statuses,
                    blocked_since,
                ) = written;
                let (preferred_velocities, max_speeds, bodies) = read;
                advance(Rows {
                    positions,
                    velocities,
                    pushes,
                    search_hints,
                    facings,
                    paces,
                    statuses,
                    blocked_since,
                    preferred_velocities,
                    max_speeds,
                    bodies,
                });
            });
        } else {
            advance(Rows {
                positions: &mut people.positions,
                velocities: &mut people.velocities,
                pushes: &mut people.pushes,
                search_hints: &mut people.search_hints,
                facings: &mut people.facings,
                paces: &mut people.paces,
                statuses: &mut people.statuses,
                blocked_since: &mut people.blocked_since,
                preferred_velocities: &people.preferred_velocities,
                max_speeds: &people.max_speeds,
                bodies: &grid.entry_of_row,
            });
        }
        if !self.setting.connectors.is_empty() {
            (0..self.people.len()).for_each(|row| self.find_floor(row));
        }
    }

    /// Notes who stands on a connector; they belong to the floor they are nearer to.
    pub(crate) fn find_floor(&mut self, row: usize) {
        let (layer, position) = (self.people.layers[row], self.people.positions[row]);
        let on = self.setting.connectors.iter().position(|connector| {
            (layer == connector.lower || layer == connector.upper)
                && connector.polygon.contains(position)
        });
        self.people.connectors[row] = on.map_or(0, |index| index as u16 + 1);
        if let Some(index) = on {
            self.people.layers[row] = self.setting.connectors[index].layer_at(position);
        }
    }
}

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
        for first in (0..rows.positions.len()).step_by(LANES) {
            let bodies = sixteen(rows.bodies, first).map(|body| body as usize);
            let outcomes = bodies.map(|body| &outcomes[body]);
            put(rows.search_hints, first, outcomes.map(|outcome| outcome.search_hint));
            let chosen: Vec2s<S> = Vec2s::load(simd, &outcomes.map(|outcome| outcome.velocity));
            let to = Vec2s::load(simd, &bodies.map(|body| targets[body]));
            let from = Vec2s::load(simd, &sixteen(rows.positions, first));
            let limit = simd.load(&sixteen(rows.max_speeds, first));
            let velocity = what_happened(simd, from, to, chosen, limit, step);
            put(rows.positions, first, to.to_lanes(simd));
            let turn = Vec2s::load(simd, &outcomes.map(|outcome| outcome.turn));
            let before = Vec2s::load(simd, &sixteen(rows.velocities, first));
            let push = Vec2s::load(simd, &sixteen(rows.pushes, first));
            let push = limits::fade(simd, push, chosen.plus(turn).minus(before), step);
            put(rows.pushes, first, pushed(simd, push, chosen, velocity).to_lanes(simd));
            put(rows.velocities, first, velocity.to_lanes(simd));
            let facing = Vec2s::load(simd, &sixteen(rows.facings, first));
            put(rows.facings, first, face(simd, facing, velocity, turn, step).to_lanes(simd));

            let preferred = Vec2s::load(simd, &sixteen(rows.preferred_velocities, first));
            let pace = simd.load(&sixteen(rows.paces, first));
            let (pace, wants) = update_pace(simd, pace, velocity, preferred, step);
            put(rows.paces, first, pace.to_array());
            let blocked = pace.lt(simd.splat(BLOCKED_PACE)).bits();
            let mut statuses = sixteen(rows.statuses, first);
            for (lane, status) in statuses.iter_mut().enumerate() {
                if wants.bits() >> lane & 1 == 1 {
                    let before =
                        std::mem::replace(status, judge(*status, blocked >> lane & 1 == 1));
                    if status.is_held_up()
                        && !before.is_held_up()
                        && let Some(since) = rows.blocked_since.get_mut(first + lane)
                    {
                        *since = now;
                    }
                }
            }
            put(rows.statuses, first, statuses);
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
fn pushed<S: Simd>(
    simd: S,
    push: Vec2s<S>,
    chosen: Vec2s<S>,
    velocity: Vec2s<S>,
) -> Vec2s<S> {
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
    let progress = velocity.dot(preferred) / wanted_squared;
    let averaged = pace + (progress - pace) * simd.splat((step / PACE_TIME).min(1.0));
    (wants.select(averaged, simd.splat(1.0)), wants)
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
