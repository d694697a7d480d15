//! How two people pass each other: who steps aside, when, and how much room they leave.
//!
//! Four measures after van Basten, Jansen and Karamouzas (2009), who took them from recordings of
//! pairs that walk towards each other between two marks. *Collaboration* is the smaller by the larger
//! of the two lateral offsets at the moment of passing; *clearance* is the smallest gap; *anticipation*
//! is how far apart the two still are when each first leaves the line by 10 cm, by the length of
//! the line; *synchronisation* compares when they do. What is undefined is `None`, not 0.
//!
//! Bodies here are discs, so trunk and hips are the same point and clearance is between discs.
//! Walks without marks have lines of their own, from where each was some seconds before they were nearest
//! to where they are as long after it; results of encounters other than head-on are of another kind.

use std::f64::consts::{LN_2, TAU};

use glam::DVec2;
use serde::Serialize;
use thiserror::Error;

use crate::tracks::Track;

/// How encounters are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncounterRules {
    /// Who is farther from the line has left it, m.
    pub deviation: f64,
    /// Positions are smoothed so that sways faster than this are damped, Hz; not at all if it is 0.
    pub cutoff: f64,
    /// How long before and after they are nearest two people meet, s; for walks without marks.
    pub horizon: f64,
}

impl Default for EncounterRules {
    fn default() -> Self {
        Self { deviation: 0.1, cutoff: 6.0, horizon: 3.0 }
    }
}

/// Which kind of encounter it is, by the angle between the two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EncounterKind {
    /// More than 150 degrees.
    HeadOn,
    /// In between.
    Crossing,
    /// Less than 30 degrees.
    Overtaking,
}

/// On which side of oneself the other is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// The moment at which the line between two people is square to the way they walk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Passing {
    /// When, s.
    pub time: f64,
    /// How far each is from the line then, m; positive to the left of the first one's direction.
    pub offsets: [f64; 2],
    /// On which side of the first the other passes; `None` if they are at the same place.
    pub side: Option<Side>,
}

/// How two people passed each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Encounter {
    /// What it is.
    pub kind: EncounterKind,
    /// The moment of passing; `None` if they never pass.
    pub passing: Option<Passing>,
    /// 1 if both step aside alike, 0 if one does everything. `None` if neither does, or they never pass.
    pub collaboration: Option<f64>,
    /// The smallest gap between the bodies at any time, m; below 0 if they overlap.
    pub clearance: f64,
    /// 1 if both leave the line where they start, 0 if nobody does before they pass. `None` if they never do.
    pub anticipation: Option<f64>,
    /// 1 if both leave the line at the same time, 0 if one never does. `None` if neither does. Depends on
    /// when the trial begins.
    pub synchronisation: Option<f64>,
    /// The same with times counted back from the moment of passing.
    pub synchronisation_before_passing: Option<f64>,
    /// When each left the line before they passed, s from the beginning of the trial.
    pub onsets: [Option<f64>; 2],
}

/// Why there is no encounter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncounterError {
    /// The marks are the same point.
    #[error("both marks are the same point; the line between them needs a length")]
    NoLine,
    /// There is no time at which both are there.
    #[error("the two were never there at the same time")]
    NoCommonTime,
    /// A track is none.
    #[error("a track needs a finite point for each of its times, and times that ascend")]
    NoTrack,
    /// The two walk side by side, and so do not meet.
    #[error("the two keep the same distance; nobody meets anybody")]
    NoMeeting,
}

impl Encounter {
    /// The encounter of two people who walk between two marks, the first from the first mark to the second.
    ///
    /// # Errors
    ///
    /// If the marks are the same, tracks are none, or the two were not there together.
    pub fn between(
        tracks: [&Track; 2],
        radii: [f64; 2],
        marks: [DVec2; 2],
        rules: &EncounterRules,
    ) -> Result<Self, EncounterError> {
        let way = marks[1] - marks[0];
        let direction = way.try_normalize().ok_or(EncounterError::NoLine)?;
        let trial = Trial::new(tracks, rules)?;
        let lines = [[marks[0], direction]; 2];
        Ok(trial.measure(radii, lines, direction, way.length(), rules))
    }

    /// The encounter of any two people who come near each other, around the moment at which they are nearest.
    ///
    /// # Errors
    ///
    /// If tracks are none, the two were not there together, or neither comes nearer to the other.
    pub fn of(
        tracks: [&Track; 2],
        radii: [f64; 2],
        rules: &EncounterRules,
    ) -> Result<Self, EncounterError> {
        let mut trial = Trial::new(tracks, rules)?;
        trial.keep_around(trial.nearest().1, rules.horizon);
        let ends = |points: &[DVec2]| [points[0], points[points.len() - 1]];
        let [a, b] = [ends(&trial.points[0]), ends(&trial.points[1])];
        let [along_a, along_b] = [a, b].map(|[from, to]| (to - from).normalize_or_zero());
        let direction = (along_a - along_b).try_normalize().ok_or(EncounterError::NoMeeting)?;
        let apart = (a[0] - b[0]).dot(direction).abs();
        if apart.is_nan() || apart <= 0.0 {
            return Err(EncounterError::NoMeeting);
        }
        Ok(trial.measure(radii, [[a[0], along_a], [b[0], along_b]], direction, apart, rules))
    }
}

