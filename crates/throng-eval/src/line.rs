//! Who crosses a line, when, and which way.
//!
//! Between two frames a person walks straight, so the moment of a crossing is known better than to
//! a frame. A point *on* the line belongs to its right, and its second end does not belong to the
//! line: so whoever pauses on the line has crossed it once, and whoever passes through the end that
//! two lines share is counted by one of them. All of this is decided by the signs of areas of
//! triangles, which `f64` gets right for corners in `f32`; nothing is rounded before it is compared.
//!
//! People step back now and then. A [`Tally`] counts every crossing, and keeps apart from that the
//! *passages*: what is left of a person's crossings when each step back has cancelled the crossing
//! before it. Flow is that of passages (Seyfried et al. 2009), `J = (N - 1) / (t_N - t_1)`.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};
use throng_world::scene::LayerId;

use crate::frame::{FrameView, Moment, in_both};

/// A line from one end to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    start: DVec2,
    end: DVec2,
}

/// Which way a line is crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the right of the line, seen from its first end to its second.
    Forward,
    /// To its left.
    Backward,
}

/// Someone crosses a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// When, s.
    pub time: f64,
    /// Who.
    pub id: u32,
    /// Which way.
    pub direction: Direction,
}

impl Line {
    /// The line between two points.
    pub fn new([start, end]: [Vec2; 2]) -> Self {
        Self { start: start.as_dvec2(), end: end.as_dvec2() }
    }

    /// How long it is, m.
    pub fn length(&self) -> f64 {
        self.start.distance(self.end)
    }

    /// If someone who walks straight from one point to another crosses the line: at which fraction
    /// of the way, and which way.
    pub fn crossed(&self, from: Vec2, to: Vec2) -> Option<(f64, Direction)> {
        let (from, to) = (from.as_dvec2(), to.as_dvec2());
        let left_of_line = |p: DVec2| (self.end - self.start).perp_dot(p - self.start);
        let (before, after) = (left_of_line(from), left_of_line(to));
        if (before > 0.0) == (after > 0.0) {
            return None;
        }
        let left_of_way = |p: DVec2| (to - from).perp_dot(p - from);
        let (start, end) = (left_of_way(self.start), left_of_way(self.end));
        let (direction, between) = if before > 0.0 {
            (Direction::Forward, start <= 0.0 && end > 0.0)
        } else {
            (Direction::Backward, start >= 0.0 && end < 0.0)
        };
        between.then(|| (before / (before - after), direction))
    }
}

/// Counts who crosses a line on a floor, frame by frame.
#[derive(Clone, Debug)]
pub struct Tally {
    line: Line,
    layer: LayerId,
    before: Option<Moment>,
    forward: u64,
    backward: u64,
    /// Of each person, the crossings that no step back has cancelled; all go the same way.
    left: BTreeMap<u32, (Direction, Vec<f64>)>,
}

impl Tally {
    /// Nobody has crossed `line` yet.
    pub fn new(line: Line, layer: LayerId) -> Self {
        Self { line, layer, before: None, forward: 0, backward: 0, left: BTreeMap::new() }
    }

    /// The line.
    pub fn line(&self) -> Line {
        self.line
    }

    /// Takes note of the next frame, and returns the crossings since the one before, by time and
    /// then by id. Who was not in the frame before, or is somewhere that cannot be, crosses nothing.
    pub fn push(&mut self, frame: FrameView) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        if let Some(before) = &self.before {
            for (i, j) in in_both(&before.ids, frame.ids) {
                // On stairs the floor changes within a step.
                if before.layers[i] != self.layer && frame.layers[j] != self.layer {
                    continue;
                }
                let crossed = self.line.crossed(before.positions[i], frame.positions[j]);
                crossings.extend(crossed.map(|(fraction, direction)| Crossing {
                    time: before.time + fraction * (frame.time - before.time),
                    id: frame.ids[j],
                    direction,
                }));
            }
        }
        self.before.get_or_insert_default().set(frame);
        crossings.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.id.cmp(&b.id)));
        crossings.iter().for_each(|crossing| self.count(crossing));
        crossings
    }

    /// How many crossings there were in a direction; who steps back and forth counts each time.
    pub fn crossings(&self, direction: Direction) -> u64 {
        match direction {
            Direction::Forward => self.forward,
            Direction::Backward => self.backward,
        }
    }

    /// The passages in a direction, so far.
    pub fn passages(&self, direction: Direction) -> Passages {
        let of_direction = self.left.values().filter(|(way, _)| *way == direction);
        Passages::new(of_direction.flat_map(|(_, times)| times.iter().copied()).collect())
    }

    fn count(&mut self, crossing: &Crossing) {
        match crossing.direction {
            Direction::Forward => self.forward += 1,
            Direction::Backward => self.backward += 1,
        }
        let (direction, times) =
            self.left.entry(crossing.id).or_insert_with(|| (crossing.direction, Vec::new()));
        if *direction == crossing.direction || times.is_empty() {
            *direction = crossing.direction;
            times.push(crossing.time);
        } else {
            times.pop();
        }
    }
}

/// When people passed a line in one direction: the N-t curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    times: Vec<f64>,
}

/// What is left out of a flow, because a crowd is not steady yet or any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trim {
    /// How many of the first passages.
    pub first: usize,
    /// How many of the last passages.
    pub last: usize,
}

