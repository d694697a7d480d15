//! The same for sixteen people at once, one per lane.
//!
//! Lanes run through the steps of [`super::linear_program`] together and keep their result where a
//! step does not concern them. Only a few lanes are busy at a time, yet there is no branch to
//! mispredict, and that wins by a factor of two over spreading one person's lines over the lanes.
//! People for whom nothing is permitted are put aside until sixteen of them have come together.
//!
//! Every lane does what the scalar code does, operation by operation, and so gets the same bits.

use glam::Vec2;

use super::line::{Line, tie_direction};
use super::linear_program::{PARALLEL, TOLERANCE};
use super::{MAX_LINES, MAX_NEIGHBOURS, Person, WallScratch, wall_lines};
use crate::grid::Entry;
use crate::neighbours::{LANES, Neighbourhood};
use crate::simd::{Floats, Kernel, Mask, Simd};
use crate::steering::{SteeringJob, Surroundings};

/// Chooses velocities for a chunk.
pub(super) struct WideOrca<'a> {
    pub job: SteeringJob<'a>,
}

impl Kernel for WideOrca<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SteeringJob { around, batches, velocities } = self.job;
        let mut walls = WallScratch::default();
        let mut lines = Lines::new();
        let mut postponed = Postponed::new();
        for (number, batch) in batches.iter().enumerate() {
            let people = People::new(simd, &around, batch);
            lines.begin();
            add_wall_lines(&around, batch, &mut walls, &mut lines);
            add_people_lines(simd, &around, batch, &people, &mut lines);
            let everyone = simd.mask(u16::MAX);
            let goal = Goal::nearest(people.preferred);
            let (best, failed) =
                best_in_plane(simd, lines.all(), people.max_speed, &goal, everyone);
            velocities[number] = best.to_lanes();
            if failed.mask.any() {
                let failed_lines = failed.line.to_array();
                for lane in (0..batch.len).filter(|&lane| failed.mask.bits() >> lane & 1 == 1) {
                    let row = around.entry(batch.who[lane]).row();
                    postponed.push(Hopeless {
                        slot: Slot { batch: number, lane },
                        failed: failed_lines[lane],
                        velocity: velocities[number][lane],
                        preferred: around.people.preferred_velocities[row],
                        max_speed: around.people.max_speeds[row],
                        lines: &lines,
                    });
                    if postponed.len == LANES {
                        postponed.solve(simd, velocities);
                    }
                }
            }
        }
        if postponed.len > 0 {
            postponed.solve(simd, velocities);
        }
    }
}

/// A vector of each of sixteen people.
#[derive(Clone, Copy)]
struct Vec2s<S: Simd> {
    x: S::F,
    y: S::F,
}

impl<S: Simd> Vec2s<S> {
    #[inline(always)]
    fn load(simd: S, lanes: &[Vec2; LANES]) -> Self {
        let x = simd.load(&lanes.map(|v| v.x));
        Self { x, y: simd.load(&lanes.map(|v| v.y)) }
    }

    #[inline(always)]
    fn to_lanes(self) -> [Vec2; LANES] {
        let (x, y) = (self.x.to_array(), self.y.to_array());
        std::array::from_fn(|lane| Vec2::new(x[lane], y[lane]))
    }

    #[inline(always)]
    fn dot(self, other: Self) -> S::F {
        self.x * other.x + self.y * other.y
    }

    #[inline(always)]
    fn det(self, other: Self) -> S::F {
        self.x * other.y - self.y * other.x
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    #[inline(always)]
    fn times(self, factor: S::F) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    #[inline(always)]
    fn select(mask: S::M, yes: Self, no: Self) -> Self {
        Self { x: mask.select(yes.x, no.x), y: mask.select(yes.y, no.y) }
    }
}

/// What is known of the sixteen who are steered.
struct People<S: Simd> {
    position: Vec2s<S>,
    velocity: Vec2s<S>,
    radius: S::F,
    responsibility: S::F,
    ids: [u32; LANES],
    preferred: Vec2s<S>,
    max_speed: S::F,
    inverse_horizon: S::F,
    spare_room: S::F,
}

impl<S: Simd> People<S> {
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, batch: &Neighbourhood) -> Self {
        let entries = batch.who.map(|who| around.entry(who));
        let columns = simd.transpose(std::array::from_fn(|lane| entries[lane].lanes()));
        let rows = entries.map(Entry::row);
        let horizons = rows.map(|row| around.parameter(row, super::TIME_HORIZON));
        Self {
            position: Vec2s { x: columns[0], y: columns[1] },
            velocity: Vec2s { x: columns[2], y: columns[3] },
            radius: columns[4],
            responsibility: columns[5],
            ids: entries.map(Entry::id),
            preferred: Vec2s::load(simd, &rows.map(|row| around.people.preferred_velocities[row])),
            max_speed: simd.load(&rows.map(|row| around.people.max_speeds[row])),
            inverse_horizon: simd.splat(1.0) / simd.load(&horizons),
            spare_room: simd.load(&rows.map(|row| around.parameter(row, super::SPARE_ROOM))),
        }
    }
}

