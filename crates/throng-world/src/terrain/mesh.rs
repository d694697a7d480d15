//! Ground made of triangles: terrain modelled elsewhere, bridges, kerbs, stairs.
//!
//! Looking down at the ground, a height is a question in the plane: which triangles hold the point
//! in plan, and how high is each there? A grid over the triangles gives the few candidates. Whether
//! a triangle holds the point is decided by exact orientation predicates (Shewchuk 1997), its border
//! included, so a point on a shared edge or vertex is held by one of the neighbours for certain: a
//! bridge has no hairline cracks through which a foot would drop to the road below.
//!
//! Only triangles that one could stand on count: those that face up and are not walls. Where several
//! lie above one another, the highest is the ground, roofs included (leave them out of the file), or
//! the one nearest to a hint.

use glam::{Vec2, Vec3};
use robust::{Coord, orient2d};
use throng_base::Bounds;
use throng_base::frame::{ground_to_world, world_to_ground};

use super::grid::Grid;
use super::{FARTHEST, is_sane};

/// Triangles to stand on. Off the mesh and over its holes, height and normal are those of the
/// nearest point of it in plan. Only [`GroundMesh::new`] makes one, so there is at least one
/// triangle and all of it is finite.
#[derive(Clone, Debug)]
pub struct GroundMesh {
    triangles: Vec<Triangle>,
    grid: Grid,
    bounds: Bounds,
}

/// Why a list of triangles is not a [`GroundMesh`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// No triangles at all.
    #[error("the mesh has no triangles")]
    Empty,
    /// More triangles or vertices than the limit.
    #[error(
        "the mesh is too large: at most {MOST_TRIANGLES} triangles and {MOST_VERTICES} vertices \
         are possible"
    )]
    TooLarge,
    /// A vertex that is not finite or out of all proportion.
    #[error("vertex {vertex} lies at {position}, which is not a place within {FARTHEST:e} m")]
    BadVertex {
        /// Its index.
        vertex: usize,
        /// Where it was said to be, in the world frame.
        position: Vec3,
    },
    /// A triangle with a corner that does not exist.
    #[error("triangle {triangle} uses vertex {vertex}, and there are only {vertices}")]
    MissingVertex {
        /// Its index.
        triangle: usize,
        /// The corner's index.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Walls, ceilings and slivers only.
    #[error(
        "none of the {triangles} triangles can be stood on: make sure that +y is up and that \
         triangles are counter-clockwise seen from above"
    )]
    NoGround {
        /// How many triangles there are.
        triangles: usize,
    },
}

const MOST_TRIANGLES: usize = 20_000_000;
const MOST_VERTICES: usize = 3 * MOST_TRIANGLES;

/// Least upward part of a unit normal: triangles steeper than 85° are walls. Their foot and head
/// belong to the surfaces next to them, and in plan they are too thin to stand on.
const LEAST_UPWARD: f64 = 0.087;

