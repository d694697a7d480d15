//! What recordings promise when nothing goes wrong, and when a caller does.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec2;
use proptest::prelude::*;
use throng::Scene;
use throng::place::FileError;
use throng::recording::{
    Frame, Overwrite, People, Person, Recorder, Recording, RecordingError, RecordingInfo, Status,
};
use throng_world::scene::{GroupId, LayerId};

use crate::common::{INTERVAL, frame, info, read_all, record};

fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![-1e3f32..1e3, Just(0.0), Just(-0.0), Just(f32::MIN_POSITIVE), Just(f32::MAX)]
}

fn any_person() -> impl Strategy<Value = Person> {
    let vector = || (finite(), finite()).prop_map(Vec2::from);
    let numbers = (vector(), finite(), finite(), vector(), finite());
    let names = (0..2u16, 0..2u8, 0..Status::ALL.len());
    (any::<u32>(), numbers, names, any::<Option<u32>>()).prop_map(
        |(
            id,
            (position, height, heading, velocity, radius),
            (group, layer, status),
            blocked_by,
        )| {
            let (group, layer, status) = (GroupId(group), LayerId(layer), Status::ALL[status]);
            Person {
                id,
                group,
                layer,
                position,
                height,
                heading,
                velocity,
                radius,
                status,
                blocked_by,
            }
        },
    )
}

fn any_people() -> impl Strategy<Value = People> {
    proptest::collection::vec(any_person(), 0..40).prop_map(|mut list| {
        list.sort_by_key(|person| person.id);
        list.dedup_by_key(|person| person.id);
        let mut people = People::default();
        list.into_iter().for_each(|person| people.push(person));
        people
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 4))]

    #[test]
    fn what_is_recorded_is_read_back_bit_by_bit(
        crowds in proptest::collection::vec(any_people(), 0..30),
        flush_every in 0..8usize,
        start in -10.0..1e6f64,
    ) {
        let frame = |(index, people)| {
            Frame { index, time: start + f64::from(index) * INTERVAL, people }
        };
        let frames: Vec<_> = (0..).zip(crowds).map(frame).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let summary = record(&path, &frames, flush_every).unwrap();
        prop_assert_eq!(summary.bytes, fs::metadata(&path).unwrap().len());
        let read = read_all(&path).unwrap();
        // Debug output tells -0.0 from 0.0, which == does not.
        prop_assert_eq!(format!("{read:?}"), format!("{frames:?}"));
    }
}

#[test]
fn info_and_times_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut described = info();
    described.scene_name = "some/folder/hall.toml".into();
    let mut recorder = Recorder::create(&path, described, Overwrite::No).unwrap();
    (0..5).for_each(|index| recorder.push(&frame(index, 10)).unwrap());
    let summary = recorder.finish().unwrap();

    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.info(), &info());
    assert_eq!(recording.version(), env!("CARGO_PKG_VERSION"));
    assert_eq!((recording.frame_count(), recording.row_count()), (5, 50));
    assert_eq!((summary.frames, summary.rows), (5, 50));
    assert_eq!(recording.duration(), 4.0 * INTERVAL);
    assert_eq!(recording.times().last(), Some(4.0 * INTERVAL));
    assert_eq!(recording.people_per_group().unwrap(), [5, 5]);
    assert!(!recording.recovered());
}

#[test]
fn the_same_simulation_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let frames: Vec<_> = (0..90).map(|index| frame(index, 2_000)).collect();
    let bytes = |name| {
        let path = folder.path().join(name);
        record(&path, &frames, 0).unwrap();
        fs::read(path).unwrap()
    };
    assert!(bytes("a.parquet") == bytes("b.parquet"));
}

#[test]
fn row_groups_end_with_frames_and_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let frames: Vec<_> = (0..40).map(|index| frame(index, 10_000)).collect();
    record(&path, &frames, 0).unwrap();
    // 7, 10 and 15 frames reach 65,536, 98,304 and 147,456 rows.
    assert_eq!(Recording::open(&path).unwrap().row_group_count(), 4);
    assert!(read_all(&path).unwrap() == frames);
}

