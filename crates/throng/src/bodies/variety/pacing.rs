//! Out of step on the way: who has fallen into step with somebody near steps a little faster or slower until they are
//! out of it again.
//!
//! People begin out of step, and differ in size and so in how fast they step. But whoever walks next to others for a
//! while passes through their phases, and those with nearly the same cadence stay there. So of each pair within
//! [`STEP_REACH`] that plays the same clip, nearer to each other in phase than [`STEP_GAP`], the one with the larger id
//! is nudged by [`NUDGE`]: on in the direction that their cadences carry them anyway, or simply apart if these are equal.
//! Nobody is held off from passing: who is kept just outside of the gap comes back at once.
//!
//! After O'Sullivan, *Variety Is the Spice of (Virtual) Life* (2009), who finds that walking out of step hides clones. The
//! rule there begins at half of the gap, and only for those who close in on each other; that leaves a pair in step for longer.
//! Everybody looks once in [`ROUNDS`] steps, at what all did before: results depend neither on order nor on threads.

use glam::Vec3;
use rayon::prelude::*;

use super::STEP_GAP;
use super::neighbours::Neighbours;
use super::sameness::gap;

/// How near people are who are seen to be in step, m.
pub const STEP_REACH: f32 = 3.0;
/// By which part cadences are changed.
pub const NUDGE: f32 = 0.03;
/// Cadences that differ by less than this part are the same.
const SAME_CADENCE: f32 = 0.002;
/// Everybody looks once in so many steps.
const ROUNDS: usize = 4;
/// Fewer people than this are not handed out to other threads.
const PARALLEL_FROM: usize = 4096;

/// Somebody whose steps are seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::bodies) struct Walker {
    /// Where they are in the world, m.
    pub place: Vec3,
    /// A number that is the same for those who play the same.
    pub clip: u64,
    /// How far they have come in it, from 0 to 1.
    pub phase: f32,
    /// How fast, in cycles per second, if nobody nudged them.
    pub rate: f32,
    /// How they are nudged: on, back, or not at all.
    pub nudge: Nudge,
}

impl Walker {
    /// The number of a part of the repertoire of a body.
    pub fn clip(body: usize, part: usize) -> u64 {
        (body as u64) << 32 | part as u64
    }
}

/// A little faster, a little slower, or neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::bodies) enum Nudge {
    #[default]
    None,
    On,
    Back,
}

impl Nudge {
    /// How much faster one steps by it.
    pub fn factor(self) -> f32 {
        match self {
            Self::None => 1.0,
            Self::On => 1.0 + NUDGE,
            Self::Back => 1.0 - NUDGE,
        }
    }
}

/// Looks after everybody's steps.
#[derive(Clone, Debug, Default)]
pub(in crate::bodies) struct Pacing {
    walkers: Vec<Walker>,
    round: usize,
    /// Kept for their memory.
    places: Vec<Vec3>,
    neighbours: Neighbours,
    nudges: Vec<Nudge>,
}

impl Pacing {
    /// How `walkers`, who are in ascending order of id, are nudged from now on, in the same order.
    pub fn review(&mut self, walkers: impl Iterator<Item = Walker>) -> &[Nudge] {
        self.walkers.clear();
        self.walkers.extend(walkers);
        self.places.clear();
        // Neighbours are told by ground and height.
        let place = |walker: &Walker| Vec3::new(walker.place.x, walker.place.z, walker.place.y);
        self.places.extend(self.walkers.iter().map(place));
        self.neighbours.gather(&self.places);
        self.round = (self.round + 1) % ROUNDS;
        let Self { walkers, round, places, neighbours, nudges } = self;
        let decide = |index: usize| match index % ROUNDS == *round {
            true => nudge(walkers, places, neighbours, index),
            false => walkers[index].nudge,
        };
        nudges.clear();
        if walkers.len() < PARALLEL_FROM {
            nudges.extend((0..walkers.len()).map(decide));
        } else {
            (0..walkers.len())
                .into_par_iter()
                .with_min_len(1024)
                .map(decide)
                .collect_into_vec(nudges);
        }
        nudges
    }
}

/// How somebody is nudged.
fn nudge(walkers: &[Walker], places: &[Vec3], neighbours: &Neighbours, index: usize) -> Nudge {
    let one = &walkers[index];
    if !places[index].is_finite() {
        return Nudge::None;
    }
    // Those with smaller ids go on as they do.
    let (mut least, mut nearest) = (STEP_GAP, None);
    neighbours.within(places[index], STEP_REACH, |_, number| {
        let other = &walkers[number];
        if number < index && other.clip == one.clip {
            let gap = gap(one.phase, other.phase);
            if gap < least {
                (least, nearest) = (gap, Some(number));
            }
        }
    });
    let Some(other) = nearest.map(|number| &walkers[number]) else { return Nudge::None };
    if one.nudge != Nudge::None {
        return one.nudge;
    }
    let faster = one.rate - other.rate * other.nudge.factor();
    let ahead = (one.phase - other.phase + 0.5).rem_euclid(1.0) - 0.5;
    let on = match faster.abs() > SAME_CADENCE * one.rate.abs() {
        true => faster > 0.0,
        false => ahead >= 0.0,
    };
    if on { Nudge::On } else { Nudge::Back }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two who walk side by side for some seconds, and how far they are apart in phase then.
    fn apart(phases: [f32; 2], rates: [f32; 2], clips: [u64; 2], seconds: f32) -> f32 {
        let mut pacing = Pacing::default();
        let mut pair = [0, 1].map(|index| Walker {
            place: Vec3::new(index as f32, 0.0, 0.0),
            clip: clips[index],
            phase: phases[index],
            rate: rates[index],
            nudge: Nudge::None,
        });
        for _ in 0..(25.0 * seconds) as usize {
            let nudges = pacing.review(pair.into_iter()).to_vec();
            for (walker, nudge) in pair.iter_mut().zip(nudges) {
                walker.nudge = nudge;
                walker.phase = (walker.phase + 0.04 * walker.rate * nudge.factor()).rem_euclid(1.0);
            }
        }
        assert_eq!(pair[0].nudge, Nudge::None, "the first goes on as they did");
        gap(pair[0].phase, pair[1].phase)
    }

    #[test]
    fn who_is_in_step_gets_out_of_it() {
        for phases in [[0.3, 0.3], [0.99, 0.01], [0.5, 0.46]] {
            let gap = apart(phases, [1.0, 1.0], [7, 7], 4.0);
            assert!((STEP_GAP..0.1).contains(&gap), "{phases:?}: {gap}");
        }
        // Another clip is another step.
        assert!(apart([0.3, 0.3], [1.0, 1.0], [7, 8], 4.0) < 1e-4);
        // Who is slower is soon behind.
        let drifted = apart([0.3, 0.35], [1.0, 0.98], [7, 7], 3.0);
        assert!(drifted >= STEP_GAP, "{drifted}");
    }

    #[test]
    fn nonsense_is_left_alone() {
        let odd = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::ZERO, Vec3::ZERO];
        let odd =
            odd.map(|place| Walker { place, phase: f32::NAN, rate: f32::NAN, ..Walker::default() });
        let mut pacing = Pacing::default();
        for _ in 0..ROUNDS {
            assert_eq!(pacing.review(odd.into_iter()), [Nudge::None; 4]);
        }
        assert!(pacing.review(std::iter::empty()).is_empty());
    }
}
