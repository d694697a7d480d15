//! What must hold whatever people do: nobody is lost between two lines, and the mean number of
//! people is their rate times the time they stay. People come at both ends of a corridor and walk
//! through it both ways.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use glam::Vec2;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use throng::recording::{Frame, Overwrite, Recorder, Recording, RecordingInfo};
use throng::{Engine, Scene};
use throng_eval::line::{Direction, Line, Tally, Trim};
use throng_eval::{
    FrameView, MeasurementFile, Measurements, Reading, Summary, measure, recorded_scene,
};
use throng_world::scene::LayerId;

const CORRIDOR: &str = r#"
format = 1
[simulation]
duration = 80
seed = 9
record_every = 2
[world]
bounds = [[-22, -3], [22, 3]]
[[obstacles]]
box = { center = [0, 2.25], size = [44, 0.5] }
[[obstacles]]
box = { center = [0, -2.25], size = [44, 0.5] }
[[regions]]
name = "west"
rectangle = [[-20, -1.6], [-17, 1.6]]
[[regions]]
name = "east"
rectangle = [[17, -1.6], [20, 1.6]]
[[groups]]
name = "eastbound"
steering.max_acceleration = 0
goals = [{ seek = "east" }]
then = "leave"
sources = [{ region = "west", schedule = [{ to = 20, rate = 1.5 }], arrivals = "random" }]
[[groups]]
name = "westbound"
steering.max_acceleration = 0
goals = [{ seek = "west" }]
then = "leave"
sources = [{ region = "east", schedule = [{ to = 20, rate = 1.5 }], arrivals = "random" }]

[[measurements]]
name = "gate, west"
line = [[-6, -2], [-6, 2]]
[[measurements]]
name = "gate, east"
line = [[6, -2], [6, 2]]
interval = 0.7
[[measurements]]
name = "between"
area = [[-6, -2], [6, -2], [6, 2], [-6, 2]]
[[measurements]]
name = "counted"
area = [[-6, -2], [6, -2], [6, 2], [-6, 2]]
density = "classic"
interval = 0.5
"#;

