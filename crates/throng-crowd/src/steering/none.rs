//! No avoidance at all: everyone does what they want, and contacts keep bodies apart.
//!
//! What is left is the minimum distance that Jin et al. (2008) enforce in their largest crowds. It
//! costs little more than half of what avoidance does, and is good enough for hundreds of thousands of people who are led by
//! fields and seen from afar. Near by, one sees that nobody looks where they are going.
//!
//! Bodies that all press on wedge before a narrow door as sand does in an hourglass, and nothing would
//! ever loosen them. So whoever does not get on lets up now and then, and takes the pressure off the
//! others.

use glam::Vec2;
use throng_base::random::Purpose;
use throng_simd::{Kernel, Simd, run_anywhere};

use super::lanes::{Own, Vec2s};
use super::{CommonParameters, ModelInfo, SteeringJob, SteeringModel, Surroundings, WallSight};
use crate::status::Status;

const INFO: ModelInfo = ModelInfo {
    name: "none",
    summary: "No avoidance: people take the velocity they want, and bodies are kept apart; for very \
              large crowds seen from afar, and as a baseline",
    // Just enough to know whom one may touch.
    common: CommonParameters { neighbours: 6.0, neighbour_range: 1.5, ..CommonParameters::DEFAULT },
    walls: WallSight::Touch,
    ..ModelInfo::NEW
};

/// For how long somebody who does not get on presses on or lets up, s.
const LET_UP_TIME: f32 = 1.0;

/// How probably they let up. With half, doors of 0.8 m never clog, with all pressing on those of 1 m
/// always do.
const LET_UP: f32 = 0.5;

/// The velocity of somebody who heeds nobody, but for its limit: what they want, unless they let up.
#[inline(always)]
pub(crate) fn unheeding_velocity(around: &Surroundings, row: usize) -> Vec2 {
    match around.status(row) == Status::Blocked && lets_up(around, row) {
        true => Vec2::ZERO,
        false => around.preferred_velocity(row),
    }
}

/// Whether somebody who does not get on lets up now.
#[cold]
pub(crate) fn lets_up(around: &Surroundings, row: usize) -> bool {
    let moment = (around.steps as f32 * around.step / LET_UP_TIME) as u64;
    let id = around.people.ids[row].into();
    around.random.stream(id, moment, Purpose::SteeringNoise).unit() < LET_UP
}

/// No avoidance at all.
#[derive(Clone, Copy, Debug)]
pub struct NoSteering;

impl SteeringModel for NoSteering {
    type Parameters = ();
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        run_anywhere(job.around.simd, PressOn(job));
    }

    fn heeds_nobody(&self) -> bool {
        true
    }
}

struct PressOn<'a>(SteeringJob<'a, ()>);

impl Kernel for PressOn<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SteeringJob { around, batches, velocities, .. } = self.0;
        for (batch, velocities) in batches.iter().zip(velocities) {
            let own = Own::new(simd, &around, batch);
            let wanted = own.rows.map(|row| unheeding_velocity(&around, row));
            let wanted: Vec2s<S> = Vec2s::load(simd, &wanted);
            *velocities = wanted.at_most(simd, own.max_speed).to_lanes(simd);
        }
    }
}
