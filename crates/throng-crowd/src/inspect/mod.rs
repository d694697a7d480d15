//! Why somebody moves as they do.
//!
//! An [`Inspection`] is about the step to come: whom and what somebody will heed from where they are now, what
//! that asks for, and what they make of it. It is found by the code of the step itself, run for one person
//! on copies of what it would change, so looking at people never changes what they do.

mod goal;
mod vicinity;
mod way;
mod words;

#[cfg(test)]
mod tests;

use glam::Vec2;
use throng_world::Temperament;
use throng_world::scene::{FieldId, GroupId};

use crate::PersonId;
use crate::crowd::{Crowd, PersonState};
use crate::status::Status;
use crate::steering::{Conduct, Constraints};
use crate::step::Foreseen;
pub use goal::CurrentGoal;
use vicinity::Vicinity;
pub use way::{FreeDisc, WayAhead, WayKind, WayPoint};
pub use words::Names;

/// Why somebody moves as they do; see [`Crowd::inspect`].
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// How they are now.
    pub state: PersonState,
    /// The name of their steering model.
    pub model: &'static str,
    /// What they are like, if they have traits.
    pub temperament: Option<Temperament>,
    /// How they behave, if their model tells.
    pub conduct: Option<Conduct>,
    /// For how long they have been [`Status::Blocked`], s; 0 if they are not.
    pub blocked_for: f32,
    /// Whether they are done, and taken out in the next step.
    pub leaves: bool,
    /// What they want, unless they are done or have no goals.
    pub goal: Option<CurrentGoal>,
    /// Those whom they walk with, in ascending order of id: nobody if they walk alone. Steering does not heed them.
    pub companions: Vec<PersonId>,
    /// Of these, the one whom they wait for.
    pub waits_for: Option<PersonId>,
    /// What fields ask for, if fields lead them.
    pub led: Option<Leading>,
    /// How they get where they want to be.
    pub way: WayAhead,
    /// Those whom they heed, nearest first: as many and as far away as their profile says. Companions are not among them.
    pub neighbours: Vec<Neighbour>,
    /// The pieces of wall that their model looks at, nearest first, from one end to the other, m.
    pub walls: Vec<[Vec2; 2]>,
    /// What their model makes of walls: by how much it would choose another velocity without any, m/s.
    pub wall_influence: Vec2,
    /// What walls and neighbours demand, in terms of their model.
    pub constraints: Constraints,
    /// What comes of it.
    pub decision: Decision,
}

/// What fields ask of somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct Leading {
    /// By which.
    pub fields: Vec<FieldId>,
    /// Where they lead, m/s: less where they hold only in part.
    pub velocity: Vec2,
    /// The share that they have in the preferred velocity: ρ, or less where they hold only in part.
    pub share: f32,
}

/// Somebody who is heeded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Who.
    pub id: PersonId,
    /// Their group.
    pub group: GroupId,
    /// What they are doing.
    pub status: Status,
    /// Where, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Radius, m.
    pub radius: f32,
    /// Distance of the centres, m.
    pub distance: f32,
    /// What they do: by how much another velocity would be chosen if they were not there, m/s.
    pub influence: Vec2,
}

/// From what somebody wants to what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// What they are going to do. Whether they are blocked is found out by moving, so that is as it was.
    pub status: Status,
    /// What goals, fields and companions ask for, m/s.
    pub preferred_velocity: Vec2,
    /// What the steering model makes of it, m/s.
    pub steered_velocity: Vec2,
    /// The same, slowed down by the gap that is kept to those ahead, m/s.
    pub gapped_velocity: Vec2,
    /// The same as far as people get in a step: what they do of their own accord is limited, m/s.
    pub chosen_velocity: Vec2,
    /// Who is followed, if that slows them down.
    pub follows: Option<PersonId>,
    /// What walls leave of it, m/s. It is what happens in the next step, unless bodies touch.
    pub velocity: Vec2,
}

impl Crowd {
    /// Why somebody moves as they do, while they are there.
    ///
    /// It works at any time: before the first step, and for people who have just been added. What
    /// will only be known in the next step is left out: the way that somebody who waits for one will
    /// be told ([`WayAhead::waits`]), what edits and keys do to fields, obstacles that come or go, and
    /// people who appear. Nothing changes by it.
    ///
    /// ```
    /// use throng_crowd::steering::{Cause, Constraints};
    /// use throng_crowd::{Crowd, PersonId};
    /// use throng_world::Scene;
    ///
    /// let scene = r#"
    ///     format = 1
    ///     [world]
    ///     bounds = [[0, 0], [20, 10]]
    ///     [[groups]]
    ///     name = "walkers"
    ///     [[groups.people]]
    ///     position = [2, 5]
    ///     goals = [{ seek = [18, 5] }]
    ///     [[groups.people]]
    ///     position = [10, 5.2]
    ///     goals = [{ seek = [2, 5] }]
    /// "#;
    /// let scene = Scene::parse("scene.toml", scene, "".as_ref())?;
    /// let mut crowd = Crowd::from_scene(&scene)?;
    /// (0..10).for_each(|_| crowd.step());
    /// let who = PersonId(0);
    /// let inspection = crowd.inspect(who).expect("they are there");
    /// assert_eq!(inspection.neighbours[0].id, PersonId(1));
    /// let Constraints::HalfPlanes(demands) = &inspection.constraints else { panic!("ORCA") };
    /// assert_eq!(demands.half_planes[0].cause, Cause::Person(PersonId(1)));
    /// println!("{}", inspection.status_in_words(&crowd.names(&["walkers"])));
    ///
    /// crowd.step();
    /// let happened = crowd.person(who).expect("they are there").velocity;
    /// assert_eq!(happened, inspection.decision.velocity);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inspect(&self, id: PersonId) -> Option<Inspection> {
        let row = self.people.row(id)?;
        let (foreseen, vicinity) = self.foresee(|next| {
            let foreseen = next.of(row);
            let vicinity = Vicinity::new(self, next, row, &foreseen);
            (foreseen, vicinity)
        });
        let one = vicinity.person(self);
        let explanation = one.explain();
        let state = self.state(row);
        let goal = self.current_goal(row, &foreseen);
        Some(Inspection {
            model: self.models.get(self.people.model(row)).info().name,
            temperament: self.people.temperament(row),
            conduct: self.conduct(id),
            blocked_for: self.blocked_for(row),
            leaves: foreseen.goal.is_leaving(),
            companions: self.companions(id),
            waits_for: foreseen.waits_for,
            led: self.leading(row, &foreseen),
            way: self.way_ahead(row, &foreseen, goal.as_ref()),
            goal,
            neighbours: one.neighbours(self),
            walls: explanation.walls,
            wall_influence: one.wall_influence(),
            constraints: explanation.constraints,
            decision: one.decision(foreseen.status),
            state,
        })
    }

    /// For how long somebody has been blocked, s.
    fn blocked_for(&self, row: usize) -> f32 {
        if self.intents.statuses[row] != Status::Blocked {
            return 0.0;
        }
        self.world.time_since(self.people.blocked_since[row])
    }

    fn leading(&self, row: usize, foreseen: &Foreseen) -> Option<Leading> {
        let people = &self.people;
        let obedience = foreseen.obedience?;
        let fields = self.led(people.groups[row])?.by.clone();
        let half_step = 0.5 * self.world.step();
        let place = people.positions[row] + people.velocities[row] * half_step;
        let velocity = self.field_velocity(people.groups[row], people.layers[row], place);
        Some(Leading { fields, velocity, share: obedience.share * obedience.coverage })
    }
}
