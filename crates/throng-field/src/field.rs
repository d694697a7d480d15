//! A field: which velocity the arrows on the ground ask for, anywhere.
//!
//! Each component is the thin plate P(x) + Σ λᵢ r² ln r through the anchors (Jin, Xu, Wang, Huang,
//! Zhang, "Interactive Control of Large Crowd Navigation in Virtual Environments Using Vector
//! Fields", IEEE Computer Graphics and Applications 28(6), 2008, section II, equation 1), with the
//! side conditions Σλ = 0 and Σλp = 0 that the paper leaves unsaid. What is different here: places
//! are normalised before anything is solved, the field fades to that of the hull far from its
//! anchors, its speed is limited, and what is done about contradictions is a [`ladder`](crate::ladder).

use std::sync::{Arc, OnceLock};

use glam::{DMat2, DVec2, FloatExt as _};
use throng_simd::{Kernel, Simd, run_anywhere};

use crate::anchor::{self, Anchor};
use crate::coverage::Coverage;
use crate::error::FieldError;
use crate::ladder::{self, Statistics};
use crate::options::FieldOptions;
use crate::shape::{Plane, Shape};

/// A vector field, made of anchors and never changed.
///
/// It is meant to be shared (`Arc<Field>`) by everyone who follows it. To ask for many places at
/// once, make a [`Sampler`](crate::Sampler) of it.
#[derive(Clone, Debug)]
pub struct Field {
    anchors: Vec<Anchor>,
    options: FieldOptions,
    shape: Arc<Shape>,
    plane: Plane,
    statistics: Statistics,
    coverage: Coverage,
    /// No speed is larger, m/s.
    cap: f64,
    overshoot: OnceLock<f64>,
    condition: OnceLock<f64>,
}

impl Field {
    /// The field of some anchors, with the usual options.
    pub fn new(anchors: &[Anchor]) -> Result<Self, FieldError> {
        Self::with_options(anchors, &FieldOptions::default())
    }

    /// The field of some anchors. One makes a constant field; two, or any number on a line, one that
    /// varies along that line only; none the field that is zero.
    pub fn with_options(anchors: &[Anchor], options: &FieldOptions) -> Result<Self, FieldError> {
        options.check()?;
        anchor::check(anchors)?;
        let ladder::Chosen { shape, plane, statistics } = ladder::choose(anchors, options)?;
        Ok(Self::assemble(anchors.to_vec(), options.clone(), Arc::new(shape), plane, statistics))
    }

    /// The field of the same anchors with other vectors: as [`Self::with_options`], but metric and
    /// smoothing stay what they were. The factorised matrix is used again, which is much faster.
    pub fn with_vectors(&self, vectors: &[DVec2]) -> Result<Self, FieldError> {
        if vectors.len() != self.anchors.len() {
            let (given, anchors) = (vectors.len(), self.anchors.len());
            return Err(FieldError::WrongCount { given, anchors });
        }
        let numbers: Vec<[f64; 2]> = vectors.iter().map(DVec2::to_array).collect();
        anchor::check_vectors(&numbers)?;
        let turned = |(anchor, vector): (&Anchor, &DVec2)| Anchor { vector: *vector, ..*anchor };
        let anchors = self.anchors.iter().zip(vectors).map(turned).collect();
        let plane = self.shape.solve(vectors);
        let (shape, statistics) = (self.shape.clone(), self.statistics.clone());
        let field = Self::assemble(anchors, self.options.clone(), shape, plane, statistics);
        // The matrix is the same.
        if let Some(condition) = self.condition.get() {
            let _ = field.condition.set(*condition);
        }
        Ok(field)
    }

    fn assemble(
        anchors: Vec<Anchor>,
        options: FieldOptions,
        shape: Arc<Shape>,
        plane: Plane,
        statistics: Statistics,
    ) -> Self {
        let largest = anchors.iter().map(|a| a.vector.length()).fold(0.0, f64::max);
        let cap = options.speed_cap.map_or(f64::INFINITY, |factor| factor * largest);
        let (overshoot, condition) = (OnceLock::new(), OnceLock::new());
        let coverage = Coverage::new(&anchors);
        Self { anchors, options, shape, plane, statistics, coverage, cap, overshoot, condition }
    }

    /// The anchors it was made of.
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    /// Where it holds, by the reaches of its anchors. [`Self::velocity`] does not depend on it.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// The options it was made with.
    pub fn options(&self) -> &FieldOptions {
        &self.options
    }

    /// How it came about.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The largest speed it has anywhere, m/s.
    pub fn speed_cap(&self) -> f64 {
        self.cap
    }

    /// The velocity at a place, m/s. There is none at a place that is no number: it is zero there.
    pub fn velocity(&self, place: DVec2) -> DVec2 {
        self.limited(self.faded(place))
    }

    /// How the velocity changes with the place, 1/s: columns are the derivatives by x and by y.
    pub fn jacobian(&self, place: DVec2) -> DMat2 {
        let velocity = self.faded(place);
        let speed = velocity.length();
        let slope = self.faded_slope(place);
        if speed > self.cap {
            // Of a vector at its limit, only the direction changes.
            let towards = velocity / speed;
            return (slope - outer(towards, slope.transpose() * towards)) * (self.cap / speed);
        }
        slope
    }

    /// By how much the field misses each anchor, m/s. That is less than a millionth unless an anchor
    /// is smoothed, or asks for more than the largest speed.
    pub fn residuals(&self) -> Vec<f64> {
        let values = self.shape.at_anchors(&self.plane);
        let residual = |(value, anchor): (&[f64; 2], &Anchor)| {
            DVec2::from_array(*value).distance(anchor.vector)
        };
        values.iter().zip(&self.anchors).map(residual).collect()
    }

