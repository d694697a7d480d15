//! What can go wrong with a figure.

use std::path::PathBuf;

use thiserror::Error;
use throng::SceneErrors;
use throng::place::FileError;
use throng::recording::RecordingError;

/// Why there is no figure.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The file cannot be opened, read, or written.
    #[error(transparent)]
    File(#[from] FileError),
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
    /// The clip's body is not known well enough to be drawn.
    #[error("the clip cannot be drawn: {0}")]
    Clip(throng_motion::analysis::Refusal),
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
}

impl PlotError {
    pub(crate) fn options(what: impl Into<String>, remedy: &'static str) -> Self {
        Self::Options { what: what.into(), remedy }
    }
}
