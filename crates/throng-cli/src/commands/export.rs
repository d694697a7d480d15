//! `throng export`.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::exchange::{ExportFormat, ExportOptions, Exported, Floors, export};
use throng::film::{
    BvhFilmed, Fidelity, FilmOptions, Filmed, Spread, Tracked, dressed, smoothed, write_bvh,
    write_glb,
};
use throng::recording::Recording;

use super::film::{Slip, bar};
use crate::args::{ExportArguments, Target};
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
    match arguments.to {
        Target::Table(format) => {
            if let Some(name) = arguments.film.given() {
                let message =
                    format!("{name} is for glb and bvh; leave it out for {}", format.name());
                return Err(Failure::Input(message));
            }
            table(arguments, &mut recording, format, &interrupted)
        }
        Target::Glb | Target::Bvh => film(arguments, &mut recording, &interrupted),
    }
}

fn table(
    arguments: &ExportArguments,
    recording: &mut Recording,
    format: ExportFormat,
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    let options = ExportOptions {
        format,
        floors: match &arguments.layer {
            Some(name) => Floors::Named(name.clone()),
            None if arguments.all_layers => Floors::All,
            None => Floors::Unambiguous,
        },
        fps: arguments.fps,
        overwrite: arguments.force.into(),
    };
    let mut bar = report::exchange_bar();
    let exported = export(recording, &arguments.out, &options, |progress| {
        bar(progress);
        !interrupted.load(Ordering::Relaxed)
    })?;
    drop(bar);
    exported.warnings.iter().for_each(|warning| report::warning(warning));
    let summary = Summary::new(recording, exported);
    arguments.format.print(&summary)
}

fn film(
    arguments: &ExportArguments,
    recording: &mut Recording,
    interrupted: &AtomicBool,
) -> Result<(), Failure> {
    if arguments.layer.is_some() || arguments.all_layers {
        let name = if arguments.layer.is_some() { "--layer" } else { "--all-layers" };
        let message = format!("{name} is for tables; a film shows all floors, at their heights");
        return Err(Failure::Input(message));
    }
    let mut options = FilmOptions {
        play: arguments.film.play(arguments.fps, recording.info().seed),
        scenery: !arguments.film.bare,
        overwrite: arguments.force.into(),
    };
    let last = recording.frame_count().saturating_sub(1);
    let span = (recording.time_of(0), recording.time_of(last));
    let scene = recording.scene().ok();
    options.play.wardrobe = Some(dressed(recording, scene.as_ref(), &options.play)?);
    let tracks = smoothed(recording, &options.play)?;
    let mut motions = Tracked::new(&tracks).during(span);
    let mut bar = bar();
    let progress = |progress| {
        bar(progress);
        !interrupted.load(Ordering::Relaxed)
    };
    let summary = if arguments.to == Target::Glb {
        let without = options.scenery && scene.is_none();
        let filmed = write_glb(&mut motions, scene.as_ref(), &arguments.out, &options, progress)?;
        FilmSummary::of_glb(&filmed, without)
    } else {
        let alone = arguments.film.person.is_some();
        let filmed =
            write_bvh(&mut motions, scene.as_ref(), (&arguments.out, alone), &options, progress)?;
        FilmSummary::of_bvh(arguments, &filmed)
    };
    drop(bar);
    summary.warnings.iter().for_each(|warning| report::warning(warning));
    arguments.format.print(&summary)
}

/// What was filmed.
#[derive(Serialize)]
struct FilmSummary {
    file: String,
    format: &'static str,
    people: u64,
    files: Vec<PersonFile>,
    frames: u32,
    fps: f64,
    begin: f64,
    duration: f64,
    bytes: u64,
    keys: Option<u64>,
    deviation: Option<Spread>,
    slip: Slip,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PersonFile {
    file: String,
    person: u32,
    begin: f64,
    frames: usize,
}

/// What is odd about the ground that people walked on, if it is more than a moment's.
fn odd_ground(fidelity: &Fidelity) -> Vec<String> {
    let told = [
        (fidelity.steep, "is steeper than anybody walks on; bodies do what they can there"),
        (fidelity.unsupported, "has holes or drops below feet, which stand on nothing there"),
    ];
    told.into_iter()
        .filter(|(share, _)| *share > 0.001)
        .map(|(share, what)| format!("the ground of {:.1} % of poses {what}", 100.0 * share))
        .collect()
}

impl FilmSummary {
    fn of_glb(filmed: &Filmed, without_scene: bool) -> Self {
        let mut warnings = Vec::new();
        if without_scene {
            let warning = "floor and walls are left out, as the recorded scene cannot be read";
            warnings.push(warning.to_owned());
        }
        warnings.extend(odd_ground(&filmed.fidelity));
        Self {
            file: filmed.path.display().to_string(),
            format: "glb",
            people: filmed.people,
            files: Vec::new(),
            frames: filmed.frames,
            fps: filmed.fps,
            begin: filmed.begin,
            duration: filmed.duration,
            bytes: filmed.bytes,
            keys: Some(filmed.keys),
            deviation: Some(filmed.fidelity.deviation),
            slip: (&filmed.fidelity.skate).into(),
            warnings,
        }
    }

    fn of_bvh(arguments: &ExportArguments, filmed: &BvhFilmed) -> Self {
        let mut people: Vec<u32> = filmed.files.iter().map(|file| file.person).collect();
        people.dedup();
        let begin = filmed.files.iter().map(|file| file.begin).fold(f64::INFINITY, f64::min);
        let end = filmed
            .files
            .iter()
            .map(|file| file.begin + file.frames.saturating_sub(1) as f64 / filmed.fps)
            .fold(begin, f64::max);
        let (begin, duration) = if begin.is_finite() { (begin, end - begin) } else { (0.0, 0.0) };
        let files = filmed.files.iter().map(|file| PersonFile {
            file: file.path.display().to_string(),
            person: file.person,
            begin: file.begin,
            frames: file.frames,
        });
        Self {
            file: arguments.out.display().to_string(),
            format: "bvh",
            people: people.len() as u64,
            files: files.collect(),
            frames: (duration * filmed.fps).round() as u32 + 1,
            fps: filmed.fps,
            begin,
            duration,
            bytes: filmed.files.iter().map(|file| file.bytes).sum(),
            keys: None,
            deviation: None,
            slip: (&filmed.skate).into(),
            warnings: Vec::new(),
        }
    }
}

impl fmt::Display for FilmSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people = report::people(self.people);
        let (time, bytes) = (report::seconds(self.duration), DecimalBytes(self.bytes));
        write!(f, "{}: {}, {people}, ", self.file, self.format)?;
        if !self.files.is_empty() {
            write!(f, "{}, ", report::counted(self.files.len() as u64, "file", "files"))?;
        }
        writeln!(f, "{time} at {} fps, {bytes}", self.fps)?;
        write!(f, "  feet slide {}", self.slip)
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
