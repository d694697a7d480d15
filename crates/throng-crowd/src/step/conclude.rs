//! What steering leaves behind for the stages after it: velocities, where the next search begins,
//! and who may touch whom within the step.
//!
//! Contacts do not search the grid again. The neighbours just found are in order of distance, so
//! those who can be touched are the first few slots of a batch, and these are copied as they are:
//! a person's candidates lie sixteen apart.

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, set_bits};
use throng_world::scene::LayerId;

use super::steer::SteeringStage;
use crate::columns::StateColumns;
use crate::contact::{self, Candidates};
use crate::neighbours::{self, LANES, Neighbourhood};
use crate::workers::CHUNK;

/// How much nearer two can come to each other when both are pushed, m.
pub(super) const BOTH_PUSHED: f32 = 2.0 * contact::LARGEST_PUSH;

/// The result of steering for one grid entry.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub velocity: Vec2,
    /// What is missing of the velocity that was chosen, m/s: people turn to that.
    pub turn: Vec2,
    /// Distance of the k-th neighbour, m.
    pub search_hint: f32,
    /// No wall that they face is nearer, m.
    pub room: f32,
    /// Who could touch them within the step, in the chunk's list.
    pub candidates: Strided,
}

/// Some numbers of a list, equally far apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strided {
    begin: u32,
    /// Nobody has room for tens of thousands within the reach of a step.
    count: u16,
    stride: u16,
}

impl Strided {
    /// `count` numbers in a row.
    #[inline(always)]
    pub fn new(begin: usize, count: usize) -> Self {
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        Self { begin: begin as u32, count, stride: 1 }
    }

    #[inline(always)]
    pub fn of(self, list: &[u32]) -> impl Iterator<Item = u32> {
        let (begin, stride) = (self.begin as usize, usize::from(self.stride));
        (0..usize::from(self.count)).map(move |i| list[begin + i * stride])
    }
}

/// What a chunk of grid entries leaves behind.
#[derive(Default)]
pub(crate) struct Chunk {
    /// Entries that could touch the chunk's people within the step, even when some are pushed.
    pub candidates: Vec<u32>,
    /// Pairs of entries that could touch before anybody is pushed: the first of the chunk, the
    /// second anywhere. Every pair that will is in the list of one of the two at least.
    pub near: [Vec<u32>; 2],
    /// What models are to remember of the chunk's people, in the order of the grid.
    pub states: StateColumns,
    /// Those of the chunk's `near` who would overlap, one pair after the other.
    pub overlapping: Vec<u32>,
    /// Sum of search hints.
    pub hint_sum: f64,
}

/// What all chunks leave behind.
pub(crate) struct Outcomes {
    /// In the order of the grid.
    pub all: Vec<Outcome>,
    pub chunks: Vec<Chunk>,
    /// Mean distance of the k-th neighbour, m.
    pub spacing: f32,
}

impl Default for Outcomes {
    fn default() -> Self {
        Self { all: Vec::new(), chunks: Vec::new(), spacing: 2.0 }
    }
}

impl Outcomes {
    /// Notes how far apart people are.
    pub fn measure(&mut self) {
        let hints: f64 = self.chunks.iter().map(|chunk| chunk.hint_sum).sum();
        self.spacing = ((hints / self.all.len().max(1) as f64) as f32).clamp(0.5, 10.0);
    }

    /// Those who would overlap, one pair after the other.
    pub fn overlapping(&self) -> impl Iterator<Item = u32> {
        self.chunks.iter().flat_map(|chunk| chunk.overlapping.iter().copied())
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::memory).sum();
        self.all.capacity() * size_of::<Outcome>() + chunks
    }
}

impl Candidates for Outcomes {
    #[inline(always)]
    fn of(&self, body: usize) -> impl Iterator<Item = u32> {
        self.all[body].candidates.of(&self.chunks[body / CHUNK].candidates)
    }
}

impl Chunk {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.near.iter_mut().for_each(Vec::clear);
        self.hint_sum = 0.0;
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let near: usize = self.near.iter().map(Vec::capacity).sum();
        let pairs = near + self.overlapping.capacity();
        let states: usize = self.states.iter().map(|(_, states)| states.memory()).sum();
        4 * (self.candidates.capacity() + pairs) + states
    }
}

