//! One stretch of a track, from samples to a curve.
//!
//! A [spline](super::spline) is fitted with the looseness that the noise of the whole recording asks for, and
//! then made tighter or looser in places. Where it leaves a sample by more than the tolerance, the
//! person did something unusual, such as turning round a corner, and it is drawn in. Where it demands more
//! acceleration than people have, it is relaxed; that has the last word, since a body cannot do
//! what no body can. Where the person [stands](super::stand), the curve is cut, and what
//! leads from one stand to the next begins and ends at rest.

use glam::DVec3;

use super::TrackOptions;
use super::spline::{Curve, End, fit};
use super::stand::{Stand, stands};
use super::stretch::Knot;

/// Without noise, the curve may still be off by this much, m.
const LEAST_TOLERANCE: f64 = 0.05;
/// By so many standard deviations, the curve may be off: one good sample in four hundred is.
const TOLERANCE: f64 = 3.5;
/// Times that a curve is drawn in, and that it is relaxed. A few do; then nothing changes any more.
const TIGHTENINGS: usize = 8;
const RELAXINGS: usize = 16;
/// Samples that are so near to where the acceleration is too large, s, are relaxed.
const REACH: f64 = 0.5;
/// Looseness from which relaxing begins, up to which it goes, and its largest factor.
const RELAXED: (f64, f64) = (1e-6, 10.0);
const LARGEST_FACTOR: f64 = 100.0;

/// How one recording is smoothed.
pub(super) struct Smoother<'a> {
    pub looseness: f64,
    /// Error of the samples in each coordinate, m.
    pub noise: f64,
    pub options: &'a TrackOptions,
}

/// A stretch as a curve.
#[derive(Debug, Default)]
pub(super) struct Smoothed {
    pub knots: Vec<Knot>,
    /// From when to when the person stands.
    pub stands: Vec<(f64, f64)>,
    /// How far each sample is from the curve, m.
    pub residuals: Vec<f64>,
}

