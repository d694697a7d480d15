//! The nearest people around each person, exactly.
//!
//! A neighbour list holds the `k` nearest others within range, in order of distance, ties by id: it
//! depends on where people are and on nothing else. Since neighbours change little in a step, the
//! search begins with a disc slightly larger than the distance of the k-th neighbour a step ago.
//! If it holds more than `k` people, the k nearest are among them; if not, it grows and the search
//! is repeated. The hint only decides how fast the answer is found, never what it is.
//!
//! People are served in batches of sixteen, which is also how the vector kernels take them: number
//! `slot` of lane `lane` is `index[slot][lane]`.

mod network;
mod wide;

pub use throng_simd::LANES;
use throng_simd::Vectors;
use throng_world::scene::LayerId;

use crate::grid::Grid;
use crate::population::Population;
use crate::profiles::{ProfileId, StoredProfile};

/// The largest number of neighbours anyone can heed.
pub const MAX_NEIGHBOURS: usize = 32;

/// Sixteen people and their neighbours. Indices are into the grid's entries.
#[derive(Clone, Debug)]
pub struct Neighbourhood {
    /// The people. Lanes from `len` on repeat the first one.
    pub who: [u32; LANES],
    /// Their rows in the population.
    pub rows: [u32; LANES],
    /// How they all steer, if they do so alike.
    pub(crate) profile: Option<ProfileId>,
    /// How many lanes are in use.
    pub len: usize,
    /// How many neighbours each has.
    pub count: [u32; LANES],
    /// The neighbours, nearest first. From `count` to the longest count of all lanes, the person
    /// themselves.
    pub index: [[u32; LANES]; MAX_NEIGHBOURS],
    /// Squared distances to them, m²; infinite beyond `count`.
    pub distance_squared: [[f32; LANES]; MAX_NEIGHBOURS],
}

impl Neighbourhood {
    pub(crate) fn new() -> Self {
        Self {
            who: [0; LANES],
            rows: [0; LANES],
            profile: None,
            len: 0,
            count: [0; LANES],
            index: [[0; LANES]; MAX_NEIGHBOURS],
            distance_squared: [[0.0; LANES]; MAX_NEIGHBOURS],
        }
    }

    /// Makes this the batch of `who` (1 to 16 entries), with neighbours still to be found.
    pub(crate) fn begin(&mut self, grid: &Grid, people: &Population, who: &[u32]) {
        self.len = who.len();
        self.who = [who[0]; LANES];
        self.who[..who.len()].copy_from_slice(who);
        self.rows = self.who.map(|who| grid.entries[who as usize].row() as u32);
        let profiles = self.rows.map(|row| people.profile_ids[row as usize]);
        self.profile =
            profiles.iter().all(|&profile| profile == profiles[0]).then_some(profiles[0]);
        self.count = [0; LANES];
    }

