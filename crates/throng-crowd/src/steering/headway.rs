//! People who look ahead, keep the gap to those they follow, and choose the direction in which they get on.
//!
//! Three scales of time, each with what is known of people at it:
//!
//! 1. **Seconds ahead, softly: a direction.** Whom a person will meet makes them drift aside by how soon it would be
//!    and by how much room would be missing ([`Anticipation`]); those who come towards them are passed on one side, the right
//!    by default.
//! 2. **The next strides: a speed.** A gap of time is kept to whom one follows ([`Fan`]). How far one gets is judged in five
//!    directions about the first, and the best is taken: without, everybody files along the inner wall of a corner.
//! 3. **The next second, strictly: no collision.** ORCA's linear program takes the velocity nearest to that, with a
//!    short horizon, in which the one who sees the other avoids more ([`Terms`]): followers do all, and those ahead
//!    are not pushed.
//!
//! Sources: anticipation by time to collision is that of Karamouzas, Skinner, Guy, *Universal power law governing
//! pedestrian interactions* (2014); the gap that of Tordeux, Chraibi, Seyfried, *Collision-free speed model for pedestrian
//! dynamics* (2015); directions judged by how far one gets, of Moussaïd, Helbing, Theraulaz, *How simple rules determine
//! pedestrian behavior* (2011); the program, of van den Berg et al. (2009). Their combination is of this project.

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, exp, run_anywhere};
use throng_world::temperament::TraitGain;

use super::lanes::{Other, Own, Vec2s, along};
use super::orca::wide::{Goal, ProgramModel, Row, Terms, WideOrca};
use super::orca::{self, Aim, PersonTerms};
use super::{
    CommonParameters, Explanation, ModelInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
    gains,
};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering_parameters;

steering_parameters! {
    /// Parameters of `headway`.
    pub struct HeadwayParameters {
        time_horizon: 1.0, 0.1..=10.0, "s", "For how long ahead collisions with people are ruled out (τ)";
        slow_time_horizon: 0.5, 0.1..=10.0, "s", "The same for those slower than 0.4 m/s";
        time_horizon_walls: 0.75, 0.1..=10.0, "s", "For how long ahead collisions with walls are ruled out (τ_obst)";
        anticipation: 2.0, 0.0..=10.0, "1/s",
            "How fast one drifts aside per metre of room that will be missing, a second ahead (k); 0 looks no further ahead \
             than the horizon";
        anticipation_time: 6.0, 0.1..=20.0, "s", "Encounters this far ahead count 1/e (τ0)";
        oncoming_distance: 0.4, 0.0..=2.0, "m", "The room between bodies with which those are passed who come towards one";
        side: 0.4, -2.0..=2.0, "",
            "How much one keeps to the right of those whom one will meet, as a share of the drift; negative to the left";
        overtaking: 0.5, 0.0..=1.0, "", "How much slower people ahead count as somebody to be met; 0 follows them";
        fan_cost: 0.3, 0.0..=2.0, "", "What it costs to turn aside by 90°, in units of the preferred speed";
        fan_memory: 0.1, 0.0..=2.0, "", "How much is gained by going on as before";
        converging: 1.0, -2.0..=2.0, "",
            "From this sum of two cosines on others are followed: of the own direction and of theirs with the way from \
             one to the other. 2 is in file, 0 side by side";
        following: 1.8, -2.0..=2.0, "", "From this sum on they are followed in full";
        nominal_diameter: 0.36, 0.0..=1.0, "m", "The gap is measured between bodies of at most this diameter";
    }
}

use HeadwayParameters as P;

const INFO: ModelInfo = ModelInfo {
    name: "headway",
    summary: "Anticipation over seconds, a kept gap in the direction that leads furthest, and ORCA over \
              the next second",
    parameters: P::INFOS,
    walls: WallSight::Time("time_horizon_walls"),
    gains: GAINS,
    common: CommonParameters {
        time_gap: 0.7,
        standing_distance: 0.05,
        stagger: 1.0,
        neighbours: 16.0,
        neighbour_range: 12.0,
        ..CommonParameters::DEFAULT
    },
    calibrated: true,
    ..ModelInfo::NEW
};

const GAINS: &[(&str, TraitGain)] =
    &[("anticipation_time", gains::HORIZON), ("neighbour_range", gains::HORIZON)];

/// Below this speed, m/s, the shorter horizon counts.
const SLOW: f32 = 0.4;

