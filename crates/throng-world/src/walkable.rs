//! Where one can walk: what is left of the ground once everything solid is taken away.
//!
//! Obstacles may overlap, touch each other or stick out of the world, so this is a proper
//! difference of polygons, made by `i_overlay`: it moves all points to a fine lattice and computes
//! with integers, which is what makes it robust. The lattice has a billionth of the world's
//! width, far less than the `f32` of a scene resolves.
//!
//! The result is in `f64`, as other programs expect it, and valid in the sense of the Simple
//! Features standard: outlines do not touch themselves, and holes lie within.

use glam::{DVec2, Vec2};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::overlay::{FloatOverlay, OverlayOptions};
use throng_base::{Bounds, Polygon};

use crate::scene::LayerId;
use crate::{Obstacle, Scene, Shape};

/// Slivers smaller than this, m², are left out: they come from rounding.
const SMALLEST_AREA: f64 = 1e-6;

/// A connected piece of ground: an outline, and holes that nobody can walk in.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    outline: Vec<DVec2>,
    holes: Vec<Vec<DVec2>>,
}

/// Why rings of points are not an [`Area`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AreaError {
    /// Fewer than three points.
    #[error("a ring has fewer than three points")]
    TooFewPoints,
    /// A coordinate that is not a finite number.
    #[error("a coordinate is not a finite number")]
    NotFinite,
}

impl Area {
    /// An area from an outline and holes, each in either direction, with or without their first
    /// point repeated at the end.
    pub fn new(outline: Vec<DVec2>, holes: Vec<Vec<DVec2>>) -> Result<Self, AreaError> {
        let outline = ring(outline, true)?;
        let holes = holes.into_iter().map(|hole| ring(hole, false)).collect::<Result<_, _>>()?;
        Ok(Self { outline, holes })
    }

    /// The outline, counter-clockwise.
    pub fn outline(&self) -> &[DVec2] {
        &self.outline
    }

    /// The holes, clockwise.
    pub fn holes(&self) -> &[Vec<DVec2>] {
        &self.holes
    }

    /// All rings, the outline first.
    pub fn rings(&self) -> impl Iterator<Item = &[DVec2]> {
        std::iter::once(&self.outline).chain(&self.holes).map(Vec::as_slice)
    }

    /// Its size, m².
    pub fn size(&self) -> f64 {
        self.rings().map(signed_area).sum()
    }

    /// The corners of the rectangle around it with the smallest and the largest coordinates.
    pub fn extent(&self) -> (DVec2, DVec2) {
        let first = self.outline[0];
        self.outline.iter().fold((first, first), |(min, max), &p| (min.min(p), max.max(p)))
    }

    /// The same shape with all coordinates multiplied by `factor`, which must be positive.
    pub fn scaled(&self, factor: f64) -> Self {
        let ring = |ring: &Vec<DVec2>| ring.iter().map(|point| point * factor).collect();
        Self { outline: ring(&self.outline), holes: self.holes.iter().map(ring).collect() }
    }

    /// Whether `point` lies inside (points on the border may count either way).
    pub fn contains(&self, point: DVec2) -> bool {
        self.rings().flat_map(edges).fold(false, |inside, (a, b)| {
            let crosses = (a.y > point.y) != (b.y > point.y)
                && point.x < a.x + (b.x - a.x) * ((point.y - a.y) / (b.y - a.y));
            inside != crosses
        })
    }
}

impl From<Bounds> for Area {
    fn from(bounds: Bounds) -> Self {
        Self { outline: bounds.corners().map(Vec2::as_dvec2).into(), holes: Vec::new() }
    }
}

impl From<&Polygon> for Area {
    fn from(polygon: &Polygon) -> Self {
        let outline = polygon.points().iter().map(|p| p.as_dvec2()).collect();
        Self { outline, holes: Vec::new() }
    }
}

/// What is left of the bounds of `scene`, or of the plan of `layer`, once all obstacles on it are
/// taken away. Those that come and go do not count.
///
/// Stairs and ramps belong to it, since one can stand on them; their sides, which are walls without
/// thickness, leave no trace.
pub fn walkable(scene: &Scene, layer: LayerId) -> Vec<Area> {
    let permanent = scene.obstacles.iter().filter(|obstacle| obstacle.is_permanent());
    free_of(permanent, scene.bounds, layer)
}

/// What `obstacles` leave of `bounds` on a floor.
pub fn free_of<'a>(
    obstacles: impl IntoIterator<Item = &'a Obstacle>,
    bounds: Bounds,
    layer: LayerId,
) -> Vec<Area> {
    let mut ground = vec![Area::from(bounds)];
    let mut solids = Vec::new();
    for obstacle in obstacles.into_iter().filter(|obstacle| obstacle.layer == layer) {
        if let Shape::Plan(plan) = &obstacle.shape {
            ground = intersection(&ground, &plan.areas());
        }
        solids.extend(obstacle.shape.solids().iter().map(Area::from));
    }
    difference(&ground, &solids)
}

