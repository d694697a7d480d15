//! Whom a person would run into because they cannot have the velocity they have chosen.
//!
//! Each person and wall near by forbids velocities that lead into them within a second, or within the time it takes to
//! brake comfortably if that is longer: half-planes as in ORCA, with this short horizon. What the chosen velocity itself
//! does is the model's affair: a half-plane that forbids it is moved until it does not. So nothing is avoided here that
//! the model does not avoid, and all half-planes have a velocity in common; the question is how near to it one gets.

use glam::Vec2;
use throng_simd::{Floats, LANES, Mask, Simd, Vec2s, set_bits};

use super::super::Surroundings;
use super::super::lanes::Other;
use super::super::orca::line::PairsOfPeople;
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

/// By how much rounding can move velocities, half-planes and distances at most, m/s or m.
const ROUNDING: f32 = 1e-3;

/// Velocities around one.
struct Disc {
    center: Vec2,
    radius: f32,
}

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

    /// Whether the velocity that they get leads into a wall within the horizon.
    pub fn leads_into_wall(&self) -> bool {
        self.walls().any(|wall| self.limited.dot(wall.towards) > wall.closing)
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

    /// The half-planes that forbid any of the velocities no further than `change` from `center`.
    #[inline(always)]
    pub fn demands<S: Simd>(&self, simd: S, (center, change): (Vec2, f32)) -> Demands {
        let disc = Disc { center, radius: change + ROUNDING };
        let mut demands = Demands { list: [HalfPlane::default(); MOST], count: 0 };
        for WallAhead { towards, closing } in self.walls().take(MAX_WALLS) {
            let inwards = -towards;
            let least = (-closing).min(inwards.dot(self.chosen));
            if least > inwards.dot(center) - disc.radius {
                demands.add(HalfPlane { inwards, least });
            }
        }
        let count = self.batch.count[self.lane] as usize;
        for first in (0..count).step_by(LANES) {
            self.add_others(simd, first, (count - first).min(LANES), &disc, &mut demands);
        }
        demands
    }

    /// Adds the half-planes of up to sixteen neighbours, one per lane.
    #[inline(always)]
    fn add_others<S: Simd>(
        &self,
        simd: S,
        first: usize,
        count: usize,
        disc: &Disc,
        demands: &mut Demands,
    ) {
        let own = self.own();
        let mut entries = [own; LANES];
        for (slot, entry) in (first..first + count).zip(&mut entries) {
            *entry = self.around.entry(self.batch.index[slot][self.lane]);
        }
        let lanes = simd.transpose(entries.each_ref().map(|entry| entry.lanes()));
        let number = |value| simd.splat(value);
        let vector = |value: Vec2| Vec2s::<S> { x: number(value.x), y: number(value.y) };
        let velocity = vector(own.velocity());
        let relative_position = Vec2s { x: lanes[0], y: lanes[1] }.minus(vector(own.position()));
        let relative_velocity = velocity.minus(Vec2s { x: lanes[2], y: lanes[3] });
        let change = number(self.limited.distance(own.velocity()));
        let fastest = relative_velocity.length() + change;
        let combined_radius = number(own.radius()) + lanes[4];
        let horizon = horizons(simd, fastest, 2.0);
        let reach = combined_radius + horizon * fastest + number(0.5);
        let near = relative_position.dot(relative_position).le(reach * reach);
        let exist = near & simd.mask(((1u32 << count) - 1) as u16);
        if !exist.any() {
            return;
        }
        let responsibility = number(own.responsibility());
        let pairs = PairsOfPeople {
            relative_position,
            relative_velocity,
            combined_radius,
            inverse_horizon: number(1.0) / horizon,
            inverse_step: number(1.0 / self.around.step),
            share: responsibility / (responsibility + lanes[5]).max(number(1e-6)),
            spare_room: number(1.0),
        };
        let own_ids = [own.id(); LANES];
        let ids = || (&own_ids, entries.map(GridEntry::id));
        let (point, direction) = pairs.lines(simd, velocity, exist, ids);
        let inwards = Vec2s { x: -direction.y, y: direction.x };
        let least = inwards.dot(point).min(inwards.dot(vector(self.chosen)));
        let matters = least.gt(inwards.dot(vector(disc.center)) - number(disc.radius));
        let (least, inwards) = (least.to_array(), inwards.to_lanes(simd));
        for lane in set_bits((exist & matters).bits()).filter(|&lane| !entries[lane].lies()) {
            demands.add(HalfPlane { inwards: inwards[lane], least: least[lane] });
        }
    }

    /// A velocity, not faster than the person can be.
    pub fn at_most(&self, velocity: Vec2) -> Vec2 {
        velocity.clamp_length_max(self.around.people.max_speeds[self.row()])
    }
}

