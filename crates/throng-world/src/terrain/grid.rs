//! A uniform grid over boxes in the plane, for "what lies here?" and "what lies nearest?".
//!
//! Each cell lists the items whose bounding box touches it, all lists in one array (compressed
//! rows). The cell of a coordinate is a monotone function of it, so a point within an item's box
//! always finds the item in its cell, whatever the rounding: no item is missed on a cell border.
//!
//! For the nearest item, rings of cells around a point would do near the border, but a point far
//! from everything would visit every empty cell on the way. Instead the grid carries a pyramid of
//! ever coarser levels that say where anything is at all, and the search descends it nearest cell
//! first, leaving out what is farther than the best item so far.

use glam::{DVec2, UVec2, Vec2};

use throng_base::Bounds;

/// Items, known by their number, filed by the cells their boxes touch.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    bounds: Bounds,
    size: UVec2,
    cell: DVec2,
    cells_per_metre: Vec2,
    /// Where each cell's list begins in `items`; one more than there are cells.
    starts: Vec<u32>,
    items: Vec<u32>,
    /// Level `i` halves level `i - 1`, the first one halves the grid, and the last is one cell.
    coarser: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    size: UVec2,
    occupied: Vec<bool>,
}

/// A cell of some level; level 0 is the grid itself.
#[derive(Clone, Copy)]
struct Node {
    level: usize,
    cell: UVec2,
}

/// Cells per item aimed at: for the triangles of a terrain, cells the size of its squares. Fewer
/// make the lists longer, more make them miss the cache; both were measured to be slower.
const CELLS_PER_ITEM: f32 = 0.5;

/// Most list entries per item. Items that each cover much of the plane would otherwise fill every
/// cell of the grid; beyond this the cells are made larger.
const ENTRIES_PER_ITEM: u64 = 12;

impl Grid {
    /// Files `count` items. `bounds` holds all their boxes.
    pub fn new(bounds: Bounds, count: usize, item_box: impl Fn(usize) -> Bounds) -> Self {
        let mut grid = Self::sized(bounds, first_size(bounds, count));
        while grid.size != UVec2::ONE
            && (0..count).map(|item| grid.touched(item_box(item))).sum::<u64>()
                > ENTRIES_PER_ITEM * count as u64
        {
            grid = Self::sized(bounds, halved(grid.size));
        }
        grid.file(count, item_box);
        grid.raise_pyramid();
        grid
    }

    /// The items whose boxes touch the cell at `point`.
    #[inline]
    pub fn at(&self, point: Vec2) -> &[u32] {
        self.items_of(self.cell_of(point))
    }

    /// Shows `visit` the lists of cells that can hold the item nearest to `point`. `visit` returns
    /// the squared distance of the nearest item it has seen so far.
    pub fn search_nearest(&self, point: Vec2, mut visit: impl FnMut(&[u32]) -> f64) {
        let top = Node { level: self.coarser.len(), cell: UVec2::ZERO };
        let mut best = f64::INFINITY;
        self.descend(top, point.as_dvec2(), &mut best, &mut visit);
    }

    fn sized(bounds: Bounds, size: UVec2) -> Self {
        let cell = bounds.size().as_dvec2() / size.as_dvec2();
        let cells_per_metre = size.as_vec2() / bounds.size();
        Self { bounds, size, cell, cells_per_metre, starts: vec![], items: vec![], coarser: vec![] }
    }

    #[inline]
    fn cell_of(&self, point: Vec2) -> UVec2 {
        // Casts saturate: anything to the left of the grid, and NaN, becomes 0.
        ((point - self.bounds.min) * self.cells_per_metre).as_uvec2().min(self.size - 1)
    }

    /// How many cells a box touches.
    fn touched(&self, item: Bounds) -> u64 {
        let span = self.cell_of(item.max) - self.cell_of(item.min) + 1;
        u64::from(span.x) * u64::from(span.y)
    }

    fn cells_touched(&self, item: Bounds) -> impl Iterator<Item = usize> + use<> {
        let (first, last) = (self.cell_of(item.min), self.cell_of(item.max));
        let columns = self.size.x as usize;
        (first.y..=last.y)
            .flat_map(move |y| (first.x..=last.x).map(move |x| y as usize * columns + x as usize))
    }