/// What belongs to any of `areas`.
pub fn union(areas: &[Area]) -> Vec<Area> {
    overlay(areas, &[], OverlayRule::Subject)
}

/// What belongs to `areas` but not to `taken`.
pub fn difference(areas: &[Area], taken: &[Area]) -> Vec<Area> {
    overlay(areas, taken, OverlayRule::Difference)
}

/// What belongs to both.
pub fn intersection(areas: &[Area], others: &[Area]) -> Vec<Area> {
    overlay(areas, others, OverlayRule::Intersect)
}

/// What is left of `bounds` around some areas, as polygons.
pub fn solids_around(areas: &[Area], bounds: Bounds) -> Vec<Polygon> {
    let solid = without_holes(difference(&[bounds.into()], areas));
    let outline = |area: &Area| area.outline().iter().map(|p| p.as_vec2()).collect::<Vec<_>>();
    // Slivers that rounding makes of nothing are nothing.
    solid.iter().filter_map(|area| Polygon::new(outline(area)).ok()).collect()
}

/// The same ground without holes: areas that have some are cut in two through one of them until
/// none is left.
pub fn without_holes(areas: Vec<Area>) -> Vec<Area> {
    let (mut rest, mut done) = (areas, Vec::new());
    while let Some(area) = rest.pop() {
        // One from the middle of the list, which is in the order of x: so that both halves have
        // about as many.
        let middle = area.holes.len() / 2;
        let Some(hole) = area.holes.get(middle) else {
            done.push(area);
            continue;
        };
        let (low, high) = area.extent();
        let left = hole.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
        let right = hole.iter().map(|p| p.x).fold(f64::NEG_INFINITY, f64::max);
        let cut = (left + right) * 0.5;
        if !(low.x < cut && cut < high.x) {
            // A hole too thin to be cut: what it takes away does not matter.
            let mut area = area;
            area.holes.remove(middle);
            rest.push(area);
            continue;
        }
        for (from, to) in [(low.x, cut), (cut, high.x)] {
            let half = rectangle(DVec2::new(from, low.y), DVec2::new(to, high.y));
            rest.extend(intersection(std::slice::from_ref(&area), &[half]));
        }
    }
    done
}

fn overlay(subject: &[Area], clip: &[Area], rule: OverlayRule) -> Vec<Area> {
    let mut options = OverlayOptions::ogc();
    options.min_output_area = SMALLEST_AREA;
    let shapes = FloatOverlay::<[f64; 2]>::with_subj_and_clip_custom(
        &contours(subject),
        &contours(clip),
        options,
        Default::default(),
    )
    .overlay(rule, FillRule::NonZero);
    let ring = |points: Vec<[f64; 2]>| points.into_iter().map(DVec2::from).collect();
    let area = |shape: Vec<Vec<[f64; 2]>>| {
        let mut rings = shape.into_iter().map(ring);
        Area::new(rings.next()?, rings.collect()).ok()
    };
    shapes.into_iter().filter_map(area).collect()
}

fn contours(areas: &[Area]) -> Vec<Vec<[f64; 2]>> {
    let contour = |ring: &[DVec2]| ring.iter().map(DVec2::to_array).collect();
    areas.iter().flat_map(Area::rings).map(contour).collect()
}

fn rectangle(min: DVec2, max: DVec2) -> Area {
    let outline = vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
    Area { outline, holes: Vec::new() }
}

/// `points` in the direction wanted, and without a repeated end.
fn ring(mut points: Vec<DVec2>, counter_clockwise: bool) -> Result<Vec<DVec2>, AreaError> {
    if points.iter().any(|point| !point.is_finite()) {
        return Err(AreaError::NotFinite);
    }
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    if points.len() < 3 {
        return Err(AreaError::TooFewPoints);
    }
    if (signed_area(&points) > 0.0) != counter_clockwise {
        points.reverse();
    }
    Ok(points)
}

fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

