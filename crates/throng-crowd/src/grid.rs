//! Who stands where: people counting-sorted into the cells of a uniform grid, anew each step.
//!
//! Cells are numbered row by row, so a rectangle of cells is one contiguous span of people per row:
//! a search reads a few spans of `x` and `y` from beginning to end and nothing else. Cells are
//! flat (wide in y, narrow in x), which makes the spans fit a disc closely at little cost in
//! number of spans. Each floor has its own block of cells. Someone on stairs or a ramp is entered
//! on both floors while their heights overlap, the second time as an *echo* that others see but
//! nobody steers.
//!
//! The grid covers the people, not the world: an empty kilometre costs nothing.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use glam::Vec2;
use throng_simd::{Floats, LANES, Simd, truncate};
use throng_world::scene::LayerId;

use crate::PersonId;
use crate::population::Population;
use crate::standing::Standing;
use crate::status::Status;
use crate::workers::Workers;

/// What others see of a person, in the order of the grid. 32 bytes, loaded as eight lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct GridEntry {
    /// x, y, vx, vy, radius, responsibility, and the bits of id and row.
    lanes: [f32; 8],
}

/// Set in an entry's row when it is an echo on the other floor of a connector.
const ECHO: u32 = 1 << 31;

/// Marks the row of someone who stands because they want to. Nobody has ten million people, let alone so
/// many that this is one of theirs.
const STANDS: u32 = 1 << 30;

/// Marks the row of someone who has fallen.
const LIES: u32 = 1 << 29;

/// Those who are sorted into a grid, and what they are doing.
#[derive(Clone, Copy)]
pub(crate) struct Sorted<'a> {
    pub people: &'a Population,
    pub statuses: &'a [Status],
    /// Number of floors.
    pub floors: usize,
}

impl Sorted<'_> {
    /// Whether somebody stands because they want to, and does not just pause between two goals.
    #[inline(always)]
    fn stands(&self, row: usize) -> bool {
        self.statuses[row].is_standing()
            && self.people.velocities[row].length_squared() < STANDING_SPEED * STANDING_SPEED
    }
}

/// Slower than this, m/s, somebody stands.
const STANDING_SPEED: f32 = 0.5;

/// Those who stand make room for those who walk: they take so many times their share of getting out
/// of each other's way.
const MAKES_ROOM: f32 = 3.0;

impl GridEntry {
    fn new(of: Sorted, row: usize, flag: u32) -> Self {
        let Sorted { people, statuses, .. } = of;
        let (p, v) = (people.positions[row], people.velocities[row]);
        let flag = if of.stands(row) { flag | STANDS } else { flag };
        let flag = if statuses[row] == Status::Fallen { flag | LIES } else { flag };
        let readiness = if statuses[row].is_standing() { MAKES_ROOM } else { 1.0 };
        let (id, row_bits) = (f32::from_bits(people.ids[row]), f32::from_bits(row as u32 | flag));
        let responsibility = people.profile(row).common.responsibility * readiness;
        Self { lanes: [p.x, p.y, v.x, v.y, people.radii[row], responsibility, id, row_bits] }
    }

    #[inline(always)]
    pub(crate) fn lanes(&self) -> &[f32; 8] {
        &self.lanes
    }

    /// Position, m.
    #[inline(always)]
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.lanes[0], self.lanes[1])
    }

    /// Velocity, m/s.
    #[inline(always)]
    pub fn velocity(&self) -> Vec2 {
        Vec2::new(self.lanes[2], self.lanes[3])
    }

    /// Radius, m.
    #[inline(always)]
    pub fn radius(&self) -> f32 {
        self.lanes[4]
    }

    /// How readily they give way; more for those who stand.
    #[inline(always)]
    pub fn responsibility(&self) -> f32 {
        self.lanes[5]
    }

    /// The number of the person, by which ties are broken.
    #[inline(always)]
    pub fn id(&self) -> u32 {
        self.lanes[6].to_bits()
    }

    /// Row in the population.
    #[inline(always)]
    pub fn row(&self) -> usize {
        (self.lanes[7].to_bits() & !(ECHO | STANDS | LIES)) as usize
    }

    /// Whether they stand because they want to: they have arrived, or wait.
    pub fn stands(&self) -> bool {
        self.lanes[7].to_bits() & STANDS != 0
    }

    /// Whether they have fallen: others can step over them.
    #[inline(always)]
    pub fn lies(&self) -> bool {
        self.lanes[7].to_bits() & LIES != 0
    }

    /// Whether this is the second entry of someone between two floors.
    #[inline(always)]
    pub fn is_echo(&self) -> bool {
        self.lanes[7].to_bits() & ECHO != 0
    }
}

