//! Whom a person would run into because they cannot have the velocity they have chosen.
//!
//! Each person and wall near by forbids velocities that lead into them within a second, or within the time it takes to
//! brake comfortably if that is longer: half-planes as in ORCA, with this short horizon. What the chosen velocity itself
//! does is the model's affair: a half-plane that forbids it is moved until it does not. So nothing is avoided here that
//! the model does not avoid, and all half-planes have a velocity in common; the question is how near to it one gets.

use glam::Vec2;
use throng_simd::{Floats, LANES, Simd, Vec2s};

use super::super::Surroundings;
use super::super::orca::line::{PairOfPeople, share};
use super::reach::Reach;
use crate::grid::GridEntry;
use crate::neighbours::{MAX_NEIGHBOURS, Neighbourhood};

/// Collisions within this time count, s.
const HORIZON: f32 = 1.0;

/// Deceleration that two who approach each other can rely on, each, m/s²: faster ones need a longer horizon.
const RELIABLE_BRAKING: f32 = 1.2;

/// Walls beyond so many are left out.
const MAX_WALLS: usize = 12;

/// How far on the forbidden side counts as permitted, m/s.
const TOLERANCE: f32 = 1e-4;

/// How much it counts to be far from what was chosen where nothing is permitted.
const FARNESS: f32 = 0.5;

/// A person who does not get the velocity they have chosen, and those around.
pub(super) struct Predicament<'a> {
    pub around: &'a Surroundings<'a>,
    pub batch: &'a Neighbourhood,
    pub lane: usize,
    /// What they have chosen, m/s.
    pub chosen: Vec2,
    /// What they get, m/s.
    pub limited: Vec2,
}

impl<'a> Predicament<'a> {
    fn own(&self) -> &'a GridEntry {
        self.around.entry(self.batch.who[self.lane])
    }

    fn row(&self) -> usize {
        self.batch.rows[self.lane] as usize
    }

    /// Bodies that stand, as they are seen by this one.
    fn others(&self) -> impl Iterator<Item = &'a GridEntry> {
        let entries = self.batch.of(self.lane).map(|(other, _)| self.around.entry(other));
        entries.filter(|other| !other.lies())
    }

    /// Whether the velocity that they get leads into a person or a wall within the horizon.
    #[inline(always)]
    pub fn is_one(&self) -> bool {
        self.others().any(|other| self.leads_into(other))
            || self.walls().any(|wall| self.limited.dot(wall.towards) > wall.closing)
    }

    #[inline(always)]
    fn leads_into(&self, other: &GridEntry) -> bool {
        let own = self.own();
        let to = other.position() - own.position();
        let approach = self.limited - other.velocity();
        let along = approach.dot(to);
        if along <= 0.0 {
            return false;
        }
        let radius = own.radius() + other.radius();
        let (squared, distance_squared) = (approach.length_squared(), to.length_squared());
        let horizon = horizon(squared.sqrt(), 2.0);
        if along < horizon * squared {
            // They are nearest to each other before.
            let aside = approach.perp_dot(to);
            return aside * aside < radius * radius * squared;
        }
        let left = distance_squared - horizon * (2.0 * along - horizon * squared);
        left < radius * radius
    }

    /// The walls within reach, nearest points first found first.
    fn walls(&self) -> impl Iterator<Item = WallAhead> {
        let Surroundings { walls, people, .. } = *self.around;
        let (own, layer) = (self.own(), people.layers[self.row()]);
        let (position, radius) = (own.position(), own.radius());
        let speed = self.limited.length().max(own.velocity().length());
        let reach = radius + speed * horizon(speed, 1.0);
        let near = match walls.is_empty() || walls.room(layer, position) > reach {
            true => &[][..],
            false => walls.near(layer, position),
        };
        let seen = near.iter().map(|&id| walls.get(throng_world::WallId(id)));
        let seen = seen.filter(move |wall| wall.faces(position) && wall.is_within(position, reach));
        seen.map(move |wall| {
            let to = wall.nearest(position) - position;
            let distance = to.length();
            let outwards = Vec2::new(-wall.direction.y, wall.direction.x);
            let towards = if distance > 1e-6 { to / distance } else { outwards };
            WallAhead { towards, closing: (distance - radius).max(0.0) / horizon(speed, 1.0) }
        })
    }

    /// All half-planes.
    pub fn demands(&self) -> Demands {
        let own = self.own();
        let mut demands = Demands { list: [HalfPlane::default(); MOST], count: 0 };
        for WallAhead { towards, closing } in self.walls().take(MAX_WALLS) {
            demands.add(HalfPlane { inwards: -towards, least: -closing }, self.chosen);
        }
        for other in self.others() {
            let relative_position = other.position() - own.position();
            let relative_velocity = own.velocity() - other.velocity();
            let fastest = relative_velocity.length() + self.limited.distance(own.velocity());
            let combined_radius = own.radius() + other.radius();
            let horizon = horizon(fastest, 2.0);
            let reach = combined_radius + horizon * fastest + 0.5;
            if relative_position.length_squared() > reach * reach {
                continue;
            }
            let line = PairOfPeople {
                relative_position,
                relative_velocity,
                combined_radius,
                inverse_horizon: 1.0 / horizon,
                inverse_step: 1.0 / self.around.step,
                share: share(own.responsibility(), other.responsibility()),
                spare_room: 1.0,
                ids: (own.id(), other.id()),
            }
            .line(own.velocity());
            let inwards = line.direction.perp();
            demands.add(HalfPlane { inwards, least: inwards.dot(line.point) }, self.chosen);
        }
        demands
    }

    /// A velocity, not faster than the person can be.
    pub fn at_most(&self, velocity: Vec2) -> Vec2 {
        velocity.clamp_length_max(self.around.people.max_speeds[self.row()])
    }
}

