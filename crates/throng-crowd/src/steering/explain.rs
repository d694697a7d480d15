//! Why somebody is steered as they are.
//!
//! A model explains itself with the numbers it steers by, taken where it makes them: half-planes from
//! the plain version of ORCA, forces from the kernels of the force models, run for one person. What is
//! found here is drawn or put into words; nothing is steered by it.

use glam::Vec2;
use throng_simd::{Floats, Mask, Simd};
use throng_world::{Wall, WallId};

use super::lanes::Vec2s;
use super::rules::Rules;
use crate::PersonId;

/// What makes somebody take the velocity they take.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Constraints {
    /// Nothing, or nothing that the model tells.
    #[default]
    None,
    /// Half-planes of permitted velocities, of which the best is taken.
    HalfPlanes(HalfPlanes),
    /// Forces that add up.
    Forces(Forces),
    /// Urges that add up to a direction, and pushes.
    Urges(Urges),
    /// Rules, of which one counts.
    Rules(Rules),
}

/// Where a half-plane or a force comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// The pull towards the preferred velocity.
    Goal,
    /// Somebody else.
    Person(PersonId),
    /// A piece of wall, from one end to the other, m.
    Wall([Vec2; 2]),
    /// Noise that keeps symmetric encounters from locking.
    Chance,
    /// The direction that they have been walking in.
    Habit,
    /// Somebody who has fallen and lies in the way.
    Fallen(PersonId),
}

impl Cause {
    pub(super) fn wall(wall: &Wall) -> Self {
        Self::Wall([wall.start, wall.end])
    }
}

/// Permitted velocities are those to the left of `direction` through `point`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// A point of the line, m/s.
    pub point: Vec2,
    /// Unit vector along the line.
    pub direction: Vec2,
    /// Who or what demands it.
    pub cause: Cause,
}

impl HalfPlane {
    /// Unit vector into the permitted side.
    pub fn normal(&self) -> Vec2 {
        self.direction.perp()
    }

    /// How far `velocity` lies on the forbidden side, m/s; negative if it is permitted.
    pub fn violation(&self, velocity: Vec2) -> f32 {
        self.normal().dot(self.point - velocity)
    }
}

/// The demands of walls and people on a velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfPlanes {
    /// Those of walls first, nearest first, then those of people in the order of the neighbours.
    pub half_planes: Vec<HalfPlane>,
    /// The largest speed, m/s: velocities are in the disc of this radius.
    pub max_speed: f32,
    /// The velocity to stay near to, m/s.
    pub wanted: Vec2,
    /// The best velocity that all permit, m/s; if there is none, the one that violates those of people
    /// least.
    pub best: Vec2,
    /// Whether some velocity is permitted by all.
    pub is_feasible: bool,
}

/// A force on somebody, per unit of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// What exerts it.
    pub cause: Cause,
    /// How it pushes, m/s².
    pub acceleration: Vec2,
}

/// The forces on somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    /// The goal first, then walls, then people in the order in which they are heeded.
    pub forces: Vec<Force>,
    /// Their sum counts up to this, m/s².
    pub max_acceleration: f32,
    /// How fast it can drive people, m/s.
    pub top_speed: f32,
    /// What keeps them from stepping back into somebody right behind, m/s.
    pub footing: Vec2,
}

impl Forces {
    /// The sum of all forces, m/s².
    pub fn sum(&self) -> Vec2 {
        self.forces.iter().map(|force| force.acceleration).sum()
    }

    /// What somebody's velocity becomes within a step of so many seconds, m/s.
    pub fn velocity(&self, current: Vec2, step: f32) -> Vec2 {
        let change = self.sum().clamp_length_max(self.max_acceleration) * step;
        (current + change).clamp_length_max(self.top_speed) + self.footing
    }
}

/// Something that makes somebody want to walk in a direction, or pushes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Urge {
    /// What it comes from.
    pub cause: Cause,
    /// Where it leads, and how strongly.
    pub vector: Vec2,
}