impl GroundMesh {
    /// The ground that `triangles` (indices into `vertices`, counter-clockwise seen from above) make.
    /// `vertices` are in the world frame.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check(&vertices, &triangles)?;
        let count = triangles.len();
        let triangles: Vec<Triangle> = triangles
            .into_iter()
            .filter_map(|corners| Triangle::new(corners.map(|index| vertices[index as usize])))
            .collect();
        drop(vertices);
        let bounds = Bounds::around(triangles.iter().flat_map(|triangle| triangle.corners))
            .ok_or(MeshError::NoGround { triangles: count })?;
        let grid = Grid::new(bounds, triangles.len(), |index| triangles[index].bounds());
        Ok(Self { triangles, grid, bounds })
    }

    /// The rectangle around it.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The corners of all triangles that can be stood on, in the world frame.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(Triangle::world_corners)
    }

    /// Height of the highest surface at `point`, m.
    #[inline]
    pub fn height(&self, point: Vec2) -> f32 {
        self.locate(point, highest).height
    }

    /// Height of the surface at `point` that is nearest to the height `hint`, m.
    pub fn height_near(&self, point: Vec2, hint: f32) -> f32 {
        self.locate(point, |height| -(height - hint).abs()).height
    }

    /// Unit normal of the highest surface at `point`, in the world frame.
    pub fn normal(&self, point: Vec2) -> Vec3 {
        self.height_and_normal(point).1
    }

    /// Height and normal of the highest surface at `point`.
    #[inline]
    pub fn height_and_normal(&self, point: Vec2) -> (f32, Vec3) {
        let place = self.locate(point, highest);
        (place.height, self.triangles[place.triangle as usize].normal())
    }

    /// Height and normal of the surface at `point` that somebody stands on at about the height `hint`: the highest
    /// within a high step of it, since stones stick in the earth, or else the nearest. Nothing off the mesh and over its
    /// holes.
    pub fn surface_near(&self, point: Vec2, hint: f32) -> Option<(f32, Vec3)> {
        /// What is further above or below is another storey, m.
        const STEP: f32 = 0.6;
        let place = self.hit(point, |height| {
            let away = (height - hint).abs();
            if away < STEP { height - hint + STEP } else { -away }
        })?;
        Some((place.height, self.triangles[place.triangle as usize].normal()))
    }

    /// The place on the mesh above or below `point`, or else nearest to it in plan. Among several,
    /// the one with the greatest `preference` for its height; among equals, the first triangle.
    #[inline]
    fn locate(&self, point: Vec2, preference: impl Fn(f32) -> f32) -> Place {
        self.hit(point, &preference).unwrap_or_else(|| self.nearest(point, preference))
    }

    /// The place on the mesh above or below `point`, if there is one.
    #[inline]
    fn hit(&self, point: Vec2, preference: impl Fn(f32) -> f32) -> Option<Place> {
        let mut found: Option<Place> = None;
        for &triangle in self.grid.at(point) {
            if let Some(height) = self.triangles[triangle as usize].height(point)
                && found.is_none_or(|best| preference(height) > preference(best.height))
            {
                found = Some(Place { triangle, height });
            }
        }
        found
    }

    #[cold]
    fn nearest(&self, point: Vec2, preference: impl Fn(f32) -> f32) -> Place {
        // What a point that is not finite gets.
        let mut best = Place { triangle: 0, height: self.triangles[0].heights[0] };
        let mut least = f64::INFINITY;
        self.grid.search_nearest(point, |triangles| {
            for &triangle in triangles {
                let (distance, height) = self.triangles[triangle as usize].nearest(point);
                let preferred = || preference(height) > preference(best.height);
                if distance < least || (distance == least && preferred()) {
                    best = Place { triangle, height };
                    least = distance;
                }
            }
            least
        });
        best
    }
}

/// Whether a mesh of this size is allowed; to be asked before memory is.
pub(super) fn check_size(vertices: usize, triangles: usize) -> Result<(), MeshError> {
    if vertices > MOST_VERTICES || triangles > MOST_TRIANGLES {
        return Err(MeshError::TooLarge);
    }
    Ok(())
}

fn check(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    check_size(vertices.len(), triangles.len())?;
    if triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    if let Some(vertex) = vertices.iter().position(|at| !at.to_array().into_iter().all(is_sane)) {
        return Err(MeshError::BadVertex { vertex, position: vertices[vertex] });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|index| **index as usize >= vertices.len()) {
            let vertices = vertices.len();
            return Err(MeshError::MissingVertex { triangle, vertex, vertices });
        }
    }
    Ok(())
}

/// A place on the mesh.
#[derive(Clone, Copy)]
struct Place {
    triangle: u32,
    height: f32,
}

fn highest(height: f32) -> f32 {
    height
}

/// A triangle one can stand on: counter-clockwise in plan.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    corners: [Vec2; 3],
    heights: [f32; 3],
}

impl Triangle {
    /// `None` if it faces down, is too steep, or has no area in plan.
    fn new(world: [Vec3; 3]) -> Option<Self> {
        let ground = world.map(world_to_ground);
        let triangle = Self { corners: ground.map(|g| g.0), heights: ground.map(|g| g.1) };
        let [a, b, c] = triangle.corners;
        // The predicate, not the normal, has the last word on slivers: it is exact.
        let faces_up = orientation(a, b, c) > 0.0;
        (faces_up && f64::from(triangle.normal().y) >= LEAST_UPWARD).then_some(triangle)
    }

    fn world_corners(&self) -> [Vec3; 3] {
        [0, 1, 2].map(|i| ground_to_world(self.corners[i], self.heights[i]))
    }

