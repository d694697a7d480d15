//! `throng export`.

use std::fmt;
use std::sync::atomic::Ordering;

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::exchange::{ExportOptions, Exported, Floors, export};
use throng::recording::{Overwrite, Recording};

use crate::args::ExportArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Writes a recording in another format.
pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let mut recording = Recording::open(&arguments.recording)?;
    if super::is_same_file(&arguments.out, &arguments.recording) {
        let out = arguments.out.display();
        return Err(Failure::Input(format!("{out} is the recording; write to another file")));
    }
    let options = ExportOptions {
        format: arguments.to,
        floors: match &arguments.layer {
            Some(name) => Floors::Named(name.clone()),
            None if arguments.all_layers => Floors::All,
            None => Floors::Unambiguous,
        },
        fps: arguments.fps,
        overwrite: if arguments.force { Overwrite::Yes } else { Overwrite::No },
    };
    let mut bar = report::exchange_bar();
    let exported = export(&mut recording, &arguments.out, &options, |progress| {
        bar(progress);
        !interrupted.load(Ordering::Relaxed)
    })?;
    drop(bar);
    exported.warnings.iter().for_each(|warning| report::warning(warning));
    let summary = Summary::new(&recording, exported);
    match arguments.format.json {
        true => report::print_json(&summary),
        false => report::print(&summary),
    }
}

/// What was exported.
#[derive(Serialize)]
struct Summary {
    recording: String,
    file: String,
    format: &'static str,
    layer: Option<String>,
    frames: u32,
    fps: f64,
    rows: u64,
    bytes: u64,
    warnings: Vec<String>,
}

impl Summary {
    fn new(recording: &Recording, exported: Exported) -> Self {
        Self {
            recording: recording.path().display().to_string(),
            file: exported.path.display().to_string(),
            format: exported.format.name(),
            layer: exported.layer,
            frames: exported.frames,
            fps: exported.fps,
            rows: exported.rows,
            bytes: exported.bytes,
            warnings: exported.warnings,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = report::counted(self.frames.into(), "frame", "frames");
        let (rows, bytes) = (HumanCount(self.rows), DecimalBytes(self.bytes));
        write!(f, "{}: {}, ", self.file, self.format)?;
        if let Some(layer) = &self.layer {
            write!(f, "floor {layer}, ")?;
        }
        write!(f, "{frames} at {} fps, {rows} rows, {bytes}", self.fps)
    }
}
