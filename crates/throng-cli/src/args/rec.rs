//! What can be typed after `throng rec`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

/// Work on recordings
///
/// Recordings are Throng's own (.parquet) or rec files of SteerSuite (.rec).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng rec validate plaza.parquet                   can it be true?
  throng rec validate theirs.rec --scene plaza.toml   is it a run of this scene?")]
pub struct RecArguments {
    #[command(subcommand)]
    pub command: RecCommand,
}

#[derive(Debug, Subcommand)]
pub enum RecCommand {
    Validate(ValidateArguments),
}

/// Check whether a recording can be true
///
/// The first frame is held against the scene: everyone is where scene and seed put them, with their
/// radius. From then on nobody is faster than they can be, jumps, stands in a wall, is there twice,
/// comes back after having left, or is nowhere, and times ascend.
///
/// Between two frames nobody gets further than their largest speed allows, with 2 % and 2 mm for
/// rounding. Only who is about to touch somebody may be pushed, by up to 10 cm in a step.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng rec validate plaza.parquet
  throng rec validate plaza.parquet --json | jq .counts
  throng rec validate theirs.rec --scene plaza.toml

Of a recording, the seed is its own; of a rec file, that of the scene.
Exit codes: 0 nothing was found, 1 something was, 2 the file or the scene cannot be read.")]
pub struct ValidateArguments {
    /// The recording
    #[arg(value_name = "REC.parquet|REC.rec")]
    pub recording: PathBuf,
    /// The scene it should be a run of [default: the one in the recording; a rec file has none, and
    /// only its obstacles are known]
    #[arg(long, value_name = "SCENE.toml")]
    pub scene: Option<PathBuf>,
    #[command(flatten)]
    pub format: Format,
}
