//! Where somebody is at any moment, how fast, and which way they face.

use glam::{DVec3, Vec2};
use throng_base::Heading;
use throng_world::scene::LayerId;

/// Below this speed, m/s, the direction of movement is no longer that of the body.
const FACING_SPEED: f64 = 0.2;
/// Who turns round while they stand does so at this rate on average, rad/s.
const TURN_RATE: f32 = 2.5;
/// Who never gets this fast but this far, m, faces the way they went.
const FAR: f32 = 0.3;
/// Speeds are looked at so often, s, when slow times are searched for.
const LOOK: f64 = 0.1;

/// A time during which somebody is there without interruption, as a smooth curve.
///
/// Places, velocities and facings are continuous; accelerations are, too, except where the person
/// begins or ends to stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    knots: Vec<Knot>,
    stands: Vec<(f64, f64)>,
    slow: Vec<Slow>,
    situations: Vec<Situation>,
    begin: f64,
    end: f64,
}

/// The curve at one time. Between two knots it is a cubic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knot {
    pub time: f64,
    /// On the ground, and height.
    pub place: DVec3,
    pub velocity: DVec3,
}

/// What is the same until the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Situation {
    /// When it begins, s.
    pub from: f64,
    pub layer: LayerId,
    pub lying: bool,
}

/// A time when movement does not tell where somebody faces, and where they face before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slow {
    from: f64,
    to: f64,
    before: Option<Heading>,
    after: Option<Heading>,
}

/// Somebody at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackPoint {
    /// Where on the ground, m.
    pub position: Vec2,
    /// m/s; exactly zero while standing.
    pub velocity: Vec2,
    /// m/s²
    pub acceleration: Vec2,
    /// Height of the ground, m.
    pub height: f32,
    /// The floor.
    pub layer: LayerId,
    /// The direction of movement; while slow or standing the last one, turning in good time to the
    /// next. `None` of somebody who never moves and whose samples do not say.
    pub facing: Option<Heading>,
    /// Whether the person stands.
    pub standing: bool,
    /// Whether the person lies on the ground.
    pub lying: bool,
}

impl Stretch {
    /// A stretch along at least one of `knots`. `facing` is that of somebody who never moves.
    pub(super) fn new(
        knots: Vec<Knot>,
        stands: Vec<(f64, f64)>,
        situations: Vec<Situation>,
        facing: Option<Heading>,
    ) -> Self {
        let begin = knots.first().map_or(0.0, |knot| knot.time);
        let end = knots.last().map_or(0.0, |knot| knot.time);
        let slow = slow_times(&knots, facing);
        Self { knots, stands, slow, situations, begin, end }
    }

    /// Lets somebody who was seen once be there for a while around that time.
    pub(super) fn widen(&mut self, begin: f64, end: f64) {
        (self.begin, self.end) = (begin, end);
        self.stands = vec![(begin, end)];
    }

    /// When the person appears, s.
    pub fn begin(&self) -> f64 {
        self.begin
    }

    /// When the person vanishes, s.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// How long the person is there, s.
    pub fn duration(&self) -> f64 {
        self.end - self.begin
    }

    /// From when to when the person stands still, s, in order.
    pub fn stands(&self) -> &[(f64, f64)] {
        &self.stands
    }

    /// The state at `time`, or `None` if the stretch is earlier or later.
    pub fn at(&self, time: f64) -> Option<TrackPoint> {
        if !(self.begin..=self.end).contains(&time) {
            return None;
        }
        let Motion { place, velocity, acceleration } = motion_at(&self.knots, time);
        let stand = self.stands.partition_point(|&(_, to)| to < time);
        let begun = self.situations.partition_point(|situation| situation.from <= time);
        let situation = self.situations.get(begun.saturating_sub(1));
        let velocity = velocity.truncate();
        Some(TrackPoint {
            position: place.truncate().as_vec2(),
            velocity: velocity.as_vec2(),
            acceleration: acceleration.truncate().as_vec2(),
            height: place.z as f32,
            layer: situation.map_or(LayerId::default(), |situation| situation.layer),
            lying: situation.is_some_and(|situation| situation.lying),
            facing: self.facing(time).or_else(|| Heading::along(velocity.as_vec2())),
            standing: self.stands.get(stand).is_some_and(|&(from, _)| from <= time),
        })
    }

    /// Where the person faces if movement does not tell.
    fn facing(&self, time: f64) -> Option<Heading> {
        let slow = self.slow.get(self.slow.partition_point(|slow| slow.to < time))?;
        if slow.from > time {
            return None;
        }
        let (Some(before), Some(after)) = (slow.before, slow.after) else {
            return slow.before.or(slow.after);
        };
        // The turn ends with the slow time, just when the movement in the new direction begins.
        let turn = before.turn_to(after);
        let duration = f64::from(turn.abs() / TURN_RATE).min(slow.to - slow.from);
        if duration <= 0.0 {
            return Some(after);
        }
        let part = (1.0 - (slow.to - time) / duration).clamp(0.0, 1.0) as f32;
        Some(before.turned_by(turn * part * part * (3.0 - 2.0 * part)))
    }
}

/// Place, velocity and acceleration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub place: DVec3,
    pub velocity: DVec3,
    pub acceleration: DVec3,
}

/// The motion along `knots` at `time`; before the first and after the last, the person stands there.
pub(super) fn motion_at(knots: &[Knot], time: f64) -> Motion {
    let next = knots.partition_point(|knot| knot.time <= time);
    let still = |knot: Option<&Knot>| Motion {
        place: knot.map_or(DVec3::ZERO, |knot| knot.place),
        ..Motion::default()
    };
    match (next.checked_sub(1).map(|i| &knots[i]), knots.get(next)) {
        (Some(from), Some(to)) => between(from, to, time),
        // A person is moving up to the very last moment.
        (Some(last), None) if last.time == time && next > 1 => {
            between(&knots[next - 2], last, time)
        }
        (Some(last), None) => still(Some(last)),
        (None, first) => still(first),
    }
}

