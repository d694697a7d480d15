//! The half-plane of velocities that one neighbour leaves to a person.

use glam::Vec2;
use throng_base::geometry::det;
use throng_simd::{Floats, LANES, Mask, Simd, Vec2s};

use crate::steering::lanes::untie;
use crate::tie::tie_direction;

/// A half-plane of permitted velocities: those to the left of `direction` through `point`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steering) struct Line {
    pub point: Vec2,
    pub direction: Vec2,
}

impl Line {
    /// Forbids nothing at any speed people reach.
    pub const FREE: Self = Self { point: Vec2::new(0.0, -1e4), direction: Vec2::X };

    /// How far `velocity` lies on the forbidden side, m/s; negative if it is permitted.
    #[inline(always)]
    pub fn violation(&self, velocity: Vec2) -> f32 {
        det(self.direction, self.point - velocity)
    }
}

/// The share of an avoidance that falls to the first of two.
#[inline(always)]
pub(in crate::steering) fn share(own: f32, other: f32) -> f32 {
    own / (own + other).max(1e-6)
}

/// What a person knows of another.
pub(in crate::steering) struct PairOfPeople {
    pub relative_position: Vec2,
    pub relative_velocity: Vec2,
    pub combined_radius: f32,
    pub inverse_horizon: f32,
    pub inverse_step: f32,
    pub share: f32,
    /// See the model parameter of this name.
    pub spare_room: f32,
    pub ids: (u32, u32),
}

impl PairOfPeople {
    /// The permitted half-plane. The velocity obstacle is a cone cut off by a disc; the nearest
    /// point of its boundary to the relative velocity lies on the disc or on one of the legs.
    #[inline(always)]
    pub fn line(&self, velocity: Vec2) -> Line {
        let (p, v) = (self.relative_position, self.relative_velocity);
        let distance_squared = p.x * p.x + p.y * p.y;
        let radius_squared = self.combined_radius * self.combined_radius;
        // Bodies that overlap already are to be apart after one step.
        let overlap = distance_squared <= radius_squared;
        let inverse_time = if overlap { self.inverse_step } else { self.inverse_horizon };
        let w = v - p * inverse_time;
        let w_squared = w.x * w.x + w.y * w.y;
        let along = w.x * p.x + w.y * p.y;
        let on_disc = overlap || (along < 0.0 && along * along > radius_squared * w_squared);
        let w_length = w_squared.sqrt();
        // One division serves both cases.
        let inverse = 1.0 / if on_disc { w_length } else { distance_squared };
        let (direction, correction) = if on_disc {
            let outwards =
                if w_length > 1e-6 { w * inverse } else { tie_direction(self.ids.0, self.ids.1) };
            let depth = self.combined_radius * inverse_time - w_length;
            (Vec2::new(outwards.y, -outwards.x), outwards * depth)
        } else {
            let leg = (distance_squared - radius_squared).sqrt();
            let r = self.combined_radius;
            let direction = if p.x * w.y - p.y * w.x > 0.0 {
                Vec2::new(p.x * leg - p.y * r, p.x * r + p.y * leg) * inverse
            } else {
                Vec2::new(-p.x * leg - p.y * r, p.x * r - p.y * leg) * inverse
            };
            (direction, direction * (v.x * direction.x + v.y * direction.y) - v)
        };
        // No collision ahead: the correction is not an evasion but the room that is left. If both use
        // up all of it, the two come closer by as much again before they see it: as much as a step
        // along the boundary leaves between them is there to be spent on that.
        let room = direction.y * correction.x - direction.x * correction.y;
        let apart = p * self.inverse_step - (v + correction);
        let gap = apart.length() - self.combined_radius * self.inverse_step;
        let extra = self.spare_room * (1.0 - self.share) * room.min(gap).max(0.0);
        let into_room = Vec2::new(direction.y, -direction.x);
        Line { point: velocity + correction * self.share + into_room * extra, direction }
    }
}

/// Sixteen pairs of people, one per lane.
pub(in crate::steering) struct PairsOfPeople<S: Simd> {
    pub relative_position: Vec2s<S>,
    pub relative_velocity: Vec2s<S>,
    pub combined_radius: S::F,
    pub inverse_horizon: S::F,
    pub inverse_step: S::F,
    pub share: S::F,
    pub spare_room: S::F,
}

