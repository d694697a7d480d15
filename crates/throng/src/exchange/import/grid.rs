//! Which moment is which frame.
//!
//! A recording has frames at a fixed rate, counted from 0. Tracks have frame numbers, times, or
//! both:
//!
//! * Frame numbers with a known rate: frame *n* is at *n* / rate. Numbers often step by more than
//!   one, as when every sixth frame of a video was looked at; the recording then has that step as
//!   its `record_every`. Where the count starts anew now and then, as after a pause of the video,
//!   frames are moved by less than a step: else nearly all frames of the recording would be empty.
//! * Times alone: they must be evenly spaced. Their spacing is found as the smallest distance of two
//!   different times, made precise over the whole length.
//! * Both: the numbers tell the frames, and first and last time tell the rate.

use std::path::Path;

use super::staging::Staging;
use crate::exchange::{ExchangeError, tidied};

/// Times closer than this are the same, s.
const SAME_TIME: f64 = 1e-6;
/// How far a time may be from its frame, in frames: times are often printed with few digits.
const OFF_GRID: f64 = 0.25;
/// More frames than months of video; a damaged number would ask for more.
const MOST_FRAMES: i64 = 100_000_000;
/// Numbers step by their smallest difference if at most one in so many differences is no multiple of
/// it. If more are, the numbers just have no common step.
const EXCEPTIONS: u64 = 10;
const BOTH: &str = "frame and time contradict each other; to go by the frames alone, say how many \
                    are in a second, e.g. --fps 25";
/// The rate of tracks that have one moment only, for want of any other.
const LONE_STEP: f64 = throng_world::scene::DEFAULT_STEP;

/// The frames of a recording in terms of those of the tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Grid {
    /// Number of the first frame.
    pub origin: i64,
    /// What the numbers step by.
    pub stride: u32,
    /// Time for which the numbers grow by one, s.
    pub step: f64,
    /// Time of the first frame, s.
    pub start: f64,
    /// How many frames there are.
    pub frames: u32,
    /// How many frames somebody is in.
    pub filled: u64,
    /// By how much frames were moved at most, s.
    pub moved: f64,
}

impl Grid {
    /// Time between two frames, s.
    pub(super) fn interval(&self) -> f64 {
        self.step * f64::from(self.stride)
    }
}

/// Gives every row its frame and sorts the rows. `fps` is the rate of frame numbers, if it is known.
pub(super) fn settle(
    staging: &mut Staging,
    tracks: &Path,
    fps: Option<f64>,
) -> Result<Grid, ExchangeError> {
    let wrong = |reason: String| ExchangeError::tracks(tracks, reason);
    if staging.len() == 0 {
        return Err(wrong("there are no rows in it".into()));
    }
    let query = "SELECT count(frame), count(time) FROM rows";
    let counts =
        staging.first(query, [], |row| Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?)))?;
    let (with_frame, with_time) = counts.unwrap_or_default();
    let clock = match (with_frame > 0, with_time > 0, fps) {
        (true, _, Some(fps)) => Clock { step: fps.recip(), time_of_zero: 0.0 },
        (false, _, Some(fps)) => {
            let clock = Clock { step: fps.recip(), time_of_zero: 0.0 };
            clock.number_times(staging, tracks)?;
            clock
        }
        (true, true, None) => Clock::of_both(staging, tracks)?,
        (false, true, None) => {
            let clock = Clock::of_times(staging, tracks)?;
            clock.number_times(staging, tracks)?;
            clock
        }
        (_, false, None) => {
            let reason = "how many frames are in a second is not in it; say it, e.g. --fps 25";
            return Err(wrong(reason.into()));
        }
    };
    if let Err(duplicate) = staging.sort()? {
        let (first, second) = duplicate.lines;
        let reason = format!(
            "person {} is in frame {} twice, here and in line {first}; keep one of the rows",
            duplicate.id, duplicate.frame
        );
        return Err(ExchangeError::Line { path: tracks.into(), line: second, reason });
    }
    clock.grid(staging).and_then(|grid| grid.map_err(wrong))
}

/// What time a frame number stands for.
#[derive(Clone, Copy, Debug)]
struct Clock {
    step: f64,
    time_of_zero: f64,
}

