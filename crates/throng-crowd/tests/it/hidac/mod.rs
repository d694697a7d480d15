//! HiDAC: people who queue, push, fall and panic, through the public interface.

#![allow(clippy::unwrap_used, reason = "shared by several tests")]

mod doors;
mod encounters;
mod falling;
mod lanes;
mod panic;
mod personalities;
mod soundness;
mod ways;

use glam::Vec2;
use throng_crowd::{Crowd, NewPerson, Plan, Setting};
use throng_world::scene::{Aim, Then};

use crate::support::{self, goal, person, profile};

/// The step of the paper, s.
const STEP: f64 = 0.04;

/// Somebody with the defaults of the model, save for some parameters.
fn steered(position: Vec2, plan: u32, changes: &[(&str, f32)]) -> NewPerson {
    NewPerson {
        radius: 0.25,
        preferred_speed: 1.4,
        max_speed: 2.4,
        climbing: Default::default(),
        steering: profile("hidac", changes),
        ..person(position, plan)
    }
}

/// The same as published: nothing limits how fast velocities change.
fn published(position: Vec2, plan: u32, changes: &[(&str, f32)]) -> NewPerson {
    let changes: Vec<_> = changes.iter().copied().chain([("acceleration_limit", 0.0)]).collect();
    steered(position, plan, &changes)
}

/// An open plane at the step of the paper.
fn plane() -> Setting {
    Setting { step: STEP, ..support::plane() }
}

/// For ever in a direction.
fn flow(crowd: &mut Crowd, direction: Vec2) -> u32 {
    let goals = vec![goal(Aim::Flow { direction })];
    crowd.add_plan(Plan { goals, then: Then::Stay }).unwrap()
}

/// Stands, and makes room for nobody of their own accord.
fn stand(crowd: &mut Crowd) -> u32 {
    crowd.add_plan(Plan { goals: vec![goal(Aim::Idle)], then: Then::Stay }).unwrap()
}
