//! One person and those around them, as the next step will find them.
//!
//! The step looks at everybody, an inspection only at those near by: they are copied into a small
//! population of their own, with what they will want, and a grid is built of it. Search and steering then do
//! what they do for all, for a batch of one.

use glam::Vec2;
use throng_world::Walls;

use super::{Decision, Neighbour};
use crate::PersonId;
use crate::columns::AnyColumn;
use crate::contact;
use crate::crowd::Crowd;
use crate::grid::{Grid, Sorted};
use crate::intents::Intents;
use crate::neighbours::{self, LANES, MAX_NEIGHBOURS, Neighbourhood};
use crate::population::Population;
use crate::status::Status;
use crate::steering::{
    AnyModel, ChunkJob, Constraints, Explanation, Surroundings, limits, time_gap,
};
use crate::step::{Foreseen, Foresight, what_happened_to};
use crate::workers::Workers;

/// So many of those around are looked at: more than anybody heeds.
const ENOUGH: usize = 2 * MAX_NEIGHBOURS;

/// People near by. The first is the one it is about.
pub(super) struct Vicinity {
    people: Population,
    intents: Intents,
    grid: Grid,
}

impl Vicinity {
    /// Those around the person in a row who has such plans.
    pub fn new(crowd: &Crowd, next: &Foresight, row: usize, own: &Foreseen) -> Self {
        let mut rows = vec![row];
        let mut wishes = Vec::new();
        for other in around(crowd, row) {
            let foreseen = next.of(other);
            // Whoever leaves is gone before anybody steers.
            if !foreseen.goal.is_leaving() {
                rows.push(other);
                wishes.push(foreseen);
            }
            if wishes.len() == ENOUGH {
                break;
            }
        }
        let (mut people, mut intents) = crowd.people.excerpt(&crowd.models, &crowd.intents, &rows);
        people.keep_states(&crowd.models, people.model(0));
        for (row, foreseen) in std::iter::once(own).chain(&wishes).enumerate() {
            intents.goals[row] = foreseen.goal;
            intents.set_memory(row, foreseen.memory);
            intents.set_outlook(row, foreseen.outlook);
            intents.statuses[row] = foreseen.status;
            intents.preferred_velocities[row] = foreseen.preferred_velocity;
        }
        let mut grid = Grid::default();
        let spacing = crowd.last.outcomes.spacing;
        let all = Sorted {
            people: &people,
            statuses: &intents.statuses,
            floors: crowd.setting().layers.len(),
        };
        grid.rebuild(all, spacing, Workers::one(), |row| crowd.world.echo(&people, row));
        Self { people, intents, grid }
    }

    /// The one it is about, with their neighbours.
    pub fn person<'a>(&'a self, crowd: &'a Crowd) -> OnePerson<'a> {
        let Self { people, intents, grid } = self;
        let mut batch = Neighbourhood::new();
        batch.begin(grid, people, &[grid.entry_of_row[0]]);
        neighbours::find(crowd.execution.simd, grid, people, std::slice::from_mut(&mut batch));
        batch.leave_out_companions(people, |entry| grid.entries[entry as usize].row());
        let around = Surroundings {
            people,
            intents,
            grid,
            walls: crowd.world.walls(),
            step: crowd.world.step(),
            steps: crowd.world.steps,
            random: crowd.world.random,
            simd: crowd.execution.simd,
            embodied: crowd.last.embodied.largest_shift.is_some(),
        };
        let model = crowd.models.get(people.model(0));
        OnePerson { around, model, batch }
    }
}

/// Rows of those whom the person in a row could notice, nearest first.
fn around(crowd: &Crowd, row: usize) -> impl Iterator<Item = usize> {
    let people = &crowd.people;
    let (layer, position) = (people.layers[row], people.positions[row]);
    let range = people.profile(row).common.neighbour_range;
    let is_seen = |other: usize| {
        people.layers[other] == layer
            || (people.connectors[other] != 0 && crowd.world.echo(people, other) == Some(layer))
    };
    let near = (0..people.len()).filter_map(|other| {
        let distance_squared = people.positions[other].distance_squared(position);
        let is_near = other != row && distance_squared <= range * range && is_seen(other);
        is_near.then_some((distance_squared, people.ids[other], other))
    });
    let mut near: Vec<(f32, u32, usize)> = near.collect();
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.into_iter().map(|(_, _, other)| other)
}

/// Somebody who is to be steered, all alone in their batch.
pub(super) struct OnePerson<'a> {
    around: Surroundings<'a>,
    model: &'a dyn AnyModel,
    batch: Neighbourhood,
}

/// What a model says, with its walls as they are in the world.
pub(super) struct Reasons {
    pub walls: Vec<[Vec2; 2]>,
    pub constraints: Constraints,
}

