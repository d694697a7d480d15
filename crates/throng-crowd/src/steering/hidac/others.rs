//! What the people around make of somebody: sixteen of them at a time.
//!
//! People ahead, in a rectangle along one's direction, make one turn aside: along the tangent of the circle
//! around them, (d × v) × d, weighted by (|d| - D)² and doubled for those who come towards one
//! (w_o). People whose bodies are in one's personal space push: by as much as they are in it, shared if
//! each is in the other's.

use glam::Vec2;
use throng_simd::{Floats, Mask, Simd, cos, set_bits};

use super::super::Surroundings;
use super::super::explain::Witness;
use super::super::lanes::{Other, Own, Vec2s, untie};
use super::super::limits::STANDARD;
use super::parameters::HidacParameters;
use super::state::{DENSITY, DIRECTION, HidacState, PANICS, SPACE, STATE};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering::Condition;

/// Deceleration with which people stop who come to a queue, m/s².
const BRAKING: f32 = 1.8;

/// How much wider than two bodies the rectangle of influence is to either side, m.
const BESIDE: f32 = 0.2;

/// Within the sight less this, m, those who walk the same way are avoided (published).
const SAME_WAY: f32 = 1.5;

/// How much those count who walk the same way, and those who come towards one (w_o; published).
const ORIENTATION: [f32; 2] = [1.2, 2.4];

/// Where others are dispersed, and where they are dense, people per m².
const DISPERSED: f32 = 0.5;
const DENSE: f32 = 2.0;

/// Whoever walks at this angle to one's own way, or a larger one, comes towards one: its cosine.
const ONCOMING: f32 = -0.5;

/// Panic is seen and heard this far, m.
const HEARING: f32 = 5.0;

/// Personal spaces overlap only from here on, m: less is rounding.
pub(super) const SLOP: f32 = 1e-3;

/// Those who have fallen are walked round within this distance, m (published).
const FALLEN_REACH: f32 = 2.0;

/// Half the size of somebody who lies, m: torso and head, as legs can be stepped over.
const LYING: Vec2 = Vec2::new(0.5, 0.25);

/// How sixteen people perceive what is around them.
pub(super) struct Perception<S: Simd> {
    /// Unit vectors; zero for those who do not want to get anywhere.
    pub heading: Vec2s<S>,
    /// Their own states.
    pub states: [HidacState; LANES],
    /// How near others may come, m.
    pub space: S::F,
    /// How far they avoid others (D_i), m.
    pub sight: S::F,
    /// How dense it is around them, from 0 where others are dispersed to 1.
    dense: S::F,
}

/// What they perceive.
pub(super) struct Impression<S: Simd> {
    /// Where others make them turn (Σ F_Ot).
    pub turn: Vec2s<S>,
    /// By how much others push them away in 0.04 s (Σ of repulsion), m.
    pub push: Vec2s<S>,
    /// The same by all who do not come towards them, m.
    pub held_back: Vec2s<S>,
    /// The sum of the lengths of all these pushes, m.
    pub pressure: S::F,
    /// How many push.
    pub pushers: S::F,
    /// People per m² ahead.
    pub density: S::F,
    /// The share of those within earshot who panic.
    pub panicking: S::F,
    /// Somebody who walks the same way is right ahead.
    pub is_behind: u16,
    /// Somebody ahead comes towards them.
    pub meets: u16,
    /// Somebody has to give way to them, and they do not have to.
    pub pushes: u16,
    /// Somebody is over them, or would be if they got up.
    pub is_covered: u16,
    /// Where those who have fallen make them turn (F_Fa), unit vectors, or zero.
    pub fallen: [Vec2; LANES],
}

