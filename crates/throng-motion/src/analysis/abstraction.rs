//! The path of a body without its sway: the abstract root.
//!
//! The pelvis swings from side to side over the feet, and forwards and back with every step. Van
//! Basten and Egges (2009) compare ways to take that out of a walker's path; the root of a clip
//! must be such a path, or else a body that is put onto a planned path loses its sway and skates.
//!
//! [`Abstraction::Gaussian`] is theirs: smooth over about a step cycle of arc length, and put back
//! what smoothing takes from curves (Lowe 1989). The correction is a vector along the curvature,
//! not one number per coordinate, so that it does not depend on how the path is turned.
//! [`Abstraction::StrideAverage`] averages over exactly one stride. That removes everything that
//! repeats with the stride, and shrinks curves far less than a Gaussian that is wide enough to
//! remove the sway: on a circle of 1 m by 5 cm instead of 25 cm, which it puts back, too.

use glam::{DVec2, FloatExt as _};
use thiserror::Error;

/// How sway is taken out of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Abstraction {
    /// Not at all: the path of the pelvis.
    Pelvis,
    /// Gaussian smoothing along the path with this width, in metres.
    Gaussian {
        /// The width of the kernel (`σ`).
        sigma: f64,
    },
    /// The mean over one stride.
    StrideAverage,
}

impl Abstraction {
    /// Gaussian smoothing over 0.75 m, about a step cycle of an adult.
    pub const GAUSSIAN: Self = Self::Gaussian { sigma: 0.75 };
}

/// Why a path has no abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AbstractionError {
    #[error("a path of {points} points is too short to be smoothed")]
    TooShort { points: usize },
    #[error("point {point} of the path is not finite")]
    NotFinite { point: usize },
    #[error("{rate} points per second cannot be; write a positive number")]
    Rate { rate: f64 },
    #[error("a kernel {sigma} m wide cannot smooth a path; write a positive number, e.g. 0.75")]
    Sigma { sigma: f64 },
    #[error("there is no stride to average over")]
    NoStrides,
}

/// A path without sway.
#[derive(Clone, Debug, PartialEq)]
pub struct AbstractPath {
    /// A point for every point of the source.
    pub points: Vec<DVec2>,
    /// How many points turn so tightly that smoothing could not be made good.
    pub too_tight: usize,
}

/// Smoothing along the path needs somebody who gets on, in metres per second. Below the first
/// speed it is done in time, and above the second along the path.
const ALONG_PATH: [f64; 2] = [0.2, 0.4];
/// Width of the kernel in time, for those who stand, in seconds.
const STANDING_SIGMA: f64 = 0.5;
/// Only bends of the smoothed path are put back, in 1/m: from the first not at all to the second
/// wholly. What smoothing leaves of the sway bends as well, and putting that back would make it six
/// times as large; a gentler turn than the first loses 6 mm at most.
const BENDS: [f64; 2] = [0.02, 0.08];
/// Distance of the samples along the path, in metres. Convolution is sampled: with σ of 0.4 m and
/// more its error is far below a micrometre.
const SPACING: f64 = 0.01;
/// Kernels end after so many σ.
const REACH: f64 = 4.0;
/// A path of more samples is sampled more coarsely: nobody walks so far in a clip.
const MOST_SAMPLES: usize = 200_000;

/// Takes the sway out of `path`, which has `rate` points per second. `strides` are the times of
/// their middles and how long they take, in seconds, by time; only the stride average asks.
///
/// # Errors
///
/// If there are fewer than two points, one is not finite, or a stride is missing.
pub fn abstract_path(
    path: &[DVec2],
    rate: f64,
    strides: &[(f64, f64)],
    technique: Abstraction,
) -> Result<AbstractPath, AbstractionError> {
    if path.len() < 2 {
        return Err(AbstractionError::TooShort { points: path.len() });
    }
    if let Some(point) = path.iter().position(|point| !point.is_finite()) {
        return Err(AbstractionError::NotFinite { point });
    }
    if !(rate.is_finite() && rate > 0.0) {
        return Err(AbstractionError::Rate { rate });
    }
    match technique {
        Abstraction::Pelvis => Ok(AbstractPath { points: path.to_vec(), too_tight: 0 }),
        Abstraction::Gaussian { sigma } => gaussian(path, rate, sigma),
        Abstraction::StrideAverage => stride_average(path, rate, strides),
    }
}

