//! One step of the crowd.
//!
//! In order: **obstacles** come and go; people appear at **sources**; those who asked are told
//! **ways**; **goals** give everyone a preferred velocity, and those who are done leave; **fields**
//! lead them elsewhere, **companions** keep together, and slopes and stairs slow them down; the **grid** is built; for chunks of people in grid order, **neighbours** are found and each
//! **steering** model chooses velocities; **bodies**, if there are any, say how far they can follow; **contacts**
//! decide where people can really go; people **advance**. Every stage reads what the stages before it wrote and writes what nobody else
//! touches, and no stage depends on the order of rows: any number of threads gives the same bits.

mod accompany;
mod advance;
mod climb;
mod conclude;
mod embody;
mod emit;
mod foresee;
mod lead;
mod pursue;
mod route;
mod sixteen;
mod steer;
mod touch;

use std::sync::Mutex;

use glam::Vec2;
use rayon::prelude::*;
use throng_world::scene::LayerId;

use crate::columns::AnyColumn;
use crate::contact::{self, Bodies, Candidates};
use crate::crowd::{Crowd, Setting};
use crate::goals::Plan;
use crate::grid::GridEntry;
use crate::population::Population;
use crate::steering::{NextStates, StateRows, Surroundings};
use crate::timings::{Stage, StageTimes, Stopwatch};
pub(crate) use advance::{BLOCKED_PACE, what_happened_to};
pub(crate) use conclude::{Chunk, Outcome};
pub use embody::{Embodiment, Move};
pub(crate) use foresee::{Foreseen, Foresight};
pub(crate) use steer::Scratch;
use steer::SteeringStage;

/// How many people are served together: enough to outweigh the cost of a task, few enough that
/// their neighbour lists stay in the cache.
pub(crate) const CHUNK: usize = 512;

/// For fewer people than this, work is not handed out to other threads: that costs something in
/// every stage.
const PARALLEL_FROM: usize = 3000;

/// Rows are put into grid order every so many steps. Seldom is slow because memory scatters, often
/// because all columns are moved.
const REORDER_EVERY: u64 = 32;

/// People on a connector are seen from the other floor when they are less than this above or below
/// it, m.
const HEAD_ROOM: f32 = 2.0;

impl Crowd {
    /// How many threads share the next step: all of its own, or one if there are fewer than 3,000 people.
    pub fn workers(&self) -> usize {
        if self.len() < PARALLEL_FROM { 1 } else { self.threads() }
    }

    pub(crate) fn step_with(&mut self, workers: usize, bodies: Option<&mut dyn Embodiment>) {
        let parallel = workers > 1;
        if self.scratches.len() < workers + 1 {
            self.scratches.resize_with(workers + 1, Mutex::default);
        }
        self.timings = StageTimes::default();
        self.largest_shift = match bodies {
            Some(_) => embody::largest_shift(self.largest_speed, self.setting.step as f32),
            None => 0.0,
        };
        let mut watch = Stopwatch::start();
        self.change_obstacles();
        if self.guidance.is_some() {
            self.people.outlooks.keep(self.people.len());
        }
        if self.guidance.is_some() || self.plans.iter().any(Plan::needs_memory) {
            self.people.goal_memories.keep(self.people.len());
        }
        watch.lap(Stage::Obstacles);
        self.emit();
        watch.lap(Stage::Emit);
        self.find_ways(parallel);
        watch.lap(Stage::Ways);
        self.pursue_goals(parallel);
        watch.lap(Stage::Goals);
        self.follow_fields(parallel);
        self.accompany(parallel);
        self.slow_on_slopes(parallel);
        watch.lap(Stage::Fields);
        self.build_grid(parallel);
        watch.lap(Stage::Grid);
        self.steer(parallel);
        watch.lap(Stage::Steer);
        let embodied = bodies.is_some();
        if let Some(bodies) = bodies {
            self.embody(bodies);
        }
        watch.lap(Stage::Bodies);
        self.resolve_contacts(parallel);
        watch.lap(Stage::Contacts);
        self.advance(parallel);
        if embodied {
            self.take_over_from_bodies();
        }
        self.replace_states(parallel);
        watch.lap(Stage::Advance);
        watch.stop(&mut self.timings);
        self.steps += 1;
    }

