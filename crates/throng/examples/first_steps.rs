//! First steps: a scene, a minute of it, and a recording to look at afterwards.
//!
//! ```sh
//! cargo run --release --package throng --example first_steps
//! ```

use std::error::Error;
use std::path::Path;

use throng::crowd::Status;
use throng::recording::{Overwrite, Recorder, RecordingInfo};
use throng::{Engine, Scene};

/// Forty people leave a room on the left for one on the right, round a pillar.
const SCENE: &str = r#"
format = 1
simulation = { duration = 60, seed = 1 }
world.bounds = [[-15, -8], [15, 8]]
obstacles = [{ circle = { center = [0, 0], radius = 2 } }]
regions = [
  { name = "left", rectangle = [[-14, -6], [-8, 6]] },
  { name = "right", rectangle = [[8, -6], [14, 6]] },
]
[[groups]]
name = "visitors"
goals = [{ seek = { random = "right" } }]
crowds = [{ count = 40, region = "left" }]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // A scene from a file would be `Engine::load("scenes/plaza.toml")?`.
    let scene = Scene::parse("first_steps.toml", SCENE, Path::new("."))?;
    let mut engine = Engine::new(scene)?;

    // One can step by hand and look at everyone in between, …
    while engine.time() < 5.0 {
        engine.step();
    }
    let leader = engine.crowd().people().max_by(|a, b| a.position.x.total_cmp(&b.position.x));
    if let Some(person) = leader {
        println!("after 5 s, person {} is ahead, at {}", person.id.0, person.position);
    }

    // … or run to the end and record every step from here on.
    let path = std::env::temp_dir().join("first_steps.parquet");
    let mut recorder =
        Recorder::create(&path, RecordingInfo::of_scene(engine.scene()), Overwrite::Yes)?;
    let summary = engine.run(Some(&mut recorder), |_progress| true)?;
    let recorded = recorder.finish()?;

    let arrived = engine.crowd().count(Status::Arrived);
    println!("after {} s, {arrived} of {} have arrived", summary.simulated, summary.people);
    println!("{}: {} frames, {} bytes", path.display(), recorded.frames, recorded.bytes);
    Ok(())
}
