//! Lines of a text file of any size, one at a time.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::exchange::ExchangeError;
use crate::place::FileError;

/// Longer lines are no tracks, and may be the whole of a file that is something else.
const LONGEST: u64 = 1 << 16;

pub(super) struct Lines {
    file: BufReader<File>,
    path: PathBuf,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    length: u64,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, ExchangeError> {
        let file = File::open(path).map_err(FileError::io("open", path))?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Self { file, path: path.into(), line: Vec::new(), number: 0, bytes: 0, length })
    }

    /// The next line without its end, or `None` after the last. The first line loses a byte order
    /// mark.
    pub(super) fn next(&mut self) -> Result<Option<&str>, ExchangeError> {
        self.line.clear();
        let mut limited = (&mut self.file).take(LONGEST + 1);
        let read = limited.read_until(b'\n', &mut self.line);
        let read = read.map_err(FileError::io("read", &self.path))? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.bytes += read;
        if read > LONGEST {
            return Err(self.error(format!("the line is longer than {LONGEST} bytes")));
        }
        match str::from_utf8(&self.line) {
            Ok(line) if self.number == 1 => {
                Ok(Some(line.trim_start_matches('\u{feff}').trim_end()))
            }
            Ok(line) => Ok(Some(line.trim_end())),
            Err(_) => Err(self.error("the line is not text (UTF-8)".into())),
        }
    }

    /// Number of the line read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// How much of how much has been read, bytes.
    pub(super) fn progress(&self) -> (u64, u64) {
        (self.bytes, self.length)
    }

    /// Something is wrong with the line read last.
    pub(super) fn error(&self, reason: String) -> ExchangeError {
        ExchangeError::Line { path: self.path.clone(), line: self.number, reason }
    }
}
