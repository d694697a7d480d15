//! Films: the bodies of a crowd over time, to be written to files and to be measured.
//!
//! [`Motions`] say where people are at any moment: a [`Recorded`] crowd is one source of them, smooth [`Tracked`] people are
//! another. A [`Playback`]
//! gives everybody a body that follows (see [`crate::bodies`]), frame by frame. What becomes of the frames is up to
//! who looks at them: [`write_glb`] makes an animated crowd for Blender, engines and viewers, [`write_bvh`] a
//! motion file for each person, and [`Skate`] measures how far feet slide that should stand. [`animate`] does all
//! of it for tracks from elsewhere.
//!
//! ```no_run
//! use throng::film::{FilmOptions, Tracked, smoothed, write_glb};
//! use throng::recording::Recording;
//!
//! let options = FilmOptions::default();
//! let mut recording = Recording::open("plaza.parquet")?;
//! let scene = recording.scene().ok();
//! let tracks = smoothed(&mut recording, &options.play)?;
//! let mut motions = Tracked::new(&tracks);
//! let filmed = write_glb(&mut motions, scene.as_ref(), "plaza.glb".as_ref(), &options, |_| true)?;
//! println!("{} people, {} bytes", filmed.people, filmed.bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! People are written as soon as they have left, so memory holds those who are there, not the whole film.

mod animate;
mod bvh;
mod clones;
mod distribution;
mod dressing;
mod fidelity;
mod glb;
mod playback;
mod reduce;
mod scenery;
mod skate;
mod source;
mod tracked;

use std::path::PathBuf;

use thiserror::Error;
use throng_motion::files::gltf::WriteError;

use crate::bodies::BodyError;
use crate::exchange::ExchangeError;
use crate::place::{FileError, Overwrite};
use crate::recording::RecordingError;
use crate::tracks::TrackError;

pub use animate::{AnimateOptions, AnimateStage, Animated, animate};
pub use bvh::{BvhFile, BvhFilmed, write_bvh};
pub use clones::{CloneReport, Clones, Twins};
pub use distribution::{Distribution, Spread};
pub use dressing::{dress, dressed, present};
pub use fidelity::Fidelity;
pub use glb::{Filmed, write_glb};
pub use playback::{PlayOptions, Playback, Selection};
pub use scenery::scenery;
pub use skate::{Skate, SkateReport, SlidStance};
pub use source::{Motions, Recorded};
pub use tracked::{Tracked, smoothed};

/// How a film is made.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmOptions {
    /// What is played.
    pub play: PlayOptions,
    /// Whether floor and walls are written, too.
    pub scenery: bool,
    /// Whether files that are there already may be replaced.
    pub overwrite: Overwrite,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self { play: PlayOptions::default(), scenery: true, overwrite: Overwrite::No }
    }
}

/// How far a film has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmProgress {
    /// Frames that are done.
    pub done: u64,
    /// All frames.
    pub total: u64,
}

/// Why there is no film.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FilmError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error(transparent)]
    Tracks(#[from] TrackError),
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    #[error("{0}")]
    Options(String),
    #[error(
        "{} would be larger than the 4 GB that a glTF file can have ({} of {} frames fit); write less time \
         with --from and --until, fewer people with --people, or fewer frames a second with --fps",
        path.display(), frames, of
    )]
    TooLarge { path: PathBuf, frames: u32, of: u32 },
    #[error(transparent)]
    Gltf(WriteError),
    #[error(transparent)]
    Bvh(#[from] throng_motion::files::bvh::WriteError),
    #[error("{0}")]
    Motion(#[from] throng_motion::MotionError),
    #[error("interrupted; nothing was written")]
    Interrupted,
}