impl Clock {
    /// From rows with numbers and times.
    fn of_both(staging: &Staging, tracks: &Path) -> Result<Self, ExchangeError> {
        let end = |order: &str| {
            let query = format!("SELECT frame, time FROM rows ORDER BY frame {order} LIMIT 1");
            let end = staging.first(&query, [], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
            Ok::<(i64, f64), ExchangeError>(end.unwrap_or_default())
        };
        let ((first, begin), (last, end)) = (end("ASC")?, end("DESC")?);
        let frames = (last - first) as f64;
        let step = if frames > 0.0 { (end - begin) / frames } else { LONE_STEP };
        if !(step > 0.0 && step.is_finite()) {
            let reason = format!(
                "frame {first} is at {begin} s and frame {last} at {end} s; say how many frames \
                 are in a second, e.g. --fps 25"
            );
            return Err(ExchangeError::tracks(tracks, reason));
        }
        let tolerance = 1e-9 * end.abs().max(begin.abs()).max(1e-3) / frames.max(1.0);
        let step = tidied(step, tolerance);
        let clock = Self { step, time_of_zero: begin - first as f64 * step };
        clock.check_times(staging, tracks, "frame", BOTH)?;
        Ok(clock)
    }

    /// From times alone.
    fn of_times(staging: &Staging, tracks: &Path) -> Result<Self, ExchangeError> {
        let (mut smallest, mut previous, mut ends) = (f64::INFINITY, None, None);
        let every_time = "SELECT DISTINCT time FROM rows ORDER BY time";
        staging.each(every_time, |row| {
            let time: f64 = row.get(0)?;
            let apart = previous.map_or(f64::INFINITY, |previous| time - previous);
            if apart > SAME_TIME {
                smallest = smallest.min(apart);
                previous = Some(time);
            }
            ends = Some((ends.map_or(time, |(first, _)| first), time));
            Ok(Ok(()))
        })?;
        let (first, last) = ends.unwrap_or_default();
        if !smallest.is_finite() {
            return Ok(Self { step: LONE_STEP, time_of_zero: first });
        }
        // Each distance is a whole number of steps, more surely so than the whole length is.
        let (mut steps, mut previous) = (0.0, first);
        staging.each(every_time, |row| {
            let time: f64 = row.get(0)?;
            if time - previous > SAME_TIME {
                steps += ((time - previous) / smallest).round();
                previous = time;
            }
            Ok(Ok(()))
        })?;
        let step = (last - first) / f64::max(steps, 1.0);
        let tolerance = 1e-9 * last.abs().max(first.abs()).max(1e-3) / f64::max(steps, 1.0);
        let clock = Self { step: tidied(step, tolerance), time_of_zero: first };
        clock.check_times(
            staging,
            tracks,
            "round((time - ?1) / ?2)",
            "times are not evenly spaced; say how many frames are in a second, e.g. --fps 25",
        )?;
        Ok(clock)
    }

    /// Gives rows that have only a time their number.
    fn number_times(&self, staging: &Staging, tracks: &Path) -> Result<(), ExchangeError> {
        let number = "round((time - ?1) / ?2)";
        let reason = format!("the time lies between two frames of {} per second", 1.0 / self.step);
        self.check_times(staging, tracks, number, &reason)?;
        let update = format!("UPDATE rows SET frame = CAST({number} AS INTEGER)");
        staging.execute(&update, [self.time_of_zero, self.step])
    }

    /// Whether the time of every row is about that of frame `number`, an SQL expression.
    fn check_times(
        &self,
        staging: &Staging,
        tracks: &Path,
        number: &str,
        problem: &str,
    ) -> Result<(), ExchangeError> {
        let query = format!(
            "SELECT line, time FROM rows \
             WHERE abs((time - ?1) / ?2 - {number}) > ?3 ORDER BY line LIMIT 1"
        );
        let values = [self.time_of_zero, self.step, OFF_GRID];
        let off = staging.first(&query, values, |row| Ok((row.get(0)?, row.get::<_, f64>(1)?)))?;
        match off {
            None => Ok(()),
            Some((line, time)) => {
                let reason = format!("time is {time} s: {problem}");
                Err(ExchangeError::Line { path: tracks.into(), line, reason })
            }
        }
    }

    /// The frames that there are.
    fn grid(&self, staging: &Staging) -> Result<Result<Grid, String>, ExchangeError> {
        let numbers = Numbers::of(staging)?;
        let stride = numbers.stride();
        let frames = numbers.index(numbers.last, stride).saturating_add(1);
        if frames > MOST_FRAMES {
            let Numbers { first, last, .. } = numbers;
            return Ok(Err(format!(
                "from frame {first} to frame {last} there are {frames} frames, and {MOST_FRAMES} \
                 is the most; is a frame number damaged?"
            )));
        }
        let Ok(narrow) = u32::try_from(stride) else {
            return Ok(Err(format!("its frames are {stride} apart; is a frame number damaged?")));
        };
        let farthest = if stride > numbers.divisor { numbers.align(staging, stride)? } else { 0 };
        Ok(Ok(Grid {
            origin: numbers.first,
            stride: narrow,
            step: self.step,
            start: self.time_of_zero + numbers.first as f64 * self.step,
            frames: frames as u32,
            filled: numbers.count,
            moved: farthest as f64 * self.step,
        }))
    }
}

/// The different frame numbers that there are.
struct Numbers {
    first: i64,
    last: i64,
    count: u64,
    /// The greatest common divisor of all differences.
    divisor: i64,
    /// The smallest difference, and how many are no multiples of it.
    smallest: i64,
    exceptions: u64,
}

const EVERY_NUMBER: &str = "SELECT DISTINCT frame FROM rows ORDER BY frame";

impl Numbers {
    fn of(staging: &Staging) -> Result<Self, ExchangeError> {
        let (mut first, mut last, mut count) = (None, 0, 0);
        let (mut divisor, mut smallest) = (0, i64::MAX);
        staging.each(EVERY_NUMBER, |row| {
            let number: i64 = row.get(0)?;
            if first.is_some() {
                divisor = gcd(divisor, number - last);
                smallest = smallest.min(number - last);
            }
            first.get_or_insert(number);
            (last, count) = (number, count + 1);
            Ok(Ok(()))
        })?;
        let (mut exceptions, mut previous) = (0, first.unwrap_or_default());
        staging.each(EVERY_NUMBER, |row| {
            let number: i64 = row.get(0)?;
            exceptions += u64::from((number - previous) % smallest != 0);
            previous = number;
            Ok(Ok(()))
        })?;
        let first = first.unwrap_or_default();
        let (divisor, smallest) = if count > 1 { (divisor, smallest) } else { (1, 1) };
        Ok(Self { first, last, count, divisor, smallest, exceptions })
    }

