//! The first stage: people appear at their sources, where there is room.

use glam::Vec2;
use throng_base::Heading;
use throng_base::random::{Purpose, Stream};
use throng_world::scene::LayerId;

use crate::PersonId;
use crate::grid::Grid;
use crate::newcomers::Newcomers;
use crate::placement;
use crate::population::NewPerson;
use crate::source::ActiveSource;

/// How often a place is drawn per person and step; those who find none wait for the next step.
const TRIES: usize = 12;

/// New people keep this much more than contact from others, m, so that nobody is startled.
const ELBOW_ROOM: f32 = 0.05;

/// What it takes to let people appear.
pub(super) struct EmitStage<'a> {
    pub newcomers: Newcomers<'a>,
    /// As it was at the last step, and how much nearer two can have come to each other since, m.
    pub grid: &'a Grid,
    pub largest_approach: f32,
}

impl EmitStage<'_> {
    /// Lets those appear who are due, where there is room.
    pub fn emit(&mut self, sources: &mut [ActiveSource]) {
        let (time, random) = (self.newcomers.world.time(), self.newcomers.world.random);
        for source in sources {
            source.advance(time);
            while source.waiting > 0 {
                let id = self.newcomers.people.ever();
                let party = source.party(random, id);
                // Companions come when all of them are due.
                if party > source.waiting || !self.emit_party(source, id, party) {
                    break;
                }
                source.waiting -= party;
            }
        }
    }

    /// Lets people with numbers from `first` on appear together; `false` if there is no room for all of them.
    fn emit_party(&mut self, source: &ActiveSource, first: u32, count: u32) -> bool {
        let world = self.newcomers.world;
        let region = world.region(source.region);
        let layer = region.layer;
        let mut stream = world.random.stream(u64::from(first), world.steps, Purpose::Placement);
        let mut people: Vec<NewPerson> = Vec::new();
        for id in first..first + count {
            let mut person = source.recipe.person(world.random, id, Vec2::ZERO, layer);
            let radius = person.radius;
            let is_clear = |place: Vec2| {
                self.is_room(layer, place, radius)
                    && people.iter().all(|other| {
                        let apart = radius + other.radius + ELBOW_ROOM;
                        other.position.distance_squared(place) >= apart * apart
                    })
            };
            let near = people.last().and_then(|other| {
                let is_free = |at: Vec2| {
                    let crosses = || world.walls().crossing(layer, other.position, at);
                    region.polygon.contains(at) && is_clear(at) && crosses().is_none()
                };
                placement::beside(other.position, other.heading.direction().perp(), is_free)
            });
            let anywhere = || {
                let mut draws = (0..TRIES).map(|_| region.polygon.random_point(&mut stream));
                draws.find(|&place| is_clear(place))
            };
            let Some(place) = near.or_else(anywhere) else { return false };
            person.position = place;
            // Companions face the same way.
            person.heading =
                people.first().map_or_else(|| heading(&mut stream), |first| first.heading);
            people.push(person);
        }
        people.iter().for_each(|person| _ = self.newcomers.insert(person));
        self.newcomers.people.unite_in_turn(first, &[count]);
        true
    }

    /// Whether a body has room at a place.
    fn is_room(&self, layer: LayerId, place: Vec2, radius: f32) -> bool {
        self.newcomers.world.walls().is_free(layer, place, radius)
            && self.has_room(layer, place, radius + ELBOW_ROOM)
    }

    /// Whether nobody stands within reach of a body at `place`.
    fn has_room(&self, layer: LayerId, place: Vec2, radius: f32) -> bool {
        let people = &*self.newcomers.people;
        let is_clear = |row: usize| {
            let apart = radius + people.radii[row];
            people.layers[row] != layer
                || people.positions[row].distance_squared(place) >= apart * apart
        };
        let reach = radius + people.largest_radius + self.largest_approach;
        let mut old = self.grid.rows_around(people, layer, place, reach);
        let unsorted = self.grid.first_unsorted..people.ever();
        let mut new = unsorted.filter_map(|id| people.row(PersonId(id)));
        old.all(is_clear) && new.all(is_clear)
    }
}

/// Until they know where to go, people face anywhere; the first steps turn them.
fn heading(stream: &mut Stream) -> Heading {
    Heading::from_radians(stream.between(0.0, std::f32::consts::TAU))
}
