//! Round those who stand.
//!
//! Steering looks a few seconds ahead and at the nearest people only: it would lead somebody into a
//! group that stands about, and between them. People see a group from afar and pass beside it. So
//! whoever walks looks now and then along a fan of directions, and takes the one that costs least:
//! each direction costs by how far it leads off the way, and by the people who stand in it. If
//! all are full, straight on through the group is as good as any, and they make room.

use glam::Vec2;
use throng_world::scene::LayerId;

use crate::grid::Grid;

/// How far ahead standing people matter, m.
const FORESIGHT: f32 = 5.0;

/// Directions to either side, and how far apart they are, radians.
const SIDES: i8 = 5;
const FAN: f32 = 0.27;

/// What somebody who stands right ahead costs, in radians of turning aside; less if they are
/// further away.
const PER_PERSON: f32 = 0.6;

/// Room to pass by, m.
const BERTH: f32 = 0.15;

/// What it costs to change sides.
const CHANGE: f32 = 0.2;

/// Somebody who looks for a direction.
pub(crate) struct Walker {
    pub id: u32,
    pub layer: LayerId,
    pub position: Vec2,
    pub radius: f32,
    /// Where they want to go, m.
    pub way: Vec2,
    /// The direction they took last.
    pub before: i8,
}

/// A way turned aside by a number of directions, to the left if it is positive.
#[inline(always)]
pub(crate) fn turned(way: Vec2, direction: i8) -> Vec2 {
    if direction == 0 { way } else { Vec2::from_angle(f32::from(direction) * FAN).rotate(way) }
}

/// The direction to take. `is_open` tells whether walls leave the way to a point free.
pub(crate) fn choose(grid: &Grid, walker: &Walker, is_open: impl Fn(Vec2) -> bool) -> i8 {
    let reach = walker.way.length().min(FORESIGHT);
    let forward = walker.way.normalize_or_zero();
    // In thousandths, which add up to the same in any order of people.
    let mut in_the_way = [0u32; 2 * SIDES as usize + 1];
    let directions = || (-SIDES..=SIDES).zip(0..);
    let rays: [Vec2; 2 * SIDES as usize + 1] =
        std::array::from_fn(|i| turned(forward, i as i8 - SIDES));
    for (begin, end) in grid.spans(walker.layer, walker.position, reach) {
        for other in grid.entries[begin..end].iter().filter(|other| other.stands()) {
            let to = other.position() - walker.position;
            if other.id() == walker.id || to.length_squared() > reach * reach {
                continue;
            }
            let berth = walker.radius + other.radius() + BERTH;
            for (ray, cost) in rays.iter().zip(&mut in_the_way) {
                let along = ray.dot(to);
                if along > 0.0 && ray.perp_dot(to).abs() < berth {
                    *cost += (1000.0 * PER_PERSON * (1.0 - along / (FORESIGHT + 1.0))) as u32;
                }
            }
        }
    }
    if in_the_way[SIDES as usize] == 0 {
        return 0;
    }
    let cost = |(direction, i): (i8, usize)| {
        let changes = i32::from(direction.signum() * walker.before.signum() < 0) as f32;
        f32::from(direction.abs()) * FAN + 1e-3 * in_the_way[i] as f32 + CHANGE * changes
    };
    let mut ranked: Vec<(f32, i8, i8)> =
        directions().map(|(d, i)| (cost((d, i)), d.abs(), d)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2)));
    let ahead = |direction: i8| walker.position + turned(forward, direction) * reach.min(2.0);
    let best = ranked.iter().find(|&&(_, _, d)| d == 0 || is_open(ahead(d)));
    best.map_or(0, |&(_, _, direction)| direction)
}
