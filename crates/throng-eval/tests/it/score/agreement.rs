//! An engine that runs, its recording, and the recording played back give the same numbers, bit for bit.

use throng::recording::{Frame, Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};
use throng_eval::score::{
    Collector, Ideals, RunMetrics, ScoreOptions, Technique, Weights, run_scored, score,
    score_recording,
};

const CROSSING: &str = r#"
format = 1
[simulation]
duration = 40
step = 0.05
seed = 3
[world]
bounds = [[-15, -15], [15, 15]]
[[obstacles]]
box = { center = [0, 0], size = [1, 1] }
[[regions]]
name = "west"
rectangle = [[-12, -2], [-9, 2]]
[[regions]]
name = "south"
rectangle = [[-2, -12], [2, -9]]
[[groups]]
name = "eastbound"
goals = [{ seek = [12, 0], within = 1 }]
then = "leave"
crowds = [{ count = 12, region = "west" }]
[[groups]]
name = "northbound"
goals = [{ seek = [0, 12], within = 1 }]
then = "leave"
crowds = [{ count = 12, region = "south" }]
"#;

fn scene() -> Scene {
    Scene::parse("crossing.toml", CROSSING, "".as_ref()).unwrap()
}

fn composite(metrics: &RunMetrics, technique: Technique) -> f64 {
    let ideals = Ideals::of(&scene()).unwrap();
    score(metrics, &ideals, technique, &Weights::default()).total
}

#[test]
fn online_replayed_and_offline_agree_bit_for_bit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("crossing.parquet");
    let mut engine = Engine::new(scene()).unwrap();
    let info = RecordingInfo::of_scene(engine.scene());
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    let mut online = Collector::new(engine.scene(), ScoreOptions::default()).unwrap();
    engine
        .run_with(
            |frame: &Frame| {
                recorder.push(frame).unwrap();
                online.take(frame.into())
            },
            |_| true,
        )
        .unwrap();
    recorder.finish().unwrap();
    let online = online.finish();
    assert!(online.completion() > 0.9, "{}", online.completion());

    let mut recording = Recording::open(&path).unwrap();
    let offline = score_recording(&mut recording, &scene(), ScoreOptions::default()).unwrap();
    assert_eq!(online, offline);

    // Played back by somebody who looks at frames in any order first.
    let mut frame = Frame::default();
    recording.read_frame(recording.frame_count() / 2, &mut frame).unwrap();
    let mut replay = Collector::new(&scene(), ScoreOptions::default()).unwrap();
    for index in 0..recording.frame_count() {
        recording.read_frame(index, &mut frame).unwrap();
        replay.take((&frame).into()).unwrap();
    }
    assert_eq!(replay.finish(), online);

    for technique in Technique::ALL {
        let [a, b] = [&online, &offline].map(|metrics| composite(metrics, technique));
        assert!(a.to_bits() == b.to_bits() && a.is_finite(), "{technique}: {a} {b}");
    }
    assert!((0.3..=1.05).contains(&composite(&online, Technique::Normalised)));
}

#[test]
fn a_run_ends_when_everybody_is_done() {
    let mut engine = Engine::new(scene()).unwrap();
    let one = run_scored(&mut engine, ScoreOptions::default()).unwrap();
    assert!(one.completion() == 1.0 && one.duration < 39.0, "{}", one.duration);
    assert_eq!(one.agents.len(), 24);
    assert!(one.agents.iter().all(|agent| agent.deviation.is_some()));
}

#[test]
fn metrics_survive_being_written_down() {
    let mut engine = Engine::new(scene()).unwrap();
    let metrics = run_scored(&mut engine, ScoreOptions::default()).unwrap();
    let text = serde_json::to_string(&metrics).unwrap();
    let read: RunMetrics = serde_json::from_str(&text).unwrap();
    assert_eq!(read.agents.len(), metrics.agents.len());
    assert_eq!(read.events.len(), metrics.events.len());
    assert!((read.agents[3].energy_integral - metrics.agents[3].energy_integral).abs() < 1e-9);
}
