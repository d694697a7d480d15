//! The stages of a frame, and how long they take.

use std::fmt;
use std::time::Duration;

/// A stage of a frame. They come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PipelineStage {
    /// Assigns each person levels of detail.
    Scaler,
    /// Moves people.
    Simulator,
    /// Moves bodies.
    Animator,
    /// Turns heads and eyes.
    Gaze,
}

impl PipelineStage {
    /// Every stage, in their order.
    pub const ALL: [Self; 4] = [Self::Scaler, Self::Simulator, Self::Animator, Self::Gaze];

    /// The name of the stage, for display.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Scaler => "scaler",
            Self::Simulator => "simulator",
            Self::Animator => "animator",
            Self::Gaze => "gaze",
        }
    }
}

impl fmt::Display for PipelineStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How long the stages of the last frame took. All is zero before the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipelineTimes([Duration; PipelineStage::ALL.len()]);

impl PipelineTimes {
    /// How long a stage took.
    pub fn of(&self, stage: PipelineStage) -> Duration {
        self.0[stage as usize]
    }

    /// How long each took, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (PipelineStage, Duration)> + '_ {
        PipelineStage::ALL.into_iter().zip(self.0)
    }

    /// How long all of them took.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, stage: PipelineStage, took: Duration) {
        self.0[stage as usize] += took;
    }
}
