//! Where two floors are joined: a rectangle across the cut between them.
//!
//! At first it only reaches across the cut. Then it grows up and down the slope, row by row, for as
//! long as the ground rises evenly, all of the row is there, and neither floor lies over or under it.
//! So straight stairs are one rectangle from their foot to their head, and of a spiral ramp it is a
//! short piece.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::DVec2;

use super::NARROWEST;
use super::layers::{Floors, Slope};
use super::surface::Surface;
use crate::ConnectorKind;

/// Stairs, a ramp, or a line across level ground, between two floors.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Whether it has steps.
    pub kind: ConnectorKind,
    /// The number of the floor at its foot.
    pub lower: usize,
    /// The number of the floor at its head.
    pub upper: usize,
    /// Its corners, counter-clockwise: the foot is from the first to the second, the head from the
    /// third to the fourth.
    pub corners: [DVec2; 4],
    /// Heights of its foot and its head, m.
    pub heights: [f32; 2],
}

impl Joint {
    /// Its width, m.
    pub fn width(&self) -> f64 {
        self.corners[0].distance(self.corners[1])
    }

    /// Swaps foot and head.
    pub(super) fn turn_round(&mut self) {
        self.corners.rotate_left(2);
        self.heights.reverse();
        std::mem::swap(&mut self.lower, &mut self.upper);
    }

    /// Its length in plan, m.
    pub fn length(&self) -> f64 {
        self.corners[1].distance(self.corners[2])
    }
}

/// A joint reaches at least so far to either side of a cut, m: people who cannot see each other on
/// two floors are then apart.
const REACH: f64 = 0.5;

/// Rise per metre below which ground is level.
const LEVEL: f64 = 0.02;

/// How far rows may be off an even slope, m.
const UNEVEN: f64 = 0.3;

/// The share of a row that must be there.
const COMPLETE: f64 = 0.85;

/// All joints between floors, and the widths, m, of the ways between floors that are too narrow for one.
pub(super) fn joints(surface: &Surface, floors: &Floors) -> (Vec<Joint>, Vec<f64>) {
    let (mut joints, mut lost) = (Vec::new(), Vec::new());
    for cut in cuts(surface, floors) {
        let joint = Strip::new(surface, floors, &cut).finish();
        if joint.width() < NARROWEST { lost.push(joint.width()) } else { joints.push(joint) }
    }
    (joints, lost)
}

/// Pairs of cells of two floors that one can step between, in connected groups.
fn cuts(surface: &Surface, floors: &Floors) -> Vec<Vec<(usize, usize)>> {
    let cells = surface.cells();
    let floor = |cell: usize| floors.floor_of[cell];
    // By the two floors, from the lower one, what each cell is cut from.
    let mut open: BTreeMap<(u32, u32), BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for cell in 0..cells.len() {
        for way in [0, 2, 4, 6] {
            if let Some(next) = cells[cell].neighbour(way)
                && floor(cell) < floor(next)
            {
                let between = open.entry((floor(cell), floor(next))).or_default();
                between.entry(cell).or_default().push(next);
            }
        }
    }
    let mut cuts = Vec::new();
    for mut between in open.into_values() {
        while let Some((&first, _)) = between.first_key_value() {
            let mut cut = Vec::new();
            let mut near = VecDeque::from([first]);
            while let Some(cell) = near.pop_front() {
                let Some(others) = between.remove(&cell) else { continue };
                // Round a corner of the cut, the next cell is two steps away.
                let next = cells[cell].neighbours().map(|(_, next)| next);
                let round = next.clone().flat_map(|next| cells[next].neighbours().map(|(_, n)| n));
                near.extend(next.chain(round).filter(|next| between.contains_key(next)));
                cut.extend(others.into_iter().map(|other| (cell, other)));
            }
            cuts.push(cut);
        }
    }
    cuts
}

/// A joint in the making: a rectangle along a slope.
struct Strip<'s> {
    surface: &'s Surface,
    floors: &'s Floors,
    lower: u32,
    upper: u32,
    /// Unit vector up the slope.
    up: DVec2,
    rise: f64,
    /// Begin and end across, m.
    across: [f64; 2],
    /// Distances up the slope and heights of its rows, upwards: the first is the foot.
    rows: VecDeque<(f64, f64)>,
}

