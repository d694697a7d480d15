//! Bodies do not pass through each other or through walls.
//!
//! Steering only *wants* to keep people apart; in a press it cannot. After it, this pass moves the
//! bodies to where they can be. It promises, for people who were apart before the step:
//!
//! * no two are closer than `1 - `[`TOLERANCE`] of their contact distance,
//! * nobody's centre crosses a wall, and nobody comes closer to one than their radius (or than they
//!   were),
//! * where no bodies would overlap nobody is moved, so a crowd at rest stays at rest.
//!
//! Whoever has fallen is no body for this pass: others can step over them.
//!
//! Overlapping pairs are pushed apart in a few Jacobi sweeps (everyone reads the last sweep's
//! positions, so the order of people does not matter). What is then still too close is put back to
//! where it was at the beginning of the step, and so is whoever moved into that place meanwhile:
//! in the worst case everyone stays where they were, which was fine.

use glam::Vec2;
use throng_world::Walls;
use throng_world::scene::LayerId;

use crate::grid::GridEntry;
use crate::tie::tie_direction;
use crate::workers::Workers;

/// Overlap that may be left standing, as a share of the contact distance. Nearly all pairs end at
/// none.
pub const TOLERANCE: f32 = 0.002;

/// How far the pass moves somebody from where steering wanted them, m. Candidates are collected
/// with this much room.
pub const LARGEST_PUSH: f32 = 0.1;

/// Sweeps of relaxation at most. In a filled disc of 1000 people who all press to the centre, 16
/// leave up to 70 pairs overlapping, 32 less than 20.
const SWEEPS: usize = 32;

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
const PARALLEL_FROM: usize = 128;

/// For every body, the bodies that could come into contact with it within the step. Bodies are
/// numbered as the grid's entries.
pub(crate) trait Candidates: Sync {
    fn of(&self, body: usize) -> impl Iterator<Item = u32>;
}

/// The state of the pass; kept between steps for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// Where every body is going to be.
    pub targets: Vec<Vec2>,
    /// Bodies that overlap or have just been moved, to be looked at in the next sweep.
    active: Vec<u32>,
    /// Where steering wanted everyone.
    wanted: Vec<Vec2>,
    corrected: Vec<Correction>,
    /// What the threads have found in the last sweep.
    found: Vec<Found>,
    next: Vec<u32>,
    /// The last list a body was put on, so that it is there once.
    listed: Vec<u32>,
    list: u32,
}

/// What a sweep wants of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Correction {
    position: Vec2,
    /// Whether it touches anybody.
    touches: bool,
    /// Whether it overlaps with anybody.
    overlaps: bool,
}

/// What a sweep over some bodies finds.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Whom they touch who are not active themselves.
    touched: Vec<u32>,
    /// Whether any of them overlaps with anybody.
    overlaps: bool,
}

/// What the pass reads.
pub(crate) struct Bodies<'a, C> {
    /// Where they are, and what they are like.
    pub entries: &'a [GridEntry],
    pub layers: &'a [LayerId],
    pub walls: &'a Walls,
    pub candidates: &'a C,
    pub workers: Workers,
}

/// Two bodies that touch.
struct Touch {
    other: u32,
    /// From the other to the one.
    apart: Vec2,
    distance_squared: f32,
    /// Sum of the radii, m.
    contact: f32,
    /// The same when bodies count as larger, m.
    reach: f32,
}

/// Whether two bodies would overlap at some positions.
#[inline(always)]
pub(crate) fn overlap(entries: &[GridEntry], positions: &[Vec2], [a, b]: [usize; 2]) -> bool {
    let reach = contact_distance(&entries[a], &entries[b]);
    positions[a].distance_squared(positions[b]) < reach * reach
}

/// How near two bodies can come to each other, m.
#[inline(always)]
fn contact_distance(a: &GridEntry, b: &GridEntry) -> f32 {
    if a.lies() || b.lies() { 0.0 } else { a.radius() + b.radius() }
}

