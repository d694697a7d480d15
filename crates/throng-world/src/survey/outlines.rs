//! Outlines of floors: rings along the borders of cells, with straight walls.
//!
//! Cells only touch a wall, so its outline is a staircase that never crosses it, with its outer corners
//! along the wall. Taking away the corners that point inwards pulls the outline straight: towards the
//! wall, by about a cell. What is never taken away is ground, so no door becomes narrower; and as
//! no corner may be passed by another ring's, rooms on two sides of a thin wall never meet.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use glam::DVec2;

use super::Lattice;
use crate::walkable::{Area, union};

/// A corner of cells, in columns and rows.
type Corner = (i32, i32);

/// The area of some cells, given by their numbers in ascending order.
pub(super) fn outline(lattice: &Lattice, columns: &[u32]) -> Vec<Area> {
    let rings = straightened(&trace(lattice, columns));
    let place = |corner: &Corner| lattice.corner(corner.0 as usize, corner.1 as usize);
    let rings = rings.iter().map(|ring| ring.iter().map(place).collect::<Vec<DVec2>>());
    // Outlines run counter-clockwise and holes clockwise; which hole is whose, the union finds out.
    let (outer, inner): (Vec<_>, Vec<_>) = rings.partition(|ring| doubled_area(ring) > 0.0);
    let mut inner = Some(inner);
    let areas =
        outer.into_iter().filter_map(|ring| Area::new(ring, inner.take().unwrap_or_default()).ok());
    union(&areas.collect::<Vec<_>>())
}

fn doubled_area(ring: &[DVec2]) -> f64 {
    let next = |i: usize| ring[(i + 1) % ring.len()] - ring[0];
    (0..ring.len()).map(|i| (ring[i] - ring[0]).perp_dot(next(i))).sum()
}

/// The rings around some cells, with the cells on their left. Cells that touch in a corner only are
/// apart.
fn trace(lattice: &Lattice, columns: &[u32]) -> Vec<Vec<Corner>> {
    let here: BTreeSet<u32> = columns.iter().copied().collect();
    let is_here = |x: i32, y: i32| {
        let inside =
            (0..lattice.columns as i32).contains(&x) && (0..lattice.rows as i32).contains(&y);
        inside && here.contains(&((y as usize * lattice.columns + x as usize) as u32))
    };
    // From each corner, where the border goes on: at most twice.
    let mut ways: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for &column in columns {
        let (x, y) = (
            (column as usize % lattice.columns) as i32,
            (column as usize / lattice.columns) as i32,
        );
        let sides = [
            (is_here(x, y - 1), (x, y), (x + 1, y)),
            (is_here(x + 1, y), (x + 1, y), (x + 1, y + 1)),
            (is_here(x, y + 1), (x + 1, y + 1), (x, y + 1)),
            (is_here(x - 1, y), (x, y + 1), (x, y)),
        ];
        for (_, from, to) in sides.into_iter().filter(|(is_inner, _, _)| !is_inner) {
            ways.entry(from).or_default().push(to);
        }
    }
    let mut rings = Vec::new();
    while let Some((&first, _)) = ways.first_key_value() {
        let mut ring: Vec<Corner> = Vec::new();
        let mut at = first;
        while let Some(next) = take_way(&mut ways, at, ring.last().copied()) {
            ring.push(at);
            at = next;
        }
        rings.push(without_straight(&ring));
    }
    rings
}

/// Takes the way on from a corner; of two, the one that turns left, which keeps to the same cell.
fn take_way(
    ways: &mut BTreeMap<Corner, Vec<Corner>>,
    at: Corner,
    before: Option<Corner>,
) -> Option<Corner> {
    let open = ways.get_mut(&at)?;
    let turns_left = |next: &Corner| before.is_some_and(|before| turn(before, at, *next) > 0);
    let taken = open.iter().position(turns_left).unwrap_or(0);
    let next = open.remove(taken);
    if open.is_empty() {
        ways.remove(&at);
    }
    Some(next)
}

/// How far from an edge the corners may be that it passes: the square of that, in hundredths.
///
/// The corners of cells along a straight wall lie within a diagonal of a cell of a line. Small things
/// keep more of their shape: round pillars would lose a good part of themselves.
fn closeness(length_squared: i64) -> i64 {
    match length_squared {
        ..9 => 81,
        _ => 200,
    }
}