impl Passages {
    /// Passages at these times, in any order.
    pub fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { times }
    }

    /// When people passed, ascending, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// How many have passed by `time`: N(t).
    pub fn by(&self, time: f64) -> usize {
        self.times.partition_point(|&passage| passage <= time)
    }

    /// Passages per second, from the first to the last that `trim` leaves. `None` if fewer than two
    /// are left or all are at once.
    pub fn flow(&self, trim: Trim) -> Option<f64> {
        let end = self.times.len().checked_sub(trim.last)?;
        let steady = self.times.get(trim.first..end)?;
        let duration = steady.last()? - steady.first()?;
        (duration > 0.0).then(|| (steady.len() - 1) as f64 / duration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: LayerId = LayerId(0);

    fn upright() -> Line {
        Line::new([Vec2::new(0.0, -1.0), Vec2::new(0.0, 1.0)])
    }

    /// One person who is at these points, a second apart.
    fn tally(line: Line, points: &[(f32, f32)]) -> (Tally, Vec<Crossing>) {
        let mut tally = Tally::new(line, GROUND);
        let mut crossings = Vec::new();
        for (time, &point) in points.iter().enumerate() {
            let positions = [Vec2::from(point)];
            let frame = FrameView {
                time: time as f64,
                ids: &[7],
                positions: &positions,
                layers: &[GROUND],
            };
            crossings.extend(tally.push(frame));
        }
        (tally, crossings)
    }

    #[test]
    fn a_crossing_is_timed_between_frames() {
        let (_, crossings) = tally(upright(), &[(-1.0, 0.0), (3.0, 0.5)]);
        assert_eq!(crossings, [Crossing { time: 0.25, id: 7, direction: Direction::Forward }]);
        let (_, crossings) = tally(upright(), &[(3.0, 0.0), (-1.0, 0.0)]);
        assert_eq!(crossings, [Crossing { time: 0.75, id: 7, direction: Direction::Backward }]);
    }

    #[test]
    fn who_pauses_on_the_line_has_crossed_it_once() {
        let (tally, crossings) =
            tally(upright(), &[(-1.0, 0.0), (0.0, 0.0), (0.0, 0.3), (0.0, 0.0), (1.0, 0.0)]);
        assert_eq!(crossings.len(), 1);
        assert_eq!(tally.passages(Direction::Forward).times(), [1.0]);
        let (tally, _) = self::tally(upright(), &[(-1.0, 0.0), (0.0, 0.0), (-1.0, 0.0)]);
        assert_eq!(tally.passages(Direction::Forward).times(), [] as [f64; 0]);
    }

    #[test]
    fn steps_back_cancel_and_the_last_time_counts() {
        let x = [-1.0, 1.0, -1.0, 1.0, 2.0, -2.0, 2.0];
        let (tally, crossings) = tally(upright(), &x.map(|x| (x, 0.0)));
        assert_eq!(crossings.len(), 5);
        assert_eq!(tally.crossings(Direction::Forward), 3);
        assert_eq!(tally.crossings(Direction::Backward), 2);
        assert_eq!(tally.passages(Direction::Forward).times(), [5.5]);
        assert_eq!(tally.passages(Direction::Backward).times().len(), 0);
    }

    #[test]
    fn who_goes_round_an_end_or_has_just_come_crosses_nothing() {
        let (_, crossings) = tally(upright(), &[(-1.0, 1.5), (1.0, 1.5), (1.0, 0.0)]);
        assert_eq!(crossings, []);
        let mut tally = Tally::new(upright(), GROUND);
        for (id, x) in [(1, -1.0), (2, 1.0)] {
            let positions = [Vec2::new(x, 0.0)];
            let view = FrameView {
                time: f64::from(id),
                ids: &[id],
                positions: &positions,
                layers: &[GROUND],
            };
            assert_eq!(tally.push(view), []);
        }
    }

    #[test]
    fn of_two_lines_that_share_an_end_one_counts_who_walks_through_it() {
        let corner = Vec2::new(0.1, 0.7);
        let lines =
            [Line::new([Vec2::new(0.1, -1.0), corner]), Line::new([corner, Vec2::new(0.1, 3.0)])];
        for step in [0.3, 0.123, 1.7] {
            let (from, to) = (corner - Vec2::X * step, corner + Vec2::X * step);
            for (from, to) in [(from, to), (to, from)] {
                let counted = lines.iter().filter(|line| line.crossed(from, to).is_some()).count();
                assert_eq!(counted, 1, "{from} to {to}");
            }
        }
    }

    #[test]
    fn people_on_other_floors_do_not_count_and_those_on_stairs_do() {
        let pass = |floors: [u8; 2]| {
            let mut tally = Tally::new(upright(), LayerId(1));
            for (time, x) in [(0, -1.0), (1, 1.0)] {
                tally.push(FrameView {
                    time: f64::from(time),
                    ids: &[3],
                    positions: &[Vec2::new(x, 0.0)],
                    layers: &[LayerId(floors[time as usize])],
                });
            }
            tally.crossings(Direction::Forward)
        };
        assert_eq!([pass([0, 0]), pass([1, 1]), pass([0, 1]), pass([1, 0])], [0, 1, 1, 1]);
    }

    #[test]
    fn flow_is_that_between_the_first_and_the_last_of_those_that_count() {
        let passages = Passages::new(vec![9.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(passages.flow(Trim::default()), Some(4.0 / 9.0));
        assert_eq!(passages.flow(Trim { first: 1, last: 1 }), Some(1.0));
        assert_eq!(passages.flow(Trim { first: 4, last: 0 }), None);
        assert_eq!(passages.flow(Trim { first: 3, last: 9 }), None);
        assert_eq!(Passages::new(vec![1.0, 1.0]).flow(Trim::default()), None);
        assert_eq!([passages.by(-0.1), passages.by(1.0), passages.by(100.0)], [0, 2, 5]);
    }
}
