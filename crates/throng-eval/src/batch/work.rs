//! Runs that are made once: what is done is kept at once, and what was kept before is not made again.
//!
//! Whatever a batch consists of, scenarios or the tests of a suite, its runs have keys, and results that
//! can be kept. Those that are missing are made several at once, the largest first so that none of them
//! is left to the end, and whoever watches is told how much of the work is done.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{BatchError, BatchProgress, BatchWatch, Done, Kept, RunKey, Store};
use crate::experiments::{Progress, Runs, run_all_on};

/// Those of `keys` that have no result which `is_enough`, and what was found of the others.
pub(crate) fn missing<T: DeserializeOwned>(
    store: &Store,
    keys: impl Iterator<Item = RunKey>,
    is_enough: impl Fn(&RunKey, &T) -> bool,
) -> (Vec<RunKey>, Done) {
    let (mut jobs, mut done) = (Vec::new(), Done::default());
    for key in keys {
        match store.load::<T>(&key) {
            Kept::Done(result) if is_enough(&key, &result) => done.kept += 1,
            Kept::Damaged(why) => {
                let path = store.result_path(&key);
                done.damaged.push(format!("{}: {why}", path.display()));
                jobs.push(key);
            }
            Kept::Done(_) | Kept::Missing => jobs.push(key),
        }
    }
    (jobs, done)
}

/// Where and how runs are made.
pub(crate) struct Work<'a> {
    pub store: &'a Store,
    /// How many at once; all that the machine can, if not given.
    pub threads: Option<usize>,
    /// How many are done already.
    pub done_before: usize,
    pub watch: BatchWatch<'a>,
}

impl Work<'_> {
    /// Makes runs, each with about how much work it is compared with others, and keeps their results.
    pub fn make<T: Serialize>(
        &self,
        mut jobs: Vec<(RunKey, u64)>,
        run: impl Fn(&RunKey, &Runs) -> Result<T, BatchError> + Sync,
    ) -> Result<(), BatchError> {
        jobs.sort_by_key(|&(_, effort)| std::cmp::Reverse(effort));
        let all: u64 = jobs.iter().map(|&(_, effort)| effort).sum();
        let spent = AtomicU64::new(0);
        let told = |progress: Progress| {
            let done = self.done_before + progress.done;
            let share = spent.load(Ordering::Relaxed) as f64 / all.max(1) as f64;
            (self.watch)(BatchProgress { done, total: self.done_before + jobs.len(), share })
        };
        let threads =
            self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
        run_all_on(threads.max(1), &jobs, &told, |(key, effort), runs| {
            self.store.save(key, &run(key, runs)?)?;
            spent.fetch_add(*effort, Ordering::Relaxed);
            Ok(())
        })
        .map(drop)
    }
}

/// How many of `keys` have results, for whoever interrupted the work on them.
pub(crate) fn interrupted<T: DeserializeOwned>(
    store: &Store,
    keys: impl Iterator<Item = RunKey>,
) -> BatchError {
    let (mut done, mut total) = (0, 0);
    for key in keys {
        total += 1;
        done += usize::from(matches!(store.load::<T>(&key), Kept::Done(_)));
    }
    BatchError::Interrupted { done, total }
}
