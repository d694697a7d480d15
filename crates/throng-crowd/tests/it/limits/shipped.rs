//! Nobody in the scenes that ship moves as no body could.

use super::measure::{Seen, measure};

/// Too many people for a test that is always run.
const LARGE: &[&str] = &["city", "square-20k", "square-100k", "stream-500k"];

/// Seconds of each scene. `THRONG_LONG` makes it the whole of it, and a few seconds of the largest.
fn measured() -> Vec<(String, Seen)> {
    let long = std::env::var_os("THRONG_LONG").is_some();
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    assert!(files.len() > 25, "{files:?}");
    let named = files
        .into_iter()
        .map(|path| (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), path));
    let taken = named.filter(|(name, _)| long || !LARGE.contains(&&**name));
    taken
        .map(|(name, path)| {
            let seconds = match (long, LARGE.contains(&&*name)) {
                (true, true) => 3.0,
                (true, false) => f64::INFINITY,
                (false, _) => 8.0,
            };
            let seen = measure(&path, seconds, 20_261);
            (name, seen)
        })
        .collect()
}

#[test]
fn nobody_in_any_scene_moves_as_no_body_could() {
    for (name, seen) in measured() {
        let above = seen.above[0] as f64 / seen.samples.max(1) as f64;
        assert!(above <= 1e-3, "{name}: {above} of accelerations above 3 m/s²: {seen:?}");
        assert_eq!(seen.above[1], 0, "{name}: above 6 m/s²: {seen:?}");
        assert_eq!(seen.turned, 0, "{name}: people turn round at speed: {seen:?}");
    }
}
