//! Paths with fewer corners.
//!
//! Around the corner of a wall, a shortest path is a chain of short chords. Whoever walks along it is as well
//! off with one or two longer legs that touch the chain from outside: there is less to remember, and less
//! to look at.

use glam::DVec2;

use crate::corridor::Path;
use crate::map::CorridorMap;

/// Chords are shorter than this, m.
const SHORT: f64 = 0.5;

/// A new corner takes the place of a turn by no more than 60°, whose cosine this is: its legs are longer than
/// the arc by a tenth.
const LEAST_COSINE: f64 = 0.5;

/// And is no further from the chain than this, m.
const MOST_ASIDE: f64 = 0.5;

/// Chords are nearer to walls than the arc they stand for, by no more than this, m.
const SLACK: f64 = 0.002;

impl Path {
    /// Replaces chains of short legs by corners just outside of them, where that leaves as much room to walls
    /// as `clearance`, m.
    pub fn straighten(&mut self, map: &CorridorMap, clearance: f64) {
        let mut straight = Self::default();
        let mut at = 0;
        while at < self.points.len() {
            let (last, corner) =
                self.corner_of_chain(map, at, clearance).unwrap_or((at, self.points[at]));
            straight.points.push(corner);
            straight.layers.extend(self.layers.get(last));
            at = last + 1;
        }
        *self = straight;
    }

    /// The last point of the chain that begins at a point, and the corner in its place.
    fn corner_of_chain(
        &self,
        map: &CorridorMap,
        first: usize,
        clearance: f64,
    ) -> Option<(usize, DVec2)> {
        let points = &self.points;
        let layer = *self.layers.get(first)?;
        let way = |leg: usize| Some(points.get(leg + 1)? - points.get(leg)?);
        let comes = way(first.checked_sub(1)?)?;
        if self.layers[first - 1] != layer {
            return None;
        }
        let goes = way(first)?;
        let side = comes.perp_dot(goes);
        let mut last = first;
        while let Some(next) = way(last + 1).filter(|_| self.layers[last + 1] == layer) {
            let leg = points[last + 1] - points[last];
            let is_short = leg.length_squared() <= SHORT * SHORT;
            let turns_on = leg.perp_dot(next) * side >= 0.0;
            let turns_little = comes.dot(next) >= LEAST_COSINE * comes.length() * next.length();
            if !(is_short && turns_on && turns_little) {
                break;
            }
            last += 1;
        }
        let (from, to, goes) = (points[first], points[last], way(last)?);
        // Where the legs before and after the chain meet.
        let along = (to - from).perp_dot(goes) / comes.perp_dot(goes);
        let corner = from + comes * along;
        let is_near = corner.distance(from).min(corner.distance(to)) <= MOST_ASIDE;
        let is_between = last > first && along >= 0.0 && (to - corner).dot(goes) >= 0.0 && is_near;
        let least = clearance - SLACK;
        let is_free = |end| map.room_along(layer, [corner, end], least, clearance) >= least;
        (is_between && is_free(from) && is_free(to)).then_some((last, corner))
    }
}
