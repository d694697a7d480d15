//! Reactive avoidance as in OpenSteer.
//!
//! People look ahead along their heading. If a wall is in the way within some time, they steer aside of
//! it; if not, and if they would come too near to somebody, they steer aside of whom they would meet
//! first; and only if there is nothing to avoid, they take up the velocity they want. It is what Jin et
//! al. (2008) let people do whom fields lead, and what much of the older work on crowds compares with.
//!
//! Source: Reynolds, *Steering behaviors for autonomous characters* (GDC 1999), and the pedestrian of
//! OpenSteer. Different here: that one now and then does what is less urgent, which keeps people from
//! blocking each other for good, is decided per second instead of per step; walls are straight pieces
//! instead of spheres; ties are broken by id.

use glam::Vec2;
use throng_world::WallId;
use throng_world::random::Purpose;

use super::{
    Cause, Constraints, Explanation, Force, Forces, ModelInfo, ParameterInfo, SteeringJob,
    SteeringModel, Surroundings, WallSight, pair_side,
};
use crate::PersonId;
use crate::neighbours::Neighbourhood;

pub(super) const INFO: ModelInfo = ModelInfo {
    name: "opensteer",
    summary: "Reactive avoidance (Reynolds 1999, OpenSteer): aside of the first wall or person ahead; \
              what was used with vector fields in 2008",
    parameters: &[
        ParameterInfo {
            name: "wall_time",
            description: "How far ahead walls are heeded (t_obs)",
            unit: "s",
            default: 6.0,
            min: 0.1,
            max: 10.0,
        },
        ParameterInfo {
            name: "neighbour_time",
            description: "How far ahead people are heeded (t_nbr)",
            unit: "s",
            default: 3.0,
            min: 0.1,
            max: 10.0,
        },
        ParameterInfo {
            name: "max_acceleration",
            description: "The largest acceleration (max_force by mass)",
            unit: "m/s²",
            default: 8.0,
            min: 0.5,
            max: 50.0,
        },
        ParameterInfo {
            name: "leak",
            description: "Chance per second to do what is less urgent, for a tenth of a second",
            unit: "",
            default: 0.1,
            min: 0.0,
            max: 1.0,
        },
    ],
    common_defaults: &[("neighbours", 8.0), ("neighbour_range", 4.0)],
    walls: WallSight::Time(WALL_TIME),
    personalities: &[],
    ascending: &[],
    advice: None,
    build: || Box::new(OpenSteer),
};

const WALL_TIME: usize = 0;
const NEIGHBOUR_TIME: usize = 1;
const ACCELERATION: usize = 2;
const LEAK: usize = 3;

/// For how long somebody does what is less urgent, s.
const LEAK_TIME: f32 = 0.1;
/// Two whose headings differ by less than the arc cosine of this walk the same way; by more than that of
/// its negative, against each other.
const PARALLEL: f32 = 0.707;

struct OpenSteer;

impl SteeringModel for OpenSteer {
    fn steer(&self, SteeringJob { around, batches, velocities, .. }: SteeringJob) {
        let mut visible = Vec::new();
        for (batch, velocities) in batches.iter().zip(velocities) {
            for (lane, velocity) in velocities.iter_mut().enumerate().take(batch.len) {
                *velocity = Pedestrian::new(&around, batch, lane).steer(&mut visible);
            }
        }
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood) -> Explanation {
        let mut visible = Vec::new();
        let pedestrian = Pedestrian::new(around, batch, 0);
        let force = pedestrian.most_urgent(&mut visible);
        Explanation {
            walls: visible.iter().map(|&(_, id)| id).collect(),
            constraints: Constraints::Forces(Forces {
                forces: vec![force],
                max_acceleration: pedestrian.parameter(ACCELERATION),
                top_speed: pedestrian.top_speed(),
            }),
        }
    }
}

/// Somebody on the way.
struct Pedestrian<'a> {
    around: &'a Surroundings<'a>,
    batch: &'a Neighbourhood,
    lane: usize,
    row: usize,
    id: u32,
    position: Vec2,
    velocity: Vec2,
    radius: f32,
    heading: Vec2,
}

