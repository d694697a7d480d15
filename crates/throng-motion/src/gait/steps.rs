//! Feet that step from place to place by a plan: for turns on the spot, starts and stops.

use glam::Vec3;

use super::foot::Sole;
use super::sketch::{Foot, REACH, Sketch};
use super::smooth::{blurred, dilated, hermite, smoothstep};
use crate::contact::Side;
use crate::human::Human;

/// A foot that stands at one place for a while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hold {
    /// When it comes down, in seconds; before the beginning if it stands from the beginning.
    pub land: f32,
    /// When it leaves; after the end if it stays.
    pub lift: f32,
    /// Where the ankle of the flat foot is, in the world.
    pub at: Vec3,
    pub yaw: f32,
}

/// How a foot behaves on its way, whatever the places are.
pub(crate) trait Manner {
    /// How a foot that stands has rolled, `since` seconds after it came down and `before` seconds
    /// before it leaves: the pitch of the sole, and that of the toes once they roll over their tip.
    fn stance(&self, since: f32, before: f32) -> (f32, f32);

    /// What a foot does beyond moving from place to place, a part `swing` of the way: the ankle's
    /// deviation from the straight line of flat feet, the pitch, and the bend of the toes.
    fn swing(&self, swing: f32) -> (Vec3, f32, f32);
}

/// A foot's way through its holds.
pub(crate) struct FootTrack<'m, M> {
    pub holds: Vec<Hold>,
    pub sole: Sole,
    pub manner: &'m M,
}

impl<M: Manner> FootTrack<'_, M> {
    /// The foot at `time`, in the world.
    pub(crate) fn at(&self, time: f32) -> Foot {
        let next = self.holds.partition_point(|hold| hold.land <= time);
        let Some(hold) = next.checked_sub(1).map(|index| &self.holds[index]) else {
            return self.planted(&self.holds[0], self.holds[0].land);
        };
        match self.holds.get(next) {
            Some(next) if time > hold.lift => self.swinging(hold, next, time),
            _ => self.planted(hold, time),
        }
    }

    /// Whether the foot stands at `time`.
    pub(crate) fn stands(&self, time: f32) -> bool {
        self.holds.iter().any(|hold| (hold.land..=hold.lift).contains(&time))
    }

    fn planted(&self, hold: &Hold, time: f32) -> Foot {
        let (pitch, toes) = self.manner.stance(time - hold.land, hold.lift - time);
        if toes < 0.0 {
            return self.sole.on_tiptoe(hold.at, hold.yaw, pitch, toes);
        }
        let ankle = self.sole.rolled(hold.at, hold.yaw, pitch);
        Foot { ankle, yaw: hold.yaw, pitch, toes: (-pitch).max(0.0) }
    }

    fn swinging(&self, from: &Hold, to: &Hold, time: f32) -> Foot {
        const SHARE: f32 = 0.4;
        let swing = (time - from.lift) / (to.land - from.lift);
        let base = |swing: f32| {
            let (deviation, pitch, toes) = self.manner.swing(swing);
            (from.at.lerp(to.at, smoothstep(swing)) + deviation, pitch, toes)
        };
        let (mut ankle, mut pitch, mut toes) = base(swing);
        let left = self.planted(from, from.lift);
        let lands = self.planted(to, to.land);
        for (end, foot, share) in [(0.0, left, swing), (1.0, lands, 1.0 - swing)] {
            let (expected, expected_pitch, expected_toes) = base(end);
            ankle += (foot.ankle - expected) * hermite(share / SHARE);
            pitch += (foot.pitch - expected_pitch) * hermite(share / SHARE);
            toes += (foot.toes - expected_toes) * hermite(share / SHARE);
        }
        let yaw = from.yaw + (to.yaw - from.yaw) * smoothstep(swing);
        let mut foot = Foot { ankle, yaw, pitch, toes };
        foot.toes = self.sole.toes_above_ground(&foot);
        foot.ankle.y += (-self.sole.lowest(&foot)).max(0.0);
        foot
    }
}

/// Brings the root down smoothly where a leg would not reach a foot that `stands` in that frame,
/// and feet that swing up to the leg; the sketches are a cycle or not.
pub(crate) fn settle(
    human: &Human,
    sketches: &mut [Sketch],
    cyclic: bool,
    stands: impl Fn(usize, Side) -> bool,
) {
    let missing: Vec<f32> = sketches
        .iter()
        .enumerate()
        .map(|(frame, sketch)| {
            let standing = Side::BOTH.into_iter().filter(|side| stands(frame, *side));
            standing.map(|side| sketch.excess(human, side, REACH)).fold(0.0, f32::max)
        })
        .collect();
    let width = 4.0 / sketches.len() as f32;
    let lowering = if cyclic {
        blurred(&dilated(&missing, width), 0.5 * width)
    } else {
        // What happens at one end must not reach the other.
        let pad = sketches.len();
        let ends = [vec![missing[0]; pad], missing.clone(), vec![missing[pad - 1]; pad]].concat();
        let width = width / 3.0;
        blurred(&dilated(&ends, width), 0.5 * width)[pad..2 * pad].to_vec()
    };
    for (sketch, down) in sketches.iter_mut().zip(lowering) {
        sketch.root.y -= down;
        for side in Side::BOTH {
            sketch.feet[side as usize].ankle.y += sketch.excess(human, side, REACH);
        }
    }
}
