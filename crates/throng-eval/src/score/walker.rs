//! One person on their way: from one moment to the next, what it adds to their metrics.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, Vec2};
use throng::crowd::Status;
use throng_world::scene::LayerId;

use super::collector::ScoreOptions;
use super::ideal::Course;
use super::metrics::AgentMetrics;
use super::patterns::{
    DEADLOCK_DISPLACEMENT, DEADLOCK_GOAL, Event, OSCILLATION_FLIPS, Ongoing, Pattern, SPIN,
};
use super::resample::{Resampler, STANDING_COST, WALKING_COST};
use super::window::{Entry, Followed, History, Window};

/// Who turns more slowly than this goes straight ahead, deg/s: rounding has no direction.
const LEAST_TURN: f64 = 1.0;
/// Who is slower than this has no direction, m/s.
const LEAST_SPEED: f64 = 1e-3;
/// Frames that are due at the end of a window may be a rounding error early, s.
const SLACK: f64 = 1e-9;

/// How somebody is seen in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    pub frame: u64,
    pub time: f64,
    pub position: Vec2,
    pub layer: LayerId,
    pub heading: f32,
    pub status: Status,
}

/// What is remembered of somebody.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// How they were seen last.
    last: Sight,
    velocity: Option<DVec2>,
    acceleration: Option<DVec2>,
    /// The way they turned last: left is above 0.
    turn: f64,
    /// Since when they have wanted to get on, s.
    under_way: Option<f64>,
    /// The number of the goal they are on the way to.
    stop: usize,
    resampler: Resampler,
    /// The frame since which they have been walking.
    since: u64,
    ongoing: Ongoing,
}

/// Somebody's page in the collector's books.
pub(super) struct Books<'a> {
    pub row: usize,
    pub course: Option<&'a Course>,
    pub options: &'a ScoreOptions,
    pub history: &'a mut History,
    pub events: &'a mut Vec<Event>,
}

impl Books<'_> {
    fn put(&mut self, sight: Sight, agent: &AgentMetrics) {
        let totals =
            [agent.turned, agent.distance, agent.speed_change, agent.acceleration_integral];
        let entry = Entry { position: sight.position, totals, flips: agent.flips };
        self.history.put(self.row, entry);
    }
}

impl Walker {
    /// Somebody who appears.
    pub fn new(sight: Sight) -> Self {
        Self {
            // As if they had not been seen before.
            last: Sight { frame: u64::MAX, ..sight },
            velocity: None,
            acceleration: None,
            turn: 0.0,
            under_way: None,
            stop: 0,
            resampler: Resampler::default(),
            since: sight.frame,
            ongoing: Ongoing::default(),
        }
    }

    /// When they were seen last, s.
    pub fn last_seen(&self) -> f64 {
        self.last.time
    }

    /// Whether they were still on their way in the given frame.
    pub fn walks_in(&self, frame: u64) -> bool {
        self.last.frame == frame && self.last.status != Status::Arrived
    }

    /// Takes note of how they are seen now.
    pub fn see(&mut self, sight: Sight, mut books: Books, agent: &mut AgentMetrics) {
        let has_arrived = sight.status == Status::Arrived;
        let had_arrived = self.last.status == Status::Arrived;
        let is_next = self.last.frame.checked_add(1) == Some(sight.frame);
        if is_next && !had_arrived {
            self.walk(sight, &mut books, agent);
        } else if !has_arrived {
            self.set_out(sight, &mut books, agent);
        }
        agent.frames += u32::from(!has_arrived || (is_next && !had_arrived));
        agent.completed = has_arrived;
        agent.finished = match (has_arrived, agent.finished) {
            (false, _) => None,
            (true, Some(finished)) if is_next && had_arrived => Some(finished),
            (true, _) => Some(sight.time),
        };
        if has_arrived && is_next && !had_arrived {
            self.sum_up(books.history, books.row, agent);
        }
        self.last = sight;
    }

    /// Begins a stretch: they have just appeared, come back, or set out again.
    fn set_out(&mut self, sight: Sight, books: &mut Books, agent: &mut AgentMetrics) {
        (self.velocity, self.acceleration, self.turn) = (None, None, 0.0);
        self.under_way = (!sight.status.is_standing()).then_some(sight.time);
        self.resampler.begin(sight.time, books.options.rate);
        self.since = sight.frame;
        books.put(sight, agent);
        self.keep_to(books.course, sight, agent);
    }

    /// Goes on from where they were last.
    fn walk(&mut self, sight: Sight, books: &mut Books, agent: &mut AgentMetrics) {
        let seconds = sight.time - self.last.time;
        let (from, to) = (self.last.position.as_dvec2(), sight.position.as_dvec2());
        agent.time += seconds;
        self.turn(sight.heading, seconds, agent);
        self.accelerate((to - from) / seconds, seconds, agent);
        self.resampler.walk((self.last.time, from), (sight.time, to), books.options.rate);
        let sums = self.resampler.sums;
        agent.resampled_count = sums.count;
        agent.resampled_energy = sums.energy;
        agent.resampled_acceleration = sums.acceleration;
        agent.resampled_least_effort = sums.least_effort;
        books.put(sight, agent);
        let window = books.history.window(books.row, self.since);
        agent.max_flips_window = agent.max_flips_window.max(window.flips());
        self.keep_to(books.course, sight, agent);
        self.judge(sight, window, books.course, books.options, agent, books.events);
    }