/// What somebody is driven by who walks in the direction that urges add up to.
#[derive(Clone, Debug, PartialEq)]
pub struct Urges {
    /// Habit and goal first, then walls, then people in the order in which they are heeded. Only the direction
    /// of their sum matters.
    pub urges: Vec<Urge>,
    /// What pushes them, m/s: walls first, then people.
    pub pushes: Vec<Urge>,
    /// Where each of those who have fallen makes them turn to, unit vectors.
    pub fallen: Vec<Urge>,
    /// Where these make them turn to together, a unit vector; zero if nobody does.
    pub aside: Vec2,
    /// How much that counts, from 0 to 1.
    pub aside_share: f32,
    /// How fast they walk of their own accord, m/s.
    pub speed: f32,
    /// The direction in which people push them, a unit vector, or zero: what of their walking goes against it does
    /// not count.
    pub pushed: Vec2,
    /// Pushes count together up to this, m/s.
    pub largest_push: f32,
    /// The largest speed, m/s.
    pub max_speed: f32,
}

impl Urges {
    /// The direction they want to walk in, a unit vector; zero if there is none.
    pub fn direction(&self) -> Vec2 {
        self.urges.iter().map(|urge| urge.vector).sum::<Vec2>().normalize_or_zero()
    }

    /// The velocity that they take, m/s.
    pub fn velocity(&self) -> Vec2 {
        let way = self.direction().lerp(self.aside, self.aside_share);
        let way = way - self.pushed * way.dot(self.pushed).min(0.0);
        let push: Vec2 = self.pushes.iter().map(|push| push.vector).sum();
        let velocity = way * self.speed + push.clamp_length_max(self.largest_push);
        velocity.clamp_length_max(self.max_speed)
    }
}

/// What a model says about the one person it is asked about.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The walls it looks at, nearest first.
    pub walls: Vec<WallId>,
    /// What makes the person take the velocity they take.
    pub constraints: Constraints,
}

/// Is told how people push while forces are summed up. Where nobody wants to know, it is `()`, and the
/// compiler leaves no trace of it.
pub(super) trait Witness<S: Simd> {
    /// In the lanes of `counts`, the neighbour number `slot` pushes.
    fn person(&mut self, simd: S, slot: S::F, counts: S::M, force: Vec2s<S>);

    /// All that people were said to push counts only so much.
    fn scale(&mut self, factor: S::F);

    /// There is a random force as well.
    fn chance(&mut self, simd: S, force: Vec2s<S>);
}

impl<S: Simd> Witness<S> for () {
    #[inline(always)]
    fn person(&mut self, _: S, _: S::F, _: S::M, _: Vec2s<S>) {}

    #[inline(always)]
    fn scale(&mut self, _: S::F) {}

    #[inline(always)]
    fn chance(&mut self, _: S, _: Vec2s<S>) {}
}

/// Writes down how the person in the first lane is pushed.
#[derive(Default)]
pub(super) struct Record {
    /// By neighbours, each once, in the order in which they were first heeded.
    pub people: Vec<(usize, Vec2)>,
    pub chance: Vec2,
}

impl<S: Simd> Witness<S> for Record {
    fn person(&mut self, simd: S, slot: S::F, counts: S::M, force: Vec2s<S>) {
        if counts.bits() & 1 == 0 {
            return;
        }
        let (slot, force) = (slot.to_array()[0] as usize, force.to_lanes(simd)[0]);
        match self.people.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, sum)) => *sum += force,
            None => self.people.push((slot, force)),
        }
    }

    fn scale(&mut self, factor: S::F) {
        let factor = factor.to_array()[0];
        self.people.iter_mut().for_each(|(_, force)| *force *= factor);
    }

    fn chance(&mut self, simd: S, force: Vec2s<S>) {
        self.chance = force.to_lanes(simd)[0];
    }
}
