//! How people who belong together walk: how far apart, whether abreast, and how fast.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec2;
use serde::Serialize;

use crate::statistics::{Spread, quantile};
use crate::verification::tracks::{SampledTrack, SampledTracks};

/// Pairs of people who walk together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pairs {
    /// How many pairs there are.
    pub count: usize,
    /// The mean distance of two, m.
    pub spacing: f64,
    /// The mean angle between the way they walk and the line from one to the other, degrees.
    pub angle: f64,
    /// The mean speed of people in groups by that of people alone.
    pub speed_ratio: f64,
}

impl Pairs {
    /// Measures the pairs that are found among tracks; `None` if there are none who walk.
    pub fn of(tracks: &SampledTracks) -> Option<Self> {
        Self::among(tracks, tracks.partners())
    }

    /// Measures pairs that are known, the smaller id first; `None` if there are none who walk.
    pub fn among(tracks: &SampledTracks, partners: &BTreeSet<(u32, u32)>) -> Option<Self> {
        let by_id: BTreeMap<u32, &SampledTrack> =
            tracks.all().iter().map(|track| (track.id, track)).collect();
        let (mut spacings, mut angles) = (Vec::new(), Vec::new());
        for (a, b) in partners {
            let (Some(a), Some(b)) = (by_id.get(a), by_id.get(b)) else { continue };
            for sample in a.first.max(b.first)..a.end().min(b.end()) {
                let (Some(p), Some(q)) = (a.at(sample), b.at(sample)) else { continue };
                let (Some(v), Some(w)) = (a.velocity(sample), b.velocity(sample)) else { continue };
                let heading = 0.5 * (v + w);
                if heading.length() < 0.3 || p == q {
                    continue;
                }
                spacings.push(p.distance(q));
                let angle = heading.angle_to(q - p).abs().to_degrees();
                angles.push(angle.min(180.0 - angle));
            }
        }
        let together: BTreeSet<u32> = partners.iter().flat_map(|&(a, b)| [a, b]).collect();
        let speed = |track: &&SampledTrack| {
            let samples = track.first..track.end();
            let speeds: Vec<f64> = (samples.filter_map(|sample| track.velocity(sample)))
                .map(DVec2::length)
                .filter(|speed| *speed >= 0.2)
                .collect();
            quantile(&speeds, 0.5)
        };
        let mean = |inside: bool| {
            let of_kind = tracks.all().iter().filter(|t| together.contains(&t.id) == inside);
            Spread::of(&of_kind.filter_map(|track| speed(&track)).collect::<Vec<_>>())
        };
        let (pairs, alone) = (mean(true), mean(false));
        (!spacings.is_empty()).then(|| Self {
            count: partners.len(),
            spacing: Spread::of(&spacings).mean,
            angle: Spread::of(&angles).mean,
            speed_ratio: if alone.count > 0 { pairs.mean / alone.mean } else { f64::NAN },
        })
    }
}
