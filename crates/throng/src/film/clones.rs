//! Which twins are to be seen in a film.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::bodies::variety::{Library, Pair, Sighting, clones};
use crate::bodies::{Cast, Member};

/// Pairs further apart than this are not looked at, m.
const NEAR: f32 = 5.0;
/// From this cost on people are taken for clones.
const CLONES: f32 = 0.5;
/// Pairs that cost less are not kept.
const ALIKE: f32 = 0.25;
/// How many of the worst are told.
const WORST: usize = 10;

/// Looks for twins, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Clones {
    sightings: Vec<Sighting>,
    frames: u64,
    pairs: u64,
    alike: u64,
    found: BTreeMap<[u32; 2], Twins>,
}

/// Two people who are alike, when they were most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Twins {
    /// When, s.
    pub time: f64,
    /// Who, and how much.
    #[serde(flatten)]
    pub pair: Pair,
    /// Their cost over all of the time that they were near each other, s.
    pub score: f64,
}

/// What twins there were.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CloneReport {
    /// Frames that were looked at.
    pub frames: u64,
    /// Pairs within 5 m, in all frames together.
    pub pairs: u64,
    /// The share of those who cost more than 0.5.
    pub clones: f64,
    /// The pairs that cost most, worst first.
    pub worst: Vec<Twins>,
}

impl Clones {
    /// Looks at everybody in a frame at `time`, `seconds` after the one before.
    pub fn watch(&mut self, cast: &Cast, members: &[Member], time: f64, seconds: f64) {
        self.sightings.clear();
        self.sightings.extend(members.iter().map(|member| Sighting::of(cast, member)));
        let sightings = std::mem::take(&mut self.sightings);
        self.note(cast.library(), &sightings, time, seconds);
        self.sightings = sightings;
    }

    fn note(&mut self, library: &Library, people: &[Sighting], time: f64, seconds: f64) {
        let pairs = clones(library, people, NEAR, None);
        self.frames += 1;
        self.pairs += pairs.len() as u64;
        self.alike += pairs.partition_point(|pair| pair.cost > CLONES) as u64;
        for pair in pairs.into_iter().take_while(|pair| pair.cost > ALIKE) {
            let twins = self.found.entry(pair.people).or_insert(Twins { time, pair, score: 0.0 });
            twins.score += f64::from(pair.cost) * seconds;
            if pair.cost > twins.pair.cost {
                (twins.time, twins.pair) = (time, pair);
            }
        }
    }

    /// What was found.
    pub fn finish(self) -> CloneReport {
        let mut worst: Vec<Twins> = self.found.into_values().collect();
        // They are in the order of ids, which stays among equals.
        worst.sort_by(|a, b| b.pair.cost.total_cmp(&a.pair.cost));
        worst.truncate(WORST);
        CloneReport {
            frames: self.frames,
            pairs: self.pairs,
            clones: self.alike as f64 / self.pairs.max(1) as f64,
            worst,
        }
    }
}
