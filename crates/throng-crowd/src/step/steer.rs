//! Neighbours and steering for one chunk of people.

use std::sync::{Mutex, PoisonError};

use glam::Vec2;

use crate::PersonId;
use crate::contact;
use crate::grid::Entry;
use crate::neighbours::{self, LANES, Neighbourhood};
use crate::status::Obstruction;
use crate::steering::{SteeringJob, SteeringModel, Surroundings};

/// The result of steering for one grid entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub velocity: Vec2,
    /// Distance of the k-th neighbour, m.
    pub search_hint: f32,
    pub obstruction: Obstruction,
    /// Contact candidates: begin and end in the chunk's list.
    pub candidates: (u32, u32),
}

/// What a chunk of grid entries leaves behind for later stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    /// Entries that could touch the chunk's people within the step.
    pub candidates: Vec<u32>,
    /// Sum of search hints.
    pub hint_sum: f64,
}

/// Memory of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    batches: Vec<Neighbourhood>,
    velocities: Vec<[Vec2; LANES]>,
    members: Vec<u32>,
}

/// What all chunks have in common.
pub(super) struct SteeringStage<'a> {
    pub around: Surroundings<'a>,
    pub models: &'a [Box<dyn SteeringModel>],
    /// One per thread, and one for a caller outside the pool.
    pub scratches: &'a [Mutex<Scratch>],
    /// Two people can touch within the step only if the gap between the centre of one and the body
    /// of the other is less than this, m.
    pub contact_reach: f32,
}

/// Below this share of the wanted progress it is worth knowing who is in the way.
const SLOW_PACE: f32 = 0.2;

/// How far ahead somebody is looked for who is in the way, m.
const OBSTRUCTION_RANGE: f32 = 0.5;

