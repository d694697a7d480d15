//! Measurements as a table that other programs read: comma-separated or in Parquet, with a row for
//! each measurement and moment.
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
//! Columns of areas are empty for lines and the other way round; empty is null in Parquet. Numbers are
//! the same in both. Comma-separated rows are on the disk as soon as they are known, whole rows at a
//! time. A Parquet file cannot be read before its end is written, so it is there when all is measured
//! and not before.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use throng::recording::{
    Frame, OutputFile, Overwrite, RecordingError, TableColumn, TableFile, TableValues,
};
use throng_world::Scene;

use crate::area::AreaReading;
use crate::line::Trim;
use crate::measurements::{Measurements, Reading, Row, Summary};

const COLUMNS: [&str; 8] =
    ["time", "measurement", "people", "density", "speed", "forward", "backward", "flow"];

/// Where the table for a recording goes: `hall.measurements.csv` beside `hall.parquet`.
pub fn table_path(recording: &Path) -> PathBuf {
    recording.with_extension("measurements.csv")
}

/// Measures frames and writes a table of what it finds.
///
/// Dropped without [`finish`](Self::finish), it leaves the rows so far if they are comma-separated,
/// and nothing if they were to be in Parquet.
#[derive(Debug)]
pub struct MeasurementFile {
    measurements: Measurements,
    names: Vec<String>,
    sheet: Sheet,
    rows: u64,
}

/// Where rows go.
#[derive(Debug)]
enum Sheet {
    /// Straight to the disk.
    Text(OutputFile),
    /// Collected until the end.
    Parquet(TableFile, Vec<Row>),
}

impl MeasurementFile {
    /// Begins a table at `path` of what `scene` asks for, to be measured by `measurements`: in Parquet
    /// if that is how `path` ends, else comma-separated.
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
        let names = scene.measurements.iter().map(|m| m.name.clone()).collect();
        let sheet = match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet")) {
            true => Sheet::Parquet(TableFile::create(path, overwrite)?, Vec::new()),
            false => Sheet::Text(OutputFile::create(path, overwrite)?),
        };
        Ok(Self { measurements, names, sheet, rows: 0 })
    }

    /// The table.
    pub fn path(&self) -> &Path {
        match &self.sheet {
            Sheet::Text(file) => file.path(),
            Sheet::Parquet(file, _) => file.path(),
        }
    }

    /// How many rows there are.
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
        match self.sheet {
            Sheet::Text(file) => file.finish()?,
            Sheet::Parquet(file, rows) => {
                file.finish("measurements", &columns(&rows, &self.names))?;
            }
        }
        Ok(self.measurements.summaries(trim))
    }

    fn write(&mut self, rows: &[Row]) -> Result<(), RecordingError> {
        if rows.is_empty() {
            return Ok(());
        }
        match &mut self.sheet {
            Sheet::Text(file) => {
                let heading = || COLUMNS.join(",") + "\n";
                let mut text = if self.rows == 0 { heading() } else { String::new() };
                for row in rows {
                    text += &line(row, &quoted(&self.names[row.measurement]));
                }
                file.append(&text)?;
            }
            Sheet::Parquet(_, collected) => collected.extend_from_slice(rows),
        }
        self.rows += rows.len() as u64;
        Ok(())
    }
}

/// All columns of the table of `rows`.
fn columns(rows: &[Row], names: &[String]) -> Vec<TableColumn> {
    let numbers = |value: fn(&Row) -> Option<f64>| {
        TableValues::Numbers(rows.iter().map(|row| value(row).map(rounded)).collect())
    };
    let counts =
        |value: fn(&Row) -> Option<u64>| TableValues::Counts(rows.iter().map(value).collect());
    let named = rows.iter().map(|row| names[row.measurement].clone()).collect();
    let values = [
        numbers(|row| Some(row.time)),
        TableValues::Texts(named),
        counts(|row| row.reading.area().map(|area| area.people as u64)),
        numbers(|row| row.reading.area().map(|area| area.density)),
        numbers(|row| row.reading.area().and_then(|area| area.speed)),
        counts(|row| row.reading.crossings().map(|[forward, _]| forward)),
        counts(|row| row.reading.crossings().map(|[_, backward]| backward)),
        numbers(|row| match row.reading {
            Reading::Line { flow, .. } => flow,
            Reading::Area(_) => None,
        }),
    ];
    COLUMNS.into_iter().zip(values).map(|(name, values)| TableColumn { name, values }).collect()
}

impl Reading {
    fn area(&self) -> Option<AreaReading> {
        match self {
            Self::Area(area) => Some(*area),
            Self::Line { .. } => None,
        }
    }

    /// Forwards and backwards.
    fn crossings(&self) -> Option<[u64; 2]> {
        match *self {
            Self::Line { forward, backward, .. } => Some([forward, backward]),
            Self::Area(_) => None,
        }
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
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// The value that [`number`] writes.
pub(crate) fn rounded(value: f64) -> f64 {
    number(value).parse().unwrap_or(value)
}

/// A text as RFC 4180 has it.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(line(&row, "door").split(',').count(), COLUMNS.len());
    }
}