#[test]
fn frames_are_found_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let size = |index: u32| if index % 7 == 3 { 0 } else { 100 + index };
    let frames: Vec<_> = (0..200).map(|index| frame(index, size(index))).collect();
    record(&path, &frames, 9).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    for step in [1, 37, 101, 199] {
        for i in 0..200 {
            let index = i * step % 200;
            assert!(recording.frame(index).unwrap() == frames[index as usize], "frame {index}");
        }
    }
    let error = recording.frame(200).unwrap_err().to_string();
    assert!(error.ends_with("a.parquet has no frame 200: it has 200 frames, from 0"), "{error}");
}

#[test]
fn times_lead_to_frames_and_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let walker = |index: u32| {
        let mut frame = Frame { index, time: f64::from(index) * INTERVAL, ..Frame::default() };
        let position = Vec2::new(index as f32, 0.0);
        frame.people.push(Person { id: 1, position, ..Person::default() });
        frame
    };
    record(&path, &(0..31).map(walker).collect::<Vec<_>>(), 0).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    for (time, index) in [(-1.0, 0), (0.0, 0), (0.05, 0), (0.3, 3), (1.99, 19), (9.0, 30)] {
        assert_eq!(recording.index_at(time), Some(index), "at {time} s");
        assert_eq!(recording.at(time).unwrap().unwrap().index, index);
    }
    for (time, x) in [(-1.0, 0.0), (0.125, 1.25), (0.3, 3.0), (2.95, 29.5), (99.0, 30.0)] {
        let frame = recording.interpolated(time).unwrap().unwrap();
        assert!((frame.people.positions[0].x - x).abs() < 1e-4, "{:?} at {time} s", frame);
    }
}

#[test]
fn a_recording_of_nobody_has_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let frames: Vec<_> = (0..100_000).map(|index| frame(index, 0)).collect();
    record(&path, &frames, 0).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!((recording.frame_count(), recording.row_count()), (100_000, 0));
    assert_eq!(recording.frame(99_999).unwrap(), frames[99_999]);
    assert_eq!(recording.people().unwrap(), 0);
}

#[test]
fn a_recording_without_frames_is_valid_if_finished_and_gone_if_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    drop(Recorder::create(&path, info(), Overwrite::No).unwrap());
    assert!(!path.exists());
    Recorder::create(&path, info(), Overwrite::No).unwrap().finish().unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!((recording.frame_count(), recording.index_at(1.0)), (0, None));
    assert!(recording.interpolated(1.0).unwrap().is_none());
}

#[test]
fn dropping_a_recorder_keeps_its_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut recorder = Recorder::create(&path, info(), Overwrite::No).unwrap();
    (0..3).for_each(|index| recorder.push(&frame(index, 5)).unwrap());
    drop(recorder);
    assert_eq!(read_all(&path).unwrap(), [frame(0, 5), frame(1, 5), frame(2, 5)]);
}

#[test]
fn frames_that_do_not_fit_are_refused_and_the_recording_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let mut recorder = Recorder::create(&path, info(), Overwrite::No).unwrap();
    recorder.push(&frame(0, 5)).unwrap();
    let bad = |change: &dyn Fn(&mut Frame)| {
        let mut frame = frame(1, 5);
        change(&mut frame);
        frame
    };
    let cases = [
        (bad(&|f| f.index = 2), "frame 1 comes next"),
        (bad(&|f| f.time = 0.15), "is at 0.15 s and should be at 0.1 s"),
        (bad(&|f| f.time = f64::NAN), "is at NaN s"),
        (bad(&|f| f.people.ids.swap(1, 3)), "ids must ascend"),
        (bad(&|f| f.people.ids[1] = f.people.ids[0]), "ids must ascend"),
        (bad(&|f| f.people.positions[2].y = f32::NAN), "person 7 has a number that is not finite"),
        (bad(&|f| f.people.groups[0] = GroupId(2)), "no group 2"),
        (bad(&|f| f.people.layers[0] = LayerId(9)), "no layer 9"),
        (bad(&|f| f.people.radii.truncate(4)), "differ in length"),
    ];
    for (frame, message) in cases {
        let error = recorder.push(&frame).unwrap_err();
        assert!(matches!(error, RecordingError::BadFrame { .. }));
        assert!(error.to_string().contains(message), "{error}");
    }
    recorder.push(&frame(1, 5)).unwrap();
    assert_eq!(recorder.finish().unwrap().frames, 2);
}

