//! Finds the wall nearest to a point.

use glam::DVec2;

use crate::medial::{SiteId, Sites};
use crate::piece::share_along;

/// A uniform grid over walls and posts.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallIndex {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    begins: Vec<u32>,
    items: Vec<u32>,
}

/// The nearest part of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub site: SiteId,
    pub point: DVec2,
    pub distance: f64,
}

const MOST_CELLS: f64 = 4e6;

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
        index
    }

    /// What is nearest to `point`; `None` if there are no walls. Of several, the one with the lowest
    /// number.
    pub fn nearest(&self, sites: &Sites, point: DVec2) -> Option<Nearest> {
        if self.items.is_empty() {
            return None;
        }
        let (column, row) = self.cell_of(point);
        let mut best: Option<Nearest> = None;
        for ring in 0..self.columns.max(self.rows) {
            // Everything in this ring is at least so far from a point in the middle cell, and not
            // nearer to one outside of the grid.
            let bound = (ring as f64 - 1.0) * self.cell;
            if best.is_some_and(|best| best.distance < bound) {
                break;
            }
            self.ring(column, row, ring, |cell| {
                let items = self.begins[cell] as usize..self.begins[cell + 1] as usize;
                for &item in &self.items[items] {
                    let found = nearest_part(sites, item, point);
                    let better =
                        |best: Nearest| (found.distance, found.site) < (best.distance, best.site);
                    if best.is_none_or(better) {
                        best = Some(found);
                    }
                }
            });
        }
        best
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

fn nearest_part(sites: &Sites, item: u32, point: DVec2) -> Nearest {
    let found = |site, at: DVec2| Nearest { site, point: at, distance: at.distance(point) };
    let Some(&[a, b]) = sites.walls.get(item as usize) else {
        return found(SiteId(item), sites.corners[item as usize - sites.walls.len()]);
    };
    let share = share_along(point, a, b);
    let [start, end] = sites.ends[item as usize];
    if share <= 0.0 {
        found(sites.corner_id(start), a)
    } else if share >= 1.0 {
        found(sites.corner_id(end), b)
    } else {
        found(SiteId(item), a.lerp(b, share))
    }
}