impl<'s> Strip<'s> {
    fn new(surface: &'s Surface, floors: &'s Floors, cut: &[(usize, usize)]) -> Self {
        let cell = surface.lattice().cell;
        let near = around(surface, floors, cut);
        let mean = |cells: &mut dyn Iterator<Item = usize>| {
            let (sum, count) =
                cells.fold((DVec2::ZERO, 0), |(sum, n), c| (sum + surface.center(c), n + 1));
            sum / f64::from(count.max(1))
        };
        let outwards =
            mean(&mut cut.iter().map(|pair| pair.1)) - mean(&mut cut.iter().map(|p| p.0));
        let slope = Slope::fit(surface, &near).map_or(DVec2::ZERO, |slope| slope.gradient);
        let (one, other) = (floors.floor_of[cut[0].0], floors.floor_of[cut[0].1]);
        // The slope leads from one floor to the other, and if there is none, the cut is its foot.
        let (up, rise) = match slope.length() >= LEVEL {
            true => (slope.normalize(), slope.length()),
            false => (outwards.try_normalize().unwrap_or(DVec2::X), 0.0),
        };
        let (lower, upper) = if up.dot(outwards) >= 0.0 { (one, other) } else { (other, one) };
        let middle = |&(a, b): &(usize, usize)| (surface.center(a) + surface.center(b)) * 0.5;
        let across =
            longest_run(cut.iter().map(|pair| middle(pair).dot(up.perp())).collect(), cell);
        let within =
            |pair: &&(usize, usize)| (across[0]..=across[1]).contains(&middle(pair).dot(up.perp()));
        let along = || cut.iter().filter(within).map(|pair| middle(pair).dot(up));
        let low = along().fold(f64::INFINITY, f64::min);
        let high = along().fold(f64::NEG_INFINITY, f64::max);
        let height = |(a, b): &(usize, usize)| {
            f64::from(surface.cells()[*a].height + surface.cells()[*b].height) * 0.5
        };
        let height = cut.iter().map(height).sum::<f64>() / cut.len() as f64;
        let middle = (low + high) * 0.5;
        let mut strip = Self {
            surface,
            floors,
            lower,
            upper,
            up,
            rise,
            across: [across[0] - cell * 0.5, across[1] + cell * 0.5],
            rows: VecDeque::new(),
        };
        for end in [low - REACH, high + REACH] {
            let expected = height + rise * (end - middle);
            let found = strip.row(end, expected, false).unwrap_or(expected);
            strip.rows.push_back((end, found));
        }
        strip
    }

    /// The rectangle, grown as far as it goes.
    fn finish(mut self) -> Joint {
        if self.rise > 0.0 {
            while self.grow(-1.0) {}
            while self.grow(1.0) {}
        }
        let (foot, head) = (self.rows[0], self.rows[self.rows.len() - 1]);
        let at = |along: f64, across: f64| self.up * along + self.up.perp() * across;
        let [right, left] = self.across;
        // Facing up, the foot runs from left to right, and so the outline is counter-clockwise.
        let corners = [at(foot.0, left), at(foot.0, right), at(head.0, right), at(head.0, left)];
        Joint {
            kind: self.kind(),
            lower: self.lower as usize,
            upper: self.upper as usize,
            corners,
            heights: [foot.1 as f32, head.1 as f32],
        }
    }

    /// Adds a row at the foot (-1) or the head (1), if it goes on there.
    fn grow(&mut self, direction: f64) -> bool {
        let cell = self.surface.lattice().cell;
        let end = if direction < 0.0 { self.rows[0] } else { self.rows[self.rows.len() - 1] };
        let along = end.0 + direction * cell;
        let expected = end.1 + direction * cell * self.rise;
        // The middle of the row: what lies between its ends.
        let middle = along - direction * cell * 0.5;
        let Some(height) = self.row(middle, expected - direction * cell * 0.5 * self.rise, true)
        else {
            return false;
        };
        let row = (along, height + direction * cell * 0.5 * self.rise);
        if direction < 0.0 {
            self.rows.push_front(row)
        } else {
            self.rows.push_back(row)
        }
        if self.is_even() {
            return true;
        }
        if direction < 0.0 {
            self.rows.pop_front()
        } else {
            self.rows.pop_back()
        };
        false
    }

