//! The last few seconds of everybody's walk.
//!
//! Every entry holds what has added up since the beginning, so what falls into the window is a
//! difference of two entries, exact and without a loop; only smallest and largest rates look at all
//! of them, and only when somebody asks. Entries of one frame lie side by side: everybody's window
//! begins in the same frame, unless they set out later, so a frame reads two rows of memory from one end to
//! the other instead of a place of its own for each person.

use std::collections::VecDeque;

use glam::Vec2;

use super::metrics::Windowed;

/// Frames that are due at the beginning of a window may be a rounding error late, s.
const SLACK: f64 = 1e-9;

/// What is followed over a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Followed {
    Turned,
    Distance,
    SpeedChange,
    Acceleration,
}

/// One moment of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub position: Vec2,
    /// What has added up so far, by [`Followed`].
    pub totals: [f64; 4],
    pub flips: u32,
}

/// A frame: the entries of those who walk, by their rows. What the rows of others hold means nothing.
#[derive(Clone, Debug, Default)]
struct Moment {
    time: f64,
    entries: Vec<Entry>,
}

/// The last seconds, oldest first. The first frame is the one at or before the beginning of the window, if
/// there have been that many.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    moments: VecDeque<Moment>,
    /// The number of the first frame.
    first: u64,
}

impl History {
    pub fn clear(&mut self) {
        self.moments.clear();
    }

    /// Begins a frame with the given number, which comes after the last one, and lets go of what is more
    /// than `length` seconds before it.
    pub fn begin(&mut self, frame: u64, time: f64, rows: usize, length: f64) {
        let begin = time - length + SLACK;
        let mut spare = Moment::default();
        while self.moments.get(1).is_some_and(|next| next.time <= begin) {
            spare = self.moments.pop_front().unwrap_or_default();
            self.first += 1;
        }
        if self.moments.is_empty() {
            self.first = frame;
        }
        spare.time = time;
        spare.entries.resize(rows, Entry::default());
        self.moments.push_back(spare);
    }

    /// Keeps the given rows, in this order, and nobody else.
    pub fn keep(&mut self, rows: &[u32]) {
        for Moment { entries, .. } in &mut self.moments {
            // Who came later has no place in earlier frames.
            let of = |&row: &u32| entries.get(row as usize).copied().unwrap_or_default();
            *entries = rows.iter().map(of).collect();
        }
    }

    /// Puts down where the person in a row is in the frame that has begun.
    pub fn put(&mut self, row: usize, entry: Entry) {
        if let Some(moment) = self.moments.back_mut() {
            moment.entries[row] = entry;
        }
    }

    /// The window of the person in a row, who has been walking in every frame since `since`.
    pub fn window(&self, row: usize, since: u64) -> Window<'_> {
        let from = since.saturating_sub(self.first) as usize;
        Window { history: self, row, from: from.min(self.moments.len()) }
    }
}

/// The last seconds of a walk.
#[derive(Clone, Copy)]
pub(super) struct Window<'h> {
    history: &'h History,
    row: usize,
    /// The first frame of it, in the history.
    from: usize,
}

impl<'h> Window<'h> {
    fn moments(self) -> impl Iterator<Item = (f64, &'h Entry)> + Clone {
        let moments = self.history.moments.range(self.from..);
        moments.map(move |moment| (moment.time, &moment.entries[self.row]))
    }

    /// The first and the last moment, with their times; the same if there is but one.
    fn ends(self) -> Option<[(f64, &'h Entry); 2]> {
        let at = |moment: &'h Moment| (moment.time, &moment.entries[self.row]);
        let first = self.history.moments.get(self.from)?;
        Some([at(first), at(self.history.moments.back()?)])
    }

    /// When it begins, s.
    pub fn begin(self) -> Option<f64> {
        Some(self.history.moments.get(self.from)?.time)
    }

    pub fn flips(self) -> u32 {
        self.ends().map_or(0, |[(_, first), (_, last)]| last.flips - first.flips)
    }

    pub fn displacement(self) -> f64 {
        self.ends().map_or(0.0, |[(_, first), (_, last)]| {
            last.position.as_dvec2().distance(first.position.as_dvec2())
        })
    }

    /// What something came to over the window.
    pub fn of(self, followed: Followed) -> Windowed {
        let index = followed as usize;
        let Some([(begin, first), (end, last)]) =
            self.ends().filter(|[(begin, _), (end, _)]| end > begin)
        else {
            return Windowed::default();
        };
        let total = last.totals[index] - first.totals[index];
        let pairs = self.moments().zip(self.moments().skip(1));
        let rates =
            pairs.map(|((from, a), (to, b))| (b.totals[index] - a.totals[index]) / (to - from));
        let (min, max) =
            rates.fold((f64::INFINITY, 0.0f64), |(min, max), rate| (min.min(rate), max.max(rate)));
        Windowed { total, mean: total / (end - begin), min, max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_as_long_as_it_says_at_any_frame_rate() {
        for rate in [10.0, 20.0, 33.0, 120.0] {
            let mut history = History::default();
            for k in 0..(rate * 10.0) as u32 {
                let time = f64::from(k) / rate;
                let totals = [90.0 * time, 1.5 * time, 0.0, 0.25 * time];
                let position = Vec2::new(1.5 * time as f32, 0.0);
                history.begin(u64::from(k), time, 2, 3.0);
                history.put(1, Entry { position, totals, flips: k });
            }
            let window = history.window(1, 0);
            let distance = window.of(Followed::Distance);
            let longest = 3.0 + 1.0 / rate;
            assert!((4.5 - 1e-6..=1.5 * longest + 1e-6).contains(&distance.total), "{distance:?}");
            assert!((distance.mean - 1.5).abs() < 1e-9 && (distance.min - 1.5).abs() < 1e-6);
            assert!((distance.max - 1.5).abs() < 1e-6);
            assert!((window.displacement() - distance.total).abs() < 1e-5);
            assert!((window.of(Followed::Turned).mean - 90.0).abs() < 1e-6);
            assert!((window.flips() as f64 - 3.0 * rate).abs() <= 1.0);
        }
        assert_eq!(History::default().window(0, 0).of(Followed::Turned), Windowed::default());
    }

    #[test]
    fn who_sets_out_later_has_a_shorter_window() {
        let mut history = History::default();
        for k in 0..100u32 {
            history.begin(u64::from(k), f64::from(k) * 0.1, 1, 3.0);
            let totals = [0.0, f64::from(k) * 0.1, 0.0, 0.0];
            history.put(0, Entry { totals, ..Entry::default() });
        }
        let walked = |since| history.window(0, since).of(Followed::Distance).total;
        for (since, expected) in [(0, 3.0), (60, 3.0), (90, 0.9), (99, 0.0)] {
            assert!((walked(since) - expected).abs() < 1e-9, "{since}");
        }
    }
}
