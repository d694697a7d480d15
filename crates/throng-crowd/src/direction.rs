//! Other goals for people who are under way: what an author who directs a crowd by hand asks for.
//!
//! They turn to what they are given in the next step. If that takes a way, they are served before those
//! who are on one, within half a second however many are sent off at once.

use throng_world::scene::{Goal, GroupId, Then};

use crate::PersonId;
use crate::check::CrowdError;
use crate::crowd::Crowd;
use crate::plans::Plan;

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
        Some(self.plans.of(&self.intents.goals[row]))
    }

    /// Keeps a plan for people under way.
    pub(crate) fn lend(&mut self, plan: Plan) -> Result<u32, CrowdError> {
        let people = self.intents.goals.iter().map(|goals| goals.plan);
        let sources = self.sources.iter().map(|source| source.recipe.plan);
        self.plans.lend(plan, &self.world.setting, people.chain(sources))
    }

    /// The person in a row begins with the goals of a plan.
    pub(crate) fn turn_to(&mut self, row: usize, plan: u32) {
        let drifts = self.fields.drifts(self.people.groups[row], self.plans.get(plan));
        self.intents.turn_to(row, plan, drifts);
        self.people.paces[row] = 1.0;
    }
}
