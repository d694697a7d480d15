//! Cutting the surface into floors that do not overlap themselves in plan.
//!
//! The surface falls into pieces: level ground, and flights, where it rises on both sides of a cell
//! in the same direction by more than one in twenty, which is where a path becomes a ramp in rules
//! for buildings. Pieces grow cell by cell and never over or under themselves, so the turns of a
//! spiral are pieces of their own.
//!
//! Then pieces that one can walk between become one floor, wherever that does not lie over itself.
//! Only straight flights between two large floors, the stairs and ramps of a building, join floors
//! and do not merge them. Such a flight is divided: what lies under the upper floor belongs to the
//! lower one, what lies over the lower floor to the upper one, and the cut is half-way between.
//! Landings go with the floor that is below them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::DVec2;

use super::SurveyError;
use super::solid::Pieces;
use super::surface::{NONE, Surface};
use crate::scene::MAX_LAYERS;

/// Rise per metre from which ground is a flight and not level.
const FLIGHT: f32 = 0.05;

/// Length over which the rise is looked at, m: more than a tread of the longest stairs.
const REACH: f64 = 0.8;

/// Flights that rise less than this, m, are kerbs and thresholds.
const LEAST_RISE: f32 = 0.6;

/// Straight flights that rise less than this, m, join no floors: a few steps are part of one.
const STOREY_RISE: f32 = 1.0;

/// Level ground smaller than this, m², between flights is a landing.
const LANDING: f64 = 12.0;

/// Pieces of ground within this height of each other, m, can be one floor though nobody can walk
/// between them.
const SAME_FLOOR: f32 = 1.0;

/// The floor of each cell, lowest floor first, and what each cell is like.
pub(super) struct Floors {
    /// The number of the floor of each cell.
    pub floor_of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// Which cells belong to flights.
    pub in_flight: Vec<bool>,
}

/// Cuts `surface` into floors.
pub(super) fn floors(surface: &Surface) -> Result<Floors, SurveyError> {
    let in_flight = flights(surface);
    let mut partition = Partition::new(surface, &in_flight);
    let straight = partition.straight_flights();
    partition.merge_ground(&straight);
    partition.join_flights(&straight);
    partition.gather(SAME_FLOOR);
    if partition.floor_count() > MAX_LAYERS {
        partition.gather(f32::INFINITY);
    }
    let (floor_of, count) = partition.numbered();
    if count > MAX_LAYERS {
        return Err(SurveyError::TooManyFloors { floors: count });
    }
    Ok(Floors { floor_of, count, in_flight })
}

/// Which cells belong to flights.
fn flights(surface: &Surface) -> Vec<bool> {
    let cells = surface.cells();
    let steps = (REACH / surface.lattice().cell).ceil() as usize;
    // The rise per metre in one direction, as far as one can walk straight on.
    let rise = |cell: usize, way: usize| {
        let mut at = cell;
        let mut taken = 0;
        while let (Some(next), true) = (cells[at].neighbour(way), taken < steps) {
            (at, taken) = (next, taken + 1);
        }
        let length = taken as f32 * surface.lattice().cell as f32;
        (taken > 0).then(|| (cells[at].height - cells[cell].height) / length)
    };
    let rises_along = |cell: usize, way: usize| match (rise(cell, way), rise(cell, way + 4)) {
        (Some(ahead), Some(behind)) => {
            ahead.abs().min(behind.abs()) >= FLIGHT && ahead * behind < 0.0
        }
        (Some(only), None) | (None, Some(only)) => only.abs() >= FLIGHT,
        (None, None) => false,
    };
    let mut in_flight: Vec<bool> =
        (0..cells.len()).map(|cell| rises_along(cell, 0) || rises_along(cell, 2)).collect();
    // Kerbs are level ground.
    let mut seen = vec![false; cells.len()];
    for first in 0..cells.len() {
        if !in_flight[first] || seen[first] {
            continue;
        }
        let flight = spread(surface, first, &mut seen, |cell| in_flight[cell]);
        let heights = || flight.iter().map(|cell| cells[*cell as usize].height);
        let (low, high) = (heights().fold(f32::MAX, f32::min), heights().fold(f32::MIN, f32::max));
        if high - low < LEAST_RISE {
            flight.iter().for_each(|cell| in_flight[*cell as usize] = false);
        }
    }
    in_flight
}

/// All cells that can be reached from `first` through cells that `belong`, nearest first.
fn spread(
    surface: &Surface,
    first: usize,
    seen: &mut [bool],
    mut belongs: impl FnMut(usize) -> bool,
) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open = VecDeque::from([first]);
    seen[first] = true;
    while let Some(cell) = open.pop_front() {
        found.push(cell as u32);
        for way in [0, 2, 4, 6] {
            if let Some(next) = surface.cells()[cell].neighbour(way)
                && !seen[next]
                && belongs(next)
            {
                seen[next] = true;
                open.push_back(next);
            }
        }
    }
    found
}