/// One line of each of sixteen people.
#[derive(Clone, Copy)]
struct Row {
    point: [[f32; LANES]; 2],
    direction: [[f32; LANES]; 2],
}

impl Row {
    const FREE: Self = Self {
        point: [[Line::FREE.point.x; LANES], [Line::FREE.point.y; LANES]],
        direction: [[Line::FREE.direction.x; LANES], [Line::FREE.direction.y; LANES]],
    };

    #[inline(always)]
    fn set<S: Simd>(&mut self, point: Vec2s<S>, direction: Vec2s<S>) {
        point.x.store(&mut self.point[0]);
        point.y.store(&mut self.point[1]);
        direction.x.store(&mut self.direction[0]);
        direction.y.store(&mut self.direction[1]);
    }

    #[inline(always)]
    fn point<S: Simd>(&self, simd: S) -> Vec2s<S> {
        Vec2s { x: simd.load(&self.point[0]), y: simd.load(&self.point[1]) }
    }

    #[inline(always)]
    fn direction<S: Simd>(&self, simd: S) -> Vec2s<S> {
        Vec2s { x: simd.load(&self.direction[0]), y: simd.load(&self.direction[1]) }
    }

    #[inline(always)]
    fn set_lane(&mut self, lane: usize, line: Line) {
        self.point[0][lane] = line.point.x;
        self.point[1][lane] = line.point.y;
        self.direction[0][lane] = line.direction.x;
        self.direction[1][lane] = line.direction.y;
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> Line {
        Line {
            point: Vec2::new(self.point[0][lane], self.point[1][lane]),
            direction: Vec2::new(self.direction[0][lane], self.direction[1][lane]),
        }
    }
}

/// The lines of sixteen people, walls' first. Lanes that have fewer are filled up with
/// [`Line::FREE`].
struct Lines {
    rows: [Row; MAX_LINES],
    wall_count: usize,
    count: usize,
}

impl Lines {
    fn new() -> Self {
        Self { rows: [Row::FREE; MAX_LINES], wall_count: 0, count: 0 }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.wall_count = 0;
        self.count = 0;
    }

