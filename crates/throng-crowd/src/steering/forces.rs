//! What the models of forces have in common.
//!
//! People are pulled towards their preferred velocity and pushed by walls and by each other. Forces
//! are per unit of mass, that is, accelerations. A model says how walls and people push; the rest is
//! here.
//!
//! **Walls one walks past do not hold one back.** In the published models the force of a wall points
//! straight away from its nearest point. Before a door the nearest points are its posts, and together
//! they can push back harder than somebody's own drive pulls on, so that nobody enters a door they
//! would fit through unless others push from behind. So the part of a wall's force against the
//! preferred velocity counts only as far as the wall really is in the way of one's body; what points
//! aside, and so leads to the middle of the door, counts in full. Walking along a wall or at one, it is
//! the published force.
//!
//! **Nobody steps back into who is behind them.** In a press, those ahead push harder than one's own drive, and with
//! the published forces a whole crowd walks away from where it wants to go. A model can keep people from it who have
//! somebody right behind them (`step_back`), unless there are people around who want the other way and have to get by.
//!
//! **Who stands, stands firm.** Published forces have no end: a crowd that waits drifts apart for as long
//! as it waits, and in a room nobody is where they were left. Whoever wants to stand does not take a step
//! for less than [`FIRM`]: with the defaults of `pedestrian`, until somebody is within a metre.

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, run_anywhere};
use throng_world::{Wall, WallId};

use super::explain::{Cause, Constraints, Explanation, Force, Forces, Record, Witness};
use super::lanes::{Other, Own, Vec2s};
use super::time_gap::FOLLOWED;
use super::{Parameters, SteeringJob, Surroundings};
use crate::PersonId;
use crate::neighbours::{LANES, Neighbourhood};

/// Pushes that are weaker do not move whoever wants to stand, m/s².
const FIRM: f32 = 0.5;

/// Who is so near, m, and so much (cosine) behind somebody leaves no room to step back.
const CLOSE: f32 = 0.1;
const BEHIND: f32 = -0.7;

/// A model of forces.
pub(super) trait ForceModel {
    type Parameters: Parameters;

    /// The time in which the preferred velocity is taken up, s.
    fn relaxation_time(parameters: &Self::Parameters) -> f32;

    /// The largest acceleration, m/s².
    fn max_acceleration(parameters: &Self::Parameters) -> f32;

    /// How much walls hold back whoever walks past them.
    fn wall_hold(parameters: &Self::Parameters) -> f32;

    /// How far from somebody's centre walls are felt, m.
    fn wall_range(parameters: &Self::Parameters, radius: f32) -> f32;

    /// How strongly a wall pushes at a distance from somebody's centre, m/s².
    fn wall_force(parameters: &Self::Parameters, radius: f32, distance: f32) -> f32;

    /// The speed that forces can drive people to, m/s.
    #[inline(always)]
    fn top_speed<S: Simd>(_: S, _: &Surroundings, own: &Own<S>) -> S::F {
        own.max_speed
    }

    /// How much of a velocity against the way that somebody wants to go is left to them.
    #[inline(always)]
    fn step_back<S: Simd>(simd: S, _: &Surroundings, _: &Own<S>) -> S::F {
        simd.splat(1.0)
    }

    /// How others push, given the force of the goal and of walls. Tells `witness` who does.
    fn people_force<S: Simd>(
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        other_forces: Vec2s<S>,
        witness: &mut impl Witness<S>,
    ) -> Vec2s<S>;
}

/// Lets forces work for a step.
pub(super) fn steer<M: ForceModel>(job: SteeringJob<()>) {
    let model = std::marker::PhantomData::<M>;
    run_anywhere(job.around.simd, ForceKernel { job, model });
}

struct ForceKernel<'a, M> {
    job: SteeringJob<'a, ()>,
    model: std::marker::PhantomData<M>,
}

impl<M: ForceModel> Kernel for ForceKernel<'_, M> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SteeringJob { around, batches, velocities, .. } = self.job;
        let mut walls = WallScratch::default();
        for (batch, velocities) in batches.iter().zip(velocities) {
            let own = Own::new(simd, &around, batch);
            let drive = Drive::of::<M>(simd, &around, batch, &own, &mut walls, &mut ());
            let velocity = drive.velocity(simd, &around, &own);
            *velocities =
                stepping_back::<S, M>(simd, &around, batch, &own, velocity).to_lanes(simd);
        }
    }
}

