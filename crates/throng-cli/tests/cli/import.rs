//! `throng import`.

use crate::support::{Folder, HALL, parse};

const TRACKS: &str = "ped;n;px;py\n7;0;0;0\n7;5;100;0\n3;0;0;500\n7;10;200;0\n";

fn with_tracks() -> Folder {
    let folder = Folder::new();
    folder.write("tracks.csv", TRACKS);
    folder
}

const IMPORT: [&str; 10] = [
    "import",
    "tracks.csv",
    "-o",
    "tracks.parquet",
    "--columns",
    "id=ped,frame=n,x=px,y=py",
    "--unit",
    "cm",
    "--fps",
    "5",
];

#[test]
fn tracks_become_a_recording_that_tells_where_they_come_from() {
    let folder = with_tracks();
    let printed = folder.throng(&IMPORT).ok();
    assert_eq!(
        printed.lines().take(2).collect::<Vec<_>>(),
        ["tracks.csv: 2 people, as csv in cm", "  2 s at 1 fps, 1.00 m/s on average"]
    );
    let info = folder.throng(&["info", "tracks.parquet"]).ok();
    for expected in ["tracks   tracks.csv (csv)\n", "3, one every 1 s\n", "2 people\n"] {
        assert!(info.contains(expected), "no {expected:?} in {info}");
    }
    let facts = folder.throng(&["info", "tracks.parquet", "--json"]).json();
    assert_eq!(facts["imported_from"], "tracks.csv (csv)");
    let message = folder.throng(&IMPORT).fails(2);
    assert!(message.contains("tracks.parquet already exists; choose"), "{message}");
    let summary = folder.throng(&[&IMPORT[..], &["--force", "--json"]].concat()).json();
    assert_eq!((&summary["people"], &summary["gaps"]), (&2.into(), &0.into()));
    assert_eq!((&summary["recording"]["rows"], &summary["unit"]), (&4.into(), &"cm".into()));
    assert_eq!(summary["recording"]["bytes"], folder.read("tracks.parquet").len());
    folder.throng(&["export", "tracks.parquet", "--to", "jupedsim-txt", "-o", "a.txt"]).ok();
    assert_eq!(folder.files(), ["a.txt", "tracks.csv", "tracks.parquet"]);
}

#[test]
fn a_simulation_comes_back_from_every_format() {
    let folder = Folder::with_scene(HALL);
    folder.throng(&["run", "hall.toml"]).ok();
    let facts = folder.throng(&["info", "hall.parquet", "--json"]).json();
    for format in ["csv", "jupedsim-sqlite", "jupedsim-txt"] {
        folder.throng(&["export", "hall.parquet", "--to", format, "-o", "a", "--force"]).ok();
        let summary = folder.throng(&["import", "a", "-o", "b", "--force", "--json"]).json();
        assert_eq!((&summary["format"], &summary["people"]), (&format.into(), &facts["people"]));
        assert_eq!(summary["recording"]["rows"], facts["rows"]);
    }
}

#[test]
fn mistakes_are_refused_with_their_place() {
    let folder = with_tracks();
    folder.write("metres.csv", "id,time,x,y\n1,0,0,0\n1,1,140,0\n");
    folder.write("bad.csv", "id,time,x,y\n1,0,0,0\n1,1,?,0\n");
    for (rest, reason) in [
        ("tracks.csv", "error: tracks.csv:1: there is no column \"id\"; the columns are"),
        ("bad.csv", "error: bad.csv:3: x is \"?\", not a number"),
        ("metres.csv", "people move 140 m/s on average; if lengths are in cm, say so with"),
        ("none.csv", "error: cannot open none.csv: No such file"),
        ("bad.csv --columns who=ped", "there is no column \"who\"; the columns are"),
        ("bad.csv --delimiter ::", "it is one character of ASCII"),
        ("bad.csv --unit ft", "possible values: m, cm, mm"),
        ("bad.csv --from xlsx", "possible values: csv, headerless, jupedsim-sqlite"),
    ] {
        folder.refuses(&format!("import -o a.parquet {rest}"), reason);
    }
    folder.refuses("import bad.csv -o bad.csv --force", "bad.csv is the file with the tracks");
    assert_eq!(folder.files(), ["bad.csv", "metres.csv", "tracks.csv"]);
}

#[test]
fn doubts_are_warnings_on_standard_error_and_in_the_document() {
    let folder = with_tracks();
    let import = [&IMPORT[..7], &["m", "--fps", "5", "--json"]].concat();
    let outcome = folder.throng(&import);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let warning = parse(&outcome.out)["warnings"][0].as_str().unwrap().to_owned();
    assert!(warning.starts_with("people move 100 m/s on average"), "{warning}");
    assert_eq!(outcome.err, format!("warning: {warning}\n"));
}

#[test]
fn what_columns_without_a_header_were_taken_for_is_told() {
    let folder = Folder::new();
    let place = |id: u32, frame: u32| (id * id % 7 + frame / 10, (3 * id) % 5);
    let rows = (0..12).flat_map(|step| (1..9).map(move |id| (10 * step, id)));
    let text: String = rows
        .map(|(frame, id)| {
            let (x, y) = place(id, frame);
            format!("{frame}.0\t{id}.0\t{x}.5\t{y}.0\n")
        })
        .collect();
    folder.write("students.txt", &text);
    let import = ["import", "students.txt", "-o", "a.parquet", "--fps", "25", "--force"];
    let printed = folder.throng(&import).ok();
    assert!(
        printed.contains("8 people, as headerless in m\n  columns read as frame id x y\n"),
        "{printed}"
    );
    let document = folder.throng(&[&import[..], &["--json"]].concat()).json();
    assert_eq!(document["columns"], "frame id x y");
    let columns = ["--columns", "frame=1,id=2,x=4,y=3", "--json"];
    let document = folder.throng(&[&import[..], &columns].concat()).json();
    assert_eq!(document["columns"], "frame id y x");
    folder.write("few.txt", "1 1 0 0\n1 2 3 4\n");
    let refused = folder.throng(&["import", "few.txt", "-o", "b.parquet", "--fps", "25"]).fails(2);
    assert!(refused.contains("--columns frame=1,id=2,x=3,y=4"), "{refused}");
}
