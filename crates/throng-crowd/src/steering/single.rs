//! Models that look at people one by one, without vectors.

use glam::Vec2;
use throng_world::WallId;

use super::{Parameters, Surroundings};
use crate::grid::GridEntry;
use crate::neighbours::Neighbourhood;

/// Walls that a person sees, with their squared distances (m²), nearest first.
pub type VisibleWalls = Vec<(f32, WallId)>;

/// A person who is to be steered.
pub struct SteeredPerson<'a> {
    /// The crowd and the world.
    pub around: &'a Surroundings<'a>,
    /// Sixteen people with their neighbours, and this one's place among them.
    pub batch: &'a Neighbourhood,
    /// Their place in the batch.
    pub lane: usize,
    /// Their row in the population, until the end of the step.
    pub row: usize,
    /// Their number, by which ties are broken.
    pub id: u32,
    /// Position, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Radius of the disc that they occupy, m.
    pub radius: f32,
    /// Where they walk, or want to if they stand: a unit vector.
    pub heading: Vec2,
}

impl<'a> SteeredPerson<'a> {
    pub(crate) fn new(around: &'a Surroundings<'a>, batch: &'a Neighbourhood, lane: usize) -> Self {
        let entry = around.entry(batch.who[lane]);
        let row = batch.rows[lane] as usize;
        let (velocity, wanted) = (entry.velocity(), around.preferred_velocity(row));
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

    /// Their model's parameters.
    pub fn parameters<P: Parameters>(&self) -> P {
        self.around.parameters(self.row)
    }

    /// The people they notice, nearest first, with their distances (m) from centre to centre. Companions are not among
    /// them.
    pub fn neighbours(&self) -> impl Iterator<Item = (&'a GridEntry, f32)> + '_ {
        let neighbours = self.batch.of(self.lane);
        neighbours.map(|(other, squared)| (self.around.entry(other), squared.sqrt()))
    }

    /// The velocity that goals, fields and companions ask for, m/s.
    pub fn preferred_velocity(&self) -> Vec2 {
        self.around.preferred_velocity(self.row)
    }

    /// The speed that they cannot exceed, m/s.
    pub fn max_speed(&self) -> f32 {
        self.around.max_speed(self.row)
    }

    /// Lists the walls they see within `reach`.
    pub fn look_at_walls(&self, reach: f32, visible: &mut VisibleWalls) {
        let layer = self.around.people.layers[self.row];
        let reach = reach.min(self.around.walls.reach());
        self.around.walls.visible(layer, self.position, reach, visible);
    }
}