fn gaussian(path: &[DVec2], rate: f64, sigma: f64) -> Result<AbstractPath, AbstractionError> {
    if !(sigma.is_finite() && sigma > 0.0) {
        return Err(AbstractionError::Sigma { sigma });
    }
    let standing = smoothed(path, STANDING_SIGMA * rate);
    let last = path.len() - 1;
    let speed = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        (standing[after] - standing[before]).length() * rate / (after - before) as f64
    };
    let weights: Vec<f64> = (0..path.len())
        .map(|frame| speed(frame).smoothstep(ALONG_PATH[0], ALONG_PATH[1]))
        .collect();
    if weights.iter().all(|&weight| weight == 0.0) {
        return Ok(AbstractPath { points: standing, too_tight: 0 });
    }
    let along = AlongPath::new(path);
    let (curve, tight) = along.smoothed(sigma);
    let mut too_tight = 0;
    let points = (0..path.len())
        .map(|frame| {
            let (point, is_tight) = along.at_frame(&curve, &tight, frame);
            too_tight += usize::from(is_tight && weights[frame] > 0.0);
            standing[frame].lerp(point, weights[frame])
        })
        .collect();
    Ok(AbstractPath { points, too_tight })
}

/// A path sampled evenly along itself.
struct AlongPath {
    samples: Vec<DVec2>,
    spacing: f64,
    /// How far along the path each frame is.
    arc: Vec<f64>,
}

impl AlongPath {
    fn new(path: &[DVec2]) -> Self {
        let mut length = 0.0;
        let mut arc = vec![0.0];
        for pair in path.windows(2) {
            length += pair[0].distance(pair[1]);
            arc.push(length);
        }
        let steps = (length / SPACING).ceil().clamp(1.0, MOST_SAMPLES as f64) as usize;
        let spacing = length / steps as f64;
        let mut segment = 0;
        let samples = (0..=steps)
            .map(|sample| {
                let at = sample as f64 * spacing;
                while segment + 2 < path.len() && arc[segment + 1] < at {
                    segment += 1;
                }
                let piece = arc[segment + 1] - arc[segment];
                let part = if piece > 0.0 { (at - arc[segment]) / piece } else { 0.0 };
                path[segment].lerp(path[segment + 1], part.clamp(0.0, 1.0))
            })
            .collect();
        Self { samples, spacing, arc }
    }

    /// The smoothed curve with what smoothing took from its bends put back, and where that failed.
    fn smoothed(&self, sigma: f64) -> (Vec<DVec2>, Vec<bool>) {
        let width = sigma / self.spacing;
        let kernel = Kernel::new(width);
        let second = second_derivative(width, self.spacing);
        let point = |sample: usize| {
            let smooth = kernel.at(&self.samples, sample);
            let bend = convolve(&self.samples, sample, &second);
            let (shrinkage, is_tight) = shrinkage(bend.length(), sigma);
            let restored = bend.length().smoothstep(BENDS[0], BENDS[1]) * shrinkage;
            (smooth - restored * bend.normalize_or_zero(), is_tight)
        };
        (0..self.samples.len()).map(point).unzip()
    }

    fn at_frame(&self, curve: &[DVec2], tight: &[bool], frame: usize) -> (DVec2, bool) {
        let last = curve.len() - 1;
        let at = if self.spacing > 0.0 { self.arc[frame] / self.spacing } else { 0.0 };
        let sample = (at as usize).min(last.saturating_sub(1));
        let next = (sample + 1).min(last);
        (curve[sample].lerp(curve[next], (at - sample as f64).clamp(0.0, 1.0)), tight[sample])
    }
}

