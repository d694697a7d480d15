//! `throng info`.

use std::fmt;

use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use throng::recording::{Recording, recover};
use throng_eval::line::Trim;
use throng_eval::recorded_scene;

use super::measure::{Measured, summaries};
use crate::args::InfoArguments;
use crate::failure::Failure;
use crate::report;

/// Tells what is in a recording, after repairing it if asked to.
pub fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let path = &arguments.recording;
    let repaired = if arguments.repair { recover(path)?.bytes_dropped } else { 0 };
    let facts = Facts::read(Recording::open(path)?, repaired)?;
    match arguments.format.json {
        true => report::print_json(&facts),
        false => report::print(&facts),
    }
}

/// What is in a recording.
#[derive(Serialize)]
struct Facts {
    file: String,
    scene: String,
    seed: u64,
    step: f64,
    record_every: u32,
    frames: u32,
    duration: f64,
    people: u64,
    groups: Vec<GroupFacts>,
    floors: Vec<String>,
    rows: u64,
    row_groups: usize,
    bytes: u64,
    version: String,
    /// What the recorded scene asks to be measured; `None` if it cannot be read without its files.
    measured: Option<Measured>,
    /// Whether the end of the file is torn and was left out.
    recovered: bool,
    unfinished_bytes: u64,
    repaired_bytes: u64,
}

#[derive(Serialize)]
struct GroupFacts {
    name: String,
    people: u32,
}

impl Facts {
    fn read(mut recording: Recording, repaired_bytes: u64) -> Result<Self, Failure> {
        let counts = recording.people_per_group()?;
        let measured = match recorded_scene(&recording) {
            Ok(scene) if !scene.measurements.is_empty() => {
                let measured = summaries(&mut recording, &scene, Trim::default())?;
                Some(Measured::new(None, measured))
            }
            _ => None,
        };
        let info = recording.info();
        let names = info.groups.iter().map(|group| group.name.clone());
        Ok(Self {
            file: recording.path().display().to_string(),
            scene: info.scene_name.clone(),
            seed: info.seed,
            step: info.step,
            record_every: info.record_every,
            frames: recording.frame_count(),
            duration: recording.duration(),
            people: counts.iter().copied().map(u64::from).sum(),
            groups: names.zip(counts).map(|(name, people)| GroupFacts { name, people }).collect(),
            floors: info.layers.iter().map(|layer| layer.name.clone()).collect(),
            rows: recording.row_count(),
            row_groups: recording.row_group_count(),
            bytes: recording.bytes(),
            version: recording.version().to_owned(),
            measured,
            recovered: recording.recovered(),
            unfinished_bytes: recording.bytes_dropped(),
            repaired_bytes,
        })
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interval = report::seconds(self.step * f64::from(self.record_every));
        writeln!(f, "{}", self.file)?;
        writeln!(f, "  scene    {}, seed {}", self.scene, self.seed)?;
        writeln!(f, "  time     {} in steps of {} s", report::seconds(self.duration), self.step)?;
        writeln!(f, "  frames   {}, one every {interval}", HumanCount(self.frames.into()))?;
        writeln!(f, "  people   {}", HumanCount(self.people))?;
        for group in &self.groups {
            writeln!(f, "           {} {}", HumanCount(group.people.into()), group.name)?;
        }
        writeln!(f, "  floors   {}", self.floors.join(", "))?;
        let groups = report::counted(self.row_groups as u64, "row group", "row groups");
        writeln!(f, "  rows     {} in {groups}", HumanCount(self.rows))?;
        writeln!(f, "  size     {}", DecimalBytes(self.bytes))?;
        write!(f, "  writer   Throng {}", self.version)?;
        if let Some(measured) = &self.measured {
            write!(f, "\n  measured{}", format!("{measured}").replace('\n', "\n         "))?;
        }
        self.fmt_end(f)
    }
}

impl Facts {
    /// Whether the end of the file is, or was, unfinished.
    fn fmt_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.repaired_bytes > 0 {
            let bytes = DecimalBytes(self.repaired_bytes);
            write!(f, "\n  repaired {bytes} of an unfinished end are cut off")?;
        }
        if self.recovered {
            let (bytes, file) = (DecimalBytes(self.unfinished_bytes), &self.file);
            write!(f, "\n  torn     {bytes} more, as the writer was interrupted or is at work")?;
            write!(f, "\n           if it was interrupted, run: throng info --repair {file}")?;
        }
        Ok(())
    }
}
