//! Known distances that lead a search.
//!
//! In a city the straight line to the goal says little about the way there, and a search led by it looks
//! down every street in that direction. A few vertices far from each other, the landmarks, know how long
//! the taut paths from them to all others are. Two places are about as far apart as their distances
//! from a landmark differ, if that is behind one of them, and hardly ever nearer (Goldberg and
//! Harrelson 2005).
//!
//! Different here: distances are those to vertices, which ways pass beside, at some metres to the left or right. So
//! this is no strict bound. In streets, ways are the best but for a tenth of a per cent; where edges lead through open
//! places, they are longer by a hundredth on average, and one of them by the width of a place.

use crate::locate::Place;
use crate::map::{CorridorMap, VertexId};
use crate::search::Search;

/// How many landmarks there are. In the streets of a city, the four at its corners tell most of it.
const COUNT: usize = 8;

/// Distances from each landmark, m; infinite where no way leads.
type Distances = [f32; COUNT];

/// Distances from some vertices of a map to all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmarks {
    /// By vertex.
    distances: Vec<Distances>,
}

impl CorridorMap {
    /// Measures the map from vertices that are as far from each other as can be. That takes as long as a few
    /// thorough searches through all of it, and makes searches quicker that are given the result.
    pub fn landmarks(&self) -> Landmarks {
        let mut distances = vec![[f32::INFINITY; COUNT]; self.vertices.len()];
        let mut search = Search::default();
        let mut nearest = search.spread(self, self.somewhere());
        for landmark in 0..COUNT {
            let Some(farthest) = farthest(&nearest) else { break };
            let lengths = search.spread(self, farthest);
            for (known, &length) in distances.iter_mut().zip(&lengths) {
                known[landmark] = length;
            }
            if landmark == 0 {
                // What has been measured from is a landmark, what it began with was not.
                nearest = lengths;
            } else {
                nearest
                    .iter_mut()
                    .zip(lengths)
                    .for_each(|(least, length)| *least = least.min(length));
            }
        }
        Landmarks { distances }
    }
}

/// The vertex that is farthest away, among those that can be reached.
fn farthest(lengths: &[f32]) -> Option<VertexId> {
    let known = (0..).zip(lengths).filter(|(_, length)| length.is_finite());
    known.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map(|(id, _)| VertexId(id))
}

impl Landmarks {
    /// What the landmarks say of a goal.
    pub(crate) fn towards(&self, map: &CorridorMap, goal: &Place) -> Lead<'_> {
        let mut goal_at = [f32::INFINITY; COUNT];
        for end in map.edge(goal.anchor.edge).ends {
            let rest = map.vertex(end).point.distance(goal.point) as f32;
            for (least, length) in goal_at.iter_mut().zip(self.of(end)) {
                *least = least.min(length + rest);
            }
        }
        Lead { landmarks: self, goal_at }
    }

    fn of(&self, vertex: VertexId) -> Distances {
        self.distances.get(vertex.0 as usize).copied().unwrap_or([f32::INFINITY; COUNT])
    }
}

/// Leads to a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead<'a> {
    landmarks: &'a Landmarks,
    /// How far the goal is from each landmark, m.
    goal_at: Distances,
}

impl Lead<'_> {
    /// About how far it is from a vertex to the goal, hardly ever less, m.
    pub fn left_from(&self, vertex: VertexId) -> f64 {
        let at = self.landmarks.of(vertex);
        let differences = self.goal_at.iter().zip(&at).map(|(goal, here)| (goal - here).abs());
        // Where a landmark knows neither, the difference is not a number, and says nothing.
        let most = differences.fold(0.0, f32::max);
        if most.is_finite() { most.into() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "helpers of tests")]

    use glam::DVec2;
    use throng_world::walkable::Area;

    use super::*;
    use crate::{Extras, Footprint, MapRules, Walker};

    fn rectangle(x: [f64; 2], y: [f64; 2]) -> Area {
        let corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])];
        Area::new(corners.map(DVec2::from).to_vec(), Vec::new()).unwrap()
    }

    #[test]
    fn distances_from_landmarks_are_those_of_taut_paths() {
        let house = |i: u32| {
            let (x, y) = (3.0 + 13.0 * f64::from(i % 5), 3.0 + 13.0 * f64::from(i / 5));
            rectangle([x, x + 10.0], [y, y + 10.0])
        };
        let houses: Vec<Area> = (0..25).map(house).collect();
        let footprint =
            Footprint::without(&[rectangle([0.0, 68.0], [0.0, 68.0])], &houses).unwrap();
        let map = CorridorMap::new(&[footprint], &MapRules::default()).unwrap();
        let landmarks = map.landmarks();
        let thin = Walker { radius: 1e-3, margin: 0.0 };
        let mut search = Search::new(100_000);
        let (mut compared, mut corners) = (0, 0);
        for landmark in 0..COUNT {
            let is_there = |distances: &Distances| distances[landmark] == 0.0;
            let from = landmarks.distances.iter().position(is_there).unwrap();
            let from = &map.vertices[from];
            let to_edge = (from.point - 34.0).abs();
            corners += u32::from(to_edge.min_element() > 25.0);
            for (vertex, distances) in map.vertices.iter().zip(&landmarks.distances) {
                if !distances[landmark].is_finite() {
                    continue;
                }
                let ends = [from, vertex].map(|vertex| (vertex.layer, vertex.point));
                let way = map.corridor(&mut search, ends[0], ends[1], &thin, Extras::default());
                let length = way.unwrap().shortest_path(0.0).length();
                let known = f64::from(distances[landmark]);
                assert!((known - length).abs() < 0.01 * length + 0.05, "{known} {length}");
                compared += 1;
            }
        }
        assert!(compared > 200, "{compared}");
        assert_eq!(corners, 4, "the corners of the city are landmarks");
    }

    #[test]
    fn what_no_landmark_knows_is_no_reason_to_turn_back() {
        let landmarks = Landmarks { distances: vec![[f32::INFINITY; COUNT], [1.0; COUNT]] };
        let lead = Lead { landmarks: &landmarks, goal_at: [f32::INFINITY; COUNT] };
        assert_eq!(lead.left_from(VertexId(0)), 0.0);
        assert_eq!(lead.left_from(VertexId(1)), 0.0);
        let lead = Lead { landmarks: &landmarks, goal_at: [4.0; COUNT] };
        assert_eq!(lead.left_from(VertexId(1)), 3.0);
    }
}
