//! Plane geometry that several parts of the engine share.

use std::f32::consts::TAU;

use glam::{DVec2, Vec2};

pub use crate::outline::self_intersection;
use crate::random::Stream;

/// An axis-aligned rectangle on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Corner with the smallest coordinates.
    pub min: Vec2,
    /// Corner with the largest coordinates.
    pub max: Vec2,
}

impl Bounds {
    /// The smallest bounds that hold all points; `None` if there are no points.
    pub fn around(points: impl IntoIterator<Item = Vec2>) -> Option<Self> {
        points.into_iter().fold(None, |bounds: Option<Self>, p| {
            Some(
                bounds.map_or(Self { min: p, max: p }, |b| Self {
                    min: b.min.min(p),
                    max: b.max.max(p),
                }),
            )
        })
    }

    /// Width and height, m.
    pub fn size(self) -> Vec2 {
        self.max - self.min
    }

    /// These bounds with `margin` added on every side.
    pub fn grown(self, margin: f32) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Whether `point` lies within or on the border.
    pub fn contains(self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// The corners, counter-clockwise from `min`.
    pub fn corners(self) -> [Vec2; 4] {
        [self.min, Vec2::new(self.max.x, self.min.y), self.max, Vec2::new(self.min.x, self.max.y)]
    }
}

/// A simple polygon, counter-clockwise, with a positive area. Only [`Polygon::new`] makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    points: Vec<Vec2>,
    bounds: Bounds,
}

/// Why a list of points is not a [`Polygon`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PolygonError {
    /// Fewer than three different points.
    #[error("a polygon needs at least three different points, and this one has {0}")]
    TooFewPoints(usize),
    /// A coordinate that is not a finite number.
    #[error("point {0} has a coordinate that is not a finite number")]
    NotFinite(usize),
    /// Two edges touch or cross.
    #[error("its outline crosses itself: edges {0} and {1} meet")]
    SelfIntersecting(usize, usize),
    /// The points lie on a line.
    #[error("it has no area")]
    NoArea,
}

/// Polygons thinner or smaller than this (m²) have no area for us.
const SMALLEST_AREA: f32 = 1e-6;

impl Polygon {
    /// Checks `points` and puts them in counter-clockwise order. A repeated closing point and
    /// repeated consecutive points are dropped.
    pub fn new(points: impl Into<Vec<Vec2>>) -> Result<Self, PolygonError> {
        let mut points: Vec<Vec2> = points.into();
        if let Some(bad) = points.iter().position(|p| !p.is_finite()) {
            return Err(PolygonError::NotFinite(bad));
        }
        points.dedup();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() < 3 {
            return Err(PolygonError::TooFewPoints(points.len()));
        }
        let area = signed_area(&points);
        if area.abs() < SMALLEST_AREA {
            return Err(PolygonError::NoArea);
        }
        if let Some((i, j)) = self_intersection(&points) {
            return Err(PolygonError::SelfIntersecting(i, j));
        }
        if area < 0.0 {
            points.reverse();
        }
        let bounds = Bounds::around(points.iter().copied()).ok_or(PolygonError::NoArea)?;
        Ok(Self { points, bounds })
    }

    /// The regular polygon with its `sides` corners at `radius` from `center`.
    pub fn regular(center: Vec2, radius: f32, sides: usize) -> Result<Self, PolygonError> {
        let corner = |i| center + Vec2::from_angle(TAU * i as f32 / sides as f32) * radius;
        Self::new((0..sides).map(corner).collect::<Vec<_>>())
    }

    /// The corners, counter-clockwise.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The edges as (start, end), counter-clockwise.
    pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        edges(&self.points)
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Its area, m².
    pub fn area(&self) -> f32 {
        signed_area(&self.points)
    }

    /// Whether `point` lies inside (points on the border may count either way).
    pub fn contains(&self, point: Vec2) -> bool {
        self.bounds.contains(point) && encloses(&self.points, point)
    }

    /// The point of the polygon (interior included) nearest to `point`.
    pub fn nearest_point(&self, point: Vec2) -> Vec2 {
        if self.contains(point) { point } else { self.nearest_border_point(point) }
    }

    /// The point of the outline nearest to `point`.
    pub fn nearest_border_point(&self, point: Vec2) -> Vec2 {
        self.edges()
            .map(|(a, b)| nearest_on_segment(a, b, point))
            .min_by(|p, q| p.distance_squared(point).total_cmp(&q.distance_squared(point)))
            .unwrap_or(point)
    }

    /// A point drawn uniformly from the interior.
    pub fn random_point(&self, stream: &mut Stream) -> Vec2 {
        // Rejection from the bounding box: at least 1 in 1000 for any sane region; the fall-back
        // keeps a hair-thin sliver from looping.
        for _ in 0..4096 {
            let point = stream.point_between(self.bounds.min, self.bounds.max);
            if encloses(&self.points, point) {
                return point;
            }
        }
        self.points[0]
    }
}

/// The z component of the cross product: positive where `b` lies counter-clockwise of `a`.
#[inline(always)]
pub fn det(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

/// The point of segment `ab` nearest to `p`.
pub fn nearest_on_segment(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return a;
    }
    a + along * ((p - a).dot(along) / length_squared).clamp(0.0, 1.0)
}

/// The point of segment `ab` nearest to `p`, in double precision.
pub fn nearest_on_segment_f64(a: DVec2, b: DVec2, p: DVec2) -> DVec2 {
    a + (b - a) * share_along(a, b, p)
}

