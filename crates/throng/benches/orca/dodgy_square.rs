//! Baseline: the open-square crowd steered by the `dodgy_2d` crate (ORCA).
//!
//! `dodgy_2d` only answers "which velocity avoids these neighbours?"; finding the neighbours is
//! the caller's work (its own `Simulator` compares every pair through a hash map). This module
//! adds what a careful user would write around it: a counting-sort grid rebuilt every step, people
//! stored in cell order, an exact search of the nearest people, and an update in which every new
//! velocity comes from the old state.
//!
//! A step allocates nothing of its own; what remains are the allocations inside
//! `Agent::compute_avoiding_velocity`: one list of half-planes per call, and one more for each
//! half-plane relaxed when no velocity satisfies them all.

use std::array;
use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use rayon::prelude::*;

/// People per square metre.
pub const DENSITY: f32 = 0.7;
/// Speed at which a person wants to walk, in m/s.
pub const PREFERRED_SPEED: f32 = 1.3;
/// Speed no person exceeds, in m/s.
pub const MAX_SPEED: f32 = 1.6;
/// Body radius, in m.
pub const RADIUS: f32 = 0.3;
/// Distance beyond which other people are not seen, in m.
pub const NEIGHBOUR_RANGE: f32 = 10.0;
/// Most neighbours a person takes into account.
pub const NEIGHBOURS: usize = 10;
/// How far ahead collisions are avoided, in s.
pub const TIME_HORIZON: f32 = 3.0;
/// Simulated length of one step, in s.
pub const TIME_STEP: f32 = 0.1;
/// A person this close to the goal draws a new one, in m.
pub const GOAL_RADIUS: f32 = 0.5;
/// Start positions deviate from the grid by up to this share of its spacing.
pub const JITTER: f32 = 0.2;
/// Cell side that measured fastest, in m.
pub const CELL: f32 = 1.1;

/// Half-width, in cells, of the block searched before looking at any distance.
const FIRST_BLOCK: i32 = 2;
/// People handled together, and the least one task handles. Few enough for their lists to stay in
/// the first-level cache.
const CHUNK: usize = 128;

/// How the list of nearest people is kept during the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// By insertion into a sorted list.
    Plain,
    /// By insertion without branches, twice as fast.
    Tuned,
}

/// A crowd with random goals in an open square, steered by `dodgy_2d`.
pub struct DodgySquare {
    /// Side of the square, in m.
    side: f32,
    options: AvoidanceOptions,
    grid: Grid,
    /// People in the cell order of the last step.
    people: People,
    /// Receives the people in the new order, then changes places with `people`.
    sorted: People,
    /// Velocity each person wanted in the last step.
    preferred: Vec<Vec2>,
    /// New velocities, kept apart until everybody has one.
    velocities: Vec<Vec2>,
    /// One generator per person, by identity, so that goals do not depend on the cell order.
    randoms: Vec<SplitMix64>,
    search: Search,
}

/// Everything that moves along when people are put into cell order.
#[derive(Clone)]
struct People {
    agents: Vec<Agent>,
    goals: Vec<Vec2>,
    /// Who this is: the number in the start grid.
    ids: Vec<u32>,
}

impl DodgySquare {
    /// Places `people` (at least one) at rest on a jittered grid, each with a random goal.
    pub fn new(people: usize, seed: u64, search: Search) -> Self {
        let (count, cell) = (people as u32, CELL);
        let side = (people as f32 / DENSITY).sqrt();
        let columns = (people as f64).sqrt().ceil() as u32;
        let spacing = side / columns as f32;

        let mut seeds = SplitMix64(seed);
        let mut randoms: Vec<_> = (0..count).map(|_| SplitMix64(seeds.next())).collect();
        let agents = (0..count)
            .zip(&mut randoms)
            .map(|(id, random)| {
                let corner = Vec2::new((id % columns) as f32, (id / columns) as f32);
                let jitter = (random.point() * 2.0 - Vec2::ONE) * JITTER;
                Agent {
                    position: (corner + Vec2::splat(0.5) + jitter) * spacing,
                    velocity: Vec2::ZERO,
                    radius: RADIUS,
                    avoidance_responsibility: 1.0,
                }
            })
            .collect();
        let start = People {
            agents,
            goals: randoms.iter_mut().map(|r| r.point() * side).collect(),
            ids: (0..count).collect(),
        };

        Self {
            side,
            options: AvoidanceOptions {
                obstacle_margin: RADIUS,
                time_horizon: TIME_HORIZON,
                obstacle_time_horizon: TIME_HORIZON,
            },
            grid: Grid::new(side, cell, people),
            sorted: start.clone(),
            people: start,
            preferred: vec![Vec2::ZERO; people],
            velocities: vec![Vec2::ZERO; people],
            randoms,
            search,
        }
    }

