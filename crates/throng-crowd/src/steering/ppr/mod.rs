//! Plan, predict, react (PPR): a pedestrian of rules, the one that others are compared with.
//!
//! People walk to a local target of their way. Several times a second they perceive who is in the half-disc ahead
//! and predict whom they would run into ([`predict`]); with those they deal early and little by little, whatever
//! the others do: they pass, hurry or slow down, and then keep on until it is over ([`state`]). Five feelers tell
//! what is right ahead ([`feelers`]), and a tree of rules what to do about it at once ([`react`]). What is
//! decided is walked by a body with limited forces and turns.
//!
//! Source: Singh, Kapadia, Faloutsos, Reinman, *An open framework for developing, evaluating, and sharing steering
//! algorithms* (MIG 2009), and the constants of its public release. Different here, and why:
//!
//! * **Plans.** Long-term and short-term plans are the engine's ways: the point that draws somebody on takes the
//!   place of the furthest visible node of a path on a grid, and as there, a crossing beyond it is no threat.
//! * **Time.** Turns are per second instead of per frame, and are angles; whoever faces exactly away turns over a side.
//!   Phases have periods in seconds, and people of different ids take their turns in different steps.
//! * **Speed turns with the body.** What somebody has along their heading they keep along the new one.
//! * **Close calls.** Whether somebody ahead matters is judged by the velocity one wants, not the one that
//!   stopping for them has left, or people who stand before each other would set off in every other step.
//! * **Bends.** People turn as fast as it takes to get to the local target on an arc: with the published rates alone
//!   they walk round points that are near, and swing out at corners.
//! * **Walls beside the way.** A feeler that grazes a wall turns nobody whose way leads off it anyway: the
//!   engine's ways lead closely along walls.
//! * **Those who stand** or walk ahead are come up to no faster than the gap allows.
//! * **Stuck.** "Stop" and "as slow as the slowest" end in a standstill when everybody does so. Whoever does not get on
//!   presses on for a second or lets up for one, by chance, as in models without avoidance; contacts do the rest.

mod feelers;
mod parameters;
mod predict;
mod react;
mod state;

use crate::steering::gains;
use glam::Vec2;

use super::none::lets_up;
use super::single::SteeredPerson;
use super::{
    Action, CommonParameters, Constraints, Encounter, Explanation, Mode, ModelInfo, Rules,
    SteeringJob, SteeringModel, Surroundings, WallSight, pair_side,
};
use crate::grid::GridEntry;
use crate::guidance::Course;
use crate::neighbours::Neighbourhood;
use feelers::Feelers;
pub use parameters::PprParameters;
pub use state::PprState;
use state::{Command, Turn};

const INFO: ModelInfo = ModelInfo {
    name: "ppr",
    summary: "Plan, predict, react (Singh et al. 2009): rules about whom one will run into and what is right ahead; \
              the baseline of steering benchmarks",
    parameters: PprParameters::INFOS,
    common: CommonParameters {
        neighbours: 16.0,
        neighbour_range: 10.0,
        ..CommonParameters::DEFAULT
    },
    walls: WallSight::Distance { parameter: "feeler", factor: 1.2 },
    gains: &[("t_max", gains::HORIZON), ("comfort_zone", gains::SPACE)],
    ascending: &[["t_min", "t_max"]],
    ..ModelInfo::NEW
};

/// Cosines of the angle between heading and local target (published): below the first somebody turns until it is
/// above the second, and below the third they turn faster.
const TURN_FROM: f32 = 0.55;
const TURN_UNTIL: f32 = 0.99;
const WELL_ASIDE: f32 = 0.94;

/// How strongly speed is driven to what it should be, 1/s (published for a mass of 1 kg).
const DRIVE: f32 = 8.0;

/// The most of one's speed that braking takes away in a step (published).
const BRAKING: f32 = 0.95;

/// Whoever gets on with less than this share of their speed, in the last second or so, is stuck. Sooner than
/// [`crate::Status::Blocked`], or two pairs who meet in a corridor stand for more than three seconds.
const STUCK: f32 = 0.25;

