//! The neighbour search with sixteen candidates per instruction.
//!
//! A distance test along the spans, the hits compressed into a short list; then the lists of sixteen
//! people are sorted together. Those few that are too long for it are sorted one by one.

use glam::Vec2;

use super::network::Columns;
use super::{LANES, Neighbourhood, Search, search_scalar};
use crate::grid::Grid;
use crate::population::Population;
use crate::simd::{Candidates, Floats, Kernel, Mask, Simd, SortedPairs, halves};

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
        for batch in batches {
            // All scans first, then all selections: a list is not read right after it is written.
            let mut searches = [Search::default(); LANES];
            for (lane, list) in lists.iter_mut().enumerate().take(batch.len) {
                let mut search = Search::new(grid, people, batch, lane);
                while scan(simd, grid, &search, list) && !search.is_settled(list.len()) {
                    search.widen();
                }
                list.terminate();
                searches[lane] = search;
                batch.count[lane] = list.len().saturating_sub(1).min(search.k) as u32;
            }
            let unsorted = select_nearest(simd, &lists, batch);
            for lane in (0..batch.len).filter(|lane| unsorted >> lane & 1 == 1) {
                if lists[lane].len() <= LANES || !select_from_many(simd, &lists[lane], batch, lane)
                {
                    search_scalar(grid, searches[lane], batch, lane);
                }
            }
            batch.fill_up();
        }
    }
}

/// Sorts the lists of up to sixteen candidates, all at once. Tells in which lanes that failed: the
/// list is longer, or two candidates are equally far.
#[inline(always)]
fn select_nearest<S: Simd>(simd: S, lists: &[Candidates; LANES], batch: &mut Neighbourhood) -> u16 {
    let is_long: [bool; LANES] = std::array::from_fn(|lane| lists[lane].len() > LANES);
    let long = (0..LANES).fold(0, |bits, lane| bits | u16::from(is_long[lane]) << lane);
    if long == u16::MAX {
        return long;
    }
    let mut columns = Columns {
        keys: sixteen_columns(simd, lists.each_ref().map(Candidates::keys)),
        companions: sixteen_columns(simd, lists.each_ref().map(Candidates::indices)),
    };
    columns.sort();
    let Columns::<S> { keys, companions } = columns;
    let mut ties = simd.mask(0);
    // The first is the searcher: were there anybody else at distance 0, there would be a tie.
    for slot in 0..LANES - 1 {
        let key = keys[slot + 1];
        ties = ties | (keys[slot].ge(key) & key.lt(simd.splat(f32::INFINITY)));
        key.store(&mut batch.distance_squared[slot]);
        companions[slot + 1].store_bits(&mut batch.index[slot]);
    }
    long | ties.bits()
}

/// Lane `i` of result `j` is number `j` of record `i`.
#[inline(always)]
fn sixteen_columns<S: Simd>(simd: S, records: [&[f32; LANES]; LANES]) -> [S::F; LANES] {
    let near = simd.transpose(records.map(|record| halves(record).0));
    let far = simd.transpose(records.map(|record| halves(record).1));
    std::array::from_fn(|slot| if slot < 8 { near[slot] } else { far[slot - 8] })
}

/// The same for one lane with a longer list; `false` if it is too long, or there are ties.
#[inline(always)]
fn select_from_many<S: Simd>(
    simd: S,
    list: &Candidates,
    batch: &mut Neighbourhood,
    lane: usize,
) -> bool {
    let mut sorted = SortedPairs::EMPTY;
    if !simd.sort(list, &mut sorted) {
        return false;
    }
    for (slot, &[distance, index]) in sorted.others(batch.count[lane] as usize).iter().enumerate() {
        batch.distance_squared[slot][lane] = distance;
        batch.index[slot][lane] = index.to_bits();
    }
    true
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
