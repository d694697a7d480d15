//! The people, as a structure of arrays.
//!
//! Every property is a column; a person is a *row*. Rows move: they are re-ordered along the grid
//! now and then, so that people who stand together lie together in memory, and the last row takes
//! the place of one that is removed. Who somebody is, is said by a [`PersonId`], which is never
//! used twice. No result depends on the order of rows.

use std::ops::{Deref, DerefMut};

use glam::Vec2;
use throng_base::Heading;
use throng_world::Temperament;
use throng_world::scene::{Climbing, GroupId, LayerId, RegionId};

use crate::columns::{AnyColumn, OptionalColumn, StateColumns};
use crate::companions::Bond;
use crate::effort::Effort;
use crate::fields::Obedience;
use crate::guidance::{Course, Outlook, Route};
use crate::profiles::{ProfileId, Profiles, StoredProfile};
use crate::status::Status;
use crate::steering::SteeringProfile;

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

/// How far a person is with the current goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum GoalPhase {
    /// It is still to be begun.
    #[default]
    Unbegun,
    /// It was begun: the rest of the [`GoalState`] is about it.
    Begun,
    /// It was begun, and is to come near to [`GoalState::target`] on its floor.
    ToPoint,
    /// All are done, and the person is to be taken out of the simulation.
    Leaving,
    /// There are none: fields lead the person.
    Drifting,
}

/// What a person is doing about their goals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GoalState {
    /// Index of the list of goals.
    pub plan: u32,
    /// Index of the current goal in the list; its length when all are done.
    pub goal: u16,
    pub phase: GoalPhase,
    /// How the place in question is reached, for goals that are about one.
    pub course: Course,
    /// By how much they turn aside to get round those who stand; see `goals::detour`.
    pub detour: i8,
    /// The step in which the current goal was begun.
    pub since: u32,
    /// How many goals were begun so far; makes each random target a new draw.
    pub count: u32,
    /// Time left for the current goal, s.
    pub remaining: f32,
    /// Speed for the current goal, m/s.
    pub speed: f32,
    pub floor: LayerId,
    pub target: Vec2,
    /// How near, m².
    pub within_squared: f32,
}

impl GoalState {
    /// Whether the current goal was begun.
    pub fn is_begun(&self) -> bool {
        matches!(self.phase, GoalPhase::Begun | GoalPhase::ToPoint)
    }

    /// Whether the goal is just to come near to [`Self::target`].
    #[inline(always)]
    pub fn is_to_point(&self) -> bool {
        self.phase == GoalPhase::ToPoint
    }

    /// Whether the person is to be taken out of the simulation.
    pub fn is_leaving(&self) -> bool {
        self.phase == GoalPhase::Leaving
    }

    /// Whether there are no goals at all, and fields lead instead.
    #[inline(always)]
    pub fn is_drifting(&self) -> bool {
        self.phase == GoalPhase::Drifting
    }

    /// Says whether there are no goals at all, and fields lead instead.
    pub fn set_drifting(&mut self, drifts: bool) {
        match drifts {
            true => self.phase = GoalPhase::Drifting,
            false if self.is_drifting() => self.phase = GoalPhase::Unbegun,
            false => {}
        }
    }
}

/// What a person remembers of their way to a goal: kept where there are ways, lines to follow, or people to pursue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct GoalMemory {
    /// The region that was chosen, for goals that lead into one of several.
    pub region: Option<RegionId>,
    /// Whether they were dealt one of many ways already, for goals that ask for that.
    pub dealt: bool,
    /// How far they have got, for goals that follow a line; see [`crate::line::Lane`].
    pub along: f64,
    /// The person in question, for goals that pursue or flee the nearest of a group.
    pub quarry: Option<PersonId>,
    /// What was left to walk when they last got on, m; infinite until that is looked at. See `jams`.
    pub left: f32,
    /// The step in which that was.
    pub gained_at: u32,
    /// The step in which they last asked for another way because they did not.
    pub asked_at: u32,
}

/// What a person is doing about their goals, with what they remember of it.
pub(crate) struct Pursuit<'a> {
    pub state: &'a mut GoalState,
    pub memory: &'a mut GoalMemory,
}

impl Deref for Pursuit<'_> {
    type Target = GoalState;

    fn deref(&self) -> &GoalState {
        self.state
    }
}

