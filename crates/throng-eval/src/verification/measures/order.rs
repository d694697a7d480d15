//! Whether opposed walkers are sorted into lanes, and whom they follow.
//!
//! In strips of half a metre along the flow, the order is the mean over all walkers of the square of
//! (those one way less those the other) by all in their strip. Labels that are shuffled twenty times
//! tell what chance gives; the reduced order is what is above it, 1 for perfect lanes and 0 for none.

use glam::DVec2;
use serde::Serialize;
use throng_base::random::Stream;

/// Width of a strip, m.
const STRIP: f64 = 0.5;
/// Whoever is ahead and this near to one's own line is followed, m.
const BESIDE: f64 = 0.4;
/// How often labels are shuffled.
const SHUFFLES: usize = 20;

/// A walker: how far along the flow, how far across it, and whether they walk forwards.
pub type Walker = (DVec2, bool);

/// The order of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Order {
    /// The order itself, 0 to 1.
    pub order: f64,
    /// That of shuffled labels.
    pub by_chance: f64,
    /// The share of those with somebody ahead whose nearest person ahead walks the same way.
    pub leaders: Option<f64>,
}

impl Order {
    /// Of people at one moment; `None` if nobody is there.
    pub fn of(walkers: &[Walker], stream: &mut Stream) -> Option<Self> {
        let order = strips(walkers)?;
        let mut labels: Vec<bool> = walkers.iter().map(|walker| walker.1).collect();
        let mut by_chance = 0.0;
        for _ in 0..SHUFFLES {
            for last in (1..labels.len()).rev() {
                let other = (stream.unit() * (last + 1) as f32) as usize;
                labels.swap(last, other.min(last));
            }
            let shuffled: Vec<Walker> =
                walkers.iter().zip(&labels).map(|(walker, label)| (walker.0, *label)).collect();
            by_chance += strips(&shuffled)? / SHUFFLES as f64;
        }
        Some(Self { order, by_chance, leaders: leaders(walkers) })
    }

    /// How far the order is above chance, as a share of what it could be.
    pub fn reduced(&self) -> f64 {
        (self.order - self.by_chance) / (1.0 - self.by_chance).max(1e-9)
    }
}

fn strips(walkers: &[Walker]) -> Option<f64> {
    let mut sorted: Vec<(i64, bool)> =
        walkers.iter().map(|(at, way)| ((at.y / STRIP).floor() as i64, *way)).collect();
    sorted.sort_unstable();
    let sum: f64 = (sorted.chunk_by(|a, b| a.0 == b.0))
        .map(|strip| {
            let count = strip.len() as f64;
            let forwards = strip.iter().filter(|walker| walker.1).count() as f64;
            count * ((2.0 * forwards - count) / count).powi(2)
        })
        .sum();
    (!sorted.is_empty()).then(|| sum / sorted.len() as f64)
}

fn leaders(walkers: &[Walker]) -> Option<f64> {
    let ahead = |(at, forwards): &Walker, (other, _): &Walker| {
        let along = if *forwards { other.x - at.x } else { at.x - other.x };
        (along > 0.0 && (other.y - at.y).abs() <= BESIDE).then_some(along)
    };
    let (mut same, mut all) = (0u32, 0u32);
    for walker in walkers {
        let leader = (walkers.iter())
            .filter_map(|other| Some((ahead(walker, other)?, other.1)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, way)) = leader {
            all += 1;
            same += u32::from(way == walker.1);
        }
    }
    (all > 0).then(|| f64::from(same) / f64::from(all))
}
