//! Sixteen people at a time, one per lane.

use glam::Vec2;
pub(super) use throng_simd::Vec2s;
use throng_simd::{Floats, Mask, Simd, set_bits};

use super::{Parameters, Surroundings};
use crate::grid::GridEntry;
use crate::neighbours::{LANES, Neighbourhood};
use crate::profiles::ProfileId;

/// Those who are steered.
pub(super) struct Own<S: Simd> {
    pub rows: [usize; LANES],
    /// How they all steer, if they do so alike.
    profile: Option<ProfileId>,
    pub ids: [u32; LANES],
    pub position: Vec2s<S>,
    pub velocity: Vec2s<S>,
    pub radius: S::F,
    pub responsibility: S::F,
    pub preferred: Vec2s<S>,
    pub max_speed: S::F,
}

impl<S: Simd> Own<S> {
    #[inline(always)]
    pub fn new(simd: S, around: &Surroundings, batch: &Neighbourhood) -> Self {
        let entries = batch.who.map(|who| around.entry(who));
        let columns = simd.transpose(std::array::from_fn(|lane| entries[lane].lanes()));
        let rows = batch.rows.map(|row| row as usize);
        Self {
            rows,
            profile: batch.profile,
            ids: entries.map(GridEntry::id),
            position: Vec2s { x: columns[0], y: columns[1] },
            velocity: Vec2s { x: columns[2], y: columns[3] },
            radius: columns[4],
            responsibility: columns[5],
            preferred: Vec2s::load(simd, &rows.map(|row| around.preferred_velocity(row))),
            max_speed: simd.load(&rows.map(|row| around.people.max_speeds[row])),
        }
    }

    /// The share of an avoidance that falls to each, of two.
    #[inline(always)]
    pub fn share(&self, simd: S, other: &Other<S>) -> S::F {
        let total = self.responsibility + other.responsibility;
        self.responsibility / total.max(simd.splat(1e-6))
    }

    /// A model parameter of each.
    #[inline(always)]
    pub fn parameter<P: Parameters>(
        &self,
        simd: S,
        around: &Surroundings,
        value: impl Fn(&P) -> f32,
    ) -> S::F {
        let profiles = &around.people.profiles;
        match self.profile {
            Some(profile) => simd.splat(value(&P::from_values(&profiles.get(profile).values))),
            None => simd.load(&self.rows.map(|row| value(&around.parameters(row)))),
        }
    }
}

/// One neighbour of each of those who are steered.
pub(super) struct Other<'a, S: Simd> {
    pub entries: [&'a GridEntry; LANES],
    /// The lanes that have so many neighbours.
    pub exists: S::M,
    pub position: Vec2s<S>,
    pub velocity: Vec2s<S>,
    pub radius: S::F,
    pub responsibility: S::F,
}

impl<'a, S: Simd> Other<'a, S> {
    /// The neighbours in `slot`, which is below [`Neighbourhood::longest`].
    #[inline(always)]
    pub fn new(simd: S, around: &Surroundings<'a>, batch: &Neighbourhood, slot: usize) -> Self {
        let entries = batch.index[slot].map(|other| around.entry(other));
        let columns = simd.transpose(std::array::from_fn(|lane| entries[lane].lanes()));
        let counts = simd.load(&batch.count.map(|count| count as f32));
        Self {
            entries,
            exists: simd.splat(slot as f32).lt(counts),
            position: Vec2s { x: columns[0], y: columns[1] },
            velocity: Vec2s { x: columns[2], y: columns[3] },
            radius: columns[4],
            responsibility: columns[5],
        }
    }

    #[inline(always)]
    pub fn ids(&self) -> [u32; LANES] {
        self.entries.map(GridEntry::id)
    }
}

/// How much two go the same way: the cosine of the angle between their velocities, 0 if one stands.
#[inline(always)]
pub(super) fn along<S: Simd>(simd: S, own: Vec2s<S>, other: Vec2s<S>) -> S::F {
    own.dot(other) / (own.dot(own) * other.dot(other)).sqrt().max(simd.splat(1e-6))
}

/// How people who are coincident, or about to be, part: each pair in a direction of its own.
#[inline(always)]
pub(super) fn untie<S: Simd>(
    simd: S,
    vectors: Vec2s<S>,
    tied: S::M,
    own: &[u32; LANES],
    other: &[u32; LANES],
) -> Vec2s<S> {
    let mut lanes = vectors.to_lanes(simd);
    untie_lanes(&mut lanes, tied.bits(), own, other);
    Vec2s::load(simd, &lanes)
}

#[cold]
fn untie_lanes(vectors: &mut [Vec2; LANES], tied: u16, own: &[u32; LANES], other: &[u32; LANES]) {
    for lane in set_bits(tied) {
        vectors[lane] = super::tie_direction(own[lane], other[lane]);
    }
}