    /// Advances everybody by one time step on the calling thread.
    pub fn step(&mut self) {
        self.sort();
        let (crowd, preferred, velocities) = self.split();
        let chunks = preferred.chunks_mut(CHUNK).zip(velocities.chunks_mut(CHUNK)).enumerate();
        for (chunk, (preferred, velocities)) in chunks {
            crowd.steer(chunk * CHUNK, preferred, velocities);
        }
        for (agent, &velocity) in self.people.agents.iter_mut().zip(&self.velocities) {
            advance(agent, velocity);
        }
    }

    /// Advances everybody by one time step on the threads of the current rayon pool, with the
    /// same result as [`DodgySquare::step`]. Only the grid is still rebuilt by one thread.
    pub fn step_parallel(&mut self) {
        self.sort();
        let (crowd, preferred, velocities) = self.split();
        let chunks = preferred.par_chunks_mut(CHUNK).zip(velocities.par_chunks_mut(CHUNK));
        chunks.enumerate().for_each(|(chunk, (preferred, velocities))| {
            crowd.steer(chunk * CHUNK, preferred, velocities);
        });
        let agents = self.people.agents.par_iter_mut().with_min_len(8 * CHUNK);
        agents.zip(&self.velocities).for_each(|(agent, &velocity)| advance(agent, velocity));
    }

    /// Gives everybody who has arrived a new goal.
    pub fn redraw_goals(&mut self) {
        let People { agents, goals, ids } = &mut self.people;
        for ((agent, goal), &id) in agents.iter().zip(goals).zip(ids.iter()) {
            if agent.position.distance_squared(*goal) < GOAL_RADIUS * GOAL_RADIUS {
                *goal = self.randoms[id as usize].point() * self.side;
            }
        }
    }

    /// Share of the preferred speed people made good towards their goals in the last step: 1 if
    /// nobody had to give way, 0 before the first step.
    pub fn progress(&self) -> f64 {
        let made_good: f64 = self
            .people
            .agents
            .iter()
            .zip(&self.preferred)
            .map(|(agent, preferred)| f64::from(agent.velocity.dot(*preferred)))
            .sum();
        made_good / f64::from(PREFERRED_SPEED).powi(2) / self.people.agents.len() as f64
    }

    /// Rebuilds the grid and puts people into cell order.
    fn sort(&mut self) {
        self.grid.rebuild(&self.people, &mut self.sorted);
        std::mem::swap(&mut self.people, &mut self.sorted);
    }

    /// The old state, shared, and the two buffers a step fills.
    fn split(&mut self) -> (Crowd<'_>, &mut [Vec2], &mut [Vec2]) {
        let crowd = Crowd {
            grid: &self.grid,
            people: &self.people,
            options: &self.options,
            search: self.search,
        };
        (crowd, &mut self.preferred, &mut self.velocities)
    }
}

/// Moves one person on.
fn advance(agent: &mut Agent, velocity: Vec2) {
    agent.velocity = velocity;
    agent.position += velocity * TIME_STEP;
}

/// The old state of a step, as all threads see it.
#[derive(Clone, Copy)]
struct Crowd<'a> {
    grid: &'a Grid,
    people: &'a People,
    options: &'a AvoidanceOptions,
    search: Search,
}

impl Crowd<'_> {
    /// Computes preferred and new velocities of the people from `first` on, at most [`CHUNK`].
    fn steer(self, first: usize, preferred: &mut [Vec2], velocities: &mut [Vec2]) {
        let Self { grid, people: People { agents, goals, .. }, options, search } = self;

        for (i, preferred) in (first..).zip(preferred.iter_mut()) {
            *preferred = (goals[i] - agents[i].position).normalize_or_zero() * PREFERRED_SPEED;
        }

        let mut lists = [Nearest::NONE; CHUNK];
        for (i, list) in (first..first + preferred.len()).zip(&mut lists) {
            *list = match search {
                Search::Plain => grid.nearest::<false>(i),
                Search::Tuned => grid.nearest::<true>(i),
            };
        }

        // The crate takes a slice of `Cow`s; borrowing into an array on the stack is free.
        let mut near: [Cow<'_, Agent>; NEIGHBOURS] =
            array::from_fn(|_| Cow::Borrowed(&agents[first]));
        for (((agent, &preferred), velocity), list) in
            agents[first..].iter().zip(preferred.iter()).zip(velocities).zip(&lists)
        {
            let mut count = 0;
            for (slot, neighbour) in near.iter_mut().zip(list.indices()) {
                *slot = Cow::Borrowed(&agents[neighbour]);
                count += 1;
            }
            *velocity = agent.compute_avoiding_velocity(
                &near[..count],
                &[],
                preferred,
                MAX_SPEED,
                TIME_STEP,
                options,
            );
        }
    }
}

