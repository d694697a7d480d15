//! How well people walk: the metrics by which steering models are compared in a hallway.
//!
//! For each walker: time, length of the way, mean speed, smoothness (the integral of the squared
//! curvature along the way), total acceleration (the integral of `|dv/dt|` over time) and degrees
//! turned (Karamouzas et al. 2009). Curvature and turns are taken from the way sampled every
//! [`SAMPLING`] seconds without stretches shorter than [`SHORTEST_STRETCH`]: the direction of someone
//! who stands is noise. Acceleration is that of the velocities from one frame to the next.

use glam::DVec2;
use serde::ser::SerializeTuple;
use serde::{Serialize, Serializer};

use crate::statistics::Spread;
use crate::tracks::Track;

/// Time between two points of a way whose direction is compared, s.
pub const SAMPLING: f64 = 0.5;

/// Stretches of a way that are shorter have no direction, m.
pub const SHORTEST_STRETCH: f64 = 0.1;

/// The six metrics of a walk: with numbers how one person walked ([`Walk`]), with spreads how the people of a run
/// did ([`Walks`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WalkMetrics<V> {
    /// From the first moment to the last, s.
    pub time: V,
    /// Length of the way, m.
    pub length: V,
    /// Length by time, m/s.
    pub speed: V,
    /// Integral of the squared curvature along the way, 1/m; 0 is straight. The mean over people is dominated
    /// by a few who stop: look at the median.
    pub smoothness: V,
    /// Integral of the absolute acceleration over time, m/s.
    pub acceleration: V,
    /// Sum of all turns, degrees.
    pub turned: V,
}

/// How one person walked.
pub type Walk = WalkMetrics<f64>;

/// How the people of a run walked.
pub type Walks = WalkMetrics<Spread>;

/// A metric of a walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkMetric {
    /// Its name and its unit, as the head of a column.
    pub head: &'static str,
    /// Its value.
    pub of: fn(&Walk) -> f64,
}

/// The metrics of walks.
pub const WALK_METRICS: WalkMetrics<WalkMetric> = WalkMetrics {
    time: WalkMetric { head: "time s", of: |walk| walk.time },
    length: WalkMetric { head: "length m", of: |walk| walk.length },
    speed: WalkMetric { head: "speed m/s", of: |walk| walk.speed },
    smoothness: WalkMetric { head: "smoothness", of: |walk| walk.smoothness },
    acceleration: WalkMetric { head: "total acc.", of: |walk| walk.acceleration },
    turned: WalkMetric { head: "degrees", of: |walk| walk.turned },
};

impl<V> WalkMetrics<V> {
    /// Something else of each metric.
    pub fn map<W>(self, mut of: impl FnMut(V) -> W) -> WalkMetrics<W> {
        WalkMetrics {
            time: of(self.time),
            length: of(self.length),
            speed: of(self.speed),
            smoothness: of(self.smoothness),
            acceleration: of(self.acceleration),
            turned: of(self.turned),
        }
    }

    /// All of them, in the order of tables.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        let Self { time, length, speed, smoothness, acceleration, turned } = self;
        [time, length, speed, smoothness, acceleration, turned].into_iter()
    }

    /// Writes them as a list, in the order of tables.
    pub(crate) fn serialize_list<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>
    where
        V: Serialize,
    {
        // Of a known length, as an array: a tuple.
        let mut list = serializer.serialize_tuple(6)?;
        self.iter().try_for_each(|value| list.serialize_element(value))?;
        list.end()
    }
}

impl Walk {
    /// How the person with this `track` walked. `None` if it takes no time.
    pub fn of(track: &Track) -> Option<Self> {
        let time = track.times.last()? - track.times.first()?;
        if !(time > 0.0 && time.is_finite()) {
            return None;
        }
        let length = track.points.windows(2).map(|ends| ends[0].distance(ends[1])).sum::<f64>();
        let (smoothness, turned) = bends(&sampled(track));
        Some(Self {
            time,
            length,
            speed: length / time,
            smoothness,
            acceleration: total_acceleration(track),
            turned: turned.to_degrees(),
        })
    }
}

impl Walks {
    /// The spread of each metric over `walks`.
    pub fn of(walks: &[Walk]) -> Self {
        WALK_METRICS.map(|metric| Spread::of(&walks.iter().map(metric.of).collect::<Vec<f64>>()))
    }
}

/// The corners of the way whose directions are compared.
fn sampled(track: &Track) -> Vec<DVec2> {
    // A frame that is due at the sampling time may be a rounding error early.
    const SLACK: f64 = 1e-6;
    let mut points: Vec<DVec2> = Vec::new();
    let mut due = track.times.first().copied().unwrap_or_default();
    for (&time, &point) in track.times.iter().zip(&track.points) {
        if time < due - SLACK {
            continue;
        }
        if points.last().is_none_or(|last| last.distance(point) >= SHORTEST_STRETCH) {
            points.push(point);
        }
        due += SAMPLING * (((time - due + SLACK) / SAMPLING).floor() + 1.0);
    }
    points
}

