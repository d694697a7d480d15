//! What people are up to: their goals, the ways there, and what comes of both.
//!
//! Columns with the rows of the [`Population`](crate::population::Population), apart from it: goals are judged by
//! where people are and what they are like, and change nothing of that.

use std::ops::{Deref, DerefMut};

use glam::Vec2;
use throng_world::scene::{LayerId, RegionId};

use crate::PersonId;
use crate::columns::{AnyColumn, OptionalColumn};
use crate::fields::Obedience;
use crate::guidance::{Course, Outlook, Route};
use crate::status::Status;

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

/// The columns of what people are up to.
#[derive(Default)]
pub(crate) struct Intents {
    pub goals: Vec<GoalState>,
    /// What they remember of their ways to goals.
    pub memories: OptionalColumn<GoalMemory>,
    /// What those who follow a route see of it; kept where there are ways.
    pub outlooks: OptionalColumn<Outlook>,
    /// Ways to the current goal, for those who do not see it.
    pub routes: Vec<Option<Box<Route>>>,
    pub preferred_velocities: Vec<Vec2>,
    pub statuses: Vec<Status>,
    /// How fields lead them; kept once somebody is led.
    pub obediences: OptionalColumn<Obedience>,
    /// Whether it is known that nobody has goals: all are led by fields.
    pub everyone_drifts: bool,
}

impl Intents {
    pub fn columns(&self) -> [&dyn AnyColumn; 7] {
        let Self { goals, memories, outlooks, routes, preferred_velocities, statuses, .. } = self;
        [goals, memories, outlooks, routes, preferred_velocities, statuses, &self.obediences]
    }

    pub fn columns_mut(&mut self) -> [&mut dyn AnyColumn; 7] {
        let Self { goals, memories, outlooks, routes, preferred_velocities, statuses, .. } = self;
        [goals, memories, outlooks, routes, preferred_velocities, statuses, &mut self.obediences]
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let routes = self.routes.iter().flatten().map(|route| route.memory());
        routes.chain(self.columns().into_iter().map(AnyColumn::memory)).sum()
    }

    /// The person in a row begins with the goals of a plan, or drifts if it has none and fields lead them.
    pub fn turn_to(&mut self, row: usize, plan: u32, drifts: bool) {
        let count = self.goals[row].count;
        let course = Course::CutOff;
        self.goals[row] = GoalState { plan, count, course, ..GoalState::default() };
        self.goals[row].set_drifting(drifts);
        self.routes[row] = None;
        self.set_memory(row, GoalMemory::default());
        self.set_outlook(row, Outlook::default());
        self.statuses[row] = Status::Walking;
        self.everyone_drifts = false;
    }

    /// Has the person in a row remember something of their way, if anybody does.
    pub fn set_memory(&mut self, row: usize, memory: GoalMemory) {
        if let Some(kept) = self.memories.get_mut(row) {
            *kept = memory;
        }
    }

    /// Has the person in a row see something of their route, if anybody follows one.
    pub fn set_outlook(&mut self, row: usize, outlook: Outlook) {
        if let Some(kept) = self.outlooks.get_mut(row) {
            *kept = outlook;
        }
    }
}