/// Whoever wants to be slower than this rests, m/s.
const REST: f32 = 1e-3;

/// Plan, predict, react.
#[derive(Clone, Copy, Debug)]
pub struct Ppr;

impl SteeringModel for Ppr {
    type Parameters = PprParameters;
    type State = PprState;

    fn info(&self) -> &'static ModelInfo {
        &INFO
    }

    fn steer(&self, job: SteeringJob<PprState>) {
        job.one_by_one(|person, state| {
            let step = Walker::new(person, *state).walk();
            *state = step.state;
            step.velocity()
        });
    }

    fn explain(
        &self,
        around: &Surroundings,
        batch: &Neighbourhood,
        states: &[PprState],
    ) -> Explanation {
        let person = SteeredPerson::new(around, batch, 0);
        let before = states.get(person.row).copied().unwrap_or_default();
        let walker = Walker::new(&person, before);
        let Step { state, speed, scoot } = walker.walk();
        let rests = state.command.action == Action::Rest;
        let feelers = if rests { Vec::new() } else { walker.tell(&walker.feel()) };
        let mut walls = Vec::new();
        if !around.walls.is_empty() {
            let reach = walker.parameters.feeler + walker.person.radius;
            walker.person.look_at_walls(reach, &mut walls);
        }
        let mut threats = state.threats().to_vec();
        threats.sort_by(|a, b| a.begins.total_cmp(&b.begins).then(a.person.cmp(&b.person)));
        let (mode, action, heading) = (state.mode, state.command.action, state.heading);
        Explanation {
            walls: walls.iter().map(|&(_, id)| id).collect(),
            constraints: Constraints::Rules(Rules {
                mode,
                threats,
                feelers,
                action,
                heading,
                speed,
                scoot,
            }),
        }
    }
}

/// Where somebody wants to be next.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// A unit vector; zero if there is nowhere to go.
    direction: Vec2,
    /// How far away the next point of the way is, m; infinite if there is none.
    distance: f32,
    /// How far away they will stop, m; infinite if that is not in sight.
    goal_distance: f32,
    /// How fast they want to be, m/s.
    speed: f32,
}

impl Target {
    fn of(around: &Surroundings, row: usize) -> Self {
        let Surroundings { people, intents, .. } = around;
        let wanted = around.preferred_velocity(row);
        let (goal, position) = (&intents.goals[row], people.positions[row]);
        let is_place = goal.is_to_point() && goal.floor == people.layers[row];
        let to_goal = if is_place { goal.target.distance(position) } else { f32::INFINITY };
        let aim = intents.outlooks.get(row).map(|outlook| outlook.aim);
        let (distance, goal_distance) = match (goal.course, aim) {
            (Course::Straight, _) => (to_goal, to_goal),
            (Course::Routed, Some(aim)) => (aim.distance(position), f32::INFINITY),
            _ => (f32::INFINITY, f32::INFINITY),
        };
        let (direction, speed) = (wanted.normalize_or_zero(), wanted.length());
        Self { direction, distance, goal_distance, speed }
    }
}

/// Somebody on the way.
struct Walker<'a> {
    person: &'a SteeredPerson<'a>,
    parameters: PprParameters,
    target: Target,
    /// Where they face, a unit vector.
    heading: Vec2,
    before: PprState,
}

/// What they do in a step, and what they remember of it.
struct Step {
    state: PprState,
    /// Along the heading and to the left of it, m/s.
    speed: f32,
    scoot: f32,
}

impl Step {
    fn velocity(&self) -> Vec2 {
        self.state.heading * self.speed + self.state.heading.perp() * self.scoot
    }
}

impl<'a> Walker<'a> {
    fn new(person: &'a SteeredPerson<'a>, before: PprState) -> Self {
        let people = person.around.people;
        let heading = if before.is_new() { people.facings[person.row] } else { before.heading };
        let target = Target::of(person.around, person.row);
        Self { person, parameters: person.parameters(), target, heading, before }
    }

