//! What can go wrong with a figure.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use throng::SceneErrors;
use throng::place::PlaceError;
use throng::recording::RecordingError;

/// Why there is no figure.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The scene is not in order.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The input is neither a recording nor a scene.
    #[error(
        "{} is neither a recording nor a scene; give a file that `throng run` has recorded, or a \
         scene whose name ends in .toml", path.display()
    )]
    NoInput {
        /// The file.
        path: PathBuf,
    },
    /// The file to write has an ending that says nothing about its format.
    #[error("cannot tell the format of {}; let its name end in .png or .svg", path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The recording has no frames.
    #[error("{} has no frames: there is nothing to draw", path.display())]
    NoFrames {
        /// The recording.
        path: PathBuf,
    },
    /// The recording has no frames at the times asked for.
    #[error(
        "there are no frames from {from} s to {to} s; {} lasts from {first} s to {last} s",
        path.display()
    )]
    NoFramesThen {
        /// The recording.
        path: PathBuf,
        /// Begin of what was asked for, s.
        from: f64,
        /// Its end, s.
        to: f64,
        /// Time of the first frame, s.
        first: f64,
        /// Time of the last frame, s.
        last: f64,
    },
    /// Nobody could find ways in this scene.
    #[error("there is no map of ways: {0}")]
    NoMap(#[from] throng_nav::MapError),
    /// There is no such floor.
    #[error("there is no floor {name:?}; the floors are {known}")]
    NoSuchLayer {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is no such field.
    #[error("there is no field {name:?}; the fields are {known}")]
    NoSuchField {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The anchors of a field make none.
    #[error("field {name:?} cannot be drawn: {error}")]
    NoField {
        /// Which.
        name: String,
        /// Why.
        error: throng::crowd::FieldRefusal,
    },
    /// Some options do not go together.
    #[error("{what} {remedy}")]
    Options {
        /// What was asked for.
        what: String,
        /// Why that cannot be, and what can.
        remedy: &'static str,
    },
    /// A line or an area is written wrongly.
    #[error("{text:?} is not {what}; write {example}")]
    Coordinates {
        /// What was written.
        text: String,
        /// What it should be.
        what: &'static str,
        /// How that is written.
        example: &'static str,
    },
    /// The picture would not fit into memory.
    #[error("cannot make a picture of {width} × {height} pixels: {reason}")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
        /// What was in the way.
        reason: String,
    },
    /// There is a file, and it may not be replaced.
    #[error("{} already exists; choose another name or allow it to be replaced", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is no place for a file.
    #[error("cannot write to {}: {reason}", path.display())]
    NoPlace {
        /// Where the figure should go.
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
}

impl PlotError {
    /// For `map_err`: a [`PlotError::Io`] about `path`.
    pub(crate) fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io { action, path: path.into(), source }
    }

    pub(crate) fn options(what: impl Into<String>, remedy: &'static str) -> Self {
        Self::Options { what: what.into(), remedy }
    }
}

impl From<PlaceError> for PlotError {
    fn from(error: PlaceError) -> Self {
        match error {
            PlaceError::Exists { path } => Self::Exists { path },
            PlaceError::NoPlace { path, reason } => Self::NoPlace { path, reason },
            PlaceError::Io { action, path, source } => Self::Io { action, path, source },
        }
    }
}
