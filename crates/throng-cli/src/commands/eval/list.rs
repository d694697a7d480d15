//! `throng eval list`.

use std::fmt;

use serde::Serialize;
use throng_eval::batch::{ScenarioInfo, Subject};
use throng_eval::scenarios::{QUICK, SCENARIOS};

use crate::args::ListArguments;
use crate::failure::Failure;
use crate::report;

/// Lists the scenarios.
pub fn run(arguments: &ListArguments) -> Result<(), Failure> {
    let listed: Result<Vec<Entry>, Failure> = SCENARIOS
        .iter()
        .map(|scenario| Ok(Entry::of(Subject::shipped(scenario).info()?)))
        .collect();
    arguments.format.print(&List(listed?))
}

#[derive(Serialize)]
struct List(Vec<Entry>);

#[derive(Serialize)]
struct Entry {
    name: String,
    title: String,
    description: String,
    category: String,
    version: u32,
    inferred: bool,
    quick: bool,
    people: u64,
    duration: f64,
    criteria: Vec<String>,
}

impl Entry {
    fn of(info: ScenarioInfo) -> Self {
        let quick = QUICK.contains(&info.name.as_str());
        let ScenarioInfo { name, title, description, category, version, inferred, .. } = info;
        let ScenarioInfo { people, duration, criteria, .. } = info;
        Self {
            name,
            title,
            description,
            category,
            version,
            inferred,
            quick,
            people,
            duration,
            criteria,
        }
    }
}

impl fmt::Display for List {
    /// A line for each, below headings for categories.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
        let mut category = None;
        for entry in &self.0 {
            if category != Some(&entry.category) {
                let line = if category.is_some() { "\n" } else { "" };
                writeln!(f, "{line}{}", entry.category)?;
                category = Some(&entry.category);
            }
            let marks = match (entry.quick, entry.inferred) {
                (true, true) => "quick, inferred",
                (true, false) => "quick",
                (false, true) => "inferred",
                (false, false) => "",
            };
            writeln!(
                f,
                "  {:width$}  v{}  {:>12}  {marks:15}  {}",
                entry.name,
                entry.version,
                report::people(entry.people),
                entry.criteria.join(", ")
            )?;
        }
        write!(
            f,
            "\n{} scenarios; those marked quick are in --suite quick, and the set-up of those marked inferred is not published",
            self.0.len()
        )
    }
}
