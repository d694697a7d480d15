//! Optimal reciprocal collision avoidance.
//!
//! Each neighbour forbids the velocities that would lead to a collision within the time horizon;
//! the nearest way out of the forbidden set is shared between the two, which leaves each of them a
//! half-plane of permitted velocities. Walls add half-planes of their own, not shared with anyone.
//! The new velocity is the permitted one nearest to the preferred one: a linear program in two
//! dimensions. Where nothing is permitted, the one that violates people's half-planes least, with
//! those of walls still kept.
//!
//! Source: van den Berg, Guy, Lin, Manocha, *Reciprocal n-body collision avoidance* (ISRR 2009).
//! Different here: shares need not be equal; who is not about to collide may use up all the room
//! that is left instead of their share of it (`spare_room`), as long as two who both do so cannot
//! touch within the step in which they do not see it yet; among equally bad velocities in a dense crowd the one
//! nearest to the preferred velocity is taken, where the usual code returns the far end of the
//! tied segment and makes people dart sideways; and sixteen people are solved at once. What "best"
//! means can be least effort instead of nearness, see [`effort`].

mod effort;
pub(super) mod line;
mod linear_program;
mod obstacle_lines;
pub(super) mod wide;

use crate::steering::gains;
use glam::Vec2;
use throng_world::WallId;

use super::{
    Cause, Constraints, Explanation, HalfPlane, HalfPlanes, ModelInfo, SteeringJob, SteeringModel,
    Surroundings, WallSight,
};
use crate::PersonId;
use crate::neighbours::{LANES, MAX_NEIGHBOURS, Neighbourhood};
use crate::steering_parameters;
use effort::Effort;
use line::{Line, PairOfPeople};
pub(super) use linear_program::Aim;

steering_parameters! {
    /// Parameters of ORCA.
    pub struct OrcaParameters {
        time_horizon: 3.0, 0.1..=30.0, "s", "For how long ahead collisions with people are avoided (τ)";
        time_horizon_walls: 1.0, 0.1..=10.0, "s", "For how long ahead collisions with walls are avoided (τ_obst)";
        spare_room: 1.0, 0.0..=1.0, "",
            "How much of the room between two who are not about to collide one of them may use up: 0 the same share \
             as of an avoidance, as published; 1 all of it, which lets a busy crowd get on better";
        least_effort: 0.0, 0.0..=1.0, "",
            "1: of the permitted velocities, the one that costs least energy on the whole way is chosen (Guy et al. \
             2010), so people rather slow down than make a detour near their goal; 0: the one nearest to the \
             preferred velocity";
    }
}

const INFO: ModelInfo = ModelInfo {
    name: "orca",
    summary: "Optimal reciprocal collision avoidance (van den Berg et al. 2009): collision-free for \
              the time horizon if everybody cooperates",
    parameters: OrcaParameters::INFOS,
    walls: WallSight::Time("time_horizon_walls"),
    gains: &[("time_horizon", gains::HORIZON)],
    former_names: &[("max_acceleration", "acceleration_limit")],
    ..ModelInfo::NEW
};

/// Walls beyond the nearest of these are left out; contacts still hold against them.
const MAX_WALL_LINES: usize = 16;
const MAX_LINES: usize = MAX_WALL_LINES + MAX_NEIGHBOURS;

/// Optimal reciprocal collision avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Orca;

impl SteeringModel for Orca {
    type Parameters = OrcaParameters;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        let SteeringJob { around, batches, velocities, rooms, .. } = job;
        match around.simd {
            Some(vectors) => {
                let velocities = &mut *velocities;
                vectors.run(wide::WideOrca { model: *self, around, batches, velocities, rooms });
            }
            None => steer_scalar(&around, batches, velocities),
        }
    }

    fn is_memoryless(&self) -> bool {
        true
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood, _: &[()]) -> Explanation {
        let row = batch.rows[0] as usize;
        explain(around, batch, PersonTerms::of_orca(around, row), Aim::of_orca(around, row))
    }
}

