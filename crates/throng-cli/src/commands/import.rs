//! `throng import`.

use std::fmt;
use std::sync::atomic::Ordering;

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::exchange::steersuite::{CaseOptions, import_case, is_case};
use throng::exchange::{Imported, import};
use throng::recording::Overwrite;

use crate::args::ImportArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Makes a recording of tracks.
pub fn run(arguments: &ImportArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let (tracks, out) = (&arguments.tracks, &arguments.out);
    if super::is_same_file(out, tracks) {
        let message = format!("{} is the file with the tracks; record to another", out.display());
        return Err(Failure::Input(message));
    }
    let overwrite = arguments.force.into();
    if arguments.from.is_none() && is_case(tracks) {
        return case(arguments, overwrite);
    }
    if arguments.seed.is_some() {
        let message = "--seed is for test cases; there is nothing random in tracks";
        return Err(Failure::Input(message.into()));
    }
    let options = arguments.reading.options(arguments.from, arguments.fps, overwrite);
    let mut bar = report::exchange_bar();
    let imported = import(tracks, out, &options, |progress| {
        bar(progress);
        !interrupted.load(Ordering::Relaxed)
    })?;
    drop(bar);
    imported.warnings.iter().for_each(|warning| report::warning(warning));
    let summary = Summary::new(tracks.display().to_string(), imported);
    arguments.format.print(&summary)
}

/// Makes a scene of a test case.
fn case(arguments: &ImportArguments, overwrite: Overwrite) -> Result<(), Failure> {
    let fps = arguments.fps.map(|_| "--fps");
    if let Some(name) = fps.or(arguments.reading.given()) {
        let message = format!("{name} is for tracks; leave it out for a test case");
        return Err(Failure::Input(message));
    }
    let options = CaseOptions { seed: arguments.seed.unwrap_or(0), overwrite };
    let imported = import_case(&arguments.tracks, &arguments.out, &options)?;
    let warnings: Vec<String> = imported.case.warnings.iter().map(ToString::to_string).collect();
    warnings.iter().for_each(|warning| report::warning(warning));
    let summary = CaseSummary {
        case: arguments.tracks.display().to_string(),
        name: imported.case.name,
        agents: imported.case.agents,
        obstacles: imported.case.obstacles,
        cameras: imported.case.cameras,
        seed: options.seed,
        scene: imported.path.display().to_string(),
        warnings,
    };
    arguments.format.print(&summary)
}

/// What was made of a test case.
#[derive(Serialize)]
struct CaseSummary {
    case: String,
    name: String,
    agents: u64,
    obstacles: usize,
    cameras: usize,
    seed: u64,
    scene: String,
    warnings: Vec<String>,
}

impl fmt::Display for CaseSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = report::people(self.agents);
        let obstacles = report::counted(self.obstacles as u64, "obstacle", "obstacles");
        write!(f, "{}: {people} and {obstacles}\n  {}", self.case, self.scene)
    }
}

/// What was imported.
#[derive(Serialize)]
struct Summary {
    tracks: String,
    format: &'static str,
    columns: Option<String>,
    unit: &'static str,
    people: u64,
    mean_speed: Option<f64>,
    gaps: u64,
    obstacles: usize,
    duration: f64,
    fps: f64,
    recording: Recorded,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Recorded {
    file: String,
    frames: u32,
    rows: u64,
    bytes: u64,
}

impl Summary {
    fn new(tracks: String, imported: Imported) -> Self {
        Self {
            tracks,
            format: imported.format.name(),
            columns: imported.columns,
            unit: imported.unit.symbol(),
            people: imported.people,
            mean_speed: imported.mean_speed,
            gaps: imported.gaps,
            obstacles: imported.obstacles,
            duration: imported.duration,
            fps: imported.fps,
            recording: Recorded {
                file: imported.path.display().to_string(),
                frames: imported.frames,
                rows: imported.rows,
                bytes: imported.bytes,
            },
            warnings: imported.warnings,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = report::people(self.people);
        writeln!(f, "{}: {people}, as {} in {}", self.tracks, self.format, self.unit)?;
        if let Some(columns) = &self.columns {
            writeln!(f, "  columns read as {columns}")?;
        }
        write!(f, "  {} at {} fps", report::seconds(self.duration), self.fps)?;
        if let Some(speed) = self.mean_speed {
            write!(f, ", {speed:.2} m/s on average")?;
        }
        if self.gaps > 0 {
            write!(f, ", {}", report::counted(self.gaps, "gap", "gaps"))?;
        }
        if self.obstacles > 0 {
            let obstacles = self.obstacles as u64;
            write!(f, ", {}", report::counted(obstacles, "obstacle", "obstacles"))?;
        }
        let recorded = &self.recording;
        let frames = report::counted(recorded.frames.into(), "frame", "frames");
        let (rows, bytes) = (HumanCount(recorded.rows), DecimalBytes(recorded.bytes));
        write!(f, "\n  {}: {frames}, {rows} rows, {bytes}", recorded.file)
    }
}