/// Encounters count as at least this far ahead, s.
const SOONEST: f32 = 0.4;

/// Those whose velocity is so much (cosine) along one's own are followed and not met, unless they are overtaken.
const ALONG: f32 = 0.7;

/// By how much others are slower whom one overtakes, m/s, and how soon one would be at them, s.
const SLOWER: f32 = 0.15;
const OVERTAKEN_WITHIN: f32 = 4.0;

/// Drift counts up to this share of the preferred speed.
const MOST_DRIFT: f32 = 0.6;

/// Encounters later than the goal is reached, and than this, s, do not count.
const LEAST_OUTLOOK: f32 = 1.0;

/// Directions that are judged: cosines and sines of 0°, ±20° and ±45°.
const FAN: [[f32; 2]; 5] = [
    [1.0, 0.0],
    [0.939_692_6, -0.342_020_14],
    [0.939_692_6, 0.342_020_14],
    [std::f32::consts::FRAC_1_SQRT_2, -std::f32::consts::FRAC_1_SQRT_2],
    [std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2],
];

/// Those are followed whose intention is so much (cosine) along the direction.
const FOLLOWED: f32 = 0.5;

/// Time in which a gap that is too short or too long is made up for (A), s.
const ADAPTATION: f32 = 1.0;

/// Speed that is always left, m/s.
const CRAWL: f32 = 0.05;

/// The model `headway`.
#[derive(Clone, Copy, Debug)]
pub struct Headway;

impl SteeringModel for Headway {
    type Parameters = P;
    type State = ();

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<()>) {
        let SteeringJob { around, batches, velocities, rooms, .. } = job;
        let model = *self;
        run_anywhere(around.simd, WideOrca { model, around, batches, velocities, rooms });
    }

    fn is_memoryless(&self) -> bool {
        true
    }

    fn keeps_time_gap(&self) -> bool {
        true
    }

    fn explain(&self, around: &Surroundings, batch: &Neighbourhood, _: &[()]) -> Explanation {
        let row = batch.rows[0] as usize;
        let parameters: P = around.parameters(row);
        let slow = around.entry(batch.who[0]).velocity().length() < SLOW;
        let horizon = if slow { parameters.slow_time_horizon } else { parameters.time_horizon };
        let terms = PersonTerms {
            horizon,
            wall_horizon: parameters.time_horizon_walls,
            spare_room: 1.0,
            facing: Some(around.facing(row)),
        };
        orca::explain(around, batch, terms, |walls| {
            let mut rows = vec![Row::FREE; walls.len()];
            rows.iter_mut().zip(walls).for_each(|(row, &line)| row.set_lane(0, line));
            let mut wanted = [Vec2::ZERO; LANES];
            let (walls, found) = (&rows, &mut wanted);
            run_anywhere(around.simd, Wanted { around, batch, walls, found });
            Aim::Nearest(wanted[0])
        })
    }
}

/// Finds what people want before collisions are ruled out.
struct Wanted<'a> {
    around: &'a Surroundings<'a>,
    batch: &'a Neighbourhood,
    walls: &'a [Row],
    found: &'a mut [Vec2; LANES],
}

impl Kernel for Wanted<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let own = Own::new(simd, self.around, self.batch);
        *self.found = wanted(simd, self.around, self.batch, &own, self.walls).to_lanes(simd);
    }
}

impl ProgramModel for Headway {
    #[inline(always)]
    fn terms<S: Simd>(self, simd: S, around: &Surroundings, own: &Own<S>) -> Terms<S> {
        let slow = own.velocity.length().lt(simd.splat(SLOW));
        Terms {
            horizon: slow.select(
                own.parameter(simd, around, |p: &P| p.slow_time_horizon),
                own.parameter(simd, around, |p: &P| p.time_horizon),
            ),
            wall_horizon: own.parameter(simd, around, |p: &P| p.time_horizon_walls),
            spare_room: simd.splat(1.0),
            facing: Some(Vec2s::load(simd, &own.rows.map(|row| around.facing(row)))),
        }
    }

    #[inline(always)]
    fn goal<S: Simd>(
        self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        walls: &[Row],
    ) -> Goal<S> {
        Goal::nearest(wanted(simd, around, batch, own, walls))
    }
}