/// Explains the velocity of the one person in `batch`, found by a program with these terms and this aim.
pub(super) fn explain(
    around: &Surroundings,
    batch: &Neighbourhood,
    terms: PersonTerms,
    aim: Aim,
) -> Explanation {
    let (mut walls, mut drawn) = (WallScratch::default(), Vec::new());
    let lane = Lane { batch, lane: 0, terms, aim };
    let program = Program::new(around, &lane, &mut walls, |wall| drawn.push(wall));
    let causes = drawn.iter().map(|&id| Cause::wall(around.walls.get(id)));
    let others = batch.of(0).map(|(other, _)| PersonId(around.entry(other).id()));
    let causes = causes.chain(others.map(Cause::Person));
    let half_planes = program.lines().iter().zip(causes).map(|(line, cause)| {
        let &Line { point, direction } = line;
        HalfPlane { point, direction, cause }
    });
    Explanation {
        walls: walls.visible.iter().map(|&(_, id)| id).collect(),
        constraints: Constraints::HalfPlanes(HalfPlanes {
            half_planes: half_planes.collect(),
            max_speed: program.max_speed,
            wanted: program.aim.preferred(),
            best: program.solve(),
            is_feasible: program.is_feasible(),
        }),
    }
}

/// The plain version: fall-back and oracle.
fn steer_scalar(
    around: &Surroundings,
    batches: &[Neighbourhood],
    velocities: &mut [[Vec2; LANES]],
) {
    let mut walls = WallScratch::default();
    for (batch, velocities) in batches.iter().zip(velocities) {
        for (lane, velocity) in velocities.iter_mut().enumerate().take(batch.len) {
            let row = batch.rows[lane] as usize;
            let (terms, aim) = (PersonTerms::of_orca(around, row), Aim::of_orca(around, row));
            let lane = Lane { batch, lane, terms, aim };
            *velocity = Program::new(around, &lane, &mut walls, |_| {}).solve();
        }
    }
}

/// What is demanded of somebody's velocity, and what is best.
struct Program {
    lines: [Line; MAX_LINES],
    wall_count: usize,
    count: usize,
    aim: Aim,
    max_speed: f32,
}

/// The person in a lane of a batch, with the parameters and the aim of their program.
struct Lane<'a> {
    batch: &'a Neighbourhood,
    lane: usize,
    terms: PersonTerms,
    aim: Aim,
}

impl Program {
    /// For the person in a lane. Tells the walls that have a line, in the order of the lines.
    fn new(
        around: &Surroundings,
        of: &Lane,
        walls: &mut WallScratch,
        drawn_by: impl FnMut(WallId),
    ) -> Self {
        let who = of.batch.who[of.lane];
        let person = Person::new(around, who, of.terms);
        let mut lines = [Line::FREE; MAX_LINES];
        let wall_count = if person.wall_range() > room(around, who) {
            wall_lines(around, &person, walls, &mut lines, drawn_by)
        } else {
            0
        };
        let count = people_lines(around, &person, (of.batch, of.lane), wall_count, &mut lines);
        Self { lines, wall_count, count, aim: of.aim, max_speed: person.max_speed }
    }

    fn lines(&self) -> &[Line] {
        &self.lines[..self.count]
    }

    fn solve(&self) -> Vec2 {
        linear_program::solve(self.lines(), self.wall_count, self.aim, self.max_speed)
    }

    fn is_feasible(&self) -> bool {
        linear_program::is_feasible(self.lines(), self.aim, self.max_speed)
    }
}

/// The parameters of a person's half-planes; see [`wide::Terms`].
#[derive(Clone, Copy)]
pub(super) struct PersonTerms {
    pub horizon: f32,
    pub wall_horizon: f32,
    pub spare_room: f32,
}

impl PersonTerms {
    fn of_orca(around: &Surroundings, row: usize) -> Self {
        let OrcaParameters { time_horizon, time_horizon_walls, spare_room, .. } =
            around.parameters(row);
        let (horizon, wall_horizon) = (time_horizon, time_horizon_walls);
        Self { horizon, wall_horizon, spare_room }
    }

