//! Finds the wall nearest to a point.
//!
//! Walls are listed in the cells of a coarse grid, and a search looks through rings of cells around
//! a point. Where people walk, it is done once: the small cells of a second grid remember which
//! walls can be the nearest ones to any of their points, which are one or two in a street.

use std::sync::OnceLock;

use glam::DVec2;
use throng_base::geometry::{nearest_on_segment_f64, share_along};

use crate::medial::{SiteId, Sites};

/// A uniform grid over walls and posts.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallIndex {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    begins: Vec<u32>,
    items: Vec<u32>,
    /// How many small cells make up the side of a large one.
    finer: usize,
    /// What can be nearest to the points of each small cell; known once somebody has asked.
    near: Vec<OnceLock<Box<[u32]>>>,
}

/// The nearest part of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub site: SiteId,
    pub point: DVec2,
    pub distance: f64,
}

const MOST_CELLS: f64 = 4e6;

/// Large cells are divided into this many small ones along each side, if those are not smaller than
/// [`SMALLEST_CELL`] and not too many.
const FINER: usize = 4;

/// Smaller cells, m, would be visited by hardly anybody twice.
const SMALLEST_CELL: f64 = 0.5;

/// Distances that differ by rounding only are the same, m.
const ROUNDING: f64 = 1e-6;

impl WallIndex {
    pub fn new(sites: &Sites) -> Self {
        let posts = sites.posts();
        let points = || {
            let posts = posts.clone().map(|post| sites.corners[post as usize]);
            sites.walls.iter().flatten().copied().chain(posts)
        };
        let Some(first) = points().next() else { return Self::default() };
        let (min, max) = points().fold((first, first), |(a, b), p| (a.min(p), b.max(p)));
        let size = (max - min).max(DVec2::splat(1e-3));
        // About one wall per cell, and cells not much larger than walls are long.
        let count = (sites.walls.len() + posts.len()) as f64;
        let cell = (size.x * size.y / count).sqrt().clamp(0.5, 50.0);
        let cell = cell.max((size.x * size.y / MOST_CELLS).sqrt()).max(size.max_element() / 1e5);
        let columns = (size.x / cell) as usize + 1;
        let rows = (size.y / cell) as usize + 1;
        let mut index = Self { origin: min, cell, columns, rows, ..Self::default() };
        let mut pairs = Vec::new();
        for (wall, &[a, b]) in (0..).zip(&sites.walls) {
            index.cells_along(a, b, |cell| pairs.push((cell as u32, wall)));
        }
        for post in posts {
            let at = sites.corners[post as usize];
            index.cells_along(at, at, |cell| pairs.push((cell as u32, sites.corner_id(post).0)));
        }
        (index.begins, index.items) = by_row(columns * rows, &pairs);
        let is_sensible = |finer: &usize| {
            let count = (columns * rows * finer * finer) as f64;
            cell / *finer as f64 >= SMALLEST_CELL && count <= MOST_CELLS
        };
        index.finer = (1..=FINER).rev().find(is_sensible).unwrap_or(1);
        index.near.resize_with(columns * rows * index.finer.pow(2), OnceLock::new);
        index
    }

    /// The corners of the rectangle that holds everything.
    pub fn bounds(&self) -> [DVec2; 2] {
        let size = DVec2::new(self.columns as f64, self.rows as f64) * self.cell;
        [self.origin, self.origin + size]
    }

    /// What is nearest to `point`; `None` if there are no walls. Of several, the one with the lowest
    /// number.
    pub fn nearest(&self, sites: &Sites, point: DVec2) -> Option<Nearest> {
        let size = self.cell / self.finer.max(1) as f64;
        let at = (point - self.origin) / size;
        let (columns, rows) = (self.columns * self.finer, self.rows * self.finer);
        let is_inside = at.x >= 0.0 && at.y >= 0.0 && at.x < columns as f64 && at.y < rows as f64;
        if !is_inside {
            return self.search(sites, point);
        }
        let near = self.near[at.y as usize * columns + at.x as usize].get_or_init(|| {
            let centre = self.origin + (at.floor() + 0.5) * size;
            self.candidates(sites, centre, size * std::f64::consts::FRAC_1_SQRT_2)
        });
        nearest_of(sites, near, point, None)
    }

