//! The neighbour search with sixteen candidates per instruction.
//!
//! A distance test along the spans, the hits compressed into a short list; then the lists of sixteen
//! people are sorted together. Those few that are too long for it are sorted one by one.

use glam::Vec2;
use throng_simd::{Candidates, Floats, Kernel, Mask, Simd, SortedPairs, halves, set_bits};

use super::network::Columns;
use super::{FIRST_GUESS, LANES, Neighbourhood, SLACK, SLACK_LENGTH, Search, search_scalar};
use crate::grid::{Discs, Grid, Spans};
use crate::population::Population;
use crate::steering::CommonParameters;

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
            let searches = Searches::new(simd, grid, people, batch);
            // All scans first, then all selections: a list is not read right after it is written.
            for (lane, list) in lists.iter_mut().enumerate().take(batch.len) {
                list.clear();
                let is_settled = searches.scan_first(simd, grid, batch.who[lane], lane, list)
                    && (list.len() > searches.most[lane] as usize || searches.is_whole_range[lane]);
                if !is_settled {
                    let mut search = Search::new(grid, people, batch, lane);
                    while scan(simd, grid, &search, list) && !search.is_settled(list.len()) {
                        search.widen();
                    }
                }
                list.terminate();
                batch.count[lane] = (list.len().saturating_sub(1) as u32).min(searches.most[lane]);
            }
            let unsorted = select_nearest(simd, &lists, batch);
            let used = batch.len;
            for lane in set_bits(unsorted).take_while(|&lane| lane < used) {
                if lists[lane].len() <= LANES || !select_from_many(simd, &lists[lane], batch, lane)
                {
                    search_scalar(grid, Search::new(grid, people, batch, lane), batch, lane);
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

/// The first attempts of sixteen people; see [`Search`].
struct Searches {
    spans: Spans,
    radius_squared: [f32; LANES],
    /// The largest number of neighbours.
    most: [u32; LANES],
    /// Whether nobody further away is noticed.
    is_whole_range: [bool; LANES],
    /// Whether there are few enough people around for [`Self::scan_first`].
    is_usual: [bool; LANES],
}

impl Searches {
    #[inline(always)]
    fn new<S: Simd>(simd: S, grid: &Grid, people: &Population, batch: &Neighbourhood) -> Self {
        let rows = batch.rows.map(|row| row as usize);
        let traits: [&CommonParameters; LANES] =
            std::array::from_fn(|lane| &batch.profile(people, lane).common);
        let hint = simd.load(&rows.map(|row| people.search_hints[row]));
        let range = simd.load(&traits.map(|traits| traits.neighbour_range));
        let hinted = hint * simd.splat(1.0 + SLACK) + simd.splat(SLACK_LENGTH);
        let radius = hint.gt(simd.splat(0.0)).select(hinted, simd.splat(FIRST_GUESS)).min(range);
        let discs = Discs {
            x: simd.load(&batch.who.map(|who| grid.x[who as usize])),
            y: simd.load(&batch.who.map(|who| grid.y[who as usize])),
            radius,
        };
        let spans = grid.first_spans(simd, rows.map(|row| people.layers[row]), &discs);
        let whole_range = radius.ge(range).bits();
        Self {
            radius_squared: (radius * radius).to_array(),
            most: traits.map(|traits| traits.max_neighbours() as u32),
            is_whole_range: std::array::from_fn(|lane| whole_range >> lane & 1 == 1),
            is_usual: std::array::from_fn(|lane| {
                let fits = |counts: &[u32; LANES]| counts[lane] <= LANES as u32;
                spans.are_all[lane] && spans.counts.iter().all(fits)
            }),
            spans,
        }
    }

    /// Lists everyone within the radius, the searcher included, unless there is more to look at
    /// than usual.
    ///
    /// How many rows there are and how many people in each is anybody's guess, and a wrong guess of
    /// the processor costs more than the work: as long as there are at most [`USUAL_ROWS`] with at
    /// most sixteen people each, exactly so many vectors are looked at.
    #[inline(always)]
    fn scan_first<S: Simd>(
        &self,
        simd: S,
        grid: &Grid,
        who: u32,
        lane: usize,
        list: &mut Candidates,
    ) -> bool {
        if !self.is_usual[lane] {
            return false;
        }
        let disc = Disc {
            x: simd.splat(grid.x[who as usize]),
            y: simd.splat(grid.y[who as usize]),
            radius_squared: simd.splat(self.radius_squared[lane]),
        };
        for (begins, counts) in self.spans.begins.iter().zip(&self.spans.counts) {
            disc.list_hits(simd, grid, begins[lane] as usize, counts[lane] as usize, list);
        }
        true
    }
}

/// Lists everyone within the radius, the searcher included; `false` if they are too many to list.
#[inline(always)]
fn scan<S: Simd>(simd: S, grid: &Grid, search: &Search, list: &mut Candidates) -> bool {
    list.clear();
    let disc = Disc {
        x: simd.splat(search.x),
        y: simd.splat(search.y),
        radius_squared: simd.splat(search.radius * search.radius),
    };
    let point = Vec2::new(search.x, search.y);
    grid.spans(search.layer, point, search.radius).all(|(begin, end)| {
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
