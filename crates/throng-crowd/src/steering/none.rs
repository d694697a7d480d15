//! No avoidance at all: everyone does what they want, and contacts keep bodies apart.
//!
//! What is left is the minimum distance that Jin et al. (2008) enforce in their largest crowds. It
//! costs little more than half of what avoidance does, and is good enough for hundreds of thousands of people who are led by
//! fields and seen from afar. Near by, one sees that nobody looks where they are going.

use throng_simd::{Kernel, Simd, run_anywhere};

use super::lanes::Own;
use super::{ModelInfo, SteeringJob, SteeringModel, WallSight};

pub(super) const INFO: ModelInfo = ModelInfo {
    name: "none",
    summary: "No avoidance: people take the velocity they want, and bodies are kept apart; for very \
              large crowds seen from afar, and as a baseline",
    parameters: &[],
    // Just enough to know whom one may touch.
    common_defaults: &[("neighbours", 6.0), ("neighbour_range", 1.5)],
    walls: WallSight::Touch,
    ascending: &[],
    advice: None,
    build: || Box::new(NoSteering),
};

struct NoSteering;

impl SteeringModel for NoSteering {
    fn steer(&self, job: SteeringJob) {
        run_anywhere(job.around.simd, TakePreferred(job));
    }

    fn heeds_nobody(&self) -> bool {
        true
    }
}

struct TakePreferred<'a>(SteeringJob<'a>);

impl Kernel for TakePreferred<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SteeringJob { around, batches, velocities } = self.0;
        for (batch, velocities) in batches.iter().zip(velocities) {
            let own = Own::new(simd, &around, batch);
            *velocities = own.preferred.at_most(simd, own.max_speed).to_lanes(simd);
        }
    }
}
