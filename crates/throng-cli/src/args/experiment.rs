//! What can be typed after `throng experiment`.

use clap::{Args, Subcommand};
use throng_eval::experiments::Steering;

use super::Format;

/// Repeat a known experiment with people, and compare
///
/// Builds the scene of a laboratory or of a paper, runs it with steering models and several seeds,
/// measures it as was done there, and prints the results beside those of people.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  throng experiment doors                            flow through doors of five widths
  throng experiment doors --models pedestrian,orca --seeds 3 --widths 0.8,1.2
  throng experiment counter-flow --against 50        100 people against 50 in a corridor
  throng experiment fundamental --json               speed against density
  throng experiment hallway --models predictive:conflicts=2,predictive:iterative=0

docs/experiments.md says what is measured and what comes out.")]
pub struct ExperimentArguments {
    #[command(subcommand)]
    pub experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub enum Experiment {
    /// How many people per second come through a door?
    ///
    /// 150 people leave a hall 6.3 m wide by a door.
    #[command(after_help = "\
Examples:
  throng experiment doors
  throng experiment doors --models pedestrian,social_force:time_gap=0.5 --seeds 5 --widths 1,1.4")]
    Doors {
        /// Clear widths of the doors, m, 0.5 to 6 [default: 0.8,1,1.2,1.6,2]
        #[arg(long, value_name = "M,…", value_delimiter = ',', allow_negative_numbers = true)]
        widths: Vec<f64>,
        #[command(flatten)]
        setup: SetupArguments,
    },
    /// Do people who want opposite ways through a corridor get through?
    ///
    /// 100 people walk from one room to another by a corridor 10 m long and 2 m wide, against others.
    #[command(after_help = "\
Examples:
  throng experiment counter-flow
  throng experiment counter-flow --models pedestrian,orca --against 10 --seeds 3")]
    CounterFlow {
        /// How many come towards the 100, at most 120 [default: 0,10,50,100]
        #[arg(long, value_name = "N,…", value_delimiter = ',')]
        against: Vec<u32>,
        #[command(flatten)]
        setup: SetupArguments,
    },
    /// How fast do people walk in a corridor at several densities?
    ///
    /// 200 m of people walk one way in a corridor 3 m wide.
    #[command(after_help = "\
Examples:
  throng experiment fundamental
  throng experiment fundamental --densities 0.5,1,2 --models pedestrian,pedestrian:time_gap=0.8")]
    Fundamental {
        /// People per m² at the start, 0.05 to 4 [default: ten from 0.62 to 3.75]
        #[arg(long, value_name = "N,…", value_delimiter = ',', allow_negative_numbers = true)]
        densities: Vec<f64>,
        #[command(flatten)]
        setup: SetupArguments,
    },
    /// How smoothly do two groups walk through each other?
    ///
    /// Two groups of 50 change places in a hallway 10 m wide. The first model is compared with each of
    /// the others.
    #[command(after_help = "\
Examples:
  throng experiment hallway
  throng experiment hallway --models predictive:conflicts=1,predictive:conflicts=3 --seeds 10")]
    Hallway {
        #[command(flatten)]
        setup: SetupArguments,
    },
}

/// What all experiments can be told.
#[derive(Args, Clone, Debug)]
pub struct SetupArguments {
    /// Steering models, with other parameters than their defaults as NAME:PARAMETER=VALUE:… [default:
    /// pedestrian; in the hallway predictive,social_force,orca]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub models: Vec<Steering>,
    /// How often each case is repeated, 1 to 1000 [default: doors 20, others 5]
    #[arg(long, value_name = "N")]
    pub seeds: Option<u32>,
    /// Time between two states, 0.005 to 0.5 [default: 0.05]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub step: Option<f64>,
    #[command(flatten)]
    pub format: Format,
}
