//! The neighbour search with eight candidates per instruction.
//!
//! A distance test along the spans, the hits compressed into a short list; then each candidate's
//! rank among them is counted, without a branch, and is its slot.

use glam::Vec2;

use super::{LANES, Neighbourhood, Search, search_scalar};
use crate::grid::Grid;
use crate::population::Population;
use crate::simd::{Avx2, Candidates, Kernel};

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
        for batch in batches {
            // All scans first, then all selections: a list is not read right after it is written.
            let mut searches = [None; LANES];
            for lane in 0..batch.len {
                let mut search = Search::new(grid, people, batch.who[lane]);
                let list = &mut lists[lane];
                let fits = loop {
                    if !scan(avx2, grid, &search, list) {
                        break false;
                    }
                    if search.is_settled(list.len()) {
                        break true;
                    }
                    search.widen();
                };
                searches[lane] = Some((search, fits));
            }
            for (lane, search) in searches.into_iter().enumerate() {
                let Some((search, fits)) = search else { break };
                if !fits || !select(&mut lists[lane], search.k, batch, lane) {
                    search_scalar(grid, search, batch, lane);
                }
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
        let mut at = begin;
        while at < end {
            let (Some(xs), Some(ys)) = (grid.x[at..].first_chunk(), grid.y[at..].first_chunk())
            else {
                return false; // cannot be: the arrays are padded
            };
            let (dx, dy) = (avx2.load(xs) - x, avx2.load(ys) - y);
            let distance_squared = dx * dx + dy * dy;
            let mut hits = distance_squared.le(limit).bits();
            if end - at < LANES {
                hits &= (1u8 << (end - at)) - 1;
            }
            if hits != 0 && !list.push(distance_squared, hits, at as u32) {
                return false;
            }
            at += LANES;
        }
    }
    true
}

/// Moves the `k` nearest of the list, the searcher left out, to their slots. `false` if the list is
/// too long for it or two are equally far, so that ids must decide.
#[inline(always)]
fn select(list: &mut Candidates, k: usize, batch: &mut Neighbourhood, lane: usize) -> bool {
    let found = list.len();
    if found == 0 || found > 16 {
        return false;
    }
    let (ranks, all_different) = list.ranks();
    if !all_different {
        return false;
    }
    for ((&rank, &other), &distance) in ranks.iter().zip(list.indices()).zip(list.keys()) {
        // The searcher has rank 0: at distance 0 there is nobody else, or there would be a tie.
        let slot = (rank as usize).wrapping_sub(1);
        if slot < k {
            batch.index[slot][lane] = other;
            batch.distance_squared[slot][lane] = distance;
        }
    }
    batch.count[lane] = (found - 1).min(k) as u32;
    true
}
