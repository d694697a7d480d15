//! From rows in any order to one clean series of samples for each person.
//!
//! What cannot be a sample is left out and reported: numbers that are none, and all but one of
//! several samples at the same moment. Sorting is by person, time and then the sample itself,
//! so that what comes out does not depend on the order of the rows.

use std::collections::HashMap;
use std::ops::Range;

use glam::{DVec3, Vec2};
use throng_base::Heading;
use throng_crowd::Status;
use throng_world::scene::{GroupId, LayerId};

use super::pace::quantile;
use super::report::{Incident, TrackReport};
use crate::recording::{Person, RecordingInfo};

/// Where somebody is at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Who.
    pub person: u32,
    /// When, s.
    pub time: f64,
    /// Where on the ground, m.
    pub position: Vec2,
    /// Height of the ground there, m.
    pub height: f32,
    /// On which floor.
    pub layer: LayerId,
    /// Of which group. Who changes group is in their first one.
    pub group: GroupId,
    /// Which way they face, if that is known. It is looked at only of those who never move.
    pub facing: Option<Heading>,
    /// Whether they lie on the ground.
    pub lying: bool,
}

impl Sample {
    /// Somebody at `time` in the recording that `info` is of.
    pub fn of(person: &Person, time: f64, info: &RecordingInfo) -> Self {
        // An import makes up headings that a file does not have.
        let knows_facing = info.imported_from.is_none();
        Self {
            person: person.id,
            time,
            position: person.position,
            height: person.height,
            layer: person.layer,
            group: person.group,
            facing: knows_facing.then(|| Heading::from_radians(person.heading)),
            lying: person.status == Status::Fallen,
        }
    }
}

/// A sample, and which row it was, from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub sample: Sample,
    pub number: u64,
}

impl Row {
    pub(super) fn place(&self) -> DVec3 {
        self.sample.position.extend(self.sample.height).as_dvec3()
    }

    pub(super) fn distance(&self, other: &Self) -> f64 {
        f64::from(self.sample.position.distance(other.sample.position))
    }

    pub(super) fn incident(&self, size: f64) -> Incident {
        Incident { person: self.sample.person, time: self.sample.time, row: self.number, size }
    }

    fn is_possible(&self) -> bool {
        let Sample { time, position, height, .. } = self.sample;
        let farthest = position.abs().max_element().max(height.abs());
        // Maxima pass over what is not a number.
        position.is_finite() && farthest <= FARTHEST && time.abs() <= LATEST
    }
}

/// No place is farther from the origin, m: single precision has steps of a metre there.
const FARTHEST: f32 = 1e7;
/// No time is later, s. Those of clocks in milliseconds since 1970 are, and are not seconds.
const LATEST: f64 = 1e11;
/// Times closer than this are the same, s.
pub(super) const SAME_TIME: f64 = 1e-6;

/// Everybody's samples, by ascending person and time.
#[derive(Default)]
pub(super) struct Gathered {
    pub rows: Vec<Row>,
    /// Those of each person.
    pub people: Vec<Range<usize>>,
}

impl Gathered {
    pub(super) fn of(samples: impl Iterator<Item = Sample>, report: &mut TrackReport) -> Self {
        let mut rows = Vec::with_capacity(samples.size_hint().0);
        let mut latest: HashMap<u32, f64> = HashMap::new();
        for (number, sample) in (0..).zip(samples) {
            let row = Row { sample, number };
            report.samples += 1;
            if !row.is_possible() || !sample.height.is_finite() {
                report.impossible.add(row.incident(0.0));
                continue;
            }
            let before = latest.entry(sample.person).or_insert(sample.time);
            report.unsorted += u64::from(sample.time < *before);
            *before = sample.time;
            rows.push(row);
        }
        // All that a track can depend on is in the key, so that equal ones are interchangeable.
        rows.sort_unstable_by(|a, b| {
            let (a, b) = (&a.sample, &b.sample);
            let facing = |sample: &Sample| sample.facing.map_or(f32::INFINITY, Heading::radians);
            (a.person.cmp(&b.person))
                .then(a.time.total_cmp(&b.time))
                .then(a.position.x.total_cmp(&b.position.x))
                .then(a.position.y.total_cmp(&b.position.y))
                .then(a.height.total_cmp(&b.height))
                .then((a.layer, a.group, a.lying).cmp(&(b.layer, b.group, b.lying)))
                .then(facing(a).total_cmp(&facing(b)))
        });
        let mut gathered = Self::default();
        for person in rows.chunk_by(|a, b| a.sample.person == b.sample.person) {
            let first = gathered.rows.len();
            one_per_moment(person, &mut gathered.rows, report);
            gathered.people.push(first..gathered.rows.len());
        }
        report.people = gathered.people.len();
        gathered
    }

    /// The usual time between two samples, s: the median. A second if nobody has two.
    pub(super) fn interval(&self) -> f64 {
        let gaps = self.people.iter().flat_map(|person| {
            let rows = &self.rows[person.clone()];
            rows.windows(2).map(|pair| pair[1].sample.time - pair[0].sample.time)
        });
        let mut gaps: Vec<f64> = gaps.collect();
        quantile(&mut gaps, 1, 2).copied().unwrap_or(1.0)
    }
}

/// Of several samples at one moment, the one nearest to where the person was before is kept.
fn one_per_moment(person: &[Row], kept: &mut Vec<Row>, report: &mut TrackReport) {
    let mut rest = person;
    let mut before: Option<Row> = None;
    while let Some(first) = rest.first() {
        let moment = |row: &Row| row.sample.time - first.sample.time <= SAME_TIME;
        let (same, later) = rest.split_at(rest.iter().take_while(|row| moment(row)).count());
        let distance = |row: &Row| before.map_or(0.0, |before| before.distance(row));
        let best = same.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let best = *best.unwrap_or(first);
        for other in same.iter().filter(|other| other.number != best.number) {
            report.duplicates.add(other.incident(other.distance(&best)));
        }
        kept.push(best);
        (before, rest) = (Some(best), later);
    }
}