/// Positive for a turn to the left.
fn turn(a: Corner, b: Corner, c: Corner) -> i64 {
    let (ux, uy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
    let (vx, vy) = (i64::from(c.0 - b.0), i64::from(c.1 - b.1));
    ux * vy - uy * vx
}

fn without_straight(ring: &[Corner]) -> Vec<Corner> {
    let n = ring.len();
    let bends = |i: &usize| turn(ring[(i + n - 1) % n], ring[*i], ring[(i + 1) % n]) != 0;
    (0..n).filter(bends).map(|i| ring[i]).collect()
}

/// Takes away corners that point into the ground by about a cell, the flattest first.
fn straightened(rings: &[Vec<Corner>]) -> Vec<Vec<Corner>> {
    let mut links = Links::new(rings);
    let mut queue: BinaryHeap<Reverse<(i64, usize, u32)>> =
        (0..links.corners.len()).filter_map(|i| links.entry(i)).map(Reverse).collect();
    while let Some(Reverse((_, corner, version))) = queue.pop() {
        if links.version[corner] != version || !links.can_go(corner) {
            continue;
        }
        for changed in links.take_away(corner) {
            links.version[changed] += 1;
            queue.extend(links.entry(changed).map(Reverse));
        }
    }
    links.rings()
}

/// Rings as chains of corners that can be taken out.
struct Links {
    corners: Vec<Corner>,
    previous: Vec<usize>,
    next: Vec<usize>,
    gone: Vec<bool>,
    version: Vec<u32>,
    /// First corner and number of corners of each ring, and how many are left.
    rings: Vec<(usize, usize, usize)>,
    ring_of: Vec<u32>,
    /// Corners by place: those that are left decide what can go.
    by_place: BTreeMap<Corner, Vec<usize>>,
}

impl Links {
    fn new(rings: &[Vec<Corner>]) -> Self {
        let mut links = Self {
            corners: Vec::new(),
            previous: Vec::new(),
            next: Vec::new(),
            gone: Vec::new(),
            version: Vec::new(),
            rings: Vec::new(),
            ring_of: Vec::new(),
            by_place: BTreeMap::new(),
        };
        for (number, ring) in rings.iter().enumerate() {
            let (first, n) = (links.corners.len(), ring.len());
            for (i, corner) in ring.iter().enumerate() {
                links.by_place.entry(*corner).or_default().push(first + i);
                links.corners.push(*corner);
                links.previous.push(first + (i + n - 1) % n);
                links.next.push(first + (i + 1) % n);
                links.ring_of.push(number as u32);
            }
            links.rings.push((first, n, n));
        }
        links.gone = vec![false; links.corners.len()];
        links.version = vec![0; links.corners.len()];
        links
    }

    fn around(&self, corner: usize) -> [Corner; 3] {
        [self.previous[corner], corner, self.next[corner]].map(|i| self.corners[i])
    }

    /// Where a corner belongs in the queue; `None` if taking it away would take ground away.
    fn entry(&self, corner: usize) -> Option<(i64, usize, u32)> {
        let [a, b, c] = self.around(corner);
        let area = -turn(a, b, c);
        (area >= 0 && !self.gone[corner]).then_some((area, corner, self.version[corner]))
    }

    fn can_go(&self, corner: usize) -> bool {
        let ring = self.ring_of[corner] as usize;
        !self.gone[corner]
            && self.rings[ring].2 > 4
            && self.is_near(corner)
            && self.is_empty(corner)
    }

    /// Whether all corners that the new edge passes are close to it.
    fn is_near(&self, corner: usize) -> bool {
        let (from, to) = (self.previous[corner], self.next[corner]);
        let [a, _, b] = self.around(corner);
        let (dx, dy) = (i64::from(b.0 - a.0), i64::from(b.1 - a.1));
        let length_squared = dx * dx + dy * dy;
        if length_squared == 0 {
            return false;
        }
        let (first, n, _) = self.rings[self.ring_of[corner] as usize];
        let mut at = from;
        loop {
            at = first + (at - first + 1) % n;
            if at == to {
                return true;
            }
            let p = self.corners[at];
            let (px, py) = (i64::from(p.0 - a.0), i64::from(p.1 - a.1));
            let across = i128::from(dx * py - dy * px);
            if 100 * across * across > i128::from(closeness(length_squared) * length_squared) {
                return false;
            }
        }
    }

    /// Whether no other corner that is left lies in the triangle that becomes ground.
    fn is_empty(&self, corner: usize) -> bool {
        let [a, b, c] = self.around(corner);
        if turn(a, b, c) == 0 {
            // Straight on, or back on itself: then there is a corner between.
            return (b.0 - a.0) * (c.0 - b.0) >= 0 && (b.1 - a.1) * (c.1 - b.1) >= 0;
        }
        let (low_x, high_x) = (a.0.min(b.0).min(c.0), a.0.max(b.0).max(c.0));
        let (low_y, high_y) = (a.1.min(b.1).min(c.1), a.1.max(b.1).max(c.1));
        let is_inside = |p: Corner| turn(a, b, p) <= 0 && turn(b, c, p) <= 0 && turn(c, a, p) <= 0;
        (low_x..=high_x).all(|x| {
            let mut column = self.by_place.range((x, low_y)..=(x, high_y));
            column.all(|(place, corners)| {
                let own = [self.previous[corner], corner, self.next[corner]];
                let other = corners.iter().any(|i| !self.gone[*i] && !own.contains(i));
                !other || !is_inside(*place)
            })
        })
    }

    /// The corners on either side, which have new neighbours now.
    fn take_away(&mut self, corner: usize) -> [usize; 2] {
        let (previous, next) = (self.previous[corner], self.next[corner]);
        self.next[previous] = next;
        self.previous[next] = previous;
        self.gone[corner] = true;
        self.rings[self.ring_of[corner] as usize].2 -= 1;
        [previous, next]
    }

    fn rings(&self) -> Vec<Vec<Corner>> {
        let ring = |&(first, n, _): &(usize, usize, usize)| {
            (first..first + n).filter(|i| !self.gone[*i]).map(|i| self.corners[i]).collect()
        };
        self.rings.iter().map(ring).collect()
    }
}
