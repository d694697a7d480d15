//! From frames to the bytes of a file: row groups, each with a footer behind it.
//!
//! Every footer describes all row groups before it. Written after each of them, footers would grow
//! with the square of the length, so two rules keep them small: row groups grow from
//! [`FIRST_GROUP`] to [`LARGEST_GROUP`] rows, and a footer that would bring the sum of all footers
//! above a share of the file is left out, to follow with a later row group. With scenes of a few
//! kilobytes, the second rule begins to bite after several hundred million rows. Both rules look at
//! the recording alone, so equal recordings are equal byte by byte.

use std::iter::repeat_n;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaDataBuilder, ParquetMetaDataWriter,
};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use throng_crowd::Status;

use super::attached::attach;
use super::checksums;
use super::frame::{Frame, People};
use super::info::{Extent, RecordingInfo, fixed_pairs, growing_pairs};
use super::schema;
use super::sink::Sink;
use super::writer::Summary;

/// Rows of the first row group: what a short run can lose is small.
const FIRST_GROUP: usize = 1 << 16;
/// Rows of later row groups: 46 MB in memory and 10 to 20 MB in the file.
const LARGEST_GROUP: usize = 1 << 20;

/// Footers are written whenever their sum is below this plus the share below. It lets a recording
/// of a scene with a megabyte of text have its first footers at once.
const FOOTER_ALLOWANCE: u64 = 4 << 20;
/// Footers may make up this fraction of a file: 1.6 %.
const FOOTER_SHARE: u64 = 64;

pub(super) const CREATED_BY: &str = concat!("throng version ", env!("CARGO_PKG_VERSION"));

/// Whole frames on their way into one row group.
#[derive(Debug, Default)]
pub(super) struct Batch {
    frames: Vec<(u32, f64, usize)>,
    people: People,
}

impl Batch {
    pub(super) fn push(&mut self, frame: &Frame) {
        self.frames.push((frame.index, frame.time, frame.people.len()));
        self.people.extend(&frame.people);
    }

    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.people.clear();
    }

    /// Frames count as a row each, so that a simulation that everyone has left is written too.
    pub(super) fn is_full(&self, target: usize) -> bool {
        self.people.len() + self.frames.len() >= target
    }

    /// A value per row from a value per frame.
    fn per_row<T: Clone>(&self, value: impl Fn(u32, f64) -> T) -> impl Iterator<Item = T> {
        self.frames.iter().flat_map(move |&(index, time, rows)| repeat_n(value(index, time), rows))
    }
}

/// How many rows a row group should have, given the target of the one before.
pub(super) fn next_target(previous: Option<usize>) -> usize {
    previous.map_or(FIRST_GROUP, |rows| (rows + rows / 2).min(LARGEST_GROUP))
}

/// Why encoding stopped, and what can be read nonetheless.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub reason: String,
    pub safe_frames: u32,
}

/// Encodes batches and appends them to a sink.
pub(super) struct Encoder<S> {
    sink: S,
    writer: SerializedFileWriter<Vec<u8>>,
    schema: SchemaDescPtr,
    pairs: Vec<KeyValue>,
    names: Names,
    extent: Extent,
    rows: u64,
    /// Of all column chunks.
    checksums: Vec<u32>,
    /// Sum of the lengths of all footers.
    footers: u64,
    /// What the last footer covers.
    safe: Summary,
}

/// The names that rows refer to, ready to be written.
struct Names {
    groups: Vec<ByteArray>,
    layers: Vec<ByteArray>,
    statuses: [ByteArray; Status::ALL.len()],
}

impl<S: Sink> Encoder<S> {
    /// Begins a file: with a footer, so that it is a valid recording without frames at once.
    pub(super) fn new(sink: S, info: &RecordingInfo) -> std::result::Result<Self, Failure> {
        let refuse = |error: ParquetError| Failure { reason: reason(&error), safe_frames: 0 };
        let mut encoder = Self::unwritten(sink, info).map_err(refuse)?;
        match encoder.commit(true) {
            Ok(()) => Ok(encoder),
            Err(error) => {
                encoder.sink.discard();
                Err(refuse(error))
            }
        }
    }