/// By how much a circle shrinks whose second derivative is `bend` after smoothing, and whether that
/// could not be said because it is tighter than the kernel is wide.
///
/// A circle of radius `r` is smoothed to `r exp(−σ²/2r²)`, so that the second derivative is
/// `exp(−σ²/2r²) / r`. Of the two radii that have it, people walk along the larger one.
pub(crate) fn shrinkage(bend: f64, sigma: f64) -> (f64, bool) {
    let (radius, is_tight) = radius_of(bend, sigma);
    match radius {
        // To first order, where the difference below would be of nearly equal numbers.
        None => (0.5 * sigma * sigma * bend, false),
        Some(radius) => {
            let ratio = sigma / radius;
            (radius * -(-0.5 * ratio * ratio).exp_m1(), is_tight)
        }
    }
}

/// The radius of the circle whose smoothed second derivative is `bend`, unless that is straight.
fn radius_of(bend: f64, sigma: f64) -> (Option<f64>, bool) {
    const STRAIGHT: f64 = 1e-3;
    let derivative = |radius: f64| (-0.5 * (sigma / radius).powi(2)).exp() / radius;
    if bend.is_nan() || bend < STRAIGHT {
        return (None, false);
    }
    if bend >= derivative(sigma) {
        return (Some(sigma), true);
    }
    let (mut low, mut high) = (sigma, 1e4_f64.max(2.0 * sigma));
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if derivative(middle) > bend { low = middle } else { high = middle }
    }
    (Some(0.5 * (low + high)), false)
}

/// `points` smoothed by a Gaussian of `width` points.
pub(crate) fn smoothed(points: &[DVec2], width: f64) -> Vec<DVec2> {
    if width < 0.1 {
        return points.to_vec();
    }
    let kernel = Kernel::new(width);
    (0..points.len()).map(|point| kernel.at(points, point)).collect()
}

/// One half of a Gaussian, from its middle.
struct Kernel(Vec<f64>);

impl Kernel {
    fn new(width: f64) -> Self {
        let reach = ((REACH * width).ceil() as usize).max(1);
        let weights = (0..=reach).map(|at| (-0.5 * (at as f64 / width).powi(2)).exp());
        let mut weights: Vec<f64> = weights.collect();
        let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Self(weights)
    }

    fn at(&self, points: &[DVec2], point: usize) -> DVec2 {
        convolve(points, point, &self.0)
    }
}

/// One half of the second derivative of a Gaussian of `width` samples that are `spacing` apart. It
/// is made exact for parabolas, which truncation would spoil.
fn second_derivative(width: f64, spacing: f64) -> Vec<f64> {
    let reach = ((REACH * width).ceil() as usize).max(2);
    let squares = |at: usize| (at as f64 / width).powi(2);
    let mut weights: Vec<f64> =
        (0..=reach).map(|at| (squares(at) - 1.0) * (-0.5 * squares(at)).exp()).collect();
    let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
    let mean = sum / (2 * reach + 1) as f64;
    weights.iter_mut().for_each(|weight| *weight -= mean);
    let moment = |(at, weight): (usize, &f64)| weight * (at as f64 * spacing).powi(2);
    let second: f64 = 2.0 * weights.iter().enumerate().map(moment).sum::<f64>();
    weights.iter_mut().for_each(|weight| *weight *= 2.0 / second);
    weights
}

/// The sum of a symmetric kernel's weights times the points about `point`.
fn convolve(points: &[DVec2], point: usize, weights: &[f64]) -> DVec2 {
    let mut sum = weights[0] * points[point];
    let here = point as isize;
    for (offset, weight) in weights.iter().enumerate().skip(1) {
        let offset = offset as isize;
        sum += *weight * (extended(points, here - offset) + extended(points, here + offset));
    }
    sum
}

