//! What somebody feels right ahead and beside them: five short lines, and what each meets first.

use glam::Vec2;
use throng_world::WallId;

use super::Walker;
use crate::PersonId;
use crate::grid::GridEntry;
use crate::steering::{Cause, Feeler};

/// Feelers beside the middle begin just within the body: who touches a wall feels it.
const WITHIN: f32 = 0.95;

/// What a feeler meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hit {
    Nothing,
    /// Index of somebody's entry in the grid.
    Person(u32),
    Wall(WallId),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    from: Vec2,
    way: Vec2,
    pub hit: Hit,
    /// The share of the way that is free.
    pub free: f32,
}

impl Ray {
    pub fn meets_wall(&self) -> bool {
        matches!(self.hit, Hit::Wall(_))
    }

    pub fn meets_person(&self) -> bool {
        matches!(self.hit, Hit::Person(_))
    }
}

pub(super) const LEFT: usize = 0;
pub(super) const CENTRE: usize = 1;
pub(super) const RIGHT: usize = 2;

/// All feelers of somebody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feelers {
    /// Left, centre, right.
    pub ahead: [Ray; 3],
    /// To the left and to the right.
    pub beside: [Ray; 2],
}

impl Feelers {
    /// Whom those ahead meet, each once, and how many there are.
    pub fn people(&self) -> ([u32; 3], usize) {
        let (mut people, mut count) = ([0; 3], 0);
        for ray in &self.ahead {
            if let Hit::Person(index) = ray.hit
                && !people[..count].contains(&index)
            {
                people[count] = index;
                count += 1;
            }
        }
        (people, count)
    }

    fn all(&self) -> impl Iterator<Item = &Ray> {
        self.ahead.iter().chain(&self.beside)
    }
}

impl Walker<'_> {
    pub(super) fn feel(&self) -> Feelers {
        let (heading, left) = (self.heading, self.heading.perp());
        let splay = self.parameters.side_feeler;
        // What is behind the goal does not matter.
        let goal = self.target.goal_distance.max(self.person.radius);
        let length = self.parameters.feeler.min(goal);
        let ray = |side: f32, way: Vec2| {
            let from = self.person.position + left * (side * WITHIN * self.person.radius);
            Ray { from, way, hit: Hit::Nothing, free: 1.0 }
        };
        let outwards = splay + (1.0 - WITHIN) * self.person.radius;
        let ahead = |side: f32| ray(side, heading * length + left * (side * splay));
        let mut feelers = Feelers {
            ahead: [ahead(1.0), ahead(0.0), ahead(-1.0)],
            beside: [1.0, -1.0].map(|side: f32| ray(side, left * (side * outwards))),
        };
        for ray in feelers.ahead.iter_mut().chain(&mut feelers.beside) {
            self.cast(ray, length.max(outwards) + splay + self.person.radius);
        }
        feelers
    }

    /// Finds what a feeler meets first; nothing is further away than `reach`.
    fn cast(&self, ray: &mut Ray, reach: f32) {
        let around = self.person.around;
        let layer = around.people.layers[self.person.row];
        if !around.walls.is_empty()
            && let Some((free, wall)) = around.walls.crossing(layer, ray.from, ray.from + ray.way)
        {
            (ray.free, ray.hit) = (free, Hit::Wall(wall));
        }
        for (index, distance_squared) in self.person.batch.of(self.person.lane) {
            let other = around.entry(index);
            let furthest = reach + other.radius();
            if distance_squared > furthest * furthest {
                // Others are further away, but may be larger.
                continue;
            }
            let free = free_share(ray.from, ray.way, other.position(), other.radius());
            if let Some(free) = free.filter(|&free| free < ray.free) {
                (ray.free, ray.hit) = (free, Hit::Person(index));
            }
        }
    }

    /// The same for others to read.
    pub(super) fn tell(&self, feelers: &Feelers) -> Vec<Feeler> {
        let cause = |hit: Hit| match hit {
            Hit::Nothing => None,
            Hit::Person(index) => Some(Cause::Person(PersonId(self.other(index).id()))),
            Hit::Wall(id) => Some(Cause::wall(self.person.around.walls.get(id))),
        };
        let told = |ray: &Ray| {
            let hit = cause(ray.hit).map(|cause| (ray.free, cause));
            Feeler { from: ray.from, to: ray.from + ray.way, hit }
        };
        feelers.all().map(told).collect()
    }

    pub(super) fn other(&self, index: u32) -> &GridEntry {
        self.person.around.entry(index)
    }
}

/// The share of a way that is free until it enters a disc, if it does.
fn free_share(from: Vec2, way: Vec2, centre: Vec2, radius: f32) -> Option<f32> {
    let apart = from - centre;
    let (a, b) = (way.length_squared(), apart.dot(way));
    let c = apart.length_squared() - radius * radius;
    let discriminant = b * b - a * c;
    if b >= 0.0 || discriminant < 0.0 {
        return None;
    }
    let share = (-b - discriminant.sqrt()) / a;
    (share <= 1.0).then(|| share.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feelers_end_where_bodies_begin() {
        let share = |centre: (f32, f32)| free_share(Vec2::ZERO, Vec2::X * 2.0, centre.into(), 0.5);
        assert_eq!(share((1.5, 0.0)), Some(0.5));
        assert_eq!(share((1.5, 0.6)), None, "beside");
        assert_eq!(share((-1.5, 0.0)), None, "behind");
        assert_eq!(share((2.6, 0.0)), None, "too far");
        assert_eq!(share((0.3, 0.0)), Some(0.0), "within");
    }
}
