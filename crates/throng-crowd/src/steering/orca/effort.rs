//! The velocity that costs least energy.
//!
//! Walking at speed v costs (e_s + e_w v²) per second and kilogram, so that every metre is cheapest at
//! the speed √(e_s/e_w): 1.33 m/s for the average person, the preferred speed for anybody. A velocity
//! is judged by what it costs for the time that is planned ahead, plus the rest of the way from where
//! it leads, walked at the best speed:
//!
//! > f(v) = τ (e_s + e_w |v|²) + 2 √(e_s e_w) |G - x - τ v|.
//!
//! It is convex, and so the linear program of ORCA can minimise it: only the best point of a line is
//! found in another way, by Newton's method instead of a projection. For a goal far away this *is* the
//! velocity nearest to the preferred one; near it, turning aside gets dearer and waiting cheaper.
//!
//! Source: Guy, Chhugani, Curtis, Dubey, Lin, Manocha, *PLEdestrians: a least-effort approach to
//! crowd simulation* (SCA 2010). Different here: the goal counts as at least two planning times
//! away, or people would slow down in front of every way-point.

use glam::Vec2;

use super::OrcaParameters;
use crate::steering::Surroundings;

/// Goals without a place are this far away, m.
const FAR: f32 = 1000.0;

/// Newton converges from the projection in two or three steps; more change nothing.
pub(super) const ITERATIONS: usize = 5;

/// What a velocity is judged by. Energies drop out: only their ratio, the preferred speed, matters.
#[derive(Clone, Copy, Debug)]
pub(in crate::steering) struct Effort {
    /// The way to the goal, m.
    pub way: Vec2,
    /// The preferred velocity, m/s: towards the goal, at the speed at which a metre costs least.
    pub preferred: Vec2,
    /// Time that is planned ahead (τ), s.
    pub horizon: f32,
}

impl Effort {
    /// For those who choose by it.
    #[inline(always)]
    pub fn of(around: &Surroundings, row: usize) -> Option<Self> {
        let OrcaParameters { least_effort, time_horizon: horizon, .. } = around.parameters(row);
        if least_effort < 0.5 {
            return None;
        }
        let goal = &around.intents.goals[row];
        let preferred = around.preferred_velocity(row);
        let speed = preferred.length();
        let distance = match goal.is_to_point() {
            true => goal.target.distance(around.people.positions[row]),
            false => FAR,
        };
        let way = preferred.normalize_or_zero() * distance.max(2.0 * horizon * speed);
        Some(Self { way, preferred, horizon })
    }

    /// The cheapest point `start + t direction` with `t` between the limits.
    pub fn cheapest(&self, start: Vec2, direction: Vec2, low: f32, high: f32) -> f32 {
        let Self { way, preferred, horizon } = *self;
        let speed = preferred.length();
        let mut t = direction.dot(preferred - start).max(low).min(high);
        for _ in 0..ITERATIONS {
            let velocity = start + direction * t;
            let left = way - velocity * horizon;
            let length_squared = left.dot(left).max(1e-6);
            let length = length_squared.sqrt();
            // Derivatives of f, over 2 τ e_w.
            let slope = velocity.dot(direction) - speed * (left.dot(direction) / length);
            let aside = left.x * direction.y - left.y * direction.x;
            let bend = 1.0 + speed * horizon * (aside * aside / (length_squared * length));
            t = (t - slope / bend).max(low).min(high);
        }
        t
    }

    /// f, over e_w, without the part that is the same for all velocities.
    #[cfg(test)]
    fn cost(&self, velocity: Vec2) -> f32 {
        let left = self.way - velocity * self.horizon;
        self.horizon * velocity.length_squared() + 2.0 * self.preferred.length() * left.length()
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Line;
    use super::super::linear_program::{Aim, solve};
    use super::*;
    use throng_base::random::{Purpose, Random};

    #[test]
    fn nothing_that_is_permitted_costs_less() {
        let mut draws = Random::new(5).stream(0, 0, Purpose::Goal);
        for _ in 0..300 {
            let preferred = Vec2::from_angle(draws.between(0.0, 6.0)) * draws.between(0.5, 1.6);
            let horizon = draws.between(0.5, 4.0);
            let distance = (2.0 * horizon * preferred.length()).max(draws.between(0.0, 20.0));
            let effort = Effort { way: preferred.normalize() * distance, preferred, horizon };
            // Lines that leave a neighbourhood of rest permitted.
            let lines: [Line; 4] = std::array::from_fn(|_| {
                let inwards = Vec2::from_angle(draws.between(0.0, std::f32::consts::TAU));
                Line { point: inwards * -draws.between(0.05, 1.0), direction: -inwards.perp() }
            });
            let best = solve(&lines, 0, Aim::LeastEffort(effort), 2.0);
            assert!(lines.iter().all(|line| line.violation(best) < 1e-4));
            for _ in 0..200 {
                let other = Vec2::from_angle(draws.between(0.0, std::f32::consts::TAU))
                    * draws.between(0.0, 2.0);
                if lines.iter().all(|line| line.violation(other) <= 0.0) {
                    let (cost, least) = (effort.cost(other), effort.cost(best));
                    assert!(cost >= least - 1e-3, "{other} costs {cost}, {best} {least}");
                }
            }
        }
    }
}
