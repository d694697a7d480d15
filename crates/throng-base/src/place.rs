//! Places for files that are to be written: what is there, and a hidden name beside it.
//!
//! A file that replaces another, or that is of use only when it is complete, begins under a hidden
//! name in the same folder and takes its own name at the end. Whatever goes wrong before, nothing
//! half-written has the name that somebody will look for.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Whether a file that is there already may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// It is an error if there is one.
    #[default]
    No,
    /// It is replaced by the new one, as soon as that is worth it.
    Yes,
}

impl From<bool> for Overwrite {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// What can go wrong with any file, whatever is in it.
#[derive(Debug, Error)]
pub enum FileError {
    /// There is a file, and it may not be replaced.
    #[error("{} already exists; choose another name or allow it to be replaced", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is no place for a file.
    #[error("cannot write to {}: {reason}", path.display())]
    NoPlace {
        /// Where it should go.
        path: PathBuf,
        /// What is there instead.
        reason: &'static str,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Its answer.
        source: io::Error,
    },
    /// Writing failed, for instance because the disk is full.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
}

impl FileError {
    /// For `map_err`: that `action` was refused.
    pub fn io<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io { action, path: path.into(), source }
    }

    /// For `map_err`: that writing failed, for libraries that have errors of their own.
    pub fn write<E: ToString>(path: &Path) -> impl Fn(E) -> Self + '_ {
        move |error| Self::Write { path: path.into(), reason: error.to_string() }
    }
}

/// The regular file at `path`, with links followed, or `None` if the name is free.
///
/// # Errors
///
/// If something else is there.
pub fn occupant(path: &Path) -> Result<Option<PathBuf>, FileError> {
    let no_place = |reason| Err(FileError::NoPlace { path: path.into(), reason });
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::io("look at", path)(error)),
        Ok(_) => {}
    }
    let Ok(target) = fs::canonicalize(path) else {
        return no_place("it is a symbolic link that leads nowhere");
    };
    let metadata = fs::metadata(&target).map_err(FileError::io("look at", path))?;
    if metadata.is_dir() {
        return no_place("it is a folder");
    }
    if !metadata.is_file() {
        return no_place("it is not a regular file");
    }
    Ok(Some(target))
}

/// Where a file for `path` is to be written, with links followed.
///
/// # Errors
///
/// If there is one that may not be replaced, or no file can be there.
pub fn place_for(path: &Path, overwrite: Overwrite) -> Result<PathBuf, FileError> {
    match occupant(path)? {
        Some(_) if overwrite == Overwrite::No => Err(FileError::Exists { path: path.into() }),
        Some(occupied) => Ok(occupied),
        None => Ok(path.into()),
    }
}

/// Creates a file where none is.
///
/// # Errors
///
/// If there is one, or the operating system refuses.
pub fn create_new(path: &Path) -> Result<File, FileError> {
    open_new(path).map_err(|error| refusal("create", path, error))
}

/// Creates a hidden file beside `path`.
///
/// # Errors
///
/// If the operating system refuses.
pub fn create_beside(path: &Path) -> Result<(File, PathBuf), FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut attempt = 0;
    loop {
        let hidden = path.with_file_name(format!(".{name}.{}-{attempt}.part", std::process::id()));
        match open_new(&hidden) {
            Ok(file) => return Ok((file, hidden)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            Err(error) => return Err(refusal("write beside", path, error)),
        }
    }
}

/// A file on its way to its name: hidden until it is [published](Self::publish), and removed if
/// that never happens.
#[derive(Debug)]
pub struct PartFile {
    hidden: PathBuf,
    target: PathBuf,
    overwrite: Overwrite,
}

impl PartFile {
    /// Begins a file for `path`: an empty one, at [`Self::hidden`].
    ///
    /// # Errors
    ///
    /// If there is [no place](place_for) for it, or the operating system refuses.
    pub fn create(path: &Path, overwrite: Overwrite) -> Result<(Self, File), FileError> {
        let target = place_for(path, overwrite)?;
        let (file, hidden) = create_beside(&target)?;
        Ok((Self { hidden, target, overwrite }, file))
    }

    /// Where it is until then.
    pub fn hidden(&self) -> &Path {
        &self.hidden
    }

    /// Gives the file its name, when everything is on the disk, and returns its length.
    ///
    /// # Errors
    ///
    /// If someone else has taken the name since, or the operating system refuses.
    pub fn publish(self) -> Result<u64, FileError> {
        // Someone else may have been here since the beginning.
        place_for(&self.target, self.overwrite)?;
        let complete = || {
            let file = File::open(&self.hidden)?;
            file.sync_all()?;
            fs::rename(&self.hidden, &self.target)?;
            file.metadata()
        };
        complete().map(|file| file.len()).map_err(FileError::io("complete", &self.target))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After publishing there is nothing, which is fine; and nobody can be told of an error.
        let _ = fs::remove_file(&self.hidden);
    }
}

fn open_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn refusal(action: &'static str, path: &Path, error: io::Error) -> FileError {
    let path = path.to_path_buf();
    match error.kind() {
        ErrorKind::AlreadyExists => FileError::Exists { path },
        ErrorKind::NotFound => FileError::NoPlace { path, reason: "its folder does not exist" },
        _ => FileError::Io { action, path, source: error },
    }
}
