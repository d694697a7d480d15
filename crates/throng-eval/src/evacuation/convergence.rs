//! Whether enough runs have been made: the distribution of evacuation times does not change any more.
//!
//! After Ronchi, Reneke and Peacock, *A method for the analysis of behavioural uncertainty in evacuation modelling*
//! (Fire Technology 50, 2014). Runs are added one by one, by seed. After each, the mean and the standard deviation of the
//! total evacuation time and the averaged egress curve (the time at which the first, the second, … person is out, averaged
//! over the runs so far) are compared with those before it. Two curves are compared by functional analysis: the Euclidean
//! relative difference tells how far apart they are (0 if they are the same), the Euclidean projection coefficient by which
//! factor one is longer (1), and the secant cosine whether they have the same shape (1). What is asked for here is that each
//! of the five is within its limit of that value in each of the last runs; the publication looks at how much the three
//! change from run to run, which follows from it.

use serde::{Deserialize, Serialize};

use crate::statistics::{Spread, mean};

/// When a study has enough runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// Largest relative change of the mean total evacuation time.
    pub mean: f64,
    /// Largest relative change of its standard deviation.
    pub sd: f64,
    /// Largest Euclidean relative difference of averaged egress curves.
    pub difference: f64,
    /// Largest distance of the Euclidean projection coefficient from 1.
    pub projection: f64,
    /// Largest distance of the secant cosine from 1.
    pub cosine: f64,
    /// In how many runs, one after the other, all of them hold.
    pub runs: usize,
}

impl Default for Convergence {
    /// 1 % of the mean, 5 % of the standard deviation and 1 % of the curves, in ten runs.
    fn default() -> Self {
        let curve = 0.01;
        Self { mean: 0.01, sd: 0.05, difference: curve, projection: curve, cosine: curve, runs: 10 }
    }
}

/// What one more run has changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Number of runs so far, this one included.
    pub runs: usize,
    /// Mean total evacuation time so far, s.
    pub mean: f64,
    /// Its standard deviation, s.
    pub sd: f64,
    /// Relative change of the mean; not for the first run.
    pub mean_change: Option<f64>,
    /// Relative change of the standard deviation; not for the first two.
    pub sd_change: Option<f64>,
    /// Euclidean relative difference of the averaged curves.
    pub difference: Option<f64>,
    /// Euclidean projection coefficient.
    pub projection: Option<f64>,
    /// Secant cosine.
    pub cosine: Option<f64>,
}

impl Convergence {
    /// What each of some runs has changed, whose egress curves are given: ascending times, s.
    pub fn changes(curves: &[Vec<f64>]) -> Vec<Change> {
        let length = curves.iter().map(Vec::len).min().unwrap_or(0);
        let totals: Vec<f64> = curves.iter().filter_map(|curve| curve.last().copied()).collect();
        let mut sum = vec![0.0; length];
        let mut before: Option<Vec<f64>> = None;
        let mut changes: Vec<Change> = Vec::with_capacity(curves.len());
        for (index, curve) in curves.iter().enumerate() {
            sum.iter_mut().zip(curve).for_each(|(sum, time)| *sum += time);
            let now: Vec<f64> = sum.iter().map(|sum| sum / (index + 1) as f64).collect();
            let Spread { mean, sd, .. } = Spread::of(&totals[..totals.len().min(index + 1)]);
            let last = changes.last();
            let compared = before.as_ref().map(|before| Compared::of(&now, before));
            changes.push(Change {
                runs: index + 1,
                mean,
                sd,
                mean_change: last.map(|last| relative(mean - last.mean, mean)),
                sd_change: last.filter(|_| index > 1).map(|last| relative(sd - last.sd, sd)),
                difference: compared.map(|compared| compared.difference),
                projection: compared.map(|compared| compared.projection),
                cosine: compared.map(|compared| compared.cosine),
            });
            before = Some(now);
        }
        changes
    }

    /// After how many runs nothing changed any more; `None` if that is still to come.
    pub fn reached(&self, changes: &[Change]) -> Option<usize> {
        let mut calm = 0;
        let at = changes.iter().find(|change| {
            calm = if self.is_calm(change) { calm + 1 } else { 0 };
            calm >= self.runs
        });
        at.map(|change| change.runs)
    }