/// The cells of one floor.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    origin: Vec2,
    columns: i32,
    rows: i32,
    first_cell: u32,
}

/// Some rows of cells, all equally long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRectangle {
    first: i32,
    width: i32,
    /// How many rows there are.
    pub rows: i32,
    stride: i32,
}

/// Sixteen discs, each around a person of the grid.
pub(crate) struct Discs<S: Simd> {
    pub x: S::F,
    pub y: S::F,
    pub radius: S::F,
}

/// Rows of cells that a search usually touches at most: cells are about as high as the radius.
pub(crate) const USUAL_ROWS: usize = 3;

/// Where people around sixteen others are in the grid, row by row of cells.
#[derive(Default)]
pub(crate) struct Spans {
    pub begins: [[u32; LANES]; USUAL_ROWS],
    pub counts: [[u32; LANES]; USUAL_ROWS],
    /// Whether there are no more rows.
    pub are_all: [bool; LANES],
}

/// People in cell order.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    blocks: Vec<Block>,
    inverse_cell: Vec2,
    /// Begin of each cell in `entries`, and one past the end.
    cell_begins: Vec<u32>,
    pub entries: Vec<GridEntry>,
    /// Coordinates of the entries, followed by [`PADDING`] numbers that are near nobody.
    pub x: Vec<f32>,
    pub y: Vec<f32>,
    /// Where each row of the population is in `entries` (not its echo).
    pub entry_of_row: Vec<u32>,
    /// Cell of each row, then of each echo.
    cells: Vec<u32>,
    /// How many people of each share of them but the last are in each cell.
    tallies: Vec<Vec<u32>>,
    /// The row of each entry, with [`ECHO`] where it is one.
    order: Vec<AtomicU32>,
    /// Rows that are seen on a second floor, and which.
    echoes: Vec<(u32, LayerId)>,
    /// Where people stand because they want to.
    pub standing: Standing,
    /// Ids from here on are of people who have come since.
    pub first_unsorted: u32,
}

/// Whole vectors may be read from any entry on.
pub(crate) const PADDING: usize = LANES;

/// Cells per person at most: an outlier far away makes cells larger, not more numerous.
const CELLS_PER_PERSON: f32 = 1.2;

/// More threads than this do not share the counting: tallies take room.
const MOST_SHARES: usize = 4;

/// How many people of each share are in each cell becomes where the first of them goes: after those of all cells before,
/// and those of all shares before in the same cell. All tallies are one ahead of the cell.
fn tallies_to_places(tallies: &mut [Vec<u32>], workers: Workers) {
    let cell_count = tallies.first().map_or(0, |tally| tally.len() - 1);
    let length = cell_count.div_ceil(tallies.len()).max(1);
    // Each thread sums up a block of cells, which begins where all blocks before end.
    let block_count = cell_count.div_ceil(length);
    let mut sums = vec![0; block_count];
    if block_count > 1 {
        let sum_up = |(block, sum): (usize, &mut u32)| {
            let cells = 1 + block * length..1 + ((block + 1) * length).min(cell_count);
            *sum = tallies.iter().flat_map(|tally| &tally[cells.clone()]).sum();
        };
        workers.share_out(sums.iter_mut().enumerate(), sum_up);
    }
    let mut people_before = 0;
    let mut blocks: Vec<(u32, Vec<&mut [u32]>)> = Vec::with_capacity(block_count);
    for sum in sums {
        blocks.push((people_before, Vec::with_capacity(tallies.len())));
        people_before += sum;
    }
    for tally in tallies {
        for ((_, parts), part) in blocks.iter_mut().zip(tally[1..].chunks_mut(length)) {
            parts.push(part);
        }
    }
    workers.share_out(blocks.into_iter(), |(mut people_before, mut parts)| {
        let mut take = |place: &mut u32| {
            let count = std::mem::replace(place, people_before);
            people_before += count;
        };
        match &mut parts[..] {
            [part] => part.iter_mut().for_each(take),
            parts => (0..parts[0].len())
                .for_each(|cell| parts.iter_mut().for_each(|part| take(&mut part[cell]))),
        }
    });
}

