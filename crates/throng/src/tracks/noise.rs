//! How noisy tracks are, judged by the tracks themselves.
//!
//! A person's acceleration is taken for white noise of some strength, the *restlessness*, and the
//! samples for their places with errors. Both strengths are those under which the second differences
//! of all samples of all people are most likely (restricted maximum likelihood; Wahba 1985). A
//! prior worth a handful of samples keeps a single short track from being believed to be without errors.
//!
//! Errors are not all alike. *Jitter* is new with every sample: clicks of annotators, pixels. *Sway*
//! lasts as long as a step: heads swing to the side of the foot that carries. Tracked at 25 Hz, sway looks
//! as smooth as walking and would be followed. But samples that are a good third of a second apart, about
//! a step, know nothing of each other's sway. So the noise is estimated twice: of all samples,
//! which gives the jitter, and of samples a step apart, which gives jitter and sway together.

use glam::DVec3;
use serde::Serialize;

use super::spline::evidence;

/// Samples so far apart, s, have sway of their own: steps take about half a second.
const STEP: f64 = 0.4;
/// Sway has its power where people step and not evenly everywhere, and so needs more to be smoothed
/// away than noise as strong. With 1, a third of it is left; with more, corners are cut.
const SWAY_FACTOR: f64 = 2.0;
/// What a good annotation and a pedestrian are like, and how many samples that is worth: error, m,
/// and restlessness, m²/s³.
const USUAL_ERROR: f64 = 0.03;
const USUAL_RESTLESSNESS: f64 = 0.2;
const PRIOR_SAMPLES: f64 = 8.0;
/// One standard deviation of the prior of the looseness, as a logarithm: a factor of thirty.
const PRIOR_SPREAD: f64 = 3.4;
/// Bounds of the looseness, s³, as powers of ten. Within the lower one curves go through the samples;
/// beyond the upper one they would be straight for several seconds.
const LOOSENESS: (f64, f64) = (-8.0, 0.0);
/// Samples that are looked at. More would change nothing but the time it takes.
const ENOUGH: usize = 40_000;

/// What was found out about a whole recording.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Noise {
    /// Errors that are new with every sample: standard deviation in each coordinate, m.
    pub jitter: f64,
    /// Errors that last as long as a step: standard deviation in each coordinate, m. Of samples
    /// that are a step apart or more they are part of the jitter.
    pub sway: f64,
    /// How strongly people accelerate: the spectral density of their acceleration, m²/s³. In a second,
    /// their velocity changes by about its square root.
    pub restlessness: f64,
    /// What follows for smoothing, s³: the weight of a sample's error against acceleration.
    pub looseness: f64,
}

impl Noise {
    /// Jitter and sway together, m.
    pub fn total(&self) -> f64 {
        self.jitter.hypot(self.sway)
    }

    /// What is to be done about errors that are known to be `error` in each coordinate, m.
    pub(super) fn known(error: f64, found: Self) -> Self {
        let looseness = error * error / found.restlessness;
        let most = 10f64.powf(LOOSENESS.1);
        Self { jitter: error, sway: 0.0, looseness: looseness.min(most), ..found }
    }
}

/// Times and places of somebody who is there continuously.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series<'a> {
    pub times: &'a [f64],
    pub places: &'a [DVec3],
}

/// The noise of `all` of a recording with a sample every `interval` seconds.
pub(super) fn estimate(all: &[Series], interval: f64) -> Noise {
    let some = selection(all);
    let stride = stride(interval);
    let at_full_rate = Likelihood::of_every(1, &some).best();
    if stride == 1 {
        let (looseness, restlessness) = at_full_rate;
        let jitter = (looseness * restlessness).sqrt();
        return Noise { jitter, sway: 0.0, restlessness, looseness };
    }
    let (looseness, restlessness) = Likelihood::of_every(stride, &some).best();
    let both = looseness * restlessness;
    let jitter = (at_full_rate.0 * at_full_rate.1).min(both);
    let sway = both - jitter;
    // Samples within a step have the same sway, and tell no more than one.
    let as_if_independent = jitter + SWAY_FACTOR * stride as f64 * sway;
    let looseness = (as_if_independent / restlessness).min(10f64.powf(LOOSENESS.1));
    Noise { jitter: jitter.sqrt(), sway: sway.sqrt(), restlessness, looseness }
}

