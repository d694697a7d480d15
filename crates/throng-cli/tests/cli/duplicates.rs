//! No two places of the sources, tests included, share more than ten lines in a row.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Lines in a row that only one place may have. Empty lines and indentation do not count.
const RUN: usize = 11;

/// Folders with sources, from the root of the repository.
const FOLDERS: [&str; 5] = ["crates", "benches", "studio/src", "studio/tests", "tests/python"];
const LANGUAGES: [&str; 3] = ["rs", "ts", "py"];
/// Folders whose content is not ours.
const FOREIGN: [&str; 3] = ["target", "node_modules", "vendor"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !FOREIGN.contains(&name) {
                sources(&path, found);
            }
        } else if LANGUAGES.iter().any(|ending| path.extension().is_some_and(|it| it == *ending)) {
            found.push(path);
        }
    }
}

/// The places of runs that occurred before: file and line of both.
fn repeated(texts: &[(String, String)]) -> Vec<String> {
    let mut words: HashMap<&str, u32> = HashMap::new();
    let mut known: HashMap<[u32; RUN], (usize, usize)> = HashMap::new();
    let mut repeated = Vec::new();
    for (file, (name, text)) in texts.iter().enumerate() {
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        let lines: Vec<(usize, u32)> = lines
            .filter(|(_, line)| !line.is_empty())
            .map(|(number, line)| {
                let next = words.len() as u32;
                (number, *words.entry(line).or_insert(next))
            })
            .collect();
        // Runs that continue a repetition are not reported again.
        let mut reported = 0;
        for (at, run) in lines.windows(RUN).enumerate() {
            let key: [u32; RUN] = std::array::from_fn(|i| run[i].1);
            let (other, line) = *known.entry(key).or_insert((file, at));
            let is_same_place = other == file && line + RUN > at;
            if !is_same_place && at >= reported {
                reported = at + RUN;
                repeated
                    .push(format!("{name}:{} begins as a part of {}", run[0].0, texts[other].0));
            }
        }
    }
    repeated
}

#[test]
fn no_two_places_share_more_than_ten_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in FOLDERS {
        sources(&root.join(folder), &mut paths);
    }
    paths.sort();
    assert!(paths.len() > 1000, "{}", paths.len());
    let name = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
    let texts: Vec<(String, String)> =
        paths.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect();
    let repeated = repeated(&texts);
    assert!(repeated.is_empty(), "say this once:\n{}", repeated.join("\n"));
}

#[test]
fn eleven_equal_lines_are_found_wherever_they_are() {
    let lines = |from: usize, to: usize| -> String {
        (from..to).map(|line| format!("  line {line}\n\n")).collect()
    };
    let text = |name: &str, text: String| (name.to_owned(), text);
    let ten = [text("a", lines(0, 10)), text("b", "x\n".to_owned() + &lines(0, 10))];
    assert!(repeated(&ten).is_empty());
    let eleven = [text("a", lines(0, 30)), text("b", "x\n".to_owned() + &lines(5, 16))];
    assert_eq!(repeated(&eleven), ["b:2 begins as a part of a"]);
    let within = [text("a", lines(0, 11) + "x\n" + &lines(0, 11))];
    assert_eq!(repeated(&within).len(), 1);
    let alike = [text("a", "}\n".repeat(15))];
    assert!(repeated(&alike).is_empty(), "a run is no repetition of itself");
}