    /// How the person in a lane steers.
    #[inline(always)]
    pub(crate) fn profile<'a>(&self, people: &'a Population, lane: usize) -> &'a StoredProfile {
        match self.profile {
            Some(profile) => people.profiles.get(profile),
            None => people.profile(self.rows[lane] as usize),
        }
    }

    /// Fills up short lists, once all are found.
    #[inline(always)]
    fn fill_up(&mut self) {
        let longest = self.longest();
        if self.count.iter().all(|&count| count as usize == longest) {
            return;
        }
        for lane in 0..LANES {
            for slot in self.count[lane] as usize..longest {
                self.index[slot][lane] = self.who[lane];
                self.distance_squared[slot][lane] = f32::INFINITY;
            }
        }
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
/// makes each one dearer.
const SLACK: f32 = 0.06;
/// The same as a length, m.
const SLACK_LENGTH: f32 = 0.01;

#[derive(Clone, Copy, Default)]
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
    fn new(grid: &Grid, people: &Population, batch: &Neighbourhood, lane: usize) -> Self {
        let (entry, row) = (batch.who[lane], batch.rows[lane] as usize);
        let common = &batch.profile(people, lane).common;
        let range = common.neighbour_range;
        let hint = people.search_hints[row];
        let radius = if hint > 0.0 { hint * (1.0 + SLACK) + SLACK_LENGTH } else { FIRST_GUESS };
        Self {
            layer: people.layers[row],
            entry,
            x: grid.x[entry as usize],
            y: grid.y[entry as usize],
            k: common.max_neighbours(),
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
    simd: Option<Vectors>,
    grid: &Grid,
    people: &Population,
    batches: &mut [Neighbourhood],
) {
    match simd {
        Some(vectors) => vectors.run(wide::WideSearch { grid, people, batches }),
        None => find_scalar(grid, people, batches),
    }
}

/// The plain version: fall-back and oracle.
pub(crate) fn find_scalar(grid: &Grid, people: &Population, batches: &mut [Neighbourhood]) {
    for batch in batches {
        for lane in 0..batch.len {
            let search = Search::new(grid, people, batch, lane);
            search_scalar(grid, search, batch, lane);
        }
        batch.fill_up();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Sorted;
    use crate::intents::Intents;
    use crate::population::NewPerson;
    use crate::status::Status;
    use crate::steering::{CommonParameters, NoSteering, SteeringModel};
    use crate::workers::Workers;
    use glam::Vec2;
    use proptest::prelude::*;
    use throng_base::Heading;
    use throng_base::random::{Purpose, Random};
    use throng_world::scene::GroupId;

    fn population(places: &[(f32, f32, u8)], k: u8, range: f32) -> Population {
        let (mut people, mut intents) = (Population::default(), Intents::default());
        for &(x, y, layer) in places {
            let person = NewPerson {
                group: GroupId(0),
                position: Vec2::new(x, y),
                layer: LayerId(layer),
                velocity: Vec2::ZERO,
                heading: Heading::default(),
                radius: 0.3,
                preferred_speed: 1.3,
                max_speed: 1.6,
                climbing: Default::default(),
                plan: 0,
                steering: NoSteering.profile(()).with_common(CommonParameters {
                    neighbour_range: range,
                    neighbours: k.into(),
                    ..CommonParameters::default()
                }),
                temperament: None,
            };
            people.add(&person, 0, 0.0, &mut intents);
        }
        people
    }

    fn sort(grid: &mut Grid, people: &Population, floors: usize, spacing: f32) {
        let statuses = &vec![Status::Walking; people.len()];
        grid.rebuild(Sorted { people, statuses, floors }, spacing, Workers::one(), |_| None);
    }

    /// Ids of everyone's neighbours as the search finds them.
    fn found(simd: Option<Vectors>, people: &Population, spacing: f32) -> Vec<Vec<u32>> {
        let mut grid = Grid::default();
        sort(&mut grid, people, 3, spacing);
        let everyone: Vec<u32> = (0..grid.entries.len() as u32).collect();
        let mut batches: Vec<Neighbourhood> = everyone
            .chunks(LANES)
            .map(|who| {
                let mut batch = Neighbourhood::new();
                batch.begin(&grid, people, who);
                batch
            })
            .collect();
        find(simd, &grid, people, &mut batches);
        let mut lists = vec![Vec::new(); people.len()];
        for batch in &batches {
            for lane in 0..batch.len {
                let row = grid.entries[batch.who[lane] as usize].row();
                let id = |other: u32| grid.entries[other as usize].id();
                lists[row] = batch.of(lane).map(|(other, _)| id(other)).collect();
            }
        }
        lists
    }

    fn brute_force(people: &Population) -> Vec<Vec<u32>> {
        let distance = |a: usize, b: usize| {
            let (p, q) = (people.positions[b], people.positions[a]);
            let (dx, dy) = (p.x - q.x, p.y - q.y);
            dx * dx + dy * dy
        };
        (0..people.len())
            .map(|row| {
                let common = people.profile(row).common;
                let neighbour_range = common.neighbour_range;
                let mut others: Vec<_> = (0..people.len())
                    .filter(|&o| o != row && people.layers[o] == people.layers[row])
                    .map(|o| (distance(row, o), people.ids[o]))
                    .filter(|(d, _)| *d <= neighbour_range * neighbour_range)
                    .collect();
                others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                others.truncate(common.max_neighbours());
                others.into_iter().map(|(_, id)| id).collect()
            })
            .collect()
    }

    proptest! {
        #[test]
        fn the_search_equals_brute_force(
            places in prop::collection::vec((-20f32..20.0, -20f32..20.0, 0u8..3), 1..400),
            clump in 0usize..120,
            k in 0u8..=32,
            range in 0.5f32..30.0,
            spacing in 0.5f32..10.0,
            hint in prop_oneof![Just(0.0), 0.05f32..40.0],
        ) {
            // A lattice brings ties, coincident people the worst of them, a clump overflow.
            let mut places = places;
            places.extend((0..clump).map(|i| ((i % 9) as f32 * 0.25, (i / 9) as f32 * 0.25, 0)));
            places.extend([(1.0, 1.0, 0), (1.0, 1.0, 0), (1.0, 1.0, 1)]);
            let mut people = population(&places, k, range);
            people.search_hints.fill(hint);
            let expected = brute_force(&people);
            prop_assert_eq!(&found(None, &people, spacing), &expected);
            for vectors in Vectors::all() {
                prop_assert_eq!(&found(Some(vectors), &people, spacing), &expected);
            }
        }
    }

    /// How many entries of the grid the searches of a step read per person, once the last step has
    /// given them their hints and the grid its spacing: `count` people in a square, 0.7 per m².
    fn work_per_person(count: u32, k: u8, range: f32) -> f64 {
        let side = (count as f32 / 0.7).sqrt();
        let random = Random::new(7);
        let place = |id: u32| {
            let mut draw = random.stream(id.into(), 0, Purpose::Placement);
            let at = draw.point_between(Vec2::ZERO, Vec2::splat(side));
            (at.x, at.y, 0)
        };
        let mut people = population(&(0..count).map(place).collect::<Vec<_>>(), k, range);
        let mut grid = Grid::default();
        sort(&mut grid, &people, 1, 2.0);
        let mut batch = Neighbourhood::new();
        let mut hints = vec![range; people.len()];
        for entry in 0..count {
            batch.begin(&grid, &people, &[entry]);
            search_scalar(&grid, Search::new(&grid, &people, &batch, 0), &mut batch, 0);
            if let Some((_, last)) = batch.of(0).nth(usize::from(k) - 1) {
                hints[batch.rows[0] as usize] = last.sqrt();
            }
        }
        let spacing = hints.iter().sum::<f32>() / count as f32;
        people.search_hints = hints;
        sort(&mut grid, &people, 1, spacing);
        let mut read = 0;
        for entry in 0..count {
            batch.begin(&grid, &people, &[entry]);
            let mut search = Search::new(&grid, &people, &batch, 0);
            loop {
                let spans = grid.spans(search.layer, Vec2::new(search.x, search.y), search.radius);
                read += spans.map(|(begin, end)| end - begin).sum::<usize>();
                let mut found = 1;
                for_each_within(&grid, search.layer, entry, search.radius, |_, _| found += 1);
                if search.is_settled(found) {
                    break;
                }
                search.widen();
            }
        }
        read as f64 / f64::from(count)
    }

    /// What a steering model then does is bounded by the number of neighbours, so what a person costs
    /// does not depend on how many others there are. Times are in `docs/benchmarks.md`.
    #[test]
    fn finding_neighbours_is_no_more_work_among_fifty_thousand_than_among_a_thousand() {
        for (k, range) in [(10, 10.0), (30, 20.0)] {
            let [few, many] = [1_000, 50_000].map(|count| work_per_person(count, k, range));
            // In the larger square, fewer people are at its edge and have others on all sides.
            assert!(many < 1.15 * few, "{few:.1} and {many:.1} entries for {k} neighbours");
            assert!(many < 4.0 * f64::from(k), "{many:.1} entries for {k} neighbours");
        }
    }

    #[test]
    fn people_far_apart_need_no_more_cells_than_people_close_by() {
        let people = population(&[(0.0, 0.0, 0), (9e4, 9e4, 0), (9e4, 9e4 + 1.0, 2)], 10, 10.0);
        assert_eq!(found(Vectors::detect(), &people, 0.5), vec![Vec::<u32>::new(); 3]);
    }
}
