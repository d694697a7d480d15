//! `throng run`.

use crate::support::{BROKEN, Folder, HALL};

#[test]
fn the_recording_is_named_after_the_scene_and_the_summary_tells_about_it() {
    let folder = Folder::with_scene(HALL);
    let summary = folder.throng(&["run", "hall.toml", "--threads", "1"]).ok();
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml"]);
    let lines: Vec<&str> = summary.lines().collect();
    let [people, time, speed, states, file] = lines[..] else { panic!("{summary}") };
    assert_eq!(people, "Hall: 38 people");
    assert!(time.starts_with("  4 s simulated in ") && time.ends_with(" times real time"));
    assert!(speed.ends_with(" million person-steps/s on 1 thread"), "{speed}");
    assert!(states.contains(" left, ") && states.contains(" walking"), "{states}");
    assert!(file.starts_with("  hall.parquet: 41 frames, ") && file.ends_with("kB"), "{file}");
}

#[test]
fn a_recording_goes_to_the_current_folder_even_if_the_scene_is_elsewhere() {
    let (scenes, folder) = (Folder::with_scene(HALL), Folder::new());
    folder.throng(&["run", scenes.path("hall.toml").to_str().unwrap()]).ok();
    assert_eq!(
        (folder.files(), scenes.files()),
        (vec!["hall.parquet".into()], vec!["hall.toml".into()])
    );
}

#[test]
fn the_json_summary_has_the_facts_and_they_agree_with_the_file() {
    let folder = Folder::with_scene(HALL);
    let arguments =
        ["run", "hall.toml", "-o", "a.parquet", "--seed", "9", "--duration", "2", "--json"];
    let facts = folder.throng(&arguments).json();
    assert_eq!(facts["scene"], "hall.toml");
    assert_eq!((&facts["seed"], &facts["steps"]), (&9.into(), &20.into()));
    assert_eq!((&facts["simulated"], &facts["interrupted"]), (&2.0.into(), &false.into()));
    assert!(facts["elapsed"].as_f64().unwrap() > 0.0);
    assert!(facts["times_real_time"].as_f64().unwrap() > 0.0);
    let people = &facts["people"];
    let states = [
        "left",
        "arrived",
        "walking",
        "waiting",
        "blocked",
        "no_path",
        "queueing",
        "fallen",
        "panicking",
    ];
    let sum: u64 = states.iter().map(|state| people[state].as_u64().unwrap()).sum();
    assert_eq!(people["total"], sum);
    let recording = &facts["recording"];
    assert_eq!((&recording["file"], &recording["frames"]), (&"a.parquet".into(), &21.into()));
    assert_eq!(recording["bytes"], folder.read("a.parquet").len());
    let info = folder.throng(&["info", "a.parquet", "--json"]).json();
    assert_eq!((&info["rows"], &info["seed"]), (&recording["rows"], &9.into()));
    assert_eq!(info["people"], people["total"]);
}

#[test]
fn without_recording_nothing_is_written() {
    let folder = Folder::with_scene(HALL);
    let facts = folder.throng(&["run", "hall.toml", "--no-record", "--json"]).json();
    assert!(facts["recording"].is_null());
    assert_eq!(folder.files(), ["hall.toml"]);
}

#[test]
fn a_file_that_is_there_is_only_replaced_by_force() {
    let folder = Folder::with_scene(&crate::support::endless_hall());
    folder.write("hall.parquet", "precious");
    // The scene would take for ever: the refusal comes before it begins.
    let message = folder.throng(&["run", "hall.toml"]).fails(2);
    assert!(message.contains("hall.parquet already exists"), "{message}");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(folder.read("hall.parquet"), b"precious");
    folder.throng(&["run", "hall.toml", "--force", "--duration", "1"]).ok();
    let info = folder.throng(&["info", "hall.parquet", "--json"]).json();
    assert_eq!(info["frames"], 11);
    assert_eq!(folder.files(), ["hall.parquet", "hall.toml"]);
}

#[test]
fn the_scene_itself_is_never_replaced() {
    let folder = Folder::with_scene(HALL);
    folder.refuses("run hall.toml --out ./hall.toml --force", "is the scene");
    assert_eq!(folder.read("hall.toml"), HALL.as_bytes());
}

#[test]
fn threads_do_not_change_the_file_and_the_seed_does() {
    // Fewer than 3,000 people run on one thread whatever is asked for.
    let crowded = HALL
        .replace("duration = 4", "duration = 1")
        .replace("[[-10, -10], [10, 10]]", "[[-60, -60], [60, 60]]")
        .replace("[[-8, -8], [8, 8]]", "[[-58, -58], [58, 58]]")
        .replace("count = 30", "count = 3200");
    let folder = Folder::with_scene(&crowded);
    for (file, option, value) in [
        ("1.parquet", "--threads", "1"),
        ("3.parquet", "--threads", "3"),
        ("same.parquet", "--seed", "3"),
        ("other.parquet", "--seed", "4"),
    ] {
        folder.throng(&["run", "hall.toml", "--out", file, option, value]).ok();
    }
    let first = folder.read("1.parquet");
    assert!(folder.read("3.parquet") == first && folder.read("same.parquet") == first);
    assert!(folder.read("other.parquet") != first);
}

#[test]
fn wrong_arguments_are_refused_before_anything_happens() {
    let folder = Folder::with_scene(HALL);
    for (rest, reason) in [
        ("--threads 0", "0 is not in 1..=1024"),
        ("--threads 1025", "1025 is not in 1..=1024"),
        ("--threads many", "invalid value 'many'"),
        ("--duration -1", "--duration: a scene cannot run for -1 s; give a positive number"),
        ("--duration 0", "a scene cannot run for 0 s"),
        ("--duration NaN", "a scene cannot run for NaN s"),
        ("--duration inf", "a scene cannot run for inf s"),
        ("--duration 1e9", "more than a billion steps"),
        ("--duration soon", "invalid value 'soon'"),
        ("--seed 1.5", "invalid value '1.5'"),
        ("--no-record --out a.parquet", "cannot be used with"),
        ("--out no/such/folder/a.parquet", "its folder does not exist"),
        ("--out .", "it is a folder"),
        ("--outt a.parquet", "'--out'"),
    ] {
        folder.refuses(&format!("run hall.toml {rest}"), reason);
    }
    assert_eq!(folder.files(), ["hall.toml"]);
}

#[test]
fn a_broken_or_missing_scene_is_explained() {
    let folder = Folder::with_scene(BROKEN);
    let message = folder.throng(&["run", "hall.toml"]).fails(2);
    assert!(message.starts_with("hall.toml:6:1: unknown key `speeed`; did you mean"), "{message}");
    let message = folder.throng(&["run", "no.toml", "--json"]).fails(2);
    assert!(message.starts_with("no.toml: cannot read the scene file"), "{message}");
    assert_eq!(folder.files(), ["hall.toml"]);
}

#[test]
fn with_bodies_people_are_where_their_feet_let_them_be() {
    let folder = Folder::with_scene(HALL);
    let run = |name: &str, more: &[&str]| {
        let arguments = ["run", "hall.toml", "-o", name, "--duration", "2"];
        folder.throng(&[&arguments[..], more].concat()).ok();
        std::fs::read(folder.path(name)).unwrap()
    };
    let (with, without) =
        (run("with.parquet", &["--bodies", "--threads", "1"]), run("without.parquet", &[]));
    assert_ne!(with, without);
    assert_eq!(with, run("again.parquet", &["--bodies", "--threads", "3"]));
}
