//! What can be typed after `throng eval`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use throng::base::named_enum;
use throng_eval::batch::{Model, Recordings};
use throng_eval::score::{Technique, Weights};

use super::{Format, named, threads};

/// Compare steering models over many situations
///
/// Runs every scenario with every model and seed, several at once, until everybody has arrived or time is up;
/// measures collisions, time and effort from positions alone; checks the criteria that scenarios have; and
/// writes tables and a page with rankings and pictures into a folder.
///
/// Every run that is done is kept there. Ended by Ctrl-C, a crash or a power cut, the same command goes on from
/// where it was; nothing is run twice.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  throng eval --suite quick                          a first look at all models
  throng eval --seeds 5 --out all                    everything: takes its time, goes on where it was
  throng eval --scenarios squeeze,mine.toml --models ppr,orca:time_horizon=3
  throng eval --suite quick --recordings all         and then  throng studio eval
  throng eval --suite rimea --models pedestrian      the tests of the RiMEA guideline, five seeds each
  throng eval --suite realism --tests V04,R01        some checks of the scorecard
  throng eval list                                   which scenarios are there?
  throng eval score run.parquet                      the score of a recording
  throng eval report all --technique composite02     another technique, without new simulations
  throng eval compare eval agreed.json               has something changed?

Exit codes: 0 done, 1 a run has no score or something failed, 2 the command or its input was wrong, 130
interrupted, with all runs kept that were done. docs/evaluation.md and docs/verification.md say what
everything means."
)]
pub struct EvalArguments {
    #[command(subcommand)]
    pub command: Option<EvalCommand>,
    #[command(flatten)]
    pub matrix: MatrixArguments,
}

#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    Score(ScoreArguments),
    List(ListArguments),
    Report(ReportArguments),
    Compare(CompareArguments),
}

/// What is evaluated.
#[derive(Args, Debug)]
pub struct MatrixArguments {
    /// What to evaluate: all scenarios, a quick choice of small ones, or instead of scenarios the tests of the
    /// RiMEA guideline or the scorecard of realism
    #[arg(long, value_name = "SUITE", value_parser = named(&Suite::ALL, Suite::name), default_value = "steering", conflicts_with = "scenarios")]
    pub suite: Suite,
    /// Scenarios by name, and scene files of your own
    #[arg(long, value_name = "NAME|FILE.toml,…", value_delimiter = ',')]
    pub scenarios: Vec<String>,
    /// Steering models, with other parameters than their defaults as NAME:PARAMETER=VALUE:…, or scene for those
    /// that scenes have themselves [default: all models]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub models: Vec<Model>,
    /// How often each scenario or test is run with each model [default: 1; with rimea and realism 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: Option<u64>,
    /// Only these tests of --suite rimea or realism, by number
    #[arg(long, value_name = "ID,…", value_delimiter = ',', conflicts_with = "scenarios")]
    pub tests: Vec<String>,
    /// The folder for results; what is there already is not run again [default: eval; with rimea and realism
    /// verification]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub scoring: ScoringArguments,
    /// Which runs to record, for the studio: all, the 12 worst, or none [default: worst]
    #[arg(long, value_name = "WHICH", value_parser = named(&Recordings::ALL, Recordings::name))]
    pub recordings: Option<Recordings>,
    /// How many runs at once, 1 to 1024 [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = threads())]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub format: Format,
}

/// What makes a score of what was measured.
#[derive(Args, Clone, Debug)]
pub struct ScoringArguments {
    /// What to rank by [default: normalised]
    #[arg(long, value_name = "NAME", value_parser = named(&Technique::ALL, Technique::name))]
    pub technique: Option<Technique>,
    /// Weights of collisions, time, energy and acceleration in composites [default: 50,1,1,1]
    #[arg(long, value_name = "A,B,C,D", value_parser = weights)]
    pub weights: Option<Weights>,
}

impl ScoringArguments {
    /// Without anything given.
    pub fn usual() -> Self {
        Self { technique: None, weights: None }
    }

