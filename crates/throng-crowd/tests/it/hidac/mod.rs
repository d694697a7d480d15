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
use throng_crowd::steering::{MODELS, ModelInfo};
use throng_crowd::{Crowd, MODEL_PARAMETERS, NewPerson, Plan, Setting, SteeringTraits};
use throng_world::scene::{Aim, Then};

use crate::support::{self, goal, person};

/// The step of the paper, s.
const STEP: f64 = 0.04;

fn info() -> (u8, &'static ModelInfo) {
    let index = MODELS.iter().position(|info| info.name == "hidac").unwrap();
    (index as u8, &MODELS[index])
}

/// Somebody with the defaults of the model, save for some parameters.
fn steered(position: Vec2, plan: u32, changes: &[(&str, f32)]) -> NewPerson {
    let (model, info) = info();
    let mut parameters = [0.0; MODEL_PARAMETERS];
    for (name, _) in changes {
        assert!(info.parameters.iter().any(|p| p.name == *name), "there is no {name}");
    }
    for (to, parameter) in parameters.iter_mut().zip(info.parameters) {
        let change = changes.iter().find(|(name, _)| *name == parameter.name);
        *to = change.map_or(parameter.default, |change| change.1);
    }
    let common = |name: &str| info.all_parameters().find(|p| p.name == name).unwrap().default;
    NewPerson {
        model,
        radius: 0.25,
        preferred_speed: 1.4,
        max_speed: 2.4,
        traits: SteeringTraits {
            max_neighbours: common("neighbours") as u8,
            neighbour_range: common("neighbour_range"),
            ..SteeringTraits::default()
        },
        parameters,
        ..person(position, plan)
    }
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
