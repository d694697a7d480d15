//! What walls make of somebody.
//!
//! A wall that crosses the rectangle ahead makes one turn along it, (n × v) × n. A wall within one's
//! personal space pushes one away by as much as it is in it; what of that push points against one's way
//! counts only as far as the wall is in the way of one's body, or else nobody would enter a door that
//! is just wide enough.

use glam::Vec2;
use throng_world::{Wall, WallId};

use super::super::Surroundings;
use super::super::forces::in_the_way;

/// How much wider than the body the rectangle ahead is to either side, m.
const BESIDE: f32 = 0.2;

/// Memory to look at walls with, and what was seen last.
#[derive(Default)]
pub(super) struct WallSense {
    visible: Vec<(f32, WallId)>,
    /// Where walls ahead lead.
    pub turns: Vec<(WallId, Vec2)>,
    /// How walls push, m in 0.04 s, and where from.
    pub pushes: Vec<(WallId, Vec2)>,
}

/// Somebody who looks at walls.
#[derive(Clone, Copy)]
pub(super) struct WallLooker {
    pub row: usize,
    /// A unit vector, or zero.
    pub heading: Vec2,
    /// How far ahead walls are heeded, m.
    pub sight: f32,
    /// How near walls may come to the body, m.
    pub space: f32,
}

/// What walls do.
#[derive(Clone, Copy, Default)]
pub(super) struct WallImpression {
    /// Where walls ahead lead (Σ F_Wa), a unit vector or shorter.
    pub turn: Vec2,
    /// By how much they push in 0.04 s, m.
    pub push: Vec2,
}

impl WallSense {
    /// The pieces of wall that were looked at last, nearest first.
    pub fn visible(&self) -> impl Iterator<Item = WallId> {
        self.visible.iter().map(|&(_, id)| id)
    }

    /// Looks around.
    pub fn look(&mut self, around: &Surroundings, who: &WallLooker) -> WallImpression {
        let &WallLooker { row, heading, sight, space } = who;
        self.turns.clear();
        self.pushes.clear();
        self.visible.clear();
        let (people, walls) = (around.people, around.walls);
        let (layer, position, radius) =
            (people.layers[row], people.positions[row], people.radii[row]);
        let beside = radius + BESIDE;
        let range = (sight * sight + beside * beside).sqrt().max(radius + space);
        if walls.room(layer, position) >= range {
            return WallImpression::default();
        }
        walls.visible(layer, position, range, &mut self.visible);
        for at in 0..self.visible.len() {
            let (distance_squared, id) = self.visible[at];
            let wall = walls.get(id);
            if heading != Vec2::ZERO && crosses(wall, position, heading, sight, beside) {
                let along = wall.direction * wall.direction.dot(heading);
                // Straight at it: to the right.
                self.turns.push((id, along.normalize_or(-heading.perp())));
            }
            let overlap = radius + space - distance_squared.sqrt();
            if overlap > 0.0 {
                self.push(id, wall, (position, heading, radius), overlap);
            }
        }
        let turn: Vec2 = self.turns.iter().map(|(_, turn)| *turn).sum();
        // A wall of many pieces leads along itself once.
        let limit = 1.0 / turn.length().max(1.0);
        self.turns.iter_mut().for_each(|(_, turn)| *turn *= limit);
        WallImpression { turn: turn * limit, push: self.pushes.iter().map(|(_, push)| *push).sum() }
    }

    fn push(
        &mut self,
        id: WallId,
        wall: &Wall,
        (position, heading, radius): (Vec2, Vec2, f32),
        overlap: f32,
    ) {
        let nearest = wall.nearest(position);
        let outwards = Vec2::new(wall.direction.y, -wall.direction.x);
        let away = (position - nearest).try_normalize().unwrap_or(outwards);
        // Two pieces that meet in the nearest point push once.
        let is_known = |(_, known): &(WallId, Vec2)| known.normalize_or_zero().dot(away) > 0.99;
        if self.pushes.iter().any(is_known) {
            return;
        }
        let push = away * overlap;
        let back = push.dot(heading).min(0.0);
        let hold = in_the_way(wall, position, heading, radius);
        self.pushes.push((id, push - heading * (back * (1.0 - hold))));
    }
}

/// Whether a wall comes into the rectangle ahead: from the body on as far as `sight`, m, and `beside` to
/// either side.
fn crosses(wall: &Wall, position: Vec2, heading: Vec2, sight: f32, beside: f32) -> bool {
    let local = |point: Vec2| {
        let to = point - position;
        Vec2::new(heading.dot(to), heading.perp_dot(to))
    };
    let (from, to) = (local(wall.start), local(wall.end));
    let way = to - from;
    // The part of the wall between each pair of parallel lines.
    let (mut begin, mut end) = (0f32, 1f32);
    for (at, step, low, high) in [(from.x, way.x, 0.0, sight), (from.y, way.y, -beside, beside)] {
        if step.abs() < 1e-6 {
            if at <= low || at >= high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - at) / step, (high - at) / step);
        begin = begin.max(a.min(b));
        end = end.min(a.max(b));
    }
    begin < end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_ahead_as_soon_as_a_part_of_them_is() {
        let ahead = |start: (f32, f32), end: (f32, f32)| {
            let (start, end) = (Vec2::from(start), Vec2::from(end));
            let direction = (end - start).normalize();
            let (previous, next) = (WallId(0), WallId(0));
            let wall = Wall { start, end, direction, convex: true, previous, next };
            crosses(&wall, Vec2::ZERO, Vec2::X, 3.0, 0.45)
        };
        assert!(ahead((2.0, -9.0), (2.0, 9.0)), "across the way");
        assert!(ahead((-5.0, -3.0), (5.0, 1.6)), "its nearest point is behind");
        assert!(!ahead((4.0, -9.0), (4.0, 9.0)), "too far away");
        assert!(!ahead((-5.0, 0.5), (5.0, 0.5)), "beside the way");
        assert!(!ahead((1.0, 0.6), (1.0, 9.0)), "the post of a door");
        assert!(!ahead((-1.0, -9.0), (-1.0, 9.0)), "behind");
    }
}