impl DerefMut for Pursuit<'_> {
    fn deref_mut(&mut self) -> &mut GoalState {
        self.state
    }
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

/// All columns, and the way from ids to rows.
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
    pub preferred_velocities: Vec<Vec2>,
    /// By how much somebody's straight ahead is off, radians.
    pub side_biases: Vec<f32>,
    /// Unit vectors; a heading would cost an arc tangent per step.
    pub facings: Vec<Vec2>,
    pub radii: Vec<f32>,
    pub preferred_speeds: Vec<f32>,
    pub max_speeds: Vec<f32>,
    /// Distance of the k-th neighbour at the last step: where the next search begins.
    pub search_hints: Vec<f32>,
    pub goals: Vec<GoalState>,
    /// What those who follow a route see of it; kept where there are ways.
    pub outlooks: OptionalColumn<Outlook>,
    /// Ways to the current goal, for those who do not see it.
    pub routes: Vec<Option<Box<Route>>>,
    pub statuses: Vec<Status>,
    /// Progress towards the goal over preferred speed, averaged over about a second.
    pub paces: Vec<f32>,
    /// The step in which somebody became blocked, for those who are.
    pub blocked_since: Vec<u32>,
    /// What they remember of their ways to goals.
    pub goal_memories: OptionalColumn<GoalMemory>,
    /// What they are like; kept once somebody has traits.
    pub temperaments: OptionalColumn<Option<Temperament>>,
    /// Kept once less than the full effort is made for somebody.
    pub reduced: OptionalColumn<Option<ReducedEffort>>,
    /// Speeds on stairs and ramps; kept once somebody has some of their own.
    pub climbing: OptionalColumn<Climbing<f32>>,
    /// How fields lead them; kept once somebody is led.
    pub obediences: OptionalColumn<Obedience>,
    /// What they have to do with their companions; kept once somebody has any.
    pub bonds: OptionalColumn<Bond>,
    /// What steering models remember of them.
    pub states: StateColumns,
    /// Row of every id ever given.
    rows: Vec<u32>,
    /// How people steer.
    pub profiles: Profiles,
}

