//! What is written of a suite: tables, data and a page, in the folder of its runs.
//!
//! `NAME.csv` has a line for each test of each model, `NAME-numbers.csv` one for each number of each run,
//! `NAME.json` the same as the report, `NAME.md` the verdicts as a table for a document, and `NAME.html` is a
//! page that needs nothing else. None of them depends on the machine or the number of threads. How long runs took does: `NAME-timings.csv`.

use std::path::PathBuf;

use throng::place::FileError;

use super::batch::SuiteBatch;
use super::report::{Check, SuiteReport};
use crate::batch::{BatchError, Columns, Store, Table, write_whole};
use crate::experiments::Steering;
use crate::report::{suite_page, verdicts};

/// Writes what is in a folder of a suite, in place of what was written before. Returns where the page is.
///
/// # Errors
///
/// If something cannot be written.
pub fn write_suite(
    batch: &SuiteBatch,
    store: &Store,
    report: &SuiteReport,
) -> Result<PathBuf, BatchError> {
    let name = batch.suite.name();
    let place = |ending: &str| store.folder().join(format!("{name}{ending}"));
    checks_table(report).write_text(&place(".csv"))?;
    let runs = batch.runs(store)?;
    let mut numbers = Vec::new();
    let mut timings = Vec::new();
    for run in &runs {
        timings.push((&run.key, run.elapsed));
        for (nth, value) in run.numbers().unwrap_or_default().into_iter().enumerate() {
            numbers.push((&run.key, nth as u64, value));
        }
    }
    let mut columns = Columns { rows: &numbers, columns: Vec::new() };
    columns.text("model", |row| row.0.model.clone());
    columns.text("measure", |row| row.0.scenario.clone());
    columns.count("seed", |row| Some(row.0.seed));
    columns.count("number", |row| Some(row.1));
    columns.number("value", |row| Some(row.2));
    Table { columns: columns.columns }.write_text(&place("-numbers.csv"))?;
    let mut columns = Columns { rows: &timings, columns: Vec::new() };
    columns.text("model", |row| row.0.model.clone());
    columns.text("measure", |row| row.0.scenario.clone());
    columns.count("seed", |row| Some(row.0.seed));
    columns.number("elapsed", |row| Some(row.1));
    Table { columns: columns.columns }.write_text(&place("-timings.csv"))?;
    let path = place(".json");
    let text = serde_json::to_string_pretty(report).map_err(FileError::write(&path))?;
    write_whole(&path, &(text + "\n"))?;
    write_whole(&place(".md"), &verdicts(report))?;
    let page = place(".html");
    write_whole(&page, &suite_page(report, &batch.engine))?;
    Ok(page)
}

fn checks_table(report: &SuiteReport) -> Table {
    let of_model = |(model, checks)| -> Vec<(&Steering, &Check)> {
        let checks: &Vec<Check> = checks;
        checks.iter().map(|check| (model, check)).collect()
    };
    let rows: Vec<(&Steering, &Check)> =
        report.rows.iter().map(|(model, checks)| (model, checks)).flat_map(of_model).collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.text("suite", |_| report.suite.into());
    columns.text("model", |row| row.0.to_string());
    columns.text("test", |row| row.1.id.into());
    columns.text("title", |row| row.1.title.into());
    columns.text("outcome", |row| row.1.outcome.name().into());
    columns.text("value", |row| row.1.value.clone());
    columns.text("expected", |row| row.1.expected.into());
    columns.text("detail", |row| row.1.detail.clone());
    columns.text("source", |row| row.1.source.into());
    Table { columns: columns.columns }
}
