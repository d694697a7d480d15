//! The same for sixteen people at once, one per lane.
//!
//! Lanes run through the steps of [`super::linear_program`] together and keep their result where a
//! step does not concern them. Only a few lanes are busy at a time, yet there is no branch to
//! mispredict, which lanes for the lines of one person would need. People for whom nothing is permitted are put aside until sixteen of them have come together.
//!
//! Every lane does what the scalar code does, operation by operation, and so gets the same bits.

mod lanes;
mod postponed;
mod walls;

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, set_bits};

use super::effort::{Effort, ITERATIONS};
use super::line::PairsOfPeople;
use super::linear_program::{PARALLEL, TIE};
use super::{MAX_NEIGHBOURS, Orca, OrcaParameters, WallScratch};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering::Surroundings;
use crate::steering::lanes::{Other, Own, Vec2s};
use lanes::{Lines, Row};
use postponed::{Hopeless, Postponed, Slot};
use walls::add_wall_lines;

/// A model whose velocities are found by ORCA's linear program: it sets the parameters of the half-planes and the
/// velocity to stay near to.
pub(in crate::steering) trait ProgramModel: Copy {
    /// The parameters of the half-planes.
    fn terms<S: Simd>(self, simd: S, around: &Surroundings, own: &Own<S>) -> Terms<S>;

    /// What the programs maximise.
    fn goal<S: Simd>(
        self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
    ) -> Goal<S>;
}

/// The parameters of the half-planes of sixteen people.
pub(in crate::steering) struct Terms<S: Simd> {
    /// Time horizons with people and with walls, s.
    pub horizon: S::F,
    pub wall_horizon: S::F,
    /// See the parameter of ORCA of this name.
    pub spare_room: S::F,
}

impl ProgramModel for Orca {
    #[inline(always)]
    fn terms<S: Simd>(self, simd: S, around: &Surroundings, own: &Own<S>) -> Terms<S> {
        Terms {
            horizon: own.parameter(simd, around, |p: &OrcaParameters| p.time_horizon),
            wall_horizon: own.parameter(simd, around, |p: &OrcaParameters| p.time_horizon_walls),
            spare_room: own.parameter(simd, around, |p: &OrcaParameters| p.spare_room),
        }
    }

    #[inline(always)]
    fn goal<S: Simd>(
        self,
        simd: S,
        around: &Surroundings,
        _: &Neighbourhood,
        own: &Own<S>,
    ) -> Goal<S> {
        Goal { effort: Efforts::new(simd, around, own), ..Goal::nearest(own.preferred) }
    }
}

/// Chooses velocities for a chunk.
pub(in crate::steering) struct WideOrca<'a, M> {
    pub model: M,
    pub around: Surroundings<'a>,
    pub batches: &'a [Neighbourhood],
    pub velocities: &'a mut [[Vec2; LANES]],
    pub rooms: &'a mut [[f32; LANES]],
}

