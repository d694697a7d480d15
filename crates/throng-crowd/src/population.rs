//! The people, as a structure of arrays.
//!
//! Every property is a column; a person is a *row*, here and in [`Intents`]. Rows move: they are re-ordered along the grid
//! now and then, so that people who stand together lie together in memory, and the last row takes
//! the place of one that is removed. Who somebody is, is said by a [`PersonId`], which is never
//! used twice. No result depends on the order of rows.

use glam::Vec2;
use throng_base::Heading;
use throng_world::Temperament;
use throng_world::scene::{Climbing, GroupId, LayerId};

use crate::columns::{AnyColumn, OptionalColumn, StateColumns};
use crate::companions::{Bond, Parties};
use crate::effort::Effort;
use crate::intents::{GoalState, Intents};
use crate::profiles::{ProfileId, Profiles, StoredProfile};
use crate::steering::{Models, SteeringProfile};
use crate::workers::Workers;
use crate::world::World;

/// Names one person for the whole of a simulation. Ids ascend in order of appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub u32);

/// Where and how a person enters the simulation.
#[derive(Clone, Debug)]
pub struct NewPerson {
    /// The group they belong to.
    pub group: GroupId,
    /// Abstract root position on the ground, m.
    pub position: Vec2,
    /// The floor.
    pub layer: LayerId,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Facing.
    pub heading: Heading,
    /// Radius of the disc they occupy, m.
    pub radius: f32,
    /// Speed they like to walk at, m/s.
    pub preferred_speed: f32,
    /// Speed they cannot exceed, m/s.
    pub max_speed: f32,
    /// Speeds on stairs and ramps that do not follow from the preferred one, m/s.
    pub climbing: Climbing<f32>,
    /// Index of their list of goals.
    pub plan: u32,
    /// How they steer.
    pub steering: SteeringProfile,
    /// What they are like, if they have traits. What follows for the values above is in them already; it is
    /// heeded where ways are chosen, and where people are held up or wander.
    pub temperament: Option<Temperament>,
}

/// The rows of those who are still there.
fn present(rows: &[u32]) -> impl Iterator<Item = usize> + '_ {
    rows.iter().filter(|&&row| row != GONE).map(|&row| row as usize)
}

/// The effort that is made for a person, if it is not the full one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReducedEffort {
    pub effort: Effort,
    /// How they steer with full effort.
    pub profile: ProfileId,
}

/// Marks an id that belongs to nobody any more.
const GONE: u32 = u32::MAX;

/// What people are like and where they are, and the way from ids to rows.
#[derive(Default)]
pub(crate) struct Population {
    pub ids: Vec<u32>,
    pub groups: Vec<GroupId>,
    /// How they steer for now.
    pub profile_ids: Vec<ProfileId>,
    pub layers: Vec<LayerId>,
    /// 1 + index of the connector a person stands on; 0 for the plain floor.
    pub connectors: Vec<u16>,
    pub positions: Vec<Vec2>,
    pub velocities: Vec<Vec2>,
    /// The part of the velocity that is not a person's own but what contacts, walls or bodies have made of it.
    pub pushes: Vec<Vec2>,
    /// By how much somebody's straight ahead is off, radians.
    pub side_biases: Vec<f32>,
    /// Unit vectors; a heading would cost an arc tangent per step.
    pub facings: Vec<Vec2>,
    pub radii: Vec<f32>,
    pub preferred_speeds: Vec<f32>,
    pub max_speeds: Vec<f32>,
    /// Distance of the k-th neighbour at the last step: where the next search begins.
    pub search_hints: Vec<f32>,
    /// Progress towards the goal over preferred speed, averaged over about a second.
    pub paces: Vec<f32>,
    /// The step in which somebody became blocked, for those who are.
    pub blocked_since: Vec<u32>,
    /// What they are like; kept once somebody has traits.
    pub temperaments: OptionalColumn<Option<Temperament>>,
    /// Kept once less than the full effort is made for somebody.
    pub reduced: OptionalColumn<Option<ReducedEffort>>,
    /// Speeds on stairs and ramps; kept once somebody has some of their own.
    pub climbing: OptionalColumn<Climbing<f32>>,
    /// What they have to do with their companions; kept once somebody has any.
    pub bonds: OptionalColumn<Bond>,
    /// What steering models remember of them.
    pub states: StateColumns,
    /// Row of every id ever given.
    rows: Vec<u32>,
    /// How people steer.
    pub profiles: Profiles,
    /// Who walks with whom.
    pub parties: Parties,
    /// People listed in the scene, by group.
    pub listed: Vec<Vec<PersonId>>,
    /// The largest radius there ever was, m.
    pub largest_radius: f32,
    /// The largest speed limit there ever was, m/s.
    pub largest_speed: f32,
}

