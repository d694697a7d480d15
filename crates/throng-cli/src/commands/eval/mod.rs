//! `throng eval`.

mod build;
mod list;
mod score;
mod suite;

pub use build::engine;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use serde_json::json;
use throng::crowd::steering::MODELS;
use throng_eval::batch::baseline::Baseline;
use throng_eval::batch::{
    Batch, BatchError, BatchProgress, BatchWatch, Done, LARGEST_RECORDING, Matrix, Model, Results,
    Store, Subject, document, write_tables,
};
use throng_eval::report::write_report;
use throng_eval::scenarios::{QUICK, SCENARIOS, Scenario, scenario};
use throng_eval::score::ScoreOptions;

use crate::args::{
    CompareArguments, EvalArguments, EvalCommand, MatrixArguments, ReportArguments,
    ScoringArguments, Suite,
};
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Where results go if nothing is said.
const FOLDER: &str = "eval";

/// Evaluates steering models, or tells about evaluations.
pub fn run(arguments: &EvalArguments) -> Result<(), Failure> {
    match &arguments.command {
        None => match arguments.matrix.suite {
            Suite::Steering | Suite::Quick => evaluate(&arguments.matrix),
            Suite::Rimea | Suite::Realism => suite::run(&arguments.matrix),
        },
        Some(EvalCommand::Score(score)) => score::run(score),
        Some(EvalCommand::List(list)) => list::run(list),
        Some(EvalCommand::Report(report)) => write_again(report),
        Some(EvalCommand::Compare(compare)) => compare_with(compare),
    }
}

fn evaluate(arguments: &MatrixArguments) -> Result<(), Failure> {
    if !arguments.tests.is_empty() {
        let message =
            "--tests is for --suite rimea and --suite realism; name scenarios with --scenarios";
        return Err(Failure::Input(message.into()));
    }
    let interrupted = watch_for_interruption()?;
    let batch = Batch {
        subjects: subjects(arguments)?,
        models: models(arguments),
        seeds: arguments.seeds.unwrap_or(1),
        options: ScoreOptions::default(),
        recordings: arguments.recordings.unwrap_or_default(),
        largest_recording: LARGEST_RECORDING,
        threads: arguments.threads.map(Into::into),
        engine: engine(),
    };
    let folder = arguments.out.as_deref().unwrap_or(Path::new(FOLDER));
    let store = Store::create(folder)?;
    let done = made(folder, &interrupted, |watch| batch.run(&store, watch))?;
    let results = results(&store, &arguments.scoring)?;
    tell_kept(&done, arguments.format.json);
    if done.too_large > 0 && !arguments.format.json {
        let runs = report::counted(
            done.too_large as u64,
            "of the worst runs has",
            "of the worst runs have",
        );
        let most = LARGEST_RECORDING / 1_000_000;
        report::note(&format!(
            "{runs} no recording, which would take more than {most} MB; --recordings all records every run"
        ));
    }
    conclude(folder, &results, arguments.format.json)
}

/// The bar's steps: progress is a share.
const STEPS: u64 = 1000;

/// Makes the runs of a folder, with a bar that tells how far they are, and tells what became of them if that
/// is not the end of them all.
pub fn made(
    folder: &Path,
    interrupted: &AtomicBool,
    make: impl FnOnce(BatchWatch) -> Result<Done, BatchError>,
) -> Result<Done, Failure> {
    let (bar, go_on) = watched(interrupted);
    let watch = |progress: BatchProgress| {
        go_on(progress.share, &|| format!("{} of {} runs", progress.done, progress.total))
    };
    let done = make(&watch);
    bar.finish_and_clear();
    let done = done.map_err(|error| ended(folder, error))?;
    tell_damaged(&done);
    Ok(done)
}

/// A bar, and what shows a share with a message on it and says whether the user wants it to go on.
pub fn watched(
    interrupted: &AtomicBool,
) -> (ProgressBar, impl Fn(f64, &dyn Fn() -> String) -> bool + Sync) {
    let bar = report::progress_bar(STEPS, "{wide_bar} {msg}, {eta} left");
    let shown = bar.clone();
    let go_on = move |share: f64, message: &dyn Fn() -> String| {
        if !shown.is_hidden() {
            shown.set_message(message());
            shown.set_position((share * STEPS as f64) as u64);
        }
        !interrupted.load(Ordering::Relaxed)
    };
    (bar, go_on)
}

/// Why the runs of a folder ended early; of an interruption, the user is told how to go on.
pub fn ended(folder: &Path, error: BatchError) -> Failure {
    match error {
        BatchError::Interrupted { .. } => {
            let folder = folder.display();
            report::error(&format!("{error} in {folder}; the same command goes on from there"));
            Failure::Interrupted
        }
        error => error.into(),
    }
}

/// Tells which results were damaged.
pub fn tell_damaged(done: &Done) {
    for damaged in &done.damaged {
        report::warning(&format!("{damaged}; that run was made again"));
    }
}