/// Applies a macro to every column, so that none can be forgotten, but routes, which cannot be copied,
/// and optional ones.
macro_rules! for_each_column {
    ($population:expr, $apply:ident $(, $argument:expr)*) => {
        $apply!($population.ids $(, $argument)*);
        $apply!($population.groups $(, $argument)*);
        $apply!($population.profile_ids $(, $argument)*);
        $apply!($population.layers $(, $argument)*);
        $apply!($population.connectors $(, $argument)*);
        $apply!($population.positions $(, $argument)*);
        $apply!($population.velocities $(, $argument)*);
        $apply!($population.preferred_velocities $(, $argument)*);
        $apply!($population.side_biases $(, $argument)*);
        $apply!($population.facings $(, $argument)*);
        $apply!($population.radii $(, $argument)*);
        $apply!($population.preferred_speeds $(, $argument)*);
        $apply!($population.max_speeds $(, $argument)*);
        $apply!($population.search_hints $(, $argument)*);
        $apply!($population.goals $(, $argument)*);
        $apply!($population.statuses $(, $argument)*);
        $apply!($population.paces $(, $argument)*);
        $apply!($population.blocked_since $(, $argument)*);
    };
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

    /// The columns that may be missing.
    fn optional_mut(&mut self) -> impl Iterator<Item = &mut (dyn AnyColumn + 'static)> {
        let own: [&mut (dyn AnyColumn + 'static); 7] = [
            &mut self.outlooks,
            &mut self.goal_memories,
            &mut self.temperaments,
            &mut self.reduced,
            &mut self.climbing,
            &mut self.obediences,
            &mut self.bonds,
        ];
        own.into_iter().chain(self.states.iter_mut().map(|(_, states)| states))
    }

    /// Adds a person who is steered by the model with this number.
    pub fn add(&mut self, person: &NewPerson, model: u8, side_bias: f32) -> PersonId {
        let id = self.ever();
        self.rows.push(self.ids.len() as u32);
        self.ids.push(id);
        self.groups.push(person.group);
        let SteeringProfile { common, values, .. } = person.steering;
        let profile = StoredProfile { model, common, values };
        self.profile_ids.push(self.profiles.acquire(&profile));
        self.layers.push(person.layer);
        self.connectors.push(0);
        self.positions.push(person.position);
        self.velocities.push(person.velocity);
        self.preferred_velocities.push(Vec2::ZERO);
        self.side_biases.push(side_bias);
        self.facings.push(person.heading.direction());
        self.radii.push(person.radius);
        self.preferred_speeds.push(person.preferred_speed);
        self.max_speeds.push(person.max_speed);
        self.search_hints.push(0.0);
        self.goals.push(GoalState { plan: person.plan, ..GoalState::default() });
        self.optional_mut().for_each(AnyColumn::push);
        self.set_temperament(self.ids.len() - 1, person.temperament);
        self.set_climbing(self.ids.len() - 1, person.climbing);
        self.routes.push(None);
        self.statuses.push(Status::Walking);
        self.paces.push(1.0);
        self.blocked_since.push(0);
        PersonId(id)
    }

    /// Removes a person; `false` if there is no such person (any more).
    pub fn remove(&mut self, id: PersonId) -> bool {
        let Some(row) = self.row(id) else { return false };
        macro_rules! swap_remove {
            ($column:expr) => {
                $column.swap_remove(row)
            };
        }
        self.profiles.release(self.profile_ids[row]);
        if let Some(reduced) = self.reduced.value(row) {
            self.profiles.release(reduced.profile);
        }
        for_each_column!(self, swap_remove);
        self.routes.swap_remove(row);
        self.optional_mut().for_each(|column| column.swap_remove(row));
        if let Some(&moved) = self.ids.get(row) {
            self.rows[moved as usize] = row as u32;
        }
        self.rows[id.0 as usize] = GONE;
        true
    }

    /// Puts rows into the given order: row `i` becomes what was row `order[i]`. `order` is a
    /// permutation.
    pub fn reorder(&mut self, order: &[u32]) {
        debug_assert_eq!(order.len(), self.len());
        macro_rules! permute {
            ($column:expr, $order:expr) => {
                $column = $order.iter().map(|&row| $column[row as usize]).collect()
            };
        }
        for_each_column!(self, permute, order);
        self.routes = order.iter().map(|&row| self.routes[row as usize].take()).collect();
        self.optional_mut().for_each(|column| column.reorder(order));
        // Columns have been copied to their size; numbers of rows stay, and grew by doubling.
        self.rows.shrink_to_fit();
        for (row, &id) in self.ids.iter().enumerate() {
            self.rows[id as usize] = row as u32;
        }
    }

    /// Some people with all that steering reads of them, in the order of `rows`. They cannot be found
    /// by their ids there.
    pub fn excerpt(&self, rows: &[usize]) -> Self {
        let mut some = Self::default();
        macro_rules! copy {
            ($to:tt.$column:ident) => {
                $to.$column = rows.iter().map(|&row| self.$column[row]).collect()
            };
        }
        for_each_column!(some, copy);
        some.outlooks = self.outlooks.copy(rows);
        some.goal_memories = self.goal_memories.copy(rows);
        some.temperaments = self.temperaments.copy(rows);
        some.reduced = self.reduced.copy(rows);
        some.obediences = self.obediences.copy(rows);
        some.bonds = self.bonds.copy(rows);
        some.states = self.states.copy(rows);
        some.profile_ids =
            rows.iter().map(|&row| some.profiles.acquire(self.profile(row))).collect();
        for (reduced, &profile) in some.reduced.iter_mut().zip(&some.profile_ids) {
            *reduced = reduced.map(|reduced| ReducedEffort { profile, ..reduced });
        }
        some
    }

    /// Rows in ascending order of id.
    pub fn rows_by_id(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().filter(|&&row| row != GONE).map(|&row| row as usize)
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let mut bytes = self.rows.capacity() * 4 + self.profiles.memory();
        macro_rules! count {
            ($column:expr) => {
                bytes += $column.capacity() * $column.first().map_or(0, size_of_val)
            };
        }
        for_each_column!(self, count);
        let own: [&dyn AnyColumn; 6] = [
            &self.outlooks,
            &self.goal_memories,
            &self.temperaments,
            &self.reduced,
            &self.obediences,
            &self.bonds,
        ];
        bytes += own.into_iter().chain(self.states.iter()).map(AnyColumn::memory).sum::<usize>();
        let routes = self.routes.iter().flatten().map(|route| route.memory()).sum::<usize>();
        bytes + self.routes.capacity() * size_of::<Option<Box<Route>>>() + routes
    }
}
