//! The page of a suite of tests: who passes what, and with which numbers.
//!
//! First how many tests each model passes, then all verdicts as a matrix. Below it a section for each
//! test, with what is expected and by whom, what each model did, and a chart where numbers depend on
//! something; and last a table for each model, to be filed.

use std::fmt::Write;

use super::chart::chart;
use super::{counted, escaped, opening};
use crate::verification::{Check, Outcome, SuiteReport};

/// The whole page; `engine` is version and build.
pub(crate) fn suite_page(report: &SuiteReport, engine: &str) -> String {
    let title = match report.suite {
        "RiMEA" => "Tests of the RiMEA guideline",
        _ => "Scorecard of realism",
    };
    let version = engine.split('+').next().unwrap_or_default();
    let missing = match report.missing {
        0 => String::new(),
        missing => {
            format!(" · <b class=\"fail\">{} missing</b>", counted(missing, "run"))
        }
    };
    let tests = report.rows.first().map_or(0, |(_, checks)| checks.len());
    let mut html = opening(title);
    let _ = write!(
        html,
        "<h1>{title}</h1>\n<p class=\"meta\">{} × {} × {} with Throng {}, step {} s{missing}<br>\
         A value is the mean over the seeds, with its standard deviation after ±. A warning is a value that is \
         outside of what is expected, but within one and a half times the range; documented are tests that ask \
         for numbers and not for a verdict.</p>\n",
        counted(report.rows.len(), "model"),
        counted(tests, "test"),
        counted(report.seeds as usize, "seed"),
        escaped(version),
        report.step,
    );
    html += &summary(report);
    html += &matrix(report);
    html += &by_test(report);
    html += &by_model(report);
    html + "</body>\n</html>\n"
}

fn summary(report: &SuiteReport) -> String {
    let mut html = String::from("<h2>Models</h2>\n<table>\n<tr><th>Model</th>");
    let outcomes: Vec<Outcome> = (Outcome::ALL.into_iter())
        .filter(|outcome| {
            let is_usual = !matches!(outcome, Outcome::Broken | Outcome::Missing);
            let is_there = |(_, checks): &(_, Vec<Check>)| SuiteReport::count(checks, *outcome) > 0;
            is_usual || report.rows.iter().any(is_there)
        })
        .collect();
    for outcome in &outcomes {
        let _ = write!(html, "<th>{}</th>", outcome.name());
    }
    html += "</tr>\n";
    for (nth, (model, checks)) in report.rows.iter().enumerate() {
        let _ =
            write!(html, "<tr><td><a href=\"#m-{nth}\">{}</a></td>", escaped(&model.to_string()));
        for outcome in &outcomes {
            let _ = write!(html, "<td>{}</td>", SuiteReport::count(checks, *outcome));
        }
        html += "</tr>\n";
    }
    html + "</table>\n"
}

fn matrix(report: &SuiteReport) -> String {
    let mut html = String::from(
        "<h2>Verdicts</h2>\n<div class=\"scroll\"><table class=\"matrix\">\n<tr><th></th>",
    );
    for (model, _) in &report.rows {
        let _ = write!(html, "<th>{}</th>", escaped(&model.to_string()));
    }
    html += "</tr>\n";
    for (test, row) in tests(report).enumerate() {
        let _ = write!(
            html,
            "<tr><td><a href=\"#t-{test}\">{} {}</a></td>",
            escaped(row[0].id),
            escaped(row[0].title)
        );
        for check in row {
            let (class, mark) = match check.outcome {
                Outcome::Pass => ("ok", "✓"),
                Outcome::Warn => ("part", "~"),
                Outcome::Fail | Outcome::Broken => ("no", "✗"),
                Outcome::Documented | Outcome::Missing => ("", ""),
            };
            let _ = write!(
                html,
                "<td class=\"{class}\"><a href=\"#t-{test}\" title=\"{}\"><b>{mark}</b>{}</a></td>",
                escaped(&check.value),
                check.outcome.name()
            );
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

fn by_test(report: &SuiteReport) -> String {
    let mut html = String::from("<h2>Tests</h2>\n");
    for (test, row) in tests(report).enumerate() {
        let Check { id, title, expected, source, .. } = row[0];
        let _ = write!(
            html,
            "<section id=\"t-{test}\">\n<h3>{} {}</h3>\n<p class=\"muted\">Expected: {}<br>{}</p>\n",
            escaped(id),
            escaped(title),
            escaped(expected),
            escaped(source)
        );
        html += "<div class=\"scroll\"><table class=\"checks\">\n<tr><th>model</th><th>verdict</th><th>value</th><th></th></tr>\n";
        for ((model, _), check) in report.rows.iter().zip(&row) {
            let _ = writeln!(
                html,
                "<tr><td>{}</td>{}<td>{}</td><td class=\"muted\">{}</td></tr>",
                escaped(&model.to_string()),
                verdict(check),
                escaped(&check.value),
                escaped(&check.detail)
            );
        }
        html += "</table></div>\n";
        let plots: Vec<_> = (report.rows.iter().zip(&row))
            .filter_map(|((model, _), check)| Some((model.to_string(), check.plot.as_ref()?)))
            .collect();
        html += &chart(&plots);
        html += "</section>\n";
    }
    html
}

fn by_model(report: &SuiteReport) -> String {
    let mut html = String::from("<h2>All tests of each model</h2>\n");
    for (nth, (model, checks)) in report.rows.iter().enumerate() {
        let _ = write!(
            html,
            "<section id=\"m-{nth}\">\n<h3>{}</h3>\n<div class=\"scroll\"><table class=\"checks\">\n\
             <tr><th>test</th><th>verdict</th><th>value</th><th>expected</th></tr>\n",
            escaped(&model.to_string())
        );
        for (test, check) in checks.iter().enumerate() {
            let _ = writeln!(
                html,
                "<tr><td><a href=\"#t-{test}\">{} {}</a></td>{}<td>{}</td><td class=\"muted\">{}</td></tr>",
                escaped(check.id),
                escaped(check.title),
                verdict(check),
                escaped(&check.value),
                escaped(check.expected)
            );
        }
        html += "</table></div>\n</section>\n";
    }
    html
}

fn verdict(check: &Check) -> String {
    let name = check.outcome.name();
    format!("<td class=\"verdict {name}\">{name}</td>")
}

/// The checks of all models, test by test.
pub(super) fn tests(report: &SuiteReport) -> impl Iterator<Item = Vec<&Check>> {
    let count = report.rows.iter().map(|(_, checks)| checks.len()).min().unwrap_or_default();
    (0..count).map(|test| report.rows.iter().map(|(_, checks)| &checks[test]).collect())
}
