//! SampledTracks of people from anywhere, all sampled alike.
//!
//! Recordings of streets have a position every 0.4 s. So that simulated and recorded tracks are
//! measured in the same way, everything is brought to that rate: positions between two frames lie on
//! a straight line, and where somebody is missing for a frame or changes floor, a new track begins.
//!
//! Who belongs together is found from the tracks as well: two who stay close to each other for as long
//! as both are there, and walk alike. That is no annotation by hand, but it needs none.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use throng::recording::{Frame, Recording};
use throng_world::Scene;
use throng_world::scene::LayerId;

use crate::frame::FrameView;
use crate::recorded::{MeasureError, measure};

/// Time between two samples, s.
pub const INTERVAL: f64 = 0.4;

/// Why there are no tracks.
#[derive(Debug, thiserror::Error)]
pub enum TracksError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] MeasureError),
    /// Frames that come too seldom.
    #[error("frames are {given} s apart; tracks need one every 0.5 s at least")]
    TooSeldom {
        /// How far apart they are, s.
        given: f64,
    },
}

/// One person without a gap, sampled every [`INTERVAL`].
#[derive(Clone, Debug, PartialEq)]
pub struct SampledTrack {
    /// Who.
    pub id: u32,
    /// On which floor.
    pub layer: LayerId,
    /// The number of its first sample: sample `n` is that at `n` times [`INTERVAL`].
    pub first: usize,
    /// Positions, m.
    pub points: Vec<DVec2>,
}

impl SampledTrack {
    /// The position at sample `n` of all, if they are there.
    pub fn at(&self, sample: usize) -> Option<DVec2> {
        self.points.get(sample.checked_sub(self.first)?).copied()
    }

    /// The velocity at sample `n` of all, by the samples before and after it, m/s.
    pub fn velocity(&self, sample: usize) -> Option<DVec2> {
        let (before, after) = (self.at(sample.checked_sub(1)?)?, self.at(sample + 1)?);
        Some((after - before) / (2.0 * INTERVAL))
    }

    /// The number after that of the last sample.
    pub fn end(&self) -> usize {
        self.first + self.points.len()
    }
}

/// The tracks of everybody.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledTracks {
    tracks: Vec<SampledTrack>,
    /// Pairs of people who belong together, the smaller id first.
    partners: BTreeSet<(u32, u32)>,
}

/// Gathers tracks frame by frame.
#[derive(Clone, Debug)]
pub struct Gatherer {
    /// Frames may be this far apart, s.
    longest_gap: f64,
    origin: Option<f64>,
    before: Option<f64>,
    open: BTreeMap<u32, (DVec2, SampledTrack)>,
    done: Vec<SampledTrack>,
}

impl Gatherer {
    /// For frames that are `interval` seconds apart.
    ///
    /// # Errors
    ///
    /// If they come too seldom.
    pub fn new(interval: f64) -> Result<Self, TracksError> {
        if !(interval > 0.0 && interval <= 0.5) {
            return Err(TracksError::TooSeldom { given: interval });
        }
        Ok(Self {
            longest_gap: 1.5 * interval,
            origin: None,
            before: None,
            open: BTreeMap::new(),
            done: Vec::new(),
        })
    }

    /// Adds the next frame.
    pub fn push(&mut self, frame: FrameView) {
        let time = frame.time - *self.origin.get_or_insert(frame.time);
        let before = self.before.replace(time);
        let known = before.is_some_and(|before| time - before <= self.longest_gap);
        let mut open = BTreeMap::new();
        for ((&id, &at), &layer) in frame.ids.iter().zip(frame.positions).zip(frame.layers) {
            let at = at.as_dvec2();
            let last = self.open.remove(&id);
            let track = match (last, before) {
                (Some((from, mut track)), Some(before)) if known && track.layer == layer => {
                    sample(&mut track, (before, from), (time, at));
                    track
                }
                (last, _) => {
                    self.done.extend(last.map(|(_, track)| track));
                    let first = (time / INTERVAL - 1e-6).ceil().max(0.0) as usize;
                    let mut track = SampledTrack { id, layer, first, points: Vec::new() };
                    if (first as f64 * INTERVAL - time).abs() < 1e-6 {
                        track.points.push(at);
                    }
                    track
                }
            };
            open.insert(id, (at, track));
        }
        let gone = std::mem::replace(&mut self.open, open);
        self.done.extend(gone.into_values().map(|(_, track)| track));
    }

