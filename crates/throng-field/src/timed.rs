//! Fields that change with time, solved at once for all times.
//!
//! Time is a third coordinate, τt in metres, and the thin plate becomes r³ (Jin et al. 2008, section
//! II). Such a field swings a little between keys even where all of them say the same: use
//! [`Tracks`](crate::Tracks) where that matters.

use glam::{DVec2, Vec2};
use throng_simd::Vectors;

use crate::anchor::{check_places, check_vectors};
use crate::error::FieldError;
use crate::frame::{Frame, identity};
use crate::interpolant::Interpolant;
use crate::linear::Factorisation;
use crate::options::check_setting;
use crate::radial::Triharmonic;

/// An arrow on the ground at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedAnchor {
    /// Where it is, m.
    pub position: DVec2,
    /// Where it leads, and how fast, m/s.
    pub vector: DVec2,
    /// When it is there, s; at the times of all others if `None`.
    pub time: Option<f64>,
}

/// A vector field that changes with time.
#[derive(Clone, Debug)]
pub struct TimedField {
    frame: Frame<3>,
    sum: Interpolant<Triharmonic, 3, 2>,
    tau: f64,
    /// Before the first and after the last key it stays what it is there.
    times: [f64; 2],
    cap: f64,
}

impl TimedField {
    /// The field of some anchors. `tau` (τ) says how many metres count as much as a second; if `None`,
    /// as many as make the median distance of neighbours that of keys. The speed is nowhere more
    /// than `speed_cap` times the largest of the anchors; `None` for no limit.
    pub fn new(
        anchors: &[TimedAnchor],
        tau: Option<f64>,
        speed_cap: Option<f64>,
    ) -> Result<Self, FieldError> {
        check_setting("the speed cap", speed_cap.unwrap_or(1.0), 1.0, 100.0)?;
        let given: Vec<[f64; 1]> = anchors.iter().map(|a| [a.time.unwrap_or(0.0)]).collect();
        check_vectors(&given)?;
        let mut keys: Vec<f64> = anchors.iter().filter_map(|anchor| anchor.time).collect();
        keys.sort_by(f64::total_cmp);
        keys.dedup();
        if keys.is_empty() {
            keys.push(0.0);
        }
        let tau = tau.unwrap_or_else(|| usual_tau(anchors, &keys));
        check_setting("tau", tau, 1e-6, 1e6)?;
        let (mut places, mut vectors) = (Vec::new(), Vec::new());
        for anchor in anchors {
            let own = anchor.time;
            for time in own.as_ref().map_or(keys.as_slice(), std::slice::from_ref) {
                places.push([anchor.position.x, anchor.position.y, tau * time]);
                vectors.push(anchor.vector.to_array());
            }
        }
        let (frame, sum) = solve(&places, &vectors)?;
        let largest = anchors.iter().map(|a| a.vector.length()).fold(0.0, f64::max);
        let cap = speed_cap.map_or(f64::INFINITY, |factor| factor * largest);
        Ok(Self { frame, sum, tau, times: [keys[0], keys[keys.len() - 1]], cap })
    }

    /// The velocity at a place and time, m/s; zero if either is no number.
    pub fn velocity(&self, place: DVec2, time: f64) -> DVec2 {
        let [first, last] = self.times;
        let time = self.tau * time.clamp(first, last);
        let velocity =
            DVec2::from_array(self.sum.value(self.frame.normalise([place.x, place.y, time])));
        let limited = velocity.clamp_length_max(self.cap);
        if limited.is_finite() { limited } else { DVec2::ZERO }
    }

    /// The velocity at each place at one time; as many as the shorter of the two has.
    pub fn sample(&self, time: f64, places: &[Vec2], velocities: &mut [Vec2]) {
        for (place, velocity) in places.iter().zip(velocities) {
            *velocity = self.velocity(place.as_dvec2(), time).as_vec2();
        }
    }
}

/// The sum that has these vectors at these places, and the frame that it is in.
fn solve(
    places: &[[f64; 3]],
    vectors: &[[f64; 2]],
) -> Result<(Frame<3>, Interpolant<Triharmonic, 3, 2>), FieldError> {
    check_vectors(vectors)?;
    check_places(places)?;
    let simd = Vectors::detect();
    let frame = Frame::new(places, &identity());
    let points: Vec<[f64; 3]> = places.iter().map(|p| frame.normalise(*p)).collect();
    let components: [Vec<f64>; 2] =
        [0, 1].map(|axis| vectors.iter().map(|vector| vector[axis]).collect());
    let moments = vec![0.0; frame.directions.len() + 1];
    let solutions = if points.is_empty() {
        Default::default()
    } else {
        let smoothing = vec![0.0; points.len()];
        let directions = &frame.directions;
        Factorisation::new::<Triharmonic, 3>(simd, &points, directions, &smoothing)
            .ok_or(FieldError::Singular)?
            .solve(components.each_ref().map(Vec::as_slice), [&moments; 2])
    };
    let sum = Interpolant::new(simd, &points, &frame.directions, &solutions);
    Ok((frame, sum))
}

/// The median distance of an anchor to its neighbour over the median time between keys.
fn usual_tau(anchors: &[TimedAnchor], keys: &[f64]) -> f64 {
    let nearest = |anchor: &TimedAnchor| {
        let distances = anchors.iter().map(|other| other.position.distance(anchor.position));
        // The same place at another time is no neighbour.
        distances.filter(|distance| *distance >= crate::COINCIDENT).reduce(f64::min)
    };
    let spacing = median(anchors.iter().filter_map(nearest).collect());
    let interval = median(keys.windows(2).map(|two| two[1] - two[0]).collect());
    match (spacing, interval) {
        (Some(spacing), Some(interval)) => spacing / interval,
        _ => 1.0,
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
