//! Conflicts ahead, and the forces that avoid them.

use throng_simd::plain::Plain;
use throng_simd::{Floats, Mask, Simd};

use super::super::explain::Witness;
use super::super::lanes::{Own, Vec2s, untie};
use super::super::{Surroundings, pair_side};
use super::PredictiveParameters;
use crate::grid::GridEntry;
use crate::neighbours::{LANES, Neighbourhood};

/// The most conflicts that anybody can take into account.
pub(super) const MAX_CONFLICTS: usize = 10;

/// How much less each later conflict weighs in the weighted sum.
const DECAY: f32 = 0.8;

/// Below this sine of the angle between approach and line of sight a meeting is head-on.
const HEAD_ON: f32 = 0.02;

/// Somebody whom one might run into.
#[derive(Clone, Copy)]
pub(super) struct Conflict<S: Simd> {
    /// Where they are, seen from oneself, m.
    pub apart: Vec2s<S>,
    pub velocity: Vec2s<S>,
    /// How much they come the other way, 0 to 1.
    pub oncoming: S::F,
    /// Distance at which they are in one's personal space, m.
    pub reach: S::F,
    /// Distance at which the bodies touch, m.
    pub contact: S::F,
    /// How much of the evasion is one's own; 1 between equals.
    pub weight: S::F,
    /// The neighbour's number in the list.
    pub slot: S::F,
}

impl<S: Simd> Conflict<S> {
    /// When they will be in one's personal space if one walks with `velocity`, s: 0 if they are
    /// already, infinite if they never will.
    #[inline(always)]
    pub fn time(&self, simd: S, velocity: Vec2s<S>) -> S::F {
        let zero = simd.splat(0.0);
        let approach = velocity.minus(self.velocity);
        let a = approach.dot(approach);
        let b = self.apart.dot(approach);
        let c = self.apart.dot(self.apart) - self.reach * self.reach;
        let discriminant = b * b - a * c;
        // Touching in passing is none, and neither is what is past.
        let happens = discriminant.gt(zero) & b.gt(zero) & a.gt(simd.splat(1e-8));
        let root = discriminant.max(zero).sqrt();
        let time = c / (b + root).max(simd.splat(1e-12));
        let infinity = simd.splat(f32::INFINITY);
        c.lt(zero).select(zero, happens.select(time, infinity))
    }

    /// How the two will meet after `time` if one walks with `velocity`.
    #[inline(always)]
    fn meeting(&self, simd: S, velocity: Vec2s<S>, time: S::F) -> Meeting<S> {
        let approach = velocity.minus(self.velocity);
        let away = approach.times(time).minus(self.apart);
        let distance = away.length();
        let direction = away.times(simd.splat(1.0) / distance.max(simd.splat(1e-6)));
        let way = time * velocity.length() + distance - self.contact;
        Meeting { approach, distance, direction, way }
    }

    /// The part of `force` that is left if one walks with `velocity` and the approach is `approach`:
    /// what brakes is of no use against those who come the other way and would be passed.
    #[inline(always)]
    fn without_needless_braking(
        &self,
        simd: S,
        force: Vec2s<S>,
        [velocity, approach]: [Vec2s<S>; 2],
    ) -> Vec2s<S> {
        let (zero, one, tiny) = (simd.splat(0.0), simd.splat(1.0), simd.splat(1e-6));
        let miss = self.apart.det(approach).abs() / approach.length().max(tiny);
        let needless = self.oncoming * (miss / self.reach.max(tiny)).min(one);
        let along = force.dot(velocity).min(zero) / velocity.dot(velocity).max(tiny);
        force.minus(velocity.times(along * needless))
    }
}

/// How two people will meet.
struct Meeting<S: Simd> {
    /// One's own velocity, seen from the other.
    approach: Vec2s<S>,
    /// How far apart they will be, m, and the direction from where they will be to oneself.
    distance: S::F,
    direction: Vec2s<S>,
    /// One's way until then and the gap that is left (D), m.
    way: S::F,
}

