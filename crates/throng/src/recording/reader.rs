//! Reading recordings, frame by frame, in order or not.
//!
//! A footer tells which frames each row group has. Within a row group, the column of frame numbers,
//! which is tiny, tells which rows a frame has. Decoders then skip to the first of them: whole pages
//! unread, the rest of a page decoded and dropped. They stay where the frame ends, so that reading
//! frames in order is the same operation without a skip, and memory is bounded by a frame and a page
//! per column.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::Repetition;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;

use throng_world::scene::{PlanFiles, SceneSource, TerrainFiles};
use throng_world::{Scene, SceneError, SceneErrors};

use super::attached;
use super::checksums::CheckedFile;
use super::decode::{CountColumn, NameColumn, guarded};
use super::footer;
use super::frame::Frame;
use super::info::{Description, RecordingInfo, describe};
use super::rows::{Rows, Run, runs};
use super::schema::COLUMNS;
use super::writer::TIME_TOLERANCE;
use super::{MAX_PEOPLE, RecordingError};
use crate::place::FileError;

/// The most rows of a row group: more than the recorder ever puts into one.
const MAX_GROUP_ROWS: i64 = 2 * MAX_PEOPLE as i64;

/// A recording to read.
pub struct Recording {
    path: PathBuf,
    file: CheckedFile,
    metadata: ParquetMetaData,
    description: Description,
    groups: Vec<GroupRange>,
    length: u64,
    bytes_dropped: u64,
    cursor: Option<Cursor>,
}

/// What the footer says about a row group.
#[derive(Clone, Copy, Debug)]
struct GroupRange {
    first_frame: u32,
    last_frame: u32,
    first_row: u64,
}

/// A place in a row group.
struct Cursor {
    group: usize,
    runs: Vec<Run>,
    rows: Rows,
}

