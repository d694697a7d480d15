//! How well bodies do what they should.

use serde::Serialize;

use super::distribution::{Distribution, Spread};
use super::{Playback, Skate, SkateReport};

/// How well bodies did what they should.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fidelity {
    /// People times the frames they were in.
    pub poses: u64,
    /// How far feet slid.
    pub skate: SkateReport,
    /// How far roots were from where they should be, m.
    pub deviation: Spread,
    /// The share of poses whose root was within 10 cm of where it should be.
    pub within_10_cm: f64,
}

/// Watches a playback, frame by frame.
pub(crate) struct Judge {
    skate: Skate,
    deviation: Distribution,
}

impl Judge {
    pub fn of(playback: &Playback) -> Self {
        Self { skate: Skate::of(playback.ensemble()), deviation: Distribution::default() }
    }

    pub fn watch(&mut self, playback: &Playback) {
        self.skate.watch(playback.members(), playback.time(), playback.interval() as f32);
        for member in playback.members() {
            self.deviation.add(member.deviation());
        }
    }

    pub fn finish(self) -> Fidelity {
        Fidelity {
            poses: self.deviation.count(),
            skate: self.skate.finish(),
            deviation: self.deviation.spread(1.0),
            within_10_cm: self.deviation.share_up_to(0.1),
        }
    }
}