/// The earliest conflicts of each lane, in order of time.
pub(super) struct Conflicts<S: Simd> {
    times: [S::F; MAX_CONFLICTS],
    conflicts: [Conflict<S>; MAX_CONFLICTS],
    /// How many each lane keeps, and the largest of these.
    limits: S::F,
    capacity: usize,
}

impl<S: Simd> Conflicts<S> {
    #[inline(always)]
    pub fn new(simd: S, limits: S::F) -> Self {
        let (zero, zeros) = (simd.splat(0.0), Vec2s::zero(simd));
        let none = Conflict {
            apart: zeros,
            velocity: zeros,
            oncoming: zero,
            reach: zero,
            contact: zero,
            weight: zero,
            slot: zero,
        };
        let limits = limits.round();
        let capacity = limits.to_array().into_iter().fold(1.0, f32::max) as usize;
        Self {
            times: [simd.splat(f32::INFINITY); MAX_CONFLICTS],
            conflicts: [none; MAX_CONFLICTS],
            limits,
            capacity: capacity.min(MAX_CONFLICTS),
        }
    }

    /// Sorts in a conflict of each lane, infinite times meaning none. The one that is last goes if
    /// there are too many; of two at the same time the one sorted in first is first.
    #[inline(always)]
    pub fn insert(&mut self, time: S::F, conflict: Conflict<S>) {
        let (mut time, mut conflict) = (time, conflict);
        for (kept_time, kept) in self.times.iter_mut().zip(&mut self.conflicts).take(self.capacity)
        {
            let earlier = time.lt(*kept_time);
            let (old_time, old) = (*kept_time, *kept);
            *kept_time = earlier.select(time, old_time);
            *kept = Conflict::select(earlier, &conflict, &old);
            time = earlier.select(old_time, time);
            conflict = Conflict::select(earlier, &old, &conflict);
        }
    }

    /// The lanes that have a conflict number `rank` and heed that many.
    #[inline(always)]
    fn exists(&self, simd: S, rank: usize) -> S::M {
        self.times[rank].lt(simd.splat(f32::INFINITY)) & simd.splat(rank as f32).lt(self.limits)
    }

    /// How many ranks are in use in some lane.
    #[inline(always)]
    fn len(&self, simd: S) -> usize {
        (0..self.capacity).find(|&rank| !self.exists(simd, rank).any()).unwrap_or(self.capacity)
    }
}

impl<S: Simd> Conflict<S> {
    #[inline(always)]
    fn select(mask: S::M, yes: &Self, no: &Self) -> Self {
        Self {
            apart: Vec2s::select(mask, yes.apart, no.apart),
            velocity: Vec2s::select(mask, yes.velocity, no.velocity),
            oncoming: mask.select(yes.oncoming, no.oncoming),
            reach: mask.select(yes.reach, no.reach),
            contact: mask.select(yes.contact, no.contact),
            weight: mask.select(yes.weight, no.weight),
            slot: mask.select(yes.slot, no.slot),
        }
    }
}

/// How strongly a conflict is felt, by its distance: beyond all bounds when very near, constant in
/// the middle, fading out towards the far end.
pub(super) struct EvasiveForce<S: Simd> {
    pub near: S::F,
    pub full: S::F,
    pub far: S::F,
    pub force: S::F,
}

impl EvasiveForce<Plain> {
    /// That of people with these parameters.
    pub fn of(parameters: &PredictiveParameters) -> Self {
        Self {
            near: Plain.splat(parameters.near_distance),
            full: Plain.splat(parameters.full_distance),
            far: Plain.splat(parameters.far_distance),
            force: Plain.splat(parameters.evasive_force),
        }
    }
}

impl<S: Simd> EvasiveForce<S> {
    /// The force at a distance, m/s².
    #[inline(always)]
    pub fn at(&self, simd: S, distance: S::F) -> S::F {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let fading = (self.far - distance) / (self.far - self.full).max(simd.splat(1e-6));
        let barrier = (self.near / distance.max(simd.splat(LEAST_DISTANCE))).max(one);
        self.force * fading.max(zero).min(one) * barrier
    }
}

