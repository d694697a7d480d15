//! One step of the crowd.
//!
//! In order: **obstacles** come and go; people appear at **sources**; those who asked are told
//! **ways**; **goals** give everyone a preferred velocity, and those who are done leave; **fields**
//! lead them elsewhere, **companions** keep together, and slopes and stairs slow them down; the **grid** is built; for chunks of people in grid order, **neighbours** are found and each
//! **steering** model chooses velocities; **bodies**, if there are any, say how far they can follow; **contacts**
//! decide where people can really go; people **advance**. Every stage is given the parts of the crowd that it reads and
//! those that it writes. It reads what the stages before it wrote and writes what nobody else
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

use glam::Vec2;

use crate::columns::AnyColumn;
use crate::contact::{self, Bodies, Contacts};
use crate::crowd::Crowd;
use crate::effort::steps_per_decision;
use crate::goals::GoalContext;
use crate::grid::{Grid, GridEntry, Sorted};
use crate::guidance::Asking;
use crate::intents::{GoalState, Intents};
use crate::newcomers::Newcomers;
use crate::plans::Plan;
use crate::population::Population;
use crate::status::Status;
use crate::steering::{Models, NextStates, StateRows, Surroundings};
use crate::timings::{Stage, StageTimes, Stopwatch};
use crate::workers::{PerChunk, Workers};
use crate::world::World;
use accompany::{AccompanyStage, Wishes};
pub(crate) use advance::{BLOCKED_PACE, what_happened_to};
use climb::ClimbStage;
use conclude::Chunk;
pub(crate) use conclude::{Outcome, Outcomes};
pub(crate) use embody::Embodied;
use embody::EmbodyStage;
pub use embody::{Embodiment, Move};
use emit::EmitStage;
pub(crate) use foresee::{Foreseen, Foresight};
use lead::{LeadStage, pulls};
use pursue::{pursue_goals, take_out_leavers};
use route::RouteStage;
pub(crate) use steer::Scratch;
use steer::SteeringStage;

/// For fewer people than this, work is not handed out to other threads: that costs something in
/// every stage.
const PARALLEL_FROM: usize = 3000;

/// Rows are put into grid order every so many steps. Seldom is slow because memory scatters, often
/// because all columns are moved.
const REORDER_EVERY: u64 = 32;

/// What the last step left behind: the next one goes on with it, or uses the memory again.
#[derive(Default)]
pub(crate) struct LastStep {
    pub grid: Grid,
    pub outcomes: Outcomes,
    pub contacts: Contacts,
    pub embodied: Embodied,
    pub timings: StageTimes,
    wishes: Wishes,
}

impl LastStep {
    /// Bytes of memory in use for every person, capacity included.
    pub fn memory(&self) -> usize {
        self.grid.memory() + self.outcomes.memory() + self.contacts.memory()
    }
}

impl Crowd {
    /// How many threads share the next step: all of its own, or one if there are fewer than 3,000 people.
    pub fn workers(&self) -> usize {
        if self.len() < PARALLEL_FROM { 1 } else { self.threads() }
    }

    /// How much two people can approach each other within a step, m.
    pub(crate) fn largest_approach(&self) -> f32 {
        largest_approach(&self.people, &self.world, &self.last.embodied)
    }

