//! Columns over the cells of the ground: what is filled in each, and where one can stand.
//!
//! Every triangle is cut along the cells. What lies in a cell fills its column from its lowest to its
//! highest point, however little of the cell it covers: so no wall is too thin to be seen. Heights to
//! stand at, on the other hand, are those of the surface in the middle of the cell, exactly.
//!
//! A triangle along the border of two cells belongs to the one behind it, so that a wall on the lines
//! of the lattice takes away only what is inside of it, and a sheet without thickness is not lost.

use glam::{DVec2, DVec3};
use robust::{Coord, orient2d};

use super::solid::Shell;
use super::{Lattice, MOST_PIECES, Rules, SurveyError, normal};

/// A place to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// Height, m.
    pub height: f64,
    /// How much the surface rises per metre along x and y.
    pub gradient: DVec2,
}

/// Surfaces nearer to each other than this, m, are one.
const SAME: f64 = 1e-4;

/// Triangles with a smaller upward part of their unit normal are walls.
const UPRIGHT: f64 = 0.1;

/// Cells of a band, roughly: bands are looked at one after the other to save memory.
const BAND: usize = 1_000_000;

/// The places to stand of all cells, upwards, cell by cell: `visit` is shown the number of each cell
/// that has any.
pub(super) fn stands(
    triangles: &[[DVec3; 3]],
    shells: &[Shell],
    lattice: &Lattice,
    rules: &Rules,
    mut visit: impl FnMut(usize, &[Stand]),
) -> Result<(), SurveyError> {
    let band_rows = (BAND / lattice.columns).clamp(1, lattice.rows);
    let mut columns = vec![Column::default(); band_rows * lattice.columns];
    let mut found = Vec::new();
    let mut pieces = 0;
    for first in (0..lattice.rows).step_by(band_rows) {
        let rows = first..(first + band_rows).min(lattice.rows);
        columns.iter_mut().for_each(Column::clear);
        for (corners, shell) in triangles.iter().zip(shells) {
            let triangle = Triangle::new(corners, *shell, lattice.cell);
            triangle.cut(lattice, rows.clone(), &mut pieces, |row, column, piece| {
                columns[(row - first) * lattice.columns + column].add(piece);
            });
            if pieces > MOST_PIECES {
                return Err(SurveyError::TooManyPieces { cell: lattice.cell });
            }
        }
        for (index, column) in columns.iter_mut().enumerate().take(rows.len() * lattice.columns) {
            column.stands(lattice.cell, rules, &mut found);
            if !found.is_empty() {
                visit(first * lattice.columns + index, &found);
            }
        }
    }
    Ok(())
}

/// What a triangle is in the column of a cell.
struct Piece {
    /// Lowest and highest point of it, if it lies in the cell at all.
    filled: Option<(f64, f64)>,
    /// The surface in the middle of the cell, if it is there.
    middle: Option<Middle>,
}

/// A surface in the middle of a cell.
#[derive(Clone, Copy, Debug)]
struct Middle {
    height: f64,
    gradient: DVec2,
    /// `+1` for what faces up and `-1` for what faces down.
    facing: i32,
    shell: Shell,
}

/// Everything above one cell.
#[derive(Clone, Debug, Default)]
struct Column {
    /// What is filled: stretches in order that do not overlap.
    filled: Vec<(f64, f64)>,
    middles: Vec<Middle>,
}

impl Column {
    fn clear(&mut self) {
        self.filled.clear();
        self.middles.clear();
    }

    fn add(&mut self, piece: Piece) {
        self.middles.extend(piece.middle);
        if let Some((low, high)) = piece.filled {
            // All stretches that this one touches become one with it.
            let begin = self.filled.partition_point(|stretch| stretch.1 < low - SAME);
            let end = self.filled.partition_point(|stretch| stretch.0 <= high + SAME);
            let (low, high) = self.filled[begin..end]
                .iter()
                .fold((low, high), |(low, high), s| (low.min(s.0), high.max(s.1)));
            self.filled.splice(begin..end, [(low, high)]);
        }
    }

    /// Puts the places to stand into `found`, upwards.
    fn stands(&mut self, cell: f64, rules: &Rules, found: &mut Vec<Stand>) {
        found.clear();
        self.middles.sort_by(|a, b| b.height.total_cmp(&a.height));
        let steepest = rules.max_slope.tan() + 1e-9;
        for middle in &self.middles {
            let Middle { height, gradient, .. } = *middle;
            // Nobody stands right under a place to stand, nor between two sheets of the same floor.
            let is_covered = found
                .last()
                .is_some_and(|above: &Stand| above.height - height < rules.headroom - SAME);
            if gradient.length() <= steepest
                && !is_covered
                && self.is_free(height, gradient, cell, rules)
                && !self.is_inside(height)
            {
                found.push(Stand { height, gradient });
            }
        }
        found.reverse();
    }

