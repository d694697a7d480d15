//! Where a recording's bytes go.
//!
//! A new file is created under its own name, and never in place of one that is there. To replace a
//! recording, the new one begins in a hidden file beside it and takes its name with the first rows
//! that are safe, so that a run that fails early leaves the old recording as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::RecordingError;

/// Whether a file that is there already may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// It is an error if there is one.
    #[default]
    No,
    /// It is replaced as soon as the new recording has rows.
    Yes,
}

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
                let file = create_new(path).map_err(|error| refusal(path, error))?;
                Ok(Self { file, path: path.into(), hidden: None })
            }
            Some(_) if overwrite == Overwrite::No => {
                Err(RecordingError::Exists { path: path.into() })
            }
            Some(path) => {
                let (file, hidden) =
                    create_beside(&path).map_err(RecordingError::io("replace", &path))?;
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

/// The regular file at `path`, with links followed, or `None` if the name is free.
fn occupant(path: &Path) -> Result<Option<PathBuf>, RecordingError> {
    let no_place = |reason| Err(RecordingError::NoPlace { path: path.into(), reason });
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RecordingError::io("look at", path)(error)),
        Ok(_) => {}
    }
    let Ok(target) = fs::canonicalize(path) else {
        return no_place("it is a symbolic link that leads nowhere");
    };
    let metadata = fs::metadata(&target).map_err(RecordingError::io("look at", path))?;
    if metadata.is_dir() {
        return no_place("it is a folder");
    }
    if !metadata.is_file() {
        return no_place("it is not a regular file");
    }
    Ok(Some(target))
}

fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn refusal(path: &Path, error: io::Error) -> RecordingError {
    let path = path.to_path_buf();
    match error.kind() {
        ErrorKind::AlreadyExists => RecordingError::Exists { path },
        ErrorKind::NotFound => {
            RecordingError::NoPlace { path, reason: "its folder does not exist" }
        }
        _ => RecordingError::Io { action: "create", path, source: error },
    }
}

fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut attempt = 0;
    loop {
        let hidden = path.with_file_name(format!(".{name}.{}-{attempt}.part", std::process::id()));
        match create_new(&hidden) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            result => return result.map(|file| (file, hidden)),
        }
    }
}
