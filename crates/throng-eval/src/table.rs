//! Measurements as a table that other programs read: comma-separated, with a row for each
//! measurement and moment.
//!
//! | column | meaning |
//! |---|---|
//! | `time` | when, s |
//! | `measurement` | its name |
//! | `people` | people in the area |
//! | `density` | people/m² |
//! | `speed` | mean speed, m/s; empty if nobody is there |
//! | `forward`, `backward` | crossings of the line since the beginning |
//! | `flow` | net crossings per second since the row before; empty in the first |
//!
//! Columns of areas are empty for lines and the other way round. Rows are on the disk as soon as they
//! are known, whole rows at a time.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use throng::recording::{Frame, OutputFile, Overwrite, RecordingError};
use throng_world::Scene;

use crate::line::Trim;
use crate::measurements::{Measurements, Reading, Row, Summary};

const HEADING: &str = "time,measurement,people,density,speed,forward,backward,flow\n";

/// Where the table for a recording goes: `hall.measurements.csv` beside `hall.parquet`.
pub fn table_path(recording: &Path) -> PathBuf {
    recording.with_extension("measurements.csv")
}

/// Measures frames and writes a table of what it finds.
///
/// Dropped without [`finish`](Self::finish), it leaves the rows so far.
#[derive(Debug)]
pub struct MeasurementFile {
    measurements: Measurements,
    names: Vec<String>,
    file: OutputFile,
    rows: u64,
}

impl MeasurementFile {
    /// Begins a table at `path` of what `scene` asks for, to be measured by `measurements`.
    ///
    /// # Errors
    ///
    /// If there is a file already and `overwrite` does not allow to replace it, or there is no
    /// place for one.
    pub fn create(
        path: &Path,
        scene: &Scene,
        measurements: Measurements,
        overwrite: Overwrite,
    ) -> Result<Self, RecordingError> {
        let names = scene.measurements.iter().map(|m| quoted(&m.name)).collect();
        let file = OutputFile::create(path, overwrite)?;
        Ok(Self { measurements, names, file, rows: 0 })
    }

    /// The table.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// How many rows have been written.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Measures the next frame.
    ///
    /// # Errors
    ///
    /// If rows cannot be written.
    pub fn push(&mut self, frame: &Frame) -> Result<(), RecordingError> {
        let rows = self.measurements.push(frame.into());
        self.write(&rows)
    }

    /// No more frames follow: writes the last rows, waits until all are on the disk, and returns
    /// what everything comes to.
    ///
    /// # Errors
    ///
    /// If rows cannot be written.
    pub fn finish(mut self, trim: Trim) -> Result<Vec<Summary>, RecordingError> {
        let rows = self.measurements.finish();
        self.write(&rows)?;
        self.file.finish()?;
        Ok(self.measurements.summaries(trim))
    }

    fn write(&mut self, rows: &[Row]) -> Result<(), RecordingError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut text = String::from(if self.rows == 0 { HEADING } else { "" });
        for row in rows {
            text += &line(row, &self.names[row.measurement]);
        }
        self.file.append(&text)?;
        self.rows += rows.len() as u64;
        Ok(())
    }
}

fn line(row: &Row, name: &str) -> String {
    let mut text = format!("{},{name}", number(row.time));
    // Writing to a string cannot fail.
    let _ = match row.reading {
        Reading::Area(area) => writeln!(
            text,
            ",{},{},{},,,",
            area.people,
            number(area.density),
            area.speed.map(number).unwrap_or_default()
        ),
        Reading::Line { forward, backward, flow } => {
            writeln!(text, ",,,,{forward},{backward},{}", flow.map(number).unwrap_or_default())
        }
    };
    text
}

/// A number with six decimals at most: micrometres and microseconds are enough.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// A text as RFC 4180 has it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaReading;

    #[test]
    fn rows_are_plain_and_names_are_quoted_where_they_must_be() {
        let reading = AreaReading { people: 3, density: 1.25, speed: None };
        let row = Row { time: 0.1 + 0.2, measurement: 0, reading: Reading::Area(reading) };
        assert_eq!(
            line(&row, &quoted("hall, \"north\"")),
            "0.3,\"hall, \"\"north\"\"\",3,1.25,,,,\n"
        );
        let reading = Reading::Line { forward: 12, backward: 1, flow: Some(-1.0 / 3.0) };
        let row = Row { time: 2.0, measurement: 0, reading };
        assert_eq!(line(&row, &quoted("door")), "2,door,,,,12,1,-0.333333\n");
        assert_eq!(number(-1e-9), "0");
        let columns = HEADING.split(',').count();
        assert_eq!(line(&row, "door").split(',').count(), columns);
    }
}