impl<S: Simd> Perception<S> {
    #[inline(always)]
    pub fn new(simd: S, around: &Surroundings, states: &[HidacState], own: &Own<S>) -> Self {
        let number = |value| simd.splat(value);
        let states = own.rows.map(|row| states[row]);
        let columns = simd.transpose(std::array::from_fn(|lane| states[lane].lanes()));
        let direction: Vec2s<S> = Vec2s { x: columns[DIRECTION[0]], y: columns[DIRECTION[1]] };
        let wanted = own.preferred.times(number(1.0) / own.preferred.length().max(number(1e-6)));
        let has_one = direction.dot(direction).gt(number(0.25));
        let dense = (columns[DENSITY] - number(DISPERSED)) * number(1.0 / (DENSE - DISPERSED));
        let dense = dense.max(number(0.0)).min(number(1.0));
        let sight = own.parameter(simd, around, |p: &HidacParameters| p.sight);
        let dense_sight = own.parameter(simd, around, |p: &HidacParameters| p.dense_sight);
        let is_new = columns[STATE].le(number(0.0));
        let space = is_new.select(
            own.parameter(simd, around, |p: &HidacParameters| p.personal_space),
            columns[SPACE],
        );
        Self {
            heading: Vec2s::select(has_one, direction, wanted),
            states,
            space,
            sight: sight + (dense_sight - sight) * dense,
            dense,
        }
    }

    /// The cosine of the angle to within which people who meet head on keep to the right.
    #[inline(always)]
    fn cos_right(&self, simd: S, around: &Surroundings, own: &Own<S>) -> S::F {
        let angle = own.parameter(simd, around, |p: &HidacParameters| p.right_angle);
        let dense_angle = own.parameter(simd, around, |p: &HidacParameters| p.dense_right_angle);
        let angle = angle + (dense_angle - angle) * self.dense;
        cos(simd, angle * simd.splat(1f32.to_radians()))
    }

