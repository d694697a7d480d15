//! Neighbours and steering for one chunk of people.

use std::sync::{Mutex, PoisonError};

use glam::Vec2;

use crate::contact;
use crate::grid::Entry;
use crate::neighbours::{self, LANES, MAX_NEIGHBOURS, Neighbourhood};
use crate::population::SteeringTraits;
use crate::steering::{SteeringJob, SteeringModel, Surroundings, time_gap};

/// The result of steering for one grid entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub velocity: Vec2,
    /// Distance of the k-th neighbour, m.
    pub search_hint: f32,
    /// Contact candidates in the chunk's list: begin, end of those within reach of an ordinary
    /// step, end of all.
    pub candidates: (u32, u32, u32),
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
    /// Who is steered by each model.
    members: Vec<Vec<u32>>,
}

/// The people of a chunk that one model steers, and memory for it.
struct ModelWork<'a> {
    members: &'a [u32],
    /// The first entry of the chunk.
    first: usize,
    batches: &'a mut Vec<Neighbourhood>,
    velocities: &'a mut Vec<[Vec2; LANES]>,
}

/// What all chunks have in common.
pub(super) struct SteeringStage<'a> {
    pub around: Surroundings<'a>,
    pub models: &'a [Box<dyn SteeringModel>],
    /// The model that steers everyone, if it is one.
    pub only_model: Option<u8>,
    /// One per thread, and one for a caller outside the pool.
    pub scratches: &'a [Mutex<Scratch>],
    /// Two people can touch within the step only if the gap between the centre of one and the body
    /// of the other is less than this, m.
    pub contact_reach: f32,
    /// Whether somebody is seen on two floors.
    pub has_echoes: bool,
}

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
        self.sort_by_model(first, entries, &mut scratch.members);
        let Scratch { batches, velocities, members } = &mut *scratch;
        for (model, members) in self.models.iter().zip(members) {
            let work = ModelWork { members, first, batches, velocities };
            self.run_model(model.as_ref(), work, outcomes, chunk);
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

    /// Lists who is steered by which model.
    fn sort_by_model(&self, first: usize, entries: &[Entry], members: &mut Vec<Vec<u32>>) {
        members.resize_with(self.models.len(), Vec::new);
        members.iter_mut().for_each(Vec::clear);
        if let (Some(model), false) = (self.only_model, self.has_echoes) {
            members[model as usize].extend((first..first + entries.len()).map(|i| i as u32));
            return;
        }
        for (index, entry) in (first..).zip(entries).filter(|(_, entry)| !entry.is_echo()) {
            let model = self.around.people.manner(entry.row()).model;
            members[model as usize].push(index as u32);
        }
    }

    fn run_model(
        &self,
        model: &dyn SteeringModel,
        work: ModelWork,
        outcomes: &mut [Outcome],
        chunk: &mut Chunk,
    ) {
        let ModelWork { members, first, batches, velocities } = work;
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
        time_gap::keep(SteeringJob { around: self.around, batches, velocities });
        for (batch, velocities) in batches.iter().zip(velocities.iter()) {
            self.conclude(batch, velocities, first, outcomes, chunk);
        }
    }

    /// Writes the outcomes of a batch.
    fn conclude(
        &self,
        batch: &Neighbourhood,
        velocities: &[Vec2; LANES],
        first: usize,
        outcomes: &mut [Outcome],
        chunk: &mut Chunk,
    ) {
        let people = self.around.people;
        let entries = batch.who.map(|who| self.around.entry(who));
        let reach = entries.map(|entry| entry.radius() + self.contact_reach);
        let squared = |less: f32| reach.map(|reach| (reach - less) * (reach - less));
        let [in_step, in_reach] =
            batch.within(&squared(2.0 * contact::LARGEST_PUSH), &squared(0.0));
        for lane in 0..batch.len {
            let (who, row) = (batch.who[lane], entries[lane].row());
            let SteeringTraits { neighbour_range, max_neighbours, .. } = people.manner(row).traits;
            let count = batch.count[lane];
            let is_full = count == u32::from(max_neighbours).min(MAX_NEIGHBOURS as u32);
            let search_hint = match count.checked_sub(1) {
                Some(last) if is_full => batch.distance_squared[last as usize][lane].sqrt(),
                _ => neighbour_range,
            };
            chunk.hint_sum += f64::from(search_hint);
            let begin = chunk.candidates.len() as u32;
            let (near, end) = if is_full && in_reach[lane] == count {
                // More people than were asked for may be this close.
                let (grid, layer) = (self.around.grid, people.layers[row]);
                neighbours::for_each_within(grid, layer, who, reach[lane], |other, _| {
                    chunk.candidates.push(self.body(other));
                });
                // Pushes are summed in this order; that of the grid depends on how rows lie.
                let entries = &grid.entries;
                chunk.candidates[begin as usize..]
                    .sort_unstable_by_key(|&body| entries[body as usize].id());
                (chunk.candidates.len() as u32, chunk.candidates.len() as u32)
            } else {
                self.list_nearest(batch, lane, in_reach[lane], &mut chunk.candidates);
                (begin + in_step[lane], begin + in_reach[lane])
            };
            let (velocity, candidates) = (velocities[lane], (begin, near, end));
            outcomes[who as usize - first] = Outcome { velocity, search_hint, candidates };
        }
    }

    /// Appends the `count` nearest neighbours of a lane. Few are the rule: four are copied at once
    /// and the rest forgotten, which costs less than a loop of uncertain length.
    #[inline(always)]
    fn list_nearest(&self, batch: &Neighbourhood, lane: usize, count: u32, list: &mut Vec<u32>) {
        let (begin, count) = (list.len(), count as usize);
        if self.has_echoes || count > 4 {
            list.extend(batch.index[..count].iter().map(|index| self.body(index[lane])));
        } else {
            list.extend_from_slice(&[0, 1, 2, 3].map(|slot: usize| batch.index[slot][lane]));
            list.truncate(begin + count);
        }
    }

    /// The entry that stands for a person in contacts: never the echo.
    #[inline(always)]
    fn body(&self, entry: u32) -> u32 {
        let grid = self.around.grid;
        let seen = &grid.entries[entry as usize];
        if seen.is_echo() { grid.entry_of_row[seen.row()] } else { entry }
    }
}
