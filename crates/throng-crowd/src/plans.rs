//! What people are to do: lists of goals.

use throng_world::scene::{Aim, Goal, Then};

use crate::check::CrowdError;
use crate::intents::GoalState;
use crate::world::Setting;

/// Goals in order, and what comes after them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// What is wanted, one after the other.
    pub goals: Vec<Goal>,
    /// What is done after the last one.
    pub then: Then,
}

impl Plan {
    /// Returns whether a goal needs the optional column of goal memory: progress along a line, or the id of a pursued person.
    pub(crate) fn needs_memory(&self) -> bool {
        let needs = |goal: &Goal| {
            matches!(goal.aim, Aim::Follow { .. } | Aim::SeekTarget { .. } | Aim::FleeTarget { .. })
        };
        self.goals.iter().any(needs)
    }
}

/// All plans, by their numbers. Those of a scene's groups have the numbers of the groups.
#[derive(Default)]
pub(crate) struct Plans {
    pub list: Vec<Plan>,
    /// Those that were made for people under way: one that nobody has any more makes room for another.
    lent: Vec<u32>,
}

impl Plans {
    /// Makes these all the plans there are.
    pub fn replace(&mut self, plans: impl Iterator<Item = Plan>) -> Vec<Plan> {
        self.lent.clear();
        std::mem::replace(&mut self.list, plans.collect())
    }

    pub fn get(&self, number: u32) -> &Plan {
        &self.list[number as usize]
    }

    /// The plan of a person.
    pub fn of(&self, state: &GoalState) -> &Plan {
        self.get(state.plan)
    }

    /// The goal that a person pursues, if they are not done.
    pub fn goal(&self, state: &GoalState) -> Option<&Goal> {
        self.of(state).goals.get(state.goal as usize)
    }

    pub fn push(&mut self, plan: Plan) -> u32 {
        self.list.push(plan);
        self.list.len() as u32 - 1
    }

    /// Keeps a plan for people under way.
    pub fn push_lent(&mut self, plan: Plan) -> u32 {
        let number = self.push(plan);
        self.lent.push(number);
        number
    }

    /// Keeps a plan for people under way in place of one that is none of those `in_use`: an author may send people
    /// about all day.
    ///
    /// # Errors
    ///
    /// If a goal names something that is not in the setting, or holds a number that is not one.
    pub fn lend(
        &mut self,
        plan: Plan,
        setting: &Setting,
        in_use: impl Iterator<Item = u32>,
    ) -> Result<u32, CrowdError> {
        plan.check(setting)?;
        let mut is_used = vec![false; self.list.len()];
        in_use.for_each(|plan| is_used[plan as usize] = true);
        let spare = self.lent.iter().copied().find(|&plan| !is_used[plan as usize]);
        Ok(match spare {
            Some(number) => {
                self.list[number as usize] = plan;
                number
            }
            None => self.push_lent(plan),
        })
    }
}