impl OnePerson<'_> {
    pub fn explain(&self) -> Reasons {
        let Explanation { walls, constraints } =
            self.model.explain(&self.around, &self.batch, self.states());
        let ends = walls.into_iter().map(|id| self.around.walls.get(id));
        Reasons { walls: ends.map(|wall| [wall.start, wall.end]).collect(), constraints }
    }

    pub fn neighbours(&self, crowd: &Crowd) -> Vec<Neighbour> {
        let chosen = self.choose(&self.around, &self.batch);
        let neighbour = |(slot, (other, distance_squared)): (usize, (u32, f32))| {
            let entry = self.around.entry(other);
            let id = PersonId(entry.id());
            let without = self.choose(&self.around, &without(&self.batch, slot));
            Neighbour {
                id,
                group: self.around.people.groups[entry.row()],
                // What they will do is for steering; what they do is for others to see.
                status: crowd
                    .people
                    .row(id)
                    .map_or_else(Default::default, |row| crowd.intents.statuses[row]),
                position: entry.position(),
                velocity: entry.velocity(),
                radius: entry.radius(),
                distance: distance_squared.sqrt(),
                influence: chosen - without,
            }
        };
        self.batch.of(0).enumerate().map(neighbour).collect()
    }

    pub fn wall_influence(&self) -> Vec2 {
        if self.around.walls.is_empty() {
            return Vec2::ZERO;
        }
        let open = Surroundings { walls: &Walls::none(), ..self.around };
        self.choose(&self.around, &self.batch) - self.choose(&open, &self.batch)
    }

    pub fn decision(&self, status: Status) -> Decision {
        let Surroundings { people, intents, walls, step, .. } = self.around;
        let steered = self.steer(&self.around, &self.batch);
        let gapped = self.keep_gap(&self.batch, steered);
        let chosen = self.limit(gapped);
        let (from, radius) = (people.positions[0], people.radii[0]);
        let wanted = from + chosen * step;
        let to = if walls.is_empty() {
            wanted
        } else {
            contact::constrain(walls, people.layers[0], radius, from, wanted)
        };
        Decision {
            status,
            preferred_velocity: intents.preferred_velocities[0],
            steered_velocity: steered,
            gapped_velocity: gapped,
            chosen_velocity: chosen,
            follows: self.followed(steered, gapped),
            velocity: what_happened_to(from, to, chosen, people.max_speeds[0], step),
        }
    }

    /// Who keeps them from walking faster: the one who would slow them down as much alone.
    fn followed(&self, steered: Vec2, chosen: Vec2) -> Option<PersonId> {
        if steered == chosen {
            return None;
        }
        let count = self.batch.count[0] as usize;
        let slot =
            (0..count).find(|&slot| self.keep_gap(&only(&self.batch, slot), steered) == chosen)?;
        Some(PersonId(self.around.entry(self.batch.index[slot][0]).id()))
    }

    /// What they do with the neighbours in `batch`.
    fn choose(&self, around: &Surroundings, batch: &Neighbourhood) -> Vec2 {
        self.keep_gap(batch, self.steer(around, batch))
    }

    fn steer(&self, &around: &Surroundings, batch: &Neighbourhood) -> Vec2 {
        let (mut velocities, mut rooms) = ([[Vec2::ZERO; LANES]], [[0.0; LANES]]);
        let (batches, rooms) = (std::slice::from_ref(batch), &mut rooms);
        let (states, velocities_out) = (self.states(), &mut velocities);
        self.model.steer(ChunkJob {
            around,
            batches,
            velocities: velocities_out,
            rooms,
            states,
            next: None,
            first: 0,
        });
        velocities[0][0]
    }

    /// What their model remembers of everybody here.
    fn states(&self) -> Option<&dyn AnyColumn> {
        self.around.people.states.get(self.around.people.model(0))
    }

    fn keep_gap(&self, batch: &Neighbourhood, velocity: Vec2) -> Vec2 {
        if self.model.keeps_time_gap() {
            return velocity;
        }
        let mut velocities = [[velocity; LANES]];
        time_gap::keep(self.around, std::slice::from_ref(batch), &mut velocities);
        velocities[0][0]
    }

    /// How far they get within the step.
    fn limit(&self, velocity: Vec2) -> Vec2 {
        let (mut velocities, mut turns) = ([[velocity; LANES]], [[Vec2::ZERO; LANES]]);
        let (batches, heed) = (std::slice::from_ref(&self.batch), !self.model.heeds_nobody());
        let rooms = [[0.0; LANES]];
        limits::keep(self.around, batches, heed, &mut velocities, &mut turns, &rooms);
        velocities[0][0]
    }
}

/// The batch of one person without one of the neighbours.
fn without(batch: &Neighbourhood, slot: usize) -> Neighbourhood {
    let mut batch = batch.clone();
    let count = batch.count[0] as usize;
    batch.index.copy_within(slot + 1..count, slot);
    batch.distance_squared.copy_within(slot + 1..count, slot);
    batch.count[0] -= 1;
    batch
}

/// The batch of one person with one neighbour only.
fn only(batch: &Neighbourhood, slot: usize) -> Neighbourhood {
    let mut batch = batch.clone();
    batch.index[0] = batch.index[slot];
    batch.distance_squared[0] = batch.distance_squared[slot];
    batch.count[0] = 1;
    batch
}