/// A velocity with no more of what is in it against the preferred one than the model leaves to people, if somebody is
/// right behind and nobody around wants the other way.
#[inline(always)]
fn stepping_back<S: Simd, M: ForceModel>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
    velocity: Vec2s<S>,
) -> Vec2s<S> {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let share = M::step_back(simd, around, own);
    let back = velocity.dot(own.preferred);
    let goes_back = back.lt(zero) & share.lt(one);
    if !goes_back.any() {
        return velocity;
    }
    let wish = own.preferred.dot(own.preferred).max(simd.splat(1e-12));
    let (least, rear) = (wish.sqrt() * simd.splat(FOLLOWED), wish.sqrt() * simd.splat(BEHIND));
    let [mut has_room, mut is_alone] = [goes_back; 2];
    for slot in 0..batch.longest() {
        let other = Other::new(simd, around, batch, slot);
        let apart = other.position.minus(own.position);
        let distance = apart.length();
        let near = distance.lt(own.radius + other.radius + simd.splat(CLOSE));
        let behind = apart.dot(own.preferred).lt(rear * distance);
        let same_way = Vec2s::load(simd, &other.intentions(around)).dot(own.preferred);
        has_room = has_room & !(other.exists & near & behind);
        is_alone = is_alone & !(other.exists & same_way.lt(least));
    }
    let stays = is_alone & !has_room;
    let less = velocity.minus(own.preferred.times(back / wish * (one - share)));
    Vec2s::select(stays, less, velocity)
}

/// What drives sixteen people.
struct Drive<S: Simd> {
    /// The force of the goal alone.
    goal: Vec2s<S>,
    /// All forces together.
    force: Vec2s<S>,
    /// How much of them counts.
    limit: S::F,
    top_speed: S::F,
}

impl<S: Simd> Drive<S> {
    #[inline(always)]
    fn of<M: ForceModel>(
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        walls: &mut WallScratch,
        witness: &mut impl Witness<S>,
    ) -> Self {
        let goal = towards_goal(own, own.parameter(simd, around, M::relaxation_time));
        let mut force = goal;
        if !around.walls.is_empty() {
            let lanes = 0..batch.len;
            let mut forces = [Vec2::ZERO; LANES];
            for (force, lane) in forces.iter_mut().zip(lanes) {
                *force = walls.sum::<M>(around, own.rows[lane]);
            }
            force = force.plus(Vec2s::load(simd, &forces));
        }
        let force = force.plus(M::people_force(simd, around, batch, own, force, witness));
        let pushes = force.minus(goal);
        let stands = own.preferred.dot(own.preferred).le(simd.splat(0.0));
        let firm = stands & pushes.dot(pushes).lt(simd.splat(FIRM * FIRM));
        Self {
            goal,
            force: Vec2s::select(firm, goal, force),
            limit: own.parameter(simd, around, M::max_acceleration),
            top_speed: M::top_speed(simd, around, own),
        }
    }

    /// What velocities become within a step.
    #[inline(always)]
    fn velocity(&self, simd: S, around: &Surroundings, own: &Own<S>) -> Vec2s<S> {
        let change = self.force.at_most(simd, self.limit).times(simd.splat(around.step));
        own.velocity.plus(change).at_most(simd, self.top_speed)
    }
}

/// The forces on the one person in `batch`.
pub(super) fn explain<M: ForceModel>(around: &Surroundings, batch: &Neighbourhood) -> Explanation {
    let mut explanation = Explanation::default();
    let model = std::marker::PhantomData::<M>;
    let job = ExplainForces { around, batch, explanation: &mut explanation, model };
    run_anywhere(around.simd, job);
    explanation
}

struct ExplainForces<'a, M> {
    around: &'a Surroundings<'a>,
    batch: &'a Neighbourhood,
    explanation: &'a mut Explanation,
    model: std::marker::PhantomData<M>,
}

impl<M: ForceModel> Kernel for ExplainForces<'_, M> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around, batch, explanation, .. } = self;
        let own = Own::new(simd, around, batch);
        let (mut walls, mut record) = (WallScratch::default(), Record::default());
        let drive = Drive::of::<M>(simd, around, batch, &own, &mut walls, &mut record);
        let velocity = drive.velocity(simd, around, &own);
        let stepped = stepping_back::<S, M>(simd, around, batch, &own, velocity);
        let footing = stepped.minus(velocity).to_lanes(simd)[0];
        let goal = drive.goal.to_lanes(simd)[0];
        let mut forces = vec![Force { cause: Cause::Goal, acceleration: goal }];
        let stands_firm = drive.force.to_lanes(simd)[0] == goal;
        if stands_firm {
            record = Record::default();
        } else {
            forces.extend(walls.forces::<M>(around, own.rows[0]));
        }
        forces.extend(record.people.iter().map(|&(slot, acceleration)| {
            let other = around.entry(batch.index[slot][0]);
            Force { cause: Cause::Person(PersonId(other.id())), acceleration }
        }));
        if record.chance != Vec2::ZERO {
            forces.push(Force { cause: Cause::Chance, acceleration: record.chance });
        }
        explanation.walls = walls.visible.iter().map(|&(_, id)| id).collect();
        explanation.constraints = Constraints::Forces(Forces {
            forces,
            max_acceleration: drive.limit.to_array()[0],
            top_speed: drive.top_speed.to_array()[0],
            footing,
        });
    }
}