    fn unwritten(sink: S, info: &RecordingInfo) -> Result<Self> {
        let schema = schema::schema()?;
        let properties = Arc::new(schema::properties()?);
        let name = |name: &String| ByteArray::from(name.as_str());
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::clone(&schema), properties)?;
        let terrain = attach(&info.terrain, writer.bytes_written() as u64);
        for (_, bytes) in info.terrain.iter() {
            writer.write_all(bytes)?;
        }
        let pairs = fixed_pairs(info, &terrain);
        Ok(Self {
            sink,
            writer,
            schema: Arc::new(SchemaDescriptor::new(schema)),
            pairs: pairs.map_err(|error| ParquetError::External(error.into()))?,
            names: Names {
                groups: info.groups.iter().map(|group| name(&group.name)).collect(),
                layers: info.layers.iter().map(|layer| name(&layer.name)).collect(),
                statuses: Status::ALL.map(|status| ByteArray::from(status.as_str())),
            },
            extent: Extent { frames: 0, start: 0.0 },
            rows: 0,
            checksums: Vec::new(),
            footers: 0,
            safe: Summary::default(),
        })
    }

    /// Appends the frames of `batch` as one row group.
    pub(super) fn write(&mut self, batch: &Batch) -> std::result::Result<(), Failure> {
        if batch.frames.is_empty() {
            return Ok(());
        }
        self.encode(batch).and_then(|()| self.commit(false)).map_err(|error| self.fail(&error))
    }

    /// Completes the file. Without frames it is kept only if `keep_empty`.
    pub(super) fn finish(&mut self, keep_empty: bool) -> std::result::Result<Summary, Failure> {
        if self.extent.frames == 0 && !keep_empty {
            self.sink.discard();
            return Ok(self.safe);
        }
        self.complete().map_err(|error| self.fail(&error))?;
        Ok(self.safe)
    }

    fn complete(&mut self) -> Result<()> {
        if self.safe.frames < self.extent.frames {
            self.commit(true)?;
        }
        self.sink.publish()?;
        Ok(self.sink.sync()?)
    }

    fn encode(&mut self, batch: &Batch) -> Result<()> {
        if let (0, Some(&(_, time, _))) = (self.extent.frames, batch.frames.first()) {
            self.extent.start = time;
        }
        if !batch.people.is_empty() {
            let mut group = self.writer.next_row_group()?;
            write_columns(&mut group, batch, &self.names)?;
            let metadata = group.close()?;
            self.writer.flush()?;
            let end = self.writer.bytes_written() as u64;
            let written = self.writer.inner();
            let offset = end - written.len() as u64;
            self.checksums.extend(checksums::of_group(&metadata, written, offset));
        }
        self.rows += batch.people.len() as u64;
        // The recorder counts frames in `u32` too, so this cannot overflow.
        self.extent.frames += batch.frames.len() as u32;
        Ok(())
    }

    /// Hands everything encoded to the sink in one piece, and a footer with it if one is due. One
    /// piece, because a killed process then leaves all of it or, nearly always, none.
    fn commit(&mut self, footer_is_due: bool) -> Result<()> {
        let footer = self.footer()?;
        let footers = self.footers + footer.len() as u64;
        let length = self.writer.bytes_written() as u64;
        let with_footer = footer_is_due || footers <= FOOTER_ALLOWANCE + length / FOOTER_SHARE;
        if with_footer {
            self.writer.write_all(&footer)?;
        }
        self.writer.flush()?;
        let bytes = self.writer.inner_mut();
        self.sink.append(bytes)?;
        bytes.clear();
        if with_footer {
            if self.extent.frames > 0 {
                self.sink.publish()?;
            }
            self.footers = footers;
            let bytes = self.writer.bytes_written() as u64;
            self.safe = Summary { frames: self.extent.frames, rows: self.rows, bytes };
        }
        Ok(())
    }

    /// A footer, with the checksums in front of it.
    fn footer(&self) -> Result<Vec<u8>> {
        let pairs = self.pairs.iter().cloned().chain(growing_pairs(&self.extent)).collect();
        let file = FileMetaData::new(
            self.writer.properties().writer_version().as_num(),
            self.rows as i64,
            Some(CREATED_BY.into()),
            Some(pairs),
            Arc::clone(&self.schema),
            // How values are ordered; the metadata writer fills it in.
            None,
        );
        let metadata = ParquetMetaDataBuilder::new(file)
            .set_row_groups(self.writer.flushed_row_groups().to_vec())
            .build();
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &metadata).finish()?;
        Ok([checksums::block(&self.checksums, &bytes), bytes].concat())
    }

    /// Leaves the file as the last footer describes it, or no file if that is without frames.
    fn fail(&mut self, error: &ParquetError) -> Failure {
        let mut reason = reason(error);
        if self.safe.frames == 0 {
            self.sink.discard();
        } else if let Err(error) = self.sink.truncate(self.safe.bytes) {
            reason += &format!("; the unfinished end could not be cut off either: {error}");
        }
        Failure { reason, safe_frames: self.safe.frames }
    }
}

