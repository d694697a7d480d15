//! What can go wrong with a recording. Every message names the file.

use std::path::PathBuf;

use thiserror::Error;

use crate::place::FileError;

/// Why a recording could not be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be opened, read, or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// What should be recorded is described in a way that no recording can hold.
    #[error("cannot record to {}: {reason}", path.display())]
    BadInfo {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A frame was refused. The recording goes on without it.
    #[error("frame {frame} cannot be recorded in {}: {reason}", path.display())]
    BadFrame {
        /// The file.
        path: PathBuf,
        /// Number of the frame.
        frame: u32,
        /// What is wrong with it.
        reason: String,
    },
    /// Writing failed. Nothing more is recorded, and the file holds the frames that are safe.
    #[error("recording to {} stopped: {reason}; {}", path.display(), safe(*safe_frames))]
    Stopped {
        /// The file.
        path: PathBuf,
        /// How many frames, from the first, can be read from the file.
        safe_frames: u32,
        /// What went wrong.
        reason: String,
    },
    /// The file is something else.
    #[error("{} is not a Parquet file: {reason}", path.display())]
    NotParquet {
        /// The file.
        path: PathBuf,
        /// How one can tell.
        reason: String,
    },
    /// The file is a table, but not of ours.
    #[error("{} is a Parquet file but not a Throng recording: {reason}", path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
        /// How one can tell.
        reason: String,
    },
    /// The file contradicts itself.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, and how one can tell.
        reason: String,
    },
    /// There is no such frame.
    #[error("{} has no frame {index}: it has {count} frames, from 0", path.display())]
    NoSuchFrame {
        /// The file.
        path: PathBuf,
        /// The frame asked for.
        index: u32,
        /// How many frames there are.
        count: u32,
    },
}

fn safe(frames: u32) -> String {
    match frames {
        0 => "no frame was saved".into(),
        1 => "its first frame is safe".into(),
        n => format!("its first {n} frames are safe"),
    }
}
