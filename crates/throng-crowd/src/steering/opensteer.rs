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

use crate::steering::gains;
use glam::Vec2;
use throng_base::random::Purpose;

use super::single::{SteeredPerson, VisibleWalls};
use super::{
    Cause, CommonParameters, Constraints, Explanation, Force, Forces, ModelInfo, SteeringJob,
    SteeringModel, Surroundings, WallSight, pair_side,
};
use crate::PersonId;
use crate::neighbours::Neighbourhood;
use crate::steering_parameters;

steering_parameters! {
    /// Parameters of reactive avoidance as in OpenSteer.
    pub struct OpenSteerParameters {
        wall_time: 6.0, 0.1..=10.0, "s", "How far ahead walls are heeded (t_obs)";
        neighbour_time: 3.0, 0.1..=10.0, "s", "How far ahead people are heeded (t_nbr)";
        max_acceleration: 8.0, 0.5..=50.0, "m/s²", "The largest acceleration (max_force by mass)";
        leak: 0.1, 0.0..=1.0, "", "Chance per second to do what is less urgent, for a tenth of a second";
    }
}

const INFO: ModelInfo = ModelInfo {
    name: "opensteer",
    summary: "Reactive avoidance (Reynolds 1999, OpenSteer): aside of the first wall or person ahead; \
              what was used with vector fields in 2008",
    parameters: OpenSteerParameters::INFOS,
    common: CommonParameters { neighbours: 8.0, neighbour_range: 4.0, ..CommonParameters::DEFAULT },
    walls: WallSight::Time("wall_time"),
    // Who looks further ahead has to notice people further away.
    gains: &[("neighbour_time", gains::HORIZON), ("neighbour_range", gains::HORIZON)],
    ..ModelInfo::NEW
};

/// For how long somebody does what is less urgent, s.
const LEAK_TIME: f32 = 0.1;
/// Two whose headings differ by less than the arc cosine of this walk the same way; by more than that of
/// its negative, against each other.
const PARALLEL: f32 = 0.707;

/// Reactive avoidance as in OpenSteer.
#[derive(Clone, Copy, Debug)]
pub struct OpenSteer;

impl SteeringModel for OpenSteer {
    type Parameters = OpenSteerParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        let mut visible = VisibleWalls::new();
        job.one_by_one(|person, ()| Pedestrian::new(person).steer(&mut visible));
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood, _: &[()]) -> Explanation {
        let mut visible = VisibleWalls::new();
        let person = SteeredPerson::new(around, batch, 0);
        let pedestrian = Pedestrian::new(&person);
        let force = pedestrian.most_urgent(&mut visible);
        Explanation {
            walls: visible.iter().map(|&(_, id)| id).collect(),
            constraints: Constraints::Forces(Forces {
                forces: vec![force],
                max_acceleration: pedestrian.parameters.max_acceleration,
                top_speed: pedestrian.top_speed(),
                footing: Vec2::ZERO,
            }),
        }
    }
}

/// Somebody on the way.
struct Pedestrian<'a> {
    person: &'a SteeredPerson<'a>,
    parameters: OpenSteerParameters,
}

impl<'a> Pedestrian<'a> {
    fn new(person: &'a SteeredPerson<'a>) -> Self {
        Self { person, parameters: person.parameters() }
    }

    fn wanted(&self) -> Vec2 {
        self.person.around.preferred_velocity(self.person.row)
    }

    fn steer(&self, visible: &mut VisibleWalls) -> Vec2 {
        let change = self.most_urgent(visible).acceleration;
        let change =
            change.clamp_length_max(self.parameters.max_acceleration) * self.person.around.step;
        (self.person.velocity + change).clamp_length_max(self.top_speed())
    }

    /// Avoiding is no reason to walk faster than one wants to.
    fn top_speed(&self) -> f32 {
        let top = self.wanted().length().max(self.person.velocity.length());
        top.min(self.person.around.people.max_speeds[self.person.row])
    }

