//! `throng bench`.

pub mod carpet;
pub mod fields;
pub mod levels;
mod stages;

use std::fmt;

use serde::Serialize;
use throng::benchmark::{BENCHMARKS, Benchmark, Measurement, thread_counts};

use crate::args::BenchArguments;
use crate::failure::Failure;
use crate::report;

/// Whether the compiler has optimised what is measured.
const OPTIMISED: bool = !cfg!(debug_assertions);

/// Runs or lists benchmarks.
pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.list {
        return list(arguments.format.json);
    }
    if !OPTIMISED {
        report::warning(
            "built without optimisation: these figures say little; build with --release",
        );
    }
    let chosen = chosen(&arguments.names);
    let threads = arguments.threads.map_or_else(thread_counts, |count| vec![count.into()]);
    let json = arguments.format.json;
    let mut document = Document::default();
    if !chosen.is_empty() {
        document.results = measure(&chosen, &threads, arguments)?;
    }
    let asked =
        |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|one| one == name);
    if asked(carpet::NAME) {
        document.carpet = Some(carpet::measure(&threads, json)?);
    }
    if asked(levels::NAME) {
        document.levels = Some(levels::measure(&threads, json)?);
    }
    if asked(fields::NAME) {
        document.fields = Some(fields::measure(arguments.threads.map(usize::from), json)?);
    }
    if json { report::print_json(&document) } else { Ok(()) }
}

fn list(json: bool) -> Result<(), Failure> {
    if json {
        return report::print_json(&entries().collect::<Vec<_>>());
    }
    entries()
        .try_for_each(|entry| report::print(format_args!("{:<14} {}", entry.name, entry.summary)))
}

/// What there is to run, for help and lists.
pub fn entries() -> impl Iterator<Item = Entry> {
    let entry = |benchmark: &Benchmark| Entry { name: benchmark.name, summary: benchmark.summary };
    let fields = Entry { name: fields::NAME, summary: fields::SUMMARY };
    let carpet = Entry { name: carpet::NAME, summary: carpet::SUMMARY };
    let levels = Entry { name: levels::NAME, summary: levels::SUMMARY };
    BENCHMARKS.iter().map(entry).chain([carpet, levels, fields])
}

fn chosen(names: &[String]) -> Vec<&'static Benchmark> {
    match names {
        [] => BENCHMARKS.iter().collect(),
        names => names.iter().filter_map(|name| Benchmark::named(name)).collect(),
    }
}

/// Measures each of `benchmarks` on each number of `threads`.
fn measure(
    benchmarks: &[&Benchmark],
    threads: &[usize],
    arguments: &BenchArguments,
) -> Result<Vec<Row>, Failure> {
    let json = arguments.format.json;
    let mut results = Vec::new();
    let total = benchmarks.len() * threads.len();
    // No ticking in the background: that would disturb what is measured.
    let bar = report::progress_bar(total as u64, "{wide_bar} {msg}");
    if !json {
        bar.suspend(|| report::print(Row::heading()))?;
    }
    for benchmark in benchmarks {
        let mut on_one_thread = None;
        let mut measurements = Vec::new();
        for &threads in threads {
            bar.set_message(format!("{} with --threads {threads}", benchmark.name));
            bar.tick();
            let measured = benchmark.run(Some(threads))?;
            let slowest = *on_one_thread.get_or_insert(measured.microseconds_per_person());
            let row = Row::new(&measured, slowest);
            bar.inc(1);
            if !json {
                bar.suspend(|| report::print(&row))?;
            }
            results.push(row);
            measurements.push(measured);
        }
        if arguments.stages && !json {
            bar.suspend(|| report::print(stages::table(&measurements)))?;
        }
    }
    bar.finish_and_clear();
    Ok(results)
}

/// Something to run.
#[derive(Serialize)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it measures.
    pub summary: &'static str,
}

/// All results, for scripts.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    optimised: bool,
    results: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    carpet: Option<Vec<carpet::Table>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<levels::Row>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<fields::Tables>,
}

impl Default for Document {
    fn default() -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self {
            version,
            optimised: OPTIMISED,
            results: Vec::new(),
            carpet: None,
            levels: None,
            fields: None,
        }
    }
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    people: usize,
    threads: usize,
    microseconds_per_person_step: f64,
    best_microseconds_per_person_step: f64,
    person_steps_per_second: f64,
    /// Times as fast as on the first number of threads that was measured.
    speed_up: f64,
    /// Share of the preferred speed that people make in the preferred direction.
    progress: f64,
    bytes_per_person: usize,
    stages: Vec<stages::StageRow>,
}

impl Row {
    fn new(measured: &Measurement, slowest: f64) -> Self {
        let microseconds = measured.microseconds_per_person();
        Self {
            name: measured.name,
            people: measured.people,
            threads: measured.threads,
            microseconds_per_person_step: microseconds,
            best_microseconds_per_person_step: measured.best_microseconds_per_person(),
            person_steps_per_second: 1e6 / microseconds,
            speed_up: slowest / microseconds,
            progress: measured.progress,
            bytes_per_person: measured.memory_per_person,
            stages: stages::rows(measured),
        }
    }

    fn heading() -> &'static str {
        "benchmark         people threads   µs/person-step     best  speed-up  progress  bytes/person"
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, people, threads, speed_up, bytes_per_person, .. } = self;
        let median = self.microseconds_per_person_step;
        let best = self.best_microseconds_per_person_step;
        let percent = 100.0 * self.progress;
        write!(
            f,
            "{name:<14} {people:>9} {threads:>7} {median:>16.3} {best:>8.3} {speed_up:>8.2}× \
             {percent:>8.1}% {bytes_per_person:>13}"
        )
    }
}
