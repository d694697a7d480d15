//! Scenes with mistakes, and what is said about them.
//!
//! Each file in `broken/` begins with the errors it must give, one per line, as comments
//! `# line:column: message`, where the message may be the beginning of the real one.

use std::fs;
use std::path::{Path, PathBuf};

use throng_world::Scene;

fn broken_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.flatten().map(|entry| entry.path());
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
    let mut files: Vec<PathBuf> = paths.filter(is_scene).collect();
    files.sort();
    files
}

#[test]
fn every_mistake_is_reported_at_its_place_and_nothing_else() {
    let files = broken_files();
    assert!(files.len() > 100);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let expected: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("# ")).collect();
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        let errors = Scene::load(&path).expect_err(&path.display().to_string());
        let printed: Vec<String> = (errors.errors().iter())
            .map(|error| error.to_string()[path.display().to_string().len() + 1..].to_owned())
            .collect();
        assert_eq!(printed.len(), expected.len(), "{}: {printed:#?}", path.display());
        for (printed, expected) in printed.iter().zip(expected) {
            assert!(
                printed.starts_with(expected),
                "{}\nexpected {expected}\ngot      {printed}",
                path.display()
            );
        }
    }
}

#[test]
fn every_error_shows_a_way_out() {
    for path in broken_files() {
        for error in Scene::load(&path).unwrap_err().errors() {
            assert!(error.help.is_some(), "{error}");
        }
    }
}
