//! `throng bench fields`: fields and the crowds they lead, beside the published figures.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use throng::benchmark::fields::{self, LedCrowd, PUBLISHED_SOLVES};

use crate::failure::Failure;
use crate::report;

/// What is asked for on the command line.
pub const NAME: &str = "fields";
/// What it measures.
pub const SUMMARY: &str =
    "solving fields, and whole steps of the crowds they lead, beside the published figures";

/// Measures, and prints row by row unless it is all for scripts.
pub fn measure(threads: Option<usize>, json: bool) -> Result<Tables, Failure> {
    let mut tables = Tables::default();
    print(json, "anchors  published, ms  interpolant, ms  with ladder, ms  other vectors, ms")?;
    for (anchors, published) in PUBLISHED_SOLVES {
        let times = fields::solve(anchors)?;
        let row = Solve {
            anchors,
            published_ms: published,
            bare_ms: milliseconds(times.bare),
            whole_ms: milliseconds(times.whole),
            vectors_ms: milliseconds(times.vectors),
        };
        print(json, &row)?;
        tables.solves.push(row);
    }
    print(json, "\n   people anchors  model      steps/s  fastest  published  times  goal")?;
    for crowd in fields::led_crowds() {
        let LedCrowd { people, anchors, published } = crowd;
        let times = crowd.run(threads)?;
        let rate = 1.0 / times.median.as_secs_f64();
        let row = Step {
            people,
            anchors,
            model: crowd.model(),
            steps_per_second: rate,
            best_steps_per_second: 1.0 / times.best.as_secs_f64(),
            published,
            times_published: rate / published,
            goal: crowd.goal(),
        };
        print(json, &row)?;
        tables.steps.push(row);
    }
    Ok(tables)
}

fn print(json: bool, row: impl fmt::Display) -> Result<(), Failure> {
    if json { Ok(()) } else { report::print(row) }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// All that was measured.
#[derive(Debug, Default, Serialize)]
pub struct Tables {
    solves: Vec<Solve>,
    steps: Vec<Step>,
}

/// How long a field takes to solve.
#[derive(Debug, Serialize)]
struct Solve {
    anchors: usize,
    published_ms: &'static str,
    bare_ms: f64,
    whole_ms: f64,
    vectors_ms: f64,
}

impl fmt::Display for Solve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { anchors, published_ms, bare_ms, whole_ms, vectors_ms } = self;
        write!(
            f,
            "{anchors:>7} {published_ms:>14} {bare_ms:>16.3} {whole_ms:>16.3} {vectors_ms:>18.4}"
        )
    }
}

/// How many steps a crowd makes.
#[derive(Debug, Serialize)]
struct Step {
    people: usize,
    anchors: usize,
    model: &'static str,
    steps_per_second: f64,
    best_steps_per_second: f64,
    published: f64,
    times_published: f64,
    /// How many times the published rate is wanted.
    goal: f64,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { people, anchors, model, published, goal, .. } = self;
        let (rate, times) = (self.steps_per_second, self.times_published);
        let best = self.best_steps_per_second;
        write!(
            f,
            "{people:>9} {anchors:>7}  {model:<9} {rate:>8.1} {best:>8.1} {published:>10.0} {times:>6.1} \
             {goal:>5.0}"
        )
    }
}
