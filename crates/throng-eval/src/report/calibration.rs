//! The page and the tables of a calibration: what was found, and how it does on what it was not calibrated with.
//!
//! First both objectives, the parameters and the text to paste, then every target with its values in training and
//! held out, by default and calibrated, and last how the search went.

use std::fmt::Write;

use super::chart::chart;
use super::{counted, escaped, opening};
use crate::calibration::{
    CalibratedParameter, CalibrationReport, Generation, TargetResult, TargetRow, listed, passed,
};
use crate::verification::{Curve, Outcome, Plot};

/// The two sides of all numbers.
const SIDES: [&str; 2] = ["training", "held out"];

/// The whole page.
pub(crate) fn calibration_page(report: &CalibrationReport) -> String {
    let title = format!("Calibration of {}", report.default);
    let state = match report.converged {
        true => "converged",
        false => "ended with the last generation",
    };
    let mut html = opening(&title);
    let _ = write!(
        html,
        "<h1>{}</h1>\n<p class=\"meta\">{} of {}, {state}, with Throng {}<br>\
         training with seeds {}; held out: seeds {}</p>\n",
        escaped(&title),
        counted(report.generations.len(), "generation"),
        counted(report.population, "candidate"),
        escaped(report.engine.split('+').next().unwrap_or_default()),
        listed(&report.training_seeds),
        listed(&report.held_out_seeds),
    );
    let warnings = report.warnings();
    if !warnings.is_empty() {
        html += "<ul class=\"why\">\n";
        for warning in &warnings {
            let _ = writeln!(html, "<li>{}</li>", escaped(warning));
        }
        html += "</ul>\n";
    }
    html += &objectives(report);
    html += &parameters(report);
    html += &targets(report);
    html += &generations(report);
    html + "</body>\n</html>\n"
}

fn objectives(report: &CalibrationReport) -> String {
    let mut html = String::from(
        "<h2>Objective</h2>\n<p class=\"muted\">Weighted mean over the targets of how far values are outside of what is expected, in \
         widths of the range; 0 if all are inside. In brackets how many targets are met.</p>\n<table>\n<tr><th></th><th>training</th><th>held out</th></tr>\n",
    );
    for (name, objective, passed) in rows(report) {
        let _ = writeln!(
            html,
            "<tr><td>{name}</td><td>{:.4} ({})</td><td>{:.4} ({})</td></tr>",
            objective[0], passed[0], objective[1], passed[1]
        );
    }
    html + "</table>\n"
}

