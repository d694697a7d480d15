//! Points and edges sorted into the squares of a lattice, to find those near a point.

use std::collections::HashMap;

use glam::DVec2;
use throng_base::geometry::nearest_on_segment_f64;
use throng_world::walkable::Area;

/// Points or edges by the squares they are in.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    side: f64,
    squares: HashMap<(i64, i64), Vec<u32>>,
    edges: Vec<(DVec2, DVec2)>,
}

impl Buckets {
    /// Squares of the given side with the numbers of `points`.
    pub fn of_points(points: impl Iterator<Item = DVec2>, side: f64) -> Self {
        let mut buckets = Self { side, squares: HashMap::new(), edges: Vec::new() };
        for (number, point) in points.enumerate() {
            buckets.squares.entry(buckets.square(point)).or_default().push(number as u32);
        }
        buckets
    }

    /// Squares with the edges of `areas`, of about the given side.
    pub fn of_edges(areas: &[Area], side: f64) -> Self {
        // An edge across a whole region may not fill the memory with squares.
        const MOST_ACROSS: f64 = 1024.0;
        let width = areas.iter().map(|area| (area.extent().1 - area.extent().0).max_element());
        let side = width.fold(side, |side, width| side.max(width / MOST_ACROSS));
        let mut buckets = Self { side, squares: HashMap::new(), edges: Vec::new() };
        for ring in areas.iter().flat_map(Area::rings) {
            for (i, &a) in ring.iter().enumerate() {
                buckets.add_edge(a, ring[(i + 1) % ring.len()]);
            }
        }
        buckets
    }

    /// The numbers of the points in the square of `point` and the eight around it, square by square.
    pub fn near(&self, point: DVec2) -> impl Iterator<Item = usize> + '_ {
        let (column, row) = self.square(point);
        let around = (-1..=1).flat_map(move |i| (-1..=1).map(move |j| (column + i, row + j)));
        around.filter_map(|square| self.squares.get(&square)).flatten().map(|&n| n as usize)
    }

    /// Whether an edge comes within `distance` of `point`; `distance` is at most the side.
    pub fn reach(&self, point: DVec2, distance: f64) -> bool {
        self.near(point).any(|number| {
            let (a, b) = self.edges[number];
            nearest_on_segment_f64(a, b, point).distance_squared(point) <= distance * distance
        })
    }

    /// Enters an edge into every square it may pass, column by column.
    fn add_edge(&mut self, a: DVec2, b: DVec2) {
        let number = self.edges.len() as u32;
        self.edges.push((a, b));
        let (left, right) = if a.x <= b.x { (a, b) } else { (b, a) };
        for column in self.square(left).0..=self.square(right).0 {
            let at = |x: f64| match right.x - left.x {
                0.0 => (left.y, right.y),
                width => {
                    let y = left.y + (right.y - left.y) * ((x - left.x) / width).clamp(0.0, 1.0);
                    (y, y)
                }
            };
            let (begin, end) = (at(column as f64 * self.side), at((column + 1) as f64 * self.side));
            let rows = [begin.0, begin.1, end.0, end.1].map(|y| self.row(y));
            let (low, high) = rows
                .iter()
                .fold((rows[0], rows[0]), |(low, high), &row| (low.min(row), high.max(row)));
            for row in low..=high {
                self.squares.entry((column, row)).or_default().push(number);
            }
        }
    }

    fn square(&self, point: DVec2) -> (i64, i64) {
        (self.row(point.x), self.row(point.y))
    }

    /// Which strip of squares a coordinate is in; far out they are all the same, which does no harm.
    fn row(&self, coordinate: f64) -> i64 {
        const FARTHEST: f64 = 1e15;
        (coordinate / self.side).floor().clamp(-FARTHEST, FARTHEST) as i64
    }
}
