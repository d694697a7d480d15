//! Who stands still.
//!
//! Tracks of people who stand creep about: the tracker jitters, weight is shifted from leg to leg. A
//! body that followed would shuffle its feet all the time. Somebody stands who gets nowhere for a while: the
//! smoothed track is slow over a second, keeps within a small circle, and has no drift.

use glam::DVec3;

use super::TrackOptions;
use super::stretch::{Knot, motion_at};

/// Speed is that of a second around a moment, s.
const WINDOW: f64 = 1.0;
/// Who stands keeps within a circle of this radius, m, widened by so many standard deviations.
const RADIUS: f64 = 0.1;
const NOISE_WIDENS: f64 = 2.0;
/// Setting out and stopping take at least this long, s: the samples at the ends of a stand belong to
/// these. With less, bodies would be jerked into their first step.
const EASE: f64 = 0.35;
/// What is left of a stand then is at least this part of the time that makes one.
const LEFT: f64 = 0.3;

/// Samples during which somebody stands, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    pub first: usize,
    pub last: usize,
    pub place: DVec3,
}

/// The stands among `samples`, in order. `knots` are the smoothed samples, `noise` their error in m.
pub(super) fn stands(
    knots: &[Knot],
    samples: &[DVec3],
    noise: f64,
    options: &TrackOptions,
) -> Vec<Stand> {
    let speeds: Vec<f64> = knots.iter().map(|knot| speed_around(knots, knot.time)).collect();
    let radius = RADIUS + NOISE_WIDENS * noise;
    let slow = options.standing_speed + noise / WINDOW;
    let search = Search { knots, speeds, radius, slow, options };
    let mut stands = Vec::new();
    let mut start = 0;
    while start < knots.len() {
        let end = search.run(start);
        if search.is_stand(start, end) {
            let trimmed = search.trimmed(start, end - 1);
            stands.extend(trimmed.map(|(first, last)| {
                let sum: DVec3 = samples[first..=last].iter().sum();
                Stand { first, last, place: sum / (last - first + 1) as f64 }
            }));
            start = end;
        } else {
            // Trying every start would take time in the square of the sampling rate.
            start += ((end - start) / 8).max(1);
        }
    }
    stands
}

/// The distance covered in a second around `time`, by that second.
fn speed_around(knots: &[Knot], time: f64) -> f64 {
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else { return 0.0 };
    let (from, to) = (time - 0.5 * WINDOW, time + 0.5 * WINDOW);
    let (from, to) = (from.max(first.time), to.min(last.time));
    let way = motion_at(knots, to).place - motion_at(knots, from).place;
    if to > from { way.truncate().length() / (to - from) } else { 0.0 }
}

struct Search<'a> {
    knots: &'a [Knot],
    speeds: Vec<f64>,
    radius: f64,
    /// Below this speed, m/s, a second tells nothing: noise alone can be as fast.
    slow: f64,
    options: &'a TrackOptions,
}

impl Search<'_> {
    /// How far a run from `start` gets: slow, and near the middle of the run so far.
    fn run(&self, start: usize) -> usize {
        let mut middle = self.knots[start].place.truncate();
        let is_slow = |i: usize| self.speeds[i] < self.slow;
        let mut end = start;
        while end < self.knots.len() && is_slow(end) {
            let place = self.knots[end].place.truncate();
            if place.distance(middle) > self.radius {
                break;
            }
            middle += (place - middle) / (end - start + 1) as f64;
            end += 1;
        }
        end
    }

    fn is_stand(&self, start: usize, end: usize) -> bool {
        if end <= start + 1 {
            return false;
        }
        let (from, to) = (&self.knots[start], &self.knots[end - 1]);
        let (time, drift) = (to.time - from.time, (to.place - from.place).truncate().length());
        time >= self.options.standing_time && drift <= self.options.standing_speed * time
    }

    /// A run without the samples at its ends during which the person sets out or comes to a stop.
    fn trimmed(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let knots = self.knots;
        let sum: DVec3 = knots[first..=last].iter().map(|knot| knot.place).sum();
        let middle = (sum / (last - first + 1) as f64).truncate();
        let is_off = |knot: &Knot| {
            knot.place.truncate().distance(middle) > self.radius / 3.0
                || knot.velocity.truncate().length() > self.slow
        };
        let earliest = first.checked_sub(1).map_or(f64::MIN, |i| knots[i].time + EASE);
        let latest = knots.get(last + 1).map_or(f64::MAX, |knot| knot.time - EASE);
        // Who appears or vanishes while they stand neither stops nor sets out.
        let is_good = |&i: &usize| {
            let is_end = i == 0 || i + 1 == knots.len();
            is_end || (earliest..=latest).contains(&knots[i].time) && !is_off(&knots[i])
        };
        let (first, last) = ((first..=last).find(is_good)?, (first..=last).rev().find(is_good)?);
        let left = knots[last].time - knots[first].time;
        (left >= LEFT * self.options.standing_time).then_some((first, last))
    }
}
