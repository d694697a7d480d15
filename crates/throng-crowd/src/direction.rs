//! Other goals for people who are under way: what an author who directs a crowd by hand asks for.
//!
//! They turn to what they are given in the next step. If that takes a way, they are served before those
//! who are on one, within half a second however many are sent off at once.

use throng_world::scene::{Goal, GroupId, Then};

use crate::PersonId;
use crate::check::CrowdError;
use crate::crowd::Crowd;
use crate::goals::Plan;
use crate::guidance::{Course, Outlook};
use crate::population::{GoalMemory, GoalState};
use crate::status::Status;

impl Crowd {
    /// Gives a person one goal of any kind in place of all they had; then they stay.
    ///
    /// ```
    /// # fn send(crowd: &mut throng_crowd::Crowd, guide: throng_crowd::PersonId)
    /// # -> Result<(), throng_crowd::CrowdError> {
    /// use glam::Vec2;
    /// use throng_world::scene::{Aim, Goal, LayerId};
    ///
    /// let ground = LayerId(0);
    /// let line = vec![(ground, Vec2::ZERO), (ground, Vec2::new(20.0, 0.0)), (ground, Vec2::new(20.0, 9.0))];
    /// crowd.set_goal(guide, Goal::new(Aim::Follow { line, width: 0.0, within: 0.5 }))?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::set_goals`].
    pub fn set_goal(&mut self, id: PersonId, goal: Goal) -> Result<(), CrowdError> {
        self.set_goals(&[id], Plan { goals: vec![goal], then: Then::Stay })
    }

    /// Gives people a list of goals in place of those they had. They begin with the first.
    ///
    /// Who has no goals any more stands, or is led by the fields of their group alone; how much goals
    /// count for those who are led is for [`Self::set_led`] to say.
    ///
    /// # Errors
    ///
    /// If one of the people is not there, or if a goal names a region or floor that does not exist or
    /// holds a number that is not one. Then nobody has other goals.
    pub fn set_goals(&mut self, people: &[PersonId], plan: Plan) -> Result<(), CrowdError> {
        let row = |id: &PersonId| self.people.row(*id).ok_or(CrowdError::NoSuchPerson(*id));
        let rows: Vec<usize> = people.iter().map(row).collect::<Result<_, _>>()?;
        let plan = self.lend(plan)?;
        rows.into_iter().for_each(|row| self.turn_to(row, plan));
        Ok(())
    }

    /// Gives a group a list of goals: to all who are in it now, and to those who appear at its sources
    /// from now on. Tells how many are there.
    ///
    /// # Errors
    ///
    /// As [`Self::set_goals`].
    pub fn set_group_goals(&mut self, group: GroupId, plan: Plan) -> Result<usize, CrowdError> {
        let plan = self.lend(plan)?;
        let groups = self.people.groups.iter();
        let rows: Vec<usize> =
            groups.enumerate().filter(|(_, of)| **of == group).map(|(row, _)| row).collect();
        let sources = self.sources.iter_mut().filter(|source| source.recipe.group == group);
        sources.for_each(|source| source.recipe.plan = plan);
        let count = rows.len();
        rows.into_iter().for_each(|row| self.turn_to(row, plan));
        Ok(count)
    }

    /// What a person wants, in order, and what they do then.
    pub fn goals_of(&self, id: PersonId) -> Option<&Plan> {
        let row = self.people.row(id)?;
        self.plans.get(self.people.goals[row].plan as usize)
    }

    /// Keeps a plan, in place of one that was kept here and that nobody has any more: an author may
    /// send people about all day.
    pub(crate) fn lend(&mut self, plan: Plan) -> Result<u32, CrowdError> {
        plan.check(self.setting.regions.len(), self.setting.layers.len())?;
        let mut is_used = vec![false; self.plans.len()];
        let people = self.people.goals.iter().map(|goals| goals.plan);
        let sources = self.sources.iter().map(|source| source.recipe.plan);
        people.chain(sources).for_each(|plan| is_used[plan as usize] = true);
        let spare = self.lent.iter().copied().find(|&plan| !is_used[plan as usize]);
        let number = spare.unwrap_or(self.plans.len() as u32);
        if spare.is_some() {
            self.plans[number as usize] = plan;
        } else {
            self.plans.push(plan);
            self.lent.push(number);
        }
        Ok(number)
    }

    /// The person in a row begins with the goals of a plan.
    pub(crate) fn turn_to(&mut self, row: usize, plan: u32) {
        let count = self.people.goals[row].count;
        let course = Course::CutOff;
        self.people.goals[row] = GoalState { plan, count, course, ..GoalState::default() };
        self.people.routes[row] = None;
        if let Some(memory) = self.people.goal_memories.get_mut(row) {
            *memory = GoalMemory::default();
        }
        if let Some(outlook) = self.people.outlooks.get_mut(row) {
            *outlook = Outlook::default();
        }
        self.people.statuses[row] = Status::Walking;
        self.people.paces[row] = 1.0;
        let drifts = self.led(self.people.groups[row]).is_some() && self.has_no_goals(row);
        self.people.goals[row].set_drifting(drifts);
        self.everyone_drifts = false;
    }
}
