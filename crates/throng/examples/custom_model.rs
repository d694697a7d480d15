//! A steering model of one's own, registered by name and used in a scene with its parameters.
//!
//! People keep their distance: whoever comes near pushes them away, and in a press they get used to it. How much they
//! have got used to it is what the model remembers of each of them.
//!
//! `cargo run --release --example custom_model`

use glam::Vec2;
use throng::Engine;
use throng::crowd::steering::{
    ModelInfo, Models, SteeredPerson, SteeringJob, SteeringModel, WallSight, tie_direction,
};
use throng::crowd::{Status, steering_parameters};
use throng::world::Scene;

steering_parameters! {
    /// Parameters of keeping one's distance.
    pub struct DistanceParameters {
        strength: 1.0, 0.0..=5.0, "m/s", "Speed at which a neighbour in contact is left";
        personal_space: 0.5, 0.05..=5.0, "m", "Gap at which the repulsion begins";
        patience: 5.0, 0.1..=60.0, "s", "Time after which a person in a press minds it half as much";
    }
}

/// Keeps one's distance.
struct Distance;

/// What it remembers: for how long a person has been in a press, s.
#[derive(Clone, Copy, Debug, Default)]
struct DistanceState {
    pressed_for: f32,
}

const INFO: ModelInfo = ModelInfo {
    name: "distance",
    summary: "Everyone is pushed away from those who are near",
    parameters: DistanceParameters::INFOS,
    walls: WallSight::Distance { parameter: "personal_space", factor: 1.0 },
    ..ModelInfo::NEW
};

impl SteeringModel for Distance {
    type Parameters = DistanceParameters;
    type State = DistanceState;

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<DistanceState>) {
        job.one_by_one(|person, state| {
            let push = push(person, state);
            let time = if push.length() > 0.2 { person.around.step } else { -person.around.step };
            state.pressed_for = (state.pressed_for + time).max(0.0);
            (person.preferred_velocity() + push).clamp_length_max(person.max_speed())
        });
    }

    fn status(&self, state: &DistanceState, status: Status) -> Status {
        match status {
            Status::Walking | Status::Queueing if state.pressed_for > 0.5 => Status::Queueing,
            Status::Queueing => Status::Walking,
            other => other,
        }
    }
}

fn push(person: &SteeredPerson, state: &DistanceState) -> Vec2 {
    let parameters: DistanceParameters = person.parameters();
    let used_to_it = 1.0 / (1.0 + state.pressed_for / parameters.patience);
    let pushes = person.neighbours().map(|(other, distance)| {
        let gap = distance - person.radius - other.radius();
        let away = (person.position - other.position())
            .try_normalize()
            .unwrap_or_else(|| tie_direction(person.id, other.id()));
        away * (1.0 - gap / parameters.personal_space).clamp(0.0, 1.0)
    });
    pushes.sum::<Vec2>() * parameters.strength * used_to_it
}

const SCENE: &str = r#"
format = 1
world.bounds = [[-10, -10], [10, 10]]
[[regions]]
name = "middle"
polygon = [[-2, -2], [2, -2], [2, 2], [-2, 2]]
[[groups]]
name = "crowd"
steering = { model = "distance", strength = 1.5, patience = 2 }
crowds = [{ count = 30, region = "middle" }]
goals = [{ seek = [0, 0] }]
"#;

/// Runs the scene for some seconds, and returns how many people queue at some moment.
pub fn run(seconds: f64) -> Result<usize, Box<dyn std::error::Error>> {
    let models = Models::standard().with(Distance)?;
    let mut engine = Engine::with_models(Scene::parse("scene.toml", SCENE, "".as_ref())?, &models)?;
    let mut most = 0;
    while engine.crowd().time() < seconds {
        engine.step();
        most = most.max(engine.crowd().count(Status::Queueing));
    }
    Ok(most)
}

#[allow(dead_code, reason = "the tests include this file")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("At most {} of 30 people queued.", run(10.0)?);
    Ok(())
}
