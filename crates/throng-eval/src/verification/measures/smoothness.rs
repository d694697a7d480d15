//! How smoothly people walk: how fast they turn, how much they speed up and slow down, and how straight
//! their ways are.
//!
//! Recorded tracks of streets are set by hand about every 1.2 s and interpolated in between, so nothing
//! finer means anything. Velocities are displacements over 1.2 s, and turns and accelerations their
//! changes over 1.2 s, where both are above 0.3 m/s; simulated tracks are treated alike.

use glam::DVec2;
use serde::Serialize;

use crate::statistics::{Spread, quantile};
use crate::verification::tracks::{INTERVAL, SampledTracks};

/// Samples in 1.2 s.
const SPAN: usize = 3;
/// Slower than this nobody walks, m/s.
const WALKING: f64 = 0.3;
/// Samples in 4 s.
const FOUR_SECONDS: usize = 10;
/// Ways that are shorter have no straightness, m.
const SHORTEST: f64 = 4.0;

/// Everything that was measured, sample by sample.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Smoothness {
    /// How fast directions change, rad/s.
    pub turn_rates: Vec<f64>,
    /// Acceleration along the way, m/s².
    pub tangential: Vec<f64>,
    /// Acceleration across it, m/s².
    pub normal: Vec<f64>,
    /// Of each track, distance of its ends by its length.
    pub straightness: Vec<f64>,
    /// Of every 4 s, the same.
    pub straightness_4s: Vec<f64>,
    /// Of each track, the median speed of those samples at which they walk, m/s.
    pub speeds: Vec<f64>,
}

impl Smoothness {
    /// Measures tracks of five samples or more.
    pub fn of(tracks: &SampledTracks) -> Self {
        let mut smoothness = Self::default();
        for track in tracks.all().iter().filter(|track| track.points.len() >= 5) {
            smoothness.add(&track.points);
        }
        smoothness
    }

    fn add(&mut self, points: &[DVec2]) {
        let span = SPAN as f64 * INTERVAL;
        let velocities: Vec<DVec2> =
            points.windows(SPAN + 1).map(|w| (w[SPAN] - w[0]) / span).collect();
        for pair in velocities.windows(SPAN + 1) {
            let (before, after) = (pair[0], pair[SPAN]);
            if before.length() < WALKING || after.length() < WALKING {
                continue;
            }
            let acceleration = (after - before) / span;
            let along = (before.normalize() + after.normalize()).normalize_or(before.normalize());
            self.turn_rates.push(before.angle_to(after).abs() / span);
            self.tangential.push(acceleration.dot(along));
            self.normal.push(along.perp_dot(acceleration));
        }
        self.straightness.extend(straightness(points).filter(|_| length(points) > SHORTEST));
        for window in points.windows(FOUR_SECONDS + 1) {
            // Who stands has no way that could be straight.
            let walks = length(window) > WALKING * FOUR_SECONDS as f64 * INTERVAL;
            self.straightness_4s.extend(straightness(window).filter(|_| walks));
        }
        let speeds: Vec<f64> = (points.windows(3))
            .map(|w| w[0].distance(w[2]) / (2.0 * INTERVAL))
            .filter(|speed| *speed >= 0.2)
            .collect();
        self.speeds.extend(quantile(&speeds, 0.5));
    }

    /// The median turn rate, rad/s.
    pub fn median_turn_rate(&self) -> Option<f64> {
        quantile(&self.turn_rates, 0.5)
    }

    /// The standard deviations of tangential and normal acceleration, m/s².
    pub fn accelerations(&self) -> [f64; 2] {
        [&self.tangential, &self.normal].map(|values| Spread::of(values).sd)
    }

    /// The median straightness of whole tracks.
    pub fn median_straightness(&self) -> Option<f64> {
        quantile(&self.straightness, 0.5)
    }

    /// What 99 % of tangential accelerations are smaller than, either way, m/s².
    pub fn hardest(&self) -> Option<f64> {
        let sizes: Vec<f64> = self.tangential.iter().map(|a| a.abs()).collect();
        quantile(&sizes, 0.99)
    }
}

fn length(points: &[DVec2]) -> f64 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

fn straightness(points: &[DVec2]) -> impl Iterator<Item = f64> {
    let way = length(points);
    let ends = points.first().zip(points.last()).filter(|_| way > 0.0);
    ends.map(|(a, b)| a.distance(*b) / way).into_iter()
}
