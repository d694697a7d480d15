//! Who or what is in the way of somebody who is blocked. Found when asked for, not in every step.

use glam::Vec2;
use throng_world::WallId;
use throng_world::scene::LayerId;

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
        if self.people.statuses[row] != Status::Blocked {
            return Obstruction::None;
        }
        let (own, radius) = (self.people.positions[row], self.people.radii[row]);
        let ahead = self.people.preferred_velocities[row].normalize_or_zero();
        let is_in_the_way = |position: Vec2, reach: f32| {
            let to = position - own;
            let distance = to.length();
            distance < reach + RANGE && to.dot(ahead) > AHEAD * distance
        };
        let nearest = self
            .rows_around(self.people.layers[row], own, radius + self.largest_radius + RANGE)
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
        let walls = &self.ground.walls;
        let near = walls.near(self.people.layers[row], own).iter();
        let mut near = near.map(|&id| walls.get(WallId(id)).nearest(own));
        if near.any(|point| is_in_the_way(point, radius)) {
            Obstruction::Wall
        } else {
            Obstruction::Crowd
        }
    }

    /// Rows of the people within `radius` of a point, and some others, by the grid of the last step.
    pub(crate) fn rows_around(
        &self,
        layer: LayerId,
        point: Vec2,
        radius: f32,
    ) -> impl Iterator<Item = usize> + '_ {
        // People may have moved since.
        let reach = radius + self.largest_approach();
        let entries = self.grid.around(layer, point, reach);
        entries.filter_map(|entry| self.people.row(PersonId(entry.id())))
    }
}
