//! Tables without a header: which column is the frame and which the id is found, told or asked for,
//! and never mistaken.

use std::fmt::Write;

use glam::Vec2;
use proptest::prelude::*;
use throng::exchange::{ImportFormat, ImportOptions};

use super::support::{Folder, frames};

fn at(fps: f64) -> ImportOptions {
    ImportOptions { fps: Some(fps), ..ImportOptions::default() }
}

fn with_columns(fps: f64, columns: &str) -> ImportOptions {
    ImportOptions { columns: columns.parse().unwrap(), ..at(fps) }
}

/// Frame, id and position.
type TrackRow = (u32, u32, Vec2);

/// Five people who come one after another and walk in different directions, at 2.5 Hz.
fn street() -> Vec<TrackRow> {
    let mut rows = Vec::new();
    for step in 0..40 {
        for id in 1..=5 {
            let age = step as f32 - 4.0 * id as f32;
            if (0.0..20.0).contains(&age) {
                let start = 6.0 * Vec2::from_angle(2.4 * id as f32);
                let way = 0.5 * Vec2::from_angle(1.7 * id as f32 + 0.02 * age) * age;
                rows.push((10 * step, id, start + way));
            }
        }
    }
    rows
}

fn text(rows: &[TrackRow], write: impl Fn(&TrackRow) -> String) -> String {
    rows.iter().fold(String::new(), |mut text, row| {
        let _ = writeln!(text, "{}", write(row));
        text
    })
}

/// Ids and positions by frame, as imported.
fn imported(folder: &Folder) -> Vec<TrackRow> {
    let mut recording = folder.imported();
    let interval = recording.info().interval();
    let mut rows = Vec::new();
    for frame in frames(&mut recording) {
        let number = (frame.time / interval).round() as u32;
        let people = frame.people.ids.iter().zip(&frame.people.positions);
        rows.extend(people.map(|(&id, &position)| (number, id, position)));
    }
    rows
}

/// The rows with frames counted in steps of `stride`.
fn in_steps(rows: &[TrackRow], stride: u32) -> Vec<TrackRow> {
    let mut rows: Vec<_> = rows.iter().map(|&(frame, id, at)| (frame / stride, id, at)).collect();
    rows.sort_by_key(|&(frame, id, _)| (frame, id));
    rows
}

#[test]
fn either_order_is_found_with_any_separator() {
    let (folder, rows) = (Folder::new(), street());
    let mut by_id = rows.clone();
    by_id.sort_by_key(|&(frame, id, _)| (id, frame));
    for (name, rows, write, columns) in [
        (
            "a.txt",
            &rows,
            (|(f, i, p)| format!("{f}.0\t{i}.0\t{}\t{}", p.x, p.y)) as fn(&TrackRow) -> _,
            "frame id x y",
        ),
        (
            "a.txt",
            &rows,
            |(f, i, p)| format!("{f} {i} {} {} 0.1 0.2", p.x, p.y),
            "frame id x y - -",
        ),
        ("a.csv", &rows, |(f, i, p)| format!("{f},{i},{},{}", p.x, p.y), "frame id x y"),
        ("a.txt", &rows, |(f, i, p)| format!("{i}; {f}; {}; {};", p.x, p.y), "id frame x y"),
        ("a.txt", &by_id, |(f, i, p)| format!("{i} {f} {} {} 0", p.x, p.y), "id frame x y z"),
        ("a.txt", &by_id, |(f, i, p)| format!("{f} {i} {} {} 0", p.x, p.y), "frame id x y z"),
    ] {
        let result = folder.import_text(name, text(rows, write), &at(25.0)).unwrap();
        assert_eq!(result.columns.as_deref(), Some(columns));
        assert_eq!((result.format, result.people), (ImportFormat::Headerless, 5));
        assert_eq!(result.warnings, [""; 0]);
        assert_eq!(imported(&folder), in_steps(rows, 10), "{columns}");
    }
}