impl<S: Simd> PairsOfPeople<S> {
    /// Points and directions of the lines, for those of the first of each pair who have a `velocity` each, in the lanes
    /// that `exist`. The same operations as in [`PairOfPeople::line`]: the same bits. `ids` are asked for in ties only.
    #[inline(always)]
    pub fn lines<'a>(
        &self,
        simd: S,
        velocity: Vec2s<S>,
        exist: S::M,
        ids: impl FnOnce() -> (&'a [u32; LANES], [u32; LANES]),
    ) -> (Vec2s<S>, Vec2s<S>) {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let (p, v) = (self.relative_position, self.relative_velocity);
        let (radius, share) = (self.combined_radius, self.share);
        let distance_squared = p.dot(p);
        let radius_squared = radius * radius;
        let overlap = distance_squared.le(radius_squared);
        let inverse_time = overlap.select(self.inverse_step, self.inverse_horizon);
        let w = v.minus(p.times(inverse_time));
        let w_squared = w.dot(w);
        let along = w.dot(p);
        let before = along.lt(zero) & (along * along).gt(radius_squared * w_squared);
        let on_disc = overlap | before;
        let w_length = w_squared.sqrt();
        let inverse = one / on_disc.select(w_length, distance_squared);
        let mut outwards = w.times(inverse);
        let tied = on_disc & w_length.le(simd.splat(1e-6)) & exist;
        if tied.any() {
            let (own, others) = ids();
            outwards = untie(simd, outwards, tied, own, &others);
        }
        let depth = radius * inverse_time - w_length;
        let leg = (distance_squared - radius_squared).max(zero).sqrt();
        let across: Vec2s<S> = Vec2s { x: p.y * radius, y: p.x * radius };
        let ahead: Vec2s<S> = p.times(leg);
        let is_left = (p.x * w.y - p.y * w.x).gt(zero);
        let leg_direction = Vec2s {
            x: is_left.select(ahead.x - across.x, -ahead.x - across.x),
            y: is_left.select(across.y + ahead.y, across.y - ahead.y),
        }
        .times(inverse);
        let disc_direction = Vec2s { x: outwards.y, y: -outwards.x };
        let direction = Vec2s::select(on_disc, disc_direction, leg_direction);
        let on_leg = leg_direction.times(v.dot(leg_direction)).minus(v);
        let correction = Vec2s::select(on_disc, outwards.times(depth), on_leg);
        let room = -direction.det(correction);
        let apart = p.times(self.inverse_step).minus(v.plus(correction));
        let gap = apart.dot(apart).sqrt() - radius * self.inverse_step;
        let extra = self.spare_room * (one - share) * room.min(gap).max(zero);
        let into_room = Vec2s { x: direction.y, y: -direction.x };
        let point = velocity.plus(correction.times(share)).plus(into_room.times(extra));
        (point, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head_on() -> PairOfPeople {
        PairOfPeople {
            relative_position: Vec2::new(4.0, 0.0),
            relative_velocity: Vec2::new(2.0, 0.0),
            combined_radius: 1.0,
            inverse_horizon: 0.2,
            inverse_step: 10.0,
            share: 0.5,
            spare_room: 0.0,
            ids: (0, 1),
        }
    }

    #[test]
    fn two_who_meet_head_on_share_the_evasion() {
        let line = head_on().line(Vec2::X);
        let evasion = Vec2::new(0.9375, -0.242_061_46);
        assert!(line.violation(evasion).abs() < 1e-5, "the known answer lies on the line");
        assert!(line.violation(Vec2::X) > 0.0);
    }

    #[test]
    fn coincident_people_part_in_opposite_directions() {
        let pair = PairOfPeople {
            relative_position: Vec2::ZERO,
            relative_velocity: Vec2::ZERO,
            ..head_on()
        };
        let first = pair.line(Vec2::ZERO);
        let second = PairOfPeople { ids: (1, 0), ..pair }.line(Vec2::ZERO);
        assert!(first.point.is_finite() && first.direction.is_finite());
        assert!((first.point + second.point).length() < 1e-5);
        assert!(first.point.length() > 1.0, "apart after a step");
    }

    #[test]
    fn shares_add_up_to_one() {
        assert_eq!(share(0.5, 0.5), 0.5);
        assert_eq!(share(0.5, 0.0), 1.0);
        assert_eq!(share(0.0, 0.5), 0.0);
        assert_eq!(share(0.0, 0.0), 0.0);
        assert!((share(0.2, 0.6) + share(0.6, 0.2) - 1.0).abs() < 1e-6);
    }
}
