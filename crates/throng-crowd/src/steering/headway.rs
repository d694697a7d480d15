//! People who look ahead for seconds, keep a time gap to those they follow, and rule out collisions within the next second.
//!
//! Three scales of time, each with what is known of people at it:
//!
//! 1. **Direction, seconds ahead, softly.** A predicted encounter makes a person drift aside, the more the sooner it is and
//!    the more room is missing; two who meet exactly head-on pass on one side, the right by default. Encounters
//!    beyond a person's goal do not count.
//! 2. **Speed, the next stride.** A person who follows others keeps a gap that grows with speed, and less of it to those
//!    half aside. That, and not the width of bodies, limits flows through doors and corridors. People who are held up
//!    step aside from those close by, so that a crowd spreads over the width there is.
//! 3. **Collisions, the next second, strictly.** ORCA's linear program takes the velocity nearest to that, with a short
//!    time horizon.
//!
//! Sources: anticipation by time to collision is that of Karamouzas, Skinner, Guy, *Universal power law governing
//! pedestrian interactions* (2014); the time gap, of Tordeux, Chraibi, Seyfried, *Collision-free speed model for pedestrian
//! dynamics* (2015); making room, by the exponential repulsion of Helbing and Molnár (1995), across the way only; the
//! program, of van den Berg et al. (2009). Their combination is of this project.

use glam::Vec2;
use throng_simd::{Floats, Kernel, Mask, Simd, exp, run_anywhere};
use throng_world::temperament::TraitGain;

use super::lanes::{Other, Own, Vec2s, along};
use super::orca::wide::{Goal, ProgramModel, Terms, WideOrca};
use super::orca::{self, Aim, PersonTerms};
use super::time_gap::{ADAPTATION, CRAWL, GapParameters, Leader};
use super::{
    CommonParameters, Explanation, ModelInfo, SteeringJob, SteeringModel, Surroundings, WallSight,
    gains,
};
use crate::neighbours::{LANES, Neighbourhood};
use crate::steering_parameters;

steering_parameters! {
    /// Parameters of `headway`.
    pub struct HeadwayParameters {
        anticipation: 2.1, 0.0..=10.0, "1/s",
            "How fast one drifts aside per metre of room that will be missing in a second (k); 0 looks no further ahead than \
             `time_horizon`";
        anticipation_time: 5.0, 0.1..=20.0, "s", "Encounters this far ahead count 1/e (τ0)";
        oncoming_distance: 0.33, 0.0..=2.0, "m", "The room between bodies with which those are passed who come the other way";
        side: 0.48, -2.0..=2.0, "",
            "How much one keeps to the right of those whom one will meet, as a share of the drift; negative to the left";
        overtaking: 0.8, 0.0..=1.0, "",
            "The weight of an encounter with slower people ahead; 0 follows them and does not overtake";
        elbow_room: 3.4, 0.0..=10.0, "m/s", "How fast one steps aside from people who touch one (V)";
        elbow_range: 0.32, 0.05..=2.0, "m", "Distance between bodies over which that falls to 1/e (σ)";
        converging: -0.65, -2.0..=2.0, "",
            "From this sum of two cosines on the time gap is kept in part: of the angles of one's own way and of the other's \
             with the line from one to the other. 2 is in file, 0 side by side";
        following: 0.15, -2.0..=2.0, "", "From this sum on the whole time gap is kept";
        nominal_diameter: 0.7, 0.0..=2.0, "m", "Gaps are measured between bodies of at most this diameter";
        time_horizon: 0.8, 0.1..=10.0, "s", "For how long ahead collisions with people are ruled out (τ)";
        slow_time_horizon: 0.4, 0.1..=10.0, "s", "The same for people slower than 0.4 m/s";
        time_horizon_walls: 0.5, 0.1..=10.0, "s", "For how long ahead collisions with walls are ruled out (τ_obst)";
    }
}

use HeadwayParameters as P;

