//! Checksums of all that a recording is read from.
//!
//! Parquet has a place for a checksum in each page's header, but none for the header itself nor for
//! the footer, and the library does not write any. So a block in front of each footer has a CRC-32 of
//! every column chunk, with all headers in it, and one of the footer and the block itself. Other readers
//! do not look at what lies between row groups and footer. A file that another tool has written anew
//! has no block, and so has none of an older version: these are read unchecked.
//!
//! The block, all numbers 32 bits and little-endian: a CRC-32 for each column chunk, in the order of
//! the footer; their number; the CRC-32 of these bytes and of the footer, with its length and closing
//! letters; [`MAGIC`].

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crc32fast::Hasher;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};

use super::footer::bytes;

const MAGIC: &[u8; 8] = b"ThrongCk";
/// Length of what follows the checksums of chunks: their number, the block's checksum and the letters.
const TAIL: u64 = 16;
/// Bytes read at a time to check a chunk.
const STRIDE: u64 = 1 << 18;

/// The block that goes in front of `footer`.
pub(super) fn block(chunks: &[u32], footer: &[u8]) -> Vec<u8> {
    let mut block: Vec<u8> = chunks.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    block.extend((chunks.len() as u32).to_le_bytes());
    let sum = checksum(&[&block, footer]);
    block.extend(sum.to_le_bytes());
    block.extend(MAGIC);
    block
}

/// The checksums of the column chunks of `group`, whose bytes are in `written`, which begins at
/// `offset` in the file.
pub(super) fn of_group(group: &RowGroupMetaData, written: &[u8], offset: u64) -> Vec<u32> {
    let of_chunk = |column: &ColumnChunkMetaData| {
        let (start, length) = column.byte_range();
        let start = (start - offset) as usize;
        checksum(&[&written[start..start + length as usize]])
    };
    group.columns().iter().map(of_chunk).collect()
}

/// Reads the block in front of `footer`, which begins at `footer_start`. `None` if there is none; an
/// error inside if block or footer have other bytes than were written.
pub(super) fn read_block(
    file: &File,
    footer_start: u64,
    footer: &[u8],
) -> io::Result<Option<Result<Vec<u32>, Mismatch>>> {
    let Some(tail_start) = footer_start.checked_sub(TAIL) else { return Ok(None) };
    let tail = bytes(file, tail_start, TAIL)?;
    if &tail[8..] != MAGIC {
        return Ok(None);
    }
    let numbers: Vec<u32> = words(&tail[..8]).collect();
    let length = 4 * u64::from(numbers[0]);
    let Some(start) = tail_start.checked_sub(length) else { return Ok(Some(Err(Mismatch))) };
    let block = bytes(file, start, length + 4)?;
    if checksum(&[&block, footer]) != numbers[1] {
        return Ok(Some(Err(Mismatch)));
    }
    Ok(Some(Ok(words(&block[..length as usize]).collect())))
}

/// Bytes that differ from what was written.
#[derive(Debug)]
pub(super) struct Mismatch;

/// A file of which a column chunk is checked before it is read for the first time.
#[derive(Debug)]
pub(super) struct CheckedFile {
    file: Arc<File>,
    /// Checksums of chunks that have not been checked, by the place where they begin.
    unchecked: Mutex<HashMap<u64, u32>>,
}

impl CheckedFile {
    /// `checksums` are those of all column chunks, or empty if there are none.
    pub(super) fn new(file: File, metadata: &ParquetMetaData, checksums: &[u32]) -> Self {
        let chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
        let begins = chunks.map(|column| column.byte_range().0);
        let unchecked = begins.zip(checksums.iter().copied()).collect();
        Self { file: Arc::new(file), unchecked: Mutex::new(unchecked) }
    }

    /// The file, to read `column` from.
    pub(super) fn for_chunk(&self, column: &ColumnChunkMetaData) -> Result<&Arc<File>, String> {
        let (start, length) = column.byte_range();
        let mut unchecked = self.unchecked.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&expected) = unchecked.get(&start) else { return Ok(&self.file) };
        let (end, mut hasher) = (start + length, Hasher::new());
        for at in (start..end).step_by(STRIDE as usize) {
            let part = bytes(&self.file, at, STRIDE.min(end - at));
            hasher.update(&part.map_err(|error| format!("it cannot be read: {error}"))?);
        }
        if hasher.finalize() != expected {
            return Err(format!(
                "bytes {start} to {end}, of column `{}`, are not those that were written",
                column.column_path().string()
            ));
        }
        unchecked.remove(&start);
        Ok(&self.file)
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}
