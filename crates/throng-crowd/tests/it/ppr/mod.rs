//! Plan, predict, react: the scenarios that it is known by, through the public interface.

#![allow(clippy::unwrap_used, reason = "shared by several tests")]

mod memory;
mod scenarios;

use glam::Vec2;
use throng_base::Heading;
use throng_crowd::steering::CommonParameters;
use throng_crowd::{Crowd, NewPerson, PersonId, Plan, Setting};
use throng_world::Shape;
use throng_world::scene::Then;

use crate::support::{self, overlaps, person, profile, seek, with_obstacles};

/// The step that scores are taken at, s.
const STEP: f64 = 0.05;

/// Somebody on a way: from where to where, and how fast.
#[derive(Clone, Copy, Debug)]
struct Walk {
    from: Vec2,
    to: Vec2,
    speed: f32,
}

fn walk(from: (f32, f32), to: (f32, f32)) -> Walk {
    Walk { from: from.into(), to: to.into(), speed: 1.3 }
}

impl Walk {
    fn at(self, speed: f32) -> Self {
        Self { speed, ..self }
    }

    fn ideal_time(&self) -> f64 {
        f64::from(self.from.distance(self.to) / self.speed)
    }

    /// How far aside of the straight way a point is, m.
    fn deviation(&self, at: Vec2) -> f32 {
        (self.to - self.from).normalize().perp_dot(at - self.from).abs()
    }
}

/// Somebody as wide as in the scenarios, facing their goal, with some parameters changed.
fn steered(walk: &Walk, plan: u32, changes: &[(&str, f32)]) -> NewPerson {
    steered_by("ppr", walk, plan, changes)
}

fn steered_by(model: &str, walk: &Walk, plan: u32, changes: &[(&str, f32)]) -> NewPerson {
    let common = CommonParameters { neighbours: 16.0, ..CommonParameters::default() };
    NewPerson {
        radius: 0.5,
        preferred_speed: walk.speed,
        max_speed: 2.6,
        climbing: Default::default(),
        heading: Heading::along(walk.to - walk.from).unwrap(),
        steering: profile(model, changes).with_common(common),
        ..person(walk.from, plan)
    }
}

/// A crowd of such walkers, who leave when they arrive.
fn crowd(walks: &[Walk], walls: &[Shape], changes: &[(&str, f32)]) -> Crowd {
    crowd_by("ppr", 1, walks, walls, changes)
}

fn crowd_by(
    model: &str,
    seed: u64,
    walks: &[Walk],
    walls: &[Shape],
    changes: &[(&str, f32)],
) -> Crowd {
    let navigation = (!walls.is_empty()).then(Default::default);
    let mut crowd = Crowd::new(Setting {
        step: STEP,
        seed,
        navigation,
        ..with_obstacles(walls.iter().cloned())
    });
    for walk in walks {
        let goals = vec![seek(walk.to, 0.5)];
        let plan = crowd.add_plan(Plan { goals, then: Then::Leave }).unwrap();
        crowd.add(&steered_by(model, walk, plan, changes)).unwrap();
    }
    crowd
}

/// What came of a scenario.
#[derive(Clone, Debug, Default)]
struct Outcome {
    /// When each has arrived, s; infinite for those who have not.
    times: Vec<f64>,
    /// In how many steps bodies had to be kept apart.
    contacts: usize,
    /// The least distance between two centres, m.
    nearest: f32,
    /// The largest distance aside of the straight way, m.
    deviation: f32,
    /// How far each has walked, m.
    lengths: Vec<f32>,
    /// In how many steps somebody's body touched a wall.
    wall_contacts: usize,
    /// For how long at most somebody moved less than 0.1 m, more than a metre from the goal, s.
    standstill: f64,
    /// 50 per collision, the time and the sum of v²/2 at 20 Hz: the mean over all.
    cost: f64,
}

/// Runs until all have arrived, or `limit` seconds.
fn run(walks: &[Walk], walls: &[Shape], changes: &[(&str, f32)], limit: f64) -> Outcome {
    watch(crowd(walks, walls, changes), walks, limit)
}

fn watch(mut crowd: Crowd, walks: &[Walk], limit: f64) -> Outcome {
    let count = walks.len();
    let mut out = Outcome {
        times: vec![f64::INFINITY; count],
        lengths: vec![0.0; count],
        nearest: f32::INFINITY,
        ..Outcome::default()
    };
    let (mut efforts, mut collisions, mut touching) = (0.0, 0, false);
    let mut stood: Vec<(Vec2, f64)> = walks.iter().map(|walk| (walk.from, 0.0)).collect();
    while crowd.time() < limit && crowd.people().next().is_some() {
        crowd.step();
        let touches = crowd.timings().contacts > 0;
        out.contacts += usize::from(touches);
        collisions += 2 * usize::from(touches && !touching);
        touching = touches;
        let (_, ratio) = overlaps(&crowd);
        out.nearest = out.nearest.min(ratio);
        for (index, walk) in walks.iter().enumerate() {
            let Some(now) = crowd.person(PersonId(index as u32)) else {
                if out.times[index].is_infinite() {
                    out.times[index] = crowd.time();
                }
                continue;
            };
            out.lengths[index] += now.velocity.length() * STEP as f32;
            out.deviation = out.deviation.max(walk.deviation(now.position));
            let is_free = crowd.walls().is_free(now.layer, now.position, now.radius + 1e-3);
            out.wall_contacts += usize::from(!is_free);
            efforts += 0.5 * f64::from(now.velocity.length_squared());
            let (place, since) = stood[index];
            if now.position.distance(place) >= 0.1 || now.position.distance(walk.to) < 1.0 {
                stood[index] = (now.position, crowd.time());
            } else {
                out.standstill = out.standstill.max(crowd.time() - since);
            }
        }
    }
    let times: f64 = out.times.iter().map(|time| time.min(limit)).sum();
    out.cost = (50.0 * collisions as f64 + times + efforts) / count as f64;
    out
}

/// Stands where they are.
fn stay(crowd: &mut Crowd) -> u32 {
    let goals = vec![support::goal(throng_world::scene::Aim::Idle)];
    crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap()
}
