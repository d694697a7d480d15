//! Where a recording's bytes go.
//!
//! A new file is created under its own name, and never in place of one that is there. To replace a
//! recording, the new one begins in a hidden file beside it and takes its name with the first rows
//! that are safe, so that a run that fails early leaves the old recording as it was.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::RecordingError;
use crate::place::{FileError, Overwrite, create_beside, create_new, occupant};

/// A file that grows at its end; tests have one that fails.
pub(super) trait Sink: Send + 'static {
    /// Appends all of `bytes`, in one go as far as that is possible.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts off what is behind the first `length` bytes.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Gives the file its final name.
    fn publish(&mut self) -> io::Result<()>;
    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Removes the file, which holds nothing worth keeping.
    fn discard(&mut self);
}

/// A recording on disk.
#[derive(Debug)]
pub(super) struct FileSink {
    file: File,
    path: PathBuf,
    /// Where the file is until it is published.
    hidden: Option<PathBuf>,
}

impl FileSink {
    pub(super) fn create(path: &Path, overwrite: Overwrite) -> Result<Self, RecordingError> {
        match occupant(path)? {
            None => {
                let file = create_new(path)?;
                Ok(Self { file, path: path.into(), hidden: None })
            }
            Some(_) if overwrite == Overwrite::No => {
                Err(FileError::Exists { path: path.into() }.into())
            }
            Some(path) => {
                let (file, hidden) = create_beside(&path)?;
                Ok(Self { file, path, hidden: Some(hidden) })
            }
        }
    }
}

impl Sink for FileSink {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ())
    }

    fn publish(&mut self) -> io::Result<()> {
        if let Some(hidden) = &self.hidden {
            fs::rename(hidden, &self.path)?;
            self.hidden = None;
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn discard(&mut self) {
        // Best effort: a file that is left over is a valid recording without frames.
        let _ = fs::remove_file(self.hidden.take().as_ref().unwrap_or(&self.path));
    }
}
