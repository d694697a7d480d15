//! Tracks: where people were seen, as smooth curves that bodies can follow.
//!
//! Trajectories from elsewhere have one to thirty samples per second, with the errors of whoever or
//! whatever made them: heads that sway, clicks that miss, ids that jump. [`Tracks`] makes of them, for each
//! person, one or more [`Stretch`]es during which they are there without interruption. A stretch tells
//! position, velocity, acceleration and facing at any time, so that what comes next can choose a rate of its own.
//!
//! 1. Samples are put into order; what cannot be one is left out (`gather`).
//! 2. Each person's samples are cut at long gaps and impossible jumps (`cut`).
//! 3. How noisy they are is found out from all of them together (`noise`).
//! 4. Each stretch becomes a smoothing spline, drawn in where it would leave the samples too far and
//!    relaxed where nobody could accelerate like that (`spline`, `smooth`).
//! 5. Whoever stands really stands, and sets out and stops smoothly (`stand`).
//!
//! Everything that was found and done is in a [`TrackReport`]. The result does not depend on the order
//! of the samples or the number of threads.
//!
//! ```
//! use glam::Vec2;
//! use throng::tracks::{Sample, TrackOptions, Tracks};
//!
//! // Somebody walks along x, seen five times a second.
//! let samples = (0..50).map(|i| {
//!     let time = 0.2 * f64::from(i);
//!     Sample { person: 7, time, position: Vec2::new(1.3 * time as f32, 2.0), ..Sample::default() }
//! });
//! let (tracks, report) = Tracks::from_samples(samples, &TrackOptions::default())?;
//! let person = tracks.get(7).expect("somebody was seen");
//! for stretch in person.stretches() {
//!     println!("there from {} s to {} s", stretch.begin(), stretch.end());
//! }
//! let point = person.at(5.03).expect("between the first and the last sample");
//! assert!(point.velocity.distance(Vec2::new(1.3, 0.0)) < 0.01);
//! assert!(report.warnings.is_empty(), "{report}");
//! # Ok::<(), throng::tracks::TrackError>(())
//! ```

mod cut;
mod gather;
mod noise;
mod pace;
mod report;
mod smooth;
mod spline;
mod stand;
mod stretch;

use glam::DVec3;
use rayon::prelude::*;
use thiserror::Error;
use throng_world::scene::GroupId;

use self::gather::{Gathered, Row};
use self::noise::Series;
use self::smooth::{Smoothed, Smoother};
use self::stretch::Situation;
use crate::recording::{Recording, RecordingError};

pub use self::gather::Sample;
pub use self::noise::Noise;
pub use self::report::{Incident, Incidents, Residuals, TrackReport};
pub use self::stretch::{Stretch, TrackPoint};

/// How tracks are smoothed, and when they are cut.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackOptions {
    /// Standard deviation of the samples' errors in each coordinate, m. By default it is found out.
    pub noise: Option<f64>,
    /// How far a curve may be from a sample, m, where people do not accelerate beyond measure. By
    /// default 3.5 standard deviations of the noise, and at least 5 cm.
    pub tolerance: Option<f64>,
    /// Gaps up to this long are bridged, s. If samples are rarer, a gap may always lack one of them.
    pub longest_gap: f64,
    /// Nobody is faster, m/s: who seems to be has jumped.
    pub fastest: f64,
    /// Nobody accelerates more, m/s².
    pub max_acceleration: f64,
    /// Who stays below this speed over a second, m/s, and gets nowhere, stands.
    pub standing_speed: f64,
    /// It takes at least this long to stand, s.
    pub standing_time: f64,
}

impl Default for TrackOptions {
    fn default() -> Self {
        Self {
            noise: None,
            tolerance: None,
            longest_gap: 2.0,
            fastest: 8.0,
            max_acceleration: 3.0,
            standing_speed: 0.12,
            standing_time: 1.0,
        }
    }
}

impl TrackOptions {
    fn check(&self) -> Result<(), TrackError> {
        let values = [
            ("noise", self.noise.unwrap_or(1.0)),
            ("tolerance", self.tolerance.unwrap_or(1.0)),
            ("longest_gap", self.longest_gap),
            ("fastest", self.fastest),
            ("max_acceleration", self.max_acceleration),
            ("standing_speed", self.standing_speed),
            ("standing_time", self.standing_time),
        ];
        let is_wrong = |value: f64| !(value > 0.0 && value.is_finite());
        match values.into_iter().find(|&(_, value)| is_wrong(value)) {
            Some((name, value)) => Err(TrackError::Option { name, value }),
            None => Ok(()),
        }
    }
}

/// Why there are no tracks.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrackError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// An option makes no sense.
    #[error("the option {name} is {value}; give a positive number")]
    Option {
        /// Its name in [`TrackOptions`].
        name: &'static str,
        /// What it is.
        value: f64,
    },
}

/// Everybody's tracks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tracks {
    tracks: Vec<Track>,
}

