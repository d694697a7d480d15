//! Models that look at people one by one, without vectors.

use glam::Vec2;
use throng_world::WallId;

use super::{SteeringJob, Surroundings};
use crate::neighbours::Neighbourhood;

/// Walls that somebody sees, with their distances: memory that is used again for the next.
pub(super) type Visible = Vec<(f32, WallId)>;

/// Somebody on the way, with whom they notice.
pub(super) struct Single<'a> {
    pub around: &'a Surroundings<'a>,
    pub batch: &'a Neighbourhood,
    /// Their place in the batch.
    pub lane: usize,
    /// Their row in the population.
    pub row: usize,
    pub id: u32,
    pub position: Vec2,
    pub velocity: Vec2,
    pub radius: f32,
    /// Where they walk, or want to if they stand: a unit vector.
    pub heading: Vec2,
}

impl<'a> Single<'a> {
    pub fn new(around: &'a Surroundings<'a>, batch: &'a Neighbourhood, lane: usize) -> Self {
        let entry = around.entry(batch.who[lane]);
        let row = batch.rows[lane] as usize;
        let (velocity, wanted) = (entry.velocity(), around.people.preferred_velocities[row]);
        let heading = if velocity.length() > 0.1 { velocity } else { wanted };
        Self {
            around,
            batch,
            lane,
            row,
            id: entry.id(),
            position: entry.position(),
            velocity,
            radius: entry.radius(),
            heading: heading.normalize_or(around.people.facings[row]),
        }
    }

    /// One of their model's parameters.
    pub fn parameter(&self, index: usize) -> f32 {
        self.around.parameter(self.row, index)
    }

    /// Lists the walls they see within `reach`.
    pub fn look_at_walls(&self, reach: f32, visible: &mut Visible) {
        let layer = self.around.people.layers[self.row];
        let reach = reach.min(self.around.walls.reach());
        self.around.walls.visible(layer, self.position, reach, visible);
    }
}

/// Steers everybody of a job by what `decide` says of each.
pub(super) fn one_by_one(job: SteeringJob, decide: impl Fn(Single, &mut Visible) -> Vec2) {
    let SteeringJob { around, batches, velocities, .. } = job;
    let mut visible = Visible::new();
    for (batch, velocities) in batches.iter().zip(velocities) {
        for (lane, velocity) in velocities.iter_mut().enumerate().take(batch.len) {
            *velocity = decide(Single::new(&around, batch, lane), &mut visible);
        }
    }
}
