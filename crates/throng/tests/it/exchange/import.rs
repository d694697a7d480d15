//! What is read, and what is said about files that cannot be.

use std::fmt::Write;

use glam::Vec2;
use throng::exchange::{ExchangeError, ImportFormat, ImportOptions, Stage, Unit, import};
use throng::place::FileError;
use throng::recording::{Overwrite, Status};
use throng::world::Scene;
use throng::world::scene::LayerId;
use throng::world::walkable::{Area, walkable};

use super::support::{Folder, frames};

fn options() -> ImportOptions {
    ImportOptions::default()
}

fn at(fps: f64) -> ImportOptions {
    ImportOptions { fps: Some(fps), ..options() }
}

/// Two people who walk at 1 m/s, `scale` units per metre, in the archive's text format.
fn archive(header: &str, scale: f64) -> String {
    let mut text = header.to_owned();
    for id in [4, 2] {
        for frame in 0..20 {
            let x = scale * f64::from(frame) / 10.0;
            let _ =
                writeln!(text, "{id}\t{frame}\t{x}\t{}\t{}", scale * f64::from(id), 1.7 * scale);
        }
    }
    text
}

#[test]
fn archive_files_are_sorted_and_measured() {
    let folder = Folder::new();
    let text = archive("\u{feff}# framerate: 10.00 fps\n# id frame x/m y/m z/m\n", 1.0);
    let imported = folder.import_text("a.txt", text, &options()).unwrap();
    assert_eq!((imported.people, imported.rows, imported.frames), (2, 40, 20));
    assert_eq!((imported.fps, imported.gaps, imported.unit), (10.0, 0, Unit::Metre));
    assert!((imported.mean_speed.unwrap() - 1.0).abs() < 1e-9);
    let frames = frames(&mut folder.imported());
    assert_eq!(frames[3].people.ids, [2, 4]);
    for frame in &frames {
        for (velocity, heading) in frame.people.velocities.iter().zip(&frame.people.headings) {
            assert!((velocity - Vec2::X).length() < 1e-5, "{velocity} in {}", frame.index);
            assert!(heading.abs() < 1e-5);
        }
    }
    assert_eq!(frames[0].people.heights, [1.7, 1.7]);
}

#[test]
fn units_are_taken_from_the_header_or_the_user_and_mistakes_stand_out() {
    let folder = Folder::new();
    let header = |unit: &str| format!("# framerate: 10 fps\n# id frame x/{unit} y/{unit}\n");
    let expected = |folder: &Folder| {
        let frames = frames(&mut folder.imported());
        assert_eq!(frames[10].people.positions, [Vec2::new(1.0, 2.0), Vec2::new(1.0, 4.0)]);
    };
    let unit = |unit| ImportOptions { unit: Some(unit), ..options() };
    folder.import_text("a.txt", archive(&header("cm"), 100.0), &options()).unwrap();
    expected(&folder);
    folder.import_text("a.txt", archive(&header("m"), 1000.0), &unit(Unit::Millimetre)).unwrap();
    expected(&folder);

    let error = folder.import_text("a.txt", archive(&header("m"), 100.0), &options()).unwrap_err();
    assert!(error.starts_with("a.txt: people move 100 m/s on average;"), "{error}");
    assert!(error.contains("say so with --unit cm"), "{error}");
    let error = folder.import_text("a.txt", archive(&header("m"), 1e3), &options()).unwrap_err();
    assert!(error.contains("--unit mm"), "{error}");
    // Whoever insists gets it, with a warning.
    let imported =
        folder.import_text("a.txt", archive(&header("m"), 100.0), &unit(Unit::Metre)).unwrap();
    assert!(imported.warnings[0].contains("100 m/s"), "{:?}", imported.warnings);
    let imported =
        folder.import_text("a.txt", archive(&header("m"), 1.0), &unit(Unit::Centimetre)).unwrap();
    assert!(imported.warnings[0].contains("are lengths in metres?"), "{:?}", imported.warnings);
    let apart = "# framerate: 10\n1 0 0 0\n2 0 20000 0\n";
    let error = folder.import_text("a.txt", apart, &options()).unwrap_err();
    assert!(error.contains("up to 20000 m apart"), "{error}");
}

