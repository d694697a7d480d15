//! The heights of floors, one for the middle of each cell of the lattice.
//!
//! A floor has the heights of its cells, except along the flight of a joint. Under a joint and beside it a floor has none:
//! between the heights of the flight and those of the ground around it, interpolation makes spikes. What is left of a
//! flight of stairs beyond the ends of its joint becomes an even slope, as a lattice is too coarse for risers: through the
//! feet of the risers at the foot of the joint and through their upper edges at its head. The first and the last riser of
//! the joint are then as high as the others. Cells without ground have the height of the nearest cell that has ground.

use std::collections::{BTreeSet, VecDeque};

use glam::DVec2;

use super::Lattice;
use super::joints::Joint;
use super::layers::{Floors, Slope};
use super::surface::Surface;
use crate::layer::USUAL_RISER;
use crate::{ConnectorKind, Heightfield, Terrain};

/// How far cells under a joint may be off the line from its foot to its head, m.
const UNEVEN: f64 = 0.4;
/// Distance from an even slope, in risers and m, within which a cell belongs to its flight.
const WITHIN: [f64; 2] = [0.6, 0.03];
/// Floors that rise and fall less than this, m, are level.
const LEVEL: f32 = 0.01;

/// The ground of a floor.
pub(super) struct FloorHeights {
    /// Height of each cell of the lattice, m; NaN where the floor has no ground.
    heights: Vec<f32>,
    /// Cells of the floor beside a joint, which lead nowhere.
    pub beside: BTreeSet<u32>,
}

impl FloorHeights {
    /// The heights of floor `number`, which consists of `cells`.
    pub fn new(
        surface: &Surface,
        floors: &Floors,
        number: usize,
        cells: &[u32],
        joints: &[Joint],
    ) -> Self {
        let mut own =
            Self { heights: vec![f32::NAN; surface.lattice().len()], beside: BTreeSet::new() };
        own.take(surface, cells);
        for joint in joints.iter().filter(|joint| joint.lower == number || joint.upper == number) {
            if let Some(flight) = Flight::of(surface, floors, joint) {
                flight.lay(number, &mut own);
            }
        }
        // A floor that consists of a flight only.
        if own.heights.iter().all(|height| height.is_nan()) {
            own.take(surface, cells);
        }
        own
    }

    fn take(&mut self, surface: &Surface, cells: &[u32]) {
        for cell in cells.iter().map(|cell| &surface.cells()[*cell as usize]) {
            self.heights[cell.column as usize] = cell.height;
        }
    }

    /// The elevation, which half of the ground is below, and the terrain above it.
    pub fn terrain(mut self, lattice: &Lattice) -> (f32, Terrain) {
        let mut known: Vec<f32> =
            self.heights.iter().copied().filter(|height| !height.is_nan()).collect();
        known.sort_by(f32::total_cmp);
        let (Some(lowest), Some(highest)) = (known.first(), known.last()) else {
            return (0.0, Terrain::Flat);
        };
        let elevation = (known[known.len() / 2] * 1000.0).round() / 1000.0;
        if elevation - lowest <= LEVEL && highest - elevation <= LEVEL {
            return (elevation, Terrain::Flat);
        }
        fill(lattice, &mut self.heights);
        let above = self.heights.into_iter().map(|height| height - elevation).collect();
        // Heights come out of triangles that were checked, and the lattice is not too large.
        let field = Heightfield::new(lattice.centers(), lattice.columns, lattice.rows, above);
        (elevation, field.map_or(Terrain::Flat, Terrain::from))
    }
}

/// Gives cells without a height that of the nearest cell with one.
fn fill(lattice: &Lattice, heights: &mut [f32]) {
    let mut open: VecDeque<usize> =
        (0..heights.len()).filter(|at| !heights[*at].is_nan()).collect();
    while let Some(at) = open.pop_front() {
        let (column, row) = (at % lattice.columns, at / lattice.columns);
        let beside = [
            (column > 0).then(|| at - 1),
            (column + 1 < lattice.columns).then(|| at + 1),
            (row > 0).then(|| at - lattice.columns),
            (row + 1 < lattice.rows).then(|| at + lattice.columns),
        ];
        for next in beside.into_iter().flatten() {
            if heights[next].is_nan() {
                heights[next] = heights[at];
                open.push_back(next);
            }
        }
    }
}

/// The flight that a joint is a part of.
struct Flight<'s> {
    surface: &'s Surface,
    floors: &'s Floors,
    joint: &'s Joint,
    slope: Slope,
    /// Height of a step, m; 0 for a ramp.
    riser: f64,
    /// Unit vector from the foot to the head.
    up: DVec2,
    /// Cells of both floors under the joint.
    under: Vec<u32>,
}

