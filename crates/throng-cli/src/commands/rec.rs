//! `throng rec`.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;
use throng::Scene;
use throng::exchange::steersuite::validate_rec;
use throng::recording::{Finding, Recording, Validation, validate};

use crate::args::{RecArguments, RecCommand, ValidateArguments};
use crate::failure::Failure;
use crate::report;

/// Works on recordings.
pub fn run(arguments: &RecArguments) -> Result<(), Failure> {
    match &arguments.command {
        RecCommand::Validate(arguments) => validation(arguments),
    }
}

/// Checks whether a recording can be true, and fails if it cannot.
fn validation(arguments: &ValidateArguments) -> Result<(), Failure> {
    let path = &arguments.recording;
    let scene = arguments.scene.as_ref().map(Scene::load).transpose()?;
    let validation = if is_parquet(path) {
        let mut recording = Recording::open(path)?;
        validate(&mut recording, scene)?
    } else {
        validate_rec(path, scene)?
    };
    let document = Document {
        recording: path.display().to_string(),
        ok: validation.is_ok(),
        validation: &validation,
    };
    arguments.format.print(&document)?;
    if validation.is_ok() { Ok(()) } else { Err(Failure::WorkTold) }
}

fn is_parquet(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    // What cannot be read is told by whoever tries: a recording, unless it is called otherwise.
    match read {
        Ok(()) => &start == b"PAR1",
        Err(_) => path.extension().is_none_or(|ending| ending != "rec"),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    recording: String,
    ok: bool,
    #[serde(flatten)]
    validation: &'a Validation,
}

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let validation = self.validation;
        for finding in &validation.findings {
            writeln!(f, "{}: {}", self.recording, shown(finding))?;
        }
        let kept = validation.findings.len() as u64;
        let all: u64 = validation.counts.values().sum();
        if all > kept {
            writeln!(f, "{}: and {} more", self.recording, all - kept)?;
        }
        let frames = report::counted(validation.frames.into(), "frame", "frames");
        let people = report::people(validation.people as u64);
        if self.ok {
            write!(f, "{}: {}: {frames}, {people}", report::ok(), self.recording)?;
        } else {
            let counts: Vec<String> =
                validation.counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            let found = report::counted(all, "finding", "findings");
            let counts = counts.join(", ");
            write!(f, "{}: {frames}, {people}: {found} ({counts})", self.recording)?;
        }
        validation.unchecked.iter().try_for_each(|what| write!(f, "\n  not checked: {what}"))
    }
}

fn shown(finding: &Finding) -> String {
    let Finding { problem, person, frame, time, place, detail } = finding;
    let mut text = format!("frame {frame} at {}: {}", report::seconds(*time), problem.name());
    if let Some(person) = person {
        text += &format!(": person {person}");
    }
    if let Some([x, y]) = place {
        text += &format!(" at [{x:.2}, {y:.2}]");
    }
    format!("{text}: {detail}")
}