/// Tells, unless it is data that is wanted, how many runs were there already.
pub fn tell_kept(done: &Done, json: bool) {
    if done.kept > 0 && !json {
        let kept = report::counted(done.kept as u64, "run was", "runs were");
        report::note(&format!("{kept} there already, {} made", done.ran));
    }
}

/// Writes tables and page, and prints what is in them.
fn conclude(folder: &Path, results: &Results, json: bool) -> Result<(), Failure> {
    write_tables(folder, results)?;
    let page = folder.join(throng_eval::report::PAGE);
    write_report(&page, results)?;
    if json {
        let mut document = document(results);
        document["folder"] = json!(folder.display().to_string());
        report::print_json(&document)?;
    } else {
        report::print(format_args!("{results}{}", page.display()))?;
    }
    let failed = results.runs.iter().filter(|run| run.is_failed());
    let mut reasons = failed.filter_map(|run| Some((run, run.failure()?)));
    match reasons.next() {
        None => Ok(()),
        Some((run, why)) => {
            let more = match reasons.count() {
                0 => String::new(),
                more => format!(
                    "; {} has none either",
                    report::counted(more as u64, "other run", "other runs")
                ),
            };
            let key = &run.record.key;
            Err(Failure::Work(format!(
                "{} with {} and seed {} has no score: {why}{more}",
                key.scenario, key.model, key.seed
            )))
        }
    }
}

fn write_again(arguments: &ReportArguments) -> Result<(), Failure> {
    let store = open(&arguments.folder)?;
    if suite::write_again(&store, arguments)? && !Matrix::is_in(&store) {
        return Ok(());
    }
    let results = results(&store, &arguments.scoring)?;
    results.damaged.iter().for_each(|damaged| report::warning(damaged));
    conclude(&arguments.folder, &results, arguments.format.json)
}

fn compare_with(arguments: &CompareArguments) -> Result<(), Failure> {
    let store = open(&arguments.folder)?;
    let results = results(&store, &ScoringArguments::usual())?;
    if results.missing + results.damaged.len() > 0 {
        let missing = results.missing + results.damaged.len();
        return Err(Failure::Input(format!(
            "{} has no results of {missing} runs; evaluate again, and then compare",
            arguments.folder.display()
        )));
    }
    let baseline = arguments.baseline.display();
    if arguments.accept {
        Baseline::of(&results).write(&arguments.baseline)?;
        let runs = report::counted(results.runs.len() as u64, "run", "runs");
        return report::print(format_args!("{baseline} has the numbers of {runs} now"));
    }
    let comparison = Baseline::read(&arguments.baseline)?.compare(&results);
    if comparison.differences.is_empty() {
        return report::print(comparison);
    }
    let count = report::counted(comparison.differences.len() as u64, "number", "numbers");
    Err(Failure::Work(format!(
        "{count} not as agreed in {baseline}:\n{comparison}\nIf that is meant to be, accept it: throng eval compare {} {baseline} --accept",
        arguments.folder.display()
    )))
}

fn open(folder: &Path) -> Result<Store, Failure> {
    Store::open(folder).map_err(|_| {
        let folder = folder.display();
        Failure::Input(format!(
            "{folder} has no results of an evaluation; make some with throng eval --out {folder}"
        ))
    })
}

fn results(store: &Store, scoring: &ScoringArguments) -> Result<Results, Failure> {
    Ok(Results::read(store, scoring.technique(), &scoring.weights())?)
}

/// The scenarios that were asked for.
fn subjects(arguments: &MatrixArguments) -> Result<Vec<Subject>, Failure> {
    if arguments.scenarios.is_empty() {
        let chosen = |scenario: &&Scenario| match arguments.suite {
            Suite::Quick => QUICK.contains(&scenario.name),
            Suite::Steering | Suite::Rimea | Suite::Realism => true,
        };
        return Ok(SCENARIOS.iter().filter(chosen).map(Subject::shipped).collect());
    }
    arguments.scenarios.iter().map(|name| subject(name.trim())).collect()
}

fn subject(name: &str) -> Result<Subject, Failure> {
    if let Some(shipped) = scenario(name) {
        return Ok(Subject::shipped(shipped));
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        return Ok(Subject::load(path)?);
    }
    let similar: Vec<&str> = SCENARIOS
        .iter()
        .map(|scenario| scenario.name)
        .filter(|known| known.contains(name) || name.contains(known))
        .take(8)
        .collect();
    let help = match similar.is_empty() {
        true => String::new(),
        false => format!("; do you mean {}", similar.join(", ")) + "?",
    };
    Err(Failure::Input(format!(
        "there is no scenario \"{name}\"{help}; \"throng eval list\" lists them, and scene files end in .toml"
    )))
}

/// The models that were asked for, or all.
fn models(arguments: &MatrixArguments) -> Vec<Model> {
    match arguments.models.is_empty() {
        true => MODELS.iter().filter_map(|model| model.name.parse().ok()).collect(),
        false => arguments.models.clone(),
    }
}