    #[inline(always)]
    fn all(&self) -> &[Row] {
        &self.rows[..self.count]
    }
}

/// Walls are near few people: their lines are made one person at a time.
#[inline(always)]
fn add_wall_lines(
    around: &Surroundings,
    batch: &Neighbourhood,
    scratch: &mut WallScratch,
    lines: &mut Lines,
) {
    if around.walls.is_empty() {
        return;
    }
    let mut own = [Line::FREE; MAX_LINES];
    for lane in 0..batch.len {
        let person = Person::new(around, batch.who[lane]);
        let count = wall_lines(around, &person, scratch, &mut own);
        if count > lines.wall_count {
            lines.rows[lines.wall_count..count].fill(Row::FREE);
        }
        for (row, line) in lines.rows.iter_mut().zip(&own[..count]) {
            row.set_lane(lane, *line);
        }
        lines.wall_count = lines.wall_count.max(count);
    }
}

/// One neighbour of each of the sixteen at a time; see [`super::line::PairOfPeople::line`].
#[inline(always)]
fn add_people_lines<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    people: &People<S>,
    lines: &mut Lines,
) {
    let inverse_step = simd.splat(1.0 / around.step);
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let (free_point, free_direction) = (Row::FREE.point(simd), Row::FREE.direction(simd));
    let counts = simd.load(&batch.count.map(|count| count as f32));
    let (first, longest) = (lines.wall_count, batch.longest().min(MAX_NEIGHBOURS));
    lines.count = first + longest;
    for slot in 0..longest {
        let others = batch.index[slot].map(|other| around.entry(other));
        let columns = simd.transpose(std::array::from_fn(|lane| others[lane].lanes()));
        let p = Vec2s { x: columns[0], y: columns[1] }.minus(people.position);
        let v = people.velocity.minus(Vec2s { x: columns[2], y: columns[3] });
        let radius = people.radius + columns[4];
        let share =
            people.responsibility / (people.responsibility + columns[5]).max(simd.splat(1e-6));
        let distance_squared = p.dot(p);
        let radius_squared = radius * radius;
        let overlap = distance_squared.le(radius_squared);
        let inverse_time = overlap.select(inverse_step, people.inverse_horizon);
        let w = v.minus(p.times(inverse_time));
        let w_squared = w.dot(w);
        let along = w.dot(p);
        let before = along.lt(zero) & (along * along).gt(radius_squared * w_squared);
        let on_disc = overlap | before;
        let w_length = w_squared.sqrt();
        let inverse = one / on_disc.select(w_length, distance_squared);
        let mut outwards = w.times(inverse);
        let tied = on_disc & w_length.le(simd.splat(1e-6)) & simd.splat(slot as f32).lt(counts);
        if tied.any() {
            outwards = untie(simd, outwards, tied, &people.ids, &others.map(Entry::id));
        }
        let depth = radius * inverse_time - w_length;
        let leg = (distance_squared - radius_squared).max(zero).sqrt();
        let across: Vec2s<S> = Vec2s { x: p.y * radius, y: p.x * radius };
        let ahead: Vec2s<S> = p.times(leg);
        let is_left = (p.x * w.y - p.y * w.x).gt(zero);
        let leg_direction = Vec2s {
            x: is_left.select(ahead.x - across.x, -ahead.x - across.x),
            y: is_left.select(across.y + ahead.y, across.y - ahead.y),
        }
        .times(inverse);
        let disc_direction = Vec2s { x: outwards.y, y: -outwards.x };
        let direction = Vec2s::select(on_disc, disc_direction, leg_direction);
        let on_leg = leg_direction.times(v.dot(leg_direction)).minus(v);
        let correction = Vec2s::select(on_disc, outwards.times(depth), on_leg);
        let is_room = direction.det(correction).le(zero);
        let share = is_room.select(share + people.spare_room * (one - share), share);
        let point = people.velocity.plus(correction.times(share));
        let exists = simd.splat(slot as f32).lt(counts);
        lines.rows[first + slot].set(
            Vec2s::select(exists, point, free_point),
            Vec2s::select(exists, direction, free_direction),
        );
    }
}

/// Gives coincident pairs a direction to part in.
#[cold]
fn untie_lanes(outwards: &mut [Vec2; LANES], tied: u16, own: &[u32; LANES], other: &[u32; LANES]) {
    for lane in (0..LANES).filter(|lane| tied >> lane & 1 == 1) {
        outwards[lane] = tie_direction(own[lane], other[lane]);
    }
}

#[inline(always)]
fn untie<S: Simd>(
    simd: S,
    outwards: Vec2s<S>,
    tied: S::M,
    own: &[u32; LANES],
    other: &[u32; LANES],
) -> Vec2s<S> {
    let mut lanes = outwards.to_lanes();
    untie_lanes(&mut lanes, tied.bits(), own, other);
    Vec2s::load(simd, &lanes)
}

/// What a program maximises; see [`super::linear_program::Aim`].
struct Goal<S: Simd> {
    aim: Vec2s<S>,
    furthest: bool,
}

impl<S: Simd> Goal<S> {
    #[inline(always)]
    fn nearest(preferred: Vec2s<S>) -> Self {
        Self { aim: preferred, furthest: false }
    }

    #[inline(always)]
    fn furthest(direction: Vec2s<S>) -> Self {
        Self { aim: direction, furthest: true }
    }

    #[inline(always)]
    fn start(&self, max_speed: S::F) -> Vec2s<S> {
        if self.furthest {
            return self.aim.times(max_speed);
        }
        let speed_squared = self.aim.dot(self.aim);
        let clipped = self.aim.times(max_speed / speed_squared.sqrt());
        Vec2s::select(speed_squared.gt(max_speed * max_speed), clipped, self.aim)
    }
}

/// The first line that left nothing, per lane; infinite where there is none.
struct Failure<S: Simd> {
    line: S::F,
    mask: S::M,
}

/// The best velocities that the given lines permit, for the lanes in `active`.
#[inline(always)]
fn best_in_plane<S: Simd>(
    simd: S,
    rows: &[Row],
    max_speed: S::F,
    goal: &Goal<S>,
    active: S::M,
) -> (Vec2s<S>, Failure<S>) {
    let mut best = goal.start(max_speed);
    let mut active = active;
    let mut failed_line = simd.splat(f32::INFINITY);
    let mut failed = simd.mask(0);
    for (i, row) in rows.iter().enumerate() {
        let (point, direction) = (row.point(simd), row.direction(simd));
        let violated = direction.det(point.minus(best)).gt(simd.splat(0.0)) & active;
        if !violated.any() {
            continue;
        }
        let (better, impossible) = best_on_line(simd, &rows[..i], row, max_speed, goal);
        let fails = violated & impossible;
        failed_line = fails.select(simd.splat(i as f32), failed_line);
        failed = failed | fails;
        active = active & !fails;
        best = Vec2s::select(violated & !impossible, better, best);
    }
    (best, Failure { line: failed_line, mask: failed })
}