fn scene() -> Scene {
    Scene::parse("corridor", CORRIDOR, Path::new(".")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// All frames that the scene keeps.
fn frames() -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut engine = Engine::new(scene()).unwrap();
    let keep = |frame: &Frame| {
        frames.push(frame.clone());
        Ok::<(), ()>(())
    };
    engine.run_with(keep, |_| true).unwrap();
    frames
}

fn gate(x: f32) -> Tally {
    Tally::new(Line::new([Vec2::new(x, -2.0), Vec2::new(x, 2.0)]), LayerId(0))
}

#[test]
fn nobody_is_lost_between_two_lines() {
    let (mut west, mut east) = (gate(-6.0), gate(6.0));
    let net = |tally: &Tally| {
        tally.crossings(Direction::Forward) as i64 - tally.crossings(Direction::Backward) as i64
    };
    let mut most = 0;
    for frame in frames() {
        west.push((&frame).into());
        east.push((&frame).into());
        // A point on a line belongs to its right.
        let between = |p: &&Vec2| p.x >= -6.0 && p.x < 6.0;
        let inside = frame.people.positions.iter().filter(between).count() as i64;
        assert_eq!(inside, net(&west) - net(&east), "at {} s", frame.time);
        most = most.max(inside);
    }
    assert!(most > 10, "{most} are hardly a crowd");
    assert_eq!(net(&west), net(&east), "all have left");
}

#[test]
fn the_mean_number_of_people_is_their_rate_times_the_time_they_stay() {
    let (mut west, mut east) = (gate(-6.0), gate(6.0));
    let frames = frames();
    let (mut entered, mut stays) = (BTreeMap::new(), Vec::new());
    let mut person_seconds = 0.0;
    for frame in &frames {
        let mut crossings: Vec<_> =
            west.push(frame.into()).into_iter().map(|c| (c, c.direction)).collect();
        // Out of the east gate is forwards, so into it is backwards.
        let flip = |c: throng_eval::line::Crossing| match c.direction {
            Direction::Forward => (c, Direction::Backward),
            Direction::Backward => (c, Direction::Forward),
        };
        crossings.extend(east.push(frame.into()).into_iter().map(flip));
        crossings.sort_by(|a, b| a.0.time.total_cmp(&b.0.time));
        for (crossing, inwards) in crossings {
            match inwards {
                Direction::Forward => assert!(entered.insert(crossing.id, crossing.time).is_none()),
                Direction::Backward => {
                    stays.push(crossing.time - entered.remove(&crossing.id).unwrap());
                }
            }
        }
        let inside = frame.people.positions.iter().filter(|p| p.x >= -6.0 && p.x < 6.0).count();
        person_seconds += inside as f64 * 0.2;
    }
    assert!(entered.is_empty() && stays.len() > 40, "{} stays", stays.len());
    // L = λ W, with all over the same time: person-seconds are the sum of all stays. Counting
    // frames misses part of a frame at each end of a stay, now more and now less.
    let sum: f64 = stays.iter().sum();
    assert!((person_seconds / sum - 1.0).abs() < 0.015, "{person_seconds} and {sum}");
    // Passages leave out who turns round at a gate and comes back: with this seed, 1.3 %.
    let passed = |tally: &Tally| {
        let both = [Direction::Forward, Direction::Backward].map(|way| tally.passages(way));
        both.iter().map(|passages| passages.times().iter().sum::<f64>()).sum::<f64>()
    };
    let forwards = |tally: &Tally| tally.passages(Direction::Forward).times().iter().sum::<f64>();
    let area_between_curves =
        (2.0 * forwards(&east) - passed(&east)) - (2.0 * forwards(&west) - passed(&west));
    assert!((area_between_curves / sum - 1.0).abs() < 0.02, "{area_between_curves} and {sum}");
}

#[test]
fn counting_and_cells_agree_on_average() {
    let mut measurements = Measurements::new(&scene());
    let mut rows: Vec<_> =
        frames().iter().flat_map(|frame| measurements.push(frame.into())).collect();
    rows.extend(measurements.finish());
    let mean = |index: usize| {
        let density = |row: &throng_eval::Row| match row.reading {
            Reading::Area(area) if row.measurement == index => Some(area.density),
            _ => None,
        };
        let densities: Vec<f64> = rows.iter().filter_map(density).collect();
        densities.iter().sum::<f64>() / densities.len() as f64
    };
    let (cells, counted) = (mean(2), mean(3));
    assert!((cells / counted - 1.0).abs() < 0.1, "{cells} and {counted}");
    // One row at the start and one per interval, whatever the step.
    let count = |index: usize| rows.iter().filter(|row| row.measurement == index).count();
    assert_eq!([count(0), count(1), count(2), count(3)], [81, 115, 81, 161]);
    assert!(rows.windows(2).all(|pair| pair[0].time <= pair[1].time));
    let [Summary::Line(west), Summary::Line(east), Summary::Area(between), _] =
        &measurements.summaries(Trim::default())[..]
    else {
        panic!("two lines and two areas")
    };
    assert_eq!((west.forward, west.backward), (east.forward, east.backward));
    assert!(west.forward > 20 && west.backward > 20, "{west:?}");
    assert!((0.8..1.9).contains(&between.speed.unwrap()), "{between:?}");
}

#[test]
fn a_recording_gives_the_same_table_as_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let scene = scene();
    let mut recorder =
        Recorder::create(path("a.parquet"), RecordingInfo::of_scene(&scene), Overwrite::No)
            .unwrap();
    let create = |name: &str, scene: &Scene| {
        MeasurementFile::create(&path(name), scene, Measurements::new(scene), Overwrite::No)
            .unwrap()
    };
    let mut live = create("live.csv", &scene);
    for frame in frames() {
        recorder.push(&frame).unwrap();
        live.push(&frame).unwrap();
    }
    recorder.finish().unwrap();
    let told = live.finish(Trim::default()).unwrap();

    let mut recording = Recording::open(path("a.parquet")).unwrap();
    let scene = recorded_scene(&recording).unwrap();
    let mut later = create("later.csv", &scene);
    measure(&mut recording, &scene, |frame| later.push(frame)).unwrap();
    assert_eq!(later.finish(Trim::default()).unwrap(), told);
    let text = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(text("later.csv"), text("live.csv"));
    assert!(text("live.csv").contains("\n10,\"gate, west\",,,,"), "names with commas are quoted");
}

