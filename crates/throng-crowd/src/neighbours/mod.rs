//! The nearest people around each person, exactly.
//!
//! A neighbour list holds the `k` nearest others within range, in order of distance, ties by id: it
//! depends on where people are and on nothing else. Since neighbours change little in a step, the
//! search begins with a disc slightly larger than the distance of the k-th neighbour a step ago.
//! If it holds more than `k` people, the k nearest are among them; if not, it grows and the search
//! is repeated. The hint only decides how fast the answer is found, never what it is.
//!
//! People are served in batches of eight, which is also how the vector kernels take them: number
//! `slot` of lane `lane` is `index[slot][lane]`.

#[cfg(target_arch = "x86_64")]
mod wide;

use throng_world::scene::LayerId;

use crate::grid::Grid;
use crate::population::{Population, SteeringTraits};
use crate::simd::Avx2;

/// People per batch.
pub const LANES: usize = 8;

/// The largest number of neighbours anyone can heed.
pub const MAX_NEIGHBOURS: usize = 32;

/// Eight people and their neighbours. Indices are into the grid's entries.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhood {
    /// The people. Lanes from `len` on repeat the first one.
    pub who: [u32; LANES],
    /// How many lanes are in use.
    pub len: usize,
    /// How many neighbours each has.
    pub count: [u32; LANES],
    /// The neighbours, nearest first. Slots from `count` on are undefined but valid.
    pub index: [[u32; LANES]; MAX_NEIGHBOURS],
    /// Squared distances to them, m².
    pub distance_squared: [[f32; LANES]; MAX_NEIGHBOURS],
}

impl Neighbourhood {
    pub fn new() -> Self {
        Self {
            who: [0; LANES],
            len: 0,
            count: [0; LANES],
            index: [[0; LANES]; MAX_NEIGHBOURS],
            distance_squared: [[0.0; LANES]; MAX_NEIGHBOURS],
        }
    }

    /// Makes this the batch of `who` (1 to 8 entries), with neighbours still to be found.
    pub fn begin(&mut self, who: &[u32]) {
        self.len = who.len();
        self.who = [who[0]; LANES];
        self.who[..who.len()].copy_from_slice(who);
        self.count = [0; LANES];
    }

    /// The neighbours of one lane, nearest first, with their squared distances.
    pub fn of(&self, lane: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
        (0..self.count[lane] as usize)
            .map(move |slot| (self.index[slot][lane], self.distance_squared[slot][lane]))
    }

    /// The largest number of neighbours of any lane.
    pub fn longest(&self) -> usize {
        self.count[..self.len].iter().copied().max().unwrap_or(0) as usize
    }
}

/// How a search begins and grows.
const FIRST_GUESS: f32 = 1.5;
/// Relative slack on last step's k-th distance. Less makes more searches fail and repeat, more
/// makes each one dearer; at 0.7 people per m² 5-8 % are best.
const SLACK: f32 = 0.06;

#[derive(Clone, Copy)]
struct Search {
    layer: LayerId,
    entry: u32,
    x: f32,
    y: f32,
    k: usize,
    range: f32,
    radius: f32,
}

impl Search {
    #[inline(always)]
    fn new(grid: &Grid, people: &Population, entry: u32) -> Self {
        let row = grid.entries[entry as usize].row();
        let SteeringTraits { neighbour_range: range, max_neighbours, .. } = people.traits[row];
        let hint = people.search_hints[row];
        let radius = if hint > 0.0 { hint * (1.0 + SLACK) + 0.01 } else { FIRST_GUESS };
        Self {
            layer: people.layers[row],
            entry,
            x: grid.x[entry as usize],
            y: grid.y[entry as usize],
            k: (max_neighbours as usize).min(MAX_NEIGHBOURS),
            range,
            radius: radius.min(range),
        }
    }

    /// Whether `found` people (the searcher among them) within the radius settle the answer.
    #[inline(always)]
    fn is_settled(&self, found: usize) -> bool {
        found > self.k || self.radius >= self.range
    }

    #[inline(always)]
    fn widen(&mut self) {
        self.radius = (self.radius * 1.3 + 0.1).min(self.range);
    }
}

/// Finds the neighbours of a batch, by the fastest way this processor has.
pub(crate) fn find(
    simd: Option<Avx2>,
    grid: &Grid,
    people: &Population,
    batches: &mut [Neighbourhood],
) {
    match simd {
        #[cfg(target_arch = "x86_64")]
        Some(avx2) => avx2.run(wide::WideSearch { grid, people, batches }),
        _ => find_scalar(grid, people, batches),
    }
}

/// The plain version: fall-back and oracle.
pub(crate) fn find_scalar(grid: &Grid, people: &Population, batches: &mut [Neighbourhood]) {
    for batch in batches {
        for lane in 0..batch.len {
            let search = Search::new(grid, people, batch.who[lane]);
            search_scalar(grid, search, batch, lane);
        }
    }
}

/// Everyone on `layer` within `radius` of entry `who`, others than themselves, by squared distance.
#[inline(always)]
pub(crate) fn for_each_within(
    grid: &Grid,
    layer: LayerId,
    who: u32,
    radius: f32,
    mut visit: impl FnMut(u32, f32),
) {
    let (x, y) = (grid.x[who as usize], grid.y[who as usize]);
    for (begin, end) in grid.spans(layer, glam::Vec2::new(x, y), radius) {
        for other in begin..end {
            let (dx, dy) = (grid.x[other] - x, grid.y[other] - y);
            let distance_squared = dx * dx + dy * dy;
            if distance_squared <= radius * radius && other as u32 != who {
                visit(other as u32, distance_squared);
            }
        }
    }
}

/// Keeps the k nearest in a sorted list while going through the spans.
fn search_scalar(grid: &Grid, mut search: Search, batch: &mut Neighbourhood, lane: usize) {
    loop {
        let mut found = 1;
        let mut nearest = [(0.0, 0, 0); MAX_NEIGHBOURS];
        let mut len = 0;
        for_each_within(grid, search.layer, search.entry, search.radius, |other, distance| {
            found += 1;
            let candidate = (distance, grid.entries[other as usize].id(), other);
            let is_nearer = |a: &(f32, u32, u32)| (candidate.0, candidate.1) < (a.0, a.1);
            if len == search.k && (len == 0 || !is_nearer(&nearest[len - 1])) {
                return;
            }
            let mut at = if len < search.k { len } else { len - 1 };
            while at > 0 && is_nearer(&nearest[at - 1]) {
                nearest[at] = nearest[at - 1];
                at -= 1;
            }
            nearest[at] = candidate;
            len = (len + 1).min(search.k);
        });
        if search.is_settled(found) {
            batch.count[lane] = len as u32;
            for (slot, &(distance, _, other)) in nearest[..len].iter().enumerate() {
                batch.index[slot][lane] = other;
                batch.distance_squared[slot][lane] = distance;
            }
            return;
        }
        search.widen();
    }
}