const INFO: ModelInfo = ModelInfo {
    name: "headway",
    summary: "Anticipation over seconds, a time gap to those ahead, and ORCA over the next second: measured flows \
              without collisions",
    parameters: P::INFOS,
    walls: WallSight::Time("time_horizon_walls"),
    gains: GAINS,
    common: CommonParameters {
        time_gap: 0.68,
        standing_distance: 0.08,
        stagger: 0.65,
        neighbours: 16.0,
        neighbour_range: 12.0,
        ..CommonParameters::DEFAULT
    },
    ascending: &[["converging", "following"]],
    calibrated: true,
    ..ModelInfo::NEW
};

const GAINS: &[(&str, TraitGain)] =
    &[("anticipation_time", gains::HORIZON), ("neighbour_range", gains::HORIZON)];

/// Speed below which `slow_time_horizon` applies, m/s.
const SLOW: f32 = 0.4;

/// Least time to an encounter, s: bounds the drift, which grows with its inverse.
const MIN_ENCOUNTER_TIME: f32 = 0.4;

/// Miss, m, below which geometry counts less and less for the direction of a drift.
const HEAD_ON: f32 = 0.03;

/// Cosine between two velocities from which a person is followed and not met.
const SAME_WAY: f32 = 0.7;

/// Difference in speed from which slower people are overtaken, m/s, and time to reach them below which they are, s.
const OVERTAKING_SPEED: f32 = 0.15;
const OVERTAKING_TIME: f32 = 4.0;

/// Largest drift, and largest step aside, as a share of the preferred speed.
const MAX_DRIFT: f32 = 0.6;

/// Steps aside slower than this are not made, m/s: people at rest stay at rest.
const MIN_STEP_ASIDE: f32 = 0.05;

/// Distance between two centres below which a step aside does not grow, m, where bodies are larger than that.
const MAX_ELBOW_CONTACT: f32 = 0.5;

/// Encounters later than this and than the goal do not count, s.
const MIN_OUTLOOK: f32 = 1.0;

/// Cosine between one's way and another's from which the other is followed.
const FOLLOWED: f32 = 0.5;

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
        let is_slow = around.entry(batch.who[0]).velocity().length() < SLOW;
        let terms = PersonTerms {
            horizon: if is_slow { parameters.slow_time_horizon } else { parameters.time_horizon },
            wall_horizon: parameters.time_horizon_walls,
            spare_room: 1.0,
        };
        let mut wanted = [Vec2::ZERO; LANES];
        run_anywhere(around.simd, Wanted { around, batch, wanted: &mut wanted });
        orca::explain(around, batch, terms, Aim::Nearest(wanted[0]))
    }
}

/// Computes the velocities of [`wanted`] for an explanation.
struct Wanted<'a> {
    around: &'a Surroundings<'a>,
    batch: &'a Neighbourhood,
    wanted: &'a mut [Vec2; LANES],
}

impl Kernel for Wanted<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let own = Own::new(simd, self.around, self.batch);
        *self.wanted = wanted(simd, self.around, self.batch, &own).to_lanes(simd);
    }
}

impl ProgramModel for Headway {
    #[inline(always)]
    fn terms<S: Simd>(self, simd: S, around: &Surroundings, own: &Own<S>) -> Terms<S> {
        let is_slow = own.velocity.length().lt(simd.splat(SLOW));
        Terms {
            horizon: is_slow.select(
                own.parameter(simd, around, |p: &P| p.slow_time_horizon),
                own.parameter(simd, around, |p: &P| p.time_horizon),
            ),
            wall_horizon: own.parameter(simd, around, |p: &P| p.time_horizon_walls),
            spare_room: simd.splat(1.0),
        }
    }

    #[inline(always)]
    fn goal<S: Simd>(
        self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
    ) -> Goal<S> {
        Goal::nearest(wanted(simd, around, batch, own))
    }
}

/// The velocities that people want before collisions are ruled out, m/s.
#[inline(always)]
fn wanted<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
) -> Vec2s<S> {
    let speed = own.preferred.length();
    let way = own.preferred.times(simd.splat(1.0) / speed.max(simd.splat(1e-6)));
    let Drift { ahead, aside } =
        Anticipation::new(simd, around, own, speed, way).drift(simd, around, batch, own);
    let limit = speed_limit(simd, around, batch, own, (speed, way));
    // People who get on as fast as they want to do not step aside.
    let spare = (speed * speed - limit * limit).max(simd.splat(0.0)).sqrt();
    way.times(limit).plus(ahead).plus(aside.at_most(simd, spare)).at_most(simd, speed)
}

