//! What is written of a calibration, in the folder of its runs.
//!
//! `calibration.html` is a page that needs nothing else, `calibration.md` the same as tables for a document, and `calibration.json`
//! as data. `targets.csv` has a line for each target, parameters (default or calibrated) and side (training or held out), `generations.csv` one for each
//! generation, and `candidates.csv` one for each candidate with its parameters. None of them depends on the machine or the number of threads.

use std::path::PathBuf;

use throng::place::FileError;

use super::Candidate;
use super::report::{CalibrationReport, TargetRow};
use super::target::TargetResult;
use crate::batch::{BatchError, Columns, Store, Table, write_whole};
use crate::report::{calibration_page, calibration_tables};

/// What the page is called, in the folder of a calibration.
pub const REPORT_PAGE: &str = "calibration.html";

/// Writes the page, tables and data of a calibration, in place of what was written before. Returns where the page is.
///
/// # Errors
///
/// If something cannot be written.
pub fn write_calibration(store: &Store, report: &CalibrationReport) -> Result<PathBuf, BatchError> {
    let place = |name: &str| store.folder().join(name);
    targets_table(report).write_text(&place("targets.csv"))?;
    generations_table(report).write_text(&place("generations.csv"))?;
    candidates_table(report).write_text(&place("candidates.csv"))?;
    let path = place("calibration.json");
    let text = serde_json::to_string_pretty(report).map_err(FileError::write(&path))?;
    write_whole(&path, &(text + "\n"))?;
    write_whole(&place("calibration.md"), &calibration_tables(report))?;
    let page = place(REPORT_PAGE);
    write_whole(&page, &calibration_page(report))?;
    Ok(page)
}

fn targets_table(report: &CalibrationReport) -> Table {
    let of_target =
        |row: &TargetRow| -> Vec<(TargetRow, &'static str, &'static str, TargetResult)> {
            let sides = [("default", &row.default), ("calibrated", &row.best)];
            let of = |(name, of): (&'static str, &[TargetResult; 2])| {
                [(name, "training", of[0].clone()), (name, "held-out", of[1].clone())]
            };
            let results = sides.into_iter().flat_map(of);
            results.map(|(name, side, result)| (row.clone(), name, side, result)).collect()
        };
    let rows: Vec<_> = report.targets.iter().flat_map(of_target).collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.text("target", |row| row.0.name.clone());
    columns.text("parameters", |row| row.1.into());
    columns.text("side", |row| row.2.into());
    columns.text("outcome", |row| row.3.outcome.name().into());
    columns.number("distance", |row| Some(row.3.distance));
    columns.text("value", |row| row.3.value.clone());
    columns.text("expected", |row| row.0.expected.clone());
    columns.text("detail", |row| row.3.detail.clone());
    Table { columns: columns.columns }
}

fn generations_table(report: &CalibrationReport) -> Table {
    let mut columns = Columns { rows: &report.generations, columns: Vec::new() };
    columns.count("generation", |row| Some(row.generation.into()));
    columns.number("least", |row| Some(row.least));
    columns.number("median", |row| Some(row.median));
    columns.number("best", |row| Some(row.best));
    columns.number("spread", |row| Some(row.spread));
    columns.text("best_model", |row| row.best_model.to_string());
    Table { columns: columns.columns }
}

fn candidates_table(report: &CalibrationReport) -> Table {
    let mut columns = Columns { rows: &report.candidates, columns: Vec::new() };
    columns.count("generation", |row| Some(row.0.into()));
    columns.number("objective", |row| Some(row.1.objective));
    for parameter in &report.parameters {
        let value = |row: &(u32, Candidate)| row.1.steering.parameter(parameter.name);
        // As it is written, and not as a double.
        let decimal = |value: f32| value.to_string().parse().ok();
        columns.number(parameter.name, |row| value(row).and_then(decimal));
    }
    columns.text("model", |row| row.1.steering.to_string());
    Table { columns: columns.columns }
}