    /// The tracks.
    pub fn finish(mut self) -> SampledTracks {
        self.done.extend(self.open.into_values().map(|(_, track)| track));
        SampledTracks::new(self.done)
    }
}

/// Adds the samples after one moment up to another to a track.
fn sample(track: &mut SampledTrack, (before, from): (f64, DVec2), (time, to): (f64, DVec2)) {
    loop {
        let due = track.end() as f64 * INTERVAL;
        if due > time + 1e-6 {
            return;
        }
        let share = ((due - before) / (time - before)).clamp(0.0, 1.0);
        track.points.push(from.lerp(to, share));
    }
}

impl SampledTracks {
    /// Those that are there, with the pairs found among them.
    pub fn new(mut tracks: Vec<SampledTrack>) -> Self {
        tracks.retain(|track| track.points.len() >= 2);
        tracks.sort_by_key(|track| (track.first, track.id));
        let mut tracks = Self { tracks, partners: BTreeSet::new() };
        tracks.partners = tracks.found_partners();
        tracks
    }

    /// Those of a recording of `scene`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or has too few frames per second.
    pub fn of_recording(recording: &mut Recording, scene: &Scene) -> Result<Self, TracksError> {
        let info = recording.info();
        let mut gatherer = Gatherer::new(info.step * f64::from(info.record_every.max(1)))?;
        measure(recording, scene, |frame: &Frame| {
            gatherer.push(frame.into());
            Ok(())
        })?;
        Ok(gatherer.finish())
    }

    /// All of them, by when they begin.
    pub fn all(&self) -> &[SampledTrack] {
        &self.tracks
    }

    /// Whether two people belong together.
    pub fn are_partners(&self, a: u32, b: u32) -> bool {
        self.partners.contains(&(a.min(b), a.max(b)))
    }

    /// The pairs of people who belong together, the smaller id first.
    pub fn partners(&self) -> &BTreeSet<(u32, u32)> {
        &self.partners
    }

    /// For each sample, the indices of the tracks that have it.
    pub fn samples(&self) -> Vec<Vec<usize>> {
        let end = self.tracks.iter().map(SampledTrack::end).max().unwrap_or_default();
        let mut samples = vec![Vec::new(); end];
        for (index, track) in self.tracks.iter().enumerate() {
            for sample in &mut samples[track.first..track.end()] {
                sample.push(index);
            }
        }
        samples
    }

    /// Pairs who are within 2 m of each other at every sample that both are there for, within 1.3 m on
    /// average, whose velocities differ by less than 0.35 m/s on average, for 2 s at least and for
    /// half of what the shorter track has.
    fn found_partners(&self) -> BTreeSet<(u32, u32)> {
        let mut pairs = BTreeSet::new();
        for (i, a) in self.tracks.iter().enumerate() {
            for b in &self.tracks[i + 1..] {
                if b.first >= a.end() {
                    // SampledTracks are sorted by when they begin.
                    break;
                }
                if a.layer == b.layer && a.id != b.id && belong_together(a, b) {
                    pairs.insert((a.id.min(b.id), a.id.max(b.id)));
                }
            }
        }
        pairs
    }
}

fn belong_together(a: &SampledTrack, b: &SampledTrack) -> bool {
    let shared = a.first.max(b.first)..a.end().min(b.end());
    let shorter = a.points.len().min(b.points.len());
    if shared.len() < 6 || 2 * shared.len() < shorter {
        return false;
    }
    let (mut apart, mut differing, mut moving) = (0.0, 0.0, 0u32);
    for sample in shared.clone() {
        let (Some(at), Some(other)) = (a.at(sample), b.at(sample)) else { return false };
        let distance = at.distance(other);
        if distance > 2.0 {
            return false;
        }
        apart += distance;
        if let (Some(v), Some(w)) = (a.velocity(sample), b.velocity(sample)) {
            differing += v.distance(w);
            moving += 1;
        }
    }
    apart / (shared.len() as f64) < 1.3 && differing < 0.35 * f64::from(moving.max(1))
}
