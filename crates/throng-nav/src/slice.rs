//! Cross-sections of corridors.

use glam::DVec2;

use crate::funnel::Gap;
use crate::locate::Place;
use crate::map::{CorridorMap, EdgeId, VertexId};
use crate::medial::Arc;
use crate::piece::Piece;

/// Clearances that differ by less, m, are the same: it is half of the lattice that walls lie on.
const EVEN: f64 = 0.0005;

/// The disc that a place is anchored to holds it, whatever rounding says, m.
const ROUNDING: f64 = 1e-6;

/// A corridor where it is cut across at a point of the axis: from the wall on the left over the
/// centre to the wall on the right, as seen when walking along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// A point of the axis.
    pub centre: DVec2,
    /// Its distance to the walls on both sides, m.
    pub clearance: f64,
    /// The nearest point of the wall on the left.
    pub left: DVec2,
    /// The nearest point of the wall on the right.
    pub right: DVec2,
}

impl Slice {
    pub(crate) fn new(piece: &Piece, share: f64) -> Self {
        Self::across(piece, piece.at(share))
    }

    /// At a point of a piece.
    pub(crate) fn across(piece: &Piece, centre: DVec2) -> Self {
        Self {
            centre,
            clearance: piece.clearance(centre),
            left: piece.left.nearest(centre),
            right: piece.right.nearest(centre),
        }
    }

    /// The same seen from the other direction.
    pub fn reversed(self) -> Self {
        Self { left: self.right, right: self.left, ..self }
    }

    /// What is left of it at a distance of `clearance` from the walls, at least its centre.
    pub(crate) fn gap(&self, clearance: f64) -> Gap {
        self.gap_between([clearance; 2])
    }

    /// What is left of it at distances from the walls on the left and on the right, at least its centre.
    pub(crate) fn gap_between(&self, clearances: [f64; 2]) -> Gap {
        let [left, right] = clearances.map(|clearance| {
            if clearance < self.clearance { clearance / self.clearance } else { 1.0 }
        });
        Gap { left: self.left.lerp(self.centre, left), right: self.right.lerp(self.centre, right) }
    }
}

/// Shortest paths cross a slice straight from wall to wall. Who starts from a slice, or from near a
/// junction, may be beyond that line already, and whose goal it is may not need to cross it.
impl Slice {
    /// Whether its disc holds a place and the line from wall to wall is ahead of it.
    pub(crate) fn is_behind(&self, place: &Place, clearance: f64) -> bool {
        self.holds(place, clearance) && self.beyond(place.point) <= 0.0
    }

    /// Whether its disc holds a place and the line from wall to wall is behind it.
    pub(crate) fn is_ahead(&self, place: &Place, clearance: f64) -> bool {
        self.holds(place, clearance) && self.beyond(place.point) >= 0.0
    }

    /// Whether a place is in the disc with as much room around it as a path keeps, or as it has
    /// itself. Straight lines between such places have it as well; those between places at the
    /// rim may graze the wall.
    fn holds(&self, place: &Place, clearance: f64) -> bool {
        let within = self.clearance - clearance.min(place.clearance) + ROUNDING;
        within >= 0.0 && self.centre.distance_squared(place.point) <= within * within
    }

    fn beyond(&self, point: DVec2) -> f64 {
        (self.right - self.left).perp_dot(point - self.right)
    }
}

impl CorridorMap {
    /// An edge cut across where it is narrowest, half way if it is so for a while; `None` where a
    /// stair changes floors.
    pub fn gate(&self, id: EdgeId) -> Option<Slice> {
        // The slice of a piece, and for how long the piece is as narrow as there.
        let slice = |piece: &Piece| {
            let clearance = |share| piece.clearance(piece.at(share));
            if (clearance(0.0) - clearance(1.0)).abs() < EVEN
                && clearance(0.5) + EVEN > clearance(0.0)
            {
                (Slice::new(piece, 0.5), piece.length())
            } else {
                (Slice::new(piece, piece.narrowest()), 0.0)
            }
        };
        let least = self.pieces(id).map(|piece| slice(piece).0.clearance).reduce(f64::min)?;
        let narrow = self.pieces(id).map(slice).filter(|(slice, _)| slice.clearance < least + EVEN);
        narrow.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(slice, _)| slice)
    }
}

/// An edge in one of its two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Direction(pub u32);

impl Direction {
    pub fn new(edge: EdgeId, is_reversed: bool) -> Self {
        Self(edge.0 * 2 + u32::from(is_reversed))
    }

    pub fn edge(self) -> EdgeId {
        EdgeId(self.0 / 2)
    }

