//! Results as tables that other programs read.
//!
//! `runs` has a row for each run, `agents` one for each person and run, both comma-separated and in
//! Parquet with the same numbers; `results.json` has the runs with everything but what everybody did, and
//! `matrix.md` scenarios and models as a table for a document.
//! Empty, null and missing all say that there is no number, for instance no time for who never arrived.
//! None of these files depends on the machine or the number of threads. How long runs took does, and
//! has a table of its own, `timings.csv`.

use std::path::Path;

use serde_json::{Map, Value as Json, json};
use throng::place::FileError;
use throng::recording::{Overwrite, TableColumn, TableFile, TableValues};
use throng_world::scene::RunQuantity;

use super::run::Judgement;
use super::store::write_whole;
use super::{BatchError, Results, Run, ScenarioInfo};
use crate::score::{AgentMetrics, Event, Ideal, Technique, Windowed};
use crate::table::{number, quoted, rounded};

/// Writes all tables into a folder, in place of those that are there.
///
/// # Errors
///
/// If one cannot be written.
pub fn write_tables(folder: &Path, results: &Results) -> Result<(), BatchError> {
    let runs = runs_table(results);
    runs.write(folder, "runs")?;
    agents_table(results).write(folder, "agents")?;
    timings_table(results).write_text(&folder.join("timings.csv"))?;
    let path = folder.join("results.json");
    let text = serde_json::to_string_pretty(&document(results)).map_err(FileError::write(&path))?;
    write_whole(&path, &(text + "\n"))?;
    Ok(write_whole(&folder.join("matrix.md"), &crate::report::matrix(results))?)
}

/// A table that is written in several formats.
pub(crate) struct Table {
    pub columns: Vec<TableColumn>,
}

impl Table {
    fn write(&self, folder: &Path, name: &str) -> Result<(), BatchError> {
        self.write_text(&folder.join(format!("{name}.csv")))?;
        let file = TableFile::create(&folder.join(format!("{name}.parquet")), Overwrite::Yes)?;
        Ok(file.finish(name, &self.columns)?)
    }

    /// Writes it as comma-separated text.
    pub fn write_text(&self, path: &Path) -> Result<(), BatchError> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
        let mut text = names.join(",") + "\n";
        for row in 0..self.columns.first().map_or(0, |column| length(&column.values)) {
            let cells: Vec<String> =
                self.columns.iter().map(|column| cell(&column.values, row)).collect();
            text += &cells.join(",");
            text.push('\n');
        }
        Ok(write_whole(path, &text)?)
    }
}

fn length(values: &TableValues) -> usize {
    match values {
        TableValues::Texts(texts) => texts.len(),
        TableValues::Counts(counts) => counts.len(),
        TableValues::Numbers(numbers) => numbers.len(),
    }
}

fn cell(values: &TableValues, row: usize) -> String {
    match values {
        TableValues::Texts(texts) => quoted(&texts[row]),
        TableValues::Counts(counts) => counts[row].map(|n| n.to_string()).unwrap_or_default(),
        TableValues::Numbers(numbers) => numbers[row].map(number).unwrap_or_default(),
    }
}

/// Columns about rows of some kind.
pub(crate) struct Columns<'r, R> {
    pub rows: &'r [R],
    pub columns: Vec<TableColumn>,
}

impl<R> Columns<'_, R> {
    pub fn text(&mut self, name: &'static str, value: impl Fn(&R) -> String) {
        let values = TableValues::Texts(self.rows.iter().map(value).collect());
        self.columns.push(TableColumn { name, values });
    }

    pub fn count(&mut self, name: &'static str, value: impl Fn(&R) -> Option<u64>) {
        let values = TableValues::Counts(self.rows.iter().map(value).collect());
        self.columns.push(TableColumn { name, values });
    }

    pub fn number(&mut self, name: &'static str, value: impl Fn(&R) -> Option<f64>) {
        let finite = |row: &R| value(row).filter(|value| value.is_finite()).map(rounded);
        let values = TableValues::Numbers(self.rows.iter().map(finite).collect());
        self.columns.push(TableColumn { name, values });
    }

    /// What tells runs apart.
    fn of_run<'a>(&mut self, results: &'a Results, run: impl Fn(&R) -> &'a Run) {
        let scenario = |row: &R| results.scenario(run(row));
        self.text("scenario", |row| scenario(row).name.clone());
        self.text("category", |row| scenario(row).category.clone());
        self.text("model", |row| run(row).record.key.model.clone());
        self.count("seed", |row| Some(run(row).record.key.seed));
    }
}

