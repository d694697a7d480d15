//! How long people stay at an idle goal, if that varies: pre-movement times, stops at a stall.
//!
//! A person's time is drawn when the goal begins, from a distribution or from times that were measured. It is a function
//! of the seed, the number of the person and how many goals they have begun, so it does not depend on anybody else.

use std::sync::Arc;

use throng_base::Distribution;
use throng_base::random::{Purpose, Random};

/// How long people stay, s.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// Drawn from a distribution in closed form.
    Drawn(Distribution),
    /// Drawn from a table.
    Measured(Arc<MeasuredTimes>),
}

impl Wait {
    /// The time of person number `id`, s, if this is the `count`-th goal that they begin.
    pub fn of(&self, random: Random, id: u32, count: u32) -> f32 {
        let mut stream = random.stream(id.into(), count.into(), Purpose::Wait);
        match self {
            Self::Drawn(distribution) => distribution.sample(&mut stream).max(0.0),
            Self::Measured(times) => times.quantile(stream.unit().into()),
        }
    }

    /// The longest time that anybody can stay, s; may be infinite.
    pub fn longest(&self) -> f32 {
        match self {
            Self::Drawn(distribution) => distribution.max(),
            Self::Measured(times) => times.times.last().copied().unwrap_or(0.0),
        }
    }
}

/// Times that were measured, or an empirical distribution of times.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredTimes {
    /// Ascending, s; at least one.
    times: Vec<f32>,
    /// The share of all times up to each of them, ascending to 1; empty if each time counts the same.
    shares: Vec<f64>,
}

/// A table has at most this many rows.
const MAX_ROWS: usize = 1_000_000;

/// Longest time in a table, s: a day.
const LONGEST: f64 = 86_400.0;

impl MeasuredTimes {
    /// Reads a table in CSV whose first line names its columns: `time`, a line for each measured time in seconds, or
    /// `time,cumulative`, with the share of all times up to each.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and in which line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let header = lines.next().map(|(_, line)| line.trim_start_matches('\u{feff}'));
        let columns: Vec<&str> = header.unwrap_or("").split(',').map(str::trim).collect();
        let has_shares = match columns[..] {
            ["time"] => false,
            ["time", "cumulative"] => true,
            _ => return Err("its first line is not `time` or `time,cumulative`".into()),
        };
        let mut rows: Vec<(f64, f64)> = Vec::new();
        for (number, line) in lines {
            let wrong = |why: String| format!("line {number}: {why}");
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            if cells.len() != columns.len() {
                return Err(wrong(format!("{} cells instead of {}", cells.len(), columns.len())));
            }
            let cell = |index: usize, limit: f64| match cells[index].parse::<f64>() {
                Ok(value) if (0.0..=limit).contains(&value) => Ok(value),
                _ => Err(wrong(format!("{:?} is no number from 0 to {limit}", cells[index]))),
            };
            let row = (cell(0, LONGEST)?, if has_shares { cell(1, 1.0)? } else { 0.0 });
            let falls = |last: &(f64, f64)| row.0 < last.0 || row.1 < last.1;
            if has_shares && rows.last().is_some_and(falls) {
                return Err(wrong("times and shares must not fall from line to line".into()));
            }
            rows.push(row);
            if rows.len() > MAX_ROWS {
                return Err(format!("it has more than {MAX_ROWS} lines"));
            }
        }
        match rows.last() {
            None => return Err("there are no times in it".into()),
            Some((_, share)) if has_shares && (share - 1.0).abs() > 1e-6 => {
                return Err(format!("its last share is {share} instead of 1"));
            }
            Some(_) => {}
        }
        if !has_shares {
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let shares = rows.iter().filter(|_| has_shares).map(|row| row.1).collect();
        Ok(Self { times: rows.iter().map(|row| row.0 as f32).collect(), shares })
    }

    /// The time that a `share` of all lies below, s: one of those that were measured, or straight between those of a
    /// distribution.
    fn quantile(&self, share: f64) -> f32 {
        let last = self.times.len() - 1;
        if self.shares.is_empty() {
            return self.times[((share * self.times.len() as f64) as usize).min(last)];
        }
        let above = self.shares.partition_point(|&other| other < share).min(last);
        let Some(below) = above.checked_sub(1) else { return self.times[0] };
        let [low, high] = [self.shares[below], self.shares[above]];
        let part = if high > low { ((share - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
        let [from, to] = [self.times[below], self.times[above]];
        from + (to - from) * part as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_times_are_drawn_equally_often_and_shares_are_joined_by_straight_lines() {
        let times = MeasuredTimes::parse("time\n30\n10\n\n20\n40\n").unwrap();
        assert_eq!(
            [0.0, 0.3, 0.5, 0.99].map(|share| times.quantile(share)),
            [10.0, 20.0, 30.0, 40.0]
        );
        let shares = "time, cumulative\n0, 0.25\n10, 0.5\n10, 0.75\n30, 1\n";
        let shares = MeasuredTimes::parse(shares).unwrap();
        let drawn = [0.0, 0.25, 0.375, 0.6, 0.875, 1.0].map(|share| shares.quantile(share));
        assert_eq!(drawn, [0.0, 0.0, 5.0, 10.0, 20.0, 30.0]);
    }

    #[test]
    fn tables_that_are_none_say_what_is_wrong_and_where() {
        for (text, message) in [
            ("", "its first line is not `time` or `time,cumulative`"),
            ("delay\n3\n", "its first line is not `time` or `time,cumulative`"),
            ("time\n", "there are no times in it"),
            ("time\n3\n-1\n", "line 3: \"-1\" is no number from 0 to 86400"),
            ("time\n3\nNaN\n", "line 3: \"NaN\" is no number from 0 to 86400"),
            ("time\n3,4\n", "line 2: 2 cells instead of 1"),
            (
                "time,cumulative\n3,0.5\n2,1\n",
                "line 3: times and shares must not fall from line to line",
            ),
            ("time,cumulative\n3,0.5\n4,0.9\n", "its last share is 0.9 instead of 1"),
        ] {
            assert_eq!(MeasuredTimes::parse(text).unwrap_err(), message, "{text:?}");
        }
    }
}