    fn walk(&self) -> Step {
        let mut state = self.before;
        state.heading = self.heading;
        if self.target.speed < REST {
            (state.mode, state.command) = (Mode::Normal, Command::default());
            state.forget_threats();
        } else {
            self.decide(&mut state);
        }
        self.go(state)
    }

    fn decide(&self, state: &mut PprState) {
        state.pass(self.person.around.step, self.parameters.linger);
        let rests = self.before.command.action == Action::Rest;
        if rests || self.is_due(self.parameters.predict_period) {
            if self.parameters.prediction >= 0.5 {
                self.predict(state);
            }
            let before = state.mode;
            state.mode = self.next_mode(state);
            if before == Mode::Proactive && state.mode == Mode::Waiting {
                // As they walk now, nothing happens: so they keep to it.
                let along = self.person.velocity.dot(self.heading);
                state.command.pace = along / self.target.speed;
            }
        }
        if rests || self.is_due(self.parameters.react_period) {
            if self.turns(state.mode) {
                state.mode = Mode::Turning;
            } else if state.mode == Mode::Turning {
                state.mode = self.next_mode(state);
            }
            state.command = self.command_now(state);
        }
    }

    /// Whether it is their turn to do what is done every so many seconds.
    fn is_due(&self, period: f32) -> bool {
        let Surroundings { step, steps, .. } = *self.person.around;
        let every = (period / step).round().max(1.0) as u64;
        (steps + u64::from(self.person.id)).is_multiple_of(every)
    }

    /// Whether their way is so far aside that they do nothing but turn.
    fn turns(&self, mode: Mode) -> bool {
        let cosine = self.heading.dot(self.target.direction);
        cosine < if mode == Mode::Turning { TURN_UNTIL } else { TURN_FROM }
    }

    fn next_mode(&self, state: &mut PprState) -> Mode {
        if self.turns(state.mode) {
            Mode::Turning
        } else if state.imminent().is_some() {
            Mode::Proactive
        } else if matches!(state.mode, Mode::Proactive | Mode::Waiting)
            && !state.threats().is_empty()
        {
            Mode::Waiting
        } else {
            state.forget_threats();
            Mode::Normal
        }
    }

    fn command_now(&self, state: &PprState) -> Command {
        if self.person.around.people.paces[self.person.row] < STUCK {
            return self.when_stuck();
        }
        let feelers: Feelers = self.feel();
        let command = self.react(&feelers).unwrap_or_else(|| self.by_mode(state));
        Command { scoot: command.scoot + self.scoot(&feelers), ..command }
    }

    /// Presses on, or takes the pressure off the others.
    fn when_stuck(&self) -> Command {
        let (action, pace) = if lets_up(self.person.around, self.person.row) {
            (Action::LetUp, 0.0)
        } else {
            (Action::PressOn, 1.0)
        };
        let turn = Turn::Target(self.parameters.cornering_turn);
        Command { action, turn, pace, scoot: 0.0 }
    }

    /// What to do if nothing is right ahead.
    fn by_mode(&self, state: &PprState) -> Command {
        let command = |action, turn, pace| Command { action, turn, pace, scoot: 0.0 };
        match (state.mode, state.imminent()) {
            (Mode::Turning, _) => {
                let turn = Turn::Target(self.parameters.cornering_turn);
                command(Action::Turn, turn, self.parameters.slower)
            }
            (Mode::Proactive, Some(threat)) => {
                let Some(to) = self.position_of(threat.person.0) else {
                    return command(Action::KeepOn, Turn::Keep, state.command.pace);
                };
                // Positive if the other is on the left.
                let side = self.heading.perp_dot(to - self.person.position);
                let side = if side == 0.0 {
                    pair_side(self.person.id, threat.person.0)
                } else {
                    side.signum()
                };
                match threat.encounter {
                    Encounter::Oncoming => {
                        let rate = self.parameters.typical_turn;
                        let turn = Turn::Aside(rate * self.oncoming_side(threat.person.0, to));
                        command(Action::AvoidOncoming, turn, 1.0)
                    }
                    Encounter::CrossingSoon => {
                        let turn = Turn::Aside(-side * self.parameters.adjusting_turn);
                        let faster = self.parameters.slightly_faster;
                        command(Action::CrossBefore, turn, faster)
                    }
                    Encounter::CrossingLate => {
                        let turn = Turn::Aside(side * self.parameters.adjusting_turn);
                        let slower = self.parameters.slightly_slower;
                        command(Action::CrossBehind, turn, slower)
                    }
                }
            }
            (Mode::Proactive | Mode::Waiting, _) => {
                // Whatever else was done in the meantime, nobody waits standing.
                let least = self.parameters.slightly_slower;
                command(Action::KeepOn, Turn::Keep, state.command.pace.max(least))
            }
            (Mode::Normal, _) => command(Action::Aim, Turn::Target(self.aiming_rate()), 1.0),
        }
    }

