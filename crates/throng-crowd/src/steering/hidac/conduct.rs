//! Pauses, falls, panic and impatience: what makes of a person who steers one who behaves.
//!
//! Whoever is pushed back stops for a moment instead of shaking; whoever walks into the back of others where
//! it is dense waits, and so queues form; pushes from behind do neither, and carry people through
//! doors. Three who push the same way can make one fall. Panic rises with the panic of others, with pushes
//! and with the press ahead; who panics neither stops nor waits.

use glam::Vec2;
use throng_base::random::Purpose;

use super::super::Surroundings;
use super::others::SLOP;
use super::parameters::HidacParameters;
use super::state::HidacState;
use crate::steering::Condition;

/// From this density on, people per m² ahead, one waits for those in front. A single file has about one.
const QUEUE_DENSITY: f32 = 0.7;

/// Beyond this density panic rises, a gate is crowded, and nobody gets up.
const CROWDED: f32 = 2.0;

/// How fast panic fades by itself, per second.
const CALMING: f32 = 0.05;

/// So many have to push, and this share of their pushes has to point the same way, for somebody to fall.
const PUSHERS: f32 = 3.0;
const AGREEMENT: f32 = 0.8;

/// A push within this angle of straight back stops one: its cosine. With a right angle, as published, everybody
/// beside a door stops all others.
const BACKWARDS: f32 = 0.5;

/// The personal space of those who panic is at most this, m.
const PANIC_SPACE: f32 = 0.05;

/// The shortest stops and waits, as shares of the longest.
const SHORTEST_STOP: f32 = 1.0 / 3.0;
const SHORTEST_WAIT: f32 = 0.25;

/// Who has waited to no avail tries to get on for so long, s. Without it two who wait for each other would
/// wait for ever.
const TRY: f32 = 0.5;

/// Time over which what is seen ahead is averaged, s.
const LOOK: f32 = 0.5;

/// Somebody, and what they perceive.
pub(super) struct Person<'a> {
    pub around: &'a Surroundings<'a>,
    pub id: u32,
    pub parameters: HidacParameters,
    pub before: HidacState,
    /// Where they would like to walk, a unit vector; zero if nowhere.
    pub direction: Vec2,
    /// By how much others push them in 0.04 s, m.
    pub push: Vec2,
    /// The same by all who do not come towards them, m.
    pub held_back: Vec2,
    pub pressure: f32,
    pub pushers: f32,
    pub density: f32,
    pub panicking: f32,
    pub is_behind: bool,
    pub meets: bool,
    pub pushes: bool,
    pub is_covered: bool,
}

