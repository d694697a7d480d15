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
use throng_base::random::Purpose;
use throng_world::temperament::sways;

use super::single::{Single, Visible, one_by_one};
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
    // Who looks further ahead has to notice people further away.
    sways: &[("neighbour_time", sways::HORIZON), ("neighbour_range", sways::HORIZON)],
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
    fn steer(&self, job: SteeringJob) {
        one_by_one(job, |person, visible| Pedestrian(person).steer(visible));
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood) -> Explanation {
        let mut visible = Visible::new();
        let pedestrian = Pedestrian(Single::new(around, batch, 0));
        let force = pedestrian.most_urgent(&mut visible);
        Explanation {
            walls: visible.iter().map(|&(_, id)| id).collect(),
            constraints: Constraints::Forces(Forces {
                forces: vec![force],
                max_acceleration: pedestrian.0.parameter(ACCELERATION),
                top_speed: pedestrian.top_speed(),
                footing: Vec2::ZERO,
            }),
        }
    }
}

/// Somebody on the way.
struct Pedestrian<'a>(Single<'a>);

impl Pedestrian<'_> {
    fn wanted(&self) -> Vec2 {
        self.0.around.people.preferred_velocities[self.0.row]
    }

    fn steer(&self, visible: &mut Visible) -> Vec2 {
        let change = self.most_urgent(visible).acceleration;
        let change = change.clamp_length_max(self.0.parameter(ACCELERATION)) * self.0.around.step;
        (self.0.velocity + change).clamp_length_max(self.top_speed())
    }

    /// Avoiding is no reason to walk faster than one wants to.
    fn top_speed(&self) -> f32 {
        let top = self.wanted().length().max(self.0.velocity.length());
        top.min(self.0.around.people.max_speeds[self.0.row])
    }

    /// What they steer by now, and nothing else.
    fn most_urgent(&self, visible: &mut Visible) -> Force {
        let aside = if self.leaks() {
            None
        } else {
            self.aside_of_walls(visible).or_else(|| self.aside_of_people())
        };
        match aside {
            Some((cause, aside)) => {
                Force { cause, acceleration: aside * self.0.parameter(ACCELERATION) }
            }
            None => {
                let acceleration = (self.wanted() - self.0.velocity) / self.0.around.step;
                Force { cause: Cause::Goal, acceleration }
            }
        }
    }

    /// Whether they do what is less urgent now.
    fn leaks(&self) -> bool {
        let moment = (self.0.around.steps as f32 * self.0.around.step / LEAK_TIME) as u64;
        let mut draw =
            self.0.around.random.stream(self.0.id.into(), moment, Purpose::SteeringNoise);
        draw.unit() < self.0.parameter(LEAK) * LEAK_TIME
    }

    /// Along the first wall that their body would run into, if there is one: a unit vector.
    fn aside_of_walls(&self, visible: &mut Visible) -> Option<(Cause, Vec2)> {
        if self.0.around.walls.is_empty() {
            return None;
        }
        let ahead = self.0.parameter(WALL_TIME) * self.0.velocity.length();
        self.0.look_at_walls(ahead + self.0.radius, visible);
        let mut first = (ahead, None);
        for &(_, id) in visible.iter() {
            let wall = self.0.around.walls.get(id);
            let outwards = -wall.direction.perp();
            let approach = -self.0.heading.dot(outwards);
            if approach <= 1e-6 {
                continue;
            }
            let gap = (self.0.position - wall.start).dot(outwards) - self.0.radius;
            let distance = gap.max(0.0) / approach;
            let along =
                (self.0.position + self.0.heading * distance - wall.start).dot(wall.direction);
            let beyond = along - wall.start.distance(wall.end);
            if along > -self.0.radius && beyond < self.0.radius && distance < first.0 {
                first = (distance, Some((wall, along, beyond)));
            }
        }
        let (wall, along, beyond) = first.1?;
        let direction = wall.direction;
        // Round an end that is near, or else the way that is less of a turn.
        let near = 2.0 * self.0.radius;
        let towards = self.0.heading.dot(direction);
        let sign = if along < near && along < -beyond {
            -1.0
        } else if beyond > -near {
            1.0
        } else if towards.abs() > 1e-3 {
            towards.signum()
        } else {
            pair_side(self.0.id, u32::MAX)
        };
        let aside = direction * sign;
        let aside = (aside - self.0.heading * aside.dot(self.0.heading)).normalize_or(aside);
        Some((Cause::wall(wall), aside))
    }

    /// Aside of whom they overlap, or else of whom they would come too near to first.
    fn aside_of_people(&self) -> Option<(Cause, Vec2)> {
        let mut first = (self.0.parameter(NEIGHBOUR_TIME), None);
        for slot in 0..self.0.batch.count[self.0.lane] as usize {
            let other = self.0.around.entry(self.0.batch.index[slot][self.0.lane]);
            let (apart, closing) =
                (other.position() - self.0.position, other.velocity() - self.0.velocity);
            let contact = self.0.radius + other.radius();
            if apart.length_squared() < contact * contact {
                let side = self.0.heading.perp_dot(apart);
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
        let agreement = self.0.heading.dot(velocity.normalize_or_zero());
        let side = if agreement < -PARALLEL {
            // Against each other: the side where they will be.
            let there = other.position() + velocity * time - self.0.position;
            self.0.heading.perp_dot(there)
        } else if agreement > PARALLEL {
            self.0.heading.perp_dot(other.position() - self.0.position)
        } else if velocity.length_squared() <= self.0.velocity.length_squared() {
            // Across: who is not the slower one passes behind.
            self.0.heading.perp_dot(velocity)
        } else {
            return None;
        };
        Some(self.away_from(side, other.id()))
    }

    /// The direction away from somebody on a side: to the left if positive.
    fn away_from(&self, side: f32, other: u32) -> (Cause, Vec2) {
        let sign = if side.abs() > 1e-6 { -side.signum() } else { pair_side(self.0.id, other) };
        (Cause::Person(PersonId(other)), self.0.heading.perp() * sign)
    }
}