    pub(crate) fn step_with(&mut self, workers: Workers, bodies: Option<&mut dyn Embodiment>) {
        let mut watch = Stopwatch::start();
        self.last.timings = StageTimes::default();
        let largest_shift = embody::largest_shift(self.people.largest_speed, self.world.step());
        self.last.embodied.largest_shift = bodies.is_some().then_some(largest_shift);
        self.change_obstacles();
        let Self { world, models, people, intents, plans, fields, guidance, .. } = self;
        let Self { sources, warnings, last, execution, .. } = self;
        let LastStep { grid, outcomes, contacts, embodied, timings, wishes } = last;
        let (simd, scratches) = execution.for_step(workers);
        if guidance.is_some() {
            intents.outlooks.keep(people.len());
        }
        if guidance.is_some() || plans.list.iter().any(Plan::needs_memory) {
            intents.memories.keep(people.len());
        }
        watch.lap(Stage::Obstacles);

        let largest_approach = largest_approach(people, world, embodied);
        let newcomers = Newcomers { world, models, plans, fields, people, intents };
        EmitStage { newcomers, grid, largest_approach }.emit(sources);
        watch.lap(Stage::Emit);

        if let Some(guidance) = guidance {
            let stage = RouteStage { world, people, plans, models, grid, workers };
            stage.find_ways(guidance, intents, timings);
        }
        watch.lap(Stage::Ways);

        if !intents.everyone_drifts {
            let guided = guidance.as_ref();
            let context = GoalContext { world, people, models, plans, grid, guidance: guided };
            let (asking, somebody_leaves) = pursue_goals(&context, intents, workers, simd);
            if let Some(guidance) = guidance {
                guidance.asking = Asking::Only(asking);
            }
            if somebody_leaves {
                take_out_leavers(people, intents);
            }
        }
        watch.lap(Stage::Goals);

        for field in fields.all.iter_mut().flatten() {
            field.advance(world.time(), world.setting.step, people.len(), warnings);
        }
        let (drift, pulls) = (intents.everyone_drifts, pulls(fields));
        if let Some(stage) = LeadStage::new(world, people, plans, fields, &pulls, drift) {
            stage.follow_fields(intents, workers);
        }
        if !people.bonds.is_empty() {
            let stage = AccompanyStage { world, people, grid };
            wishes.accompany(&stage, intents, workers);
            wishes.replace(&mut people.bonds);
        }
        if let Some(stage) = ClimbStage::new(&world.setting, people, drift) {
            stage.slow_all(intents, workers);
        }
        watch.lap(Stage::Fields);

        if world.steps.is_multiple_of(REORDER_EVERY) && world.steps > 0 {
            intents.everyone_drifts = intents.goals.iter().all(GoalState::is_drifting);
            reorder(people, intents, grid, workers);
        }
        let floors = world.setting.layers.len();
        let all = Sorted { people, statuses: &intents.statuses, floors };
        grid.rebuild(all, outcomes.spacing, workers, |row| world.echo(people, row));
        watch.lap(Stage::Grid);

        for model in 0..models.len() as u8 {
            if people.profiles.has_model(model) {
                people.keep_states(models, model);
            }
        }
        let around = Surroundings {
            people,
            intents,
            grid,
            walls: world.walls(),
            step: world.step(),
            steps: world.steps,
            random: world.random,
            simd,
            embodied: embodied.largest_shift.is_some(),
        };
        let reach = people.largest_radius + self::largest_approach(people, world, embodied);
        let decides_every = steps_per_decision(world.setting.step);
        let stage = SteeringStage::new(around, models, scratches, reach, decides_every, workers);
        stage.steer(outcomes, &mut contacts.targets, workers);
        watch.lap(Stage::Steer);

        let is_embodied = bodies.is_some();
        if let Some(bodies) = bodies {
            let (statuses, outcomes) = (&intents.statuses[..], &outcomes.all[..]);
            let stage = EmbodyStage { world, people, statuses, grid, outcomes };
            embodied.embody(&stage, &mut contacts.targets, bodies);
        }
        watch.lap(Stage::Bodies);

        find_overlaps(grid, &contacts.targets, outcomes, people.largest_radius, workers);
        if world.setting.contacts {
            let (layers, walls) = (&people.layers[..], world.walls());
            let bodies =
                Bodies { entries: &grid.entries, layers, walls, candidates: outcomes, workers };
            contacts.resolve(&bodies, outcomes.overlapping());
        }
        timings.contacts = count_contacts(outcomes, grid.entries.len() > people.len());
        watch.lap(Stage::Contacts);

        let went = (&outcomes.all[..], &contacts.targets[..]);
        advance::advance(world, people, intents, grid, went, workers, simd);
        if is_embodied {
            embodied.take_over(people, grid, &outcomes.all);
        }
        let (chunks, now) = (&outcomes.chunks[..], world.steps as u32);
        replace_states(models, people, &mut intents.statuses, grid, chunks, now, workers);
        watch.lap(Stage::Advance);
        watch.stop(timings);
        world.steps += 1;
    }
}

/// How much two people can approach each other within a step, m.
fn largest_approach(people: &Population, world: &World, embodied: &Embodied) -> f32 {
    let shift = embodied.largest_shift.unwrap_or(0.0);
    2.0 * (people.largest_speed * world.step() + shift + contact::LARGEST_PUSH)
}

/// Puts rows into the order of the grid, unless people have come or gone since it was built.
fn reorder(people: &mut Population, intents: &mut Intents, grid: &Grid, workers: Workers) {
    let is_current = |entry: &GridEntry| people.ids.get(entry.row()) == Some(&entry.id());
    let real = grid.entries.iter().filter(|entry| !entry.is_echo());
    let order: Vec<u32> = real.map(|entry| entry.row() as u32).collect();
    if order.len() == people.len() && grid.entries.iter().all(is_current) {
        people.reorder(&order, intents, workers);
    }
}

/// Lists who would overlap, chunk by chunk. No radius is larger than `largest_radius`, m.
fn find_overlaps(
    grid: &Grid,
    targets: &[Vec2],
    outcomes: &mut Outcomes,
    largest_radius: f32,
    workers: Workers,
) {
    let entries = &grid.entries[..];
    let most = largest_radius + largest_radius;
    let columns = PerChunk(&mut outcomes.chunks[..]);
    workers.for_each_chunk(entries.len(), columns, |_, PerChunk(chunks)| {
        for Chunk { near: [first, second], overlapping, .. } in chunks {
            overlapping.clear();
            for (&body, &other) in first.iter().zip(second.iter()) {
                let pair = [body as usize, other as usize];
                // Few are that near, and only their radii are worth waiting for.
                let [from, to] = pair.map(|body| targets[body]);
                if from.distance_squared(to) < most * most
                    && contact::overlap(entries, targets, pair)
                {
                    overlapping.extend([body, other]);
                }
            }
        }
    });
}

/// How many pairs would have overlapped.
fn count_contacts(outcomes: &Outcomes, has_echoes: bool) -> usize {
    let lists = outcomes.chunks.iter().map(|chunk| chunk.overlapping.as_chunks::<2>().0);
    if !has_echoes {
        return lists.map(<[_]>::len).sum();
    }
    // Where somebody is seen on two floors, pairs are listed from both sides.
    let mut pairs: Vec<[u32; 2]> = lists.flatten().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.len()
}

/// Everybody's next state takes the place of the last one, and shows in statuses.
fn replace_states(
    models: &Models,
    people: &mut Population,
    statuses: &mut [Status],
    grid: &Grid,
    chunks: &[Chunk],
    now: u32,
    workers: Workers,
) {
    let Population { states, blocked_since, profile_ids, profiles, .. } = people;
    let mut has_states = false;
    for (model, states) in states.iter_mut() {
        has_states = true;
        let next = NextStates {
            chunks: chunks.iter().filter_map(|chunk| chunk.states.get(model)).collect(),
            is_own: &|profile| profiles.get(profile).model == model,
            now,
            workers,
        };
        let entries = &grid.entry_of_row;
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
