//! Everyone in ascending order of id, visited on all threads of a crowd.

use crate::crowd::{Crowd, PersonState};
use crate::workers::Workers;

/// How many ids there are in a part.
const PART: usize = 4096;

impl Crowd {
    /// The numbers of people in each part of the crowd, for [`Self::visit_parts`].
    pub fn part_lengths(&self) -> Vec<usize> {
        self.people.parts_by_id(PART).map(Iterator::count).collect()
    }

    /// Calls `visit` with each of some values, one per part of the crowd, and the people of the part in ascending order
    /// of id; parts are in this order, too. Runs on the threads of the crowd.
    pub fn visit_parts<P: Send>(
        &self,
        values: impl IntoIterator<Item = P, IntoIter: Send>,
        visit: impl Fn(P, &mut dyn Iterator<Item = PersonState>) + Sync,
    ) {
        let workers = Workers { parallel: self.workers() > 1 };
        let work = values.into_iter().zip(self.people.parts_by_id(PART));
        let share_out = || {
            workers.share_out(work, |(value, rows)| {
                visit(value, &mut rows.map(|row| self.state(row)));
            });
        };
        if workers.parallel { self.execution.install(share_out) } else { share_out() }
    }
}