    fn turn(&mut self, heading: f32, seconds: f64, agent: &mut AgentMetrics) {
        let turn = f64::from(heading) - f64::from(self.last.heading);
        let turn = ((turn + PI).rem_euclid(TAU) - PI).to_degrees();
        agent.turned += turn.abs();
        agent.angular_velocity = turn / seconds;
        agent.max_angular_speed = agent.max_angular_speed.max(agent.angular_velocity.abs());
        if agent.angular_velocity.abs() >= LEAST_TURN {
            agent.angular_sign_changes += u32::from(turn * self.turn < 0.0);
            self.turn = turn.signum();
        }
    }

    fn accelerate(&mut self, velocity: DVec2, seconds: f64, agent: &mut AgentMetrics) {
        let speed = velocity.length();
        agent.speed = speed;
        agent.distance += speed * seconds;
        agent.max_speed = agent.max_speed.max(speed);
        agent.energy_samples += 0.5 * speed * speed;
        agent.energy_integral += 0.5 * speed * speed * seconds;
        agent.mean_energy = agent.energy_integral / agent.time;
        agent.least_effort += (STANDING_COST + WALKING_COST * speed * speed) * seconds;
        let Some(before) = self.velocity.replace(velocity) else { return };
        let change = (speed - before.length()).abs();
        agent.speed_change += change;
        agent.max_speed_change = agent.max_speed_change.max(change / seconds);
        let acceleration = (velocity - before) / seconds;
        agent.acceleration_samples += acceleration.length();
        agent.acceleration_integral += acceleration.length() * seconds;
        agent.max_acceleration = agent.max_acceleration.max(acceleration.length());
        let Some(last) = self.acceleration.replace(acceleration) else { return };
        let walks = speed > LEAST_SPEED && before.length() > LEAST_SPEED;
        let flips = acceleration.dot(last) < 0.0 && velocity.dot(before) < 0.0;
        agent.flips += u32::from(walks && flips);
    }

    /// How far they are from their shortest path, and which of their goals is next.
    fn keep_to(&mut self, course: Option<&Course>, sight: Sight, agent: &mut AgentMetrics) {
        let Some(course) = course else { return };
        self.stop = course.next_stop(self.stop, sight.layer, sight.position);
        let deviation = course.distance_from(sight.layer, sight.position.as_dvec2());
        agent.deviation = match (agent.deviation, deviation) {
            (Some(most), Some(now)) => Some(most.max(now)),
            (most, now) => now.or(most),
        };
        let length = course.ideal.length;
        agent.length_ratio = (length > 0.0).then(|| agent.distance / length);
    }

    /// Whether they do what they should not.
    fn judge(
        &mut self,
        sight: Sight,
        window: Window,
        course: Option<&Course>,
        options: &ScoreOptions,
        agent: &AgentMetrics,
        events: &mut Vec<Event>,
    ) {
        let Sight { time, position, layer, status, .. } = sight;
        self.under_way = (!status.is_standing()).then(|| self.under_way.unwrap_or(self.last.time));
        let begin = window.begin().unwrap_or(time);
        let seen = |pattern, from| Event {
            pattern,
            person: agent.id,
            from,
            to: time,
            place: position,
            layer,
        };
        if agent.angular_velocity.abs() > SPIN {
            self.ongoing.see(seen(Pattern::Spin, self.last.time), events);
        }
        if window.flips() >= OSCILLATION_FLIPS {
            self.ongoing.see(seen(Pattern::Oscillation, begin), events);
        }
        let waited = self.under_way.is_some_and(|since| time - since >= options.window - SLACK);
        if waited && window.displacement() < DEADLOCK_DISPLACEMENT {
            let goal =
                course.map_or(f64::INFINITY, |c| c.goal_distance(self.stop, layer, position));
            if goal > DEADLOCK_GOAL {
                self.ongoing.see(seen(Pattern::Deadlock, begin), events);
            }
        }
    }

    /// Writes what the last seconds came to, in the last frame in which they walked.
    pub fn sum_up(&self, history: &History, row: usize, agent: &mut AgentMetrics) {
        let window = history.window(row, self.since);
        agent.turned_window = window.of(Followed::Turned);
        agent.distance_window = window.of(Followed::Distance);
        agent.speed_change_window = window.of(Followed::SpeedChange);
        agent.acceleration_window = window.of(Followed::Acceleration);
        agent.displacement_window = window.displacement();
        agent.flips_window = window.flips();
    }
}