impl<M: ProgramModel> Kernel for WideOrca<'_, M> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { model, around, batches, velocities, rooms } = self;
        let mut walls = WallScratch::default();
        let mut lines = Lines::new();
        let mut postponed = Postponed::new();
        for (number, batch) in batches.iter().enumerate() {
            let own = Own::new(simd, &around, batch);
            let people = People { terms: model.terms(simd, &around, &own), own };
            lines.begin();
            if !around.walls.is_empty() {
                let rooms = &mut rooms[number];
                add_wall_lines(simd, &around, batch, &people, rooms, &mut walls, &mut lines);
            }
            let goal = model.goal(simd, &around, batch, &people.own);
            add_people_lines(simd, &around, batch, &people, &mut lines);
            let everyone = simd.mask(u16::MAX);
            let (best, failed) =
                best_in_plane(simd, lines.all(), people.own.max_speed, &goal, everyone);
            velocities[number] = best.to_lanes(simd);
            if failed.mask.any() {
                let failed_lines = failed.line.to_array();
                let preferred = goal.preferred.to_lanes(simd);
                for lane in set_bits(failed.mask.bits()).take_while(|&lane| lane < batch.len) {
                    let row = batch.rows[lane] as usize;
                    postponed.push(Hopeless {
                        slot: Slot { batch: number, lane },
                        failed: failed_lines[lane],
                        velocity: velocities[number][lane],
                        preferred: preferred[lane],
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

/// What is known of the sixteen who are steered.
struct People<S: Simd> {
    own: Own<S>,
    terms: Terms<S>,
}

/// One neighbour of each of the sixteen at a time.
#[inline(always)]
fn add_people_lines<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    people: &People<S>,
    lines: &mut Lines,
) {
    let inverse_step = simd.splat(1.0 / around.step);
    let inverse_horizon = simd.splat(1.0) / people.terms.horizon;
    let (free_point, free_direction) = (Row::FREE.point(simd), Row::FREE.direction(simd));
    let own = &people.own;
    let (first, longest) = (lines.wall_count, batch.longest().min(MAX_NEIGHBOURS));
    lines.count = first + longest;
    for slot in 0..longest {
        let other = Other::new(simd, around, batch, slot);
        let pair = PairsOfPeople {
            relative_position: other.position.minus(own.position),
            relative_velocity: own.velocity.minus(other.velocity),
            combined_radius: own.radius + other.radius,
            inverse_horizon,
            inverse_step,
            share: own.share(simd, &other),
            spare_room: people.terms.spare_room,
        };
        let ids = || (&own.ids, other.ids());
        let (point, direction) = pair.lines(simd, own.velocity, other.exists, ids);
        lines.rows[first + slot].set(
            Vec2s::select(other.exists, point, free_point),
            Vec2s::select(other.exists, direction, free_direction),
        );
    }
}

/// What a program maximises; see [`super::linear_program::Aim`].
pub(in crate::steering) struct Goal<S: Simd> {
    preferred: Vec2s<S>,
    /// The direction in which to advance, if that matters more than nearness to `preferred`.
    furthest: Option<Vec2s<S>>,
    /// For those who choose by it.
    effort: Option<Efforts<S>>,
}

impl<S: Simd> Goal<S> {
    /// The velocity nearest to `preferred`, m/s.
    #[inline(always)]
    pub fn nearest(preferred: Vec2s<S>) -> Self {
        Self { preferred, furthest: None, effort: None }
    }

    #[inline(always)]
    fn furthest(direction: Vec2s<S>, preferred: Vec2s<S>) -> Self {
        Self { preferred, furthest: Some(direction), effort: None }
    }

    #[inline(always)]
    fn start(&self, max_speed: S::F) -> Vec2s<S> {
        if let Some(direction) = self.furthest {
            return direction.times(max_speed);
        }
        let speed_squared = self.preferred.dot(self.preferred);
        let clipped = self.preferred.times(max_speed / speed_squared.sqrt());
        Vec2s::select(speed_squared.gt(max_speed * max_speed), clipped, self.preferred)
    }
}

/// See [`super::effort`].
struct Efforts<S: Simd> {
    /// Who chooses by it.
    mask: S::M,
    way: Vec2s<S>,
    speed: S::F,
    horizon: S::F,
}

impl<S: Simd> Efforts<S> {
    /// `None` if nobody does.
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, own: &Own<S>) -> Option<Self> {
        let mask =
            own.parameter(simd, around, |p: &OrcaParameters| p.least_effort).ge(simd.splat(0.5));
        mask.any().then(|| {
            let way = |row| Effort::of(around, row).map_or(Vec2::ZERO, |effort| effort.way);
            Self {
                mask,
                way: Vec2s::load(simd, &own.rows.map(way)),
                speed: own.preferred.length(),
                horizon: own.parameter(simd, around, |p: &OrcaParameters| p.time_horizon),
            }
        })
    }

    /// See [`Effort::cheapest`]; for the others, the nearest.
    #[inline(always)]
    fn cheapest(
        &self,
        simd: S,
        start: Vec2s<S>,
        direction: Vec2s<S>,
        [low, nearest, high]: [S::F; 3],
    ) -> S::F {
        let mut t = nearest;
        for _ in 0..ITERATIONS {
            let velocity = start.plus(direction.times(t));
            let left = self.way.minus(velocity.times(self.horizon));
            let length_squared = left.dot(left).max(simd.splat(1e-6));
            let length = length_squared.sqrt();
            let slope = velocity.dot(direction) - self.speed * (left.dot(direction) / length);
            let aside = left.det(direction);
            let bend = simd.splat(1.0)
                + self.speed * self.horizon * (aside * aside / (length_squared * length));
            t = (t - slope / bend).max(low).min(high);
        }
        self.mask.select(t, nearest)
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
    let nearest = direction.dot(goal.preferred.minus(point)).max(low).min(high);
    let t = match (&goal.furthest, &goal.effort) {
        (Some(way), _) => {
            let gain = direction.dot(*way);
            let end = gain.gt(zero).select(high, low);
            gain.abs().le(simd.splat(TIE)).select(nearest, end)
        }
        (None, Some(effort)) => effort.cheapest(simd, point, direction, [low, nearest, high]),
        (None, None) => nearest,
    };
    (point.plus(direction.times(t)), impossible)
}