/// The message of an error; Parquet would put "External: " before those of the disk.
fn reason(error: &ParquetError) -> String {
    match error {
        ParquetError::External(error) => error.to_string(),
        error => error.to_string(),
    }
}

type RowGroup<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

/// Writes every column, in the order of [`schema::COLUMNS`].
fn write_columns(group: &mut RowGroup<'_>, batch: &Batch, names: &Names) -> Result<()> {
    let people = &batch.people;
    let x = |v: &glam::Vec2| v.x;
    let y = |v: &glam::Vec2| v.y;
    column::<Int64Type>(group, batch.per_row(|index, _| index.into()))?;
    column::<DoubleType>(group, batch.per_row(|_, time| time))?;
    column::<Int64Type>(group, people.ids.iter().map(|&id| id.into()))?;
    name_column(group, people.groups.iter().map(|group| group.0.into()), &names.groups)?;
    name_column(group, people.layers.iter().map(|layer| layer.0.into()), &names.layers)?;
    column::<FloatType>(group, people.positions.iter().map(x))?;
    column::<FloatType>(group, people.positions.iter().map(y))?;
    column::<FloatType>(group, people.heights.iter().copied())?;
    column::<FloatType>(group, people.headings.iter().copied())?;
    column::<FloatType>(group, people.velocities.iter().map(x))?;
    column::<FloatType>(group, people.velocities.iter().map(y))?;
    column::<FloatType>(group, people.radii.iter().copied())?;
    name_column(group, people.statuses.iter().map(|&status| status as usize), &names.statuses)?;
    let blocked_by = people.blocked_by.iter().map(|id| id.map(i64::from));
    optional_column::<Int64Type>(group, blocked_by)
}

/// Rows converted at a time: enough to amortise a call, and little memory besides the batch.
const CHUNK: usize = 1 << 13;

pub(super) fn column<T: DataType>(
    group: &mut RowGroup<'_>,
    mut values: impl Iterator<Item = T::T>,
) -> Result<()> {
    let mut writer = group.next_column()?.ok_or_else(too_many_columns)?;
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        chunk.extend(values.by_ref().take(CHUNK));
        if chunk.is_empty() {
            return writer.close();
        }
        writer.typed::<T>().write_batch(&chunk, None, None)?;
    }
}

/// Writes the names that rows refer to by number. Most are the same row by row, and counting references to a name would
/// cost as much as encoding it: those of the last rows are kept where they are the same again.
fn name_column(
    group: &mut RowGroup<'_>,
    mut numbers: impl Iterator<Item = usize>,
    names: &[ByteArray],
) -> Result<()> {
    let mut writer = group.next_column()?.ok_or_else(too_many_columns)?;
    let (mut chunk, mut written) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    loop {
        let mut count = 0;
        for number in numbers.by_ref().take(CHUNK) {
            if count == chunk.len() {
                chunk.push(names[number].clone());
                written.push(number);
            } else if written[count] != number {
                chunk[count] = names[number].clone();
                written[count] = number;
            }
            count += 1;
        }
        if count == 0 {
            return writer.close();
        }
        writer.typed::<ByteArrayType>().write_batch(&chunk[..count], None, None)?;
    }
}

