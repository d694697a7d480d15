//! Scores of a recording, at its end or at any moment before.

use throng::Scene;
use throng::recording::Recording;

use crate::recorded::each_frame;
use crate::score::{Collector, Ideals, RunMetrics, ScoreError, ScoreOptions};

/// Measures a recording as its run was measured, and shows what was collected up to each moment to
/// `look`, with its time.
///
/// # Errors
///
/// If it cannot be read, does not fit to `scene`, or cannot be scored.
pub fn rescore(
    recording: &mut Recording,
    scene: &Scene,
    options: ScoreOptions,
    mut look: impl FnMut(f64, &Collector),
) -> Result<(RunMetrics, Ideals), ScoreError> {
    let mut collector = Collector::new(scene, options)?;
    let ideals = collector.ideals().clone();
    each_frame(recording, scene, |frame| {
        collector.take(frame.into())?;
        look(frame.time, &collector);
        Ok::<(), ScoreError>(())
    })?;
    Ok((collector.finish(), ideals))
}