    /// What they steer by now, and nothing else.
    fn most_urgent(&self, visible: &mut VisibleWalls) -> Force {
        let aside = if self.leaks() {
            None
        } else {
            self.aside_of_walls(visible).or_else(|| self.aside_of_people())
        };
        match aside {
            Some((cause, aside)) => {
                Force { cause, acceleration: aside * self.parameters.max_acceleration }
            }
            None => {
                let acceleration = (self.wanted() - self.person.velocity) / self.person.around.step;
                Force { cause: Cause::Goal, acceleration }
            }
        }
    }

    /// Whether they do what is less urgent now.
    fn leaks(&self) -> bool {
        let moment = (self.person.around.steps as f32 * self.person.around.step / LEAK_TIME) as u64;
        let mut draw =
            self.person.around.random.stream(self.person.id.into(), moment, Purpose::SteeringNoise);
        draw.unit() < self.parameters.leak * LEAK_TIME
    }

    /// Along the first wall that their body would run into, if there is one: a unit vector.
    fn aside_of_walls(&self, visible: &mut VisibleWalls) -> Option<(Cause, Vec2)> {
        if self.person.around.walls.is_empty() {
            return None;
        }
        let ahead = self.parameters.wall_time * self.person.velocity.length();
        self.person.look_at_walls(ahead + self.person.radius, visible);
        let mut first = (ahead, None);
        for &(_, id) in visible.iter() {
            let wall = self.person.around.walls.get(id);
            let outwards = -wall.direction.perp();
            let approach = -self.person.heading.dot(outwards);
            if approach <= 1e-6 {
                continue;
            }
            let gap = (self.person.position - wall.start).dot(outwards) - self.person.radius;
            let distance = gap.max(0.0) / approach;
            let along = (self.person.position + self.person.heading * distance - wall.start)
                .dot(wall.direction);
            let beyond = along - wall.start.distance(wall.end);
            if along > -self.person.radius && beyond < self.person.radius && distance < first.0 {
                first = (distance, Some((wall, along, beyond)));
            }
        }
        let (wall, along, beyond) = first.1?;
        let direction = wall.direction;
        // Round an end that is near, or else the way that is less of a turn.
        let near = 2.0 * self.person.radius;
        let towards = self.person.heading.dot(direction);
        let sign = if along < near && along < -beyond {
            -1.0
        } else if beyond > -near {
            1.0
        } else if towards.abs() > 1e-3 {
            towards.signum()
        } else {
            pair_side(self.person.id, u32::MAX)
        };
        let aside = direction * sign;
        let aside =
            (aside - self.person.heading * aside.dot(self.person.heading)).normalize_or(aside);
        Some((Cause::wall(wall), aside))
    }

    /// Aside of whom they overlap, or else of whom they would come too near to first.
    fn aside_of_people(&self) -> Option<(Cause, Vec2)> {
        let mut first = (self.parameters.neighbour_time, None);
        for slot in 0..self.person.batch.count[self.person.lane] as usize {
            let other = self.person.around.entry(self.person.batch.index[slot][self.person.lane]);
            let (apart, closing) =
                (other.position() - self.person.position, other.velocity() - self.person.velocity);
            let contact = self.person.radius + other.radius();
            if apart.length_squared() < contact * contact {
                let side = self.person.heading.perp_dot(apart);
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
        let agreement = self.person.heading.dot(velocity.normalize_or_zero());
        let side = if agreement < -PARALLEL {
            // Against each other: the side where they will be.
            let there = other.position() + velocity * time - self.person.position;
            self.person.heading.perp_dot(there)
        } else if agreement > PARALLEL {
            self.person.heading.perp_dot(other.position() - self.person.position)
        } else if velocity.length_squared() <= self.person.velocity.length_squared() {
            // Across: who is not the slower one passes behind.
            self.person.heading.perp_dot(velocity)
        } else {
            return None;
        };
        Some(self.away_from(side, other.id()))
    }

    /// The direction away from somebody on a side: to the left if positive.
    fn away_from(&self, side: f32, other: u32) -> (Cause, Vec2) {
        let sign =
            if side.abs() > 1e-6 { -side.signum() } else { pair_side(self.person.id, other) };
        (Cause::Person(PersonId(other)), self.person.heading.perp() * sign)
    }
}