    /// Whether bodies take part in the step under way, or did in the last one.
    pub(crate) fn is_embodied(&self) -> bool {
        self.largest_shift > 0.0
    }

    /// How much two people can approach each other within a step, m.
    pub(crate) fn largest_approach(&self) -> f32 {
        let moved = self.largest_speed * self.setting.step as f32;
        2.0 * (moved + self.largest_shift + contact::LARGEST_PUSH)
    }

    fn build_grid(&mut self, parallel: bool) {
        if self.steps.is_multiple_of(REORDER_EVERY) && self.steps > 0 {
            self.look_for_drifters();
            let real = self.grid.entries.iter().filter(|entry| !entry.is_echo());
            // Those who have come or gone since the grid was built are sorted in next time.
            let order: Vec<u32> = real.map(|entry| entry.row() as u32).collect();
            if order.len() == self.people.len() && self.grid_is_current() {
                self.people.reorder(&order);
            }
        }
        let (people, setting) = (&self.people, &self.setting);
        self.first_unsorted = people.ever();
        self.grid.rebuild(people, setting.layers.len(), self.spacing, parallel, |row| {
            echo(setting, people, row)
        });
    }

    /// Whether the rows are those the grid was built of.
    fn grid_is_current(&self) -> bool {
        let same = |entry: &GridEntry| self.people.ids.get(entry.row()) == Some(&entry.id());
        self.grid.entries.iter().all(same)
    }

