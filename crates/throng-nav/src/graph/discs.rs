//! Finds the discs around a point.

use glam::DVec2;

/// More cells than this are never made; they become larger instead.
const MOST_CELLS: f64 = 250_000.0;

/// A uniform grid in which each cell lists the discs that may reach into it.
#[derive(Clone, Debug, Default)]
pub(super) struct DiscGrid {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<u32>>,
}

impl DiscGrid {
    /// An empty grid over the box from `min` to `max`, for discs up to about `largest` in radius.
    /// Without a box nothing is ever found.
    pub fn new(extent: Option<[DVec2; 2]>, largest: f64) -> Self {
        let Some([min, max]) = extent else { return Self::default() };
        let size = (max - min).max(DVec2::splat(1e-3));
        let cell = (0.5 * largest)
            .max((size.x * size.y / MOST_CELLS).sqrt())
            .max(size.max_element() / MOST_CELLS);
        let columns = (size.x / cell) as usize + 1;
        let rows = (size.y / cell) as usize + 1;
        Self { origin: min, cell, columns, rows, cells: vec![Vec::new(); columns * rows] }
    }

    /// Enters a disc.
    pub fn insert(&mut self, id: u32, centre: DVec2, radius: f64) {
        self.cells_around(centre, radius).for_each(|cell| self.cells[cell].push(id));
    }

    /// All discs that hold `point`, and some that do not, in the order in which they were entered.
    pub fn at(&self, point: DVec2) -> &[u32] {
        let at = (point - self.origin) / self.cell;
        // A disc never reaches out of the grid by more than rounding.
        let size = DVec2::new(self.columns as f64, self.rows as f64);
        if !(at.cmpge(DVec2::splat(-1e-6)).all() && at.cmple(size).all()) || self.cells.is_empty() {
            return &[];
        }
        &self.cells[self.cell_of(point)]
    }

    /// Discs near that of `centre` and `radius`: all that overlap it, in ascending order.
    pub fn near(&self, centre: DVec2, radius: f64) -> Vec<u32> {
        let mut found: Vec<u32> =
            self.cells_around(centre, radius).flat_map(|cell| &self.cells[cell]).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Numbers of all discs.
    pub fn ids(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.cells.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn cells_around(&self, centre: DVec2, radius: f64) -> impl Iterator<Item = usize> + use<> {
        let (low, high) = (self.column_row(centre - radius), self.column_row(centre + radius));
        let (columns, is_empty) = (self.columns, self.cells.is_empty());
        (low.1..=high.1)
            .flat_map(move |row| (low.0..=high.0).map(move |column| row * columns + column))
            .filter(move |_| !is_empty)
    }

    fn cell_of(&self, point: DVec2) -> usize {
        let (column, row) = self.column_row(point);
        row * self.columns + column
    }

    fn column_row(&self, point: DVec2) -> (usize, usize) {
        let at = ((point - self.origin) / self.cell).max(DVec2::ZERO);
        let last = |count: usize| count.saturating_sub(1);
        ((at.x as usize).min(last(self.columns)), (at.y as usize).min(last(self.rows)))
    }
}