/// The velocities that people want before collisions are ruled out.
#[inline(always)]
fn wanted<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
    walls: &[Row],
) -> Vec2s<S> {
    let speed = own.preferred.length();
    let way = own.preferred.times(simd.splat(1.0) / speed.max(simd.splat(1e-6)));
    let drift = Anticipation::new(simd, around, own, speed, way).drift(simd, around, batch, own);
    let towards = own.preferred.plus(drift).at_most(simd, speed);
    Fan::new(simd, around, batch, towards).best(simd, around, batch, own, walls)
}

/// How people give way to whom they will meet.
struct Anticipation<S: Simd> {
    strength: S::F,
    time: S::F,
    oncoming_distance: S::F,
    side: S::F,
    overtaking: S::F,
    speed: S::F,
    way: Vec2s<S>,
    /// Later encounters do not count, s.
    outlook: S::F,
}

impl<S: Simd> Anticipation<S> {
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, own: &Own<S>, speed: S::F, way: Vec2s<S>) -> Self {
        let outlook = own.rows.map(|row| {
            let goal = &around.intents.goals[row];
            match goal.is_to_point() {
                true => goal.target.distance(around.people.positions[row]),
                false => f32::INFINITY,
            }
        });
        let least = simd.splat(LEAST_OUTLOOK);
        Self {
            strength: own.parameter(simd, around, |p: &P| p.anticipation),
            time: own.parameter(simd, around, |p: &P| p.anticipation_time),
            oncoming_distance: own.parameter(simd, around, |p: &P| p.oncoming_distance),
            side: own.parameter(simd, around, |p: &P| p.side),
            overtaking: own.parameter(simd, around, |p: &P| p.overtaking),
            outlook: (simd.load(&outlook) / speed.max(simd.splat(1e-6))).max(least),
            speed,
            way,
        }
    }

    /// The change of the preferred velocity, m/s. Waiting is not its affair: what of it points backwards is left out.
    #[inline(always)]
    fn drift(
        &self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
    ) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one, tiny) = (number(0.0), number(1.0), number(1e-6));
        // Who stands feels those who come as well.
        let going = own.velocity.plus(own.preferred).times(number(0.5));
        let right = Vec2s { x: self.way.y, y: -self.way.x };
        let mut sum = Vec2s::zero(simd);
        for slot in 0..batch.longest() {
            let other = Other::new(simd, around, batch, slot);
            let apart = other.position.minus(own.position);
            let approach = going.minus(other.velocity);
            let time = apart.dot(approach) / approach.dot(approach).max(tiny);
            let cosine = along(simd, going, other.velocity);
            // From where one will be to where the other will be.
            let miss = apart.minus(approach.times(time));
            let distance = miss.length();
            let room =
                own.radius + other.radius + self.oncoming_distance * (-cosine).max(zero);
            let missing = room - distance;
            let meets = other.exists & time.gt(zero) & time.lt(self.outlook) & missing.gt(zero);
            if !meets.any() {
                continue;
            }
            let across = ((number(ALONG) - cosine) * number(1.0 / ALONG)).max(zero).min(one);
            let slower = (self.speed - other.velocity.dot(self.way)).gt(number(SLOWER))
                & time.lt(number(OVERTAKEN_WITHIN));
            let across = slower.select(across.max(self.overtaking), across);
            let imminence = exp(simd, -(time / self.time)) / time.max(number(SOONEST));
            let size = self.strength * own.share(simd, &other) * across * missing * imminence;
            let away = miss.times(-one / distance.max(tiny));
            let change = away.plus(right.times(self.side)).times(size);
            sum = Vec2s::select(meets, sum.plus(change), sum);
        }
        let backwards = sum.dot(self.way).min(zero);
        sum.minus(self.way.times(backwards)).at_most(simd, self.speed * number(MOST_DRIFT))
    }
}

/// How fast people get on in five directions.
struct Fan<S: Simd> {
    speed: S::F,
    ways: [Vec2s<S>; FAN.len()],
    time_gap: S::F,
    standing_distance: S::F,
    stagger: S::F,
}

