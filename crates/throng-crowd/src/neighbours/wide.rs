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

/// Lists everyone within the radius, the searcher included; `false` if they are too many to list.
#[inline(always)]
fn scan<S: Simd>(simd: S, grid: &Grid, search: &Search, list: &mut Candidates) -> bool {
    list.clear();
    let (x, y) = (simd.splat(search.x), simd.splat(search.y));
    let limit = simd.splat(search.radius * search.radius);
    let point = Vec2::new(search.x, search.y);
    for (begin, end) in grid.spans(search.layer, point, search.radius) {
        // The arrays are padded: whole vectors can be read up to the end.
        let (xs, ys) = (&grid.x[begin..end + LANES], &grid.y[begin..end + LANES]);
        let mut left = end - begin;
        let mut first = begin as u32;
        for (xs, ys) in xs.as_chunks().0.iter().zip(ys.as_chunks().0) {
            if left == 0 {
                break;
            }
            let (dx, dy) = (simd.load(xs) - x, simd.load(ys) - y);
            let distance_squared = dx * dx + dy * dy;
            let inside = ((1u32 << left.min(LANES)) - 1) as u16;
            let hits = distance_squared.le(limit).bits() & inside;
            if !simd.append(list, distance_squared, hits, first) {
                return false;
            }
            left = left.saturating_sub(LANES);
            first += LANES as u32;
        }
    }
    true
}
