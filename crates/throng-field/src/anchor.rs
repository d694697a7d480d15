//! Anchors: arrows on the ground that a field passes through.

use glam::DVec2;

use crate::error::FieldError;
use crate::options::check_setting;

/// Anchors nearer to each other than this are one place, m.
pub const COINCIDENT: f64 = 1e-3;

/// The most anchors of a field: its matrix then takes 128 MiB, and its solution seconds.
pub const MAX_ANCHORS: usize = 4096;

/// The smallest reach of an anchor, m.
pub const MIN_REACH: f64 = 0.1;
/// The largest reach of an anchor, m.
pub const MAX_REACH: f64 = 1e5;

/// No coordinate and no component of a vector is larger, so that no sum of squares overflows.
const LARGEST: f64 = 1e9;

/// An arrow on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Where it is (pᵢ), m.
    pub position: DVec2,
    /// Where it leads, and how fast (vᵢ), m/s.
    pub vector: DVec2,
    /// How much the field may miss it (Λᵢ), in normalised units: 0 or `None` not at all, 1e-3 where
    /// neighbours contradict each other, 0.1 a lot.
    pub smoothing: Option<f64>,
    /// Distance beyond which it does not hold, m; `None` if it holds everywhere. See [`Coverage`](crate::Coverage).
    pub reach: Option<f64>,
}

impl Anchor {
    /// An anchor that the field passes through exactly, and that holds everywhere.
    pub fn new(position: impl Into<DVec2>, vector: impl Into<DVec2>) -> Self {
        Self { position: position.into(), vector: vector.into(), smoothing: None, reach: None }
    }

    /// The same anchor with a reach, m.
    #[must_use]
    pub fn with_reach(self, reach: f64) -> Self {
        Self { reach: Some(reach), ..self }
    }
}

/// Checks anchors in the plane.
pub(crate) fn check(anchors: &[Anchor]) -> Result<(), FieldError> {
    let positions: Vec<[f64; 2]> = anchors.iter().map(|a| a.position.to_array()).collect();
    let vectors: Vec<[f64; 2]> = anchors.iter().map(|a| a.vector.to_array()).collect();
    check_vectors(&vectors)?;
    check_smoothing(anchors.iter().map(|a| a.smoothing.unwrap_or(0.0)))?;
    check_reaches(anchors.iter().filter_map(|a| a.reach))?;
    check_places(&positions)
}

/// Checks that smoothing is a number, and not negative.
pub(crate) fn check_smoothing(smoothing: impl Iterator<Item = f64>) -> Result<(), FieldError> {
    for (anchor, value) in smoothing.enumerate() {
        // Written so that NaN is found.
        if !(0.0..=LARGEST).contains(&value) {
            let (what, limit) = ("smoothing", LARGEST);
            return Err(FieldError::OutOfRange { anchor, what, value, limit });
        }
    }
    Ok(())
}

/// Checks that reaches are within their range.
pub(crate) fn check_reaches(mut reaches: impl Iterator<Item = f64>) -> Result<(), FieldError> {
    reaches
        .try_for_each(|reach| check_setting("the reach of an anchor", reach, MIN_REACH, MAX_REACH))
}

/// Checks that vectors are numbers.
pub(crate) fn check_vectors<const V: usize>(vectors: &[[f64; V]]) -> Result<(), FieldError> {
    check_range("vector", vectors)
}

/// Checks that places are numbers, not too many and different.
pub(crate) fn check_places<const D: usize>(places: &[[f64; D]]) -> Result<(), FieldError> {
    if places.len() > MAX_ANCHORS {
        return Err(FieldError::TooMany { count: places.len(), limit: MAX_ANCHORS });
    }
    check_range("position", places)?;
    // By their first coordinate: only neighbours in this order can be near.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a][0].total_cmp(&places[*b][0]));
    for (at, &i) in order.iter().enumerate() {
        let follow =
            order[at + 1..].iter().take_while(|j| places[**j][0] - places[i][0] < COINCIDENT);
        for &j in follow {
            let way = std::array::from_fn::<f64, D, _>(|axis| places[i][axis] - places[j][axis]);
            let distance = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            if distance < COINCIDENT {
                let (first, second) = (i.min(j), i.max(j));
                return Err(FieldError::Coincident { first, second, distance, limit: COINCIDENT });
            }
        }
    }
    Ok(())
}

fn check_range<const N: usize>(what: &'static str, values: &[[f64; N]]) -> Result<(), FieldError> {
    for (anchor, values) in values.iter().enumerate() {
        // Written so that NaN is found.
        if let Some(value) = values.iter().find(|value| !(-LARGEST..=LARGEST).contains(*value)) {
            return Err(FieldError::OutOfRange { anchor, what, value: *value, limit: LARGEST });
        }
    }
    Ok(())
}