/// A table in Parquet as it would be comma-separated; that names are quoted is tested above.
fn as_text(path: &Path) -> String {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let mut text = String::new();
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        if text.is_empty() {
            let names: Vec<&str> = row.get_column_iter().map(|(name, _)| name.as_str()).collect();
            text += &(names.join(",") + "\n");
        }
        let cell = |(_, value): (&String, &Field)| match value {
            Field::Null => String::new(),
            Field::Str(name) if name.contains(',') => format!("\"{name}\""),
            Field::Str(name) => name.clone(),
            Field::Long(count) => count.to_string(),
            Field::Double(number) => number.to_string(),
            other => panic!("{other} is of no type that the table has"),
        };
        text += &(row.get_column_iter().map(cell).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

#[test]
fn a_table_in_parquet_says_the_same_and_is_there_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let scene = scene();
    let create = |name: &str| {
        let measurements = Measurements::new(&scene);
        MeasurementFile::create(&path(name), &scene, measurements, Overwrite::No).unwrap()
    };
    let (mut text, mut columns) = (create("a.csv"), create("a.Parquet"));
    for frame in frames() {
        text.push(&frame).unwrap();
        columns.push(&frame).unwrap();
    }
    assert!(!path("a.Parquet").exists(), "nothing half-written");
    assert!(columns.rows() > 100 && columns.rows() == text.rows());
    assert_eq!(columns.finish(Trim::default()).unwrap(), text.finish(Trim::default()).unwrap());
    assert_eq!(as_text(&path("a.Parquet")), std::fs::read_to_string(path("a.csv")).unwrap());
    let mut given_up = create("b.parquet");
    frames().iter().for_each(|frame| given_up.push(frame).unwrap());
    drop(given_up);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left over");
}

#[test]
fn floors_go_by_their_names_and_one_that_the_scene_does_not_have_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut engine = Engine::new(scene()).unwrap();
    let info = RecordingInfo::of_scene(engine.scene());
    let mut recorder = Recorder::create(&path, info, Overwrite::No).unwrap();
    engine.run(Some(&mut recorder), |progress| progress.steps < 50).unwrap();
    recorder.finish().unwrap();
    let with_layers = |layers: &str| {
        let text = CORRIDOR.replacen("[[obstacles]]", &format!("{layers}\n[[obstacles]]"), 1);
        Scene::parse("other", &text, Path::new(".")).unwrap()
    };
    let mut recording = Recording::open(&path).unwrap();
    let attic = with_layers("[[layers]]\nname = \"attic\"");
    let both = with_layers("[[layers]]\nname = \"attic\"\n[[layers]]\nname = \"ground\"");
    let mut people = 0;
    let count = |frame: &Frame| {
        people += frame.people.layers.iter().filter(|layer| **layer == LayerId(1)).count();
        Ok(())
    };
    measure(&mut recording, &both, count).unwrap();
    assert_eq!(people as u64, recording.row_count());
    let error = measure(&mut recording, &attic, |_| Ok(())).unwrap_err().to_string();
    assert!(error.contains("on floor \"ground\", which other does not have"), "{error}");
}

#[test]
fn a_row_through_a_line_has_the_flow_of_its_spacing() {
    // 1.3 m/s and 0.65 m apart: two people per second.
    let mut tally = gate(0.0);
    let ids: Vec<u32> = (0..40).collect();
    for step in 0..400 {
        let time = f64::from(step) * 0.1;
        let place = |&id: &u32| Vec2::new((1.3 * time - 0.65 * f64::from(id) - 5.0) as f32, 0.4);
        let positions: Vec<Vec2> = ids.iter().map(place).collect();
        let layers = vec![LayerId(0); ids.len()];
        tally.push(FrameView { time, ids: &ids, positions: &positions, layers: &layers });
    }
    let passages = tally.passages(Direction::Forward);
    assert_eq!(passages.times().len(), 40);
    assert!((passages.flow(Trim::default()).unwrap() - 2.0).abs() < 1e-6);
    assert!((passages.flow(Trim { first: 10, last: 7 }).unwrap() - 2.0).abs() < 1e-6);
    assert!((passages.times()[0] - 5.0 / 1.3).abs() < 1e-6, "in the middle of a step");
}