/// Conflicts count as at least this far away, m.
const LEAST_DISTANCE: f32 = 0.01;

/// What is needed to weigh conflicts.
pub(super) struct Chooser<'a, S: Simd> {
    pub around: &'a Surroundings<'a>,
    pub batch: &'a Neighbourhood,
    pub own: &'a Own<S>,
    pub desired: Vec2s<S>,
    /// How far ahead conflicts are foreseen, s.
    pub horizon: S::F,
    pub force: EvasiveForce<S>,
}

impl<S: Simd> Chooser<'_, S> {
    /// For each conflict: avoid it, then those others that are not avoided by that already; the
    /// mean over all.
    #[inline(always)]
    pub fn one_by_one(
        &self,
        simd: S,
        conflicts: &Conflicts<S>,
        witness: &mut impl Witness<S>,
    ) -> Vec2s<S> {
        let step = simd.splat(self.around.step);
        let zero = simd.splat(0.0);
        let len = conflicts.len(simd);
        let (mut sum, mut count) = (Vec2s::zero(simd), zero);
        for first in 0..len {
            let exists = conflicts.exists(simd, first);
            let (time, conflict) = (conflicts.times[first], &conflicts.conflicts[first]);
            let mut force = self.pair_force(simd, conflict, self.desired, time);
            witness.person(simd, conflict.slot, exists, force);
            for other in (0..len).filter(|&other| other != first) {
                let velocity = self.desired.plus(force.times(step));
                let conflict = &conflicts.conflicts[other];
                let time = conflict.time(simd, velocity);
                let remains = conflicts.exists(simd, other) & time.le(self.horizon);
                let more = self.pair_force(simd, conflict, velocity, time);
                witness.person(simd, conflict.slot, remains & exists, more);
                force = Vec2s::select(remains, force.plus(more), force);
            }
            sum = Vec2s::select(exists, sum.plus(force), sum);
            count = exists.select(count + simd.splat(1.0), count);
        }
        let mean = simd.splat(1.0) / count.max(simd.splat(1.0));
        witness.scale(mean);
        sum.times(mean)
    }

    /// The sum of all forces, later conflicts weighing less.
    #[inline(always)]
    pub fn weighted(
        &self,
        simd: S,
        conflicts: &Conflicts<S>,
        witness: &mut impl Witness<S>,
    ) -> Vec2s<S> {
        let mut sum = Vec2s::zero(simd);
        let mut weight = simd.splat(1.0);
        for rank in 0..conflicts.len(simd) {
            let (time, conflict) = (conflicts.times[rank], &conflicts.conflicts[rank]);
            let force = self.pair_force(simd, conflict, self.desired, time);
            let imminent = time.le(simd.splat(0.0));
            let weighted = force.times(imminent.select(simd.splat(1.0), weight));
            let exists = conflicts.exists(simd, rank);
            witness.person(simd, conflict.slot, exists, weighted);
            sum = Vec2s::select(exists, sum.plus(weighted), sum);
            weight = weight * simd.splat(DECAY);
        }
        sum
    }

    /// The force that avoids one conflict, which comes about at `time` if one walks with
    /// `velocity`. Lanes without it give anything finite.
    #[inline(always)]
    fn pair_force(
        &self,
        simd: S,
        conflict: &Conflict<S>,
        velocity: Vec2s<S>,
        time: S::F,
    ) -> Vec2s<S> {
        let zero = simd.splat(0.0);
        let time = time.lt(simd.splat(f32::INFINITY)).select(time, zero);
        let Meeting { approach, distance, mut direction, way } =
            conflict.meeting(simd, velocity, time);
        let tied = distance.lt(simd.splat(1e-6)) & conflict.weight.gt(zero);
        if tied.any() {
            direction = untie(simd, direction, tied, &self.own.ids, &self.ids(conflict));
        }
        let force = self.force.at(simd, way);
        let sine = direction.det(approach).abs();
        let is_head_on = sine.lt(simd.splat(HEAD_ON) * approach.length()) & force.gt(zero);
        let mut sum = direction.times(force);
        sum = conflict.without_needless_braking(simd, sum, [velocity, approach]);
        if is_head_on.any() {
            let side = self.side_force(simd, conflict);
            let aside = Vec2s { x: -direction.y * side, y: direction.x * side };
            sum = Vec2s::select(is_head_on, sum.plus(aside), sum);
        }
        sum.times(conflict.weight)
    }

    /// Sideways forces for pairs who meet head-on.
    #[inline(always)]
    fn side_force(&self, simd: S, conflict: &Conflict<S>) -> S::F {
        let (own, other) = (&self.own.ids, self.ids(conflict));
        let sides = std::array::from_fn(|lane| pair_side(own[lane], other[lane]));
        simd.load(&sides)
            * self.own.parameter(simd, self.around, |p: &PredictiveParameters| p.side_force)
    }

    #[inline(always)]
    fn ids(&self, conflict: &Conflict<S>) -> [u32; LANES] {
        let slots = conflict.slot.to_array();
        std::array::from_fn(|lane| {
            let entry = self.batch.index[slots[lane] as usize][lane];
            self.around.grid.entries.get(entry as usize).map_or(0, GridEntry::id)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use throng_simd::plain::Plain;

    fn lanes(v: Vec2) -> Vec2s<Plain> {
        Vec2s::load(Plain, &[v; LANES])
    }

    /// Somebody at `apart` with `velocity`, both bodies 0.25 m and 0.1 m of personal space.
    fn conflict(apart: Vec2, velocity: Vec2) -> Conflict<Plain> {
        Conflict {
            apart: lanes(apart),
            velocity: lanes(velocity),
            oncoming: Plain.splat(0.0),
            reach: Plain.splat(0.6),
            contact: Plain.splat(0.5),
            weight: Plain.splat(1.0),
            slot: Plain.splat(0.0),
        }
    }

    fn time(conflict: &Conflict<Plain>, velocity: Vec2) -> f32 {
        conflict.time(Plain, lanes(velocity)).to_array()[0]
    }

    fn default_force() -> EvasiveForce<Plain> {
        EvasiveForce::of(&PredictiveParameters::DEFAULT)
    }

    fn force_at(distance: f32) -> f32 {
        default_force().at(Plain, Plain.splat(distance)).to_array()[0]
    }

    #[test]
    fn the_force_has_its_four_parts_and_no_jumps() {
        for (distance, force) in [(0.3, 2.0), (0.6, 1.0), (2.0, 1.0), (8.0, 0.5), (12.0, 0.0)] {
            assert!((force_at(distance) - force).abs() < 1e-6, "f({distance})");
        }
        for i in 1..2000 {
            let (before, after) = (force_at((i - 1) as f32 * 0.01), force_at(i as f32 * 0.01));
            assert!(after <= before, "it never grows with distance");
        }
        for joint in [0.6, 4.0, 12.0] {
            assert!((force_at(joint - 1e-4) - force_at(joint + 1e-4)).abs() < 1e-3, "at {joint}");
        }
        assert_eq!(force_at(50.0), 0.0);
    }

    /// The force of one conflict on somebody with velocity `velocity`, and the conflict's time.
    fn force_of(conflict: &Conflict<Plain>, velocity: Vec2) -> (Vec2, f32) {
        let time = conflict.time(Plain, lanes(velocity));
        let meeting = conflict.meeting(Plain, lanes(velocity), time);
        let force = default_force().at(Plain, meeting.way);
        (meeting.direction.times(force).to_lanes(Plain)[0], time.to_array()[0])
    }

    #[test]
    fn two_who_meet_head_on_are_pushed_back_by_the_known_force() {
        let ahead = conflict(Vec2::new(10.0, 0.0), Vec2::new(-1.4, 0.0));
        let (force, time) = force_of(&ahead, Vec2::new(1.4, 0.0));
        assert!((time - 3.3571).abs() < 1e-3, "{time}");
        assert!((force - Vec2::new(-0.9, 0.0)).length() < 1e-3, "{force}");
    }

    #[test]
    fn who_would_clip_anothers_back_is_pushed_to_where_the_other_comes_from() {
        let crossing = conflict(Vec2::new(5.0, -4.2), Vec2::new(0.0, 1.4));
        let (force, time) = force_of(&crossing, Vec2::new(1.4, 0.0));
        assert!((time - 3.1847).abs() < 1e-3, "{time}");
        let direction = force.normalize();
        assert!((direction - Vec2::new(-0.902, -0.431)).length() < 2e-3, "{direction}");
    }

    #[test]
    fn who_comes_the_other_way_slows_one_down_only_as_far_as_they_are_in_the_way() {
        let walk = Vec2::new(1.4, 0.0);
        let left_of = |aside: f32, oncoming: f32| {
            let mut other = conflict(Vec2::new(5.0, aside), -walk);
            other.oncoming = Plain.splat(oncoming);
            let approach = lanes(walk * 2.0);
            let force = lanes(Vec2::new(-0.8, -0.6));
            other.without_needless_braking(Plain, force, [lanes(walk), approach]).to_lanes(Plain)[0]
        };
        assert!((left_of(0.0, 1.0) - Vec2::new(-0.8, -0.6)).length() < 1e-6, "straight ahead");
        assert!((left_of(0.3, 1.0) - Vec2::new(-0.4, -0.6)).length() < 1e-6, "half in the way");
        assert!((left_of(0.6, 1.0) - Vec2::new(0.0, -0.6)).length() < 1e-6, "passed");
        assert!((left_of(0.6, 0.0) - Vec2::new(-0.8, -0.6)).length() < 1e-6, "not the other way");
    }

    #[test]
    fn conflicts_are_what_will_happen() {
        let walk = Vec2::new(1.4, 0.0);
        let away = conflict(Vec2::new(2.0, 0.0), Vec2::new(1.6, 0.0));
        assert_eq!(time(&away, walk), f32::INFINITY, "they part");
        let inside = conflict(Vec2::new(0.55, 0.0), Vec2::new(1.6, 0.0));
        assert_eq!(time(&inside, walk), 0.0, "in the personal space already");
        let alike = conflict(Vec2::new(2.0, 0.0), walk);
        assert_eq!(time(&alike, walk), f32::INFINITY, "side by side for ever");
        let mut grazing = conflict(Vec2::new(5.0, 0.625), Vec2::ZERO);
        grazing.reach = Plain.splat(0.625);
        assert_eq!(time(&grazing, Vec2::X), f32::INFINITY, "touching in passing");
        let behind = conflict(Vec2::new(-5.0, 0.0), Vec2::ZERO);
        assert_eq!(time(&behind, walk), f32::INFINITY, "past");
        let coincident = conflict(Vec2::ZERO, walk);
        assert_eq!(time(&coincident, walk), 0.0);
    }

    #[test]
    fn the_earliest_conflicts_are_kept_in_order() {
        let mut conflicts = Conflicts::new(Plain, Plain.splat(3.0));
        for (slot, time) in [4.0, 1.0, f32::INFINITY, 3.0, 1.0, 2.0].into_iter().enumerate() {
            let mut found = conflict(Vec2::X, Vec2::ZERO);
            found.slot = Plain.splat(slot as f32);
            conflicts.insert(Plain.splat(time), found);
        }
        let slots: Vec<f32> =
            (0..3).map(|rank| conflicts.conflicts[rank].slot.to_array()[7]).collect();
        assert_eq!(slots, [1.0, 4.0, 5.0], "by time, and of two at once the first");
        assert_eq!(conflicts.len(Plain), 3);
    }
}
