//! How crowded ways are, and what that is worth.

use throng_nav::{CorridorMap, EdgeId};

/// People per edge of the map, and the costs that follow.
#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// The free ground along each edge, m².
    areas: Vec<f32>,
    lengths: Vec<f32>,
    counts: Vec<u32>,
    extras: Vec<f32>,
}

/// How often people are counted, s.
pub(crate) const COUNTING: f64 = 1.0;

/// Up to this density, people per m², nobody is slowed down.
const FREE: f32 = 0.5;

/// A way with one person per m² more than that seems longer by this share.
const PER_DENSITY: f32 = 0.6;

impl Traffic {
    pub fn new(map: &CorridorMap) -> Self {
        let area = |edge: u32| {
            let pieces = map.pieces(EdgeId(edge));
            let area: f64 = pieces
                .map(|piece| {
                    let width = |at| 2.0 * piece.clearance(at);
                    piece.length() * 0.5 * (width(piece.from) + width(piece.to))
                })
                .sum();
            (area as f32).max(1.0)
        };
        let count = map.edges().len();
        Self {
            areas: (0..count as u32).map(area).collect(),
            lengths: map.edges().iter().map(|edge| edge.length as f32).collect(),
            counts: vec![0; count],
            extras: vec![0.0; count],
        }
    }

    /// What each edge costs on top of its length, in metres.
    pub fn extras(&self) -> &[f32] {
        &self.extras
    }

    /// Counts people by the edges they are on.
    pub fn count(&mut self, edges: impl Iterator<Item = u32>) {
        self.counts.fill(0);
        for edge in edges {
            if let Some(count) = self.counts.get_mut(edge as usize) {
                *count += 1;
            }
        }
        for (edge, extra) in self.extras.iter_mut().enumerate() {
            let density = self.counts[edge] as f32 / self.areas[edge];
            *extra = self.lengths[edge] * PER_DENSITY * (density - FREE).max(0.0);
        }
    }
}
