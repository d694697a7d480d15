//! How near people come to others who do not belong to them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::statistics::quantile;
use crate::verification::tracks::SampledTracks;

/// Distances of people outside of groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Distances {
    /// Of everyone at every sample, to whom is nearest and no partner, m.
    pub nearest: Vec<f64>,
    /// Of every two who are there at the same time and are no partners, how near they ever come, m.
    pub closest: Vec<f64>,
    /// Of everyone at every sample, how many are within 2 m, oneself included, per m².
    pub local_densities: Vec<f64>,
}

impl Distances {
    /// Measures tracks.
    pub fn of(tracks: &SampledTracks) -> Self {
        let all = tracks.all();
        let mut distances = Self::default();
        let mut closest: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for (sample, there) in tracks.samples().iter().enumerate() {
            let mut nearest = vec![f64::INFINITY; there.len()];
            let mut near = vec![1.0; there.len()];
            for (i, &a) in there.iter().enumerate() {
                for (j, &b) in there.iter().enumerate().skip(i + 1) {
                    let (a, b) = (&all[a], &all[b]);
                    let (Some(p), Some(q)) = (a.at(sample), b.at(sample)) else { continue };
                    if a.layer != b.layer {
                        continue;
                    }
                    let distance = p.distance(q);
                    if distance <= 2.0 {
                        near[i] += 1.0;
                        near[j] += 1.0;
                    }
                    if tracks.are_partners(a.id, b.id) {
                        continue;
                    }
                    nearest[i] = nearest[i].min(distance);
                    nearest[j] = nearest[j].min(distance);
                    let pair = (a.id.min(b.id), a.id.max(b.id));
                    let least = closest.entry(pair).or_insert(f64::INFINITY);
                    *least = least.min(distance);
                }
            }
            distances.nearest.extend(nearest.into_iter().filter(|d| d.is_finite()));
            let circle = std::f64::consts::PI * 4.0;
            distances.local_densities.extend(near.into_iter().map(|n: f64| n / circle));
        }
        distances.closest = closest.into_values().collect();
        distances
    }

    /// The distance that the share `share` of nearest neighbours are closer than, m.
    pub fn nearest_quantile(&self, share: f64) -> Option<f64> {
        quantile(&self.nearest, share)
    }

    /// The share of pairs that ever come closer than `distance`.
    pub fn pairs_within(&self, distance: f64) -> Option<f64> {
        let close = self.closest.iter().filter(|d| **d < distance).count();
        (!self.closest.is_empty()).then(|| close as f64 / self.closest.len() as f64)
    }
}