impl Recording {
    /// Opens the recording at `path`. One whose writer was interrupted, or is still at work, opens
    /// with the frames that are complete; see [`Self::recovered`].
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not a recording, or is damaged beyond that.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(FileError::io("open", path))?;
        let footer = footer::find(&file, path)?;
        let foreign = |reason| RecordingError::NotARecording { path: path.into(), reason };
        let damaged = |reason| RecordingError::Damaged { path: path.into(), reason };
        check_columns(&footer.metadata).map_err(foreign)?;
        let pairs = footer.metadata.file_metadata().key_value_metadata();
        let description = describe(pairs.map_or(&[], Vec::as_slice)).map_err(foreign)?;
        let frames = description.extent.frames;
        let groups = guarded(|| group_ranges(&footer.metadata, frames)).map_err(damaged)?;
        Ok(Self {
            path: path.into(),
            file: CheckedFile::new(file, &footer.metadata, &footer.checksums),
            metadata: footer.metadata,
            description,
            groups,
            length: footer.end,
            bytes_dropped: footer.dropped,
            cursor: None,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was simulated.
    pub fn info(&self) -> &RecordingInfo {
        &self.description.info
    }

    /// The scene that was simulated. Plans, obstacles and terrain are read from the recording, and from files
    /// beside it where it is without them. Ground whose files are in neither place is flat.
    ///
    /// # Errors
    ///
    /// If the scene cannot be read by this version, or without a file that is not there, or if terrain in the
    /// recording is damaged.
    pub fn scene(&self) -> Result<Scene, SceneErrors> {
        let info = self.info();
        let terrain = self.terrain_files().map_err(|error| {
            let (name, text) = (info.scene_name.clone(), info.scene.clone());
            SceneError::new(&Arc::new(SceneSource { name, text }), 0..0, error.to_string())
        })?;
        let files = PlanFiles { texts: Some(&info.files), folder: self.path.parent() };
        let mut scene = Scene::parse_with_files(&info.scene_name, &info.scene, files, &terrain)?;
        scene.settings.seed = info.seed;
        Ok(scene)
    }

    /// The terrain files that the recording carries.
    ///
    /// # Errors
    ///
    /// If one of them is damaged.
    pub fn terrain_files(&self) -> Result<TerrainFiles, RecordingError> {
        attached::read(self.file.file(), &self.description.terrain)
            .map_err(|reason| RecordingError::Damaged { path: self.path.clone(), reason })
    }

    /// The version of Throng that wrote it.
    pub fn version(&self) -> &str {
        &self.description.version
    }

    /// Whether the end of the file is unfinished, and was left out.
    pub fn recovered(&self) -> bool {
        self.bytes_dropped > 0
    }

    /// Length of the unfinished end.
    pub fn bytes_dropped(&self) -> u64 {
        self.bytes_dropped
    }

    /// Length of the file without an unfinished end.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// Number of rows: people times the frames they are in.
    pub fn row_count(&self) -> u64 {
        self.metadata.file_metadata().num_rows() as u64
    }

    /// Number of row groups, the parts that are compressed and found each for itself.
    pub fn row_group_count(&self) -> usize {
        self.groups.len()
    }

    /// Number of frames, with those that nobody is in.
    pub fn frame_count(&self) -> u32 {
        self.description.extent.frames
    }

    /// The time of frame `index`, s.
    pub fn time_of(&self, index: u32) -> f64 {
        self.description.extent.start + f64::from(index) * self.info().interval()
    }

    /// The times of all frames, s.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> {
        (0..self.frame_count()).map(|index| self.time_of(index))
    }

    /// Time from the first frame to the last, s.
    pub fn duration(&self) -> f64 {
        f64::from(self.frame_count().saturating_sub(1)) * self.info().interval()
    }

    /// The last frame at or before `time`, or the first if all are later; `None` if there is none.
    pub fn index_at(&self, time: f64) -> Option<u32> {
        let last = self.frame_count().checked_sub(1)?;
        let position = (time - self.description.extent.start) / self.info().interval();
        // Converting to an integer saturates, and turns NaN into 0.
        Some(((position + TIME_TOLERANCE).floor() as u32).min(last))
    }

    /// Reads frame `index`.
    ///
    /// # Errors
    ///
    /// If there is no such frame or it is damaged.
    pub fn frame(&mut self, index: u32) -> Result<Frame, RecordingError> {
        let mut frame = Frame::default();
        self.read_frame(index, &mut frame)?;
        Ok(frame)
    }

    /// Reads frame `index` into `frame`, whose memory is used again.
    ///
    /// # Errors
    ///
    /// If there is no such frame or it is damaged; what is in `frame` then is unspecified.
    pub fn read_frame(&mut self, index: u32, frame: &mut Frame) -> Result<(), RecordingError> {
        let count = self.frame_count();
        if index >= count {
            return Err(RecordingError::NoSuchFrame { path: self.path.clone(), index, count });
        }
        frame.index = index;
        frame.time = self.time_of(index);
        frame.people.clear();
        let result = guarded(|| self.fill(frame));
        result.map_err(|reason| {
            // After an error, the decoders may be anywhere.
            self.cursor = None;
            RecordingError::Damaged { path: self.path.clone(), reason }
        })
    }

    /// Reads the frame that [`Self::index_at`] gives for `time`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the frame is damaged.
    pub fn at(&mut self, time: f64) -> Result<Option<Frame>, RecordingError> {
        self.index_at(time).map(|index| self.frame(index)).transpose()
    }

    /// The state at `time`, between two frames: people who are in both are on a straight line from
    /// the one to the other, and who is only in the earlier is where they were last seen. Before
    /// the first and after the last frame, it is that frame. `None` if there is none.
    ///
    /// # Errors
    ///
    /// If a frame is damaged.
    pub fn interpolated(&mut self, time: f64) -> Result<Option<Frame>, RecordingError> {
        let Some(mut frame) = self.at(time)? else { return Ok(None) };
        let fraction = (time - frame.time) / self.info().interval();
        if fraction > 0.0 && frame.index + 1 < self.frame_count() {
            let later = self.frame(frame.index + 1)?;
            frame.people.move_towards(&later.people, fraction.min(1.0) as f32);
            frame.time = time;
        }
        Ok(Some(frame))
    }

    /// Reads all frames in order, one at a time.
    pub fn frames(&mut self) -> Frames<'_> {
        Frames { recording: self, next: 0 }
    }