/// Writes the outcomes of some batches.
pub(super) struct Conclude<'a> {
    pub stage: &'a SteeringStage<'a>,
    pub batches: &'a [Neighbourhood],
    pub velocities: &'a [[Vec2; LANES]],
    pub turns: &'a [[Vec2; LANES]],
    pub rooms: &'a [[f32; LANES]],
    /// The first entry of the chunk.
    pub first: usize,
    pub outcomes: &'a mut [Outcome],
    pub chunk: &'a mut Chunk,
}

impl Kernel for Conclude<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let steered = self.velocities.iter().zip(self.turns).zip(self.rooms);
        for (batch, ((velocities, turns), rooms)) in self.batches.iter().zip(steered) {
            self.conclude(simd, batch, [velocities, turns], rooms);
        }
    }
}

impl Conclude<'_> {
    #[inline(always)]
    fn conclude<S: Simd>(
        &mut self,
        simd: S,
        batch: &Neighbourhood,
        [velocities, turns]: [&[Vec2; LANES]; 2],
        rooms: &[f32; LANES],
    ) {
        let limits = Limits::new(simd, self.stage, batch);
        let begin = self.chunk.candidates.len() as u32;
        let Reached { in_reach, last, slots } = self.list_near(simd, batch, &limits);
        let candidates = batch.index[..slots].as_flattened();
        make_room(&mut self.chunk.candidates, candidates.len());
        if self.stage.has_echoes {
            let bodies = candidates.iter().map(|&entry| self.stage.body(entry));
            self.chunk.candidates.extend(bodies);
        } else {
            self.chunk.candidates.extend_from_slice(candidates);
        }

        let counts = simd.load(&batch.count.map(|count| count as f32));
        let is_full = counts.ge(limits.most);
        let hints = (is_full & counts.gt(simd.splat(0.0))).select(last.sqrt(), limits.range);
        // More people may be this close than were asked for, or further than was asked for.
        let crowded = (is_full & in_reach.ge(counts)) | limits.range.lt(limits.reach);
        let (in_reach, hints) = (in_reach.to_array(), hints.to_array());
        for lane in 0..batch.len {
            let candidates = Strided {
                begin: begin + lane as u32,
                count: in_reach[lane] as u16,
                stride: LANES as u16,
            };
            let [velocity, turn] = [velocities, turns].map(|vectors| vectors[lane]);
            let (search_hint, room) = (hints[lane], rooms[lane]);
            self.chunk.hint_sum += f64::from(search_hint);
            self.outcomes[batch.who[lane] as usize - self.first] =
                Outcome { velocity, turn, search_hint, room, candidates };
        }
        if crowded.any() {
            let reach = limits.reach.to_array();
            for lane in set_bits(crowded.bits()).take_while(|&lane| lane < batch.len) {
                self.search_again(batch, lane, reach[lane]);
            }
        }
    }

    /// Lists the pairs who could touch, and counts those who could if they are pushed.
    #[inline(always)]
    fn list_near<S: Simd>(
        &mut self,
        simd: S,
        batch: &Neighbourhood,
        limits: &Limits<S>,
    ) -> Reached<S> {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let reach_squared = limits.reach * limits.reach;
        let reach_in_step = limits.reach - simd.splat(BOTH_PUSHED);
        let near_squared = reach_in_step * reach_in_step;
        let used = ((1u32 << batch.len) - 1) as u16;
        let mut reached = Reached { in_reach: zero, last: zero, slots: 0 };
        for slot in 0..batch.longest() {
            let distance_squared = simd.load(&batch.distance_squared[slot]);
            let exists = distance_squared.lt(simd.splat(f32::INFINITY));
            reached.last = exists.select(distance_squared, reached.last);
            let touchable = distance_squared.le(reach_squared);
            if !touchable.any() {
                continue;
            }
            reached.slots = slot + 1;
            reached.in_reach = reached.in_reach + touchable.select(one, zero);
            let near = distance_squared.le(near_squared).bits() & used;
            if near != 0 {
                self.list_pairs(simd, &batch.who, &batch.index[slot], near);
            }
        }
        reached
    }

    #[inline(always)]
    fn list_pairs<S: Simd>(
        &mut self,
        simd: S,
        who: &[u32; LANES],
        others: &[u32; LANES],
        lanes: u16,
    ) {
        if self.stage.has_echoes {
            // Who is on stairs need not see whom they are seen by.
            for lane in set_bits(lanes) {
                self.chunk.near[0].push(who[lane]);
                self.chunk.near[1].push(self.stage.body(others[lane]));
            }
            return;
        }
        // One of the two is enough.
        let lanes = lanes & simd.below(who, others);
        for (list, entries) in self.chunk.near.iter_mut().zip([who, others]) {
            let begin = list.len();
            make_room(list, LANES);
            list.extend_from_slice(&simd.compress(entries, lanes));
            list.truncate(begin + lanes.count_ones() as usize);
        }
    }

    /// Lists everyone who could touch somebody, however many they are.
    fn search_again(&mut self, batch: &Neighbourhood, lane: usize, reach: f32) {
        let who = batch.who[lane];
        let layer = self.stage.around.people.layers[batch.rows[lane] as usize];
        self.outcomes[who as usize - self.first].candidates =
            list_everyone(self.stage, self.chunk, who, layer, reach);
    }
}