    /// How far the straight line between two points is from everything, m; `most` if it is further.
    /// Once it is less than `least`, that is all there is to know.
    pub fn room_along(&self, sites: &Sites, [from, to]: [DVec2; 2], least: f64, most: f64) -> f64 {
        let mut room_squared = most * most;
        if self.items.is_empty() {
            return most;
        }
        // Stretch by stretch, so that a long line is looked at along its way and not all around it.
        let most_stretches = (self.columns + self.rows) as f64;
        let count = (from.distance(to) / self.cell).ceil().min(most_stretches).max(1.0);
        let mut begin = from;
        for stretch in 1..=count as u64 {
            let end = from.lerp(to, stretch as f64 / count);
            let reach = DVec2::splat(room_squared.sqrt());
            let box_of = |a: DVec2, b: DVec2| (a.min(b), a.max(b));
            let (least_corner, most_corner) = box_of(begin, end);
            let (low, high) =
                (self.cell_of(least_corner - reach), self.cell_of(most_corner + reach));
            for row in low.1..=high.1 {
                let cells = row * self.columns + low.0..=row * self.columns + high.0;
                let items =
                    self.begins[*cells.start()] as usize..self.begins[cells.end() + 1] as usize;
                for &item in &self.items[items] {
                    let [a, b] =
                        sites.walls.get(item as usize).copied().unwrap_or_else(|| {
                            [sites.corners[item as usize - sites.walls.len()]; 2]
                        });
                    let (low, high) = box_of(a, b);
                    let apart = (low - most_corner).max(least_corner - high).max(DVec2::ZERO);
                    // Most walls are beyond what is known to be the nearest already.
                    if apart.length_squared() < room_squared {
                        room_squared = room_squared.min(gap_squared([begin, end], [a, b]));
                    }
                }
            }
            if room_squared < least * least {
                break;
            }
            begin = end;
        }
        room_squared.sqrt()
    }

