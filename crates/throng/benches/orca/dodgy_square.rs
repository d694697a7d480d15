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
use std::time::{Duration, Instant};

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
/// Cell side that measured fastest (see `baseline tune`), in m.
pub const CELL: f32 = 1.1;

/// Half-width, in cells, of the block searched before looking at any distance.
const FIRST_BLOCK: i32 = 2;
/// People handled between two clock readings, and the least one rayon task handles. Few enough
/// for their lists to stay in the first-level cache, and for the readings not to count.
const CHUNK: usize = 128;

/// Where the time of one step went.
///
/// After [`DodgySquare::step_parallel`], `search`, `avoid` and `prefer` are sums over the threads;
/// `sort` and `integrate` remain wall-clock times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Rebuilding the grid and moving people into cell order.
    pub sort: Duration,
    /// Finding the nearest people.
    pub search: Duration,
    /// `dodgy_2d`: from the neighbour lists to the new velocities.
    pub avoid: Duration,
    /// Preferred velocities.
    pub prefer: Duration,
    /// Moving everybody.
    pub integrate: Duration,
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
    phases: Phases,
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
    /// Places `people` at rest on a jittered grid, each with a random goal.
    ///
    /// # Panics
    ///
    /// If there are no people, or more than `u32::MAX`.
    pub fn new(people: usize, seed: u64) -> Self {
        Self::with_cell(people, seed, CELL)
    }

    /// Like [`DodgySquare::new`] with another cell side, in m. This changes the speed and the
    /// order of people in memory, not the neighbours found.
    ///
    /// # Panics
    ///
    /// If there are no people, more than `u32::MAX`, or `cell` is not positive.
    pub fn with_cell(people: usize, seed: u64, cell: f32) -> Self {
        assert!(people > 0, "the square is empty");
        let count = u32::try_from(people).expect("more people than u32 can number");
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
            phases: Phases::default(),
        }
    }

    /// Advances everybody by one time step on the calling thread.
    pub fn step(&mut self) {
        self.sort();
        let (crowd, preferred, velocities) = self.split();
        let phases = preferred
            .chunks_mut(CHUNK)
            .zip(velocities.chunks_mut(CHUNK))
            .enumerate()
            .map(|(chunk, (preferred, velocities))| {
                crowd.steer(chunk * CHUNK, preferred, velocities)
            })
            .fold(Phases::default(), Phases::plus);
        self.phases = self.phases.plus(phases);

        let start = Instant::now();
        for (agent, &velocity) in self.people.agents.iter_mut().zip(&self.velocities) {
            advance(agent, velocity);
        }
        self.phases.integrate = start.elapsed();
    }

    /// Advances everybody by one time step on the threads of the current rayon pool, with the
    /// same result as [`DodgySquare::step`]. Only the grid is still rebuilt by one thread.
    pub fn step_parallel(&mut self) {
        self.sort();
        let (crowd, preferred, velocities) = self.split();
        let phases = preferred
            .par_chunks_mut(CHUNK)
            .zip(velocities.par_chunks_mut(CHUNK))
            .enumerate()
            .map(|(chunk, (preferred, velocities))| {
                crowd.steer(chunk * CHUNK, preferred, velocities)
            })
            .reduce(Phases::default, Phases::plus);
        self.phases = self.phases.plus(phases);

        let start = Instant::now();
        let agents = self.people.agents.par_iter_mut().with_min_len(8 * CHUNK);
        agents.zip(&self.velocities).for_each(|(agent, &velocity)| advance(agent, velocity));
        self.phases.integrate = start.elapsed();
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

    /// Number of pairs of people whose bodies overlap now (by a sweep, independent of the grid).
    pub fn overlaps(&self) -> usize {
        let mut places: Vec<Vec2> = self.people.agents.iter().map(|a| a.position).collect();
        places.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
        let reach = 2.0 * RADIUS;
        let overlapping = |(i, a): (usize, &Vec2)| {
            let near = places[i + 1..].iter().take_while(|b| b.x - a.x < reach);
            near.filter(|b| a.distance_squared(**b) < reach * reach).count()
        };
        places.iter().enumerate().map(overlapping).sum()
    }

    /// Where the time of the last step went.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// Rebuilds the grid and puts people into cell order.
    fn sort(&mut self) {
        let start = Instant::now();
        self.grid.rebuild(&self.people, &mut self.sorted);
        std::mem::swap(&mut self.people, &mut self.sorted);
        self.phases = Phases { sort: start.elapsed(), ..Phases::default() };
    }

    /// The old state, shared, and the two buffers a step fills.
    fn split(&mut self) -> (Crowd<'_>, &mut [Vec2], &mut [Vec2]) {
        let crowd = Crowd { grid: &self.grid, people: &self.people, options: &self.options };
        (crowd, &mut self.preferred, &mut self.velocities)
    }
}

