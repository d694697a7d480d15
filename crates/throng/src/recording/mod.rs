//! Recordings: what everyone did, frame by frame, in a Parquet file.
//!
//! A recording is one plain table, a row per person and frame, ordered by frame and then by id, so
//! that `pandas.read_parquet`, polars and DuckDB need no help from Throng:
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `frame` | `i64` | number of the frame, from 0 |
//! | `time` | `f64` | simulated time, s |
//! | `id` | `i64` | who, from 0 to 2³² − 1 |
//! | `group`, `layer` | text | group and floor, by name |
//! | `x`, `y`, `z` | `f32` | position on the ground and height, m |
//! | `heading` | `f32` | radians counter-clockwise from `+x` |
//! | `vx`, `vy` | `f32` | velocity, m/s |
//! | `radius` | `f32` | m |
//! | `status` | text | see [`Status`] |
//! | `blocked_by` | `i64` or null | who is in the way |
//!
//! Whole numbers are signed although none is below 0, because differences of unsigned ones wrap around
//! in pandas. Recordings of earlier versions have `u32` there, and are read as well.
//!
//! The file's key-value metadata (`throng.scene`, `throng.seed`, …) says what was simulated; see
//! [`RecordingInfo`]. The scene is there as it was written, with its plan and obstacle files in
//! `throng.files`, a JSON object of their texts by name. Its terrain files are in front of the rows;
//! `throng.terrain` says where, in a list of objects with their `name`, `offset`, `length` and
//! checksum `fnv1a`. [`Recording::scene`] reads all of it back. Nothing in a file depends on the
//! machine or the moment, so the same simulation gives the same bytes.
//!
//! **Safe at any moment.** A Parquet file is unreadable until its footer is written, at the very
//! end. A [`Recorder`] therefore writes a whole footer after (almost) every row group and goes on
//! behind it: the offsets in a footer are absolute, so a later footer just leaves the earlier ones
//! as dead bytes that no reader looks at. Whatever ends the process, the file is complete up to the
//! last footer; a tail torn by a crash is skipped by [`Recording::open`] and cut off by [`recover`].
//!
//! **Damage is noticed.** In front of each footer are checksums of it and of all that it describes. A
//! reader checks each part before it decodes it, and gives an error that names the place. Earlier
//! versions wrote none.
//!
//! **Frames have a fixed rate.** Frame `n` is at `start + n · step · record_every`. A frame without
//! people has no rows, and so the number of frames is in the metadata.
//!
//! ```no_run
//! # use throng::recording::*;
//! # fn simulate(info: RecordingInfo, states: &[Frame]) -> Result<(), RecordingError> {
//! let mut recorder = Recorder::create("hall.parquet", info, Overwrite::No)?;
//! for state in states {
//!     recorder.push(state)?;
//! }
//! recorder.finish()?;
//!
//! let mut recording = Recording::open("hall.parquet")?;
//! for frame in recording.frames() {
//!     let people = frame?.people;
//!     println!("{:?}", people.positions);
//! }
//! # Ok(())
//! # }
//! ```

mod attached;
mod checksums;
mod decode;
mod encode;
mod error;
mod footer;
mod frame;
mod info;
mod output;
mod reader;
mod rows;
mod schema;
mod sink;
mod table;
mod validate;
mod writer;

pub use crate::place::Overwrite;
pub use error::RecordingError;
pub use footer::{Recovery, recover};
pub use frame::{Frame, People, Person};
pub use info::{GroupInfo, LayerInfo, RecordingInfo};
pub use output::OutputFile;
pub use reader::{Frames, Recording};
pub(crate) use schema::column_names;
pub use table::{TableColumn, TableFile, TableValues};
pub use throng_crowd::Status;
pub use validate::{Finding, PUSH, Problem, Validation, Validator, validate};
pub use writer::{Recorder, Summary};

/// The most people in one frame. A reader that trusts a damaged count allocates without bound; with
/// this limit, a frame takes at most about a gigabyte.
pub const MAX_PEOPLE: usize = 1 << 24;
