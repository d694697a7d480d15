//! High-density autonomous crowds (HiDAC): people who queue, push, fall and panic.
//!
//! Somebody's next direction is the sum of where they walked, where they want to go, and where walls and
//! people in a rectangle ahead lead them past ([`others`], [`walls`]); the rectangle is 3 m long, and
//! shrinks to 1.5 m where it is dense. They walk along it, faster and faster up to their speed. Whoever
//! comes into their personal space pushes them; nobody walks against a push, and who is pushed back stops
//! for a moment. In a dense crowd people wait for those ahead and queue. People with small personal spaces
//! push others without meaning to, pushes can make people fall, and panic spreads ([`conduct`]).
//!
//! Source: Pelechano, Allbeck, Badler, *Controlling individual agents in high-density crowd simulation*
//! (SCA 2007). Different here, and why:
//!
//! * **The step.** The paper runs at 25 Hz, and repulsion is a displacement per step. Here it is the velocity
//!   that makes the same displacement in 0.04 s, or in a step if that is longer; inertia is scaled alike. So
//!   all goes the same way with other steps.
//! * **Contacts.** That velocity is part of what the model asks for. The engine's contacts come after it, as
//!   with all models: they see to bodies and walls, never to personal spaces. Whoever has fallen is no
//!   body for contacts (`GridEntry::lies`): others are led round them, and step over them if they are
//!   pushed. Nobody gets up while somebody is over them, so bodies that count never overlap.
//! * **Inertia.** The sum of forces of the last step is its direction only; as printed it would grow without
//!   bound.
//! * **Repulsion.** Of a wall it is the overlap, not the overlap by the distance; two who overlap each take
//!   their share of it, by their responsibilities, or they would part twice as far as needed. Walls push
//!   those who walk, but do not stop them, and not back where they are beside the way.
//! * **Walking and pushes.** In the paper whoever is pushed does not walk at all. People who touch each other all
//!   the time then stand: a door of 1 m let one out in ten seconds, and opposed crowds never passed each other. Here only
//!   the part of their walking that goes against the push is lost. Only pushes straight back stop people,
//!   and nobody stops or waits who meets people coming towards them, since there is nothing to wait for.
//! * **Oncoming people.** In the text those who come towards one are ignored when they are *near*. Here they
//!   are avoided always, and those who walk the same way only when they are near
//!   (`literal_oncoming` is the text).
//! * **Head on** means that the other would be met within θ_R of straight ahead and comes from there. By
//!   directions alone, people who would have passed beside each other change sides.
//! * **Those who stand** and wait for nobody are avoided like people who come towards one.

mod conduct;
mod others;
mod parameters;
mod state;
mod walls;

use glam::Vec2;
use throng_simd::{Floats, Kernel, Simd, run_anywhere};

use super::explain::{Record, Urge, Urges, Witness};
use super::lanes::{Own, Vec2s};
use super::{
    Cause, CommonParameters, Condition, Conduct, Constraints, Explanation, ModelInfo, Parameters,
    SteeringJob, SteeringModel, Surroundings, WallSight,
};
use crate::PersonId;
use crate::neighbours::{LANES, Neighbourhood};
use crate::status::Status;
use conduct::Person;
use others::{Impression, Perception};
pub use parameters::HidacParameters;
use parameters::PERSONALITIES;
pub use state::HidacState;
use walls::{WallImpression, WallLooker, WallSense};

const INFO: ModelInfo = ModelInfo {
    name: "hidac",
    summary: "High-density autonomous crowds (Pelechano et al. 2007): people who queue, push, fall and \
              panic; for doors, evacuations and personalities",
    parameters: HidacParameters::INFOS,
    common: CommonParameters {
        neighbours: 12.0,
        neighbour_range: 5.0,
        ..CommonParameters::DEFAULT
    },
    walls: WallSight::Distance { parameter: "sight", factor: 1.1 },
    personalities: PERSONALITIES,
    gains: parameters::GAINS,
    ..ModelInfo::NEW
};

/// The step of the paper, in which a repulsion is a displacement, s.
const STEP: f32 = 0.04;

/// How much people count as soon as a wall pushes as well (λ; published).
const BESIDE_WALLS: f32 = 0.3;

/// How much those who have fallen count for the direction one takes (β; published).
const FALLEN_SHARE: f32 = 0.5;

/// In panic people are this many times as fast, and speed up and keep their direction so much more.
const PANIC_HASTE: f32 = 1.6;
const PANIC_ACCELERATION: f32 = 2.0;
const PANIC_INERTIA: f32 = 2.0;