/// Pieces of the surface that become floors.
struct Partition<'s> {
    surface: &'s Surface,
    /// The piece of each cell.
    piece_of: Vec<u32>,
    is_flight: Vec<bool>,
    /// Pieces that are one floor.
    floors: Pieces,
    /// The cells of the floor that each piece stands for.
    members: Vec<Vec<u32>>,
    /// Level ground of the floor that each piece stands for, cells.
    level: Vec<usize>,
    /// Pairs of pieces one can step between, and by how many pairs of cells.
    contacts: BTreeMap<(u32, u32), usize>,
}

impl<'s> Partition<'s> {
    fn new(surface: &'s Surface, in_flight: &[bool]) -> Self {
        let cells = surface.cells();
        let mut upwards: Vec<u32> = (0..cells.len() as u32).collect();
        upwards.sort_by(|a, b| {
            let height = |cell: &u32| cells[*cell as usize].height;
            height(a).total_cmp(&height(b)).then(a.cmp(b))
        });
        let mut piece_of = vec![NONE; cells.len()];
        let mut occupied = vec![NONE; surface.lattice().len()];
        let (mut members, mut is_flight) = (Vec::new(), Vec::new());
        let mut seen = vec![false; cells.len()];
        for first in upwards {
            let first = first as usize;
            if piece_of[first] != NONE {
                continue;
            }
            let piece = members.len() as u32;
            occupied[cells[first].column as usize] = piece;
            let grown = spread(surface, first, &mut seen, |cell| {
                let column = &mut occupied[cells[cell].column as usize];
                let belongs = in_flight[cell] == in_flight[first]
                    && piece_of[cell] == NONE
                    && *column != piece;
                if belongs {
                    *column = piece;
                }
                belongs
            });
            grown.iter().for_each(|cell| piece_of[*cell as usize] = piece);
            is_flight.push(in_flight[first]);
            members.push(grown);
        }
        let mut contacts = BTreeMap::new();
        for (cell, of) in cells.iter().enumerate() {
            for way in [0, 2] {
                if let Some(next) = of.neighbour(way) {
                    let (a, b) = (piece_of[cell], piece_of[next]);
                    if a != b {
                        *contacts.entry((a.min(b), a.max(b))).or_default() += 1;
                    }
                }
            }
        }
        let level = members
            .iter()
            .zip(&is_flight)
            .map(|(cells, is_flight)| if *is_flight { 0 } else { cells.len() })
            .collect();
        let floors = Pieces::new(members.len());
        Self { surface, piece_of, is_flight, floors, members, level, contacts }
    }

    /// Which pieces are straight and even flights, and which way up.
    fn straight_flights(&self) -> BTreeMap<u32, DVec2> {
        let pieces = 0..self.members.len() as u32;
        let flights = pieces.filter(|piece| self.is_flight[*piece as usize]);
        flights.filter_map(|piece| Some((piece, self.straight(piece)?))).collect()
    }

    fn straight(&self, piece: u32) -> Option<DVec2> {
        // Steps are as high as they are, and treads are off an even slope by half of it.
        const UNEVEN: f64 = 0.3;
        const FILLED: f64 = 0.65;
        let cells = &self.members[piece as usize];
        let slope = Slope::fit(self.surface, cells)?;
        let (up, rise) = (slope.gradient.normalize_or_zero(), slope.gradient.length());
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &cell in cells {
            let at = self.surface.center(cell as usize);
            let height = f64::from(self.surface.cells()[cell as usize].height);
            if (height - slope.height(at)).abs() > UNEVEN {
                return None;
            }
            let along = DVec2::new(at.dot(up), at.dot(up.perp()));
            (low, high) = (low.min(along), high.max(along));
        }
        let size = high - low + self.surface.lattice().cell;
        let filled = cells.len() as f64 * self.surface.cell_area() / (size.x * size.y);
        (filled >= FILLED && size.x * rise >= f64::from(STOREY_RISE)).then_some(up)
    }