impl<S: Simd> Fan<S> {
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, batch: &Neighbourhood, towards: Vec2s<S>) -> Self {
        let speed = towards.length();
        let way = towards.times(simd.splat(1.0) / speed.max(simd.splat(1e-6)));
        let mut ways = [way; FAN.len()];
        for (turned, [cosine, sine]) in ways.iter_mut().zip(FAN) {
            let (cosine, sine) = (simd.splat(cosine), simd.splat(sine));
            *turned = Vec2s { x: way.x * cosine - way.y * sine, y: way.x * sine + way.y * cosine };
        }
        let traits: [&CommonParameters; LANES] =
            std::array::from_fn(|lane| &batch.profile(around.people, lane).common);
        Self {
            speed,
            ways,
            time_gap: simd.load(&traits.map(|traits| traits.time_gap)),
            standing_distance: simd.load(&traits.map(|traits| traits.standing_distance)),
            stagger: simd.load(&traits.map(|traits| traits.stagger)),
        }
    }

    /// The velocity in the direction that is worth most.
    #[inline(always)]
    fn best(
        &self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        walls: &[Row],
    ) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one) = (number(0.0), number(1.0));
        let mut free = [self.speed; FAN.len()];
        for wall in walls {
            let (point, direction) = (wall.point(simd), wall.direction(simd));
            let offset = direction.det(point);
            for (free, way) in free.iter_mut().zip(&self.ways) {
                // Permitted is to the left of the line.
                let inwards = direction.det(*way);
                let most = (offset / inwards).max(zero);
                *free = inwards.lt(number(-1e-6)).select(free.min(most), *free);
            }
        }
        if self.time_gap.gt(zero).any() {
            self.keep_gaps(simd, around, batch, own, &mut free);
        }
        let cost = own.parameter(simd, around, |p: &P| p.fan_cost);
        let memory = own.parameter(simd, around, |p: &P| p.fan_memory);
        let (mut best, mut worth) = (Vec2s::zero(simd), number(f32::NEG_INFINITY));
        for ((free, way), [cosine, _]) in free.into_iter().zip(&self.ways).zip(FAN) {
            let cosine = number(cosine);
            let value = free * cosine - cost * self.speed * (one - cosine)
                + memory * own.velocity.dot(*way);
            let better = value.gt(worth);
            worth = better.select(value, worth);
            let velocity = way.times(free.max(number(CRAWL).min(self.speed)));
            best = Vec2s::select(better, velocity, best);
        }
        best
    }

    /// Lowers speeds to what the gaps to others allow.
    #[inline(always)]
    fn keep_gaps(
        &self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
        free: &mut [S::F; FAN.len()],
    ) {
        let number = |value| simd.splat(value);
        let (zero, one, tiny) = (number(0.0), number(1.0), number(1e-6));
        let adaptation = self.time_gap.max(number(ADAPTATION));
        let nominal = own.parameter(simd, around, |p: &P| p.nominal_diameter);
        let from = own.parameter(simd, around, |p: &P| p.converging);
        let until = own.parameter(simd, around, |p: &P| p.following);
        let steepness = one / (until - from).max(number(1e-3));
        for slot in 0..batch.longest() {
            let other = Other::new(simd, around, batch, slot);
            let apart = other.position.minus(own.position);
            let distance_squared = apart.dot(apart);
            let contact = own.radius + other.radius;
            let reach = self.speed * adaptation + contact + number(1.0);
            let is_near = other.exists & distance_squared.lt(reach * reach);
            if !is_near.any() {
                // Neighbours are sorted by distance.
                continue;
            }
            let inverse_distance = one / distance_squared.sqrt().max(tiny);
            let intention = Vec2s::load(simd, &other.intentions(around));
            let their_cosine = apart.dot(intention) * inverse_distance;
            let extra = (contact - nominal).max(zero);
            for (free, way) in free.iter_mut().zip(&self.ways) {
                let (ahead, aside) = (apart.dot(*way), apart.det(*way));
                let reach_squared = contact * contact - aside * aside;
                let in_the_way = is_near
                    & ahead.gt(zero)
                    & reach_squared.gt(zero)
                    & intention.dot(*way).ge(number(FOLLOWED));
                let sum = ahead * inverse_distance + their_cosine;
                let share = ((sum - from) * steepness).max(zero).min(one);
                let gap = ahead - reach_squared.max(zero).sqrt() + extra;
                let overlap = self.stagger * (aside * aside) / (contact * contact);
                let kept = (one - overlap).max(zero);
                let speed_ahead = other.velocity.dot(*way).max(zero);
                let room = gap - self.standing_distance * kept
                    + (adaptation - kept * self.time_gap) * speed_ahead;
                let limit = (one - share) * self.speed + share * (room / adaptation);
                *free = in_the_way.select(free.min(limit), *free);
            }
        }
        for free in free {
            *free = free.max(zero);
        }
    }
}
