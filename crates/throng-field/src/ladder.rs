//! What is done when anchors are close to each other and disagree.
//!
//! The thin plate passes through every anchor, and two that are close and point apart tilt it so
//! steeply that it swings far beyond both: its peak grows like the difference over the distance.
//! That is no rounding error, and no metric cures all of it. So remedies are tried in order, the
//! mildest first, until the field exceeds its anchors by no more than a factor of [`ACCEPTABLE`]:
//!
//! 1. the metric (isotropic, principal axes, crowding) that overshoots least;
//! 2. smoothing of those anchors that contradict their nearest neighbour, and of no others.
//!
//! What was tried and what was taken is in the field's [`Statistics`].

use glam::{DVec2, Vec2};
use throng_simd::{Vectors, run_anywhere};

use crate::anchor::Anchor;
use crate::error::FieldError;
use crate::metric::Metric;
use crate::options::{FieldOptions, Regularisation};
use crate::sampler::{Longest, Sum};
use crate::shape::{Plane, Shape};

/// The overshoot up to which anchors are interpolated exactly.
pub(crate) const ACCEPTABLE: f64 = 2.0;
/// The overshoot of a field that only curves as its arrows ask for: no other metric is tried.
const GOOD: f64 = 1.25;
/// A metric is preferred to a simpler one if its overshoot is less by this factor: a probe grid
/// measures no better than that.
const CLEARLY_LESS: f64 = 0.98;
/// Anchors are crowded if their nearest neighbour is nearer than this share of the median.
const CROWDED: f64 = 0.25;
/// Cosine of the angle from which vectors disagree: 45°.
const DISAGREEING: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Probes per side of the grid on which overshoot is measured, and how far it reaches beyond the
/// anchors, as a share of their extent.
const PROBES: usize = 33;
const MARGIN: f64 = 0.125;

/// How a field came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// How distances are measured.
    pub metric: Metric,
    /// The metrics that were tried, with the overshoot of each; `None` where the system could not
    /// be solved.
    pub trials: Vec<(Metric, Option<f64>)>,
    /// The anchors that were smoothed without having asked for it: the field misses them by as much
    /// as [`Field::residuals`](crate::Field::residuals) tells.
    pub smoothed: Vec<usize>,
}

pub(crate) struct Chosen {
    pub shape: Shape,
    pub plane: Plane,
    pub statistics: Statistics,
}

/// The field of anchors, by the ladder or by a fixed metric.
pub(crate) fn choose(anchors: &[Anchor], options: &FieldOptions) -> Result<Chosen, FieldError> {
    let climb = Climb::new(anchors, options);
    let mut trials = Vec::new();
    let mut best: Option<(f64, Shape, Plane)> = None;
    let metrics: &[Metric] = match &options.regularisation {
        Regularisation::Fixed(metric) => std::slice::from_ref(metric),
        Regularisation::Ladder => &[Metric::Isotropic, Metric::PrincipalAxes, Metric::Crowding],
    };
    for metric in metrics {
        let Some((shape, plane)) = climb.solve(*metric, climb.own_smoothing()) else {
            trials.push((*metric, None));
            continue;
        };
        // Nothing is measured where there is nothing to compare with.
        let is_only_choice = metrics.len() == 1 || !climb.has_choice(&shape);
        let overshoot = if is_only_choice { 0.0 } else { overshoot(anchors, &shape, &plane) };
        if !is_only_choice {
            trials.push((*metric, Some(overshoot)));
        }
        if best.as_ref().is_none_or(|(least, ..)| overshoot < CLEARLY_LESS * least) {
            best = Some((overshoot, shape, plane));
        }
        if is_only_choice || overshoot <= GOOD {
            break;
        }
    }
    let is_ladder = options.regularisation == Regularisation::Ladder;
    let smoothed = match &best {
        Some((overshoot, ..)) if *overshoot <= ACCEPTABLE || !is_ladder => Vec::new(),
        Some(_) => climb.contradictions(),
        None if is_ladder => (0..anchors.len()).collect(),
        None => return Err(FieldError::Singular),
    };
    let metric = best.as_ref().map_or(Metric::Isotropic, |(_, shape, _)| shape.metric);
    let statistics = Statistics { metric, trials, smoothed };
    if !statistics.smoothed.is_empty() {
        let mut smoothing = climb.own_smoothing();
        for index in &statistics.smoothed {
            smoothing[*index] = smoothing[*index].max(options.smoothing);
        }
        let (shape, plane) = climb.solve(metric, smoothing).ok_or(FieldError::Singular)?;
        return Ok(Chosen { shape, plane, statistics });
    }
    let (_, shape, plane) = best.ok_or(FieldError::Singular)?;
    Ok(Chosen { shape, plane, statistics })
}