impl<C: Candidates> Bodies<'_, C> {
    /// The threads for work on so many bodies.
    fn workers_for(&self, count: usize) -> Workers {
        if count > PARALLEL_FROM { self.workers } else { Workers::one() }
    }

    /// Those who touch a body, when all count as larger by the share `room`.
    #[inline(always)]
    fn touching(&self, positions: &[Vec2], body: usize, room: f32) -> impl Iterator<Item = Touch> {
        let position = positions[body];
        self.candidates.of(body).filter_map(move |other| {
            let apart = position - positions[other as usize];
            let contact = self.contact_distance(body, other as usize);
            let (reach, distance_squared) = (contact * (1.0 + room), apart.length_squared());
            let touch = Touch { other, apart, distance_squared, contact, reach };
            (distance_squared < reach * reach).then_some(touch)
        })
    }

    /// How near two bodies can come to each other, m.
    #[inline(always)]
    fn contact_distance(&self, body: usize, other: usize) -> f32 {
        contact_distance(&self.entries[body], &self.entries[other])
    }

    /// Where a body should go next, seen from the current positions. Everyone it touches is told
    /// to `touched`.
    #[inline(always)]
    fn correct(
        &self,
        positions: &[Vec2],
        wanted: Vec2,
        body: usize,
        room: f32,
        mut touched: impl FnMut(u32),
    ) -> Correction {
        let (own, position) = (&self.entries[body], positions[body]);
        let (mut push, mut count, mut overlaps) = (Vec2::ZERO, 0u32, false);
        for Touch { other, apart, distance_squared, contact, reach } in
            self.touching(positions, body, room)
        {
            touched(other);
            overlaps |= distance_squared < contact * contact;
            let other = &self.entries[other as usize];
            let distance = distance_squared.sqrt();
            let direction = if distance > 1e-6 {
                apart / distance
            } else {
                tie_direction(own.id(), other.id())
            };
            let total = own.responsibility() + other.responsibility();
            let share = if total > 0.0 { own.responsibility() / total } else { 0.5 };
            push += direction * ((reach + MARGIN - distance) * share);
            count += 1;
        }
        if count == 0 {
            return Correction { position, touches: false, overlaps };
        }
        // Jacobi pushes from several sides add up and overshoot; a full sum for one, less for more.
        let relaxation = 1.0 / (1.0 + 0.25 * (count - 1) as f32);
        let next = position + push * relaxation;
        let next = wanted + (next - wanted).clamp_length_max(LARGEST_PUSH);
        let position = if self.walls.is_empty() {
            next
        } else {
            let layer = self.layers[own.row()];
            constrain(self.walls, layer, own.radius(), own.position(), next)
        };
        Correction { position, touches: true, overlaps }
    }

    /// Whether two bodies are closer than tolerated and closer than they were.
    fn is_too_close(&self, positions: &[Vec2], body: usize, other: usize) -> bool {
        let reach = self.contact_distance(body, other) * (1.0 - TOLERANCE);
        let distance_squared = positions[body].distance_squared(positions[other]);
        let (from, other_from) = (self.entries[body].position(), self.entries[other].position());
        distance_squared < reach * reach && distance_squared < from.distance_squared(other_from)
    }
}

impl Contacts {
    /// Moves `targets` apart. On entry `targets` is where steering wants everyone; `overlapping` are
    /// those who overlap there, in an order that does not depend on threads and as often as one
    /// likes.
    pub fn resolve<C: Candidates>(
        &mut self,
        bodies: &Bodies<C>,
        overlapping: impl Iterator<Item = u32>,
    ) {
        self.listed.resize(bodies.entries.len(), 0);
        self.begin_list();
        overlapping.for_each(|body| list(body, self.list, &mut self.listed, &mut self.next));
        std::mem::swap(&mut self.active, &mut self.next);
        if self.active.is_empty() {
            return;
        }
        self.wanted.resize(self.targets.len(), Vec2::ZERO);
        let columns = (&mut self.wanted[..], &self.targets[..]);
        bodies.workers.for_each_chunk(self.targets.len(), columns, |_, (wanted, targets)| {
            wanted.copy_from_slice(targets);
        });
        for sweep in 0..SWEEPS {
            let room = if sweep < PLAIN_SWEEPS { 0.0 } else { PRESS_ROOM };
            if !self.sweep(bodies, room) {
                return;
            }
        }
        self.put_back(bodies);
    }

