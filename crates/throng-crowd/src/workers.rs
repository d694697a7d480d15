//! Work on columns of people, in chunks, on one thread or on many.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use rayon::Yield;

/// How many people are served together: enough to outweigh the cost of a task, few enough that
/// their neighbour lists stay in the cache.
pub(crate) const CHUNK: usize = 512;

/// The threads that share a step.
#[derive(Clone, Copy)]
pub(crate) struct Workers {
    /// Whether there are several.
    pub parallel: bool,
}

/// Columns, or some rows of them, that can be split at a row.
pub(crate) trait Split: Sized + Send {
    /// The rows before `at`, which is a multiple of [`CHUNK`], and those from there on.
    fn split(self, at: usize) -> (Self, Self);
}

// An optional column that is not kept is empty, and so is every part of it.
impl<T: Sync> Split for &[T] {
    fn split(self, at: usize) -> (Self, Self) {
        self.split_at(at.min(self.len()))
    }
}

impl<T: Send> Split for &mut [T] {
    fn split(self, at: usize) -> (Self, Self) {
        let at = at.min(self.len());
        self.split_at_mut(at)
    }
}

/// A value for each chunk of rows.
pub(crate) struct PerChunk<'a, T>(pub &'a mut [T]);

impl<T: Send> Split for PerChunk<'_, T> {
    fn split(self, at: usize) -> (Self, Self) {
        let (before, after) = self.0.split(at / CHUNK);
        (Self(before), Self(after))
    }
}

macro_rules! split_tuple {
    ($($column:ident)+) => {
        impl<$($column: Split),+> Split for ($($column,)+) {
            #[allow(non_snake_case, reason = "columns are named as their types")]
            fn split(self, at: usize) -> (Self, Self) {
                let ($($column,)+) = self;
                $(let $column = $column.split(at);)+
                (($($column.0,)+), ($($column.1,)+))
            }
        }
    };
}

split_tuple!(A B);
split_tuple!(A B C);
split_tuple!(A B C D);

impl Workers {
    /// The calling thread alone.
    pub fn one() -> Self {
        Self { parallel: false }
    }

    /// How many threads there are.
    pub fn count(self) -> usize {
        if self.parallel { rayon::current_num_threads().max(1) } else { 1 }
    }

    /// Does some pieces of work, each on any thread.
    pub fn share_out<T: Send>(self, work: impl Iterator<Item = T> + Send, job: impl Fn(T) + Sync) {
        as_shared(|| {
            if self.parallel {
                let job = &job;
                rayon::scope(|scope| work.for_each(|item| scope.spawn(move |_| job(item))));
            } else {
                work.for_each(job);
            }
        });
    }

    /// What `sum` makes of each thread's share of a list, in order.
    pub fn sum_up<T: Sync, R: Send>(self, list: &[T], sum: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
        let length = list.len().div_ceil(self.count()).max(1);
        let mut sums: Vec<Option<R>> = list.chunks(length).map(|_| None).collect();
        let work = sums.iter_mut().zip(list.chunks(length));
        self.share_out(work, |(result, share)| *result = Some(sum(share)));
        sums.into_iter().flatten().collect()
    }

    /// Does some work on each chunk of `count` rows, given the first row and the chunk's part of the columns.
    pub fn for_each_chunk<C: Split>(
        self,
        count: usize,
        columns: C,
        work: impl Fn(usize, C) + Sync,
    ) {
        if count > 0 {
            as_shared(|| self.divide(0, count, columns, &work));
        }
    }

    fn divide<C: Split>(
        self,
        first: usize,
        count: usize,
        columns: C,
        work: &(impl Fn(usize, C) + Sync),
    ) {
        if count <= CHUNK {
            return work(first, columns);
        }
        let half = count.div_ceil(CHUNK) / 2 * CHUNK;
        let (before, after) = columns.split(half);
        let before = || self.divide(first, half, before, work);
        let after = || self.divide(first + half, count - half, after, work);
        if self.parallel {
            rayon::join(before, after);
        } else {
            before();
            after();
        }
    }
}

thread_local! {
    static SHARED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Counts the time of work that any number of threads can share, also where one does it all; the time between is serial.
pub(crate) fn as_shared<T>(work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = work();
    SHARED.set(SHARED.get() + begin.elapsed());
    result
}

/// The time counted by [`as_shared`] on this thread since the last call.
pub(crate) fn take_shared_time() -> Duration {
    SHARED.take()
}

/// Idle time after which a thread of the pool goes to sleep although the step goes on. Waking it takes about as long:
/// the system needs 5 to 50 µs for that, several times in a step.
const LONGEST_WAIT: Duration = Duration::from_micros(100);

/// How many threads can run at the same time.
static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, usize::from));

/// Runs a step in the current thread pool. Meanwhile the other threads of the pool spin between pieces of work
/// instead of being put to sleep and woken in every stage, unless they are more than can run at the same time.
pub(crate) fn with_others_awake(step: impl FnOnce() + Send) {
    if rayon::current_num_threads() > *CORES {
        return step();
    }
    let is_over = &AtomicBool::new(false);
    rayon::scope(|scope| {
        let caller = rayon::current_thread_index();
        scope.spawn_broadcast(move |_, context| {
            if Some(context.index()) != caller {
                work_until(is_over);
            }
        });
        let _end = SetOnDrop(is_over);
        step();
    });
}

/// Takes on work of the pool until the step `is_over`, or there has been none for a while.
fn work_until(is_over: &AtomicBool) {
    let mut idle_since = Instant::now();
    while !is_over.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle_since = Instant::now();
        } else if idle_since.elapsed() > LONGEST_WAIT {
            return;
        } else {
            std::hint::spin_loop();
        }
    }
}

/// Releases the others even if the step panics.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
