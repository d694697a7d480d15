//! Recordings that are taken away from the files of their scene.

use crate::support::{Folder, HALL, Outcome};

const SCENE: &str = include_str!("../../../../scenes/t-junction.toml");
const PLAN: &str = include_str!("../../../../scenes/t-junction.wkt");

/// A folder with nothing but a recording of `scene`, which names the `files`.
fn moved(scene: &str, files: &[(&str, &str)]) -> (Folder, Outcome) {
    let (home, away) = (Folder::with_scene(scene), Folder::new());
    files.iter().for_each(|(name, text)| home.write(name, text));
    let ran = home.throng(&["run", "hall.toml", "--duration", "20"]);
    away.write("a.parquet", home.read("hall.parquet"));
    (away, ran)
}

fn t_junction() -> Folder {
    let (folder, ran) = moved(SCENE, &[("t-junction.wkt", PLAN)]);
    ran.ok();
    folder
}

/// Writes `other` wherever `text` is in the recording.
fn replace(folder: &Folder, text: &str, other: &str) {
    assert_eq!(text.len(), other.len(), "offsets stay");
    let mut bytes = folder.read("a.parquet");
    let places: Vec<usize> = (0..bytes.len() - text.len())
        .filter(|&place| bytes[place..].starts_with(text.as_bytes()))
        .collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place..place + other.len()].copy_from_slice(other.as_bytes());
    }
    folder.write("a.parquet", bytes);
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_recording_takes_the_plan_of_its_scene_along() {
    let folder = t_junction();
    folder.throng(&["plot", "a.parquet", "-o", "a.svg"]).ok();
    assert!(contains(&folder.read("a.svg"), "id=\"obstacles\""), "walls are drawn");
    let measured = folder.throng(&["measure", "a.parquet", "--no-table", "--json"]).json();
    assert_eq!(measured["measurements"].as_array().unwrap().len(), 3);
    let info = folder.throng(&["info", "a.parquet"]).ok();
    assert!(info.contains("where they meet: "), "{info}");
    folder.throng(&["export", "a.parquet", "--to", "jupedsim-sqlite", "-o", "a.sqlite"]).ok();
    assert!(contains(&folder.read("a.sqlite"), "12 0, 12 2.4"), "the walkable area is the T");
}

#[test]
fn a_recording_of_a_hill_needs_no_hill() {
    let hill = "v -10 0 10\nv 10 0 10\nv 10 4 -10\nv -10 4 -10\nf 1 2 3 4\n";
    let hilly = HALL.replace("[world]\n", "[world]\nterrain = { mesh = \"hill.obj\" }\n");
    let line = "\n[[measurements]]\nname = \"south\"\nline = [[-8, 0], [8, 0]]\n";
    let (folder, ran) = moved(&format!("{hilly}{line}"), &[("hill.obj", hill)]);
    ran.ok();
    folder.throng(&["plot", "a.parquet", "-o", "a.svg"]).ok();
    folder.throng(&["measure", "a.parquet", "--no-table"]).ok();
    folder.throng(&["export", "a.parquet", "--to", "jupedsim-sqlite", "-o", "a.sqlite"]).ok();
}

#[test]
fn plans_that_are_too_large_stay_outside_and_are_found_beside_the_recording() {
    let large = format!("{PLAN}{}", " ".repeat(8 << 20));
    let (folder, ran) = moved(SCENE, &[("t-junction.wkt", &large)]);
    assert!(ran.code == Some(0) && ran.err.contains("larger than 8.00 MiB"), "{}", ran.err);
    assert!(folder.read("a.parquet").len() < 4 << 20);
    folder.refuses("measure a.parquet --no-table", "t-junction.wkt");
    folder.write("t-junction.wkt", PLAN);
    folder.throng(&["measure", "a.parquet", "--no-table"]).ok();
}

#[test]
fn damaged_plans_in_a_recording_are_told_and_do_no_harm() {
    let folder = t_junction();
    replace(&folder, "\"POLYGON ((", "\"POLYGOM ((");
    for command in [&["plot", "a.parquet", "-o", "a.svg"][..], &["measure", "a.parquet"]] {
        let message = folder.throng(command).fails(2);
        assert!(message.contains("a.parquet is damaged: its footer"), "{message}");
    }
    assert!(!folder.path("a.svg").exists());
}
