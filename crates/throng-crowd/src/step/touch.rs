//! Those who heed nobody, or have decided a moment ago: all that is needed of others is whom one may touch.
//!
//! It does what steering, search and [`conclude`](super::conclude) do for others, in one go and without
//! the nearest neighbours, and lists the same people in the same order: whether anybody else in the
//! crowd heeds others makes no difference. A step of hundreds of thousands whom fields lead takes about
//! a sixth less time for it.

use glam::Vec2;
use throng_simd::{Floats, Kernel, LANES, Mask, Simd, Vec2s, set_bits};

use super::conclude::{BOTH_PUSHED, Chunk, Outcome, Strided, list_everyone};
use super::steer::SteeringStage;
use crate::effort::Effort;
use crate::grid::{Discs, Spans};
use crate::steering::{Surroundings, limits, unheeding_velocity};

/// The outcomes of some grid entries of a chunk, none of which is an echo.
pub(super) struct Touch<'a> {
    pub stage: &'a SteeringStage<'a>,
    /// Those entries.
    pub who: Entries<'a>,
    /// The first entry of the chunk.
    pub first: usize,
    pub outcomes: &'a mut [Outcome],
    pub chunk: &'a mut Chunk,
}

/// Some entries of a chunk.
#[derive(Clone, Copy)]
pub(super) enum Entries<'a> {
    All,
    Some(&'a [u32]),
}

impl Kernel for Touch<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        match self.who {
            Entries::All => {
                let last = self.first + self.outcomes.len() - 1;
                for begin in (self.first..=last).step_by(LANES) {
                    let count = (last + 1 - begin).min(LANES);
                    let who = std::array::from_fn(|lane| (begin + lane).min(last) as u32);
                    self.sixteen(simd, who, count);
                }
            }
            Entries::Some(list) => {
                for some in list.chunks(LANES) {
                    let who = std::array::from_fn(|lane| some[lane.min(some.len() - 1)]);
                    self.sixteen(simd, who, some.len());
                }
            }
        }
    }
}

