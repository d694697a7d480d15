//! Verification: the tests of evacuation guidelines, and a scorecard of how much like people a
//! crowd moves.
//!
//! - [`Suite::Rimea`]: the tests of the RiMEA guideline, 1 to 16, each with the tolerance it names
//! - [`Suite::Realism`]: 28 checks: verification (V), validation against measurements (L), and
//!   statistics of people in streets (R)
//! - [`score_tracks`]: the checks of the last kind for
//!   tracks from anywhere, recorded people included
//!
//! A test builds its scenes, runs them once per seed, and measures positions over time and the
//! walls, nothing of the model: a check that tracks of people do not pass is a wrong check. Each
//! number is judged by its mean over the seeds. Where a guideline only asks for documentation, the
//! outcome is [`Outcome::Documented`], and the numbers are told.
//!
//! A suite takes minutes to hours. [`SuiteBatch`] runs one in a folder, several simulations at once, and
//! goes on there after it was ended; [`write_suite`] makes tables and a page of what is in the folder.

mod batch;
mod bench;
mod conduct;
mod files;
mod grade;
pub mod measures;
mod realism_suite;
mod record;
mod report;
mod rimea_suite;
mod scenes;
mod single;
mod suite;
pub mod tracks;
#[cfg(test)]
mod verdicts;
mod walk;

pub(crate) use batch::timed;
pub use batch::{SuiteBatch, SuiteRun, scenes_digest};
pub use files::write_suite;
pub(crate) use grade::Grade;
pub use grade::Misfit;
pub use realism_suite::score_tracks;
pub use record::Quantity;
pub use report::{Check, Curve, Outcome, Plot, SuiteReport};
pub use scenes::RIMEA_SCENES;
pub(crate) use single::SingleTest;
pub use suite::Suite;
pub use tracks::{SampledTrack, SampledTracks, TracksError};
pub use walk::Walk;

use crate::experiments::{Case, ExperimentError, Setup, Watch, runs::run_all};
use bench::Bench;
pub(crate) use suite::Numbers;
use suite::Plan;

/// Those of a suite's tests whose names are in `ids`, or all if there are none; for trying one out.
///
/// # Errors
///
/// If there is no model, a number of the setup makes no sense, there is no such test, or the watch wants no more.
pub fn some_of(
    suite: Suite,
    ids: &[&str],
    setup: &Setup,
    watch: Watch,
) -> Result<SuiteReport, ExperimentError> {
    setup.check()?;
    let plan = Plan::new(suite, ids)?;
    let indices: Vec<usize> = (0..plan.measures.len()).collect();
    let cases = setup.cases(&indices);
    let measured = run_all(&cases, watch, |case: &Case<usize>, runs| {
        let Case { steering, condition, seed, step } = *case;
        (plan.measures[condition].of)(&Bench { steering, seed, step, runs })
    })?;
    // Cases are by model, then by measure, then by seed.
    let seeds = setup.seeds as usize;
    let numbers = |model: usize, measure: usize, seed: u32| {
        let index = (model * plan.measures.len() + measure) * seeds + seed as usize;
        measured.get(index).cloned().map(Ok)
    };
    Ok(plan.report(setup, numbers))
}
