//! Fields in space, for what flies.
//!
//! The radial functions are those that bend least in three dimensions: r, with a kink at each anchor,
//! and r³, without. Speed is limited as on the ground; there is no fading outside of the hull.

use glam::{DMat3, DVec3};

use crate::error::FieldError;
use crate::radial::{Biharmonic, Triharmonic};
use crate::volume::Volume;

/// An arrow in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceAnchor {
    /// Where it is, m.
    pub position: DVec3,
    /// Where it leads, and how fast, m/s.
    pub vector: DVec3,
    /// How much the field may miss it, in normalised units; not at all if `None`.
    pub smoothing: Option<f64>,
}

impl SpaceAnchor {
    /// An anchor that the field passes through exactly.
    pub fn new(position: impl Into<DVec3>, vector: impl Into<DVec3>) -> Self {
        Self { position: position.into(), vector: vector.into(), smoothing: None }
    }
}

/// How an anchor's influence grows with distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpaceKernel {
    /// r: velocities have a kink at each anchor.
    Biharmonic,
    /// r³: smooth everywhere.
    #[default]
    Triharmonic,
}

/// A vector field in space, made of anchors and never changed.
#[derive(Clone, Debug)]
pub struct SpaceField {
    anchors: Vec<SpaceAnchor>,
    sum: Sum,
    cap: f64,
}

#[derive(Clone, Debug)]
enum Sum {
    Biharmonic(Volume<Biharmonic, 3>),
    Triharmonic(Volume<Triharmonic, 3>),
}

impl SpaceField {
    /// The field of some anchors whose speed is nowhere more than `speed_cap` times the largest of
    /// theirs; `None` for no limit.
    pub fn new(
        anchors: &[SpaceAnchor],
        kernel: SpaceKernel,
        speed_cap: Option<f64>,
    ) -> Result<Self, FieldError> {
        let places: Vec<[f64; 3]> = anchors.iter().map(|a| a.position.to_array()).collect();
        let vectors: Vec<[f64; 3]> = anchors.iter().map(|a| a.vector.to_array()).collect();
        let smoothing: Vec<f64> = anchors.iter().map(|a| a.smoothing.unwrap_or(0.0)).collect();
        crate::anchor::check_smoothing(smoothing.iter().copied())?;
        crate::options::check_setting("the speed cap", speed_cap.unwrap_or(1.0), 1.0, 100.0)?;
        let sum = match kernel {
            SpaceKernel::Biharmonic => Sum::Biharmonic(Volume::new(&places, &vectors, &smoothing)?),
            SpaceKernel::Triharmonic => {
                Sum::Triharmonic(Volume::new(&places, &vectors, &smoothing)?)
            }
        };
        let largest = anchors.iter().map(|a| a.vector.length()).fold(0.0, f64::max);
        let cap = speed_cap.map_or(f64::INFINITY, |factor| factor * largest);
        Ok(Self { anchors: anchors.to_vec(), sum, cap })
    }

    /// The anchors it was made of.
    pub fn anchors(&self) -> &[SpaceAnchor] {
        &self.anchors
    }

    /// The velocity at a place, m/s; zero at a place that is no number.
    pub fn velocity(&self, place: DVec3) -> DVec3 {
        let place = place.to_array();
        let velocity = DVec3::from_array(match &self.sum {
            Sum::Biharmonic(volume) => volume.value(place),
            Sum::Triharmonic(volume) => volume.value(place),
        });
        let limited = velocity.clamp_length_max(self.cap);
        if limited.is_finite() { limited } else { DVec3::ZERO }
    }

    /// How the velocity changes with the place where its speed is not limited, 1/s: columns are the
    /// derivatives by x, y and z.
    pub fn jacobian(&self, place: DVec3) -> DMat3 {
        let place = place.to_array();
        let gradients = match &self.sum {
            Sum::Biharmonic(volume) => volume.gradient(place),
            Sum::Triharmonic(volume) => volume.gradient(place),
        };
        DMat3::from_cols_array_2d(&gradients).transpose()
    }
}