    /// Whether nothing is in the way of a body that stands at `height`.
    fn is_free(&self, height: f64, gradient: DVec2, cell: f64, rules: &Rules) -> bool {
        // A slope is higher at the rim of the cell than in its middle.
        let rim = (gradient.x.abs() + gradient.y.abs()) * cell * 0.5;
        let (low, high) = (height + rules.max_step + rim + SAME, height + rules.headroom - SAME);
        let next = self.filled.partition_point(|stretch| stretch.1 <= low);
        self.filled.get(next).is_none_or(|stretch| stretch.0 >= high)
    }

    /// Whether solids enclose what is just above `height`.
    fn is_inside(&self, height: f64) -> bool {
        let above = || self.middles.iter().take_while(|middle| middle.height > height + SAME);
        let facing: i32 = above().filter(|m| m.shell == Shell::Closed).map(|m| m.facing).sum();
        facing > 0 || above().filter(|m| m.shell == Shell::Muddled).count() % 2 == 1
    }
}

/// A triangle, ready to be cut.
struct Triangle<'t> {
    corners: &'t [DVec3; 3],
    shell: Shell,
    gradient: DVec2,
    facing: i32,
    /// How far the borders of cells are moved: of the lower and of the upper one, along x and y.
    windows: [[f64; 2]; 2],
}

impl<'t> Triangle<'t> {
    fn new(corners: &'t [DVec3; 3], shell: Shell, cell: f64) -> Self {
        let normal = normal(corners).normalize();
        let slack = cell * 1e-4;
        let window = |along: f64| match along.abs() > UPRIGHT && normal.z.abs() < UPRIGHT {
            // A wall that faces along this axis: what is on the border is behind it.
            true => [slack * along.signum(); 2],
            // What only touches the border of a cell is not in it.
            false => [slack, -slack],
        };
        Self {
            corners,
            shell,
            gradient: -normal.truncate() / normal.z,
            facing: if normal.z > 0.0 { 1 } else { -1 },
            windows: [window(normal.x), window(normal.y)],
        }
    }

    /// Shows `visit` the pieces of the triangle by row and column, and counts them.
    fn cut(
        &self,
        lattice: &Lattice,
        rows: std::ops::Range<usize>,
        pieces: &mut u64,
        mut visit: impl FnMut(usize, usize, Piece),
    ) {
        let Some(touched) = self.touched(1, self.corners, lattice, lattice.rows) else { return };
        let [windows_x, windows_y] = self.windows;
        for row in touched.start.max(rows.start)..touched.end.min(rows.end) {
            let low = lattice.origin.y + row as f64 * lattice.cell;
            let mut strip = Ring::new(self.corners);
            strip.clip(1, low + windows_y[0], low + lattice.cell + windows_y[1]);
            if strip.is_empty() {
                continue;
            }
            let within = strip.points();
            let Some(columns) = self.touched(0, within, lattice, lattice.columns) else { continue };
            for column in columns {
                *pieces += 1;
                let left = lattice.origin.x + column as f64 * lattice.cell;
                let mut inside = strip;
                inside.clip(0, left + windows_x[0], left + lattice.cell + windows_x[1]);
                let middle = self.middle(lattice.center(column, row));
                let filled = inside.heights();
                if filled.is_some() || middle.is_some() {
                    visit(row, column, Piece { filled, middle });
                }
            }
        }
    }

    /// The rows or columns that `points` may touch.
    fn touched(
        &self,
        axis: usize,
        points: &[DVec3],
        lattice: &Lattice,
        count: usize,
    ) -> Option<std::ops::Range<usize>> {
        let along = || points.iter().map(|point| point[axis] - lattice.origin[axis]);
        let low = along().fold(f64::INFINITY, f64::min) / lattice.cell;
        let high = along().fold(f64::NEG_INFINITY, f64::max) / lattice.cell;
        // One more on either side where it is close to the border; casts saturate.
        let range = (low - 0.01).max(0.0) as usize..((high + 0.01) as usize + 1).min(count);
        (!range.is_empty()).then_some(range)
    }

    /// The surface above `point`, the border counted to one of two triangles that share it.
    fn middle(&self, point: DVec2) -> Option<Middle> {
        if !self.gradient.is_finite() {
            return None;
        }
        let [a, mut b, mut c] = self.corners.map(DVec3::truncate);
        if self.facing < 0 {
            std::mem::swap(&mut b, &mut c);
        }
        let holds = |from: DVec2, to: DVec2| {
            let coord = |p: DVec2| Coord { x: p.x, y: p.y };
            let side = orient2d(coord(from), coord(to), coord(point));
            let along = to - from;
            // On an edge, only triangles to the left of those that lead down, or straight on.
            side > 0.0 || side == 0.0 && (along.y < 0.0 || along.y == 0.0 && along.x > 0.0)
        };
        (holds(a, b) && holds(b, c) && holds(c, a)).then(|| Middle {
            height: self.corners[0].z + self.gradient.dot(point - self.corners[0].truncate()),
            gradient: self.gradient,
            facing: self.facing,
            shell: self.shell,
        })
    }
}