/// A point of a path that goes on beyond its ends as if turned half round about them, which keeps
/// its direction.
fn extended(points: &[DVec2], at: isize) -> DVec2 {
    let last = points.len() as isize - 1;
    let (mut at, mut sign, mut offset) = (at, 1.0, DVec2::ZERO);
    // Only paths much shorter than the kernel are reflected more than once.
    while at < 0 || at > last {
        let (end, mirrored) = if at < 0 { (0, -at) } else { (last, 2 * last - at) };
        offset += sign * 2.0 * points[end as usize];
        sign = -sign;
        at = mirrored;
    }
    offset + sign * points[at as usize]
}

fn stride_average(
    path: &[DVec2],
    rate: f64,
    strides: &[(f64, f64)],
) -> Result<AbstractPath, AbstractionError> {
    let average = StrideAverage::new(path, rate, strides)?;
    let points: Vec<DVec2> = (0..path.len()).map(|frame| average.at(frame as f64)).collect();
    let last = points.len() - 1;
    let velocity = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        (points[after] - points[before]) / (after - before) as f64
    };
    let mut too_tight = 0;
    let restored = (0..points.len())
        .map(|frame| {
            let stride = average.stride(frame as f64);
            // The mean of a circle turns as the circle does, so that the turn can be read off it.
            let half = (0.5 * stride).round() as usize;
            let (before, after) = (frame.saturating_sub(half), (frame + half).min(last));
            let (from, to) = (velocity(before), velocity(after));
            let turn = from.perp_dot(to).atan2(from.dot(to));
            let turn = turn * stride / (after - before).max(1) as f64;
            let here = velocity(frame);
            let length = here.length() * stride;
            let (shrinkage, is_tight) = chord_shrinkage(length, turn);
            too_tight += usize::from(is_tight);
            // Away from the centre: to the right of a turn to the left.
            points[frame] - shrinkage * here.perp().normalize_or_zero()
        })
        .collect();
    Ok(AbstractPath { points: restored, too_tight })
}

/// By how much the mean over an arc lies inside it, if the mean itself moves by `length` while it
/// turns by `turn`; with the sign of the turn. The mean over an angle `θ` of a circle of radius `r`
/// is at `r sin(θ/2) / (θ/2)`.
fn chord_shrinkage(length: f64, turn: f64) -> (f64, bool) {
    const TIGHTEST: f64 = 4.5;
    let is_tight = turn.abs() > TIGHTEST;
    let turn = turn.clamp(-TIGHTEST, TIGHTEST);
    if turn.abs() < 1e-3 {
        return (length * turn / 24.0, false);
    }
    let half = 0.5 * turn;
    (length / turn * (half / half.sin() - 1.0), is_tight)
}

/// Means over a stride that may change its length over time.
pub(crate) struct StrideAverage<'a> {
    path: &'a [DVec2],
    /// The integral of the path from its beginning to each point, in points.
    integral: Vec<DVec2>,
    /// Middle and length of each stride, in points.
    strides: Vec<(f64, f64)>,
}

impl<'a> StrideAverage<'a> {
    pub fn new(
        path: &'a [DVec2],
        rate: f64,
        strides: &[(f64, f64)],
    ) -> Result<Self, AbstractionError> {
        // Reflected more often than that, a path says nothing.
        let longest = 8.0 * path.len() as f64;
        let strides: Vec<(f64, f64)> = strides
            .iter()
            .map(|(middle, length)| (middle * rate, length * rate))
            .filter(|(middle, length)| middle.is_finite() && (2.0..=longest).contains(length))
            .collect();
        if strides.is_empty() {
            return Err(AbstractionError::NoStrides);
        }
        let mut sum = DVec2::ZERO;
        let mut integral = vec![sum];
        for pair in path.windows(2) {
            sum += 0.5 * (pair[0] + pair[1]);
            integral.push(sum);
        }
        Ok(Self { path, integral, strides })
    }

