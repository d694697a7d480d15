//! Verification: what is measured of tracks whose answers are known, the tests of RiMEA end to end, and
//! that what is wrong does not pass.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod batches;
mod measures;
mod recordings;
mod suites;

use glam::DVec2;
use throng_eval::verification::tracks::INTERVAL;
use throng_eval::verification::{SampledTrack, SampledTracks};
use throng_world::scene::LayerId;

/// Somebody who is where `place` says at each time, from one sample to another.
fn track(id: u32, samples: std::ops::Range<usize>, place: impl Fn(f64) -> DVec2) -> SampledTrack {
    let points = samples.clone().map(|sample| place(sample as f64 * INTERVAL)).collect();
    SampledTrack { id, layer: LayerId(0), first: samples.start, points }
}

fn tracks(of: impl IntoIterator<Item = SampledTrack>) -> SampledTracks {
    SampledTracks::new(of.into_iter().collect())
}