    /// Looks at everybody around. Tells `turned` who makes them turn, and `pushed` who pushes.
    #[inline(always)]
    pub fn look(
        &self,
        simd: S,
        around: &Surroundings,
        states: &[HidacState],
        batch: &Neighbourhood,
        own: &Own<S>,
        [turned, pushed]: [&mut impl Witness<S>; 2],
    ) -> Impression<S> {
        let number = |value| simd.splat(value);
        let (zero, one) = (number(0.0), number(1.0));
        let (heading, sight) = (self.heading, self.sight);
        let cos_right = self.cos_right(simd, around, own);
        let sin_right = (one - cos_right * cos_right).max(zero).sqrt();
        let is_literal =
            own.parameter(simd, around, |p: &HidacParameters| p.literal_oncoming).gt(number(0.5));
        let far_sight = own.parameter(simd, around, |p: &HidacParameters| p.sight);
        let known = simd.load(&known_ahead(around, batch)).min(far_sight);
        let waiting_radius = own.parameter(simd, around, |p: &HidacParameters| p.waiting_radius);
        let in_front = heading.times(own.radius + waiting_radius);
        let braking = simd.load(&braking_distances(around, own));
        let right = Vec2s { x: heading.y, y: -heading.x };

        let mut turn = Vec2s::zero(simd);
        let mut push = Vec2s::zero(simd);
        let mut held_back = Vec2s::zero(simd);
        let [mut pressure, mut pushers, mut ahead, mut near, mut panicking] = [zero; 5];
        let (mut is_behind, mut meets, mut pushes, mut is_covered) = (0, 0, 0, 0);
        let mut fallen = [Vec2::ZERO; LANES];
        for slot in 0..batch.longest() {
            let other = Other::new(simd, around, batch, slot);
            let columns = simd.transpose(other.entries.map(|entry| states[entry.row()].lanes()));
            let direction: Vec2s<S> = Vec2s { x: columns[DIRECTION[0]], y: columns[DIRECTION[1]] };
            let state = columns[STATE];
            let panics = state.ge(number(PANICS));
            let state = panics.select(state - number(PANICS), state);
            let lies = state.ge(number(f32::from(Condition::Fallen as u8)));
            if (lies & other.exists).any() {
                let lanes = (lies & other.exists).bits();
                self.round_fallen(simd, own, [other.position, direction], lanes, &mut fallen);
            }
            let exists = other.exists & !lies;

            let to = other.position.minus(own.position);
            let distance_squared = to.dot(to);
            let distance = distance_squared.sqrt();
            let inverse = one / distance.max(number(1e-6));
            let along = heading.dot(to);
            let aside = heading.det(to);
            let contact = own.radius + other.radius;

            let has_direction = direction.dot(direction).gt(number(0.25));
            let their_way = Vec2s::select(has_direction, direction, other.velocity);
            let agreement = heading.dot(their_way);
            let is_same_way = agreement.gt(zero);
            let their_speed = has_direction.select(one, other.velocity.length());

            let comes = agreement.lt(their_speed * number(ONCOMING));
            let is_ahead = exists & along.gt(zero) & aside.abs().lt(contact + number(BESIDE));
            ahead = (is_ahead & along.lt(known)).select(ahead + one, ahead);
            meets |= (is_ahead & comes & distance.lt(far_sight)).bits();
            let same_way_sight = sight - number(SAME_WAY);
            let is_near_enough = distance.lt(is_same_way.select(same_way_sight, sight));
            let literally = is_same_way | distance.ge(same_way_sight);
            let is_heeded = (is_literal & literally) | (!is_literal & is_near_enough);
            let makes_turn =
                is_ahead & is_heeded & (along - other.radius).lt(sight) & distance.lt(sight);
            let share = own.share(simd, &other);
            let twice = share + share;
            if makes_turn.any() {
                // Away from the side on which they are; to the right if that is hard to tell.
                let is_head_on = (-agreement).ge(cos_right * their_speed)
                    & (-agreement).gt(number(0.1))
                    & aside.abs().lt(sin_right * contact);
                let is_straight = is_head_on | aside.abs().le(distance * number(1e-3));
                let left = aside.lt(zero).select(inverse, -inverse);
                let tangent = Vec2s { x: -to.y * left, y: to.x * left };
                let tangent = Vec2s::select(is_straight, right, tangent);
                let nearness = sight - distance;
                let [same, opposed] = ORIENTATION.map(number);
                let weight = nearness * nearness * is_same_way.select(same, opposed) * twice;
                let weight = makes_turn.select(weight, zero);
                let force = tangent.times(weight);
                turned.person(simd, number(slot as f32), makes_turn, force);
                turn = turn.plus(force);
            }

            let overlap = contact + self.space - distance;
            let their_overlap = contact + columns[SPACE] - distance;
            let they_give_way = their_overlap.gt(number(SLOP));
            let gives_way = exists & overlap.gt(number(SLOP));
            if gives_way.any() {
                let by = they_give_way.select(share, twice.min(one)) * overlap;
                let by = gives_way.select(by, zero);
                let mut away = to.times(-inverse);
                let tied = gives_way & distance.lt(number(1e-6));
                if tied.any() {
                    away = untie(simd, away, tied, &own.ids, &other.ids());
                }
                let force = away.times(by);
                pushed.person(simd, number(slot as f32), gives_way, force);
                push = push.plus(force);
                held_back = Vec2s::select(comes, held_back, held_back.plus(force));
                pressure = pressure + by;
                pushers = by.gt(zero).select(pushers + one, pushers);
            }
            is_covered |= gives_way.bits();
            let in_the_way = aside.abs().lt(contact) & along.gt(zero);
            pushes |= (exists & they_give_way & !gives_way & in_the_way).bits();

            // As far as they need to stop, the disc reaches further.
            let beyond = (along - own.radius - waiting_radius).max(zero).min(braking);
            let from_disc = to.minus(in_front).minus(heading.times(beyond));
            let in_disc = from_disc.dot(from_disc).lt(waiting_radius * waiting_radius);
            is_behind |= (exists & is_same_way & in_disc).bits();
            let is_heard = other.exists & distance.lt(number(HEARING));
            near = is_heard.select(near + one, near);
            panicking = (is_heard & panics).select(panicking + one, panicking);
        }
        let width = number(4.0) * own.radius + number(2.0 * BESIDE);
        Impression {
            turn,
            push,
            held_back,
            pressure,
            pushers,
            density: ahead / (width * known),
            panicking: panicking / near.max(one),
            is_behind,
            meets,
            pushes,
            is_covered,
            fallen,
        }
    }

