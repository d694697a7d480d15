//! What can be typed after `throng calibrate`.

use std::path::PathBuf;

use clap::Args;
use throng_eval::calibration::ParameterRange;

use super::{Format, threads};

/// Find parameters of a steering model that meet checks and real tracks
///
/// Changes parameters of a model, generation by generation (CMA-ES), until tests, situations and recorded tracks come out as expected,
/// with some seeds; then runs the defaults and what was found with other seeds and other recorded people, which were held out, and
/// writes a folder with a page, tables and data that show both.
///
/// What is said in a plan is replaced by what is said here. Every run that is done is kept: after Ctrl-C the same command goes on, to the
/// same result.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng calibrate pedestrian --to L01,L04 --parameters time_gap=0.3..1.5,stagger --generations 5
  throng calibrate orca:time_horizon=3 --to squeeze,oncoming-1 --parameters neighbour_range
  throng calibrate plan.toml                          all as in the plan, into plan-calibration
  throng calibrate plan.toml --generations 40 --threads 8 --out study
  throng calibrate predictive --to street.parquet --held-out-people 0.3

Targets are numbers of tests (RiMEA 1 to 16, realism V01 to R05), situations (\"throng eval list\"),
scene files with criteria and recordings of tracks. docs/calibration.md says how a plan is written,
and what is in the report.")]
pub struct CalibrateArguments {
    /// The model, with values of parameters that stay as they are as NAME:PARAMETER=VALUE:…, or a plan
    #[arg(value_name = "MODEL|PLAN.toml")]
    pub model: String,
    /// What to calibrate to
    #[arg(long, value_name = "TARGET,…", value_delimiter = ',')]
    pub to: Vec<String>,
    /// The parameters that may change, with the range if it is not all of the model's [default: all of the model's own]
    #[arg(long, value_name = "NAME[=LOW..HIGH],…", value_delimiter = ',', value_parser = parameter)]
    pub parameters: Vec<(String, ParameterRange)>,
    /// How often each target is run with each candidate, with seeds 0, 1, 2, … [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: Option<u64>,
    /// How often each target is run at the end, with seeds 1000, 1001, … [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub held_out: Option<u64>,
    /// The share of recorded people that is held out [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub held_out_people: Option<f64>,
    /// How many generations at most, 1 to 10000 [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub generations: Option<u32>,
    /// How many candidates each generation has, 4 to 1000 [default: 4 and more with more parameters]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=1000))]
    pub population: Option<u32>,
    /// How far the first generation spreads, as a share of each range, up to 0.5 [default: 0.25]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub sigma: Option<f64>,
    /// What the candidates derive from [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The folder for runs and report; runs that are there are not made again [default: the name of model or plan and -calibration]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// How many runs at once, 1 to 1024 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub format: Format,
}

/// A parameter, or a parameter and its range.
fn parameter(text: &str) -> Result<(String, ParameterRange), String> {
    let Some((name, range)) = text.split_once('=') else {
        return Ok((text.trim().into(), ParameterRange::default()));
    };
    let ends = range.split_once("..").map(|(low, high)| [low, high].map(str::trim));
    let number = |text: &str| text.parse::<f32>().ok().filter(|number| number.is_finite());
    match ends.map(|ends| ends.map(number)) {
        Some([Some(min), Some(max)]) => {
            let range = ParameterRange { min: Some(min), max: Some(max), start: None };
            Ok((name.trim().into(), range))
        }
        _ => Err("it is a name, or a name and two numbers, e.g. time_gap=0.3..1.5".into()),
    }
}