    /// How many different people there are in each group; who changes group counts in the first.
    ///
    /// This reads two columns of the whole file.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn people_per_group(&mut self) -> Result<Vec<u32>, RecordingError> {
        guarded(|| self.count_people())
            .map_err(|reason| RecordingError::Damaged { path: self.path.clone(), reason })
    }

    /// How many different people there are. This reads two columns of the whole file.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn people(&mut self) -> Result<u64, RecordingError> {
        Ok(self.people_per_group()?.into_iter().map(u64::from).sum())
    }

    /// The ids of everyone who is in it at some time, in order. This reads a column of the whole file.
    ///
    /// # Errors
    ///
    /// If the file is damaged.
    pub fn ids(&mut self) -> Result<Vec<u32>, RecordingError> {
        guarded(|| self.collect_ids())
            .map_err(|reason| RecordingError::Damaged { path: self.path.clone(), reason })
    }

    fn collect_ids(&self) -> Result<Vec<u32>, String> {
        let mut seen = std::collections::BTreeSet::new();
        for (index, metadata) in self.metadata.row_groups().iter().enumerate() {
            let mut ids = CountColumn::open(&self.file, metadata, "id")?;
            for run in self.open_runs(index)? {
                seen.extend(ids.read(run.rows)?);
            }
        }
        Ok(seen.into_iter().collect())
    }

    fn fill(&mut self, frame: &mut Frame) -> Result<(), String> {
        let due = frame.time;
        // A frame is in one row group, unless another tool has written the file anew.
        let mut group = self.groups.partition_point(|group| group.last_frame < frame.index);
        let mut first_row = None;
        while self.groups.get(group).is_some_and(|group| group.first_frame <= frame.index) {
            if let Some((run, rows)) = self.seek(group, frame.index)? {
                if run.rows > MAX_PEOPLE - frame.people.len() {
                    return Err(format!("frame {} has too many people", frame.index));
                }
                rows.read(run, frame)?;
                first_row.get_or_insert(self.groups[group].first_row + run.first as u64);
            }
            group += 1;
        }
        check_frame(frame, first_row.unwrap_or_default())?;
        if (frame.time - due).abs() > 0.5 * self.info().interval() {
            let (index, time) = (frame.index, frame.time);
            return Err(format!("frame {index} is at {time} s, but should be at {due} s"));
        }
        Ok(())
    }

    /// The rows of `frame` in `group`, if there are any, and decoders that have not passed them.
    fn seek(&mut self, group: usize, frame: u32) -> Result<Option<(Run, &mut Rows)>, String> {
        let mut cursor = match self.cursor.take().filter(|cursor| cursor.group == group) {
            Some(cursor) => cursor,
            None => Cursor { group, runs: self.open_runs(group)?, rows: self.open_rows(group)? },
        };
        let run = cursor.runs.binary_search_by_key(&frame, |run| run.frame);
        let run = run.ok().map(|found| cursor.runs[found]);
        if run.is_some_and(|run| run.first < cursor.rows.next()) {
            cursor.rows = self.open_rows(group)?;
        }
        let cursor = self.cursor.insert(cursor);
        Ok(run.map(|run| (run, &mut cursor.rows)))
    }

    fn open_rows(&self, group: usize) -> Result<Rows, String> {
        let first_row = self.groups[group].first_row;
        Rows::open(&self.file, self.metadata.row_group(group), self.info(), first_row)
    }

    fn open_runs(&self, group: usize) -> Result<Vec<Run>, String> {
        let range = self.groups[group];
        let runs = runs(&self.file, self.metadata.row_group(group), range.first_row)?;
        let ends = (runs.first().map(|run| run.frame), runs.last().map(|run| run.frame));
        if ends != (Some(range.first_frame), Some(range.last_frame)) {
            return Err(format!("row group {group} does not have the frames it should have"));
        }
        Ok(runs)
    }

    fn count_people(&self) -> Result<Vec<u32>, String> {
        let names = || self.info().groups.iter().map(|group| group.name.as_str());
        let mut counts = vec![0; self.info().groups.len()];
        let mut seen = std::collections::HashSet::new();
        let (mut previous, mut groups) = (Vec::<u32>::new(), Vec::new());
        for (index, metadata) in self.metadata.row_groups().iter().enumerate() {
            let mut ids = CountColumn::open(&self.file, metadata, "id")?;
            let mut group = NameColumn::open(&self.file, metadata, "group", names())?;
            for run in self.open_runs(index)? {
                let ids: Vec<u32> = ids.read(run.rows)?.collect();
                groups.clear();
                group.read(run.rows, |number| groups.push(number))?;
                let mut before = previous.iter().copied().peekable();
                for (&id, &group) in ids.iter().zip(&groups) {
                    // Nearly everyone was there in the frame before, whose ids ascend as well.
                    while before.next_if(|&other| other < id).is_some() {}
                    if before.peek() != Some(&id) && seen.insert(id) {
                        counts[group as usize] += 1;
                    }
                }
                previous = ids;
            }
        }
        Ok(counts)
    }
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording")
            .field("path", &self.path)
            .field("frames", &self.frame_count())
            .field("rows", &self.row_count())
            .finish_non_exhaustive()
    }
}

