//! What is written.

use std::fs;

use glam::Vec2;
use throng::exchange::{ExchangeError, ExportFormat, ExportOptions, Floors, export};
use throng::place::FileError;
use throng::recording::{Frame, Overwrite, Person, RecordingInfo};

use super::support::{Folder, HALL, one_floor, query, to, walkers};

#[test]
fn csv_has_the_columns_of_the_recording_and_quotes_names() {
    let folder = Folder::new();
    let mut recording = folder.record(HALL, &walkers(3, 2));
    let exported = folder.export(&mut recording, "a.csv", &to(ExportFormat::Csv)).unwrap();
    let text = folder.read("a.csv");
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "frame,time,id,group,layer,x,y,z,heading,vx,vy,radius,status,blocked_by"
    );
    let first = lines.next().unwrap();
    assert!(first.starts_with("0,0,1,\"visitors, \"\"regular\"\"\",hall,3.5,0,0,1.5,"), "{first}");
    assert!(first.ends_with(",0.2,blocked,4"), "{first}");
    assert!(lines.next().unwrap().ends_with(",0.201,walking,"));
    assert_eq!((exported.frames, exported.rows as usize), (3, text.lines().count() - 1));
    assert_eq!(exported.bytes, text.len() as u64);
}

#[test]
fn text_begins_with_what_pedpy_looks_for() {
    let folder = Folder::new();
    let info = {
        let scene = throng::Scene::parse_plan("x", &one_floor()).unwrap();
        // Neither a rate nor a unit may be read out of a name.
        RecordingInfo {
            scene_name: "framerate 99 in cm\n1 2 3.toml".into(),
            ..RecordingInfo::of_scene(&scene)
        }
    };
    let mut recording = folder.record_as(info, &walkers(2, 1));
    folder.export(&mut recording, "a.txt", &to(ExportFormat::JupedsimTxt)).unwrap();
    let text = folder.read("a.txt");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "# framerate: 10.00 fps");
    assert!(lines[1].starts_with("# description: framerate 99 in cm 1 2 3.toml, written by"));
    assert_eq!(lines[2], "# id frame x/m y/m z/m");
    assert_eq!(lines[3], "1 0 3.5 0 0");
    assert!(lines.last().unwrap().starts_with("34 1 "));
}

#[test]
fn the_database_is_what_jupedsim_writes() {
    let folder = Folder::new();
    let mut recording = folder.record(&one_floor(), &walkers(3, 1));
    let exported =
        folder.export(&mut recording, "a.sqlite", &to(ExportFormat::JupedsimSqlite)).unwrap();
    assert!(exported.warnings.is_empty(), "{:?}", exported.warnings);
    let path = folder.path("a.sqlite");
    let metadata = query(&path, "SELECT key, value FROM metadata ORDER BY key");
    let expected = [
        ["fps", "10.0"],
        ["version", "2"],
        ["xmax", "10.0"],
        ["xmin", "-10.0"],
        ["ymax", "10.0"],
        ["ymin", "-10.0"],
    ];
    assert_eq!(metadata, expected);
    let rows = query(&path, "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data");
    assert_eq!(rows.len() as u64, exported.rows);
    assert_eq!(rows[0][..4], ["0", "1", "3.5", "0"]);
    let orientation: Vec<f64> = rows[0][4..].iter().map(|text| text.parse().unwrap()).collect();
    assert!((orientation[0] - 1.5f64.cos()).abs() < 1e-9 && orientation[1] > 0.99);

    let geometry = query(&path, "SELECT hash, wkt FROM geometry");
    let [hash, wkt] = &geometry[0][..] else { panic!("{geometry:?}") };
    // The pillars are one hole, and the kiosk is a bite out of the rim.
    assert!(wkt.starts_with("POLYGON (("), "{wkt}");
    assert_eq!(wkt.matches("), (").count(), 1, "{wkt}");
    let frames = query(&path, "SELECT frame, geometry_hash FROM frame_data");
    assert_eq!(frames, [["0", hash], ["1", hash], ["2", hash]]);
}

