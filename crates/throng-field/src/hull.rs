//! The convex hull of anchors: beyond it nobody has said anything.

use glam::DVec2;

/// A convex polygon, counter-clockwise; a segment or a point if anchors are few or on a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hull {
    corners: Vec<DVec2>,
    diameter: f64,
}

/// The point of a hull that is nearest to a place outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub point: DVec2,
    pub distance: f64,
    /// The unit direction of the edge it is on; zero at a corner.
    pub along: DVec2,
}

impl Hull {
    pub fn of(points: impl Iterator<Item = DVec2>) -> Self {
        let corners = convex_hull(points.collect());
        let distances = corners
            .iter()
            .enumerate()
            .flat_map(|(i, a)| corners[i + 1..].iter().map(|b| a.distance(*b)));
        let diameter = distances.fold(0.0, f64::max);
        Self { corners, diameter }
    }

    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// The largest distance between two of its points.
    pub fn diameter(&self) -> f64 {
        self.diameter
    }

    /// Where each edge begins, and the way along it.
    pub fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(a, b)| (*a, *b - *a))
    }

    /// The nearest point; `None` inside, and for a hull without extent.
    pub fn nearest(&self, place: DVec2) -> Option<Nearest> {
        let is_inside = self.edges().all(|(from, edge)| edge.perp_dot(place - from) >= 0.0);
        if is_inside || self.corners.len() < 2 {
            return None;
        }
        let on_edge = |(from, edge): (DVec2, DVec2)| {
            let share = (place - from).dot(edge) / edge.length_squared();
            let point = from + edge * share.clamp(0.0, 1.0);
            let is_within = share > 0.0 && share < 1.0;
            let along = if is_within { edge.normalize() } else { DVec2::ZERO };
            Nearest { point, distance: place.distance(point), along }
        };
        self.edges().map(on_edge).min_by(|a, b| a.distance.total_cmp(&b.distance))
    }
}

/// Andrew's monotone chain.
fn convex_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(*point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter());
    hull.extend(half(&mut points.iter().rev()));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_on_an_edge_or_a_corner() {
        let square = [(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (2.0, 2.0), (0.0, 2.0), (1.0, 0.0)];
        let hull = Hull::of(square.into_iter().map(DVec2::from));
        assert_eq!(hull.corners().len(), 4);
        assert_eq!(hull.nearest(DVec2::new(1.5, 0.5)), None);
        let edge = hull.nearest(DVec2::new(1.5, -3.0)).unwrap();
        assert_eq!((edge.point, edge.distance), (DVec2::new(1.5, 0.0), 3.0));
        assert_eq!(edge.along, DVec2::X);
        let corner = hull.nearest(DVec2::new(5.0, 6.0)).unwrap();
        assert_eq!((corner.point, corner.distance), (DVec2::new(2.0, 2.0), 5.0));
        assert_eq!(corner.along, DVec2::ZERO);
    }
}