/// All frames of a recording, in order. Ends after an error.
#[derive(Debug)]
pub struct Frames<'a> {
    recording: &'a mut Recording,
    next: u32,
}

impl Iterator for Frames<'_> {
    type Item = Result<Frame, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.recording.frame_count() {
            return None;
        }
        let frame = self.recording.frame(self.next);
        self.next = if frame.is_ok() { self.next + 1 } else { u32::MAX };
        Some(frame)
    }
}

fn check_columns(metadata: &ParquetMetaData) -> Result<(), String> {
    let schema = metadata.file_metadata().schema_descr();
    for (name, kind) in COLUMNS {
        let column = schema.columns().iter().find(|column| column.path().string() == name);
        let column = column.ok_or_else(|| format!("it has no column `{name}`"))?;
        if column.self_type().get_basic_info().repetition() == Repetition::REPEATED {
            return Err(format!("its column `{name}` has lists"));
        }
        if !kind.accepts(column.physical_type()) {
            let (found, needed) = (column.physical_type(), kind.physical());
            return Err(format!("its column `{name}` is {found} and should be {needed}"));
        }
    }
    Ok(())
}

/// What the footer says about all row groups, checked for what can be checked without reading them.
fn group_ranges(metadata: &ParquetMetaData, frames: u32) -> Result<Vec<GroupRange>, String> {
    let mut first_row = 0;
    let mut ranges: Vec<GroupRange> = Vec::with_capacity(metadata.num_row_groups());
    for (index, group) in metadata.row_groups().iter().enumerate() {
        if !(1..=MAX_GROUP_ROWS).contains(&group.num_rows()) {
            return Err(format!("row group {index} claims to have {} rows", group.num_rows()));
        }
        let (first_frame, last_frame) = frame_range(group)
            .ok_or_else(|| format!("its footer does not tell the frames of row group {index}"))?;
        let earliest = ranges.last().map_or(0, |before| before.last_frame);
        if first_frame < earliest || last_frame < first_frame || last_frame >= frames {
            let range = format!("{first_frame} to {last_frame}");
            return Err(format!("row group {index} claims to have the frames {range}"));
        }
        ranges.push(GroupRange { first_frame, last_frame, first_row });
        first_row += group.num_rows() as u64;
    }
    Ok(ranges)
}

fn frame_range(group: &RowGroupMetaData) -> Option<(u32, u32)> {
    let column = group.columns().iter().find(|column| column.column_path().string() == "frame")?;
    match column.statistics()? {
        Statistics::Int32(range) => Some((*range.min_opt()? as u32, *range.max_opt()? as u32)),
        Statistics::Int64(range) => {
            let count = |value: Option<&i64>| u32::try_from(*value?).ok();
            Some((count(range.min_opt())?, count(range.max_opt())?))
        }
        _ => None,
    }
}

fn check_frame(frame: &Frame, first_row: u64) -> Result<(), String> {
    let people = &frame.people;
    let row = |i: usize| first_row + i as u64;
    if let Some(i) = people.first_out_of_order() {
        let (id, before) = (people.ids[i], people.ids[i - 1]);
        return Err(format!("row {}: id {id} comes after id {before}", row(i)));
    }
    match people.first_not_finite() {
        Some(i) => Err(format!("row {}: a number is not finite", row(i))),
        None => Ok(()),
    }
}
