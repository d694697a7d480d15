//! `throng eval --suite rimea` and `--suite realism`: suites with tests of their own, not scenarios.

use std::path::Path;

use serde_json::json;
use throng::crowd::steering::MODELS;
use throng_eval::batch::{Model, Store};
use throng_eval::experiments::{Setup, Steering};
use throng_eval::verification::{
    Check, Outcome, Suite as Tests, SuiteBatch, scenes_digest, write_suite,
};

use super::{build, made, tell_kept};
use crate::args::{MatrixArguments, ReportArguments, Suite};
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Time between two states, s.
const STEP: f64 = 0.05;
/// As often as the guideline asks for where chance has a part.
const SEEDS: u64 = 5;
/// Where results go if nothing is said. Both suites share what both measure.
const FOLDER: &str = "verification";

/// Runs a suite in a folder, and tells what came of it.
pub fn run(arguments: &MatrixArguments) -> Result<(), Failure> {
    let scoring = &arguments.scoring;
    for (option, is_given) in [
        ("--technique", scoring.technique.is_some()),
        ("--weights", scoring.weights.is_some()),
        ("--recordings", arguments.recordings.is_some()),
    ] {
        if is_given {
            let suite = arguments.suite.name();
            let message = format!("{option} is for scenarios; --suite {suite} has no use for it");
            return Err(Failure::Input(message));
        }
    }
    let seeds = arguments.seeds.unwrap_or(SEEDS) as u32;
    let batch = SuiteBatch {
        suite: match arguments.suite {
            Suite::Realism => Tests::Realism,
            Suite::Rimea | Suite::Steering | Suite::Quick => Tests::Rimea,
        },
        tests: arguments.tests.clone(),
        setup: Setup { models: models(arguments)?, seeds, step: STEP },
        threads: arguments.threads.map(Into::into),
        engine: build::engine(),
        scenes: scenes_digest(),
    };
    let interrupted = watch_for_interruption()?;
    let folder = arguments.out.as_deref().unwrap_or(Path::new(FOLDER));
    batch.check()?;
    let store = Store::create(folder)?;
    let done = made(folder, &interrupted, |watch| batch.run(&store, watch))?;
    tell_kept(&done, arguments.format.json);
    conclude(&[batch], &store, arguments.format.json)
}

/// Writes tables and pages of the suites in a folder again; says whether there are any.
pub fn write_again(store: &Store, arguments: &ReportArguments) -> Result<bool, Failure> {
    let mut batches = Vec::new();
    for suite in Tests::ALL {
        batches.extend(SuiteBatch::read(store, suite)?);
    }
    let found = !batches.is_empty();
    if found {
        conclude(&batches, store, arguments.format.json)?;
    }
    let scoring = &arguments.scoring;
    if found && (scoring.technique.is_some() || scoring.weights.is_some()) {
        let folder = arguments.folder.display();
        report::warning(&format!("{folder} has tests, which have verdicts and no scores"));
    }
    Ok(found)
}

/// Writes tables and pages of suites in a folder, and prints what is in them.
fn conclude(batches: &[SuiteBatch], store: &Store, json: bool) -> Result<(), Failure> {
    let (mut documents, mut broken) = (Vec::new(), None);
    for batch in batches {
        let made = batch.report(store)?;
        let page = write_suite(batch, store, &made)?;
        if !json {
            report::print(format_args!("{made}{}", page.display()))?;
        }
        for (model, checks) in &made.rows {
            let cannot = checks.iter().find(|check| check.outcome == Outcome::Broken);
            let told = |check: &Check| {
                format!("test {} cannot be run with {model}: {}", check.id, check.detail)
            };
            broken = broken.or(cannot.map(told));
        }
        let mut document = json!(made);
        document["folder"] = json!(store.folder().display().to_string());
        documents.push(document);
    }
    if json {
        match &documents[..] {
            [one] => report::print_json(one)?,
            several => report::print_json(&several)?,
        }
    }
    broken.map_or(Ok(()), |why| Err(Failure::Work(why)))
}

fn models(arguments: &MatrixArguments) -> Result<Vec<Steering>, Failure> {
    if arguments.models.is_empty() {
        return Ok(MODELS.iter().filter_map(|model| model.name.parse().ok()).collect());
    }
    let mut models = Vec::new();
    for model in &arguments.models {
        match model {
            Model::Steering(steering) if models.contains(steering) => {}
            Model::Steering(steering) => models.push(steering.clone()),
            Model::OfScene => {
                return Err(Failure::Input(format!(
                    "--suite {} builds its own scenes; name a steering model instead of scene",
                    arguments.suite.name()
                )));
            }
        }
    }
    Ok(models)
}