/// One person's track.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    person: u32,
    group: GroupId,
    stretches: Vec<Stretch>,
    rms: f64,
    max: f64,
}

impl Tracks {
    /// The tracks of everybody in `recording`.
    ///
    /// # Errors
    ///
    /// If the recording is damaged, or an option makes no sense.
    pub fn of(
        recording: &mut Recording,
        options: &TrackOptions,
    ) -> Result<(Self, TrackReport), TrackError> {
        options.check()?;
        let info = recording.info().clone();
        let mut samples = Vec::new();
        for frame in recording.frames() {
            let frame = frame?;
            let people = (0..frame.people.len()).map(|i| frame.people.get(i));
            samples.extend(people.map(|person| Sample::of(&person, frame.time, &info)));
        }
        Self::from_samples(samples, options)
    }

    /// The tracks of everybody in `samples`, which may come in any order.
    ///
    /// # Errors
    ///
    /// If an option makes no sense.
    pub fn from_samples(
        samples: impl IntoIterator<Item = Sample>,
        options: &TrackOptions,
    ) -> Result<(Self, TrackReport), TrackError> {
        options.check()?;
        let mut report = TrackReport::default();
        let gathered = Gathered::of(samples.into_iter(), &mut report);
        report.interval = gathered.interval();
        report.walking_speed = pace::walking_speed(&gathered, report.interval);
        report.warnings = pace::judge(&gathered, report.interval, report.walking_speed);

        let people = cut_all(&gathered, options, &mut report);
        let smoother = smoother(&people, options, &mut report);
        let drafts: Vec<_> =
            people.par_iter().map(|stretches| Draft::of(stretches, &smoother)).collect();
        report.residuals = summarise(&people, &drafts, smoother.tolerance());
        let interval = report.interval;
        let tracks: Vec<_> = drafts.into_iter().map(|draft| draft.track(interval)).collect();
        let stretches = || tracks.iter().flat_map(|track: &Track| &track.stretches);
        report.stretches = stretches().count();
        report.duration = stretches().map(Stretch::duration).fold(0.0, |sum, time| sum + time);
        let stands = stretches().flat_map(Stretch::stands);
        report.standing = stands.map(|(from, to)| to - from).fold(0.0, |sum, time| sum + time);
        Ok((Self { tracks }, report))
    }

    /// How many people there are.
    pub fn len(&self) -> usize {
        self.tracks.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.tracks.is_empty()
    }

    /// Everybody, by ascending id.
    pub fn iter(&self) -> std::slice::Iter<'_, Track> {
        self.tracks.iter()
    }

    /// The track of `person`.
    pub fn get(&self, person: u32) -> Option<&Track> {
        let found = self.tracks.binary_search_by_key(&person, |track| track.person);
        found.ok().map(|index| &self.tracks[index])
    }

    /// When the first person appears and the last one vanishes, s.
    pub fn span(&self) -> Option<(f64, f64)> {
        let begin = self.iter().map(Track::begin).min_by(f64::total_cmp)?;
        let end = self.iter().map(Track::end).max_by(f64::total_cmp)?;
        Some((begin, end))
    }

    /// Everybody who is there at `time`, by ascending id.
    pub fn at(&self, time: f64) -> impl Iterator<Item = (&Track, TrackPoint)> {
        self.iter().filter_map(move |track| Some((track, track.at(time)?)))
    }
}

impl<'a> IntoIterator for &'a Tracks {
    type Item = &'a Track;
    type IntoIter = std::slice::Iter<'a, Track>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Track {
    /// Who.
    pub fn person(&self) -> u32 {
        self.person
    }

    /// Of which group.
    pub fn group(&self) -> GroupId {
        self.group
    }

    /// The times when the person is there, in order. There is at least one, and none overlap.
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// When the person first appears, s.
    pub fn begin(&self) -> f64 {
        self.stretches.first().map_or(0.0, Stretch::begin)
    }

    /// When the person vanishes for good, s.
    pub fn end(&self) -> f64 {
        self.stretches.last().map_or(0.0, Stretch::end)
    }

    /// The state at `time`, or `None` if the person is not there.
    pub fn at(&self, time: f64) -> Option<TrackPoint> {
        let index = self.stretches.partition_point(|stretch| stretch.end() < time);
        self.stretches.get(index)?.at(time)
    }

    /// How far the samples are from the curve: root of the mean square, and at most, m.
    pub fn residuals(&self) -> (f64, f64) {
        (self.rms, self.max)
    }
}

/// One person's samples in one stretch, ready to be smoothed.
struct Samples {
    rows: Vec<Row>,
    times: Vec<f64>,
    places: Vec<DVec3>,
}

impl Samples {
    fn of(rows: Vec<Row>) -> Self {
        let times = rows.iter().map(|row| row.sample.time).collect();
        let places = rows.iter().map(Row::place).collect();
        Self { rows, times, places }
    }

