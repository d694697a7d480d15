//! Runs the tests of RiMEA, or the scorecard of realism, and prints what came of them.
//!
//! ```text
//! cargo run --release --package throng-eval --example verification -- rimea pedestrian,orca 5
//! cargo run --release --package throng-eval --example verification -- realism pedestrian 1 V01 R04
//! ```
//!
//! Arguments are the suite, the models, the number of seeds, and tests if not all are wanted. A recording
//! instead is scored by the checks that need nothing but tracks, for example one of people:
//!
//! ```text
//! throng import obsmat.txt --fps 15 -o eth.parquet
//! cargo run --release --package throng-eval --example verification -- eth.parquet
//! ```

use std::error::Error;

use throng::recording::Recording;
use throng_eval::experiments::Setup;
use throng_eval::recorded_scene;
use throng_eval::verification::{SampledTracks, Suite, score_tracks, some_of};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [recording] = &arguments[..] {
        return score(recording);
    }
    let [suite, models, seeds, tests @ ..] = &arguments[..] else {
        return Err("give a suite, models and a number of seeds, e.g. rimea pedestrian 1".into());
    };
    let models = models.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let setup = Setup { models, seeds: seeds.parse()?, step: 0.05 };
    let suite = Suite::from_name(suite);
    let suite = suite.ok_or("the suite is rimea or realism")?;
    let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
    print!("{}", some_of(suite, &tests, &setup, &|_| true)?);
    Ok(())
}

fn score(path: &str) -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::open(path)?;
    let scene = recorded_scene(&recording)?;
    let tracks = SampledTracks::of_recording(&mut recording, &scene)?;
    for check in score_tracks(&tracks, None) {
        println!(
            "{} {} {}: {}; {}",
            check.id, check.title, check.outcome, check.value, check.detail
        );
    }
    Ok(())
}