    /// One step of Jacobi relaxation over the active bodies and those they touch. Tells whether
    /// there was still something to do: if no active bodies overlap, nobody is moved.
    fn sweep<C: Candidates>(&mut self, bodies: &Bodies<C>, room: f32) -> bool {
        let moved = self.active.len();
        self.corrected.resize(moved, Correction::default());
        let (active, targets, wanted) = (&self.active, &self.targets, &self.wanted);
        let (listed, number) = (&self.listed, self.list);
        let workers = bodies.workers_for(moved);
        let share = moved.div_ceil(workers.count()).max(1);
        self.found.resize_with(moved.div_ceil(share), Found::default);
        let work = active.chunks(share).zip(self.corrected.chunks_mut(share)).zip(&mut self.found);
        workers.share_out(work, |((active, corrected), found)| {
            let Found { touched, overlaps } = found;
            touched.clear();
            *overlaps = false;
            for (&body, correction) in active.iter().zip(corrected) {
                let wanted = wanted[body as usize];
                *correction = bodies.correct(targets, wanted, body as usize, room, |other| {
                    if listed[other as usize] != number {
                        touched.push(other);
                    }
                });
                *overlaps |= correction.overlaps;
            }
        });
        if !self.found.iter().any(|found| found.overlaps) {
            return false;
        }

        // Those who have been run into make way in the same sweep.
        for &body in self.found.iter().flat_map(|found| &found.touched) {
            list(body, self.list, &mut self.listed, &mut self.active);
        }
        for &body in &self.active[moved..] {
            let wanted = self.wanted[body as usize];
            let correction = bodies.correct(&self.targets, wanted, body as usize, room, |_| {});
            self.corrected.push(correction);
        }
        self.begin_list();
        for (&body, correction) in self.active.iter().zip(&self.corrected) {
            if correction.touches {
                self.targets[body as usize] = correction.position;
                list(body, self.list, &mut self.listed, &mut self.next);
            }
        }
        std::mem::swap(&mut self.active, &mut self.next);
        true
    }

    /// Puts those who are still too close back to where they were, until nobody is. Who that is, is
    /// decided for all before anybody moves, so that no order matters.
    fn put_back<C: Candidates>(&mut self, bodies: &Bodies<C>) {
        while !self.active.is_empty() {
            self.begin_list();
            let (targets, workers) = (&self.targets, bodies.workers_for(self.active.len()));
            let too_close = workers.sum_up(&self.active, |active| {
                let mut too_close = Vec::new();
                for &body in active {
                    let others = bodies.candidates.of(body as usize);
                    let close =
                        |&other: &u32| bodies.is_too_close(targets, body as usize, other as usize);
                    too_close.extend(others.filter(close).flat_map(|other| [body, other]));
                }
                too_close
            });
            for &body in too_close.iter().flatten() {
                list(body, self.list, &mut self.listed, &mut self.next);
            }
            let back = std::mem::take(&mut self.next);
            self.next = std::mem::take(&mut self.active);
            self.begin_list();
            for &body in &back {
                self.targets[body as usize] = bodies.entries[body as usize].position();
                for near in bodies.candidates.of(body as usize) {
                    list(near, self.list, &mut self.listed, &mut self.next);
                }
            }
            self.active = std::mem::replace(&mut self.next, back);
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
            + size_of::<Correction>() * self.corrected.capacity()
            + 4 * self.found.iter().map(|found| found.touched.capacity()).sum::<usize>()
            + 4 * (self.active.capacity() + self.next.capacity() + self.listed.capacity())
    }
}

#[inline(always)]
fn list(body: u32, number: u32, listed: &mut [u32], list: &mut Vec<u32>) {
    if listed[body as usize] != number {
        listed[body as usize] = number;
        list.push(body);
    }
}

/// Whether somebody on the way from one point to another cannot touch a wall, as no wall that they face is
/// nearer than `room`, m.
#[inline(always)]
pub(crate) fn is_far_from_walls(room: f32, radius: f32, from: Vec2, to: Vec2) -> bool {
    let left = room - radius - MARGIN;
    left > 0.0 && from.distance_squared(to) < left * left
}

/// The position nearest to `to` (roughly) that someone coming from `from` can take without entering
/// a wall. `from` is taken to be outside.
pub(crate) fn constrain(walls: &Walls, layer: LayerId, radius: f32, from: Vec2, to: Vec2) -> Vec2 {
    // Most walls are out of reach, however one moves.
    let reach = radius + from.distance(to) + MARGIN;
    if walls.room(layer, from) > reach {
        return to;
    }
    let near = walls.near(layer, from);
    if !near.iter().any(|&id| walls.get(throng_world::WallId(id)).is_within(from, reach)) {
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