pub(super) fn optional_column<T: DataType>(
    group: &mut RowGroup<'_>,
    mut values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    let mut writer = group.next_column()?.ok_or_else(too_many_columns)?;
    let (mut present, mut levels) = (Vec::new(), Vec::with_capacity(CHUNK));
    loop {
        present.clear();
        levels.clear();
        for value in values.by_ref().take(CHUNK) {
            levels.push(i16::from(value.is_some()));
            present.extend(value);
        }
        if levels.is_empty() {
            return writer.close();
        }
        writer.typed::<T>().write_batch(&present, Some(&levels), None)?;
    }
}

fn too_many_columns() -> ParquetError {
    ParquetError::General("there are more columns than the schema has".into())
}

#[cfg(test)]
mod tests {
    use std::io;

    use throng_base::random::{Purpose, Random};

    use super::*;
    use crate::recording::{GroupInfo, LayerInfo, Person};

    /// Counts bytes.
    struct Length(u64);

    impl Sink for Length {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0 += bytes.len() as u64;
            Ok(())
        }

        fn truncate(&mut self, length: u64) -> io::Result<()> {
            self.0 = length;
            Ok(())
        }

        fn publish(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn discard(&mut self) {}
    }

    fn info(scene: usize) -> RecordingInfo {
        RecordingInfo {
            scene: "x".repeat(scene),
            step: 0.1,
            record_every: 1,
            groups: vec![GroupInfo { name: "a".into(), color: [0; 3] }],
            layers: vec![LayerInfo { name: "a".into(), elevation: 0.0 }],
            ..RecordingInfo::default()
        }
    }

    /// A frame of people about whom only the positions change: more compressible than any real one.
    fn frame(index: u32, people: u32) -> Frame {
        let mut frame = Frame { index, time: f64::from(index) * 0.1, ..Frame::default() };
        let random = Random::new(1);
        let person = |id: u32| {
            let mut draw = random.stream(id.into(), index.into(), Purpose::Placement);
            let position = draw.point_between(glam::Vec2::ZERO, glam::Vec2::splat(100.0));
            Person { id, position, ..Person::default() }
        };
        (0..people).map(person).for_each(|person| frame.people.push(person));
        frame
    }

    /// Encodes row groups of the given sizes; the encoder, and the length of its last footer.
    fn encode(scene: usize, groups: impl Iterator<Item = u32>) -> (Encoder<Length>, u64) {
        let mut encoder = Encoder::new(Length(0), &info(scene)).unwrap();
        for (index, rows) in (0..).zip(groups) {
            let mut batch = Batch::default();
            batch.push(&frame(index, rows));
            encoder.write(&batch).unwrap();
        }
        encoder.finish(true).unwrap();
        let last = encoder.footer().unwrap().len() as u64;
        (encoder, last)
    }

    #[test]
    fn dead_footers_are_a_small_part_of_a_recording() {
        let targets =
            std::iter::successors(Some(next_target(None)), |&t| Some(next_target(Some(t))));
        let (encoder, last) = encode(5_000, targets.map(|rows| rows as u32).take(6));
        let share = (encoder.footers - last) as f64 / encoder.sink.0 as f64;
        assert!(share < 0.01, "{:.2} %", share * 100.0);
    }

    #[test]
    fn footers_are_left_out_where_they_would_take_over() {
        // Row groups a thousand times smaller than usual, as if there were a thousand times more.
        let (encoder, last) = encode(5_000, repeat_n(1_000, 400));
        assert_eq!(encoder.safe.frames, 400);
        assert_eq!(encoder.safe.bytes, encoder.sink.0);
        let footer_each_time = 400 * last / 2;
        assert!(encoder.footers < footer_each_time / 4);
        assert!(encoder.footers <= FOOTER_ALLOWANCE + encoder.sink.0 / FOOTER_SHARE + last);
    }

    #[test]
    fn targets_grow_by_half_to_a_limit() {
        let targets =
            std::iter::successors(Some(next_target(None)), |&t| Some(next_target(Some(t))));
        let targets: Vec<_> = targets.take(9).collect();
        assert_eq!(targets[..3], [65_536, 98_304, 147_456]);
        assert_eq!(targets[7..], [1 << 20, 1 << 20]);
    }
}