/// Lateral velocities, m/s.
struct Drift<S: Simd> {
    /// Away from predicted encounters.
    ahead: Vec2s<S>,
    /// Away from people close by.
    aside: Vec2s<S>,
}

/// How people give way to those they will meet, and to those close by.
struct Anticipation<S: Simd> {
    strength: S::F,
    time: S::F,
    oncoming_distance: S::F,
    side: S::F,
    overtaking: S::F,
    elbow_room: S::F,
    elbow_range: S::F,
    speed: S::F,
    way: Vec2s<S>,
    /// Time after which encounters do not count, s.
    outlook: S::F,
}

impl<S: Simd> Anticipation<S> {
    #[inline(always)]
    fn new(simd: S, around: &Surroundings, own: &Own<S>, speed: S::F, way: Vec2s<S>) -> Self {
        let goal_distances = own.rows.map(|row| {
            let goal = &around.intents.goals[row];
            match goal.is_to_point() {
                true => goal.target.distance(around.people.positions[row]),
                false => f32::INFINITY,
            }
        });
        let goal_time = simd.load(&goal_distances) / speed.max(simd.splat(1e-6));
        Self {
            strength: own.parameter(simd, around, |p: &P| p.anticipation),
            time: own.parameter(simd, around, |p: &P| p.anticipation_time),
            oncoming_distance: own.parameter(simd, around, |p: &P| p.oncoming_distance),
            side: own.parameter(simd, around, |p: &P| p.side),
            overtaking: own.parameter(simd, around, |p: &P| p.overtaking),
            elbow_room: own.parameter(simd, around, |p: &P| p.elbow_room),
            elbow_range: own.parameter(simd, around, |p: &P| p.elbow_range),
            outlook: goal_time.max(simd.splat(MIN_OUTLOOK)),
            speed,
            way,
        }
    }

    /// Both drifts, across the way: slowing down is left to time gaps and the program.
    #[inline(always)]
    fn drift(
        &self,
        simd: S,
        around: &Surroundings,
        batch: &Neighbourhood,
        own: &Own<S>,
    ) -> Drift<S> {
        let number = |value| simd.splat(value);
        let (mut ahead, mut aside) = (Vec2s::zero(simd), Vec2s::zero(simd));
        // With half of the preferred velocity, people at rest, too, have encounters with those who approach.
        let velocity = own.velocity.plus(own.preferred).times(number(0.5));
        for slot in 0..batch.longest() {
            let other = Other::new(simd, around, batch, slot);
            let apart = other.position.minus(own.position);
            aside = aside.minus(self.repulsion(simd, own, &other, apart));
            ahead = ahead.plus(self.encounter(simd, own, &other, velocity, apart));
        }
        let most = self.speed * number(MAX_DRIFT);
        let across = |drift: Vec2s<S>| drift.minus(self.way.times(drift.dot(self.way)));
        let (ahead, aside) = (across(ahead), across(aside));
        let size = aside.length();
        let made = (size - number(MIN_STEP_ASIDE)).max(number(0.0)).min(most);
        Drift {
            ahead: ahead.at_most(simd, most),
            aside: aside.times(made / size.max(number(1e-6))),
        }
    }