#[test]
fn rooms_that_nobody_enters_are_left_out_and_separate_crowds_are_told_of() {
    let rooms = one_floor()
        + r#"
        [[obstacles]]
        wall = { points = [[-9, 6], [-6, 6], [-6, 9], [-9, 9], [-9, 6]], thickness = 0.2 }
        "#;
    let geometry = |frames: &[Frame]| {
        let folder = Folder::new();
        let mut recording = folder.record(&rooms, frames);
        let options = to(ExportFormat::JupedsimSqlite);
        let exported = folder.export(&mut recording, "a.sqlite", &options).unwrap();
        let wkt = query(&folder.path("a.sqlite"), "SELECT wkt FROM geometry").remove(0).remove(0);
        (wkt, exported.warnings)
    };
    let mut frames = walkers(3, 1);
    let (wkt, warnings) = geometry(&frames);
    assert!(wkt.starts_with("POLYGON") && warnings.is_empty(), "{wkt} {warnings:?}");
    let (empty, _) = geometry(&[]);
    assert_eq!(empty, wkt, "without anybody, the largest piece is the area");

    let captive = Person { id: 9999, position: Vec2::new(-7.5, 7.5), ..Person::default() };
    frames[1].people.push(captive);
    let (wkt, warnings) = geometry(&frames);
    assert!(wkt.starts_with("MULTIPOLYGON"), "{wkt}");
    assert!(warnings[0].contains("2 separate pieces"), "{warnings:?}");
    frames[1].people.positions[11] = Vec2::new(30.0, 0.0);
    let (wkt, warnings) = geometry(&frames);
    assert!(wkt.starts_with("POLYGON"), "{wkt}");
    assert!(warnings[0].contains("1 positions lie outside"), "{warnings:?}");
}

#[test]
fn a_floor_must_be_chosen_where_the_format_has_none() {
    let folder = Folder::new();
    let mut recording = folder.record(HALL, &walkers(4, 2));
    let mut message = |format, floors| {
        let options = ExportOptions { floors, ..to(format) };
        folder.export(&mut recording, "a", &options).unwrap_err().to_string()
    };
    for (format, floors, reason) in [
        (ExportFormat::JupedsimSqlite, Floors::Unambiguous, "--layer: \"hall\", \"gallery\""),
        (ExportFormat::JupedsimSqlite, Floors::All, "knows no heights"),
        (ExportFormat::JupedsimTxt, Floors::Unambiguous, "--all-layers for programs that read z"),
        (ExportFormat::Csv, Floors::Named("attic".into()), "there is no floor \"attic\""),
    ] {
        let message = message(format, floors);
        assert!(message.contains(reason), "{message}");
    }
    assert_eq!(folder.files(), ["hall.parquet"]);

    let on = |floors| ExportOptions { floors, ..to(ExportFormat::JupedsimTxt) };
    let gallery = on(Floors::Named("gallery".into()));
    let gallery = folder.export(&mut recording, "gallery.txt", &gallery).unwrap();
    assert_eq!(gallery.layer.as_deref(), Some("gallery"));
    let all = folder.export(&mut recording, "all.txt", &on(Floors::All)).unwrap();
    let heights = |name: &str| {
        let text = folder.read(name);
        let high = text.lines().filter(|line| line.ends_with(" 4")).count();
        (high, text.lines().count() - 3)
    };
    let (high, rows) = heights("gallery.txt");
    assert_eq!((high, rows), (rows, gallery.rows as usize));
    let (high, rows) = heights("all.txt");
    assert!(high > 0 && high < rows && rows == all.rows as usize);
    let hall = query_area(&folder, &mut recording, "hall");
    let gallery = query_area(&folder, &mut recording, "gallery");
    assert!(gallery.matches('(').count() == 2 && hall.matches('(').count() == 3);
}

fn query_area(
    folder: &Folder,
    recording: &mut throng::recording::Recording,
    floor: &str,
) -> String {
    let options = ExportOptions {
        floors: Floors::Named(floor.into()),
        overwrite: Overwrite::Yes,
        ..to(ExportFormat::JupedsimSqlite)
    };
    folder.export(recording, "floor.sqlite", &options).unwrap();
    query(&folder.path("floor.sqlite"), "SELECT wkt FROM geometry").remove(0).remove(0)
}

/// Someone who is at x = 10 t, from 2 s on.
fn runner() -> Vec<Frame> {
    let frame = |index: u32| {
        let time = 2.0 + f64::from(index) * 0.1;
        let mut frame = Frame { index, time, ..Frame::default() };
        let position = Vec2::new(10.0 * time as f32 - 20.0, 0.0);
        frame.people.push(Person { id: 7, position, ..Person::default() });
        frame
    };
    (0..11).map(frame).collect()
}

