//! What of a field depends on where its anchors are, and not on where they lead.
//!
//! Fields whose anchors differ in their vectors only share it: the matrix is factorised once, and
//! each set of vectors costs a substitution.

use glam::DVec2;
use throng_simd::Vectors;

use crate::frame::Frame;
use crate::hull::Hull;
use crate::interpolant::Interpolant;
use crate::linear::{Factorisation, condition};
use crate::metric::Metric;
use crate::radial::ThinPlate;

/// The sum behind a field of the plane.
pub(crate) type Plane = Interpolant<ThinPlate, 2, 2>;

#[derive(Debug)]
pub(crate) struct Shape {
    pub frame: Frame<2>,
    pub hull: Hull,
    pub metric: Metric,
    /// Λ of each anchor.
    pub smoothing: Vec<f64>,
    pub simd: Option<Vectors>,
    /// Anchors in normalised coordinates.
    points: Vec<[f64; 2]>,
    /// None without anchors.
    factorisation: Option<Factorisation>,
}

impl Shape {
    /// Factorises the system of anchors at these places; `None` if it is singular.
    pub fn new(
        simd: Option<Vectors>,
        places: &[[f64; 2]],
        metric: Metric,
        largest_stretch: f64,
        smoothing: Vec<f64>,
    ) -> Option<Self> {
        let frame = Frame::new(places, &metric.matrix(places, largest_stretch));
        let points: Vec<[f64; 2]> = places.iter().map(|p| frame.normalise(*p)).collect();
        let factorise =
            || Factorisation::new::<ThinPlate, 2>(simd, &points, &frame.directions, &smoothing);
        let factorisation = if points.is_empty() { None } else { Some(factorise()?) };
        let hull = Hull::of(places.iter().map(|p| DVec2::from_array(*p)));
        Some(Self { frame, hull, metric, smoothing, simd, points, factorisation })
    }

    /// The interpolant that has these vectors at the anchors.
    pub fn solve(&self, vectors: &[DVec2]) -> Plane {
        let [x, y]: [Vec<f64>; 2] =
            [|v: &DVec2| v.x, |v: &DVec2| v.y].map(|of| vectors.iter().map(of).collect());
        let moments = vec![0.0; self.frame.directions.len() + 1];
        let solutions = match &self.factorisation {
            Some(factorisation) => factorisation.solve([&x, &y], [&moments; 2]),
            None => Default::default(),
        };
        Interpolant::new(self.simd, &self.points, &self.frame.directions, &solutions)
    }

    /// What the field has at each anchor.
    pub fn at_anchors(&self, plane: &Plane) -> Vec<[f64; 2]> {
        let mut values = vec![[0.0; 2]; self.points.len()];
        plane.values(&self.points, &mut values);
        values
    }

    pub fn condition(&self) -> f64 {
        let Some(factorisation) = &self.factorisation else { return 1.0 };
        condition::<ThinPlate, 2>(
            self.simd,
            factorisation,
            &self.points,
            &self.frame.directions,
            &self.smoothing,
        )
    }
}
