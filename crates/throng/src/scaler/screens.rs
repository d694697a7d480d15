//! What is in the way of a view: whether somebody is behind a wall.
//!
//! Every obstacle that is always there hides what is behind it up to its height above the ground, so that a camera above
//! the roofs sees the streets. A line of sight is followed over the ground from square to square, and each square
//! knows the edges that touch it. Only edges that face the eye count: an eye inside of something sees out of it.
//! Floors and ceilings hide nobody, nor does the rim of the world, which nobody draws.

use glam::{Vec2, Vec3};
use throng_base::Bounds;
use throng_base::frame::world_to_ground;
use throng_base::geometry::{det, nearest_on_segment};
use throng_world::{Connector, Obstacle, Scene, Shape};

/// How high above the ground people end, m.
const TALL: f32 = 1.8;
/// Sides of squares, m, unless there would be too many of them.
const SQUARE: f32 = 4.0;
const MOST_SQUARES: f32 = 1e6;
/// By how much walls reach into the ground, m.
const BELOW: f32 = 0.5;

/// An edge of something solid, which is on its left.
#[derive(Clone, Copy, Debug)]
struct Edge {
    start: Vec2,
    along: Vec2,
    /// From where to where it is, m.
    heights: [f32; 2],
}

/// Everything that hides people, made ready to be looked at.
#[derive(Clone, Debug, Default)]
pub struct Screens {
    edges: Vec<Edge>,
    /// The height of the highest, m.
    top: f32,
    /// Where the squares begin, how large they are, m, and how many there are each way.
    origin: Vec2,
    square: f32,
    size: [usize; 2],
    /// Where the edges of each square begin in the next list; one more than there are squares.
    starts: Vec<u32>,
    touching: Vec<u32>,
}

impl Screens {
    /// What hides people in a scene.
    pub fn of(scene: &Scene) -> Self {
        let mut edges = Vec::new();
        for obstacle in scene.obstacles.iter().filter(|obstacle| obstacle.is_permanent()) {
            let floor = scene.layers.get(usize::from(obstacle.layer.0));
            let ground = |point: Vec2| floor.map_or(0.0, |floor| floor.height(point));
            let leads_out = |start: &Vec2, end: &Vec2| {
                let is_plan = matches!(obstacle.shape, Shape::Plan(_));
                is_plan && scene.connectors.iter().any(|stairs| opens(stairs, *start, *end))
            };
            for outline in outlines(obstacle) {
                let ends = outline.iter().zip(outline.iter().cycle().skip(1));
                let ends = ends.filter(|(start, end)| !leads_out(start, end));
                edges.extend(ends.map(|(start, end)| {
                    let low = ground(*start).min(ground(*end));
                    let heights = [low - BELOW, low + obstacle.height];
                    Edge { start: *start, along: *end - *start, heights }
                }));
            }
        }
        edges.retain(|edge| {
            edge.start.is_finite() && edge.along.is_finite() && edge.along.length_squared() > 1e-12
        });
        Self::new(edges)
    }

