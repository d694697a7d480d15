//! How far apart places are at about, told without a search.
//!
//! From a few vertices, the *landmarks*, the lengths of the ways along the axis to all others are
//! known. By the triangle inequality two places are at least as far apart as their distances to any
//! landmark differ, and for a landmark that lies behind one of them, seen from the other, that is
//! the length of the way. In a city this says much more than the straight line does, which makes
//! all diagonal ways look alike (Goldberg and Harrelson 2005). It is no bound for taut paths, which
//! cut corners: a search that is led by it finds a good way, and not always the best.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::locate::Anchor;
use crate::map::{CorridorMap, VertexId};

/// How many landmarks there are: at the rim of a map, one in every direction.
const COUNT: usize = 8;

/// Distances to all landmarks, m.
pub(crate) type Distances = [f32; COUNT];

/// Distances of all vertices to the landmarks. Places that the landmarks are not connected with are
/// at no distance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    distances: Vec<Distances>,
}

impl Landmarks {
    /// Chooses vertices of the largest connected part that are far from each other.
    pub fn new(map: &CorridorMap, components: &[u32]) -> Self {
        let Some(first) = largest_part(map, components) else {
            return Self { distances: vec![[0.0; COUNT]; map.vertices.len()] };
        };
        // The vertex furthest from any is at the rim.
        let mut landmark = furthest(&lengths_from(map, first)).unwrap_or(first);
        let mut nearest = vec![f32::INFINITY; map.vertices.len()];
        let tables: [Vec<f32>; COUNT] = std::array::from_fn(|_| {
            let lengths = lengths_from(map, landmark);
            for (nearest, length) in nearest.iter_mut().zip(&lengths) {
                *nearest = nearest.min(*length);
            }
            landmark = furthest(&nearest).unwrap_or(first);
            lengths
        });
        let reached = |length: f32| if length.is_finite() { length } else { 0.0 };
        let distances = |vertex: usize| std::array::from_fn(|i| reached(tables[i][vertex]));
        Self { distances: (0..map.vertices.len()).map(distances).collect() }
    }

    /// The distances of a place on the axis.
    pub fn of(&self, map: &CorridorMap, anchor: &Anchor) -> Distances {
        let edge = map.edge(anchor.edge);
        let length = |arc: u32| map.arcs[arc as usize].piece.length();
        let before: f64 = (edge.arcs.start..anchor.arc).map(length).sum();
        let done = before + map.arcs[anchor.arc as usize].piece.length_to(anchor.share);
        let [begin, end] = edge.ends.map(|end| self.at(end));
        let rest = (edge.length - done).max(0.0);
        std::array::from_fn(|i| (begin[i] + done as f32).min(end[i] + rest as f32))
    }

    /// The distances of a vertex.
    pub fn at(&self, vertex: VertexId) -> &Distances {
        &self.distances[vertex.0 as usize]
    }
}

/// How far two places are apart at least, along the axis, m.
#[inline]
pub(crate) fn apart(a: &Distances, b: &Distances) -> f32 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| (a - b).abs().max(most))
}

/// A vertex of the part with the most edges.
fn largest_part(map: &CorridorMap, components: &[u32]) -> Option<VertexId> {
    let mut counts = vec![0u32; components.len()];
    components.iter().for_each(|&part| counts[part as usize] += 1);
    let most = counts.iter().max()?;
    let part = counts.iter().position(|count| count == most)?;
    Some(map.edges[part].ends[0])
}

/// The vertex with the largest finite number, the first of several.
fn furthest(lengths: &[f32]) -> Option<VertexId> {
    let finite = (0..).zip(lengths).filter(|(_, length)| length.is_finite());
    finite.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map(|(vertex, _)| VertexId(vertex))
}

/// The lengths of the shortest ways along the axis to all vertices, infinite where there is none.
fn lengths_from(map: &CorridorMap, from: VertexId) -> Vec<f32> {
    let mut lengths = vec![f32::INFINITY; map.vertices.len()];
    // Bits of positive numbers are in the order of the numbers.
    let mut queue = BinaryHeap::from([Reverse((0u32, from))]);
    lengths[from.0 as usize] = 0.0;
    while let Some(Reverse((bits, vertex))) = queue.pop() {
        let length = f32::from_bits(bits);
        if length > lengths[vertex.0 as usize] {
            continue;
        }
        for &edge in map.edges_at(vertex) {
            let edge = map.edge(edge);
            let there = length + edge.length as f32;
            for end in edge.ends.into_iter().filter(|&end| end != vertex) {
                if there < lengths[end.0 as usize] {
                    lengths[end.0 as usize] = there;
                    queue.push(Reverse((there.to_bits(), end)));
                }
            }
        }
    }
    lengths
}
