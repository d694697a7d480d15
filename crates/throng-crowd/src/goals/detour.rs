//! Round those who stand.
//!
//! Steering looks a few seconds ahead and at the nearest people only: it would lead somebody into a
//! group that stands about, and between them. People see a group from afar and pass beside it. So
//! whoever walks looks now and then along a fan of directions, and takes the one that costs least:
//! each direction costs by how far it leads off the way, and by the people who stand in it. If
//! all are full, straight on through the group is as good as any, and they make room.

use glam::Vec2;

use super::GoalContext;
use crate::intents::Pursuit;
use crate::standing;

/// How often people look for a way round those who stand, s.
const DETOUR_LOOK: f32 = 0.5;

/// This near to where they want to be, m, they go straight there.
const NO_DETOUR: f32 = 1.0;

/// How far ahead standing people matter, m.
const FORESIGHT: f32 = standing::REACH;

/// Directions to either side, and how far apart they are, radians.
const SIDES: i8 = 5;
const FAN: f32 = 0.27;

/// What somebody who stands right ahead costs, in radians of turning aside; less if they are
/// further away.
const PER_PERSON: f32 = 0.6;

/// Room to pass by, m.
const BERTH: f32 = 0.15;

/// How far ahead a direction has to be free of walls, m.
const LOOK_AT_WALLS: f32 = 2.0;

/// What it costs to change sides.
const CHANGE: f32 = 0.2;

/// All directions.
const DIRECTIONS: usize = 2 * SIDES as usize + 1;

impl GoalContext<'_> {
    /// Whether the person in `row` looks in this step for a way round those who stand.
    pub fn looks_around(&self, row: usize) -> bool {
        self.stands_near(row) && self.is_due(row, DETOUR_LOOK)
    }

    /// Whether anybody may stand so near that they matter.
    fn stands_near(&self, row: usize) -> bool {
        self.grid.standing.is_near(self.people.layers[row], self.people.positions[row])
    }

    /// A way turned aside where people stand in it.
    pub(super) fn round(&self, row: usize, state: &mut Pursuit, way: Vec2) -> Vec2 {
        if way.length_squared() < NO_DETOUR * NO_DETOUR {
            state.detour = 0;
        } else if self.is_due(row, DETOUR_LOOK) {
            state.detour =
                if self.stands_near(row) { self.choose(row, way, state.detour) } else { 0 };
        }
        turned(way, state.detour)
    }

    /// The direction to take for those who want to go along `way`, and took the direction `before`
    /// the last time.
    fn choose(&self, row: usize, way: Vec2, before: i8) -> i8 {
        let reach = way.length().min(FORESIGHT);
        let forward = way.normalize_or_zero();
        let rays: [Vec2; DIRECTIONS] = std::array::from_fn(|i| turned(forward, direction(i)));
        let in_the_way = self.in_the_way(row, &rays, reach);
        if in_the_way[SIDES as usize] == 0 {
            return 0;
        }
        let cost = |i: usize| {
            let aside = direction(i);
            let changes = u8::from(aside.signum() * before.signum() < 0);
            f32::from(aside.abs()) * FAN + 1e-3 * in_the_way[i] as f32 + CHANGE * f32::from(changes)
        };
        let mut ranked: [usize; DIRECTIONS] = std::array::from_fn(|i| i);
        let key = |i: usize| (direction(i).abs(), -direction(i));
        ranked.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)).then(key(a).cmp(&key(b))));
        let position = self.people.positions[row];
        let is_open = |i: usize| {
            let ahead = position + rays[i] * reach.min(LOOK_AT_WALLS);
            direction(i) == 0
                || self.guidance.is_none_or(|guidance| guidance.sees(self.people, row, ahead))
        };
        ranked.into_iter().find(|&i| is_open(i)).map_or(0, direction)
    }

    /// What those who stand along each of some rays cost, in thousandths, which add up to the same
    /// in any order of people.
    fn in_the_way(&self, row: usize, rays: &[Vec2; DIRECTIONS], reach: f32) -> [u32; DIRECTIONS] {
        let (position, radius) = (self.people.positions[row], self.people.radii[row]);
        let mut costs = [0; DIRECTIONS];
        let near = self.grid.around(self.people.layers[row], position, reach);
        for other in near.filter(|other| other.stands() && other.id() != self.people.ids[row]) {
            let to = other.position() - position;
            let berth = radius + other.radius() + BERTH;
            for (ray, cost) in rays.iter().zip(&mut costs) {
                let along = ray.dot(to);
                if along > 0.0 && ray.perp_dot(to).abs() < berth {
                    *cost += (1000.0 * PER_PERSON * (1.0 - along / (FORESIGHT + 1.0))) as u32;
                }
            }
        }
        costs
    }
}

/// The number of steps to the left that a ray is turned by.
fn direction(ray: usize) -> i8 {
    ray as i8 - SIDES
}

/// A way turned aside by a number of directions, to the left if it is positive.
fn turned(way: Vec2, direction: i8) -> Vec2 {
    if direction == 0 { way } else { Vec2::from_angle(turn_of(direction)).rotate(way) }
}

/// The angle of a number of directions aside, radians to the left.
pub(crate) fn turn_of(direction: i8) -> f32 {
    f32::from(direction) * FAN
}
