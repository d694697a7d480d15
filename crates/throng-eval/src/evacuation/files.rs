//! What is written of a study, in the folder of its runs.
//!
//! `evacuation.html` is a page that needs nothing else, `evacuation.json` the same as data. `runs.csv` has a line for each run,
//! `people.csv` one for each person of each run, `egress.csv` the averaged egress curve, `flows.csv` the flow at each exit over
//! time, `map.csv` the cells of the maps and `convergence.csv` what each run has changed. None of them depends on the machine or
//! the number of threads; how long runs took does: `timings.csv`.

use std::path::PathBuf;

use throng::place::FileError;

use super::report::Report;
use super::run::{Evacuee, exits};
use super::{Study, StudyRun};
use crate::batch::{BatchError, Columns, Store, Table, write_whole};
use crate::report::evacuation_page;

/// What the page is called, in the folder of a study.
pub const REPORT_PAGE: &str = "evacuation.html";

/// Writes a study's page, tables and data, in place of what was written before. Returns where the page is.
///
/// # Errors
///
/// If something cannot be written.
pub fn write_report(study: &Study, store: &Store, report: &Report) -> Result<PathBuf, BatchError> {
    let place = |name: &str| store.folder().join(name);
    let runs = study.runs(store);
    runs_table(report).write_text(&place("runs.csv"))?;
    people_table(study, &runs).write_text(&place("people.csv"))?;
    egress_table(report).write_text(&place("egress.csv"))?;
    flows_table(report).write_text(&place("flows.csv"))?;
    map_table(study, report).write_text(&place("map.csv"))?;
    convergence_table(report).write_text(&place("convergence.csv"))?;
    let mut columns = Columns { rows: &runs, columns: Vec::new() };
    columns.count("seed", |run| Some(run.key.seed));
    columns.number("elapsed", |run| Some(run.elapsed));
    Table { columns: columns.columns }.write_text(&place("timings.csv"))?;
    let path = place("evacuation.json");
    let text = serde_json::to_string_pretty(report).map_err(FileError::write(&path))?;
    write_whole(&path, &(text + "\n"))?;
    let page = place(REPORT_PAGE);
    write_whole(&page, &evacuation_page(report, &study.scene))?;
    Ok(page)
}

fn runs_table(report: &Report) -> Table {
    let mut columns = Columns { rows: &report.runs, columns: Vec::new() };
    columns.count("seed", |run| Some(run.seed));
    columns.count("people", |run| Some(run.people as u64));
    columns.count("out", |run| Some(run.out as u64));
    columns.number("total_time", |run| run.total);
    columns.number("time_50", |run| run.shares[0]);
    columns.number("time_90", |run| run.shares[1]);
    columns.number("time_95", |run| run.shares[2]);
    columns.number("last_set_out", |run| run.last_set_out);
    columns.text("failure", |run| run.failure.clone().unwrap_or_default());
    Table { columns: columns.columns }
}

fn people_table(study: &Study, runs: &[StudyRun]) -> Table {
    let of_run = |run: &'_ StudyRun| -> Vec<(u64, Evacuee)> {
        let people = run.result.iter().flat_map(|result| &result.people);
        people.map(|person| (run.key.seed, person.clone())).collect()
    };
    let rows: Vec<(u64, Evacuee)> = runs.iter().flat_map(of_run).collect();
    let scene = &study.scene;
    let exits = exits(scene);
    let exit = |person: &Evacuee| {
        let id = person.exit.and_then(|exit| exits.get(usize::from(exit)));
        id.map(|id| scene.regions[usize::from(id.0)].name.clone()).unwrap_or_default()
    };
    let group = |person: &Evacuee| {
        let group = scene.groups.get(usize::from(person.group));
        group.map(|group| group.name.clone()).unwrap_or_default()
    };
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.count("seed", |row| Some(row.0));
    columns.count("person", |row| Some(row.1.id.into()));
    columns.text("group", |row| group(&row.1));
    columns.number("appeared", |row| Some(row.1.appeared));
    columns.number("set_out", |row| Some(row.1.set_out));
    columns.number("out", |row| row.1.out);
    columns.text("exit", |row| exit(&row.1));
    columns.number("waited", |row| Some(row.1.waited));
    columns.number("walked", |row| Some(row.1.walked));
    columns.text("status", |row| row.1.status.clone());
    Table { columns: columns.columns }
}

fn egress_table(report: &Report) -> Table {
    let rows: Vec<(u64, f64)> = (1..).zip(report.egress.iter().copied()).collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.count("people_out", |row| Some(row.0));
    columns.number("time", |row| Some(row.1));
    Table { columns: columns.columns }
}

fn flows_table(report: &Report) -> Table {
    let of_exit = |exit: &super::ExitUse| -> Vec<(String, f64, f64)> {
        let name = exit.name.clone().unwrap_or_default();
        let begin = |bin: usize| bin as f64 * report.flow_interval;
        exit.flows.iter().enumerate().map(|(bin, flow)| (name.clone(), begin(bin), *flow)).collect()
    };
    let rows: Vec<(String, f64, f64)> = report.exits.iter().flat_map(of_exit).collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.text("exit", |row| row.0.clone());
    columns.number("from", |row| Some(row.1));
    columns.number("flow", |row| Some(row.2));
    Table { columns: columns.columns }
}

fn map_table(study: &Study, report: &Report) -> Table {
    let scene = &study.scene;
    let mut columns = Columns { rows: &report.cells, columns: Vec::new() };
    columns.text("layer", |cell| scene.layers[cell.at[0] as usize].name.clone());
    columns.number("x", |cell| Some(cell.middle(&scene.bounds).x.into()));
    columns.number("y", |cell| Some(cell.middle(&scene.bounds).y.into()));
    columns.number("presence", |cell| Some(cell.presence));
    columns.number("mean_density", |cell| Some(cell.mean_density()));
    columns.number("peak_density", |cell| Some(cell.peak));
    columns.number("waiting", |cell| Some(cell.waiting));
    Table { columns: columns.columns }
}

fn convergence_table(report: &Report) -> Table {
    let mut columns = Columns { rows: &report.changes, columns: Vec::new() };
    columns.count("runs", |change| Some(change.runs as u64));
    columns.number("mean", |change| Some(change.mean));
    columns.number("sd", |change| Some(change.sd));
    columns.number("mean_change", |change| change.mean_change);
    columns.number("sd_change", |change| change.sd_change);
    columns.number("euclidean_relative_difference", |change| change.difference);
    columns.number("euclidean_projection_coefficient", |change| change.projection);
    columns.number("secant_cosine", |change| change.cosine);
    Table { columns: columns.columns }
}