    /// On which floor somebody is and whether they lie. Changes are half-way between two samples.
    fn situations(&self) -> Vec<Situation> {
        let of = |from: f64, sample: &Sample| {
            let Sample { layer, lying, .. } = *sample;
            Situation { from, layer, lying }
        };
        let first = self.rows.iter().take(1).map(|row| of(row.sample.time, &row.sample));
        let changes = self.rows.windows(2).filter_map(|pair| {
            let (a, b) = (&pair[0].sample, &pair[1].sample);
            let change = of(0.5 * (a.time + b.time), b);
            (of(change.from, a) != change).then_some(change)
        });
        first.chain(changes).collect()
    }
}

fn cut_all(
    gathered: &Gathered,
    options: &TrackOptions,
    report: &mut TrackReport,
) -> Vec<Vec<Samples>> {
    let interval = report.interval;
    let cut = |person: &std::ops::Range<usize>| {
        let mut part = TrackReport::default();
        let pieces = cut::cut(&gathered.rows[person.clone()], interval, options, &mut part);
        (pieces.into_iter().map(Samples::of).collect(), part)
    };
    let cuts: Vec<(Vec<Samples>, TrackReport)> = gathered.people.par_iter().map(cut).collect();
    let mut people = Vec::with_capacity(cuts.len());
    for (stretches, part) in cuts {
        people.push(stretches);
        report.absorb(part);
    }
    people
}

fn smoother<'a>(
    people: &[Vec<Samples>],
    options: &'a TrackOptions,
    report: &mut TrackReport,
) -> Smoother<'a> {
    let series = people.iter().flatten();
    let series = series.map(|samples| Series { times: &samples.times, places: &samples.places });
    let series: Vec<_> = series.collect();
    let found = noise::estimate(&series, report.interval);
    let noise = options.noise.map_or(found, |error| Noise::known(error, found));
    report.noise = (!series.is_empty()).then_some(noise);
    Smoother { looseness: noise.looseness, noise: noise.total(), options }
}

/// A track on its way.
struct Draft {
    person: u32,
    group: GroupId,
    stretches: Vec<Stretch>,
    residuals: Vec<f64>,
}

impl Draft {
    fn of(stretches: &[Samples], smoother: &Smoother) -> Self {
        let first = stretches.first().and_then(|samples| samples.rows.first());
        let mut draft = Self {
            person: first.map_or(0, |row| row.sample.person),
            group: first.map_or(GroupId::default(), |row| row.sample.group),
            stretches: Vec::with_capacity(stretches.len()),
            residuals: Vec::new(),
        };
        for samples in stretches {
            let Smoothed { knots, stands, residuals } =
                smoother.smooth(&samples.times, &samples.places);
            let facing = samples.rows.iter().find_map(|row| row.sample.facing);
            draft.stretches.push(Stretch::new(knots, stands, samples.situations(), facing));
            draft.residuals.extend(residuals);
        }
        draft
    }

    fn track(self, interval: f64) -> Track {
        let Self { person, group, mut stretches, residuals } = self;
        widen_moments(&mut stretches, interval);
        let squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let rms = (squares / residuals.len().max(1) as f64).sqrt();
        let max = residuals.iter().copied().fold(0.0, f64::max);
        Track { person, group, stretches, rms, max }
    }
}

/// Who was seen once is there for an interval around that moment, as far as nothing else is known.
fn widen_moments(stretches: &mut [Stretch], interval: f64) {
    for i in 0..stretches.len() {
        let (begin, end) = (stretches[i].begin(), stretches[i].end());
        if begin < end {
            continue;
        }
        let half = 0.5 * interval;
        let earliest = i.checked_sub(1).map_or(f64::MIN, |i| 0.5 * (stretches[i].end() + begin));
        let latest = stretches.get(i + 1).map_or(f64::MAX, |next| 0.5 * (next.begin() + end));
        stretches[i].widen((begin - half).max(earliest), (end + half).min(latest));
    }
}

fn summarise(people: &[Vec<Samples>], drafts: &[Draft], tolerance: f64) -> Residuals {
    let mut summary = Residuals { tolerance, ..Residuals::default() };
    let mut all = Vec::new();
    for (stretches, draft) in people.iter().zip(drafts) {
        let rows = stretches.iter().flat_map(|samples| &samples.rows);
        let beyond = rows.zip(&draft.residuals).filter(|(_, residual)| **residual > tolerance);
        beyond.for_each(|(row, &residual)| summary.beyond.add(row.incident(residual)));
        all.extend_from_slice(&draft.residuals);
    }
    let squares: f64 = all.iter().map(|residual| residual * residual).sum();
    summary.rms = (squares / all.len().max(1) as f64).sqrt();
    summary.median = pace::quantile(&mut all, 1, 2).copied().unwrap_or_default();
    summary.p95 = pace::quantile(&mut all, 19, 20).copied().unwrap_or_default();
    summary.max = all.iter().copied().fold(0.0, f64::max);
    summary
}