/// Two people at the same times.
struct Trial {
    times: Vec<f64>,
    points: [Vec<DVec2>; 2],
}

impl Trial {
    fn new(tracks: [&Track; 2], rules: &EncounterRules) -> Result<Self, EncounterError> {
        if !tracks.iter().all(|track| is_track(track)) {
            return Err(EncounterError::NoTrack);
        }
        let smooth = tracks.map(|track| smoothed(track, rules.cutoff));
        let [begin, end] = common(tracks).ok_or(EncounterError::NoCommonTime)?;
        let both = tracks.iter().flat_map(|track| &track.times).copied();
        let mut times: Vec<f64> = both.filter(|time| (begin..=end).contains(time)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let points = smooth.map(|track| times.iter().map(|&time| at(&track, time)).collect());
        Ok(Self { times, points })
    }

    /// The smallest distance between the two, and when that is; they walk straight from one time to
    /// the next.
    fn nearest(&self) -> (f64, f64) {
        let apart: Vec<DVec2> =
            self.points[0].iter().zip(&self.points[1]).map(|(a, b)| *a - *b).collect();
        let first = (apart[0].length(), self.times[0]);
        let steps = apart.windows(2).zip(self.times.windows(2)).map(|(apart, times)| {
            let way = apart[1] - apart[0];
            let squared = way.length_squared();
            let share = if squared > 0.0 { -apart[0].dot(way) / squared } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            (apart[0].lerp(apart[1], share).length(), times[0] + (times[1] - times[0]) * share)
        });
        steps.fold(first, |least, step| if step.0 < least.0 { step } else { least })
    }

    /// Forgets what is more than `horizon` seconds from some time.
    fn keep_around(&mut self, time: f64, horizon: f64) {
        let is_kept = |other: f64| (other - time).abs() <= horizon + 1e-9;
        let first = self.times.iter().position(|&t| is_kept(t)).unwrap_or(0);
        let last = self.times.iter().rposition(|&t| is_kept(t)).unwrap_or(0).max(first);
        self.times = self.times[first..=last].to_vec();
        for points in &mut self.points {
            *points = points[first..=last].to_vec();
        }
    }

    /// Measures with a line for each, that begins at a point in a direction. Along `direction`, they are
    /// `length` apart at the beginning.
    fn measure(
        &self,
        radii: [f64; 2],
        lines: [[DVec2; 2]; 2],
        direction: DVec2,
        length: f64,
        rules: &EncounterRules,
    ) -> Encounter {
        let left = direction.perp();
        let ahead: Vec<f64> = (self.points[0].iter().zip(&self.points[1]))
            .map(|(a, b)| (*a - *b).dot(direction))
            .collect();
        let offsets = [0, 1].map(|who| {
            let [origin, along] = lines[who];
            // Both are told as seen by the first.
            let side = along.perp() * along.perp().dot(left).signum();
            self.points[who].iter().map(|point| (*point - origin).dot(side)).collect::<Vec<f64>>()
        });
        let passing_time = first_crossing(&self.times, &ahead, 0.0);
        let value = |values: &[f64], time: f64| interpolated(&self.times, values, time);
        let passing = passing_time.map(|time| {
            let offsets = [value(&offsets[0], time), value(&offsets[1], time)];
            let aside: Vec<f64> = (self.points[0].iter().zip(&self.points[1]))
                .map(|(a, b)| (*b - *a).dot(left))
                .collect();
            let aside = value(&aside, time);
            let side = if aside > 0.0 { Side::Left } else { Side::Right };
            Passing { time, offsets, side: (aside != 0.0).then_some(side) }
        });
        let begin = self.times[0];
        let onsets = offsets.each_ref().map(|offsets| {
            let far: Vec<f64> = offsets.iter().map(|offset| offset.abs()).collect();
            let limit = passing_time.unwrap_or(f64::INFINITY);
            first_above(&self.times, &far, rules.deviation).filter(|time| *time <= limit)
        });
        let gap = |onset: Option<f64>| onset.map_or(0.0, |time| value(&ahead, time).abs());
        let from_begin = onsets.map(|onset| onset.map(|time| time - begin));
        let until_passing = |end: f64| onsets.map(|onset| onset.map(|time| end - time));
        Encounter {
            kind: kind(&self.points),
            passing,
            collaboration: passing.and_then(|passing| {
                let [a, b] = passing.offsets.map(f64::abs);
                (a.max(b) > 0.0).then(|| a.min(b) / a.max(b))
            }),
            clearance: self.nearest().0 - radii[0] - radii[1],
            anticipation: passing.map(|_| (gap(onsets[0]) + gap(onsets[1])) / (2.0 * length)),
            synchronisation: synchronisation(from_begin),
            synchronisation_before_passing: passing_time
                .and_then(|end| synchronisation(until_passing(end))),
            onsets: from_begin,
        }
    }
}

fn synchronisation(onsets: [Option<f64>; 2]) -> Option<f64> {
    match onsets {
        [Some(a), Some(b)] if a.max(b) > 0.0 => Some(1.0 - (a - b).abs() / a.max(b)),
        [Some(_), Some(_)] => Some(1.0),
        [None, None] => None,
        _ => Some(0.0),
    }
}

fn kind(points: &[Vec<DVec2>; 2]) -> EncounterKind {
    let [a, b] = points.each_ref().map(|points| points[points.len() - 1] - points[0]);
    match a.angle_to(b).abs().to_degrees() {
        angle if angle > 150.0 => EncounterKind::HeadOn,
        angle if angle < 30.0 => EncounterKind::Overtaking,
        _ => EncounterKind::Crossing,
    }
}

fn is_track(track: &Track) -> bool {
    track.times.len() == track.points.len()
        && track.points.iter().all(|point| point.is_finite())
        && track.times.iter().all(|time| time.is_finite())
        && track.times.windows(2).all(|pair| pair[0] < pair[1])
}

/// The time at which both are there.
fn common(tracks: [&Track; 2]) -> Option<[f64; 2]> {
    let [a, b] = tracks.map(|track| Some([*track.times.first()?, *track.times.last()?]));
    let ([a, b], [c, d]) = (a?, b?);
    (a.max(c) <= b.min(d)).then(|| [a.max(c), b.min(d)])
}

/// The track without sways faster than `cutoff`, neither early nor late. The weights are those of a
/// Gaussian that halves the power of this frequency, as far to each side as the track reaches to both.
fn smoothed(track: &Track, cutoff: f64) -> Track {
    if cutoff.is_nan() || cutoff <= 0.0 {
        return track.clone();
    }
    let spread = LN_2.sqrt() / (TAU * cutoff);
    let (times, points) = (&track.times, &track.points);
    let ends = [times.first(), times.last()].map(|time| time.copied().unwrap_or_default());
    let smooth = |index: usize| {
        let time = times[index];
        let reach = (3.0 * spread).min(time - ends[0]).min(ends[1] - time) + 1e-9;
        let near = |other: &usize| (times[*other] - time).abs() <= reach;
        let before = (0..index).rev().take_while(near);
        let after = (index + 1..times.len()).take_while(near);
        let all = before.chain(after).chain([index]);
        let (sum, weights) = all.fold((DVec2::ZERO, 0.0), |(sum, weights), other| {
            let weight = (-0.5 * ((times[other] - time) / spread).powi(2)).exp();
            (sum + points[other] * weight, weights + weight)
        });
        sum / weights
    };
    Track { times: times.clone(), points: (0..times.len()).map(smooth).collect() }
}

/// Where a track is at a time within it.
fn at(track: &Track, time: f64) -> DVec2 {
    let ([before, after], share) = around(&track.times, time);
    track.points[before].lerp(track.points[after], share)
}

/// A value between those that are known.
fn interpolated(times: &[f64], values: &[f64], time: f64) -> f64 {
    let ([before, after], share) = around(times, time);
    values[before] + (values[after] - values[before]) * share
}

/// The numbers of the times before and after some time, and where it is between them, from 0 to 1.
fn around(times: &[f64], time: f64) -> ([usize; 2], f64) {
    let after = times.partition_point(|&other| other < time).min(times.len() - 1);
    let before = after.saturating_sub(1);
    let span = times[after] - times[before];
    let share = if span > 0.0 { ((time - times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
    ([before, after], share)
}

/// When values first pass a level, from either side.
fn first_crossing(times: &[f64], values: &[f64], level: f64) -> Option<f64> {
    let below = *values.first()? < level;
    let after = values.iter().position(|&value| (value < level) != below)?;
    Some(time_of(times, values, after, level))
}

/// When values are first above a level.
fn first_above(times: &[f64], values: &[f64], level: f64) -> Option<f64> {
    let after = values.iter().position(|&value| value > level)?;
    Some(if after == 0 { times[0] } else { time_of(times, values, after, level) })
}

/// When the level lies between a value and the one before it.
fn time_of(times: &[f64], values: &[f64], after: usize, level: f64) -> f64 {
    let (a, b) = (values[after - 1], values[after]);
    let share = ((level - a) / (b - a)).clamp(0.0, 1.0);
    times[after - 1] + (times[after] - times[after - 1]) * share
}