/// Lists everyone within `reach` of `who`, and those pairs that could touch before anybody is pushed.
pub(super) fn list_everyone(
    stage: &SteeringStage,
    chunk: &mut Chunk,
    who: u32,
    layer: LayerId,
    reach: f32,
) -> Strided {
    let grid = stage.around.grid;
    let begin = chunk.candidates.len();
    let near_squared = (reach - BOTH_PUSHED) * (reach - BOTH_PUSHED);
    neighbours::for_each_within(grid, layer, who, reach, |other, distance_squared| {
        let body = stage.body(other);
        chunk.candidates.push(body);
        if distance_squared <= near_squared && (stage.has_echoes || who < other) {
            chunk.near[0].push(who);
            chunk.near[1].push(body);
        }
    });
    // Pushes are summed in this order; that of the grid depends on how rows lie.
    let found = &mut chunk.candidates[begin..];
    found.sort_unstable_by_key(|&body| grid.entries[body as usize].id());
    Strided::new(begin, found.len())
}

/// Makes sure that `count` numbers can be added. There is a list for every few hundred people:
/// doubling them, as a `Vec` does by itself, would set aside much that is never used.
#[inline(always)]
fn make_room(list: &mut Vec<u32>, count: usize) {
    if list.capacity() - list.len() < count {
        list.reserve_exact(count.max(list.len() / 8));
    }
}

/// Who is heeded by sixteen people, and who can touch them.
struct Limits<S: Simd> {
    /// The largest number of neighbours.
    most: S::F,
    /// How far they are noticed, m.
    range: S::F,
    /// Only somebody whose centre is this near can touch them within the step, m.
    reach: S::F,
}

impl<S: Simd> Limits<S> {
    #[inline(always)]
    fn new(simd: S, stage: &SteeringStage, batch: &Neighbourhood) -> Self {
        let people = stage.around.people;
        let most = |lane| batch.profile(people, lane).common.max_neighbours() as f32;
        let range = |lane| batch.profile(people, lane).common.neighbour_range;
        let (most, range) = if batch.profile.is_some() {
            (simd.splat(most(0)), simd.splat(range(0)))
        } else {
            (simd.load(&std::array::from_fn(most)), simd.load(&std::array::from_fn(range)))
        };
        let radii = simd.load(&batch.who.map(|who| stage.around.entry(who).radius()));
        Self { most, range, reach: radii + simd.splat(stage.contact_reach) }
    }
}

/// What is found by going through the neighbours of sixteen people.
struct Reached<S: Simd> {
    /// How many of them are in reach.
    in_reach: S::F,
    /// Squared distance of the last one, m².
    last: S::F,
    /// In how many slots somebody is in reach.
    slots: usize,
}
