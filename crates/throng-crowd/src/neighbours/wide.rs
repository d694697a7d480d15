//! The neighbour search with sixteen candidates per instruction.
//!
//! A distance test along the spans, the hits compressed into a short list; then each candidate's
//! rank among them is counted, without a branch, and is its slot.

use glam::Vec2;

use super::{LANES, Neighbourhood, Search, search_scalar};
use crate::grid::Grid;
use crate::population::Population;
use crate::simd::{Candidates, Floats, Kernel, Mask, Simd, SortedPairs};

/// Finds the neighbours of all batches.
pub(super) struct WideSearch<'a> {
    pub grid: &'a Grid,
    pub people: &'a Population,
    pub batches: &'a mut [Neighbourhood],
}

impl Kernel for WideSearch<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { grid, people, batches } = self;
        let mut lists: [Candidates; LANES] = std::array::from_fn(|_| Candidates::new());
        let mut sorted = [SortedPairs::EMPTY; LANES];
        for batch in batches {
            // All scans first, then all selections: a list is not read right after it is written.
            let mut searches = [Search::default(); LANES];
            for (lane, list) in lists.iter_mut().enumerate().take(batch.len) {
                let mut search = Search::new(grid, people, batch.who[lane]);
                while scan(simd, grid, &search, list) && !search.is_settled(list.len()) {
                    search.widen();
                }
                searches[lane] = search;
            }
            let mut unsorted = 0u16;
            for (lane, list) in lists.iter().enumerate().take(batch.len) {
                // The first is the searcher: were there anybody else at distance 0, there would be
                // a tie.
                batch.count[lane] = list.len().saturating_sub(1).min(searches[lane].k) as u32;
                unsorted |= u16::from(!simd.sort(list, &mut sorted[lane])) << lane;
            }
            for first in (0..batch.longest()).step_by(4) {
                let pairs = std::array::from_fn(|lane| sorted[lane].four(first + 1));
                let columns = simd.transpose(pairs);
                let slots =
                    batch.index[first..].iter_mut().zip(&mut batch.distance_squared[first..]);
                for ((index, distance), pair) in slots.zip(columns.as_chunks::<2>().0) {
                    pair[0].store(distance);
                    pair[1].store_bits(index);
                }
            }
            for lane in (0..batch.len).filter(|lane| unsorted >> lane & 1 == 1) {
                search_scalar(grid, searches[lane], batch, lane);
            }
            batch.fill_up();
        }
    }
}

/// Rows of cells that a search usually touches at most: cells are about as high as the radius.
const USUAL_ROWS: usize = 3;

/// Lists everyone within the radius, the searcher included; `false` if they are too many to list.
///
/// How many rows there are and how many people in each is anybody's guess, and a wrong guess of the
/// processor costs more than the work: as long as there are at most [`USUAL_ROWS`] with at most
/// sixteen people each, exactly so many vectors are looked at.
#[inline(always)]
fn scan<S: Simd>(simd: S, grid: &Grid, search: &Search, list: &mut Candidates) -> bool {
    list.clear();
    let disc = Disc {
        x: simd.splat(search.x),
        y: simd.splat(search.y),
        radius_squared: simd.splat(search.radius * search.radius),
    };
    let point = Vec2::new(search.x, search.y);
    let cells = grid.cells_around(search.layer, point, search.radius);
    if cells.rows == 0 {
        return true;
    }
    let mut spans = [(0, 0); USUAL_ROWS];
    let mut is_usual = cells.rows <= USUAL_ROWS as i32;
    for (row, span) in (0..).zip(&mut spans) {
        let (begin, end) = grid.span(&cells, row.min(cells.rows - 1));
        *span = (begin, if row < cells.rows { end } else { begin });
        is_usual &= end - begin <= LANES;
    }
    if is_usual {
        for (begin, end) in spans {
            disc.list_hits(simd, grid, begin, end - begin, list);
        }
        return true;
    }
    (0..cells.rows).all(|row| {
        let (begin, end) = grid.span(&cells, row);
        (begin..end)
            .step_by(LANES)
            .all(|first| disc.list_hits(simd, grid, first, end - first, list))
    })
}

/// The disc that is searched.
struct Disc<S: Simd> {
    x: S::F,
    y: S::F,
    radius_squared: S::F,
}

impl<S: Simd> Disc<S> {
    /// Lists who is in the disc, of sixteen or `count` entries from `first` on; `false` if there
    /// is no room in the list.
    #[inline(always)]
    fn list_hits(
        &self,
        simd: S,
        grid: &Grid,
        first: usize,
        count: usize,
        list: &mut Candidates,
    ) -> bool {
        // The arrays are padded: whole vectors can be read from any entry on.
        let padded =
            |numbers: &[f32]| simd.load(numbers[first..].first_chunk().unwrap_or(&[0.0; LANES]));
        let (dx, dy) = (padded(&grid.x) - self.x, padded(&grid.y) - self.y);
        let distance_squared = dx * dx + dy * dy;
        let exist = ((1u32 << count.min(LANES)) - 1) as u16;
        let hits = distance_squared.le(self.radius_squared).bits() & exist;
        simd.append(list, distance_squared, hits, first as u32)
    }
}
