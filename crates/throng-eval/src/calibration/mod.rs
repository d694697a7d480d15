//! Calibration: parameters of a steering model are looked for that meet checks, and real tracks.
//!
//! A [`PlanFile`] says which parameters of which model may change, what they are calibrated to, with which seeds,
//! and how long to look. [`Plan`] is that file when all of it has been found to make sense. A [`Calibration`] runs it in
//! the folder of a [`Store`](crate::batch::Store): generation by generation, CMA-ES asks for candidates, the runs of all
//! of them are made several at once, and each candidate gets an objective, the weighted mean of the distances of its targets from what is expected.
//!
//! Nothing but the runs is kept. A calibration that was ended asks for the same candidates again, finds their runs, and goes on where it
//! was, to the same result bit by bit, on any number of threads.
//!
//! What is trained with and what is held out are separate by construction: a seed that is in both lists is an error, and of
//! recorded people each belongs to one side by the id alone. Runs of the held-out side are made when the search is over, for the defaults and the best
//! parameters, and for nothing else.

mod cma;
mod files;
mod plan;
mod report;
mod run;
mod target;
mod tracks;

pub use files::{REPORT_PAGE, write_calibration};
pub use plan::{
    FreeParameter, ParameterRange, Plan, PlanError, PlanFile, SearchFile, Seeds, SeedsFile,
    TracksFile,
};
pub use report::{CalibratedParameter, CalibrationReport, Generation, TargetRow};
pub(crate) use report::{listed, passed};
pub use run::{Calibration, CalibrationProgress, CalibrationWatch, Candidate};
pub use target::{Target, TargetResult};

use throng_base::named_enum;

named_enum! {
    /// Which seeds and people.
    pub enum Split {
        /// Those that parameters are calibrated with.
        Training = "training",
        /// Those that nobody looks at until the end.
        HeldOut = "held-out",
    }
}

/// Time between two states of all simulations, s.
pub const STEP: f64 = 0.05;
