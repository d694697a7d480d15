//! How crowded ways are, and what that is worth.

use glam::{DVec2, Vec2};
use throng_nav::{CorridorMap, EdgeId};
use throng_world::scene::{LayerId, Region};

/// People per edge of the map, and the costs that follow.
#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// The free ground along each edge, m².
    areas: Vec<f32>,
    lengths: Vec<f32>,
    counts: Vec<u32>,
    /// Steps since people were counted.
    phase: u32,
    /// By floor.
    squares: Vec<Squares>,
    /// What the regions along each edge cost, in metres.
    tolls: Vec<f32>,
    extras: Vec<f32>,
}

/// How often everybody is counted, s.
pub(crate) const COUNTING: f64 = 2.0;

/// The edges of the map around places where somebody was counted. Whoever is in the same square is on the same
/// edge, except where two meet.
#[derive(Clone, Debug)]
struct Squares {
    origin: Vec2,
    side: f32,
    size: [usize; 2],
    edges: Vec<u32>,
}

/// The side of a square, m, unless there were too many.
const SQUARE: f32 = 1.0;
const MOST_SQUARES: f32 = 1e6;

/// Nobody has been counted there yet.
const UNKNOWN: u32 = u32::MAX;

/// A wall may lead through: who is there has to look for themselves.
const DIVIDED: u32 = u32::MAX - 1;

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
            squares: (0..=u8::MAX).map_while(|layer| Squares::new(map, LayerId(layer))).collect(),
        }
    }

    /// Once in `period` steps, counts everybody by the edges they are on, and ways cost what follows from it.
    ///
    /// All at once, in the order in which they lie in memory: those whose turn it is in a step would lie
    /// anywhere, and be waited for.
    pub fn count<I>(&mut self, map: &CorridorMap, period: u32, places: impl FnOnce() -> I)
    where
        I: IntoIterator<Item = (LayerId, Vec2)>,
    {
        self.phase += 1;
        if self.phase < period {
            return;
        }
        for (layer, place) in places() {
            let squares = self.squares.get_mut(layer.0 as usize);
            let edge = squares.and_then(|squares| squares.edge_at(map, layer, place));
            if let Some(count) = edge.and_then(|edge| self.counts.get_mut(edge as usize)) {
                *count += 1;
            }
        }
        self.charge();
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

impl Squares {
    /// Over all of a floor.
    fn new(map: &CorridorMap, layer: LayerId) -> Option<Self> {
        let bounds = map.bounds(layer)?;
        let [low, high] = bounds.map(DVec2::as_vec2);
        let extent = (high - low).max(Vec2::splat(SQUARE));
        let side = SQUARE.max((extent.element_product() / MOST_SQUARES).sqrt());
        let size = (extent / side).to_array().map(|length| length as usize + 1);
        Some(Self { origin: low, side, size, edges: vec![UNKNOWN; size[0] * size[1]] })
    }

    /// The edge that somebody is on.
    fn edge_at(&mut self, map: &CorridorMap, layer: LayerId, place: Vec2) -> Option<u32> {
        let locate = |at: Vec2| map.locate(layer, at.as_dvec2());
        let own = || Some(locate(place)?.anchor.edge.0);
        let at = ((place - self.origin) / self.side).floor();
        let is_inside = at.min_element() >= 0.0
            && (at.x as usize) < self.size[0]
            && (at.y as usize) < self.size[1];
        if !is_inside {
            return own();
        }
        let edge = &mut self.edges[at.y as usize * self.size[0] + at.x as usize];
        if *edge == UNKNOWN {
            let middle = locate(self.origin + (at + 0.5) * self.side);
            let to_corner = f64::from(self.side) * std::f64::consts::FRAC_1_SQRT_2;
            let whole = middle.filter(|middle| middle.clearance > to_corner);
            *edge = whole.map_or(DIVIDED, |middle| middle.anchor.edge.0);
        }
        if *edge == DIVIDED { own() } else { Some(*edge) }
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
