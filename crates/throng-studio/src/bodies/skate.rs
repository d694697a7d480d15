//! Whether feet that stand stay where they are: how far each has slipped while it stood.

use std::collections::{BTreeMap, VecDeque};

use throng::bodies::{Ensemble, Footing, Member, Stance, Stances};

use crate::protocol::{Foot, Skating, SlippedStance};

/// Stances are kept for so long, s of simulated time.
const KEPT: f64 = 10.0;
/// Stances that are told one by one.
const WORST: usize = 12;

/// What feet of bodies have done of late.
pub(super) struct Skate {
    stances: Stances,
    /// The foot that everybody lifted last.
    last: BTreeMap<u32, Stance>,
    ended: VecDeque<Stance>,
}

impl Skate {
    /// For the members of `ensemble`.
    pub fn of(ensemble: &Ensemble) -> Self {
        Self { stances: Stances::of(ensemble), last: BTreeMap::new(), ended: VecDeque::new() }
    }

    pub fn clear(&mut self) {
        self.stances.clear();
        self.last.clear();
        self.ended.clear();
    }

    /// Notes what has become of everybody's feet at `time`, `seconds` after the moment before. `members` are in
    /// ascending order of id.
    pub fn note(&mut self, members: &[Member], time: f64, seconds: f32) {
        let Self { stances, last, ended } = self;
        stances.watch(members, time, seconds, |footing| {
            if let Footing::Left(stance) = footing {
                last.insert(stance.person, stance);
                ended.push_back(stance);
            }
        });
        let is_here = |id: u32| members.binary_search_by_key(&id, |member| member.id).is_ok();
        last.retain(|id, _| is_here(*id));
        ended.retain(|stance| stance.end > time - KEPT && is_here(stance.person));
    }

    /// The foot that somebody lifted last, and how it had stood.
    pub fn last_of(&self, person: u32) -> Option<&Stance> {
        self.last.get(&person)
    }

    /// The stances of late of those who have bodies, the worst first.
    pub fn report(&self) -> Skating {
        let mut stances: Vec<&Stance> = self.ended.iter().collect();
        stances.sort_by(|a, b| b.slid.total_cmp(&a.slid).then(a.person.cmp(&b.person)));
        let quantile = |share: f64| {
            let index = ((1.0 - share) * (stances.len().max(1) - 1) as f64).round() as usize;
            stances.get(index).map(|stance| stance.slid)
        };
        let worst = stances.iter().take(WORST).filter_map(|stance| {
            let foot = Foot::named(stance.called)?;
            Some(SlippedStance { person: stance.person, foot, slip: stance.slid, time: stance.end })
        });
        Skating {
            stances: stances.len(),
            p50: quantile(0.5),
            p95: quantile(0.95),
            max: quantile(1.0),
            worst: worst.collect(),
        }
    }
}
