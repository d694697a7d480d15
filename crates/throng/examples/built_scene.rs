//! A scene built by code: a door as wide as asked for, simulated with several models and written as a scene file.
//!
//! ```sh
//! cargo run --release --package throng --example built_scene
//! ```

use std::error::Error;
use std::path::Path;

use throng::Engine;
use throng::world::scene::file::{
    Goal, Group, Obstacle, Region, SceneFile, Steering, Then, given, list,
};

/// Forty people in a room with a door of this width, m, who leave by it.
fn room(door: f64) -> SceneFile {
    let mut scene = SceneFile::new([[-12.0, -6.0], [12.0, 6.0]]);
    scene.name = given(format!("A door of {door} m"));
    scene.simulation.duration = given(60.0);
    scene.obstacles = list([
        Obstacle::wall([[0.0, -6.0], [0.0, -door / 2.0]], 0.2),
        Obstacle::wall([[0.0, door / 2.0], [0.0, 6.0]], 0.2),
    ]);
    scene.regions = list([
        Region::rectangle("room", [[-10.0, -5.0], [-2.0, 5.0]]),
        Region::rectangle("outside", [[8.0, -5.0], [11.0, 5.0]]),
    ]);
    let people = Group::new("people").goals([Goal::seek("outside")]).crowd(40, "room");
    scene.groups = list([Group { then: given(Then::Leave), ..people }]);
    scene
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = room(1.2);
    for model in ["orca", "pedestrian"] {
        scene.groups[0].steering = given(Steering::model(model));
        let mut engine = Engine::new(scene.to_scene("built", Path::new(""))?)?;
        while engine.time() < 60.0 && !engine.crowd().is_empty() {
            engine.step();
        }
        println!("{model}: {} are left after {:.1} s", engine.crowd().len(), engine.time());
    }
    let path = std::env::temp_dir().join("built_scene.toml");
    std::fs::write(&path, format!("# Written by the example built_scene.\n{}", scene.to_toml()))?;
    println!("{} can be run with `throng run`", path.display());
    Ok(())
}