    /// Whether all rows lie on an even slope.
    fn is_even(&self) -> bool {
        let (foot, head) = (self.rows[0], self.rows[self.rows.len() - 1]);
        let slope = (head.1 - foot.1) / (head.0 - foot.0);
        self.rows
            .iter()
            .all(|(along, height)| (height - foot.1 - slope * (along - foot.0)).abs() <= UNEVEN)
    }

    /// The mean height of a row across; `None` if it is not complete, or not part of a flight when it
    /// has to be.
    fn row(&self, along: f64, expected: f64, of_flight: bool) -> Option<f64> {
        let cell = self.surface.lattice().cell;
        let [right, left] = self.across;
        let count = ((left - right) / cell).round().max(1.0) as usize;
        let at = |i: usize| right + (left - right) * (i as f64 + 0.5) / count as f64;
        let (mut sum, mut there, mut in_flight) = (0.0, 0, 0);
        for across in (0..count).map(at) {
            let point = self.up * along + self.up.perp() * across;
            let Some(found) = self.alone_at(point, expected) else { continue };
            sum += f64::from(self.surface.cells()[found].height);
            there += 1;
            in_flight += usize::from(self.floors.in_flight[found]);
        }
        let complete = there as f64 >= COMPLETE * count as f64;
        let suits = !of_flight || 2 * in_flight > there;
        (there > 0 && complete && suits).then(|| sum / there as f64)
    }

    /// The cell of either floor at a point, if no other of them is in the same column.
    fn alone_at(&self, point: DVec2, expected: f64) -> Option<usize> {
        let column = self.surface.lattice().index_of(point)?;
        let floor = |cell: usize| self.floors.floor_of[cell];
        let mut ours = self
            .surface
            .in_column(column)
            .filter(|cell| [self.lower, self.upper].contains(&floor(*cell)));
        let cell = ours.next().filter(|_| ours.next().is_none())?;
        let off = f64::from(self.surface.cells()[cell].height) - expected;
        (off.abs() <= UNEVEN + 0.1).then_some(cell)
    }

    /// Stairs have treads that are flatter than the whole.
    fn kind(&self) -> ConnectorKind {
        let [right, left] = self.across;
        let (foot, head) = (self.rows[0].0, self.rows[self.rows.len() - 1].0);
        let (mut rise, mut count) = (0.0, 0);
        for i in 0..16 {
            for j in 0..4 {
                let along = foot + (head - foot) * (f64::from(i) + 0.5) / 16.0;
                let across = right + (left - right) * (f64::from(j) + 0.5) / 4.0;
                let point = self.up * along + self.up.perp() * across;
                let progress = (along - foot) / (head - foot);
                let (low, high) = (self.rows[0].1, self.rows[self.rows.len() - 1].1);
                if let Some(cell) = self.alone_at(point, low + (high - low) * progress) {
                    rise += f64::from(self.surface.cells()[cell].gradient.length());
                    count += 1;
                }
            }
        }
        let is_stepped = count > 0 && rise / f64::from(count) < 0.5 * self.rise;
        if is_stepped { ConnectorKind::Stairs } else { ConnectorKind::Ramp }
    }
}

/// Cells of the two floors within a metre's walk of a cut.
fn around(surface: &Surface, floors: &Floors, cut: &[(usize, usize)]) -> Vec<u32> {
    let steps = (1.0 / surface.lattice().cell).ceil() as usize;
    let ours = [floors.floor_of[cut[0].0], floors.floor_of[cut[0].1]];
    let mut found: BTreeSet<usize> = cut.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut rim: Vec<usize> = found.iter().copied().collect();
    for _ in 0..steps {
        let next: BTreeSet<usize> = rim
            .iter()
            .flat_map(|cell| surface.cells()[*cell].neighbours())
            .map(|(_, next)| next)
            .filter(|next| ours.contains(&floors.floor_of[*next]) && !found.contains(next))
            .collect();
        found.extend(&next);
        rim = next.into_iter().collect();
    }
    found.into_iter().map(|cell| cell as u32).collect()
}

/// Begin and end of the longest stretch that numbers cover without a gap.
fn longest_run(mut numbers: Vec<f64>, cell: f64) -> [f64; 2] {
    numbers.sort_by(f64::total_cmp);
    let runs = numbers.chunk_by(|a, b| b - a <= 1.5 * cell);
    let ends = runs.map(|run| [run[0], run[run.len() - 1]]);
    ends.max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0]))).unwrap_or_default()
}
