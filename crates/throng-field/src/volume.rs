//! Fields of three coordinates: what space and space with time have in common.

use throng_simd::Vectors;

use crate::anchor;
use crate::error::FieldError;
use crate::frame::{Frame, identity};
use crate::interpolant::Interpolant;
use crate::linear::Factorisation;
use crate::radial::Radial;

/// V functions of three coordinates, through anchors.
#[derive(Clone, Debug)]
pub(crate) struct Volume<R, const V: usize> {
    frame: Frame<3>,
    sum: Interpolant<R, 3, V>,
}

impl<R: Radial, const V: usize> Volume<R, V> {
    pub fn new(
        places: &[[f64; 3]],
        vectors: &[[f64; V]],
        smoothing: &[f64],
    ) -> Result<Self, FieldError> {
        anchor::check_vectors(vectors)?;
        anchor::check_places(places)?;
        let simd = Vectors::detect();
        let frame = Frame::new(places, &identity());
        let points: Vec<[f64; 3]> = places.iter().map(|p| frame.normalise(*p)).collect();
        let components: [Vec<f64>; V] =
            std::array::from_fn(|v| vectors.iter().map(|vector| vector[v]).collect());
        let moments = vec![0.0; frame.directions.len() + 1];
        let solutions = if points.is_empty() {
            std::array::from_fn(|_| Default::default())
        } else {
            let factorisation =
                Factorisation::new::<R, 3>(simd, &points, &frame.directions, smoothing)
                    .ok_or(FieldError::Singular)?;
            factorisation.solve(components.each_ref().map(Vec::as_slice), [&moments; V])
        };
        let sum = Interpolant::new(simd, &points, &frame.directions, &solutions);
        Ok(Self { frame, sum })
    }

    pub fn value(&self, place: [f64; 3]) -> [f64; V] {
        self.sum.value(self.frame.normalise(place))
    }

    pub fn gradient(&self, place: [f64; 3]) -> [[f64; 3]; V] {
        let gradients = self.sum.gradient(self.frame.normalise(place));
        gradients.map(|gradient| self.frame.gradient_per_metre(gradient))
    }
}