/// Of some `lanes` of a batch, those whose velocities lead into one of their neighbours within the horizon.
#[inline(always)]
pub(super) fn lead_into_neighbours<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    velocities: Vec2s<S>,
    lanes: u16,
) -> u16 {
    let own = batch.who.map(|who| around.entry(who));
    let own = simd.transpose(std::array::from_fn(|lane| own[lane].lanes()));
    let (position, radius): (Vec2s<S>, _) = (Vec2s { x: own[0], y: own[1] }, own[4]);
    let (zero, two) = (simd.splat(0.0), simd.splat(2.0));
    let mut found = 0;
    for slot in 0..batch.longest() {
        let other = Other::new(simd, around, batch, slot);
        let to = other.position.minus(position);
        let approach = velocities.minus(other.velocity);
        let along = approach.dot(to);
        let radius = radius + other.radius;
        let radius_squared = radius * radius;
        let squared = approach.dot(approach);
        let horizon = horizons(simd, squared.sqrt(), 2.0);
        // They are nearest to each other before, or only then.
        let aside = approach.det(to);
        let before = along.lt(horizon * squared);
        let touch_before = (aside * aside).lt(radius_squared * squared);
        let left = to.dot(to) - horizon * (two * along - horizon * squared);
        let hits = (before & touch_before) | (!before & left.lt(radius_squared));
        let hits = (hits & other.exists & along.gt(zero)).bits() & lanes & !found;
        for lane in set_bits(hits).filter(|&lane| !other.entries[lane].lies()) {
            found |= 1 << lane;
        }
        if found == lanes {
            break;
        }
    }
    found
}

/// Those of a batch whom a wall may be near enough to that it matters, if none that they face is nearer than `rooms`, m.
#[inline(always)]
pub(super) fn near_walls<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    velocities: Vec2s<S>,
    rooms: &[f32; LANES],
) -> u16 {
    let own = batch.who.map(|who| around.entry(who));
    let own = simd.transpose(std::array::from_fn(|lane| own[lane].lanes()));
    let before: Vec2s<S> = Vec2s { x: own[2], y: own[3] };
    let speed = velocities.length().max(before.length());
    // See `Predicament::walls`; a little more, for rounding.
    let reach = own[4] + speed * horizons(simd, speed, 1.0) + simd.splat(ROUNDING);
    (!simd.load(rooms).gt(reach)).bits()
}

/// For how long ahead collisions count at a closing speed, m/s, that so many can brake, s.
#[inline(always)]
fn horizon(closing: f32, who: f32) -> f32 {
    HORIZON.max(closing * (0.5 / (who * RELIABLE_BRAKING)))
}