    pub fn is_reversed(self) -> bool {
        self.0 % 2 == 1
    }

    /// The vertex that it leads from.
    pub fn begin(self, map: &CorridorMap) -> VertexId {
        map.edge(self.edge()).ends[usize::from(self.is_reversed())]
    }

    /// The vertex that it leads to.
    pub fn end(self, map: &CorridorMap) -> VertexId {
        map.edge(self.edge()).ends[usize::from(!self.is_reversed())]
    }
}

/// Some arcs of an edge, and the way through them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// The first and the last arc on the way, and how much of each is left out, from 0 to 1.
    pub first: u32,
    pub from: f64,
    pub last: u32,
    pub to: f64,
    pub is_reversed: bool,
}

impl Stretch {
    /// A whole edge; `None` if it has no arcs.
    pub fn whole(map: &CorridorMap, way: Direction) -> Option<Self> {
        let arcs = map.edge(way.edge()).arcs.clone();
        let last = arcs.end.checked_sub(1).filter(|&last| last >= arcs.start)?;
        Some(if way.is_reversed() {
            Self { first: last, from: 1.0, last: arcs.start, to: 0.0, is_reversed: true }
        } else {
            Self { first: arcs.start, from: 0.0, last, to: 1.0, is_reversed: false }
        })
    }

    /// Numbers of its arcs, in the order of the way.
    pub fn arcs(&self) -> impl Iterator<Item = u32> + use<> {
        let (first, last, is_reversed) = (self.first, self.last, self.is_reversed);
        (0..=first.abs_diff(last)).map(move |i| if is_reversed { first - i } else { first + i })
    }

    /// The slice where it begins.
    pub fn begin(&self, map: &CorridorMap) -> Slice {
        self.slice(map, self.first, self.from)
    }

    /// The slice where one of its arcs ends, or where it ends itself.
    pub fn end_of(&self, map: &CorridorMap, arc: u32) -> Slice {
        let end = if self.is_reversed { 0.0 } else { 1.0 };
        self.slice(map, arc, if arc == self.last { self.to } else { end })
    }

    fn slice(&self, map: &CorridorMap, arc: u32, share: f64) -> Slice {
        let [from, to] = map.slices[arc as usize];
        let slice = match share {
            0.0 => from,
            1.0 => to,
            _ => Slice::new(&map.arcs[arc as usize].piece, share),
        };
        if self.is_reversed { slice.reversed() } else { slice }
    }

    /// The least clearance on an arc, as far as it belongs to the stretch.
    pub fn room(&self, map: &CorridorMap, arc: u32) -> f64 {
        if arc != self.first && arc != self.last {
            return map.rooms[arc as usize];
        }
        let (begin, end) = if self.is_reversed { (1.0, 0.0) } else { (0.0, 1.0) };
        let from = if arc == self.first { self.from } else { begin };
        let to = if arc == self.last { self.to } else { end };
        if (from, to) == (begin, end) {
            return map.rooms[arc as usize];
        }
        let piece = &map.arcs[arc as usize].piece;
        piece.clearance(piece.at(piece.narrowest().clamp(from.min(to), from.max(to))))
    }

    /// The least clearance of the stretch, m.
    pub fn least_room(&self, map: &CorridorMap) -> f64 {
        self.arcs().map(|arc| self.room(map, arc)).fold(f64::INFINITY, f64::min)
    }

    /// Its arcs, as they lie on the way, and the part of each that belongs to it.
    pub fn parts<'a>(&'a self, map: &'a CorridorMap) -> impl Iterator<Item = (Arc, [f64; 2])> + 'a {
        self.arcs().map(move |number| {
            let arc = map.arcs[number as usize];
            let (begin, end) = if self.is_reversed { (1.0, 0.0) } else { (0.0, 1.0) };
            let from = if number == self.first { self.from } else { begin };
            let to = if number == self.last { self.to } else { end };
            if self.is_reversed {
                (arc.reversed(), [1.0 - from, 1.0 - to])
            } else {
                (arc, [from, to])
            }
        })
    }

    /// The clearance where it is narrowest, and where that is.
    pub fn narrowest(&self, map: &CorridorMap) -> (f64, DVec2) {
        let narrowest = |(arc, [from, to]): (Arc, [f64; 2])| {
            let share = arc.piece.narrowest().clamp(from.min(to), from.max(to));
            let point = arc.piece.at(share);
            (arc.piece.clearance(point), point)
        };
        let parts = self.parts(map).map(narrowest);
        parts.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, DVec2::ZERO))
    }
}
