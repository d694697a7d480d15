//! The first stage: people appear at their sources, where there is room.

use glam::Vec2;
use throng_world::Heading;
use throng_world::random::{Purpose, Stream};
use throng_world::scene::LayerId;

use crate::PersonId;
use crate::crowd::Crowd;

/// How often a place is drawn per person and step; those who find none wait for the next step.
const TRIES: usize = 12;

/// New people keep this much more than contact from others, m, so that nobody is startled.
const ELBOW_ROOM: f32 = 0.05;

impl Crowd {
    pub(super) fn emit(&mut self) {
        let time = self.time();
        let mut sources = std::mem::take(&mut self.sources);
        for source in &mut sources {
            source.advance(time);
            while source.waiting > 0 {
                let id = self.people.ever();
                let region = &self.setting.regions[source.region.0 as usize];
                let mut person = source.recipe.person(self.random, id, Vec2::ZERO, region.layer);
                let mut stream = self.random.stream(u64::from(id), self.steps, Purpose::Placement);
                let Some(place) = self.place(region.layer, person.radius, || {
                    region.polygon.random_point(&mut stream)
                }) else {
                    break;
                };
                person.position = place;
                person.heading = heading(&mut stream);
                self.insert(&person);
                source.waiting -= 1;
            }
        }
        self.sources = sources;
    }

    /// The first of some drawn places where a body has room.
    fn place(&self, layer: LayerId, radius: f32, mut draw: impl FnMut() -> Vec2) -> Option<Vec2> {
        (0..TRIES).map(|_| draw()).find(|&place| {
            self.ground.walls.is_free(layer, place, radius)
                && self.has_room(layer, place, radius + ELBOW_ROOM)
        })
    }

    /// Whether nobody stands within reach of a body at `place`.
    fn has_room(&self, layer: LayerId, place: Vec2, radius: f32) -> bool {
        let is_clear = |row: usize| {
            let apart = radius + self.people.radii[row];
            self.people.layers[row] != layer
                || self.people.positions[row].distance_squared(place) >= apart * apart
        };
        let mut old = self.rows_around(layer, place, radius + self.largest_radius);
        let mut new = (self.first_unsorted..self.people.ever())
            .filter_map(|id| self.people.row(PersonId(id)));
        old.all(is_clear) && new.all(is_clear)
    }
}

/// Until they know where to go, people face anywhere; the first steps turn them.
fn heading(stream: &mut Stream) -> Heading {
    Heading::from_radians(stream.between(0.0, std::f32::consts::TAU))
}