/// Names, objectives and counts of met targets.
fn rows(report: &CalibrationReport) -> [(&'static str, [f64; 2], [String; 2]); 2] {
    [
        ("default", report.default_objective, passed(report, |row| &row.default)),
        ("calibrated", report.best_objective, passed(report, |row| &row.best)),
    ]
}

fn parameters(report: &CalibrationReport) -> String {
    let mut html = String::from(
        "<h2>Parameters</h2>\n<table class=\"checks\">\n<tr><th>parameter</th><th>default</th><th>calibrated</th><th>range</th><th>unit</th><th></th></tr>\n",
    );
    for CalibratedParameter { name, unit, description, low, high, default, best } in
        &report.parameters
    {
        let _ = writeln!(
            html,
            "<tr><td>{name}</td><td>{default}</td><td><b>{best}</b></td><td>{low} to {high}</td><td>{}</td><td class=\"muted\">{}</td></tr>",
            escaped(unit),
            escaped(description)
        );
    }
    let _ = write!(
        html,
        "</table>\n<p>On a command line: <code>{}</code><br>In a scene: <code>steering = {}</code></p>\n",
        escaped(&report.best.to_string()),
        escaped(&report.scene)
    );
    html
}

fn targets(report: &CalibrationReport) -> String {
    let mut html = String::from("<h2>Targets</h2>\n");
    for TargetRow { name, title, expected, weight, default, best } in &report.targets {
        let _ = write!(
            html,
            "<h3>{} {}</h3>\n<p class=\"muted\">Expected: {}<br>weight {weight}</p>\n<div class=\"scroll\"><table class=\"checks\">\n\
             <tr><th></th><th></th><th>verdict</th><th>distance</th><th>value</th><th></th></tr>\n",
            escaped(name),
            escaped(title),
            escaped(expected),
        );
        for (which, results) in [("default", default), ("calibrated", best)] {
            for (side, result) in SIDES.into_iter().zip(results) {
                let outcome = result.outcome.name();
                let _ = writeln!(
                    html,
                    "<tr><td>{which}</td><td>{side}</td><td class=\"verdict {outcome}\">{outcome}</td><td>{:.3}</td><td>{}</td><td class=\"muted\">{}</td></tr>",
                    result.distance,
                    escaped(&result.value),
                    escaped(&result.detail)
                );
            }
        }
        html += "</table></div>\n";
    }
    html
}

fn generations(report: &CalibrationReport) -> String {
    let curve = |name: &'static str, value: fn(&Generation) -> f64| {
        let point = |of: &Generation| [f64::from(of.generation), value(of), 0.0];
        let points = report.generations.iter().map(point);
        Curve { name, points: points.filter(|point| point[1].is_finite()).collect() }
    };
    let mut plot = Plot::new("generation", "objective");
    plot.curves = vec![
        curve("least of all", |of| of.best),
        curve("least of the generation", |of| of.least),
        curve("median of the generation", |of| of.median),
    ];
    let mut html = String::from("<h2>Search</h2>\n");
    html += &chart(&[(report.default.model().to_owned(), &plot)]);
    html += "<div class=\"scroll\"><table>\n<tr><th>generation</th><th>least</th><th>median</th><th>least of all</th><th>spread</th><th>model</th></tr>\n";
    for Generation { generation, least, median, best, best_model, spread } in &report.generations {
        let _ = writeln!(
            html,
            "<tr><td>{generation}</td><td>{least:.4}</td><td>{median:.4}</td><td>{best:.4}</td><td>{spread:.4}</td><td class=\"left\">{}</td></tr>",
            escaped(&best_model.to_string())
        );
    }
    html + "</table></div>\n"
}

/// The tables in Markdown, for documents.
pub(crate) fn calibration_tables(report: &CalibrationReport) -> String {
    let mut text = format!(
        "`{}`, seeds {} in training, {} held out.\n\n| objective | training | held out |\n|---|---|---|\n",
        report.default,
        listed(&report.training_seeds),
        listed(&report.held_out_seeds)
    );
    for (name, objective, passed) in rows(report) {
        let [training, held_out] =
            [0, 1].map(|side| format!("{:.4} ({})", objective[side], passed[side]));
        let _ = writeln!(text, "| {name} | {training} | {held_out} |");
    }
    text += "\n| parameter | default | calibrated | range |\n|---|---|---|---|\n";
    for CalibratedParameter { name, unit, low, high, default, best, .. } in &report.parameters {
        let space = if unit.is_empty() { "" } else { " " };
        let _ = writeln!(text, "| `{name}` | {default} | {best} | {low} to {high}{space}{unit} |");
    }
    text += "\n| target | expected | default, training | default, held out | calibrated, training | calibrated, held out |\n|---|---|---|---|---|---|\n";
    let cell = |result: &TargetResult| {
        let outcome = match result.outcome {
            Outcome::Fail => "**fail**".to_owned(),
            other => other.name().to_owned(),
        };
        format!("{outcome}: {}", escape(&result.value))
    };
    for TargetRow { name, title, expected, default, best, .. } in &report.targets {
        let cells: Vec<String> = default.iter().chain(best).map(cell).collect();
        let (name, expected) = (escape(name), escape(expected));
        let _ = writeln!(text, "| {name} {title} | {expected} | {} |", cells.join(" | "));
    }
    let _ = write!(
        text,
        "\nOn a command line: `{}`\n\nIn a scene: `steering = {}`\n",
        report.best, report.scene
    );
    text
}

/// A text in a cell of a table.
fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}
