//! How far it is from each cell to the nearest border.
//!
//! A fire spreads from all border cells at once, from cell to cell along the steps one can take, and
//! carries the name of the border cell it began at. A cell burns with the name that is nearest as
//! the crow flies; so distances are Euclidean, and a wall under a bridge does not limit the bridge.
//!
//! Between the middles of a cell and of a border cell, at most half a diagonal of the latter is not
//! free, and it is taken off: clearance is never more than there is.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::surface::{NONE, Surface};

/// The clearance of all cells, m.
pub(super) fn clearances(surface: &Surface) -> Vec<f32> {
    let cells = surface.cells();
    let distance = |cell: usize, border: u32| {
        surface.center(cell).distance(surface.center(border as usize)) as f32
    };
    let mut nearest = vec![NONE; cells.len()];
    let mut fire = BinaryHeap::new();
    for cell in (0..cells.len()).filter(|cell| cells[*cell].is_border()) {
        nearest[cell] = cell as u32;
        fire.push(Spark { distance: 0.0, cell: cell as u32, border: cell as u32 });
    }
    while let Some(Spark { cell, border, .. }) = fire.pop() {
        if nearest[cell as usize] != border {
            continue;
        }
        for (_, next) in cells[cell as usize].neighbours() {
            let reached = distance(next, border);
            if nearest[next] == NONE || reached < distance(next, nearest[next]) {
                nearest[next] = border;
                fire.push(Spark { distance: reached, cell: next as u32, border });
            }
        }
    }
    let half_diagonal = (surface.lattice().cell * std::f64::consts::FRAC_1_SQRT_2) as f32;
    let clearance =
        |(cell, border): (usize, &u32)| (distance(cell, *border) - half_diagonal).max(0.0);
    // A surface without any border would be one without an end.
    nearest.iter().enumerate().map(clearance).collect()
}

/// A cell that is about to burn.
#[derive(PartialEq)]
struct Spark {
    distance: f32,
    cell: u32,
    border: u32,
}

impl Ord for Spark {
    /// The nearest first; among equals, by number.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_number = || (other.cell, other.border).cmp(&(self.cell, self.border));
        other.distance.total_cmp(&self.distance).then_with(by_number)
    }
}

impl PartialOrd for Spark {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Spark {}