    /// What the numbers step by.
    fn stride(&self) -> i64 {
        match self.exceptions * EXCEPTIONS <= self.count {
            true => self.smallest,
            false => self.divisor,
        }
    }

    /// Which frame a number is, if they step by `stride`.
    fn index(&self, number: i64, stride: i64) -> i64 {
        (number - self.first + stride / 2) / stride
    }

    /// Moves all numbers to the nearest multiple of `stride`, counted from the first, and returns by
    /// how much at most. No two meet, since they are at least a stride apart.
    fn align(&self, staging: &Staging, stride: i64) -> Result<i64, ExchangeError> {
        let aligned = "?1 + (frame - ?1 + ?2 / 2) / ?2 * ?2";
        let query = format!("SELECT max(abs(frame - ({aligned}))) FROM rows");
        let farthest = staging.first(&query, [self.first, stride], |row| row.get(0))?;
        staging.execute(&format!("UPDATE rows SET frame = {aligned}"), [self.first, stride])?;
        Ok(farthest.unwrap_or_default())
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::row::Row;
    use super::*;

    fn settled(moments: &[(Option<i64>, Option<f64>)], fps: Option<f64>) -> Result<Grid, String> {
        let mut staging = Staging::new().unwrap();
        let row = |(i, &(frame, time)): (usize, &(Option<i64>, Option<f64>))| Row {
            line: i as u64 + 1,
            frame,
            time,
            ..Row::default()
        };
        let rows: Vec<Row> = moments.iter().enumerate().map(row).collect();
        staging.fill(|staging| rows.iter().try_for_each(|row| staging.insert(row))).unwrap();
        settle(&mut staging, Path::new("a.csv"), fps).map_err(|error| error.to_string())
    }

    fn frames(numbers: &[i64]) -> Vec<(Option<i64>, Option<f64>)> {
        numbers.iter().map(|&number| (Some(number), None)).collect()
    }

    fn times(times: &[f64]) -> Vec<(Option<i64>, Option<f64>)> {
        times.iter().map(|&time| (None, Some(time))).collect()
    }

    #[test]
    fn numbers_that_step_by_six_are_every_sixth_state() {
        let grid = settled(&frames(&[792, 780, 804, 822]), Some(15.0)).unwrap();
        assert_eq!((grid.origin, grid.stride, grid.frames, grid.filled), (780, 6, 8, 4));
        assert_eq!((grid.start, grid.interval()), (52.0, 6.0 * (1.0 / 15.0)));
    }

    #[test]
    fn numbers_that_start_anew_after_a_pause_are_moved_by_less_than_a_step() {
        let mut numbers: Vec<i64> = (0..20).map(|i| 6 * i).collect();
        numbers.extend((0..20).map(|i| 409 + 6 * i));
        let grid = settled(&frames(&numbers), Some(15.0)).unwrap();
        assert_eq!((grid.stride, grid.filled, grid.frames), (6, 40, 68 + 20));
        assert_eq!(grid.moved, 1.0 / 15.0);
        // Without any regularity, nothing is moved.
        let grid = settled(&frames(&[0, 6, 13, 20, 26, 33]), Some(15.0)).unwrap();
        assert_eq!((grid.stride, grid.frames, grid.moved), (1, 34, 0.0));
    }

    #[test]
    fn even_times_tell_their_spacing_whatever_their_digits() {
        let grid = settled(&times(&[0.5, 0.1, 0.2, 0.30000000000000004]), None).unwrap();
        assert_eq!((grid.step, grid.start, grid.frames), (0.1, 0.1, 5));
        // Thirty per second, printed with two digits.
        let printed: Vec<f64> = (0..300).map(|i| (f64::from(i) / 0.3).round() / 100.0).collect();
        let grid = settled(&times(&printed), None).unwrap();
        assert!((grid.step - 1.0 / 30.0).abs() < 1e-4, "{grid:?}");
        assert_eq!(grid.frames, 300);
        let error = settled(&times(&[0.0, 0.1, 0.17, 0.3]), None).unwrap_err();
        assert!(error.starts_with("a.csv:2: time is 0.1 s: times are not evenly"), "{error}");
    }

    #[test]
    fn times_are_rounded_to_a_rate_that_is_given() {
        let grid = settled(&times(&[0.03, 0.07, 0.10]), Some(30.0)).unwrap();
        assert_eq!((grid.origin, grid.frames), (1, 3));
        let error = settled(&times(&[0.0, 0.05]), Some(10.0)).unwrap_err();
        assert!(error.contains("a.csv:2: time is 0.05 s: the time lies between"), "{error}");
    }

    #[test]
    fn numbers_and_times_together_tell_the_rate() {
        let both = [(Some(10), Some(2.0)), (Some(14), Some(3.6)), (Some(12), Some(2.8))];
        let grid = settled(&both, None).unwrap();
        assert_eq!((grid.step, grid.stride, grid.start), (0.4, 2, 2.0));
        let error = settled(&[both[0], both[1], (Some(12), Some(3.4))], None).unwrap_err();
        assert!(error.contains("a.csv:3: time is 3.4 s: frame and time contradict"), "{error}");
        let error = settled(&[(Some(1), Some(2.0)), (Some(2), Some(1.0))], None).unwrap_err();
        assert!(error.contains("--fps"), "{error}");
    }

    #[test]
    fn what_makes_no_frames_is_refused() {
        for (moments, fps, reason) in [
            (frames(&[]), Some(25.0), "no rows"),
            (frames(&[1, 2]), None, "--fps 25"),
            (frames(&[1, 2, 1]), Some(25.0), "a.csv:3: person 0 is in frame 1 twice"),
            (frames(&[0, 1, 1 << 40]), Some(25.0), "is a frame number damaged?"),
            (frames(&[0, 1 << 40]), Some(25.0), "is a frame number damaged?"),
        ] {
            let error = settled(&moments, fps).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(settled(&times(&[7.0]), None).unwrap().frames, 1);
    }
}