/// How many samples make a step.
fn stride(interval: f64) -> usize {
    // Converting saturates; more than a thousand samples per step are as good as a thousand.
    ((STEP / interval).round() as usize).clamp(1, 1000)
}

/// Series with about [`ENOUGH`] samples: every n-th if there are many, else a part of each.
fn selection<'a>(all: &[Series<'a>]) -> Vec<Series<'a>> {
    let total: usize = all.iter().map(|series| series.times.len()).sum();
    let every = total.div_ceil(ENOUGH).max(1);
    if all.len() >= 50 * every {
        return all.iter().step_by(every).copied().collect();
    }
    let most = ENOUGH.div_ceil(all.len().max(1));
    let part = |series: &Series<'a>| {
        let count = series.times.len().min(most);
        Series { times: &series.times[..count], places: &series.places[..count] }
    };
    all.iter().map(part).collect()
}

/// How likely samples are, as a function of the looseness.
struct Likelihood {
    series: Vec<(Vec<f64>, Vec<DVec3>)>,
    /// Second differences, in both coordinates.
    differences: f64,
    /// What each counts: thinned series say nearly the same, once for each phase.
    weight: f64,
}

impl Likelihood {
    /// That of every n-th sample, from the first, from the second, and so on.
    fn of_every(stride: usize, all: &[Series]) -> Self {
        let mut series = Vec::new();
        for one in all {
            for phase in 0..stride.min(one.times.len()) {
                let times: Vec<_> = one.times[phase..].iter().step_by(stride).copied().collect();
                let places = one.places[phase..].iter().step_by(stride).copied().collect();
                if times.len() > 2 {
                    series.push((times, places));
                }
            }
        }
        let differences = series.iter().map(|(times, _)| 2 * (times.len() - 2)).sum::<usize>();
        Self { series, differences: differences as f64, weight: (stride as f64).recip() }
    }

    /// The looseness and the restlessness under which the samples are most likely.
    fn best(&self) -> (f64, f64) {
        const COARSE: f64 = 0.5;
        let steps = ((LOOSENESS.1 - LOOSENESS.0) / COARSE) as u32;
        let exponents = (0..=steps).map(|i| LOOSENESS.0 + COARSE * f64::from(i));
        let costs = exponents.map(|exponent| (self.profile(exponent).0, exponent));
        let coarse = costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, best)| best);
        let exponent = self.refine((coarse - COARSE).max(LOOSENESS.0), coarse + COARSE);
        (10f64.powf(exponent), self.profile(exponent).1)
    }

    /// The least cost between two exponents, by golden section.
    fn refine(&self, mut low: f64, mut high: f64) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        high = high.min(LOOSENESS.1);
        let mut inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        let mut costs = inner.map(|exponent| self.profile(exponent).0);
        for _ in 0..8 {
            if costs[0] < costs[1] {
                high = inner[1];
                inner = [high - GOLDEN * (high - low), inner[0]];
                costs = [self.profile(inner[0]).0, costs[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + GOLDEN * (high - low)];
                costs = [costs[1], self.profile(inner[1]).0];
            }
        }
        0.5 * (low + high)
    }

    /// Minus twice the logarithm of the likelihood, up to a constant, with the restlessness that
    /// suits the looseness best.
    fn profile(&self, exponent: f64) -> (f64, f64) {
        let looseness = 10f64.powf(exponent);
        let (mut squares, mut log_determinant) = (0.0, 0.0);
        for (times, places) in &self.series {
            let evidence = evidence(times, places, looseness);
            squares += evidence.squares;
            log_determinant += evidence.log_determinant;
        }
        let count = self.weight * self.differences + PRIOR_SAMPLES;
        let squares = self.weight * squares + PRIOR_SAMPLES * USUAL_RESTLESSNESS;
        let restlessness = squares / count;
        let usual = (USUAL_ERROR * USUAL_ERROR / USUAL_RESTLESSNESS).ln();
        let unusual = (looseness.ln() - usual) / PRIOR_SPREAD;
        let cost = count * restlessness.ln() + 2.0 * self.weight * log_determinant;
        (cost + unusual * unusual, restlessness)
    }
}