/// The share of the way from `a` to `b` at which the segment is nearest to `p`: from 0 to 1, and 0 if it has no length.
pub fn share_along(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let share = (p - a).dot(b - a) / a.distance_squared(b);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

/// Whether segments `ab` and `cd` have a point in common.
pub fn segments_meet(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| {
        let (pq, pr) = ((q - p).as_dvec2(), (r - p).as_dvec2());
        (pq.x * pr.y - pq.y * pr.x).partial_cmp(&0.0).map_or(0, |o| o as i32)
    };
    let (s1, s2) = (side(a, b, c), side(a, b, d));
    let (s3, s4) = (side(c, d, a), side(c, d, b));
    if s1 * s2 < 0 && s3 * s4 < 0 {
        return true;
    }
    let touches = |p: Vec2, q: Vec2, r: Vec2, s: i32| {
        s == 0 && r.cmpge(p.min(q)).all() && r.cmple(p.max(q)).all()
    };
    touches(a, b, c, s1) || touches(a, b, d, s2) || touches(c, d, a, s3) || touches(c, d, b, s4)
}

fn edges(points: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    (0..points.len()).map(|i| (points[i], points[(i + 1) % points.len()]))
}

fn signed_area(points: &[Vec2]) -> f32 {
    // Relative to the first point and in f64: far from the origin the products cancel.
    let origin = points[0].as_dvec2();
    let twice: f64 = edges(points)
        .map(|(a, b)| {
            let (a, b) = (a.as_dvec2() - origin, b.as_dvec2() - origin);
            a.x * b.y - a.y * b.x
        })
        .sum();
    (twice * 0.5) as f32
}

/// Even-odd rule.
fn encloses(points: &[Vec2], p: Vec2) -> bool {
    edges(points).fold(false, |inside, (a, b)| {
        let crosses =
            (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y));
        inside != crosses
    })
}

/// A line of `points` without those that are within `tolerance` of it without them (Ramer 1972, Douglas
/// and Peucker 1973).
pub fn simplified(points: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut keep = vec![false; points.len()];
    (keep[0], keep[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let off_line = |i: usize| {
            let nearest = nearest_on_segment(points[from], points[to], points[i]);
            nearest.distance_squared(points[i])
        };
        let farthest = (from + 1..to).max_by(|&i, &j| off_line(i).total_cmp(&off_line(j)));
        if let Some(middle) = farthest.filter(|&i| off_line(i) > tolerance * tolerance) {
            keep[middle] = true;
            open.extend([(from, middle), (middle, to)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(&point, _)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};

    fn points(list: &[(f32, f32)]) -> Vec<Vec2> {
        list.iter().map(|&(x, y)| Vec2::new(x, y)).collect()
    }

    #[test]
    fn polygons_become_counter_clockwise() {
        let clockwise = points(&[(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0), (0.0, 0.0)]);
        let square = Polygon::new(clockwise).unwrap();
        assert_eq!(square.points().len(), 4);
        assert_eq!(square.area(), 4.0);
        assert!(square.contains(Vec2::ONE) && !square.contains(Vec2::new(2.5, 1.0)));
        assert_eq!(square.nearest_point(Vec2::new(3.0, 1.0)), Vec2::new(2.0, 1.0));
    }

    #[test]
    fn what_is_no_polygon_is_refused_with_the_reason() {
        let of = |list: &[(f32, f32)]| Polygon::new(points(list)).unwrap_err();
        assert_eq!(of(&[(0.0, 0.0), (1.0, 0.0)]), PolygonError::TooFewPoints(2));
        assert_eq!(of(&[(0.0, 0.0), (1.0, f32::NAN), (1.0, 1.0)]), PolygonError::NotFinite(1));
        assert_eq!(of(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), PolygonError::NoArea);
        let bow_tie = of(&[(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 3.0)]);
        assert!(matches!(bow_tie, PolygonError::SelfIntersecting(0, 2)), "{bow_tie}");
        let spike = of(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 2.0)]);
        assert!(matches!(spike, PolygonError::SelfIntersecting(..)), "{spike}");
    }

    #[test]
    fn the_nearest_point_of_a_segment_is_between_its_ends() {
        let (a, b) = (DVec2::new(1.0, 1.0), DVec2::new(5.0, 1.0));
        for (p, share) in [((3.0, 7.0), 0.5), ((0.0, 0.0), 0.0), ((9.0, 2.0), 1.0)] {
            let p = DVec2::from(p);
            assert_eq!(share_along(a, b, p), share);
            assert_eq!(nearest_on_segment_f64(a, b, p), a.lerp(b, share));
            let single = nearest_on_segment(a.as_vec2(), b.as_vec2(), p.as_vec2());
            assert_eq!(single, a.lerp(b, share).as_vec2());
        }
        assert_eq!(nearest_on_segment_f64(a, a, b), a);
    }

    #[test]
    fn random_points_fill_the_polygon() {
        let l_shape =
            points(&[(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]);
        let polygon = Polygon::new(l_shape).unwrap();
        let mut stream = Random::new(0).stream(0, 0, Purpose::Placement);
        let foot = (0..3000)
            .map(|_| polygon.random_point(&mut stream))
            .inspect(|p| assert!(polygon.contains(*p)))
            .filter(|p| p.y < 1.0)
            .count();
        assert!((1650..1950).contains(&foot), "three fifths of the area: {foot}");
    }
}
