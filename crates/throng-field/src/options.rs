//! How a field is made of its anchors.

use crate::error::FieldError;
use crate::metric::Metric;

/// Settings of a field. The defaults suit arrows that somebody draws by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldOptions {
    /// What is done about anchors that are close to each other and disagree.
    pub regularisation: Regularisation,
    /// The most a metric stretches an axis (aₘₐₓ), 1 to 30.
    pub largest_stretch: f64,
    /// The smoothing of anchors that contradict each other (λₛ), in normalised units, 1e-5 to 0.1.
    pub smoothing: f64,
    /// The largest speed of the field, as a multiple of the largest of its anchors (1.5: the paper
    /// has no such limit); `None` for no limit.
    pub speed_cap: Option<f64>,
    /// Whether the field is that of the nearest point of the anchors' hull far outside of it. Its
    /// affine part would grow without end there.
    pub hull_fade: bool,
    /// Whether vector instructions may be used. It changes how long things take, and no bit of a
    /// result.
    pub simd: bool,
}

/// What is done about anchors that are close to each other and disagree: the field swings far beyond
/// them otherwise, and against the arrows nearby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regularisation {
    /// Whichever metric overshoots least; if that is still by more than a factor of 2, anchors that
    /// contradict their neighbour are smoothed, and [`Statistics`](crate::Statistics) say so.
    Ladder,
    /// This metric, come what may.
    Fixed(Metric),
}

impl Default for FieldOptions {
    fn default() -> Self {
        Self {
            regularisation: Regularisation::Ladder,
            largest_stretch: 10.0,
            smoothing: 1e-3,
            speed_cap: Some(1.5),
            hull_fade: true,
            simd: true,
        }
    }
}

impl FieldOptions {
    /// The bare interpolant: isotropic, without limit of speed and without fading.
    pub fn bare() -> Self {
        Self {
            regularisation: Regularisation::Fixed(Metric::Isotropic),
            speed_cap: None,
            hull_fade: false,
            ..Self::default()
        }
    }

    pub(crate) fn check(&self) -> Result<(), FieldError> {
        check_setting("the largest stretch", self.largest_stretch, 1.0, 30.0)?;
        check_setting("the smoothing", self.smoothing, 1e-5, 0.1)?;
        check_setting("the speed cap", self.speed_cap.unwrap_or(1.0), 1.0, 100.0)
    }
}

/// Checks that a setting is within its range.
pub(crate) fn check_setting(
    name: &'static str,
    value: f64,
    min: f64,
    max: f64,
) -> Result<(), FieldError> {
    // Written so that NaN is refused.
    if (min..=max).contains(&value) {
        Ok(())
    } else {
        Err(FieldError::Setting { name, value, min, max })
    }
}
