//! Walking along a path without being bound to it.
//!
//! Whoever follows a path looks at the disc of the map that holds them: the furthest point of the path
//! within it draws them on. The disc is free, so the straight way there is free as well, wherever
//! others have pushed them in the meantime. Near walls the boundary pushes back.

use glam::DVec2;
use throng_base::geometry::nearest_on_segment_f64;
use throng_world::scene::LayerId;

use crate::corridor::Path;
use crate::locate::{Anchor, Place};
use crate::map::CorridorMap;

/// Beyond the place where a path changes floor, the attraction point may be this far on, m: whoever is
/// drawn just to that place would not get past it.
pub(crate) const BEYOND_STAIRS: f64 = 1.0;

/// How walls push people who follow a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    /// From this distance between body and wall on, m.
    pub safe_distance: f64,
    /// How steeply the push rises towards the wall.
    pub steepness: f64,
}

impl Default for Boundary {
    fn default() -> Self {
        Self { safe_distance: 0.25, steepness: 1.0 }
    }
}

impl Boundary {
    /// The force (m/s², for a mass of one) on a body of this radius whose centre is `clearance` from
    /// the wall: none from the safe distance on, without bound on contact.
    pub fn force(&self, clearance: f64, radius: f64) -> f64 {
        let gap = clearance - radius;
        if gap >= self.safe_distance {
            0.0
        } else if gap <= 0.0 {
            f64::INFINITY
        } else {
            (self.safe_distance - gap) / gap.powf(self.steepness)
        }
    }

    /// The force as a vector towards the middle of the disc that holds `place`, limited so that one
    /// `step` (s) with it moves the body by no more than half of its gap to the wall, or by a
    /// centimetre if there is none left.
    pub fn push(&self, place: &Place, radius: f64, step: f64) -> DVec2 {
        let most = 0.5 * (place.clearance - radius).max(0.02) / (step * step);
        let inwards = (place.anchor.point - place.point).normalize_or_zero();
        inwards * self.force(place.clearance, radius).min(most)
    }
}

/// How far somebody has got on a path, and what draws them on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The leg of the path that they are on. It never decreases.
    pub leg: usize,
    /// Where on the path that is which draws them on: 1.5 in the middle of its second leg.
    pub aim: f64,
}

impl Path {
    /// The furthest point of the path within the disc that holds `place`, from where `progress` has
    /// got to; `None` if the path does not come near, and a new one is needed.
    ///
    /// It may lie before what drew them on so far, since discs differ. On a path that doubles back, whoever follows
    /// each such point may walk to and fro for ever: [`Self::at`] tells where the one before is.
    pub fn attraction(&self, progress: &mut Progress, place: &Place) -> Option<DVec2> {
        let (centre, radius) = (place.anchor.point, place.anchor.clearance);
        let mut found: Option<(usize, f64, DVec2)> = None;
        let mut nearest = (f64::INFINITY, progress.leg);
        let mut outside = 0.0;
        for leg in progress.leg..self.layers.len() {
            let (a, b) = (self.points[leg], self.points[leg + 1]);
            if self.layers[leg] != place.layer {
                // What is on another floor is not in this disc; only the first steps of it are.
                if found.is_none() && self.is_ahead(leg, place.layer) {
                    continue;
                }
                let ends_here = |&(last, _, point): &(usize, f64, DVec2)| {
                    last + 1 == leg && point.distance_squared(a) < 1e-9
                };
                if found.as_ref().is_some_and(ends_here) {
                    found = Some((leg - 1, 1.0, self.further(leg, BEYOND_STAIRS)));
                }
                break;
            }
            let distance = nearest_on_segment_f64(a, b, place.point).distance_squared(place.point);
            if (found.is_none() || outside == 0.0) && distance <= nearest.0 {
                nearest = (distance, leg);
            }
            match leaves(a, b, centre, radius) {
                Some(share) => {
                    found = Some((leg, share, a.lerp(b, share)));
                    outside = a.distance(b) * (1.0 - share);
                }
                None => outside += a.distance(b),
            }
            // Further on, the path would have to come back.
            if found.is_some() && outside > 2.0 * radius {
                break;
            }
        }
        let (last, share, point) = found?;
        progress.leg = progress.leg.max(nearest.1.min(last));
        progress.aim = last as f64 + share;
        Some(point)
    }

    /// A place on the path, and the floor of the leg that leads there: 1.5 is in the middle of the second leg. `None` if
    /// the path has no legs.
    pub fn at(&self, along: f64) -> Option<(LayerId, DVec2)> {
        self.layers.len().checked_sub(1)?;
        let leg = self.leg_to(along);
        let share = (along - leg as f64).clamp(0.0, 1.0);
        Some((self.layers[leg], self.points[leg].lerp(self.points[leg + 1], share)))
    }

    /// Returns the leg that leads to a place on the path: 1 for 1.5 and for 2.
    pub fn leg_to(&self, along: f64) -> usize {
        (along.ceil() as usize).saturating_sub(1).min(self.layers.len().saturating_sub(1))
    }

    /// How far it is along the path from a place on it to its end, m.
    pub fn left(&self, along: f64) -> f64 {
        let Some((_, at)) = self.at(along) else { return 0.0 };
        let ahead = self.points.iter().skip(self.leg_to(along) + 1);
        ahead.fold((0.0, at), |(sum, at), &next| (sum + at.distance(next), next)).0
    }

