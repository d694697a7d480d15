//! What is measured and how it is scored.
//!
//! All tests are modules of one program: linking one is quicker than linking one for each file.

mod batch;
mod calibration;
mod corridor;
mod evacuation;
mod experiments;
mod lanes;
mod pedpy;
mod scenarios;
mod score;
mod verification;
