//! `throng bench levels`: a crowd with bodies under a camera that flies, with levels of detail and without.

use std::time::Duration;

use serde::Serialize;
use throng::benchmark::levels::{Flight, Mode, PEOPLE, RATE, fly};
use throng::scaler::BodyLevel;

use crate::failure::Failure;
use crate::report;

/// What is asked for on the command line.
pub const NAME: &str = "levels";
/// What it measures.
pub const SUMMARY: &str =
    "20,000 people with bodies under a camera that flies, with levels of detail and without";

/// How long all bodies may take where time is limited.
const LIMIT: Duration = Duration::from_millis(4);

/// How bodies are made, and for how many frames.
const MODES: [(Mode, u32); 3] =
    [(Mode::Numbers, 600), (Mode::Time(LIMIT), 600), (Mode::Everybody, 20)];

/// Measures on each number of `threads`, and prints line by line unless it is all for scripts.
pub fn measure(threads: &[usize], json: bool) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    // No ticking in the background: that would disturb what is measured.
    let flights = threads.len() * (MODES.len() + 2);
    let bar = report::progress_bar(flights as u64, "{wide_bar} {msg}");
    if !json {
        bar.suspend(|| report::print(heading()))?;
    }
    for &threads in threads {
        let mut fly_as = |mode, frames| {
            bar.set_message(format!("{}, --threads {threads}", name(mode)));
            bar.tick();
            let flight = fly(mode, frames, threads)?;
            let row = Row::new(&flight);
            bar.inc(1);
            if !json {
                bar.suspend(|| report::print(row.text()))?;
            }
            rows.push(row);
            Ok::<_, Failure>(flight)
        };
        for (mode, frames) in MODES {
            fly_as(mode, frames)?;
        }
        // Half of what it takes if nothing limits it, so that the limit is one on any machine.
        let needed = Flight::quantile(&fly_as(Mode::Looking(None), 200)?.gaze, 0.5);
        fly_as(Mode::Looking(Some(needed / 2)), 600)?;
    }
    bar.finish_and_clear();
    if !json {
        report::print(compared(&rows))?;
    }
    Ok(rows)
}

fn name(mode: Mode) -> String {
    match mode {
        Mode::Numbers => "at most 300 bodies".into(),
        Mode::Time(limit) => format!("{} ms for bodies", limit.as_millis()),
        Mode::Looking(None) => "1,000 bodies look".into(),
        Mode::Looking(Some(limit)) => format!("{:.2} ms to look", limit.as_secs_f64() * 1e3),
        Mode::Everybody => "everybody in full".into(),
    }
}

/// One flight.
#[derive(Debug, Serialize)]
pub struct Row {
    mode: String,
    threads: usize,
    people: usize,
    frames: usize,
    median_ms: f64,
    ninety_five_ms: f64,
    slowest_ms: f64,
    /// The time for bodies that 95 % of the frames do not exceed.
    bodies_ninety_five_ms: f64,
    /// The time to look around that was allowed, the median of what it took, and what 95 % of the frames do not exceed.
    gaze_limit_ms: Option<f64>,
    gaze_median_ms: f64,
    gaze_ninety_five_ms: f64,
    /// How many looked around, in the mean.
    lookers: f64,
    stages_ms: serde_json::Map<String, serde_json::Value>,
    bodies: serde_json::Map<String, serde_json::Value>,
    changes_per_person_and_second: f64,
}

impl Row {
    fn new(flight: &Flight) -> Self {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let quantile = |times: &[Duration], part| milliseconds(Flight::quantile(times, part));
        let stages = flight.stages.iter();
        let bodies = BodyLevel::ALL.into_iter().zip(flight.bodies);
        Self {
            mode: name(flight.mode),
            threads: flight.threads,
            people: PEOPLE,
            frames: flight.frames.len(),
            median_ms: quantile(&flight.frames, 0.5),
            ninety_five_ms: quantile(&flight.frames, 0.95),
            slowest_ms: quantile(&flight.frames, 1.0),
            bodies_ninety_five_ms: quantile(&flight.animation, 0.95),
            gaze_limit_ms: match flight.mode {
                Mode::Looking(limit) => limit.map(milliseconds),
                _ => None,
            },
            gaze_median_ms: quantile(&flight.gaze, 0.5),
            gaze_ninety_five_ms: quantile(&flight.gaze, 0.95),
            lookers: flight.lookers,
            stages_ms: stages.map(|(s, t)| (s.to_string(), milliseconds(*t).into())).collect(),
            bodies: bodies.map(|(level, n)| (level.as_str().to_owned(), n.into())).collect(),
            changes_per_person_and_second: flight.changes,
        }
    }

    fn text(&self) -> String {
        let number = |map: &serde_json::Map<_, _>, key: &str| {
            map.get(key).and_then(serde_json::Value::as_f64).unwrap_or_default()
        };
        format!(
            "{:<20} {:>7} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>9.2} {:>9.2} {:>7.0} {:>7.0} {:>9.0}",
            self.mode,
            self.threads,
            self.median_ms,
            self.ninety_five_ms,
            self.slowest_ms,
            number(&self.stages_ms, "scaler"),
            number(&self.stages_ms, "simulator"),
            number(&self.stages_ms, "animator"),
            number(&self.bodies, "full"),
            number(&self.bodies, "posed"),
            number(&self.bodies, "impostor"),
        )
    }
}

fn heading() -> String {
    format!(
        "{:<20} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>7} {:>7} {:>9}",
        "ms per frame",
        "threads",
        "median",
        "95 %",
        "slowest",
        "scaler",
        "simulator",
        "animator",
        "full",
        "posed",
        "impostor"
    )
}

/// How many times as long it takes without levels of detail, and whether it is fast enough.
fn compared(rows: &[Row]) -> String {
    let mut text = String::new();
    for scaled in rows.iter().filter(|row| row.mode == name(Mode::Numbers)) {
        let same = |row: &&Row| row.threads == scaled.threads && row.mode == name(Mode::Everybody);
        if let Some(everybody) = rows.iter().find(same) {
            text += &format!(
                "--threads {}: {:.1} times as long without levels; {:.0} frames per second with them, {RATE} are wanted\n",
                scaled.threads,
                everybody.median_ms / scaled.median_ms,
                1e3 / scaled.ninety_five_ms
            );
        }
    }
    let limit = LIMIT.as_secs_f64() * 1e3;
    for row in rows.iter().filter(|row| row.mode == name(Mode::Time(LIMIT))) {
        text += &format!(
            "--threads {}: {:.2} ms for bodies in 95 % of the frames, {limit:.0} were allowed\n",
            row.threads, row.bodies_ninety_five_ms
        );
    }
    for row in rows {
        let Some(limit) = row.gaze_limit_ms else { continue };
        text += &format!(
            "--threads {}: {:.2} ms to look around in half of the frames and {:.2} in 95 %, {limit:.2} were allowed and twice that needed; {:.0} looked\n",
            row.threads, row.gaze_median_ms, row.gaze_ninety_five_ms, row.lookers
        );
    }
    text.trim_end().to_owned()
}
