//! The tables of a report in Markdown, for documents that show results.

use super::suite::tests;
use crate::batch::{Results, Run};
use crate::verification::{Outcome, SuiteReport};

/// Scenarios and models: whether criteria are met, and the mean score over seeds.
pub(crate) fn matrix(results: &Results) -> String {
    let models = &results.matrix.models;
    let mut text = heading("scenario", models);
    for (index, scenario) in results.matrix.scenarios.iter().enumerate() {
        let cell = |model| {
            let cell = results.cell(index, model);
            match cell.mean(results.technique) {
                Some(score) => format!("{} {score:.2}", cell.mark()),
                None if cell.runs.iter().all(Run::is_failed) => cell.mark().into(),
                None => format!("{} –", cell.mark()),
            }
        };
        text += &row(&format!("`{}`", scenario.name), (0..models.len()).map(cell));
    }
    text
}

/// Tests and models: how each came out, and how many passed.
pub(crate) fn verdicts(report: &SuiteReport) -> String {
    let models: Vec<String> = report.rows.iter().map(|(model, _)| model.to_string()).collect();
    let mut text = heading("test", &models);
    for checks in tests(report) {
        let outcome = |outcome: Outcome| match outcome {
            Outcome::Fail => "**fail**".to_owned(),
            other => other.name().to_owned(),
        };
        let title = format!("{} {}", checks[0].id, checks[0].title);
        text += &row(&title, checks.iter().map(|check| outcome(check.outcome)));
    }
    let count = |outcome: Outcome| {
        report.rows.iter().map(move |(_, checks)| SuiteReport::count(checks, outcome))
    };
    let judged = report.rows.iter().map(|(_, checks)| SuiteReport::judged(checks));
    let passed = count(Outcome::Pass).zip(judged);
    text += &row("passed", passed.map(|(passed, judged)| format!("{passed} of {judged}")));
    text + &row("warned", count(Outcome::Warn).map(|warned| warned.to_string()))
}

fn heading(first: &str, models: &[String]) -> String {
    let names = models.iter().map(|model| format!("`{model}`"));
    row(first, names) + "|" + &"---|".repeat(models.len() + 1) + "\n"
}

fn row(first: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!(" {cell} |")).collect();
    // Scenarios are called after files, which may be called anything.
    format!("| {} |{cells}\n", first.replace('|', "\\|"))
}
