//! Limits of how fast a person changes velocity.
//!
//! Models that choose among velocities, such as ORCA, may turn a person right round within one step. A body
//! cannot follow that: people brake with at most 3 m/s² and speed up with half of it (median peak of starts
//! 1.4 to 1.9 m/s²; 232 starts of tracked pedestrians and 48 captured ones), and who wants to walk back first
//! turns, nearly at rest (about-faces take 1.4 s, with 0.3 m/s at the slowest).
//!
//! The velocity that a model has chosen is approached by at most the limit per step. On the way from the current
//! velocity to a permitted one, every half-plane is violated less than now (the permitted set is convex), so a
//! collision course is left over several steps, for which the time horizon has room. The limits of speed, for starts
//! and for turning, leave that straight way and carry no such guarantee: what they miss, contacts resolve.

use glam::Vec2;

/// Share of the limit by which a person speeds up; with all of it they brake and swerve.
const SPEEDING_UP: f32 = 0.5;

/// Speed of a person who faces away from where they go, m/s: enough to shuffle back while turning.
const TURNING_SPEED: f32 = 0.3;

/// Largest speed while turning, m/s, per cosine of the angle between facing and velocity.
const OBLIQUE_SPEED: f32 = 2.0;

/// Cosine between facing and velocity above which a person may have any speed.
const ALIGNED: f32 = 0.8;

/// How far a person's velocity can change within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agility {
    /// The largest change of velocity within the step, m/s.
    pub max_change: f32,
    /// The direction the person faces, a unit vector.
    pub facing: Vec2,
}

impl Agility {
    /// The velocity reached from `current` within the step on the way to `chosen`, m/s.
    pub fn reached(&self, current: Vec2, chosen: Vec2) -> Vec2 {
        let towards = |wanted: Vec2| current + (wanted - current).clamp_length_max(self.max_change);
        let fastest = current.length() + SPEEDING_UP * self.max_change;
        let velocity = towards(chosen).clamp_length_max(fastest);
        let ahead = self.facing.dot(velocity.normalize_or_zero());
        if ahead >= ALIGNED {
            return velocity;
        }
        let oblique = (OBLIQUE_SPEED * ahead).max(TURNING_SPEED);
        towards(velocity.clamp_length_max(oblique))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 0.05;

    fn agility(facing: Vec2) -> Agility {
        Agility { max_change: 3.0 * STEP, facing }
    }

    /// Seconds until `current` has become `chosen`.
    fn time_to(mut current: Vec2, chosen: Vec2, facing: Vec2) -> f32 {
        let steps = (0..1000).take_while(|_| {
            current = agility(facing).reached(current, chosen);
            current.distance(chosen) > 1e-4
        });
        steps.count() as f32 * STEP
    }

    #[test]
    fn starts_take_twice_as_long_as_stops() {
        let walk = Vec2::new(1.3, 0.0);
        assert!((time_to(Vec2::ZERO, walk, Vec2::X) - 1.3 / 1.5).abs() <= STEP);
        assert!((time_to(walk, Vec2::ZERO, Vec2::X) - 1.3 / 3.0).abs() <= STEP);
    }

    #[test]
    fn nobody_walks_back_before_they_have_turned() {
        let mut velocity = Vec2::new(1.3, 0.0);
        for _ in 0..100 {
            velocity = agility(Vec2::X).reached(velocity, Vec2::new(-1.3, 0.0));
        }
        assert!((velocity.length() - TURNING_SPEED).abs() < 1e-6, "{velocity}");
        assert!(time_to(velocity, Vec2::new(-1.3, 0.0), Vec2::NEG_X) < 1.0);
    }

    #[test]
    fn no_velocity_changes_by_more_than_the_limit() {
        let vectors = (0..400).map(|i| 0.005 * i as f32 * Vec2::from_angle(2.4 * i as f32));
        let vectors: Vec<Vec2> = vectors.collect();
        for (i, &current) in vectors.iter().enumerate() {
            for (j, &chosen) in vectors.iter().enumerate().step_by(7) {
                let agility = agility(Vec2::from_angle((i + 3 * j) as f32));
                let change = agility.reached(current, chosen) - current;
                assert!(change.length() <= 1.0001 * agility.max_change, "{current} {chosen}");
            }
        }
    }
}
