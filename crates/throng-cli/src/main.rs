//! The `throng` command: simulate, check, look at, exchange and measure crowds.
//!
//! Everything it does is in the libraries `throng` and `throng-eval`; here are only its arguments
//! ([`args`]), a module for each command, and how results and errors are shown ([`report`], [`failure`]).
//!
//! Exit codes: 0 done, 1 the work failed, 2 the command or its input was wrong, 130 interrupted.

mod args;
mod commands;
mod failure;
mod interruption;
mod report;

use std::process::ExitCode;

use args::{Arguments, Command};
use clap::Parser;
use failure::Failure;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Run(run) => commands::run::run(&run),
        Command::Check(check) => commands::check::run(&check),
        Command::Schema => commands::schema::run(),
        Command::Info(info) => commands::info::run(&info),
        Command::Measure(measure) => commands::measure::run(&measure),
        Command::Export(export) => commands::export::run(&export),
        Command::Import(import) => commands::import::run(&import),
        Command::Rec(rec) => commands::rec::run(&rec),
        Command::Animate(animate) => commands::animate::run(&animate),
        Command::Survey(survey) => commands::survey::run(&survey),
        Command::Plot(plot) => commands::plot::run(&plot),
        Command::Clips(clips) => commands::clips::run(&clips),
        Command::Evacuate(study) => commands::evacuate::run(&study),
        Command::Calibrate(calibrate) => commands::calibrate::run(&calibrate),
        Command::Experiment(experiment) => commands::experiment::run(&experiment),
        Command::Eval(eval) => commands::eval::run(&eval),
        Command::Bench(bench) => commands::bench::run(&bench),
        Command::Studio(studio) => commands::studio::run(&studio),
        Command::Completions { shell } => commands::completions::run(shell),
    };
    done.map_or_else(|failure| end(&failure), |()| ExitCode::SUCCESS)
}

fn end(failure: &Failure) -> ExitCode {
    failure.show();
    ExitCode::from(failure.exit_code())
}
