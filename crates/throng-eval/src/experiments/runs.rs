//! Running many independent simulations, each on one thread.

use std::cell::Cell;
use std::convert::Infallible;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use throng::recording::Frame;
use throng::{Engine, Scene};

use super::ExperimentError;

/// How far an experiment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Simulations that are done.
    pub done: usize,
    /// Simulations in all.
    pub total: usize,
}

/// Is told how far an experiment has come, often and from several threads, and says whether it goes
/// on. If not, it ends with [`ExperimentError::Interrupted`].
pub type Watch<'a> = &'a (dyn Fn(Progress) -> bool + Sync);

/// The simulations of an experiment, and who watches them.
pub(crate) struct Runs<'a> {
    watch: Watch<'a>,
    total: usize,
    next: AtomicUsize,
    done: AtomicUsize,
}

/// Runs all `cases`, several at once, and returns what came out in their order. Simulations this
/// small gain nothing from threads of their own.
pub(crate) fn run_all<C: Sync, R: Send>(
    cases: &[C],
    watch: Watch,
    run: impl Fn(&C, &Runs) -> Result<R, ExperimentError> + Sync,
) -> Result<Vec<R>, ExperimentError> {
    run_all_on(thread::available_parallelism().map_or(1, NonZero::get), cases, watch, run)
}

/// The same on so many threads at most.
pub(crate) fn run_all_on<C: Sync, R: Send, E: Send>(
    threads: usize,
    cases: &[C],
    watch: Watch,
    run: impl Fn(&C, &Runs) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let total = cases.len();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let runs = Runs { watch, total, next, done };
    let results: Mutex<Vec<(usize, Result<R, E>)>> = Mutex::default();
    let work = || {
        while let Some((index, case)) = take(cases, &runs.next) {
            let result = run(case, &runs);
            if result.is_err() {
                // The others would most likely fail as well.
                runs.next.store(total, Ordering::Relaxed);
            }
            // Whoever panicked while holding the lock takes the scope down anyway.
            if let Ok(mut results) = results.lock() {
                results.push((index, result));
            }
            runs.done.fetch_add(1, Ordering::Relaxed);
            runs.go_on();
        }
    };
    runs.go_on();
    thread::scope(|scope| {
        (1..threads.min(total)).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

impl Runs<'_> {
    /// Whether whoever watches wants more.
    pub(crate) fn go_on(&self) -> bool {
        let done = self.done.load(Ordering::Relaxed);
        (self.watch)(Progress { done, total: self.total })
    }

    /// Simulates `scene` to its end, or until `look`, which sees every state, wants to see no more.
    pub fn simulate(
        &self,
        scene: Scene,
        mut look: impl FnMut(&Frame) -> bool,
    ) -> Result<(), ExperimentError> {
        let mut engine = Engine::new(scene)?;
        engine.set_threads(1).map_err(|error| ExperimentError::Threads(error.to_string()))?;
        let (wants_more, interrupted) = (Cell::new(true), Cell::new(false));
        let keep = |frame: &Frame| {
            wants_more.set(look(frame));
            Ok::<(), Infallible>(())
        };
        let go_on = |_| {
            interrupted.set(!self.go_on());
            wants_more.get() && !interrupted.get()
        };
        match engine.run_with(keep, go_on) {
            Ok(_) if interrupted.get() => Err(ExperimentError::Interrupted),
            Ok(_) => Ok(()),
            Err(never) => match never {},
        }
    }
}

fn take<'a, C>(cases: &'a [C], next: &AtomicUsize) -> Option<(usize, &'a C)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cases.get(index).map(|case| (index, case))
}