    /// Adds where those who have fallen, each along a direction, make people turn.
    #[cold]
    fn round_fallen(
        &self,
        simd: S,
        own: &Own<S>,
        [bodies, directions]: [Vec2s<S>; 2],
        lanes: u16,
        fallen: &mut [Vec2; LANES],
    ) {
        let [headings, positions, bodies, directions] =
            [self.heading, own.position, bodies, directions].map(|lanes| lanes.to_lanes(simd));
        for lane in set_bits(lanes) {
            let (to, lies_along) = (bodies[lane] - positions[lane], directions[lane]);
            let turn = aside_of_fallen(headings[lane], to, lies_along);
            fallen[lane] = (fallen[lane] + turn).normalize_or(turn);
        }
    }
}

/// How far people get who stop in a hurry, m: nowhere if nothing limits their accelerations.
#[inline(always)]
fn braking_distances<S: Simd>(around: &Surroundings, own: &Own<S>) -> [f32; LANES] {
    own.rows.map(|row| {
        let people = around.people;
        let limit = people.profile(row).common.acceleration_limit;
        let braking = BRAKING * limit / STANDARD;
        if limit > 0.0 { people.velocities[row].length_squared() / (2.0 * braking) } else { 0.0 }
    })
}

/// How far ahead everybody knows all there are, m: further than the last neighbour nothing is known, if there are
/// as many as one heeds, and beside the way that is less far.
#[inline(always)]
fn known_ahead(around: &Surroundings, batch: &Neighbourhood) -> [f32; LANES] {
    const AHEAD: f32 = 0.8;
    std::array::from_fn(|lane| {
        let most = batch.profile(around.people, lane).common.max_neighbours();
        match batch.count[lane] as usize {
            0 => f32::INFINITY,
            count if count < most => f32::INFINITY,
            count => AHEAD * batch.distance_squared[count - 1][lane].sqrt().max(0.5),
        }
    })
}

/// Where somebody who lies `to` away and along a direction makes one turn: along the tangent of the circle
/// around the nearest point of the box that they are. Zero if they are not ahead within reach.
pub(super) fn aside_of_fallen(heading: Vec2, to: Vec2, lies_along: Vec2) -> Vec2 {
    let axis = lies_along.normalize_or(Vec2::X);
    // Oneself, as seen by the one who lies.
    let seen = Vec2::new(axis.dot(-to), axis.perp_dot(-to));
    let nearest = seen.clamp(-LYING, LYING);
    let off = nearest - seen;
    let off = axis * off.x + axis.perp() * off.y;
    if off.length() >= FALLEN_REACH || heading.dot(to) <= 0.0 {
        return Vec2::ZERO;
    }
    // Over them already, one gets off the way one goes.
    let to = if off.length() > 1e-3 { off } else { return heading };
    let tangent = heading - to * (heading.dot(to) / to.length_squared());
    tangent.try_normalize().filter(|_| tangent.length() > 0.02).unwrap_or(-heading.perp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_lies_ahead_is_passed_on_the_nearer_side() {
        let aside = |x, y| aside_of_fallen(Vec2::X, Vec2::new(x, y), Vec2::Y);
        assert!(aside(1.5, 0.6).y < -0.1, "to the left of the way, so passed on the right");
        assert!(aside(1.5, -0.6).y > 0.1);
        assert_eq!(aside(1.5, 0.0), -Vec2::Y, "straight ahead: to the right");
        assert_eq!(aside(-1.0, 0.2), Vec2::ZERO, "behind");
        assert_eq!(aside(2.5, 0.0), Vec2::ZERO, "further than 2 m from the body");
        assert_eq!(aside(0.1, 0.1), Vec2::X, "over them");
        assert!(aside_of_fallen(Vec2::ZERO, Vec2::X, Vec2::ZERO).is_finite());
    }
}