    /// The technique that was given, or the one that compares across scenarios.
    pub fn technique(&self) -> Technique {
        self.technique.unwrap_or(Technique::Normalised)
    }

    /// The weights that were given, or those of the paper.
    pub fn weights(&self) -> Weights {
        self.weights.unwrap_or_default()
    }
}

named_enum! {
    /// A set of scenarios.
    pub enum Suite {
        /// All situations that steering is tried on.
        Steering = "steering",
        /// A few of them.
        Quick = "quick",
        /// The tests of a guideline for evacuation.
        Rimea = "rimea",
        /// How much like people a crowd moves.
        Realism = "realism",
    }
}

/// Score a recording
///
/// Measures a recording as `throng eval` measures a run, and gives the same numbers.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng eval score run.parquet                            scores by all techniques, with their terms
  throng eval score run.parquet --technique composite02 --score-only
  throng eval score run.parquet --agent 7 --json           everything about one person
  throng eval score run.parquet --details                  a line for everybody
  throng eval score run.parquet --at 12.5                  as if it had ended then
  throng eval score run.parquet --every-frame > scores.csv
  throng eval score tracks.parquet --scene hall.toml       tracks of other programs, with a scene's goals")]
pub struct ScoreArguments {
    /// The recording
    #[arg(value_name = "REC.parquet")]
    pub recording: PathBuf,
    /// The scene with walls, goals and criteria [default: the one in the recording]
    #[arg(long, value_name = "SCENE.toml")]
    pub scene: Option<PathBuf>,
    #[command(flatten)]
    pub scoring: ScoringArguments,
    /// Only this person
    #[arg(long, value_name = "ID")]
    pub agent: Option<u32>,
    /// As if the recording had ended at this moment
    #[arg(long, value_name = "SECONDS", value_parser = super::studio::moment, allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// A line for each moment, comma-separated: the score if the recording had ended then
    #[arg(long, conflicts_with_all = ["at", "details", "score_only"])]
    pub every_frame: bool,
    /// A line for everybody as well
    #[arg(long, conflicts_with = "score_only")]
    pub details: bool,
    /// Print the number and nothing else
    #[arg(long)]
    pub score_only: bool,
    #[command(flatten)]
    pub format: Format,
}

/// List the scenarios
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng eval list
  throng eval list --json | jq '.[] | select(.inferred) | .name'")]
pub struct ListArguments {
    #[command(flatten)]
    pub format: Format,
}

/// Write tables and page of a folder again
///
/// Of what is there, also while or before all of it is. Scores are made of what was measured: another technique
/// or other weights need no new runs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng eval report eval
  throng eval report eval --technique composite01 --weights 100,1,1,0")]
pub struct ReportArguments {
    /// The folder with results
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub scoring: ScoringArguments,
    #[command(flatten)]
    pub format: Format,
}

/// Compare results with numbers that were agreed on
///
/// Whether people arrive, collide and meet the criteria must be exactly as agreed; scores may differ by 0.5 %.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng eval compare eval agreed.json             exit code 1 if something differs
  throng eval compare eval agreed.json --accept    agree on what is there now")]
pub struct CompareArguments {
    /// The folder with results
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// The agreed numbers
    #[arg(value_name = "BASELINE.json")]
    pub baseline: PathBuf,
    /// Write the numbers of today instead of comparing with them
    #[arg(long)]
    pub accept: bool,
}

fn weights(text: &str) -> Result<Weights, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|word| word.trim().parse().ok()).collect();
    let four = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
    let is_weight = |four: &[f64; 4]| four.iter().all(|x| x.is_finite() && *x >= 0.0);
    let [alpha, beta, gamma, delta] =
        four.filter(is_weight).ok_or("they are four numbers of 0 or more, e.g. 50,1,1,1")?;
    Ok(Weights { alpha, beta, gamma, delta, ..Weights::default() })
}