/// The largest speed of a field around its anchors, as a multiple of theirs.
pub(crate) fn overshoot(anchors: &[Anchor], shape: &Shape, plane: &Plane) -> f64 {
    let largest = anchors.iter().map(|a| a.vector.length()).fold(0.0, f64::max);
    let places = || anchors.iter().map(|anchor| anchor.position);
    let (Some(low), Some(high)) = (places().reduce(DVec2::min), places().reduce(DVec2::max)) else {
        return 0.0;
    };
    let margin = (high - low) * MARGIN;
    let (low, size) = (low - margin, high - low + 2.0 * margin);
    let middle = DVec2::from_array(shape.frame.centre);
    let probe = |i: usize| {
        let share = DVec2::new((i % PROBES) as f64, (i / PROBES) as f64) / (PROBES - 1) as f64;
        (low - middle + size * share).as_vec2()
    };
    let probes: Vec<Vec2> = (0..PROBES * PROBES).map(probe).collect();
    let mut peak = 0.0;
    // Single precision is precise enough to compare peaks by.
    let sum = &Sum::new(&shape.frame, plane);
    run_anywhere(shape.simd, Longest { sum, places: &probes, found: &mut peak });
    let peak = f64::from(peak);
    if largest > 0.0 { peak / largest } else { 0.0 }
}

struct Climb<'a> {
    anchors: &'a [Anchor],
    options: &'a FieldOptions,
    places: Vec<[f64; 2]>,
    vectors: Vec<DVec2>,
    simd: Option<Vectors>,
}

impl<'a> Climb<'a> {
    fn new(anchors: &'a [Anchor], options: &'a FieldOptions) -> Self {
        Self {
            anchors,
            options,
            places: anchors.iter().map(|a| a.position.to_array()).collect(),
            vectors: anchors.iter().map(|a| a.vector).collect(),
            simd: if options.simd { Vectors::detect() } else { None },
        }
    }

    fn own_smoothing(&self) -> Vec<f64> {
        self.anchors.iter().map(|a| a.smoothing.unwrap_or(0.0)).collect()
    }

    fn solve(&self, metric: Metric, smoothing: Vec<f64>) -> Option<(Shape, Plane)> {
        let most = self.options.largest_stretch;
        let shape = Shape::new(self.simd, &self.places, metric, most, smoothing)?;
        let plane = shape.solve(&self.vectors);
        Some((shape, plane))
    }

    /// Whether another metric would make another field: not while it is affine.
    fn has_choice(&self, shape: &Shape) -> bool {
        shape.frame.is_full() && self.anchors.len() > 3
    }

    /// The anchors that are crowded by a neighbour and disagree with it.
    fn contradictions(&self) -> Vec<usize> {
        let nearest: Vec<(f64, usize)> = (0..self.anchors.len()).map(|i| self.nearest(i)).collect();
        let mut distances: Vec<f64> = nearest.iter().map(|(distance, _)| *distance).collect();
        distances.sort_by(f64::total_cmp);
        let middle = distances.len() / 2;
        let median = match distances.len() {
            0 => 0.0,
            n if n % 2 == 0 => 0.5 * (distances[middle - 1] + distances[middle]),
            _ => distances[middle],
        };
        let contradicts = |i: &usize| {
            let (distance, other) = nearest[*i];
            let (a, b) = (self.vectors[*i], self.vectors[other]);
            distance < CROWDED * median && a.dot(b) < DISAGREEING * a.length() * b.length()
        };
        (0..self.anchors.len()).filter(contradicts).collect()
    }

    fn nearest(&self, index: usize) -> (f64, usize) {
        let from = self.anchors[index].position;
        let others = self.anchors.iter().enumerate().filter(|(other, _)| *other != index);
        others
            .map(|(other, anchor)| (anchor.position.distance(from), other))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or((f64::INFINITY, index))
    }
}
