//! `throng bench --stages`: where the time of a step goes, and how much of it only one thread can do.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use throng::benchmark::{Measurement, StageMean};

/// A stage, for scripts.
#[derive(Debug, Serialize)]
pub struct StageRow {
    stage: &'static str,
    microseconds: f64,
    /// The part of that in which only one thread has work.
    serial_microseconds: f64,
}

/// The stages that take any time.
pub fn rows(measured: &Measurement) -> Vec<StageRow> {
    let row = |mean: &StageMean| StageRow {
        stage: mean.stage.as_str(),
        microseconds: microseconds(mean.time),
        serial_microseconds: microseconds(mean.serial),
    };
    measured.stages.iter().map(row).collect()
}

/// The stages of a step on one thread beside those on several: the first and the last of `measurements`.
///
/// The serial share is that of the time on one thread: Amdahl's law bounds the speed-up by its inverse.
pub fn table(measurements: &[Measurement]) -> String {
    let [one, .., many] = measurements else { return String::new() };
    let mut text = format!(
        "{:<12} {:>12} {:>12} {:>9} {:>12} {:>13}\n",
        "  stage",
        format!("{} thread, µs", one.threads),
        format!("{} threads, µs", many.threads),
        "speed-up",
        "serial, µs",
        "serial share"
    );
    let whole: Duration = one.stages.iter().map(|mean| mean.time).sum();
    let mut line = |name: &str, one: Duration, many: Duration, serial: Duration| {
        let share = 100.0 * serial.as_secs_f64() / whole.as_secs_f64().max(1e-12);
        let speed_up = one.as_secs_f64() / many.as_secs_f64().max(1e-12);
        let [one, many, serial] = [one, many, serial].map(microseconds);
        // A string can be written to.
        let _ = writeln!(
            text,
            "  {name:<10} {one:>12.1} {many:>13.1} {speed_up:>8.2}× {serial:>12.1} {share:>12.2}%"
        );
    };
    for (one, many) in one.stages.iter().zip(&many.stages) {
        if one.time + many.time > whole / 10_000 {
            line(one.stage.as_str(), one.time, many.time, many.serial);
        }
    }
    let sum = |of: fn(&StageMean) -> Duration| many.stages.iter().map(of).sum();
    line("all", whole, sum(|mean| mean.time), sum(|mean| mean.serial));
    text
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
