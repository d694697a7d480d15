//! The line that a carpet is bent along: a cubic NURBS through the path that somebody is to take, by arc length.
//!
//! Without arc length a body would speed up and slow down along the curve, and its feet would slide. The curve is
//! looked up in a table of lengths and goes straight on beyond its ends, so every length has a place.

use glam::DVec2;

/// Points of a path are at most this far apart, m; more are put between.
const SPACING: f64 = 0.2;
/// At most so many points; a path that is longer is cut off.
const MOST_POINTS: usize = 64;
/// Lengths in the table for each stretch between two points.
const FINENESS: usize = 4;

/// A rational B-spline curve of degree three or, with fewer than four points, as many as there can be.
#[derive(Clone, Debug, Default)]
pub struct Nurbs {
    degree: usize,
    knots: Vec<f64>,
    /// Control points times their weights, and the weights.
    control: Vec<(DVec2, f64)>,
    // Kept so that new points need no memory.
    parameters: Vec<f64>,
    bands: Vec<[f64; 7]>,
    right: Vec<DVec2>,
}

impl Nurbs {
    /// A curve of degree three with these control points, weights and knots.
    ///
    /// Nothing if there are fewer than four points, knots do not ascend or are not four more than points, or
    /// a weight is not positive.
    pub fn new(points: &[DVec2], weights: &[f64], knots: &[f64]) -> Option<Self> {
        let count = points.len();
        let sound = count >= 4
            && weights.len() == count
            && knots.len() == count + 4
            && knots.windows(2).all(|pair| pair[0] <= pair[1])
            && knots[3] < knots[count]
            && knots.iter().all(|knot| knot.is_finite())
            && points.iter().all(|point| point.is_finite())
            && weights.iter().all(|weight| weight.is_finite() && *weight > 0.0);
        sound.then(|| Self {
            degree: 3,
            knots: knots.to_vec(),
            control: points.iter().zip(weights).map(|(at, w)| (*at * *w, *w)).collect(),
            ..Self::default()
        })
    }

    /// The curve through `points`, parametrised by their distances. They must be apart.
    fn pass_through(&mut self, points: &[DVec2]) {
        let count = points.len();
        let degree = 3.min(count.saturating_sub(1));
        self.degree = degree;
        self.parameters.clear();
        let mut length = 0.0;
        self.parameters.push(0.0);
        for pair in points.windows(2) {
            length += pair[0].distance(pair[1]);
            self.parameters.push(length);
        }
        self.knots.clear();
        self.knots.extend(std::iter::repeat_n(0.0, degree + 1));
        for first in 1..count.saturating_sub(degree) {
            let sum: f64 = self.parameters[first..first + degree].iter().sum();
            self.knots.push(sum / degree.max(1) as f64);
        }
        self.knots.extend(std::iter::repeat_n(length, degree + 1));
        self.solve(points);
    }

    /// The matrix of the basis functions is totally positive and banded: elimination needs no pivots.
    fn solve(&mut self, points: &[DVec2]) {
        let count = points.len();
        self.bands.clear();
        self.bands.resize(count, [0.0; 7]);
        self.right.clear();
        self.right.extend_from_slice(points);
        for row in 0..count {
            let at = self.parameters[row];
            let span = self.span(at);
            let basis = self.basis(span, at);
            for (offset, value) in basis.iter().enumerate().take(self.degree + 1) {
                let column = span - self.degree + offset;
                let band = column + 3 - row.min(column + 3);
                if let Some(entry) = self.bands[row].get_mut(band) {
                    *entry = *value;
                }
            }
        }
        for row in 0..count {
            let pivot = self.bands[row][3];
            if pivot.abs() < 1e-12 {
                self.bands[row][3] = 1.0;
                continue;
            }
            for below in row + 1..(row + 4).min(count) {
                let factor = self.bands[below][3 + row - below] / pivot;
                if factor != 0.0 {
                    for column in row..(row + 4).min(count) {
                        let over = self.bands[row][3 + column - row];
                        self.bands[below][3 + column - below] -= factor * over;
                    }
                    let over = self.right[row];
                    self.right[below] -= factor * over;
                }
            }
        }
        for row in (0..count).rev() {
            let mut value = self.right[row];
            for column in row + 1..(row + 4).min(count) {
                value -= self.bands[row][3 + column - row] * self.right[column];
            }
            self.right[row] = value / self.bands[row][3];
        }
        self.control.clear();
        self.control.extend(self.right.iter().map(|point| (*point, 1.0)));
    }

    /// The parameters of its ends.
    pub fn range(&self) -> [f64; 2] {
        match self.control.len() {
            0 => [0.0; 2],
            count => [self.knots[self.degree], self.knots[count]],
        }
    }

