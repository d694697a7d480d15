//! What `throng export --to glb|bvh`, `throng info --skate` and `throng animate` have in common.

use std::fmt;

use serde::Serialize;
use throng::film::{FilmProgress, SkateReport, Spread};

use crate::report;

/// A progress bar for the frames of a film.
pub fn bar() -> impl FnMut(FilmProgress) {
    let bar = report::progress_bar(0, "{wide_bar} {msg}, {eta} left");
    bar.set_message("moving bodies");
    move |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    }
}

/// How far feet slide, in a few numbers.
#[derive(Serialize)]
pub struct Slip {
    /// Within 1/25 s, mm.
    pub frame_mm: Spread,
    /// While a foot stands, mm.
    pub stance_mm: Spread,
    pub dragged: f64,
    pub pulled: f64,
    pub pivoting: f64,
}

impl From<&SkateReport> for Slip {
    fn from(report: &SkateReport) -> Self {
        let SkateReport { frame_mm, stance_mm, dragged, pulled, pivoting, .. } = *report;
        Self { frame_mm, stance_mm, dragged, pulled, pivoting }
    }
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} mm per 1/25 s", spread(&self.frame_mm))
    }
}

/// Median, high quantiles and maximum.
pub fn spread(spread: &Spread) -> String {
    let Spread { p50, p95, p99, p999, max, .. } = spread;
    format!("median {p50:.3}, 95 % {p95:.2}, 99 % {p99:.2}, 99.9 % {p999:.2}, at most {max:.1}")
}
