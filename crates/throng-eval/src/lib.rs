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
//! - [`statistics`]: means, quantiles, fits, and tests of whether two samples differ
//! - [`tracks`]: where everybody was, frame by frame
//! - [`score`](mod@score): how well people are steered, in numbers that compare steering models
//! - [`batch`] and [`report`]: many scenarios, models and seeds in one go, and a page about them
//! - [`scenarios`]: known situations that steering is tried on, with criteria
//! - [`experiments`]: known experiments with people, repeated with steering models
//! - [`evacuation`]: a scene with many seeds, until the distribution of evacuation times stays as it is
//! - [`calibration`]: parameters of a steering model are looked for that meet checks and real tracks
//! - [`verification`]: the tests of evacuation guidelines, and a scorecard of realism
//!
//! [`Measurements`] measures what a scene asks for, [`MeasurementFile`] writes it down, and
//! [`measure`] does so for a recording.

pub mod area;
pub mod batch;
pub mod calibration;
pub mod evacuation;
pub mod experiments;
pub mod fundamental;
pub mod hallway;
pub mod lanes;
pub mod line;
pub mod report;
pub mod scenarios;
pub mod score;
pub mod speed;
pub mod statistics;
pub mod tracks;
pub mod verification;
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

/// That of the page on scoring does, too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/scoring.md")]
struct Scoring;

/// That of the page on verification does, too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/verification.md")]
struct Verification;

/// That of the page on evaluation compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evaluation.md")]
struct Evaluation;
