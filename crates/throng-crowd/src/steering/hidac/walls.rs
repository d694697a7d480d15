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
            if heading != Vec2::ZERO
                && let Some(covered) = crosses(wall, position, heading, sight, beside)
            {
                self.turns.push((id, along(wall, heading, covered)));
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

/// Where a wall leads that covers some of the rectangle ahead, by its left and right edges: to the end that is in
/// sight, and else along the wall, as published, or to the right of those who walk straight at it. By the
/// published form alone both posts of a door would lead to the same side.
fn along(wall: &Wall, heading: Vec2, covered: Covered) -> Vec2 {
    let across = heading.perp_dot(wall.direction);
    let round_end = match covered {
        Covered::All => None,
        Covered::Left => Some(-wall.direction * across.signum()),
        Covered::Right => Some(wall.direction * across.signum()),
    };
    let published = wall.direction * wall.direction.dot(heading);
    let published = published.try_normalize().unwrap_or(-heading.perp());
    // Nobody turns round to walk along a wall.
    round_end.filter(|way| across.abs() > 1e-3 && way.dot(heading) > -0.5).unwrap_or(published)
}

/// The part of the rectangle ahead that a wall covers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Covered {
    /// From one side to the other.
    All,
    /// More on the left.
    Left,
    /// More on the right.
    Right,
}

/// What a wall covers of the rectangle ahead, from the body on as far as `sight`, m, and `beside` to either
/// side; `None` if nothing.
fn crosses(wall: &Wall, position: Vec2, heading: Vec2, sight: f32, beside: f32) -> Option<Covered> {
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
                return None;
            }
            continue;
        }
        let (a, b) = ((low - at) / step, (high - at) / step);
        begin = begin.max(a.min(b));
        end = end.min(a.max(b));
    }
    if begin >= end {
        return None;
    }
    let (a, b) = (from.y + way.y * begin, from.y + way.y * end);
    Some(match a + b {
        _ if (a - b).abs() > 1.9 * beside => Covered::All,
        sum if sum > 0.0 => Covered::Left,
        _ => Covered::Right,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_ahead_as_soon_as_a_part_of_them_is() {
        let ahead = |start: (f32, f32), end: (f32, f32)| {
            let wall = wall(start, end);
            crosses(&wall, Vec2::ZERO, Vec2::X, 3.0, 0.45)
        };
        assert_eq!(ahead((2.0, -9.0), (2.0, 9.0)), Some(Covered::All), "across the way");
        assert!(ahead((-5.0, -3.0), (5.0, 1.6)).is_some(), "its nearest point is behind");
        assert_eq!(ahead((4.0, -9.0), (4.0, 9.0)), None, "too far away");
        assert_eq!(ahead((-5.0, 0.5), (5.0, 0.5)), None, "beside the way");
        assert_eq!(ahead((1.0, 0.6), (1.0, 9.0)), None, "the post of a door");
        assert_eq!(ahead((1.0, 0.3), (1.0, 9.0)), Some(Covered::Left), "of a narrow one");
        assert_eq!(ahead((-1.0, -9.0), (-1.0, 9.0)), None, "behind");
    }

    #[test]
    fn posts_lead_into_the_door() {
        let heading = Vec2::new(1.0, 0.1).normalize();
        let (left, right) = (wall((1.0, 0.2), (1.0, 9.0)), wall((1.0, -9.0), (1.0, -0.2)));
        let turn = |wall: &Wall, covered| along(wall, heading, covered);
        assert!(turn(&left, Covered::Left).y < -0.9);
        assert!(turn(&right, Covered::Right).y > 0.9);
        assert!(turn(&left, Covered::All).y > 0.9, "no end is in sight: the way one goes");
    }

    fn wall(start: (f32, f32), end: (f32, f32)) -> Wall {
        let (start, end) = (Vec2::from(start), Vec2::from(end));
        let direction = (end - start).normalize();
        let (previous, next) = (WallId(0), WallId(0));
        Wall { start, end, direction, convex: true, previous, next }
    }
}
