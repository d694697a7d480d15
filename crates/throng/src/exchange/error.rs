//! What can go wrong between Throng and other programs' files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::place::PlaceError;
use crate::recording::RecordingError;

/// Why a recording could not be exported, or tracks not be imported. Nothing has been written then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// There is a file, and it may not be replaced.
    #[error("{} already exists; choose another name or allow it to be replaced", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is no place for a file.
    #[error("cannot write to {}: {reason}", path.display())]
    NoPlace {
        /// Where the file should go.
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
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The recording cannot be written in this way.
    #[error("{} cannot be exported like this: {reason}", path.display())]
    Export {
        /// The recording.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The tracks as a whole are not what they should be.
    #[error("{}: {reason}", path.display())]
    Tracks {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Something is wrong at a place in the tracks.
    #[error("{}:{line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1; of a database, number of the row.
        line: u64,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The caller's progress function asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl ExchangeError {
    /// For `map_err`: an [`ExchangeError::Io`] about `path`.
    pub(super) fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io { action, path: path.into(), source }
    }

    /// For `map_err`: an [`ExchangeError::Write`] about `path`.
    pub(super) fn write<E: ToString>(path: &Path) -> impl Fn(E) -> Self + '_ {
        move |error| Self::Write { path: path.into(), reason: error.to_string() }
    }

    /// Something about the whole of the tracks at `path`.
    pub(super) fn tracks(path: &Path, reason: impl Into<String>) -> Self {
        Self::Tracks { path: path.into(), reason: reason.into() }
    }
}

impl From<PlaceError> for ExchangeError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Exists { path } => Self::Exists { path },
            PlaceError::NoPlace { path, reason } => Self::NoPlace { path, reason },
            PlaceError::Io { action, path, source } => Self::Io { action, path, source },
        }
    }
}
