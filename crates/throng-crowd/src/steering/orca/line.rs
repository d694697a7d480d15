//! The half-plane of velocities that one neighbour leaves to a person.

use glam::Vec2;
use throng_base::geometry::det;

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