/// Every column of a population but states, by reference; listed once, so that none can be forgotten.
macro_rules! columns {
    ($population:expr $(, $mutable:tt)?) => {{
        let Population {
            ids, groups, profile_ids, layers, connectors, positions, velocities, pushes, side_biases, facings, radii,
            preferred_speeds, max_speeds, search_hints, paces, blocked_since, temperaments, reduced, climbing, bonds, ..
        } = $population;
        let columns: [&$($mutable)? (dyn AnyColumn + 'static); 20] = [
            ids, groups, profile_ids, layers, connectors, positions, velocities, pushes, side_biases, facings, radii,
            preferred_speeds, max_speeds, search_hints, paces, blocked_since, temperaments, reduced, climbing, bonds,
        ];
        columns
    }};
}

impl Population {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// How many people there ever were; the next id.
    pub fn ever(&self) -> u32 {
        self.rows.len() as u32
    }

    pub fn row(&self, id: PersonId) -> Option<usize> {
        self.rows.get(id.0 as usize).filter(|&&row| row != GONE).map(|&row| row as usize)
    }

    /// How the person in a row steers.
    #[inline(always)]
    pub fn profile(&self, row: usize) -> &StoredProfile {
        self.profiles.get(self.profile_ids[row])
    }

    /// The number of the model that steers the person in a row.
    #[inline(always)]
    pub fn model(&self, row: usize) -> u8 {
        self.profile(row).model
    }

    /// How the person in a row steers with full effort.
    pub fn own_profile(&self, row: usize) -> &StoredProfile {
        let own = self.reduced.value(row).map_or(self.profile_ids[row], |own| own.profile);
        self.profiles.get(own)
    }

    /// The effort that is made for the person in a row.
    #[inline(always)]
    pub fn effort(&self, row: usize) -> Effort {
        self.reduced.value(row).map_or(Effort::Full, |reduced| reduced.effort)
    }

    /// What the person in a row is like, if they have traits.
    pub fn temperament(&self, row: usize) -> Option<Temperament> {
        self.temperaments.value(row)
    }

    /// Gives the person in a row traits, or none.
    pub fn set_temperament(&mut self, row: usize, temperament: Option<Temperament>) {
        if temperament.is_some() {
            self.temperaments.keep(self.ids.len());
        }
        if let Some(kept) = self.temperaments.get_mut(row) {
            *kept = temperament;
        }
    }

    /// Gives the person in a row speeds of their own on stairs and ramps, or none.
    pub fn set_climbing(&mut self, row: usize, climbing: Climbing<f32>) {
        if climbing != Climbing::default() {
            self.climbing.keep(self.ids.len());
        }
        if let Some(kept) = self.climbing.get_mut(row) {
            *kept = climbing;
        }
    }

    /// Has the person in a row steer by another profile from now on, with the effort that is made for them if it is not
    /// the full one.
    pub fn set_profile(&mut self, row: usize, profile: &StoredProfile, effort: Effort) {
        let own = self.reduced.value(row).map_or(self.profile_ids[row], |own| own.profile);
        let now = self.profiles.acquire(profile);
        if effort == Effort::Full {
            let before = std::mem::replace(&mut self.profile_ids[row], now);
            self.profiles.release(before);
            if let Some(reduced) = self.reduced.get_mut(row).and_then(Option::take) {
                self.profiles.release(reduced.profile);
            }
            return;
        }
        let before = std::mem::replace(&mut self.profile_ids[row], now);
        if self.reduced.value(row).is_some() {
            self.profiles.release(before);
        }
        self.reduced.keep(self.ids.len());
        self.reduced[row] = Some(ReducedEffort { effort, profile: own });
    }

    /// The model that everyone uses, if it is one.
    pub fn only_model(&self) -> Option<u8> {
        self.profiles.only_model()
    }

    /// Applies something to all columns, and to those of `intents`.
    fn for_each_column(
        &mut self,
        intents: &mut Intents,
        mut apply: impl FnMut(&mut dyn AnyColumn),
    ) {
        columns!(&mut *self, mut).into_iter().for_each(&mut apply);
        self.states.iter_mut().for_each(|(_, states)| apply(states));
        intents.columns_mut().into_iter().for_each(apply);
    }

    /// Adds a person who is steered by the model with this number.
    pub fn add(
        &mut self,
        person: &NewPerson,
        model: u8,
        side_bias: f32,
        intents: &mut Intents,
    ) -> PersonId {
        let (id, row) = (self.ever(), self.len());
        self.rows.push(row as u32);
        self.for_each_column(intents, AnyColumn::push);
        self.ids[row] = id;
        self.groups[row] = person.group;
        let SteeringProfile { common, values, .. } = person.steering;
        let profile = StoredProfile { model, common, values };
        self.profile_ids[row] = self.profiles.acquire(&profile);
        self.layers[row] = person.layer;
        self.positions[row] = person.position;
        self.velocities[row] = person.velocity;
        self.side_biases[row] = side_bias;
        self.facings[row] = person.heading.direction();
        self.set_body(row, person);
        self.paces[row] = 1.0;
        intents.goals[row] = GoalState { plan: person.plan, ..GoalState::default() };
        intents.everyone_drifts = false;
        PersonId(id)
    }

    /// Notes whether the person in a row stands on a connector, and on which floor that makes them.
    pub fn find_floor(&mut self, row: usize, world: &World) {
        let floor = world.floor_at(self.layers[row], self.positions[row]);
        (self.connectors[row], self.layers[row]) = floor;
    }

    /// Makes a person known as number `index` of those listed in their group, for goals that name
    /// them.
    pub fn list(&mut self, group: GroupId, id: PersonId) {
        let group = group.0 as usize;
        if self.listed.len() <= group {
            self.listed.resize_with(group + 1, Vec::new);
        }
        self.listed[group].push(id);
    }

    /// One of those listed in a group.
    pub fn listed_person(&self, group: GroupId, index: u32) -> Option<PersonId> {
        self.listed.get(group.0 as usize)?.get(index as usize).copied()
    }

    /// Gives the person in a row the body and the traits of another.
    pub fn set_body(&mut self, row: usize, like: &NewPerson) {
        self.radii[row] = like.radius;
        self.preferred_speeds[row] = like.preferred_speed;
        self.max_speeds[row] = like.max_speed;
        self.set_temperament(row, like.temperament);
        self.set_climbing(row, like.climbing);
        self.largest_radius = self.largest_radius.max(like.radius);
        self.largest_speed = self.largest_speed.max(like.max_speed);
    }

    /// Removes a person; `false` if there is no such person (any more).
    pub fn remove(&mut self, id: PersonId, intents: &mut Intents) -> bool {
        let Some(row) = self.row(id) else { return false };
        self.profiles.release(self.profile_ids[row]);
        if let Some(reduced) = self.reduced.value(row) {
            self.profiles.release(reduced.profile);
        }
        self.for_each_column(intents, |column| column.swap_remove(row));
        if let Some(&moved) = self.ids.get(row) {
            self.rows[moved as usize] = row as u32;
        }
        self.rows[id.0 as usize] = GONE;
        true
    }

    /// Puts rows into the given order: row `i` becomes what was row `order[i]`. `order` is a
    /// permutation.
    pub fn reorder(&mut self, order: &[u32], intents: &mut Intents, workers: Workers) {
        debug_assert_eq!(order.len(), self.len());
        let columns = columns!(&mut *self, mut).into_iter().chain(intents.columns_mut());
        workers.share_out(columns, |column| column.reorder(order));
        self.states.iter_mut().for_each(|(_, states)| states.reorder(order));
        // Columns have been copied to their size; numbers of rows stay, and grew by doubling.
        self.rows.shrink_to_fit();
        for (row, &id) in self.ids.iter().enumerate() {
            self.rows[id as usize] = row as u32;
        }
    }

    /// Some people with all that steering reads of them, in the order of `rows`. They cannot be found
    /// by their ids there.
    pub fn excerpt(&self, models: &Models, intents: &Intents, rows: &[usize]) -> (Self, Intents) {
        let mut some = (Self::default(), Intents::default());
        let columns = columns!(&mut some.0, mut).into_iter().chain(some.1.columns_mut());
        for (to, from) in columns.zip(columns!(self).into_iter().chain(intents.columns())) {
            to.copy(from, rows);
        }
        for (model, states) in self.states.iter() {
            if let Some(kept) = some.0.keep_states(models, model) {
                kept.copy(states, rows);
            }
        }
        for (profile, &row) in some.0.profile_ids.iter_mut().zip(rows) {
            *profile = some.0.profiles.acquire(self.profile(row));
        }
        for (reduced, &profile) in some.0.reduced.iter_mut().zip(&some.0.profile_ids) {
            *reduced = reduced.map(|reduced| ReducedEffort { profile, ..reduced });
        }
        some
    }

    /// Rows in ascending order of id.
    pub fn rows_by_id(&self) -> impl Iterator<Item = usize> + '_ {
        present(&self.rows)
    }

    /// The same for every `size` ids.
    pub fn parts_by_id(
        &self,
        size: usize,
    ) -> impl Iterator<Item = impl Iterator<Item = usize> + Send + '_> + Send + '_ {
        self.rows.chunks(size).map(present)
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let columns =
            columns!(self).into_iter().chain(self.states.iter().map(|(_, states)| states));
        let columns: usize = columns.map(AnyColumn::memory).sum();
        columns + self.rows.capacity() * 4 + self.profiles.memory()
    }
}