#[test]
fn impossible_descriptions_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let info = RecordingInfo { step: 0.0, ..info() };
    let error = Recorder::create(&path, info, Overwrite::No).unwrap_err();
    assert!(matches!(error, RecordingError::BadInfo { .. }), "{error}");
    assert!(!path.exists());
}

#[test]
fn an_existing_file_is_replaced_only_on_demand_and_only_by_something() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    fs::write(&path, "precious").unwrap();
    let error = Recorder::create(&path, info(), Overwrite::No).unwrap_err();
    assert!(matches!(error, RecordingError::File(FileError::Exists { .. })), "{error}");

    let mut recorder = Recorder::create(&path, info(), Overwrite::Yes).unwrap();
    recorder.push(&frame(0, 5)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    recorder.flush().unwrap();
    assert_eq!(read_all(&path).unwrap(), [frame(0, 5)]);
    recorder.push(&frame(1, 5)).unwrap();
    recorder.finish().unwrap();
    assert_eq!(read_all(&path).unwrap().len(), 2);

    drop(Recorder::create(&path, info(), Overwrite::Yes).unwrap());
    assert_eq!(read_all(&path).unwrap().len(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn places_that_cannot_be_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let create = |name: &str, overwrite| {
        Recorder::create(folder.path().join(name), info(), overwrite).unwrap_err().to_string()
    };
    for overwrite in [Overwrite::No, Overwrite::Yes] {
        assert!(create("", overwrite).ends_with("it is a folder"));
        assert!(create("none/a.parquet", overwrite).ends_with("its folder does not exist"));
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("a.parquet"), folder.path().join("link.parquet"));
    std::os::unix::fs::symlink("a.parquet", &link).unwrap();
    let error = Recorder::create(&link, info(), Overwrite::Yes).unwrap_err().to_string();
    assert!(error.ends_with("it is a symbolic link that leads nowhere"), "{error}");

    fs::write(&target, "old").unwrap();
    assert!(matches!(
        Recorder::create(&link, info(), Overwrite::No),
        Err(RecordingError::File(FileError::Exists { .. }))
    ));
    let mut recorder = Recorder::create(&link, info(), Overwrite::Yes).unwrap();
    recorder.push(&frame(0, 5)).unwrap();
    recorder.finish().unwrap();
    assert!(link.is_symlink());
    assert_eq!(read_all(&target).unwrap(), [frame(0, 5)]);
}

/// A hill of 3 × 2 samples above a valley that rises to the east.
const HILLY: &str = r#"
format = 1
[world]
bounds = [[0, 0], [20, 10]]
[[layers]]
name = "valley"
terrain = { mesh = "ground/valley.obj" }
[[layers]]
name = "hill"
elevation = 30
terrain = { heightmap = "hill.png", low = 0, high = 12 }
"#;
const VALLEY: &str = "v 0 0 0\nv 20 5 0\nv 20 5 -10\nv 0 0 -10\nf 1 2 3 4\n";

/// Writes a scene with terrain, and reads it.
fn hilly(folder: &Path, valley: &str) -> Scene {
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0, 90, 255, 30, 200, 10]).unwrap();
    fs::create_dir(folder.join("ground")).unwrap();
    fs::write(folder.join("hill.png"), image).unwrap();
    fs::write(folder.join("ground/valley.obj"), valley).unwrap();
    Scene::parse("hilly.toml", HILLY, folder).unwrap_or_else(|errors| panic!("{errors}"))
}

