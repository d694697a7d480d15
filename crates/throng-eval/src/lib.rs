//! How crowds are measured.
//!
//! Everything here works on positions over time, as a [`FrameView`] shows them: the frames of an
//! engine that runs, of a recording, or from elsewhere give the same numbers.
//!
//! - [`line`](mod@line): who crosses a line and when; flow
//! - [`area`]: density and speed in an area, by counting or by [Voronoi cells](voronoi)
//! - [`speed`]: how fast people are
//! - [`fundamental`]: speed against density
//! - [`hallway`] and [`lanes`]: how smoothly people walk, and whether they sort themselves into lanes
//! - [`statistics`]: means, spreads and a test of whether two samples differ
//! - [`experiments`]: known experiments with people, repeated with steering models
//!
//! [`Measurements`] measures what a scene asks for, [`MeasurementFile`] writes it down, and
//! [`measure`] does so for a recording.

pub mod area;
pub mod experiments;
pub mod fundamental;
pub mod hallway;
pub mod lanes;
pub mod line;
pub mod speed;
pub mod statistics;
pub mod voronoi;

mod frame;
mod measurements;
mod recorded;
mod table;

pub use frame::FrameView;
pub use measurements::{AreaSummary, LineSummary, Measurements, Reading, Row, Summary};
pub use recorded::{MeasureError, measure, recorded_scene};
pub use table::{MeasurementFile, table_path};

/// The example of the page on measuring compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/measuring.md")]
struct Page;