    /// How fast to turn to the local target. Whoever turned less than it takes to get there on an arc would
    /// walk round it.
    fn aiming_rate(&self) -> f32 {
        let Target { direction, distance, speed, .. } = self.target;
        let well_aside = self.heading.dot(direction) < WELL_ASIDE;
        let usual =
            if well_aside { self.parameters.fast_turn } else { self.parameters.typical_turn };
        let arc = 2.0 * speed * self.heading.perp_dot(direction).abs() / distance.max(0.1);
        usual.max(arc.min(self.parameters.cornering_turn))
    }

    /// Both turn to the left if each sees the other on the right, else both to the right.
    fn oncoming_side(&self, other: u32, at: Vec2) -> f32 {
        let others = self.entries().find(|entry| entry.id() == other);
        let others = others.map_or(-self.heading, |entry| self.heading_of(entry));
        let to = at - self.person.position;
        let is_right = self.heading.perp_dot(to) < 0.0 && others.perp_dot(-to) < 0.0;
        if is_right { 1.0 } else { -1.0 }
    }

    fn entries(&self) -> impl Iterator<Item = &'a GridEntry> + '_ {
        let entries = self.person.batch.of(self.person.lane);
        entries.map(|(index, _)| self.person.around.entry(index))
    }

    fn position_of(&self, id: u32) -> Option<Vec2> {
        self.entries().find(|entry| entry.id() == id).map(GridEntry::position)
    }

    /// The body does what was decided, as far as it can within a step.
    fn go(&self, mut state: PprState) -> Step {
        let step = self.person.around.step;
        let Command { turn, pace, scoot, .. } = state.command;
        let (velocity, left) = (self.person.velocity, self.heading.perp());
        let (along, aside) = (velocity.dot(self.heading), velocity.dot(left));
        let top = self.person.around.people.max_speeds[self.person.row];
        let wanted = (pace * self.target.speed).min(top);
        let force = self.parameters.max_force;
        let drive = DRIVE.min(1.0 / step);
        let braking = (BRAKING * along.max(0.0) / step).min(force);
        let push = (drive * (wanted - along)).clamp(-braking, force);
        let sideways = (drive * (scoot - aside)).clamp(-force, force);
        let (mut along, mut aside) = (along + push * step, aside + sideways * step);
        let speed = along.hypot(aside);
        if speed > top {
            (along, aside) = (along * top / speed, aside * top / speed);
        } else if wanted == 0.0 && scoot == 0.0 && speed < REST {
            (along, aside) = (0.0, 0.0);
        }
        state.heading = self.turned(turn, step);
        Step { state, speed: along, scoot: aside }
    }

    fn turned(&self, turn: Turn, step: f32) -> Vec2 {
        let angle = match turn {
            Turn::Keep => return self.heading,
            Turn::Aside(rate) => rate * step,
            Turn::Target(rate) => {
                let way = self.target.direction;
                let angle = self.heading.perp_dot(way).atan2(self.heading.dot(way));
                let is_away = angle.abs() > std::f32::consts::PI - 1e-3;
                let angle =
                    if is_away { angle.abs() * pair_side(self.person.id, u32::MAX) } else { angle };
                angle.clamp(-rate * step, rate * step)
            }
        };
        Vec2::from_angle(angle).rotate(self.heading).normalize_or(self.heading)
    }
}