impl<'s> Flight<'s> {
    /// The flight of `joint`; nothing if too few cells are under it for a slope.
    fn of(surface: &'s Surface, floors: &'s Floors, joint: &'s Joint) -> Option<Self> {
        let up = (joint.corners[2] - joint.corners[1]).try_normalize()?;
        let under = under(surface, floors, joint, up);
        let slope = Slope::fit(surface, &under)?;
        let rise = slope.gradient.dot(up) * joint.length();
        let riser = match joint.kind {
            ConnectorKind::Ramp => 0.0,
            ConnectorKind::Stairs => rise / (rise.abs() / f64::from(USUAL_RISER)).round().max(1.0),
        };
        Some(Self { surface, floors, joint, slope, riser, up, under })
    }

    /// Changes the heights of floor `number` along the flight.
    fn lay(&self, number: usize, own: &mut FloorHeights) {
        let cell_width = self.surface.lattice().cell;
        let cells = self.cells(number);
        let side = if number == self.joint.lower { -0.5 } else { 0.5 };
        let goes_on = cells.iter().any(|cell| self.inwards(number, *cell) < -0.25 * cell_width);
        for cell in cells {
            let inwards = self.inwards(number, cell);
            let of = &self.surface.cells()[cell as usize];
            let at = self.surface.center(cell as usize);
            // The row of cells at the edge decides on the height that the joint begins at.
            let height = if goes_on && inwards < 0.75 * cell_width {
                (self.slope.height(at) + side * self.riser) as f32
            } else if inwards < 0.25 * cell_width && !self.floors.in_flight[cell as usize] {
                of.height
            } else {
                if !self.is_across(at) {
                    own.beside.insert(cell);
                }
                f32::NAN
            };
            own.heights[of.column as usize] = height;
        }
    }

    /// The cells of floor `number` that are under the joint or go on from there on the same slope.
    fn cells(&self, number: usize) -> BTreeSet<u32> {
        let surface = self.surface;
        let is_own = |cell: u32| self.floors.floor_of[cell as usize] == number as u32;
        let is_on_slope = |cell: u32| {
            let height = f64::from(surface.cells()[cell as usize].height);
            let off = height - self.slope.height(surface.center(cell as usize));
            self.floors.in_flight[cell as usize]
                && off.abs() <= WITHIN[0] * self.riser.abs() + WITHIN[1]
        };
        let mut found: BTreeSet<u32> = self.under.iter().copied().filter(|c| is_own(*c)).collect();
        let mut open: Vec<u32> = found.iter().copied().collect();
        while let Some(cell) = open.pop() {
            for (_, next) in surface.cells()[cell as usize].neighbours() {
                let next = next as u32;
                if is_own(next) && is_on_slope(next) && found.insert(next) {
                    open.push(next);
                }
            }
        }
        found
    }

    /// How far the middle of a cell is into the joint from the edge at which floor `number` meets it, m.
    fn inwards(&self, number: usize, cell: u32) -> f64 {
        let along = self.surface.center(cell as usize).dot(self.up);
        match number == self.joint.lower {
            true => along - self.joint.corners[1].dot(self.up),
            false => self.joint.corners[2].dot(self.up) - along,
        }
    }

    /// Whether a point is between the sides of the joint.
    fn is_across(&self, at: DVec2) -> bool {
        let across = self.up.perp();
        let [left, right] = [0, 1].map(|corner| self.joint.corners[corner].dot(across));
        (right..=left).contains(&at.dot(across))
    }
}

/// Cells of both floors of a joint that are under it.
fn under(surface: &Surface, floors: &Floors, joint: &Joint, up: DVec2) -> Vec<u32> {
    let lattice = surface.lattice();
    let [foot, across] = [joint.corners[1], up.perp()];
    let (length, width) = (joint.length(), joint.width());
    let (low, high) = joint
        .corners
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), c| (l.min(*c), h.max(*c)));
    let index = |at: DVec2| {
        let at = ((at - lattice.origin) / lattice.cell).floor().max(DVec2::ZERO);
        [(at.x as usize).min(lattice.columns - 1), (at.y as usize).min(lattice.rows - 1)]
    };
    let ([left, bottom], [right, top]) = (index(low), index(high));
    let [from, to] = joint.heights.map(f64::from);
    let mut found = Vec::new();
    for row in bottom..=top {
        for column in left..=right {
            let at = lattice.center(column, row) - foot;
            let (along, aside) = (at.dot(up), at.dot(across));
            let slack = 1e-6;
            if !(-slack..=length + slack).contains(&along)
                || !(-slack..=width + slack).contains(&aside)
            {
                continue;
            }
            let expected = from + (to - from) * along / length;
            let is_near = |cell: &usize| {
                let floor = floors.floor_of[*cell] as usize;
                let off = f64::from(surface.cells()[*cell].height) - expected;
                (floor == joint.lower || floor == joint.upper) && off.abs() <= UNEVEN
            };
            let cells = surface.in_column(row * lattice.columns + column).filter(is_near);
            found.extend(cells.map(|cell| cell as u32));
        }
    }
    found
}