fn heights(scene: &Scene) -> Vec<f32> {
    let points = || (0..50).map(|i| Vec2::new(0.4 * i as f32, 0.7 * (i % 14) as f32));
    scene.layers.iter().flat_map(|layer| points().map(|point| layer.height(point))).collect()
}

/// Records nobody in `scene`, and what was recorded.
fn record_in(folder: &Path, scene: &Scene) -> PathBuf {
    let path = folder.join("hilly.parquet");
    let mut recorder =
        Recorder::create(&path, RecordingInfo::of_scene(scene), Overwrite::No).unwrap();
    let frame = |index: u32| Frame { index, time: 0.1 * f64::from(index), ..Frame::default() };
    for index in 0..3 {
        recorder.push(&frame(index)).unwrap();
        recorder.flush().unwrap();
    }
    recorder.finish().unwrap();
    path
}

#[test]
fn a_recording_carries_the_terrain_of_its_scene() {
    let (home, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let scene = hilly(home.path(), VALLEY);
    let path = away.path().join("moved.parquet");
    fs::rename(record_in(home.path(), &scene), &path).unwrap();
    drop(home);
    let recording = Recording::open(&path).unwrap();
    let found = recording.scene().unwrap_or_else(|errors| panic!("{errors}"));
    assert!(found.layers.iter().all(|layer| !layer.terrain.is_flat()));
    assert_eq!(heights(&found), heights(&scene));
    assert_eq!(found.layers, scene.layers);
    // What was restored can be recorded again, and comes before what lies beside it.
    assert_eq!(found.terrain_files, scene.terrain_files);
    fs::write(away.path().join("hill.png"), "no image").unwrap();
    assert_eq!(heights(&recording.scene().unwrap()), heights(&scene));
    // Footers do not repeat it.
    let bytes = fs::read(&path).unwrap();
    let count = bytes.windows(VALLEY.len()).filter(|part| part == &VALLEY.as_bytes()).count();
    assert_eq!(count, 1);
}

#[test]
fn terrain_that_is_too_large_is_looked_for_beside_the_recording() {
    let (home, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let large = format!("{VALLEY}#{}", " ".repeat(RecordingInfo::LARGEST_TERRAIN));
    let scene = hilly(home.path(), &large);
    let path = away.path().join("moved.parquet");
    let info = RecordingInfo::of_scene(&scene);
    assert_eq!(info.terrain.left_out(), ["ground/valley.obj"]);
    fs::rename(record_in(home.path(), &scene), &path).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 1 << 20);
    let flat = Recording::open(&path).unwrap().scene().unwrap();
    assert!(flat.layers[0].terrain.is_flat() && !flat.layers[1].terrain.is_flat());
    fs::create_dir(away.path().join("ground")).unwrap();
    fs::write(away.path().join("ground/valley.obj"), VALLEY).unwrap();
    assert_eq!(heights(&Recording::open(&path).unwrap().scene().unwrap()), heights(&scene));
    fs::write(away.path().join("ground/valley.obj"), "v 0 0\n").unwrap();
    let errors = Recording::open(&path).unwrap().scene().unwrap_err().to_string();
    assert!(errors.contains("valley.obj:1: a vertex needs three coordinates"), "{errors}");
}

#[test]
fn damaged_terrain_in_a_recording_is_told_and_leaves_its_frames() {
    let home = tempfile::tempdir().unwrap();
    let path = record_in(home.path(), &hilly(home.path(), VALLEY));
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(9).position(|part| part == b"v 20 5 0\n").unwrap();
    bytes[at + 2] = b'9';
    fs::write(&path, &bytes).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert_eq!(recording.frames().filter_map(Result::ok).count(), 3);
    let error = recording.terrain_files().unwrap_err().to_string();
    let expected = "is damaged: the terrain file \"ground/valley.obj\" in it has other bytes";
    assert!(error.contains(expected), "{error}");
    assert!(recording.scene().unwrap_err().to_string().contains(expected));
}