impl Smoother<'_> {
    /// How far curves may be from samples, m.
    pub(super) fn tolerance(&self) -> f64 {
        self.options.tolerance.unwrap_or_else(|| LEAST_TOLERANCE.max(TOLERANCE * self.noise))
    }

    /// Smooths `samples` at `times`, which ascend strictly. There is at least one.
    pub(super) fn smooth(&self, times: &[f64], samples: &[DVec3]) -> Smoothed {
        let whole = knots(times, &self.curve(times, samples, [End::Free; 2]));
        let stands = stands(&whole, samples, self.noise, self.options);
        if stands.is_empty() {
            let residuals = residuals(samples, whole.iter().map(|knot| knot.place)).collect();
            return Smoothed { knots: whole, stands: Vec::new(), residuals };
        }
        let mut smoothed = Smoothed::default();
        let mut samples = samples.to_vec();
        let mut from = 0;
        for stand in &stands {
            self.go(times, &mut samples, from, stand, &mut smoothed);
            from = stand.last;
        }
        self.leave(times, &samples, from, &mut smoothed);
        smoothed
    }

    /// The way to a `stand` from sample `from`, the end of the stand before or of the track, and the stand.
    fn go(
        &self,
        times: &[f64],
        samples: &mut [DVec3],
        from: usize,
        stand: &Stand,
        smoothed: &mut Smoothed,
    ) {
        let Stand { first, last, place } = *stand;
        let off = samples[first..=last].iter().map(|sample| planar(*sample, place));
        let off: Vec<_> = off.collect();
        samples[first..=last].fill(place);
        let begin = if smoothed.stands.is_empty() { End::Free } else { End::AtRest };
        if first > from {
            let (times, samples) = (&times[from..=first], &samples[from..=first]);
            let curve = self.curve(times, samples, [begin, End::AtRest]);
            // The sample that a stand ends with is counted with the stand.
            let skipped = usize::from(begin == End::AtRest);
            let moving = skipped..samples.len() - 1;
            let places = curve.places[moving.clone()].iter().copied();
            smoothed.residuals.extend(residuals(&samples[moving], places));
            smoothed.knots.extend(knots(times, &curve).into_iter().skip(skipped));
        } else {
            smoothed.knots.push(Knot { time: times[first], place, velocity: DVec3::ZERO });
        }
        smoothed.knots.push(Knot { time: times[last], place, velocity: DVec3::ZERO });
        smoothed.residuals.extend(off);
        smoothed.stands.push((times[first], times[last]));
    }

    /// The way from the last stand, which ends with sample `from`, to the end of the stretch.
    fn leave(&self, times: &[f64], samples: &[DVec3], from: usize, smoothed: &mut Smoothed) {
        if from + 1 < times.len() {
            let (times, samples) = (&times[from..], &samples[from..]);
            let curve = self.curve(times, samples, [End::AtRest, End::Free]);
            let places = curve.places[1..].iter().copied();
            smoothed.residuals.extend(residuals(&samples[1..], places));
            smoothed.knots.extend(knots(times, &curve).into_iter().skip(1));
        }
    }

    fn curve(&self, times: &[f64], samples: &[DVec3], ends: [End; 2]) -> Curve {
        let mut loose = vec![self.looseness; times.len()];
        let mut curve = fit(times, samples, &loose, ends);
        for _ in 0..TIGHTENINGS {
            if !self.tighten(samples, &curve, &mut loose) {
                break;
            }
            curve = fit(times, samples, &loose, ends);
        }
        for _ in 0..RELAXINGS {
            if !self.relax(times, &curve, &mut loose) {
                break;
            }
            curve = fit(times, samples, &loose, ends);
        }
        curve
    }

    /// Makes samples tighter that the curve is too far from; whether there are any.
    fn tighten(&self, samples: &[DVec3], curve: &Curve, loose: &mut [f64]) -> bool {
        let tolerance = self.tolerance();
        let mut any = false;
        let off = residuals(samples, curve.places.iter().copied());
        for (loose, off) in loose.iter_mut().zip(off) {
            if off > tolerance {
                // Rather too much than in too many rounds.
                *loose *= 0.5 * (tolerance / off) * (tolerance / off);
                any = true;
            }
        }
        any
    }

    /// Makes samples looser near places where acceleration is too large; whether there are any. A
    /// change of velocity takes the fourth root of the looseness in time.
    fn relax(&self, times: &[f64], curve: &Curve, loose: &mut [f64]) -> bool {
        let most = self.options.max_acceleration;
        let mut any = false;
        let mut begin = 0;
        let mut factors = vec![1.0f64; times.len()];
        for (i, bend) in curve.bends.iter().enumerate() {
            let excess = bend.truncate().length() / most;
            while times[i] - times[begin] > REACH {
                begin += 1;
            }
            if excess > 1.05 {
                let factor = excess.powi(4).clamp(2.0, LARGEST_FACTOR);
                let near = (begin..times.len()).take_while(|&j| times[j] - times[i] <= REACH);
                near.for_each(|j| factors[j] = factors[j].max(factor));
            }
        }
        for (loose, factor) in loose.iter_mut().zip(factors) {
            if factor > 1.0 && *loose < RELAXED.1 {
                *loose = (loose.max(RELAXED.0) * factor).min(RELAXED.1);
                any = true;
            }
        }
        any
    }
}

fn knots(times: &[f64], curve: &Curve) -> Vec<Knot> {
    let states = curve.places.iter().zip(&curve.velocities);
    let knot = |(&time, (&place, &velocity))| Knot { time, place, velocity };
    times.iter().zip(states).map(knot).collect()
}

fn residuals(samples: &[DVec3], places: impl Iterator<Item = DVec3>) -> impl Iterator<Item = f64> {
    samples.iter().zip(places).map(|(sample, place)| planar(*sample, place))
}

fn planar(a: DVec3, b: DVec3) -> f64 {
    (a - b).truncate().length()
}