    fn new(edges: Vec<Edge>) -> Self {
        let ends = edges.iter().flat_map(|edge| [edge.start, edge.start + edge.along]);
        let Some(bounds) = Bounds::around(ends) else { return Self::default() };
        let extent = bounds.max - bounds.min;
        let area = (extent.x + SQUARE) * (extent.y + SQUARE);
        let square = SQUARE.max((area / MOST_SQUARES).sqrt());
        let size = [extent.x, extent.y].map(|extent| (extent / square) as usize + 1);
        let top = edges.iter().map(|edge| edge.heights[1]).fold(f32::NEG_INFINITY, f32::max);
        let mut screens = Self { top, origin: bounds.min, square, size, ..Self::default() };
        let mut pairs = Vec::new();
        for (number, edge) in (0..).zip(&edges) {
            screens.squares(edge.start, edge.along, |square| {
                pairs.push((square as u32, number));
                true
            });
        }
        pairs.sort_unstable();
        let count = size[0] * size[1];
        screens.starts = vec![0; count + 1];
        pairs.iter().for_each(|(square, _)| screens.starts[*square as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut screens.starts {
            sum += *start;
            *start = sum;
        }
        screens.touching = pairs.into_iter().map(|(_, number)| number).collect();
        screens.edges = edges;
        screens
    }

    /// Whether nothing hides anybody.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether nothing is between two places in the world.
    pub fn is_free(&self, from: Vec3, to: Vec3) -> bool {
        let ((start, low), (end, high)) = (world_to_ground(from), world_to_ground(to));
        if self.is_empty() || low.min(high) > self.top {
            return true;
        }
        let way = end - start;
        self.squares(start, way, |square| {
            let edges = self.starts[square] as usize..self.starts[square + 1] as usize;
            !self.touching[edges].iter().any(|number| {
                let edge = &self.edges[*number as usize];
                let approach = det(edge.along, way);
                if approach <= 0.0 {
                    return false;
                }
                let off = edge.start - start;
                let (along_way, along_edge) =
                    (det(edge.along, off) / approach, det(way, off) / approach);
                let height = low + along_way * (high - low);
                (0.0..=1.0).contains(&along_way)
                    && (0.0..=1.0).contains(&along_edge)
                    && (edge.heights[0]..edge.heights[1]).contains(&height)
            })
        })
    }

    /// Whether an eye sees anything of a disc of this radius around the top of somebody who stands at `place`: who is
    /// about to come round a corner counts as seen. Also how many lines of sight that took.
    pub(super) fn sees(&self, eye: Vec3, place: Vec3, margin: f32) -> (bool, usize) {
        let top = place + TALL * Vec3::Y;
        let away = (top - eye).with_y(0.0);
        if away.length_squared() <= margin * margin {
            return (true, 0);
        }
        let side = margin * Vec3::new(-away.z, 0.0, away.x).normalize_or_zero();
        for (lines, part) in (1..).zip([0.0, 1.0, -1.0, 0.5, -0.5]) {
            if self.is_free(eye, top + part * side) {
                return (true, lines);
            }
        }
        (false, 5)
    }

    /// Goes through the squares that a line touches, from its beginning, until `visit` says no; whether it never did.
    fn squares(&self, start: Vec2, way: Vec2, mut visit: impl FnMut(usize) -> bool) -> bool {
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32);
        // In squares, and what of it is over them at all.
        let (from, way) = ((start - self.origin) / self.square, way / self.square);
        let mut part = [0f32, 1f32];
        for axis in 0..2 {
            // Lines along the rim are not to be lost by rounding.
            let (low, high) = (-1e-3 - from[axis], size[axis] + 1e-3 - from[axis]);
            if way[axis].abs() < 1e-9 {
                if low > 0.0 || high < 0.0 {
                    return true;
                }
                continue;
            }
            let ends = [low / way[axis], high / way[axis]];
            part = [part[0].max(ends[0].min(ends[1])), part[1].min(ends[0].max(ends[1]))];
        }
        let is_over_them = part[0] <= part[1];
        if !is_over_them {
            return true;
        }
        let at = from + part[0] * way;
        let last = [self.size[0] as i64 - 1, self.size[1] as i64 - 1];
        let mut square = [0, 1].map(|axis| (at[axis].floor() as i64).clamp(0, last[axis]));
        let step = [0, 1].map(|axis| if way[axis] > 0.0 { 1 } else { -1 });
        // Where the line leaves the square it is in, each way.
        let border = |square: i64, axis: usize| {
            if way[axis].abs() < 1e-9 {
                return f32::INFINITY;
            }
            let border = square + i64::from(step[axis] > 0);
            (border as f32 - from[axis]) / way[axis]
        };
        for _ in 0..=self.size[0] + self.size[1] {
            let index = square[1] as usize * self.size[0] + square[0] as usize;
            if !visit(index) {
                return false;
            }
            let leaves = [border(square[0], 0), border(square[1], 1)];
            let axis = usize::from(leaves[1] < leaves[0]);
            square[axis] += step[axis];
            let beyond = !(0..=last[axis]).contains(&square[axis]);
            if beyond || leaves[axis] > part[1] {
                break;
            }
        }
        true
    }
}

/// Whether one gets from a floor plan onto a connector through this edge, or through a part of it.
fn opens(connector: &Connector, start: Vec2, end: Vec2) -> bool {
    (0..connector.polygon.points().len()).any(|index| {
        let (a, b) = connector.edge(index);
        let middle = 0.5 * (a + b);
        nearest_on_segment(start, end, middle).distance(middle) < 0.05
    })
}

/// The outlines of an obstacle, with what is solid on their left.
fn outlines(obstacle: &Obstacle) -> Vec<Vec<Vec2>> {
    match &obstacle.shape {
        Shape::Border(_) => Vec::new(),
        Shape::Plan(plan) => {
            let rims =
                plan.outlines().iter().map(|ring| ring.points().iter().rev().copied().collect());
            let holes = plan.holes().iter().map(|hole| hole.points().to_vec());
            rims.chain(holes).collect()
        }
        shape => shape.solids().iter().map(|solid| solid.points().to_vec()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use throng_base::frame::ground_to_world;
    use throng_base::random::{Purpose, Random};

    use super::*;

    #[test]
    fn lines_end_at_the_same_walls_whatever_squares_they_pass() {
        let mut draw = Random::new(5).stream(0, 0, Purpose::Body);
        let mut point = || Vec2::new(draw.between(-40.0, 60.0), draw.between(-30.0, 25.0));
        let edges: Vec<Edge> = (0..120)
            .map(|_| Edge { start: point(), along: 0.1 * point(), heights: [-0.5, 2.5] })
            .collect();
        let screens = Screens::new(edges.clone());
        let (mut free, mut blocked) = (0, 0);
        for _ in 0..4000 {
            let (from, to) = (1.5 * point(), 1.5 * point());
            let crosses = |edge: &Edge| {
                let (approach, off) = (det(edge.along, to - from), edge.start - from);
                let parts = [det(edge.along, off) / approach, det(to - from, off) / approach];
                approach > 0.0 && parts.iter().all(|part| (0.0..=1.0).contains(part))
            };
            let expected = !edges.iter().any(crosses);
            let [eye, place] = [from, to].map(|at| ground_to_world(at, 1.7));
            assert_eq!(screens.is_free(eye, place), expected, "{from} {to}");
            *(if expected { &mut free } else { &mut blocked }) += 1;
            // Over the roofs everything is free.
            assert!(screens.is_free(eye + Vec3::Y, place + Vec3::Y));
        }
        assert!(free > 300 && blocked > 300, "{free} {blocked}");
    }
}
