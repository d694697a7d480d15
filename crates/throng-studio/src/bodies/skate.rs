//! Whether feet that stand stay where they are: how far each has slipped while it stood.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value as Json, json};
use throng::bodies::Member;
use throng_motion::Side;

/// Stances are kept for so long, s of simulated time.
const KEPT: f64 = 10.0;
/// Stances that are told one by one.
const WORST: usize = 12;

/// The time from when a foot comes down until it is lifted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stance {
    ended: f64,
    person: u32,
    foot: Side,
    /// How far it has slipped, m.
    slip: f32,
}

/// What feet of bodies have done of late.
#[derive(Debug, Default)]
pub(super) struct Skate {
    /// How far the feet that stand now have slipped, left and right.
    standing: BTreeMap<u32, [Option<f32>; 2]>,
    /// How far the foot that was lifted last had slipped.
    last: BTreeMap<u32, (Side, f32)>,
    ended: VecDeque<Stance>,
}

impl Skate {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes what has become of everybody's feet at a time.
    pub fn note(&mut self, time: f64, members: &[Member]) {
        let mut standing = BTreeMap::new();
        for member in members {
            let before = self.standing.get(&member.id).copied().unwrap_or_default();
            let mut now = [None; 2];
            for (side, foot) in Side::BOTH.into_iter().zip(0..) {
                now[foot] = member.slip(foot).map(|slip| before[foot].unwrap_or(0.0) + slip);
                if let (Some(slip), None) = (before[foot], now[foot]) {
                    let stance = Stance { ended: time, person: member.id, foot: side, slip };
                    self.last.insert(member.id, (side, slip));
                    self.ended.push_back(stance);
                }
            }
            standing.insert(member.id, now);
        }
        self.standing = standing;
        let Self { standing, last, ended } = self;
        last.retain(|id, _| standing.contains_key(id));
        ended.retain(|stance| stance.ended > time - KEPT && standing.contains_key(&stance.person));
    }

    /// The foot that somebody lifted last, and how far it had slipped, m.
    pub fn last_of(&self, person: u32) -> Option<(Side, f32)> {
        self.last.get(&person).copied()
    }

    /// The stances of late of those who have bodies, the worst first.
    pub fn report(&self) -> Json {
        let mut stances: Vec<Stance> = self.ended.iter().copied().collect();
        stances.sort_by(|a, b| b.slip.total_cmp(&a.slip).then(a.person.cmp(&b.person)));
        let quantile = |share: f64| {
            let index = ((1.0 - share) * (stances.len().max(1) - 1) as f64).round() as usize;
            stances.get(index).map(|stance| stance.slip)
        };
        json!({
            "stances": stances.len(),
            "p50": quantile(0.5),
            "p95": quantile(0.95),
            "max": quantile(1.0),
            "worst": stances.iter().take(WORST).map(|stance| json!({
                "person": stance.person,
                "foot": stance.foot.choose("left", "right"),
                "slip": stance.slip,
                "time": stance.ended,
            })).collect::<Vec<_>>(),
        })
    }
}
