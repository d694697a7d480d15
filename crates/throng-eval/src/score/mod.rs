//! How well a crowd was steered: metrics, scores and patterns, from positions over time.
//!
//! A [`Collector`] takes everyone's positions, headings, radii and statuses, moment by moment, and
//! nothing else: the frames of an engine that runs, of a replay and of a recording file give the same
//! numbers, and no steering model grades itself. What it collects are the metrics of SteerBench (Singh
//! et al. 2009) and a few of our own; [`score`] makes a number of them by one of several
//! [techniques](Technique), always with its terms and with the share of those who got where they
//! wanted.
//!
//! What differs from SteerBench: effort there is a sum of samples, and so proportional to the frame
//! rate. Here composites are evaluated on the trajectory resampled to 20 Hz, and the plain sums are
//! reported beside them. Contacts close when bodies part, whatever a search for neighbours returns.
//! Windows are in seconds. Who never arrives is never cheap.

mod collector;
mod contacts;
mod encounter;
mod error;
mod ideal;
mod metrics;
mod neighbours;
mod patterns;
mod quantities;
mod recorded;
mod resample;
mod technique;
mod view;
mod walker;
mod walls;
mod watch;
mod window;

pub use collector::{Collector, ScoreOptions};
pub use encounter::{Encounter, EncounterError, EncounterKind, EncounterRules, Passing, Side};
pub use error::{Fault, ScoreError};
pub use ideal::{Ideal, Ideals};
pub use metrics::{AgentMetrics, EnvironmentMetrics, RunMetrics, Windowed};
pub use patterns::{DEADLOCK_GOAL, Event, Pattern};
pub use quantities::quantity;
pub use recorded::{run_scored, score_recording};
pub use technique::{AgentScore, Score, Technique, Weights, rank, score};
pub use view::WalkView;
pub use watch::{PatternWatch, find_patterns};