/// Uniform grid over the square; people outside belong to the nearest cell at its edge.
struct Grid {
    cell: f32,
    per_metre: f32,
    /// Cells along each side.
    width: i32,
    /// More than the rounding error of any position or cell boundary, in m.
    rounding: f32,
    /// Where each cell begins in the cell order, and at last where it all ends. Longer by one
    /// place that `rebuild` needs.
    starts: Vec<u32>,
    /// Cell of each person in the previous order.
    cells: Vec<u32>,
    /// Positions in cell order, apart from all else to make the search quick.
    xs: Vec<f32>,
    ys: Vec<f32>,
}

impl Grid {
    fn new(side: f32, cell: f32, people: usize) -> Self {
        let width = ((side / cell).ceil() as i32).max(1);
        Self {
            cell,
            per_metre: cell.recip(),
            width,
            rounding: 4.0 * f32::EPSILON * (side + cell),
            starts: vec![0; (width * width) as usize + 2],
            cells: vec![0; people],
            xs: vec![0.0; people],
            ys: vec![0.0; people],
        }
    }

    /// Column or row of a coordinate.
    fn line(&self, coordinate: f32) -> i32 {
        ((coordinate * self.per_metre) as i32).clamp(0, self.width - 1)
    }

    /// Counting sort of the people from `old` into `new`, row by row of cells.
    fn rebuild(&mut self, old: &People, new: &mut People) {
        // Counting two places ahead leaves, after the sums, the begin of each cell one place
        // ahead; moving people in turns that into its end, which is the begin of the next.
        self.starts.fill(0);
        for (i, agent) in old.agents.iter().enumerate() {
            let cell = self.line(agent.position.y) * self.width + self.line(agent.position.x);
            self.cells[i] = cell as u32;
            self.starts[cell as usize + 2] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        for (i, &cell) in self.cells.iter().enumerate() {
            let next = &mut self.starts[cell as usize + 1];
            let place = *next as usize;
            *next += 1;
            let agent = &old.agents[i];
            self.xs[place] = agent.position.x;
            self.ys[place] = agent.position.y;
            new.agents[place] = agent.clone();
            new.goals[place] = old.goals[i];
            new.ids[place] = old.ids[i];
        }
    }

    /// The nearest people of person `i` (both in cell order), exactly.
    ///
    /// Searches a block of cells around the person, then ring after ring until nothing outside
    /// can be nearer than the list's last entry, leaving out the parts of a ring that are too far.
    fn nearest<const TUNED: bool>(&self, i: usize) -> Nearest {
        let (x, y) = (self.xs[i], self.ys[i]);
        let (column, row) = (self.line(x), self.line(y));
        let last = self.width - 1;
        let mut found = Nearest::NONE;

        let mut ring = FIRST_BLOCK;
        let (left, right) = ((column - ring).max(0), (column + ring).min(last));
        for row in (row - ring).max(0)..=(row + ring).min(last) {
            self.scan::<TUNED>(i, row, left, right, &mut found);
        }

        loop {
            // Distances to what lies beyond each side of the block searched so far. Nothing lies
            // beyond the edge of the grid, because its outermost cells have no outer boundary.
            let before = |place: f32, line: i32| {
                if line > 0 {
                    place - line as f32 * self.cell - self.rounding
                } else {
                    f32::INFINITY
                }
            };
            let after = |place: f32, line: i32| {
                if line < last {
                    (line + 1) as f32 * self.cell - place - self.rounding
                } else {
                    f32::INFINITY
                }
            };
            let (west, east) = (before(x, column - ring), after(x, column + ring));
            let (south, north) = (before(y, row - ring), after(y, row + ring));
            let nearest_side = west.min(east).min(south.min(north));
            if found.reach_squared() < nearest_side * nearest_side {
                return found;
            }

            ring += 1;
            for (distance, row) in [(south, row - ring), (north, row + ring)] {
                let rest = found.reach_squared() - distance * distance;
                if rest >= 0.0 {
                    let half = rest.sqrt() + self.rounding;
                    let left = self.line(x - half).max(column - ring);
                    let right = self.line(x + half).min(column + ring);
                    self.scan::<TUNED>(i, row, left, right, &mut found);
                }
            }
            for (distance, column) in [(west, column - ring), (east, column + ring)] {
                let rest = found.reach_squared() - distance * distance;
                if rest >= 0.0 {
                    let half = rest.sqrt() + self.rounding;
                    let bottom = self.line(y - half).max(row - ring + 1);
                    let top = self.line(y + half).min(row + ring - 1);
                    for row in bottom..=top {
                        self.scan::<TUNED>(i, row, column, column, &mut found);
                    }
                }
            }
        }
    }

    /// Offers everybody in columns `left..=right` of a row to the list of person `i`.
    #[inline(always)]
    fn scan<const TUNED: bool>(
        &self,
        i: usize,
        row: i32,
        left: i32,
        right: i32,
        found: &mut Nearest,
    ) {
        let (x, y) = (self.xs[i], self.ys[i]);
        let row = row * self.width;
        let begin = self.starts[(row + left) as usize] as usize;
        let end = self.starts[(row + right + 1) as usize] as usize;
        for (j, (&other_x, &other_y)) in
            (begin..).zip(self.xs[begin..end].iter().zip(&self.ys[begin..end]))
        {
            let (dx, dy) = (other_x - x, other_y - y);
            let distance_squared = dx * dx + dy * dy;
            // Too far to enter the list, rather than a branch the processor cannot foresee.
            let offered = if j == i { f32::MAX } else { distance_squared };
            if TUNED {
                found.offer(offered, j);
            } else {
                found.insert(offered, j);
            }
        }
    }
}

/// The nearest people found so far, nearest first; of two equally far, the first in cell order.
///
/// An entry holds the bits of the squared distance above the index. Read as an `f64`, such bits
/// keep their order, and unlike integers `f64`s have vector minimum and maximum instructions on
/// every x86-64 processor: an entry goes in without a loop or a branch.
#[derive(Clone, Copy)]
struct Nearest([f64; NEIGHBOURS]);

impl Nearest {
    /// Index that marks a free place, which is as far away as the range allows.
    const FREE: u32 = u32::MAX;
    const NONE: Self =
        Self([Self::entry(NEIGHBOUR_RANGE * NEIGHBOUR_RANGE, Self::FREE); NEIGHBOURS]);

