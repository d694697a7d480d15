//! Places where a field stands still: where crowds pile up, part or go round in circles.
//!
//! From each point of a coarse grid, Newton's method looks for a zero of the field nearby. What the
//! field is like around it follows from the eigenvalues of its Jacobian.

use glam::DVec2;

use crate::field::Field;

/// Most steps of Newton's method; it converges in a few or not at all.
const MOST_STEPS: usize = 20;
/// The speed of standing still, as a share of the field's largest.
const STANDSTILL: f64 = 1e-10;
/// A field turns around a centre if it approaches or leaves it more slowly than this share of how
/// fast it turns: a crowd would go round some ten times.
const CENTRED: f64 = 0.02;

/// What a field is like around a place where it stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriticalKind {
    /// It leads there from all sides: crowds pile up.
    Sink,
    /// It leads away to all sides.
    Source,
    /// It leads there from two sides and away to two others.
    Saddle,
    /// It leads around: crowds go in circles.
    Centre,
}

/// A place where a field stands still.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalPoint {
    /// Where it is, m.
    pub position: DVec2,
    /// What the field is like around it.
    pub kind: CriticalKind,
}

impl CriticalPoint {
    /// Whether people who follow the field would not get away.
    pub fn is_trap(&self) -> bool {
        matches!(self.kind, CriticalKind::Sink | CriticalKind::Centre)
    }
}

impl Field {
    /// The places in an area where the field stands still, from the lowest x to the highest. It is
    /// searched from `resolution` (2 to 512) places per side; what is closer together than these may be
    /// missed. Places where it stands still along a whole line, or everywhere, are none.
    pub fn critical_points(&self, area: [DVec2; 2], resolution: usize) -> Vec<CriticalPoint> {
        let (low, high) = (area[0].min(area[1]), area[0].max(area[1]));
        let resolution = resolution.clamp(2, 512);
        let cell = (high - low) / (resolution - 1) as f64;
        if !cell.is_finite() {
            return Vec::new();
        }
        let mut found: Vec<CriticalPoint> = Vec::new();
        for i in 0..resolution * resolution {
            let at = DVec2::new((i % resolution) as f64, (i / resolution) as f64);
            let Some(position) = self.zero_near(low + cell * at, 2.0 * cell.length()) else {
                continue;
            };
            let is_inside = position.cmpge(low).all() && position.cmple(high).all();
            let is_known = |p: &CriticalPoint| p.position.distance(position) < 1e-3 * cell.length();
            if is_inside
                && !found.iter().any(is_known)
                && let Some(kind) = self.kind_of(position)
            {
                found.push(CriticalPoint { position, kind });
            }
        }
        found.sort_by(|a, b| {
            let (a, b) = (a.position, b.position);
            a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
        });
        found
    }

    /// A zero that Newton's method finds without leaving the neighbourhood.
    fn zero_near(&self, start: DVec2, reach: f64) -> Option<DVec2> {
        let largest = self.anchors().iter().map(|a| a.vector.length()).fold(0.0, f64::max);
        let mut place = start;
        for _ in 0..MOST_STEPS {
            let velocity = self.velocity(place);
            if velocity.length() <= STANDSTILL * largest {
                return Some(place);
            }
            let slope = self.jacobian(place);
            if slope.determinant() == 0.0 {
                return None;
            }
            place -= slope.inverse() * velocity;
            // Written so that NaN ends it.
            let is_near = place.distance(start) <= reach;
            if !is_near {
                return None;
            }
        }
        None
    }

    /// `None` where the field stands still along a line.
    fn kind_of(&self, place: DVec2) -> Option<CriticalKind> {
        let slope = self.jacobian(place);
        let trace = slope.x_axis.x + slope.y_axis.y;
        let determinant = slope.determinant();
        let size = slope.to_cols_array().iter().map(|x| x * x).sum::<f64>();
        if determinant.abs() <= 1e-12 * size {
            return None;
        }
        Some(if determinant < 0.0 {
            CriticalKind::Saddle
        } else if trace.abs() < 2.0 * CENTRED * determinant.sqrt() {
            CriticalKind::Centre
        } else if trace < 0.0 {
            CriticalKind::Sink
        } else {
            CriticalKind::Source
        })
    }
}
