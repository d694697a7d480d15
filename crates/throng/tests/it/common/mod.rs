//! Recordings to test with.

use std::path::Path;

use glam::Vec2;
use throng::recording::{
    Frame, GroupInfo, LayerInfo, Overwrite, Person, Recorder, Recording, RecordingError,
    RecordingInfo, Status, Summary,
};
use throng_base::random::{Purpose, Random};
use throng_world::scene::{GroupId, LayerId};

pub const INTERVAL: f64 = 0.1;

pub fn info() -> RecordingInfo {
    let group = |name: &str, color| GroupInfo { name: name.into(), color };
    let layer = |name: &str, elevation| LayerInfo { name: name.into(), elevation };
    RecordingInfo {
        scene_name: "hall.toml".into(),
        scene: "format = 1\nname = \"Hall\"\n".into(),
        seed: 42,
        step: 0.05,
        record_every: 2,
        groups: vec![group("visitors", [31, 119, 180]), group("Führung", [255, 127, 14])],
        layers: vec![layer("ground", 0.0), layer("gallery", 3.5)],
        ..RecordingInfo::default()
    }
}

/// Frame `index` of a made-up simulation, with `people` people whose ids leave gaps.
pub fn frame(index: u32, people: u32) -> Frame {
    let random = Random::new(7);
    let person = |i: u32| {
        let mut draw = random.stream(i.into(), index.into(), Purpose::Goal);
        let blocked = draw.unit() < 0.1;
        Person {
            id: 3 * i + 1,
            group: GroupId((i % 2) as u16),
            layer: LayerId((i / 2 % 2) as u8),
            position: draw.point_between(Vec2::splat(-50.0), Vec2::splat(50.0)),
            height: (i / 2 % 2) as f32 * 3.5,
            heading: draw.between(-3.1, 3.1),
            velocity: draw.point_between(Vec2::splat(-1.5), Vec2::splat(1.5)),
            radius: 0.2 + 0.001 * (i % 50) as f32,
            status: if blocked { Status::Blocked } else { Status::ALL[(i % 3) as usize] },
            blocked_by: blocked.then_some(3 * i + 4),
        }
    };
    let mut frame = Frame { index, time: f64::from(index) * INTERVAL, ..Frame::default() };
    (0..people).map(person).for_each(|person| frame.people.push(person));
    frame
}

/// Records `frames`, with a row group of its own for each `flush_every`, if that is not 0.
pub fn record(
    path: &Path,
    frames: &[Frame],
    flush_every: usize,
) -> Result<Summary, RecordingError> {
    let mut recorder = Recorder::create(path, info(), Overwrite::No)?;
    for (count, frame) in (1..).zip(frames) {
        recorder.push(frame)?;
        if flush_every > 0 && count % flush_every == 0 {
            recorder.flush()?;
        }
    }
    recorder.finish()
}

pub fn read_all(path: &Path) -> Result<Vec<Frame>, RecordingError> {
    Recording::open(path)?.frames().collect()
}

/// So many people with bodies of their own are handed out to several threads.
pub const SHARED_FROM: usize = 64;