#[test]
fn columns_by_number_are_obeyed() {
    let (folder, rows) = (Folder::new(), street());
    let swapped = text(&rows, |(f, i, p)| format!("{} {i} {f} {}", p.y, p.x));
    let result = folder.import_text("a.txt", &swapped, &with_columns(25.0, "id=2,frame=3,x=4,y=1"));
    assert_eq!(result.unwrap().columns.as_deref(), Some("y id frame x"));
    assert_eq!(imported(&folder), in_steps(&rows, 10));
    let times = text(&rows, |(f, i, p)| format!("{} {i} {} {}", f64::from(*f) / 25.0, p.x, p.y));
    let columns = ImportOptions { fps: None, ..with_columns(1.0, "time=1,id=2,x=3,y=4") };
    folder.import_text("a.txt", &times, &columns).unwrap();
    assert_eq!(imported(&folder), in_steps(&rows, 10));
    // Against the evidence, with a warning.
    let plain = text(&rows, |(f, i, p)| format!("{f} {i} {} {}", p.x, p.y));
    let forced = with_columns(0.1, "id=1,frame=2,x=3,y=4");
    let warnings = folder.import_text("a.txt", &plain, &forced).unwrap().warnings;
    assert!(warnings[0].contains("say --columns frame=1,id=2"), "{warnings:?}");

    for (content, columns, reason) in [
        (&plain, "id=ped", "there is no column \"ped\"; without a header, its 4 columns"),
        (&plain, "id=5", "there is no column \"5\""),
        (&plain, "id=1,frame=1", "column 1 cannot be both frame and id"),
        (&plain, "id=1,x=3,y=4", "say which column is the frame or the time"),
        (&plain, "frame=1,id=2,x=3", "say which column is y, e.g. --columns frame=1"),
    ] {
        let error = folder.import_text("b.txt", content, &with_columns(25.0, columns)).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    let error = folder.import_text("b.txt", &times, &at(25.0)).unwrap_err();
    assert!(error.contains("--columns time=1,id=2,x=3,y=4"), "{error}");
}

#[test]
fn comments_and_formats_tell_the_order() {
    let (folder, rows) = (Folder::new(), street());
    let plain = text(&rows, |(f, i, p)| format!("{f} {i} {} {}", p.x, p.y));
    let named = format!("# framerate: 25\n# frame id x/m y/m\n{plain}");
    let result = folder.import_text("a.txt", named, &ImportOptions::default()).unwrap();
    assert_eq!((result.columns.as_deref(), result.fps), (Some("frame id x y"), 2.5));
    // Two steps tell nothing; a comment that there is a frame rate is that of an archive.
    let short = "1 0 0 0\n1 1 0.1 0\n";
    let error = folder.import_text("a.txt", short, &at(25.0)).unwrap_err();
    assert!(error.contains("frame id x y or id frame x y"), "{error}");
    assert!(error.contains("--columns frame=1,id=2,x=3,y=4 or --columns id=1"), "{error}");
    let archive = format!("# framerate: 25\n{short}");
    let result = folder.import_text("a.txt", archive, &ImportOptions::default()).unwrap();
    assert_eq!(result.columns.as_deref(), Some("id frame x y"));
    let told = ImportOptions { format: Some(ImportFormat::JupedsimTxt), ..at(25.0) };
    let result = folder.import_text("a.txt", short, &told).unwrap();
    assert_eq!(result.columns.as_deref(), Some("id frame x y"));
}

fn any_rows() -> impl Strategy<Value = Vec<TrackRow>> {
    let person = (
        (-20.0..20.0f32, -20.0..20.0f32),
        (0.0..6.3f32, 0.0..2.0f32, -0.2..0.2f32),
        (0..20u32, 1..30u32),
    );
    let people = prop::collection::vec(person, 1..12);
    let rhythm = (prop::sample::select(&[1u32, 6, 10][..]), 0.04..0.5f32, 0..300u32, 1..50u32);
    (people, rhythm).prop_map(|(people, (stride, interval, first_frame, first_id))| {
        let mut rows = Vec::new();
        for (id, ((x, y), (heading, speed, turn), (begin, length))) in (first_id..).zip(people) {
            let (mut place, mut heading) = (Vec2::new(x, y), heading);
            for step in begin..begin + length {
                rows.push((first_frame + stride * step, id, place));
                place += speed * interval * Vec2::from_angle(heading);
                heading += turn;
            }
        }
        rows
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn tracks_in_either_order_are_found_or_refused(
        rows in any_rows(),
        id_first in any::<bool>(),
        by_id in any::<bool>(),
        separator in prop::sample::select(&[" ", "\t", ",", ";"][..]),
    ) {
        let folder = Folder::new();
        let mut rows = rows;
        rows.sort_by_key(|&(frame, id, _)| if by_id { (id, frame) } else { (frame, id) });
        let content = text(&rows, |(frame, id, place)| {
            let (first, second) = if id_first { (id, frame) } else { (frame, id) };
            format!("{first}{separator}{second}{separator}{}{separator}{}", place.x, place.y)
        });
        match folder.import_text("a.txt", content, &at(25.0)) {
            Ok(result) => {
                let order = if id_first { "id frame x y" } else { "frame id x y" };
                prop_assert_eq!(result.columns.as_deref(), Some(order));
            }
            Err(error) => prop_assert!(error.contains("--columns") || error.contains("--unit"), "{error}"),
        }
    }
}