/// The cubic with the places and velocities of two knots. It is exact where these are the same.
fn between(from: &Knot, to: &Knot, time: f64) -> Motion {
    let gap = to.time - from.time;
    let s = (time - from.time) / gap;
    let chord = to.place - from.place;
    // Along the chord, and what the velocities at both ends differ from it.
    let (leave, arrive) = (from.velocity * gap - chord, to.velocity * gap - chord);
    let bend = leave * (1.0 - s) - arrive * s;
    let (bend_rate, bend_curve) = (-(leave + arrive), 1.0 - 2.0 * s);
    let bump = s * (1.0 - s);
    Motion {
        place: from.place + chord * s + bend * bump,
        velocity: (chord + bend * bend_curve + bend_rate * bump) / gap,
        acceleration: (2.0 * bend_rate * bend_curve - 2.0 * bend) / (gap * gap),
    }
}

/// All times that are too slow for facing the way one moves, from end to end.
fn slow_times(knots: &[Knot], given: Option<Heading>) -> Vec<Slow> {
    let speed = |time: f64| motion_at(knots, time).velocity.truncate().length();
    let mut slow: Vec<(f64, f64)> = Vec::new();
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else { return Vec::new() };
    let mut since = (speed(first.time) < FACING_SPEED).then_some(first.time);
    let mut before = first.time;
    for pair in knots.windows(2) {
        let looks = ((pair[1].time - pair[0].time) / LOOK).ceil().clamp(1.0, 32.0);
        for look in 1..=looks as u32 {
            let part = f64::from(look) / looks;
            let time = pair[0].time + part * (pair[1].time - pair[0].time);
            let is_slow = speed(time) < FACING_SPEED;
            match (since, is_slow) {
                (None, true) => since = Some(crossing(&speed, before, time)),
                (Some(from), false) => {
                    slow.push((from, crossing(&speed, time, before)));
                    since = None;
                }
                _ => {}
            }
            before = time;
        }
    }
    slow.extend(since.map(|from| (from, last.time)));
    let heading = |time: f64| Heading::along(motion_at(knots, time).velocity.truncate().as_vec2());
    let facings = |(from, to): (f64, f64)| {
        let before = if from > first.time { heading(from) } else { None };
        let after = if to < last.time { heading(to) } else { None };
        let whole = before.is_none() && after.is_none();
        let way = (last.place - first.place).truncate().as_vec2();
        let gone = Heading::along(way).filter(|_| way.length() > FAR);
        Slow { from, to, before: before.or(if whole { gone.or(given) } else { None }), after }
    };
    slow.into_iter().map(facings).collect()
}

/// Where the speed passes [`FACING_SPEED`], from a time when it is above to one when it is below: the
/// last time, as far as numbers go, when it is above.
fn crossing(speed: &impl Fn(f64) -> f64, mut above: f64, mut below: f64) -> f64 {
    for _ in 0..40 {
        let middle = 0.5 * (above + below);
        if speed(middle) < FACING_SPEED {
            below = middle;
        } else {
            above = middle;
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;
    use throng_base::frame::wrap_angle;

    fn knot(time: f64, x: f64, vx: f64) -> Knot {
        Knot { time, place: DVec3::new(x, 0.0, 0.0), velocity: DVec3::new(vx, 0.0, 0.0) }
    }

    #[test]
    fn a_cubic_is_met_with_its_derivatives() {
        // x = t³ - t², from 1 to 3
        let (from, to) = (knot(1.0, 0.0, 1.0), knot(3.0, 18.0, 21.0));
        let motion = between(&from, &to, 2.5);
        assert!((motion.place.x - 9.375).abs() < 1e-12, "{}", motion.place.x);
        assert!((motion.velocity.x - 13.75).abs() < 1e-12, "{}", motion.velocity.x);
        assert!((motion.acceleration.x - 13.0).abs() < 1e-12, "{}", motion.acceleration.x);
    }

    #[test]
    fn who_turns_back_after_a_stand_faces_the_new_way_when_they_set_out() {
        let knots = vec![
            knot(0.0, 0.0, 1.0),
            knot(2.0, 1.5, 0.0),
            knot(8.0, 1.5, 0.0),
            knot(10.0, 0.0, -1.0),
        ];
        let situation = Situation { from: 0.0, layer: LayerId(3), lying: false };
        let stretch = Stretch::new(knots, vec![(2.0, 8.0)], vec![situation], None);
        let facing = |time| stretch.at(time).unwrap().facing.unwrap().radians();
        assert_eq!((facing(0.5), facing(2.0), facing(5.0)), (0.0, 0.0, 0.0));
        assert!((facing(9.5).abs() - PI).abs() < 1e-6);
        let mut before = facing(0.0);
        for i in 0..=1000 {
            let now = facing(0.01 * f64::from(i));
            assert!(wrap_angle(now - before).abs() < 0.01 * 1.6 * TURN_RATE, "{i}: {before} {now}");
            before = now;
        }
        let point = stretch.at(5.0).unwrap();
        assert_eq!((point.velocity, point.position), (Vec2::ZERO, Vec2::new(1.5, 0.0)));
        assert!(point.standing && point.layer == LayerId(3));
        assert!(!stretch.at(1.9).unwrap().standing);
        assert_eq!(stretch.at(10.0).unwrap().velocity, Vec2::new(-1.0, 0.0));
        assert!(stretch.at(10.1).is_none() && stretch.at(f64::NAN).is_none());
    }
}
