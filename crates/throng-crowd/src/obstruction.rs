//! Who or what is in the way of somebody who is blocked. Found when asked for, not in every step.

use glam::Vec2;
use throng_world::WallId;

use crate::PersonId;
use crate::crowd::Crowd;
use crate::status::{Obstruction, Status};

/// How far beyond contact somebody in the way is looked for, m.
const RANGE: f32 = 0.5;

/// Ahead is within this angle of the preferred direction (cosine).
const AHEAD: f32 = 0.5;

impl Crowd {
    /// What keeps the person in population row `row` from getting on.
    pub(crate) fn obstruction(&self, row: usize) -> Obstruction {
        if self.intents.statuses[row] != Status::Blocked {
            return Obstruction::None;
        }
        let (own, radius) = (self.people.positions[row], self.people.radii[row]);
        let ahead = self.intents.preferred_velocities[row].normalize_or_zero();
        let is_in_the_way = |position: Vec2, reach: f32| {
            let to = position - own;
            let distance = to.length();
            distance < reach + RANGE && to.dot(ahead) > AHEAD * distance
        };
        let layer = self.people.layers[row];
        let others = radius + self.people.largest_radius + RANGE;
        // People may have moved since.
        let reach = others + self.largest_approach();
        let nearest = (self.last.grid)
            .rows_around(&self.people, layer, own, reach)
            .filter(|&other| other != row)
            .filter(|&other| {
                is_in_the_way(self.people.positions[other], radius + self.people.radii[other])
            })
            .map(|other| {
                let distance = self.people.positions[other].distance_squared(own);
                (distance, self.people.ids[other])
            })
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        if let Some((_, id)) = nearest {
            return Obstruction::Person(PersonId(id));
        }
        let walls = self.world.walls();
        let near = walls.near(layer, own).iter();
        let mut near = near.map(|&id| walls.get(WallId(id)).nearest(own));
        if near.any(|point| is_in_the_way(point, radius)) {
            Obstruction::Wall
        } else {
            Obstruction::Crowd
        }
    }
}