    /// Where the leg that `progress` has got to begins and ends, for somebody at `point` of a floor who
    /// is on it: no further than `off` beside it, m.
    ///
    /// If bodies that walk along the path have so much room, the straight way to the leg's end is free,
    /// and nothing of the map has to be looked at.
    pub fn leg_at(
        &self,
        progress: &Progress,
        layer: LayerId,
        point: DVec2,
        off: f64,
    ) -> Option<[DVec2; 2]> {
        let (a, b) = (*self.points.get(progress.leg)?, *self.points.get(progress.leg + 1)?);
        let (way, from) = (b - a, point - a);
        let (aside, along) = (way.perp_dot(from), way.dot(from));
        let length_squared = way.length_squared();
        let is_on_it = self.layers[progress.leg] == layer
            && aside * aside <= off * off * length_squared
            && (0.0..=length_squared).contains(&along);
        is_on_it.then_some([a, b])
    }

    /// The point that is so many metres beyond the beginning of a leg, or the last.
    fn further(&self, leg: usize, mut distance: f64) -> DVec2 {
        let mut at = self.points[leg];
        for &next in &self.points[leg + 1..] {
            let length = at.distance(next);
            if length >= distance {
                return at + (next - at) * (distance / length);
            }
            (at, distance) = (next, distance - length);
        }
        at
    }

    /// Whether the path comes to `layer` after some legs on another floor.
    fn is_ahead(&self, leg: usize, layer: LayerId) -> bool {
        self.layers[leg..].contains(&layer)
    }
}

impl CorridorMap {
    /// Discs of the map that a straight line on a floor leads through, each left where the next one is
    /// entered. What lies in walls is left out.
    pub fn discs_along(
        &self,
        layer: LayerId,
        from: DVec2,
        to: DVec2,
    ) -> impl Iterator<Item = Anchor> + '_ {
        let length = from.distance(to);
        let mut next = Some(0.0);
        std::iter::from_fn(move || {
            while let Some(along) = next {
                let share = if length > 0.0 { along / length } else { 0.0 };
                let at = from.lerp(to, share);
                let place = self.locate(layer, at);
                let (centre, radius) =
                    place.map_or((at, 0.0), |place| (place.anchor.point, place.anchor.clearance));
                // A line that only touches the rim of its disc gets on nevertheless.
                let left = leaves(at, to, centre, radius).unwrap_or(0.0) * (length - along);
                let further = along + left.max(LEAST_ADVANCE);
                next = (further < length).then_some(further);
                if let Some(place) = place {
                    return Some(place.anchor);
                }
            }
            None
        })
    }
}

/// From one disc along a line to the next it is at least this far, m.
const LEAST_ADVANCE: f64 = 0.1;

/// The last share of the way from `a` to `b` that is within a disc.
pub(crate) fn leaves(a: DVec2, b: DVec2, centre: DVec2, radius: f64) -> Option<f64> {
    let (way, from) = (b - a, a - centre);
    let (square, half) = (way.length_squared(), from.dot(way));
    let rest = from.length_squared() - radius * radius;
    if square == 0.0 {
        return (rest <= 0.0).then_some(0.0);
    }
    let discriminant = half * half - square * rest;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (enters, leaves) = ((-half - root) / square, (-half + root) / square);
    (enters <= 1.0 && leaves >= 0.0).then_some(leaves.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_pushes_harder_the_nearer_the_wall_is() {
        let boundary = Boundary::default();
        assert_eq!(boundary.force(0.5, 0.25), 0.0);
        assert!(boundary.force(0.499_999, 0.25) < 1e-4, "it begins softly");
        assert!((boundary.force(0.251, 0.25) - 249.0).abs() < 1e-6);
        let forces: Vec<f64> =
            (1..=25).map(|i| boundary.force(0.25 + 0.01 * f64::from(i), 0.25)).collect();
        assert!(forces.is_sorted_by(|a, b| a > b), "{forces:?}");
        assert_eq!(boundary.force(0.2, 0.25), f64::INFINITY);
    }

    #[test]
    fn places_on_a_path_are_told_by_leg_and_share() {
        let points = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0)].map(DVec2::from);
        let path = Path { points: points.into(), layers: vec![LayerId(0), LayerId(1)] };
        assert_eq!(path.at(0.0), Some((LayerId(0), points[0])));
        assert_eq!(path.at(0.25), Some((LayerId(0), DVec2::new(1.0, 0.0))));
        assert_eq!(path.at(1.0), Some((LayerId(0), points[1])), "where the first leg ends");
        assert_eq!(path.at(1.5), Some((LayerId(1), DVec2::new(4.0, 1.0))));
        assert_eq!(path.at(7.0), Some((LayerId(1), points[2])));
        assert_eq!(
            [0.0, 0.25, 1.0, 1.5, 7.0].map(|along| path.left(along)),
            [6.0, 5.0, 2.0, 1.0, 0.0]
        );
        assert_eq!((Path::default().at(0.5), Path::default().left(0.5)), (None, 0.0));
    }

    #[test]
    fn a_leg_leaves_a_disc_where_it_crosses_its_rim() {
        let (a, b) = (DVec2::new(-3.0, 0.0), DVec2::new(3.0, 0.0));
        assert_eq!(leaves(a, b, DVec2::ZERO, 1.5), Some(0.75));
        assert_eq!(leaves(a, DVec2::ZERO, DVec2::ZERO, 1.5), Some(1.0));
        assert_eq!(leaves(a, DVec2::new(-2.0, 0.0), DVec2::ZERO, 1.5), None);
        assert_eq!(leaves(a, b, DVec2::new(0.0, 2.0), 1.5), None);
        assert_eq!(leaves(a, a, DVec2::ZERO, 4.0), Some(0.0));
    }
}
