//! The search for patterns in a recording: a thread that reads the file by itself, from the first frame to
//! the last, and leaves what it has found where the stage can look.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use throng::Scene;
use throng::recording::Recording;
use throng_eval::score::{ScoreOptions, find_patterns};

use super::Report;
use crate::protocol::PatternProgress;

/// How often the thread says how far it is.
const INTERVAL: Duration = Duration::from_millis(200);

/// A search under way, or what came of it. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Search {
    report: Arc<Mutex<Report>>,
    is_over: Arc<AtomicBool>,
}

impl Search {
    /// Begins to search a recording of a scene.
    pub fn begin(path: &Path, scene: &Scene) -> Self {
        let report =
            Report { progress: PatternProgress::Searching { part: 0.0 }, events: Vec::new() };
        let search = Self { report: Arc::new(Mutex::new(report)), is_over: Arc::default() };
        let (report, is_over) = (search.report.clone(), search.is_over.clone());
        let (path, scene): (PathBuf, Scene) = (path.into(), scene.clone());
        let look = move || {
            if let Err(why) = search_through(&path, &scene, &report, &is_over) {
                write(&report, |report| report.progress = PatternProgress::Failed { why });
            }
        };
        if let Err(error) = thread::Builder::new().name("patterns".into()).spawn(look) {
            write(&search.report, |report| {
                report.progress = PatternProgress::Failed { why: error.to_string() }
            });
        }
        search
    }

    /// What was found so far.
    pub fn report(&self) -> Report {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn search_through(
    path: &Path,
    scene: &Scene,
    report: &Mutex<Report>,
    is_over: &AtomicBool,
) -> Result<(), String> {
    let mut recording = Recording::open(path).map_err(|error| error.to_string())?;
    let mut last = Instant::now();
    let found = find_patterns(&mut recording, scene, ScoreOptions::default(), |part, events| {
        let now = Instant::now();
        if now >= last + INTERVAL {
            last = now;
            write(report, |report| {
                report.progress = PatternProgress::Searching { part };
                report.events = events.to_vec();
            });
        }
        !is_over.load(Ordering::Relaxed)
    });
    if let Some(events) = found.map_err(|error| error.to_string())? {
        write(report, |report| *report = Report { progress: PatternProgress::Done, events });
    }
    Ok(())
}

fn write(report: &Mutex<Report>, change: impl FnOnce(&mut Report)) {
    change(&mut report.lock().unwrap_or_else(PoisonError::into_inner));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_that_cannot_be_read_says_why() {
        let scene = Scene::parse(
            "a.toml",
            "format = 1\n[world]\nbounds = [[0, 0], [1, 1]]\n",
            Path::new(""),
        );
        let search = Search::begin(Path::new("nowhere.parquet"), &scene.unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let PatternProgress::Failed { why } = search.report().progress {
                return assert!(why.contains("nowhere.parquet"), "{why}");
            }
            assert!(Instant::now() < deadline, "it never ends");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
