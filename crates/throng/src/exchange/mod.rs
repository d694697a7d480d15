//! Trajectories in and out: recordings in the formats of other programs, and theirs as recordings.
//!
//! [`export`] writes a [`Recording`](crate::recording::Recording) as
//! CSV, as a database of JuPedSim, in the text format of the
//! [pedestrian dynamics data archive](https://ped.fz-juelich.de/da), or as a rec file of SteerSuite;
//! PedPy reads those in the middle. [`import`] makes a recording of these formats, of the
//! `obsmat.txt` of the ETH dataset, and of CSV files with other columns. [`steersuite`] makes scenes
//! of SteerSuite's test cases.
//!
//! ```no_run
//! use throng::exchange::{ExportFormat, ExportOptions, ImportOptions, export, import};
//! use throng::recording::Recording;
//!
//! let mut recording = Recording::open("hall.parquet")?;
//! let options = ExportOptions::new(ExportFormat::JupedsimSqlite);
//! export(&mut recording, "hall.sqlite", &options, |_| true)?;
//!
//! let imported = import("hall.sqlite", "again.parquet", &ImportOptions::default(), |_| true)?;
//! println!("{} people at {:?} m/s", imported.people, imported.mean_speed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Both read and write as they go: however long a recording is, a few frames of it are in memory. A
//! file gets its name when it is complete; what goes wrong before leaves nothing behind.

mod cameras;
mod error;
mod export;
mod import;
pub mod steersuite;

pub use error::ExchangeError;
pub use export::{ExportFormat, ExportOptions, Exported, Floors, export};
use import::shown;
pub use import::{Column, Columns, ImportFormat, ImportOptions, Imported, Unit, import};
pub(crate) use import::{FASTEST, WALKING_SPEEDS, fitting_unit};

/// How far an export or an import has come, for progress displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: u64,
    /// How much there is in all.
    pub total: u64,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Tracks are read; the progress is in bytes or rows.
    Reading,
    /// Frames are written.
    Writing,
}

/// `value` with as few digits as it can have without being off by more than `tolerance`: 0.1 for
/// what came out as 0.09999999999999999.
fn tidied(value: f64, tolerance: f64) -> f64 {
    let rounded = |digits: usize| format!("{value:.digits$e}").parse().unwrap_or(value);
    let close = |candidate: &f64| (candidate - value).abs() <= tolerance;
    (0..16).map(rounded).find(close).unwrap_or(value)
}

/// Frames per second, for an interval between frames.
fn rate(interval: f64) -> f64 {
    let rate = interval.recip();
    tidied(rate, rate * 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_tidied_within_the_tolerance_only() {
        assert_eq!(tidied(0.1 + 0.2, 1e-12), 0.3);
        assert_eq!(tidied(0.123_456, 1e-12), 0.123_456);
        assert_eq!(tidied(0.0, 1e-12), 0.0);
        assert_eq!(rate(1.0 / 30.0), 30.0);
        assert_eq!(rate(6.0 * (1.0 / 15.0)), 2.5);
    }
}