/// A convex outline that is cut by lines along the axes: at most seven corners are left.
#[derive(Clone, Copy)]
struct Ring {
    points: [DVec3; 8],
    count: usize,
}

impl Ring {
    fn new(corners: &[DVec3; 3]) -> Self {
        let mut points = [DVec3::ZERO; 8];
        points[..3].copy_from_slice(corners);
        Self { points, count: 3 }
    }

    fn points(&self) -> &[DVec3] {
        &self.points[..self.count]
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn heights(&self) -> Option<(f64, f64)> {
        let first = self.points().first()?.z;
        Some(self.points().iter().fold((first, first), |(l, h), p| (l.min(p.z), h.max(p.z))))
    }

    /// Keeps what lies between two coordinates along an axis.
    fn clip(&mut self, axis: usize, low: f64, high: f64) {
        self.keep(|point| point[axis] - low);
        self.keep(|point| high - point[axis]);
    }

    /// Keeps what has a distance of at least 0.
    fn keep(&mut self, distance: impl Fn(DVec3) -> f64) {
        let before = *self;
        self.count = 0;
        for i in 0..before.count {
            let (a, b) = (before.points[i], before.points[(i + 1) % before.count]);
            let (from, to) = (distance(a), distance(b));
            if from >= 0.0 {
                self.push(a);
            }
            if (from < 0.0) != (to < 0.0) {
                self.push(a + (b - a) * (from / (from - to)));
            }
        }
    }

    fn push(&mut self, point: DVec3) {
        // A triangle cut by four lines has seven corners at most; rounding makes no more.
        if self.count < self.points.len() {
            self.points[self.count] = point;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(filled: &[(f64, f64)]) -> Column {
        let mut column = Column::default();
        for &stretch in filled {
            column.add(Piece { filled: Some(stretch), middle: None });
        }
        column
    }

    #[test]
    fn stretches_that_touch_become_one() {
        let filled = [(0.0, 1.0), (4.0, 5.0), (2.0, 3.0), (0.5, 2.5), (7.0, 8.0)];
        assert_eq!(column(&filled).filled, [(0.0, 3.0), (4.0, 5.0), (7.0, 8.0)]);
    }

    #[test]
    fn the_middle_of_a_cell_is_in_exactly_one_of_the_triangles_around_it() {
        // A fan of triangles round the middle of a cell, and one edge of it through each of four.
        let hub = DVec3::new(0.5, 0.5, 2.0);
        let rim = |i: i32| {
            let at = DVec2::from_angle(f64::from(i) * std::f64::consts::FRAC_PI_4);
            hub + (at.round() * 3.0).extend(0.0)
        };
        let lattice = Lattice { origin: DVec2::ZERO, cell: 1.0, columns: 1, rows: 1 };
        for shift in 0..8 {
            let mut middles = 0;
            for i in 0..8 {
                // A fan, and then a fan whose triangles face down: both cover the middle once.
                let corners = match shift % 2 {
                    0 => [hub, rim(i), rim(i + 1)],
                    _ => [hub, rim(i + 1), rim(i)],
                };
                let triangle = Triangle::new(&corners, Shell::Open, 1.0);
                triangle.cut(&lattice, 0..1, &mut 0, |_, _, piece| {
                    middles += usize::from(piece.middle.is_some());
                });
            }
            assert_eq!(middles, 1);
        }
    }

    #[test]
    fn a_wall_on_the_border_of_two_cells_belongs_to_the_one_behind_it() {
        let lattice = Lattice { origin: DVec2::ZERO, cell: 0.2, columns: 10, rows: 10 };
        let [low, high] = [DVec3::new(1.0, 0.5, 0.0), DVec3::new(1.0, 0.7, 0.0)];
        let top = DVec3::new(1.0, 0.7, 3.0);
        for (corners, behind) in [([low, high, top], 4), ([high, low, top], 5)] {
            let triangle = Triangle::new(&corners, Shell::Open, 0.2);
            let mut columns = Vec::new();
            triangle.cut(&lattice, 0..10, &mut 0, |_, column, piece| {
                if piece.filled.is_some() {
                    columns.push(column);
                }
            });
            columns.dedup();
            assert_eq!(columns, [behind]);
        }
    }
}
