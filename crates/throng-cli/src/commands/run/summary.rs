//! What a run has come to.

use std::fmt;

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::crowd::Status;
use throng::recording::{Recorder, RecordingError};
use throng::{Engine, RunSummary};

pub use crate::commands::measure::Measured;
use crate::report;

/// What is printed at the end, for people or for scripts.
#[derive(Serialize)]
pub struct Summary {
    scene: String,
    name: String,
    seed: u64,
    step: f64,
    threads: usize,
    /// Whether the user ended it before the scene's duration was over.
    pub interrupted: bool,
    duration: f64,
    simulated: f64,
    elapsed: f64,
    times_real_time: f64,
    steps: u64,
    person_steps: u64,
    person_steps_per_second: f64,
    people: People,
    recording: Option<Recorded>,
    measured: Option<Measured>,
}

/// What a run has written and found out.
pub struct Results {
    pub recording: Option<Recorded>,
    pub measured: Option<Measured>,
}

/// What has become of everyone.
#[derive(Serialize)]
struct People {
    total: u64,
    left: u64,
    arrived: usize,
    walking: usize,
    waiting: usize,
    blocked: usize,
    no_path: usize,
    queueing: usize,
    fallen: usize,
    panicking: usize,
}

/// What was recorded.
#[derive(Serialize)]
pub struct Recorded {
    file: String,
    frames: u32,
    rows: u64,
    bytes: u64,
}

impl Recorded {
    /// Completes a recording.
    pub fn finish(recorder: Recorder) -> Result<Self, RecordingError> {
        let file = recorder.path().display().to_string();
        let done = recorder.finish()?;
        Ok(Self { file, frames: done.frames, rows: done.rows, bytes: done.bytes })
    }
}

impl Summary {
    /// The summary of a run of `engine`.
    pub fn new(engine: &Engine, ran: &RunSummary, results: Results) -> Self {
        let scene = engine.scene();
        // A step takes longer than the clock's resolution, but a division by zero is no JSON.
        let elapsed = ran.elapsed.as_secs_f64().max(1e-9);
        Self {
            scene: scene.source.name.clone(),
            name: scene.name.clone(),
            seed: scene.settings.seed,
            step: scene.settings.step,
            threads: engine.threads(),
            interrupted: !engine.is_finished(),
            duration: scene.settings.duration,
            simulated: ran.simulated,
            elapsed,
            times_real_time: ran.simulated / elapsed,
            steps: ran.steps,
            person_steps: ran.person_steps,
            person_steps_per_second: ran.person_steps as f64 / elapsed,
            people: People::of(engine),
            recording: results.recording,
            measured: results.measured,
        }
    }
}

impl People {
    fn of(engine: &Engine) -> Self {
        let crowd = engine.crowd();
        let total = u64::from(crowd.ever());
        Self {
            total,
            left: total - crowd.len() as u64,
            arrived: crowd.count(Status::Arrived),
            walking: crowd.count(Status::Walking),
            waiting: crowd.count(Status::Waiting),
            blocked: crowd.count(Status::Blocked),
            no_path: crowd.count(Status::NoPath),
            queueing: crowd.count(Status::Queueing),
            fallen: crowd.count(Status::Fallen),
            panicking: crowd.count(Status::Panicking),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (simulated, elapsed) = (report::seconds(self.simulated), report::seconds(self.elapsed));
        let threads = report::counted(self.threads as u64, "thread", "threads");
        let (people, faster) = (report::people(self.people.total), self.times_real_time);
        writeln!(f, "{}: {people}", self.name)?;
        writeln!(f, "  {simulated} simulated in {elapsed}, {faster:.1} times real time")?;
        let millions = self.person_steps_per_second / 1e6;
        writeln!(f, "  {millions:.2} million person-steps/s on {threads}")?;
        write!(f, "  {}", self.people)?;
        if self.interrupted {
            write!(f, "\n  interrupted at {simulated} of {}", report::seconds(self.duration))?;
        }
        if let Some(measured) = &self.measured {
            write!(f, "{measured}")?;
        }
        match &self.recording {
            Some(recording) => write!(f, "\n  {recording}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for People {
    /// "12 left, 3 walking": only what there is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.left, "left"),
            (self.arrived as u64, "arrived"),
            (self.walking as u64, "walking"),
            (self.waiting as u64, "waiting"),
            (self.blocked as u64, "blocked"),
            (self.no_path as u64, "without a path"),
            (self.queueing as u64, "queueing"),
            (self.fallen as u64, "fallen"),
            (self.panicking as u64, "in panic"),
        ];
        let shown = counts.iter().filter(|(count, _)| *count > 0);
        let shown: Vec<String> =
            shown.map(|&(count, what)| format!("{} {what}", HumanCount(count))).collect();
        f.write_str(if shown.is_empty() { "nobody came" } else { "" })?;
        f.write_str(&shown.join(", "))
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = report::counted(self.frames.into(), "frame", "frames");
        write!(f, "{}: {frames}, {}", self.file, DecimalBytes(self.bytes))
    }
}
