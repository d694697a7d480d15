//! Rows of one row group as people.

use glam::Vec2;
use parquet::data_type::{DoubleType, FloatType};
use parquet::file::metadata::RowGroupMetaData;
use throng_world::scene::{GroupId, LayerId};

use super::checksums::CheckedFile;
use super::decode::{Column, CountColumn, NameColumn};
use throng_crowd::Status;

use super::frame::{Frame, People};
use super::info::RecordingInfo;

/// Rows decoded at a time. Little memory besides the frame, whatever the size of a row group.
const CHUNK: usize = 1 << 14;

/// The rows of one frame within a row group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub frame: u32,
    pub first: usize,
    pub rows: usize,
}

/// Where the frames of a row group are. They must ascend; `first_row` is for the error if not.
pub(super) fn runs(
    file: &CheckedFile,
    group: &RowGroupMetaData,
    first_row: u64,
) -> Result<Vec<Run>, String> {
    let mut column = CountColumn::open(file, group, "frame")?;
    let mut runs: Vec<Run> = Vec::new();
    let rows = group.num_rows() as usize;
    for start in (0..rows).step_by(CHUNK) {
        let values = column.read(CHUNK.min(rows - start))?;
        for (row, frame) in (start..).zip(values) {
            match runs.last_mut() {
                Some(run) if run.frame == frame => run.rows += 1,
                Some(run) if run.frame > frame => {
                    let (row, before) = (first_row + row as u64, run.frame);
                    return Err(format!("row {row}: frame {frame} comes after frame {before}"));
                }
                _ => runs.push(Run { frame, first: row, rows: 1 }),
            }
        }
    }
    Ok(runs)
}

/// Decoders for every column of a row group but the frames, all at the same row.
pub(super) struct Rows {
    /// The number, in the file, of the row group's first row.
    first_row: u64,
    next: usize,
    time: Column<DoubleType>,
    id: CountColumn,
    group: NameColumn,
    layer: NameColumn,
    /// x, y, z, heading, vx, vy, radius.
    numbers: [Column<FloatType>; 7],
    status: NameColumn,
    blocked_by: CountColumn,
}

impl Rows {
    pub(super) fn open(
        file: &CheckedFile,
        group: &RowGroupMetaData,
        info: &RecordingInfo,
        first_row: u64,
    ) -> Result<Self, String> {
        let groups = info.groups.iter().map(|group| group.name.as_str());
        let layers = info.layers.iter().map(|layer| layer.name.as_str());
        let statuses = Status::ALL.iter().map(|status| status.as_str());
        let number = |name| Column::open(file, group, name);
        Ok(Self {
            first_row,
            next: 0,
            time: Column::open(file, group, "time")?,
            id: CountColumn::open(file, group, "id")?,
            group: NameColumn::open(file, group, "group", groups)?,
            layer: NameColumn::open(file, group, "layer", layers)?,
            numbers: [
                number("x")?,
                number("y")?,
                number("z")?,
                number("heading")?,
                number("vx")?,
                number("vy")?,
                number("radius")?,
            ],
            status: NameColumn::open(file, group, "status", statuses)?,
            blocked_by: CountColumn::open(file, group, "blocked_by")?,
        })
    }

    /// The row that comes next.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Appends the people of `run`, which must not lie before the row that comes next, to `frame`
    /// and sets its time.
    pub(super) fn read(&mut self, run: Run, frame: &mut Frame) -> Result<(), String> {
        self.skip(run.first - self.next)?;
        let end = run.first + run.rows;
        while self.next < end {
            let rows = CHUNK.min(end - self.next);
            let first_row = self.first_row + self.next as u64;
            self.read_time(rows, self.next == run.first, &mut frame.time, first_row)?;
            self.read_people(rows, &mut frame.people)?;
            self.next += rows;
        }
        Ok(())
    }

    fn skip(&mut self, rows: usize) -> Result<(), String> {
        if rows == 0 {
            return Ok(());
        }
        self.time.skip(rows)?;
        self.id.skip(rows)?;
        self.group.skip(rows)?;
        self.layer.skip(rows)?;
        self.numbers.iter_mut().try_for_each(|column| column.skip(rows))?;
        self.status.skip(rows)?;
        self.blocked_by.skip(rows)?;
        self.next += rows;
        Ok(())
    }

    fn read_time(
        &mut self,
        rows: usize,
        is_first: bool,
        time: &mut f64,
        first_row: u64,
    ) -> Result<(), String> {
        let times = self.time.read(rows)?;
        if is_first {
            *time = times[0];
        }
        match times.iter().position(|other| other != time) {
            Some(i) => {
                let (row, other) = (first_row + i as u64, times[i]);
                Err(format!("row {row}: a frame is at {time} s and at {other} s"))
            }
            None => Ok(()),
        }
    }

    fn read_people(&mut self, rows: usize, people: &mut People) -> Result<(), String> {
        people.ids.extend(self.id.read(rows)?);
        self.group.read(rows, |number| people.groups.push(GroupId(number)))?;
        // Fewer than 256 layers are on the list.
        self.layer.read(rows, |number| people.layers.push(LayerId(number as u8)))?;
        let [x, y, z, heading, vx, vy, radius] = &mut self.numbers;
        extend_vectors(&mut people.positions, x.read(rows)?, y.read(rows)?);
        people.heights.extend_from_slice(z.read(rows)?);
        people.headings.extend_from_slice(heading.read(rows)?);
        extend_vectors(&mut people.velocities, vx.read(rows)?, vy.read(rows)?);
        people.radii.extend_from_slice(radius.read(rows)?);
        self.status.read(rows, |number| people.statuses.push(Status::ALL[number as usize]))?;
        people.blocked_by.extend_from_slice(self.blocked_by.read_optional(rows)?);
        Ok(())
    }
}

fn extend_vectors(vectors: &mut Vec<Vec2>, xs: &[f32], ys: &[f32]) {
    vectors.extend(xs.iter().zip(ys).map(|(&x, &y)| Vec2::new(x, y)));
}
