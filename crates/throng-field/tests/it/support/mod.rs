//! Anchors to test with.

use glam::DVec2;
use throng_field::Anchor;

/// Number `index` of the Halton sequence of a base, in [0, 1).
pub fn halton(mut index: usize, base: usize) -> f64 {
    let (mut share, mut sum) = (1.0, 0.0);
    while index > 0 {
        share /= base as f64;
        sum += share * (index % base) as f64;
        index /= base;
    }
    sum
}

/// Points that fill the square from -1 to 1 evenly, without end.
pub fn halton_points() -> impl Iterator<Item = DVec2> {
    (1..).map(|i| DVec2::new(halton(i, 2), halton(i, 3)) * 2.0 - 1.0)
}

/// `count` anchors in a square of the given half side, with vectors that turn smoothly.
pub fn swirl(count: usize, half_side: f64) -> Vec<Anchor> {
    let anchor = |p: DVec2| {
        let vector = DVec2::new((3.0 * p.y).cos(), (2.0 * p.x + p.y).sin());
        Anchor::new(p * half_side, vector)
    };
    halton_points().take(count).map(anchor).collect()
}

/// Which way a contradicting pair lies in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Evenly spread anchors, the pair along x.
    Square,
    /// Anchors in a long strip along x, the pair along it.
    StripAlong,
    /// The pair across it.
    StripAcross,
}

/// Fourteen anchors that lead down, at 1.3 m/s, and in their middle two that contradict each other,
/// `gap` apart.
pub fn contradiction(place: Place, gap: f64) -> Vec<Anchor> {
    let (size, spacing) = match place {
        Place::Square => (DVec2::new(20.0, 20.0), 4.0),
        _ => (DVec2::new(20.0, 1.0), 1.0),
    };
    let mut kept: Vec<DVec2> = Vec::new();
    for point in halton_points().map(|p| p * size) {
        let is_apart = kept.iter().all(|other| other.distance(point) >= spacing);
        if is_apart && point.length() >= spacing {
            kept.push(point);
        }
        if kept.len() == 14 {
            break;
        }
    }
    let mut anchors: Vec<Anchor> =
        kept.into_iter().map(|p| Anchor::new(p, DVec2::new(0.0, -1.3))).collect();
    let half = if place == Place::StripAcross { DVec2::Y } else { DVec2::X } * (gap / 2.0);
    anchors.push(Anchor::new(-half, DVec2::new(0.8, -0.6)));
    anchors.push(Anchor::new(half, DVec2::new(-0.8, -1.4)));
    anchors
}

/// A grid of points over the anchors' bounding box, grown by a quarter.
pub fn probes(anchors: &[Anchor], side: usize) -> Vec<DVec2> {
    let places = || anchors.iter().map(|anchor| anchor.position);
    let (low, high) = (
        places().fold(DVec2::INFINITY, DVec2::min),
        places().fold(DVec2::NEG_INFINITY, DVec2::max),
    );
    let (low, size) = (low - (high - low) * 0.125, (high - low) * 1.25);
    let at = |i: usize| DVec2::new((i % side) as f64, (i / side) as f64) / (side - 1) as f64;
    (0..side * side).map(|i| low + size * at(i)).collect()
}