impl Grid {
    /// Sorts everyone into cells of about `spacing` metres. `echo` tells on which other floor a row
    /// is to be seen as well.
    pub fn rebuild(
        &mut self,
        all: Sorted,
        spacing: f32,
        workers: Workers,
        echo: impl Fn(usize) -> Option<LayerId>,
    ) {
        let people = all.people;
        self.first_unsorted = people.ever();
        self.echoes.clear();
        if all.floors > 1 {
            let between_floors = (0..people.len()).filter(|&row| people.connectors[row] != 0);
            self.echoes.extend(between_floors.filter_map(|row| Some((row as u32, echo(row)?))));
        }
        self.lay_out(all, spacing, workers);
        let cell_count = self.blocks.last().map_or(0, |b| b.first_cell + b.cells()) as usize;
        self.find_cells(people, workers);
        self.find_places(people.len(), cell_count, workers);
        let somebody_stands = self.fill(all, workers);
        self.find_standing(all, somebody_stands);
    }

    /// Notes where people stand, if anybody does.
    fn find_standing(&mut self, all: Sorted, somebody_stands: bool) {
        let people = all.people;
        let rows = if somebody_stands { 0..people.len() } else { 0..0 };
        let standing = rows.filter(|&row| all.stands(row));
        let standing = standing.map(|row| (people.layers[row], people.positions[row]));
        // On stairs they are seen from both floors.
        let echoes = self.echoes.iter().filter(|&&(row, _)| all.stands(row as usize));
        let echoes = echoes.map(|&(row, layer)| (layer, people.positions[row as usize]));
        self.standing.rebuild(all.floors, &standing.chain(echoes));
    }

    /// The cell of each row, then of each echo.
    fn find_cells(&mut self, people: &Population, workers: Workers) {
        let mut cells = std::mem::take(&mut self.cells);
        cells.resize(people.len(), 0);
        let columns = (&mut cells[..], &people.layers[..], &people.positions[..]);
        workers.for_each_chunk(people.len(), columns, |_, (cells, layers, positions)| {
            for ((cell, &layer), &position) in cells.iter_mut().zip(layers).zip(positions) {
                *cell = self.cell(layer, position);
            }
        });
        let echoes = self.echoes.iter();
        cells.extend(echoes.map(|&(row, layer)| self.cell(layer, people.positions[row as usize])));
        self.cells = cells;
    }

