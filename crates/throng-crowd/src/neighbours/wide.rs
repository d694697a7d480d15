//! The neighbour search with eight candidates per instruction.
//!
//! A distance test along the spans, the hits compressed into a short list; then each candidate's
//! rank among them is counted, without a branch, and is its slot.

use glam::Vec2;

use super::{LANES, Neighbourhood, Search, search_scalar};
use crate::grid::Grid;
use crate::population::Population;
use crate::simd::{Avx2, Candidates, Kernel, SortedPairs};

/// Finds the neighbours of all batches.
pub(super) struct WideSearch<'a> {
    pub grid: &'a Grid,
    pub people: &'a Population,
    pub batches: &'a mut [Neighbourhood],
}

impl Kernel for WideSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let Self { grid, people, batches } = self;
        let mut lists: [Candidates; LANES] = std::array::from_fn(|_| Candidates::new(avx2));
        let mut sorted = [SortedPairs::EMPTY; LANES];
        for batch in batches {
            // All scans first, then all selections: a list is not read right after it is written.
            let mut searches = [Search::default(); LANES];
            for (lane, list) in lists.iter_mut().enumerate().take(batch.len) {
                let mut search = Search::new(grid, people, batch.who[lane]);
                while scan(avx2, grid, &search, list) && !search.is_settled(list.len()) {
                    search.widen();
                }
                searches[lane] = search;
            }
            let mut unsorted = 0u8;
            for (lane, list) in lists.iter().enumerate().take(batch.len) {
                // The first is the searcher: were there anybody else at distance 0, there would be
                // a tie.
                batch.count[lane] = list.len().saturating_sub(1).min(searches[lane].k) as u32;
                unsorted |= u8::from(!list.sort(&mut sorted[lane])) << lane;
            }
            for first in (0..batch.longest()).step_by(4) {
                let pairs = std::array::from_fn(|lane| sorted[lane].four(first + 1));
                let columns = avx2.transpose(pairs);
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
fn scan(avx2: Avx2, grid: &Grid, search: &Search, list: &mut Candidates) -> bool {
    list.clear();
    let (x, y) = (avx2.splat(search.x), avx2.splat(search.y));
    let limit = avx2.splat(search.radius * search.radius);
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
            let (dx, dy) = (avx2.load(xs) - x, avx2.load(ys) - y);
            let distance_squared = dx * dx + dy * dy;
            let inside = if left < LANES { (1u8 << left) - 1 } else { u8::MAX };
            let hits = distance_squared.le(limit).bits() & inside;
            if !list.push(distance_squared, hits, first) {
                return false;
            }
            left = left.saturating_sub(LANES);
            first += LANES as u32;
        }
    }
    true
}
