//! Where people are at any moment.

use glam::Vec2;
use throng_base::Heading;
use throng_base::frame::wrap_angle;
use throng_crowd::Status;

use super::FilmError;
use crate::bodies::Wish;
use crate::recording::{Frame, Recording};

/// A source of motion: where people are over time.
pub trait Motions {
    /// From when until when there is something to see, s.
    fn span(&self) -> (f64, f64);

    /// What everybody should do at `time`, in strictly ascending order of id, into `wishes`. Called with times
    /// that grow.
    ///
    /// # Errors
    ///
    /// If it cannot be found out.
    fn wishes(&mut self, time: f64, wishes: &mut Vec<Wish>) -> Result<(), FilmError>;
}

/// Nobody is faster, m/s: who seems to be was put elsewhere.
const FASTEST: f32 = 12.0;
/// Nor is a shorter way a jump, m.
const SHORTEST_JUMP: f32 = 1.0;
/// A time this near to a frame, in frames, is that of the frame.
const SAME: f64 = 1e-6;

/// The people of a recording. Between two frames they move along the cubic that has the recorded
/// velocities at both ends, so that bodies are not jerked at each frame.
#[derive(Debug)]
pub struct Recorded<'r> {
    recording: &'r mut Recording,
    earlier: Frame,
    later: Frame,
    /// Which frames these are.
    loaded: [Option<u32>; 2],
}

impl<'r> Recorded<'r> {
    /// The people of `recording`.
    pub fn new(recording: &'r mut Recording) -> Self {
        let (earlier, later) = (Frame::default(), Frame::default());
        Self { recording, earlier, later, loaded: [None; 2] }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        self.recording
    }

    fn load(&mut self, first: u32, both: bool) -> Result<(), FilmError> {
        if self.loaded[1] == Some(first) {
            std::mem::swap(&mut self.earlier, &mut self.later);
            self.loaded = [Some(first), None];
        }
        if self.loaded[0] != Some(first) {
            self.recording.read_frame(first, &mut self.earlier)?;
            self.loaded[0] = Some(first);
        }
        if both && self.loaded[1] != Some(first + 1) {
            self.recording.read_frame(first + 1, &mut self.later)?;
            self.loaded[1] = Some(first + 1);
        }
        Ok(())
    }
}

impl Motions for Recorded<'_> {
    fn span(&self) -> (f64, f64) {
        let last = self.recording.frame_count().saturating_sub(1);
        (self.recording.time_of(0), self.recording.time_of(last))
    }

    fn wishes(&mut self, time: f64, wishes: &mut Vec<Wish>) -> Result<(), FilmError> {
        wishes.clear();
        let Some(last) = self.recording.frame_count().checked_sub(1) else { return Ok(()) };
        let interval = self.recording.info().interval();
        let at = ((time - self.recording.time_of(0)) / interval).clamp(0.0, f64::from(last));
        let at = if (at - at.round()).abs() < SAME { at.round() } else { at };
        let (first, part) = (at.floor() as u32, at.fract() as f32);
        let between = part > 0.0 && first < last;
        self.load(first, between)?;
        let people = &self.earlier.people;
        let state = |people: &crate::recording::People, i: usize| State {
            position: people.positions[i],
            velocity: people.velocities[i],
            height: people.heights[i],
            heading: people.headings[i],
        };
        let mut after = 0;
        for i in 0..people.len() {
            let mut now = state(people, i);
            if between {
                let later = &self.later.people;
                while after < later.len() && later.ids[after] < people.ids[i] {
                    after += 1;
                }
                // Who is not in the next frame has left after this one.
                if after == later.len() || later.ids[after] != people.ids[i] {
                    continue;
                }
                now = now.towards(&state(later, after), part, interval as f32);
            }
            wishes.push(Wish {
                id: people.ids[i],
                group: people.groups[i],
                position: now.position,
                height: now.height,
                velocity: now.velocity,
                heading: Some(Heading::from_radians(now.heading)),
                lying: people.statuses[i] == Status::Fallen,
                planted: true,
                ..Wish::default()
            });
        }
        Ok(())
    }
}

/// Somebody in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    position: Vec2,
    velocity: Vec2,
    height: f32,
    heading: f32,
}

impl State {
    /// A `part` of the way to `later`, which is `interval` seconds away.
    fn towards(&self, later: &Self, part: f32, interval: f32) -> Self {
        let way = later.position - self.position;
        let distance = way.length();
        if distance > SHORTEST_JUMP.max(FASTEST * interval) {
            return Self { velocity: Vec2::ZERO, ..*self };
        }
        // Slopes of more than three times the mean make a cubic overshoot its ends.
        let slope = |velocity: Vec2| (velocity * interval).clamp_length_max(3.0 * distance);
        let (from, to) = (slope(self.velocity), slope(later.velocity));
        let (t, t2, t3) = (part, part * part, part * part * part);
        let position = self.position
            + (3.0 * t2 - 2.0 * t3) * way
            + (t3 - 2.0 * t2 + t) * from
            + (t3 - t2) * to;
        let slope =
            6.0 * (t - t2) * way + (3.0 * t2 - 4.0 * t + 1.0) * from + (3.0 * t2 - 2.0 * t) * to;
        let turn = wrap_angle(later.heading - self.heading);
        Self {
            position,
            velocity: slope / interval,
            height: self.height + part * (later.height - self.height),
            heading: wrap_angle(self.heading + part * turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(x: f32, speed: f32) -> State {
        let (position, velocity) = (Vec2::new(x, 0.0), Vec2::new(speed, 0.0));
        State { position, velocity, height: 0.0, heading: 0.0 }
    }

    #[test]
    fn curves_begin_and_end_with_the_recorded_places_and_velocities() {
        let (a, b) = (state(0.0, 1.0), state(0.6, 1.4));
        for (part, like) in [(0.0, a), (1.0, b)] {
            let there = a.towards(&b, part, 0.5);
            assert!(there.position.distance(like.position) < 1e-6);
            assert!(there.velocity.distance(like.velocity) < 1e-5);
        }
        // What velocity says is what position does.
        let (before, after) = (a.towards(&b, 0.499, 0.5), a.towards(&b, 0.501, 0.5));
        let speed = (after.position - before.position).x / 0.001;
        assert!((speed - a.towards(&b, 0.5, 0.5).velocity.x).abs() < 1e-2);
    }

    #[test]
    fn nobody_overshoots_and_who_is_put_elsewhere_waits() {
        let stopped = state(1.0, 3.0).towards(&state(1.0, -2.0), 0.4, 0.5);
        assert_eq!(stopped.position.x, 1.0);
        let jumps = state(0.0, 1.0).towards(&state(50.0, 1.0), 0.9, 0.5);
        assert_eq!((jumps.position.x, jumps.velocity.x), (0.0, 0.0));
    }
}
