//! What ways cost besides their length.
//!
//! Costs are in metres, so that they can be weighed against a longer way: for an edge of the map in both directions, for
//! people's whims, and as tolls for getting past single places. A toll is for one person who is somewhere: on
//! the edge that holds the place, only walking on towards it costs something. If turning round cost the same, who
//! stands in the mouth of a passage would never be told to leave it.

use glam::DVec2;
use throng_base::random::{Purpose, Random};
use throng_world::scene::LayerId;

use crate::landmarks::Landmarks;
use crate::locate::Anchor;
use crate::map::{CorridorMap, EdgeId};
use crate::slice::Direction;

/// What ways cost on top of their length.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// Costs in metres, by edge. Edges beyond the end cost nothing more; infinite ones are closed.
    pub per_edge: &'a [f32],
    /// By how much an edge seems longer than it is, at most, as a share of its length. How much it is
    /// differs from edge to edge and from one person to another: so a crowd spreads over ways that
    /// are about as good.
    pub whim: f32,
    /// Whose whim.
    pub who: u64,
    /// Known distances, if there are any: searches are quicker with them.
    pub landmarks: Option<&'a Landmarks>,
    /// What it costs to get past some places; see [`CorridorMap::toll`].
    pub tolls: &'a [Option<Toll>],
}

/// What somebody pays on top of everything else who walks past a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Toll {
    edge: EdgeId,
    /// The direction in which it is due, if not in both.
    is_reversed: Option<bool>,
    cost: f32,
}

impl Toll {
    fn is_due(&self, way: Direction) -> bool {
        way.edge() == self.edge && self.is_reversed.is_none_or(|is| is == way.is_reversed())
    }
}

impl CorridorMap {
    /// A toll of `cost` metres on the edge around `at`, for who is at `from`: whoever is on that edge
    /// themselves pays for walking on towards `at`, and not for turning round. `None` off the map.
    pub fn toll(&self, from: (LayerId, DVec2), at: (LayerId, DVec2), cost: f32) -> Option<Toll> {
        let along = |anchor: &Anchor| (anchor.arc, anchor.share);
        let at = self.locate(at.0, at.1)?.anchor;
        let from = self.locate(from.0, from.1).map(|place| place.anchor);
        let from = from.filter(|from| from.edge == at.edge);
        let is_reversed = from.map(|from| along(&at) < along(&from));
        Some(Toll { edge: at.edge, is_reversed, cost })
    }
}

impl<'a> Extras<'a> {
    /// Costs in metres, by edge.
    pub fn new(per_edge: &'a [f32]) -> Self {
        Self { per_edge, ..Self::default() }
    }

    /// Which of the tolls are due on a way.
    pub(crate) fn are_due(&self, ways: &[Direction]) -> Vec<bool> {
        let is_due = |toll: &Toll| ways.iter().any(|&way| toll.is_due(way));
        self.tolls.iter().map(|toll| toll.as_ref().is_some_and(is_due)).collect()
    }

    pub(crate) fn of(&self, way: Direction, length: f64) -> f64 {
        let edge = way.edge().0;
        let mut cost = f64::from(self.per_edge.get(edge as usize).copied().unwrap_or(0.0));
        for toll in self.tolls.iter().flatten().filter(|toll| toll.is_due(way)) {
            cost += f64::from(toll.cost);
        }
        if self.whim == 0.0 {
            return cost;
        }
        let mut draw = Random::new(self.who).stream(edge.into(), 0, Purpose::Whim);
        cost + length * f64::from(self.whim * draw.unit())
    }
}
