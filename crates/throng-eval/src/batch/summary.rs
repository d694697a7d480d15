//! Results for a terminal: the ranking with its terms, and who fails what.

use std::fmt;

use super::{Results, Standing};

/// The most failures that are told; the page has all.
const MOST_TOLD: usize = 20;

impl fmt::Display for Results {
    /// A table of the models, the best first, and lines for the criteria that most of them do not meet.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standings = self.ranking();
        let terms: Vec<&str> = standings
            .iter()
            .map(|standing| &standing.terms)
            .max_by_key(|terms| terms.len())
            .map_or_else(Vec::new, |terms| terms.iter().map(|(name, _)| *name).collect());
        let mut rows = vec![heading(self, &terms)];
        rows.extend(standings.iter().map(|standing| row(self, standing, &terms)));
        let columns = rows[0].len();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &rows {
            write!(f, "{:<1$}", row[0], widths[0])?;
            for (text, width) in row.iter().zip(&widths).skip(1) {
                write!(f, "  {text:>width$}")?;
            }
            writeln!(f)?;
        }
        for standing in standings.iter().filter(|standing| standing.failed > 0) {
            let model = &self.matrix.models[standing.model];
            writeln!(f, "{model} has no score in {} of {} runs", standing.failed, standing.runs)?;
        }
        fmt_failures(self, &standings, f)?;
        match self.missing + self.damaged.len() {
            0 => Ok(()),
            missing => writeln!(f, "{missing} runs are missing"),
        }
    }
}

fn heading(results: &Results, terms: &[&str]) -> Vec<String> {
    let mut texts = vec!["model".to_owned(), "place".to_owned(), results.technique.to_string()];
    texts.extend(terms.iter().map(|&term| term.to_owned()));
    texts.extend(["complete", "passed", "collisions", "patterns"].map(Into::into));
    texts
}

fn row(results: &Results, standing: &Standing, terms: &[&str]) -> Vec<String> {
    let mut texts = vec![
        results.matrix.models[standing.model].clone(),
        standing.place.map_or("-".into(), |place| format!("{place:.1}")),
        standing.total.map_or("-".into(), number),
    ];
    texts.extend(terms.iter().map(|term| {
        let value = standing.terms.iter().find(|(name, _)| name == term);
        value.map_or("-".into(), |(_, value)| number(*value))
    }));
    texts.push(format!("{}/{}", standing.complete, standing.runs));
    texts.push(format!("{}/{}", standing.passed, standing.runs));
    texts.push(standing.collisions.to_string());
    texts.push(standing.events.to_string());
    texts
}

/// "squeeze: completion == 1 does not hold with orca, hidac".
fn fmt_failures(
    results: &Results,
    standings: &[Standing],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut failures: Vec<(usize, &str, Vec<&str>)> = Vec::new();
    for standing in standings {
        let model = results.matrix.models[standing.model].as_str();
        for (scenario, criterion, _) in &standing.failures {
            let known = failures.iter_mut().find(|of| of.0 == *scenario && of.1 == criterion);
            match known {
                Some((.., models)) => models.push(model),
                None => failures.push((*scenario, criterion, vec![model])),
            }
        }
    }
    // What most models fail comes first; the sort keeps the order of the scenarios otherwise.
    failures.sort_by_key(|(scenario, _, models)| (std::cmp::Reverse(models.len()), *scenario));
    for (scenario, criterion, models) in failures.iter().take(MOST_TOLD) {
        let name = &results.matrix.scenarios[*scenario].name;
        match models.len() == results.matrix.models.len() && models.len() > 1 {
            true => writeln!(f, "{name}: {criterion} holds with no model")?,
            false => writeln!(f, "{name}: {criterion} does not hold with {}", models.join(", "))?,
        }
    }
    match failures.len().checked_sub(MOST_TOLD) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(f, "and {more} more criteria do not hold with some model"),
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        small if small < 10.0 => format!("{value:.3}"),
        _ => format!("{value:.1}"),
    }
}