    /// The place and the derivative at a parameter.
    pub fn at(&self, parameter: f64) -> (DVec2, DVec2) {
        if self.control.is_empty() {
            return (DVec2::ZERO, DVec2::ZERO);
        }
        let [first, last] = self.range();
        let at = parameter.clamp(first, last);
        let span = self.span(at);
        let basis = self.basis(span, at);
        let slopes = self.slopes(span, at);
        let (mut place, mut weight) = (DVec2::ZERO, 0.0);
        let (mut moved, mut weighed) = (DVec2::ZERO, 0.0);
        for offset in 0..=self.degree {
            let (point, w) = self.control[span - self.degree + offset];
            place += basis[offset] * point;
            weight += basis[offset] * w;
            moved += slopes[offset] * point;
            weighed += slopes[offset] * w;
        }
        let place = place / weight;
        (place, (moved - weighed * place) / weight)
    }

    fn span(&self, at: f64) -> usize {
        let count = self.knots.len() - self.degree - 1;
        let (first, last) = (self.degree, count - 1);
        let inner = &self.knots[first + 1..=last];
        first + inner.partition_point(|knot| *knot <= at)
    }

    fn basis(&self, span: usize, at: f64) -> [f64; 4] {
        self.basis_of(span, at, self.degree)
    }

    /// The basis functions of a degree that are not zero (Piegl and Tiller, A2.2).
    fn basis_of(&self, span: usize, at: f64, degree: usize) -> [f64; 4] {
        let mut basis = [0.0; 4];
        basis[0] = 1.0;
        let (mut left, mut right) = ([0.0; 4], [0.0; 4]);
        for order in 1..=degree {
            left[order] = at - self.knots[span + 1 - order];
            right[order] = self.knots[span + order] - at;
            let mut saved = 0.0;
            for index in 0..order {
                let width = right[index + 1] + left[order - index];
                let part = if width > 0.0 { basis[index] / width } else { 0.0 };
                basis[index] = saved + right[index + 1] * part;
                saved = left[order - index] * part;
            }
            basis[order] = saved;
        }
        basis
    }

    fn slopes(&self, span: usize, at: f64) -> [f64; 4] {
        let degree = self.degree;
        if degree == 0 {
            return [0.0; 4];
        }
        let lower = self.basis_of(span, at, degree - 1);
        let mut slopes = [0.0; 4];
        for offset in 0..=degree {
            let index = span - degree + offset;
            let part = |value: f64, from: usize| {
                let width = self.knots[from + degree] - self.knots[from];
                if width > 0.0 { degree as f64 * value / width } else { 0.0 }
            };
            let before = if offset > 0 { part(lower[offset - 1], index) } else { 0.0 };
            let after = if offset < degree { part(lower[offset], index + 1) } else { 0.0 };
            slopes[offset] = before - after;
        }
        slopes
    }
}

/// A path by arc length.
#[derive(Clone, Debug, Default)]
pub struct CentreLine {
    curve: Nurbs,
    /// Arc lengths, their parameters and places.
    table: Vec<(f64, f64, DVec2)>,
    points: Vec<DVec2>,
}

impl CentreLine {
    /// Takes the way through `path`, in plan (`x`, `z`). Points that are not finite are left out. Whether
    /// there is any way: a path whose points are all at one place is none.
    pub fn lead_through(&mut self, path: impl IntoIterator<Item = DVec2>) -> bool {
        self.points.clear();
        for point in
            path.into_iter().filter(|point| point.is_finite() && point.abs().max_element() < 1e7)
        {
            let Some(last) = self.points.last().copied() else {
                self.points.push(point);
                continue;
            };
            let distance = last.distance(point);
            if distance < 0.01 {
                continue;
            }
            let pieces = (distance / SPACING).ceil().min(MOST_POINTS as f64);
            for piece in 1..=pieces as usize {
                if self.points.len() < MOST_POINTS {
                    // No further than the way to be looked at, even if the next point is far away.
                    let part = (piece as f64 / pieces).min(piece as f64 * SPACING / distance);
                    self.points.push(last.lerp(point, part));
                }
            }
        }
        self.table.clear();
        if self.points.len() < 2 {
            self.curve.control.clear();
            return false;
        }
        self.curve.pass_through(&self.points);
        self.measure();
        true
    }

    /// The line along a curve of any kind.
    pub fn along(curve: Nurbs) -> Self {
        let mut line = Self { curve, ..Self::default() };
        line.measure();
        line
    }