/// The integral of the squared curvature, and the sum of all turns in radians, of a way with these
/// corners. At a corner the curvature is the turn by the mean of the stretches it joins.
fn bends(points: &[DVec2]) -> (f64, f64) {
    points.windows(3).fold((0.0, 0.0), |(squared, turned), corner| {
        let (before, after) = (corner[1] - corner[0], corner[2] - corner[1]);
        // Not by an arc cosine, which is blind to small angles.
        let turn = before.perp_dot(after).atan2(before.dot(after)).abs();
        let stretch = 0.5 * (before.length() + after.length());
        (squared + turn * turn / stretch, turned + turn)
    })
}

fn total_acceleration(track: &Track) -> f64 {
    let velocities: Vec<DVec2> = (track.times.windows(2).zip(track.points.windows(2)))
        .filter(|(times, _)| times[1] > times[0])
        .map(|(times, points)| (points[1] - points[0]) / (times[1] - times[0]))
        .collect();
    velocities.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn track(seconds: f64, place: impl Fn(f64) -> DVec2) -> Track {
        let times: Vec<f64> = (0..=(seconds * 10.0) as usize).map(|i| i as f64 * 0.1).collect();
        Track { points: times.iter().map(|&time| place(time)).collect(), times }
    }

    #[test]
    fn who_walks_straight_turns_and_accelerates_not_at_all() {
        let walk = Walk::of(&track(20.0, |t| DVec2::new(0.6, 0.8) * 1.4 * t)).unwrap();
        assert!((walk.length - 28.0).abs() < 1e-9 && (walk.speed - 1.4).abs() < 1e-9);
        assert!((walk.time - 20.0).abs() < 1e-9);
        assert!(walk.turned < 1e-6 && walk.smoothness < 1e-9 && walk.acceleration < 1e-9);
    }

    #[test]
    fn on_a_circle_curvature_is_one_by_the_radius() {
        let (radius, speed) = (5.0, 1.0);
        let walk = Walk::of(&track(20.0, |t| DVec2::from_angle(t * speed / radius) * radius));
        let walk = walk.unwrap();
        // Of forty stretches, the thirty-nine corners between them turn.
        let share = 39.0 / 40.0;
        assert!((walk.turned / (share * 4.0f64.to_degrees()) - 1.0).abs() < 1e-6, "{walk:?}");
        assert!((walk.smoothness / (share * 20.0 / 25.0) - 1.0).abs() < 1e-3, "{walk:?}");
        // |dv/dt| = v²/r, over the time between the middles of the first and the last frame.
        assert!((walk.acceleration / (19.9 / 5.0) - 1.0).abs() < 1e-3, "{walk:?}");
    }

    #[test]
    fn who_stands_for_a_while_does_not_turn_by_noise() {
        let noise = |t: f64| DVec2::from_angle(t * 97.0) * 0.02;
        let stopping = |t: f64| match t {
            t if t < 5.0 => DVec2::X * t,
            t if t < 15.0 => DVec2::X * 5.0 + noise(t),
            t => DVec2::X * (t - 10.0),
        };
        let walk = Walk::of(&track(20.0, stopping)).unwrap();
        assert!(walk.turned < 15.0, "twenty points of noise turn hundreds of degrees: {walk:?}");
        let back = |t: f64| DVec2::X * (10.0 - (t - 10.0).abs());
        let walk = Walk::of(&track(20.0, back)).unwrap();
        assert!((walk.turned - 180.0).abs() < 1e-6 && (walk.acceleration - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_track_ends_at_the_goal() {
        let track = track(10.0, |t| DVec2::X * t);
        let walk = Walk::of(&track.until(|point| point.x >= 6.0 - 1e-9)).unwrap();
        assert!((walk.time - 6.0).abs() < 1e-9 && (walk.length - 6.0).abs() < 1e-9);
        assert_eq!(track.until(|_| false), track);
        assert_eq!(Walk::of(&Track::default()), None);
    }

    #[test]
    fn spreads_are_over_walkers() {
        let walks: Vec<Walk> = [1.0, 2.0]
            .iter()
            .filter_map(|v| Walk::of(&track(PI * 2.0, |t| DVec2::X * t * *v)))
            .collect();
        let walks = Walks::of(&walks);
        assert!((walks.speed.mean - 1.5).abs() < 1e-9 && walks.time.sd < 1e-9);
    }
}
