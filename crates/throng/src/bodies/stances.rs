//! Stances: from when a foot comes down until it is lifted.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec2;
use throng_motion::Side;
use throng_world::frame::world_to_ground;

use super::cast::Cast;
use super::ensemble::Member;
use super::soles::{Sole, SoleTracker, slip, turn};

/// A foot on the ground, from its first frame there to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// Whose.
    pub person: u32,
    /// Which foot.
    pub foot: Side,
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
    sole: Sole,
}

impl Stance {
    /// Where on the ground, m.
    pub fn place(&self) -> Vec2 {
        world_to_ground(self.sole[1]).0
    }
}

/// What is seen of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Footing {
    /// It stood in this frame and in the one before.
    Stood {
        /// How far it slid meanwhile, m.
        slid: f32,
        /// How far it turned, rad.
        turned: f32,
    },
    /// It has left the ground, or whoever it belongs to is gone.
    Left(Stance),
}

/// Watches the feet of a crowd, frame by frame, from outside: forward kinematics of the poses that are shown
/// says where soles are.
#[derive(Clone, Debug)]
pub struct Stances {
    tracker: SoleTracker,
    standing: BTreeMap<u32, [Option<Stance>; 2]>,
}

impl Stances {
    /// For people of `cast`.
    pub fn new(cast: &Arc<Cast>) -> Self {
        Self { tracker: SoleTracker::new(cast), standing: BTreeMap::new() }
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
            let soles = self.tracker.soles(member);
            let ground = member.placement().translation.y;
            let mut now = [None; 2];
            for side in Side::BOTH {
                let (stood, sole) = (stood[side as usize], soles[side as usize]);
                if !self.tracker.stands(member, side) {
                    stood.into_iter().for_each(|stance| tell(Footing::Left(stance)));
                    continue;
                }
                now[side as usize] = Some(match stood {
                    Some(stance) => {
                        let slid = slip(&stance.sole, &sole, ground);
                        let turned = turn(&stance.sole, &sole);
                        tell(Footing::Stood { slid, turned });
                        Stance {
                            end: time,
                            slid: stance.slid + slid,
                            fastest: stance.fastest.max(slid / seconds.max(1e-6)),
                            turned: stance.turned + turned,
                            sole,
                            ..stance
                        }
                    }
                    None => Stance {
                        person: member.id,
                        foot: side,
                        begin: time,
                        end: time,
                        slid: 0.0,
                        fastest: 0.0,
                        turned: 0.0,
                        sole,
                    },
                });
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