    /// Where each row and echo is to be among the entries: those of a cell in the order of rows, echoes
    /// last.
    ///
    /// A counting sort. Each thread tallies a share of the people, and tallies become the places where
    /// the people of that share go, so that the result does not depend on how they are shared.
    fn find_places(&mut self, row_count: usize, cell_count: usize, workers: Workers) {
        let Self { cells, tallies, cell_begins, order, entry_of_row, echoes, .. } = self;
        let shares = workers.count().min(MOST_SHARES);
        let length = cells.len().div_ceil(shares).max(1);
        // All are one ahead of the cell: where the last share has filled cell c up, the next begins.
        tallies.resize_with(shares - 1, Vec::new);
        tallies.push(std::mem::take(cell_begins));
        let tally = |(tally, cells): (&mut Vec<u32>, &[u32])| {
            tally.clear();
            tally.resize(cell_count + 1, 0);
            cells.iter().for_each(|&cell| tally[cell as usize + 1] += 1);
        };
        // A share may be empty; its tally is not.
        let parts = || cells.chunks(length).chain(std::iter::repeat(&[] as &[u32]));
        workers.share_out(tallies.iter_mut().zip(parts()), tally);
        tallies_to_places(tallies, workers);

        order.resize_with(cells.len(), AtomicU32::default);
        entry_of_row.resize(cells.len(), 0);
        let order = &*order;
        type Share<'a> = (usize, ((&'a mut Vec<u32>, &'a [u32]), &'a mut [u32]));
        let place = |(share, ((tally, cells), entries)): Share| {
            for ((item, &cell), entry) in (share * length..).zip(cells).zip(entries) {
                let next = &mut tally[cell as usize + 1];
                let row = match item.checked_sub(row_count) {
                    None => item as u32,
                    Some(echo) => echoes[echo].0 | ECHO,
                };
                order[*next as usize].store(row, Ordering::Relaxed);
                *entry = *next;
                *next += 1;
            }
        };
        let work =
            tallies.iter_mut().zip(cells.chunks(length)).zip(entry_of_row.chunks_mut(length));
        workers.share_out(work.enumerate(), place);
        entry_of_row.truncate(row_count);
        *cell_begins = tallies.pop().unwrap_or_default();
    }

    /// Copies what others see of people into the entries, and says whether anybody stands.
    fn fill(&mut self, all: Sorted, workers: Workers) -> bool {
        let count = self.order.len();
        self.entries.resize(count, GridEntry::default());
        self.x.resize(count + PADDING, f32::INFINITY);
        self.y.resize(count + PADDING, f32::INFINITY);
        self.x[count..].fill(f32::INFINITY);
        self.y[count..].fill(f32::INFINITY);
        let somebody_stands = AtomicBool::new(false);
        let (x, y) = (&mut self.x[..count], &mut self.y[..count]);
        let columns = (&mut self.entries[..], x, y, &self.order[..]);
        workers.for_each_chunk(count, columns, |_, (entries, x, y, order)| {
            for (((entry, x), y), row) in entries.iter_mut().zip(x).zip(y).zip(order) {
                let row = row.load(Ordering::Relaxed);
                *entry = GridEntry::new(all, (row & !ECHO) as usize, row & ECHO);
                (*x, *y) = entry.position().into();
                if entry.stands() {
                    somebody_stands.store(true, Ordering::Relaxed);
                }
            }
        });
        somebody_stands.into_inner()
    }

    /// Chooses the cells: one block per floor, around its people.
    fn lay_out(&mut self, all: Sorted, spacing: f32, workers: Workers) {
        let Sorted { people, floors: layer_count, .. } = all;
        let mut extents = vec![(Vec2::INFINITY, Vec2::NEG_INFINITY); layer_count];
        if layer_count == 1 {
            let both = |a: (Vec2, Vec2), b: (Vec2, Vec2)| (a.0.min(b.0), a.1.max(b.1));
            let all = workers.sum_up(&people.positions, extent).into_iter();
            extents[0] = all.fold(extents[0], both);
        } else {
            let echoes =
                self.echoes.iter().map(|&(row, layer)| (layer, people.positions[row as usize]));
            let floors = people.layers.iter().copied().zip(people.positions.iter().copied());
            for (layer, position) in floors.chain(echoes) {
                let (low, high) = &mut extents[layer.0 as usize];
                *low = low.min(position);
                *high = high.max(position);
            }
        }
        let mut cell = Vec2::new(0.2, 1.0) * (1.2 * spacing);
        let area: f32 = extents
            .iter()
            .filter(|(low, high)| low.x <= high.x)
            .map(|&(low, high)| (high - low + cell).element_product())
            .sum();
        let allowed = CELLS_PER_PERSON * people.len() as f32 + 1024.0;
        cell *= (area / (cell.element_product() * allowed)).sqrt().max(1.0);
        self.inverse_cell = cell.recip();
        self.blocks.clear();
        let mut first_cell = 0;
        for (low, high) in extents {
            let (columns, rows) = if low.x <= high.x {
                let size = (high - low) * self.inverse_cell;
                (size.x as i32 + 1, size.y as i32 + 1)
            } else {
                (0, 0)
            };
            let block = Block { origin: low, columns, rows, first_cell };
            first_cell += block.cells();
            self.blocks.push(block);
        }
    }

    #[inline(always)]
    fn cell(&self, layer: LayerId, point: Vec2) -> u32 {
        let block = &self.blocks[layer.0 as usize];
        let at = (point - block.origin) * self.inverse_cell;
        let column = truncate(at.x).clamp(0, (block.columns - 1).max(0));
        let row = truncate(at.y).clamp(0, (block.rows - 1).max(0));
        block.first_cell + (row * block.columns + column) as u32
    }

    /// The spans of entries that hold everyone on `layer` within `radius` of `point`, one per row
    /// of cells, and others too.
    #[inline(always)]
    pub fn spans(
        &self,
        layer: LayerId,
        point: Vec2,
        radius: f32,
    ) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cells = self.cells_around(layer, point, radius);
        (0..cells.rows).map(move |row| self.span(&cells, row))
    }

    /// Everyone on `layer` within `radius` of `point`, where they were when the grid was built, in no
    /// particular order; nobody, if it never was.
    pub fn around(
        &self,
        layer: LayerId,
        point: Vec2,
        radius: f32,
    ) -> impl Iterator<Item = &GridEntry> {
        let spans = self.is_laid_out().then(|| self.spans(layer, point, radius));
        let entries =
            spans.into_iter().flatten().flat_map(|(begin, end)| &self.entries[begin..end]);
        // The spans depend on the cells, and the cells on everyone: what is beyond must not count.
        entries.filter(move |other| other.position().distance_squared(point) <= radius * radius)
    }

    /// Rows of the people who were within `reach` of a point when the grid was built, and of some others.
    pub fn rows_around<'a>(
        &'a self,
        people: &'a Population,
        layer: LayerId,
        point: Vec2,
        reach: f32,
    ) -> impl Iterator<Item = usize> + 'a {
        let entries = self.around(layer, point, reach);
        entries.filter_map(|entry| people.row(PersonId(entry.id())))
    }

    /// The rectangle of cells that a disc touches.
    #[inline(always)]
    pub fn cells_around(&self, layer: LayerId, point: Vec2, radius: f32) -> CellRectangle {
        let block = &self.blocks[layer.0 as usize];
        let at = (point - block.origin) * self.inverse_cell;
        let reach = self.inverse_cell * radius;
        let first_column = truncate(at.x - reach.x).max(0);
        let last_column = truncate(at.x + reach.x).min(block.columns - 1);
        let first_row = truncate(at.y - reach.y).max(0);
        let last_row = truncate(at.y + reach.y).min(block.rows - 1);
        let is_empty = first_column > last_column || first_row > last_row;
        CellRectangle {
            first: block.first_cell as i32 + first_row * block.columns + first_column,
            width: last_column - first_column + 1,
            rows: if is_empty { 0 } else { last_row - first_row + 1 },
            stride: block.columns,
        }
    }

    /// For sixteen discs around people, the entries in the first [`USUAL_ROWS`] rows of cells that
    /// each touches; see [`Self::cells_around`].
    #[inline(always)]
    pub fn first_spans<S: Simd>(
        &self,
        simd: S,
        layers: [LayerId; LANES],
        discs: &Discs<S>,
    ) -> Spans {
        let zero = simd.splat(0.0);
        let origin_x = simd.load(&self.of_blocks(&layers, |block| block.origin.x));
        let origin_y = simd.load(&self.of_blocks(&layers, |block| block.origin.y));
        let inverse_x = simd.splat(self.inverse_cell.x);
        let inverse_y = simd.splat(self.inverse_cell.y);
        let (x, reach_x) = ((discs.x - origin_x) * inverse_x, discs.radius * inverse_x);
        let (y, reach_y) = ((discs.y - origin_y) * inverse_y, discs.radius * inverse_y);
        let stride = self.of_blocks(&layers, |block| block.columns as u32);
        let rows = self.of_blocks(&layers, |block| block.rows as u32);
        let first_column = (x - reach_x).max(zero).to_whole();
        let first_row = (y - reach_y).max(zero).to_whole();
        let mut last_column = (x + reach_x).to_whole();
        let mut last_row = (y + reach_y).to_whole();
        let mut cell = self.of_blocks(&layers, |block| block.first_cell);
        for lane in 0..LANES {
            last_column[lane] = last_column[lane].min(stride[lane] - 1);
            last_row[lane] = last_row[lane].min(rows[lane] - 1);
            cell[lane] += first_row[lane] * stride[lane] + first_column[lane];
        }
        let mut spans = Spans::default();
        for row in 0..USUAL_ROWS as u32 {
            let begins = simd.gather(&self.cell_begins, &cell);
            let ends =
                std::array::from_fn(|lane| cell[lane] + last_column[lane] - first_column[lane] + 1);
            let ends = simd.gather(&self.cell_begins, &ends);
            spans.begins[row as usize] = begins;
            for lane in 0..LANES {
                let exists = first_row[lane] + row <= last_row[lane];
                let is_last = first_row[lane] + row >= last_row[lane];
                spans.counts[row as usize][lane] =
                    if exists { ends[lane] - begins[lane] } else { 0 };
                cell[lane] += if is_last { 0 } else { stride[lane] };
            }
        }
        for lane in 0..LANES {
            spans.are_all[lane] = last_row[lane] - first_row[lane] < USUAL_ROWS as u32;
        }
        spans
    }

    /// A number of the blocks of sixteen people.
    #[inline(always)]
    fn of_blocks<T: Copy>(
        &self,
        layers: &[LayerId; LANES],
        number: impl Fn(&Block) -> T,
    ) -> [T; LANES] {
        match &self.blocks[..] {
            [only] => [number(only); LANES],
            blocks => layers.map(|layer| number(&blocks[layer.0 as usize])),
        }
    }

    /// The entries in one row of a rectangle of cells: begin and end.
    #[inline(always)]
    pub fn span(&self, cells: &CellRectangle, row: i32) -> (usize, usize) {
        let first = cells.first + row * cells.stride;
        let begin = self.cell_begins[first as usize];
        let end = self.cell_begins[(first + cells.width) as usize];
        (begin as usize, end as usize)
    }

    /// Whether people were ever sorted in.
    pub fn is_laid_out(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Bytes of memory in use, capacity included.
    pub fn memory(&self) -> usize {
        let words = self.cell_begins.capacity()
            + self.x.capacity()
            + self.y.capacity()
            + self.entry_of_row.capacity()
            + self.cells.capacity()
            + self.order.capacity()
            + self.tallies.iter().map(Vec::capacity).sum::<usize>();
        self.entries.capacity() * size_of::<GridEntry>() + words * 4
    }
}

/// The corners of the rectangle around some points; four at a time, which the compiler turns into
/// vector instructions.
fn extent(points: &[Vec2]) -> (Vec2, Vec2) {
    let (fours, rest) = points.as_chunks::<4>();
    let (mut low, mut high) = ([Vec2::INFINITY; 4], [Vec2::NEG_INFINITY; 4]);
    for four in fours {
        for i in 0..4 {
            low[i] = low[i].min(four[i]);
            high[i] = high[i].max(four[i]);
        }
    }
    let all = |corners: [Vec2; 4]| corners.into_iter().chain(rest.iter().copied());
    let lowest = all(low).fold(Vec2::INFINITY, Vec2::min);
    (lowest, all(high).fold(Vec2::NEG_INFINITY, Vec2::max))
}

impl Block {
    fn cells(&self) -> u32 {
        (self.columns * self.rows) as u32
    }
}