    /// Whether two floors lie over one another anywhere.
    fn overlap(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.floors.root(one), self.floors.root(other));
        let size = |piece: u32| self.members[piece as usize].len();
        let (fewer, more) = if size(one) <= size(other) { (one, other) } else { (other, one) };
        let cells = std::mem::take(&mut self.members[fewer as usize]);
        let found = cells.iter().any(|cell| self.is_over_or_under(*cell, more));
        self.members[fewer as usize] = cells;
        found
    }

    /// Whether two floors lie next to each other in plan anywhere.
    fn touch(&mut self, one: u32, other: u32) -> bool {
        let other = self.floors.root(other);
        let columns = self.surface.lattice().columns;
        let cells = std::mem::take(&mut self.members[one as usize]);
        let found = cells.iter().any(|cell| {
            let column = self.surface.cells()[*cell as usize].column as usize;
            let beside = [column - 1, column + 1, column - columns, column + columns];
            let beside = beside.into_iter().flat_map(|column| self.surface.in_column(column));
            beside.map(|next| self.piece_of[next]).any(|piece| self.floors.root(piece) == other)
        });
        self.members[one as usize] = cells;
        found
    }

    /// Whether a floor has a cell in the same column.
    fn is_over_or_under(&mut self, cell: u32, floor: u32) -> bool {
        let column = self.surface.cells()[cell as usize].column as usize;
        let floor = self.floors.root(floor);
        self.surface
            .in_column(column)
            .any(|other| other != cell as usize && self.floors.root(self.piece_of[other]) == floor)
    }

    fn merge(&mut self, one: u32, other: u32) {
        let (one, other) = (self.floors.root(one), self.floors.root(other));
        if one == other {
            return;
        }
        self.floors.join(one, other);
        let kept = self.floors.root(one);
        let gone = if kept == one { other } else { one };
        let (mut few, mut many) = (
            std::mem::take(&mut self.members[gone as usize]),
            std::mem::take(&mut self.members[kept as usize]),
        );
        if few.len() > many.len() {
            std::mem::swap(&mut few, &mut many);
        }
        many.append(&mut few);
        self.members[kept as usize] = many;
        self.level[kept as usize] += self.level[gone as usize];
    }

    fn merge_if_possible(&mut self, one: u32, other: u32) {
        if self.floors.root(one) == self.floors.root(other) || !self.overlap(one, other) {
            self.merge(one, other);
        }
    }

    /// Merges pieces one can walk between, except over straight flights; the widest contacts first.
    fn merge_ground(&mut self, straight: &BTreeMap<u32, DVec2>) {
        let free =
            |pair: &(u32, u32)| !straight.contains_key(&pair.0) && !straight.contains_key(&pair.1);
        let contacts = self.contacts.iter().filter(|(pair, _)| free(pair));
        let mut contacts: Vec<_> = contacts.map(|(pair, count)| (*count, *pair)).collect();
        contacts.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, (one, other)) in contacts {
            self.merge_if_possible(one, other);
        }
    }

    /// Lets straight flights join floors, from the lowest up.
    fn join_flights(&mut self, straight: &BTreeMap<u32, DVec2>) {
        let mut order: Vec<(f32, u32, usize)> = straight
            .keys()
            .map(|flight| {
                (self.mean_height(*flight), *flight, self.members[*flight as usize].len())
            })
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, flight, cells) in order {
            // Flights that meet may have become one floor already.
            if self.floors.root(flight) != flight || self.members[flight as usize].len() != cells {
                continue;
            }
            let around = self.floors_around(flight);
            match (around.first(), around.last()) {
                (Some(&foot), Some(&head)) if foot != head => {
                    let is_landing = |floor: u32| {
                        (self.level[floor as usize] as f64) * self.surface.cell_area() < LANDING
                    };
                    let with_landing = is_landing(foot) || is_landing(head);
                    let apart = !self.overlap(flight, foot)
                        && !self.overlap(flight, head)
                        && !self.overlap(foot, head);
                    if with_landing && apart {
                        self.merge(flight, foot);
                        self.merge(flight, head);
                    } else {
                        self.divide(flight, foot, head, straight[&flight]);
                    }
                }
                (Some(&only), _) => self.merge_if_possible(flight, only),
                _ => {}
            }
        }
    }

    fn mean_height(&self, piece: u32) -> f32 {
        let cells = &self.members[piece as usize];
        let heights =
            cells.iter().map(|cell| f64::from(self.surface.cells()[*cell as usize].height));
        (heights.sum::<f64>() / cells.len().max(1) as f64) as f32
    }

    /// The floors next to a flight, by the height at which they meet it.
    fn floors_around(&mut self, flight: u32) -> Vec<u32> {
        let mut heights: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
        for cell in self.members[flight as usize].clone() {
            for (_, next) in self.surface.cells()[cell as usize].neighbours() {
                let floor = self.floors.root(self.piece_of[next]);
                if floor != self.floors.root(flight) {
                    let met = heights.entry(floor).or_default();
                    met.0 += f64::from(self.surface.cells()[next].height);
                    met.1 += 1;
                }
            }
        }
        let mut floors: Vec<(f64, u32)> =
            heights.into_iter().map(|(floor, (sum, count))| (sum / count as f64, floor)).collect();
        floors.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        floors.into_iter().map(|(_, floor)| floor).collect()
    }

    /// Gives the lower end of a flight to the floor at its foot and the rest to the one at its head,
    /// unless a part of it lies over the one and under the other.
    fn divide(&mut self, flight: u32, foot: u32, head: u32, up: DVec2) {
        let cells = self.members[flight as usize].clone();
        let surface = self.surface;
        let along = |cell: &u32| surface.center(*cell as usize).dot(up);
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        for cell in &cells {
            if self.is_over_or_under(*cell, head) {
                from = from.max(along(cell));
            }
            if self.is_over_or_under(*cell, foot) {
                to = to.min(along(cell));
            }
        }
        if from >= to {
            return;
        }
        let low = cells.iter().map(along).fold(f64::INFINITY, f64::min);
        let high = cells.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let cut = (from.max(low) + to.min(high)) * 0.5;
        let is_lower = |cell: &&u32| along(cell) <= from || along(cell) < cut;
        let (lower, upper): (Vec<u32>, Vec<u32>) = cells.iter().partition(is_lower);
        for (part, floor) in [(lower, foot), (upper, head)] {
            let floor = self.floors.root(floor);
            part.iter().for_each(|cell| self.piece_of[*cell as usize] = floor);
            self.members[floor as usize].extend(part);
        }
        self.members[flight as usize].clear();
    }

    /// Merges floors of about the same height that one cannot walk between: rooms on a storey.
    fn gather(&mut self, within: f32) {
        let mut order: Vec<(f32, u32)> =
            self.roots().into_iter().map(|floor| (self.middle_height(floor), floor)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut gathered: Vec<(f32, u32)> = Vec::new();
        for (height, floor) in order {
            let near = gathered.clone().into_iter().filter(|(other, _)| height - other <= within);
            let mut near = near.rev().map(|(_, other)| other);
            match near.find(|other| !self.overlap(floor, *other) && !self.touch(floor, *other)) {
                Some(other) => self.merge(floor, other),
                None => gathered.push((height, floor)),
            }
        }
    }

    fn roots(&mut self) -> BTreeSet<u32> {
        let pieces = 0..self.members.len() as u32;
        let full: Vec<u32> =
            pieces.filter(|piece| !self.members[*piece as usize].is_empty()).collect();
        full.into_iter().map(|piece| self.floors.root(piece)).collect()
    }

    fn floor_count(&mut self) -> usize {
        self.roots().len()
    }

    /// The height that half of a floor is below.
    fn middle_height(&self, floor: u32) -> f32 {
        let cells = self.members[floor as usize].iter();
        let mut heights: Vec<f32> =
            cells.map(|cell| self.surface.cells()[*cell as usize].height).collect();
        let middle = heights.len() / 2;
        *heights.select_nth_unstable_by(middle, f32::total_cmp).1
    }

    /// The floor of each cell, lowest first, and how many there are.
    fn numbered(mut self) -> (Vec<u32>, usize) {
        let roots = self.roots().into_iter();
        let mut order: Vec<(f32, u32)> =
            roots.map(|floor| (self.middle_height(floor), floor)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut floor_of = vec![0; self.surface.cells().len()];
        for (number, (_, floor)) in order.iter().enumerate() {
            for cell in &self.members[*floor as usize] {
                floor_of[*cell as usize] = number as u32;
            }
        }
        (floor_of, order.len())
    }
}

/// An even slope.
pub(super) struct Slope {
    middle: DVec2,
    height: f64,
    /// Rise per metre along x and y.
    pub gradient: DVec2,
}

impl Slope {
    /// The slope nearest to the heights of some cells; `None` if they lie on a line.
    pub fn fit(surface: &Surface, cells: &[u32]) -> Option<Self> {
        let count = cells.len() as f64;
        let at = |cell: &u32| surface.center(*cell as usize);
        let height_of = |cell: &u32| f64::from(surface.cells()[*cell as usize].height);
        let middle = cells.iter().map(at).sum::<DVec2>() / count;
        let height = cells.iter().map(height_of).sum::<f64>() / count;
        let (mut xx, mut xy, mut yy, mut z) = (0.0, 0.0, 0.0, DVec2::ZERO);
        for cell in cells {
            let off = at(cell) - middle;
            (xx, xy, yy) = (xx + off.x * off.x, xy + off.x * off.y, yy + off.y * off.y);
            z += off * (height_of(cell) - height);
        }
        let det = xx * yy - xy * xy;
        // All in a row: no slope across it.
        if det <= 1e-9 * (xx + yy) * (xx + yy) {
            return None;
        }
        let gradient = DVec2::new(yy * z.x - xy * z.y, xx * z.y - xy * z.x) / det;
        Some(Self { middle, height, gradient })
    }

    /// Its height at a point, m.
    pub fn height(&self, point: DVec2) -> f64 {
        self.height + self.gradient.dot(point - self.middle)
    }
}