impl Person<'_> {
    /// What becomes of them.
    pub fn state(&self) -> HidacState {
        let step = self.around.step;
        let mut next = self.before;
        let density = if self.before.is_new() {
            self.density
        } else {
            let share = (step / LOOK).min(1.0);
            self.before.density() + (self.density - self.before.density()) * share
        };
        next.set_density(density);
        let level = self.panic_level(density);
        let threshold = self.parameters.panic_threshold;
        let panics = level >= if self.before.panics() { 0.5 * threshold } else { threshold };
        next.set_panic(level);
        let space = self.parameters.personal_space;
        next.set_space(if panics { space.min(PANIC_SPACE) } else { space });

        let (condition, pause) = self.condition(density, panics);
        next.set_pause(pause);
        next.set_state(condition, panics);
        next.set_since(self.since(condition));
        next.set_direction(match (condition, self.before.condition()) {
            (Condition::Fallen, Condition::Fallen) => self.before.direction(),
            // Along the push, where they fall.
            (Condition::Fallen, _) => self.push.normalize_or(self.direction),
            _ => self.direction,
        });
        next
    }

    fn panic_level(&self, density: f32) -> f32 {
        if self.before.is_new() {
            return self.parameters.panic.max(self.before.panic());
        }
        // Being jostled frightens nobody.
        let hard = self.parameters.fall_push;
        let pushes = if self.push.length() > hard { 1.0 } else { 0.0 };
        let rise = self.parameters.panic_by_others * self.panicking
            + self.parameters.panic_by_pushes * pushes
            + self.parameters.panic_by_density * (density - CROWDED).max(0.0);
        (self.before.panic() + (rise - CALMING) * self.around.step).clamp(0.0, 1.0)
    }

    /// What their body does, and how long they pause.
    fn condition(&self, density: f32, panics: bool) -> (Condition, f32) {
        let (before, step) = (self.before.condition(), self.around.step);
        if before == Condition::Fallen {
            let gets_up = self.before.since() >= self.parameters.lying_time
                && density < CROWDED
                && !self.is_covered;
            return (if gets_up { Condition::Walking } else { Condition::Fallen }, 0.0);
        }
        if self.falls() {
            return (Condition::Fallen, 0.0);
        }
        let is_pushed = self.push.length_squared() > SLOP * SLOP;
        let on = match (is_pushed, self.pushes) {
            (true, _) => Condition::Pushed,
            (false, true) => Condition::Pushing,
            (false, false) => Condition::Walking,
        };
        if panics || self.direction == Vec2::ZERO {
            return (on, 0.0);
        }
        let pause = self.before.pause();
        let left = if pause > 0.0 { (pause - step).max(0.0) } else { (pause + step).min(0.0) };
        let is_pushed_back = is_pushed
            && self.direction.dot(self.held_back) < -BACKWARDS * self.held_back.length()
            && self.held_back.length_squared() > SLOP * SLOP;
        let stops = is_pushed_back && !self.meets && self.parameters.stopping_time > 0.0;
        match before {
            Condition::Stopped if left > 0.0 => (Condition::Stopped, left),
            _ if stops => {
                (Condition::Stopped, self.draw(self.parameters.stopping_time, SHORTEST_STOP))
            }
            Condition::Waiting if self.has_to_wait(density) => {
                if left > 0.0 {
                    (Condition::Waiting, left)
                } else {
                    (on, -TRY)
                }
            }
            Condition::Waiting => (on, 0.0),
            _ if self.has_to_wait(density) && left >= 0.0 => {
                (Condition::Waiting, self.draw(self.parameters.waiting_time, SHORTEST_WAIT))
            }
            _ => (on, left.min(0.0)),
        }
    }

    fn has_to_wait(&self, density: f32) -> bool {
        self.is_behind
            && !self.meets
            && density >= QUEUE_DENSITY
            && self.parameters.waiting_time > 0.0
    }

    /// A time up to the longest, s, and at least a share of it.
    fn draw(&self, longest: f32, shortest: f32) -> f32 {
        let around = self.around;
        let mut draws = around.random.stream(self.id.into(), around.steps, Purpose::Temper);
        longest * draws.between(shortest, 1.0)
    }

    fn falls(&self) -> bool {
        let push = self.push.length();
        if self.pushers < PUSHERS
            || push <= self.parameters.fall_push
            || push < AGREEMENT * self.pressure
        {
            return false;
        }
        let around = self.around;
        let mut draws = around.random.stream(self.id.into(), around.steps, Purpose::Temper);
        // Not the number that a pause is drawn by.
        draws.bits();
        let chance = 1.0 - (-self.parameters.fall_chance * around.step).exp();
        draws.unit() < chance
    }

    /// How long they have lain, or been held up.
    fn since(&self, condition: Condition) -> f32 {
        let (before, step) = (self.before, self.around.step);
        let was_down = before.condition() == Condition::Fallen;
        let is_down = condition == Condition::Fallen;
        if was_down != is_down {
            return 0.0;
        }
        if is_down {
            return before.since() + step;
        }
        let patience = self.parameters.patience;
        if is_impatient(&before, &self.parameters) {
            // Another way has been asked for.
            return 0.0;
        }
        let is_held_up = condition.holds_back() || condition == Condition::Pushed;
        let change = if is_held_up && self.direction != Vec2::ZERO { step } else { -step };
        (before.since() + change).clamp(0.0, patience)
    }
}

/// Whether somebody with these parameters has waited long enough before a crowded gate to look for another
/// way.
pub(super) fn is_impatient(state: &HidacState, parameters: &HidacParameters) -> bool {
    state.condition() != Condition::Fallen
        && state.since() >= parameters.patience
        && state.density() > CROWDED
}
