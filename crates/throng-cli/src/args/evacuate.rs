//! What can be typed after `throng evacuate`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, threads};

/// Study an evacuation: repeat a scene until the distribution of its times is known
///
/// Runs a scene with seeds 0, 1, 2, … until one more run changes neither the total evacuation time nor the egress curve, and
/// writes a folder with a page, tables and data. Runs that are done are kept: after Ctrl-C the same command goes on.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng evacuate hall.toml                            page in hall-evacuation/evacuation.html
  throng evacuate hall.toml --seeds-max 20 --out study --threads 4
  throng evacuate hall.toml --duration 1200 --json     the report as data

docs/evacuation.md says how to write such a scene, and what is in the report.")]
pub struct EvacuateArguments {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,
    /// The folder for runs and report; runs that are there are not made again [default: the scene's name and -evacuation]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// How many runs at most, 1 to 10000 [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub seeds_max: Option<u64>,
    /// Longest time of a run, in place of the scene's
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// How many runs at once, 1 to 1024 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub format: Format,
}
