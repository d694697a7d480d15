//! Work on columns of people, in chunks, on one thread or on many.

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

    /// Does some work on each chunk of `count` rows, given the first row and the chunk's part of the columns.
    pub fn for_each_chunk<C: Split>(
        self,
        count: usize,
        columns: C,
        work: impl Fn(usize, C) + Sync,
    ) {
        if count > 0 {
            self.divide(0, count, columns, &work);
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
