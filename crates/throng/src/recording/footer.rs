//! The last complete footer of a file.
//!
//! It usually is where Parquet wants it, at the very end. If the writer was interrupted in the middle
//! of a row group, the end is torn, but behind the row group before there is another footer. It is
//! found by going backwards from the end to the four letters that close a footer; the length in
//! front of them, a footer that can be decoded, and row groups that lie before it show that the
//! letters are no accident.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};

use super::RecordingError;
use super::checksums::read_block;
use super::decode::guarded;
use super::info::{claims_to_be_ours, describe};
use crate::place::FileError;

const MAGIC: &[u8; 4] = b"PAR1";
/// Length and magic letters.
const TAIL: u64 = 8;
/// Longer footers would belong to recordings of terabytes.
const MAX_FOOTER: u64 = 256 << 20;
/// How many times the letters may turn up without a footer. In compressed data they do so about
/// every four gigabytes; a file made to turn up many must not keep us busy for ever.
const MAX_CANDIDATES: usize = 4096;

/// What [`recover`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// How many frames the recording has.
    pub frames: u32,
    /// How many bytes of an unfinished end were cut off; 0 if the file was complete.
    pub bytes_dropped: u64,
}

/// Cuts off the end of a recording that was being written when its writer was interrupted, so that
/// every Parquet reader can open it.
///
/// Not to be used while the recording is still being written.
///
/// # Errors
///
/// If the file is not a recording, has nothing that can be saved, or cannot be changed.
pub fn recover(path: impl AsRef<Path>) -> Result<Recovery, RecordingError> {
    let path = path.as_ref();
    let file = OpenOptions::new().read(true).write(true).open(path);
    let file = file.map_err(FileError::io("open", path))?;
    let footer = find(&file, path)?;
    let pairs = footer.metadata.file_metadata().key_value_metadata();
    let description = describe(pairs.map_or(&[], Vec::as_slice))
        .map_err(|reason| RecordingError::NotARecording { path: path.into(), reason })?;
    if footer.dropped > 0 {
        let cut = file.set_len(footer.end).and_then(|()| file.sync_all());
        cut.map_err(FileError::io("shorten", path))?;
    }
    Ok(Recovery { frames: description.extent.frames, bytes_dropped: footer.dropped })
}

/// A complete footer.
pub(super) struct Footer {
    pub metadata: ParquetMetaData,
    /// Checksums of all column chunks, or none if the file has none.
    pub checksums: Vec<u32>,
    /// Where it ends.
    pub end: u64,
    /// How many bytes come after it.
    pub dropped: u64,
}

/// Finds the last complete footer.
pub(super) fn find(file: &File, path: &Path) -> Result<Footer, RecordingError> {
    let not_parquet =
        |reason: &str| RecordingError::NotParquet { path: path.into(), reason: reason.into() };
    let metadata = file.metadata().map_err(FileError::io("look at", path))?;
    if !metadata.is_file() {
        return Err(not_parquet("it is not a regular file"));
    }
    let length = metadata.len();
    let head = bytes(file, 0, length.min(4)).map_err(FileError::io("read", path))?;
    if head != MAGIC {
        return Err(not_parquet(if length == 0 { "it is empty" } else { "it begins differently" }));
    }
    let damaged = |reason: String| RecordingError::Damaged { path: path.into(), reason };
    let found = match read_footer(file, length).map_err(FileError::io("read", path))? {
        Candidate::Footer(found) => Some(found),
        // An interrupted writer leaves no footer or a whole one.
        Candidate::Changed { start } => {
            let reason =
                format!("its footer, bytes {start} to {length}, is not the one that was written");
            return Err(damaged(reason));
        }
        Candidate::None => scan(file, length).map_err(FileError::io("read", path))?,
    };
    let mut footer = found.ok_or_else(|| {
        damaged("it has no complete footer, and so nothing can be recovered".into())
    })?;
    footer.dropped = length - footer.end;
    Ok(footer)
}

/// The last footer of ours that ends before `length`.
fn scan(file: &File, length: u64) -> io::Result<Option<Footer>> {
    const STRIDE: u64 = 1 << 20;
    let mut candidates = 0;
    let mut above = length;
    while above > 0 {
        let below = above.saturating_sub(STRIDE);
        // Three bytes more, for letters that lie across two strides.
        let window = bytes(file, below, (above + 3).min(length) - below)?;
        for at in (0..window.len().saturating_sub(3)).rev() {
            let end = below + at as u64 + 4;
            if &window[at..at + 4] != MAGIC || end == length {
                continue;
            }
            if let Candidate::Footer(footer) = read_footer(file, end)?
                && claims_to_be_ours(
                    footer.metadata.file_metadata().key_value_metadata().map_or(&[], |p| p),
                )
            {
                return Ok(Some(footer));
            }
            candidates += 1;
            if candidates == MAX_CANDIDATES {
                return Ok(None);
            }
        }
        above = below;
    }
    Ok(None)
}

/// What may be the end of a footer.
enum Candidate {
    None,
    Footer(Footer),
    /// A footer that does not have its checksum.
    Changed {
        start: u64,
    },
}

/// The footer that ends at `end`, if there is one that can be true.
fn read_footer(file: &File, end: u64) -> io::Result<Candidate> {
    let Some(tail_start) = end.checked_sub(TAIL) else { return Ok(Candidate::None) };
    let tail = bytes(file, tail_start, TAIL)?;
    let length = tail[..4].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    if &tail[4..] != MAGIC || length > MAX_FOOTER || length + 4 > tail_start {
        return Ok(Candidate::None);
    }
    let start = tail_start - length;
    let footer = bytes(file, start, length + TAIL)?;
    let checksums = match read_block(file, start, &footer)? {
        None => Vec::new(),
        Some(Ok(checksums)) => checksums,
        Some(Err(_)) => return Ok(Candidate::Changed { start }),
    };
    let footer = &footer[..length as usize];
    let decoded = guarded(|| {
        let metadata = ParquetMetaDataReader::decode_metadata(footer);
        let metadata = metadata.map_err(|error| error.to_string())?;
        Ok(describes_what_comes_before(&metadata, start).then_some(metadata))
    });
    Ok(decoded.ok().flatten().map_or(Candidate::None, |metadata| {
        Candidate::Footer(Footer { metadata, checksums, end, dropped: 0 })
    }))
}

fn describes_what_comes_before(metadata: &ParquetMetaData, footer_start: u64) -> bool {
    let groups = metadata.row_groups();
    let before = |(start, length): (u64, u64)| {
        start >= 4 && start.checked_add(length).is_some_and(|end| end <= footer_start)
    };
    let rows = groups.iter().try_fold(0i64, |sum, group| sum.checked_add(group.num_rows()));
    rows == Some(metadata.file_metadata().num_rows())
        && groups.iter().all(|group| group.num_rows() >= 0)
        && groups
            .iter()
            .flat_map(RowGroupMetaData::columns)
            .all(|column| before(column.byte_range()))
}

pub(super) fn bytes(mut file: &File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
