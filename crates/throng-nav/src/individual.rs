//! Ways for each of many.
//!
//! Shortest paths of a crowd all touch the same corners, whoever walks along them and in whichever direction: people
//! meet head on where there is least room, and what begins as a knot at a busy corner fills the junction. People
//! do not walk like that. They leave some room at corners, one more and another less, and more where
//! others are likely to come towards them. So everyone has a berth of their own to walls on either side.

use glam::DVec2;
use throng_world::scene::LayerId;

use crate::corridor::{Corridor, NoWay, Path};
use crate::extras::Extras;
use crate::funnel::{Gap, PathTree};
use crate::map::CorridorMap;
use crate::search::{Query, Search, Walker};
use crate::slice::Slice;

/// How much further from walls than they have to be people like to walk where there is room, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Berth {
    /// From walls on the left.
    pub left: f64,
    /// From walls on the right.
    pub right: f64,
}

/// Nobody leaves more than this share of the room between a wall and the middle: in a door, people spread
/// over what there is, and do not all go through the middle.
const MOST: f64 = 0.7;

/// Off a wall, or back to it at the goal, paths lead so steeply at most: nobody has to step aside first.
const SLANT: f64 = 0.25;

/// Around a corner, a path is a chain of few chords, as it is straightened in the end. Their middles are nearer
/// to the corner than their ends by this much, m, which everyone keeps away more.
const SAGITTA: f64 = 0.01;

impl CorridorMap {
    /// The shortest way, as [`Self::corridor`] finds it, as a path through it with a berth that is as
    /// straight as can be, and which of the tolls are due on it. The path ends at the goal even if that is in a
    /// wall.
    ///
    /// # Errors
    ///
    /// If there is no way, the reason.
    pub fn individual_way(
        &self,
        search: &mut Search,
        [from, to]: [(LayerId, DVec2); 2],
        walker: &Walker,
        berth: Berth,
        extras: Extras,
    ) -> Result<(Path, Vec<bool>), NoWay> {
        let [begin, end] = &self.places_for([from, to], walker)?;
        let query =
            Query { map: self, from: begin, to: end, walker, extras, detour: None, lead: None };
        let found = self.way(search, &query)?;
        let corridor = self.slice_up(&query, &found, SAGITTA);
        let mut path = corridor.path_with_berth(&mut search.tree, walker.clearance(), berth);
        path.points.extend((path.points.last() != Some(&to.1)).then_some(to.1));
        path.layers.resize(path.points.len() - 1, to.0);
        path.straighten(self, walker.clearance());
        Ok((path, extras.are_due(&found.ways)))
    }
}

impl Corridor {
    fn path_with_berth(&self, tree: &mut PathTree, clearance: f64, berth: Berth) -> Path {
        let ends = [self.from().point, self.to().point];
        let start = tree.start(ends[0]);
        let slices = self.inner(clearance).iter();
        let funnel = slices.fold(start, |funnel, slice| {
            tree.pass(funnel, berth.gap(slice, clearance + SAGITTA, ends))
        });
        let points = tree.path_to(funnel, ends[1]);
        self.path(points)
    }
}

impl Berth {
    /// What it leaves of a slice on the way between two points.
    fn gap(&self, slice: &Slice, clearance: f64, ends: [DVec2; 2]) -> Gap {
        let [begin, end] = ends.map(|end| end.distance_squared(slice.centre));
        let room = MOST * (slice.clearance - clearance);
        let most = room.min(SLANT * begin.min(end).sqrt()).max(0.0);
        slice.gap_between([self.left, self.right].map(|berth| clearance + berth.min(most)))
    }
}