/// The same for sixteen closing speeds.
#[inline(always)]
fn horizons<S: Simd>(simd: S, closing: S::F, who: f32) -> S::F {
    simd.splat(HORIZON).max(closing * simd.splat(0.5 / (who * RELIABLE_BRAKING)))
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
    fn add(&mut self, half_plane: HalfPlane) {
        self.list[self.count] = half_plane;
        self.count += 1;
    }

    /// How far the worst half-plane forbids each of some velocities, m/s.
    #[inline(always)]
    fn violations<S: Simd, const N: usize>(
        &self,
        simd: S,
        velocities: &[Vec2s<S>; N],
    ) -> [S::F; N] {
        let mut worst = [simd.splat(0.0); N];
        for HalfPlane { inwards, least } in &self.list[..self.count] {
            let inwards: Vec2s<S> = Vec2s { x: simd.splat(inwards.x), y: simd.splat(inwards.y) };
            for (worst, &velocities) in worst.iter_mut().zip(velocities) {
                *worst = worst.max(simd.splat(*least) - inwards.dot(velocities));
            }
        }
        worst
    }

    /// The permitted velocity within reach that is nearest to `aim`; if there is none, the one that is forbidden least.
    /// Velocities on the edge of the ellipse and inside are tried, 33 in all.
    #[inline(always)]
    pub fn best<S: Simd>(&self, simd: S, reach: &Reach<S>, aim: Vec2) -> Best {
        let aims: Vec2s<S> = Vec2s { x: simd.splat(aim.x), y: simd.splat(aim.y) };
        // No closures: what is called twice is not inlined, and lacks the vector instructions then.
        let [first, second] = &RINGS;
        let tried = [
            reach.towards(simd, aims),
            reach.point(simd, [simd.load(&first[0]), simd.load(&first[1])]),
            reach.point(simd, [simd.load(&second[0]), simd.load(&second[1])]),
        ];
        let violations = self.violations(simd, &tried);
        let mut best = Tried {
            velocity: Vec2s::zero(simd),
            cost: simd.splat(f32::INFINITY),
            permitted: simd.mask(0),
            order: simd.splat(0.0),
        };
        for (order, (velocity, violation)) in tried.into_iter().zip(violations).enumerate() {
            let farness = velocity.minus(aims).length();
            // The nearest velocity is the same in all lanes.
            let lanes = simd.mask(if order == 0 { 1 } else { u16::MAX });
            let permitted = violation.le(simd.splat(TOLERANCE)) & lanes;
            let bad = violation + simd.splat(FARNESS) * farness;
            let cost = lanes.select(permitted.select(farness, bad), simd.splat(f32::INFINITY));
            let order = simd.splat(order as f32);
            best.improve(&Tried { velocity, cost, permitted, order });
        }
        best.best(simd)
    }
}

/// Sixteen velocities that were tried.
struct Tried<S: Simd> {
    velocity: Vec2s<S>,
    cost: S::F,
    permitted: S::M,
    /// The first of equals counts.
    order: S::F,
}

impl<S: Simd> Tried<S> {
    /// Takes those of the others that are better.
    #[inline(always)]
    fn improve(&mut self, other: &Self) {
        let (now, then) = (self.permitted, other.permitted);
        let alike = (now & then) | !(now | then);
        let better = (then & !now) | (alike & other.cost.lt(self.cost));
        self.velocity = Vec2s::select(better, other.velocity, self.velocity);
        self.cost = better.select(other.cost, self.cost);
        self.permitted = (better & then) | (!better & now);
        self.order = better.select(other.order, self.order);
    }

    /// The best of all lanes, the first of equals.
    #[inline(always)]
    fn best(&self, simd: S) -> Best {
        let is_permitted = self.permitted.any();
        let among = if is_permitted { self.permitted } else { simd.mask(u16::MAX) };
        let infinity = simd.splat(f32::INFINITY);
        let cost = least(among.select(self.cost, infinity).to_array());
        let mut among = among & self.cost.le(simd.splat(cost));
        if among.bits().count_ones() > 1 {
            let order = least(among.select(self.order, infinity).to_array());
            among = among & self.order.le(simd.splat(order));
        }
        let best = among.bits().trailing_zeros() as usize % LANES;
        Best { velocity: self.velocity.to_lanes(simd)[best], is_permitted }
    }
}

/// The least of sixteen numbers, found without a branch.
#[inline(always)]
fn least(mut numbers: [f32; LANES]) -> f32 {
    least_of_halves::<8>(&mut numbers);
    least_of_halves::<4>(&mut numbers);
    least_of_halves::<2>(&mut numbers);
    least_of_halves::<1>(&mut numbers);
    numbers[0]
}

