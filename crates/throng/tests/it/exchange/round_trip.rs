//! Out and in again.

use throng::exchange::{ExportFormat, ExportOptions, Floors, ImportOptions};
use throng::recording::{Frame, Recording};
use throng::world::Scene;
use throng::world::scene::LayerId;
use throng::world::walkable::{Area, walkable};

use super::support::{Folder, HALL, frames, one_floor, to, walkers};

/// Exports `recorded`, imports it, and returns the frames of that.
fn there_and_back(folder: &Folder, scene: &str, recorded: &[Frame], name: &str) -> Vec<Frame> {
    let mut recording = folder.record(scene, recorded);
    let format = match name.rsplit('.').next().unwrap() {
        "csv" => ExportFormat::Csv,
        "txt" => ExportFormat::JupedsimTxt,
        _ => ExportFormat::JupedsimSqlite,
    };
    folder.export(&mut recording, name, &to(format)).unwrap();
    let imported = folder.import(name, &ImportOptions::default()).unwrap();
    assert_eq!(imported.format.name(), format.name(), "told by the content");
    assert_eq!(imported.rows, recording.row_count());
    frames(&mut folder.imported())
}

#[test]
fn csv_comes_back_with_everything() {
    let folder = Folder::new();
    let recorded = walkers(40, 2);
    let back = there_and_back(&folder, HALL, &recorded, "a.csv");
    assert_eq!(back.len(), recorded.len());
    for (back, recorded) in back.iter().zip(&recorded) {
        assert_eq!(back.people, recorded.people);
        assert!((back.time - recorded.time).abs() < 1e-9);
    }
    let mut again = folder.imported();
    let layers: Vec<_> = again.info().layers.iter().map(|l| (&*l.name, l.elevation)).collect();
    assert_eq!(layers, [("hall", 0.0), ("gallery", 4.0)]);
    assert_eq!(again.info().groups[0].name, "visitors, \"regular\"");
    // A second time, the texts are the same.
    folder.export(&mut again, "b.csv", &to(ExportFormat::Csv)).unwrap();
    let (a, b) = (folder.read("a.csv"), folder.read("b.csv"));
    assert_eq!(a.lines().zip(b.lines()).find(|(a, b)| a != b), None);
    assert_eq!(a.len(), b.len());
}

#[test]
fn text_comes_back_with_its_positions() {
    let folder = Folder::new();
    let recorded = walkers(40, 1);
    let back = there_and_back(&folder, &one_floor(), &recorded, "a.txt");
    for (back, recorded) in back.iter().zip(&recorded) {
        assert_eq!(back.people.ids, recorded.people.ids);
        assert_eq!(back.people.positions, recorded.people.positions);
        assert_eq!(back.people.heights, recorded.people.heights);
    }
    assert_eq!(back.len(), recorded.len());
    assert_eq!(folder.imported().info().interval(), 0.1);
}

#[test]
fn heights_tell_floors_apart_in_text_with_all_layers() {
    let folder = Folder::new();
    let mut recording = folder.record(HALL, &walkers(10, 2));
    let options = ExportOptions { floors: Floors::All, ..to(ExportFormat::JupedsimTxt) };
    folder.export(&mut recording, "a.txt", &options).unwrap();
    let imported = folder.import("a.txt", &ImportOptions::default()).unwrap();
    assert_eq!(imported.rows, recording.row_count());
    let back = frames(&mut folder.imported());
    assert_eq!(back[5].people.heights, walkers(10, 2)[5].people.heights);
    let flat = ImportOptions { flat: true, ..ImportOptions::default() };
    folder.import("a.txt", &flat).unwrap();
    assert!(frames(&mut folder.imported())[5].people.heights.iter().all(|&z| z == 0.0));
}

fn size(areas: &[Area]) -> f64 {
    areas.iter().map(Area::size).sum()
}

fn area(recording: &Recording) -> Vec<Area> {
    let scene = Scene::parse_plan("a", &recording.info().scene).unwrap();
    walkable(&scene, LayerId(0))
}

#[test]
fn a_database_comes_back_with_positions_headings_and_walls() {
    let folder = Folder::new();
    let recorded = walkers(40, 1);
    let back = there_and_back(&folder, &one_floor(), &recorded, "a.sqlite");
    for (back, recorded) in back.iter().zip(&recorded) {
        assert_eq!(back.people.positions, recorded.people.positions);
        let pairs = back.people.headings.iter().zip(&recorded.people.headings);
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-6, "{a} and {b}"));
    }
    let before = area(&Recording::open(folder.path("hall.parquet")).unwrap());
    let after = area(&folder.imported());
    assert_eq!((after.len(), after[0].holes().len()), (1, 1));
    assert!((size(&before) - size(&after)).abs() < 1e-4, "{before:?} {after:?}");
    // And out once more.
    let mut imported = folder.imported();
    folder.export(&mut imported, "b.sqlite", &to(ExportFormat::JupedsimSqlite)).unwrap();
}

#[test]
fn frames_keep_their_time_when_a_recording_begins_late() {
    let folder = Folder::new();
    let late: Vec<Frame> = walkers(9, 1)
        .into_iter()
        .map(|frame| Frame { time: 52.0 + f64::from(frame.index) * 0.1, ..frame })
        .collect();
    for name in ["a.csv", "a.txt", "a.sqlite"] {
        let back = there_and_back(&folder, &one_floor(), &late, name);
        assert!((back[0].time - 52.0).abs() < 1e-9, "{name}: {}", back[0].time);
    }
}

#[test]
fn what_was_imported_says_so() {
    let folder = Folder::new();
    there_and_back(&folder, &one_floor(), &walkers(5, 1), "a.txt");
    let info = folder.imported().info().clone();
    assert_eq!(info.imported_from.as_deref(), Some("a.txt (jupedsim-txt)"));
    let scene = Scene::parse_plan("a", &info.scene).unwrap();
    assert_eq!(scene.name, "a");
    assert_eq!(scene.description, "Tracks from a.txt (jupedsim-txt), 10 fps");
    assert!(scene.bounds.contains(glam::Vec2::splat(2.0)));
}