fn runs_table(results: &Results) -> Table {
    let rows: Vec<&Run> = results.runs.iter().collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.of_run(results, |run| run);
    columns.count("people", |run| run.measured().map(|of| of.metrics.agents.len() as u64));
    columns.count("passed", |run| Some(run.is_passed().into()));
    columns.text("failed_criteria", |run| {
        let failed = run.verdicts().iter().filter(|verdict| !verdict.passed);
        failed.map(|verdict| verdict.criterion.as_str()).collect::<Vec<_>>().join("; ")
    });
    columns.text("failure", |run| run.failure().unwrap_or_default().into());
    for quantity in RunQuantity::ALL {
        columns.number(quantity.name(), |run| run.quantity(quantity));
    }
    for technique in Technique::ALL {
        columns.number(column_name(technique), |run| run.total(technique));
    }
    let environment = |run: &&Run| run.measured().map(|of| of.metrics.environment);
    columns.number("density", |run| environment(run).map(|of| of.density));
    columns.number("max_density", |run| environment(run).map(|of| of.max_density));
    columns.number("mean_speed", |run| environment(run).map(|of| of.mean_speed));
    columns.number("flow", |run| environment(run).map(|of| of.flow));
    columns.number("throughput", |run| environment(run).map(|of| of.throughput));
    columns.text("recording", |run| run.recording.clone().unwrap_or_default());
    Table { columns: columns.columns }
}

/// Somebody in a run.
struct AgentRow<'r> {
    run: &'r Run,
    agent: &'r AgentMetrics,
    ideal: Option<&'r Ideal>,
}

fn agents_table(results: &Results) -> Table {
    let mut rows = Vec::new();
    for run in &results.runs {
        let Some(measured) = run.measured() else { continue };
        for agent in &measured.metrics.agents {
            let ideal = measured.ideals.binary_search_by_key(&agent.id, |(id, _)| *id);
            let ideal = ideal.ok().map(|index| &measured.ideals[index].1);
            rows.push(AgentRow { run, agent, ideal });
        }
    }
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.of_run(results, |row| row.run);
    agent_columns(&mut columns);
    columns.number("ideal_length", |row| row.ideal.map(|ideal| ideal.length));
    columns.number("ideal_time", |row| row.ideal.map(|ideal| ideal.time));
    columns.number("ideal_energy", |row| row.ideal.map(|ideal| ideal.energy));
    for technique in Technique::ALL {
        columns.number(column_name(technique), |row| row.run.of_person(technique, row.agent.id));
    }
    Table { columns: columns.columns }
}

/// Columns with the names of fields of [`AgentMetrics`].
macro_rules! metrics {
    ($columns:ident.$kind:ident: $($field:ident)+) => {
        $($columns.$kind(stringify!($field), |row| Some(row.agent.$field.into()));)+
    };
}

