//! Which of the first two columns of a table without a header is the frame, and which the id.
//!
//! `id frame x y` and `frame id x y` are both in use, and a file of one kind can be read as the
//! other. The wrong reading exchanges people and moments: its "tracks" lead through everyone who is
//! there in one frame. A person moves little from frame to frame, and about as before; from one
//! person to another it is some metres, in any direction. So each reading is judged by two medians
//! over its tracks: the length of a step, and how far a position is from the straight line between
//! its neighbours in time. Both are lengths in the unit of the file, whatever that and the frame rate
//! are, and one reading has to win by both. On public recordings of streets at 2.5 Hz the distances
//! to the line differ by a factor of 50 and more, those of steps by 4.

use super::columns::Column;

/// The order of the first two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    IdFrame,
    FrameId,
}

impl Order {
    pub(super) fn columns(self) -> [Option<Column>; 2] {
        match self {
            Self::IdFrame => [Some(Column::Id), Some(Column::Frame)],
            Self::FrameId => [Some(Column::Frame), Some(Column::Id)],
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::IdFrame => "id frame",
            Self::FrameId => "frame id",
        }
    }

    /// How the user asks for it.
    pub(super) fn option(self) -> &'static str {
        match self {
            Self::IdFrame => "--columns id=1,frame=2,x=3,y=4",
            Self::FrameId => "--columns frame=1,id=2,x=3,y=4",
        }
    }
}

/// The first two columns of a row, and the position.
pub(super) type Sample = ([i64; 2], [f64; 2]);

/// By how much the distances to the straight line of the reading that is taken are smaller than those
/// of the other. Below about 2, people who keep in formation could be read as one track.
const ADVANTAGE: f64 = 3.0;
/// Positions between two others that a reading needs to be judged at all.
const FEWEST: usize = 3;
/// The same if the other reading has none, as for a single person.
const FEWEST_ALONE: usize = 8;
/// Distance to the straight line by length of a step, of a track that needs no comparison. Random
/// positions have about 0.9.
const SMOOTH: f64 = 0.25;

/// The order in which the samples make tracks of people, or `None` if that may be either.
pub(super) fn order(samples: &mut [Sample]) -> Option<Order> {
    let id_frame = Motion::of(samples, 0);
    let frame_id = Motion::of(samples, 1);
    match (id_frame.beats(&frame_id), frame_id.beats(&id_frame)) {
        (true, false) => Some(Order::IdFrame),
        (false, true) => Some(Order::FrameId),
        _ => None,
    }
}

/// How people move if a column is their id. The medians of nothing are 0.
#[derive(Debug)]
struct Motion {
    /// Median distance from one position to the next.
    step: f64,
    /// Median distance of a position from the straight line between its neighbours in time.
    deviation: f64,
    steps: usize,
    deviations: usize,
}

impl Motion {
    fn of(samples: &mut [Sample], id: usize) -> Self {
        let frame = 1 - id;
        samples.sort_unstable_by_key(|(numbers, _)| (numbers[id], numbers[frame]));
        let is_track = |samples: &&[Sample]| samples[0].0[id] == samples[samples.len() - 1].0[id];
        let distance = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| (ax - bx).hypot(ay - by);
        let step = |pair: &[Sample]| distance(pair[0].1, pair[1].1);
        let deviation = |triple: &[Sample]| {
            let [begin, time, end] = [0, 1, 2].map(|i| triple[i].0[frame] as f64);
            let part = if end > begin { (time - begin) / (end - begin) } else { 0.5 };
            let on_line = |axis: usize| {
                let (from, to) = (triple[0].1[axis], triple[2].1[axis]);
                from + part * (to - from)
            };
            distance(triple[1].1, [on_line(0), on_line(1)])
        };
        let mut steps: Vec<f64> = samples.windows(2).filter(is_track).map(step).collect();
        let mut deviations: Vec<f64> = samples.windows(3).filter(is_track).map(deviation).collect();
        Self {
            step: median(&mut steps),
            deviation: median(&mut deviations),
            steps: steps.len(),
            deviations: deviations.len(),
        }
    }

    fn beats(&self, other: &Self) -> bool {
        let is_shorter = other.steps == 0 || self.step <= other.step;
        match other.deviations {
            0 => {
                let is_smooth = self.step > 0.0 && self.deviation <= SMOOTH * self.step;
                is_shorter && is_smooth && self.deviations >= FEWEST_ALONE
            }
            _ => {
                let is_straighter =
                    other.deviation > 0.0 && ADVANTAGE * self.deviation <= other.deviation;
                is_shorter && is_straighter && self.deviations >= FEWEST
            }
        }
    }
}

/// The upper median, 0 for no values.
fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order found for `people` over `frames`, written with the id first.
    fn found(people: i64, frames: i64, place: impl Fn(f64, f64) -> [f64; 2]) -> Option<Order> {
        let ids = 1..=people;
        let mut samples: Vec<Sample> = ids
            .flat_map(|id| (0..frames).map(move |frame| [id, 10 * frame]))
            .map(|numbers| (numbers, place(numbers[0] as f64, numbers[1] as f64)))
            .collect();
        let order_found = order(&mut samples);
        // Written in the other order, the same has to be found.
        samples.iter_mut().for_each(|(numbers, _)| numbers.reverse());
        let exchanged = order(&mut samples).map(|order| match order {
            Order::IdFrame => Order::FrameId,
            Order::FrameId => Order::IdFrame,
        });
        assert_eq!(order_found, exchanged);
        order_found
    }

    #[test]
    fn tracks_are_told_from_jumps_between_people() {
        let scattered =
            |id: f64, frame: f64| [7.0 * (3.7 * id).sin() + 0.05 * frame, id * id % 5.0];
        assert_eq!(found(9, 20, scattered), Some(Order::IdFrame));
        assert_eq!(found(9, 3, scattered), Some(Order::IdFrame));
        // One person, and two: there is nothing to compare with, but they walk.
        assert_eq!(found(1, 20, scattered), Some(Order::IdFrame));
        assert_eq!(found(2, 20, scattered), Some(Order::IdFrame));
    }

    #[test]
    fn what_may_be_either_is_not_decided() {
        // A formation that walks evenly: the other reading is one that walks sideways.
        assert_eq!(found(9, 9, |id, frame| [0.1 * frame, id]), None);
        // A formation that sways as one: its other reading is straighter.
        assert_eq!(found(9, 9, |id, frame| [0.4 * frame.sin(), id]), None);
        assert_eq!(found(9, 9, |_, _| [1.0, 2.0]), None);
        assert_eq!(found(1, 1, |id, frame| [id, frame]), None);
        assert_eq!(found(9, 2, |id, frame| [(9.0 * id).sin() * 9.0, frame]), None);
        assert_eq!(found(0, 0, |_, _| [0.0; 2]), None);
    }
}
