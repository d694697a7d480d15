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
use super::lead::{Chunk, LeadStage, pulls};
use super::pursue::Pursue;
use crate::PersonId;
use crate::crowd::Crowd;
use crate::fields::Obedience;
use crate::goals::GoalContext;
use crate::guidance::{Outlook, Route};
use crate::intents::{GoalMemory, GoalState};
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
    lead: Option<LeadStage<'a>>,
    accompany: AccompanyStage<'a>,
    climb: Option<ClimbStage<'a>>,
}

impl Crowd {
    /// Looks at the next step.
    pub(crate) fn foresee<T>(&self, look: impl FnOnce(&Foresight) -> T) -> T {
        let Self { world, people, models, plans, fields, guidance, last, .. } = self;
        let (grid, drift) = (&last.grid, self.intents.everyone_drifts);
        let pulls = pulls(fields);
        look(&Foresight {
            crowd: self,
            context: GoalContext {
                world,
                people,
                models,
                plans,
                grid,
                guidance: guidance.as_ref(),
            },
            lead: LeadStage::new(world, people, plans, fields, &pulls, drift),
            accompany: AccompanyStage { world, people, grid },
            climb: ClimbStage::new(&world.setting, people, drift),
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
            let wish = foreseen.preferred_velocity;
            let accompanied = self.accompany.accompany(row, wish, &members);
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
        let Crowd { people, intents, .. } = self.crowd;
        let mut goals = [intents.goals[row]];
        let mut memories = [intents.memories.value(row)];
        let mut outlooks = [intents.outlooks.value(row)];
        let mut routes = [intents.routes[row].clone()];
        let mut preferred = [intents.preferred_velocities[row]];
        let mut statuses = [intents.statuses[row]];
        if !intents.everyone_drifts {
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
            run_anywhere(self.crowd.execution.simd, pursue);
        }
        let is_led = self.crowd.led(people.groups[row]).is_some();
        let led = self.lead.as_ref().filter(|_| is_led);
        let mut obediences = [intents.obediences.value(row)];
        if let Some(stage) = led {
            stage.lead(Chunk {
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
