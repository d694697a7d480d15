//! How well people walk: the metrics by which steering models are compared in a hallway.
//!
//! For each walker: time, length of the way, mean speed, smoothness (the integral of the squared
//! curvature along the way), total acceleration (the integral of `|dv/dt|` over time) and degrees
//! turned (Karamouzas et al. 2009). Curvature and turns are taken from the way sampled every
//! [`SAMPLING`] seconds without stretches shorter than [`SHORTEST_STRETCH`]: the direction of someone
//! who stands is noise. Acceleration is that of the velocities from one frame to the next.

use std::collections::BTreeMap;

use glam::DVec2;
use serde::Serialize;

use crate::frame::FrameView;
use crate::statistics::Spread;

/// Time between two points of a way whose direction is compared, s.
pub const SAMPLING: f64 = 0.5;

/// Stretches of a way that are shorter have no direction, m.
pub const SHORTEST_STRETCH: f64 = 0.1;

/// Where one person was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// When, ascending, s.
    pub times: Vec<f64>,
    /// Where, m; in a periodic corridor, as if it went on for ever.
    pub points: Vec<DVec2>,
}

/// The tracks of everyone, by id.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    tracks: BTreeMap<u32, Track>,
    period: DVec2,
}

impl Tracks {
    /// No tracks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No tracks yet, in a world that repeats itself after so many metres in x and in y; 0 where it
    /// does not. Whoever leaves at one end and enters at the other has walked on.
    pub fn periodic(period: DVec2) -> Self {
        Self { tracks: BTreeMap::new(), period }
    }

    /// Adds everyone of the next frame.
    pub fn push(&mut self, frame: FrameView) {
        for (&id, position) in frame.ids.iter().zip(frame.positions) {
            let track = self.tracks.entry(id).or_default();
            let position = position.as_dvec2();
            let jump = track.points.last().map(|last| whole_periods(position - *last, self.period));
            track.times.push(frame.time);
            track.points.push(position - jump.unwrap_or_default());
        }
    }

    /// Everyone's track, by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Track)> {
        self.tracks.iter().map(|(&id, track)| (id, track))
    }
}

impl Track {
    /// The track up to the first point where `is_goal` holds, that one included.
    pub fn until(&self, is_goal: impl Fn(DVec2) -> bool) -> Self {
        let end = self.points.iter().position(|&point| is_goal(point));
        let count = end.map_or(self.points.len(), |end| end + 1);
        Self { times: self.times[..count].into(), points: self.points[..count].into() }
    }
}

/// How one person walked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Walk {
    /// From the first moment to the last, s.
    pub time: f64,
    /// Length of the way, m.
    pub length: f64,
    /// Length by time, m/s.
    pub speed: f64,
    /// Integral of the squared curvature along the way, 1/m; 0 is straight.
    pub smoothness: f64,
    /// Integral of the absolute acceleration over time, m/s.
    pub acceleration: f64,
    /// Sum of all turns, degrees.
    pub turned: f64,
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

/// How the people of a run walked, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Walks {
    /// See [`Walk::time`].
    pub time: Spread,
    /// See [`Walk::length`].
    pub length: Spread,
    /// See [`Walk::speed`].
    pub speed: Spread,
    /// See [`Walk::smoothness`]. The mean is dominated by a few who stop: look at the median.
    pub smoothness: Spread,
    /// See [`Walk::acceleration`].
    pub acceleration: Spread,
    /// See [`Walk::turned`].
    pub turned: Spread,
}

impl Walks {
    /// The spread of each metric over `walks`.
    pub fn of(walks: &[Walk]) -> Self {
        let spread =
            |metric: fn(&Walk) -> f64| Spread::of(&walks.iter().map(metric).collect::<Vec<f64>>());
        Self {
            time: spread(|walk| walk.time),
            length: spread(|walk| walk.length),
            speed: spread(|walk| walk.speed),
            smoothness: spread(|walk| walk.smoothness),
            acceleration: spread(|walk| walk.acceleration),
            turned: spread(|walk| walk.turned),
        }
    }
}

/// The whole periods in a step; nobody walks half of one between two frames.
fn whole_periods(step: DVec2, period: DVec2) -> DVec2 {
    let whole = |step: f64, period: f64| match period > 0.0 {
        true => (step / period).round() * period,
        false => 0.0,
    };
    DVec2::new(whole(step.x, period.x), whole(step.y, period.y))
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

    use glam::Vec2;
    use throng_world::scene::LayerId;

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
    fn in_a_periodic_corridor_the_way_goes_on() {
        let push = |tracks: &mut Tracks| {
            for step in 0..100 {
                let x = (step as f32 * 0.7 + 17.0) % 40.0 - 20.0;
                tracks.push(FrameView {
                    time: f64::from(step) * 0.5,
                    ids: &[9],
                    positions: &[Vec2::new(x, 1.0)],
                    layers: &[LayerId(0)],
                });
            }
        };
        let mut tracks = Tracks::periodic(DVec2::new(40.0, 0.0));
        push(&mut tracks);
        let walk = Walk::of(tracks.iter().next().unwrap().1).unwrap();
        assert!((walk.length - 99.0 * 0.7).abs() < 1e-3, "{walk:?}");
        assert!(walk.acceleration < 1e-2 && walk.turned < 1e-3, "{walk:?}");
        let mut plain = Tracks::new();
        push(&mut plain);
        assert!(Walk::of(plain.iter().next().unwrap().1).unwrap().length > 100.0);
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
