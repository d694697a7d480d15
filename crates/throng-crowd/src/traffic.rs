//! How crowded ways are, and what that is worth.

use throng_nav::{CorridorMap, EdgeId};
use throng_world::scene::Region;

/// People per edge of the map, and the costs that follow.
#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// The free ground along each edge, m².
    areas: Vec<f32>,
    lengths: Vec<f32>,
    counts: Vec<u32>,
    /// When people are counted next, in steps.
    phase: u32,
    /// What the regions along each edge cost, in metres.
    tolls: Vec<f32>,
    extras: Vec<f32>,
}

/// How often everybody is counted, s.
pub(crate) const COUNTING: f64 = 2.0;

/// Up to this density, people per m², nobody is slowed down.
const FREE: f32 = 0.5;

/// A way with one person per m² more than that seems longer by this share.
const PER_DENSITY: f32 = 0.6;

impl Traffic {
    pub fn new(map: &CorridorMap, regions: &[Region]) -> Self {
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
        let tolls: Vec<f32> =
            (0..count as u32).map(|edge| toll(map, EdgeId(edge), regions)).collect();
        Self {
            extras: tolls.clone(),
            tolls,
            areas: (0..count as u32).map(area).collect(),
            lengths: map.edges().iter().map(|edge| edge.length as f32).collect(),
            counts: vec![0; count],
            phase: 0,
        }
    }

    /// Counts those who are due in this step, by the edges they are on: everybody is once in `period`
    /// steps. `edges_of` tells the edges of those whose ids leave a remainder. When all have been
    /// counted, ways cost what follows from it.
    pub fn count<I>(&mut self, period: u32, edges_of: impl FnOnce(u32) -> I)
    where
        I: IntoIterator<Item = u32>,
    {
        for edge in edges_of(self.phase) {
            if let Some(count) = self.counts.get_mut(edge as usize) {
                *count += 1;
            }
        }
        self.phase += 1;
        if self.phase >= period {
            self.charge();
        }
    }

    /// What each edge costs on top of its length, in metres.
    pub fn extras(&self) -> &[f32] {
        &self.extras
    }

    /// What has been counted makes the costs, and counting begins anew.
    fn charge(&mut self) {
        for (edge, extra) in self.extras.iter_mut().enumerate() {
            let density = self.counts[edge] as f32 / self.areas[edge];
            let crowding = PER_DENSITY * (density - FREE).max(0.0);
            *extra = self.tolls[edge] + self.lengths[edge] * crowding;
        }
        self.counts.fill(0);
        self.phase = 0;
    }
}

/// What an edge costs on top of its length where it leads through regions that cost more.
fn toll(map: &CorridorMap, edge: EdgeId, regions: &[Region]) -> f32 {
    const SAMPLES: u32 = 8;
    let layer = map.layer(edge);
    let dear = || regions.iter().filter(|region| region.cost > 1.0 && region.layer == layer);
    if dear().next().is_none() {
        return 0.0;
    }
    let pieces = map.pieces(edge).map(|piece| {
        let extra = |i: u32| {
            let at = piece.at((f64::from(i) + 0.5) / f64::from(SAMPLES)).as_vec2();
            let costs = dear().filter(|region| region.polygon.contains(at));
            costs.map(|region| region.cost - 1.0).fold(0.0, f32::max)
        };
        piece.length() as f32 * (0..SAMPLES).map(extra).sum::<f32>() / SAMPLES as f32
    });
    pieces.sum()
}