    /// How long a stride is at a moment, in points.
    fn stride(&self, at: f64) -> f64 {
        let next = self.strides.partition_point(|(middle, _)| *middle < at);
        match (next.checked_sub(1).map(|before| self.strides[before]), self.strides.get(next)) {
            (Some(before), Some(after)) if after.0 > before.0 => {
                let part = (at - before.0) / (after.0 - before.0);
                before.1 + part * (after.1 - before.1)
            }
            (Some(one), _) => one.1,
            (None, Some(one)) => one.1,
            (None, None) => 2.0,
        }
    }

    /// The mean over the stride about a moment.
    pub fn at(&self, at: f64) -> DVec2 {
        let half = 0.5 * self.stride(at);
        (self.integral_to(at + half) - self.integral_to(at - half)) / (2.0 * half)
    }

    /// The integral of the path from its beginning; beyond its ends it goes on turned half round.
    fn integral_to(&self, at: f64) -> DVec2 {
        let last = (self.path.len() - 1) as f64;
        if at < 0.0 {
            // ∫ₐ⁰ (2 p₀ − p(−t)) dt
            return self.integral_to(-at) - 2.0 * -at * self.path[0];
        }
        if at > last {
            let end = self.path[self.path.len() - 1];
            let whole = self.integral[self.path.len() - 1];
            let mirrored = self.integral_to(2.0 * last - at);
            return whole + 2.0 * (at - last) * end - (whole - mirrored);
        }
        let point = (at as usize).min(self.path.len() - 2);
        let part = at - point as f64;
        let (from, to) = (self.path[point], self.path[point + 1]);
        self.integral[point] + part * (from + 0.5 * part * (to - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_radii_the_larger_is_taken() {
        let sigma = 0.75;
        let tightest = (-0.5f64).exp() / sigma;
        assert!((tightest - 0.8087).abs() < 1e-4);
        let mut before = f64::INFINITY;
        for step in 1..=1000 {
            let bend = tightest * f64::from(step) / 1000.0 * (1.0 - 1e-9);
            let Some(radius) = radius_of(bend, sigma).0 else { continue };
            assert!(radius >= sigma && radius <= before, "{bend}: {radius}");
            before = radius;
        }
        assert!((before - sigma).abs() < 1e-3, "{before}");
        for bend in [0.0, 1e-4, tightest, 5.0, 1e9, f64::NAN] {
            let (shrinkage, is_tight) = shrinkage(bend, sigma);
            assert!(shrinkage.is_finite() || bend.is_nan());
            assert_eq!(is_tight, bend >= tightest);
        }
    }

    #[test]
    fn smoothing_alone_shrinks_circles_as_it_should() {
        for (radius, shrunk) in [(1.0, 0.7548), (1.5, 1.3237), (2.0, 1.8642), (3.0, 2.9077)] {
            let points: Vec<DVec2> = (0..(13.0 * radius / SPACING) as usize)
                .map(|index| radius * DVec2::from_angle(index as f64 * SPACING / radius))
                .collect();
            let smooth = smoothed(&points, 0.75 / SPACING);
            let found = smooth[smooth.len() / 2].length();
            assert!((found - shrunk).abs() < 2e-4, "{found}, not {shrunk}");
        }
    }

    #[test]
    fn without_going_on_beyond_its_ends_a_line_would_be_cut_short() {
        let line: Vec<DVec2> = (0..500).map(|index| DVec2::new(index as f64 * 0.01, 0.0)).collect();
        let kernel = Kernel::new(75.0);
        let clamped = |at: isize| line[at.clamp(0, 499) as usize];
        let mut held = kernel.0[0] * line[0];
        for (offset, weight) in kernel.0.iter().enumerate().skip(1) {
            held += *weight * (clamped(-(offset as isize)) + clamped(offset as isize));
        }
        assert!(held.x > 0.01, "{held}");
        assert!(kernel.at(&line, 0).length() < 1e-9);
    }
}
