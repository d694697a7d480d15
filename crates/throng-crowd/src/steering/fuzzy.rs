//! Fuzzy steering past one obstacle: the middle level of collision avoidance.
//!
//! People heed what is nearest ahead of them, a person or a wall, and nothing else. How far away it is and how far aside
//! are told apart in three overlapping degrees each (near, medium, far; narrow, middle, wide), nine rules say how slow to
//! walk and how sharply to turn away, and the mean of what the rules say is done. It costs little, and one sees that
//! people avoid each other; where it is dense, contacts do the rest.
//!
//! Source: Paris, Gerdelan and O'Sullivan, *CA-LOD: Collision avoidance level of detail for scalable, controllable crowds* (MIG
//! 2009). Different here: means are divided by the sum of degrees, where the publication divides by that of the
//! outputs, which is no mean; the membership functions, given as a figure only, are the straight ones that add up to one;
//! and as the rules never end, what they say fades out towards `range`, to the sides, and for what goes away.

use crate::steering::gains;
use glam::Vec2;
use throng_base::geometry::nearest_on_segment;

use super::none::unheeding_velocity;
use super::single::{SteeredPerson, VisibleWalls};
use super::{CommonParameters, ModelInfo, SteeringJob, SteeringModel, WallSight, pair_side};
use crate::effort::{DECIDING, Effort};
use crate::steering_parameters;

steering_parameters! {
    /// Parameters of fuzzy steering.
    pub struct FuzzyParameters {
        range: 10.0, 8.5..=30.0, "m", "From how far away something is heeded (r_max)";
        wall_range: 1.0, 0.1..=10.0, "m", "From how near walls are heeded; ways keep clear of them already";
        response: 0.3, 0.01..=2.0, "s", "How soon people do what the rules say";
        slowing: 0.3, 0.0..=1.0, "",
            "How much of the slowing down is done that the rules ask for; 1 as published, which stops dense crowds";
    }
}

const INFO: ModelInfo = ModelInfo {
    name: "fuzzy",
    summary: "Fuzzy rules about what is nearest ahead (Paris et al. 2009): the middle level of detail of avoidance",
    parameters: FuzzyParameters::INFOS,
    common: CommonParameters {
        neighbours: 6.0,
        neighbour_range: 10.0,
        ..CommonParameters::DEFAULT
    },
    walls: WallSight::Distance { parameter: "wall_range", factor: 1.0 },
    gains: &[("range", gains::HORIZON), ("slowing", gains::PATIENCE)],
    ..ModelInfo::NEW
};

/// Where the degrees of angles meet, rad: narrow, middle, wide.
const ANGLES: [f32; 3] = [0.35, 0.58, 0.84];
/// And those of distances, m: near up to the first, medium between the next two, far from the last.
const DISTANCES: [f32; 3] = [4.0, 6.0, 8.0];
/// Speeds as parts of the fastest, by angle and distance.
const SPEEDS: [[f32; 3]; 3] = [[0.0, 0.2, 0.4], [0.2, 0.4, 0.6], [0.4, 0.6, 0.8]];
/// How sharply to turn away, as parts of the speed.
const TURNS: [[f32; 3]; 3] = [[1.0, 0.5, 0.25], [0.5, 0.25, 0.0], [0.25, 0.0, 0.0]];
/// Further aside than this, nothing is heeded, rad; it fades out from the other.
const ASIDE: f32 = std::f32::consts::FRAC_PI_2;
const FADING: f32 = 1.2;
/// What is nearer than this is heeded even if it goes away, m.
const CLOSE: f32 = 1.0;

/// How much an angle to something is narrow, middle and wide.
fn angle_degrees(angle: f32) -> [f32; 3] {
    let [low, middle, high] = ANGLES;
    let narrow = 1.0 - ramp(angle, low, middle);
    let wide = ramp(angle, middle, high);
    [narrow, 1.0 - narrow - wide, wide]
}

/// How much a distance is near, medium and far.
fn distance_degrees(distance: f32) -> [f32; 3] {
    let [low, middle, high] = DISTANCES;
    let near = 1.0 - ramp(distance, 0.0, low);
    let far = ramp(distance, middle, high);
    [near, 1.0 - near - far, far]
}

fn ramp(value: f32, from: f32, to: f32) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

/// What the rules say: a part of the fastest speed, and how sharply to turn away as a part of one's speed.
fn rules(distance: f32, angle: f32) -> [f32; 2] {
    let (angles, distances) = (angle_degrees(angle), distance_degrees(distance));
    let mut said = [0.0; 2];
    for (row, of_angle) in angles.iter().enumerate() {
        for (column, of_distance) in distances.iter().enumerate() {
            // Degrees add up to one, and so do their products: the mean is the sum.
            let degree = of_angle * of_distance;
            said[0] += degree * SPEEDS[row][column];
            said[1] += degree * TURNS[row][column];
        }
    }
    said
}

/// Fuzzy steering past what is nearest ahead.
#[derive(Clone, Copy, Debug)]
pub struct Fuzzy;

impl SteeringModel for Fuzzy {
    type Parameters = FuzzyParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        let mut visible = VisibleWalls::new();
        job.one_by_one(|person, ()| {
            Walker { person, parameters: person.parameters() }.steer(&mut visible)
        });
    }
}

