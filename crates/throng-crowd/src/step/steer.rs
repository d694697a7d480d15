//! Neighbours and steering for one chunk of people.

use std::sync::{Mutex, PoisonError};

use glam::Vec2;
use throng_simd::run_anywhere;

use super::conclude::{Chunk, Conclude, Outcome, Outcomes};
use super::touch::{Entries, Touch};
use crate::contact;
use crate::effort::Effort;
use crate::grid::GridEntry;
use crate::neighbours::{self, LANES, Neighbourhood};
use crate::steering::{ChunkJob, Models, Surroundings, limits, time_gap};
use crate::workers::{CHUNK, PerChunk, Workers};

/// Memory of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    batches: Vec<Neighbourhood>,
    /// Batches as they were before companions were left out of them, with their numbers.
    complete: Vec<(usize, Neighbourhood)>,
    velocities: Vec<[Vec2; LANES]>,
    turns: Vec<[Vec2; LANES]>,
    rooms: Vec<[f32; LANES]>,
    /// Who is steered by each model.
    members: Vec<Vec<u32>>,
    /// Who is not steered by any.
    unsteered: Vec<u32>,
}

/// The people of a chunk that one model steers, and memory for it.
struct ModelWork<'a> {
    model: u8,
    members: &'a [u32],
    /// The first entry of the chunk.
    first: usize,
    batches: &'a mut Vec<Neighbourhood>,
    complete: &'a mut Vec<(usize, Neighbourhood)>,
    velocities: &'a mut Vec<[Vec2; LANES]>,
    turns: &'a mut Vec<[Vec2; LANES]>,
    rooms: &'a mut Vec<[f32; LANES]>,
}

/// What all chunks have in common.
pub(super) struct SteeringStage<'a> {
    pub around: Surroundings<'a>,
    pub models: &'a Models,
    pub steered: Steered,
    /// One per thread, and one for a caller who does all alone.
    pub scratches: &'a [Mutex<Scratch>],
    /// Whether chunks are handed out to the threads of a pool.
    pub parallel: bool,
    /// Two people can touch within the step only if the gap between the centre of one and the body
    /// of the other is less than this, m.
    pub contact_reach: f32,
    /// Whether somebody is seen on two floors.
    pub has_echoes: bool,
    /// Every how many steps somebody decides who is steered simply.
    pub decides_every: u64,
}

/// By what people are steered.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Steered {
    /// Nobody heeds anybody else, and nobody is an echo.
    Unheeding,
    /// All by the model with this number, and nobody is an echo.
    Alike(u8),
    /// By several models, or some are echoes.
    Differently,
}

impl<'a> SteeringStage<'a> {
    pub fn new(
        around: Surroundings<'a>,
        models: &'a Models,
        scratches: &'a [Mutex<Scratch>],
        contact_reach: f32,
        decides_every: u64,
        workers: Workers,
    ) -> Self {
        let Surroundings { people, grid, .. } = around;
        let has_echoes = grid.entries.len() > people.len();
        let keeps_gaps = people.profiles.keep_gaps();
        let steered = match people.only_model().filter(|_| !has_echoes) {
            Some(model) if models.get(model).heeds_nobody() && !keeps_gaps => Steered::Unheeding,
            Some(model) => Steered::Alike(model),
            None => Steered::Differently,
        };
        let parallel = workers.parallel;
        Self {
            around,
            models,
            steered,
            scratches,
            parallel,
            contact_reach,
            has_echoes,
            decides_every,
        }
    }

    /// Finds neighbours, velocities and what people get to by them, in the order of the grid.
    pub fn steer(&self, outcomes: &mut Outcomes, targets: &mut Vec<Vec2>, workers: Workers) {
        let count = self.around.grid.entries.len();
        outcomes.all.resize(count, Outcome::default());
        outcomes.chunks.resize_with(count.div_ceil(CHUNK), Chunk::default);
        targets.resize(count, Vec2::ZERO);
        let columns = (&mut outcomes.all[..], &mut targets[..], PerChunk(&mut outcomes.chunks[..]));
        workers.for_each_chunk(count, columns, |first, (outcomes, targets, PerChunk(chunks))| {
            for chunk in chunks {
                self.chunk(first, outcomes, targets, chunk);
            }
        });
        outcomes.measure();
    }

    /// Finds neighbours and velocities of the entries from `first` on.
    pub fn chunk(
        &self,
        first: usize,
        outcomes: &mut [Outcome],
        targets: &mut [Vec2],
        chunk: &mut Chunk,
    ) {
        for model in 0..self.models.len() as u8 {
            if self.around.people.states.get(model).is_some() {
                // Whom the model does not steer any more it has forgotten.
                let new = || self.models.get(model).new_column();
                let states = chunk.states.get_or_insert(model, new);
                states.into_iter().for_each(|states| states.reset(outcomes.len()));
            }
        }
        let worker = rayon::current_thread_index().filter(|_| self.parallel);
        let own = worker.unwrap_or(self.scratches.len() - 1);
        // Nobody else uses this one at the same time: the lock is never waited for.
        let mut scratch = self.scratches[own].lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &self.around.grid.entries[first..first + outcomes.len()];
        chunk.clear();
        if self.steered == Steered::Unheeding {
            let who = Entries::All;
            run_anywhere(self.around.simd, Touch { stage: self, who, first, outcomes, chunk });
        } else {
            let Scratch { batches, complete, velocities, turns, rooms, members, unsteered } =
                &mut *scratch;
            self.sort_by_model(first, entries, members, unsteered);
            if !unsteered.is_empty() {
                let who = Entries::Some(unsteered);
                run_anywhere(self.around.simd, Touch { stage: self, who, first, outcomes, chunk });
            }
            for (model, members) in (0..).zip(&*members) {
                let work = ModelWork {
                    model,
                    members,
                    first,
                    batches,
                    complete,
                    velocities,
                    turns,
                    rooms,
                };
                self.run_model(work, outcomes, chunk);
            }
        }
        for ((entry, outcome), target) in entries.iter().zip(outcomes).zip(targets) {
            let from = entry.position();
            *target = from;
            if entry.is_echo() {
                *outcome = Outcome::default();
                continue;
            }
            *target += outcome.velocity * self.around.step;
            if !self.around.walls.is_empty()
                && !contact::is_far_from_walls(outcome.room, entry.radius(), from, *target)
            {
                let layer = self.around.people.layers[entry.row()];
                *target =
                    contact::constrain(self.around.walls, layer, entry.radius(), from, *target);
            }
        }
    }