    fn bounds(&self) -> Bounds {
        let [a, b, c] = self.corners;
        Bounds { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    fn normal(&self) -> Vec3 {
        let [a, b, c] = self.world_corners().map(Vec3::as_dvec3);
        (b - a).cross(c - a).normalize_or_zero().as_vec3()
    }

    /// Height at `point`, or `None` if the triangle does not hold it in plan.
    #[inline]
    fn height(&self, point: Vec2) -> Option<f32> {
        // Most candidates go here, at a fraction of the cost of three predicates.
        if !self.bounds().contains(point) {
            return None;
        }
        // Each corner weighs as much as the part of the area that faces it; NaN holds nothing.
        let weight = |from, to| {
            let area = orientation(from, to, point);
            (area >= 0.0).then_some(area)
        };
        let [a, b, c] = self.corners;
        let (of_c, of_a, of_b) = (weight(a, b)?, weight(b, c)?, weight(c, a)?);
        let [ha, hb, hc] = self.heights.map(f64::from);
        Some(((ha * of_a + hb * of_b + hc * of_c) / (of_a + of_b + of_c)) as f32)
    }

    /// Squared distance in plan from `point`, which is outside, and the height of the nearest place.
    fn nearest(&self, point: Vec2) -> (f64, f32) {
        let corners = self.corners.map(|corner| corner.as_dvec2() - point.as_dvec2());
        let edge = |i: usize, j: usize| {
            let (from, along) = (corners[i], corners[j] - corners[i]);
            let t = (-from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let height = f64::from(self.heights[i]) * (1.0 - t) + f64::from(self.heights[j]) * t;
            ((from + along * t).length_squared(), height as f32)
        };
        let nearer = |a: (f64, f32), b: (f64, f32)| if b.0 < a.0 { b } else { a };
        nearer(nearer(edge(0, 1), edge(1, 2)), edge(2, 0))
    }
}

/// Twice the area of the triangle `abc`, with a sign that is exact: positive if counter-clockwise.
#[inline]
fn orientation(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let exact = |v: Vec2| Coord { x: v.x, y: v.y };
    orient2d(exact(a), exact(b), exact(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quadrilateral as two triangles, from ground points and heights, counter-clockwise.
    fn quads(list: &[[(f32, f32, f32); 4]]) -> GroundMesh {
        let vertices = list.iter().flatten().map(|&(x, y, h)| ground_to_world(Vec2::new(x, y), h));
        let triangles = (0..list.len() as u32)
            .map(|quad| quad * 4)
            .flat_map(|first| [[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        GroundMesh::new(vertices.collect(), triangles.collect()).unwrap()
    }

    fn level(min: (f32, f32), max: (f32, f32), height: f32) -> [(f32, f32, f32); 4] {
        [(min.0, min.1), (max.0, min.1), (max.0, max.1), (min.0, max.1)]
            .map(|(x, y)| (x, y, height))
    }

    /// A road 10 m long along x at height 0, and a bridge along y at height 5 over its middle.
    fn crossing() -> GroundMesh {
        quads(&[level((-5.0, -1.0), (5.0, 1.0), 0.0), level((-1.0, -5.0), (1.0, 5.0), 5.0)])
    }

    #[test]
    fn a_slope_has_its_height_and_normal() {
        let mesh = quads(&[[(0.0, 0.0, 1.0), (4.0, 0.0, 3.0), (4.0, 4.0, 2.0), (0.0, 4.0, 0.0)]]);
        for point in [(0.0, 0.0), (4.0, 4.0), (2.0, 2.0), (1.0, 3.5), (4.0, 1.0)].map(Vec2::from) {
            let expected = 1.0 + point.x * 0.5 - point.y * 0.25;
            assert!((mesh.height(point) - expected).abs() < 1e-6, "{point}");
            let normal = Vec3::new(-0.5, 1.0, -0.25).normalize();
            assert!((mesh.normal(point) - normal).length() < 1e-6, "{}", mesh.normal(point));
        }
    }

    #[test]
    fn the_highest_surface_is_the_ground_unless_a_hint_says_otherwise() {
        let mesh = crossing();
        assert_eq!(mesh.height(Vec2::new(0.2, 0.3)), 5.0);
        assert_eq!(mesh.height_near(Vec2::new(0.2, 0.3), 1.0), 0.0);
        assert_eq!(mesh.height_near(Vec2::new(0.2, 0.3), 4.0), 5.0);
        assert_eq!(mesh.surface_near(Vec2::new(0.2, 0.3), 4.0), Some((5.0, Vec3::Y)));
        assert_eq!(mesh.surface_near(Vec2::new(4.0, 4.0), 0.0), None, "nothing is there");
        assert_eq!(mesh.height(Vec2::new(3.0, 0.3)), 0.0);
    }

    #[test]
    fn off_the_mesh_the_nearest_place_answers() {
        let mesh = crossing();
        assert_eq!(mesh.height(Vec2::new(4.0, 1e6)), 5.0, "the bridge's end is nearer");
        assert_eq!(mesh.height(Vec2::new(-700.0, 300.0)), 0.0, "the road's end is nearer");
        let slope = quads(&[[(0.0, 0.0, 0.0), (2.0, 0.0, 2.0), (2.0, 2.0, 2.0), (0.0, 2.0, 0.0)]]);
        assert_eq!(slope.height(Vec2::new(1.5, -3.0)), 1.5);
        assert_eq!(slope.normal(Vec2::new(1.5, -3.0)), slope.normal(Vec2::new(1.5, 0.5)));
        assert_eq!(slope.height(Vec2::new(9.0, 9.0)), 2.0);
    }

    #[test]
    fn points_that_are_not_finite_still_get_a_height() {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            for point in [Vec2::splat(odd), Vec2::new(0.0, odd), Vec2::new(odd, 0.0)] {
                let (height, normal) = crossing().height_and_normal(point);
                assert!(height.is_finite() && normal.is_normalized(), "{point}");
            }
        }
    }

    #[test]
    fn walls_ceilings_and_slivers_are_no_ground() {
        let floor = level((0.0, 0.0), (2.0, 2.0), 0.0);
        let mut ceiling = level((0.0, 0.0), (2.0, 2.0), 3.0);
        ceiling.reverse();
        let wall = [(1.0, 0.0, 0.0), (1.05, 0.0, 3.0), (1.05, 2.0, 3.0), (1.0, 2.0, 0.0)];
        let sliver = [(0.5, 0.0, 9.0), (0.5, 1.0, 9.0), (0.5, 1.5, 9.0), (0.5, 2.0, 9.0)];
        let mesh = quads(&[floor, ceiling, wall, sliver]);
        assert_eq!(mesh.triangles().len(), 2);
        assert_eq!(mesh.height(Vec2::new(1.02, 1.0)), 0.0);
        assert_eq!(mesh.height(Vec2::new(0.5, 1.0)), 0.0);
    }

    #[test]
    fn no_point_falls_through_a_seam() {
        // A deck 5 m above the ground, cut into long triangles. Next to a seam the sides of the two
        // neighbours, worked out in plain floats, often both come out as the outer one.
        let centre = Vec2::new(0.123_456_7, 0.765_432_1);
        let rim: Vec<Vec2> =
            (0..37).map(|i| centre + Vec2::from_angle(i as f32 * 0.169_8) * 1370.0).collect();
        let mut vertices: Vec<Vec3> = rim.iter().map(|p| ground_to_world(*p, 5.0)).collect();
        vertices.push(ground_to_world(centre, 5.0));
        let mut triangles: Vec<[u32; 3]> = (0..36).map(|i| [37, i, i + 1]).collect();
        let below = [(-1.0, -1.0), (1.0, -1.0), (0.0, 2.0)].map(Vec2::from);
        triangles.push([38, 39, 40]);
        vertices.extend(below.map(|p| ground_to_world(centre + p * 1e4, 0.0)));
        let mesh = GroundMesh::new(vertices, triangles).unwrap();
        assert_eq!(mesh.height(centre), 5.0);
        for end in &rim[..36] {
            for step in 0..=1000 {
                let seam = centre + (*end - centre) * (step as f32 / 1001.0);
                assert_eq!(mesh.height(seam), 5.0, "{seam}");
            }
        }
    }

    #[test]
    fn what_is_no_ground_is_refused_with_the_reason() {
        let of = |v: &[Vec3], t: &[[u32; 3]]| GroundMesh::new(v.to_vec(), t.to_vec()).unwrap_err();
        let corners = [Vec3::ZERO, Vec3::X, Vec3::NEG_Z];
        assert_eq!(of(&[], &[]), MeshError::Empty);
        assert_eq!(of(&corners, &[]), MeshError::Empty);
        assert_eq!(check_size(3, MOST_TRIANGLES + 1), Err(MeshError::TooLarge));
        assert_eq!(check_size(MOST_VERTICES + 1, 1), Err(MeshError::TooLarge));
        let missing = MeshError::MissingVertex { triangle: 1, vertex: 3, vertices: 3 };
        assert_eq!(of(&corners, &[[0, 1, 2], [0, 3, 1]]), missing);
        assert_eq!(of(&corners, &[[0, 2, 1]]), MeshError::NoGround { triangles: 1 });
        assert_eq!(of(&corners, &[[0, 0, 1]]), MeshError::NoGround { triangles: 1 });
        for bad in [f32::NAN, f32::INFINITY, 1e9] {
            let error = of(&[Vec3::ZERO, Vec3::X, Vec3::new(0.0, bad, -1.0)], &[[0, 1, 2]]);
            assert!(matches!(error, MeshError::BadVertex { vertex: 2, .. }), "{error}");
        }
    }
}