    /// Lengths between the table's entries by Simpson's rule on the speed.
    fn measure(&mut self) {
        let [first, last] = self.curve.range();
        let pieces = FINENESS * self.curve.control.len().max(16);
        let step = (last - first) / pieces as f64;
        let mut length = 0.0;
        self.table.clear();
        let (place, along) = self.curve.at(first);
        self.table.push((0.0, first, place));
        let mut before = along.length();
        for piece in 1..=pieces {
            let end = first + step * piece as f64;
            let middle = self.curve.at(end - 0.5 * step).1.length();
            let (place, along) = self.curve.at(end);
            let after = along.length();
            length += step / 6.0 * (before + 4.0 * middle + after);
            before = after;
            self.table.push((length, end, place));
        }
    }

    /// Whether there is a way to take.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// How long it is, m.
    pub fn length(&self) -> f64 {
        self.table.last().map_or(0.0, |entry| entry.0)
    }

    /// The place and the direction (of unit length) after `length` metres, straight on beyond the ends.
    pub fn at(&self, length: f64) -> (DVec2, DVec2) {
        let inside = length.clamp(0.0, self.length());
        let next = self.table.partition_point(|entry| entry.0 < inside).max(1);
        let Some((after, before)) = self.table.get(next).zip(self.table.get(next - 1)) else {
            return (DVec2::ZERO, DVec2::Y);
        };
        let part = (inside - before.0) / (after.0 - before.0).max(1e-12);
        let (place, along) = self.curve.at(before.1 + part * (after.1 - before.1));
        let along = along.try_normalize().unwrap_or(DVec2::Y);
        (place + (length - inside) * along, along)
    }

    /// The length at which it is nearest to `place`.
    pub fn nearest(&self, place: DVec2) -> f64 {
        let mut best = (f64::INFINITY, 0.0);
        for entry in &self.table {
            let distance = entry.2.distance_squared(place);
            if distance < best.0 {
                best = (distance, entry.0);
            }
        }
        let mut at = best.1;
        for _ in 0..3 {
            let (near, along) = self.at(at);
            at += (place - near).dot(along);
            at = at.clamp(-10.0, self.length() + 10.0);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(radius: f64) -> CentreLine {
        let mut line = CentreLine::default();
        let point = |index: usize| DVec2::from_angle(index as f64 * 0.1) * radius;
        assert!(line.lead_through((0..40).map(point)));
        line
    }

    #[test]
    fn a_curve_passes_through_its_points_at_unit_speed() {
        let line = circle(1.5);
        for index in 0..40 {
            let point = DVec2::from_angle(f64::from(index) * 0.1) * 1.5;
            let near = line.at(line.nearest(point)).0;
            assert!(near.distance(point) < 1e-6, "{index}");
        }
        assert!((line.length() - 3.9 * 1.5).abs() < 2e-3, "{}", line.length());
        let mut before = line.at(0.0).0;
        for step in 1..100 {
            let after = line.at(f64::from(step) * 0.05).0;
            let moved = after.distance(before);
            assert!((moved - 0.05).abs() < 1e-4, "{moved}");
            before = after;
        }
    }

    #[test]
    fn weights_make_a_quarter_of_a_true_circle() {
        // A cubic quarter circle by degree elevation of the usual conic.
        let w = 0.5f64.sqrt();
        let mid = (1.0 + 2.0 * w) / 3.0;
        let p1 = (DVec2::new(1.0, 0.0) + 2.0 * w * DVec2::new(1.0, 1.0)) / (3.0 * mid);
        let p2 = (2.0 * w * DVec2::new(1.0, 1.0) + DVec2::new(0.0, 1.0)) / (3.0 * mid);
        let points = [DVec2::X, p1, p2, DVec2::Y];
        let knots = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        let curve = Nurbs::new(&points, &[1.0, mid, mid, 1.0], &knots).unwrap();
        for step in 0..=20 {
            let place = curve.at(f64::from(step) / 20.0).0;
            assert!((place.length() - 1.0).abs() < 1e-12, "{place}");
        }
        let line = CentreLine::along(curve);
        assert!((line.length() - std::f64::consts::FRAC_PI_2).abs() < 1e-5);
    }

    #[test]
    fn what_is_no_path_is_no_line() {
        let mut line = CentreLine::default();
        assert!(!line.lead_through([]));
        assert!(!line.lead_through([DVec2::ONE; 5]));
        assert!(!line.lead_through([DVec2::NAN, DVec2::ONE, DVec2::splat(f64::INFINITY)]));
        assert!(line.at(3.0).0.is_finite());
        assert!(line.lead_through([DVec2::ZERO, DVec2::new(0.0, 1e6)]));
        assert!((line.at(5.0).0 - DVec2::new(0.0, 5.0)).length() < 1e-9);
    }
}