    /// The largest speed of the bare interpolant around its anchors, as a multiple of theirs: far above
    /// 1 where anchors contradict each other. It is measured when it is first asked for.
    pub fn overshoot(&self) -> f64 {
        let measure = || ladder::overshoot(&self.anchors, &self.shape, &self.plane);
        *self.overshoot.get_or_init(measure)
    }

    /// The condition number of the system it was solved by, estimated to about a percent when it is
    /// first asked for; that takes longer than solving it. Digits are lost as it grows: 10¹⁰ leaves six.
    pub fn condition(&self) -> f64 {
        *self.condition.get_or_init(|| self.shape.condition())
    }

    /// The weights λᵢ of its anchors.
    pub fn weights(&self) -> Vec<DVec2> {
        let weights = self.plane.terms().map(|(_, weight)| DVec2::from_array(weight));
        weights.take(self.anchors.len()).collect()
    }

    /// Anchors in the coordinates it was solved in: centred, measured by its metric, and none
    /// farther than 1 from the middle.
    pub fn normalised_anchors(&self) -> Vec<DVec2> {
        let normalise = |anchor: &Anchor| self.shape.frame.normalise(anchor.position.to_array());
        self.anchors.iter().map(normalise).map(DVec2::from_array).collect()
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The middle of its anchors; single precision holds it exactly.
    pub(crate) fn middle(&self) -> DVec2 {
        DVec2::from_array(self.shape.frame.centre)
    }

    pub(crate) fn plane(&self) -> &Plane {
        &self.plane
    }

    /// The interpolant, neither limited nor faded.
    fn raw(&self, place: DVec2) -> DVec2 {
        DVec2::from_array(self.plane.value(self.shape.frame.normalise(place.to_array())))
    }

    fn raw_slope(&self, place: DVec2) -> DMat2 {
        let frame = &self.shape.frame;
        let gradients = self.plane.gradient(frame.normalise(place.to_array()));
        DMat2::from_cols_array_2d(&gradients.map(|g| frame.gradient_per_metre(g))).transpose()
    }

    /// [`Self::velocity`], from inside a kernel.
    #[inline(always)]
    pub(crate) fn velocity_in<S: Simd>(&self, simd: S, place: DVec2) -> DVec2 {
        self.limited(self.faded_in(simd, place))
    }

    /// The interpolant, neither limited nor faded, from inside a kernel.
    #[inline(always)]
    pub(crate) fn raw_in<S: Simd>(&self, simd: S, place: DVec2) -> DVec2 {
        let place = self.shape.frame.normalise(place.to_array());
        DVec2::from_array(self.plane.value_in(simd, place))
    }

    /// The interpolant, faded to that of the hull outside of it, but not limited.
    #[inline(always)]
    fn faded_in<S: Simd>(&self, simd: S, place: DVec2) -> DVec2 {
        let Some(fading) = self.fading(place) else { return self.raw_in(simd, place) };
        let there = self.raw_in(simd, fading.towards);
        if fading.share >= 1.0 {
            return there;
        }
        self.raw_in(simd, place).lerp(there, fading.share)
    }

    fn faded(&self, place: DVec2) -> DVec2 {
        let mut velocity = DVec2::ZERO;
        run_anywhere(self.shape.simd, Faded { field: self, place, velocity: &mut velocity });
        velocity
    }

    fn limited(&self, velocity: DVec2) -> DVec2 {
        let velocity = velocity.clamp_length_max(self.cap);
        if velocity.is_finite() { velocity } else { DVec2::ZERO }
    }

    fn faded_slope(&self, place: DVec2) -> DMat2 {
        let Some(fading) = self.fading(place) else { return self.raw_slope(place) };
        let following = self.raw_slope(fading.towards) * outer(fading.along, fading.along);
        if fading.share >= 1.0 {
            return following;
        }
        let change = self.raw(fading.towards) - self.raw(place);
        self.raw_slope(place) * (1.0 - fading.share)
            + following * fading.share
            + outer(change, fading.share_slope)
    }

    fn fading(&self, place: DVec2) -> Option<Fading> {
        let hull = &self.shape.hull;
        let nearest = if self.options.hull_fade { hull.nearest(place) } else { None }?;
        let t = (nearest.distance / hull.diameter()).min(1.0);
        let share_slope = 6.0 * t * (1.0 - t) / hull.diameter();
        let away = (place - nearest.point).normalize_or_zero();
        Some(Fading {
            towards: nearest.point,
            along: nearest.along,
            share: t.smoothstep(0.0, 1.0),
            share_slope: away * share_slope,
        })
    }
}

struct Faded<'a> {
    field: &'a Field,
    place: DVec2,
    velocity: &'a mut DVec2,
}

impl Kernel for Faded<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        *self.velocity = self.field.faded_in(simd, self.place);
    }
}

/// How a place outside of the hull takes part in the field of the nearest point of the hull.
struct Fading {
    towards: DVec2,
    /// The direction in which that point follows the place; zero if it stays.
    along: DVec2,
    /// How much it counts, 0 at the hull to 1 at a diameter's distance, smoothly.
    share: f64,
    share_slope: DVec2,
}

/// a bᵀ.
fn outer(a: DVec2, b: DVec2) -> DMat2 {
    DMat2::from_cols(a * b.x, a * b.y)
}
