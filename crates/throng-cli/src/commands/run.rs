//! `throng run`.

mod outputs;
mod summary;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};
use throng::bodies::Cast;
use throng::{Engine, Progress, Scene};

use self::outputs::Outputs;
use self::summary::Summary;
use crate::args::RunArguments;
use crate::failure::Failure;
use crate::interruption::watch_for_interruption;
use crate::report;

/// Simulates a scene and records it.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let interrupted = watch_for_interruption()?;
    let mut engine = prepare(arguments)?;
    let mut outputs = Outputs::begin(arguments, engine.scene())?;

    let mut display = Display::new(&engine);
    let progress = |progress: Progress| {
        display.update(&progress);
        !interrupted.load(Ordering::Relaxed)
    };
    let ran = match outputs.is_empty() {
        true => engine.run(None, progress),
        false => engine.run_with(|frame| outputs.keep(frame), progress),
    };
    display.bar.finish_and_clear();

    let summary = Summary::new(&engine, &ran?, outputs.finish()?);
    let shown = arguments.format.print(&summary);
    if summary.interrupted { Err(Failure::Interrupted) } else { shown }
}

/// The scene with what the command line changes, ready to run.
fn prepare(arguments: &RunArguments) -> Result<Engine, Failure> {
    let mut scene = Scene::load(&arguments.scene)?;
    if let Some(seed) = arguments.seed {
        scene.settings.seed = seed;
    }
    if let Some(duration) = arguments.duration {
        scene.set_duration(duration)?;
    }
    let mut engine = Engine::new(scene)?;
    engine.crowd().warnings().iter().for_each(|warning| report::warning(warning));
    if let Some(threads) = arguments.threads {
        let started = engine.set_threads(threads.into());
        started.map_err(|error| Failure::Work(format!("cannot start threads: {error}")))?;
    }
    if arguments.bodies {
        let cast = Cast::for_scene(Cast::USUAL, Some(engine.scene()))
            .map_err(|error| Failure::Work(error.to_string()))?;
        engine.set_bodies(Some(Arc::new(cast)));
    }
    Ok(engine)
}

/// The progress bar of a run.
struct Display {
    bar: ProgressBar,
    step: f64,
    begin: Instant,
    due: Duration,
}

impl Display {
    /// Time between two updates. Small scenes make thousands of steps per second.
    const INTERVAL: Duration = Duration::from_millis(100);

    fn new(engine: &Engine) -> Self {
        let bar = report::progress_bar(engine.total_steps(), "{wide_bar} {msg}, {eta} left");
        let step = engine.scene().settings.step;
        Self { bar, step, begin: Instant::now(), due: Self::INTERVAL }
    }

    fn update(&mut self, progress: &Progress) {
        let elapsed = self.begin.elapsed();
        if self.bar.is_hidden() || elapsed < self.due {
            return;
        }
        self.due = elapsed + Self::INTERVAL;
        let time = |steps: u64| steps as f64 * self.step;
        self.bar.set_position(progress.steps);
        self.bar.set_message(format!(
            "{:.1} of {}, {} people, {:.2} M person-steps/s",
            time(progress.steps),
            report::seconds(time(progress.total)),
            HumanCount(progress.people as u64),
            progress.person_steps as f64 / elapsed.as_secs_f64() / 1e6,
        ));
    }
}