impl Touch<'_> {
    #[inline(always)]
    fn sixteen<S: Simd>(&mut self, simd: S, who: [u32; LANES], count: usize) {
        let (grid, people) = (self.stage.around.grid, self.stage.around.people);
        let entries: [_; LANES] = std::array::from_fn(|lane| &grid.entries[who[lane] as usize]);
        let rows: [usize; LANES] = std::array::from_fn(|lane| entries[lane].row());
        let preferred: [Vec2; LANES] = rows.map(|row| match people.effort(row) {
            Effort::Simple => coasting_velocity(&self.stage.around, row),
            _ => unheeding_velocity(&self.stage.around, row),
        });
        let max_speeds: [f32; LANES] = std::array::from_fn(|lane| people.max_speeds[rows[lane]]);
        let velocities = Vec2s::load(simd, &preferred).at_most(simd, simd.load(&max_speeds));
        let (velocities, turns) = match limits::sixteen(simd, &self.stage.around, &rows, velocities)
        {
            Some(kept) => (kept.velocity, kept.missing(simd, velocities)),
            None => (velocities, Vec2s::zero(simd)),
        };
        let (velocities, turns) = (velocities.to_lanes(simd), turns.to_lanes(simd));

        let columns = simd.transpose(std::array::from_fn(|lane| entries[lane].lanes()));
        let reach = columns[4] + simd.splat(self.stage.contact_reach);
        let near = reach - simd.splat(BOTH_PUSHED);
        let discs = Discs { x: columns[0], y: columns[1], radius: reach };
        let layers = std::array::from_fn(|lane| people.layers[rows[lane]]);
        let spans = grid.first_spans(simd, layers, &discs);
        let reach_squared = (reach * reach).to_array();
        let near_squared = (near * near).to_array();
        let reach = reach.to_array();
        for lane in 0..count {
            let who = who[lane];
            let is_usual = spans.are_all[lane]
                && spans.counts.iter().all(|counts| counts[lane] <= LANES as u32);
            // As the neighbours of others: further ones are looked for one by one.
            let common = &people.profile(rows[lane]).common;
            let is_enough = common.neighbour_range >= reach[lane];
            let by_distance = if is_enough { common.max_neighbours() } else { 0 };
            let first_candidate = self.chunk.candidates.len();
            if is_usual {
                self.list(simd, &spans, lane, who, [reach_squared[lane], near_squared[lane]]);
            } else {
                list_everyone(self.stage, self.chunk, who, layers[lane], reach[lane]);
            }
            let candidates = self.sort(first_candidate, who, by_distance);
            self.chunk.hint_sum += f64::from(reach[lane]);
            self.outcomes[who as usize - self.first] = Outcome {
                velocity: velocities[lane],
                turn: turns[lane],
                search_hint: reach[lane],
                room: 0.0,
                candidates,
            };
        }
    }

    /// Lists whom `who` could touch: within a squared distance if they are pushed, and within another
    /// before.
    #[inline(always)]
    fn list<S: Simd>(
        &mut self,
        simd: S,
        spans: &Spans,
        lane: usize,
        who: u32,
        [in_reach, near]: [f32; 2],
    ) {
        let grid = self.stage.around.grid;
        let (x, y) = (simd.splat(grid.x[who as usize]), simd.splat(grid.y[who as usize]));
        let (in_reach, near) = (simd.splat(in_reach), simd.splat(near));
        let list = &mut self.chunk.candidates;
        for (begins, counts) in spans.begins.iter().zip(&spans.counts) {
            let first = begins[lane] as usize;
            // The arrays are padded: whole vectors can be read from any entry on.
            let padded = |numbers: &[f32]| {
                simd.load(numbers[first..].first_chunk().unwrap_or(&[0.0; LANES]))
            };
            let (dx, dy) = (padded(&grid.x) - x, padded(&grid.y) - y);
            let distance_squared = dx * dx + dy * dy;
            let exist = ((1u32 << counts[lane]) - 1) as u16;
            let hits = distance_squared.le(in_reach).bits() & exist;
            if hits == 0 {
                continue;
            }
            let near = distance_squared.le(near).bits();
            for bit in set_bits(hits) {
                let other = (first + bit) as u32;
                if other == who {
                    continue;
                }
                list.push(other);
                // One of the two is enough.
                if near >> bit & 1 == 1 && who < other {
                    self.chunk.near[0].push(who);
                    self.chunk.near[1].push(other);
                }
            }
        }
    }

    /// Puts whom `who` could touch, the last of the chunk's candidates, into an order: fewer than
    /// `by_distance` into that, more into that of ids. Pushes are summed in it, and the order of the
    /// grid depends on how rows lie.
    #[inline(always)]
    fn sort(&mut self, begin: usize, who: u32, by_distance: usize) -> Strided {
        let grid = self.stage.around.grid;
        let found = &mut self.chunk.candidates[begin..];
        if found.len() > 1 {
            let id = |body: u32| grid.entries[body as usize].id();
            let (x, y) = (grid.x[who as usize], grid.y[who as usize]);
            let distance_squared = |body: u32| {
                let (dx, dy) = (grid.x[body as usize] - x, grid.y[body as usize] - y);
                dx * dx + dy * dy
            };
            if found.len() < by_distance {
                let key = |body: u32| (distance_squared(body), id(body));
                found.sort_unstable_by(|&a, &b| {
                    let (a, b) = (key(a), key(b));
                    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
                });
            } else {
                found.sort_unstable_by_key(|&body| id(body));
            }
        }
        Strided::new(begin, found.len())
    }
}

/// The velocity of somebody who does not decide in this step: what they have, unless they want to stop.
#[inline(always)]
fn coasting_velocity(around: &Surroundings, row: usize) -> Vec2 {
    let wanted = around.preferred_velocity(row);
    let velocity = around.people.velocities[row];
    let speed = wanted.length();
    if velocity.length_squared() > speed * speed {
        velocity.clamp_length_max(speed)
    } else {
        velocity
    }
}