    /// Of a person of whom only the lines of walls are asked for.
    fn for_walls(wall_horizon: f32) -> Self {
        Self { horizon: wall_horizon, wall_horizon, spare_room: 0.0 }
    }
}

impl Aim {
    fn of_orca(around: &Surroundings, row: usize) -> Self {
        match Effort::of(around, row) {
            Some(effort) => Self::LeastEffort(effort),
            None => Self::Nearest(around.preferred_velocity(row)),
        }
    }
}

/// What the solver needs to know of the one who is steered.
struct Person {
    row: usize,
    id: u32,
    position: Vec2,
    velocity: Vec2,
    radius: f32,
    responsibility: f32,
    max_speed: f32,
    inverse_horizon: f32,
    wall_horizon: f32,
    spare_room: f32,
}

impl Person {
    #[inline(always)]
    fn new(around: &Surroundings, who: u32, terms: PersonTerms) -> Self {
        let entry = around.entry(who);
        let row = entry.row();
        Self {
            row,
            id: entry.id(),
            position: entry.position(),
            velocity: entry.velocity(),
            radius: entry.radius(),
            responsibility: entry.responsibility(),
            max_speed: around.people.max_speeds[row],
            inverse_horizon: 1.0 / terms.horizon,
            wall_horizon: terms.wall_horizon,
            spare_room: terms.spare_room,
        }
    }

    /// How near walls are that matter, m.
    #[inline(always)]
    fn wall_range(&self) -> f32 {
        self.wall_horizon * self.max_speed + self.radius
    }
}

/// How far walls are from somebody at least, m.
#[inline(always)]
fn room(around: &Surroundings, who: u32) -> f32 {
    let entry = around.entry(who);
    around.walls.room(around.people.layers[entry.row()], entry.position())
}

/// Memory that is reused from person to person.
#[derive(Default)]
struct WallScratch {
    visible: Vec<(f32, WallId)>,
}

impl WallScratch {
    /// How far away the nearest wall is that was seen, m, if it is nearer than `range`.
    #[inline(always)]
    fn room(&self, range: f32) -> f32 {
        self.visible.first().map_or(range, |nearest| nearest.0.sqrt())
    }
}

/// Puts the lines of the walls around `person` first in `lines`; returns how many, and tells whose they
/// are.
fn wall_lines(
    around: &Surroundings,
    person: &Person,
    scratch: &mut WallScratch,
    lines: &mut [Line; MAX_LINES],
    drawn_by: impl FnMut(WallId),
) -> usize {
    let layer = around.people.layers[person.row];
    let range = person.wall_range();
    around.walls.visible(layer, person.position, range, &mut scratch.visible);
    if scratch.visible.is_empty() {
        return 0;
    }
    let lines = &mut lines[..MAX_WALL_LINES];
    obstacle_lines::lines(around.walls, person, &scratch.visible, lines, drawn_by)
}

/// Puts the lines of the neighbours after the walls'; returns the number of both together.
fn people_lines(
    around: &Surroundings,
    person: &Person,
    (batch, lane): (&Neighbourhood, usize),
    wall_count: usize,
    lines: &mut [Line; MAX_LINES],
) -> usize {
    let inverse_step = 1.0 / around.step;
    for ((other, _), line) in batch.of(lane).zip(&mut lines[wall_count..]) {
        let other = around.entry(other);
        *line = PairOfPeople {
            relative_position: other.position() - person.position,
            relative_velocity: person.velocity - other.velocity(),
            combined_radius: person.radius + other.radius(),
            inverse_horizon: person.inverse_horizon,
            inverse_step,
            share: line::share(person.responsibility, other.responsibility()),
            spare_room: person.spare_room,
            ids: (person.id, other.id()),
        }
        .line(person.velocity);
    }
    wall_count + batch.count[lane] as usize
}
