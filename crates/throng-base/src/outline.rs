//! Whether a closed outline crosses or touches itself.
//!
//! The sweep of Shamos and Hoey (1976): a line moves over the plane from left to right, and the
//! edges it cuts are kept in their order along it. Two edges that meet are neighbours in that order
//! before they do, so only neighbours are ever compared, in O(n log n) altogether.
//!
//! Points are ordered by x, then y, as if the plane were sheared a little: then no edge is
//! vertical, and nothing needs a special case.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

use glam::Vec2;

use crate::geometry::{det, segments_meet};

/// A pair of edges that meet elsewhere than in the corner they share. Edge `i` runs from point `i`
/// to the next. Consecutive points must differ.
pub fn self_intersection(points: &[Vec2]) -> Option<(usize, usize)> {
    let edges: Vec<Edge> = (0..points.len()).map(|i| Edge::new(points, i)).collect();
    // At a point, edges begin before others end: so that those which touch there see each other.
    let begins = edges.iter().map(|edge| (edge.left, true, edge));
    let ends = edges.iter().map(|edge| (edge.right, false, edge));
    let mut events: Vec<_> = begins.chain(ends).collect();
    events.sort_by(|p, q| along_sweep(p.0, q.0).then(q.1.cmp(&p.1)));

    let mut cut = BTreeSet::new();
    for (_, begins, edge) in events {
        let below = cut.range::<&Edge, _>(..edge).next_back().copied();
        let above = cut.range::<&Edge, _>((Excluded(edge), Unbounded)).next().copied();
        let neighbours = if begins {
            cut.insert(edge);
            [Some(edge).zip(below), Some(edge).zip(above)]
        } else {
            cut.remove(edge);
            [below.zip(above), None]
        };
        for (edge, other) in neighbours.into_iter().flatten() {
            if meet(points, edge.index, other.index) {
                return Some((edge.index.min(other.index), edge.index.max(other.index)));
            }
        }
    }
    None
}

/// Whether edges `i` and `j` meet elsewhere than in the corner they share.
fn meet(points: &[Vec2], i: usize, j: usize) -> bool {
    let n = points.len();
    let (a, b) = (points[i], points[(i + 1) % n]);
    let (c, d) = (points[j], points[(j + 1) % n]);
    // Neighbours may not fold back on one another.
    let folded = |shared: Vec2, p: Vec2, q: Vec2| {
        det(p - shared, q - shared) == 0.0 && (p - shared).dot(q - shared) > 0.0
    };
    if (i + 1) % n == j {
        folded(b, a, d)
    } else if (j + 1) % n == i {
        folded(a, b, c)
    } else {
        segments_meet(a, b, c, d)
    }
}

/// An edge, ordered from bottom to top along a sweep line that cuts it and the other.
#[derive(Debug)]
struct Edge {
    left: Vec2,
    right: Vec2,
    index: usize,
}

impl Edge {
    fn new(points: &[Vec2], index: usize) -> Self {
        let (a, b) = (points[index], points[(index + 1) % points.len()]);
        let (left, right) = if along_sweep(a, b).is_le() { (a, b) } else { (b, a) };
        Self { left, right, index }
    }

    /// On which side of the edge's line `point` lies: `Greater` is above.
    fn side_of(&self, point: Vec2) -> Ordering {
        let origin = self.left.as_dvec2();
        let side = (self.right.as_dvec2() - origin).perp_dot(point.as_dvec2() - origin);
        side.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
    }
}

impl Ord for Edge {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.index == other.index {
            return Ordering::Equal;
        }
        if along_sweep(self.left, other.left).is_gt() {
            return other.cmp(self).reverse();
        }
        let other_is = self.side_of(other.left).then(self.side_of(other.right));
        other_is.reverse().then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl Eq for Edge {}

/// In which order the sweep line meets two points.
fn along_sweep(p: Vec2, q: Vec2) -> Ordering {
    let order = |a: f32, b: f32| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    order(p.x, q.x).then(order(p.y, q.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares all edges with all.
    fn by_brute_force(points: &[Vec2]) -> bool {
        let n = points.len();
        (0..n).any(|i| (i + 1..n).any(|j| meet(points, i, j)))
    }

    #[test]
    fn a_comb_of_many_thousand_teeth_is_simple_in_any_direction() {
        let tooth = |i: i32| {
            let x = i as f32 * 0.1;
            [(x, 0.0), (x + 0.02, 900.0), (x + 0.04, 900.0), (x + 0.06, 0.0)]
        };
        let comb = || (0..10_000).flat_map(tooth).chain([(1000.0, -10.0), (0.0, -10.0)]);
        for angle in [0.0, 0.7, std::f32::consts::FRAC_PI_2] {
            let turn = Vec2::from_angle(angle);
            let points: Vec<Vec2> = comb().map(|point| turn.rotate(Vec2::from(point))).collect();
            assert_eq!(self_intersection(&points), None, "turned by {angle}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16 * ProptestConfig::default().cases))]

        // On a small lattice, edges often touch, overlap or stand upright.
        #[test]
        fn the_sweep_agrees_with_comparing_all_edges(
            lattice in prop::collection::vec((0i8..5, 0i8..5), 3..9)
        ) {
            let mut points: Vec<Vec2> =
                lattice.iter().map(|&(x, y)| Vec2::new(x.into(), y.into())).collect();
            points.dedup();
            if points.first() == points.last() {
                points.pop();
            }
            if points.len() >= 3 {
                let found = self_intersection(&points).is_some();
                prop_assert_eq!(found, by_brute_force(&points), "{:?}", points);
            }
        }

        // A star with one corner moved: about half of them cross themselves.
        #[test]
        fn the_sweep_agrees_on_outlines_that_are_nearly_simple(
            radii in prop::collection::vec(1f32..9.0, 3..40),
            moved in any::<prop::sample::Index>(),
            by in (-9f32..9.0, -9f32..9.0),
        ) {
            let angle = |i: usize| std::f32::consts::TAU * i as f32 / radii.len() as f32;
            let corner = |(i, radius): (usize, &f32)| Vec2::from_angle(angle(i)) * *radius;
            let mut points: Vec<Vec2> = radii.iter().enumerate().map(corner).collect();
            points[moved.index(radii.len())] += Vec2::from(by);
            prop_assert_eq!(self_intersection(&points).is_some(), by_brute_force(&points));
        }
    }
}
