//! The widest way, to tell why there is none.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec2;

use crate::map::{CorridorMap, VertexId};
use crate::search::Query;
use crate::slice::Direction;

/// The narrowest place on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bottleneck {
    pub clearance: f64,
    pub point: DVec2,
}

impl Bottleneck {
    fn or(self, (clearance, point): (f64, DVec2)) -> Self {
        if clearance < self.clearance { Self { clearance, point } } else { self }
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Entry {
    bottleneck: Bottleneck,
    vertex: VertexId,
}

impl Eq for Entry {}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let wider = self.bottleneck.clearance.total_cmp(&other.bottleneck.clearance);
        wider.then(other.vertex.cmp(&self.vertex))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where the widest of all ways is narrowest; `None` if there is no way, however thin one may be.
pub(crate) fn widest(query: &Query) -> Option<Bottleneck> {
    let map: &CorridorMap = query.map;
    let open = Bottleneck { clearance: f64::INFINITY, point: query.from.point };
    let mut best = query.between().map(|way| open.or(query.directly(way).narrowest(map)));
    let mut queue = BinaryHeap::new();
    for is_reversed in [false, true] {
        let way = Direction::new(query.from.anchor.edge, is_reversed);
        let bottleneck = open.or(query.rest(way).narrowest(map));
        queue.push(Entry { bottleneck, vertex: query.end(way) });
    }
    let mut is_settled = vec![false; map.vertices().len()];
    while let Some(Entry { bottleneck, vertex }) = queue.pop() {
        if std::mem::replace(&mut is_settled[vertex.0 as usize], true) {
            continue;
        }
        for &id in map.edges_at(vertex) {
            let edge = map.edge(id);
            let way = Direction::new(id, edge.ends[0] != vertex);
            if id == query.to.anchor.edge {
                let whole = bottleneck.or(query.up_to_goal(way).narrowest(map));
                if best.is_none_or(|best| whole.clearance > best.clearance) {
                    best = Some(whole);
                }
            }
            let bottleneck = bottleneck.or((edge.clearance, edge.narrowest));
            queue.push(Entry { bottleneck, vertex: query.end(way) });
        }
    }
    best
}
