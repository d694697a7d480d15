//! Recorded heads: what a tracker saw, as a file of rows `time,x,y,z,dx,dy,dz`.

use glam::Vec3;
use thiserror::Error;

use super::viewer::{Sighting, ViewerSource};

/// What the columns are: seconds, the eyes' place in metres, and where they look.
const COLUMNS: [&str; 7] = ["time", "x", "y", "z", "dx", "dy", "dz"];

/// Why a file is no recording of a head.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TraceError {
    #[error("the trace has no rows; write rows of time,x,y,z,dx,dy,dz")]
    Empty,
    #[error("line {line}: {found} columns; write the seven of time,x,y,z,dx,dy,dz")]
    Columns { line: usize, found: usize },
    #[error("line {line}: {column} is \"{text}\"; write a number")]
    Number { line: usize, column: &'static str, text: String },
    #[error("line {line}: the direction dx,dy,dz is of no length; say where the eyes look")]
    Direction { line: usize },
    #[error("line {line}: time {time} s is not after {before} s of the row before; sort the rows")]
    Order { line: usize, time: f64, before: f64 },
}

/// A head as a tracker recorded it. Where rows are missing, it was not seen.
///
/// ```
/// use throng_motion::gaze::{Trace, ViewerSource};
///
/// let mut trace = Trace::parse("time,x,y,z,dx,dy,dz\n0.0,0,1.7,0,0,0,1\n0.1,0.1,1.7,0,0,0,1\n")?;
/// assert_eq!(trace.latest(0.07).map(|seen| seen.time), Some(0.0));
/// # Ok::<(), throng_motion::gaze::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    sightings: Vec<Sighting>,
}

impl Trace {
    /// Reads rows in the order of time. A header, empty lines and lines that begin with `#` are passed over.
    ///
    /// # Errors
    ///
    /// If a row is none, with its line.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let mut sightings: Vec<Sighting> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let rows = text.lines().map(str::trim).enumerate();
        let rows = rows.filter(|(_, row)| !row.is_empty() && !row.starts_with('#'));
        for (count, (index, row)) in rows.enumerate() {
            if count == 0 && row.split(',').map(str::trim).eq(COLUMNS) {
                continue;
            }
            let sighting = parse_row(row, index + 1)?;
            if let Some(before) = sightings.last().map(|before| before.time)
                && sighting.time <= before
            {
                return Err(TraceError::Order { line: index + 1, time: sighting.time, before });
            }
            sightings.push(sighting);
        }
        if sightings.is_empty() { Err(TraceError::Empty) } else { Ok(Self { sightings }) }
    }

    /// All sightings, in the order of time.
    pub fn sightings(&self) -> &[Sighting] {
        &self.sightings
    }
}

impl ViewerSource for Trace {
    fn latest(&mut self, time: f64) -> Option<Sighting> {
        let until = self.sightings.partition_point(|sighting| sighting.time <= time);
        until.checked_sub(1).map(|last| self.sightings[last])
    }
}

fn parse_row(row: &str, line: usize) -> Result<Sighting, TraceError> {
    let found = row.split(',').count();
    if found != COLUMNS.len() {
        return Err(TraceError::Columns { line, found });
    }
    let mut values = [0f64; COLUMNS.len()];
    for ((value, text), column) in values.iter_mut().zip(row.split(',')).zip(COLUMNS) {
        let text = text.trim();
        let number = text.parse::<f64>().ok().filter(|number| (*number as f32).is_finite());
        let fault = || TraceError::Number { line, column, text: text.into() };
        *value = number.ok_or_else(fault)?;
    }
    let [time, rest @ ..] = values;
    let [x, y, z, dx, dy, dz] = rest.map(|value| value as f32);
    let sighting =
        Sighting { time, position: Vec3::new(x, y, z), direction: Vec3::new(dx, dy, dz) };
    if sighting.is_sound() { Ok(sighting) } else { Err(TraceError::Direction { line }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_named_with_their_line() {
        let fault = |text: &str| Trace::parse(text).unwrap_err().to_string();
        assert!(fault("").contains("no rows"));
        assert!(fault("time,x,y,z,dx,dy,dz\n").contains("no rows"));
        assert!(fault("# head\n0,0,0,0,0,0\n").starts_with("line 2: 6 columns"));
        assert!(fault("0,0,0,zero,0,0,1").contains("line 1: z is \"zero\""));
        assert!(fault("0,0,0,NaN,0,0,1").contains("z is \"NaN\""));
        assert!(fault("0,0,0,1e99,0,0,1").contains("z is \"1e99\""));
        assert!(fault("0,0,0,0,0,0,0").contains("no length"));
        let twice = fault("1,0,0,0,0,0,1\n\n1,0,0,0,0,0,1");
        assert!(twice.starts_with("line 3: time 1 s is not after 1 s"), "{twice}");
    }

    #[test]
    fn rows_are_seen_when_their_time_has_come() {
        let text = "\u{feff}time, x, y, z, dx, dy, dz\r\n1,2,3,4,0,0,1\r\n2,5,6,7,1,0,0\r\n";
        let mut trace = Trace::parse(text).unwrap();
        assert_eq!(trace.sightings().len(), 2);
        assert_eq!(trace.latest(0.9), None);
        assert_eq!(trace.latest(1.9).unwrap().position, Vec3::new(2.0, 3.0, 4.0));
        assert_eq!(trace.latest(99.0).unwrap().direction, Vec3::X);
        assert_eq!(trace.latest(f64::NAN), None);
    }
}
