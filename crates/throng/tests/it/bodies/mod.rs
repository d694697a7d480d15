//! People with bodies, in simulations with every steering model.

mod doorway;
mod ensemble;
mod everywhere;
mod ground;
mod scenes;
mod slides;

use std::sync::{Arc, LazyLock};

use throng::bodies::Cast;
use throng::{Engine, Scene};

/// The step at which feet are judged, s.
const STEP: f32 = 0.04;

static CAST: LazyLock<Arc<Cast>> = LazyLock::new(|| Arc::new(Cast::new(3).expect("a cast")));

fn engine(text: &str) -> Engine {
    let mut engine = Engine::new(Scene::parse_plan("scene.toml", text).expect("a scene"))
        .expect("everybody has a place");
    engine.set_bodies(Some(CAST.clone()));
    engine
}

/// People who stroll about in a square, with pauses.
fn square(model: &str, people: usize) -> Engine {
    engine(&format!(
        r#"
format = 1
name = "Square"
[simulation]
step = {STEP}
duration = 60
[world]
bounds = [[-20, -20], [20, 20]]
[[regions]]
name = "square"
rectangle = [[-20, -20], [20, 20]]
[[groups]]
name = "people"
steering = {{ model = "{model}" }}
crowds = [{{ count = {people}, region = "square" }}]
goals = [{{ seek = {{ random = "square" }}, duration = 20 }}, {{ idle = 2 }}]
then = "repeat"
"#
    ))
}