    const fn entry(distance_squared: f32, index: u32) -> f64 {
        f64::from_bits((distance_squared.to_bits() as u64) << 32 | index as u64)
    }

    /// Squared distance beyond which nobody enters the list any more.
    fn reach_squared(&self) -> f32 {
        f32::from_bits((self.0[NEIGHBOURS - 1].to_bits() >> 32) as u32)
    }

    /// Enters a person, if near enough. Not asking first is the quicker way.
    #[inline(always)]
    fn offer(&mut self, distance_squared: f32, index: usize) {
        let new = Self::entry(distance_squared, index as u32);
        let old = self.0;
        // Not `f64::min` and `f64::max`, whose care for NaN costs further instructions.
        self.0[0] = if old[0] < new { old[0] } else { new };
        for k in 1..NEIGHBOURS {
            let moved = if old[k - 1] > new { old[k - 1] } else { new };
            self.0[k] = if old[k] < moved { old[k] } else { moved };
        }
    }

    /// The same the usual way: only if near enough, then further ones move on one place.
    #[inline(always)]
    fn insert(&mut self, distance_squared: f32, index: usize) {
        if distance_squared >= self.reach_squared() {
            return;
        }
        let new = Self::entry(distance_squared, index as u32);
        let mut k = NEIGHBOURS - 1;
        while k > 0 && self.0[k - 1] > new {
            self.0[k] = self.0[k - 1];
            k -= 1;
        }
        self.0[k] = new;
    }

    /// Places of the people found in the cell order.
    fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let indices = self.0.iter().map(|entry| entry.to_bits() as u32);
        indices.take_while(|&index| index != Self::FREE).map(|index| index as usize)
    }
}

/// Sebastiano Vigna's splitmix64 generator.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in the half-open unit interval.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// Uniform in the unit square.
    fn point(&mut self) -> Vec2 {
        Vec2::new(self.unit(), self.unit())
    }
}
