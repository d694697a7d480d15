//! Bodies do not pass through each other or through walls.
//!
//! Steering only *wants* to keep people apart; in a press it cannot. After it, this pass moves the
//! bodies to where they can be. It promises, for people who were apart before the step:
//!
//! * no two are closer than `1 - `[`TOLERANCE`] of their contact distance,
//! * nobody's centre crosses a wall, and nobody comes closer to one than their radius (or than they
//!   were),
//! * people who touch nobody are not moved, so a crowd at rest stays at rest.
//!
//! Overlapping pairs are pushed apart in a few Jacobi sweeps (everyone reads the last sweep's
//! positions, so the order of people does not matter). What is then still too close is put back to
//! where it was at the beginning of the step, and so is whoever moved into that place meanwhile:
//! in the worst case everyone stays where they were, which was fine.

use glam::Vec2;
use rayon::prelude::*;
use throng_world::Walls;
use throng_world::scene::LayerId;

use crate::population::Population;
use crate::steering::tie_direction;

/// Overlap that may be left standing, as a share of the contact distance. Nearly all pairs end at
/// none.
pub const TOLERANCE: f32 = 0.002;

/// How far the pass moves somebody from where steering wanted them, m. Candidates are collected
/// with this much room.
pub(crate) const LARGEST_PUSH: f32 = 0.1;

/// Sweeps of relaxation. In a filled disc of 1000 people who all press to the centre, 16 leave less
/// than 20 pairs overlapping at any time.
const SWEEPS: usize = 16;

/// Pairs and small knots come apart in this many sweeps. What does not is a press.
const PLAIN_SWEEPS: usize = 4;

/// In a press bodies count as larger by this share: it carries the push on to the outer layers
/// before those within are squeezed, and leaves everyone some room to work loose. Without it the
/// disc locks for ever; with 8 % the last ones take longer.
const PRESS_ROOM: f32 = 0.04;

/// Pairs are pushed a little further apart than touching, m, so that rounding does not leave them
/// overlapping.
const MARGIN: f32 = 5e-4;

/// Below this many bodies in contact, threads cost more than they give.
const PARALLEL_FROM: usize = 2048;

/// For every row, the rows that could come into contact with it within the step.
pub(crate) trait Candidates: Sync {
    fn of(&self, row: usize) -> &[u32];
}

/// The state of the pass; kept between steps for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// Where everyone is going to be, by row.
    pub targets: Vec<Vec2>,
    /// Rows in contact, to be looked at in the next sweep.
    pub active: Vec<u32>,
    /// Where steering wanted everyone.
    wanted: Vec<Vec2>,
    corrected: Vec<(Vec2, bool)>,
    next: Vec<u32>,
    /// The last list a row was put on, so that it is there once.
    listed: Vec<u32>,
    list: u32,
}

/// What the pass reads.
pub(crate) struct Bodies<'a, C> {
    pub people: &'a Population,
    pub walls: &'a Walls,
    pub candidates: &'a C,
    pub parallel: bool,
}

impl<C: Candidates> Bodies<'_, C> {
    /// Whether somebody's body overlaps another's at the given positions.
    pub fn overlaps(&self, positions: &[Vec2], row: usize) -> bool {
        self.candidates.of(row).iter().any(|&other| {
            let reach = self.people.radii[row] + self.people.radii[other as usize];
            positions[row].distance_squared(positions[other as usize]) < reach * reach
        })
    }

    /// Where `row` should go next, seen from the current positions; and whether it is in contact.
    fn correct(&self, positions: &[Vec2], wanted: Vec2, row: usize, room: f32) -> (Vec2, bool) {
        let position = positions[row];
        let (mut push, mut count) = (Vec2::ZERO, 0u32);
        let own_share = self.people.traits[row].responsibility;
        for &other in self.candidates.of(row) {
            let other = other as usize;
            let apart = position - positions[other];
            let reach = self.people.radii[row] + self.people.radii[other];
            let distance_squared = apart.length_squared();
            let reach = reach * (1.0 + room);
            if distance_squared >= reach * reach {
                continue;
            }
            let distance = distance_squared.sqrt();
            let direction = if distance > 1e-6 {
                apart / distance
            } else {
                tie_direction(self.people.ids[row], self.people.ids[other])
            };
            let total = own_share + self.people.traits[other].responsibility;
            let share = if total > 0.0 { own_share / total } else { 0.5 };
            push += direction * ((reach + MARGIN - distance) * share);
            count += 1;
        }
        if count == 0 {
            return (position, false);
        }
        // Jacobi pushes from several sides add up and overshoot; a full sum for one, less for more.
        let relaxation = 1.0 / (1.0 + 0.25 * (count - 1) as f32);
        let next = position + push * relaxation;
        let next = wanted + (next - wanted).clamp_length_max(LARGEST_PUSH);
        let layer = self.people.layers[row];
        let radius = self.people.radii[row];
        (constrain(self.walls, layer, radius, self.people.positions[row], next), true)
    }

    /// Whether two bodies are closer than tolerated and closer than they were.
    fn is_too_close(&self, positions: &[Vec2], row: usize, other: usize) -> bool {
        let reach = (self.people.radii[row] + self.people.radii[other]) * (1.0 - TOLERANCE);
        let distance_squared = positions[row].distance_squared(positions[other]);
        let before = || self.people.positions[row].distance_squared(self.people.positions[other]);
        distance_squared < reach * reach && distance_squared < before()
    }
}