    /// The same, by looking around.
    fn search(&self, sites: &Sites, point: DVec2) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        self.look_around(point, |beyond, items| {
            let is_found = best.is_some_and(|best| best.distance < beyond);
            if !is_found {
                best = nearest_of(sites, items, point, best);
            }
            !is_found
        });
        best
    }

    /// All that can be nearest to any point within `reach` of `centre`, ascending: to the nearest of
    /// the centre it is no further than `reach` more, and to others no less than that nearer.
    fn candidates(&self, sites: &Sites, centre: DVec2, reach: f64) -> Box<[u32]> {
        let Some(nearest) = self.search(sites, centre) else { return Box::default() };
        let limit = nearest.distance + 2.0 * reach + ROUNDING;
        let mut found = Vec::new();
        self.look_around(centre, |beyond, items| {
            let is_near = |&&item: &&u32| nearest_part(sites, item, centre).distance <= limit;
            found.extend(items.iter().filter(is_near));
            beyond <= limit
        });
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    /// Visits what is listed in the cells around `point`, ring by ring, until `visit` says that it is
    /// enough. It is given a distance that all else is beyond of.
    fn look_around(&self, point: DVec2, mut visit: impl FnMut(f64, &[u32]) -> bool) {
        if self.items.is_empty() {
            return;
        }
        let (column, row) = self.cell_of(point);
        let mut goes_on = true;
        for ring in 0..self.columns.max(self.rows) {
            // Everything in this ring is at least so far from a point in the middle cell, and not
            // nearer to one outside of the grid.
            let beyond = (ring as f64 - 1.0) * self.cell;
            self.ring(column, row, ring, |cell| {
                let items = self.begins[cell] as usize..self.begins[cell + 1] as usize;
                goes_on = goes_on && visit(beyond, &self.items[items]);
            });
            if !goes_on {
                break;
            }
        }
    }

    fn cell_of(&self, point: DVec2) -> (usize, usize) {
        let at = ((point - self.origin) / self.cell).max(DVec2::ZERO);
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    fn ring(&self, column: usize, row: usize, ring: usize, mut visit: impl FnMut(usize)) {
        let (left, right) = (column.saturating_sub(ring), (column + ring).min(self.columns - 1));
        for y in row.saturating_sub(ring)..=(row + ring).min(self.rows - 1) {
            if y.abs_diff(row) == ring {
                (left..=right).for_each(|x| visit(y * self.columns + x));
            } else {
                if column >= ring {
                    visit(y * self.columns + left);
                }
                if column + ring < self.columns && ring > 0 {
                    visit(y * self.columns + right);
                }
            }
        }
    }

    /// Cells that the wall from `a` to `b` comes near.
    fn cells_along(&self, a: DVec2, b: DVec2, mut visit: impl FnMut(usize)) {
        let ((left, bottom), (right, top)) = (self.cell_of(a.min(b)), self.cell_of(a.max(b)));
        let across = (b - a).perp().normalize_or_zero();
        for row in bottom..=top {
            for column in left..=right {
                let centre =
                    self.origin + DVec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.cell;
                if (centre - a).dot(across).abs() <= 0.71 * self.cell {
                    visit(row * self.columns + column);
                }
            }
        }
    }
}

/// Items by row, in the order they come in: where each row begins, and the items.
pub(crate) fn by_row<T: Copy + Default>(rows: usize, pairs: &[(u32, T)]) -> (Vec<u32>, Vec<T>) {
    let mut begins = vec![0; rows + 1];
    for &(row, _) in pairs {
        begins[row as usize + 1] += 1;
    }
    for row in 0..rows {
        begins[row + 1] += begins[row];
    }
    let mut next = begins.clone();
    let mut items = vec![T::default(); pairs.len()];
    for &(row, item) in pairs {
        items[next[row as usize] as usize] = item;
        next[row as usize] += 1;
    }
    (begins, items)
}

/// The nearest of some walls and posts, and of what was the `best` before.
fn nearest_of(
    sites: &Sites,
    items: &[u32],
    point: DVec2,
    best: Option<Nearest>,
) -> Option<Nearest> {
    items.iter().fold(best, |best, &item| {
        let found = nearest_part(sites, item, point);
        match best {
            Some(best) if (best.distance, best.site) <= (found.distance, found.site) => Some(best),
            _ => Some(found),
        }
    })
}

/// The squared distance between two line segments, m².
fn gap_squared([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    let (way, wall) = (b - a, d - c);
    let sides = |from: DVec2, along: DVec2, p: DVec2, q: DVec2| {
        [along.perp_dot(p - from), along.perp_dot(q - from)]
    };
    let ([c_side, d_side], [a_side, b_side]) = (sides(a, way, c, d), sides(c, wall, a, b));
    if c_side * d_side < 0.0 && a_side * b_side < 0.0 {
        return 0.0;
    }
    let from_end = |point: DVec2, [a, b]: [DVec2; 2]| {
        nearest_on_segment_f64(a, b, point).distance_squared(point)
    };
    let from_way = from_end(c, [a, b]).min(from_end(d, [a, b]));
    from_way.min(from_end(a, [c, d])).min(from_end(b, [c, d]))
}

fn nearest_part(sites: &Sites, item: u32, point: DVec2) -> Nearest {
    let found = |site, at: DVec2| Nearest { site, point: at, distance: at.distance(point) };
    let Some(&[a, b]) = sites.walls.get(item as usize) else {
        return found(SiteId(item), sites.corners[item as usize - sites.walls.len()]);
    };
    let share = share_along(a, b, point);
    let [start, end] = sites.ends[item as usize];
    if share <= 0.0 {
        found(sites.corner_id(start), a)
    } else if share >= 1.0 {
        found(sites.corner_id(end), b)
    } else {
        found(SiteId(item), a.lerp(b, share))
    }
}
