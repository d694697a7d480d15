//! What the models of forces have in common.
//!
//! People are pulled towards their preferred velocity and pushed by what is around them. Forces are
//! per unit of mass, that is, accelerations.

use glam::Vec2;
use throng_world::WallId;

use super::Surroundings;
use super::lanes::{Own, Vec2s};
use crate::neighbours::LANES;
use crate::simd::Simd;

/// The pull towards the preferred velocity, which reaches it in about the time `relaxation`.
#[inline(always)]
pub(super) fn towards_goal<S: Simd>(own: &Own<S>, relaxation: S::F) -> Vec2s<S> {
    let missing = own.preferred.minus(own.velocity);
    Vec2s { x: missing.x / relaxation, y: missing.y / relaxation }
}

/// The velocity after a step under `force`, which is limited to `max_acceleration`.
#[inline(always)]
pub(super) fn accelerate<S: Simd>(
    simd: S,
    own: &Own<S>,
    force: Vec2s<S>,
    max_acceleration: S::F,
    step: f32,
) -> Vec2s<S> {
    let change = force.at_most(simd, max_acceleration).times(simd.splat(step));
    own.velocity.plus(change).at_most(simd, own.max_speed)
}

/// The points of walls that repel somebody, and memory to find them.
#[derive(Default)]
pub(super) struct WallPoints {
    visible: Vec<(f32, WallId)>,
    /// Ends of the walls that count.
    ends: Vec<[Vec2; 2]>,
}

impl WallPoints {
    /// The sum of what `force` says for each wall within `range` of each person: it is told the
    /// way from the nearest point of the wall and its length.
    pub fn sum<S: Simd>(
        &mut self,
        simd: S,
        around: &Surroundings,
        own: &Own<S>,
        count: usize,
        range: impl Fn(usize) -> f32,
        force: impl Fn(usize, Vec2, f32) -> Vec2,
    ) -> Vec2s<S> {
        if around.walls.is_empty() {
            return Vec2s::zero(simd);
        }
        let mut sums = [Vec2::ZERO; LANES];
        for (lane, sum) in sums.iter_mut().enumerate().take(count) {
            let position = around.people.positions[own.rows[lane]];
            let layer = around.people.layers[own.rows[lane]];
            around.walls.visible(layer, position, range(lane), &mut self.visible);
            self.ends.clear();
            for &(_, id) in &self.visible {
                let wall = around.walls.get(id);
                let nearest = wall.nearest(position);
                // A wall of many pieces repels once: where it goes on, the nearer piece counts.
                let goes_on =
                    |ends: &[Vec2; 2]| ends.iter().any(|end| end.distance_squared(nearest) < 1e-6);
                if self.ends.iter().any(goes_on) {
                    continue;
                }
                self.ends.push([wall.start, wall.end]);
                let apart = position - nearest;
                let distance = apart.length();
                let outwards = Vec2::new(wall.direction.y, -wall.direction.x);
                let direction = if distance > 1e-6 { apart / distance } else { outwards };
                *sum += force(lane, direction, distance);
            }
        }
        Vec2s::load(simd, &sums)
    }
}
