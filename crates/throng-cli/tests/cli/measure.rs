//! Measurements of `throng run`, and `throng measure`.

use crate::support::{Folder, HALL};

fn measured_hall() -> Folder {
    let measurements = r#"
[[measurements]]
name = "door"
line = [[8, -2], [8, 2]]
[[measurements]]
name = "floor"
area = "floor"
interval = 2
"#;
    Folder::with_scene(&format!("{HALL}{measurements}"))
}

#[test]
fn a_run_writes_a_table_beside_the_recording_and_tells_what_it_comes_to() {
    let folder = measured_hall();
    let summary = folder.throng(&["run", "hall.toml"]).ok();
    assert_eq!(folder.files(), ["hall.measurements.csv", "hall.parquet", "hall.toml"]);
    let table = String::from_utf8(folder.read("hall.measurements.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "time,measurement,people,density,speed,forward,backward,flow");
    assert_eq!(lines.len(), 1 + 5 + 3, "every second, and every other: {table}");
    assert!(lines[1] == "0,door,,,,0,0," && lines[2].starts_with("0,floor,"), "{table}");
    assert!(lines.iter().all(|line| line.matches(',').count() == 7), "{table}");
    assert!(summary.contains("\n  floor: 0."), "{summary}");
    assert!(summary.contains(" people/m² on average, 0."), "{summary}");
    assert!(summary.contains("\n  door: ") && summary.contains("hall.measurements.csv"));
    let info = folder.throng(&["info", "hall.parquet"]).ok();
    assert!(info.contains("\n  measured\n") && info.contains("           floor: 0."), "{info}");
}

#[test]
fn a_recording_measured_later_gives_the_same_table() {
    let folder = measured_hall();
    folder.throng(&["run", "hall.toml"]).ok();
    let table = folder.read("hall.measurements.csv");
    folder.refuses("measure hall.parquet", "hall.measurements.csv already exists");
    let facts = folder.throng(&["measure", "hall.parquet", "--out", "b.csv", "--json"]).json();
    assert_eq!(facts["table"], "b.csv");
    assert_eq!(facts["measurements"][1]["samples"], 3);
    assert!(folder.read("b.csv") == table);
    folder.throng(&["measure", "hall.parquet", "--force"]).ok();
    assert!(folder.read("hall.measurements.csv") == table);
    let facts = folder.throng(&["run", "hall.toml", "--no-record", "--json"]).json();
    let measured = &facts["measured"]["measurements"];
    assert_eq!(measured.as_array().unwrap().len(), 2, "measured, if not written");
    let again = folder.throng(&["measure", "hall.parquet", "--no-table", "--json"]).json();
    assert_eq!(&again["measurements"], measured);
    assert_eq!(folder.files(), ["b.csv", "hall.measurements.csv", "hall.parquet", "hall.toml"]);
}

#[test]
fn another_scene_can_ask_for_other_things() {
    let folder = measured_hall();
    folder.throng(&["run", "hall.toml"]).ok();
    folder.write("plain.toml", HALL);
    let refused = folder.throng(&["measure", "hall.parquet", "--scene", "plain.toml"]).fails(2);
    assert!(refused.contains("plain.toml asks for no measurements"), "{refused}");
    let line = "\n[[measurements]]\nname = \"south\"\nline = [[-8, 0], [8, 0]]\n";
    folder.write("other.toml", format!("{HALL}{line}"));
    let arguments = ["measure", "hall.parquet", "--scene", "other.toml", "--no-table"];
    let printed = folder.throng(&arguments).ok();
    assert!(printed.starts_with("hall.parquet\n  south: "), "{printed}");
}

#[test]
fn tables_that_are_there_are_only_replaced_by_force() {
    let folder = measured_hall();
    folder.write("hall.measurements.csv", "precious");
    folder.refuses("run hall.toml", "hall.measurements.csv already exists");
    assert_eq!(folder.files(), ["hall.measurements.csv", "hall.toml"], "no recording is begun");
    assert_eq!(folder.read("hall.measurements.csv"), b"precious");
    folder.throng(&["run", "hall.toml", "--force"]).ok();
    assert!(folder.read("hall.measurements.csv").starts_with(b"time,measurement,"));
    let recording = folder.read("hall.parquet");
    let arguments = ["measure", "hall.parquet", "--out", "./hall.parquet", "--force"];
    let message = folder.throng(&arguments).fails(2);
    assert!(message.contains("is what is measured"), "{message}");
    assert!(folder.read("hall.parquet") == recording);
    for name in ["hall.toml", "no.parquet"] {
        folder.throng(&["measure", name]).fails(2);
    }
}

#[test]
fn tables_can_be_in_parquet() {
    let folder = measured_hall();
    let run = ["run", "hall.toml", "--measurements", "live.parquet", "--json"];
    let facts = folder.throng(&run).json();
    assert_eq!(facts["measured"]["table"], "live.parquet");
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml", "live.parquet"]);
    let table = folder.read("live.parquet");
    assert!(table.starts_with(b"PAR1") && table.ends_with(b"PAR1"));
    folder.throng(&["measure", "hall.parquet", "-o", "later.parquet"]).ok();
    assert!(folder.read("later.parquet") == table, "the same bytes");
    let message = folder.throng(&["info", "live.parquet"]).fails(2);
    assert!(message.contains("live.parquet"), "no recording: {message}");
    folder.write("later.parquet", "precious");
    let again = ["measure", "hall.parquet", "-o", "later.parquet"];
    let message = folder.throng(&again).fails(2);
    assert!(message.contains("later.parquet already exists"), "{message}");
    assert_eq!(folder.read("later.parquet"), b"precious");
    folder.throng(&["measure", "hall.parquet", "-o", "later.parquet", "--force"]).ok();
    assert!(folder.read("later.parquet") == table);
    let files = ["hall.parquet", "hall.toml", "later.parquet", "live.parquet"];
    assert_eq!(folder.files(), files, "no part is left over");
}

#[test]
fn a_run_refuses_tables_that_cannot_be() {
    let folder = measured_hall();
    folder.write("plain.toml", HALL);
    for (arguments, reason) in [
        (["plain.toml", "--measurements", "a.csv"], "plain.toml asks for no measurements"),
        (["hall.toml", "--measurements", "hall.toml"], "is the scene or its recording"),
        (["hall.toml", "--measurements", "./hall.parquet"], "is the scene or its recording"),
        (["hall.toml", "--measurements", "no/a.parquet"], "its folder does not exist"),
    ] {
        let [scene, option, table] = arguments;
        let message = folder.throng(&["run", scene, option, table, "--force"]).fails(2);
        assert!(message.contains(reason), "{message}");
        assert_eq!(folder.files(), ["hall.toml", "plain.toml"], "nothing is begun");
    }
    let both = ["run", "hall.toml", "--no-record", "--measurements", "a.csv"];
    assert!(folder.throng(&both).fails(2).contains("cannot be used with"));
}
