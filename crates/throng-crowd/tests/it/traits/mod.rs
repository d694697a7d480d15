//! Traits of personality: what each of them does in each model, and that they are the same whoever asks.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod behaviour;
mod values;

use throng_crowd::Crowd;

/// Names of the models, in the order of the registry.
fn models() -> impl Iterator<Item = &'static str> {
    throng_crowd::steering::MODELS.iter().map(|model| model.name)
}

/// The value of one of the model's own parameters of somebody.
fn parameter(crowd: &Crowd, id: u32, name: &str) -> f32 {
    let character = crowd.character(throng_crowd::PersonId(id)).unwrap();
    character.steering.get(name).unwrap()
}