/// For how long ahead collisions count at a closing speed, m/s, that so many can brake, s.
#[inline(always)]
fn horizon(closing: f32, who: f32) -> f32 {
    HORIZON.max(closing * (0.5 / (who * RELIABLE_BRAKING)))
}

/// The nearest point of a wall.
struct WallAhead {
    /// A unit vector.
    towards: Vec2,
    /// How fast one may near it, m/s.
    closing: f32,
}

/// Permitted are velocities of which so much at least points inwards.
#[derive(Clone, Copy, Default)]
struct HalfPlane {
    inwards: Vec2,
    least: f32,
}

const MOST: usize = MAX_NEIGHBOURS + MAX_WALLS;

/// What all around ask of a velocity.
pub(super) struct Demands {
    list: [HalfPlane; MOST],
    count: usize,
}

/// The best velocity within reach.
pub(super) struct Best {
    pub velocity: Vec2,
    /// Whether no half-plane forbids it.
    pub is_permitted: bool,
}

impl Demands {
    /// Adds a half-plane, moved so far that it permits `chosen`.
    fn add(&mut self, HalfPlane { inwards, least }: HalfPlane, chosen: Vec2) {
        self.list[self.count] = HalfPlane { inwards, least: least.min(inwards.dot(chosen)) };
        self.count += 1;
    }

    /// How far the worst half-plane forbids sixteen velocities, m/s.
    #[inline(always)]
    fn violation<S: Simd>(&self, simd: S, velocities: Vec2s<S>) -> S::F {
        let mut worst = simd.splat(0.0);
        for HalfPlane { inwards, least } in &self.list[..self.count] {
            let inwards: Vec2s<S> = Vec2s { x: simd.splat(inwards.x), y: simd.splat(inwards.y) };
            worst = worst.max(simd.splat(*least) - inwards.dot(velocities));
        }
        worst
    }

    /// The permitted velocity within reach that is nearest to `aim`; if there is none, the one that is forbidden least.
    /// Velocities on the edge of the ellipse and inside are tried, 33 in all.
    #[inline(always)]
    pub fn best<S: Simd>(&self, simd: S, reach: &Reach<S>, aim: Vec2) -> Best {
        let aims: Vec2s<S> = Vec2s { x: simd.splat(aim.x), y: simd.splat(aim.y) };
        let mut best = (f32::INFINITY, Vec2::ZERO, false);
        let nearest = reach.towards(simd, aims);
        let tried = RINGS.iter().map(|ring| {
            reach.point(simd, [simd.load(&ring.map(|at| at[0])), simd.load(&ring.map(|at| at[1]))])
        });
        for velocities in std::iter::once(nearest).chain(tried) {
            let violations = self.violation(simd, velocities).to_array();
            let off = velocities.minus(aims);
            let farness = off.length().to_array();
            for (lane, velocity) in velocities.to_lanes(simd).into_iter().enumerate() {
                let is_permitted = violations[lane] <= TOLERANCE;
                let cost = match is_permitted {
                    true => farness[lane],
                    false => violations[lane] + FARNESS * farness[lane],
                };
                if (is_permitted, best.0) > (best.2, cost) {
                    best = (cost, velocity, is_permitted);
                }
            }
        }
        Best { velocity: best.1, is_permitted: best.2 }
    }
}

/// Points of the unit disc: on its edge, and inside.
const RINGS: [[[f32; 2]; LANES]; 2] = rings();

const fn rings() -> [[[f32; 2]; LANES]; 2] {
    // Cosines of multiples of 22.5°.
    const C: [f32; 5] = [1.0, 0.923_879_5, std::f32::consts::FRAC_1_SQRT_2, 0.382_683_43, 0.0];
    let mut rings = [[[0.0; 2]; LANES]; 2];
    let mut i = 0;
    while i < LANES {
        let (quarter, rest) = (i / 4, i % 4);
        let (c, s) = (C[rest], C[4 - rest]);
        let at = match quarter {
            0 => [c, s],
            1 => [-s, c],
            2 => [-c, -s],
            _ => [s, -c],
        };
        rings[0][i] = at;
        // The second ring is half as wide in every other direction, and smaller still in the others.
        let size = if i % 2 == 0 { 0.6 } else { 0.25 };
        rings[1][i] = [size * at[0], size * at[1]];
        i += 1;
    }
    rings
}