    /// Whether a run has changed as little as is allowed.
    pub fn is_calm(&self, change: &Change) -> bool {
        let within = |value: Option<f64>, at: f64, limit: f64| {
            value.is_some_and(|value| (value - at).abs() <= limit)
        };
        within(change.mean_change, 0.0, self.mean)
            && within(change.sd_change, 0.0, self.sd)
            && within(change.difference, 0.0, self.difference)
            && within(change.projection, 1.0, self.projection)
            && within(change.cosine, 1.0, self.cosine)
    }
}

fn relative(change: f64, value: f64) -> f64 {
    if change == 0.0 { 0.0 } else { (change / value).abs() }
}

/// How two curves compare.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Compared {
    difference: f64,
    projection: f64,
    cosine: f64,
}

/// The part of a curve over which slopes are taken: less is noise, more smooths the curve away.
const SECANT: f64 = 0.03;

impl Compared {
    fn of(now: &[f64], before: &[f64]) -> Self {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let norm = dot(before, before);
        let apart: f64 = now.iter().zip(before).map(|(a, b)| (a - b).powi(2)).sum();
        let span = ((SECANT * now.len() as f64).round() as usize).max(1);
        let slopes = |curve: &[f64]| -> Vec<f64> {
            curve.iter().skip(span).zip(curve).map(|(later, earlier)| later - earlier).collect()
        };
        let [a, b] = [slopes(now), slopes(before)];
        let lengths = (dot(&a, &a) * dot(&b, &b)).sqrt();
        Self {
            difference: if apart == 0.0 { 0.0 } else { (apart / norm).sqrt() },
            projection: if norm > 0.0 { dot(now, before) / norm } else { 1.0 },
            // Of curves with one person, or of people who are out all at once, there is no slope.
            cosine: if lengths > 0.0 { dot(&a, &b) / lengths } else { 1.0 },
        }
    }
}

/// The averaged egress curve of some runs: when the first, the second, … person is out, s.
pub fn averaged(curves: &[Vec<f64>]) -> Vec<f64> {
    let length = curves.iter().map(Vec::len).min().unwrap_or(0);
    (0..length).filter_map(|nth| mean(curves.iter().map(|curve| curve[nth]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_compared_as_published() {
        let curve = [1.0, 2.0, 3.0, 4.0];
        let same = Compared::of(&curve, &curve);
        assert_eq!(same, Compared { difference: 0.0, projection: 1.0, cosine: 1.0 });
        let twice = Compared::of(&[2.0, 4.0, 6.0, 8.0], &curve);
        assert_eq!(twice, Compared { difference: 1.0, projection: 2.0, cosine: 1.0 });
        // By hand: slopes 1, 1, 1 and 3, 0, 0.
        let bent = Compared::of(&[1.0, 4.0, 4.0, 4.0], &curve);
        assert!((bent.cosine - 3.0 / 27.0f64.sqrt()).abs() < 1e-12, "{bent:?}");
        assert!((bent.difference - (5.0f64 / 30.0).sqrt()).abs() < 1e-12);
        assert!((bent.projection - 37.0 / 30.0).abs() < 1e-12);
    }

    #[test]
    fn runs_that_are_all_alike_converge_as_soon_as_there_are_enough_of_them() {
        let curves = vec![vec![5.0, 6.0, 9.0]; 20];
        let changes = Convergence::changes(&curves);
        assert_eq!(Convergence::default().reached(&changes), Some(12));
        assert_eq!(Convergence::default().reached(&changes[..11]), None);
        assert_eq!((changes[5].mean, changes[5].sd, changes[5].mean_change), (9.0, 0.0, Some(0.0)));
    }

    #[test]
    fn a_run_that_is_unlike_the_others_delays_convergence() {
        let mut curves = vec![vec![5.0, 6.0, 9.0]; 40];
        curves[8] = vec![5.0, 6.0, 18.0];
        let reached = Convergence::default().reached(&Convergence::changes(&curves));
        // Its share of the standard deviation falls below a twentieth some runs later.
        assert!(reached.is_some_and(|runs| runs > 18), "{reached:?}");
        let forever: Vec<Vec<f64>> = (0..40).map(|i| vec![1.0, f64::from(i * i)]).collect();
        assert_eq!(Convergence::default().reached(&Convergence::changes(&forever)), None);
    }
}
