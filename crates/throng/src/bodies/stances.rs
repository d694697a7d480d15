//! Stances: from when a foot comes down until it is lifted.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;
use throng_base::frame::world_to_ground;

use super::cast::Cast;
use super::ensemble::Ensemble;
use super::member::Member;
use super::soles::{Sole, SoleTracker, slip, turn};

/// A foot on the ground, from its first frame there to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// Whose.
    pub person: u32,
    /// Which foot of the rig.
    pub foot: usize,
    /// What that foot is called.
    pub called: &'static str,
    /// When it came down, s.
    pub begin: f64,
    /// When it was seen there for the last time, s.
    pub end: f64,
    /// How far it slid in all, m.
    pub slid: f32,
    /// How fast it slid at most, m/s.
    pub fastest: f32,
    /// How far it turned in all, rad.
    pub turned: f32,
    /// How deep it sank into the ground at most, m.
    pub sunk: f32,
    /// How high above the ground all of it was at most, m.
    pub floated: f32,
    sole: Sole,
}

impl Stance {
    fn begin(person: u32, foot: usize, called: &'static str, time: f64) -> Self {
        Self {
            person,
            foot,
            called,
            begin: time,
            end: time,
            slid: 0.0,
            fastest: 0.0,
            turned: 0.0,
            sunk: 0.0,
            floated: 0.0,
            sole: Sole::default(),
        }
    }

    /// Where on the ground, m.
    pub fn place(&self) -> Vec2 {
        world_to_ground(self.sole.middle()).0
    }
}

/// What is seen of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Footing {
    /// It stood in this frame and in the one before.
    Stood {
        /// Whose.
        person: u32,
        /// Which foot of the rig.
        foot: usize,
        /// How far it slid meanwhile, m.
        slid: f32,
        /// How far it turned, rad.
        turned: f32,
        /// How high its lowest point is above the ground, m; less than 0 if it has sunk in.
        above: f32,
    },
    /// It has left the ground, or whoever it belongs to is gone.
    Left(Stance),
}

/// Watches the feet of a crowd, frame by frame, from outside: forward kinematics of the poses that are shown
/// says where soles are.
#[derive(Clone)]
pub struct Stances {
    tracker: SoleTracker,
    cast: Arc<Cast>,
    standing: BTreeMap<u32, [Option<Stance>; FEET]>,
}

/// Nobody has more feet.
const FEET: usize = 4;

impl Stances {
    /// For the members of `ensemble`.
    pub fn of(ensemble: &Ensemble) -> Self {
        let (tracker, cast) = (SoleTracker::of(ensemble), ensemble.cast().clone());
        Self { tracker, cast, standing: BTreeMap::new() }
    }

    /// Looks at everybody in a frame at `time`, `seconds` after the one before, and tells what it sees.
    pub fn watch(
        &mut self,
        members: &[Member],
        time: f64,
        seconds: f32,
        mut tell: impl FnMut(Footing),
    ) {
        let mut before = std::mem::take(&mut self.standing);
        for member in members {
            let stood = before.remove(&member.id).unwrap_or_default();
            let mut soles = [Sole::default(); FEET];
            let found = self.tracker.soles(member);
            let count = found.len().min(FEET);
            soles[..count].copy_from_slice(&found[..count]);
            let look = &self.cast.looks()[member.role.look];
            let mut now = [None; FEET];
            for (foot, sole) in soles[..count].iter().enumerate() {
                let stood: Option<Stance> = stood[foot];
                if !self.tracker.stands(member, foot) {
                    stood.into_iter().for_each(|stance| tell(Footing::Left(stance)));
                    continue;
                }
                let called = look.foot_name(foot);
                let begun = stood.unwrap_or_else(|| Stance::begin(member.id, foot, called, time));
                let mut stance = begun;
                if stood.is_some() {
                    let (slid, turned) = (slip(&begun.sole, sole), turn(&begun.sole, sole));
                    let (person, above) = (member.id, sole.lowest());
                    tell(Footing::Stood { person, foot, slid, turned, above });
                    stance.end = time;
                    stance.slid += slid;
                    stance.fastest = stance.fastest.max(slid / seconds.max(1e-6));
                    stance.turned += turned;
                }
                stance.sunk = stance.sunk.max(-sole.lowest());
                stance.floated = stance.floated.max(sole.lowest());
                stance.sole = *sole;
                now[foot] = Some(stance);
            }
            if now.iter().any(Option::is_some) {
                self.standing.insert(member.id, now);
            }
        }
        // Who is gone has lifted their feet.
        before.into_values().flatten().flatten().for_each(|stance| tell(Footing::Left(stance)));
    }

    /// The stances that have not ended.
    pub fn standing(&self) -> impl Iterator<Item = Stance> + '_ {
        self.standing.values().flatten().flatten().copied()
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.standing.clear();
    }
}
