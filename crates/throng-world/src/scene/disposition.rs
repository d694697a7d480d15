//! Who has which traits: a function of the scene, its seed, and the number and group of a person.
//!
//! A running crowd keeps everybody's traits, but whoever shows a recording has nothing but the scene: here they find
//! the same. Listed people come first, in the order of the groups and of their lists, and have the first numbers.

use throng_base::random::Random;

use super::{Group, GroupId, Person, Scene};
use crate::temperament::gains;
use crate::{Temperament, Temperaments};

impl Group {
    /// How the traits of its people vary, or those of one who is listed in it; `None` if they have none.
    pub fn temperaments(&self, listed: Option<&Person>) -> Option<Temperaments> {
        Temperaments::of_one(self.traits, listed.and_then(|person| person.traits.as_ref()))
    }

    /// The smallest and the largest radius of its people, m, apart from those that are said of single people.
    pub fn radii(&self) -> [f32; 2] {
        let listed = self.people.iter().filter(|person| person.radius.is_none()).map(Some);
        let factors = std::iter::once(None)
            .chain(listed)
            .map(|person| gains::RADIUS.range(self.temperaments(person).as_ref()));
        let [low, high] = factors.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]).unwrap_or([1.0; 2]);
        [self.body.radius.min() * low, self.body.radius.max() * high]
    }
}

/// The traits of the people of a scene, of whom the numbers and groups are known.
#[derive(Clone, Debug)]
pub struct Dispositions {
    random: Random,
    groups: Vec<Option<Temperaments>>,
    /// Those who are listed, by number: their group, and how their traits vary.
    listed: Vec<(GroupId, Option<Temperaments>)>,
}

impl Dispositions {
    /// Those of a scene; `None` if nobody in it has traits.
    pub fn of(scene: &Scene) -> Option<Self> {
        let has_traits = |group: &Group| {
            group.traits.is_some() || group.people.iter().any(|person| person.traits.is_some())
        };
        if !scene.groups.iter().any(has_traits) {
            return None;
        }
        let listed = (0..).map(GroupId).zip(&scene.groups);
        let listed = listed
            .flat_map(|(id, group)| {
                group.people.iter().map(move |person| (id, group.temperaments(Some(person))))
            })
            .collect();
        let groups = scene.groups.iter().map(|group| group.traits).collect();
        Some(Self { random: Random::new(scene.settings.seed), groups, listed })
    }

    /// The traits of person number `id`, who belongs to `group` now. Who is listed in another one has those of
    /// any of this.
    pub fn temperament(&self, id: u32, group: GroupId) -> Option<Temperament> {
        let listed = self.listed.get(id as usize).filter(|(listed, _)| *listed == group);
        let traits = match listed {
            Some((_, traits)) => *traits,
            None => *self.groups.get(usize::from(group.0))?,
        };
        Some(traits?.draw(self.random, id))
    }
}