    /// The drift, m/s, that a predicted encounter with another adds, `apart` from one's position.
    #[inline(always)]
    fn encounter(
        &self,
        simd: S,
        own: &Own<S>,
        other: &Other<S>,
        velocity: Vec2s<S>,
        apart: Vec2s<S>,
    ) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one, tiny) = (number(0.0), number(1.0), number(1e-6));
        let approach = velocity.minus(other.velocity);
        let time = apart.dot(approach) / approach.dot(approach).max(tiny);
        let cosine = along(simd, velocity, other.velocity);
        // From one's own predicted position to the other's.
        let miss = apart.minus(approach.times(time));
        let distance = miss.length();
        let room = own.radius + other.radius + self.oncoming_distance * (-cosine).max(zero);
        let missing = room - distance;
        let meets = other.exists & time.gt(zero) & time.lt(self.outlook) & missing.gt(zero);
        if !meets.any() {
            return Vec2s::zero(simd);
        }
        let weight = ((number(SAME_WAY) - cosine) * number(1.0 / SAME_WAY)).max(zero).min(one);
        let is_overtaken = cosine.gt(number(SAME_WAY))
            & (self.speed - other.velocity.dot(self.way)).gt(number(OVERTAKING_SPEED))
            & time.lt(number(OVERTAKING_TIME));
        let weight = is_overtaken.select(weight.max(self.overtaking), weight);
        // People ahead who are slower do nothing about it.
        let share = is_overtaken.select(one, own.share(simd, other));
        let imminence = exp(simd, -(time / self.time)) / time.max(number(MIN_ENCOUNTER_TIME));
        let size = self.strength * share * weight * missing * imminence;
        let right = Vec2s { x: self.way.y, y: -self.way.x };
        // The sign of a miss of millimetres says nothing.
        let away = miss.times(one / distance.max(number(HEAD_ON)));
        let direction = right.times(self.side).minus(away);
        Vec2s::select(meets, direction.times(size), Vec2s::zero(simd))
    }

    /// How fast people step aside from another, against `apart`, m/s: in full up to 90° from their way, not at 120°.
    #[inline(always)]
    fn repulsion(&self, simd: S, own: &Own<S>, other: &Other<S>, apart: Vec2s<S>) -> Vec2s<S> {
        let number = |value| simd.splat(value);
        let (zero, one) = (number(0.0), number(1.0));
        let distance = apart.length().max(number(1e-6));
        let contact = (own.radius + other.radius).min(number(MAX_ELBOW_CONTACT));
        let gap = (distance - contact).max(zero);
        let is_near = other.exists & gap.lt(number(6.0) * self.elbow_range);
        if !is_near.any() {
            return Vec2s::zero(simd);
        }
        let seen = (apart.dot(self.way) / distance * number(2.0) + one).max(zero).min(one);
        let size = seen * self.elbow_room * exp(simd, -(gap / self.elbow_range));
        apart.times(is_near.select(size, zero) / distance)
    }
}

/// The speed along `way` that gaps allow, m/s: the least over those who are followed, each weighted by how far ahead and
/// not beside they are. Of two who converge, each would otherwise follow the other. [`super::time_gap`] says more of the law.
#[inline(always)]
fn speed_limit<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
    (speed, way): (S::F, Vec2s<S>),
) -> S::F {
    let number = |value| simd.splat(value);
    let (zero, one, tiny) = (number(0.0), number(1.0), number(1e-6));
    let common: [&CommonParameters; LANES] =
        std::array::from_fn(|lane| &batch.profile(around.people, lane).common);
    let GapParameters { time_gap, standing_distance, stagger } = GapParameters::new(simd, &common);
    if !time_gap.gt(zero).any() {
        return speed;
    }
    let adaptation = time_gap.max(number(ADAPTATION));
    let nominal = own.parameter(simd, around, |p: &P| p.nominal_diameter);
    let from = own.parameter(simd, around, |p: &P| p.converging);
    let until = own.parameter(simd, around, |p: &P| p.following);
    let mut limit = speed;
    for slot in 0..batch.longest() {
        let other = Other::new(simd, around, batch, slot);
        let Some(leader) = Leader::new(simd, own, &other, way, stagger) else { continue };
        let their_way = Vec2s::load(simd, &other.intentions(around));
        let is_followed = leader.in_the_way & their_way.dot(way).ge(number(FOLLOWED));
        let sum =
            (leader.apart.dot(way) + leader.apart.dot(their_way)) / leader.apart.length().max(tiny);
        let weight = ((sum - from) / (until - from)).max(zero).min(one);
        let gap = leader.gap + (leader.contact - nominal).max(zero);
        let room = gap - standing_distance * leader.kept
            + (adaptation - leader.kept * time_gap) * leader.speed;
        let allowed = speed + weight * (room / adaptation - speed);
        limit = is_followed.select(limit.min(allowed), limit);
    }
    let limit = limit.max(number(CRAWL).min(speed));
    time_gap.gt(zero).select(limit, speed)
}
