//! Stop watches, and what is read off them.

use std::time::{Duration, Instant};

/// What is measured: the stages of a pass over all bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    /// Sampling two clips.
    pub sample: Duration,
    /// Blending them.
    pub blend: Duration,
    /// Carrying transforms down the skeleton.
    pub pose: Duration,
}

/// The time since the last one.
pub struct Lap(Instant);

impl Lap {
    /// Begins now.
    pub fn begin() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since then to `total`, and begins anew.
    pub fn add_to(&mut self, total: &mut Duration) {
        let now = Instant::now();
        *total += now - self.0;
        self.0 = now;
    }
}

/// The times of repeated passes.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// One more.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The shortest.
    pub fn fastest(&self) -> Duration {
        self.0.iter().min().copied().unwrap_or_default()
    }

    /// The one in the middle.
    pub fn median(&self) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}
