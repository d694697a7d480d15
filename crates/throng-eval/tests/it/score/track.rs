//! Made-up people on made-up ways.

use glam::Vec2;
use throng::Scene;
use throng::crowd::Status;
use throng_eval::score::{Collector, Ideals, RunMetrics, ScoreError, ScoreOptions, WalkView};
use throng_world::scene::{GroupId, LayerId};

/// A hall with nothing in it, or with what `more` adds.
pub fn hall(more: &str) -> Scene {
    let text = format!(
        "format = 1\n[simulation]\nstep = 0.05\nduration = 60\n[world]\n\
         bounds = [[-50, -50], [50, 50]]\nclosed = false\n{more}"
    );
    Scene::parse("hall.toml", &text, "".as_ref()).unwrap()
}

/// Somebody in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Somebody {
    pub id: u32,
    pub position: Vec2,
    pub heading: f32,
    pub radius: f32,
    pub layer: u8,
    pub status: Status,
}

pub fn at(id: u32, x: f32, y: f32) -> Somebody {
    let position = Vec2::new(x, y);
    Somebody { id, position, heading: 0.0, radius: 0.25, layer: 0, status: Status::Walking }
}

/// Gives a frame to a collector.
pub fn take(collector: &mut Collector, time: f64, people: &[Somebody]) -> Result<(), ScoreError> {
    let column = |f: fn(&Somebody) -> f32| people.iter().map(f).collect::<Vec<f32>>();
    collector.take(WalkView {
        time,
        ids: &people.iter().map(|p| p.id).collect::<Vec<_>>(),
        groups: &vec![GroupId(0); people.len()],
        positions: &people.iter().map(|p| p.position).collect::<Vec<_>>(),
        layers: &people.iter().map(|p| LayerId(p.layer)).collect::<Vec<_>>(),
        headings: &column(|p| p.heading),
        radii: &column(|p| p.radius),
        statuses: &people.iter().map(|p| p.status).collect::<Vec<_>>(),
    })
}

/// A collector for a scene whose people have no ideals.
pub fn collector(scene: &Scene) -> Collector {
    Collector::with_ideals(scene, Ideals::default(), ScoreOptions::default()).unwrap()
}

/// The metrics of `seconds` at a frame rate, of people who are where `who` says, in an empty hall.
pub fn watch(rate: f64, seconds: f64, who: impl Fn(f64) -> Vec<Somebody>) -> RunMetrics {
    watch_in(&hall(""), rate, seconds, who)
}

/// The same in any scene.
pub fn watch_in(
    scene: &Scene,
    rate: f64,
    seconds: f64,
    who: impl Fn(f64) -> Vec<Somebody>,
) -> RunMetrics {
    let mut collector = collector(scene);
    for frame in 0..=(seconds * rate).round() as u32 {
        let time = f64::from(frame) / rate;
        take(&mut collector, time, &who(time)).unwrap();
    }
    collector.finish()
}
