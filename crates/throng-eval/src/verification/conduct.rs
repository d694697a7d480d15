//! Whether people keep out of walls and of each other, do not jump, and are not faster than they
//! want to be.
//!
//! Bodies are discs with a radius of 0.18 m, whatever the recording says. Density is that around a
//! person: how many are within 2 m, oneself included, by the 12.6 m² of the circle.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use glam::{DVec2, Vec2};
use throng_base::geometry::nearest_on_segment_f64;
use throng_world::walkable::Area;

use super::walk::Walk;
use crate::frame::{Moment, in_both};
use crate::statistics::quantile;

/// Radius of a body, m.
pub(super) const BODY: f64 = 0.18;
/// Who is this deep in somebody else overlaps them, m.
const DEEP: f64 = 0.05;
/// How far one may be outside without being outside, m.
const TOLERANCE: f64 = 0.001;
/// Nobody walks faster, m/s.
const FASTEST: f64 = 3.0;
/// Distances between people are looked at this often, s.
const EVERY: f64 = 0.5;
/// The radius of the circle in which density is measured, m.
const AROUND: f64 = 2.0;

/// What was found in one or several runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Conduct {
    /// How often somebody's centre was in a wall.
    pub outside: u64,
    /// The deepest that a body was in a wall, m.
    pub wall_overlap: f64,
    /// How often somebody overlapped somebody else, of how many, at up to 3 people per m² and above.
    pub sparse_overlaps: [u64; 2],
    pub dense_overlaps: [u64; 2],
    /// How often somebody jumped.
    pub jumps: u64,
    /// How often somebody was beyond the border of an open world, which is no wall.
    pub beyond: u64,
}

impl Conduct {
    pub fn of(walk: &Walk) -> Self {
        let mut conduct = Self::default();
        let edges: Vec<Vec<[DVec2; 2]>> =
            walk.ground.iter().map(|g| walls(g, walk.border())).collect();
        for moment in &walk.moments {
            conduct.look_at_walls(moment, walk, &edges);
        }
        for pair in walk.moments.windows(2) {
            conduct.jumps += jumps(&pair[0], &pair[1]);
        }
        let every = (EVERY / walk.interval).round().max(1.0) as usize;
        for moment in walk.moments.iter().step_by(every) {
            conduct.look_at_others(moment);
        }
        conduct
    }

    pub fn and(self, other: Self) -> Self {
        let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            outside: self.outside + other.outside,
            wall_overlap: self.wall_overlap.max(other.wall_overlap),
            sparse_overlaps: sum(self.sparse_overlaps, other.sparse_overlaps),
            dense_overlaps: sum(self.dense_overlaps, other.dense_overlaps),
            jumps: self.jumps + other.jumps,
            beyond: self.beyond + other.beyond,
        }
    }

    fn look_at_walls(&mut self, moment: &Moment, walk: &Walk, edges: &[Vec<[DVec2; 2]>]) {
        for (position, layer) in moment.positions.iter().zip(&moment.layers) {
            let (at, floor) = (position.as_dvec2(), layer.0 as usize);
            // The border of an open world is no wall, and whoever is beyond it is in none.
            let is_beyond = |(min, max): (DVec2, DVec2)| at.cmplt(min).any() || at.cmpgt(max).any();
            if walk.border().is_some_and(is_beyond) {
                self.beyond += 1;
                continue;
            }
            let nearest =
                (edges[floor].iter()).map(|edge| distance(at, edge)).fold(f64::INFINITY, f64::min);
            let inside = walk.ground[floor].iter().any(|area| area.contains(at));
            self.outside += u64::from(!inside && nearest > TOLERANCE);
            let overlap = if inside { BODY - nearest } else { BODY + nearest };
            self.wall_overlap = self.wall_overlap.max(overlap);
        }
    }

    fn look_at_others(&mut self, moment: &Moment) {
        for (near, nearest) in neighbours(moment) {
            let density = near as f64 / (PI * AROUND * AROUND);
            let counts =
                if density <= 3.0 { &mut self.sparse_overlaps } else { &mut self.dense_overlaps };
            counts[0] += u64::from(nearest < 2.0 * BODY - DEEP);
            counts[1] += 1;
        }
    }
}

/// Of each person, how many are within 2 m, they themselves included, and how near the nearest is.
fn neighbours(moment: &Moment) -> Vec<(u32, f64)> {
    let mut order: Vec<usize> = (0..moment.ids.len()).collect();
    order.sort_by(|&a, &b| moment.positions[a].x.total_cmp(&moment.positions[b].x));
    let mut found = vec![(1, f64::INFINITY); order.len()];
    for (rank, &i) in order.iter().enumerate() {
        for &j in &order[rank + 1..] {
            let apart: Vec2 = moment.positions[j] - moment.positions[i];
            if f64::from(apart.x) > AROUND {
                break;
            }
            let distance = f64::from(apart.length());
            if distance <= AROUND && moment.layers[i] == moment.layers[j] {
                for k in [i, j] {
                    found[k].0 += 1;
                    found[k].1 = f64::min(found[k].1, distance);
                }
            }
        }
    }
    found
}