impl Contacts {
    /// Moves `targets` apart. On entry `targets` is where steering wants everyone and `active`
    /// lists who overlaps there, in an order that does not depend on threads.
    pub fn resolve<C: Candidates>(&mut self, bodies: &Bodies<C>) {
        if self.active.is_empty() {
            return;
        }
        self.wanted.clone_from(&self.targets);
        self.listed.resize(bodies.people.len(), 0);
        for sweep in 0..SWEEPS {
            self.sweep(bodies, if sweep < PLAIN_SWEEPS { 0.0 } else { PRESS_ROOM });
            if self.active.is_empty() {
                return;
            }
        }
        self.put_back(bodies);
    }

    /// One step of Jacobi relaxation over the active bodies.
    fn sweep<C: Candidates>(&mut self, bodies: &Bodies<C>, room: f32) {
        let (targets, wanted) = (&self.targets, &self.wanted);
        let correct =
            |&row: &u32| bodies.correct(targets, wanted[row as usize], row as usize, room);
        if bodies.parallel && self.active.len() > PARALLEL_FROM {
            self.active.par_iter().map(correct).collect_into_vec(&mut self.corrected);
        } else {
            self.corrected.clear();
            self.corrected.extend(self.active.iter().map(correct));
        }
        let active = std::mem::take(&mut self.active);
        self.begin_list();
        for (&row, &(position, in_contact)) in active.iter().zip(&self.corrected) {
            if in_contact {
                self.targets[row as usize] = position;
                // Those around may be in contact now, whether they were or not.
                list(row, self.list, &mut self.listed, &mut self.next);
                for &near in bodies.candidates.of(row as usize) {
                    list(near, self.list, &mut self.listed, &mut self.next);
                }
            }
        }
        self.active = std::mem::replace(&mut self.next, active);
    }

    /// Puts those who are still too close back to where they were, until nobody is.
    fn put_back<C: Candidates>(&mut self, bodies: &Bodies<C>) {
        while !self.active.is_empty() {
            let active = std::mem::take(&mut self.active);
            self.begin_list();
            for &row in &active {
                let row = row as usize;
                for &near in bodies.candidates.of(row) {
                    if bodies.is_too_close(&self.targets, row, near as usize) {
                        for back in [row, near as usize] {
                            self.targets[back] = bodies.people.positions[back];
                            for &other in bodies.candidates.of(back) {
                                list(other, self.list, &mut self.listed, &mut self.next);
                            }
                        }
                    }
                }
            }
            self.active = std::mem::replace(&mut self.next, active);
        }
    }

    fn begin_list(&mut self) {
        self.next.clear();
        if self.list == u32::MAX {
            self.listed.fill(0);
            self.list = 0;
        }
        self.list += 1;
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        8 * (self.targets.capacity() + self.wanted.capacity())
            + 12 * self.corrected.capacity()
            + 4 * (self.active.capacity() + self.next.capacity() + self.listed.capacity())
    }
}

#[inline(always)]
fn list(row: u32, number: u32, listed: &mut [u32], rows: &mut Vec<u32>) {
    if listed[row as usize] != number {
        listed[row as usize] = number;
        rows.push(row);
    }
}

/// The position nearest to `to` (roughly) that someone coming from `from` can take without entering
/// a wall. `from` is taken to be outside.
pub(crate) fn constrain(walls: &Walls, layer: LayerId, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
    let near = walls.near(layer, from);
    if near.is_empty() {
        return to;
    }
    // Slide along walls: a corner needs two pushes, a niche a few more.
    let mut position = to;
    for _ in 0..4 {
        if let Some((fraction, _)) = walls.crossing(layer, from, position) {
            position = from.lerp(position, (fraction - 1e-3).max(0.0));
        }
        let mut pushed = false;
        for &id in near {
            let wall = walls.get(throng_world::WallId(id));
            let nearest = wall.nearest(position);
            let apart = position - nearest;
            if wall.faces(from) && apart.length_squared() < radius * radius {
                let outwards = Vec2::new(wall.direction.y, -wall.direction.x);
                position = nearest + apart.normalize_or(outwards) * (radius + 1e-4);
                pushed = true;
            }
        }
        if !pushed {
            return position;
        }
    }
    // Wedged: stay, unless this is no worse than where one is.
    let clearance = |point: Vec2| {
        near.iter()
            .map(|&id| walls.get(throng_world::WallId(id)))
            .filter(|wall| wall.faces(from))
            .map(|wall| wall.nearest(point).distance_squared(point))
            .fold(radius * radius, f32::min)
    };
    let is_safe =
        walls.crossing(layer, from, position).is_none() && clearance(position) >= clearance(from);
    if is_safe { position } else { from }
}