/// Nobody is pushed by more than this share of their radius in 0.04 s.
const LARGEST_PUSH: f32 = 0.5;

/// High-density autonomous crowds.
#[derive(Clone, Copy, Debug)]
pub struct Hidac;

impl SteeringModel for Hidac {
    type Parameters = HidacParameters;
    type State = HidacState;

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<HidacState>) {
        run_anywhere(job.around.simd, Steer { job });
    }

    fn explain(
        &self,
        around: &Surroundings,
        batch: &Neighbourhood,
        states: &[HidacState],
    ) -> Explanation {
        let mut explanation = Explanation::default();
        run_anywhere(around.simd, Explain { around, states, batch, explanation: &mut explanation });
        explanation
    }

    fn status(&self, state: &HidacState, status: Status) -> Status {
        state.shown(status)
    }

    fn patience(&self, parameters: &HidacParameters) -> Option<f32> {
        Some(parameters.patience)
    }

    fn is_impatient(&self, state: &HidacState, parameters: &HidacParameters) -> bool {
        conduct::is_impatient(state, parameters)
    }

    fn conduct(&self, state: &HidacState) -> Option<Conduct> {
        (!state.is_new()).then(|| Conduct {
            condition: state.condition(),
            panic: state.panic(),
            panics: state.panics(),
            density: state.density(),
            held_up: state.since(),
        })
    }

    fn set_panic(&self, state: &mut HidacState, level: f32) -> bool {
        state.set_panic(level);
        true
    }

    fn trip(&self, state: &mut HidacState, facing: Vec2) -> bool {
        state.set_state(Condition::Fallen, state.panics());
        state.set_direction(facing);
        state.set_since(0.0);
        true
    }
}

struct Steer<'a> {
    job: SteeringJob<'a, HidacState>,
}

impl Kernel for Steer<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SteeringJob { around, batches, velocities, mut states, .. } = self.job;
        let mut walls = WallSense::default();
        for (batch, velocities) in batches.iter().zip(velocities) {
            let mut drive =
                Drive::new(simd, &around, states.before, batch, &mut walls, [&mut (), &mut ()]);
            for (lane, velocity) in velocities.iter_mut().enumerate().take(batch.len) {
                let motion = drive.motion(&around, lane);
                drive.states[lane].speed = motion.speed;
                *velocity = motion.velocity();
                states.set(batch, lane, drive.states[lane]);
            }
        }
    }
}

/// What drives sixteen people.
struct Drive<S: Simd> {
    own: Own<S>,
    perception: Perception<S>,
    impression: Impression<S>,
    walls: [WallImpression; LANES],
    /// Pushes by people, m in 0.04 s.
    pushes: [Vec2; LANES],
    states: [HidacState; LANES],
}

/// How somebody moves.
struct Motion {
    direction: Vec2,
    /// How fast they walk of their own accord, m/s.
    speed: f32,
    aside: Vec2,
    /// The velocity that they are pushed with, m/s.
    push: Vec2,
    largest_push: f32,
    max_speed: f32,
    /// The direction in which people push them, a unit vector, or zero.
    pushed: Vec2,
}

impl Motion {
    fn aside_share(&self) -> f32 {
        if self.aside == Vec2::ZERO { 0.0 } else { FALLEN_SHARE }
    }

    fn velocity(&self) -> Vec2 {
        let way = self.direction.lerp(self.aside, self.aside_share());
        let way = way - self.pushed * way.dot(self.pushed).min(0.0);
        let push = self.push.clamp_length_max(self.largest_push);
        (way * self.speed + push).clamp_length_max(self.max_speed)
    }
}

impl<S: Simd> Drive<S> {
    #[inline(always)]
    fn new(
        simd: S,
        around: &Surroundings,
        states: &[HidacState],
        batch: &Neighbourhood,
        walls: &mut WallSense,
        witnesses: [&mut impl Witness<S>; 2],
    ) -> Self {
        let own = Own::new(simd, around, batch);
        let perception = Perception::new(simd, around, states, &own);
        let impression = perception.look(simd, around, states, batch, &own, witnesses);
        let walls = look_at_walls(simd, around, batch, &own, &perception, walls);
        let pushes = impression.push.to_lanes(simd);
        let mut drive =
            Self { own, perception, impression, walls, pushes, states: Default::default() };
        drive.states = drive.behave(simd, around, batch);
        drive
    }

