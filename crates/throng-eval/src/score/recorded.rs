//! Metrics of an engine that runs, and of a recording file.

use std::cell::Cell;

use throng::crowd::Status;
use throng::recording::{Frame, Recording};
use throng::{Engine, Scene};

use crate::recorded::each_frame;

use super::collector::{Collector, ScoreOptions};
use super::error::ScoreError;
use super::ideal::Ideals;
use super::metrics::RunMetrics;

/// Runs an engine from the beginning to the end of its scene, or until everybody is done, and
/// collects what it does in the states that the scene asks to keep. Numbers are those of
/// [`score_recording`] for a recording of the same run.
///
/// # Errors
///
/// Those of [`Collector::new`] and [`Collector::take`].
pub fn run_scored(engine: &mut Engine, options: ScoreOptions) -> Result<RunMetrics, ScoreError> {
    let ideals = Ideals::of_crowd(engine.scene(), engine.crowd())?;
    let mut collector = Collector::with_ideals(engine.scene(), ideals, options)?;
    let expects_more = engine.crowd().expects_people();
    let all_done = Cell::new(false);
    engine.run_with(
        |frame: &Frame| {
            let mut statuses = frame.people.statuses.iter();
            all_done.set(!expects_more && statuses.all(|status| *status == Status::Arrived));
            collector.take(frame.into())
        },
        |_| !all_done.get(),
    )?;
    Ok(collector.finish())
}

/// Collects the metrics of a recording, frame by frame as it was recorded.
///
/// # Errors
///
/// If it cannot be read, its floors are not those of `scene`, or those of [`Collector::new`] and
/// [`Collector::take`].
pub fn score_recording(
    recording: &mut Recording,
    scene: &Scene,
    options: ScoreOptions,
) -> Result<RunMetrics, ScoreError> {
    let mut collector = Collector::new(scene, options)?;
    each_frame(recording, scene, |frame| collector.take(frame.into()))?;
    Ok(collector.finish())
}