/// The best points of the lines in `row` that those `before` permit, and the lanes in which there
/// is none.
#[inline(always)]
fn best_on_line<S: Simd>(
    simd: S,
    before: &[Row],
    row: &Row,
    max_speed: S::F,
    goal: &Goal<S>,
) -> (Vec2s<S>, S::M) {
    let zero = simd.splat(0.0);
    let (point, direction) = (row.point(simd), row.direction(simd));
    let middle = -point.dot(direction);
    let discriminant = middle * middle + max_speed * max_speed - point.dot(point);
    let mut impossible = discriminant.lt(zero);
    let half = discriminant.max(zero).sqrt();
    let (mut low, mut high) = (middle - half, middle + half);
    let parallel_limit = simd.splat(PARALLEL);
    let infinity = simd.splat(f32::INFINITY);
    for other in before {
        let (other_point, other_direction) = (other.point(simd), other.direction(simd));
        let denominator = direction.det(other_direction);
        let numerator = other_direction.det(point.minus(other_point));
        let parallel = denominator.abs().le(parallel_limit);
        impossible = impossible | (parallel & numerator.lt(zero));
        let t = numerator / denominator;
        let bounds_high = denominator.ge(zero);
        high = high.min((bounds_high & !parallel).select(t, infinity));
        low = low.max((bounds_high | parallel).select(-infinity, t));
    }
    impossible = impossible | low.gt(high);
    let t = if goal.furthest {
        direction.dot(goal.aim).gt(zero).select(high, low)
    } else {
        direction.dot(goal.aim.minus(point)).max(low).min(high)
    };
    (point.plus(direction.times(t)), impossible)
}

/// Where a postponed result belongs.
#[derive(Clone, Copy, Default)]
struct Slot {
    batch: usize,
    lane: usize,
}

/// Someone for whom nothing is permitted.
#[derive(Clone, Copy)]
struct Hopeless<'a> {
    slot: Slot,
    /// The first line that left nothing.
    failed: f32,
    /// The best velocity before it.
    velocity: Vec2,
    preferred: Vec2,
    max_speed: f32,
    /// The lines of the batch.
    lines: &'a Lines,
}

/// People for whom nothing is permitted, gathered for [`Postponed::solve`].
struct Postponed {
    len: usize,
    slots: [Slot; LANES],
    lines: Lines,
    /// Lines with equal violation, or relaxed.
    projected: Lines,
    own_count: [usize; LANES],
    own_walls: [usize; LANES],
    failed: [f32; LANES],
    velocity: [Vec2; LANES],
    preferred: [Vec2; LANES],
    max_speed: [f32; LANES],
}

impl Postponed {
    fn new() -> Self {
        Self {
            len: 0,
            slots: [Slot::default(); LANES],
            lines: Lines::new(),
            projected: Lines::new(),
            own_count: [0; LANES],
            own_walls: [0; LANES],
            failed: [f32::INFINITY; LANES],
            velocity: [Vec2::ZERO; LANES],
            preferred: [Vec2::ZERO; LANES],
            max_speed: [0.0; LANES],
        }
    }

    /// Puts somebody aside. Where the lines of people begin may differ from lane to lane until
    /// [`Self::align`].
    #[inline(always)]
    fn push(&mut self, person: Hopeless) {
        let at = self.len;
        self.len += 1;
        self.slots[at] = person.slot;
        self.own_count[at] = person.lines.count;
        self.own_walls[at] = person.lines.wall_count;
        self.failed[at] = person.failed;
        self.velocity[at] = person.velocity;
        self.preferred[at] = person.preferred;
        self.max_speed[at] = person.max_speed;
        for (to, from) in self.lines.rows.iter_mut().zip(person.lines.all()) {
            to.set_lane(at, from.lane(person.slot.lane));
        }
    }