    /// The direction everybody would like to walk in (f_To); zero for those who do not.
    #[inline(always)]
    fn directions(&self, simd: S, around: &Surroundings) -> [Vec2; LANES] {
        let (own, number) = (&self.own, |value| simd.splat(value));
        let length = self.own.preferred.length();
        let goal = self.own.preferred.times(number(1.0) / length.max(number(1e-6)));
        let turns = Vec2s::load(simd, &self.walls.map(|walls| walls.turn));
        let habit = Vec2s::load(simd, &self.habits(around));
        let sum = habit
            .plus(goal.times(own.parameter(simd, around, |p: &HidacParameters| p.goal_weight)))
            .plus(turns.times(own.parameter(simd, around, |p: &HidacParameters| p.wall_weight)))
            .plus(self.impression.turn.times(own.parameter(
                simd,
                around,
                |p: &HidacParameters| p.others_weight,
            )));
        let total = sum.length();
        let unit = sum.times(number(1.0) / total.max(number(1e-6)));
        let direction = Vec2s::select(total.gt(number(1e-4)), unit, goal);
        let wants = length.gt(number(1e-3));
        Vec2s::select(wants, direction, Vec2s::zero(simd)).to_lanes(simd)
    }

    /// How much the last direction counts, times that direction.
    #[inline(always)]
    fn habits(&self, around: &Surroundings) -> [Vec2; LANES] {
        std::array::from_fn(|lane| {
            let before = &self.perception.states[lane];
            let inertia = around.parameters::<HidacParameters>(self.own.rows[lane]).inertia;
            let panic = if before.panics() { PANIC_INERTIA } else { 1.0 };
            before.direction() * (inertia * panic * STEP / around.step)
        })
    }

    /// What becomes of everybody.
    #[inline(always)]
    fn behave(&self, simd: S, around: &Surroundings, batch: &Neighbourhood) -> [HidacState; LANES] {
        let Self { own, perception, impression, .. } = self;
        let directions = self.directions(simd, around);
        let held_back = impression.held_back.to_lanes(simd);
        let [pressure, pushers, density, panicking] =
            [impression.pressure, impression.pushers, impression.density, impression.panicking]
                .map(Floats::to_array);
        let is = |bits: u16, lane: usize| bits >> lane & 1 == 1;
        std::array::from_fn(|lane| {
            if lane >= batch.len {
                return HidacState::default();
            }
            let person = Person {
                around,
                id: own.ids[lane],
                parameters: Parameters::from_values(&batch.profile(around.people, lane).values),
                before: perception.states[lane],
                direction: directions[lane],
                push: self.pushes[lane],
                held_back: held_back[lane],
                pressure: pressure[lane],
                pushers: pushers[lane],
                density: density[lane],
                panicking: panicking[lane],
                is_behind: is(impression.is_behind, lane),
                meets: is(impression.meets, lane),
                pushes: is(impression.pushes, lane),
                is_covered: is(impression.is_covered, lane),
            };
            person.state()
        })
    }

    #[inline(always)]
    fn motion(&self, around: &Surroundings, lane: usize) -> Motion {
        let (row, state) = (self.own.rows[lane], &self.states[lane]);
        let people = around.people;
        let (radius, max_speed) = (people.radii[row], people.max_speeds[row]);
        let condition = state.condition();
        let mut motion = Motion {
            direction: state.direction(),
            speed: 0.0,
            aside: self.impression.fallen[lane],
            push: Vec2::ZERO,
            largest_push: LARGEST_PUSH * radius / STEP,
            max_speed,
            pushed: Vec2::ZERO,
        };
        if condition == Condition::Fallen {
            return motion;
        }
        motion.push = self.push_scale(around, lane) * self.pushes[lane]
            + self.walls[lane].push / STEP.max(around.step);
        if !condition.holds_back() && motion.direction != Vec2::ZERO {
            let before = &self.perception.states[lane];
            let HidacParameters { mut haste, mut acceleration, .. } = around.parameters(row);
            if state.panics() {
                haste *= PANIC_HASTE;
                acceleration *= PANIC_ACCELERATION;
            }
            let top = (around.preferred_velocity(row).length() * haste).min(max_speed);
            let speed =
                if before.is_new() { people.velocities[row].length() } else { before.speed };
            motion.speed = (speed + acceleration * around.step).min(top);
            motion.pushed = self.pushes[lane].normalize_or_zero();
        }
        motion
    }

