//! `throng bench carpet`: bodies on uneven ground, beside the published figures.

use std::time::Duration;

use serde::Serialize;
use throng::benchmark::carpet::{
    Body, Carpets, Measurement, PUBLISHED, Scenario, Stage, scaling, table,
};

use crate::failure::Failure;
use crate::report;

/// What is asked for on the command line.
pub const NAME: &str = "carpet";
/// What it measures.
pub const SUMMARY: &str =
    "1 to 512 bodies on carpets over uneven ground, stage by stage, beside the published figures";

/// The most that 512 bodies may take of what 64 do.
const WANTED_SCALING: f64 = 9.0;

/// Measures on each number of `threads`, and prints table by table unless it is all for scripts.
pub fn measure(threads: &[usize], json: bool) -> Result<Vec<Table>, Failure> {
    let carpets = Carpets::new()?;
    let mut tables = Vec::new();
    let total = threads.len() * Scenario::ALL.len() * Body::ALL.len();
    // No ticking in the background: that would disturb what is measured.
    let bar = report::progress_bar(total as u64, "{wide_bar} {msg}");
    for body in Body::ALL {
        for scenario in Scenario::ALL {
            for &threads in threads {
                let title = format!("{}, {}, --threads {threads}", body.name(), scenario.summary());
                bar.set_message(title.clone());
                bar.tick();
                let measured = body
                    .counts()
                    .into_iter()
                    .map(|count| carpets.measure(body, scenario, count, threads))
                    .collect::<Result<Vec<_>, _>>()?;
                let table = Table::new(body, scenario, threads, &measured);
                bar.inc(1);
                if !json {
                    bar.suspend(|| report::print(table.text(&title, &measured)))?;
                }
                tables.push(table);
            }
        }
    }
    bar.finish_and_clear();
    Ok(tables)
}

/// Bodies of one kind in one scenario.
#[derive(Debug, Serialize)]
pub struct Table {
    body: &'static str,
    scenario: &'static str,
    threads: usize,
    rows: Vec<Row>,
    /// How many times as long as 64 bodies 512 of them take.
    scaling: Option<f64>,
}

impl Table {
    fn new(body: Body, scenario: Scenario, threads: usize, measured: &[Measurement]) -> Self {
        Self {
            body: body.name(),
            scenario: scenario.name(),
            threads,
            rows: measured.iter().map(Row::new).collect(),
            scaling: scaling(measured),
        }
    }

    fn text(&self, title: &str, measured: &[Measurement]) -> String {
        let mut text = format!("{title}\n{}", table(measured));
        if let Some(scaling) = self.scaling {
            let line = format!(
                "512 take {scaling:.1} times as long as 64; at most {WANTED_SCALING:.0} are wanted\n"
            );
            text.push_str(&line);
        }
        text
    }
}

/// So many bodies at once.
#[derive(Debug, Serialize)]
struct Row {
    characters: usize,
    frame_ms: f64,
    best_frame_ms: f64,
    /// Mean time in a frame, on all threads together.
    stages_ms: serde_json::Map<String, serde_json::Value>,
    /// On one thread, on all threads, on an integrated and on a dedicated graphics processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    published_ms: Option<[f32; 4]>,
}

impl Row {
    fn new(measured: &Measurement) -> Self {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let stage = |stage: Stage| {
            let mean = milliseconds(measured.stages.of(stage)) / f64::from(measured.frames);
            (stage.name().to_owned(), mean.into())
        };
        let published = PUBLISHED.iter().find(|(count, _)| *count == measured.characters);
        Self {
            characters: measured.characters,
            frame_ms: milliseconds(measured.median),
            best_frame_ms: milliseconds(measured.best),
            stages_ms: Stage::ALL.into_iter().map(stage).collect(),
            published_ms: published.map(|(_, times)| *times),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(characters: usize, milliseconds: u64) -> Measurement {
        let median = Duration::from_millis(milliseconds);
        let best = Duration::from_millis(1);
        Measurement { characters, median, best, stages: Default::default(), frames: 10 }
    }

    #[test]
    fn a_table_says_how_it_scales_and_what_was_published() {
        let measured = [measured(64, 2), measured(512, 17)];
        let table = Table::new(Body::Person, Scenario::World, 2, &measured);
        let text = table.text("people", &measured);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0] == "people" && lines[1].starts_with("characters"), "{text}");
        assert!(lines[2].trim_start().starts_with("64 ") && lines[2].contains("13.95"), "{text}");
        assert!(lines[4].starts_with("512 take 8.5 times as long as 64"), "{text}");
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!((&json["body"], &json["scenario"]), (&"person".into(), &"world".into()));
        assert_eq!((&json["threads"], &json["scaling"]), (&2.into(), &8.5.into()));
        let row = &json["rows"][1];
        assert_eq!((&row["characters"], &row["frame_ms"]), (&512.into(), &17.0.into()));
        assert_eq!(row["published_ms"].as_array().unwrap().len(), 4);
        assert_eq!(row["stages_ms"].as_object().unwrap().len(), 6);
        // Nobody published this.
        let alone = Table::new(Body::Dog, Scenario::Line, 1, &[self::measured(7, 1)]);
        let json = serde_json::to_value(&alone).unwrap();
        assert!(json["scaling"].is_null() && json["rows"][0].get("published_ms").is_none());
    }
}