    fn steer(&mut self, parallel: bool) {
        let count = self.grid.entries.len();
        let (only_model, has_echoes) = (self.people.only_model(), count > self.people.len());
        for model in 0..self.models.len() as u8 {
            if self.people.profiles.has_model(model) {
                self.people.keep_states(&self.models, model);
            }
        }
        let heeds_nobody = |model: u8| self.models.get(model).heeds_nobody();
        self.outcomes.resize(count, Outcome::default());
        self.chunks.resize_with(count.div_ceil(CHUNK), Chunk::default);
        let stage = SteeringStage {
            around: Surroundings {
                people: &self.people,
                grid: &self.grid,
                walls: &self.ground.walls,
                step: self.setting.step as f32,
                steps: self.steps,
                random: self.random,
                simd: self.simd,
                embodied: self.is_embodied(),
            },
            models: &self.models,
            only_model,
            scratches: &self.scratches,
            parallel,
            has_echoes,
            nobody_heeds: only_model.is_some_and(heeds_nobody)
                && !has_echoes
                && !self.people.profiles.keep_gaps(),
            contact_reach: self.largest_radius + self.largest_approach(),
            decides_every: self.steps_per_decision(),
        };
        type Share<'a> = ((&'a mut [Outcome], &'a mut [Vec2]), &'a mut Chunk);
        let work = |(number, ((outcomes, targets), chunk)): (usize, Share)| {
            stage.chunk(number * CHUNK, outcomes, targets, chunk);
        };
        let targets = &mut self.contacts.targets;
        targets.resize(count, Vec2::ZERO);
        if parallel {
            let outcomes = self.outcomes.par_chunks_mut(CHUNK).zip(targets.par_chunks_mut(CHUNK));
            outcomes.zip(&mut self.chunks).enumerate().for_each(work);
        } else {
            let outcomes = self.outcomes.chunks_mut(CHUNK).zip(targets.chunks_mut(CHUNK));
            outcomes.zip(&mut self.chunks).enumerate().for_each(work);
        }
        let hints: f64 = self.chunks.iter().map(|chunk| chunk.hint_sum).sum();
        self.spacing = ((hints / count.max(1) as f64) as f32).clamp(0.5, 10.0);
    }

    /// Everybody's next state takes the place of the last one, and shows in statuses.
    fn replace_states(&mut self, parallel: bool) {
        let (chunks, models) = (&self.chunks, &self.models);
        let Population { states, statuses, blocked_since, profile_ids, profiles, .. } =
            &mut self.people;
        let mut has_states = false;
        for (model, states) in states.iter_mut() {
            has_states = true;
            let next = NextStates {
                chunks: chunks.iter().filter_map(|chunk| chunk.states.get(model)).collect(),
                is_own: &|profile| profiles.get(profile).model == model,
                now: self.steps as u32,
                parallel,
            };
            let entries = &self.grid.entry_of_row;
            let rows = StateRows { states, statuses, blocked_since, profile_ids, entries };
            models.get(model).replace_states(rows, &next);
        }
        if has_states {
            // Who has changed to a model without states neither queues nor lies nor panics any more.
            for (status, &profile) in statuses.iter_mut().zip(&*profile_ids) {
                if *status != status.without_model()
                    && states.get(profiles.get(profile).model).is_none()
                {
                    *status = status.without_model();
                }
            }
        }
    }

    fn resolve_contacts(&mut self, parallel: bool) {
        let Self { setting, people, grid, contacts, outcomes, chunks, ground, in_contact, .. } =
            self;
        let candidates = ChunkCandidates { outcomes, chunks };
        let bodies = Bodies {
            entries: &grid.entries,
            layers: &people.layers,
            walls: &ground.walls,
            candidates: &candidates,
            parallel,
        };
        in_contact.resize_with(chunks.len(), Vec::new);
        let targets = &contacts.targets;
        let detect = |(number, found): (usize, &mut Vec<u32>)| {
            found.clear();
            let [first, second] = &chunks[number].near;
            for (&body, &other) in first.iter().zip(second) {
                if bodies.overlap(targets, body as usize, other as usize) {
                    found.extend([body, other]);
                }
            }
        };
        if parallel {
            in_contact.par_iter_mut().enumerate().for_each(detect);
        } else {
            in_contact.iter_mut().enumerate().for_each(detect);
        }
        if setting.contacts {
            contacts.resolve(&bodies, in_contact.iter().flatten().copied());
        }
        self.timings.contacts = self.count_contacts();
    }

    /// How many pairs would have overlapped.
    fn count_contacts(&self) -> usize {
        let listed = self.in_contact.iter().map(|found| found.len() / 2).sum();
        if self.grid.entries.len() == self.people.len() {
            return listed;
        }
        // Where somebody is seen on two floors, pairs are listed from both sides.
        let pairs = self.in_contact.iter().flat_map(|found| found.as_chunks::<2>().0);
        let mut pairs: Vec<[u32; 2]> = pairs.map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }
}

/// The other floor on which somebody on a connector is to be seen as well.
pub(crate) fn echo(setting: &Setting, people: &Population, row: usize) -> Option<LayerId> {
    let Setting { layers, connectors, .. } = setting;
    let connector = &connectors[people.connectors[row] as usize - 1];
    let (layer, position) = (people.layers[row], people.positions[row]);
    let other = if layer == connector.lower { connector.upper } else { connector.lower };
    let gap = connector.height(layers, position) - layers[other.0 as usize].height(position);
    (gap.abs() < HEAD_ROOM).then_some(other)
}

/// Contact candidates as the chunks left them.
struct ChunkCandidates<'a> {
    outcomes: &'a [Outcome],
    chunks: &'a [Chunk],
}

impl Candidates for ChunkCandidates<'_> {
    #[inline(always)]
    fn of(&self, body: usize) -> impl Iterator<Item = u32> {
        self.outcomes[body].candidates.of(&self.chunks[body / CHUNK].candidates)
    }
}
