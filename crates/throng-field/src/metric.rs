//! Measuring distances with stretched rulers, where anchors crowd in one direction.
//!
//! Anchors that are close and disagree make a field overshoot. Jin et al. (2008, section II) measure
//! |M (p - p')| instead of |p - p'|, with M after Casciola, Montefusco and Morigi ("The regularizing
//! properties of anisotropic radial basis functions", 2007). Two such metrics are known here. Both
//! stretch one axis and shrink none, so distances only grow.

use crate::axes::{covariance, principal_axes};
use crate::frame::identity;

/// How distances between places are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// As they are.
    #[default]
    Isotropic,
    /// The short axis of the anchors stretched until they spread equally. It helps where anchors are
    /// squeezed *across* a long set, can hurt where they are squeezed along it, and does nothing
    /// inside a set that is spread evenly.
    PrincipalAxes,
    /// The direction in which the closest anchors lie, stretched.
    Crowding,
}

impl Metric {
    /// The matrix M for these anchors, with no axis stretched by more than `largest_stretch` (aₘₐₓ).
    pub(crate) fn matrix(self, places: &[[f64; 2]], largest_stretch: f64) -> [[f64; 2]; 2] {
        match self {
            Self::Isotropic => identity(),
            Self::PrincipalAxes => {
                let [(long, e1), (short, e2)] = principal_axes(covariance(places));
                stretch(e1, 1.0, e2, ratio(long, short, largest_stretch))
            }
            Self::Crowding => {
                let [(long, e1), (short, e2)] = principal_axes(crowding(places));
                stretch(e1, ratio(long, short, largest_stretch), e2, 1.0)
            }
        }
    }
}

/// The sum of d dᵀ / |d|⁶ over all differences d between anchors: the closest pairs rule.
fn crowding(places: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for (i, a) in places.iter().enumerate() {
        for b in &places[i + 1..] {
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            let squared = x * x + y * y;
            let weight = 1.0 / (squared * squared * squared);
            xx += weight * x * x;
            xy += weight * x * y;
            yy += weight * y * y;
        }
    }
    [[xx, xy], [xy, yy]]
}

/// The ratio of two deviations, from their squares.
fn ratio(long: f64, short: f64, most: f64) -> f64 {
    if short > 0.0 { (long / short).sqrt().min(most) } else { most }
}

/// The symmetric matrix that stretches along two axes.
fn stretch(e1: [f64; 2], s1: f64, e2: [f64; 2], s2: f64) -> [[f64; 2]; 2] {
    std::array::from_fn(|i| std::array::from_fn(|j| s1 * e1[i] * e1[j] + s2 * e2[i] * e2[j]))
}
