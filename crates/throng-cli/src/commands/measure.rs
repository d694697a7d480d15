//! `throng measure`.

use std::fmt;

use serde::Serialize;
use throng::Scene;
use throng::recording::Recording;
use throng_eval::line::Trim;
use throng_eval::{
    AreaSummary, LineSummary, MeasurementFile, Measurements, Summary, measure, recorded_scene,
    table_path,
};

use super::is_same_file;
use crate::args::MeasureArguments;
use crate::failure::Failure;
use crate::report;

/// Measures what was recorded.
pub fn run(arguments: &MeasureArguments) -> Result<(), Failure> {
    let mut recording = Recording::open(&arguments.recording)?;
    let scene = match &arguments.scene {
        Some(path) => Scene::load(path)?,
        None => recorded_scene(&recording)?,
    };
    if scene.measurements.is_empty() {
        return Err(nothing_to_measure(&scene, "name another scene with --scene"));
    }
    let trim = Trim { first: arguments.drop_first, last: arguments.drop_last };
    let measured = if arguments.no_table {
        Measured::new(None, summaries(&mut recording, &scene, trim)?)
    } else {
        let out = arguments.out.clone().unwrap_or_else(|| table_path(&arguments.recording));
        for input in arguments.scene.iter().chain([&arguments.recording]) {
            if is_same_file(&out, input) {
                let message = format!("{} is what is measured; name another table", out.display());
                return Err(Failure::Input(message));
            }
        }
        let overwrite = arguments.force.into();
        let measurements = measurements(&recording, &scene);
        let mut file = MeasurementFile::create(&out, &scene, measurements, overwrite)?;
        measure(&mut recording, &scene, |frame| file.push(frame))?;
        Measured::new(Some(out.display().to_string()), file.finish(trim)?)
    };
    match arguments.format.json {
        true => report::print_json(&measured),
        false => report::print(format_args!("{}{measured}", arguments.recording.display())),
    }
}

/// That `scene` has no measurements, and what else to do than to add some.
pub fn nothing_to_measure(scene: &Scene, way_out: &str) -> Failure {
    let name = &scene.source.name;
    Failure::Input(format!(
        "{name} asks for no measurements; add [[measurements]] to it, or {way_out}"
    ))
}

/// What all measurements of `scene` come to in a recording.
pub fn summaries(
    recording: &mut Recording,
    scene: &Scene,
    trim: Trim,
) -> Result<Vec<Summary>, Failure> {
    let mut measurements = measurements(recording, scene);
    measure(recording, scene, |frame| {
        measurements.push(frame.into());
        Ok(())
    })?;
    measurements.finish();
    Ok(measurements.summaries(trim))
}

fn measurements(recording: &Recording, scene: &Scene) -> Measurements {
    Measurements::with_interval(scene, recording.info().interval())
}

/// What was measured, for people or for scripts.
#[derive(Serialize)]
pub struct Measured {
    /// The table with all of it.
    table: Option<String>,
    measurements: Vec<Summary>,
}

impl Measured {
    pub fn new(table: Option<String>, measurements: Vec<Summary>) -> Self {
        Self { table, measurements }
    }
}

impl fmt::Display for Measured {
    /// A line for each measurement, each after a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for summary in &self.measurements {
            write!(f, "\n  ")?;
            match summary {
                Summary::Line(line) => fmt_line(line, f)?,
                Summary::Area(area) => fmt_area(area, f)?,
            }
        }
        match &self.table {
            Some(table) => write!(f, "\n  {table}"),
            None => Ok(()),
        }
    }
}

/// "door: 150 people forwards at 2.1 people/s; 1.75 people/(m s)".
fn fmt_line(line: &LineSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let ways = [
        (line.forward, line.flow_forward, "forwards"),
        (line.backward, line.flow_backward, "backwards"),
    ];
    let shown: Vec<String> = (ways.iter().filter(|(people, ..)| *people > 0))
        .map(|(people, flow, way)| {
            let flow = flow.map(|flow| format!(" at {flow:.2} people/s")).unwrap_or_default();
            format!("{} {way}{flow}", report::people(*people as u64))
        })
        .collect();
    match shown.is_empty() {
        true => write!(f, "{}: nobody passed", line.name)?,
        false => write!(f, "{}: {}", line.name, shown.join(", "))?,
    }
    match line.specific_flow {
        Some(flow) => write!(f, "; {flow:.2} people/(m s)"),
        None => Ok(()),
    }
}

/// "queue: 2.31 people/m² on average, 4.05 at most; 0.42 m/s".
fn fmt_area(area: &AreaSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if area.samples == 0 {
        return write!(f, "{}: nobody came", area.name);
    }
    let (mean, most) = (area.density, area.largest_density);
    write!(f, "{}: {mean:.2} people/m² on average, {most:.2} at most", area.name)?;
    match area.speed {
        Some(speed) => write!(f, "; {speed:.2} m/s"),
        None => Ok(()),
    }
}