/// Moves one person on.
fn advance(agent: &mut Agent, velocity: Vec2) {
    agent.velocity = velocity;
    agent.position += velocity * TIME_STEP;
}

impl Phases {
    fn plus(self, other: Self) -> Self {
        Self {
            sort: self.sort + other.sort,
            search: self.search + other.search,
            avoid: self.avoid + other.avoid,
            prefer: self.prefer + other.prefer,
            integrate: self.integrate + other.integrate,
        }
    }
}

/// The old state of a step, as all threads see it.
#[derive(Clone, Copy)]
struct Crowd<'a> {
    grid: &'a Grid,
    people: &'a People,
    options: &'a AvoidanceOptions,
}

impl Crowd<'_> {
    /// Computes preferred and new velocities of the people from `first` on, at most [`CHUNK`].
    fn steer(self, first: usize, preferred: &mut [Vec2], velocities: &mut [Vec2]) -> Phases {
        let Self { grid, people: People { agents, goals, .. }, options } = self;
        let started = Instant::now();

        for (i, preferred) in (first..).zip(preferred.iter_mut()) {
            *preferred = (goals[i] - agents[i].position).normalize_or_zero() * PREFERRED_SPEED;
        }
        let preferred_done = Instant::now();

        let mut lists = [Nearest::NONE; CHUNK];
        for (i, list) in (first..first + preferred.len()).zip(&mut lists) {
            *list = grid.nearest(i);
        }
        let searched = Instant::now();

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

        Phases {
            prefer: preferred_done - started,
            search: searched - preferred_done,
            avoid: searched.elapsed(),
            ..Phases::default()
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
        assert!(cell > 0.0, "cells need a positive side");
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
    fn nearest(&self, i: usize) -> Nearest {
        let (x, y) = (self.xs[i], self.ys[i]);
        let (column, row) = (self.line(x), self.line(y));
        let last = self.width - 1;
        let mut found = Nearest::NONE;

        let mut ring = FIRST_BLOCK;
        let (left, right) = ((column - ring).max(0), (column + ring).min(last));
        for row in (row - ring).max(0)..=(row + ring).min(last) {
            self.scan(i, row, left, right, &mut found);
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
                    self.scan(i, row, left, right, &mut found);
                }
            }
            for (distance, column) in [(west, column - ring), (east, column + ring)] {
                let rest = found.reach_squared() - distance * distance;
                if rest >= 0.0 {
                    let half = rest.sqrt() + self.rounding;
                    let bottom = self.line(y - half).max(row - ring + 1);
                    let top = self.line(y + half).min(row + ring - 1);
                    for row in bottom..=top {
                        self.scan(i, row, column, column, &mut found);
                    }
                }
            }
        }
    }

    /// Offers everybody in columns `left..=right` of a row to the list of person `i`.
    #[inline(always)]
    fn scan(&self, i: usize, row: i32, left: i32, right: i32, found: &mut Nearest) {
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
            found.offer(offered, j);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest people by comparing with everybody, in cell order.
    fn brute_force(grid: &Grid, i: usize) -> Vec<usize> {
        let mut all: Vec<(f32, usize)> = (0..grid.xs.len())
            .filter(|&j| j != i)
            .map(|j| {
                let (dx, dy) = (grid.xs[j] - grid.xs[i], grid.ys[j] - grid.ys[i]);
                (dx * dx + dy * dy, j)
            })
            .filter(|&(distance, _)| distance <= NEIGHBOUR_RANGE * NEIGHBOUR_RANGE)
            .collect();
        all.sort_by(|a, b| a.partial_cmp(b).expect("distances are numbers"));
        all.into_iter().take(NEIGHBOURS).map(|(_, j)| j).collect()
    }

    /// Sorts the people of a square and compares all their neighbours.
    fn check(square: &mut DodgySquare) {
        square.sort();
        for i in 0..square.people.agents.len() {
            let found: Vec<usize> = square.grid.nearest(i).indices().collect();
            assert_eq!(found, brute_force(&square.grid, i), "person {i}");
        }
    }

    #[test]
    fn neighbours_match_brute_force_while_walking() {
        for cell in [0.4, 0.7, CELL, 1.5, 3.0, 40.0] {
            let mut square = DodgySquare::with_cell(500, 7, cell);
            for _ in 0..4 {
                check(&mut square);
                for _ in 0..15 {
                    square.redraw_goals();
                    square.step();
                }
            }
        }
    }

    #[test]
    fn neighbours_match_brute_force_when_crowded_sparse_or_outside() {
        for people in [1, 2, 9, 10, 11, 12, 60, 250] {
            for spread in [0.0, 0.05, 1.0, 1.5, 8.0] {
                for cell in [0.5, CELL, 2.5] {
                    let mut square = DodgySquare::with_cell(people, 3, cell);
                    let middle = Vec2::splat(square.side / 2.0);
                    for agent in &mut square.people.agents {
                        agent.position = middle + (agent.position - middle) * spread;
                    }
                    check(&mut square);
                }
            }
        }
    }

    #[test]
    fn neighbours_match_brute_force_on_cell_boundaries() {
        // A lattice of whole multiples of the cell: every distance is shared by several people.
        for cell in [0.3, 0.7, CELL] {
            let mut square = DodgySquare::with_cell(900, 3, cell);
            for (agent, id) in square.people.agents.iter_mut().zip(0u16..) {
                agent.position = Vec2::new(f32::from(id % 30) * cell, f32::from(id / 30) * cell);
            }
            check(&mut square);
        }
    }

    #[test]
    fn sorting_keeps_everybody_whole() {
        let mut square = DodgySquare::new(2000, 5);
        for _ in 0..10 {
            square.step();
        }
        let before = square.people.clone();
        square.sort();
        let after = &square.people;
        let mut ids = after.ids.clone();
        ids.sort_unstable();
        assert!(ids.iter().copied().eq(0..2000));
        for (place, id) in after.ids.iter().enumerate() {
            let old = before.ids.iter().position(|other| other == id).expect("nobody is lost");
            assert_eq!(after.agents[place], before.agents[old]);
            assert_eq!(after.goals[place], before.goals[old]);
        }
        assert!(square.grid.cells.len() == 2000 && *square.grid.starts.last().unwrap() == 2000);
    }

    #[test]
    fn overlaps_match_brute_force() {
        let mut square = DodgySquare::new(400, 9);
        for agent in &mut square.people.agents {
            agent.position *= 0.3;
        }
        let places: Vec<Vec2> = square.people.agents.iter().map(|a| a.position).collect();
        let mut expected = 0;
        for (i, a) in places.iter().enumerate() {
            for b in &places[i + 1..] {
                expected += usize::from(a.distance_squared(*b) < 4.0 * RADIUS * RADIUS);
            }
        }
        assert!(expected > 100);
        assert_eq!(square.overlaps(), expected);
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let mut one = DodgySquare::new(3000, 11);
        let mut two = DodgySquare::new(3000, 11);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
        for _ in 0..40 {
            one.redraw_goals();
            one.step();
            two.redraw_goals();
            pool.install(|| two.step_parallel());
        }
        assert_eq!(one.people.agents, two.people.agents);
        assert_eq!(one.people.ids, two.people.ids);
    }

    #[test]
    fn a_lone_person_makes_full_progress() {
        let mut square = DodgySquare::new(1, 1);
        assert_eq!(square.progress(), 0.0);
        square.step();
        assert!((square.progress() - 1.0).abs() < 1e-6);
        assert_eq!(square.overlaps(), 0);
    }
}
