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
    /// The share of poses on ground that is steeper than anybody walks on.
    pub steep: f64,
    /// The share of poses with a foot that has no ground to stand on.
    pub unsupported: f64,
}

/// Watches a playback, frame by frame.
pub(crate) struct Judge {
    skate: Skate,
    deviation: Distribution,
    steep: u64,
    unsupported: u64,
}

impl Judge {
    pub fn of(playback: &Playback) -> Self {
        Self {
            skate: Skate::of(playback.ensemble()),
            deviation: Distribution::default(),
            steep: 0,
            unsupported: 0,
        }
    }

    pub fn watch(&mut self, playback: &Playback) {
        self.skate.watch(playback.members(), playback.time(), playback.interval() as f32);
        for member in playback.members() {
            self.deviation.add(member.deviation());
            let underfoot = member.on_carpet();
            self.steep += u64::from(underfoot.is_some_and(|ground| ground.condition.steep));
            self.unsupported += u64::from(underfoot.is_some_and(|ground| ground.unsupported));
        }
    }

    pub fn finish(self) -> Fidelity {
        let share = |count: u64| count as f64 / self.deviation.count().max(1) as f64;
        Fidelity {
            poses: self.deviation.count(),
            steep: share(self.steep),
            unsupported: share(self.unsupported),
            skate: self.skate.finish(),
            deviation: self.deviation.spread(1.0),
            within_10_cm: self.deviation.share_up_to(0.1),
        }
    }
}