    /// Brings the lines of all lanes to the same lay-out: walls', filled up, then people's.
    fn align(&mut self) {
        let walls = self.own_walls[..self.len].iter().copied().max().unwrap_or(0);
        let mut count = 0;
        for lane in 0..self.len {
            let (own, own_walls) = (self.own_count[lane], self.own_walls[lane]);
            let shift = walls - own_walls;
            if shift > 0 {
                for i in (own_walls..own).rev() {
                    let line = self.lines.rows[i].lane(lane);
                    self.lines.rows[i + shift].set_lane(lane, line);
                }
                for row in &mut self.lines.rows[own_walls..walls] {
                    row.set_lane(lane, Line::FREE);
                }
                if self.failed[lane] >= own_walls as f32 {
                    self.failed[lane] += shift as f32;
                }
                self.own_count[lane] += shift;
            }
            count = count.max(self.own_count[lane]);
        }
        for lane in 0..self.len {
            for row in &mut self.lines.rows[self.own_count[lane]..count] {
                row.set_lane(lane, Line::FREE);
            }
        }
        self.lines.wall_count = walls;
        self.lines.count = count;
    }

    /// The least violation for everyone put aside; see
    /// [`super::linear_program::least_violation`].
    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S, velocities: &mut [[Vec2; LANES]]) {
        self.align();
        let active = simd.mask(((1u32 << self.len) - 1) as u16);
        let failed = simd.load(&self.failed);
        let max_speed = simd.load(&self.max_speed);
        let mut best = Vec2s::load(simd, &self.velocity);
        let mut violation = simd.splat(0.0);
        let first = self.failed[..self.len].iter().copied().fold(f32::INFINITY, f32::min);
        for i in first as usize..self.lines.count {
            let row = &self.lines.rows[i];
            let (point, direction) = (row.point(simd), row.direction(simd));
            let worse = direction.det(point.minus(best)).gt(violation)
                & failed.le(simd.splat(i as f32))
                & active;
            if !worse.any() {
                continue;
            }
            self.project(simd, i);
            let goal = Goal::furthest(Vec2s { x: -direction.y, y: direction.x });
            let (better, failure) =
                best_in_plane(simd, &self.projected.rows[..i], max_speed, &goal, worse);
            best = Vec2s::select(worse & !failure.mask, better, best);
            violation = worse.select(direction.det(point.minus(best)), violation);
        }
        self.relax(simd, violation + simd.splat(TOLERANCE));
        let goal = Goal::nearest(Vec2s::load(simd, &self.preferred));
        let relaxed = &self.projected.rows[..self.lines.count];
        let (nearest, failure) = best_in_plane(simd, relaxed, max_speed, &goal, active);
        best = Vec2s::select(failure.mask, best, nearest);
        let lanes = best.to_lanes();
        for (slot, velocity) in self.slots.iter().zip(lanes).take(self.len) {
            velocities[slot.batch][slot.lane] = velocity;
        }
        self.len = 0;
    }

    /// Fills `projected` with the lines of equal violation between line `i` and those before it.
    #[inline(always)]
    fn project<S: Simd>(&mut self, simd: S, i: usize) {
        let (before, row) = (&self.lines.rows[..i], &self.lines.rows[i]);
        let (point, direction) = (row.point(simd), row.direction(simd));
        let walls = self.lines.wall_count.min(i);
        self.projected.rows[..walls].copy_from_slice(&before[..walls]);
        let free_point = Row::FREE.point(simd);
        let free_direction = Row::FREE.direction(simd);
        for (to, other) in self.projected.rows[walls..].iter_mut().zip(&before[walls..]) {
            let (other_point, other_direction) = (other.point(simd), other.direction(simd));
            let denominator = direction.det(other_direction);
            let parallel = denominator.abs().le(simd.splat(PARALLEL));
            let t = other_direction.det(point.minus(other_point)) / denominator;
            let crossing = point.plus(direction.times(t));
            let between = point.plus(other_point).times(simd.splat(0.5));
            let difference = other_direction.minus(direction);
            let length = difference.dot(difference).sqrt();
            let unit = difference.times(simd.splat(1.0) / length);
            let together = parallel & direction.dot(other_direction).gt(simd.splat(0.0));
            let at = Vec2s::select(parallel, between, crossing);
            to.set(
                Vec2s::select(together, free_point, at),
                Vec2s::select(together, free_direction, unit),
            );
        }
    }

    /// Fills `projected` with all lines, people's moved outwards by `relief`.
    #[inline(always)]
    fn relax<S: Simd>(&mut self, simd: S, relief: S::F) {
        let walls = self.lines.wall_count;
        for (i, (to, row)) in self.projected.rows.iter_mut().zip(self.lines.all()).enumerate() {
            let (point, direction) = (row.point(simd), row.direction(simd));
            let outwards = Vec2s { x: direction.y, y: -direction.x };
            let by = if i < walls { simd.splat(0.0) } else { relief };
            to.set(point.plus(outwards.times(by)), direction);
        }
    }
}