#[test]
fn heights_of_heads_are_noticed() {
    let folder = Folder::new();
    let text = "# framerate: 10\n1 0 0 0 1.71\n1 1 0.1 0 1.75\n";
    let imported = folder.import_text("a.txt", text, &options()).unwrap();
    assert!(imported.warnings[0].contains("look like those of heads"), "{:?}", imported.warnings);
    let flat = ImportOptions { flat: true, ..options() };
    assert!(folder.import_text("a.txt", text, &flat).unwrap().warnings.is_empty());
}

/// Three people, annotated at every sixth frame, one of them with a gap.
const OBSMAT: &str = "\
  7.8000000e+02   1.0000000e+00   8.0   0.0   3.5   1.5   0.0   0.0
  7.8600000e+02   1.0000000e+00   8.6   0.0   3.5   1.5   0.0   0.0
  7.8600000e+02   2.0000000e+00   1.0   0.0   2.0   0.0   0.0   -1.0
  7.9200000e+02   2.0000000e+00   1.0   0.0   1.6   0.0   0.0   -1.0
  7.9800000e+02   1.0000000e+00   9.8   0.0   3.5   1.5   0.0   0.0
";

#[test]
fn obsmat_needs_a_frame_rate_and_keeps_its_velocities() {
    let folder = Folder::new();
    let error = folder.import_text("obsmat.txt", OBSMAT, &options()).unwrap_err();
    assert!(error.ends_with("say it, e.g. --fps 25"), "{error}");
    let imported = folder.import_text("obsmat.txt", OBSMAT, &at(15.0)).unwrap();
    assert_eq!((imported.format, imported.frames), (ImportFormat::Obsmat, 4));
    assert_eq!((imported.fps, imported.gaps), (2.5, 1));
    assert_eq!(imported.warnings, [""; 0]);
    let mut recording = folder.imported();
    assert_eq!((recording.info().record_every, recording.time_of(0)), (6, 52.0));
    let second = recording.frame(1).unwrap();
    assert_eq!(second.people.ids, [1, 2]);
    assert_eq!(second.people.positions, [Vec2::new(8.6, 3.5), Vec2::new(1.0, 2.0)]);
    assert_eq!(second.people.velocities, [Vec2::new(1.5, 0.0), Vec2::new(0.0, -1.0)]);
    assert!((second.people.headings[1] + std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    assert_eq!(recording.frame(2).unwrap().people.ids, [2]);

    let imported = folder.import_text("obsmat.txt", OBSMAT, &at(25.0)).unwrap();
    assert!(imported.warnings[0].contains("0.57 times as high"), "{:?}", imported.warnings);
}

#[test]
fn columns_of_a_table_can_have_any_name_and_order() {
    let folder = Folder::new();
    let text = "t;py;ped;px;note\n0.5;1;7;0;a\n0.5;2;3;0;\"b;c\"\n1.0;1;7;100;\n";
    let named = ImportOptions {
        columns: "id=ped,time=t,x=px,y=py".parse().unwrap(),
        unit: Some(Unit::Centimetre),
        ..options()
    };
    let imported = folder.import_text("a.csv", text, &named).unwrap();
    assert_eq!((imported.people, imported.frames, imported.fps), (2, 2, 2.0));
    let frames = frames(&mut folder.imported());
    assert_eq!((frames[0].time, frames[1].time), (0.5, 1.0));
    assert_eq!(frames[0].people.ids, [3, 7]);
    assert_eq!(frames[1].people.positions, [Vec2::new(1.0, 0.01)]);
    assert_eq!(frames[1].people.velocities, [Vec2::new(2.0, 0.0)]);
    assert_eq!(frames[1].people.radii, [0.25]);
    let tabs = ImportOptions { delimiter: Some(b'\t'), ..named };
    folder.import_text("a.txt", text.replace(';', "\t"), &tabs).unwrap();
}

#[test]
fn a_table_may_tell_more_than_positions() {
    let folder = Folder::new();
    let text = "ID,Frame,X,Y,group,layer,status,blocked_by,heading\n\
        1,10,0,0,staff,attic,blocked,2,0.5\n1,20,0,0,staff,cellar,,,0.5\n2,20,1,1,guests,attic,arrived,,1\n";
    folder.import_text("a.csv", text, &at(10.0)).unwrap();
    let mut recording = folder.imported();
    let (groups, layers) = (&recording.info().groups, &recording.info().layers);
    assert_eq!(groups.iter().map(|g| &*g.name).collect::<Vec<_>>(), ["staff", "guests"]);
    assert_eq!(layers.iter().map(|l| &*l.name).collect::<Vec<_>>(), ["attic", "cellar"]);
    assert_eq!(recording.people_per_group().unwrap(), [1, 1]);
    let second = recording.frame(1).unwrap();
    assert_eq!(second.people.layers, [LayerId(1), LayerId(0)]);
    assert_eq!(second.people.statuses, [Status::Walking, Status::Arrived]);
    assert_eq!(recording.frame(0).unwrap().people.blocked_by, [Some(2)]);
    assert_eq!(second.people.headings, [0.5, 1.0]);
}

#[test]
fn who_stands_keeps_the_heading_they_had() {
    let folder = Folder::new();
    let text = "time,id,x,y\n0,1,0,0\n1,1,0,-1\n2,1,0,-2\n3,1,0,-2\n4,1,0,-2\n5,1,0,-2\n";
    folder.import_text("a.csv", text, &options()).unwrap();
    let south = -std::f32::consts::FRAC_PI_2;
    for frame in frames(&mut folder.imported()) {
        assert!((frame.people.headings[0] - south).abs() < 1e-6, "{frame:?}");
    }
}

#[test]
fn what_is_wrong_in_a_file_is_told_with_its_line() {
    let folder = Folder::new();
    let table = |rows: &str| format!("id,time,x,y\n{rows}");
    let columns = |pairs: &str| ImportOptions { columns: pairs.parse().unwrap(), ..options() };
    for (name, content, options, expected) in [
        ("a.csv", table("1,0,0,0\n1,1,x,0\n"), options(), "a.csv:3: x is \"x\", not a number"),
        (
            "a.csv",
            "id,time,x,y\r\n1,0,0,0\r\n\r\n1,1,x,0\r\n".into(),
            options(),
            "a.csv:4: x is \"x\"",
        ),
        (
            "a.csv",
            "id,time,x,y\r\n1,0,0,0\r\n1,0,9,0\r\n".into(),
            options(),
            "a.csv:3: person 1 is in",
        ),
        (
            "a.csv",
            "id,time,x,y\r\n1,0,\"0\r\n\",0\r\n1,1,x,0\r\n".into(),
            options(),
            "a.csv:4: x is",
        ),
        ("a.csv", "ped,time,x,y\r\n".into(), options(), "a.csv:1: there is no column \"id\""),
        (
            "a.txt",
            "# framerate: 9\r\n1 0 0 0\r\n1 1 x 0\r\n".into(),
            options(),
            "a.txt:3: x is \"x\"",
        ),
        ("a.csv", table("1,0,NaN,0\n"), options(), "a.csv:2: x is \"NaN\", which is no position"),
        ("a.csv", table("1,0,1e9,0\n"), options(), "a.csv:2: x is 1000000000, and 100000 is"),
        ("a.csv", table("-1,0,1,0\n"), options(), "a.csv:2: id is -1; ids are whole numbers"),
        ("a.csv", table("1,0,1\n"), options(), "a.csv:2: the row has only 3 columns and no y"),
        ("a.csv", table("1,0,1,\n"), options(), "a.csv:2: y is missing"),
        ("a.csv", table(""), options(), "a.csv: there are no rows in it"),
        ("a.csv", table("1,0,0,0\n2,0,0,0\n1,0,5,0\n"), options(), "a.csv:4: person 1 is in frame"),
        ("a.csv", table("1,0,0,0\n1,1,0,0\n1,1.7,0,0\n1,3,0,0\n"), options(), "not evenly spaced"),
        ("a.csv", "ped,t,x,y\n".into(), options(), "a.csv:1: there is no column \"id\"; the"),
        ("a.csv", "id,x,y\n".into(), options(), "neither a column \"time\" nor \"frame\""),
        ("a.csv", "id,x,y,x,time\n".into(), options(), "there are two columns \"x\""),
        ("a.csv", table("1,0,0,0\n"), columns("z=alt"), "there is no column \"alt\"; the columns"),
        ("a.csv", "id,frame,x,y\n1,0,0,0\n".into(), options(), "say it, e.g. --fps 25"),
        ("a.csv", "id,frame,x,y\n1,0.5,0,0\n".into(), at(9.0), "frame is \"0.5\", not a whole"),
        ("a.csv", "id,time,x,y,status\n1,0,0,0,happy\n".into(), options(), "no status \"happy\""),
        ("a.csv", "id,time,x,y,layer\n1,0,0,0,\n".into(), options(), "a.csv:2: layer is missing"),
        ("a.csv", table("1,0,0,0\n"), at(-1.0), "-1 frames per second are not possible"),
        (
            "a.txt",
            "# framerate: 9\n1 0 0\n".into(),
            options(),
            "a.txt:2: there are 3 columns; a row is",
        ),
        ("a.txt", "# x/m\n1 0 0 0\n".into(), options(), "say it, e.g. --fps 25"),
        ("a.txt", "# framerate: 9\n".into(), options(), "a.txt: there are no rows in it"),
        ("a.txt", String::new(), options(), "a.txt: the file is empty"),
        (
            "a.txt",
            "1 2 3 4 5 6 7 8\n1 2 3\n".into(),
            at(9.0),
            "a.txt:2: the row has 3 columns, and the first 8",
        ),
        ("a.txt", format!("1 0 0 0\n{}", "1".repeat(70_000)), at(9.0), "a.txt:2: the line is lon"),
    ] {
        let error = folder.import_text(name, &content, &options).unwrap_err();
        assert!(error.contains(expected), "{error}\n  should have: {expected}");
        assert!(!folder.path("out.parquet").exists());
    }
    let open_quote = format!("id,time,x,y\n1,0,\"0,0\n{}", "1,1,1,1\n".repeat(300_000));
    let error = folder.import_text("a.csv", open_quote, &options()).unwrap_err();
    assert!(error.contains("is a quote left open?"), "{error}");
    let error = folder.import_text("a.txt", b"1 0 0 0\n1 1 \xff 0\n", &at(9.0)).unwrap_err();
    assert!(error.contains("a.txt:2: the line is not text"), "{error}");
    let error = folder.import("none.txt", &options()).unwrap_err();
    assert!(matches!(error, ExchangeError::File(FileError::Io { .. })), "{error}");
}

fn database(folder: &Folder, statements: &str) {
    let path = folder.path("a.sqlite");
    let _ = std::fs::remove_file(&path);
    rusqlite::Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

const TABLES: &str = "
CREATE TABLE trajectory_data (frame, id, pos_x, pos_y, ori_x, ori_y);
CREATE TABLE metadata (key, value);
CREATE TABLE geometry (hash, wkt);
INSERT INTO metadata VALUES ('version', 2), ('fps', 10.0);
INSERT INTO trajectory_data VALUES (1, 1, 1, 0.5, 0, 1), (0, 1, 1, 0.4, 0.0, 1.0);
";

#[test]
fn geometry_becomes_the_world_and_its_obstacles() {
    let folder = Folder::new();
    // An L with a pillar in it, in two overlapping parts, as geometry may change over time.
    database(
        &folder,
        &format!(
            "{TABLES} INSERT INTO geometry VALUES
             (1, 'POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0), (5 1, 6 1, 6 2, 5 2, 5 1))'),
             (2, 'GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 8, 0 8, 0 0)))');"
        ),
    );
    let imported = folder.import("a.sqlite", &options()).unwrap();
    assert_eq!((imported.fps, imported.obstacles), (10.0, 2));
    assert_eq!(imported.warnings, [""; 0]);
    let recording = folder.imported();
    let scene = Scene::parse_plan("a", &recording.info().scene).unwrap();
    assert_eq!((scene.bounds.min, scene.bounds.max), (Vec2::ZERO, Vec2::splat(8.0)));
    let area: f64 = walkable(&scene, LayerId(0)).iter().map(Area::size).sum();
    assert!((area - (32.0 + 16.0 - 1.0)).abs() < 1e-5, "{area}");
    let heading = frames(&mut folder.imported())[0].people.headings[0];
    assert!((heading - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn someone_outside_of_the_geometry_makes_the_world_larger() {
    let folder = Folder::new();
    database(
        &folder,
        &format!("{TABLES} INSERT INTO geometry VALUES (1, 'POLYGON ((2 2, 4 2, 4 4, 2 4))');"),
    );
    let imported = folder.import("a.sqlite", &options()).unwrap();
    assert!(imported.obstacles >= 1);
    let scene = Scene::parse_plan("a", &folder.imported().info().scene).unwrap();
    assert!(scene.bounds.contains(Vec2::new(1.0, 0.4)));
    let area: f64 = walkable(&scene, LayerId(0)).iter().map(Area::size).sum();
    assert!((area - 4.0).abs() < 1e-5, "{area}");
}

#[test]
fn what_is_wrong_with_a_database_is_told() {
    let folder = Folder::new();
    for (statements, expected) in [
        ("CREATE TABLE a (b)", "without a table \"trajectory_data\""),
        (
            "CREATE VIEW trajectory_data AS WITH RECURSIVE n(frame) AS \
             (SELECT 1 UNION ALL SELECT frame + 1 FROM n) SELECT frame FROM n",
            "without a table \"trajectory_data\"",
        ),
        ("UPDATE metadata SET value = 3 WHERE key = 'version'", "version \"3\"; versions 1 and 2"),
        ("DELETE FROM metadata WHERE key = 'fps'", "say it, e.g. --fps 25"),
        ("UPDATE trajectory_data SET pos_x = NULL", "a.sqlite:1: pos_x is Null, not a number"),
        ("UPDATE trajectory_data SET id = -5", "id is -5, which cannot be recorded"),
        ("UPDATE trajectory_data SET pos_y = 1e300", "shift the tracks closer"),
        ("UPDATE trajectory_data SET frame = 0", "a.sqlite:2: person 1 is in frame 0 twice"),
        ("INSERT INTO geometry VALUES (1, 'POINT (1 2)')", "its geometry cannot be read: 1:1: "),
        ("ALTER TABLE trajectory_data DROP COLUMN pos_x", "no such column: pos_x"),
    ] {
        let tables = if statements.starts_with("CREATE") { "" } else { TABLES };
        database(&folder, &format!("{tables}{statements};"));
        let error = folder.import("a.sqlite", &options()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n  should have: {expected}");
    }
    database(&folder, &format!("{TABLES} ALTER TABLE trajectory_data DROP COLUMN ori_x;"));
    folder.import("a.sqlite", &options()).unwrap();
}

#[test]
fn an_import_replaces_nothing_unasked_and_leaves_nothing_half_done() {
    let folder = Folder::new();
    let mut rows = String::from("id,time,x,y\n");
    (0..20_000).for_each(|i| {
        let _ = writeln!(rows, "{},{},{},0", i % 7, i / 7, i / 7);
    });
    let tracks = folder.write("a.csv", rows);
    let out = folder.write("out.parquet", "precious");
    let error = import(&tracks, &out, &options(), |_| true).unwrap_err();
    assert!(matches!(error, ExchangeError::File(FileError::Exists { .. })), "{error}");
    let forced = ImportOptions { overwrite: Overwrite::Yes, ..options() };
    for stage in [Stage::Reading, Stage::Writing] {
        let error = import(&tracks, &out, &forced, |p| p.stage != stage).unwrap_err();
        assert!(matches!(error, ExchangeError::Interrupted), "{error}");
        assert_eq!(folder.read("out.parquet"), "precious");
        assert_eq!(folder.files(), ["a.csv", "out.parquet"]);
    }
    let mut last = None;
    import(&tracks, &out, &forced, |progress| {
        last = Some(progress);
        progress.done <= progress.total
    })
    .unwrap();
    assert_eq!(last.map(|progress| progress.stage), Some(Stage::Writing));
    assert_eq!(folder.files(), ["a.csv", "out.parquet"]);
}
