//! What somebody will want in the next step, found without taking it.
//!
//! The same kernels that pursue goals, follow fields, keep to companions and slow down on slopes run on copies of one person's state. What cannot be
//! known before the step is left out: the way that somebody will be told, edits and keys of fields that
//! are due, obstacles that come and go, and people who appear.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use glam::Vec2;
use throng_simd::run_anywhere;

use super::accompany::AccompanyStage;
use super::climb::ClimbStage;
use super::lead::{Chunk, LeadStage};
use super::pursue::Pursue;
use crate::PersonId;
use crate::crowd::Crowd;
use crate::fields::Obedience;
use crate::goals::GoalContext;
use crate::guidance::{Outlook, Route};
use crate::population::{GoalMemory, GoalState};
use crate::status::Status;

/// What somebody is going to want.
pub(crate) struct Foreseen {
    pub goal: GoalState,
    pub memory: GoalMemory,
    pub outlook: Outlook,
    pub route: Option<Box<Route>>,
    pub status: Status,
    pub preferred_velocity: Vec2,
    /// How fields lead them, if they do.
    pub obedience: Option<Obedience>,
    /// Of their companions, whom they wait for.
    pub waits_for: Option<PersonId>,
}

/// The next step, seen from the end of the last one.
pub(crate) struct Foresight<'a> {
    crowd: &'a Crowd,
    context: GoalContext<'a>,
    stage: LeadStage<'a>,
    accompany: AccompanyStage<'a>,
    climb: Option<ClimbStage<'a>>,
}

impl Crowd {
    /// Looks at the next step.
    pub(crate) fn foresee<T>(&self, look: impl FnOnce(&Foresight) -> T) -> T {
        let pulls = self.pulls();
        look(&Foresight {
            crowd: self,
            context: self.goal_context(),
            stage: self.lead_stage(&pulls),
            accompany: self.accompany_stage(),
            climb: self.climb_stage(),
        })
    }
}

impl Foresight<'_> {
    /// What the person in a row will want.
    pub fn of(&self, row: usize) -> Foreseen {
        let mut foreseen = self.alone(row);
        if self.crowd.people.bond(row).party > 0 && !foreseen.goal.is_leaving() {
            let members = self.accompany.members(row, |other| {
                // Whoever leaves is gone before anybody heeds them.
                let foreseen = self.alone(other);
                let state = (foreseen.preferred_velocity, foreseen.status, foreseen.goal);
                (!foreseen.goal.is_leaving()).then_some(state)
            });
            let accompanied = self.accompany.accompany(row, &members);
            foreseen.preferred_velocity = accompanied.velocity;
            foreseen.waits_for = accompanied.waits_for;
        }
        if let Some(climb) = &self.climb {
            let preferred = std::slice::from_mut(&mut foreseen.preferred_velocity);
            climb.slow(row, preferred, &[foreseen.status]);
        }
        foreseen
    }

    /// The same on level ground, without heeding companions.
    fn alone(&self, row: usize) -> Foreseen {
        let people = &self.crowd.people;
        let mut goals = [people.goals[row]];
        let mut memories = [people.goal_memories.value(row)];
        let mut outlooks = [people.outlooks.get(row).copied().unwrap_or_default()];
        let mut routes = [people.routes[row].clone()];
        let mut preferred = [people.preferred_velocities[row]];
        let mut statuses = [people.statuses[row]];
        if !self.crowd.everyone_drifts {
            let (leave, ask) = (AtomicBool::new(false), Mutex::default());
            let pursue = Pursue {
                context: &self.context,
                first: row,
                goals: &mut goals,
                memories: &mut memories,
                outlooks: &mut outlooks,
                routes: &mut routes,
                preferred: &mut preferred,
                statuses: &mut statuses,
                leave: &leave,
                ask: &ask,
            };
            run_anywhere(self.crowd.simd, pursue);
        }
        let group = people.groups[row];
        let led = self.crowd.led(group).and_then(|_| people.obediences.get(row).copied());
        let mut obediences = [led.unwrap_or_default()];
        if led.is_some() {
            self.stage.lead(Chunk {
                first: row,
                preferred: &mut preferred,
                obediences: &mut obediences,
                statuses: &statuses,
                goals: &goals,
            });
        }
        let ([goal], [memory], [outlook], [route]) = (goals, memories, outlooks, routes);
        Foreseen {
            goal,
            memory,
            outlook,
            route,
            status: statuses[0],
            preferred_velocity: preferred[0],
            obedience: led.map(|_| obediences[0]),
            waits_for: None,
        }
    }
}
