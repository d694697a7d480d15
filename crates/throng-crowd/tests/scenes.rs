//! The scenes that ship run as they promise.

use std::path::PathBuf;

use throng_crowd::Crowd;
use throng_world::Scene;

fn scene(name: &str) -> Scene {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    Scene::load(&path).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn wip() {
    for name in ["circle", "corridor", "crossing", "bottleneck", "plaza", "two-floors"] {
        let scene = scene(&format!("{name}.toml"));
        let mut crowd = Crowd::from_scene(&scene).unwrap_or_else(|errors| panic!("{errors}"));
        for _ in 0..(scene.settings.duration / scene.settings.step) as usize {
            crowd.step();
        }
        let mut s = std::collections::BTreeMap::new();
        for p in crowd.people() {
            *s.entry(format!("{:?} {}", p.status, p.group.0)).or_insert(0) += 1;
        }
        println!("{name}: {} of {} {s:?}", crowd.len(), crowd.ever());
    }
    panic!();
}