    #[inline]
    fn items_of(&self, cell: UVec2) -> &[u32] {
        let index = cell.y as usize * self.size.x as usize + cell.x as usize;
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// Counts each cell's items, turns the counts into starts, then fills the lists in item order.
    fn file(&mut self, count: usize, item_box: impl Fn(usize) -> Bounds) {
        let cells = self.size.x as usize * self.size.y as usize;
        let mut starts = vec![0u32; cells + 1];
        for item in 0..count {
            for cell in self.cells_touched(item_box(item)) {
                starts[cell + 1] += 1;
            }
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        self.items = vec![0; starts[cells] as usize];
        for item in 0..count {
            for cell in self.cells_touched(item_box(item)) {
                self.items[next[cell] as usize] = item as u32;
                next[cell] += 1;
            }
        }
        self.starts = starts;
    }

    fn raise_pyramid(&mut self) {
        let mut finer = self.size;
        while finer != UVec2::ONE {
            let size = halved(finer);
            let mut occupied = vec![false; size.x as usize * size.y as usize];
            for y in 0..finer.y {
                for x in 0..finer.x {
                    let node = Node { level: self.coarser.len(), cell: UVec2::new(x, y) };
                    if self.is_occupied(node) {
                        occupied[(y / 2) as usize * size.x as usize + (x / 2) as usize] = true;
                    }
                }
            }
            self.coarser.push(Level { size, occupied });
            finer = size;
        }
    }

    fn size_of(&self, level: usize) -> UVec2 {
        if level == 0 { self.size } else { self.coarser[level - 1].size }
    }

    fn is_occupied(&self, node: Node) -> bool {
        if node.level == 0 {
            return !self.items_of(node.cell).is_empty();
        }
        let level = &self.coarser[node.level - 1];
        level.occupied[node.cell.y as usize * level.size.x as usize + node.cell.x as usize]
    }

    fn descend(
        &self,
        node: Node,
        point: DVec2,
        best: &mut f64,
        visit: &mut impl FnMut(&[u32]) -> f64,
    ) {
        if node.level == 0 {
            *best = visit(self.items_of(node.cell));
            return;
        }
        let mut children = self.children(node, point);
        children.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (distance, child) in children {
            // Equal distances are looked at too: the caller may prefer one item over the other.
            if distance.is_finite() && distance <= *best {
                self.descend(child, point, best, visit);
            }
        }
    }

    /// The four cells of the next finer level within `node`, each with its squared distance to
    /// `point`; infinite for those that are empty or off the grid.
    fn children(&self, node: Node, point: DVec2) -> [(f64, Node); 4] {
        let size = self.size_of(node.level - 1);
        [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].map(|corner| {
            let child = Node { level: node.level - 1, cell: node.cell * 2 + corner };
            let exists = child.cell.cmplt(size).all() && self.is_occupied(child);
            (if exists { self.distance_squared(child, point) } else { f64::INFINITY }, child)
        })
    }

    fn distance_squared(&self, node: Node, point: DVec2) -> f64 {
        let side = self.cell * (1u64 << node.level) as f64;
        let low = self.bounds.min.as_dvec2() + node.cell.as_dvec2() * side;
        (low - point).max(point - low - side).max(DVec2::ZERO).length_squared()
    }
}

/// About square cells, [`CELLS_PER_ITEM`] of them per item. With the number of items limited, so is
/// the number of cells, even for a strip where one side has a single row.
fn first_size(bounds: Bounds, count: usize) -> UVec2 {
    let cells = (count as f32 * CELLS_PER_ITEM).max(1.0);
    let size = bounds.size();
    let columns = (cells * size.x / size.y).sqrt().clamp(1.0, cells);
    let rows = (cells / columns).clamp(1.0, cells);
    Vec2::new(columns, rows).as_uvec2()
}

fn halved(size: UVec2) -> UVec2 {
    (size + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(corner: Vec2, side: f32) -> Bounds {
        Bounds { min: corner, max: corner + side }
    }

    #[test]
    fn a_box_is_found_at_every_point_of_its_border() {
        let boxes: Vec<Bounds> =
            (0..50).map(|i| square(Vec2::new(i as f32 * 0.3, (i % 7) as f32 * 0.7), 0.9)).collect();
        let bounds = Bounds::around(boxes.iter().flat_map(|b| [b.min, b.max])).unwrap();
        let grid = Grid::new(bounds, boxes.len(), |i| boxes[i]);
        for (i, item) in boxes.iter().enumerate() {
            for corner in item.corners() {
                assert!(grid.at(corner).contains(&(i as u32)), "{i} at {corner}");
            }
        }
    }

    #[test]
    fn boxes_that_all_cover_everything_do_not_fill_the_memory() {
        let everything = square(Vec2::ZERO, 100.0);
        let grid = Grid::new(everything, 10_000, |_| everything);
        assert!(grid.items.len() <= 10_000 * ENTRIES_PER_ITEM as usize);
    }

    #[test]
    fn the_nearest_item_is_found_across_empty_cells_without_visiting_them() {
        // Small boxes along the left and lower sides only; the point lies far off to the upper right.
        let boxes: Vec<Bounds> = (0..2000)
            .map(|i| i as f32 * 0.1)
            .flat_map(|at| [Vec2::new(at, 0.0), Vec2::new(0.0, at)])
            .map(|corner| square(corner, 0.1))
            .collect();
        let bounds = Bounds::around(boxes.iter().flat_map(|b| [b.min, b.max])).unwrap();
        let grid = Grid::new(bounds, boxes.len(), |i| boxes[i]);
        let point = Vec2::new(170.0, 150.0);
        let distance = |i: u32| {
            let item = boxes[i as usize];
            point.clamp(item.min, item.max).distance_squared(point) as f64
        };
        let (mut best, mut lists) = (f64::INFINITY, 0);
        grid.search_nearest(point, |items| {
            lists += 1;
            best = items.iter().map(|i| distance(*i)).fold(best, f64::min);
            best
        });
        let expected = (0..boxes.len() as u32).map(distance).fold(f64::INFINITY, f64::min);
        assert_eq!(best, expected);
        assert!(lists < 20, "looked at {lists} cells");
    }
}
