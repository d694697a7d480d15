//! Anchors with key frames: a field of the ground at each moment.
//!
//! Each anchor has keys, and between them its place and its vector change at a steady rate. The
//! field of a moment is that of the anchors then. Nothing swings between keys, and as long as
//! anchors stay where they are, a moment costs a substitution.

use std::sync::Arc;

use glam::DVec2;

use crate::anchor::{Anchor, check_reaches, check_vectors};
use crate::error::FieldError;
use crate::field::Field;
use crate::options::{FieldOptions, Regularisation};

/// What an anchor is like at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The moment, s.
    pub time: f64,
    /// Where it is then, m.
    pub position: DVec2,
    /// Where it leads then, m/s.
    pub vector: DVec2,
}

/// An anchor that changes with time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What it is like, in the order of time. Before the first key and after the last it stays as
    /// it is there.
    pub keys: Vec<Key>,
    /// How much the field may miss it, as [`Anchor::smoothing`].
    pub smoothing: Option<f64>,
    /// Distance beyond which it does not hold, as [`Anchor::reach`].
    pub reach: Option<f64>,
}

impl Track {
    /// An anchor that stays as it is.
    pub fn steady(anchor: &Anchor) -> Self {
        let key = Key { time: 0.0, position: anchor.position, vector: anchor.vector };
        Self { keys: vec![key], smoothing: anchor.smoothing, reach: anchor.reach }
    }

    /// What it is like at a moment; `None` without keys.
    pub fn at(&self, time: f64) -> Option<Anchor> {
        let after = self.keys.partition_point(|key| key.time <= time);
        let before = self.keys.get(after.saturating_sub(1))?;
        let after = self.keys.get(after).unwrap_or(before);
        let span = after.time - before.time;
        let share = if span > 0.0 { ((time - before.time) / span).clamp(0.0, 1.0) } else { 0.0 };
        Some(Anchor {
            position: before.position.lerp(after.position, share),
            vector: before.vector.lerp(after.vector, share),
            smoothing: self.smoothing,
            reach: self.reach,
        })
    }
}

/// A field that changes with time, by anchors that do.
#[derive(Clone, Debug)]
pub struct Tracks {
    tracks: Vec<Track>,
    /// The field of the first moment. It decides on metric and smoothing for all times, as a field
    /// that changed them on the way would jump.
    first: Arc<Field>,
    /// The options with that metric.
    options: FieldOptions,
    /// Whether all anchors stay where they are.
    is_fixed: bool,
}

impl Tracks {
    /// The field of some tracks.
    pub fn new(tracks: Vec<Track>, options: &FieldOptions) -> Result<Self, FieldError> {
        check(&tracks)?;
        let begin = tracks.iter().map(|track| track.keys[0].time).reduce(f64::min).unwrap_or(0.0);
        let anchors: Vec<Anchor> = tracks.iter().filter_map(|track| track.at(begin)).collect();
        let first = Arc::new(Field::with_options(&anchors, options)?);
        let regularisation = Regularisation::Fixed(first.statistics().metric);
        let stays = |track: &Track| track.keys.iter().all(|k| k.position == track.keys[0].position);
        Ok(Self {
            is_fixed: tracks.iter().all(stays),
            options: FieldOptions { regularisation, ..options.clone() },
            first,
            tracks,
        })
    }

    /// The field of a moment. An error if anchors that move meet then.
    pub fn at(&self, time: f64) -> Result<Field, FieldError> {
        let mut anchors: Vec<Anchor> =
            self.tracks.iter().filter_map(|track| track.at(time)).collect();
        if self.is_fixed {
            let vectors: Vec<DVec2> = anchors.iter().map(|anchor| anchor.vector).collect();
            return self.first.with_vectors(&vectors);
        }
        for index in &self.first.statistics().smoothed {
            let smoothing = anchors[*index].smoothing.unwrap_or(0.0).max(self.options.smoothing);
            anchors[*index].smoothing = Some(smoothing);
        }
        Field::with_options(&anchors, &self.options)
    }

    /// Whether the field changes between two times.
    pub fn changes_between(&self, from: f64, to: f64) -> bool {
        self.tracks.iter().any(|track| match track.keys.as_slice() {
            [first, .., last] => to > first.time && from < last.time,
            _ => false,
        })
    }

    /// The tracks.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }
}

fn check(tracks: &[Track]) -> Result<(), FieldError> {
    for (anchor, track) in tracks.iter().enumerate() {
        if track.keys.is_empty() {
            return Err(FieldError::NoKeys { anchor });
        }
        for (key, two) in track.keys.windows(2).enumerate() {
            // Written so that NaN is refused.
            let ascends = two[0].time < two[1].time;
            if !ascends {
                return Err(FieldError::KeyOrder { anchor, key: key + 1, time: two[1].time });
            }
        }
        check_reaches(track.reach.into_iter())?;
        // All keys are checked here: those of the first moment only would be seen otherwise.
        let name = |error: FieldError| match error {
            FieldError::OutOfRange { what, value, limit, .. } => {
                FieldError::OutOfRange { anchor, what, value, limit }
            }
            other => other,
        };
        let numbers = |k: &Key| [k.time, k.position.x, k.position.y, k.vector.x, k.vector.y];
        let numbers: Vec<[f64; 5]> = track.keys.iter().map(numbers).collect();
        check_vectors(&numbers).map_err(name)?;
    }
    Ok(())
}
