//! How fast large scenarios are simulated and scored, on one thread: `cargo bench -p throng-eval --bench
//! scoring`.
//!
//! A frame is a step of 0.05 s. What scoring costs is told beside the simulation of the same frames.

use std::time::{Duration, Instant};

use throng::Engine;
use throng::recording::Frame;
use throng_eval::experiments::Steering;
use throng_eval::scenarios::scenario;
use throng_eval::score::{Collector, ScoreOptions};

/// How much of each scenario is looked at, in steps: the beginning, when all are there.
const STEPS: u32 = 600;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("frames per second on one thread, over the first {STEPS} frames");
    for name in ["bottleneck-squeeze", "random"] {
        for model in ["orca", "predictive", "pedestrian", "social_force", "hidac", "ppr"] {
            let steering: Steering = model.parse()?;
            let scenario = scenario(name).ok_or("an unknown scenario")?;
            let mut engine = Engine::new(scenario.scene(Some(&steering), 0)?)?;
            engine.set_threads(1)?;
            let [simulating, scoring] = times(&mut engine)?;
            let per_second = |time: Duration| f64::from(STEPS) / time.as_secs_f64();
            println!(
                "{name:>18} {model:>12}: {:6.0} simulated, {:6.0} with scores ({:.2} of the time)",
                per_second(simulating),
                per_second(simulating + scoring),
                scoring.as_secs_f64() / simulating.as_secs_f64(),
            );
        }
    }
    Ok(())
}

/// How long it takes to simulate, and how long to score, some steps.
fn times(engine: &mut Engine) -> Result<[Duration; 2], Box<dyn std::error::Error>> {
    let mut collector = Collector::new(engine.scene(), ScoreOptions::default())?;
    let mut frame = Frame::default();
    let [mut simulating, mut scoring] = [Duration::ZERO; 2];
    for _ in 0..STEPS {
        let begin = Instant::now();
        engine.step();
        let middle = Instant::now();
        engine.snapshot(&mut frame);
        collector.take((&frame).into())?;
        simulating += middle - begin;
        scoring += middle.elapsed();
    }
    Ok([simulating, scoring])
}