fn jumps(before: &Moment, after: &Moment) -> u64 {
    let farthest = FASTEST * (after.time - before.time);
    let jumped = |&(i, j): &(usize, usize)| {
        f64::from(before.positions[i].distance(after.positions[j])) > farthest
    };
    in_both(&before.ids, &after.ids).filter(jumped).count() as u64
}

/// The speed that the share `share` of everybody's means over one second do not exceed, m/s, and the
/// largest.
pub(super) fn second_speeds(walk: &Walk, share: f64) -> [f64; 2] {
    let frames = (1.0 / walk.interval).round().max(1.0) as usize;
    let mut speeds = Vec::new();
    for start in (0..walk.moments.len().saturating_sub(frames)).step_by(frames.div_ceil(2)) {
        let (before, after) = (&walk.moments[start], &walk.moments[start + frames]);
        for (i, j) in in_both(&before.ids, &after.ids) {
            let way = f64::from(before.positions[i].distance(after.positions[j]));
            speeds.push(way / (after.time - before.time));
        }
    }
    [share, 1.0].map(|share| quantile(&speeds, share).unwrap_or(f64::NAN))
}

/// Everybody's median speed over one second, m/s, once they have taken up their speed.
pub(super) fn median_speeds(walk: &Walk) -> BTreeMap<u32, f64> {
    let second = (1.0 / walk.interval).round().max(1.0) as usize;
    let mut speeds: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for window in walk.moments.windows(second + 1).skip(2 * second).step_by(second) {
        let (before, after) = (&window[0], &window[second]);
        for (i, j) in in_both(&before.ids, &after.ids) {
            let way = f64::from(before.positions[i].distance(after.positions[j]));
            speeds.entry(before.ids[i]).or_default().push(way / (after.time - before.time));
        }
    }
    speeds.into_iter().filter_map(|(id, speeds)| Some((id, quantile(&speeds, 0.5)?))).collect()
}

/// The edges of areas that are walls: those on the border of an open world are none.
fn walls(areas: &[Area], border: Option<(DVec2, DVec2)>) -> Vec<[DVec2; 2]> {
    let on_border = |[a, b]: &[DVec2; 2]| {
        let Some((min, max)) = border else { return false };
        let both =
            |f: fn(DVec2) -> f64, at: f64| (f(*a) - at).abs() < 1e-6 && (f(*b) - at).abs() < 1e-6;
        both(|p| p.x, min.x) || both(|p| p.x, max.x) || both(|p| p.y, min.y) || both(|p| p.y, max.y)
    };
    let edges = areas.iter().flat_map(Area::rings).flat_map(|ring| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(&a, &b)| [a, b]).collect::<Vec<_>>()
    });
    edges.filter(|edge| !on_border(edge)).collect()
}

fn distance(point: DVec2, [a, b]: &[DVec2; 2]) -> f64 {
    point.distance(nearest_on_segment_f64(*a, *b, point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verification::walk::tests::made_up;

    const OPEN: &str = "format = 1\n[world]\nbounds = [[0, 0], [10, 10]]\n";

    /// Two people, `apart` metres from each other.
    fn two(scene: &str, at: [f32; 2], apart: f32) -> Conduct {
        Conduct::of(&made_up(scene, 2, 20, |id, _| Some((0, [at[0] + id as f32 * apart, at[1]]))))
    }

    #[test]
    fn whoever_is_deep_in_somebody_else_overlaps() {
        assert_eq!(two(OPEN, [5.0, 5.0], 0.32).sparse_overlaps, [0, 4]);
        assert_eq!(two(OPEN, [5.0, 5.0], 0.30).sparse_overlaps, [4, 4]);
        // Forty people on a square metre.
        let dense = made_up(OPEN, 40, 1, |id, _| {
            Some((0, [5.0 + 0.15 * (id % 8) as f32, 5.0 + 0.15 * (id / 8) as f32]))
        });
        assert_eq!(Conduct::of(&dense).dense_overlaps, [40, 40]);
    }

    #[test]
    fn a_jump_is_one() {
        let walk = |step: f32| {
            made_up(OPEN, 1, 20, |_, frame| {
                Some((0, [1.0, 1.0 + if frame < 10 { 0.0 } else { step }]))
            })
        };
        // 3 m/s are 0.15 m in a frame.
        assert_eq!(Conduct::of(&walk(0.14)).jumps, 0);
        assert_eq!(Conduct::of(&walk(0.16)).jumps, 1);
    }

    #[test]
    fn the_border_is_a_wall_where_the_world_is_closed() {
        let closed = format!("{OPEN}closed = true\n");
        let inside = two(&closed, [5.0, 5.0], 1.0);
        assert_eq!((inside.outside, inside.beyond), (0, 0));
        let open = two(OPEN, [5.0, 10.5], 1.0);
        assert_eq!((open.outside, open.beyond), (0, 40));
        let through = two(&closed, [5.0, 10.5], 1.0);
        assert_eq!((through.outside, through.beyond), (40, 0));
        let brushed = two(&closed, [5.0, 9.9], 1.0);
        assert!((brushed.wall_overlap - 0.08).abs() < 1e-6, "{brushed:?}");
    }
}