#[inline(always)]
fn least_of_halves<const HALF: usize>(numbers: &mut [f32; LANES]) {
    for i in 0..HALF {
        let (a, b) = (numbers[i], numbers[i + HALF]);
        numbers[i] = if b < a { b } else { a };
    }
}

/// Points of the unit disc: on its edge, and inside.
const RINGS: [[[f32; LANES]; 2]; 2] = rings();

const fn rings() -> [[[f32; LANES]; 2]; 2] {
    // Cosines of multiples of 22.5°.
    const C: [f32; 5] = [1.0, 0.923_879_5, std::f32::consts::FRAC_1_SQRT_2, 0.382_683_43, 0.0];
    let mut rings = [[[0.0; LANES]; 2]; 2];
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
        [rings[0][0][i], rings[0][1][i]] = at;
        // The second ring is half as wide in every other direction, and smaller still in the others.
        let size = if i % 2 == 0 { 0.6 } else { 0.25 };
        [rings[1][0][i], rings[1][1][i]] = [size * at[0], size * at[1]];
        i += 1;
    }
    rings
}

#[cfg(test)]
mod tests {
    use throng_base::random::{Purpose, Random};
    use throng_simd::{Kernel, Vectors, plain::Plain};

    use super::*;

    /// A choice among velocities, made in lanes and one by one.
    struct Choice<'a> {
        demands: &'a Demands,
        center: Vec2,
        along: Vec2,
        axes: [f32; 3],
        aim: Vec2,
    }

    impl Kernel for &Choice<'_> {
        fn run<S: Simd>(self, simd: S) {
            let reach = Reach::about(simd, self.center, self.along, self.axes);
            let aims: Vec2s<S> = Vec2s { x: simd.splat(self.aim.x), y: simd.splat(self.aim.y) };
            let rings = RINGS.map(|[x, y]| reach.point(simd, [simd.load(&x), simd.load(&y)]));
            let tried = [reach.towards(simd, aims), rings[0], rings[1]];
            let mut best = (f32::INFINITY, Vec2::ZERO, false);
            for velocity in tried.into_iter().flat_map(|lanes| lanes.to_lanes(simd)) {
                let violations = self.demands.list[..self.demands.count].iter();
                let violations = violations.map(|plane| plane.least - plane.inwards.dot(velocity));
                let violation = violations.fold(0.0, f32::max);
                let farness = (velocity - self.aim).length();
                let is_permitted = violation <= TOLERANCE;
                let cost = if is_permitted { farness } else { violation + FARNESS * farness };
                if (is_permitted, best.0) > (best.2, cost) {
                    best = (cost, velocity, is_permitted);
                }
            }
            let found = self.demands.best(simd, &reach, self.aim);
            assert_eq!((found.velocity, found.is_permitted), (best.1, best.2));
        }
    }

    #[test]
    fn the_best_of_all_lanes_is_the_best_one_by_one() {
        let mut draw = Random::new(5).stream(0, 0, Purpose::Goal);
        let mut permitted = 0;
        for case in 0..2000 {
            let mut vector = |size: f32| draw.point_between(Vec2::splat(-size), Vec2::splat(size));
            let mut demands = Demands { list: [HalfPlane::default(); MOST], count: 0 };
            let center = vector(1.5);
            for _ in 0..case % 7 {
                let inwards = vector(1.0).normalize_or(Vec2::X);
                let least = inwards.dot(center + vector(0.2));
                demands.add(HalfPlane { inwards, least });
            }
            // Some can hardly change their velocity: much is the same for them.
            let axes = if case % 50 == 0 { [1e-6; 3] } else { [0.13, 0.12, 0.1] };
            let (along, aim) = (vector(1.0).normalize_or(Vec2::X), center + vector(0.3));
            let choice = Choice { demands: &demands, center, along, axes, aim };
            Vectors::all().into_iter().for_each(|vectors| vectors.run(&choice));
            (&choice).run(Plain);
            let reach = Reach::about(Plain, center, along, axes);
            permitted += usize::from(demands.best(Plain, &reach, aim).is_permitted);
        }
        assert!((500..1900).contains(&permitted), "{permitted}");
    }
}