/// What is nearest ahead.
#[derive(Clone, Copy)]
struct Obstacle {
    /// From one's body, m.
    distance: f32,
    /// Off straight ahead, positive to the left, rad.
    angle: f32,
    closing: bool,
    id: u32,
}

struct Walker<'a> {
    person: &'a SteeredPerson<'a>,
    parameters: FuzzyParameters,
}

impl Walker<'_> {
    fn steer(&self, visible: &mut VisibleWalls) -> Vec2 {
        // Whoever does not get on lets up now and then, and takes the pressure off the others.
        let wanted = unheeding_velocity(self.person.around, self.person.row);
        let fastest = self.person.around.people.max_speeds[self.person.row];
        let wanted = wanted.clamp_length_max(fastest);
        let (speed, direction) = (wanted.length(), wanted.normalize_or_zero());
        let obstacle = self.nearest_ahead(visible);
        let Some(obstacle) = obstacle.filter(|_| speed > 0.0) else { return wanted };
        let [slow, turn] = rules(obstacle.distance, obstacle.angle.abs());
        let side = if obstacle.angle.abs() > 1e-4 {
            obstacle.angle.signum()
        } else {
            pair_side(self.person.id, obstacle.id)
        };
        let away = direction - side * turn * direction.perp();
        let slowing = self.parameters.slowing;
        let slower = speed + slowing * (speed.min(slow * fastest) - speed);
        let said = slower * away.normalize_or(direction);
        let chosen = wanted.lerp(said, self.weight(&obstacle));
        let response = self.parameters.response;
        // Who does not decide in every step does more at once.
        let lasts = match self.person.around.people.effort(self.person.row) {
            Effort::Simple => self.person.around.step.max(DECIDING),
            _ => self.person.around.step,
        };
        let part = 1.0 - (-lasts / response).exp();
        (self.person.velocity + part * (chosen - self.person.velocity)).clamp_length_max(fastest)
    }

    /// How much an obstacle matters.
    fn weight(&self, obstacle: &Obstacle) -> f32 {
        let range = self.parameters.range;
        let near = 1.0 - ramp(obstacle.distance, DISTANCES[2], range);
        let ahead = 1.0 - ramp(obstacle.angle.abs(), FADING, ASIDE);
        let matters = obstacle.closing || obstacle.distance < CLOSE;
        if matters { near * ahead } else { 0.0 }
    }

    /// Of people and walls ahead that matter, the nearest.
    fn nearest_ahead(&self, visible: &mut VisibleWalls) -> Option<Obstacle> {
        let mut nearest: Option<Obstacle> = None;
        for slot in 0..self.person.batch.count[self.person.lane] as usize {
            let other = self.person.around.entry(self.person.batch.index[slot][self.person.lane]);
            let apart = other.position() - self.person.position;
            let distance = (apart.length() - self.person.radius - other.radius()).max(0.0);
            let closing = apart.dot(other.velocity() - self.person.velocity) < 0.0;
            let angle = self.person.heading.angle_to(apart);
            let found = Obstacle { distance, angle, closing, id: other.id() };
            if self.weight(&found) > 0.0 {
                nearest = Some(found);
                break;
            }
        }
        if self.person.around.walls.is_empty() {
            return nearest;
        }
        let limit = nearest.map_or(f32::INFINITY, |found| found.distance);
        let reach = self.parameters.wall_range.min(limit) + self.person.radius;
        self.person.look_at_walls(reach, visible);
        for &(_, id) in visible.iter() {
            let wall = self.person.around.walls.get(id);
            let at = nearest_on_segment(wall.start, wall.end, self.person.position);
            let apart = at - self.person.position;
            let distance = (apart.length() - self.person.radius).max(0.0);
            let closing = apart.dot(self.person.velocity) > 0.0;
            let angle = self.person.heading.angle_to(apart);
            let found = Obstacle { distance, angle, closing, id: u32::MAX };
            let nearer = nearest.is_none_or(|nearest| distance < nearest.distance);
            if nearer && self.weight(&found) > 0.0 {
                nearest = Some(found);
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_add_up_to_one() {
        for step in 0..=1000 {
            let part = step as f32 / 1000.0;
            let sum = |degrees: [f32; 3]| {
                assert!(degrees.iter().all(|degree| (-1e-6..=1.0).contains(degree)));
                degrees.iter().sum::<f32>()
            };
            assert!((sum(angle_degrees(part * std::f32::consts::PI)) - 1.0).abs() < 1e-6);
            assert!((sum(distance_degrees(10.0 * part)) - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn rules_say_what_can_be_worked_out_by_hand() {
        let [speed, turn] = rules(3.0, 0.45);
        assert!((speed - 0.237).abs() < 1e-3 && (turn - 0.489).abs() < 1e-3, "{speed} {turn}");
        assert_eq!(rules(0.0, 0.0), [0.0, 1.0]);
        let (near, beyond) = (rules(7.99, 0.1), rules(8.01, 0.1));
        assert!((near[0] - beyond[0]).abs() < 0.01 && (near[1] - beyond[1]).abs() < 0.01);
    }
}