impl SteeringStage<'_> {
    /// Finds neighbours and velocities of the entries from `first` on.
    pub fn chunk(
        &self,
        first: usize,
        outcomes: &mut [Outcome],
        targets: &mut [Vec2],
        chunk: &mut Chunk,
    ) {
        let own = rayon::current_thread_index().unwrap_or(self.scratches.len() - 1);
        // Nobody else uses this one at the same time: the lock is never waited for.
        let mut scratch = self.scratches[own].lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &self.around.grid.entries[first..first + outcomes.len()];
        chunk.candidates.clear();
        chunk.hint_sum = 0.0;
        for (index, model) in self.models.iter().enumerate() {
            self.run_model(index as u8, model.as_ref(), first, outcomes, chunk, &mut scratch);
        }
        for ((entry, outcome), target) in entries.iter().zip(outcomes).zip(targets) {
            *target = entry.position();
            if entry.is_echo() {
                *outcome = Outcome::default();
                continue;
            }
            *target += outcome.velocity * self.around.step;
            if !self.around.walls.is_empty() {
                let layer = self.around.people.layers[entry.row()];
                let (walls, from) = (self.around.walls, entry.position());
                *target = contact::constrain(walls, layer, entry.radius(), from, *target);
            }
        }
    }

    fn run_model(
        &self,
        model_index: u8,
        model: &dyn SteeringModel,
        first: usize,
        outcomes: &mut [Outcome],
        chunk: &mut Chunk,
        scratch: &mut Scratch,
    ) {
        let Scratch { batches, velocities, members } = scratch;
        let last = first + outcomes.len();
        members.clear();
        members
            .extend((first..last).filter(|&i| self.is_steered(i, model_index)).map(|i| i as u32));
        if members.is_empty() {
            return;
        }
        let count = members.len().div_ceil(LANES);
        if batches.len() < count {
            batches.resize_with(count, Neighbourhood::new);
            velocities.resize(count, [Vec2::ZERO; LANES]);
        }
        let (batches, velocities) = (&mut batches[..count], &mut velocities[..count]);
        for (batch, who) in batches.iter_mut().zip(members.chunks(LANES)) {
            batch.begin(who);
        }
        let Surroundings { simd, grid, people, .. } = self.around;
        neighbours::find(simd, grid, people, batches);
        model.steer(SteeringJob { around: self.around, batches, velocities });
        for (batch, velocities) in batches.iter().zip(velocities.iter()) {
            for lane in 0..batch.len {
                let at = batch.who[lane] as usize - first;
                outcomes[at] = self.outcome(batch, lane, velocities[lane], chunk);
            }
        }
    }

    fn is_steered(&self, entry: usize, model: u8) -> bool {
        let entry = &self.around.grid.entries[entry];
        !entry.is_echo() && self.around.people.models[entry.row()] == model
    }

    fn outcome(
        &self,
        batch: &Neighbourhood,
        lane: usize,
        velocity: Vec2,
        chunk: &mut Chunk,
    ) -> Outcome {
        let who = batch.who[lane];
        let entry = &self.around.grid.entries[who as usize];
        let row = entry.row();
        let traits = &self.around.people.traits[row];
        let count = batch.count[lane] as usize;
        let is_full = count == (traits.max_neighbours as usize).min(neighbours::MAX_NEIGHBOURS);
        let furthest_squared =
            if count > 0 { batch.distance_squared[count - 1][lane] } else { 0.0 };
        let search_hint = if is_full { furthest_squared.sqrt() } else { traits.neighbour_range };
        chunk.hint_sum += f64::from(search_hint);

        let begin = chunk.candidates.len() as u32;
        let reach = entry.radius() + self.contact_reach;
        let reach_squared = reach * reach;
        if is_full && furthest_squared <= reach_squared {
            // More people than were asked for are this close.
            let layer = self.around.people.layers[row];
            neighbours::for_each_within(self.around.grid, layer, who, reach, |other, _| {
                chunk.candidates.push(self.body(other));
            });
        } else {
            for slot in 0..count {
                if batch.distance_squared[slot][lane] > reach_squared {
                    break;
                }
                chunk.candidates.push(self.body(batch.index[slot][lane]));
            }
        }
        let candidates = (begin, chunk.candidates.len() as u32);
        let is_slow = self.around.people.paces[row] <= SLOW_PACE;
        let obstruction =
            if is_slow { self.obstruction(entry, batch, lane) } else { Obstruction::None };
        Outcome { velocity, search_hint, obstruction, candidates }
    }

    /// The entry that stands for a person in contacts: never the echo.
    #[inline(always)]
    fn body(&self, entry: u32) -> u32 {
        let grid = self.around.grid;
        let seen = &grid.entries[entry as usize];
        if seen.is_echo() { grid.entry_of_row[seen.row()] } else { entry }
    }

    /// What is in the way of someone who hardly gets on.
    fn obstruction(&self, entry: &Entry, batch: &Neighbourhood, lane: usize) -> Obstruction {
        let row = entry.row();
        let ahead = self.around.people.preferred_velocities[row].normalize_or_zero();
        let is_in_the_way = |position: Vec2, reach: f32| {
            let to = position - entry.position();
            let distance = to.length();
            distance < reach + OBSTRUCTION_RANGE && to.dot(ahead) > 0.5 * distance
        };
        for (other, _) in batch.of(lane) {
            let other = &self.around.grid.entries[other as usize];
            if is_in_the_way(other.position(), entry.radius() + other.radius()) {
                return Obstruction::Person(PersonId(other.id()));
            }
        }
        let near = self.around.walls.near(self.around.people.layers[row], entry.position()).iter();
        let mut walls = near.map(|&id| self.around.walls.get(throng_world::WallId(id)));
        if walls.any(|wall| is_in_the_way(wall.nearest(entry.position()), entry.radius())) {
            return Obstruction::Wall;
        }
        if batch.count[lane] > 0 { Obstruction::Crowd } else { Obstruction::None }
    }
}