    /// Where each of those who have fallen makes the first person turn.
    fn fallen(
        &self,
        simd: S,
        around: &Surroundings,
        states: &[HidacState],
        batch: &Neighbourhood,
    ) -> Vec<Urge> {
        let heading = self.perception.heading.to_lanes(simd)[0];
        let position = self.own.position.to_lanes(simd)[0];
        let others = batch.of(0).filter_map(|(other, _)| {
            let other = around.entry(other);
            let state = &states[other.row()];
            let lies = state.condition() == Condition::Fallen;
            let to = other.position() - position;
            let vector = others::aside_of_fallen(heading, to, state.direction());
            let cause = Cause::Fallen(PersonId(other.id()));
            (lies && vector != Vec2::ZERO).then_some(Urge { cause, vector })
        });
        others.collect()
    }

    /// What makes a velocity of a push by people.
    fn push_scale(&self, around: &Surroundings, lane: usize) -> f32 {
        let beside_walls = self.walls[lane].push != Vec2::ZERO;
        (if beside_walls { BESIDE_WALLS } else { 1.0 }) / STEP.max(around.step)
    }
}

#[inline(always)]
fn look_at_walls<S: Simd>(
    simd: S,
    around: &Surroundings,
    batch: &Neighbourhood,
    own: &Own<S>,
    perception: &Perception<S>,
    walls: &mut WallSense,
) -> [WallImpression; LANES] {
    let mut seen = [WallImpression::default(); LANES];
    if around.walls.is_empty() {
        return seen;
    }
    let headings = perception.heading.to_lanes(simd);
    let (sights, spaces) = (perception.sight.to_array(), perception.space.to_array());
    for (lane, seen) in seen.iter_mut().enumerate().take(batch.len) {
        let (row, heading, sight) = (own.rows[lane], headings[lane], sights[lane]);
        *seen = walls.look(around, &WallLooker { row, heading, sight, space: spaces[lane] });
    }
    seen
}

struct Explain<'a> {
    around: &'a Surroundings<'a>,
    states: &'a [HidacState],
    batch: &'a Neighbourhood,
    explanation: &'a mut Explanation,
}

impl Kernel for Explain<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { around, states, batch, explanation } = self;
        let mut walls = WallSense::default();
        let (mut turned, mut pushed) = (Record::default(), Record::default());
        let drive = Drive::new(simd, around, states, batch, &mut walls, [&mut turned, &mut pushed]);
        let motion = drive.motion(around, 0);
        let row = drive.own.rows[0];
        let parameters: HidacParameters = around.parameters(row);
        let wall = |id| Cause::wall(around.walls.get(id));
        let person = |slot: usize| Cause::Person(PersonId(around.entry(batch.index[slot][0]).id()));
        let mut urges = Vec::new();
        if motion.direction != Vec2::ZERO {
            let goal = around.preferred_velocity(row).normalize_or_zero();
            let goal = goal * parameters.goal_weight;
            urges.push(Urge { cause: Cause::Habit, vector: drive.habits(around)[0] });
            urges.push(Urge { cause: Cause::Goal, vector: goal });
            let by_walls = parameters.wall_weight;
            urges.extend(
                walls
                    .turns
                    .iter()
                    .map(|&(id, turn)| Urge { cause: wall(id), vector: turn * by_walls }),
            );
            let by_others = parameters.others_weight;
            urges.extend(
                turned
                    .people
                    .iter()
                    .map(|&(slot, turn)| Urge { cause: person(slot), vector: turn * by_others }),
            );
        }
        let mut pushes = Vec::new();
        if drive.states[0].condition() != Condition::Fallen {
            let scale = 1.0 / STEP.max(around.step);
            pushes.extend(
                walls
                    .pushes
                    .iter()
                    .map(|&(id, push)| Urge { cause: wall(id), vector: push * scale }),
            );
            let scale = drive.push_scale(around, 0);
            pushes.extend(
                pushed
                    .people
                    .iter()
                    .map(|&(slot, push)| Urge { cause: person(slot), vector: push * scale }),
            );
        }
        explanation.walls = walls.visible().collect();
        explanation.constraints = Constraints::Urges(Urges {
            urges,
            pushes,
            fallen: drive.fallen(simd, around, states, batch),
            aside: motion.aside,
            aside_share: motion.aside_share(),
            speed: motion.speed,
            pushed: motion.pushed,
            largest_push: motion.largest_push,
            max_speed: motion.max_speed,
        });
    }
}