fn signed_area(ring: &[DVec2]) -> f64 {
    // Relative to the first point: far from the origin the products cancel.
    let origin = ring[0];
    edges(ring).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum::<f64>() * 0.5
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    fn of(obstacles: &str) -> Vec<Area> {
        let text = format!("format = 1\nworld.bounds = [[0, 0], [10, 8]]\n{obstacles}");
        let scene = Scene::parse("test", &text, Path::new("."));
        walkable(&scene.unwrap_or_else(|errors| panic!("{errors}")), LayerId(0))
    }

    fn size(areas: &[Area]) -> f64 {
        areas.iter().map(Area::size).sum()
    }

    #[test]
    fn an_empty_world_is_its_bounds_exactly() {
        let areas = of("");
        assert_eq!(areas.len(), 1);
        let mut corners: Vec<_> = areas[0].outline().iter().map(DVec2::to_array).collect();
        corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(corners, [[0.0, 0.0], [0.0, 8.0], [10.0, 0.0], [10.0, 8.0]]);
    }

    #[test]
    fn obstacles_inside_are_holes_and_those_that_overlap_are_one() {
        let areas = of("obstacles = [
            { box = { center = [3, 3], size = [2, 2] } },
            { box = { center = [4, 3], size = [2, 2] } },
            { box = { center = [8, 6], size = [1, 1] } },
        ]");
        assert_eq!((areas.len(), areas[0].holes().len()), (1, 2));
        assert!((size(&areas) - (80.0 - 6.0 - 1.0)).abs() < 1e-5, "{}", size(&areas));
        assert!(areas[0].contains(DVec2::new(1.0, 1.0)));
        assert!(!areas[0].contains(DVec2::new(3.5, 3.0)));
    }

    #[test]
    fn an_obstacle_on_the_rim_takes_a_bite_out_of_the_outline() {
        let areas = of("obstacles = [{ box = { center = [0, 4], size = [2, 2] } }]");
        assert_eq!((areas.len(), areas[0].holes().len()), (1, 0));
        assert_eq!(areas[0].outline().len(), 8);
        assert!((size(&areas) - 78.0).abs() < 1e-5);
    }

    #[test]
    fn a_wall_across_leaves_two_pieces_and_an_obstacle_over_all_leaves_none() {
        let areas = of("obstacles = [{ box = { center = [5, 4], size = [1, 9] } }]");
        assert_eq!(areas.len(), 2);
        assert!((size(&areas) - 72.0).abs() < 1e-5);
        assert!(of("obstacles = [{ box = { center = [5, 4], size = [20, 20] } }]").is_empty());
    }

    #[test]
    fn obstacles_that_touch_in_a_corner_leave_a_valid_area() {
        let areas = of("obstacles = [
            { box = { center = [3, 3], size = [2, 2] } },
            { box = { center = [5, 5], size = [2, 2] } },
        ]");
        assert_eq!((areas.len(), areas[0].holes().len()), (1, 2), "{areas:?}");
    }

    #[test]
    fn only_the_obstacles_of_the_floor_count() {
        let text = r#"
            format = 1
            world.bounds = [[0, 0], [10, 8]]
            layers = [{ name = "hall" }, { name = "gallery" }]
            obstacles = [{ box = { center = [3, 3], size = [2, 2] }, layer = "gallery" }]
        "#;
        let scene = Scene::parse("test", text, Path::new(".")).unwrap();
        assert_eq!(walkable(&scene, LayerId(0))[0].holes().len(), 0);
        assert_eq!(walkable(&scene, LayerId(1))[0].holes().len(), 1);
    }

    #[test]
    fn a_closed_world_is_as_large_as_an_open_one() {
        assert!((size(&of("world.closed = true")) - 80.0).abs() < 1e-9);
    }

    #[test]
    fn rings_are_put_in_order_and_checked() {
        let square = |side: f64| {
            vec![DVec2::ZERO, DVec2::new(0.0, side), DVec2::splat(side), DVec2::new(side, 0.0)]
        };
        let mut closed = square(4.0);
        closed.push(DVec2::ZERO);
        let area = Area::new(closed, vec![square(1.0)]).unwrap();
        assert_eq!((area.outline().len(), area.size()), (4, 15.0));
        assert_eq!(Area::new(square(1.0)[..2].into(), vec![]), Err(AreaError::TooFewPoints));
        let nan = vec![DVec2::NAN; 4];
        assert_eq!(Area::new(square(1.0), vec![nan]), Err(AreaError::NotFinite));
    }

    fn any_box() -> impl Strategy<Value = Area> {
        // On a small lattice, boxes often touch, overlap or are the same.
        (0..8u8, 0..8u8, 1..4u8, 1..4u8).prop_map(|(x, y, width, depth)| {
            let min = DVec2::new(x.into(), y.into());
            rectangle(min, min + DVec2::new(width.into(), depth.into()))
        })
    }

    proptest! {
        #[test]
        fn a_point_is_left_if_it_was_there_and_was_not_taken(
            areas in prop::collection::vec(any_box(), 0..6),
            taken in prop::collection::vec(any_box(), 0..6),
        ) {
            let left = difference(&areas, &taken);
            let pieces = without_holes(left.clone());
            prop_assert!(pieces.iter().all(|piece| piece.holes().is_empty()));
            // Centres of the lattice's cells lie on no border.
            for point in (0..144).map(|i| DVec2::new(f64::from(i % 12), f64::from(i / 12)) + 0.5) {
                let within = |areas: &[Area]| areas.iter().filter(|a| a.contains(point)).count();
                let expected = usize::from(within(&areas) > 0 && within(&taken) == 0);
                prop_assert_eq!(within(&left), expected, "{} in {:?}", point, left);
                prop_assert_eq!(within(&pieces), expected, "{} in {:?}", point, pieces);
            }
        }
    }
}
