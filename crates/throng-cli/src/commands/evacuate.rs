//! `throng evacuate`.

use std::path::{Path, PathBuf};

use serde_json::json;
use throng::Scene;
use throng_eval::batch::Store;
use throng_eval::evacuation::{Study, write_report};

use super::eval::{engine, made, tell_kept};
use crate::args::EvacuateArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Runs a scene with many seeds, writes a report, and prints what is in it.
pub fn run(arguments: &EvacuateArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let mut scene = Scene::load(&arguments.scene)?;
    if let Some(duration) = arguments.duration {
        scene.set_duration(duration)?;
    }
    let folder = arguments.scene.parent().unwrap_or(Path::new(""));
    let mut study = Study::new(scene, folder, engine());
    study.threads = arguments.threads.map(Into::into);
    study.seeds_max = arguments.seeds_max.unwrap_or(study.seeds_max);

    let out = arguments.out.clone().unwrap_or_else(|| default_folder(&arguments.scene));
    let store = Store::create(&out)?;
    let done = made(&out, &interrupted, |watch| study.run(&store, watch))?;
    tell_kept(&done, arguments.format.json);
    let results = study.report(&store);
    let page = write_report(&study, &store, &results)?;
    results.warnings.iter().for_each(|warning| report::warning(warning));
    if arguments.format.json {
        let mut document = json!(results);
        document["folder"] = json!(out.display().to_string());
        report::print_json(&document)?;
    } else {
        report::print(format_args!("{results}{}", page.display()))?;
    }
    match results.runs.iter().all(|run| run.failure.is_some()) {
        true => Err(Failure::Work("no run has a result".into())),
        false => Ok(()),
    }
}

/// A folder named after the scene, in the working directory.
fn default_folder(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("{stem}-evacuation"))
}