    /// Lists who is steered by which model, and who by none in this step.
    fn sort_by_model(
        &self,
        first: usize,
        entries: &[GridEntry],
        members: &mut Vec<Vec<u32>>,
        unsteered: &mut Vec<u32>,
    ) {
        members.resize_with(self.models.len(), Vec::new);
        members.iter_mut().for_each(Vec::clear);
        unsteered.clear();
        if let Steered::Alike(model) = self.steered {
            members[model as usize].extend((first..first + entries.len()).map(|i| i as u32));
            return;
        }
        for (index, entry) in (first..).zip(entries).filter(|(_, entry)| !entry.is_echo()) {
            let list = match self.is_unsteered(entry) {
                true => &mut *unsteered,
                false => &mut members[self.around.people.profile(entry.row()).model as usize],
            };
            list.push(index as u32);
        }
    }

    /// Whether no model has a say in how somebody moves now: they only follow their way, or they are steered simply
    /// and it is not their turn to decide.
    fn is_unsteered(&self, entry: &GridEntry) -> bool {
        match self.around.people.effort(entry.row()) {
            _ if self.has_echoes => false,
            Effort::Full => false,
            Effort::Simple => {
                !(self.around.steps + u64::from(entry.id())).is_multiple_of(self.decides_every)
            }
            Effort::Path => true,
        }
    }

    fn run_model(&self, work: ModelWork, outcomes: &mut [Outcome], chunk: &mut Chunk) {
        let ModelWork { model, members, first, batches, complete, velocities, turns, rooms } = work;
        let Surroundings { simd, grid, people, .. } = self.around;
        let count = members.len().div_ceil(LANES);
        if batches.len() < count {
            batches.resize_with(count, Neighbourhood::new);
            velocities.resize(count, [Vec2::ZERO; LANES]);
            turns.resize(count, [Vec2::ZERO; LANES]);
            rooms.resize(count, [0.0; LANES]);
        }
        let rooms = &mut rooms[..count];
        rooms.fill([0.0; LANES]);
        let (batches, velocities) = (&mut batches[..count], &mut velocities[..count]);
        let turns = &mut turns[..count];
        for (batch, who) in batches.iter_mut().zip(members.chunks(LANES)) {
            batch.begin(grid, people, who);
        }
        neighbours::find(simd, grid, people, batches);
        let without = leave_out_companions(self.around, batches, complete);
        let (around, states) = (self.around, people.states.get(model));
        let next = chunk.states.get_mut(model);
        self.models.get(model).steer(ChunkJob {
            around,
            batches,
            velocities,
            rooms,
            states,
            next,
            first: first as u32,
        });
        if !self.models.get(model).keeps_time_gap() {
            time_gap::keep(around, batches, velocities);
        }
        let heed = !self.models.get(model).heeds_nobody();
        limits::keep(around, batches, heed, velocities, turns, rooms);
        // Companions can touch each other as well as others.
        for (number, batch) in &complete[..without] {
            batches[*number].clone_from(batch);
        }
        let stage = self;
        let conclude =
            Conclude { stage, batches, velocities, turns, rooms, first, outcomes, chunk };
        run_anywhere(simd, conclude);
    }

    /// The entry that stands for a person in contacts: never the echo.
    #[inline(always)]
    pub fn body(&self, entry: u32) -> u32 {
        let grid = self.around.grid;
        let seen = &grid.entries[entry as usize];
        if seen.is_echo() { grid.entry_of_row[seen.row()] } else { entry }
    }
}

/// Leaves companions out of batches, and keeps those that had any as they were; tells how many.
fn leave_out_companions(
    around: Surroundings,
    batches: &mut [Neighbourhood],
    complete: &mut Vec<(usize, Neighbourhood)>,
) -> usize {
    let (people, mut count) = (around.people, 0);
    if people.bonds.is_empty() {
        return count;
    }
    for (number, batch) in batches.iter_mut().enumerate() {
        if batch.rows.iter().all(|&row| people.bond(row as usize).party == 0) {
            continue;
        }
        if complete.len() == count {
            complete.push((0, Neighbourhood::new()));
        }
        let (at, kept) = &mut complete[count];
        kept.clone_from(batch);
        *at = number;
        let leaves_out = batch.leave_out_companions(people, |entry| around.entry(entry).row());
        count += usize::from(leaves_out);
    }
    count
}
