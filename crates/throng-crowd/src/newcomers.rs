//! People who are added to a crowd.

use throng_base::random::Purpose;

use crate::PersonId;
use crate::fields::Fields;
use crate::intents::Intents;
use crate::plans::Plans;
use crate::population::{NewPerson, Population};
use crate::steering::Models;
use crate::world::World;

/// By how much people's own idea of straight ahead differs, radians: two who meet exactly head on
/// would otherwise never decide on which side to pass.
const LARGEST_BIAS: f32 = 1e-4;

/// What people are added to, and what they are given by.
pub(crate) struct Newcomers<'a> {
    pub world: &'a World,
    pub models: &'a Models,
    pub plans: &'a Plans,
    pub fields: &'a Fields,
    pub people: &'a mut Population,
    pub intents: &'a mut Intents,
}

impl Newcomers<'_> {
    /// Adds a person who is known to be sound.
    pub fn insert(&mut self, person: &NewPerson) -> PersonId {
        let Self { world, models, plans, fields, people, intents } = self;
        let mut stream = world.random.stream(people.ever().into(), 0, Purpose::SymmetryBreaking);
        let model = models.find(person.steering.model().name).unwrap_or_default();
        let side_bias = stream.between(-LARGEST_BIAS, LARGEST_BIAS);
        let id = people.add(person, model, side_bias, intents);
        let row = people.len() - 1;
        people.find_floor(row, world);
        fields.begin_obedience(row, people, intents, plans, world.random);
        id
    }
}
