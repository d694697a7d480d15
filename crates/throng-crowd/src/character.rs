//! What a person is like, apart from where they are: it can be changed while they walk.

use glam::Vec2;
use throng_base::Heading;
use throng_world::scene::{Climbing, GroupId, LayerId};
use throng_world::{Scene, Temperament};

use crate::assemble::recipe_of;
use crate::check::CrowdError;
use crate::crowd::Crowd;
use crate::plans::Plan;
use crate::population::{NewPerson, PersonId};
use crate::profiles::StoredProfile;
use crate::steering::SteeringProfile;

/// What a person is like: which group they belong to, how they steer and are built, and what they want.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// The group they belong to.
    pub group: GroupId,
    /// How they steer.
    pub steering: SteeringProfile,
    /// Radius of the disc they occupy, m.
    pub radius: f32,
    /// Speed they like to walk at, m/s.
    pub preferred_speed: f32,
    /// Speed they cannot exceed, m/s.
    pub max_speed: f32,
    /// Speeds on stairs and ramps that do not follow from the preferred one, m/s.
    pub climbing: Climbing<f32>,
    /// What they are like, if they have traits.
    pub temperament: Option<Temperament>,
    /// What they want.
    pub plan: Plan,
}

/// Where somebody is, and how they move there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// Abstract root position on the ground, m.
    pub position: Vec2,
    /// The floor.
    pub layer: LayerId,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Facing.
    pub heading: Heading,
}

impl Crowd {
    /// What somebody is like; `None` if they are not there.
    pub fn character(&self, id: PersonId) -> Option<Character> {
        let people = &self.people;
        let row = people.row(id)?;
        Some(Character {
            group: people.groups[row],
            steering: self.steering(row),
            radius: people.radii[row],
            preferred_speed: people.preferred_speeds[row],
            max_speed: people.max_speeds[row],
            climbing: people.climbing.value(row),
            temperament: people.temperament(row),
            plan: self.plans.of(&self.intents.goals[row]).clone(),
        })
    }

    /// What somebody would be like if they belonged to a group of the scene that is run; `None` if there is no such
    /// group.
    pub fn character_in(&self, scene: &Scene, group: GroupId, id: PersonId) -> Option<Character> {
        let plan = Plan::of_group(scene.groups.get(group.0 as usize)?);
        let recipe = recipe_of(scene, group, &self.models)?;
        let made = recipe.person(self.world.random, id.0, Vec2::ZERO, LayerId(0));
        let NewPerson {
            steering, temperament, radius, preferred_speed, max_speed, climbing, ..
        } = made;
        Some(Character {
            group,
            steering,
            radius,
            preferred_speed,
            max_speed,
            climbing,
            temperament,
            plan,
        })
    }

    /// Makes somebody another character where they are. Goals that differ from theirs are begun with the first.
    /// `false` if there is no such person.
    ///
    /// # Errors
    ///
    /// If something about it is out of range. Nothing has changed then.
    pub fn set_character(&mut self, id: PersonId, new: &Character) -> Result<bool, CrowdError> {
        let Some(row) = self.people.row(id) else { return Ok(false) };
        let person = new.person(&Stance {
            position: self.people.positions[row],
            layer: self.people.layers[row],
            velocity: self.people.velocities[row],
            heading: Heading::default(),
        });
        new.plan.check(&self.world.setting)?;
        person.check(self.plans.list.len(), self.world.setting.layers.len(), &self.models)?;
        self.remake(row, &person);
        if self.people.groups[row] != new.group {
            self.people.groups[row] = new.group;
            let Self { world, people, intents, plans, fields, .. } = self;
            fields.begin_obedience(row, people, intents, plans, world.random);
        }
        if *self.plans.of(&self.intents.goals[row]) != new.plan {
            let plan = self.plan_number(&new.plan)?;
            self.turn_to(row, plan);
        }
        Ok(true)
    }

    /// Adds somebody of this character.
    ///
    /// # Errors
    ///
    /// If something about them is out of range.
    pub fn add_character(&mut self, new: &Character, at: &Stance) -> Result<PersonId, CrowdError> {
        let plan = self.plan_number(&new.plan)?;
        self.add(&NewPerson { plan, ..new.person(at) })
    }

    /// How the person in a row steers with full effort.
    fn steering(&self, row: usize) -> SteeringProfile {
        let &StoredProfile { model, common, values } = self.people.own_profile(row);
        SteeringProfile::with_values(self.models.get(model).info(), values).with_common(common)
    }

    /// People listed in the scene's group, in the order of its list; some may have left.
    pub fn listed(&self, group: GroupId) -> &[PersonId] {
        self.people.listed.get(group.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The number of a list of goals, which may be known already.
    fn plan_number(&mut self, plan: &Plan) -> Result<u32, CrowdError> {
        let known = self.plans.list.iter().position(|known| known == plan);
        known.map_or_else(|| self.lend(plan.clone()), |number| Ok(number as u32))
    }
}

impl Character {
    /// Somebody like that, whose goals are still to be numbered.
    fn person(&self, &Stance { position, layer, velocity, heading }: &Stance) -> NewPerson {
        let &Self {
            group,
            steering,
            radius,
            preferred_speed,
            max_speed,
            climbing,
            temperament,
            ..
        } = self;
        NewPerson {
            group,
            position,
            layer,
            velocity,
            heading,
            radius,
            preferred_speed,
            max_speed,
            climbing,
            plan: 0,
            steering,
            temperament,
        }
    }
}
