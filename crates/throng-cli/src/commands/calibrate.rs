//! `throng calibrate`.

use std::path::{Path, PathBuf};

use serde_json::json;
use throng_eval::batch::Store;
use throng_eval::calibration::{
    Calibration, CalibrationProgress, PlanFile, Seeds, write_calibration,
};

use super::eval::{ended, engine, tell_damaged, tell_kept, watched};
use crate::args::CalibrateArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Calibrates a model, writes a report, and prints what is in it.
pub fn run(arguments: &CalibrateArguments) -> Result<(), Failure> {
    let plan = plan_file(arguments)?.resolve()?;
    let interrupted = watch_for_interruption()?;
    let out = arguments.out.clone().unwrap_or_else(|| default_folder(&arguments.model));
    let store = Store::create(&out)?;
    let threads = arguments.threads.map(Into::into);
    let calibration = Calibration { plan, threads, engine: engine() };
    let (bar, go_on) = watched(&interrupted);
    let made = calibration.run(&store, &|progress: CalibrationProgress| {
        go_on(progress.share, &|| {
            let best = progress.best.map(|best| format!(", objective {best:.4}"));
            let CalibrationProgress { generation, generations, done, total, .. } = progress;
            let best = best.unwrap_or_default();
            format!("generation {generation} of {generations}{best}, {done} of {total} runs")
        })
    });
    bar.finish_and_clear();
    let (done, results) = made.map_err(|error| ended(&out, error))?;
    tell_damaged(&done);
    tell_kept(&done, arguments.format.json);
    let page = write_calibration(&store, &results)?;
    results.warnings().iter().for_each(|warning| report::warning(warning));
    if arguments.format.json {
        let mut document = json!(results);
        document["folder"] = json!(out.display().to_string());
        report::print_json(&document)?;
    } else {
        report::print(format_args!("{results}\n{}", page.display()))?;
    }
    match &results.found {
        Some(found) if !results.is_as_found() => Err(Failure::Work(format!(
            "the plan has found {found} before, and finds {} now; write that into it if it is meant to be",
            results.best
        ))),
        _ => Ok(()),
    }
}

/// The plan, with what was typed in place of what it says.
fn plan_file(arguments: &CalibrateArguments) -> Result<PlanFile, Failure> {
    let mut plan = match is_plan(&arguments.model) {
        true => PlanFile::load(Path::new(&arguments.model))?,
        false => PlanFile { model: arguments.model.clone(), ..PlanFile::default() },
    };
    if !arguments.to.is_empty() {
        plan.to.clone_from(&arguments.to);
        // Those paths are relative to where they were typed.
        plan.folder = PathBuf::new();
        let is_given =
            |name: &String| plan.to.iter().any(|to| to.trim().eq_ignore_ascii_case(name));
        plan.weights.retain(|name, _| is_given(name));
    }
    if !arguments.parameters.is_empty() {
        plan.parameters = arguments.parameters.iter().cloned().collect();
        if plan.parameters.len() < arguments.parameters.len() {
            return Err(Failure::Input("a parameter is given twice; give it once".into()));
        }
    }
    let count = |given: Option<u64>| given.map(Seeds::Count);
    plan.seeds.training = count(arguments.seeds).or(plan.seeds.training);
    plan.seeds.held_out = count(arguments.held_out).or(plan.seeds.held_out);
    plan.tracks.held_out_people = arguments.held_out_people.or(plan.tracks.held_out_people);
    let search = &mut plan.search;
    search.generations = arguments.generations.or(search.generations);
    search.population = arguments.population.or(search.population);
    search.sigma = arguments.sigma.or(search.sigma);
    search.seed = arguments.seed.or(search.seed);
    if is_changed(arguments) {
        plan.found = None;
    }
    Ok(plan)
}

/// Whether something else is looked for than the plan says.
fn is_changed(arguments: &CalibrateArguments) -> bool {
    let CalibrateArguments { seeds, held_out, generations, population, seed, .. } = arguments;
    let numbers =
        [*seeds, *held_out, generations.map(Into::into), population.map(Into::into), *seed];
    let shares = [arguments.held_out_people, arguments.sigma];
    let is_given = !arguments.to.is_empty() || !arguments.parameters.is_empty();
    is_given || numbers.iter().any(Option::is_some) || shares.iter().any(Option::is_some)
}

fn is_plan(model: &str) -> bool {
    Path::new(model).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// A folder named after the plan or the model, in the working directory.
fn default_folder(model: &str) -> PathBuf {
    let stem = match is_plan(model) {
        true => Path::new(model).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        false => model.split(':').next().unwrap_or_default().to_owned(),
    };
    PathBuf::from(format!("{stem}-calibration"))
}