#[test]
fn another_rate_takes_frames_or_goes_between_them() {
    let folder = Folder::new();
    let mut recording = folder.record(&one_floor(), &runner());
    for (fps, count) in [(10.0, 11), (5.0, 6), (2.5, 3), (4.0, 5), (25.0, 26)] {
        let options = ExportOptions {
            fps: Some(fps),
            overwrite: Overwrite::Yes,
            ..to(ExportFormat::JupedsimTxt)
        };
        let exported = folder.export(&mut recording, "a.txt", &options).unwrap();
        assert_eq!((exported.frames, exported.fps), (count, fps));
        let text = folder.read("a.txt");
        for line in text.lines().skip(3) {
            let words: Vec<f64> =
                line.split_whitespace().map(|word| word.parse().unwrap()).collect();
            // Frames are counted from time 0.
            let time = words[1] / fps;
            assert!((words[2] - (10.0 * time - 20.0)).abs() < 1e-4, "{line} at {fps} fps");
        }
        assert_eq!(text.lines().count(), 3 + count as usize);
    }
    let slow = ExportOptions { fps: Some(0.1), ..to(ExportFormat::Csv) };
    assert_eq!(folder.export(&mut recording, "slow.csv", &slow).unwrap().frames, 1);
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = ExportOptions { fps: Some(fps), ..to(ExportFormat::Csv) };
        let error = folder.export(&mut recording, "b.csv", &options).unwrap_err().to_string();
        assert!(error.contains("--fps 10"), "{error}");
    }
}

#[test]
fn nothing_is_overwritten_or_left_half_written() {
    let folder = Folder::new();
    let mut recording = folder.record(HALL, &walkers(5, 2));
    for format in ExportFormat::ALL {
        let options = ExportOptions { floors: Floors::Named("hall".into()), ..to(format) };
        let path = folder.write("out", "precious");
        let error = export(&mut recording, &path, &options, |_| true).unwrap_err();
        assert!(matches!(error, ExchangeError::File(FileError::Exists { .. })), "{error}");
        let forced = ExportOptions { overwrite: Overwrite::Yes, ..options.clone() };
        let error = export(&mut recording, &path, &forced, |p| p.done < 3).unwrap_err();
        assert!(matches!(error, ExchangeError::Interrupted), "{error}");
        assert_eq!(folder.read("out"), "precious");
        assert_eq!(folder.files(), ["hall.parquet", "out"]);
        export(&mut recording, &path, &forced, |_| true).unwrap();
        let once = fs::read(&path).unwrap();
        export(&mut recording, &path, &forced, |_| true).unwrap();
        assert!(once == fs::read(&path).unwrap(), "the same bytes every time");
        fs::remove_file(&path).unwrap();
        let nowhere = folder.path("none/out");
        let error = export(&mut recording, nowhere, &options, |_| true).unwrap_err().to_string();
        assert!(error.ends_with("its folder does not exist"), "{error}");
    }
}

#[test]
fn the_plan_needs_no_terrain_but_a_scene_that_can_be_read() {
    let folder = Folder::new();
    let hilly = one_floor().replace(
        "bounds = [[-10, -10], [10, 10]]",
        "bounds = [[-10, -10], [10, 10]]\nterrain = { heightmap = \"lost.png\", high = 9 }",
    );
    let mut recording = folder.record(&hilly, &walkers(2, 1));
    let options = to(ExportFormat::JupedsimSqlite);
    folder.export(&mut recording, "a.sqlite", &options).unwrap();

    let info = RecordingInfo { scene: "???".into(), ..recording.info().clone() };
    let mut recording = folder.record_as(info, &[]);
    let error = folder.export(&mut recording, "b.sqlite", &options).unwrap_err().to_string();
    assert!(error.contains("the walkable area is unknown"), "{error}");
    let solid = "format = 1\nworld.bounds = [[0, 0], [9, 9]]\n\
                 obstacles = [{ box = { center = [5, 5], size = [99, 99] } }]";
    let mut recording = folder.record(solid, &[]);
    let error = folder.export(&mut recording, "b.sqlite", &options).unwrap_err().to_string();
    assert!(error.contains("leave nothing to walk on"), "{error}");
}