fn agent_columns(columns: &mut Columns<AgentRow>) {
    metrics!(columns.count: id group completed frames);
    metrics!(columns.number: appeared time distance max_speed);
    metrics!(columns.count:
        collision_score collisions person_collisions wall_collisions deep_collisions
        long_collisions deep_long_collisions angular_sign_changes flips max_flips_window
    );
    metrics!(columns.number:
        max_penetration max_contact_time turned max_angular_speed displacement_window
        speed_change max_speed_change acceleration_samples acceleration_integral
        max_acceleration energy_samples energy_integral least_effort
        resampled_energy resampled_acceleration resampled_least_effort
    );
    type Maybe = fn(&AgentMetrics) -> Option<f64>;
    type Window = fn(&AgentMetrics) -> Windowed;
    // Of the last window, what it comes to and the largest rate in it.
    let windows: [([&'static str; 2], Window); 4] = [
        (["turned_window", "max_turned_window"], |of| of.turned_window),
        (["distance_window", "max_distance_window"], |of| of.distance_window),
        (["speed_change_window", "max_speed_change_window"], |of| of.speed_change_window),
        (["acceleration_window", "max_acceleration_window"], |of| of.acceleration_window),
    ];
    for ([total, max], value) in windows {
        columns.number(total, move |row| Some(value(row.agent).total));
        columns.number(max, move |row| Some(value(row.agent).max));
    }
    let options: [(&'static str, Maybe); 5] = [
        ("finished", |of| of.finished),
        ("nearest_person", |of| of.nearest_person),
        ("nearest_wall", |of| of.nearest_wall),
        ("deviation", |of| of.deviation),
        ("length_ratio", |of| of.length_ratio),
    ];
    for (name, value) in options {
        columns.number(name, move |row| value(row.agent));
    }
}

fn timings_table(results: &Results) -> Table {
    let rows: Vec<&Run> = results.runs.iter().collect();
    let mut columns = Columns { rows: &rows, columns: Vec::new() };
    columns.of_run(results, |run| run);
    columns.count("people", |run| run.measured().map(|of| of.metrics.agents.len() as u64));
    columns.count("steps", |run| Some(run.record.steps));
    columns.number("elapsed", |run| Some(run.record.elapsed));
    columns.number("frames_per_second", |run| run.frames_per_second());
    Table { columns: columns.columns }
}

/// The name of a technique as a column: without hyphens, so that it is an attribute in pandas.
fn column_name(technique: Technique) -> &'static str {
    match technique {
        Technique::Composite01 => "composite01",
        Technique::Composite02 => "composite02",
        Technique::Energy => "energy_score",
        Technique::Acceleration => "acceleration_score",
        Technique::LeastEffort => "least_effort_score",
        Technique::Normalised => "normalised",
    }
}

/// All results but what everybody did, as they are in `results.json`.
pub fn document(results: &Results) -> Json {
    let matrix = &results.matrix;
    let version = matrix.engine.split('+').next().unwrap_or_default();
    json!({
        "format": 1,
        "engine": version,
        "technique": results.technique.to_string(),
        "weights": results.weights,
        "seeds": matrix.seeds,
        "models": matrix.models,
        "scenarios": matrix.scenarios.iter().map(scenario).collect::<Vec<_>>(),
        "missing": results.missing,
        "ranking": ranking(results),
        "runs": results.runs.iter().map(|one| run(results, one)).collect::<Vec<_>>(),
    })
}

fn scenario(info: &ScenarioInfo) -> Json {
    json!({
        "name": info.name,
        "title": info.title,
        "description": info.description,
        "category": info.category,
        "version": info.version,
        "inferred": info.inferred,
        "criteria": info.criteria,
        "hash": info.hash,
        "people": info.people,
        "duration": info.duration,
    })
}

fn ranking(results: &Results) -> Vec<Json> {
    let scenario = |index: usize| &results.matrix.scenarios[index].name;
    let standing = |standing: &super::Standing| {
        let failures = standing.failures.iter().map(|(index, criterion, runs)| {
            json!({ "scenario": scenario(*index), "criterion": criterion, "runs": runs })
        });
        json!({
            "model": results.matrix.models[standing.model],
            "place": standing.place,
            "runs": standing.runs,
            "complete": standing.complete,
            "passed": standing.passed,
            "failed": standing.failed,
            "completion": standing.completion,
            "collisions": standing.collisions,
            "events": standing.events,
            "total": standing.total,
            "terms": object(standing.terms.iter().map(|(name, value)| (*name, json!(value)))),
            "scores": object(Technique::ALL.iter().zip(&standing.scores).map(|(t, score)| (t.name(), json!(score)))),
            "failures": failures.collect::<Vec<_>>(),
        })
    };
    results.ranking().iter().map(standing).collect()
}

fn run(results: &Results, run: &Run) -> Json {
    let events: Vec<&Event> =
        run.measured().map(|of| of.metrics.events.iter().collect()).unwrap_or_default();
    let score = |technique: Technique| {
        let terms = run.terms(technique);
        let terms = object(terms.iter().map(|(name, value)| (*name, json!(value))));
        (technique.name(), json!({ "total": run.total(technique), "terms": terms }))
    };
    let scores = Technique::ALL.into_iter().filter(|_| !run.is_failed()).map(score);
    let quantities = RunQuantity::ALL.into_iter().map(|of| (of.name(), json!(run.quantity(of))));
    let verdicts: Vec<&Judgement> = run.verdicts().iter().collect();
    json!({
        "scenario": results.scenario(run).name,
        "model": run.record.key.model,
        "seed": run.record.key.seed,
        "passed": run.is_passed(),
        "completion": run.completion(),
        "failure": run.failure(),
        "quantities": object(quantities),
        "scores": object(scores),
        "verdicts": verdicts,
        "events": events,
        "recording": run.recording,
    })
}

fn object<'k>(entries: impl Iterator<Item = (&'k str, Json)>) -> Json {
    Json::Object(entries.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}
