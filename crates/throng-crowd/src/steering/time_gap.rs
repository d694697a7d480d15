//! Nobody walks into the back of the one in front.
//!
//! Models of avoidance keep people from colliding, but let them follow each other as closely as
//! bodies fit. Real people leave a gap, the larger the faster they walk, and that, more than the
//! width of bodies, limits how many pass a door or a corridor. It has nothing to do with how one
//! avoids others and so works with every model: whatever velocity one has chosen, its *direction*
//! stands, and its speed is at most
//!
//! > (gap - standing_distance + (1 s - time_gap) · speed ahead) / 1 s,
//!
//! where the gap is the free way until bodies would touch. When all walk alike this leaves a gap of
//! standing_distance + time_gap · speed; who sees the one in front set off, follows at once.
//!
//! Before a door people do not queue one behind the other but like the teeth of a zip: somebody half aside leaves room
//! for a foot and a shoulder, and is followed more closely. So of the time gap to somebody so far `aside`, where bodies
//! touch at `contact`, there is left the share 1 - stagger · (aside / contact)²; what is kept when standing is kept to
//! all. In single file nothing changes; in a passage two bodies wide it is what lets as many through as were measured.
//! A share that falls linearly would draw people out of single file.
//!
//! Whoever wants to go the other way is not followed but avoided, and nobody is slowed below a
//! crawl, so that jams come loose.
//!
//! Sources: the linear relation is that of Seyfried et al., *The fundamental diagram of pedestrian
//! movement revisited* (2005), as a limit of speed that of Tordeux, Chraibi, Seyfried,
//! *Collision-free speed model for pedestrian dynamics* (2015).

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, run_anywhere};

use super::lanes::{Other, Own, Vec2s};
use super::{CommonParameters, Surroundings};
use crate::neighbours::{LANES, Neighbourhood};

/// Speed that is always left, m/s.
pub(super) const CRAWL: f32 = 0.05;

/// Time in which a gap that is too short or too long is made up for, s.
pub(super) const ADAPTATION: f32 = 1.0;

/// Slows people down who have chosen to walk faster than the way ahead allows.
pub(crate) fn keep(
    around: Surroundings,
    batches: &[Neighbourhood],
    velocities: &mut [[Vec2; LANES]],
) {
    run_anywhere(around.simd, KeepTimeGap { around, batches, velocities });
}

struct KeepTimeGap<'a> {
    around: Surroundings<'a>,
    batches: &'a [Neighbourhood],
    velocities: &'a mut [[Vec2; LANES]],
}

impl Kernel for KeepTimeGap<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around, batches, velocities } = self;
        for (batch, velocities) in batches.iter().zip(velocities) {
            let common = batch.profile.map(|profile| around.people.profiles.get(profile).common);
            if common.is_some_and(|traits| traits.time_gap == 0.0) {
                continue;
            }
            let traits = std::array::from_fn(|lane| &batch.profile(around.people, lane).common);
            if traits.iter().any(|traits: &&CommonParameters| traits.time_gap > 0.0) {
                let chosen = Vec2s::load(simd, velocities);
                *velocities = slow_down(simd, &around, batch, &traits, chosen).to_lanes(simd);
            }
        }
    }
}

#[inline(always)]
fn slow_down<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    traits: &[&CommonParameters; LANES],
    chosen: Vec2s<S>,
) -> Vec2s<S> {
    let (zero, own) = (simd.splat(0.0), Own::new(simd, around, batch));
    let GapParameters { time_gap, standing_distance, stagger } = GapParameters::new(simd, traits);
    let adaptation = time_gap.max(simd.splat(ADAPTATION));
    let speed = chosen.length();
    let ahead = chosen.times(simd.splat(1.0) / speed.max(simd.splat(1e-6)));
    let mut limit = speed;
    for slot in 0..batch.longest() {
        let other = Other::new(simd, around, batch, slot);
        if let Some(leader) = Leader::new(simd, &own, &other, ahead, stagger) {
            let Leader { in_the_way, gap, kept, speed: speed_ahead, .. } = leader;
            let same_way = Vec2s::load(simd, &other.intentions(around)).dot(ahead);
            let room = gap - standing_distance + (adaptation - kept * time_gap) * speed_ahead;
            let is_followed = in_the_way & same_way.ge(simd.splat(FOLLOWED));
            limit = is_followed.select(limit.min(room / adaptation), limit);
        }
    }
    let slower = ahead.times(limit.max(simd.splat(CRAWL)));
    Vec2s::select(time_gap.gt(zero) & limit.lt(speed) & speed.gt(simd.splat(CRAWL)), slower, chosen)
}

/// Parameters of the time gaps of sixteen people.
pub(super) struct GapParameters<S: Simd> {
    pub time_gap: S::F,
    pub standing_distance: S::F,
    pub stagger: S::F,
}

impl<S: Simd> GapParameters<S> {
    #[inline(always)]
    pub fn new(simd: S, common: &[&CommonParameters; LANES]) -> Self {
        Self {
            time_gap: simd.load(&common.map(|common| common.time_gap)),
            standing_distance: simd.load(&common.map(|common| common.standing_distance)),
            stagger: simd.load(&common.map(|common| common.stagger)),
        }
    }
}

/// A neighbour in the way of each of sixteen people.
pub(super) struct Leader<S: Simd> {
    /// The lanes in which the neighbour is in the way.
    pub in_the_way: S::M,
    /// From one's own position to the neighbour's, m.
    pub apart: Vec2s<S>,
    /// Distance at which both bodies touch, m.
    pub contact: S::F,
    /// The free way until they do, m.
    pub gap: S::F,
    /// The share of the time gap that is kept to a neighbour half aside.
    pub kept: S::F,
    /// Speed along the way, m/s; 0 for those who come the other way.
    pub speed: S::F,
}

impl<S: Simd> Leader<S> {
    /// Along the unit vectors `way`; `None` if the neighbour is in nobody's way.
    #[inline(always)]
    pub fn new(
        simd: S,
        own: &Own<S>,
        other: &Other<S>,
        way: Vec2s<S>,
        stagger: S::F,
    ) -> Option<Self> {
        let zero = simd.splat(0.0);
        let apart = other.position.minus(own.position);
        let (along, aside) = (apart.dot(way), apart.det(way));
        let contact = own.radius + other.radius;
        let reach_squared = contact * contact - aside * aside;
        let in_the_way = other.exists & along.gt(zero) & reach_squared.gt(zero);
        // Not `then`: its closure would be compiled without vector instructions, a sixth slower.
        if !in_the_way.any() {
            return None;
        }
        Some(Self {
            in_the_way,
            apart,
            contact,
            gap: along - reach_squared.max(zero).sqrt(),
            kept: (simd.splat(1.0) - stagger * (aside * aside) / (contact * contact)).max(zero),
            speed: other.velocity.dot(way).max(zero),
        })
    }
}

/// Those are followed whose intention is so much (cosine) one's own way, or who want nothing.
pub(super) const FOLLOWED: f32 = -0.2;

impl<S: Simd> Other<'_, S> {
    /// Where they want to go, as unit vectors; zero for those who want to stay.
    #[inline(always)]
    pub(super) fn intentions(&self, around: &Surroundings) -> [Vec2; LANES] {
        self.entries.map(|entry| around.preferred_velocity(entry.row()).normalize_or_zero())
    }
}