impl<'a> Pedestrian<'a> {
    fn new(around: &'a Surroundings<'a>, batch: &'a Neighbourhood, lane: usize) -> Self {
        let entry = around.entry(batch.who[lane]);
        let row = batch.rows[lane] as usize;
        let (velocity, wanted) = (entry.velocity(), around.people.preferred_velocities[row]);
        // Who stands looks where they want to go.
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

    fn parameter(&self, index: usize) -> f32 {
        self.around.parameter(self.row, index)
    }

    fn wanted(&self) -> Vec2 {
        self.around.people.preferred_velocities[self.row]
    }

    fn steer(&self, visible: &mut Vec<(f32, WallId)>) -> Vec2 {
        let change = self.most_urgent(visible).acceleration;
        let change = change.clamp_length_max(self.parameter(ACCELERATION)) * self.around.step;
        (self.velocity + change).clamp_length_max(self.top_speed())
    }

    /// Avoiding is no reason to walk faster than one wants to.
    fn top_speed(&self) -> f32 {
        let top = self.wanted().length().max(self.velocity.length());
        top.min(self.around.people.max_speeds[self.row])
    }

    /// What they steer by now, and nothing else.
    fn most_urgent(&self, visible: &mut Vec<(f32, WallId)>) -> Force {
        let aside = if self.leaks() {
            None
        } else {
            self.aside_of_walls(visible).or_else(|| self.aside_of_people())
        };
        match aside {
            Some((cause, aside)) => {
                Force { cause, acceleration: aside * self.parameter(ACCELERATION) }
            }
            None => {
                let acceleration = (self.wanted() - self.velocity) / self.around.step;
                Force { cause: Cause::Goal, acceleration }
            }
        }
    }

    /// Whether they do what is less urgent now.
    fn leaks(&self) -> bool {
        let moment = (self.around.steps as f32 * self.around.step / LEAK_TIME) as u64;
        let mut draw = self.around.random.stream(self.id.into(), moment, Purpose::SteeringNoise);
        draw.unit() < self.parameter(LEAK) * LEAK_TIME
    }

    /// Along the first wall that their body would run into, if there is one: a unit vector.
    fn aside_of_walls(&self, visible: &mut Vec<(f32, WallId)>) -> Option<(Cause, Vec2)> {
        if self.around.walls.is_empty() {
            return None;
        }
        let ahead = self.parameter(WALL_TIME) * self.velocity.length();
        let layer = self.around.people.layers[self.row];
        let reach = (ahead + self.radius).min(self.around.walls.reach());
        self.around.walls.visible(layer, self.position, reach, visible);
        let mut first = (ahead, None);
        for &(_, id) in visible.iter() {
            let wall = self.around.walls.get(id);
            let outwards = -wall.direction.perp();
            let approach = -self.heading.dot(outwards);
            if approach <= 1e-6 {
                continue;
            }
            let gap = (self.position - wall.start).dot(outwards) - self.radius;
            let distance = gap.max(0.0) / approach;
            let along = (self.position + self.heading * distance - wall.start).dot(wall.direction);
            let beyond = along - wall.start.distance(wall.end);
            if along > -self.radius && beyond < self.radius && distance < first.0 {
                first = (distance, Some((wall, along, beyond)));
            }
        }
        let (wall, along, beyond) = first.1?;
        let direction = wall.direction;
        // Round an end that is near, or else the way that is less of a turn.
        let near = 2.0 * self.radius;
        let towards = self.heading.dot(direction);
        let sign = if along < near && along < -beyond {
            -1.0
        } else if beyond > -near {
            1.0
        } else if towards.abs() > 1e-3 {
            towards.signum()
        } else {
            pair_side(self.id, u32::MAX)
        };
        let aside = direction * sign;
        let aside = (aside - self.heading * aside.dot(self.heading)).normalize_or(aside);
        Some((Cause::wall(wall), aside))
    }

    /// Aside of whom they overlap, or else of whom they would come too near to first.
    fn aside_of_people(&self) -> Option<(Cause, Vec2)> {
        let mut first = (self.parameter(NEIGHBOUR_TIME), None);
        for slot in 0..self.batch.count[self.lane] as usize {
            let other = self.around.entry(self.batch.index[slot][self.lane]);
            let (apart, closing) =
                (other.position() - self.position, other.velocity() - self.velocity);
            let contact = self.radius + other.radius();
            if apart.length_squared() < contact * contact {
                let side = self.heading.perp_dot(apart);
                return Some(self.away_from(side, other.id()));
            }
            let speed_squared = closing.length_squared();
            if speed_squared < 1e-12 {
                continue;
            }
            let time = -apart.dot(closing) / speed_squared;
            let nearest = apart + closing * time;
            if time >= 0.0 && time < first.0 && nearest.length_squared() < contact * contact {
                first = (time, Some(other));
            }
        }
        let other = first.1?;
        let (time, velocity) = (first.0, other.velocity());
        let agreement = self.heading.dot(velocity.normalize_or_zero());
        let side = if agreement < -PARALLEL {
            // Against each other: the side where they will be.
            let there = other.position() + velocity * time - self.position;
            self.heading.perp_dot(there)
        } else if agreement > PARALLEL {
            self.heading.perp_dot(other.position() - self.position)
        } else if velocity.length_squared() <= self.velocity.length_squared() {
            // Across: who is not the slower one passes behind.
            self.heading.perp_dot(velocity)
        } else {
            return None;
        };
        Some(self.away_from(side, other.id()))
    }

    /// The direction away from somebody on a side: to the left if positive.
    fn away_from(&self, side: f32, other: u32) -> (Cause, Vec2) {
        let sign = if side.abs() > 1e-6 { -side.signum() } else { pair_side(self.id, other) };
        (Cause::Person(PersonId(other)), self.heading.perp() * sign)
    }
}
