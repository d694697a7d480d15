//! What can go wrong between Throng and other programs' files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use throng_world::SceneErrors;

use super::steersuite::RecError;
use crate::place::FileError;
use crate::recording::RecordingError;

/// Why a recording could not be exported, or tracks not be imported. Nothing has been written then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The file cannot be opened, read, or written.
    #[error(transparent)]
    File(#[from] FileError),
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
        /// Number of the line, from 1; of a database, number of the row; of a rec file, that of the
        /// frame, from 0.
        line: u64,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// The file is no rec file, or damaged.
    #[error("{}: {error}", path.display())]
    Rec {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: RecError,
    },
    /// A test case cannot be made a scene; the errors point into the test case.
    #[error(transparent)]
    Case(#[from] SceneErrors),
    /// The caller's progress function asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl ExchangeError {
    /// For `map_err`: a [`FileError::Write`] about `path`.
    pub(super) fn write<E: ToString>(path: &Path) -> impl Fn(E) -> Self + '_ {
        let failure = FileError::write(path);
        move |error| failure(error).into()
    }

    /// Something about the whole of the tracks at `path`.
    pub(super) fn tracks(path: &Path, reason: impl Into<String>) -> Self {
        Self::Tracks { path: path.into(), reason: reason.into() }
    }
}