/// The pull towards the preferred velocity, which reaches it in about the time `relaxation`.
#[inline(always)]
fn towards_goal<S: Simd>(own: &Own<S>, relaxation: S::F) -> Vec2s<S> {
    let missing = own.preferred.minus(own.velocity);
    Vec2s { x: missing.x / relaxation, y: missing.y / relaxation }
}

/// Memory to find the walls that push somebody.
#[derive(Default)]
struct WallScratch {
    visible: Vec<(f32, WallId)>,
    /// The ends of each wall, and the number of its push.
    felt: Vec<([Vec2; 2], usize)>,
    pushes: Vec<Push>,
}

/// The push of a wall, which may have many pieces.
struct Push {
    force: Vec2,
    /// How much the wall is in the way.
    in_the_way: f32,
}

impl WallScratch {
    /// The force of all walls on the person in `row`.
    fn sum<M: ForceModel>(&mut self, around: &Surroundings, row: usize) -> Vec2 {
        let people = around.people;
        let (position, radius) = (people.positions[row], people.radii[row]);
        let parameters = &around.parameters(row);
        let range = M::wall_range(parameters, radius);
        if around.walls.room(people.layers[row], position) >= range {
            return Vec2::ZERO;
        }
        around.walls.visible(people.layers[row], position, range, &mut self.visible);
        self.felt.clear();
        self.pushes.clear();
        let heading = around.preferred_velocity(row).normalize_or_zero();
        for &(_, id) in &self.visible {
            let wall = around.walls.get(id);
            let in_the_way = in_the_way(wall, position, heading, radius);
            let nearest = wall.nearest(position);
            // A wall of many pieces repels once: where it goes on, the nearest piece counts.
            let goes_on = |(ends, _): &&([Vec2; 2], usize)| {
                ends.iter().any(|end| end.distance_squared(nearest) < 1e-6)
            };
            let number = match self.felt.iter().find(goes_on) {
                Some(&(_, number)) => {
                    let push = &mut self.pushes[number];
                    push.in_the_way = push.in_the_way.max(in_the_way);
                    number
                }
                None => {
                    let apart = position - nearest;
                    let distance = apart.length();
                    let outwards = Vec2::new(wall.direction.y, -wall.direction.x);
                    let direction = if distance > 1e-6 { apart / distance } else { outwards };
                    let force = direction * M::wall_force(parameters, radius, distance);
                    self.pushes.push(Push { force, in_the_way });
                    self.pushes.len() - 1
                }
            };
            self.felt.push(([wall.start, wall.end], number));
        }
        let hold = M::wall_hold(parameters);
        self.pushes.iter().map(|push| push.on(heading, hold)).sum()
    }

    /// What the last [`sum`](Self::sum), which was for the person in `row`, is made of.
    fn forces<M: ForceModel>(
        &self,
        around: &Surroundings,
        row: usize,
    ) -> impl Iterator<Item = Force> {
        let hold = M::wall_hold(&around.parameters(row));
        let heading = around.preferred_velocity(row).normalize_or_zero();
        self.pushes.iter().enumerate().filter_map(move |(number, push)| {
            // The nearest of its pieces.
            let &(ends, _) = self.felt.iter().find(|(_, of)| *of == number)?;
            Some(Force { cause: Cause::Wall(ends), acceleration: push.on(heading, hold) })
        })
    }
}

impl Push {
    /// The force on somebody who wants to go along `heading`, whom walls beside the way hold back by
    /// the share `hold`.
    fn on(&self, heading: Vec2, hold: f32) -> Vec2 {
        let back = self.force.dot(heading).min(0.0);
        self.force - heading * (back * (1.0 - hold.max(self.in_the_way)))
    }
}

/// How much of a body's half width a wall is in the way of, if it walks on along `heading`: 0 if it
/// passes the wall, 1 if its centre runs into it.
pub(super) fn in_the_way(wall: &Wall, position: Vec2, heading: Vec2, radius: f32) -> f32 {
    let aside = [wall.start, wall.end].map(|end| heading.perp_dot(end - position));
    if aside[0] * aside[1] <= 0.0 {
        return 1.0;
    }
    let clearance = aside[0].abs().min(aside[1].abs());
    (1.0 - clearance / radius.max(1e-6)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_in_the_way_as_far_as_it_covers_the_body() {
        let post = |y: f32| {
            let (start, end) = (Vec2::new(2.0, y), Vec2::new(2.0, 9.0));
            let (previous, next) = (WallId(0), WallId(0));
            Wall { start, end, direction: Vec2::Y, convex: true, previous, next }
        };
        let covered = |y| in_the_way(&post(y), Vec2::ZERO, Vec2::X, 0.2);
        assert_eq!([covered(-1.0), covered(0.0), covered(0.2), covered(3.0)], [1.0, 1.0, 0.0, 0.0]);
        assert!((covered(0.05) - 0.75).abs() < 1e-6);
    }
}
